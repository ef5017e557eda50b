// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of simulated disks: what they hold after reads, writes, flushes,
 * faults and power cuts is compared with a plain model, which knows of each
 * sector which writes it may hold and nothing of how the disk keeps them.
 *
 *	model of a sector:  durable | newer, not durable ... | under way
 *	a power cut leaves one of these; which writes are durable is what the
 *	definitions of flush, FUA and PREFLUSH say
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/wait.h>

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/selftest.h"

#define SECTORS 64	  /* of the disk that the model knows */
#define OP_MAX	8	  /* sectors of a request: one page */
#define WRITES	(OPS + 1) /* of one run, at most */
#define OPS	60	  /* requests of one run */
#define SEEDS	300
#define BIG	(1ULL << 40) /* sectors of the disk */

/* ------------------------------------------------------------------ */
/* Requests							      */

/*
 * struct op - a request
 * @version:	write: what its sectors are stamped with, ascending from 1
 * @flushed:	writes that were complete when it was sent
 */
struct op {
	struct list_head link;
	struct bio *bio;
	struct page *page;
	enum req_op op;
	blk_opf_t flags;
	unsigned int first, sectors;
	unsigned int version;
	unsigned int flushed;
	bool done;
	int result;
	void (*complete)(struct op *op);
};

static struct shim_member *disk;
static DECLARE_WAIT_QUEUE_HEAD(op_wait);

static void op_end(struct bio *bio)
{
	struct op *op = bio->bi_private;

	op->result = blk_status_to_errno(bio->bi_status);
	op->done = true;
	if (op->complete)
		op->complete(op);
	wake_up(&op_wait);
}

static bool has_data(const struct op *op)
{
	return op->sectors && (op->op == REQ_OP_READ || op->op == REQ_OP_WRITE);
}

static u32 *op_sector(struct op *op, unsigned int n)
{
	return page_address(op->page) + n * SECTOR_SIZE;
}

static void op_fill(struct op *op)
{
	unsigned int n, i;

	for (n = 0; n < op->sectors; n++)
		for (i = 0; i < SECTOR_SIZE / sizeof(u32); i++)
			op_sector(op, n)[i] = op->version;
}

/* The version that all of a sector holds, or ~0. */
static unsigned int stamp(const u32 *sector)
{
	unsigned int i;

	for (i = 1; i < SECTOR_SIZE / sizeof(u32); i++)
		if (sector[i] != sector[0])
			return ~0U;
	return sector[0];
}

static void op_send(struct op *op, sector_t at)
{
	op->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	op->bio = bio_alloc(shim_member_bdev(disk), 1, op->op | op->flags,
			    GFP_KERNEL);
	op->bio->bi_iter.bi_sector = at;
	op->bio->bi_private = op;
	op->bio->bi_end_io = op_end;
	if (op->op == REQ_OP_WRITE)
		op_fill(op);
	if (has_data(op))
		__bio_add_page(op->bio, op->page, op->sectors * SECTOR_SIZE, 0);
	else
		op->bio->bi_iter.bi_size = op->sectors * SECTOR_SIZE;
	submit_bio(op->bio);
}

static void op_wait_done(struct op *op)
{
	wait_event(op_wait, op->done);
}

static void op_free(struct op *op)
{
	bio_put(op->bio);
	__free_page(op->page);
}

/* One request from start to end; -errno. */
static int do_op(enum req_op code, blk_opf_t flags, sector_t first,
		 unsigned int sectors, unsigned int version)
{
	struct op op = {
		.op = code,
		.flags = flags,
		.sectors = sectors,
		.version = version,
	};

	op_send(&op, first);
	op_wait_done(&op);
	op_free(&op);
	return op.result;
}

static int do_write(sector_t first, unsigned int sectors, unsigned int version)
{
	return do_op(REQ_OP_WRITE, 0, first, sectors, version);
}

static int do_read(sector_t first, unsigned int sectors)
{
	return do_op(REQ_OP_READ, 0, first, sectors, 0);
}

static int do_flush(void)
{
	return do_op(REQ_OP_WRITE, REQ_PREFLUSH, 0, 0, 0);
}

