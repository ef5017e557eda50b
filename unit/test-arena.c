/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arena: that each detector fires, with the right words and place, and
 * that right use is silent. Each faulty run is a child process. The kernel
 * side is a table of two named objects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "host-fake.h"

/* ------------------------------------------------------------------ */
/* The kernel side						      */

static const void *groups;
static unsigned long groups_elem;
static const void *conf;
static int naming_faults;

const char *kern_object_name(const void *base, unsigned long *elem)
{
	if (naming_faults)
		subject_read(NULL, 8);
	*elem = 0;
	if (base == groups) {
		*elem = groups_elem;
		return "worker_groups";
	}
	return base == conf ? "r5conf" : NULL;
}

/* ------------------------------------------------------------------ */

static void *alloc(unsigned long size)
{
	return host_obj_alloc(size, 8, MEM_KMALLOC, NULL, site(IN_SETUP_CONF));
}

static void release(void *obj)
{
	host_obj_free(obj, MEM_KMALLOC, site(IN_FREE_CONF));
}

static void *alloc_stripe(void)
{
	return host_obj_alloc(1696, 8, MEM_CACHE, "raid5-md0",
			      site(IN_GROW_ONE_STRIPE));
}

static void free_stripe(void *obj)
{
	host_obj_free(obj, MEM_CACHE, site(IN_DROP_ONE_STRIPE));
}

static void alloc_groups(unsigned long n, unsigned long elem)
{
	groups_elem = elem;
	groups = host_obj_alloc(n * elem, 8, MEM_KMALLOC, NULL,
				site(IN_ALLOC_THREAD_GROUPS));
}

/* What a child does to an object of @size. */
struct deed {
	unsigned long size;
	unsigned long align;
	long offset;
	int poison;
	int write;
	int then_free;
};

static unsigned long deed_align(const struct deed *d)
{
	return d->align ? d->align : 8;
}

static void access_at(void *obj, const struct deed *d)
{
	if (d->write)
		subject_write(obj, d->offset, 1);
	else
		subject_read(obj, d->offset);
}

/* ------------------------------------------------------------------ */
/* Out of bounds						      */

static void do_access(void *arg)
{
	const struct deed *d = arg;
	void *obj;

	if (d->poison)
		host_mem_policy(MEM_POISON);
	obj = host_obj_alloc(d->size, deed_align(d), MEM_KMALLOC, NULL,
			     site(IN_SETUP_CONF));
	memset(obj, 0, d->size);
	access_at(obj, d);
	if (d->then_free)
		release(obj);
}

static void expect_bounds(const struct deed *d)
{
	struct outcome out;
	char cause[128];

	in_child(do_access, (void *)d, &out);
	snprintf(cause, sizeof(cause),
		 "byte %ld of an object of %lu, allocated in setup_conf()",
		 d->offset, d->size);
	expect_one(&out, FINDING_OUT_OF_BOUNDS,
		   d->write ? "subject_write" : "subject_read", cause);
}

/*
 * Where an object ends or begins with a page, one byte is enough:
 *
 *	 unmapped | page: object of 4096 | unmapped
 *	 unmapped | page: red | object   | unmapped
 */
static void test_off_by_one_faults(void **state)
{
	struct deed d = {.size = 96};

	(void)state;
	for (d.poison = 0; d.poison < 2; d.poison++)
		for (d.write = 0; d.write < 2; d.write++) {
			d.size = 96;
			d.offset = 96;
			expect_bounds(&d);
			d.size = 1;
			d.align = 1;
			d.offset = 1;
			expect_bounds(&d);
			d.align = 0;
			d.size = 4096;
			d.offset = -1;
			expect_bounds(&d);
			d.offset = 4096;
			expect_bounds(&d);
			d.size = 0;
			d.offset = 0;
			expect_bounds(&d);
		}
}

/* A write to the rest of the object's pages shows at free; with a sanitizer
 * at once. */
