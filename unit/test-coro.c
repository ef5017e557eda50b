/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coroutines: that switching keeps each one's state, that stacks are whole,
 * bounded and reused, and that a run ends from any of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <cmocka.h>

#include "host-fake.h"

#define STACK_MIN (200UL << 10)

static struct host_coro *home;

static void back_forever(void)
{
	for (;;)
		host_coro_switch(home);
}

/* ------------------------------------------------------------------ */

struct counter {
	unsigned long long sum;
	unsigned int step;
};

static void count_up(void *arg)
{
	struct counter *c = arg;
	unsigned long long a = c->step, b = a * 3, d = a * 5, e = a * 7,
			   f = a * 11, g = a * 13;

	/* More values than there are registers that a call may change. */
	for (;;) {
		c->sum += a + b + d + e + f + g;
		a += c->step;
		b += a;
		d ^= b;
		e += d;
		f ^= e;
		g += f;
		host_coro_switch(home);
	}
}

/* The same without a switch in between. */
static unsigned long long count_alone(unsigned int step, unsigned int rounds)
{
	unsigned long long sum = 0, a = step, b = a * 3, d = a * 5, e = a * 7,
			   f = a * 11, g = a * 13;

	while (rounds--) {
		sum += a + b + d + e + f + g;
		a += step;
		b += a;
		d ^= b;
		e += d;
		f ^= e;
		g += f;
	}
	return sum;
}

static void test_switch_keeps_state(void **state)
{
	struct counter c[3] = {{0, 1}, {0, 2}, {0, 3}};
	struct host_coro *co[3];
	unsigned int i, round;

	(void)state;
	home = host_coro_self();
	for (i = 0; i < 3; i++)
		co[i] = host_coro_new(count_up, &c[i]);
	for (round = 0; round < 10000; round++)
		for (i = 0; i < 3; i++)
			host_coro_switch(co[i]);
	for (i = 0; i < 3; i++) {
		assert_int_equal(c[i].sum, count_alone(i + 1, 10000));
		host_coro_free(co[i]);
	}
	assert_ptr_equal(host_coro_self(), home);
}

/* ------------------------------------------------------------------ */

/* Each coroutine makes the next one and goes on after it, as a chain of
 * calls would. */
#define CHAIN 50

static char trail[2 * CHAIN + 1];
static unsigned int trail_len;

struct link {
	struct host_coro *back;
	unsigned int depth;
};

static void chain_in(void *arg)
{
	struct link *l = arg, next;
	struct host_coro *co;

	trail[trail_len++] = '<';
	if (l->depth) {
		next.back = host_coro_self();
		next.depth = l->depth - 1;
		co = host_coro_new(chain_in, &next);
		host_coro_switch(co);
		host_coro_free(co);
	}
	trail[trail_len++] = '>';
	host_coro_switch(l->back);
}

static void test_coroutine_from_coroutine(void **state)
{
	struct link l = {host_coro_self(), CHAIN - 1};
	struct host_coro *co = host_coro_new(chain_in, &l);
	unsigned int i;

	(void)state;
	trail_len = 0;
	host_coro_switch(co);
	host_coro_free(co);
	assert_int_equal(trail_len, 2 * CHAIN);
	for (i = 0; i < 2 * CHAIN; i++)
		assert_int_equal(trail[i], i < CHAIN ? '<' : '>');
}

/* ------------------------------------------------------------------ */

struct seen {
	struct host_coro *self;
	unsigned long local;
	unsigned int frames;
	unsigned long align;
};

static void look_around(void *arg)
{
	struct seen *s = arg;
	volatile char here = 0;
	char aligned[16] __attribute__((aligned(16)));
	char *volatile at = aligned;

	(void)here;
	s->self = host_coro_self();
	s->local = (unsigned long)&here;
	s->align = (unsigned long)at % 16;
	s->frames = subject_chain();
	back_forever();
}

