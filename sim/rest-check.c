/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The check at rest. It goes over the members page by page (the driver's
 * stripes are as high as a page), wherever something was written:
 *
 *	model: written sectors --geometry--> (half, page of a member), once each
 *	each page: read every slot, recover what is missing, compare
 *
 * During a reshape an array has two halves, each with its own geometry; a page
 * of which only a part is in its half is checked for that part.
 */
#include <stdio.h>
#include <string.h>

#include "geometry.h"
#include "rest-check.h"
#include "vec.h"

#define PAGE_SECTORS 8	/* stripes are PAGE_SIZE; 4K divides all of them */
#define SAMPLE	     16 /* of so many pages one is recovered in all ways */
#define FINDINGS_MAX 8
#define NOBODY	     (-1)

/**
 * struct half - a part of the array with one geometry
 * @from, @to:	sectors of the array
 * @is_new:	what the reshape makes
 */
struct half {
	struct geometry g;
	unsigned long long from;
	unsigned long long to;
	bool is_new;
};

struct page {
	unsigned int half;
	unsigned long long number;
};

/**
 * struct check - one check
 * @member:	by disk
 * @slot:	of the page at hand: which disk, or NOBODY
 * @sector:	of the sector at hand, by slot
 * @data:	@slots * PAGE_SECTORS sectors
 */
struct check {
	struct kern_array *a;
	struct model *m;
	struct array_state st;
	struct half half[2];
	unsigned int halves;
	struct member_state *member;
	unsigned int disks;
	struct page *page;
	unsigned int pages;
	int *slot;
	unsigned char **sector;
	unsigned char *data;
	struct stripe_row row;
	unsigned int findings;
};

static void report(struct check *k, const char *text)
{
	if (k->findings++ < FINDINGS_MAX)
		finding_add(FINDING_DATA_MISMATCH, NULL, "at rest: %s", text);
}

/* ------------------------------------------------------------------ */
/* Which pages							      */

static void add_half(struct check *k, bool is_new, unsigned long long from,
		     unsigned long long to)
{
	const struct array_state *st = &k->st;

	if (from >= to)
		return;
	k->half[k->halves++] = (struct half){
		.g = {is_new ? st->new_level : st->level,
		      is_new ? st->new_layout : st->layout,
		      (unsigned int)(is_new ? st->new_disks : st->disks),
		      is_new ? st->new_chunk_sectors : st->chunk_sectors},
		.from = from,
		.to = to,
		.is_new = is_new,
	};
}

/*
 *	forwards:   0 ... new ... position ... old ... end
 *	backwards:  0 ... old ... position ... new ... end
 */
static void find_halves(struct check *k)
{
	unsigned long long at = k->st.reshape_position;

	if (at == ~0ULL) {
		add_half(k, false, 0, ~0ULL);
		return;
	}
	add_half(k, !k->st.backwards, 0, at);
	add_half(k, k->st.backwards, at, ~0ULL);
}

static unsigned int half_of(const struct check *k, unsigned long long sector)
{
	return k->halves > 1 && sector >= k->half[1].from;
}

static void add_page(struct check *k, unsigned int half,
		     unsigned long long number)
{
	struct page *last = k->pages ? &k->page[k->pages - 1] : NULL;
	void *base = k->page;

	if (last && last->half == half && last->number == number)
		return;
	last = vec_add(&base, &k->pages, sizeof(*last));
	k->page = base;
	*last = (struct page){half, number};
}

static int by_place(const void *a, const void *b)
{
	const struct page *x = a;
	const struct page *y = b;

	if (x->half != y->half)
		return (int)x->half - (int)y->half;
	return (x->number > y->number) - (x->number < y->number);
}

static void find_pages(struct check *k)
{
	unsigned long long at = 0;
	struct place_on_member where;
	unsigned int kept = 0;
	unsigned int n = 0;

	for (; model_written(k->m, at, &at, &n); at += n)
		for (unsigned int i = 0; i < n; i++) {
			unsigned int half = half_of(k, at + i);

			geometry_place(&k->half[half].g, at + i, &where);
			add_page(k, half, where.sector / PAGE_SECTORS);
		}
	if (!k->pages)
		return;
	qsort(k->page, k->pages, sizeof(*k->page), by_place);
	for (unsigned int i = 1; i < k->pages; i++)
		if (by_place(&k->page[kept], &k->page[i]))
			k->page[++kept] = k->page[i];
	k->pages = kept + 1;
}

/* ------------------------------------------------------------------ */
/* One page							      */

static unsigned long long data_offset(const struct check *k, unsigned int disk,
				      unsigned int half)
{
	return k->half[half].is_new ? k->member[disk].new_data_sector
				    : k->member[disk].data_sector;
}

