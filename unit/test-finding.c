/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings, guarded runs, the log and what the processor's faults become,
 * where no memory object is involved. Runs without a kernel side.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "host-fake.h"

static void do_nothing(void *arg)
{
	(void)arg;
}

/* ------------------------------------------------------------------ */

static void test_kind_names(void **state)
{
	unsigned int i, j;

	(void)state;
	for (i = 0; i < FINDING_KINDS; i++) {
		const char *name = finding_kind_name((enum finding_kind)i);

		assert_non_null(name);
		assert_int_equal(finding_kind_by_name(name), i);
		for (j = 0; j < i; j++)
			assert_string_not_equal(
				name, finding_kind_name((enum finding_kind)j));
	}
	assert_string_equal(finding_kind_name(FINDING_OUT_OF_BOUNDS),
			    "out-of-bounds");
	assert_string_equal(finding_kind_name(FINDING_NOT_MODELLED),
			    "not-modelled");
	assert_int_equal(finding_kind_by_name("out_of_bounds"), FINDING_KINDS);
	assert_int_equal(finding_kind_by_name(""), FINDING_KINDS);
}

static void add_some(void *arg)
{
	(void)arg;
	finding_add(FINDING_LEAK, site(IN_SETUP_CONF), "%d of %s", 3, "them");
	subject_warn("second");
	finding_add(FINDING_LOCKDEP, site(IN_UNKNOWN), "nowhere");
}

static void test_add(void **state)
{
	struct outcome out;

	(void)state;
	in_child(add_some, NULL, &out);
	assert_int_equal(out.status, 0);
	assert_int_equal(out.ended, 0);
	assert_int_equal(out.count, 3);
	assert_int_equal(out.f[0].kind, FINDING_LEAK);
	assert_string_equal(out.f[0].cause, "3 of them");
	assert_string_equal(out.f[0].where.function, "setup_conf");
	assert_string_equal(out.f[0].where.file, "drivers/md/raid5.c");
	assert_int_equal(out.f[0].where.line, 100);
	assert_string_equal(out.f[1].cause, "second");
	assert_string_equal(out.f[1].where.function, "subject_warn");
	assert_int_equal(out.f[2].kind, FINDING_LOCKDEP);
	assert_string_equal(out.f[2].where.function, "");
	assert_int_equal(out.f[2].where.line, 0);
}

static void add_odd(void *arg)
{
	char text[600];

	(void)arg;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	finding_add(FINDING_HANG, site(IN_SETUP_CONF), "%s", text);
	finding_add(FINDING_HANG, site(IN_SETUP_CONF), "a\nb\tc\n");
}

static void test_cause_is_one_line(void **state)
{
	struct outcome out;

	(void)state;
	in_child(add_odd, NULL, &out);
	assert_int_equal(strlen(out.f[0].cause), sizeof(out.f[0].cause) - 1);
	assert_string_equal(out.f[1].cause, "a b c");
}

static void add_many(void *arg)
{
	const struct finding *first;
	char cause[16];
	unsigned int i;

	(void)arg;
	subject_warn("0");
	first = finding_get(0);
	for (i = 1; i < 5000; i++) {
		snprintf(cause, sizeof(cause), "%u", i);
		subject_warn(cause);
	}
	child_note = first == finding_get(0) && !strcmp(first->cause, "0") &&
		     !strcmp(finding_get(4999)->cause, "4999");
}

static void test_many_findings(void **state)
{
	struct outcome out;

	(void)state;
	in_child(add_many, NULL, &out);
	assert_int_equal(out.count, 5000);
	assert_int_equal(out.note, 1);
}

/* ------------------------------------------------------------------ */

static void die(void *arg)
{
	(void)arg;
	subject_die("it died");
	child_note = 1;
}

static void test_fatal_ends_run(void **state)
{
	struct outcome out;

	(void)state;
	in_child(die, NULL, &out);
	expect_one(&out, FINDING_KERNEL_BUG, "subject_die", "it died");
	assert_int_equal(out.note, 0);
}

static void run_twice_inside(void *arg)
{
	(void)arg;
	run_guarded(do_nothing, NULL);
}

static void run_more(void)
{
	child_note = (unsigned int)run_guarded(do_nothing, NULL) == 0;
	child_note += (unsigned int)run_guarded(do_nothing, NULL) == 0;
}

static void fatal_outside(void)
{
	subject_die("out here");
}

static void read_null_outside(void)
{
	subject_read(NULL, 0);
}

static void test_run_rules(void **state)
{
	struct outcome out;

	(void)state;
	in_child(run_twice_inside, NULL, &out);
	expect_panic(&out, "run_guarded() inside run_guarded()");

	child_after = run_more;
	in_child(do_nothing, NULL, &out);
	expect_clean(&out);
	assert_int_equal(out.note, 2);
	in_child(die, NULL, &out);
	expect_panic(&out, "after a fatal finding");

	child_after = fatal_outside;
	in_child(do_nothing, NULL, &out);
	expect_panic(&out, "kernel-bug outside of a run: out here");
	child_after = read_null_outside;
	in_child(do_nothing, NULL, &out);
	expect_panic(&out, "SIGSEGV outside of a run");
	child_after = NULL;
}

