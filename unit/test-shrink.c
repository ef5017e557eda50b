/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is left of a case and its schedule. The kernel is made up: a fault
 * shows when the case and the schedule have what it takes, so what is left is
 * known. Knows sim/shrink.h and unit/pool-fake.h.
 *
 *	11 steps, 8 disks, 4 CPUs, 9 changes
 *		--shrink--> 2 steps, 3 disks, 1 CPU, 1 change
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "case-step.h"
#include "pool-fake.h"
#include "schedule.h"
#include "shrink.h"

static const char large[] = "[case]\n"
			    "title = t\n"
			    "\n[machine]\n"
			    "cpus = 4\n"
			    "\n[array]\n"
			    "level = 5\n"
			    "disks = 8\n"
			    "spares = 1\n"
			    "write-cache = write through\n"
			    "\n[steps]\n"
			    "create = ok\n"
			    "set = stripe_cache_size 1024 -> ok\n"
			    "load = a writers=4 ops=200 seed=7\n"
			    "sleep = 1ms\n"
			    "wait = a\n"
			    "sync = check\n"
			    "set = group_thread_cnt 2 -> ok\n"
			    "sleep = 2ms\n"
			    "sleep = 3ms\n"
			    "sleep = 4ms\n"
			    "verify = all\n"
			    "\n[expect]\n"
			    "finding = none\n";

static char path[] = "/tmp/test-shrink-XXXXXX.case";
static struct shrink s;

/* What the fault takes; 0: nothing. */
static struct {
	unsigned int cpus;
	int disks;
	unsigned long long choice[2];
	bool other_too;
} takes;

static unsigned int runs;

/* A random schedule goes on unlike in order at 3, 5, ... 19. */
static unsigned int changes_of(const struct schedule *of,
			       struct sched_change *change)
{
	unsigned int n;

	if (of->strategy == SCHED_LIST) {
		for (n = 0; n < of->changes; n++)
			change[n] = of->change[n];
		return of->changes;
	}
	if (of->strategy != SCHED_RANDOM)
		return 0;
	for (n = 0; n < 9; n++)
		change[n] = (struct sched_change){3 + 2 * n, 1};
	return n;
}

static bool has_choice(const struct fake_run *run, unsigned long long choice)
{
	if (!choice)
		return true;
	for (unsigned int i = 0; i < run->outcome.changes; i++)
		if (run->change[i].choice == choice)
			return true;
	return false;
}

static bool has_step(const struct sim_case *c, const char *attr)
{
	for (unsigned int i = 0; i < c->step_count; i++)
		if (c->step[i].attr && !strcmp(c->step[i].attr, attr))
			return true;
	return false;
}

static void find_in(struct fake_run *run, enum finding_kind kind,
		    const char *function)
{
	struct finding *f = &run->outcome.finding[run->outcome.findings++];

	f->kind = kind;
	snprintf(f->where.function, sizeof(f->where.function), "%s", function);
}

void fake_judge(const struct sim_case *c, struct fake_run *run)
{
	runs++;
	run->outcome.changes = changes_of(&c->schedule.s, run->change);
	run->outcome.widths = FAKE_CHOICES;
	memset(run->width, 2, FAKE_CHOICES);
	if (takes.other_too)
		find_in(run, FINDING_LEAK, "other");
	if (c->step_count && c->step[0].verb == STEP_CREATE &&
	    has_step(c, "group_thread_cnt") &&
	    c->machine->online_cpus.word[0] >> (takes.cpus - 1) &&
	    c->array.desc.disks >= takes.disks &&
	    has_choice(run, takes.choice[0]) &&
	    has_choice(run, takes.choice[1]))
		find_in(run, FINDING_OUT_OF_BOUNDS, "there");
}

static int reset(void **unused)
{
	struct diag diag = {""};
	FILE *f = fopen(path, "w");

	(void)unused;
	assert_non_null(f);
	fputs(large, f);
	fclose(f);
	memset(&takes, 0, sizeof(takes));
	takes.cpus = 1;
	runs = 0;
	shrink_free(&s);
	s = (struct shrink){
		.path = path,
		.kind = FINDING_KINDS,
		.runs = 5000,
		.at_once = 1,
		.schedule = {.strategy = SCHED_RANDOM, .seed = 1, .rate = 2},
	};
	assert_int_equal(case_text_read(&s.text, path, &diag), 0);
	return 0;
}