static void expect_red_zone(const struct deed *d)
{
	struct outcome out;
	char cause[128];

	in_child(do_access, (void *)d, &out);
	assert_int_equal(out.ended, 1);
	assert_int_equal(out.count, 1);
	assert_int_equal(out.f[0].kind, FINDING_OUT_OF_BOUNDS);
	snprintf(cause, sizeof(cause),
		 "byte %ld of an object of %lu, allocated in setup_conf()",
		 d->offset, d->size);
	if (!strcmp(out.f[0].where.function, "subject_write")) {
		assert_string_equal(out.f[0].cause, cause);
		return;
	}
	snprintf(cause, sizeof(cause),
		 "damaged red zone: byte %ld of an object of %lu, "
		 "allocated in setup_conf()",
		 d->offset, d->size);
	assert_string_equal(out.f[0].cause, cause);
	assert_string_equal(out.f[0].where.function, "free_conf");
}

static void test_red_zones(void **state)
{
	static const long before[] = {-1, -2, -63, -64};
	struct deed d = {.write = 1, .then_free = 1};
	unsigned int i;

	(void)state;
	for (d.poison = 0; d.poison < 2; d.poison++) {
		d.size = 96;
		d.align = 8;
		for (i = 0; i < 4; i++) {
			d.offset = before[i];
			expect_red_zone(&d);
		}
		d.size = 97;
		for (d.offset = 97; d.offset < 104; d.offset++)
			expect_red_zone(&d);
		d.size = 100;
		d.align = 256;
		d.offset = 255;
		expect_red_zone(&d);
	}
	/* The default policy checks all of the page before the object. */
	d.poison = 0;
	d.size = 96;
	d.align = 8;
	d.offset = -4000;
	expect_red_zone(&d);
}

struct far {
	unsigned long n;
	unsigned long elem;
	long index;
};

/*
 * Neighbours on both sides, which must be neither hit nor blamed:
 *
 *	before | ... guards ... | worker_groups | ... guards ... | after
 */
static void do_far(void *arg)
{
	const struct far *f = arg;
	unsigned int i;

	for (i = 0; i < 3; i++)
		alloc(f->n * f->elem);
	alloc_groups(f->n, f->elem);
	for (i = 0; i < 3; i++)
		alloc(f->n * f->elem);
	subject_read(groups, f->index * (long)f->elem);
}

static void test_far_index(void **state)
{
	static const struct far fars[] = {
		{6, 56, 6},	   {6, 56, 255},    {2, 112, 8},
		{2, 112, 252},	   {8, 560, 8},	    {8, 560, 1023},
		{8, 560, -1023},   {8, 560, -8},    {1, 560, 1023},
		{1024, 560, 1024}, {1024, 560, -1}, {300, 560, 1023},
	};
	struct outcome out;
	char cause[128];
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(fars) / sizeof(fars[0]); i++) {
		const struct far *f = &fars[i];

		/* In the object's own first page: only red zone or shadow. */
		if (f->index < 0 && -f->index * (long)f->elem < 4096 &&
		    f->n * f->elem % 4096)
			continue;
		in_child(do_far, (void *)f, &out);
		snprintf(cause, sizeof(cause),
			 "worker_groups[%ld] of %lu, allocated in "
			 "alloc_thread_groups()",
			 f->index, f->n);
		expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read", cause);
	}
}

static void do_inside_element(void *arg)
{
	(void)arg;
	alloc_groups(2, 112);
	subject_read(groups, -4999); /* -45 * 112 = -5040 */
}

static void do_named(void *arg)
{
	(void)arg;
	conf = alloc(800);
	subject_write((void *)conf, 808, 1);
}

static void do_tagged(void *arg)
{
	(void)arg;
	subject_read(alloc_stripe(), 1700);
}

static void do_unknown_site(void *arg)
{
	(void)arg;
	subject_read(host_obj_alloc(8, 8, MEM_KMALLOC, NULL, site(IN_UNKNOWN)),
		     8);
}

