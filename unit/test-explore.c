/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which schedules an exploration tries, and how it adds up what they show.
 * Runs are made up: knows sim/explore.h and unit/pool-fake.h.
 *
 *	choice	0   1   2   3		widths of a run in order
 *	width	2   3   1   2		there are 4 lists of one change, 5 of
 *					two, 2 of three, and the empty one
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore.h"
#include "pool-fake.h"
#include "schedule.h"

#define SEEN_MAX 600

static char *seen[SEEN_MAX];
static unsigned int seen_count;
static struct exploration e;
static const struct sim_case no_case;

/* What the run at hand shows; the test at hand says so. */
static void (*shows)(const char *schedule, struct fake_run *run);

void fake_judge(const struct sim_case *c, struct fake_run *run)
{
	static const unsigned char width[] = {2, 3, 1, 2};
	char *line = schedule_text(&c->schedule.s);

	memcpy(run->width, width, sizeof(width));
	run->outcome.widths = sizeof(width);
	run->outcome.sched.choices = sizeof(width);
	if (shows)
		shows(line, run);
	assert_true(seen_count < SEEN_MAX);
	seen[seen_count++] = line;
}

static void forget(void)
{
	while (seen_count)
		free(seen[--seen_count]);
	explore_free(&e);
}

static int reset(void **unused)
{
	(void)unused;
	forget();
	shows = NULL;
	e = (struct exploration){
		.c = &no_case,
		.strategy = EXPLORE_EXHAUSTIVE,
		.runs = SEEN_MAX,
		.seed = 1,
		.depth = 3,
		.bound = 1,
		.at_once = 1,
	};
	return 0;
}

static void expect_seen(unsigned int at, const char *schedule)
{
	assert_true(at < seen_count);
	assert_string_equal(seen[at], schedule);
}

static void expect_all_differ(void)
{
	for (unsigned int i = 0; i < seen_count; i++)
		for (unsigned int k = 0; k < i; k++)
			assert_string_not_equal(seen[i], seen[k]);
}

static void find_at(struct fake_run *run, const char *cause)
{
	struct finding f = {.kind = FINDING_OUT_OF_BOUNDS};

	snprintf(f.cause, sizeof(f.cause), "%s", cause);
	run->outcome.finding[run->outcome.findings++] = f;
}

/* ------------------------------------------------------------------ */

static void test_one_change(void **unused)
{
	(void)unused;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(seen_count, 5);
	expect_seen(0, "in-order");
	expect_seen(1, "list:0=1");
	expect_seen(2, "list:1=1");
	expect_seen(3, "list:1=2");
	expect_seen(4, "list:3=1");
	assert_true(e.complete);
	assert_int_equal(e.done, 5);
}

static void test_more_changes(void **unused)
{
	(void)unused;
	e.bound = 2;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(seen_count, 1 + 4 + 5);
	expect_seen(5, "list:0=1,1=1");
	expect_all_differ();
	assert_true(e.complete);

	reset(NULL);
	e.bound = 9;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(seen_count, 1 + 4 + 5 + 2);
	expect_seen(11, "list:0=1,1=2,3=1");
	expect_all_differ();
	assert_true(e.complete);
}

/* Fewer runs than schedules: it must not say that it tried them all. */
static void test_incomplete(void **unused)
{
	(void)unused;
	for (e.runs = 1; e.runs < 12; e.runs++) {
		forget();
		e.done = 0;
		e.complete = false;
		e.bound = 9;
		assert_int_equal(explore(&e), 0);
		assert_int_equal(seen_count, e.runs);
		assert_false(e.complete);
	}
}

/* The change at choice 1 opens a choice that is not there in order. */
static void opens_a_choice(const char *schedule, struct fake_run *run)
{
	if (strcmp(schedule, "list:1=2"))
		return;
	run->width[4] = 4;
	run->outcome.widths = 5;
}

static void test_choices_of_each_run(void **unused)
{
	(void)unused;
	e.bound = 2;
	shows = opens_a_choice;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(seen_count, 1 + 4 + 5 + 3);
	expect_all_differ();
	assert_true(e.complete);
}

