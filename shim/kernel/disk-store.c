// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a simulated disk holds, in blocks of 4 KiB that exist once they were
 * written. Knows no bios, no faults and no time: see disk-store.h.
 *
 *	cell:   (owner, block) -> 4 KiB          owner: an image or a log
 *	image:  one cell a block that was ever written; all others are zero
 *	log:    one cell for each block of each request that is not durable, in
 *		the order of completion; a mask says which sectors
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "kernel/block.h"
#include "kernel/disk-store.h"
#include "kernel/shim.h"

#define BLOCK_SHIFT	   12
#define BLOCK_SIZE_4K	   (1UL << BLOCK_SHIFT)
#define BLOCK_SECTORS	   (1U << (BLOCK_SHIFT - SECTOR_SHIFT))
#define SECTOR_AT(data, n) ((u8 *)(data) + (size_t)(n)*SECTOR_SIZE)

/* A cache of 16 MiB; a larger one would only hold more for a power cut. */
#define LOG_CELLS_MAX 4096

/*
 * struct cell - contents of a block
 * @link:	in its owner's list: of first write, or of completion
 * @mask:	log: the sectors that it holds
 * @zero:	all its bytes are zero, whatever its data say
 * @request:	log: who wrote it, for the choices of a power cut
 * @seq:	log: the same for all cells of a request, ascending
 */
struct cell {
	struct hlist_node hash;
	struct list_head link;
	u32 owner;
	u8 mask;
	bool zero;
	u64 block;
	u64 request;
	u64 seq;
};

/* struct cell_set - an image or a log */
struct cell_set {
	u32 owner;
	unsigned long count;
	struct list_head cells;
};

struct disk_store {
	u64 name;
	u64 next_seq;
	bool cut;
	struct cell_set now, medium, log, kept;
};

/* ------------------------------------------------------------------ */
/* Cells: of all disks						      */

#if BITS_PER_LONG == 64
#define MAX_CELLS (1UL << 25) /* 128 GiB of contents */
#else
#define MAX_CELLS (1UL << 16)
#endif
#define HASH_BITS 18

static struct cell *cells;
static u8 *contents;
static struct hlist_head *buckets;
static unsigned long cells_used;
static LIST_HEAD(free_cells);
static u32 next_owner;

static void cells_boot(void)
{
	cells = host_region(MAX_CELLS * sizeof(*cells));
	contents = host_region((u64)MAX_CELLS << BLOCK_SHIFT);
	buckets = host_region(sizeof(*buckets) << HASH_BITS);
}

static void *data_of(const struct cell *c)
{
	return contents + ((unsigned long)(c - cells) << BLOCK_SHIFT);
}

static struct hlist_head *bucket_of(u32 owner, u64 block)
{
	return buckets + hash_64(block + ((u64)owner << 40), HASH_BITS);
}

static struct cell *cell_take(void)
{
	struct cell *c;

	if (!list_empty(&free_cells)) {
		c = list_first_entry(&free_cells, struct cell, link);
		list_del(&c->link);
		return c;
	}
	if (cells_used == MAX_CELLS)
		host_panic("disks hold more than %lu blocks", MAX_CELLS);
	return cells + cells_used++;
}

/* A zeroed cell at the end of @set. */
static struct cell *cell_add(struct cell_set *set, u64 block)
{
	struct cell *c = cell_take();

	c->owner = set->owner;
	c->block = block;
	c->mask = 0;
	c->zero = true;
	hlist_add_head(&c->hash, bucket_of(set->owner, block));
	list_add_tail(&c->link, &set->cells);
	set->count++;
	return c;
}

static void cell_drop(struct cell_set *set, struct cell *c)
{
	hlist_del(&c->hash);
	list_move(&c->link, &free_cells);
	set->count--;
}

static void set_init(struct cell_set *set)
{
	set->owner = next_owner++;
	INIT_LIST_HEAD(&set->cells);
}

static void set_clear(struct cell_set *set)
{
	struct cell *c, *next;

	list_for_each_entry_safe(c, next, &set->cells, link) cell_drop(set, c);
}

/* ------------------------------------------------------------------ */
/* Images							      */

static struct cell *image_find(struct cell_set *image, u64 block)
{
	struct cell *c;

	hlist_for_each_entry(c, bucket_of(image->owner, block),
			     hash) if (c->owner == image->owner &&
				       c->block == block) return c;
	return NULL;
}

static void cell_unzero(struct cell *c)
{
	if (c->zero)
		memset(data_of(c), 0, BLOCK_SIZE_4K);
	c->zero = false;
}

/* Sectors @mask of @data, which is a block's worth, or zeroes, into @c. */
static void cell_merge(struct cell *c, u8 mask, const void *data)
{
	unsigned int n;

	if (!data && (mask == 0xff || c->zero)) {
		c->zero = true;
		return;
	}
	if (data && mask == 0xff) {
		memcpy(data_of(c), data, BLOCK_SIZE_4K);
		c->zero = false;
		return;
	}
	cell_unzero(c);
	for (n = 0; n < BLOCK_SECTORS; n++) {
		if (!(mask & (1U << n)))
			continue;
		if (data)
			memcpy(SECTOR_AT(data_of(c), n), SECTOR_AT(data, n),
			       SECTOR_SIZE);
		else
			memset(SECTOR_AT(data_of(c), n), 0, SECTOR_SIZE);
	}
}