static void test_words(void **state)
{
	struct outcome out;

	(void)state;
	in_child(do_inside_element, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read",
		   "worker_groups[-45] of 2, allocated in "
		   "alloc_thread_groups()");
	in_child(do_named, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_write",
		   "byte 808 of r5conf of 800, allocated in setup_conf()");
	in_child(do_tagged, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read",
		   "byte 1700 of an object of 1696 of cache raid5-md0, "
		   "allocated in grow_one_stripe()");
	in_child(do_unknown_site, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read",
		   "byte 8 of an object of 8, allocated in an unknown "
		   "function");
}

static void do_naming_faults(void *arg)
{
	(void)arg;
	alloc_groups(2, 112);
	naming_faults = 1;
	subject_read(groups, 224);
}

static void test_naming_that_faults(void **state)
{
	struct outcome out;

	(void)state;
	in_child(do_naming_faults, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read",
		   "byte 224 of an object of 224, allocated in "
		   "alloc_thread_groups()");
}

/* ------------------------------------------------------------------ */
/* Freed							      */

static void do_after_free(void *arg)
{
	const struct deed *d = arg;
	void *obj = alloc(d->size);

	release(obj);
	access_at(obj, d);
}

static void do_after_free_named(void *arg)
{
	(void)arg;
	alloc_groups(2, 112);
	release((void *)groups);
	subject_read(groups, 112);
}

static void do_fill_after_free(void *arg)
{
	void *obj = alloc(500);

	(void)arg;
	release(obj);
	subject_fill(obj, 500);
}

static void test_use_after_free(void **state)
{
	struct deed d = {.size = 500};
	struct outcome out;

	(void)state;
	in_child(do_after_free, &d, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "subject_read",
		   "byte 0 of an object of 500, allocated in setup_conf(), "
		   "freed in free_conf()");
	d.write = 1;
	d.offset = 499;
	in_child(do_after_free, &d, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "subject_write",
		   "byte 499 of an object of 500, allocated in setup_conf(), "
		   "freed in free_conf()");
	in_child(do_after_free_named, NULL, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "subject_read",
		   "worker_groups[1] of 2, allocated in "
		   "alloc_thread_groups(), freed in free_conf()");
	in_child(do_fill_after_free, NULL, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "subject_fill",
		   "byte 0 of an object of 500, allocated in setup_conf(), "
		   "freed in free_conf()");
}

static void do_double_free(void *arg)
{
	void *obj;

	if (arg)
		host_mem_policy(MEM_POISON);
	obj = alloc_stripe();
	free_stripe(obj);
	free_stripe(obj);
}

static void do_free_middle(void *arg)
{
	(void)arg;
	release((char *)alloc(96) + 8);
}

static void do_free_kind(void *arg)
{
	(void)arg;
	release(alloc_stripe());
}

static void do_free_wild(void *arg)
{
	release(arg);
}

static void do_size_of_freed(void *arg)
{
	void *obj = alloc(96);

	(void)arg;
	child_note = host_obj_size(obj);
	release(obj);
	host_obj_size(obj);
}

static void test_bad_free(void **state)
{
	static const char twice[] =
		"second free: object of 1696 bytes of cache raid5-md0, "
		"allocated in grow_one_stripe(), freed in drop_one_stripe()";
	struct outcome out;
	int local;

	(void)state;
	in_child(do_double_free, NULL, &out);
	expect_one(&out, FINDING_DOUBLE_FREE, "drop_one_stripe", twice);
	in_child(do_double_free, &local, &out);
	expect_one(&out, FINDING_DOUBLE_FREE, "drop_one_stripe", twice);
	in_child(do_free_middle, NULL, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "free_conf",
		   "free of a pointer that is no object's start: byte 8 of an "
		   "object of 96, allocated in setup_conf()");
	in_child(do_free_kind, NULL, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "free_conf",
		   "free of a kmem_cache object as kmalloc: object of 1696 "
		   "bytes of cache raid5-md0, allocated in "
		   "grow_one_stripe()");
	in_child(do_free_wild, &local, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "free_conf",
		   "free of an address outside every object");
	in_child(do_size_of_freed, NULL, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "",
		   "second size: object of 96 bytes, allocated in "
		   "setup_conf(), freed in free_conf()");
	assert_int_equal(out.note, 96);
}

