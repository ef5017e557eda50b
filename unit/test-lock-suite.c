/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When `selftest --lockdep` says that all is well, and when not: rows of a
 * made-up kernel. What the real one answers is for check.sh to ask.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "commands.h"
#include "kern-fake.h"
#include "lock-suite.h"

static struct lock_suite_row rows[2];
static unsigned int row_count;
static bool finds;

int kern_lock_suite(void (*done)(const struct lock_suite_row *row))
{
	for (unsigned int i = 0; i < row_count; i++)
		done(&rows[i]);
	if (finds)
		fake_find(FINDING_KERNEL_WARN, "a warning");
	return row_count > 0;
}

static char output[4096];

/* What it prints is KTAP, as what this test prints: it must not get there. */
static int suite(void)
{
	static struct machine m;
	FILE *f = tmpfile();
	int out, status;

	assert_non_null(f);
	fflush(stdout);
	out = dup(STDOUT_FILENO);
	dup2(fileno(f), STDOUT_FILENO);
	status = lock_suite_run(&m);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	rewind(f);
	output[fread(output, 1, sizeof(output) - 1, f)] = '\0';
	fclose(f);
	return status;
}

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

static int reset(void **unused)
{
	(void)unused;
	fake_reset();
	rows[0] = (struct lock_suite_row){"A-A deadlock", 6, 6, 0, 0};
	rows[1] = (struct lock_suite_row){"double unlock", 6, 6, 6, 0};
	row_count = 2;
	finds = false;
	return 0;
}

static void test_all_agree(void **unused)
{
	(void)unused;
	assert_int_equal(suite(), EXIT_AS_EXPECTED);
	assert_true(says("\nok 1 A-A deadlock 6/6\n"));
	assert_true(says("\n1..2\n"));
	assert_true(says(" table: 12/12\n"));
}

static void test_lockdep_differs(void **unused)
{
	(void)unused;
	rows[0].agree = 5;
	assert_int_equal(suite(), EXIT_FINDING);
	assert_true(says("\nnot ok 1 A-A deadlock 5/6\n"));
	assert_true(says(" table: 11/12\n"));
}

static void test_checker_is_alone(void **unused)
{
	(void)unused;
	rows[0].checker = rows[0].checker_alone = 1;
	assert_int_equal(suite(), EXIT_FINDING);
}

static void test_checker_is_blind(void **unused)
{
	(void)unused;
	rows[1].checker = 5;
	assert_int_equal(suite(), EXIT_FINDING);
}

static void test_finding(void **unused)
{
	(void)unused;
	finds = true;
	assert_int_equal(suite(), EXIT_FINDING);
}

static void test_no_lock_debugging(void **unused)
{
	(void)unused;
	row_count = 0;
	assert_int_equal(suite(), EXIT_AS_EXPECTED);
	assert_true(says("SKIP"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_all_agree, reset),
		cmocka_unit_test_setup(test_lockdep_differs, reset),
		cmocka_unit_test_setup(test_checker_is_alone, reset),
		cmocka_unit_test_setup(test_checker_is_blind, reset),
		cmocka_unit_test_setup(test_finding, reset),
		cmocka_unit_test_setup(test_no_lock_debugging, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