/* Does the disk hold what its slot should, in this page? */
static bool usable(const struct check *k, unsigned int disk,
		   const struct page *p)
{
	const struct member_state *m = &k->member[disk];
	unsigned long long end = (p->number + 1) * PAGE_SECTORS;

	if (!m->in_array || m->faulty || m->journal || m->slot < 0)
		return false;
	if (!m->in_sync && m->recovered < end)
		return false;
	return !kern_member_bad(
		k->a, disk, data_offset(k, disk, p->half) + end - PAGE_SECTORS,
		PAGE_SECTORS);
}

/* Which disk speaks for each slot: the member itself before a replacement. */
static unsigned int find_slots(struct check *k, const struct page *p)
{
	unsigned int slots = k->half[p->half].g.disks;
	unsigned int missing = 0;

	for (unsigned int s = 0; s < slots; s++)
		k->slot[s] = NOBODY;
	for (unsigned int d = 0; d < k->disks; d++) {
		const struct member_state *m = &k->member[d];

		if (!usable(k, d, p) || (unsigned int)m->slot >= slots)
			continue;
		if (k->slot[m->slot] == NOBODY || !m->replacement)
			k->slot[m->slot] = (int)d;
	}
	for (unsigned int s = 0; s < slots; s++)
		missing += k->slot[s] == NOBODY;
	return missing;
}

static unsigned char *at_slot(const struct check *k, unsigned int slot)
{
	return k->data + (size_t)slot * PAGE_SECTORS * KERN_SECTOR;
}

static void read_page(struct check *k, const struct page *p)
{
	for (unsigned int s = 0; s < k->half[p->half].g.disks; s++) {
		int d = k->slot[s];

		if (d == NOBODY)
			continue;
		kern_disk_read(k->a, (unsigned int)d,
			       data_offset(k, (unsigned int)d, p->half) +
				       p->number * PAGE_SECTORS,
			       PAGE_SECTORS, at_slot(k, s));
	}
}

/* Fill in what is missing; false: it cannot be known. */
static bool recover(struct check *k, unsigned int slots)
{
	int lost[2] = {NOBODY, NOBODY};
	unsigned int n = 0;

	for (unsigned int s = 0; s < slots; s++) {
		if (k->slot[s] != NOBODY)
			continue;
		if (n == 2)
			return false;
		lost[n++] = (int)s;
	}
	if (!n)
		return true;
	return parity_recover(&k->row, k->sector, lost[0], lost[1],
			      k->sector[lost[0]],
			      n == 2 ? k->sector[lost[1]] : NULL);
}

static void describe(const struct check *k, unsigned int slot, char *buf,
		     size_t size)
{
	if (k->slot[slot] == NOBODY)
		snprintf(buf, size, "slot %u (computed)", slot);
	else
		snprintf(buf, size, "disk %d", k->slot[slot]);
}

/* Returns whether all data of the row is in this half. */
static bool check_data(struct check *k, const struct page *p,
		       unsigned long long member_sector, bool missing_too)
{
	const struct half *h = &k->half[p->half];
	bool all = true;
	char why[MODEL_WHY];
	char disk[32];
	char text[256];

	for (unsigned int i = 0; i < k->row.data_disks; i++) {
		unsigned int slot = (unsigned int)k->row.data[i];
		unsigned long long at =
			geometry_sector(&h->g, i, member_sector);

		if (at < h->from || at >= h->to) {
			all = false;
			continue;
		}
		if (k->slot[slot] == NOBODY && !missing_too)
			continue;
		if (model_check_sector(k->m, at, k->sector[slot], why))
			continue;
		describe(k, slot, disk, sizeof(disk));
		snprintf(text, sizeof(text), "%s, stripe %llu: %.180s", disk,
			 k->row.number, why);
		report(k, text);
	}
	return all;
}

static void parity_differs(struct check *k, int slot, const char *which,
			   unsigned long long member_sector)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "disk %d, stripe %llu: sector %llu of its data is not %s of "
		 "the stripe's data",
		 k->slot[slot], k->row.number, member_sector, which);
	report(k, text);
}

static void check_parity(struct check *k, unsigned long long member_sector)
{
	unsigned char p[KERN_SECTOR];
	unsigned char q[KERN_SECTOR];
	int q_slot = k->row.q;

	parity_compute(&k->row, k->sector, p, q_slot < 0 ? NULL : q);
	if (k->slot[k->row.p] != NOBODY &&
	    memcmp(p, k->sector[k->row.p], KERN_SECTOR))
		parity_differs(k, k->row.p, "the P", member_sector);
	if (q_slot >= 0 && k->slot[q_slot] != NOBODY &&
	    memcmp(q, k->sector[q_slot], KERN_SECTOR))
		parity_differs(k, q_slot, "the Q", member_sector);
}

