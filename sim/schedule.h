/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Schedules and times of disks as text: one short line each, so that a
 * finding can be replayed from what a report says. It knows what a schedule
 * is made of, not what it does; the kernel side does.
 */
#ifndef RAID5SIM_SCHEDULE_H
#define RAID5SIM_SCHEDULE_H

#include <stddef.h>

#include "boundary.h"

/* What an error message says is accepted. */
#define SCHEDULE_FORM                                                    \
	"in-order, random:SEED[:RATE], pct:SEED:DEPTH[:LENGTH], "        \
	"list:CHOICE=PICK,... or bytes:HEX, each with @none, @locks or " \
	"@atomics if wanted"
#define SCHEDULE_POINTS_FORM "none, locks or atomics"
#define SCHEDULE_TIMES_FORM  "TIME or TIME-TIME, e.g. 50us-400us"

/* Points that have a name. Each has those of the one before it too. */
#define SCHEDULE_NONE	 0
#define SCHEDULE_LOCKS	 POINT_LOCKS
#define SCHEDULE_ATOMICS (POINT_LOCKS | POINT_ATOMICS)

/* random: one choice in so many, unless the line says otherwise. */
#define SCHEDULE_RATE 16
/* pct: choices over which the changes are spread, likewise. */
#define SCHEDULE_LENGTH 10000
/* Changes of a list at most; what a run does unlike in order may be that. */
#define SCHEDULE_CHANGES 1000000

/**
 * schedule_parse - read a line
 * @text:	see SCHEDULE_FORM. A list is by ascending choice, and no pick is
 *		0; it may be empty, as may the bytes
 * @points:	for a line without "@"
 * @out:	its list and bytes are copies: schedule_free(), also after an
 *		error
 * @why:	on error: the reason, a static string
 *
 * Return: 0 or -EINVAL.
 */
int schedule_parse(const char *text, unsigned int points, struct schedule *out,
		   const char **why);

/** schedule_free - what schedule_parse() or schedule_copy() allocated */
void schedule_free(struct schedule *s);

/** schedule_copy - @out with a list and bytes of its own */
void schedule_copy(const struct schedule *s, struct schedule *out);

/**
 * schedule_text - the line that schedule_parse() reads as @s
 *
 * All numbers are spelled out; "@none" is not. Return: the caller frees it.
 */
char *schedule_text(const struct schedule *s);

/** schedule_points_parse - "none", "locks", "atomics"; 0 or -EINVAL */
int schedule_points_parse(const char *word, unsigned int *points);
/** schedule_points_name - the reverse; POINT_* that have no name are told as
 *  the next that has */
const char *schedule_points_name(unsigned int points);

/**
 * schedule_time_parse - virtual ns from "50us"
 * @text:	an integer and ns, us, ms or s
 * @ns:		0 .. 2^63 - 1; untouched on error
 *
 * Return: 0 or -EINVAL.
 */
int schedule_time_parse(const char *text, unsigned long long *ns);

/** schedule_times_parse - "50us" or "50us-400us", each below 4.2 s; 0 or
 *  -EINVAL */
int schedule_times_parse(const char *text, struct disk_times *out);

#endif
