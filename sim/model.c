/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model's rules. Time is a counter that goes up at each begin and end.
 * Each write of a sector is a value with three times:
 *
 *	began    ended    left
 *	  |--------|--------|------>
 *	  in flight         no longer possible: a write that began after this
 *	   possible now     one had ended has ended itself, or a read saw
 *			    another
 *
 * Possible after a power cut: what was possible at any moment since the
 * newest flush that has ended began, unless a FUA write came after it.
 */
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "pattern.h"
#include "vec.h"

#define NEVER	      (~0ULL)
#define BLOCK_SECTORS 64 /* one block's; sectors are looked up by block */
#define FIRST_SLOTS   256

/**
 * struct value - a write that a sector may hold
 * @id:		0: zeros
 * @durable_after: a FUA write has taken its place on the medium too
 */
struct value {
	unsigned int id;
	bool overtaken_for_good;
	unsigned long long began;
	unsigned long long ended;
	unsigned long long left;
};

/** struct history - of one sector; none: it was never written */
struct history {
	struct value *value;
	unsigned int count;
};

struct block {
	unsigned long long number;
	struct history sector[BLOCK_SECTORS];
};

/**
 * struct table - blocks by number, with open addressing
 * @slot:	@slots of them, a power of two
 * @sorted:	the same by number, for model_written(); stale when @dirty
 */
struct table {
	struct block **slot;
	unsigned long slots;
	unsigned long used;
	struct block **sorted;
	bool dirty;
};

/**
 * struct model - all of it
 * @now:	counts begins and ends
 * @flushed:	when the newest flush that has ended began
 * @oldest, @newest: requests under way, by time of beginning
 * @cut:	what a power cut left; @is_cut: there was one
 * @lives_since: requests that began before are of a machine that is gone
 */
struct model {
	struct table table;
	struct table cut;
	bool is_cut;
	unsigned long long now;
	unsigned long long flushed;
	unsigned long long lives_since;
	unsigned int last_id;
	unsigned int under_way;
	struct model_io *oldest;
	struct model_io *newest;
};

/* ------------------------------------------------------------------ */
/* Blocks							      */

static void table_init(struct table *t)
{
	*t = (struct table){.slots = FIRST_SLOTS, .dirty = true};
	t->slot = vec_checked(calloc(t->slots, sizeof(*t->slot)));
}

static void table_free(struct table *t)
{
	for (unsigned long i = 0; i < t->slots; i++) {
		struct block *b = t->slot[i];

		for (unsigned int k = 0; b && k < BLOCK_SECTORS; k++)
			free(b->sector[k].value);
		free(b);
	}
	free(t->slot);
	free(t->sorted);
	*t = (struct table){.slot = NULL};
}

/* Where block @number is, or the free slot where it belongs. */
static struct block **place_of(const struct table *t, unsigned long long number)
{
	unsigned long i = number * 0x9e3779b97f4a7c15ULL >> 32 & (t->slots - 1);

	while (t->slot[i] && t->slot[i]->number != number)
		i = (i + 1) & (t->slots - 1);
	return &t->slot[i];
}

static void grow(struct table *t)
{
	struct table bigger = *t;

	bigger.slots *= 2;
	bigger.slot = vec_checked(calloc(bigger.slots, sizeof(*bigger.slot)));
	for (unsigned long i = 0; i < t->slots; i++)
		if (t->slot[i])
			*place_of(&bigger, t->slot[i]->number) = t->slot[i];
	free(t->slot);
	*t = bigger;
}

static struct history *history_of(const struct table *t,
				  unsigned long long sector)
{
	struct block *b = *place_of(t, sector / BLOCK_SECTORS);

	return b ? &b->sector[sector % BLOCK_SECTORS] : NULL;
}

static struct history *make_history(struct table *t, unsigned long long sector)
{
	struct history *h = history_of(t, sector);
	struct block *b;

	if (h)
		return h;
	if (2 * t->used >= t->slots)
		grow(t);
	b = vec_checked(calloc(1, sizeof(*b)));
	b->number = sector / BLOCK_SECTORS;
	*place_of(t, b->number) = b;
	t->used++;
	t->dirty = true;
	return &b->sector[sector % BLOCK_SECTORS];
}

