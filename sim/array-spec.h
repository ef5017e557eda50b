/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The array's description: its keys, the same as options and in a case's
 * [array] section, into struct array_desc and back into options. What the
 * driver refuses is let through: refusing is what is under test.
 */
#ifndef RAID5SIM_ARRAY_SPEC_H
#define RAID5SIM_ARRAY_SPEC_H

#include <stddef.h>

#include "boundary.h"
#include "diag.h"

/**
 * struct array_spec - keys given so far
 * @desc:	with defaults for the rest: level 5, 4 disks, chunk 512K,
 *		left-symmetric, members of 1G, not rotational, named md0
 * @given:	bit n: key n of array-spec.c was given
 */
struct array_spec {
	struct array_desc desc;
	unsigned int given;
};

/** array_spec_init - the defaults */
void array_spec_init(struct array_spec *spec);

/**
 * array_spec_key - one key
 * @key:	without "--"
 * @value:	see below
 * @pos:	where it was read, NULL for an option
 *
 *	level		4, 5 or 6
 *	disks		1 .. 1920, the most members that md's metadata can hold
 *	chunk		bytes, whole sectors, below 1T
 *	layout		mdadm's name of it or the driver's number, 0 .. 255
 *	member-size	bytes, whole sectors, below 2^63
 *	rotational	yes or no
 *
 * Only for cases, not for options:
 *
 *	metadata	none or 1.2
 *	log		none, bitmap, journal or ppl
 *	log-size	bytes, whole sectors
 *	spares		0 .. 1920
 *	missing		0 .. 1920
 *	write-cache	write back or write through
 *	dirty		yes or no
 *
 * A key that was given before is an error.
 *
 * Return: 0, -ENOENT (not a key of the array; @diag untouched) or -EINVAL.
 */
int array_spec_key(struct array_spec *spec, const char *key, const char *value,
		   const struct source_pos *pos, struct diag *diag);

/**
 * array_spec_finish - what can only be said when all keys are known
 * @file:	for messages
 *
 * A log needs metadata: 1.2 unless it was given. Return: 0 or -EINVAL.
 */
int array_spec_finish(struct array_spec *spec, const char *file,
		      struct diag *diag);

/** array_keys - keys that are options too, "level, disks, ...", for messages */
const char *array_keys(void);
/** array_case_keys - all keys */
const char *array_case_keys(void);

/** array_layout_name - "left-symmetric", or NULL: known by number only */
const char *array_layout_name(int layout);

/**
 * array_options - @desc as options, each one spelled out
 * @buf:	cut to @size - 1 bytes and NUL
 *
 * Return: length without NUL that the whole text has.
 */
size_t array_options(const struct array_desc *desc, char *buf, size_t size);

#endif