/* ------------------------------------------------------------------ */
/* The fast policy						      */

/* Behind the sanitizer's back, as code that is not instrumented would. */
__attribute__((no_sanitize("address"), noinline)) static void
write_unseen(void *obj, long offset)
{
	((volatile unsigned char *)obj)[offset] = 1;
}

static void do_late_write(void *arg)
{
	const unsigned int *then_allocs = arg;
	void *obj;
	unsigned int i;

	host_mem_policy(MEM_POISON);
	obj = alloc_stripe();
	free_stripe(obj);
	write_unseen(obj, 40);
	for (i = 0; i < *then_allocs; i++)
		free_stripe(alloc_stripe());
}

static void report_leaks(void)
{
	child_note = host_obj_report_leaks();
}

static void test_poison_write_after_free(void **state)
{
	static const char cause[] =
		"write after free: byte 40 of an object of 1696 of cache "
		"raid5-md0, allocated in grow_one_stripe(), freed in "
		"drop_one_stripe()";
	unsigned int allocs = 1000;
	struct outcome out;

	(void)state;
	/* When the slot is taken again ... */
	in_child(do_late_write, &allocs, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "drop_one_stripe", cause);
	/* ... or, if it never is, with the leaks. */
	allocs = 1;
	in_child(do_late_write, &allocs, &out);
	expect_clean(&out);
	child_after = report_leaks;
	in_child(do_late_write, &allocs, &out);
	child_after = NULL;
	assert_int_equal(out.ended, 0);
	assert_int_equal(out.count, 1);
	assert_int_equal(out.note, 0);
	assert_string_equal(out.f[0].cause, cause);
	assert_string_equal(out.f[0].where.function, "drop_one_stripe");
}

__attribute__((no_sanitize("address"), noinline)) static unsigned int
all_are(const unsigned char *p, unsigned int byte, unsigned long len)
{
	unsigned long i;

	for (i = 0; i < len; i++)
		if (p[i] != byte)
			return 0;
	return 1;
}

static void do_fills(void *arg)
{
	unsigned int fill = arg ? 0x6b : 0xa5, i;

	if (arg)
		host_mem_policy(MEM_POISON);
	child_note = 1;
	for (i = 0; i < 5000; i++) {
		unsigned long size = i % 3 ? 1696 : 40 + i % 2000;
		unsigned char *p = alloc(size);

		child_note &= all_are(p, fill, size);
		memset(p, 0, size);
		release(p);
		if (arg)
			child_note &= all_are(p, 0x6b, size);
	}
}

/* Nobody sees what a previous owner left. */
static void test_fresh_contents(void **state)
{
	struct outcome out;
	int poison;

	(void)state;
	in_child(do_fills, NULL, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 1);
	in_child(do_fills, &poison, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 1);
}

static void do_late_policy(void *arg)
{
	(void)arg;
	alloc(1);
	host_mem_policy(MEM_POISON);
}

static void test_policy_is_final(void **state)
{
	struct outcome out;

	(void)state;
	in_child(do_late_policy, NULL, &out);
	expect_panic(&out, "policy cannot change");
}

/* ------------------------------------------------------------------ */
/* Order of addresses						      */

static unsigned long long mix(unsigned long long hash, const void *p)
{
	return (hash ^ (unsigned long)p) * 0x100000001b3ULL;
}

