/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cases as lines: what is read is what is written, and each change changes
 * what it says and nothing else. Knows sim/case-text.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "case-text.h"
#include "host/run.h"

const char *finding_kind_name(enum finding_kind kind)
{
	(void)kind;
	return "leak";
}

enum finding_kind finding_kind_by_name(const char *name)
{
	(void)name;
	return FINDING_LEAK;
}

static struct case_text t;

static const char *const whole = "[case]\n"
				 "title = t\n"
				 "\n[machine]\n"
				 "cpus = 4\n"
				 "\n[steps]\n"
				 "create = ok\n"
				 "load = a writers=4 ops=200 seed=7\n"
				 "wait = a\n"
				 "\n[expect stock*]\n"
				 "finding = leak\n"
				 "\n[expect]\n"
				 "finding = none\n";

static void read_text(const char *text)
{
	char path[] = "/tmp/test-case-text-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	struct diag diag = {""};

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	case_text_free(&t);
	assert_int_equal(case_text_read(&t, path, &diag), 0);
	unlink(path);
}

static void expect(const char *text)
{
	char *got = NULL;
	size_t size;
	FILE *f = open_memstream(&got, &size);

	case_text_write(&t, f);
	fclose(f);
	assert_string_equal(got, text);
	free(got);
}

static unsigned int line_of(const char *section, const char *key)
{
	for (unsigned int i = 0; i < t.count; i++)
		if (case_text_is(&t, i, section, key))
			return i;
	fail_msg("no %s in [%s]", key, section);
	return 0;
}

static void test_round_trip(void **unused)
{
	(void)unused;
	read_text(whole);
	expect(whole);
	read_text("# comment\n[case] # more\n\n title =  a b  ; c\n");
	expect("[case]\ntitle = a b\n");
}

static void test_load(void **unused)
{
	struct sim_case c;
	struct diag diag = {""};

	(void)unused;
	read_text(whole);
	assert_int_equal(case_text_load(&t, "d/x.case", 4096, &c, &diag), 0);
	assert_string_equal(c.path, "d/x.case");
	assert_int_equal(c.step_count, 3);
	case_free(&c);
	case_text_drop(&t, line_of("steps", "load"));
	assert_int_not_equal(case_text_load(&t, "d/x.case", 4096, &c, &diag),
			     0);
	case_free(&c);
}

static void test_drop(void **unused)
{
	(void)unused;
	read_text(whole);
	case_text_drop_section(&t, "expect");
	case_text_drop_section(&t, "machine");
	case_text_drop(&t, line_of("steps", "wait"));
	expect("[case]\ntitle = t\n\n[steps]\ncreate = ok\n"
	       "load = a writers=4 ops=200 seed=7\n");
}

static void test_add(void **unused)
{
	(void)unused;
	read_text("[case]\ntitle = t\n[steps]\ncreate = ok\n");
	case_text_add(&t, "case", "why", "w");
	case_text_add(&t, "schedule", "points", "locks");
	case_text_add(&t, "schedule", "schedule", "in-order");
	expect("[case]\ntitle = t\nwhy = w\n\n[steps]\ncreate = ok\n"
	       "\n[schedule]\npoints = locks\nschedule = in-order\n");
	for (unsigned int i = 0; i < 100; i++)
		case_text_add(&t, "steps", "touch", "0");
	for (unsigned int i = 0; i < 100; i++)
		case_text_drop(&t, line_of("steps", "touch"));
	expect("[case]\ntitle = t\nwhy = w\n\n[steps]\ncreate = ok\n"
	       "\n[schedule]\npoints = locks\nschedule = in-order\n");
}

static void expect_word(const char *value, const char *name, const char *text,
			const char *then)
{
	unsigned int i;

	read_text(whole);
	i = line_of("steps", "load");
	case_text_set(&t, i, value);
	case_text_set_word(&t, i, name, text);
	assert_string_equal(t.line[i].value, then);
}

static void test_words(void **unused)
{
	unsigned long long n = 0;
	unsigned int i;

	(void)unused;
	expect_word("a ops=200 seed=7", "ops", "100", "a ops=100 seed=7");
	expect_word("a ops=200 seed=7", "seed", "8", "a ops=200 seed=8");
	expect_word("a ops=200 seed=7", "ops", NULL, "a seed=7");
	expect_word("a ops=200", "ops", NULL, "a");
	expect_word("a ops=200", "depth", "4", "a ops=200 depth=4");
	expect_word("a ops=200", "depth", NULL, "a ops=200");
	expect_word("a xops=1 ops=2", "ops", NULL, "a xops=1");
	read_text(whole);
	i = line_of("steps", "load");
	assert_true(case_text_word(&t, i, "ops", &n));
	assert_int_equal(n, 200);
	assert_false(case_text_word(&t, i, "op", &n));
	assert_false(case_text_word(&t, i, "depth", &n));
	case_text_set(&t, i, "a sizes=1-64 ops");
	assert_false(case_text_word(&t, i, "sizes", &n));
	assert_false(case_text_word(&t, i, "ops", &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_load),
		cmocka_unit_test(test_drop),	   cmocka_unit_test(test_add),
		cmocka_unit_test(test_words),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	case_text_free(&t);
	return ret;
}