static unsigned int holds(sector_t sector)
{
	static u32 buf[SECTOR_SIZE / sizeof(u32)];

	shim_member_peek(disk, sector, 1, buf);
	return stamp(buf);
}

static void new_disk(void)
{
	disk = shim_member_create("sda", MKDEV(8, 0), BIG,
				  &(struct disk_media){});
}

/* A disk that was cut at @seed. */
static void cut_and_settle(u64 seed, bool torn)
{
	shim_member_power_cut(disk, seed, torn);
	shim_member_settle(disk);
}

/* ------------------------------------------------------------------ */
/* Any mixture, against the model				      */

/*
 * struct write - what the model knows of a write
 * @completed:	its place among completions, from 1; 0: not yet
 */
struct write {
	unsigned int first, sectors;
	unsigned int completed;
	unsigned int flushed;
	bool preflush;
};

/*
 * struct model - what the disk may hold
 * @durable:	of each sector, the version that no cut can take away
 * @latest:	of each sector, what a read gives
 * @completions: how many writes are complete
 */
static struct model {
	struct write write[WRITES];
	unsigned int versions, completions;
	unsigned int durable[SECTORS], latest[SECTORS];
} model, at_cut;

static u64 random_state;
static LIST_HEAD(under_way);

static unsigned int any_of(unsigned int n)
{
	random_state =
		random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(random_state >> 33) % n;
}

/* Older versions of it are gone for good. */
static void make_durable(struct model *m, unsigned int sector, unsigned int v)
{
	if (!m->durable[sector] ||
	    m->write[m->durable[sector]].completed < m->write[v].completed)
		m->durable[sector] = v;
}

static bool covers(const struct write *w, unsigned int sector)
{
	return sector >= w->first && sector < w->first + w->sectors;
}

/* The first @upto writes that completed are durable. */
static void model_flush(struct model *m, unsigned int upto)
{
	unsigned int v, s;

	for (v = 1; v <= m->versions; v++)
		if (m->write[v].completed && m->write[v].completed <= upto)
			for (s = 0; s < SECTORS; s++)
				if (covers(&m->write[v], s))
					make_durable(m, s, v);
}

static void write_done(struct op *op)
{
	struct write *w = &model.write[op->version];
	unsigned int s;

	if (op->flags & REQ_PREFLUSH)
		model_flush(&model, op->flushed);
	if (!op->sectors)
		return;
	w->completed = ++model.completions;
	for (s = op->first; s < op->first + op->sectors; s++) {
		model.latest[s] = op->version;
		if (op->flags & REQ_FUA)
			make_durable(&model, s, op->version);
	}
}

static bool overlaps(const struct op *a, const struct op *b)
{
	return a->first < b->first + b->sectors &&
	       b->first < a->first + a->sectors;
}

static struct op *overlapped(const struct op *op)
{
	struct op *other;

	list_for_each_entry(other, &under_way, link)
		if (!other->done && overlaps(op, other))
			return other;
	return NULL;
}

static const char *misread;

/* At once: the next write may be of the same sectors. */
static void read_done(struct op *op)
{
	unsigned int n;

	for (n = 0; n < op->sectors; n++)
		if (stamp(op_sector(op, n)) != model.latest[op->first + n])
			misread = "a read gives what was not written last";
}

static const char *reap(bool all)
{
	const char *why = NULL;
	struct op *op, *next;

	list_for_each_entry_safe(op, next, &under_way, link)
	{
		if (all)
			op_wait_done(op);
		if (!op->done)
			continue;
		if (op->result)
			why = "a request fails";
		list_del(&op->link);
		op_free(op);
		host_obj_free(op, MEM_SHIM, NULL);
	}
	return why ?: misread;
}

static void choose_op(struct op *op)
{
	unsigned int kind = any_of(8);

	op->op = kind < 2 ? REQ_OP_READ : REQ_OP_WRITE;
	if (kind == 2)
		op->flags = REQ_PREFLUSH;
	else if (kind == 3)
		op->flags = REQ_FUA;
	else if (kind == 4)
		op->flags = REQ_PREFLUSH | REQ_FUA;
	op->sectors = kind == 2 && any_of(2) ? 0 : 1 + any_of(OP_MAX);
	op->first = op->sectors ? any_of(SECTORS - op->sectors + 1) : 0;
}