static int by_number(const void *a, const void *b)
{
	const struct block *const *x = a;
	const struct block *const *y = b;

	return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static void sort(struct table *t)
{
	unsigned long n = 0;

	if (!t->dirty)
		return;
	free(t->sorted);
	t->sorted = vec_checked(calloc(t->used + 1, sizeof(*t->sorted)));
	for (unsigned long i = 0; i < t->slots; i++)
		if (t->slot[i])
			t->sorted[n++] = t->slot[i];
	qsort(t->sorted, n, sizeof(*t->sorted), by_number);
	t->dirty = false;
}

/* ------------------------------------------------------------------ */
/* Values							      */

static struct value *add_value(struct history *h)
{
	void *base = h->value;
	struct value *v;

	/* What it held before anything was written. */
	if (!h->count) {
		v = vec_add(&base, &h->count, sizeof(*v));
		v->left = NEVER;
	}
	v = vec_add(&base, &h->count, sizeof(*v));
	h->value = base;
	v->left = NEVER;
	v->ended = NEVER;
	return v;
}

static bool survives_cut(const struct model *m, const struct value *v)
{
	if (v->left == NEVER)
		return true;
	return !v->overtaken_for_good && v->left > m->flushed;
}

/* Nothing that is to come can see it. */
static bool forgettable(const struct model *m, const struct value *v)
{
	if (survives_cut(m, v))
		return false;
	return !m->oldest || v->left < m->oldest->began;
}

/* vec_add() counts on a room of the power of two above: it is kept. */
static void prune(const struct model *m, struct history *h)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < h->count; i++)
		if (!forgettable(m, &h->value[i]))
			h->value[kept++] = h->value[i];
	if (kept == h->count)
		return;
	h->count = kept;
	for (kept = 1; kept < h->count; kept *= 2)
		;
	h->value = vec_checked(realloc(h->value, kept * sizeof(*h->value)));
}

static void begin_write(struct model *m, const struct model_io *io)
{
	for (unsigned int i = 0; i < io->sectors; i++) {
		struct history *h = make_history(&m->table, io->sector + i);
		struct value *v = add_value(h);

		v->id = io->id;
		v->began = io->began;
	}
}

static void overtake(struct model *m, struct history *h,
		     const struct model_io *io)
{
	for (unsigned int i = 0; i < h->count; i++) {
		struct value *v = &h->value[i];

		if (v->ended == NEVER || v->ended >= io->began)
			continue;
		if (v->left == NEVER)
			v->left = m->now;
		if (io->flags & KERN_IO_FUA)
			v->overtaken_for_good = true;
	}
}

static void end_write(struct model *m, const struct model_io *io, int result)
{
	for (unsigned int i = 0; i < io->sectors; i++) {
		struct history *h = history_of(&m->table, io->sector + i);

		if (!result && io->op != KERN_DISCARD)
			overtake(m, h, io);
		for (unsigned int k = 0; k < h->count; k++)
			if (h->value[k].began == io->began)
				h->value[k].ended = m->now;
		prune(m, h);
	}
}

/* ------------------------------------------------------------------ */
/* Requests							      */

struct model *model_new(void)
{
	struct model *m = vec_checked(calloc(1, sizeof(*m)));

	table_init(&m->table);
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	table_free(&m->table);
	if (m->is_cut)
		table_free(&m->cut);
	free(m);
}

static void link_io(struct model *m, struct model_io *io)
{
	io->prev = m->newest;
	io->next = NULL;
	if (io->prev)
		io->prev->next = io;
	else
		m->oldest = io;
	m->newest = io;
	m->under_way++;
}

static void unlink_io(struct model *m, struct model_io *io)
{
	if (io->prev)
		io->prev->next = io->next;
	else
		m->oldest = io->next;
	if (io->next)
		io->next->prev = io->prev;
	else
		m->newest = io->prev;
	m->under_way--;
}

static bool changes_data(const struct model_io *io)
{
	return io->op == KERN_WRITE || io->op == KERN_DISCARD ||
	       io->op == KERN_WRITE_ZEROES;
}

void model_begin(struct model *m, struct model_io *io)
{
	io->began = ++m->now;
	io->id = 0;
	if (io->op == KERN_WRITE)
		io->id = ++m->last_id % PATTERN_IDS;
	link_io(m, io);
	if (changes_data(io))
		begin_write(m, io);
}

static bool flushes(const struct model_io *io)
{
	return io->op == KERN_FLUSH ||
	       (io->op == KERN_WRITE && io->flags & KERN_IO_PREFLUSH);
}

void model_end(struct model *m, struct model_io *io, int result)
{
	m->now++;
	unlink_io(m, io);
	if (io->began < m->lives_since)
		return;
	if (!result && flushes(io) && io->began > m->flushed)
		m->flushed = io->began;
	if (changes_data(io))
		end_write(m, io, result);
}

unsigned int model_under_way(const struct model *m)
{
	return m->under_way;
}

/* ------------------------------------------------------------------ */
/* Reads							      */

static bool seen_since(const struct value *v, unsigned long long began)
{
	return v->left == NEVER || v->left > began;
}

static bool matches(const struct history *h, unsigned long long began,
		    unsigned int id)
{
	if (!h || !h->count)
		return !id;
	for (unsigned int i = 0; i < h->count; i++)
		if (h->value[i].id == id && seen_since(&h->value[i], began))
			return true;
	return false;
}

/* "write 9 or 8", newest first. */
static void expected_text(const struct history *h, unsigned long long began,
			  char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned int i = h ? h->count : 0; i-- && used < size;) {
		const struct value *v = &h->value[i];

		if (!seen_since(v, began))
			continue;
		used += (size_t)snprintf(buf + used, size - used,
					 v->id ? "%s%s%u" : "%s%szeros",
					 used ? " or " : "",
					 v->id && !used ? "write " : "", v->id);
	}
	if (!used)
		snprintf(buf, size, "zeros");
}

