/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patterns and the model of an array's contents: what must be accepted is,
 * and whatever a faulty array could return instead is refused and named.
 * Knows sim/pattern.h and sim/model.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "pattern.h"

#define SECTOR_WORDS (KERN_SECTOR / 8)

static struct model *m;
static unsigned long long data[SECTOR_WORDS];
static char why[MODEL_WHY];

/* ------------------------------------------------------------------ */
/* Patterns							      */

static void expect_seen(unsigned long long sector, const char *text)
{
	struct pattern_seen seen;
	char buf[PATTERN_TEXT];

	pattern_read(data, &seen);
	assert_string_equal(pattern_text(&seen, sector, buf), text);
}

static void test_pattern_is_named(void **unused)
{
	(void)unused;
	pattern_fill(data, 1226, 7);
	expect_seen(1226, "write 7");
	expect_seen(1227, "write 7 of sector 1226");
	assert_true(pattern_is(data, 1226, 7));
	assert_false(pattern_is(data, 1226, 8));
	assert_false(pattern_is(data, 1227, 7));
	assert_false(pattern_is(data, 1226, 0));
	pattern_fill(data, (1ULL << 40) - 1, PATTERN_IDS - 1);
	expect_seen((1ULL << 40) - 1, "write 16777215");
	pattern_fill(data, 5, 0);
	expect_seen(5, "zeros");
	assert_true(pattern_is(data, 77, 0));
}

static void test_pattern_torn(void **unused)
{
	unsigned long long other[SECTOR_WORDS];

	(void)unused;
	pattern_fill(data, 10, 3);
	pattern_fill(other, 10, 4);
	memcpy(data + 32, other + 32, 256);
	expect_seen(10, "write 3, from byte 256 write 4");
	pattern_fill(data, 10, 3);
	memset(data + 1, 0, KERN_SECTOR - 8);
	expect_seen(10, "write 3, from byte 8 zeros");
}

/* One bit, and the sums that a wrong parity or recovery leaves behind. */
static void test_pattern_damage(void **unused)
{
	unsigned long long other[SECTOR_WORDS];

	(void)unused;
	for (unsigned int bit = 0; bit < KERN_SECTOR * 8; bit += 37) {
		pattern_fill(data, 10, 3);
		data[bit / 64] ^= 1ULL << bit % 64;
		assert_false(pattern_is(data, 10, 3));
	}
	pattern_fill(data, 10, 3);
	for (unsigned int i = 0; i < 2; i++) {
		pattern_fill(other, 11 + i, 3);
		for (unsigned int k = 0; k < SECTOR_WORDS; k++)
			data[k] ^= other[k];
		expect_seen(10, "what no write wrote");
	}
}

/* ------------------------------------------------------------------ */
/* The model							      */

static struct model_io request(enum kern_io_op op, unsigned int flags)
{
	return (struct model_io){
		.op = op, .flags = flags, .sector = 100, .sectors = 1};
}

static struct model_io begin(enum kern_io_op op, unsigned int flags,
			     struct model_io *io)
{
	*io = request(op, flags);
	model_begin(m, io);
	return *io;
}

/* A request from begin to end; returns the write's id. */
static unsigned int whole(enum kern_io_op op, unsigned int flags, int result)
{
	struct model_io io;

	begin(op, flags, &io);
	model_end(m, &io, result);
	return io.id;
}

static unsigned int write_one(void)
{
	return whole(KERN_WRITE, 0, 0);
}

/* Would a read that began when @io did be right to see @id? */
static bool may_see(struct model_io *io, unsigned int id)
{
	pattern_fill(data, 100, id);
	return model_check(m, io, data, why);
}

/* A read of just now. */
static bool sees(unsigned int id)
{
	pattern_fill(data, 100, id);
	return model_check_sector(m, 100, data, why);
}

static void expect_refused(unsigned int id, const char *text)
{
	assert_false(sees(id));
	assert_string_equal(why, text);
}

