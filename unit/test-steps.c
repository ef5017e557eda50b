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
#include "session.h"
#include "steps.h"

/* ------------------------------------------------------------------ */
/* The made-up kernel						      */

struct kern_array {
	int quiesced;
	int suspended;
};

/**
 * struct fake - what it is told to do, and what was done to it
 * @min, @max:	what stripe_cache_size accepts; max 0: nothing
 * @fatal_touch: a touch ends the run
 * @warn_touch:	a touch adds a finding and goes on
 * @leak:	module exit adds a leak
 * @log:	calls in order, a letter each
 */
static struct fake {
	unsigned long long min;
	unsigned long long max;
	int create_rc;
	int init_rc;
	int fatal_touch;
	int warn_touch;
	int leak;
	int arrays;
	int failing;
	char log[64];
} fake;

const struct subject_info kern_subject = {
	.name = "stock",
	.kernel = "1.2",
	.config = "debian",
	.word_bits = 64,
	.page_size = 4096,
	.series = "",
};

static struct kern_array the_array;
static struct finding found[8];
static unsigned int found_count;
static jmp_buf out;

static void call(char letter)
{
	size_t len = strlen(fake.log);

	if (len + 1 < sizeof(fake.log))
		fake.log[len] = letter;
}

static void find(enum finding_kind kind, const char *cause)
{
	struct finding *f = &found[found_count++];

	memset(f, 0, sizeof(*f));
	f->kind = kind;
	snprintf(f->where.function, sizeof(f->where.function), "wake");
	snprintf(f->cause, sizeof(f->cause), "%s", cause);
}

const char *finding_kind_name(enum finding_kind kind)
{
	return kind == FINDING_LEAK ? "leak" : "out-of-bounds";
}

enum finding_kind finding_kind_by_name(const char *name)
{
	return strcmp(name, "leak") ? FINDING_OUT_OF_BOUNDS : FINDING_LEAK;
}

unsigned int finding_count(void)
{
	return found_count;
}

const struct finding *finding_get(unsigned int i)
{
	return &found[i];
}

int run_guarded(void (*fn)(void *arg), void *arg)
{
	if (setjmp(out))
		return 1;
	fn(arg);
	return 0;
}

void kern_boot(const struct machine *m)
{
	(void)m;
	call('b');
}

int kern_module_init(void)
{
	call('i');
	return fake.init_rc;
}

void kern_module_exit(void)
{
	call('x');
}

unsigned long host_obj_report_leaks(void)
{
	call('l');
	if (fake.leak)
		find(FINDING_LEAK, "one object");
	return (unsigned long)fake.leak;
}

void host_mem_stats(struct mem_stats *stats)
{
	*stats = (struct mem_stats){
		.live_bytes = 100 + 1000 * (unsigned long long)fake.arrays,
		.largest = 512,
	};
}

void host_mem_reset_largest(void)
{
}

unsigned int kern_param_count(void)
{
	return 2;
}

const char *kern_param_name(unsigned int i)
{
	return i ? "second" : "first";
}

int kern_param_set(const char *name, const char *value)
{
	(void)name;
	call('p');
	return strcmp(value, "bad") ? 0 : -EINVAL;
}

int kern_array_create(const struct array_desc *desc, struct kern_array **a)
{
	(void)desc;
	call('c');
	*a = NULL;
	if (fake.create_rc)
		return fake.create_rc;
	memset(&the_array, 0, sizeof(the_array));
	*a = &the_array;
	fake.arrays++;
	return 0;
}

void kern_array_stop(struct kern_array *a)
{
	call('s');
	assert_false(a->quiesced);
	assert_false(a->suspended);
	fake.arrays--;
}

void kern_array_sizes(struct kern_array *a, struct array_sizes *sizes)
{
	(void)a;
	*sizes = (struct array_sizes){
		.nr_hash_locks = 8,
		.stripe_cache_size = 256,
		.max_stripe_batch = -1,
	};
}

long kern_attr_store(struct kern_array *a, const char *name, const char *val)
{
	unsigned long long n = strtoull(val, NULL, 10);

	(void)a;
	if (strcmp(name, "stripe_cache_size"))
		return -ENOENT;
	if (n < fake.min || n > fake.max)
		return -EINVAL;
	return fake.failing ? -ENOMEM : (long)strlen(val);
}

long kern_attr_show(struct kern_array *a, const char *name, char *buf,
		    unsigned long size)
{
	(void)a;
	if (strcmp(name, "stripe_cache_size"))
		return -ENOENT;
	return snprintf(buf, size, "256\n");
}

void kern_quiesce(struct kern_array *a, int on)
{
	call(on ? 'Q' : 'q');
	a->quiesced = on;
}

int kern_suspend(struct kern_array *a)
{
	call('U');
	a->suspended = 1;
	return 0;
}

void kern_resume(struct kern_array *a)
{
	call('u');
	a->suspended = 0;
}

int kern_touch_stripe(struct kern_array *a, unsigned int cpu,
		      unsigned long long sector)
{
	(void)a;
	(void)cpu;
	(void)sector;
	call('t');
	if (fake.warn_touch)
		find(FINDING_OUT_OF_BOUNDS, "groups[8] of 2");
	if (!fake.fatal_touch)
		return 0;
	find(FINDING_OUT_OF_BOUNDS, "groups[8] of 2");
	longjmp(out, 1);
}

int kern_cpu_set_online(unsigned int cpu, int online)
{
	(void)cpu;
	call(online ? 'O' : 'o');
	return 0;
}

void kern_fail_allocs(int on)
{
	fake.failing = on;
}

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
	found_count = 0;
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
	fake = (struct fake){.min = 17, .max = 32768};
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