static void panic_now(void *arg)
{
	(void)arg;
	host_panic("%d reasons", 7);
}

static void test_panic(void **state)
{
	struct outcome out;

	(void)state;
	in_child(panic_now, NULL, &out);
	expect_panic(&out, "raid5sim: 7 reasons\n");
}

/* ------------------------------------------------------------------ */
/* Faults							      */

static void read_at(void *arg)
{
	subject_read(NULL, *(long *)arg);
}

static void expect_read(unsigned long at, enum finding_kind kind,
			const char *cause)
{
	struct outcome out;
	long offset = (long)at;

	in_child(read_at, &offset, &out);
	expect_one(&out, kind, "subject_read", cause);
}

static void test_null(void **state)
{
	(void)state;
	expect_read(0, FINDING_NULL_DEREF, "NULL pointer, offset 0");
	expect_read(24, FINDING_NULL_DEREF, "NULL pointer, offset 24");
	expect_read(65535, FINDING_NULL_DEREF, "NULL pointer, offset 65535");
	expect_read(-16UL, FINDING_NULL_DEREF,
		    "NULL or error pointer, offset -16");
}

static void test_wild(void **state)
{
	static const char outside[] = "an address outside every object";

	(void)state;
	expect_read(65536, FINDING_WILD_ACCESS, outside);
#if __SIZEOF_POINTER__ == 8
	expect_read(0x200000000000, FINDING_WILD_ACCESS, outside);
	expect_read(0x3ffffffffff8, FINDING_WILD_ACCESS, outside);
	expect_read(0x480000000000, FINDING_WILD_ACCESS, outside);
	expect_read(0x6b6b6b6b6b6b6b6b, FINDING_USE_AFTER_FREE,
		    "an address read from freed memory");
	expect_read(0x6b6b6b6b6b6b6b83, FINDING_USE_AFTER_FREE,
		    "an address read from freed memory");
	expect_read(0xa5a5a5a5a5a5a5ad, FINDING_WILD_ACCESS,
		    "an address read from memory never written");
#endif
}

static void call_null(void *arg)
{
	subject_call((void (*)(void))(unsigned long)arg);
}

static void divide(void *arg)
{
	child_note = (unsigned int)subject_divide(7, *(int *)arg);
}

static void trap(void *arg)
{
	(void)arg;
	subject_trap();
}

static void test_other_faults(void **state)
{
	struct outcome out;
	int zero = 0;

	(void)state;
	in_child(call_null, NULL, &out);
	expect_one(&out, FINDING_NULL_DEREF, "subject_call",
		   "call through a NULL pointer");
	in_child(divide, &zero, &out);
	expect_one(&out, FINDING_KERNEL_BUG, "subject_divide",
		   "division by zero or overflow");
	in_child(trap, NULL, &out);
	expect_one(&out, FINDING_KERNEL_BUG, "subject_trap",
		   "illegal instruction");
}

static void fill_wild(void *arg)
{
	subject_fill(arg, 4096);
}

/* The C library has no frames: the place is that of its caller. */
static void test_fault_in_libc(void **state)
{
	struct outcome out;

	(void)state;
	in_child(fill_wild, (void *)64, &out);
	expect_one(&out, FINDING_NULL_DEREF, "subject_fill",
		   "NULL pointer, offset 64");
}

static void kill_self(void *arg)
{
	kill(getpid(), *(int *)arg);
}

static void test_signal_from_outside(void **state)
{
	struct outcome out;
	int sig = SIGSEGV;

	(void)state;
	in_child(kill_self, &sig, &out);
	expect_panic(&out, "SIGSEGV sent by a process");
}

static sigset_t mask_before, mask_after;

static void note_mask(void)
{
	sigprocmask(SIG_SETMASK, NULL, &mask_after);
	child_note = !memcmp(&mask_before, &mask_after, sizeof(mask_before));
}

static void test_mask_restored(void **state)
{
	struct outcome out;
	long offset = 8;

	(void)state;
	sigprocmask(SIG_SETMASK, NULL, &mask_before);
	child_after = note_mask;
	in_child(read_at, &offset, &out);
	child_after = NULL;
	assert_int_equal(out.ended, 1);
	assert_int_equal(out.note, 1);
}

/* ------------------------------------------------------------------ */

static void sink(int level, const char *text, void *arg)
{
	snprintf(arg, 64, "%d %s", level, text);
}

static void test_log(void **state)
{
	char line[64] = "";

	(void)state;
	host_log(3, "nobody listens");
	host_log_sink(sink, line);
	host_log(6, "md0: hello");
	assert_string_equal(line, "6 md0: hello");
	host_log_sink(NULL, NULL);
	host_log(6, "again nobody");
	assert_string_equal(line, "6 md0: hello");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kind_names),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_cause_is_one_line),
		cmocka_unit_test(test_many_findings),
		cmocka_unit_test(test_fatal_ends_run),
		cmocka_unit_test(test_run_rules),
		cmocka_unit_test(test_panic),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_wild),
		cmocka_unit_test(test_other_faults),
		cmocka_unit_test(test_fault_in_libc),
		cmocka_unit_test(test_signal_from_outside),
		cmocka_unit_test(test_mask_restored),
		cmocka_unit_test(test_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
