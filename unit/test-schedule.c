/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Schedules as text: every form is read as what it says, printed so that it
 * is read as the same again, and everything else is refused. Knows
 * sim/schedule.h.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schedule.h"

static struct schedule s;
static const char *why;

static void parse(const char *text)
{
	schedule_free(&s);
	if (schedule_parse(text, 0, &s, &why))
		fail_msg("'%s' is refused: %s", text, why);
}

/* Printed as @canonical, and that is read as the same and printed alike. */
static void expect_text(const char *text, const char *canonical)
{
	char *once;
	char *twice;

	parse(text);
	once = schedule_text(&s);
	assert_string_equal(once, canonical);
	parse(once);
	twice = schedule_text(&s);
	assert_string_equal(twice, canonical);
	free(once);
	free(twice);
}

static void test_round_trips(void **unused)
{
	(void)unused;
	expect_text("in-order", "in-order");
	expect_text("in-order@none", "in-order");
	expect_text("in-order@locks", "in-order@locks");
	expect_text("in-order@atomics", "in-order@atomics");
	expect_text("random:7", "random:7:16");
	expect_text("random:18446744073709551615:1@locks",
		    "random:18446744073709551615:1@locks");
	expect_text("pct:3:4", "pct:3:4:10000");
	expect_text("pct:3:1:77@atomics", "pct:3:1:77@atomics");
	expect_text("list:", "list:");
	expect_text("list:0=1", "list:0=1");
	expect_text("list:5=1,6=3,1000000000000=2@locks",
		    "list:5=1,6=3,1000000000000=2@locks");
	expect_text("bytes:", "bytes:");
	expect_text("bytes:00fFA9@locks", "bytes:00ffa9@locks");
}

static void test_fields(void **unused)
{
	(void)unused;
	parse("random:9:3@locks");
	assert_int_equal(s.strategy, SCHED_RANDOM);
	assert_int_equal(s.seed, 9);
	assert_int_equal(s.rate, 3);
	assert_int_equal(s.points, POINT_LOCKS);
	parse("pct:11:5:200@atomics");
	assert_int_equal(s.strategy, SCHED_PCT);
	assert_int_equal(s.seed, 11);
	assert_int_equal(s.depth, 5);
	assert_int_equal(s.length, 200);
	assert_int_equal(s.points, POINT_LOCKS | POINT_ATOMICS);
	parse("list:4=1,9=2");
	assert_int_equal(s.strategy, SCHED_LIST);
	assert_int_equal(s.changes, 2);
	assert_int_equal(s.change[0].choice, 4);
	assert_int_equal(s.change[0].pick, 1);
	assert_int_equal(s.change[1].choice, 9);
	assert_int_equal(s.change[1].pick, 2);
	parse("bytes:10ff");
	assert_int_equal(s.strategy, SCHED_BYTES);
	assert_int_equal(s.byte_count, 2);
	assert_int_equal(s.bytes[0], 0x10);
	assert_int_equal(s.bytes[1], 0xff);
}

/* The default is for lines that say nothing of points, and for no other. */
static void test_default_points(void **unused)
{
	(void)unused;
	schedule_free(&s);
	assert_int_equal(schedule_parse("random:1", SCHEDULE_LOCKS, &s, &why),
			 0);
	assert_int_equal(s.points, SCHEDULE_LOCKS);
	schedule_free(&s);
	assert_int_equal(
		schedule_parse("random:1@none", SCHEDULE_LOCKS, &s, &why), 0);
	assert_int_equal(s.points, 0);
	assert_string_equal(schedule_points_name(POINT_ATOMICS), "atomics");
}

static void test_bad_lines(void **unused)
{
	static const char *const bad[] = {
		"",
		"inorder",
		"in-order:",
		"in-order:1",
		"in-order@",
		"in-order@lock",
		"@locks",
		"in-order@locks@locks",
		"random",
		"random:",
		"random:x",
		"random:-1",
		"random:0x10",
		"random: 1",
		"random:18446744073709551616",
		"random:1:",
		"random:1:0",
		"random:1:4294967296",
		"random:1:2:3",
		"pct:1",
		"pct:1:0",
		"pct:1:10001",
		"pct:1:2:0",
		"pct:1:2:3:4",
		"list",
		"list:,",
		"list:1",
		"list:1=",
		"list:1=0",
		"list:=1",
		"list:1=1,",
		"list:1=1,1=2",
		"list:2=1,1=1",
		"list:1=1=1",
		"bytes",
		"bytes:0",
		"bytes:0g",
		"bytes:0 1",
	};

	(void)unused;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct schedule refused;

		why = NULL;
		if (schedule_parse(bad[i], 0, &refused, &why) != -EINVAL)
			fail_msg("'%s' is accepted", bad[i]);
		assert_non_null(why);
		schedule_free(&refused);
	}
}

static void test_copy(void **unused)
{
	struct schedule copy;
	char *text;

	(void)unused;
	parse("list:4=1,9=2@locks");
	schedule_copy(&s, &copy);
	assert_ptr_not_equal(copy.change, s.change);
	parse("in-order");
	text = schedule_text(&copy);
	assert_string_equal(text, "list:4=1,9=2@locks");
	free(text);
	schedule_free(&copy);
}

static void expect_times(const char *text, unsigned int least,
			 unsigned int most)
{
	struct disk_times t = {1, 1};

	assert_int_equal(schedule_times_parse(text, &t), 0);
	assert_int_equal(t.least, least);
	assert_int_equal(t.most, most);
}

static void test_times(void **unused)
{
	static const char *const bad[] = {
		"",
		"5",
		"us",
		"5 us",
		"5us-",
		"-5us",
		"5us-4us",
		"1us-2us-3us",
		"5s",
		"5m",
		"1.5us",
		"-",
		"99999999999999999999999999ns",
	};
	struct disk_times t;

	(void)unused;
	expect_times("50us-400us", 50000, 400000);
	expect_times("0ns", 0, 0);
	expect_times("7ms", 7000000, 7000000);
	expect_times("999ns-4s", 999, 4000000000u);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (schedule_times_parse(bad[i], &t) != -EINVAL)
			fail_msg("'%s' is accepted", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_default_points),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_times),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	schedule_free(&s);
	return ret;
}
