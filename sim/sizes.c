/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and texts of the measured values, and where they come from in the
 * structs of the shim and of the oracle. It measures nothing.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "errname.h"
#include "size.h"
#include "sizes.h"

static const struct {
	const char *name;
	const char *label;
} keys[SIZE_KEYS] = {
	[SIZE_NR_HASH_LOCKS] = {"nr_hash_locks", "hash locks"},
	[SIZE_STRIPE_CACHE_SIZE] = {"stripe_cache_size", "stripe cache"},
	[SIZE_STRIPE_CACHE_MIN] = {"stripe_cache_min", "  smallest accepted"},
	[SIZE_STRIPE_CACHE_MAX] = {"stripe_cache_max", "  largest accepted"},
	[SIZE_MAX_STRIPE_BATCH] = {"max_stripe_batch", "stripe batch"},
	[SIZE_GROUP_THREAD_CNT] = {"group_thread_cnt", "threads per group"},
	[SIZE_GROUP_CNT] = {"group_cnt", "groups"},
	[SIZE_WORKERS] = {"workers", "workers in all"},
	[SIZE_BYTES_PER_STRIPE] = {"bytes_per_stripe", "bytes per stripe"},
	[SIZE_ALLOCATED_KB] = {"allocated_kb", "kB the driver says"},
	[SIZE_BYTES_ALLOCATED] = {"bytes_allocated", "bytes allocated"},
	[SIZE_LARGEST_ALLOCATION] = {"largest_allocation",
				     "largest allocation"},
	[SIZE_CREATE] = {"create", "create"},
};

const char *size_key_name(enum size_key key)
{
	return keys[key].name;
}

const char *size_key_label(enum size_key key)
{
	return keys[key].label;
}

enum size_key size_key_by_name(const char *name)
{
	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		if (!strcmp(keys[i].name, name))
			return (enum size_key)i;
	return SIZE_KEYS;
}

const char *size_key_list(void)
{
	return "nr_hash_locks, stripe_cache_size, stripe_cache_min, "
	       "stripe_cache_max, max_stripe_batch, group_thread_cnt, "
	       "group_cnt, workers, bytes_per_stripe, allocated_kb, "
	       "bytes_allocated, largest_allocation, create";
}

void sizes_set(struct sizes *s, enum size_key key, long long value)
{
	s->value[key] = value;
	s->known[key] = true;
}

/* -1: the subject has no such value. */
static void set_if_any(struct sizes *s, enum size_key key, long long value)
{
	if (value == -1)
		s->known[key] = false;
	else
		sizes_set(s, key, value);
}

void sizes_from_array(struct sizes *s, const struct array_sizes *a)
{
	set_if_any(s, SIZE_NR_HASH_LOCKS, a->nr_hash_locks);
	set_if_any(s, SIZE_STRIPE_CACHE_SIZE, a->stripe_cache_size);
	set_if_any(s, SIZE_MAX_STRIPE_BATCH, a->max_stripe_batch);
	set_if_any(s, SIZE_GROUP_THREAD_CNT, a->group_thread_cnt);
	set_if_any(s, SIZE_GROUP_CNT, a->group_cnt);
	set_if_any(s, SIZE_WORKERS, a->workers);
	set_if_any(s, SIZE_BYTES_PER_STRIPE, a->bytes_per_stripe);
	set_if_any(s, SIZE_ALLOCATED_KB, a->allocated_kb);
}

static void set_if_known(struct sizes *s, enum size_key key,
			 struct oracle_value v)
{
	if (v.known)
		sizes_set(s, key, v.value);
}

void sizes_from_oracle(struct sizes *s, const struct oracle_sizes *o)
{
	set_if_known(s, SIZE_NR_HASH_LOCKS, o->nr_hash_locks);
	set_if_known(s, SIZE_STRIPE_CACHE_SIZE, o->stripe_cache_size);
	set_if_known(s, SIZE_STRIPE_CACHE_MIN, o->stripe_cache_min);
	set_if_known(s, SIZE_STRIPE_CACHE_MAX, o->stripe_cache_max);
	set_if_known(s, SIZE_MAX_STRIPE_BATCH, o->max_stripe_batch);
	set_if_known(s, SIZE_GROUP_THREAD_CNT, o->group_thread_cnt);
	set_if_known(s, SIZE_GROUP_CNT, o->group_cnt);
	set_if_known(s, SIZE_WORKERS, o->workers);
	set_if_known(s, SIZE_BYTES_PER_STRIPE, o->bytes_per_stripe);
	set_if_known(s, SIZE_ALLOCATED_KB, o->allocated_kb);
	set_if_known(s, SIZE_CREATE, o->create);
}

static bool may_be_none(enum size_key key)
{
	return key == SIZE_STRIPE_CACHE_MIN || key == SIZE_STRIPE_CACHE_MAX;
}

const char *sizes_text_value(enum size_key key, long long value,
			     char buf[SIZES_TEXT])
{
	if (key == SIZE_CREATE)
		return errname_text((long)value, buf);
	if (may_be_none(key) && value < 0)
		return "none";
	snprintf(buf, SIZES_TEXT, "%lld", value);
	return buf;
}

const char *sizes_text(const struct sizes *s, enum size_key key,
		       char buf[SIZES_TEXT])
{
	if (!s->known[key])
		return "-";
	return sizes_text_value(key, s->value[key], buf);
}

static int parse_result(const char *value, const struct source_pos *pos,
			struct diag *diag, long long *out)
{
	int result;

	if (errname_parse(value, &result))
		return diag_set(diag, pos, "create", value, ERRNAME_FORM,
				"unknown result '%s'", value);
	*out = result;
	return 0;
}

int sizes_parse(enum size_key key, const char *value,
		const struct source_pos *pos, struct diag *diag, long long *out)
{
	unsigned long long n;
	const char *why;

	if (key == SIZE_CREATE)
		return parse_result(value, pos, diag, out);
	if (may_be_none(key) && !strcmp(value, "none")) {
		*out = -1;
		return 0;
	}
	if (size_parse(value, &n, &why))
		return diag_set(diag, pos, keys[key].name, value, SIZE_FORM,
				"%s", why);
	if (n > LLONG_MAX)
		return diag_set(diag, pos, keys[key].name, value, SIZE_FORM,
				"above 2^63 - 1");
	*out = (long long)n;
	return 0;
}