/* Zeroes where nothing was ever written need no cell. */
static void image_merge(struct cell_set *image, u64 block, u8 mask,
			const void *data)
{
	struct cell *c = image_find(image, block);

	if (!c && !data)
		return;
	if (!c)
		c = cell_add(image, block);
	cell_merge(c, mask, data);
}

static void image_copy(struct cell_set *to, struct cell_set *from)
{
	struct cell *c;

	set_clear(to);
	list_for_each_entry(c, &from->cells, link)
		if (!c->zero)
			image_merge(to, c->block, 0xff, data_of(c));
}

static const void *log_data(const struct cell *c)
{
	return c->zero ? NULL : data_of(c);
}

/* ------------------------------------------------------------------ */
/* The log							      */

static struct cell *log_oldest(struct disk_store *s)
{
	return list_first_entry_or_null(&s->log.cells, struct cell, link);
}

/* The oldest cell goes to the medium. */
static void log_destage_one(struct disk_store *s)
{
	struct cell *c = log_oldest(s);

	image_merge(&s->medium, c->block, c->mask, log_data(c));
	cell_drop(&s->log, c);
}

/* A full cache writes back its oldest request. */
static void log_trim(struct disk_store *s)
{
	u64 request;

	while (s->log.count > LOG_CELLS_MAX) {
		request = log_oldest(s)->request;
		while (log_oldest(s) && log_oldest(s)->request == request)
			log_destage_one(s);
	}
}

/* What is durable now must not be overwritten by what was there before. */
static void log_forget(struct disk_store *s, u64 block, u8 mask)
{
	struct hlist_node *next;
	struct cell *c;

	hlist_for_each_entry_safe(c, next, bucket_of(s->log.owner, block), hash)
	{
		if (c->owner != s->log.owner || c->block != block)
			continue;
		c->mask &= ~mask;
		if (!c->mask)
			cell_drop(&s->log, c);
	}
}

/* ------------------------------------------------------------------ */
/* Reading and writing						      */

struct disk_store *disk_store_new(u64 name)
{
	struct disk_store *s = shim_zalloc(sizeof(*s), "disk_store");

	if (!cells)
		cells_boot();
	s->name = name;
	set_init(&s->now);
	set_init(&s->medium);
	set_init(&s->log);
	set_init(&s->kept);
	return s;
}

void disk_store_free(struct disk_store *s)
{
	set_clear(&s->now);
	set_clear(&s->medium);
	set_clear(&s->log);
	set_clear(&s->kept);
	shim_free(s);
}

/* Sectors that [@sector, @sector + @left) has in the block of @sector. */
static unsigned int in_block(u64 sector, u64 left)
{
	return min_t(u64, left, BLOCK_SECTORS - sector % BLOCK_SECTORS);
}

void disk_store_read(struct disk_store *s, u64 sector, u64 sectors, void *buf)
{
	unsigned int n;
	struct cell *c;

	for (; sectors; sector += n, sectors -= n) {
		n = in_block(sector, sectors);
		c = image_find(&s->now, sector / BLOCK_SECTORS);
		if (c && !c->zero)
			memcpy(buf,
			       SECTOR_AT(data_of(c), sector % BLOCK_SECTORS),
			       n * SECTOR_SIZE);
		else
			memset(buf, 0, n * SECTOR_SIZE);
		buf = SECTOR_AT(buf, n);
	}
}

/*
 * struct piece - the part of a write that lies in one block
 * @data: at its place in a block, or NULL: zeroes
 */
struct piece {
	u64 block;
	u8 mask;
	const void *data;
};

/* Takes the first piece off @w; false when there is none. */
static bool next_piece(struct store_write *w, struct piece *p)
{
	static u8 bounce[BLOCK_SIZE_4K];
	unsigned int n = in_block(w->sector, w->sectors);
	unsigned int first = w->sector % BLOCK_SECTORS;

	if (!n)
		return false;
	p->block = w->sector / BLOCK_SECTORS;
	p->mask = ((1U << n) - 1) << first;
	p->data = w->data;
	if (w->data && n < BLOCK_SECTORS) {
		memcpy(SECTOR_AT(bounce, first), w->data, n * SECTOR_SIZE);
		p->data = bounce;
	}
	if (w->data)
		w->data = SECTOR_AT(w->data, n);
	w->sector += n;
	w->sectors -= n;
	return true;
}

static void log_append(struct disk_store *s, u64 request, const struct piece *p)
{
	struct cell *c = cell_add(&s->log, p->block);

	c->request = request;
	c->seq = s->next_seq;
	c->mask = p->mask;
	if (p->data) {
		memcpy(data_of(c), p->data, BLOCK_SIZE_4K);
		c->zero = false;
	}
}

