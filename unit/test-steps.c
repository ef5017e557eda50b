/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The step engine and the session, on a made-up kernel of a few lines that
 * can be told to misbehave: each way in which a case can fail must be seen,
 * and nothing else. Knows sim/steps.h and sim/session.h.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "case.h"
#include "host/run.h"
#include "kern-fake.h"
#include "session.h"
#include "steps.h"

/* ------------------------------------------------------------------ */

static struct sim_case c;
static struct outcome o;

#define STEPS "[case]\ntitle = t\n[steps]\ncreate = ok\n" /* 4 lines */

static void load(const char *text)
{
	char path[] = "/tmp/test-steps-XXXXXX";
	struct diag diag = {""};
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	case_free(&c);
	if (case_load(path, 4096, &c, &diag))
		fail_msg("refused: %s", diag.text);
	unlink(path);
}

static void run(const char *text)
{
	load(text);
	fake_found_count = 0;
	fake.log[0] = '\0';
	memset(fake.log, 0, sizeof(fake.log));
	fake.arrays = 0;
	steps_run(&c, &o);
}

static void expect_pass(const char *text)
{
	run(text);
	if (!o.passed)
		fail_msg("%s", o.notes ? o.note[0] : "a finding");
}

static void expect_note(const char *text, const char *note)
{
	run(text);
	assert_false(o.passed);
	assert_int_equal(o.notes, 1);
	assert_string_equal(o.note[0], note);
}

static int reset(void **unused)
{
	(void)unused;
	fake_reset();
	return 0;
}

/* ------------------------------------------------------------------ */

static void test_order_of_calls(void **unused)
{
	(void)unused;
	expect_pass(STEPS "touch = 0\n"
			  "quiesce = on\nquiesce = off\n"
			  "suspend =\nresume =\n"
			  "cpu = 1 offline\ncpu = 1 online\nstop =\n"
			  "[params]\nfirst = 1\nsecond = 2\n");
	assert_string_equal(fake.log, "bppictQqUuoOsxl");
}

/* What the steps leave behind is undone, or it would be taken for a leak. */
static void test_left_behind(void **unused)
{
	(void)unused;
	expect_pass(STEPS "quiesce = on\nsuspend =\n");
	assert_string_equal(fake.log, "bicQUuqsxl");
}

static void test_unmet_steps(void **unused)
{
	(void)unused;
	expect_note(STEPS "set = stripe_cache_size 16\n",
		    "line 5: set stripe_cache_size 16 gives -EINVAL, "
		    "expected ok");
	expect_note(STEPS "set = stripe_cache_size 17 -> -EINVAL\n",
		    "line 5: set stripe_cache_size 17 gives ok, "
		    "expected -EINVAL");
	expect_note(STEPS "get = stripe_cache_size 255\n",
		    "line 5: get stripe_cache_size reads '256', "
		    "expected '255'");
	expect_note(STEPS "get = frob 1\n",
		    "line 5: get frob gives -ENOENT, expected '1'");
	expect_note(STEPS "touch = 2 8 -> -EBUSY\n",
		    "line 5: touch of sector 8 on CPU 2 gives ok, "
		    "expected -EBUSY");
	expect_note(STEPS "cpu = 2 offline -> -EBUSY\n",
		    "line 5: cpu 2 offline gives ok, expected -EBUSY");
}

static void test_steps_go_on(void **unused)
{
	(void)unused;
	run(STEPS "set = frob 1\nset = frob 2\ntouch = 0\n");
	assert_int_equal(o.notes, 2);
	assert_string_equal(fake.log, "bictsxl");
}

static void test_create_fails(void **unused)
{
	(void)unused;
	fake.create_rc = -ENOMEM;
	expect_note(STEPS "touch = 0\n",
		    "line 4: create array gives -ENOMEM, expected ok");
	assert_string_equal(fake.log, "bicxl");
	expect_pass("[case]\ntitle = t\n[steps]\ncreate = -ENOMEM\n"
		    "[expect]\ncreate = -ENOMEM\n");
}

static void test_create_succeeds_unexpectedly(void **unused)
{
	(void)unused;
	expect_note("[case]\ntitle = t\n[steps]\ncreate = -EINVAL\n",
		    "line 4: create array gives ok, expected -EINVAL");
	assert_string_equal(fake.log, "bicsxl");
}

static void test_boot_fails(void **unused)
{
	(void)unused;
	expect_note(STEPS "[params]\nfirst = bad\n",
		    "line 6: parameter first = bad gives -EINVAL");
	fake.init_rc = -ENOMEM;
	expect_note(STEPS, "module init gives -ENOMEM");
}

/* ------------------------------------------------------------------ */

static void test_unexpected_finding(void **unused)
{
	(void)unused;
	fake.fatal_touch = 1;
	run(STEPS "touch = 0\nstop =\n[expect]\nworkers = 0\n"
		  "stripe_cache_max = 32768\n");
	assert_false(o.passed);
	assert_int_equal(o.findings, 1);
	assert_false(o.expected[0]);
	assert_string_equal(o.finding[0].cause, "groups[8] of 2");
	/* What the end kept from being measured is not told beside it. */
	assert_int_equal(o.notes, 0);
	assert_string_equal(fake.log, "bict");
}

#define OOB "[expect]\nfinding = out-of-bounds wake groups[8]\n"

static void test_expected_finding(void **unused)
{
	(void)unused;
	fake.fatal_touch = 1;
	expect_pass(STEPS "touch = 0\nstop =\n" OOB);
	assert_true(o.expected[0]);
	run(STEPS "touch = 0\n[expect]\nfinding = leak\n");
	assert_false(o.passed);
	run(STEPS "touch = 0\n[expect]\nfinding = out-of-bounds sleep\n");
	assert_false(o.passed);
	assert_string_equal(o.note[0],
			    "line 7: not found: out-of-bounds in sleep");
}

