/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values that `raid5sim size` measures, by name: one table for reports,
 * cases and the comparison with the oracle. It measures nothing.
 */
#ifndef RAID5SIM_SIZES_H
#define RAID5SIM_SIZES_H

#include <stdbool.h>

#include "boundary.h"
#include "diag.h"
#include "oracle.h"

/* In the order in which reports show them. */
enum size_key {
	SIZE_NR_HASH_LOCKS,
	SIZE_STRIPE_CACHE_SIZE,
	SIZE_STRIPE_CACHE_MIN,
	SIZE_STRIPE_CACHE_MAX,
	SIZE_MAX_STRIPE_BATCH,
	SIZE_GROUP_THREAD_CNT,
	SIZE_GROUP_CNT,
	SIZE_WORKERS,
	SIZE_BYTES_PER_STRIPE,
	SIZE_ALLOCATED_KB,
	SIZE_BYTES_ALLOCATED,
	SIZE_LARGEST_ALLOCATION,
	SIZE_CREATE,
	SIZE_KEYS
};

/**
 * struct sizes - values of an array, from the subject or from the oracle
 * @value:	by enum size_key; -1 for stripe_cache_min and _max means that no
 *		value is accepted; create is 0 or a negative errno
 * @known:	false: not measured, or the subject has no such value
 */
struct sizes {
	long long value[SIZE_KEYS];
	bool known[SIZE_KEYS];
};

/** size_key_name - stable name: JSON key, key of a case's [expect] */
const char *size_key_name(enum size_key key);
/** size_key_label - what a person reads */
const char *size_key_label(enum size_key key);
/** size_key_by_name - SIZE_KEYS when there is no such name */
enum size_key size_key_by_name(const char *name);
/** size_key_list - all names, "nr_hash_locks, ...", for error messages */
const char *size_key_list(void);

/** sizes_set - make one value known */
void sizes_set(struct sizes *s, enum size_key key, long long value);
/** sizes_from_array - what the subject's own structures say */
void sizes_from_array(struct sizes *s, const struct array_sizes *a);
/** sizes_from_oracle - what the oracle foretells */
void sizes_from_oracle(struct sizes *s, const struct oracle_sizes *o);

/* Room for any sizes_text(). */
#define SIZES_TEXT 32
/** sizes_text - one value as text: a number, "ok", "-ENOMEM", "none" or "-" */
const char *sizes_text(const struct sizes *s, enum size_key key,
		       char buf[SIZES_TEXT]);

/** sizes_text_value - the same for a value that is not in a struct sizes */
const char *sizes_text_value(enum size_key key, long long value,
			     char buf[SIZES_TEXT]);

/**
 * sizes_parse - a value as written in a case
 * @value:	create: ok or -EERRNO; the others a number, which may have K M
 *		G T P; stripe_cache_min and _max also "none"
 *
 * Return: 0 or -EINVAL with @diag filled.
 */
int sizes_parse(enum size_key key, const char *value,
		const struct source_pos *pos, struct diag *diag,
		long long *out);

#endif