/* Where slots are taken again: a fixed number of frees later, oldest first. */
static void do_recycle(void *arg)
{
	static void *freed[3000];
	unsigned long long hash = 1;
	unsigned int i, next = 0;
	void *obj;

	if (arg)
		host_mem_policy(MEM_POISON);
	child_note = 0;
	for (i = 0; i < 3000; i++) {
		obj = alloc_stripe();
		hash = mix(hash, obj);
		if (i && obj == freed[next])
			next++;
		else if (next)
			return;
		freed[i] = obj;
		free_stripe(obj);
	}
	child_note = hash;
	/* The line is long, and it is used. */
	if (next < 1000)
		child_note = 0;
}

static void test_recycling(void **state)
{
	struct outcome a, b;
	int poison;

	(void)state;
	in_child(do_recycle, NULL, &a);
	expect_clean(&a);
	free(malloc(12345));
	in_child(do_recycle, NULL, &b);
	assert_int_not_equal(a.note, 0);
	assert_int_equal(a.note, b.note);
	in_child(do_recycle, &poison, &a);
	in_child(do_recycle, &poison, &b);
	assert_int_not_equal(a.note, 0);
	assert_int_equal(a.note, b.note);
}

static void do_quarantine(void *arg)
{
	void *first = alloc(64), *obj;
	unsigned int i;

	(void)arg;
	release(first);
	for (i = 0; i < 1024; i++) {
		obj = alloc(64);
		if (obj == first)
			return;
		release(obj);
	}
	child_note = alloc(64) == first;
}

static void test_quarantine_length(void **state)
{
	struct outcome out;

	(void)state;
	in_child(do_quarantine, NULL, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 1);
}

/* ------------------------------------------------------------------ */
/* Right use							      */

#define LIVE_MAX 400

struct mine {
	unsigned char *p;
	unsigned long size;
	unsigned char fill;
	enum mem_kind kind;
};

static unsigned int random_next(void)
{
	static unsigned long long x = 42;

	x = x * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(x >> 33);
}

static void mine_alloc(struct mine *m)
{
	static const unsigned int limits[] = {64, 600, 4097, 20000, 300000};
	unsigned long align = 1UL << random_next() % 17;

	m->size = random_next() % limits[random_next() % 5];
	m->fill = (unsigned char)random_next();
	m->kind = (enum mem_kind)(random_next() % MEM_KINDS);
	m->p = host_obj_alloc(m->size, align, m->kind, NULL,
			      site(IN_SETUP_CONF));
	if ((unsigned long)m->p % align)
		child_note++;
	memset(m->p, m->fill, m->size);
}

static void mine_free(struct mine *m)
{
	if (!all_are(m->p, m->fill, m->size) || host_obj_size(m->p) != m->size)
		child_note++;
	host_obj_free(m->p, m->kind, site(IN_FREE_CONF));
	m->p = NULL;
}

static void do_random(void *arg)
{
	static struct mine mine[LIVE_MAX];
	struct mem_stats stats;
	unsigned int i, k;

	if (arg)
		host_mem_policy(MEM_POISON);
	for (i = 0; i < 10000; i++) {
		k = random_next() % LIVE_MAX;
		if (mine[k].p)
			mine_free(&mine[k]);
		else
			mine_alloc(&mine[k]);
	}
	for (k = 0; k < LIVE_MAX; k++)
		if (mine[k].p)
			mine_free(&mine[k]);
	child_note += host_obj_report_leaks();
	host_mem_stats(&stats);
	child_note += stats.live_bytes;
}

static void test_random_right_use(void **state)
{
	struct outcome out;
	int poison;

	(void)state;
	in_child(do_random, NULL, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 0);
	in_child(do_random, &poison, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 0);
}

/* ------------------------------------------------------------------ */
/* More objects than mappings					      */

/* Singles end at 48000; half of the rest, freed, is more than 14000 / 2. */
#define CROWD 64000

static unsigned char **crowd_alloc(void)
{
	unsigned char **p = calloc(CROWD, sizeof(*p));
	unsigned int i;

	if (!p)
		host_panic("no memory for the test");
	for (i = 0; i < CROWD; i++) {
		p[i] = alloc(64);
		memset(p[i], (int)i, 64);
	}
	return p;
}

