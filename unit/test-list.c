/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Masks and lists: what is accepted, what is refused and why, and that text
 * and mask go back and forth. Knows only sim/list.h.
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

#include "list.h"

#define LAST_CPU  (MACHINE_MAX_CPUS - 1)
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static unsigned long long state;

/* Marsaglia's xorshift64: the same numbers on every host. */
static unsigned int draw(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % below;
}

static const char *formatted(const struct cpu_bits *m)
{
	static char text[LIST_TEXT];

	assert_true(cpu_bits_format(m, text, sizeof(text)) < sizeof(text));
	return text;
}

static void parse(const char *text, struct cpu_bits *m)
{
	char why[LIST_WHY] = "";

	if (cpu_bits_parse(text, 0, m, LAST_CPU, why))
		fail_msg("'%s': %s", text, why);
}

/* Bits on both sides of the words' borders: 63 | 64 ... 8191. */
static void helpers_at_word_borders(void **unused)
{
	static const unsigned int bit[] = {0, 63, 64, 127, 128, 8191};
	struct cpu_bits m = {{0}};
	unsigned int i;

	(void)unused;
	assert_true(cpu_bits_empty(&m));
	assert_int_equal(cpu_bits_first(&m), MACHINE_MAX_CPUS);
	assert_int_equal(cpu_bits_last(&m), MACHINE_MAX_CPUS);
	for (i = 0; i < LENGTH(bit); i++) {
		cpu_bits_set(&m, bit[i]);
		assert_true(cpu_bits_test(&m, bit[i]));
		assert_int_equal(cpu_bits_weight(&m), i + 1);
		assert_int_equal(cpu_bits_last(&m), bit[i]);
	}
	for (i = 1; i < LENGTH(bit); i++)
		assert_int_equal(cpu_bits_next(&m, bit[i - 1] + 1), bit[i]);
	assert_int_equal(cpu_bits_next(&m, 8191), 8191);
	assert_int_equal(cpu_bits_next(&m, 8192), MACHINE_MAX_CPUS);
	cpu_bits_clear(&m, 0);
	assert_false(cpu_bits_test(&m, 0));
	assert_int_equal(cpu_bits_first(&m), 63);
	assert_false(cpu_bits_empty(&m));
}

static void sets_compare_and_combine(void **unused)
{
	struct node_bits small = {{0}};
	struct node_bits big = {{0}};
	struct node_bits m;

	(void)unused;
	node_bits_set_range(&small, 60, 70);
	node_bits_set_range(&big, 0, 1023);
	assert_int_equal(node_bits_weight(&small), 11);
	assert_int_equal(node_bits_weight(&big), 1024);
	assert_true(node_bits_subset(&small, &big));
	assert_false(node_bits_subset(&big, &small));
	assert_false(node_bits_equal(&small, &big));
	m = big;
	node_bits_andnot(&m, &small);
	assert_int_equal(node_bits_weight(&m), 1013);
	assert_false(node_bits_test(&m, 65));
	assert_false(node_bits_subset(&small, &m));
	node_bits_or(&m, &small);
	assert_true(node_bits_equal(&m, &big));
}

struct accepted {
	const char *text;
	const char *canonical;
};

static void good_lists(void **unused)
{
	static const struct accepted good[] = {
		{"0", "0"},
		{"0-3,8", "0-3,8"},
		{"8,0-3", "0-3,8"},
		{"3,2,1", "1-3"},
		{"0,1", "0-1"},
		{"0-3,2-5", "0-5"},
		{" 0-3,8\n", "0-3,8"},
		{"\t7 \n", "7"},
		{"N", "8191"},
		{"8190-N", "8190-8191"},
		{"all", "0-8191"},
		{"ALL", "0-8191"},
		{"0-N", "0-8191"},
		{"0-7:1/2", "0,2,4,6"},
		{"0-1023:2/256", "0-1,256-257,512-513,768-769"},
		{"all:1/4096", "0,4096"},
		{"5-9:2/3", "5-6,8-9"},
		{"0-4:3/4", "0-2,4"},
		{"0-9:4/4", "0-9"},
		{"3-9:1/4294967295", "3"},
		{"0-9:0/4,7", "7"},
		{"00000000000000000007", "7"},
		{"63-64", "63-64"},
	};
	struct cpu_bits m;
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(good); i++) {
		parse(good[i].text, &m);
		assert_string_equal(formatted(&m), good[i].canonical);
	}
}