static void test_stack_bounds_and_chain(void **state)
{
	struct seen s;
	struct host_coro *co;
	unsigned long size;
	void *low;

	(void)state;
	home = host_coro_self();
	co = host_coro_new(look_around, &s);
	host_coro_switch(co);
	host_coro_stack(co, &low, &size);
	assert_ptr_equal(s.self, co);
	assert_true(size >= STACK_MIN);
	assert_true(s.local >= (unsigned long)low);
	assert_true(s.local < (unsigned long)low + size);
	assert_int_equal(s.align, 0);
	/* subject_chain, look_around, the entry: then 0. */
	assert_in_range(s.frames, 2, 4);
	host_coro_free(co);
}

struct callers {
	unsigned long all[8], but_one[8];
	unsigned int n, n_but_one;
};

static __attribute__((noinline)) void ask(struct callers *c)
{
	c->n = host_stack(c->all, 8, 0);
	c->n_but_one = host_stack(c->but_one, 8, 1);
}

static void ask_and_go(void *arg)
{
	ask(arg);
	for (;;)
		host_coro_switch(home);
}

static void test_callers(void **state)
{
	struct callers c;
	struct host_coro *co;

	(void)state;
	home = host_coro_self();
	co = host_coro_new(ask_and_go, &c);
	host_coro_switch(co);
	host_coro_free(co);
	assert_in_range(c.n, 2, 4);
	assert_int_equal(c.n_but_one, c.n - 1);
	for (unsigned int i = 1; i < c.n; i++)
		assert_int_equal(c.all[i], c.but_one[i - 1]);
	/* No more than there is room for; the first stack has callers too. */
	assert_int_equal(host_stack(c.all, 1, 0), 1);
	assert_int_equal(host_stack(c.all, 8, 100), 0);
}

static void test_first_stack(void **state)
{
	volatile char here = 0;
	unsigned long size;
	void *low;

	(void)state;
	host_coro_stack(host_coro_self(), &low, &size);
	assert_true((unsigned long)&here >= (unsigned long)low);
	assert_true((unsigned long)&here - (unsigned long)low < size);
}

static void nothing(void *arg)
{
	(void)arg;
	back_forever();
}

static void test_stack_reused(void **state)
{
	struct host_coro *a, *b;
	unsigned long size;
	void *low_a, *low_b, *low;

	(void)state;
	home = host_coro_self();
	a = host_coro_new(nothing, NULL);
	b = host_coro_new(nothing, NULL);
	host_coro_switch(a);
	host_coro_switch(b);
	host_coro_stack(a, &low_a, &size);
	host_coro_stack(b, &low_b, &size);
	assert_ptr_not_equal(low_a, low_b);
	host_coro_free(a);
	host_coro_free(b);
	a = host_coro_new(nothing, NULL);
	host_coro_stack(a, &low, &size);
	assert_ptr_equal(low, low_b);
	host_coro_switch(a);
	b = host_coro_new(nothing, NULL);
	host_coro_stack(b, &low, &size);
	assert_ptr_equal(low, low_a);
	host_coro_switch(b);
	host_coro_free(a);
	host_coro_free(b);
}

#define MANY 3000

static void add_one(void *arg)
{
	unsigned int *n = arg;

	++*n;
	host_coro_switch(home);
	++*n;
	back_forever();
}

static void test_many(void **state)
{
	static struct host_coro *co[MANY];
	unsigned int i, n = 0;

	(void)state;
	home = host_coro_self();
	for (i = 0; i < MANY; i++)
		co[i] = host_coro_new(add_one, &n);
	for (i = 0; i < MANY; i++)
		host_coro_switch(co[i]);
	assert_int_equal(n, MANY);
	for (i = MANY; i--;)
		host_coro_switch(co[i]);
	assert_int_equal(n, 2 * MANY);
	for (i = 0; i < MANY; i++)
		host_coro_free(co[i]);
}

/* ------------------------------------------------------------------ */
/* Runs that end in a coroutine					      */

static void deep(void *arg)
{
	/* 512 bytes and some a call. */
	child_note = subject_recurse(*(unsigned long *)arg);
	back_forever();
}

static void run_deep(void *arg)
{
	home = host_coro_self();
	host_coro_switch(host_coro_new(deep, arg));
}

static void test_deep_call(void **state)
{
	struct outcome out;
	unsigned long depth = 150;

	(void)state;
	in_child(run_deep, &depth, &out);
	expect_clean(&out);
	assert_int_equal(out.note, depth);
}