static void test_never_written(void **unused)
{
	(void)unused;
	assert_true(sees(0));
	expect_refused(1, "sector 100 holds write 1, expected zeros");
	/* Also beside one that was. */
	write_one();
	assert_true(
		model_check_sector(m, 101, memset(data, 0, KERN_SECTOR), why));
}

static void test_last_write_counts(void **unused)
{
	(void)unused;
	assert_int_equal(write_one(), 1);
	assert_int_equal(write_one(), 2);
	expect_refused(1, "sector 100 holds write 1, expected write 2");
	expect_refused(0, "sector 100 holds zeros, expected write 2");
	assert_true(sees(2));
	pattern_fill(data, 101, 2);
	assert_false(model_check_sector(m, 100, data, why));
	assert_string_equal(why, "sector 100 holds write 2 of sector 101, "
				 "expected write 2");
}

static void test_in_flight_is_either(void **unused)
{
	struct model_io w, r;

	(void)unused;
	write_one();
	begin(KERN_WRITE, 0, &w);
	begin(KERN_READ, 0, &r);
	assert_true(may_see(&r, 1));
	assert_true(may_see(&r, 2));
	/* Seeing the new one settles nothing while it is under way. */
	assert_true(may_see(&r, 1));
	assert_false(may_see(&r, 0));
	assert_string_equal(why,
			    "sector 100 holds zeros, expected write 2 or 1");
	model_end(m, &w, 0);
	/* The read began before the end, so it may still have seen 1. */
	assert_true(may_see(&r, 1));
	model_end(m, &r, 0);
	expect_refused(1, "sector 100 holds write 1, expected write 2");
}

static void test_concurrent_writes(void **unused)
{
	struct model_io a, b;

	(void)unused;
	write_one();
	begin(KERN_WRITE, 0, &a);
	begin(KERN_WRITE, 0, &b);
	model_end(m, &b, 0);
	model_end(m, &a, 0);
	expect_refused(1, "sector 100 holds write 1, expected write 3 or 2");
	/* Either may have come last; once seen, it stays. */
	assert_true(sees(2));
	expect_refused(3, "sector 100 holds write 3, expected write 2");
	assert_true(sees(2));
}

/* A write overtakes only what had ended before it began. */
static void test_overlap_chain(void **unused)
{
	struct model_io a, b;

	(void)unused;
	begin(KERN_WRITE, 0, &a);
	begin(KERN_WRITE, 0, &b);
	model_end(m, &a, 0);
	assert_int_equal(write_one(), 3);
	assert_false(sees(1));
	assert_true(sees(2));
	model_end(m, &b, 0);
	assert_true(sees(3));
}

static void test_failed_write_leaves_both(void **unused)
{
	(void)unused;
	write_one();
	whole(KERN_WRITE, 0, -5);
	assert_true(sees(1));
	expect_refused(2, "sector 100 holds write 2, expected write 1");
	whole(KERN_WRITE, 0, -5);
	assert_true(sees(3));
	assert_false(sees(1));
	write_one();
	assert_false(sees(3));
	assert_true(sees(4));
}

static void test_discard_may_do_nothing(void **unused)
{
	(void)unused;
	write_one();
	whole(KERN_DISCARD, 0, 0);
	assert_true(sees(1));
	expect_refused(0, "sector 100 holds zeros, expected write 1");
	whole(KERN_DISCARD, 0, 0);
	assert_true(sees(0));
	assert_false(sees(1));
	write_one();
	assert_int_equal(whole(KERN_WRITE_ZEROES, 0, 0), 0);
	assert_false(sees(2));
	assert_true(sees(0));
}

