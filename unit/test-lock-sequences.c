/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What counts as lockdep and the checker agreeing, from made-up findings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "commands.h"
#include "kern-fake.h"
#include "lock-sequences.h"

void kern_lock_sequence(unsigned long long seed, unsigned int most,
			struct lock_sequence *out)
{
	(void)seed;
	out->ops = most;
}

int bad_usage(const struct diag *diag)
{
	assert_non_null(strstr(diag->text, "lock-sequences"));
	return EXIT_USAGE;
}

#define CIRCULAR                                                         \
	{                                                                \
		.kind = FINDING_LOCKDEP,                                 \
		.cause = "possible circular locking dependency detected" \
	}
#define RECURSIVE                                              \
	{                                                      \
		.kind = FINDING_LOCKDEP,                       \
		.cause = "possible recursive locking detected" \
	}
#define UNLOCK                                          \
	{                                               \
		.kind = FINDING_LOCKDEP,                \
		.cause = "bad unlock balance detected!" \
	}
#define CHECKER                                  \
	{                                        \
		.kind = FINDING_LOCK_IMBALANCE,  \
		.cause = "unlock of a spin lock" \
	}

static enum agreement judge(enum lock_op last, unsigned int n,
			    const struct finding *f)
{
	return lock_sequence_judge(last, f, n);
}

static void test_quiet(void **unused)
{
	(void)unused;
	assert_int_equal(judge(LOCK_OP_TAKE, 0, NULL), BOTH_QUIET);
	assert_int_equal(judge(LOCK_OP_EXIT, 0, NULL), BOTH_QUIET);
}

/* A fault that nobody sees is a disagreement with what was done. */
static void test_both_miss(void **unused)
{
	static const enum lock_op fault[] = {
		LOCK_OP_TAKE_OWN, LOCK_OP_SLEEP,	LOCK_OP_RELEASE_OTHER,
		LOCK_OP_FREE_OWN, LOCK_OP_EXIT_HOLDING,
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(fault) / sizeof(fault[0]); i++)
		assert_int_equal(judge(fault[i], 0, NULL), DISAGREE);
}

static void test_both_find(void **unused)
{
	const struct finding f[] = {UNLOCK, CHECKER};

	(void)unused;
	assert_int_equal(judge(LOCK_OP_RELEASE_OTHER, 2, f), BOTH_FOUND);
	assert_int_equal(judge(LOCK_OP_RELEASE_OTHER, 1, f), DISAGREE);
	assert_int_equal(judge(LOCK_OP_RELEASE_OTHER, 1, f + 1), DISAGREE);
	assert_int_equal(judge(LOCK_OP_RELEASE, 1, f + 1), DISAGREE);
}

static void test_order(void **unused)
{
	const struct finding f[] = {CIRCULAR, CHECKER};

	(void)unused;
	assert_int_equal(judge(LOCK_OP_TAKE, 1, f), LOCKDEP_ALONE);
	/* That does not explain what the checker sees. */
	assert_int_equal(judge(LOCK_OP_TAKE, 2, f), DISAGREE);
	assert_int_equal(judge(LOCK_OP_RELEASE_OTHER, 1, f), DISAGREE);
}

static void test_taken_twice(void **unused)
{
	const struct finding f[] = {RECURSIVE, CHECKER};

	(void)unused;
	assert_int_equal(judge(LOCK_OP_TAKE_OWN, 2, f), BOTH_FOUND);
	assert_int_equal(judge(LOCK_OP_TAKE_OWN, 1, f), DISAGREE);
	assert_int_equal(judge(LOCK_OP_TAKE_OWN, 1, f + 1), DISAGREE);
}

static int with(int argc, char **argv)
{
	static struct machine m;

	return lock_sequences_run(&m, argc, argv);
}

static void test_arguments(void **unused)
{
	char *bad[] = {"0", "x", "1x"}, *two[] = {"1", "x"};
	char *three[] = {"1", "2", "3"};

	(void)unused;
	assert_int_equal(with(0, NULL), EXIT_USAGE);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(with(1, &bad[i]), EXIT_USAGE);
	assert_int_equal(with(2, two), EXIT_USAGE);
	assert_int_equal(with(3, three), EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_both_miss),
		cmocka_unit_test(test_both_find),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_taken_twice),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