/* What was never written is zero: more zeroes change nothing. */
static void write_piece(struct disk_store *s, u64 request,
			const struct piece *p, bool durable)
{
	if (!p->data && !image_find(&s->now, p->block))
		return;
	image_merge(&s->now, p->block, p->mask, p->data);
	if (!durable) {
		log_append(s, request, p);
		return;
	}
	log_forget(s, p->block, p->mask);
	image_merge(&s->medium, p->block, p->mask, p->data);
}

/* Zeroes over a wide range: only blocks that exist matter. */
static bool is_wide(struct disk_store *s, const struct store_write *w)
{
	return !w->data && w->sectors / BLOCK_SECTORS > s->now.count;
}

static u8 mask_within(u64 block, const struct store_write *w)
{
	u64 start = block * BLOCK_SECTORS;
	u64 from = max(start, w->sector);
	u64 to = min(start + BLOCK_SECTORS, w->sector + w->sectors);

	return from < to ? ((1U << (to - from)) - 1) << (from - start) : 0;
}

static void zero_wide(struct disk_store *s, const struct store_write *w,
		      bool durable)
{
	struct piece p = {.data = NULL};
	struct cell *c;

	list_for_each_entry(c, &s->now.cells, link) {
		p.block = c->block;
		p.mask = mask_within(c->block, w);
		if (p.mask)
			write_piece(s, w->request, &p, durable);
	}
}

void disk_store_write(struct disk_store *s, const struct store_write *w,
		      bool durable)
{
	struct store_write left = *w;
	struct piece p;

	if (is_wide(s, w))
		zero_wide(s, w, durable);
	else
		while (next_piece(&left, &p))
			write_piece(s, w->request, &p, durable);
	s->next_seq++;
	log_trim(s);
}

u64 disk_store_mark(struct disk_store *s)
{
	return s->next_seq;
}

void disk_store_flush(struct disk_store *s, u64 mark)
{
	while (log_oldest(s) && log_oldest(s)->seq < mark)
		log_destage_one(s);
}

void disk_store_lose_cache(struct disk_store *s)
{
	set_clear(&s->log);
	image_copy(&s->now, &s->medium);
}

/* ------------------------------------------------------------------ */
/* Power cut							      */

/* Steele, Lea and Flood, OOPSLA 2014: the finaliser of SplitMix64. */
static u64 mix(u64 seed, u64 value)
{
	u64 z = seed + (value + 1) * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/*
 * Of four disks one loses all that is not durable, one keeps it all, and two
 * choose for each request; of four torn requests one is lost, one is kept,
 * and of two each sector is chosen.
 */
static u8 kept_sectors(struct disk_store *s, const struct power_cut *cut,
		       u64 request, u64 block)
{
	u64 disk = mix(cut->seed, s->name), one = mix(disk, request);

	switch (disk % 4) {
	case 0:
		return 0;
	case 1:
		return 0xff;
	}
	if (!cut->torn || one % 4 < 2)
		return one & 1 ? 0xff : 0;
	return mix(one, block);
}

bool disk_store_cut_any(struct disk_store *s, const struct power_cut *cut,
			u64 request)
{
	u64 disk = mix(cut->seed, s->name), one = mix(disk, request);

	switch (disk % 4) {
	case 0:
		return false;
	case 1:
		return true;
	}
	return one & 1 || (cut->torn && one % 4 >= 2);
}

bool disk_store_cut(struct disk_store *s, const struct power_cut *cut, u64 mark)
{
	struct cell *c;
	u8 mask;

	if (s->cut)
		return false;
	s->cut = true;
	image_copy(&s->kept, &s->medium);
	list_for_each_entry(c, &s->log.cells, link) {
		mask = c->mask;
		if (c->seq >= mark)
			mask &= kept_sectors(s, cut, c->request, c->block);
		if (mask)
			image_merge(&s->kept, c->block, mask, log_data(c));
	}
	return true;
}

static void cut_piece(struct disk_store *s, const struct power_cut *cut,
		      u64 request, const struct piece *p)
{
	u8 mask = p->mask & kept_sectors(s, cut, request, p->block);

	if (mask)
		image_merge(&s->kept, p->block, mask, p->data);
}

void disk_store_cut_write(struct disk_store *s, const struct power_cut *cut,
			  const struct store_write *w)
{
	struct piece p = {.data = NULL};
	struct store_write left = *w;
	struct cell *c;

	if (!is_wide(s, w)) {
		while (next_piece(&left, &p))
			cut_piece(s, cut, w->request, &p);
		return;
	}
	list_for_each_entry(c, &s->kept.cells, link) {
		p.block = c->block;
		p.mask = mask_within(c->block, w);
		cut_piece(s, cut, w->request, &p);
	}
}

void disk_store_settle(struct disk_store *s)
{
	if (!s->cut)
		return;
	s->cut = false;
	set_clear(&s->log);
	image_copy(&s->medium, &s->kept);
	image_copy(&s->now, &s->kept);
	set_clear(&s->kept);
}
