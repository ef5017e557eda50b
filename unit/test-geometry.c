/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts against tables drawn by hand, as md(4), mdadm's manual and the DDF
 * specification show them, and the arithmetic of P and Q against its laws.
 * Knows sim/geometry.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "boundary.h"
#include "geometry.h"

/*
 * A row a string: for each slot the number of the data chunk (0-9, then a-z),
 * or P or Q.
 */
struct drawing {
	int level;
	int layout;
	const char *rows[6];
};

static const struct drawing drawings[] = {
	{4, 0, {"012P", "345P", "678P", "9abP"}},
	{4, 2, {"012P", "345P", "678P", "9abP"}},
	{5, 0, {"012P", "34P5", "6P78", "P9ab", "cdeP"}},
	{5, 1, {"P012", "3P45", "67P8", "9abP", "Pcde"}},
	{5, 2, {"012P", "45P3", "8P67", "P9ab", "cdeP"}},
	{5, 3, {"P012", "5P34", "78P6", "9abP", "Pcde"}},
	{5, 4, {"P012", "P345", "P678"}},
	{5, 5, {"012P", "345P", "678P"}},
	/* Level 6: P walks, Q is on its right (around the end). */
	{6, 0, {"Q012P", "345PQ", "67PQ8", "9PQab", "PQcde", "QfghP"}},
	{6, 1, {"PQ012", "3PQ45", "67PQ8", "9abPQ", "QcdeP", "PQfgh"}},
	{6, 2, {"Q012P", "345PQ", "78PQ6", "bPQ9a", "PQcde", "QfghP"}},
	{6, 3, {"PQ012", "5PQ34", "78PQ6", "9abPQ", "QcdeP", "PQfgh"}},
	{6, 4, {"PQ012", "PQ345"}},
	{6, 5, {"012PQ", "345PQ"}},
	{6, 8, {"PQ012", "3PQ45", "67PQ8", "9abPQ", "QcdeP", "PQfgh"}},
	{6, 9, {"012PQ", "34PQ5", "6PQ78", "PQ9ab", "QcdeP", "fghPQ"}},
	{6, 10, {"012QP", "45QP3", "8QP67", "QP9ab", "PcdeQ", "fghQP"}},
	/* Level 5 of one slot less, and Q on the last. */
	{6, 16, {"012PQ", "34P5Q", "6P78Q", "P9abQ", "cdePQ"}},
	{6, 17, {"P012Q", "3P45Q", "67P8Q", "9abPQ", "PcdeQ"}},
	{6, 18, {"012PQ", "45P3Q", "8P67Q", "P9abQ", "cdePQ"}},
	{6, 19, {"P012Q", "5P34Q", "78P6Q", "9abPQ", "PcdeQ"}},
	{6, 20, {"P012Q", "P345Q"}},
};

#define DRAWINGS (sizeof(drawings) / sizeof(drawings[0]))

static struct geometry geometry_of(const struct drawing *d, unsigned int disks)
{
	return (struct geometry){d->level, d->layout, disks, 8};
}

static char label(unsigned long long chunk)
{
	return "0123456789abcdefghijklmnopqrstuvwxyz"[chunk];
}

static void draw(const struct geometry *g, unsigned long long number,
		 char *text)
{
	static struct stripe_row row;

	geometry_row(g, number, &row);
	memset(text, '?', g->disks);
	text[g->disks] = '\0';
	text[row.p] = 'P';
	if (row.q >= 0)
		text[row.q] = 'Q';
	for (unsigned int i = 0; i < row.data_disks; i++)
		text[row.data[i]] = label(number * row.data_disks + i);
}

static void test_drawings(void **unused)
{
	char text[16];

	(void)unused;
	for (unsigned int i = 0; i < DRAWINGS; i++) {
		const struct drawing *d = &drawings[i];
		unsigned int disks = (unsigned int)strlen(d->rows[0]);
		struct geometry g = geometry_of(d, disks);

		assert_true(geometry_known(&g));
		for (unsigned int k = 0; k < 6 && d->rows[k]; k++) {
			draw(&g, k, text);
			if (strcmp(text, d->rows[k]))
				fail_msg("level %d layout %d row %u: %s, "
					 "not %s",
					 d->level, d->layout, k, text,
					 d->rows[k]);
		}
	}
}

/* geometry_place() goes its own way; it must end in the same slot. */
static void test_places(void **unused)
{
	static struct stripe_row row;

	(void)unused;
	for (unsigned int i = 0; i < DRAWINGS; i++)
		for (unsigned int disks = 4; disks < 12; disks++) {
			struct geometry g = geometry_of(&drawings[i], disks);
			struct place_on_member at;

			for (unsigned long long s = 3; s < 40000; s += 77) {
				geometry_place(&g, s, &at);
				geometry_row(&g, at.row, &row);
				assert_int_equal(at.slot, row.data[at.index]);
				assert_int_equal(at.sector / 8, at.row);
				assert_int_equal(geometry_sector(&g, at.index,
								 at.sector),
						 s);
			}
		}
}

