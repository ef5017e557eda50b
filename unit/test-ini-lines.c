/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * INI files with line numbers, and the messages about them: what the callee
 * is told, and what is refused instead of being cut or skipped silently.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ini-lines.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static char path[] = "/tmp/test-ini-lines-XXXXXX";

/* All that the callee was told, one item after another. */
struct told {
	char text[1024];
	size_t longest;
	int stop_at; /* line at which to return 7 */
};

static int on_line(void *arg, const struct source_pos *pos, const char *section,
		   const char *key, const char *value)
{
	struct told *t = arg;
	size_t len = strlen(t->text);

	assert_string_equal(pos->file, path);
	assert_int_equal(!key, !value);
	if (value && strlen(value) > t->longest)
		t->longest = strlen(value);
	if (key)
		snprintf(t->text + len, sizeof(t->text) - len,
			 "%u[%s]%s=%.40s|", pos->line, section, key, value);
	else
		snprintf(t->text + len, sizeof(t->text) - len, "%u[%s]|",
			 pos->line, section);
	return t->stop_at == (int)pos->line ? 7 : 0;
}

static void write_file(const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static int parse(const char *text, struct told *t, struct diag *diag)
{
	memset(t, 0, sizeof(*t));
	diag->text[0] = '\0';
	write_file(text, strlen(text));
	return ini_lines_parse(path, on_line, t, diag);
}

struct accepted {
	const char *text;
	const char *told;
};

static void good_files(void **unused)
{
	static const struct accepted good[] = {
		{"", ""},
		{"\n\n# a = b\n ; [c]\n", ""},
		{"a=b", "1[]a=b|"},
		{"[s]\n\nk = v\n", "1[s]|3[s]k=v|"},
		{"[s]\r\nk = v\r\n", "1[s]|2[s]k=v|"},
		{"\xef\xbb\xbf[s]\nk=v\n", "1[s]|2[s]k=v|"},
		{"[s]\n[t]\n[s]\n", "1[s]|2[t]|3[s]|"},
		{"[s] # x\n[t] ; y\n", "1[s]|2[t]|"},
		/* order kept, repeated keys are all told */
		{"[s]\nb=1\na=2\nb=3\n", "1[s]|2[s]b=1|3[s]a=2|4[s]b=3|"},
		/* an indented line is a line, never part of the one before */
		{"[s]\nk = v\n  j = w\n", "1[s]|2[s]k=v|3[s]j=w|"},
		{"  [s]\n", "1[s]|"},
		{"k = v # c\nj = v ; c\ni = a#b;c\n",
		 "1[]k=v|2[]j=v|3[]i=a#b;c|"},
		{"k =\nj = # c\n", "1[]k=|2[]j=|"},
		{"k: v\nj = a:b=c\n", "1[]k=v|2[]j=a:b=c|"},
		{"k = a=b\n", "1[]k=a=b|"},
	};
	struct diag diag;
	struct told t;
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(good); i++) {
		if (parse(good[i].text, &t, &diag))
			fail_msg("'%s': %s", good[i].text, diag.text);
		assert_string_equal(t.text, good[i].told);
		assert_string_equal(diag.text, "");
	}
}

struct refused {
	const char *text;
	unsigned int line;
	const char *why;
};

static void bad_files(void **unused)
{
	static const struct refused bad[] = {
		{"a=b\nword\nc=d\n", 2, "no '=' after the key"},
		{"a=b\n  word\n", 2, "no '=' after the key"},
		{"a ; = b\n", 1, "no '=' after the key"},
		{"\n\n= v\n", 3, "no key before '='"},
		{"[s]\n[t\nk=v\n", 2, "no ']'"},
		{"[s ; x]\n", 1, "no ']'"},
		{"[s] k = v\n", 1, "text after ']'"},
		{"[a]k]\n", 1, "text after ']'"},
		{"[1234567890123456789012345678901234567890123456789]\n", 1,
		 "the section's name is too long"},
	};
	char start[64];
	struct diag diag;
	struct told t;
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(parse(bad[i].text, &t, &diag), -EINVAL);
		snprintf(start, sizeof(start), "%s:%u: %s", path, bad[i].line,
			 bad[i].why);
		if (strncmp(diag.text, start, strlen(start)))
			fail_msg("'%s', not '%s'", diag.text, start);
		assert_non_null(strstr(diag.text, "; accepted: [section]"));
	}
}

