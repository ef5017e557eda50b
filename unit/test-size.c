/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes and numbers: the accepted forms, the limits of 64 bits, and that the
 * shortest text is exact. Knows only sim/size.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "size.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define MAX	  (~0ULL)

static unsigned long long state;

/* Marsaglia's xorshift64: the same numbers on every host. */
static unsigned long long draw64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static unsigned int draw(unsigned int below)
{
	return (unsigned int)(draw64() >> 33) % below;
}

struct accepted {
	const char *text;
	unsigned long long bytes;
};

static void good_sizes(void **unused)
{
	static const struct accepted good[] = {
		{"0", 0},
		{"17", 17},
		{"17B", 17},
		{"1K", 1ULL << 10},
		{"1k", 1ULL << 10},
		{"512K", 512ULL << 10},
		{"3M", 3ULL << 20},
		{"8G", 8ULL << 30},
		{"8GB", 8ULL << 30},
		{"8GiB", 8ULL << 30},
		{"8g", 8ULL << 30},
		{"5T", 5ULL << 40},
		{"1P", 1ULL << 50},
		{" 8G\n", 8ULL << 30},
		{"16383P", 16383ULL << 50},
		{"18014398509481983K", MAX & ~1023ULL},
		{"18446744073709551615", MAX},
		{"0P", 0},
		{"0008", 8},
	};
	unsigned long long bytes;
	const char *why;
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(good); i++) {
		bytes = 12345;
		why = "";
		if (size_parse(good[i].text, &bytes, &why))
			fail_msg("'%s': %s", good[i].text, why);
		if (bytes != good[i].bytes)
			fail_msg("'%s' is %llu", good[i].text, bytes);
	}
}

struct refused {
	const char *text;
	int err;
};

static void bad_sizes(void **unused)
{
	static const struct refused bad[] = {
		{"", -EINVAL},
		{" ", -EINVAL},
		{"K", -EINVAL},
		{"-1", -EINVAL},
		{"+1", -EINVAL},
		{"1.5G", -EINVAL},
		{"1E", -EINVAL},
		{"1KK", -EINVAL},
		{"1iB", -EINVAL},
		{"1Ki", -EINVAL},
		{"1KB5", -EINVAL},
		{"1 K", -EINVAL},
		{"0x10", -EINVAL},
		{"1KBB", -EINVAL},
		{"8Gb", -EINVAL},
		{"\xff", -EINVAL},
		{"16384P", -ERANGE},
		{"18014398509481984K", -ERANGE},
		{"18446744073709551616", -ERANGE},
		{"99999999999999999999999999", -ERANGE},
	};
	unsigned long long bytes = 4711;
	const char *why;
	unsigned int i;
	int err;

	(void)unused;
	for (i = 0; i < LENGTH(bad); i++) {
		why = NULL;
		err = size_parse(bad[i].text, &bytes, &why);
		if (err != bad[i].err || !why)
			fail_msg("'%s' gives %d", bad[i].text, err);
		assert_true(bytes == 4711);
	}
}

static void formats(void **unused)
{
	static const struct accepted shortest[] = {
		{"0", 0},
		{"17", 17},
		{"1023", 1023},
		{"1K", 1024},
		{"1025", 1025},
		{"12345K", 12345ULL << 10},
		{"8G", 8ULL << 30},
		{"1536M", 1536ULL << 20},
		{"1P", 1ULL << 50},
		{"1024P", 1ULL << 60},
		{"18446744073709551615", MAX},
	};
	char text[SIZE_TEXT];
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(shortest); i++)
		assert_string_equal(size_format(shortest[i].bytes, text),
				    shortest[i].text);
}

/* No suffix says the same in fewer characters. */
static void format_is_exact_and_shortest(void **unused)
{
	unsigned long long bytes, again;
	unsigned int round, power;
	char text[SIZE_TEXT], other[32];
	const char *why;

	(void)unused;
	state = 1;
	for (round = 0; round < 5000; round++) {
		bytes = draw64() >> draw(64);
		bytes <<= draw(64);
		size_format(bytes, text);
		assert_int_equal(size_parse(text, &again, &why), 0);
		assert_true(again == bytes);
		for (power = 0; power <= 5; power++) {
			if (bytes & ((1ULL << (10 * power)) - 1))
				continue;
			snprintf(other, sizeof(other), "%llu%s",
				 bytes >> (10 * power), power ? "K" : "");
			assert_true(strlen(text) <= strlen(other));
		}
	}
}

static void numbers(void **unused)
{
	unsigned long long n = 4711;
	const char *why;

	(void)unused;
	assert_int_equal(
		number_parse("0x10000000000000", 1, 1ULL << 52, &n, &why), 0);
	assert_true(n == 1ULL << 52);
	assert_int_equal(number_parse(" 12\n", 0, 100, &n, &why), 0);
	assert_true(n == 12);
	assert_int_equal(number_parse("0Xff", 0, 255, &n, &why), 0);
	assert_true(n == 255);
	assert_int_equal(number_parse("0xffffffffffffffff", 0, MAX, &n, &why),
			 0);
	assert_true(n == MAX);
	n = 4711;
	assert_int_equal(number_parse("0x10000000000000000", 0, MAX, &n, &why),
			 -ERANGE);
	assert_int_equal(number_parse("0", 1, 8, &n, &why), -ERANGE);
	assert_string_equal(why, "too small");
	assert_int_equal(number_parse("9", 1, 8, &n, &why), -ERANGE);
	assert_string_equal(why, "too large");
	assert_int_equal(number_parse("", 0, 8, &n, &why), -EINVAL);
	assert_int_equal(number_parse("0x", 0, 8, &n, &why), -EINVAL);
	assert_int_equal(number_parse("-1", 0, MAX, &n, &why), -EINVAL);
	assert_int_equal(number_parse("1K", 0, MAX, &n, &why), -EINVAL);
	assert_int_equal(number_parse("1 2", 0, MAX, &n, &why), -EINVAL);
	assert_true(n == 4711);
}

static void mutated_sizes(void **unused)
{
	static const char alphabet[] = "0123456789KMGTPiBkx -\xff";
	unsigned long long bytes, again;
	unsigned int round, i, len, good = 0;
	char text[32], shortest[SIZE_TEXT];
	const char *why;

	(void)unused;
	state = 2;
	for (round = 0; round < 20000; round++) {
		len = draw(6);
		for (i = 0; i < len; i++)
			text[i] = alphabet[draw(sizeof(alphabet) - 1)];
		text[i] = '\0';
		why = NULL;
		if (size_parse(text, &bytes, &why)) {
			assert_non_null(why);
			continue;
		}
		good++;
		size_format(bytes, shortest);
		assert_int_equal(size_parse(shortest, &again, &why), 0);
		assert_true(again == bytes);
	}
	assert_in_range(good, 1000, 19000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_sizes),
		cmocka_unit_test(bad_sizes),
		cmocka_unit_test(formats),
		cmocka_unit_test(format_is_exact_and_shortest),
		cmocka_unit_test(numbers),
		cmocka_unit_test(mutated_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
