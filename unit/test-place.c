/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places from DWARF: inlined frames, headers passed over, a source file that
 * another unit includes, prefixes, stacks that are walked and stacks that are
 * garbage. Built with -O2 -g -fno-omit-frame-pointer from the project's top
 * directory, so that the tree's name below is as the compiler saw it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boundary.h"
#include "run.h"

/* The same file twice: by itself (own_) and here (incl_). */
#define FIXTURE(name) incl_##name
#include "place-tree/drivers/md/fixture.c"

extern unsigned int own_middle_line, own_plain_line;
void own_deep(int n);
void own_plain(void);

static const char *const tree[] = {"/nowhere/at/all", "unit/place-tree/"};

static const void *hooked;	 /* return address of fixture_hook() */
static struct place stack_place; /* what the stack walk found there */
static int stack_found;

__attribute__((noinline)) void fixture_hook(void)
{
	hooked = __builtin_return_address(0);
	stack_found = host_place_stack((const void *)(uintptr_t)strlen, NULL,
				       &stack_place);
}

static int setup(void **state)
{
	(void)state;
	place_init(tree, 2);
	hooked = NULL;
	return 0;
}

static void expect_hooked(const char *function, unsigned int line)
{
	struct place p;

	assert_non_null(hooked);
	assert_int_equal(host_place(hooked, 1, &p), 1);
	assert_string_equal(p.file, "drivers/md/fixture.c");
	assert_string_equal(p.function, function);
	assert_int_equal(p.line, line);
	/* the walk from fixture_hook() must end at the same place */
	assert_int_equal(stack_found, 1);
	assert_memory_equal(&p, &stack_place, sizeof(p));
}

/* A header's function inside an inlined function: the .c line is wanted. */
static void test_inlined(void **state)
{
	(void)state;
	own_deep(1);
	expect_hooked("fixture_middle", own_middle_line);
}

static void test_plain(void **state)
{
	(void)state;
	own_plain();
	expect_hooked("own_plain", own_plain_line);
}

/* The unit is test-place.c, the file is not. */
static void test_included(void **state)
{
	(void)state;
	incl_deep(1);
	expect_hooked("fixture_middle", incl_middle_line);
	incl_plain();
	expect_hooked("incl_plain", incl_plain_line);
}

/* Not a return address: the function's own first instruction. */
static void test_entry(void **state)
{
	struct place p;

	(void)state;
	assert_int_equal(host_place((const void *)(uintptr_t)own_plain, 0, &p),
			 1);
	assert_string_equal(p.function, "own_plain");
	assert_string_equal(p.file, "drivers/md/fixture.c");
	assert_true(p.line > 0 && p.line < own_plain_line);
}

/* Outside the tree: this file's own functions, libc, data, nothing. */
static void test_outside(void **state)
{
	static const struct place zero;
	const void *pcs[] = {(const void *)(uintptr_t)test_entry,
			     (const void *)(uintptr_t)strlen, tree, NULL};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(pcs) / sizeof(pcs[0]); i++) {
		struct place p;

		memset(&p, 1, sizeof(p));
		assert_int_equal(host_place(pcs[i], 0, &p), 0);
		assert_memory_equal(&p, &zero, sizeof(p));
	}
}

/* Asked twice, and a thousand other addresses between: the same answer. */
static void test_cache(void **state)
{
	struct place first, again;
	unsigned int i;

	(void)state;
	own_deep(1);
	assert_int_equal(host_place(hooked, 1, &first), 1);
	for (i = 0; i < 1000; i++)
		host_place((const char *)(uintptr_t)strlen + i, 0, &again);
	assert_int_equal(host_place(hooked, 1, &again), 1);
	assert_memory_equal(&first, &again, sizeof(first));
}

/* Frame pointers that lead nowhere end the walk and do not crash. */
static void test_bad_stacks(void **state)
{
	const void *pc = (const void *)(uintptr_t)strlen;
	uintptr_t loop[2], far[2], last[2];
	struct place p;

	(void)state;
	loop[0] = (uintptr_t)loop;
	loop[1] = 0;
	far[0] = (uintptr_t)far + (4UL << 20);
	far[1] = (uintptr_t)pc;
	last[0] = 0;
	last[1] = (uintptr_t)pc;
	assert_int_equal(host_place_stack(pc, loop, &p), 0);
	assert_int_equal(host_place_stack(pc, far, &p), 0);
	assert_int_equal(host_place_stack(pc, last, &p), 0);
	assert_int_equal(host_place_stack(pc, (void *)16, &p), 0);
	assert_int_equal(host_place_stack(pc, (void *)17, &p), 0);
	assert_int_equal(p.line, 0);
}

/*
 * A stack by hand:	low	[ &up | strlen	     ]
 *			up	[ 0   | in own_plain ]
 */
static void test_walk_two(void **state)
{
	const void *pc = (const void *)(uintptr_t)strlen;
	struct {
		uintptr_t low[2], up[2];
	} s;
	struct place p;

	(void)state;
	own_plain();
	s.low[0] = (uintptr_t)s.up;
	s.low[1] = (uintptr_t)pc;
	s.up[0] = 0;
	s.up[1] = (uintptr_t)hooked;
	assert_int_equal(host_place_stack(pc, s.low, &p), 1);
	assert_string_equal(p.function, "own_plain");
	assert_int_equal(p.line, own_plain_line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_inlined, setup),
		cmocka_unit_test_setup(test_plain, setup),
		cmocka_unit_test_setup(test_included, setup),
		cmocka_unit_test_setup(test_entry, setup),
		cmocka_unit_test_setup(test_outside, setup),
		cmocka_unit_test_setup(test_cache, setup),
		cmocka_unit_test_setup(test_bad_stacks, setup),
		cmocka_unit_test_setup(test_walk_two, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
