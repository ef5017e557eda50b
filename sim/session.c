/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One simulated machine from power-on to module unload. All knowledge of the
 * order in which the kernel side is to be called is here.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

#define CACHE_ATTR "stripe_cache_size"
/* No driver asks for more than this as a minimum: 128 times today's locks. */
#define MIN_TRIED 4096

static void list_params(char *buf, size_t size)
{
	unsigned int n = kern_param_count();
	size_t used = 0;

	snprintf(buf, size, "none: this subject has no parameter");
	for (unsigned int i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i ? ", " : "", kern_param_name(i));
}

static int has_param(const char *name)
{
	for (unsigned int i = 0; i < kern_param_count(); i++)
		if (!strcmp(kern_param_name(i), name))
			return 1;
	return 0;
}

int session_params_check(const struct param_list *params, struct diag *diag)
{
	char names[320];

	for (unsigned int i = 0; i < params->count; i++) {
		const struct param *p = &params->param[i];
		const char *key = p->pos.file ? p->name : "param";

		if (has_param(p->name))
			continue;
		list_params(names, sizeof(names));
		return diag_set(diag, &p->pos, key, p->name, names,
				"subject %s has no module parameter %s",
				kern_subject.name, p->name);
	}
	return 0;
}

static int set_params(struct session *s, const struct param_list *params)
{
	for (unsigned int i = 0; i < params->count; i++) {
		const struct param *p = &params->param[i];
		int rc = kern_param_set(p->name, p->value);

		if (rc >= 0)
			continue;
		s->bad_param = p;
		s->bad_param_rc = rc;
		return rc;
	}
	return 0;
}

int session_boot(struct session *s, const struct machine *m,
		 const struct param_list *params)
{
	struct mem_stats stats;
	int rc;

	memset(s, 0, sizeof(*s));
	kern_boot(m);
	rc = set_params(s, params);
	if (rc)
		return rc;
	s->init_rc = kern_module_init();
	host_mem_stats(&stats);
	s->baseline = stats.live_bytes;
	host_mem_reset_largest();
	return s->init_rc;
}

int session_create(struct session *s, const struct array_desc *desc)
{
	return kern_array_create(desc, &s->array);
}

void session_memory(const struct session *s, struct sizes *out)
{
	struct mem_stats stats;

	host_mem_stats(&stats);
	sizes_set(out, SIZE_BYTES_ALLOCATED,
		  (long long)(stats.live_bytes - s->baseline));
	sizes_set(out, SIZE_LARGEST_ALLOCATION, (long long)stats.largest);
}

void session_measure(const struct session *s, struct sizes *out)
{
	struct array_sizes a;

	session_memory(s, out);
	if (!s->array)
		return;
	kern_array_sizes(s->array, &a);
	sizes_from_array(out, &a);
}

void session_stop(struct session *s)
{
	struct kern_array *a = s->array;

	s->array = NULL;
	if (a)
		kern_array_stop(a);
}

/* ------------------------------------------------------------------ */

static int accepts(struct session *s, unsigned long long size)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", size);
	return kern_attr_store(s->array, CACHE_ATTR, text) != -EINVAL;
}

static unsigned long long find_min(struct session *s)
{
	for (unsigned long long n = 1; n <= MIN_TRIED; n++)
		if (accepts(s, n))
			return n;
	return 0;
}

/*
 *	min   2min   4min ...  good     bad
 *	 |------|------|--------|--------|
 *		accepted	  <----> halved until they are neighbours
 */
static unsigned long long find_max(struct session *s, unsigned long long min)
{
	unsigned long long good = min;
	unsigned long long bad = min;

	while (accepts(s, bad)) {
		good = bad;
		if (good == ~0ULL)
			return good;
		bad = good > ~0ULL / 2 ? ~0ULL : 2 * good;
	}
	while (bad - good > 1) {
		unsigned long long middle = good + (bad - good) / 2;

		if (accepts(s, middle))
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* What no driver's arithmetic holds is all the same to a reader. */
static long long as_value(unsigned long long n)
{
	return n > LLONG_MAX ? LLONG_MAX : (long long)n;
}

static void find_limits(struct session *s, struct sizes *out)
{
	unsigned long long min;

	kern_fail_allocs(1);
	min = find_min(s);
	sizes_set(out, SIZE_STRIPE_CACHE_MIN, min ? as_value(min) : -1);
	sizes_set(out, SIZE_STRIPE_CACHE_MAX,
		  min ? as_value(find_max(s, min)) : -1);
	kern_fail_allocs(0);
}

void session_limits(struct session *s, const struct array_desc *desc,
		    struct sizes *out)
{
	if (session_create(s, desc))
		return;
	find_limits(s, out);
	session_stop(s);
}

void session_end(struct session *s)
{
	session_stop(s);
	if (!s->init_rc)
		kern_module_exit();
	host_obj_report_leaks();
}