static void recover_and_compare(struct check *k, int a, int b,
				unsigned long long member_sector)
{
	unsigned char out[2][KERN_SECTOR];
	char text[160];

	if (!parity_recover(&k->row, k->sector, a, b, out[0], out[1]))
		return;
	if (!memcmp(out[0], k->sector[a], KERN_SECTOR) &&
	    (b < 0 || !memcmp(out[1], k->sector[b], KERN_SECTOR)))
		return;
	snprintf(text, sizeof(text),
		 "stripe %llu: slot %d%s%.0d cannot be recovered at sector "
		 "%llu",
		 k->row.number, a, b < 0 ? "" : " and ", b < 0 ? 0 : b,
		 member_sector);
	report(k, text);
}

/* As if each member, or each pair, were taken away. */
static void check_recovery(struct check *k, unsigned int slots,
			   unsigned long long member_sector)
{
	for (unsigned int a = 0; a < slots; a++) {
		recover_and_compare(k, (int)a, NOBODY, member_sector);
		for (unsigned int b = a + 1; b < slots && k->row.q >= 0; b++)
			recover_and_compare(k, (int)a, (int)b, member_sector);
	}
}

static void check_sector(struct check *k, const struct page *p, unsigned int n,
			 unsigned int missing, bool sample)
{
	unsigned long long at = p->number * PAGE_SECTORS + n;
	unsigned int slots = k->half[p->half].g.disks;
	unsigned int before = k->findings;
	bool synced = at < k->st.resync_from;
	bool known = !missing;

	for (unsigned int s = 0; s < slots; s++)
		k->sector[s] = at_slot(k, s) + n * KERN_SECTOR;
	if (missing && synced)
		known = recover(k, slots);
	if (!check_data(k, p, at, known) || !known || !synced)
		return;
	check_parity(k, at);
	if (sample && !missing && k->findings == before)
		check_recovery(k, slots, at);
}

static void check_page(struct check *k, const struct page *p, bool sample)
{
	const struct geometry *g = &k->half[p->half].g;
	unsigned int missing = find_slots(k, p);

	if (missing > (g->level == 6 ? 2u : 1u))
		return;
	read_page(k, p);
	for (unsigned int n = 0; n < PAGE_SECTORS; n++) {
		unsigned long long at = p->number * PAGE_SECTORS + n;

		if (!n || at % g->chunk_sectors == 0)
			geometry_row(g, at / g->chunk_sectors, &k->row);
		check_sector(k, p, n, missing, sample && !n);
	}
}

/* ------------------------------------------------------------------ */

static bool writes_back(struct check *k)
{
	char mode[128];
	bool journal = false;

	for (unsigned int d = 0; d < k->disks; d++)
		journal = journal || k->member[d].journal;
	if (!journal)
		return false;
	if (kern_attr_show(k->a, "journal_mode", mode, sizeof(mode)) < 0)
		return false;
	return strstr(mode, "[write-back]") != NULL;
}

static void look_at_members(struct check *k)
{
	k->disks = kern_array_disks(k->a);
	k->member = vec_checked(calloc(k->disks + 1, sizeof(*k->member)));
	for (unsigned int d = 0; d < k->disks; d++)
		kern_member_state(k->a, d, &k->member[d]);
}

static bool geometries_known(struct check *k)
{
	for (unsigned int i = 0; i < k->halves; i++) {
		const struct geometry *g = &k->half[i].g;
		char text[96];

		if (geometry_known(g))
			continue;
		snprintf(text, sizeof(text),
			 "unknown layout %d of level %d with %u disks",
			 g->layout, g->level, g->disks);
		report(k, text);
		return false;
	}
	return true;
}

static void check_pages(struct check *k)
{
	unsigned int slots = k->half[0].g.disks;

	if (k->halves > 1 && k->half[1].g.disks > slots)
		slots = k->half[1].g.disks;
	k->slot = vec_checked(calloc(slots, sizeof(*k->slot)));
	k->sector = vec_checked(calloc(slots, sizeof(*k->sector)));
	k->data =
		vec_checked(malloc((size_t)slots * PAGE_SECTORS * KERN_SECTOR));
	for (unsigned int i = 0; i < k->pages; i++)
		check_page(k, &k->page[i], i % SAMPLE == 0);
}

void rest_check(struct kern_array *a, struct model *m)
{
	struct check *k = vec_checked(calloc(1, sizeof(*k)));

	k->a = a;
	k->m = m;
	kern_array_state(a, &k->st);
	look_at_members(k);
	if (k->st.running && !k->st.failed && !writes_back(k)) {
		find_halves(k);
		if (geometries_known(k)) {
			find_pages(k);
			check_pages(k);
		}
	}
	free(k->member);
	free(k->page);
	free(k->slot);
	free(k->sector);
	free(k->data);
	free(k);
}