static void model_write(struct op *op)
{
	op->complete = write_done;
	if (!op->sectors)
		return;
	op->version = ++model.versions;
	model.write[op->version] = (struct write){
		.first = op->first,
		.sectors = op->sectors,
		.flushed = op->flushed,
		.preflush = op->flags & REQ_PREFLUSH,
	};
}

static void model_send(struct op *op)
{
	op->flushed = model.completions;
	op->complete = read_done;
	if (op->op == REQ_OP_WRITE)
		model_write(op);
	list_add_tail(&op->link, &under_way);
	op_send(op, op->first);
}

/* Which of two that overlap comes first is nobody's promise: not sent. */
static const char *one_more(void)
{
	struct op *op = host_obj_alloc(sizeof(*op), 8, MEM_SHIM, NULL, NULL);
	struct op *other;

	memset(op, 0, sizeof(*op));
	choose_op(op);
	while ((other = overlapped(op)))
		op_wait_done(other);
	model_send(op);
	if (any_of(3) == 0)
		kern_sleep(any_of(300) * NSEC_PER_USEC);
	return reap(false);
}

static bool may_hold(const struct model *m, unsigned int s, unsigned int v)
{
	const struct write *durable = &m->write[m->durable[s]];
	const struct write *w = &m->write[v];

	if (v == m->durable[s])
		return true;
	if (!v || v > m->versions || !covers(w, s))
		return false;
	return !w->completed || w->completed > durable->completed;
}

/* Did a later write of @s than @v come before the cut, or was it under way? */
static bool is_newer(const struct model *m, unsigned int v, unsigned int than)
{
	const struct write *w = &m->write[v], *t = &m->write[than];

	if (!v)
		return false;
	return !w->completed || (t->completed && w->completed > t->completed);
}

static bool kept_any(const struct model *m, unsigned int v)
{
	unsigned int s;

	for (s = 0; s < SECTORS; s++)
		if (holds(s) == v)
			return true;
	return false;
}

static bool kept_whole(const struct model *m, unsigned int v)
{
	unsigned int s;

	for (s = 0; s < SECTORS; s++)
		if (covers(&m->write[v], s) && holds(s) != v &&
		    !is_newer(m, holds(s), v))
			return false;
	return true;
}

static const char *check_cut(struct model *m, bool torn)
{
	unsigned int s, v;

	for (v = 1; v <= m->versions; v++)
		if (!m->write[v].completed && m->write[v].preflush &&
		    kept_any(m, v))
			model_flush(m, m->write[v].flushed);
	for (s = 0; s < SECTORS; s++)
		if (!may_hold(m, s, holds(s)))
			return "a cut leaves what cannot be";
	for (v = 1; !torn && v <= m->versions; v++)
		if (kept_any(m, v) && !kept_whole(m, v))
			return "a cut tears a write";
	return NULL;
}

static const char *mixture(u64 seed, bool torn)
{
	const char *why = NULL;
	unsigned int n, cut = 20 + (u32)seed % 20;

	memset(&model, 0, sizeof(model));
	random_state = seed;
	kern_schedule(&(struct schedule){
		.strategy = SCHED_RANDOM,
		.seed = seed,
		.rate = 2,
	});
	new_disk();
	for (n = 0; n < OPS && !why; n++) {
		if (n == cut) {
			shim_member_power_cut(disk, seed, torn);
			at_cut = model;
		}
		why = one_more();
	}
	why = reap(true) ?: why;
	shim_member_settle(disk);
	why = why ?: check_cut(&at_cut, torn);
	shim_member_free(disk);
	return why;
}

static const char *all_mixtures(bool torn)
{
	const char *why = NULL;
	u64 seed;

	for (seed = 0; seed < SEEDS && !why; seed++)
		why = mixture(seed, torn);
	return why;
}

static const char *mixtures_whole(void)
{
	return all_mixtures(false);
}

static const char *mixtures_torn(void)
{
	return all_mixtures(true);
}

/* ------------------------------------------------------------------ */
/* Power cuts: what may happen does, sooner or later		      */