static void shows_twice(const char *schedule, struct fake_run *run)
{
	if (!strcmp(schedule, "in-order"))
		return;
	find_at(run, "sector 7 holds zeros, expected write 3 or 12");
	find_at(run, "sector 8 holds zeros, expected write 3");
	if (!strcmp(schedule, "list:1=2"))
		find_at(run, "something else");
}

/* A run counts once for what it shows several times. */
static void test_counts_runs(void **unused)
{
	(void)unused;
	shows = shows_twice;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(e.failed, 4);
	assert_int_equal(e.count, 2);
	assert_int_equal(e.found[0].runs, 4);
	assert_int_equal(e.found[0].first, 1);
	assert_string_equal(e.found[0].schedule, "list:0=1");
	assert_int_equal(e.found[1].runs, 1);
	assert_int_equal(e.found[1].first, 3);
	assert_string_equal(e.found[1].schedule, "list:1=2");
}

static void as_expected(const char *schedule, struct fake_run *run)
{
	find_at(run, "of all");
	run->outcome.expected[0] = strcmp(schedule, "list:0=1") != 0;
}

static void test_expected(void **unused)
{
	(void)unused;
	shows = as_expected;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(e.failed, 1);
	assert_int_equal(e.count, 2);
	assert_true(e.found[0].expected);
	assert_int_equal(e.found[0].runs, 4);
	assert_false(e.found[1].expected);
	assert_int_equal(e.found[1].runs, 1);
}

/* That an expected finding did not come is no failure; another note is. */
static void notes(const char *schedule, struct fake_run *run)
{
	outcome_note(&run->outcome, "the finding did not come");
	run->outcome.not_found = 1;
	run->outcome.first_not_found = 1;
	if (!strcmp(schedule, "list:3=1"))
		outcome_note(&run->outcome, "stripe_cache_size is 5");
}

static void test_notes(void **unused)
{
	(void)unused;
	shows = notes;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(e.failed, 1);
	assert_int_equal(e.count, 1);
	assert_string_equal(e.found[0].note, "stripe_cache_size is 5");
}

/* More than one batch: each has a seed of its own, the first is in order. */
static void test_seeds(void **unused)
{
	char want[64];

	(void)unused;
	e.strategy = EXPLORE_RANDOM;
	e.runs = 300;
	e.rate = 16;
	e.seed = 5;
	assert_int_equal(explore(&e), 0);
	assert_int_equal(seen_count, 300);
	expect_seen(0, "in-order");
	for (unsigned int i = 1; i < 300; i++) {
		snprintf(want, sizeof(want), "random:%u:16", 4 + i);
		expect_seen(i, want);
	}
}

/* The changes of PCT are spread over as many choices as in order has. */
static void test_pct(void **unused)
{
	(void)unused;
	e.strategy = EXPLORE_PCT;
	e.runs = 3;
	assert_int_equal(explore(&e), 0);
	expect_seen(0, "in-order");
	expect_seen(1, "pct:1:3:4");
	expect_seen(2, "pct:2:3:4");
}

static void expect_shape(const char *text, const char *want)
{
	char shape[80];

	explore_shape(text, shape, sizeof(shape));
	assert_string_equal(shape, want);
}

static void test_shape(void **unused)
{
	char small[4];

	(void)unused;
	expect_shape("", "");
	expect_shape("a 12 b", "a N b");
	expect_shape("7", "N");
	expect_shape("1 or 22 or 3", "N");
	expect_shape("1 or zeros", "N or zeros");
	expect_shape("x[8] of 2", "x[N] of N");
	explore_shape("abcdef", small, sizeof(small));
	assert_string_equal(small, "abc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_one_change, reset),
		cmocka_unit_test_setup(test_more_changes, reset),
		cmocka_unit_test_setup(test_incomplete, reset),
		cmocka_unit_test_setup(test_choices_of_each_run, reset),
		cmocka_unit_test_setup(test_counts_runs, reset),
		cmocka_unit_test_setup(test_expected, reset),
		cmocka_unit_test_setup(test_notes, reset),
		cmocka_unit_test_setup(test_seeds, reset),
		cmocka_unit_test_setup(test_pct, reset),
		cmocka_unit_test(test_shape),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	forget();
	return ret;
}