/* All alive at once, then every other freed, which splits the groups'
 * mappings more often than is allowed; then all again. */
static void do_crowd(void *arg)
{
	unsigned char **p = crowd_alloc();
	unsigned int i;

	(void)arg;
	for (i = 0; i < CROWD; i++)
		child_note += !all_are(p[i], i & 0xff, 64);
	for (i = 0; i < CROWD; i += 2)
		release(p[i]);
	for (i = 0; i < CROWD; i += 2) {
		p[i] = alloc(64);
		memset(p[i], (int)i, 64);
	}
	for (i = 0; i < CROWD; i++) {
		child_note += !all_are(p[i], i & 0xff, 64);
		release(p[i]);
	}
	child_note += host_obj_report_leaks();
	free(p);
}

static void do_crowd_use_after_free(void *arg)
{
	unsigned char **p = crowd_alloc();

	(void)arg;
	release(p[CROWD - 5]);
	/* Side by side: members of a group. */
	child_note = p[CROWD - 4] - p[CROWD - 5] == 4096 &&
		     all_are(p[CROWD - 6], (CROWD - 6) & 0xff, 64) &&
		     all_are(p[CROWD - 4], (CROWD - 4) & 0xff, 64);
	subject_read(p[CROWD - 5], 7);
}

static void do_crowd_far(void *arg)
{
	unsigned char **p = crowd_alloc();

	(void)arg;
	/* 64000 - 48000 is 500 whole groups: the last object ends one. */
	subject_read(p[CROWD - 1], 1000000);
}

/* The last freed ones are not sealed any more, but checked. */
static void do_crowd_late_write(void *arg)
{
	unsigned char **p = crowd_alloc();
	unsigned int i;

	(void)arg;
	for (i = 0; i < CROWD; i += 2)
		release(p[i]);
	write_unseen(p[CROWD - 2], 9);
	for (i = 0; i < CROWD; i += 2)
		alloc(64);
}

static void do_crowd_double_free(void *arg)
{
	unsigned char **p = crowd_alloc();

	(void)arg;
	release(p[CROWD - 9]);
	release(p[CROWD - 9]);
}

static void test_crowd(void **state)
{
	struct outcome out;

	(void)state;
	if (sizeof(void *) < 8)
		skip();
	in_child(do_crowd, NULL, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 0);
	in_child(do_crowd_use_after_free, NULL, &out);
	expect_one(&out, FINDING_USE_AFTER_FREE, "subject_read",
		   "byte 7 of an object of 64, allocated in setup_conf(), "
		   "freed in free_conf()");
	assert_int_equal(out.note, 1);
	in_child(do_crowd_far, NULL, &out);
	expect_one(&out, FINDING_OUT_OF_BOUNDS, "subject_read",
		   "byte 1000000 of an object of 64, allocated in "
		   "setup_conf()");
	in_child(do_crowd_late_write, NULL, &out);
	assert_int_equal(out.ended, 0);
	assert_int_equal(out.count, 0);
	child_after = report_leaks;
	in_child(do_crowd_late_write, NULL, &out);
	child_after = NULL;
	assert_int_equal(out.f[0].kind, FINDING_USE_AFTER_FREE);
	assert_string_equal(out.f[0].cause,
			    "write after free: byte 9 of an object of 64, "
			    "allocated in setup_conf(), freed in "
			    "free_conf()");
	in_child(do_crowd_double_free, NULL, &out);
	expect_one(&out, FINDING_DOUBLE_FREE, "free_conf",
		   "second free: object of 64 bytes, allocated in "
		   "setup_conf(), freed in free_conf()");
}

/* ------------------------------------------------------------------ */
/* Leaks and accounting						      */