/* How often each number of the 8 sectors of a write is kept. */
static void count_kept(unsigned int kept[OP_MAX + 1], bool torn, bool complete)
{
	struct op op;
	u64 seed;
	int s, n;

	for (seed = 0; seed < SEEDS; seed++) {
		new_disk();
		op = (struct op){
			.op = REQ_OP_WRITE,
			.sectors = OP_MAX,
			.version = 1,
		};
		op_send(&op, 0);
		if (complete)
			op_wait_done(&op);
		shim_member_power_cut(disk, seed, torn);
		op_wait_done(&op);
		op_free(&op);
		shim_member_settle(disk);
		for (s = n = 0; s < OP_MAX; s++)
			n += holds(s) == 1;
		kept[n]++;
		shim_member_free(disk);
	}
}

static const char *cut_chooses(bool complete)
{
	unsigned int whole[OP_MAX + 1] = {0}, torn[OP_MAX + 1] = {0}, n, some;

	count_kept(whole, false, complete);
	count_kept(torn, true, complete);
	if (!whole[0] || !whole[OP_MAX] || !torn[0] || !torn[OP_MAX])
		return "no cut loses a write, or none keeps it";
	for (n = 1, some = 0; n < OP_MAX; n++)
		some += torn[n];
	return some ? NULL : "no cut tears a write";
}

static const char *cut_chooses_of_cache(void)
{
	return cut_chooses(true);
}

static const char *cut_chooses_of_under_way(void)
{
	return cut_chooses(false);
}

/* Only the disk that is cut forgets, and only once it settles. */
static const char *world_goes_on(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		new_disk();
		do_write(0, 8, 1);
		do_flush();
		shim_member_power_cut(disk, seed, true);
		do_write(0, 8, 2);
		if (holds(3) != 2)
			return "a disk forgets before it settles";
		shim_member_settle(disk);
		if (holds(3) != 1)
			return "what came after the cut stays";
		do_flush();
		cut_and_settle(seed, true);
		if (holds(3) != 1)
			return "what came after the cut comes back";
		do_write(0, 1, 3);
		shim_member_settle(disk);
		if (holds(0) != 3)
			return "a disk forgets without a cut";
		shim_member_free(disk);
	}
	return NULL;
}

/* More than any cache holds. */
static const char *cache_is_finite(void)
{
	unsigned int n, lost = 0;
	u64 seed;

	for (seed = 0; seed < 12; seed++) {
		new_disk();
		for (n = 0; n < 6000; n++)
			do_write(n * 8, 8, 1);
		cut_and_settle(seed, false);
		if (holds(0) != 1)
			return "the oldest of many writes is lost";
		lost += holds(5999 * 8) != 1;
		shim_member_free(disk);
	}
	return lost ? NULL : "the latest of many writes is never lost";
}

static const char *no_cache_to_lose(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		disk = shim_member_create("sda", MKDEV(8, 0), BIG,
					  &(struct disk_media){
						  .write_through = true,
					  });
		do_write(0, 8, 1);
		do_write(8, 8, 1);
		do_op(REQ_OP_DISCARD, 0, 8, 8, 0);
		cut_and_settle(seed, true);
		if (holds(0) != 1 || holds(7) != 1)
			return "a write is lost";
		if (holds(8) || holds(15))
			return "a discard is undone";
		shim_member_free(disk);
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Zeroes							      */

static bool all_hold(sector_t first, sector_t end, unsigned int version)
{
	for (; first < end; first++)
		if (holds(first) != version)
			return false;
	return true;
}

static const char *zeroes(enum req_op op)
{
	new_disk();
	do_write(0, 8, 1);
	do_write(8, 8, 2);
	do_write(BIG - 8, 8, 3);
	if (do_op(op, 0, 3, 8, 0))
		return "zeroing fails";
	if (!all_hold(0, 3, 1) || !all_hold(3, 11, 0) || !all_hold(11, 16, 2))
		return "not the sectors that were asked for are zero";
	if (do_op(op, 0, 12, UINT_MAX >> SECTOR_SHIFT, 0))
		return "zeroing a wide range fails";
	if (!all_hold(11, 12, 2) || !all_hold(12, 20, 0) ||
	    !all_hold(BIG - 8, BIG, 3))
		return "not the wide range that was asked for is zero";
	shim_member_free(disk);
	return NULL;
}

static const char *discard_zeroes(void)
{
	return zeroes(REQ_OP_DISCARD);
}

static const char *write_zeroes_zeroes(void)
{
	return zeroes(REQ_OP_WRITE_ZEROES);
}

/* Zeroes lie in the cache as data do. */
static const char *cut_undoes_zeroes(void)
{
	unsigned int zero = 0, kept = 0;
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		new_disk();
		do_op(REQ_OP_WRITE, REQ_FUA, 0, 8, 1);
		do_op(REQ_OP_DISCARD, 0, 0, 1 << 20, 0);
		cut_and_settle(seed, false);
		zero += all_hold(0, 8, 0);
		kept += all_hold(0, 8, 1);
		shim_member_free(disk);
	}
	if (zero + kept != SEEDS)
		return "a discard is torn";
	return zero && kept ? NULL : "a discard is always or never lost";
}

