/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The JSON writer: escapes, UTF-8, nesting, numbers at their limits. Knows
 * sim/json.h alone; what is right is RFC 8259 and RFC 3629.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"

static struct json json;
static char *text;
static size_t text_size;

static struct json *begin(void)
{
	FILE *f = open_memstream(&text, &text_size);

	assert_non_null(f);
	json_init(&json, f);
	return &json;
}

static void expect(const char *want)
{
	fclose(json.out);
	assert_string_equal(text, want);
	free(text);
}

static void check_text(const char *s, const char *want)
{
	json_string(begin(), NULL, s);
	expect(want);
}

static void test_plain_strings(void **unused)
{
	(void)unused;
	check_text("", "\"\"\n");
	check_text("raid5.c:12 /a", "\"raid5.c:12 /a\"\n");
	check_text(NULL, "null\n");
}

/* RFC 8259, 7: quotation mark, reverse solidus, U+0000 to U+001F. */
static void test_escapes(void **unused)
{
	(void)unused;
	check_text("a\"b", "\"a\\\"b\"\n");
	check_text("a\\b", "\"a\\\\b\"\n");
	check_text("a\nb\tc", "\"a\\nb\\tc\"\n");
	check_text("\x01\x1f", "\"\\u0001\\u001f\"\n");
	check_text("\r", "\"\\u000d\"\n");
	check_text("\x7f", "\"\\u007f\"\n");
}

static void test_good_utf8_stays(void **unused)
{
	(void)unused;
	check_text("\xc3\xa9", "\"\xc3\xa9\"\n");
	check_text("\xe2\x82\xac", "\"\xe2\x82\xac\"\n");
	check_text("\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"\n");
	check_text("\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"\n");
}

/*
 * Each byte that begins no valid sequence becomes one U+FFFD:
 *
 *	80		a continuation alone
 *	c0 80		overlong NUL
 *	e0 9f bf	overlong
 *	ed a0 80	a surrogate
 *	f4 90 80 80	above U+10FFFF
 *	e2 82		cut off by the end of the string
 */
static void test_bad_utf8_is_replaced(void **unused)
{
	(void)unused;
	check_text("\x80", "\"\\ufffd\"\n");
	check_text("\xc0\x80", "\"\\ufffd\\ufffd\"\n");
	check_text("\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"\n");
	check_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");
	check_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
	check_text("a\xe2\x82", "\"a\\ufffd\\ufffd\"\n");
	check_text("\xff!", "\"\\ufffd!\"\n");
}

static void test_numbers(void **unused)
{
	struct json *j = begin();

	(void)unused;
	json_array(j, NULL);
	json_int(j, NULL, LLONG_MIN);
	json_int(j, NULL, 0);
	json_uint(j, NULL, ULLONG_MAX);
	json_end(j);
	expect("[\n  -9223372036854775808,\n  0,\n"
	       "  18446744073709551615\n]\n");
}

static void test_empty_ones(void **unused)
{
	struct json *j = begin();

	(void)unused;
	json_object(j, NULL);
	json_object(j, "o");
	json_end(j);
	json_array(j, "a");
	json_end(j);
	json_end(j);
	expect("{\n  \"o\": {},\n  \"a\": []\n}\n");
}

/* Keys come in the order written, commas between siblings only. */
static void test_nesting(void **unused)
{
	struct json *j = begin();

	(void)unused;
	json_object(j, NULL);
	json_bool(j, "z", true);
	json_array(j, "list");
	json_object(j, NULL);
	json_null(j, "n");
	json_bool(j, "b", false);
	json_end(j);
	json_string(j, NULL, "x");
	json_end(j);
	json_int(j, "a", 1);
	json_end(j);
	expect("{\n"
	       "  \"z\": true,\n"
	       "  \"list\": [\n"
	       "    {\n"
	       "      \"n\": null,\n"
	       "      \"b\": false\n"
	       "    },\n"
	       "    \"x\"\n"
	       "  ],\n"
	       "  \"a\": 1\n"
	       "}\n");
}

static void test_keys_are_escaped(void **unused)
{
	struct json *j = begin();

	(void)unused;
	json_object(j, NULL);
	json_int(j, "a\"b", 1);
	json_end(j);
	expect("{\n  \"a\\\"b\": 1\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_strings),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_good_utf8_stays),
		cmocka_unit_test(test_bad_utf8_is_replaced),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_empty_ones),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_keys_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
