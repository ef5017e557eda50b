/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each layout is said in a few words: where P goes from row to row, on which
 * side of it Q is, and where the data begins. All of them follow from that:
 *
 *	P is at a fixed end, or moves one slot a row, forwards or backwards,
 *	around a ring of slots. The data chunks take the slots that are left,
 *	either from slot 0 on, or around the ring from the slot after P.
 *
 * It shares nothing with the driver, whose own mapping it is to check.
 */
#include <string.h>

#include "boundary.h"
#include "geometry.h"

enum move { FIRST, LAST, FORWARDS, BACKWARDS };
enum q_side { NO_Q, Q_AFTER, Q_BEFORE, Q_LAST };
enum data_from { FROM_SLOT_0, FROM_P };

/**
 * struct layout - one layout of one level
 * @ddf:	the coefficient of Q goes by slot, not by the order of the data
 *		after Q
 * @shift:	rows by which P is ahead
 */
struct layout {
	int level;
	int number;
	enum move move;
	enum q_side q;
	enum data_from data;
	bool ddf;
	unsigned int shift;
};

static const struct layout layouts[] = {
	{5, 0, BACKWARDS, NO_Q, FROM_SLOT_0, false, 0},
	{5, 1, FORWARDS, NO_Q, FROM_SLOT_0, false, 0},
	{5, 2, BACKWARDS, NO_Q, FROM_P, false, 0},
	{5, 3, FORWARDS, NO_Q, FROM_P, false, 0},
	{5, 4, FIRST, NO_Q, FROM_SLOT_0, false, 0},
	{5, 5, LAST, NO_Q, FROM_SLOT_0, false, 0},
	{6, 0, BACKWARDS, Q_AFTER, FROM_SLOT_0, false, 0},
	{6, 1, FORWARDS, Q_AFTER, FROM_SLOT_0, false, 0},
	{6, 2, BACKWARDS, Q_AFTER, FROM_P, false, 0},
	{6, 3, FORWARDS, Q_AFTER, FROM_P, false, 0},
	{6, 4, FIRST, Q_AFTER, FROM_SLOT_0, false, 0},
	{6, 5, LAST, Q_AFTER, FROM_SLOT_0, false, 0},
	{6, 8, FORWARDS, Q_AFTER, FROM_SLOT_0, true, 0},
	{6, 9, BACKWARDS, Q_AFTER, FROM_SLOT_0, true, 1},
	{6, 10, BACKWARDS, Q_BEFORE, FROM_P, true, 0},
	{6, 16, BACKWARDS, Q_LAST, FROM_SLOT_0, false, 0},
	{6, 17, FORWARDS, Q_LAST, FROM_SLOT_0, false, 0},
	{6, 18, BACKWARDS, Q_LAST, FROM_P, false, 0},
	{6, 19, FORWARDS, Q_LAST, FROM_P, false, 0},
	{6, 20, FIRST, Q_LAST, FROM_SLOT_0, false, 0},
};

/* Level 4 has its parity on the last member, whatever the layout says. */
static const struct layout level_4 = {4, 0, LAST, NO_Q, FROM_SLOT_0, false, 0};

static const struct layout *find(const struct geometry *g)
{
	if (g->level == 4)
		return &level_4;
	for (unsigned int i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].level == g->level &&
		    layouts[i].number == g->layout)
			return &layouts[i];
	return NULL;
}

bool geometry_known(const struct geometry *g)
{
	unsigned int parities = g->level == 6 ? 2 : 1;

	return find(g) && g->chunk_sectors && g->disks > parities &&
	       g->disks <= GEOMETRY_DISKS;
}

unsigned int geometry_data_disks(const struct geometry *g)
{
	return g->disks - (g->level == 6 ? 2 : 1);
}

static int find_p(const struct layout *l, unsigned int ring,
		  unsigned long long number)
{
	unsigned int turn = (unsigned int)((number + l->shift) % ring);

	switch (l->move) {
	case FIRST:
		return 0;
	case LAST:
		return (int)ring - (l->q == Q_AFTER ? 2 : 1);
	case FORWARDS:
		return (int)turn;
	default:
		return (int)(ring - 1 - turn);
	}
}

static int find_q(const struct layout *l, unsigned int disks, int p)
{
	int n = (int)disks;

	switch (l->q) {
	case Q_AFTER:
		return (p + 1) % n;
	case Q_BEFORE:
		return (p + n - 1) % n;
	case Q_LAST:
		return n - 1;
	default:
		return -1;
	}
}