/* What a read saw can not be undone, unless something is under way. */
static void test_read_narrows(void **unused)
{
	struct model_io r, w;

	(void)unused;
	whole(KERN_WRITE, 0, -5);
	begin(KERN_READ, 0, &r);
	begin(KERN_WRITE, 0, &w);
	model_end(m, &w, -5);
	assert_true(may_see(&r, 2));
	model_end(m, &r, 0);
	/* A write ended during that read: still any of the three. */
	assert_true(model_may_be(m, 100, 0));
	assert_true(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
	assert_true(sees(1));
	assert_false(model_may_be(m, 100, 0));
	assert_false(model_may_be(m, 100, 2));
}

static void test_sectors_of_one_request(void **unused)
{
	struct model_io w = {.op = KERN_WRITE, .sector = 60, .sectors = 10};
	struct model_io r = {.op = KERN_READ, .sector = 60, .sectors = 10};
	static unsigned long long many[10][SECTOR_WORDS];

	(void)unused;
	model_begin(m, &w);
	model_end(m, &w, 0);
	model_begin(m, &r);
	for (unsigned int i = 0; i < 10; i++)
		pattern_fill(many[i], 60 + i, 1);
	assert_true(model_check(m, &r, many, why));
	pattern_fill(many[7], 66, 1);
	assert_false(model_check(m, &r, many, why));
	assert_string_equal(why, "sector 67 holds write 1 of sector 66, "
				 "expected write 1");
	model_end(m, &r, 0);
}

/* ------------------------------------------------------------------ */
/* Power cuts							      */

static void cut(void)
{
	model_power_cut(m);
	model_power_on(m);
}

static void test_cut_without_flush(void **unused)
{
	(void)unused;
	write_one();
	write_one();
	cut();
	assert_true(model_may_be(m, 100, 0));
	assert_true(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
	assert_false(model_may_be(m, 100, 3));
	/* What is seen after it counts. */
	assert_true(sees(1));
	expect_refused(2, "sector 100 holds write 2, expected write 1");
	assert_int_equal(write_one(), 3);
	assert_true(sees(3));
}

static void test_cut_after_flush(void **unused)
{
	(void)unused;
	write_one();
	write_one();
	whole(KERN_FLUSH, 0, 0);
	write_one();
	cut();
	assert_false(model_may_be(m, 100, 0));
	assert_false(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
	assert_true(model_may_be(m, 100, 3));
}

/* Only what had ended before the flush began is covered. */
static void test_flush_beside_write(void **unused)
{
	struct model_io w, f;

	(void)unused;
	write_one();
	begin(KERN_WRITE, 0, &w);
	begin(KERN_FLUSH, 0, &f);
	model_end(m, &w, 0);
	model_end(m, &f, 0);
	cut();
	assert_false(model_may_be(m, 100, 0));
	assert_true(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
}

static void test_failed_flush_covers_nothing(void **unused)
{
	(void)unused;
	write_one();
	whole(KERN_FLUSH, 0, -5);
	cut();
	assert_true(model_may_be(m, 100, 0));
}

static void test_fua(void **unused)
{
	(void)unused;
	write_one();
	write_one();
	whole(KERN_WRITE, KERN_IO_FUA, 0);
	write_one();
	cut();
	assert_false(model_may_be(m, 100, 0));
	assert_false(model_may_be(m, 100, 1));
	assert_false(model_may_be(m, 100, 2));
	assert_true(model_may_be(m, 100, 3));
	assert_true(model_may_be(m, 100, 4));
}

static void test_fua_is_not_durable_before_its_end(void **unused)
{
	struct model_io w;

	(void)unused;
	write_one();
	begin(KERN_WRITE, KERN_IO_FUA, &w);
	model_power_cut(m);
	model_end(m, &w, 0);
	model_power_on(m);
	assert_true(model_may_be(m, 100, 0));
	assert_true(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
}

static void test_preflush(void **unused)
{
	struct model_io w = {.op = KERN_WRITE,
			     .flags = KERN_IO_PREFLUSH,
			     .sector = 500,
			     .sectors = 1};

	(void)unused;
	write_one();
	model_begin(m, &w);
	model_end(m, &w, 0);
	cut();
	assert_false(model_may_be(m, 100, 0));
	assert_true(model_may_be(m, 500, 0));
	assert_true(model_may_be(m, 500, 2));
}

/* What came between the cut and the halt never was. */
static void test_after_the_cut(void **unused)
{
	struct model_io w;

	(void)unused;
	write_one();
	whole(KERN_FLUSH, 0, 0);
	begin(KERN_WRITE, 0, &w);
	model_power_cut(m);
	write_one();
	whole(KERN_FLUSH, 0, 0);
	assert_true(sees(3));
	model_power_on(m);
	/* This one outlived its machine. */
	model_end(m, &w, 0);
	assert_true(model_may_be(m, 100, 1));
	assert_true(model_may_be(m, 100, 2));
	assert_false(model_may_be(m, 100, 3));
	assert_int_equal(model_under_way(m), 0);
}

/* ------------------------------------------------------------------ */

static void write_at(unsigned long long sector, unsigned int sectors)
{
	struct model_io w = {
		.op = KERN_WRITE, .sector = sector, .sectors = sectors};

	model_begin(m, &w);
	model_end(m, &w, 0);
}

static void test_written(void **unused)
{
	unsigned long long at = 0;
	unsigned int n = 0;

	(void)unused;
	assert_false(model_written(m, 0, &at, &n));
	write_at(1ULL << 41, 1);
	write_at(62, 5);
	write_at(10, 2);
	assert_true(model_written(m, 0, &at, &n));
	assert_int_equal(at, 10);
	assert_int_equal(n, 2);
	assert_true(model_written(m, 11, &at, &n));
	assert_int_equal(at, 11);
	assert_int_equal(n, 1);
	assert_true(model_written(m, 12, &at, &n));
	assert_int_equal(at, 62);
	assert_int_equal(n, 2);
	assert_true(model_written(m, 64, &at, &n));
	assert_int_equal(n, 3);
	assert_true(model_written(m, 67, &at, &n));
	assert_true(at == 1ULL << 41);
	assert_false(model_written(m, at + 1, &at, &n));
	/* One block more, found although the list was made before. */
	write_at(300, 1);
	assert_true(model_written(m, 67, &at, &n));
	assert_int_equal(at, 300);
}

/* Many blocks, many values: the table grows, and forgets what it can. */
static void test_many(void **unused)
{
	unsigned long long at = 0;
	unsigned int n = 0;
	unsigned long runs = 0;

	(void)unused;
	for (unsigned int i = 0; i < 3000; i++)
		write_at(64ULL * i * 7919, 1);
	while (model_written(m, at, &at, &n)) {
		assert_int_equal(at % (64 * 7919), 0);
		at += n;
		runs++;
	}
	assert_int_equal(runs, 3000);
	for (unsigned int i = 0; i < 1000; i++) {
		write_at(64 * 7919, 1);
		if (i % 10 == 9)
			whole(KERN_FLUSH, 0, 0);
	}
	pattern_fill(data, 64 * 7919, 4000);
	assert_true(model_check_sector(m, 64 * 7919, data, why));
	pattern_fill(data, 64 * 7919, 3999);
	assert_false(model_check_sector(m, 64 * 7919, data, why));
}

static int setup(void **unused)
{
	(void)unused;
	m = model_new();
	return 0;
}

static int teardown(void **unused)
{
	(void)unused;
	model_free(m);
	return 0;
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_pattern_is_named),
		T(test_pattern_torn),
		T(test_pattern_damage),
		T(test_never_written),
		T(test_last_write_counts),
		T(test_in_flight_is_either),
		T(test_concurrent_writes),
		T(test_overlap_chain),
		T(test_failed_write_leaves_both),
		T(test_discard_may_do_nothing),
		T(test_read_narrows),
		T(test_sectors_of_one_request),
		T(test_cut_without_flush),
		T(test_cut_after_flush),
		T(test_flush_beside_write),
		T(test_failed_flush_covers_nothing),
		T(test_fua),
		T(test_fua_is_not_durable_before_its_end),
		T(test_preflush),
		T(test_after_the_cut),
		T(test_written),
		T(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