static void test_overflow(void **state)
{
	struct outcome out;
	unsigned long depth = 10000;

	(void)state;
	in_child(run_deep, &depth, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "subject_recurse",
		   "stack overflow");
}

static void run_deep_at_home(void *arg)
{
	child_note = subject_recurse(*(unsigned long *)arg);
}

static void test_overflow_of_first_stack(void **state)
{
	/* Where the host sets no limit, the child gets one. */
	struct rlimit limit, old;
	struct outcome out;
	unsigned long depth = 100000;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_STACK, &old), 0);
	limit = old;
	limit.rlim_cur = 8UL << 20;
	assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
	in_child(run_deep_at_home, &depth, &out);
	setrlimit(RLIMIT_STACK, &old);
	expect_one(&out, FINDING_WILD_ACCESS, "subject_recurse",
		   "stack overflow");
}

/* One large frame may step over any distance. */
static void below_stack(void *arg)
{
	unsigned long size;
	void *low;

	(void)arg;
	host_coro_stack(host_coro_self(), &low, &size);
	subject_read(low, -(300L << 10));
	back_forever();
}

static void read_null(void *arg)
{
	(void)arg;
	subject_read(NULL, 24);
	back_forever();
}

static void die(void *arg)
{
	(void)arg;
	subject_die("fatal in a coroutine");
	back_forever();
}

static void run_nested(void *arg)
{
	home = host_coro_self();
	host_coro_switch(host_coro_new((void (*)(void *))arg, NULL));
	child_note = 1; /* must not go on here */
}

static void test_fault_in_coroutine(void **state)
{
	struct outcome out;

	(void)state;
	in_child(run_nested, (void *)read_null, &out);
	expect_one(&out, FINDING_NULL_DEREF, "subject_read",
		   "NULL pointer, offset 24");
	assert_int_equal(out.note, 0);
}

static void test_far_below_stack(void **state)
{
	struct outcome out;

	(void)state;
	in_child(run_nested, (void *)below_stack, &out);
	expect_one(&out, FINDING_WILD_ACCESS, "subject_read", "stack overflow");
}

static void test_fatal_in_coroutine(void **state)
{
	struct outcome out;

	(void)state;
	in_child(run_nested, (void *)die, &out);
	expect_one(&out, FINDING_KERNEL_BUG, "subject_die",
		   "fatal in a coroutine");
	assert_int_equal(out.note, 0);
}

/* ------------------------------------------------------------------ */
/* Misuse							      */

static void returns(void *arg)
{
	(void)arg;
}

static void run_return(void *arg)
{
	(void)arg;
	host_coro_switch(host_coro_new(returns, NULL));
}

static void run_free_self(void *arg)
{
	(void)arg;
	host_coro_free(host_coro_self());
}

static void run_free_twice(void *arg)
{
	struct host_coro *co = host_coro_new(returns, arg);

	host_coro_free(co);
	host_coro_free(co);
}

static void run_switch_to_freed(void *arg)
{
	struct host_coro *co = host_coro_new(returns, arg);

	host_coro_free(co);
	host_coro_switch(co);
}

static void test_misuse(void **state)
{
	struct outcome out;

	(void)state;
	in_child(run_return, NULL, &out);
	expect_panic(&out, "coroutine's function returned");
	in_child(run_free_self, NULL, &out);
	expect_panic(&out, "free of a coroutine");
	in_child(run_free_twice, NULL, &out);
	expect_panic(&out, "free of a coroutine");
	in_child(run_switch_to_freed, NULL, &out);
	expect_panic(&out, "switch to a coroutine that was freed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switch_keeps_state),
		cmocka_unit_test(test_coroutine_from_coroutine),
		cmocka_unit_test(test_stack_bounds_and_chain),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_first_stack),
		cmocka_unit_test(test_stack_reused),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_deep_call),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_overflow_of_first_stack),
		cmocka_unit_test(test_fault_in_coroutine),
		cmocka_unit_test(test_far_below_stack),
		cmocka_unit_test(test_fatal_in_coroutine),
		cmocka_unit_test(test_misuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