/* Data slots in the order that the sum of Q counts them: after Q, around. */
static void find_powers(const struct layout *l, unsigned int disks,
			struct stripe_row *row)
{
	short power = 0;

	for (unsigned int i = 0; i < disks; i++) {
		int slot = (row->q + 1 + (int)i) % (int)disks;

		row->power[slot] = 0;
		if (slot != row->p && slot != row->q)
			row->power[slot] = l->ddf ? (short)slot : power++;
	}
}

void geometry_row(const struct geometry *g, unsigned long long number,
		  struct stripe_row *row)
{
	const struct layout *l = find(g);
	unsigned int ring = g->disks - (l->q == Q_LAST);
	unsigned int slot;

	row->number = number;
	row->p = find_p(l, ring, number);
	row->q = find_q(l, g->disks, row->p);
	row->data_disks = 0;
	slot = l->data == FROM_P ? (unsigned int)row->p + 1 : 0;
	for (unsigned int i = 0; i < ring; i++, slot++) {
		slot %= ring;
		if ((int)slot != row->p && (int)slot != row->q)
			row->data[row->data_disks++] = (short)slot;
	}
	if (row->q >= 0)
		find_powers(l, g->disks, row);
}

static unsigned int first_slot(const struct layout *l, int p)
{
	return l->data == FROM_P ? (unsigned int)p + 1 : 0;
}

void geometry_place(const struct geometry *g, unsigned long long sector,
		    struct place_on_member *out)
{
	const struct layout *l = find(g);
	unsigned int ring = g->disks - (l->q == Q_LAST);
	unsigned int data_disks = geometry_data_disks(g);
	unsigned long long chunk = sector / g->chunk_sectors;
	unsigned int left;
	int p, q;

	out->row = chunk / data_disks;
	out->index = (unsigned int)(chunk % data_disks);
	out->sector = out->row * g->chunk_sectors + sector % g->chunk_sectors;
	p = find_p(l, ring, out->row);
	q = find_q(l, g->disks, p);
	out->slot = (int)(first_slot(l, p) % ring);
	left = out->index;
	while (out->slot == p || out->slot == q || left--)
		out->slot = (out->slot + 1) % (int)ring;
}

unsigned long long geometry_sector(const struct geometry *g, unsigned int index,
				   unsigned long long member_sector)
{
	unsigned long long row = member_sector / g->chunk_sectors;
	unsigned long long chunk = row * geometry_data_disks(g) + index;

	return chunk * g->chunk_sectors + member_sector % g->chunk_sectors;
}

/* ------------------------------------------------------------------ */
/* Arithmetic							      */

#define POLYNOMIAL 0x11d

/* By the definition: shift and reduce. */
unsigned char gf_mul(unsigned char a, unsigned char b)
{
	unsigned int sum = 0;
	unsigned int v = a;

	for (; b; b >>= 1) {
		if (b & 1)
			sum ^= v;
		v <<= 1;
		if (v & 0x100)
			v ^= POLYNOMIAL;
	}
	return (unsigned char)sum;
}

unsigned char gf_pow2(unsigned int n)
{
	unsigned int v = 1;

	for (n %= 255; n; n--) {
		v <<= 1;
		if (v & 0x100)
			v ^= POLYNOMIAL;
	}
	return (unsigned char)v;
}

/* a^254, as a^255 = 1. */
unsigned char gf_inverse(unsigned char a)
{
	unsigned char v = 1;

	for (unsigned int i = 0; i < 254; i++)
		v = gf_mul(v, a);
	return v;
}

/* All products, computed once. */
static const unsigned char *products(unsigned char factor)
{
	static unsigned char table[256][256];

	if (!table[1][1])
		for (unsigned int i = 0; i < 256 * 256; i++)
			table[i / 256][i % 256] = gf_mul(
				(unsigned char)(i / 256), (unsigned char)i);
	return table[factor];
}

static void add(unsigned char *sum, const unsigned char *v)
{
	for (unsigned int i = 0; i < KERN_SECTOR; i++)
		sum[i] ^= v[i];
}

static void add_product(unsigned char *sum, unsigned char factor,
			const unsigned char *v)
{
	const unsigned char *table = products(factor);

	for (unsigned int i = 0; i < KERN_SECTOR; i++)
		sum[i] ^= table[v[i]];
}