/* ------------------------------------------------------------------ */
/* Faults							      */

static const char *read_errors(void)
{
	new_disk();
	do_write(0, 8, 1);
	shim_member_fault(disk, DISK_READ_ERROR, 2, 4);
	if (do_read(0, 2) || do_read(6, 2))
		return "a sound sector cannot be read";
	if (do_read(0, 3) != -ENODATA || do_read(5, 1) != -ENODATA ||
	    do_read(1, 7) != -ENODATA)
		return "a bad sector is read, or with another error";
	if (do_write(3, 1, 2) || do_read(3, 1))
		return "a write does not heal";
	if (do_read(2, 1) != -ENODATA || do_read(4, 1) != -ENODATA)
		return "a write heals its neighbours";
	if (do_write(0, 8, 3) || do_read(0, 8))
		return "a write of all does not heal all";
	shim_member_fault(disk, DISK_READ_ERROR, 0, BIG);
	shim_member_heal(disk);
	if (do_read(0, 8))
		return "a healed disk has bad sectors";
	shim_member_free(disk);
	return NULL;
}

static const char *write_errors(void)
{
	new_disk();
	do_write(0, 8, 1);
	shim_member_fault(disk, DISK_WRITE_ERROR, 4, 2);
	if (do_write(0, 4, 2) || do_write(6, 2, 2))
		return "a sound sector cannot be written";
	if (do_write(0, 8, 3) != -EIO || do_write(4, 1, 3) != -EIO)
		return "a bad sector is written, or with another error";
	if (do_read(0, 8) || !all_hold(4, 6, 1))
		return "a write that failed changed its bad sectors";
	shim_member_heal(disk);
	if (do_write(0, 8, 4) || !all_hold(0, 8, 4))
		return "a healed disk has bad sectors";
	shim_member_free(disk);
	return NULL;
}

static const char *failed_disk(void)
{
	new_disk();
	do_write(0, 8, 1);
	shim_member_fault(disk, DISK_FAIL, 0, 0);
	if (do_write(0, 8, 2) != -EIO || do_read(0, 1) != -EIO ||
	    do_flush() != -EIO)
		return "a failed disk does something";
	if (shim_member_gone(disk))
		return "a failed disk has gone";
	shim_member_heal(disk);
	if (do_read(0, 8) || !all_hold(0, 8, 1))
		return "a failed disk forgot or took something";
	shim_member_free(disk);
	return NULL;
}

static const char *pulled_disk(void)
{
	struct op op = {.op = REQ_OP_WRITE, .sectors = 8, .version = 3};

	new_disk();
	do_write(0, 8, 1);
	do_flush();
	do_write(8, 8, 2);
	op_send(&op, 16);
	shim_member_fault(disk, DISK_VANISH, 0, 0);
	if (!shim_member_gone(disk) || do_read(0, 1) != -EIO)
		return "a pulled disk is still there";
	shim_member_heal(disk);
	op_wait_done(&op);
	if (op.result != -EIO)
		return "a request survives that its disk is pulled";
	op_free(&op);
	if (shim_member_gone(disk) || !all_hold(0, 8, 1) || !all_hold(8, 24, 0))
		return "a pulled disk holds what was not on its medium";
	do_flush();
	cut_and_settle(1, false);
	if (!all_hold(8, 24, 0))
		return "what a pulled disk lost comes back";
	shim_member_free(disk);
	return NULL;
}

