/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory findings in words: which object, which element or byte of it, who
 * allocated and who freed it; and the leak report. Never a pointer value.
 * Asks the kernel side for the subject's own names, but works without.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

/* A test of the host side alone links no kernel side. */
extern __typeof__(kern_object_name) kern_object_name __attribute__((weak));

static void append(char *buf, unsigned long len, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void append(char *buf, unsigned long len, const char *fmt, ...)
{
	unsigned long used = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + used, len - used, fmt, ap);
	va_end(ap);
}

static void site_name(const struct place *where, char *buf, unsigned long len)
{
	if (where->function[0])
		snprintf(buf, len, "%s()", where->function);
	else
		snprintf(buf, len, "an unknown function");
}

void describe_site(const void *caller, char *buf, unsigned long len)
{
	struct place where;

	memset(&where, 0, sizeof(where));
	if (!host_place(caller, 1, &where))
		memset(&where, 0, sizeof(where));
	site_name(&where, buf, len);
}

/* ------------------------------------------------------------------ */
/* One object							      */

struct naming {
	const void *base;
	const char *name;
	unsigned long elem;
};

static void ask_name(void *arg)
{
	struct naming *n = arg;

	n->name = kern_object_name(n->base, &n->elem);
}

/* What kern_object_name() reads may itself be broken by now. */
static void find_name(struct naming *n)
{
	if (!kern_object_name)
		return;
	if (catch_try(ask_name, n))
		n->name = NULL;
}

static long long floor_div(long long a, long long b)
{
	long long q = a / b;

	return q - (a % b < 0);
}

static void add_history(const struct obj_info *info, char *buf,
			unsigned long len)
{
	char site[80];

	if (info->tag)
		append(buf, len, " of cache %s", info->tag);
	describe_site(info->alloc_caller, site, sizeof(site));
	append(buf, len, ", allocated in %s", site);
	if (info->state != OBJ_FREED)
		return;
	describe_site(info->free_caller, site, sizeof(site));
	append(buf, len, ", freed in %s", site);
}

void describe_object(const struct obj_info *info, const char *prefix, char *buf,
		     unsigned long len)
{
	struct naming n = {.base = info->base};

	find_name(&n);
	snprintf(buf, len, "%s", prefix);
	if (n.name && n.elem)
		append(buf, len, "%s[%lld] of %lu", n.name,
		       floor_div(info->offset, (long long)n.elem),
		       info->size / n.elem);
	else if (n.name)
		append(buf, len, "byte %lld of %s of %lu", info->offset, n.name,
		       info->size);
	else
		append(buf, len, "byte %lld of an object of %lu", info->offset,
		       info->size);
	add_history(info, buf, len);
}

void describe_whole(const struct obj_info *info, const char *prefix, char *buf,
		    unsigned long len)
{
	struct naming n = {.base = info->base};

	find_name(&n);
	snprintf(buf, len, "%s", prefix);
	if (n.name && n.elem)
		append(buf, len, "%s of %lu", n.name, info->size / n.elem);
	else if (n.name)
		append(buf, len, "%s", n.name);
	else
		append(buf, len, "object of %lu bytes", info->size);
	add_history(info, buf, len);
}

/* ------------------------------------------------------------------ */
/* Leaks							      */

struct leak {
	unsigned long long seq; /* of the first object */
	unsigned long objects;
	unsigned long long bytes;
	const char *tag;
	const void *caller;
	struct place where;
};

struct leaks {
	struct leak *list;
	unsigned int count;
	unsigned int room;
	unsigned long objects;
};

static int same_tag(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static int same_place(const struct place *a, const struct place *b)
{
	return a->line == b->line && !strcmp(a->function, b->function) &&
	       !strcmp(a->file, b->file);
}

static struct leak *leak_new(struct leaks *all, const struct obj_info *info)
{
	struct leak *l;

	if (all->count == all->room) {
		all->room = all->room ? 2 * all->room : 16;
		all->list = realloc(all->list, all->room * sizeof(*l));
		if (!all->list)
			host_panic("no memory for the leak report");
	}
	l = &all->list[all->count++];
	memset(l, 0, sizeof(*l));
	l->seq = ~0ULL;
	l->tag = info->tag;
	l->caller = info->alloc_caller;
	if (!host_place(l->caller, 1, &l->where))
		memset(&l->where, 0, sizeof(l->where));
	return l;
}

static void leak_merge(struct leak *to, const struct leak *from)
{
	to->objects += from->objects;
	to->bytes += from->bytes;
	if (from->seq < to->seq)
		to->seq = from->seq;
}

/* By caller first: looking up a place is dear, and callers are few. */
static void leak_count(const struct obj_info *info, unsigned long long seq,
		       void *arg)
{
	struct leaks *all = arg;
	struct leak one = {.seq = seq, .objects = 1, .bytes = info->size};
	unsigned int i;

	if (info->kind == MEM_SHIM)
		return;
	all->objects++;
	for (i = 0; i < all->count; i++)
		if (all->list[i].caller == info->alloc_caller &&
		    same_tag(all->list[i].tag, info->tag))
			break;
	leak_merge(i < all->count ? &all->list[i] : leak_new(all, info), &one);
}

/* Two calls on one line are one site, however the compiler laid them out. */
static void leak_fold(struct leaks *all)
{
	unsigned int i, j, kept = 0;

	for (i = 0; i < all->count; i++) {
		struct leak *l = &all->list[i];

		for (j = 0; j < kept; j++)
			if (same_tag(all->list[j].tag, l->tag) &&
			    same_place(&all->list[j].where, &l->where))
				break;
		if (j < kept)
			leak_merge(&all->list[j], l);
		else
			all->list[kept++] = *l;
	}
	all->count = kept;
}

static int leak_order(const void *a, const void *b)
{
	const struct leak *l = a, *m = b;

	return l->seq < m->seq ? -1 : l->seq > m->seq;
}

static void leak_report(const struct leak *l)
{
	char cause[256] = "", site[80];

	site_name(&l->where, site, sizeof(site));
	append(cause, sizeof(cause), "%lu object%s", l->objects,
	       l->objects == 1 ? "" : "s");
	if (l->tag)
		append(cause, sizeof(cause), " of cache %s", l->tag);
	append(cause, sizeof(cause), ", %llu bytes, allocated in %s", l->bytes,
	       site);
	finding_record(FINDING_LEAK, &l->where, cause);
}

unsigned long host_obj_report_leaks(void)
{
	struct leaks all = {0};
	unsigned int i;

	arena_check_freed();
	arena_for_each_live(leak_count, &all);
	if (all.count) {
		leak_fold(&all);
		qsort(all.list, all.count, sizeof(*all.list), leak_order);
	}
	for (i = 0; i < all.count; i++)
		leak_report(&all.list[i]);
	free(all.list);
	return all.objects;
}