/* Nothing written since the read began: it has settled the matter. */
static void narrow(struct model *m, struct history *h, unsigned long long began,
		   unsigned int id)
{
	for (unsigned int i = 0; i < h->count; i++)
		if (h->value[i].ended == NEVER || h->value[i].ended > began)
			return;
	for (unsigned int i = 0; i < h->count; i++)
		if (h->value[i].id != id && h->value[i].left == NEVER)
			h->value[i].left = m->now;
}

/* What a sector holds, found fast when it is one of those it may. */
static bool is_expected(const struct history *h, unsigned long long began,
			unsigned long long sector, const void *data,
			unsigned int *id)
{
	for (unsigned int i = h ? h->count : 0; i--;) {
		*id = h->value[i].id;
		if (seen_since(&h->value[i], began) &&
		    pattern_is(data, sector, *id))
			return true;
	}
	*id = 0;
	return (!h || !h->count) && pattern_is(data, sector, 0);
}

static bool check_sector(struct model *m, unsigned long long began,
			 unsigned long long sector, const void *data,
			 char why[MODEL_WHY])
{
	struct history *h = history_of(&m->table, sector);
	struct pattern_seen seen;
	char expected[64];
	char held[PATTERN_TEXT];
	unsigned int id;

	if (is_expected(h, began, sector, data, &id)) {
		if (h)
			narrow(m, h, began, id);
		return true;
	}
	pattern_read(data, &seen);
	expected_text(h, began, expected, sizeof(expected));
	snprintf(why, MODEL_WHY, "sector %llu holds %s, expected %s", sector,
		 pattern_text(&seen, sector, held), expected);
	return false;
}

bool model_check(struct model *m, const struct model_io *io, const void *data,
		 char why[MODEL_WHY])
{
	const char *at = data;

	if (io->began < m->lives_since)
		return true;
	m->now++;
	for (unsigned int i = 0; i < io->sectors; i++, at += KERN_SECTOR)
		if (!check_sector(m, io->began, io->sector + i, at, why))
			return false;
	return true;
}

bool model_check_sector(struct model *m, unsigned long long sector,
			const void *data, char why[MODEL_WHY])
{
	unsigned long long now = ++m->now;

	m->now++;
	return check_sector(m, now, sector, data, why);
}

bool model_may_be(struct model *m, unsigned long long sector, unsigned int id)
{
	return matches(history_of(&m->table, sector), m->now, id);
}

/* ------------------------------------------------------------------ */
/* Power cut							      */

static void copy_surviving(const struct model *m, const struct history *from,
			   struct history *to)
{
	void *base = NULL;

	for (unsigned int i = 0; i < from->count; i++) {
		struct value *v;

		if (!survives_cut(m, &from->value[i]))
			continue;
		v = vec_add(&base, &to->count, sizeof(*v));
		*v = (struct value){
			.id = from->value[i].id,
			.began = from->value[i].began,
			.left = NEVER,
		};
	}
	to->value = base;
}

void model_power_cut(struct model *m)
{
	if (m->is_cut)
		return;
	m->is_cut = true;
	table_init(&m->cut);
	for (unsigned long i = 0; i < m->table.slots; i++) {
		struct block *b = m->table.slot[i];

		for (unsigned int k = 0; b && k < BLOCK_SECTORS; k++) {
			unsigned long long sector =
				b->number * BLOCK_SECTORS + k;

			if (b->sector[k].count)
				copy_surviving(m, &b->sector[k],
					       make_history(&m->cut, sector));
		}
	}
}

void model_power_on(struct model *m)
{
	if (!m->is_cut)
		return;
	table_free(&m->table);
	m->table = m->cut;
	m->is_cut = false;
	m->flushed = 0;
	m->lives_since = ++m->now;
}

/* ------------------------------------------------------------------ */

static unsigned int run_length(const struct block *b, unsigned int first)
{
	unsigned int n = first;

	while (n < BLOCK_SECTORS && b->sector[n].count)
		n++;
	return n - first;
}

/* Index of the first sorted block that is not below @number. */
static unsigned long lower_bound(const struct table *t,
				 unsigned long long number)
{
	unsigned long low = 0;
	unsigned long high = t->used;

	while (low < high) {
		unsigned long middle = low + (high - low) / 2;

		if (t->sorted[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool model_written(struct model *m, unsigned long long from,
		   unsigned long long *sector, unsigned int *sectors)
{
	struct table *t = &m->table;

	sort(t);
	for (unsigned long i = lower_bound(t, from / BLOCK_SECTORS);
	     i < t->used; i++) {
		const struct block *b = t->sorted[i];
		unsigned long long base = b->number * BLOCK_SECTORS;
		unsigned int k = from > base ? (unsigned int)(from - base) : 0;

		while (k < BLOCK_SECTORS && !b->sector[k].count)
			k++;
		if (k == BLOCK_SECTORS)
			continue;
		*sector = base + k;
		*sectors = run_length(b, k);
		return true;
	}
	return false;
}