/* Sums over all data but that of slots @a and @b. */
static void sums(const struct stripe_row *row, unsigned char *const *sector,
		 int a, int b, unsigned char *p, unsigned char *q)
{
	memset(p, 0, KERN_SECTOR);
	if (q)
		memset(q, 0, KERN_SECTOR);
	for (unsigned int i = 0; i < row->data_disks; i++) {
		int slot = row->data[i];

		if (slot == a || slot == b)
			continue;
		add(p, sector[slot]);
		if (q)
			add_product(q, gf_pow2((unsigned int)row->power[slot]),
				    sector[slot]);
	}
}

void parity_compute(const struct stripe_row *row, unsigned char *const *sector,
		    unsigned char *p, unsigned char *q)
{
	sums(row, sector, -1, -1, p, q);
}

static void scale(unsigned char *v, unsigned char factor)
{
	const unsigned char *table = products(factor);

	for (unsigned int i = 0; i < KERN_SECTOR; i++)
		v[i] = table[v[i]];
}

/* D = (Q + Qsum) / 2^power. */
static void data_from_q(const struct stripe_row *row,
			unsigned char *const *sector, int slot,
			unsigned char *out)
{
	unsigned char p[KERN_SECTOR];

	sums(row, sector, slot, -1, p, out);
	add(out, sector[row->q]);
	scale(out, gf_inverse(gf_pow2((unsigned int)row->power[slot])));
}

/*
 *	D_a + D_b         = P + Psum        = s
 *	f_a D_a + f_b D_b = Q + Qsum        = t
 *	D_a = (t + f_b s) / (f_a + f_b),  D_b = s + D_a
 */
static void two_data(const struct stripe_row *row, unsigned char *const *sector,
		     int a, int b, unsigned char *out_a, unsigned char *out_b)
{
	unsigned char fa = gf_pow2((unsigned int)row->power[a]);
	unsigned char fb = gf_pow2((unsigned int)row->power[b]);

	sums(row, sector, a, b, out_b, out_a);
	add(out_b, sector[row->p]);
	add(out_a, sector[row->q]);
	add_product(out_a, fb, out_b);
	scale(out_a, gf_inverse(fa ^ fb));
	add(out_b, out_a);
}

static void recover_one(const struct stripe_row *row,
			unsigned char *const *sector, int a, unsigned char *out)
{
	unsigned char other[KERN_SECTOR];

	if (a == row->q) {
		sums(row, sector, -1, -1, other, out);
		return;
	}
	sums(row, sector, a, -1, out, NULL);
	if (a != row->p)
		add(out, sector[row->p]);
}

/* A data slot and P: the data first, from Q, then P from all the data. */
static void data_and_p(const struct stripe_row *row,
		       unsigned char *const *sector, int data,
		       unsigned char *out_data, unsigned char *out_p)
{
	data_from_q(row, sector, data, out_data);
	sums(row, sector, data, -1, out_p, NULL);
	add(out_p, out_data);
}

/* A data slot and Q: the data first, from P, then Q from all the data. */
static void data_and_q(const struct stripe_row *row,
		       unsigned char *const *sector, int data,
		       unsigned char *out_data, unsigned char *out_q)
{
	unsigned char p[KERN_SECTOR];

	recover_one(row, sector, data, out_data);
	sums(row, sector, data, -1, p, out_q);
	add_product(out_q, gf_pow2((unsigned int)row->power[data]), out_data);
}

static bool is_parity(const struct stripe_row *row, int slot)
{
	return slot == row->p || slot == row->q;
}

bool parity_recover(const struct stripe_row *row, unsigned char *const *sector,
		    int a, int b, unsigned char *out_a, unsigned char *out_b)
{
	if (b < 0) {
		recover_one(row, sector, a, out_a);
		return true;
	}
	if (row->q < 0)
		return false;
	if (is_parity(row, a) && is_parity(row, b)) {
		sums(row, sector, -1, -1, a == row->p ? out_a : out_b,
		     a == row->p ? out_b : out_a);
		return true;
	}
	if (is_parity(row, a))
		return parity_recover(row, sector, b, a, out_b, out_a);
	if (b == row->p)
		data_and_p(row, sector, a, out_a, out_b);
	else if (b == row->q)
		data_and_q(row, sector, a, out_a, out_b);
	else
		two_data(row, sector, a, b, out_a, out_b);
	return true;
}