static void test_place_by_hand(void **unused)
{
	struct geometry g = {5, 2, 4, 128};
	struct place_on_member at;

	(void)unused;
	/* Chunk 4 of left-symmetric is the first slot's second row. */
	geometry_place(&g, 4 * 128 + 5, &at);
	assert_int_equal(at.slot, 0);
	assert_int_equal(at.row, 1);
	assert_int_equal(at.index, 1);
	assert_int_equal(at.sector, 128 + 5);
}

static void test_unknown(void **unused)
{
	static const struct geometry bad[] = {
		{5, 6, 4, 8},  {5, 8, 4, 8},  {5, 16, 4, 8}, {6, 6, 5, 8},
		{6, 11, 5, 8}, {6, 21, 5, 8}, {6, 2, 2, 8},  {5, 2, 1, 8},
		{5, 2, 4, 0},  {1, 0, 4, 8},
	};

	(void)unused;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(geometry_known(&bad[i]));
}

/* ------------------------------------------------------------------ */

static void test_field(void **unused)
{
	static unsigned char seen[256];

	(void)unused;
	assert_int_equal(gf_mul(0x80, 2), 0x1d);
	assert_int_equal(gf_mul(0x8e, 2), 1);
	assert_int_equal(gf_pow2(8), 0x1d);
	for (unsigned int i = 0; i < 255; i++) {
		assert_false(seen[gf_pow2(i)]);
		seen[gf_pow2(i)] = 1;
	}
	assert_int_equal(gf_pow2(255), 1);
	for (unsigned int a = 1; a < 256; a++) {
		unsigned char inverse = gf_inverse((unsigned char)a);

		assert_int_equal(gf_mul((unsigned char)a, inverse), 1);
	}
}

#define SLOTS 8
static unsigned char blocks[SLOTS][KERN_SECTOR];
static unsigned char *slots[SLOTS];

static void fill(void)
{
	unsigned int state = 99;

	for (unsigned int i = 0; i < SLOTS; i++) {
		slots[i] = blocks[i];
		for (unsigned int k = 0; k < KERN_SECTOR; k++) {
			state = state * 1103515245u + 12345u;
			blocks[i][k] = (unsigned char)(state >> 16);
		}
	}
}

static void expect_recovers(const struct stripe_row *row, int a, int b)
{
	unsigned char got_a[KERN_SECTOR];
	unsigned char got_b[KERN_SECTOR];
	unsigned char saved_a[KERN_SECTOR];
	unsigned char saved_b[KERN_SECTOR];

	memcpy(saved_a, blocks[a], KERN_SECTOR);
	memset(blocks[a], 0x5a, KERN_SECTOR);
	if (b >= 0) {
		memcpy(saved_b, blocks[b], KERN_SECTOR);
		memset(blocks[b], 0x5a, KERN_SECTOR);
	}
	assert_true(parity_recover(row, slots, a, b, got_a, got_b));
	assert_memory_equal(got_a, saved_a, KERN_SECTOR);
	memcpy(blocks[a], saved_a, KERN_SECTOR);
	if (b < 0)
		return;
	assert_memory_equal(got_b, saved_b, KERN_SECTOR);
	memcpy(blocks[b], saved_b, KERN_SECTOR);
}

/* Any slot, and with a Q any two, come back; in every layout. */
static void test_recovery(void **unused)
{
	static struct stripe_row row;

	(void)unused;
	for (unsigned int i = 0; i < DRAWINGS; i++) {
		struct geometry g = geometry_of(&drawings[i], SLOTS);

		fill();
		geometry_row(&g, 3, &row);
		parity_compute(&row, slots, blocks[row.p],
			       row.q < 0 ? NULL : blocks[row.q]);
		for (int a = 0; a < SLOTS; a++)
			expect_recovers(&row, a, -1);
		for (int a = 0; a < SLOTS && row.q >= 0; a++)
			for (int b = 0; b < SLOTS; b++)
				if (a != b)
					expect_recovers(&row, a, b);
		if (row.q < 0)
			assert_false(parity_recover(&row, slots, 0, 1,
						    blocks[0], blocks[1]));
	}
}

/*
 * Q by hand. Left-symmetric of 5, row 0 is Q012P: the sum counts from the
 * slot after Q, so data n has 2^n. DDF N continue, row 1 is 45QP3: there the
 * slot counts.
 */
static void test_q_by_hand(void **unused)
{
	static struct stripe_row row;
	struct geometry md = {6, 2, 5, 8};
	struct geometry ddf = {6, 10, 5, 8};
	unsigned char p[KERN_SECTOR], q[KERN_SECTOR];

	(void)unused;
	fill();
	for (unsigned int i = 0; i < SLOTS; i++)
		memset(blocks[i], 1 << i, KERN_SECTOR);
	geometry_row(&md, 0, &row);
	parity_compute(&row, slots, p, q);
	assert_int_equal(p[0], 2 ^ 4 ^ 8);
	assert_int_equal(q[0], 2 ^ 4 * 2 ^ 8 * 4);
	geometry_row(&ddf, 1, &row);
	parity_compute(&row, slots, p, q);
	assert_int_equal(p[511], 1 ^ 2 ^ 16);
	assert_int_equal(q[511], 1 ^ 2 * 2 ^ gf_mul(16, 16));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawings),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_place_by_hand),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_field),
		cmocka_unit_test(test_recovery),
		cmocka_unit_test(test_q_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