static void do_leak(void *arg)
{
	(void)arg;
	release(alloc(10));
	/* First, though of the class that is looked at last. */
	host_obj_alloc(1UL << 20, 8, MEM_CACHE, "big",
		       site(IN_DROP_ONE_STRIPE));
	alloc_stripe();
	alloc(100);
	host_obj_alloc(1, 1, MEM_SHIM, NULL, site(IN_FREE_CONF));
	alloc_stripe();
	host_obj_alloc(40, 8, MEM_PER_CPU, NULL, site(IN_SETUP_CONF_AGAIN));
	host_obj_alloc(3, 1, MEM_KMALLOC, NULL, site(IN_UNKNOWN));
	host_obj_alloc(7, 1, MEM_CACHE, "bio-0", site(IN_GROW_ONE_STRIPE));
	alloc(200000);
}

static void test_leaks(void **state)
{
	struct outcome out;
	unsigned int i;

	(void)state;
	child_after = report_leaks;
	in_child(do_leak, NULL, &out);
	child_after = NULL;
	assert_int_equal(out.ended, 0);
	assert_int_equal(out.note, 8);
	assert_int_equal(out.count, 5);
	for (i = 0; i < 5; i++)
		assert_int_equal(out.f[i].kind, FINDING_LEAK);
	assert_string_equal(out.f[0].cause,
			    "1 object of cache big, 1048576 bytes, allocated "
			    "in drop_one_stripe()");
	assert_string_equal(out.f[1].cause,
			    "2 objects of cache raid5-md0, 3392 bytes, "
			    "allocated in grow_one_stripe()");
	assert_string_equal(out.f[1].where.function, "grow_one_stripe");
	assert_string_equal(out.f[2].cause, "3 objects, 200140 bytes, "
					    "allocated in setup_conf()");
	assert_int_equal(out.f[2].where.line, 100);
	assert_string_equal(out.f[3].cause, "1 object, 3 bytes, allocated in "
					    "an unknown function");
	assert_string_equal(out.f[3].where.function, "");
	assert_string_equal(out.f[4].cause,
			    "1 object of cache bio-0, 7 bytes, allocated in "
			    "grow_one_stripe()");
}

static void test_stats(void **state)
{
	struct mem_stats s;
	void *a, *b, *shim, *percpu;

	(void)state;
	a = alloc(1000);
	b = alloc_stripe();
	shim = host_obj_alloc(1 << 20, 8, MEM_SHIM, NULL, site(IN_UNKNOWN));
	percpu = host_obj_alloc(8000, 8, MEM_PER_CPU, NULL, site(IN_SETUP_CONF));
	host_mem_stats(&s);
	assert_int_equal(s.live_bytes, 10696);
	assert_int_equal(s.peak_bytes, 10696);
	assert_int_equal(s.total_allocs, 3);
	assert_int_equal(s.largest, 1696);
	assert_ptr_equal(s.largest_caller, site(IN_GROW_ONE_STRIPE));
	free_stripe(b);
	host_mem_account(8192, 4096, site(IN_FREE_CONF));
	host_mem_stats(&s);
	assert_int_equal(s.live_bytes, 17192);
	assert_int_equal(s.peak_bytes, 17192);
	assert_int_equal(s.largest, 4096);
	assert_ptr_equal(s.largest_caller, site(IN_FREE_CONF));
	host_mem_account(-8192, 4096, site(IN_FREE_CONF));
	host_mem_reset_largest();
	host_mem_stats(&s);
	assert_int_equal(s.live_bytes, 9000);
	assert_int_equal(s.peak_bytes, 9000);
	assert_int_equal(s.largest, 0);
	assert_int_equal(s.total_allocs, 4);
	release(a);
	host_obj_free(shim, MEM_SHIM, NULL);
	host_obj_free(percpu, MEM_PER_CPU, NULL);
	host_mem_stats(&s);
	assert_int_equal(s.live_bytes, 0);
}