/* used/group by its definition, bit by bit, for every small case. */
static void groups_by_definition(void **unused)
{
	unsigned int used, group, first, bit;
	struct cpu_bits m;
	char text[64];

	(void)unused;
	for (first = 0; first < 3; first++)
		for (group = 1; group < 70; group += 3)
			for (used = 1; used <= group; used++) {
				snprintf(text, sizeof(text), "%u-200:%u/%u",
					 first, used, group);
				parse(text, &m);
				for (bit = 0; bit < 300; bit++)
					assert_int_equal(
						cpu_bits_test(&m, bit),
						bit >= first && bit <= 200 &&
							(bit - first) % group <
								used);
			}
}

struct refused {
	const char *text;
	int err;
	const char *why;
};

static void bad_lists(void **unused)
{
	static const struct refused bad[] = {
		{"", -EINVAL, "empty"},
		{" \n", -EINVAL, "empty"},
		{"0-7:0/4", -EINVAL, "empty"},
		{",", -EINVAL, "',' instead of a number"},
		{"1,", -EINVAL, "a number is missing at the end"},
		{"1,,2", -EINVAL, "',' instead of a number"},
		{"1 2", -EINVAL, "white space instead of ','"},
		{"1, 2", -EINVAL, "white space instead of a number"},
		{"x", -EINVAL, "'x' instead of a number"},
		{"3x", -EINVAL, "'x' instead of ','"},
		{"-3", -EINVAL, "'-' instead of a number"},
		{"+3", -EINVAL, "'+' instead of a number"},
		{"0x3", -EINVAL, "'x' instead of ','"},
		{"n", -EINVAL, "'n' instead of a number"},
		{"allx", -EINVAL, "'x' instead of ','"},
		{"al", -EINVAL, "'a' instead of a number"},
		{"3-", -EINVAL, "a number is missing"},
		{"3-1", -EINVAL, "3-1 is the wrong way round"},
		{"N-0", -EINVAL, "8191-0 is the wrong way round"},
		{"3:1/2", -EINVAL, "':' instead of ','"},
		{"0-3:1", -EINVAL, "'/' is missing"},
		{"0-3:/2", -EINVAL, "'/' instead of a number"},
		{"0-3:1/", -EINVAL, "a number is missing"},
		{"0-3:1/0", -EINVAL, "a group of 0"},
		{"0-3:3/2", -EINVAL, "3 used of a group of 2"},
		{"0-3:1/2:1/2", -EINVAL, "':' instead of ','"},
		{"8192", -ERANGE, "8192 is above 8191"},
		{"0-8192", -ERANGE, "8192 is above 8191"},
		{"4294967295", -ERANGE, "4294967295 is above 8191"},
		{"4294967296", -ERANGE, "a number is above 4294967295"},
		{"4294967299", -ERANGE, "a number is above 4294967295"},
		{"18446744073709551616", -ERANGE, "above 4294967295"},
		{"1\x80", -EINVAL, "byte 0x80 instead of ','"},
	};
	struct cpu_bits m;
	char why[LIST_WHY];
	unsigned int i;
	int err;

	(void)unused;
	for (i = 0; i < LENGTH(bad); i++) {
		why[0] = '\0';
		err = cpu_bits_parse(bad[i].text, 0, &m, LAST_CPU, why);
		if (err != bad[i].err || !strstr(why, bad[i].why))
			fail_msg("'%s': %d '%s', not %d '%s'", bad[i].text, err,
				 why, bad[i].err, bad[i].why);
	}
}

static void empty_where_allowed(void **unused)
{
	static const char *const empty[] = {"", " ", "\n", "0-7:0/4"};
	struct cpu_bits m;
	char why[LIST_WHY];
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(empty); i++) {
		memset(&m, 0xff, sizeof(m));
		assert_int_equal(cpu_bits_parse(empty[i], LIST_MAY_BE_EMPTY, &m,
						LAST_CPU, why),
				 0);
		assert_true(cpu_bits_empty(&m));
		assert_string_equal(formatted(&m), "");
	}
}

/* N and all follow @last; plain numbers may still go up to the mask's end. */
static void n_is_the_last(void **unused)
{
	struct cpu_bits m;
	char why[LIST_WHY];

	(void)unused;
	assert_int_equal(cpu_bits_parse("all", 0, &m, 15, why), 0);
	assert_string_equal(formatted(&m), "0-15");
	assert_int_equal(cpu_bits_parse("N,20", 0, &m, 15, why), 0);
	assert_string_equal(formatted(&m), "15,20");
	assert_int_equal(cpu_bits_parse("18-N", 0, &m, 15, why), -EINVAL);
	assert_non_null(strstr(why, "18-15"));
}

