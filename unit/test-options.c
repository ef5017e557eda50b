/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options: the walk over argv, the array's keys and their ranges, module
 * parameters, quoting for a shell. Knows sim/options.h and what it stands on.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

#define MAX_ARGS 16

/**
 * struct seen - what the walk told a made-up command
 * @log:	"flag value(x) optional(-) operand" in the order told
 */
struct seen {
	char log[256];
};

static struct setup setup;
static struct seen seen;
static struct diag diag;

static void note(const char *what, const char *value)
{
	size_t used = strlen(seen.log);

	snprintf(seen.log + used, sizeof(seen.log) - used, "%s(%s) ", what,
		 value ? value : "-");
}

static int on_flag(void *ctx, const char *value, struct diag *d)
{
	(void)d;
	assert_ptr_equal(ctx, &seen);
	note("flag", value);
	return 0;
}

static int on_value(void *ctx, const char *value, struct diag *d)
{
	(void)ctx;
	if (!strcmp(value, "bad"))
		return diag_set(d, NULL, "value", value, NULL, "bad");
	note("value", value);
	return 0;
}

static int on_optional(void *ctx, const char *value, struct diag *d)
{
	(void)ctx;
	(void)d;
	note("optional", value);
	return 0;
}

static int on_operand(void *ctx, const char *text, struct diag *d)
{
	(void)ctx;
	(void)d;
	note("operand", text);
	return 0;
}

static const struct option_def defs[] = {
	{"flag", OPTION_FLAG, on_flag},
	{"value", OPTION_VALUE, on_value},
	{"jobs", OPTION_VALUE, on_value},
	{"optional", OPTION_OPTIONAL, on_optional},
	{NULL, OPTION_FLAG, NULL},
};

/* Walk over words that are separated by single spaces. */
static int walk(const char *line, int with_operands)
{
	struct option_walk w = {
		.command = "test",
		.defs = defs,
		.setup = &setup,
		.operand = with_operands ? on_operand : NULL,
		.ctx = &seen,
	};
	char *text = strdup(line);
	char *argv[MAX_ARGS];
	int argc = 0;
	int err;

	setup_free(&setup);
	setup_init(&setup);
	seen.log[0] = '\0';
	diag.text[0] = '\0';
	for (char *s = strtok(text, " "); s; s = strtok(NULL, " "))
		argv[argc++] = s;
	err = options_walk(&w, argc, argv, &diag);
	free(text);
	return err;
}

static void expect_walk(const char *line, const char *want)
{
	assert_int_equal(walk(line, 1), 0);
	assert_string_equal(seen.log, want);
}

static void expect_refused(const char *line, const char *part)
{
	assert_int_equal(walk(line, 0), -EINVAL);
	if (!strstr(diag.text, part))
		fail_msg("'%s' is not in: %s", part, diag.text);
}

static void test_forms(void **unused)
{
	(void)unused;
	expect_walk("--flag", "flag(-) ");
	expect_walk("--value x", "value(x) ");
	expect_walk("--value=x", "value(x) ");
	expect_walk("--value=", "value() ");
	expect_walk("--value a=b", "value(a=b) ");
	expect_walk("--optional x", "optional(-) operand(x) ");
	expect_walk("--optional=x", "optional(x) ");
}

static void test_order_and_operands(void **unused)
{
	(void)unused;
	expect_walk("a --flag b", "operand(a) flag(-) operand(b) ");
	expect_walk("-- --flag -x", "operand(--flag) operand(-x) ");
	expect_walk("-", "operand(-) ");
}

static void test_jobs_has_a_short_form(void **unused)
{
	(void)unused;
	expect_walk("-j 4 a", "value(4) operand(a) ");
	expect_walk("-j4 a", "value(4) operand(a) ");
}

static void test_refusals(void **unused)
{
	(void)unused;
	expect_refused("--frob", "--frob: test has no such option");
	expect_refused("--flag=1", "--flag 1: takes no value");
	expect_refused("--value", "--value: needs a value");
	expect_refused("--value bad", "--value bad: bad");
	expect_refused("-x", "test has no option -x");
	expect_refused("stray", "unexpected argument 'stray'");
}

/* ------------------------------------------------------------------ */

static void test_array_defaults(void **unused)
{
	const struct array_desc *d = &setup.array.desc;

	(void)unused;
	assert_int_equal(walk("", 0), 0);
	assert_string_equal(d->name, "md0");
	assert_int_equal(d->level, 5);
	assert_int_equal(d->disks, 4);
	assert_int_equal(d->chunk_bytes, 524288);
	assert_int_equal(d->layout, 2);
	assert_int_equal(d->member_bytes, 1073741824);
	assert_int_equal(d->rotational, 0);
}