static void test_expected_finding_does_not_come(void **unused)
{
	(void)unused;
	expect_note(STEPS "touch = 0\n" OOB,
		    "line 7: not found: out-of-bounds in wake, groups[8]");
}

static void test_several_expected_findings(void **unused)
{
	(void)unused;
	fake.warn_touch = 1;
	fake.leak = 1;
	expect_pass(STEPS "touch = 0\nstop =\n" OOB "finding = leak\n");
	run(STEPS "touch = 0\nstop =\n" OOB "finding = leak\n"
		  "finding = data-mismatch\nfinding = leak * two\n");
	assert_false(o.passed);
	assert_int_equal(o.notes, 2);
	assert_int_equal(o.not_found, 2);
	assert_int_equal(o.first_not_found, 1);
}

static void test_each_step_ends(void **unused)
{
	(void)unused;
	expect_pass(STEPS "touch = 0\nstop =\n");
	assert_int_equal(fake.steps_ended, 3);
	assert_false(fake.strict);
	expect_pass(STEPS "[locks]\nstrict = yes\n");
	assert_true(fake.strict);
}

/* The expected one does not hide another. */
static void test_second_finding(void **unused)
{
	(void)unused;
	fake.warn_touch = 1;
	expect_pass(STEPS "touch = 0\n" OOB);
	fake.leak = 1;
	run(STEPS "touch = 0\n" OOB);
	assert_false(o.passed);
	assert_int_equal(o.findings, 2);
	assert_true(o.expected[0]);
	assert_false(o.expected[1]);
}

/* ------------------------------------------------------------------ */

static void test_sizes(void **unused)
{
	(void)unused;
	expect_pass(STEPS "stop =\n[expect]\nnr_hash_locks = 8\n"
			  "bytes_allocated = 1000\nlargest_allocation = 512\n"
			  "create = ok\n");
	expect_note(STEPS "[expect]\nnr_hash_locks = 9\n",
		    "line 6: nr_hash_locks is 8, expected 9");
	expect_note(STEPS "[expect]\nmax_stripe_batch = 8\n",
		    "line 6: max_stripe_batch is -, expected 8");
}

static void expect_limits(unsigned long long min, unsigned long long max,
			  long long got_min, long long got_max)
{
	fake.min = min;
	fake.max = max;
	run(STEPS "[expect]\nstripe_cache_min = 17\n"
		  "stripe_cache_max = 32768\n");
	assert_true(o.sizes.value[SIZE_STRIPE_CACHE_MIN] == got_min);
	assert_true(o.sizes.value[SIZE_STRIPE_CACHE_MAX] == got_max);
	assert_int_equal(fake.failing, 0);
	assert_int_equal(fake.arrays, 0);
}

static void test_limits_are_found(void **unused)
{
	(void)unused;
	expect_limits(17, 32768, 17, 32768);
	assert_true(o.passed);
	/* A second array, after the first has gone. */
	assert_string_equal(fake.log, "bicscsxl");
	expect_limits(1, 1, 1, 1);
	expect_limits(17, 17, 17, 17);
	expect_limits(17, 33, 17, 33);
	expect_limits(17, 34, 17, 34);
	expect_limits(32, 2147483647, 32, 2147483647);
	expect_limits(4096, 5000, 4096, 5000);
	expect_limits(17, ~0ULL - 1, 17, LLONG_MAX);
	expect_limits(17, ~0ULL, 17, LLONG_MAX);
	expect_limits(5, 4, -1, -1);
	expect_limits(4097, 5000, -1, -1);
}

static void test_limits_only_when_asked(void **unused)
{
	(void)unused;
	expect_pass(STEPS "[expect]\nnr_hash_locks = 8\n");
	assert_string_equal(fake.log, "bicsxl");
}

static void test_params_check(void **unused)
{
	struct param_list list = {0};
	struct source_pos pos = {"f.case", 3};
	struct diag diag = {""};

	(void)unused;
	param_add(&list, "second", "1", NULL);
	assert_int_equal(session_params_check(&list, &diag), 0);
	param_add(&list, "third", "1", &pos);
	assert_int_equal(session_params_check(&list, &diag), -EINVAL);
	assert_string_equal(diag.text,
			    "f.case:3: third: subject stock has no module "
			    "parameter third; accepted: first, second");
	param_list_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order_of_calls, reset),
		cmocka_unit_test_setup(test_left_behind, reset),
		cmocka_unit_test_setup(test_unmet_steps, reset),
		cmocka_unit_test_setup(test_steps_go_on, reset),
		cmocka_unit_test_setup(test_create_fails, reset),
		cmocka_unit_test_setup(test_create_succeeds_unexpectedly,
				       reset),
		cmocka_unit_test_setup(test_boot_fails, reset),
		cmocka_unit_test_setup(test_unexpected_finding, reset),
		cmocka_unit_test_setup(test_expected_finding, reset),
		cmocka_unit_test_setup(test_several_expected_findings, reset),
		cmocka_unit_test_setup(test_each_step_ends, reset),
		cmocka_unit_test_setup(test_expected_finding_does_not_come,
				       reset),
		cmocka_unit_test_setup(test_second_finding, reset),
		cmocka_unit_test_setup(test_sizes, reset),
		cmocka_unit_test_setup(test_limits_are_found, reset),
		cmocka_unit_test_setup(test_limits_only_when_asked, reset),
		cmocka_unit_test_setup(test_params_check, reset),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	case_free(&c);
	return ret;
}
