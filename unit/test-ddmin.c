/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delta debugging on made-up faults: what is left is what is needed, and
 * nothing else. Knows sim/ddmin.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ddmin.h"

/**
 * struct fault - needs items that are there in this order
 * @tests:	how often it was asked; @limit: then it says no
 */
struct fault {
	const int *needed;
	size_t count;
	unsigned int tests;
	unsigned int limit;
};

static bool happens(void *arg, const void *items, size_t count)
{
	struct fault *f = arg;
	const int *item = items;
	size_t met = 0;

	if (f->limit && f->tests >= f->limit)
		return false;
	f->tests++;
	for (size_t i = 0; i < count && met < f->count; i++)
		met += item[i] == f->needed[met];
	return met == f->count;
}

static int list[1000];

static size_t reduce(struct fault *f, size_t count)
{
	for (size_t i = 0; i < count; i++)
		list[i] = (int)i;
	return ddmin(list, count, sizeof(list[0]), happens, f);
}

static void expect(const int *needed, size_t n, size_t count)
{
	struct fault f = {.needed = needed, .count = n};

	assert_int_equal(reduce(&f, count), n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(list[i], needed[i]);
	/* A list of 1000 must not take a test for each subset. */
	assert_true(f.tests < 40 * (n + 1) + 20);
}

static void test_what_is_needed(void **unused)
{
	static const int one[] = {517};
	static const int ends[] = {0, 999};
	static const int some[] = {3, 4, 250, 251, 700};

	(void)unused;
	expect(NULL, 0, 1000);
	expect(one, 1, 1000);
	expect(ends, 2, 1000);
	expect(some, 5, 1000);
	expect(ends, 1, 1);
	expect(ends, 1, 2);
	expect(NULL, 0, 0);
}

static void test_all_is_needed(void **unused)
{
	static const int all[] = {0, 1, 2, 3, 4, 5, 6};

	(void)unused;
	expect(all, 7, 7);
}

/* One that is asked too often says no: what is left still does it. */
static void test_budget(void **unused)
{
	static const int some[] = {3, 4, 250, 251, 700};
	struct fault f = {.needed = some, .count = 5, .limit = 20};
	size_t left = reduce(&f, 1000);

	(void)unused;
	f.limit = 0;
	assert_true(happens(&f, list, left));
	assert_true(left < 1000);
}

/* Either of two will do: one is left. */
static bool either(void *arg, const void *items, size_t count)
{
	const int *item = items;

	(void)arg;
	for (size_t i = 0; i < count; i++)
		if (item[i] == 11 || item[i] == 600)
			return true;
	return false;
}

static void test_either(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < 1000; i++)
		list[i] = (int)i;
	assert_int_equal(ddmin(list, 1000, sizeof(list[0]), either, NULL), 1);
	assert_true(either(NULL, list, 1));
}

static void test_prefix(void **unused)
{
	static const int some[] = {3, 250};
	struct fault f = {.needed = some, .count = 2};

	(void)unused;
	for (size_t i = 0; i < 1000; i++)
		list[i] = (int)i;
	assert_int_equal(ddmin_prefix(list, 1000, happens, &f), 251);
	assert_true(f.tests <= 11);
	f = (struct fault){.count = 0};
	assert_int_equal(ddmin_prefix(list, 1000, happens, &f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_needed),
		cmocka_unit_test(test_all_is_needed),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_either),
		cmocka_unit_test(test_prefix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