static void test_array_options(void **unused)
{
	const struct array_desc *d = &setup.array.desc;

	(void)unused;
	assert_int_equal(walk("--level 6 --disks 12 --chunk=64K "
			      "--layout right-asymmetric --member-size 2T "
			      "--rotational",
			      0),
			 0);
	assert_int_equal(d->level, 6);
	assert_int_equal(d->disks, 12);
	assert_int_equal(d->chunk_bytes, 65536);
	assert_int_equal(d->layout, 1);
	assert_true(d->member_bytes == 2ULL << 40);
	assert_int_equal(d->rotational, 1);
	assert_int_equal(walk("--layout 17", 0), 0);
	assert_int_equal(d->layout, 17);
}

/* What the driver is to refuse must reach it. */
static void test_array_lets_through(void **unused)
{
	(void)unused;
	assert_int_equal(walk("--level 6 --disks 3", 0), 0);
	assert_int_equal(walk("--chunk 0", 0), 0);
	assert_int_equal(walk("--chunk 96K", 0), 0);
	assert_int_equal(walk("--layout 255", 0), 0);
	assert_int_equal(walk("--disks 1", 0), 0);
	assert_int_equal(walk("--disks 1920", 0), 0);
}

static void test_array_refusals(void **unused)
{
	(void)unused;
	expect_refused("--level 3", "--level 3: too small; accepted: 4, 5");
	expect_refused("--level 7", "--level 7: too large");
	expect_refused("--disks 0", "--disks 0: too small");
	expect_refused("--disks 1921", "--disks 1921: too large");
	expect_refused("--chunk 513", "not a multiple of 512");
	expect_refused("--chunk 1T", "too large");
	expect_refused("--layout sideways", "accepted: a name like");
	expect_refused("--layout 256", "too large");
	expect_refused("--member-size 8192P", "too large");
	expect_refused("--rotational=maybe", "accepted: yes or no");
	expect_refused("--level 5 --level 5", "--level 5: given twice");
}

static void test_array_text_reads_back(void **unused)
{
	static const char line[] =
		"--disks 9 --level 4 --chunk 96K --layout ddf-N-continue "
		"--member-size 12345K --rotational";
	char text[256];

	(void)unused;
	assert_int_equal(walk(line, 0), 0);
	assert_int_equal(array_options(&setup.array.desc, text, sizeof(text)),
			 strlen(line));
	assert_string_equal(text, line);
	assert_int_equal(walk("--layout 99", 0), 0);
	array_options(&setup.array.desc, text, sizeof(text));
	assert_non_null(strstr(text, "--layout 99 "));
}

static void test_params(void **unused)
{
	const struct param_list *p = &setup.params;

	(void)unused;
	assert_int_equal(walk("--param a=1 --param b=x=y --param c=", 0), 0);
	assert_int_equal(p->count, 3);
	assert_string_equal(p->param[0].name, "a");
	assert_string_equal(p->param[0].value, "1");
	assert_string_equal(p->param[1].value, "x=y");
	assert_string_equal(p->param[2].value, "");
	expect_refused("--param a", "no '='");
	expect_refused("--param =1", "no name before '='");
}

static void test_machine_options_go_to_the_machine(void **unused)
{
	static struct machine m;

	(void)unused;
	assert_int_equal(walk("--cpus 6 --nodes 2 --mem 4G", 0), 0);
	assert_int_equal(machine_spec_finish(&setup.machine, 4096, &m, &diag),
			 0);
	assert_true(m.online_cpus.word[0] == 0x3f);
	assert_int_equal(m.cpu_node[5], 1);
	expect_refused("--cpus", "--cpus: needs a value");
	expect_refused("--cpu 4", "--cpu: test has no such option");
}

/* ------------------------------------------------------------------ */

static void expect_quoted(const char *text, const char *want)
{
	char buf[64] = "";

	shell_quote(buf, sizeof(buf), text);
	assert_string_equal(buf, want);
}

static void test_shell_quote(void **unused)
{
	char small[8] = "ab ";

	(void)unused;
	expect_quoted("a=1", "a=1");
	expect_quoted("0:cpus=0-3,mem=8G", "0:cpus=0-3,mem=8G");
	expect_quoted("", "''");
	expect_quoted("a b", "'a b'");
	expect_quoted("$x", "'$x'");
	expect_quoted("*", "'*'");
	expect_quoted("it's", "'it'\\''s'");
	shell_quote(small, sizeof(small), "12345678");
	assert_string_equal(small, "ab 1234");
}

static int set_up(void **unused)
{
	(void)unused;
	setup_init(&setup);
	return 0;
}

static int tear_down(void **unused)
{
	(void)unused;
	setup_free(&setup);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_order_and_operands),
		cmocka_unit_test(test_jobs_has_a_short_form),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_array_defaults),
		cmocka_unit_test(test_array_options),
		cmocka_unit_test(test_array_lets_through),
		cmocka_unit_test(test_array_refusals),
		cmocka_unit_test(test_array_text_reads_back),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_machine_options_go_to_the_machine),
		cmocka_unit_test(test_shell_quote),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