static const char *beyond_the_end(void)
{
	new_disk();
	if (do_write(BIG - 4, 8, 1) != -EIO || do_read(BIG, 1) != -EIO)
		return "sectors beyond the end exist";
	if (do_write(BIG - 8, 8, 1) || !all_hold(BIG - 8, BIG, 1))
		return "the last sectors do not exist";
	shim_member_free(disk);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Order							      */

/* Which of its pages' contents a write writes that change meanwhile. */
static unsigned int written_of_two(u64 seed)
{
	struct op op = {.op = REQ_OP_WRITE, .sectors = 8, .version = 1};
	unsigned int got;

	kern_schedule(&(struct schedule){
		.strategy = SCHED_RANDOM,
		.seed = seed,
		.rate = 1,
	});
	new_disk();
	op_send(&op, 0);
	op.version = 2;
	op_fill(&op);
	op_wait_done(&op);
	op_free(&op);
	got = all_hold(0, 8, 1) ? 1 : all_hold(0, 8, 2) ? 2 : 0;
	shim_member_free(disk);
	return got;
}

static const char *changed_meanwhile(void)
{
	unsigned int seed, got[3] = {0};

	for (seed = 0; seed < 50; seed++)
		got[written_of_two(seed)]++;
	if (got[0])
		return "a write writes what was never in its pages";
	return got[1] && got[2] ? NULL : "all schedules take data alike";
}

static unsigned int order[2], ended;

static void note_order(struct op *op)
{
	order[ended++ % 2] = op->version;
}

static bool second_is_first(u64 seed)
{
	struct op a = {.op = REQ_OP_WRITE, .sectors = 1, .version = 1};
	struct op b = {.op = REQ_OP_WRITE, .sectors = 1, .version = 2};

	kern_schedule(&(struct schedule){
		.strategy = seed ? SCHED_RANDOM : SCHED_IN_ORDER,
		.seed = seed,
		.rate = 1,
	});
	new_disk();
	a.complete = b.complete = note_order;
	op_send(&a, 0);
	op_send(&b, 1);
	op_wait_done(&a);
	op_wait_done(&b);
	op_free(&a);
	op_free(&b);
	shim_member_free(disk);
	return order[ended % 2] == 2;
}

static const char *overtaking(void)
{
	unsigned int seed, overtaken = 0;

	if (second_is_first(0))
		return "in order, a request overtakes another";
	for (seed = 1; seed < 50; seed++)
		overtaken += second_is_first(seed);
	return overtaken ? NULL : "no schedule lets a request overtake another";
}

const struct selftest selftest_disk[] = {
	{"disk: any mixture of requests, then a cut", mixtures_whole,
	 FINDING_KINDS},
	{"disk: any mixture of requests, then a cut that tears", mixtures_torn,
	 FINDING_KINDS},
	{"disk: a cut loses, keeps and tears what is cached",
	 cut_chooses_of_cache, FINDING_KINDS},
	{"disk: a cut loses, keeps and tears what is under way",
	 cut_chooses_of_under_way, FINDING_KINDS},
	{"disk: all goes on after a cut", world_goes_on, FINDING_KINDS},
	{"disk: a cache is finite", cache_is_finite, FINDING_KINDS},
	{"disk: without a cache none is lost", no_cache_to_lose, FINDING_KINDS},
	{"disk: discards", discard_zeroes, FINDING_KINDS},
	{"disk: write-zeroes", write_zeroes_zeroes, FINDING_KINDS},
	{"disk: a cut may undo a discard", cut_undoes_zeroes, FINDING_KINDS},
	{"disk: read errors", read_errors, FINDING_KINDS},
	{"disk: write errors", write_errors, FINDING_KINDS},
	{"disk: one that fails", failed_disk, FINDING_KINDS},
	{"disk: one that is pulled", pulled_disk, FINDING_KINDS},
	{"disk: its end", beyond_the_end, FINDING_KINDS},
	{"disk: requests overtake each other", overtaking, FINDING_KINDS},
	{"disk: data that change while they are written", changed_meanwhile,
	 FINDING_KINDS},
	{NULL},
};