static void test_find(void **state)
{
	unsigned char *p = alloc_stripe();
	struct obj_info info;

	(void)state;
	assert_int_equal(host_obj_find(p + 5000, &info), 1);
	assert_int_equal(info.state, OBJ_LIVE);
	assert_ptr_equal(info.base, p);
	assert_int_equal(info.size, 1696);
	assert_int_equal(info.offset, 5000);
	assert_int_equal(info.kind, MEM_CACHE);
	assert_string_equal(info.tag, "raid5-md0");
	assert_ptr_equal(info.alloc_caller, site(IN_GROW_ONE_STRIPE));
	assert_null(info.free_caller);
	assert_int_equal(host_obj_find(p - HOST_OBJ_GUARD, &info), 1);
	assert_ptr_equal(info.base, p);
	assert_true(info.offset == -(long long)HOST_OBJ_GUARD);
	free_stripe(p);
	assert_int_equal(host_obj_find(p + 1, &info), 1);
	assert_int_equal(info.state, OBJ_FREED);
	assert_ptr_equal(info.free_caller, site(IN_DROP_ONE_STRIPE));
	assert_int_equal(host_obj_find(&info, &info), 0);
	assert_int_equal(host_obj_find(NULL, &info), 0);
}

/* ------------------------------------------------------------------ */
/* Regions							      */

static void do_region(void *arg)
{
	unsigned char *p = host_region(1ULL << 40), *q = host_region(10000);
	int untouched;

	(void)arg;
	subject_write(p, 1L << 39, 7);
	subject_write(p, (1L << 39) + 100, 7);
	subject_write(p, (1L << 39) + 5000, 7);
	subject_write(p, (1L << 39) + 9000, 7);
	subject_write(p, (1L << 39) + 9001, 7);
	subject_write(q, 0, 1);
	subject_write(q, 9999, 1);
	/* From amid a page to amid another one. */
	host_region_forget(p + (1L << 39) + 1, 9000);
	host_region_forget(q + 1, 3);
	untouched = !subject_read(p, 0) && !subject_read(p, (1L << 40) - 1);
	child_note = untouched && subject_read(p, 1L << 39) == 7 &&
		     !subject_read(p, (1L << 39) + 100) &&
		     !subject_read(p, (1L << 39) + 5000) &&
		     !subject_read(p, (1L << 39) + 9000) &&
		     subject_read(p, (1L << 39) + 9001) == 7 &&
		     subject_read(q, 0) == 1 && subject_read(q, 9999) == 1;
	child_note &= (unsigned long)p == 0x400000000000UL &&
		      (unsigned long)q % (1UL << 32) == 0 &&
		      q - (p + (1L << 40)) >= 1L << 32;
	host_region_forget(q, 10000);
	child_note &= !subject_read(q, 0) && !subject_read(q, 9999);
	if (child_note)
		subject_read(p, (1L << 40) + 4096);
}

static void do_region_too_large(void *arg)
{
	(void)arg;
	host_region(1ULL << 50);
}

static void test_region(void **state)
{
	struct outcome out;

	(void)state;
	if (sizeof(void *) < 8)
		skip();
	in_child(do_region, NULL, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "subject_read",
		   "an address outside every object");
	assert_int_equal(out.note, 1);
	in_child(do_region_too_large, NULL, &out);
	expect_panic(&out, "does not fit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off_by_one_faults),
		cmocka_unit_test(test_red_zones),
		cmocka_unit_test(test_far_index),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_naming_that_faults),
		cmocka_unit_test(test_use_after_free),
		cmocka_unit_test(test_bad_free),
		cmocka_unit_test(test_poison_write_after_free),
		cmocka_unit_test(test_fresh_contents),
		cmocka_unit_test(test_policy_is_final),
		cmocka_unit_test(test_recycling),
		cmocka_unit_test(test_quarantine_length),
		cmocka_unit_test(test_random_right_use),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_leaks),
		cmocka_unit_test(test_region),
		/* In this process: no child runs after them. */
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