/* libinih's buffer would split such a line into two keys. */
static void long_lines(void **unused)
{
	char *text = malloc(INI_LINES_MAX + 16);
	struct diag diag;
	struct told t;

	(void)unused;
	assert_non_null(text);
	memset(text, 'x', INI_LINES_MAX + 8);
	memcpy(text, "k=", 2);
	strcpy(text + INI_LINES_MAX, "\nj=2\n");
	assert_int_equal(parse(text, &t, &diag), 0);
	assert_int_equal(t.longest, INI_LINES_MAX - 2);
	assert_non_null(strstr(t.text, "2[]j=2|"));
	memset(text, 'x', INI_LINES_MAX + 1);
	memcpy(text, "k=", 2);
	strcpy(text + INI_LINES_MAX + 1, "\n");
	assert_int_equal(parse(text, &t, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, ":1: the line is too long"));
	assert_string_equal(t.text, "");
	free(text);
}

static void nul_bytes(void **unused)
{
	static const char text[] = "a=b\nc=d\0e\n";
	struct diag diag = {""};
	struct told t = {"", 0, 0};

	(void)unused;
	write_file(text, sizeof(text) - 1);
	assert_int_equal(ini_lines_parse(path, on_line, &t, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, ":2: a NUL byte"));
	assert_string_equal(t.text, "1[]a=b|");
}

/* The callee's own value comes back, and nothing is told after it. */
static void callee_ends_it(void **unused)
{
	struct told t = {"", 0, 2};
	struct diag diag = {""};

	(void)unused;
	write_file("a=1\nb=2\nc=3\n", 12);
	assert_int_equal(ini_lines_parse(path, on_line, &t, &diag), 7);
	assert_string_equal(t.text, "1[]a=1|2[]b=2|");
	memset(&t, 0, sizeof(t));
	t.stop_at = 2;
	write_file("a=1\n[s]\nc=3\n", 12);
	assert_int_equal(ini_lines_parse(path, on_line, &t, &diag), 7);
	assert_string_equal(t.text, "1[]a=1|2[s]|");
	assert_string_equal(diag.text, "");
}

static void unreadable_files(void **unused)
{
	struct diag diag = {""};
	struct told t = {"", 0, 0};

	(void)unused;
	assert_int_equal(ini_lines_parse("/nonexistent/x", on_line, &t, &diag),
			 -EINVAL);
	assert_string_equal(diag.text, "/nonexistent/x: cannot open: No such "
				       "file or directory");
	diag.text[0] = '\0';
	assert_int_equal(ini_lines_parse("/", on_line, &t, &diag), -EINVAL);
	assert_string_equal(diag.text, "/: cannot read: Is a directory");
}

static int on_stdin_line(void *arg, const struct source_pos *pos,
			 const char *section, const char *key,
			 const char *value)
{
	unsigned int *sum = arg;

	assert_string_equal(pos->file, "<stdin>");
	assert_string_equal(section, "");
	*sum += pos->line * (unsigned int)(key[0] - 'a' + value[0] - '0');
	return 0;
}

static void standard_input(void **unused)
{
	struct diag diag = {""};
	unsigned int sum = 0;

	(void)unused;
	write_file("a=1\nb=2\n", 8);
	assert_non_null(freopen(path, "r", stdin));
	assert_int_equal(ini_lines_parse("-", on_stdin_line, &sum, &diag), 0);
	assert_int_equal(sum, 1 * 1 + 2 * 3);
}

static void messages(void **unused)
{
	struct source_pos pos = {"m.ini", 3};
	struct diag diag = {""};
	char longest[600];

	(void)unused;
	assert_int_equal(
		diag_set(&diag, &pos, "mem", "x", "a size", "bad %d", 5),
		-EINVAL);
	assert_string_equal(diag.text, "m.ini:3: mem: bad 5; accepted: a size");
	diag_set(&diag, NULL, "other", NULL, NULL, "later");
	assert_string_equal(diag.text, "m.ini:3: mem: bad 5; accepted: a size");
	diag.text[0] = '\0';
	diag_set(&diag, NULL, "mem", "8\n\033X", "a size", "bad");
	assert_string_equal(diag.text,
			    "raid5sim: --mem 8??X: bad; accepted: a size");
	diag.text[0] = '\0';
	diag_set(&diag, NULL, NULL, NULL, NULL, "nothing to do");
	assert_string_equal(diag.text, "raid5sim: nothing to do");
	memset(longest, 'y', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	diag.text[0] = '\0';
	diag_set(&diag, NULL, "mem", longest, "a size", "bad");
	assert_non_null(strstr(diag.text, "yyy...: bad; accepted: a size"));
	diag.text[0] = '\0';
	diag_set(&diag, NULL, NULL, NULL, "a size", "%s", longest);
	assert_int_equal(strlen(diag.text), sizeof(diag.text) - 1);
}

static int make_file(void **unused)
{
	int fd = mkstemp(path);

	(void)unused;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **unused)
{
	(void)unused;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_files),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(nul_bytes),
		cmocka_unit_test(callee_ends_it),
		cmocka_unit_test(unreadable_files),
		cmocka_unit_test(standard_input),
		cmocka_unit_test(messages),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