static void node_masks_are_smaller(void **unused)
{
	struct node_bits m;
	char why[LIST_WHY];
	char text[16];

	(void)unused;
	assert_int_equal(node_bits_parse("1023", 0, &m, 1023, why), 0);
	assert_int_equal(node_bits_last(&m), 1023);
	assert_int_equal(node_bits_parse("1024", 0, &m, 1023, why), -ERANGE);
	assert_string_equal(why, "1024 is above 1023");
	assert_int_equal(node_bits_parse("0,8,252-255", 0, &m, 1023, why), 0);
	assert_int_equal(node_bits_format(&m, text, sizeof(text)), 11);
	assert_string_equal(text, "0,8,252-255");
}

static void format_keeps_to_its_buffer(void **unused)
{
	struct cpu_bits m;
	char text[8];

	(void)unused;
	parse("100-200,300", &m);
	memset(text, '#', sizeof(text));
	assert_int_equal(cpu_bits_format(&m, text, 6), 11);
	assert_string_equal(text, "100-2");
	assert_int_equal(text[6], '#');
	assert_int_equal(cpu_bits_format(&m, text, 0), 11);
	assert_string_equal(text, "100-2");
	parse("all:1/2", &m);
	assert_int_equal(strlen(formatted(&m)) < LIST_TEXT, 1);
	parse(formatted(&m), &m);
	assert_int_equal(cpu_bits_weight(&m), MACHINE_MAX_CPUS / 2);
}

static void random_masks_round_trip(void **unused)
{
	struct cpu_bits m, again;
	unsigned int round, i, first;

	(void)unused;
	state = 1;
	for (round = 0; round < 300; round++) {
		memset(&m, 0, sizeof(m));
		for (i = draw(40) + 1; i; i--) {
			first = draw(MACHINE_MAX_CPUS);
			cpu_bits_set_range(
				&m, first,
				first + draw(MACHINE_MAX_CPUS - first));
			cpu_bits_clear(&m, draw(MACHINE_MAX_CPUS));
		}
		if (cpu_bits_empty(&m))
			continue;
		parse(formatted(&m), &again);
		assert_true(cpu_bits_equal(&m, &again));
	}
}

/* Change, drop or double a few bytes of a good list. */
static void mutate(char *text, size_t size)
{
	static const char alphabet[] = "0123456789-,:/N all\n\xff";
	unsigned int n = draw(4) + 1;
	size_t len, at;

	while (n--) {
		len = strlen(text);
		at = draw((unsigned int)len + 1);
		if (draw(3) == 0 && at < len)
			memmove(text + at, text + at + 1, len - at);
		else if (draw(2) && at < len)
			text[at] = alphabet[draw(sizeof(alphabet) - 1)];
		else if (len + 1 < size) {
			memmove(text + at + 1, text + at, len - at + 1);
			text[at] = alphabet[draw(sizeof(alphabet) - 1)];
		}
	}
}

static void mutated_lists(void **unused)
{
	static const char *const seed[] = {
		"0-3,8", "0-1023:2/256", "all", "N", "0,2,4-N:1/2", "8190-8191",
	};
	unsigned int round, good = 0;
	struct cpu_bits m, again;
	char why[LIST_WHY];
	char text[64];

	(void)unused;
	state = 2;
	for (round = 0; round < 20000; round++) {
		snprintf(text, sizeof(text), "%s", seed[draw(LENGTH(seed))]);
		mutate(text, sizeof(text));
		memset(why, 0, sizeof(why));
		if (cpu_bits_parse(text, 0, &m, LAST_CPU, why)) {
			assert_int_not_equal(strlen(why), 0);
			continue;
		}
		good++;
		parse(formatted(&m), &again);
		assert_true(cpu_bits_equal(&m, &again));
	}
	/* Neither all refused nor all taken: the test has seen both. */
	assert_in_range(good, 1000, 19000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(helpers_at_word_borders),
		cmocka_unit_test(sets_compare_and_combine),
		cmocka_unit_test(good_lists),
		cmocka_unit_test(groups_by_definition),
		cmocka_unit_test(bad_lists),
		cmocka_unit_test(empty_where_allowed),
		cmocka_unit_test(n_is_the_last),
		cmocka_unit_test(node_masks_are_smaller),
		cmocka_unit_test(format_keeps_to_its_buffer),
		cmocka_unit_test(random_masks_round_trip),
		cmocka_unit_test(mutated_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