static void expect_shrunk(void)
{
	const char *why;

	assert_int_equal(shrink(&s, &why), 0);
	assert_int_equal(s.done, runs);
}

static bool has_line(const char *section, const char *key, const char *value)
{
	for (unsigned int i = 0; i < s.text.count; i++)
		if (case_text_is(&s.text, i, section, key) &&
		    (!value || !strcmp(s.text.line[i].value, value)))
			return true;
	return false;
}

/* ------------------------------------------------------------------ */

static void test_least(void **unused)
{
	(void)unused;
	takes.choice[0] = 7;
	expect_shrunk();
	assert_int_equal(s.before.steps, 11);
	assert_int_equal(s.before.changes, 9);
	assert_int_equal(s.before.disks, 9);
	assert_int_equal(s.after.steps, 2);
	assert_int_equal(s.after.requests, 0);
	assert_int_equal(s.after.cpus, 1);
	assert_int_equal(s.after.disks, 3);
	assert_int_equal(s.after.changes, 1);
	assert_true(has_line("steps", "create", NULL));
	assert_true(has_line("steps", "set", "group_thread_cnt 2 -> ok"));
	assert_true(has_line("schedule", "schedule", "list:7=1"));
	assert_true(has_line("expect", "finding", "out-of-bounds there"));
	assert_false(has_line("array", "write-cache", NULL));
	assert_false(has_line("array", "spares", NULL));
}

/* What the fault does need stays. */
static void test_needs(void **unused)
{
	(void)unused;
	takes.choice[0] = 5;
	takes.choice[1] = 17;
	takes.cpus = 2;
	takes.disks = 5;
	expect_shrunk();
	assert_int_equal(s.after.steps, 2);
	assert_int_equal(s.after.cpus, 2);
	assert_int_equal(s.after.disks, 5);
	assert_true(has_line("schedule", "schedule", "list:5=1,17=1"));
}

static void test_in_order(void **unused)
{
	(void)unused;
	expect_shrunk();
	assert_int_equal(s.after.changes, 0);
	assert_false(has_line("steps", "wait", NULL));
}

/* Another finding than the one that is meant does not count. */
static void test_other_finding(void **unused)
{
	(void)unused;
	takes.other_too = true;
	takes.choice[0] = 7;
	s.kind = FINDING_OUT_OF_BOUNDS;
	expect_shrunk();
	assert_int_equal(s.after.steps, 2);
	assert_true(has_line("schedule", "schedule", "list:7=1"));
	assert_true(has_line("expect", "finding", "out-of-bounds there"));
}

static void test_none(void **unused)
{
	const char *why = NULL;

	(void)unused;
	takes.disks = 100;
	assert_int_equal(shrink(&s, &why), -ENOENT);
	assert_non_null(why);
}

/* Whatever was reached is kept when the runs are used up. */
static void test_few_runs(void **unused)
{
	(void)unused;
	takes.choice[0] = 7;
	for (unsigned long n = 1; n < 120; n += 7) {
		reset(NULL);
		takes.choice[0] = 7;
		s.runs = n;
		expect_shrunk();
		assert_true(s.done <= n + 2);
		assert_true(
			has_line("steps", "set", "group_thread_cnt 2 -> ok"));
	}
}

static void test_written(void **unused)
{
	char out[] = "/tmp/test-shrunk-XXXXXX";

	(void)unused;
	close(mkstemp(out));
	takes.choice[0] = 7;
	expect_shrunk();
	assert_int_equal(shrink_write(&s, out), 0);
	takes.disks = 4;
	assert_int_equal(shrink_write(&s, out), -ENOENT);
	unlink(out);
	assert_true(shrink_write(&s, "/nowhere/x") < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_least, reset),
		cmocka_unit_test_setup(test_needs, reset),
		cmocka_unit_test_setup(test_in_order, reset),
		cmocka_unit_test_setup(test_other_finding, reset),
		cmocka_unit_test_setup(test_none, reset),
		cmocka_unit_test_setup(test_few_runs, reset),
		cmocka_unit_test_setup(test_written, reset),
	};
	int ret;

	close(mkstemps(path, 5));
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	shrink_free(&s);
	unlink(path);
	return ret;
}
