// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulated disks: requests, how long they take, and what goes wrong with
 * them. What a disk holds is disk-store.c's. Knows nothing of arrays but that
 * they have disks.
 *
 *	shim_member ─┬─ gendisk, block_device (block.c)
 *		     ├─ disk_store
 *		     ├─ faults: ranges of sectors
 *		     └─ requests under way, in the order of submission
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/smp.h>

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/disk-store.h"
#include "kernel/shim.h"

/* Of a solid state disk, roughly. */
#define TIME_LEAST (20 * NSEC_PER_USEC)
#define TIME_MOST  (200 * NSEC_PER_USEC)
/* So many different times a request may take. */
#define TIME_STEPS 8

/* What an event in the trace is about. */
enum { TRACE_SUBMIT = 1, TRACE_COMPLETE = 2 };

/* struct fault - sectors @first .. @end - 1 */
struct fault {
	struct list_head link;
	enum disk_fault_kind kind;
	sector_t first, end;
};

struct shim_member {
	struct gendisk *disk;
	struct disk_store *store;
	struct disk_times times;
	struct disk_media media;
	bool failed, gone;
	u64 requests;
	struct list_head faults;
	struct list_head busy;
};

/*
 * struct member_io - a request under way
 * @taken:	its data, if they were taken when it was sent; NULL: they are
 *		taken when it completes
 * @lost:	its disk was pulled since
 * @mark:	what a flush of it covers
 * The bio is advanced only when it is complete.
 */
struct member_io {
	struct list_head link;
	struct shim_event event;
	struct shim_member *member;
	struct bio *bio;
	u64 request;
	u64 mark;
	void *taken;
	bool lost;
};

static unsigned int busy_count;

unsigned int kern_disks_busy(void)
{
	return busy_count;
}

/* Made once and used again: a run has many and short-lived ones. */
static LIST_HEAD(unused_ios);

static struct member_io *io_take(void)
{
	struct member_io *io =
		list_first_entry_or_null(&unused_ios, struct member_io, link);

	if (!io)
		return shim_zalloc(sizeof(*io), "member_io");
	list_del(&io->link);
	return memset(io, 0, sizeof(*io));
}

/* ------------------------------------------------------------------ */
/* Faults							      */

static void fault_add(struct shim_member *m, enum disk_fault_kind kind,
		      sector_t first, sector_t end)
{
	struct fault *f;

	if (first >= end)
		return;
	f = shim_zalloc(sizeof(*f), "disk_fault");
	f->kind = kind;
	f->first = first;
	f->end = end;
	list_add_tail(&f->link, &m->faults);
}

static void fault_drop(struct fault *f)
{
	list_del(&f->link);
	shim_free(f);
}

/* Sectors from @first that have no fault of @kind, at most @sectors. */
static sector_t sound_sectors(struct shim_member *m, enum disk_fault_kind kind,
			      sector_t first, sector_t sectors)
{
	sector_t end = first + sectors;
	struct fault *f;

	list_for_each_entry(f, &m->faults, link)
		if (f->kind == kind && f->first < end && f->end > first)
			end = max(first, f->first);
	return end - first;
}

/* A sector that is written anew can be read again. */
static void heal_by_write(struct shim_member *m, sector_t first, sector_t end)
{
	struct fault *f, *next;

	list_for_each_entry_safe(f, next, &m->faults, link)
	{
		if (f->kind != DISK_READ_ERROR || f->first >= end ||
		    f->end <= first)
			continue;
		fault_add(m, f->kind, end, f->end);
		f->end = min(f->end, max(f->first, first));
		if (f->first >= f->end)
			fault_drop(f);
	}
}

/* ------------------------------------------------------------------ */
/* What a request does						      */

static bool is_zeroing(struct bio *bio)
{
	return bio_op(bio) == REQ_OP_DISCARD ||
	       bio_op(bio) == REQ_OP_WRITE_ZEROES;
}

/* Whole sectors of memory, as direct I/O and md give them. */
static void *segment_data(const struct bio_vec *bv)
{
	if (bv->bv_len % SECTOR_SIZE)
		finding_fatal(FINDING_NOT_MODELLED, NULL,
			      "not modelled: a segment of %u bytes of a bio",
			      bv->bv_len);
	return page_address(bv->bv_page) + bv->bv_offset;
}

/* Calls @run for each run of the first @sectors that lies in one piece of
 * memory. */
static void for_each_run(struct member_io *io, sector_t sectors,
			 void (*run)(struct member_io *io,
				     const struct store_write *w, void *data,
				     const void *arg),
			 const void *arg)
{
	struct store_write w = {.request = io->request};
	void *taken = io->taken;
	struct bvec_iter iter;
	struct bio_vec bv;
	void *data;

	w.sector = io->bio->bi_iter.bi_sector;
	if (is_zeroing(io->bio)) {
		w.sectors = sectors;
		run(io, &w, NULL, arg);
		return;
	}
	bio_for_each_segment(bv, io->bio, iter) {
		data = taken ?: segment_data(&bv);
		if (taken)
			taken += bv.bv_len;
		w.data = data;
		w.sectors = min_t(sector_t, bv.bv_len / SECTOR_SIZE, sectors);
		if (w.sectors)
			run(io, &w, data, arg);
		w.sector += w.sectors;
		sectors -= w.sectors;
	}
}

static void run_read(struct member_io *io, const struct store_write *w,
		     void *data, const void *arg)
{
	disk_store_read(io->member->store, w->sector, w->sectors, data);
}

static void run_write(struct member_io *io, const struct store_write *w,
		      void *data, const void *arg)
{
	disk_store_write(io->member->store, w,
			 io->bio->bi_opf & REQ_FUA ||
				 io->member->media.write_through);
}

static blk_status_t perform_read(struct member_io *io)
{
	sector_t sectors = bio_sectors(io->bio);
	sector_t sound = sound_sectors(io->member, DISK_READ_ERROR,
				       io->bio->bi_iter.bi_sector, sectors);

	for_each_run(io, sound, run_read, NULL);
	/* drivers/scsi/scsi_error.c, scsi_check_sense(): unrecovered read */
	return sound < sectors ? BLK_STS_MEDIUM : BLK_STS_OK;
}

static blk_status_t perform_write(struct member_io *io)
{
	struct shim_member *m = io->member;
	sector_t first = io->bio->bi_iter.bi_sector;
	sector_t sectors = bio_sectors(io->bio);
	sector_t sound = sound_sectors(m, DISK_WRITE_ERROR, first, sectors);

	if (io->bio->bi_opf & REQ_PREFLUSH)
		disk_store_flush(m->store, io->mark);
	for_each_run(io, sound, run_write, NULL);
	heal_by_write(m, first, first + sound);
	/* drivers/scsi/scsi_lib.c: no error of the medium when writing */
	return sound < sectors ? BLK_STS_IOERR : BLK_STS_OK;
}

static blk_status_t perform(struct member_io *io)
{
	if (io->lost || io->member->failed)
		return BLK_STS_IOERR;
	if (bio_op(io->bio) == REQ_OP_READ)
		return perform_read(io);
	return perform_write(io);
}

/* ------------------------------------------------------------------ */
/* Submission and completion					      */

static void trace_io(const struct member_io *io, unsigned int what, u64 value)
{
	const struct bio *bio = io->bio;

	shim_trace((u64)what << 56 | (u64)bio_op(bio) << 48 |
		   io->member->disk->part0->bd_dev);
	shim_trace(bio->bi_iter.bi_sector);
	shim_trace(value);
}

/* As blk-mq leaves a bio: all of it is consumed, also after an error. */
static void complete_bio(struct bio *bio, blk_status_t status)
{
	bio_advance(bio, bio->bi_iter.bi_size);
	if (status)
		bio->bi_status = status;
	bio_endio(bio);
}

static void member_io_done(struct shim_event *e)
{
	struct member_io *io = container_of(e, struct member_io, event);
	blk_status_t status = perform(io);
	struct bio *bio = io->bio;

	trace_io(io, TRACE_COMPLETE, (__force u8)status);
	if (io->taken)
		shim_free(io->taken);
	list_del(&io->link);
	busy_count--;
	list_add(&io->link, &unused_ios);
	complete_bio(bio, status);
}

static void *take_data(struct bio *bio)
{
	void *buf = shim_zalloc(bio->bi_iter.bi_size, "taken"), *at = buf;
	struct bvec_iter iter;
	struct bio_vec bv;

	bio_for_each_segment(bv, bio, iter) {
		memcpy(at, segment_data(&bv), bv.bv_len);
		at += bv.bv_len;
	}
	return buf;
}

/*
 * How long it takes; and of a write, whether the disk takes its data at the
 * start or at the end, should somebody change them meanwhile.
 */
static u64 choose_course(struct member_io *io)
{
	const struct disk_times *t = &io->member->times;
	u64 span = t->most > t->least ? t->most - t->least : 0;
	unsigned int steps = span ? TIME_STEPS : 1, pick = 0;
	bool sends = bio_op(io->bio) == REQ_OP_WRITE && bio_sectors(io->bio);

	if (sends || span)
		pick = shim_choose(steps << sends);
	if (pick >= steps)
		io->taken = take_data(io->bio);
	return t->least + div_u64(span * (pick % steps), TIME_STEPS - 1);
}

static void member_io_start(struct shim_member *m, struct bio *bio)
{
	struct member_io *io = io_take();

	io->member = m;
	io->bio = bio;
	io->request = m->requests++;
	io->mark = disk_store_mark(m->store);
	io->event.cpu = raw_smp_processor_id();
	io->event.io = true;
	io->event.fn = member_io_done;
	list_add_tail(&io->link, &m->busy);
	busy_count++;
	trace_io(io, TRACE_SUBMIT,
		 (u64)bio->bi_iter.bi_size << 32 | (__force u32)bio->bi_opf);
	shim_event_start(&io->event, choose_course(io));
}

static bool op_is_known(struct bio *bio)
{
	switch (bio_op(bio)) {
	case REQ_OP_READ:
	case REQ_OP_WRITE:
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
		return true;
	default:
		return false;
	}
}

/* A queue whose disk is gone takes nothing more: bio_queue_enter(). */
static void member_submit_bio(struct bio *bio)
{
	struct shim_member *m = bio->bi_bdev->bd_disk->private_data;

	if (!op_is_known(bio))
		finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0),
			      "not modelled: operation %u of a disk",
			      bio_op(bio));
	if (m->gone || bio->bi_iter.bi_size % SECTOR_SIZE)
		bio_io_error(bio);
	else
		member_io_start(m, bio);
}

static const struct block_device_operations member_fops = {
	.owner = THIS_MODULE,
	.submit_bio = member_submit_bio,
};

/* ------------------------------------------------------------------ */
/* Members							      */

struct shim_member *shim_member_create(const char *name, dev_t dev,
				       sector_t sectors,
				       const struct disk_media *media)
{
	struct shim_member *m = shim_zalloc(sizeof(*m), "disk");

	m->disk = shim_disk_create(name, dev, sectors, media, &member_fops);
	m->media = *media;
	m->disk->private_data = m;
	m->store = disk_store_new(dev);
	m->times.least = TIME_LEAST;
	m->times.most = TIME_MOST;
	INIT_LIST_HEAD(&m->faults);
	INIT_LIST_HEAD(&m->busy);
	return m;
}

static void must_be_idle(struct shim_member *m, const char *what)
{
	if (!list_empty(&m->busy))
		host_panic("disk %s is %s with requests under way",
			   m->disk->disk_name, what);
}

static void drop_faults(struct shim_member *m)
{
	struct fault *f, *next;

	list_for_each_entry_safe(f, next, &m->faults, link) fault_drop(f);
}

void shim_member_free(struct shim_member *m)
{
	must_be_idle(m, "freed");
	drop_faults(m);
	disk_store_free(m->store);
	shim_disk_free(m->disk);
	shim_free(m);
}

struct block_device *shim_member_bdev(struct shim_member *m)
{
	return m->disk->part0;
}

struct shim_member *shim_member_of(struct block_device *bdev)
{
	if (bdev->bd_disk->fops != &member_fops)
		return NULL;
	return bdev->bd_disk->private_data;
}

void shim_member_peek(struct shim_member *m, sector_t sector,
		      unsigned int sectors, void *buf)
{
	disk_store_read(m->store, sector, sectors, buf);
}

void shim_member_poke(struct shim_member *m, sector_t sector,
		      unsigned int sectors, const void *buf)
{
	struct store_write w = {
		.request = m->requests++,
		.sector = sector,
		.sectors = sectors,
		.data = buf,
	};

	disk_store_write(m->store, &w, true);
}

int shim_member_gone(struct shim_member *m)
{
	return m->gone;
}

void shim_member_settle(struct shim_member *m)
{
	must_be_idle(m, "settled");
	disk_store_settle(m->store);
}

/* ------------------------------------------------------------------ */
/* Power cut							      */

static bool is_write(struct bio *bio)
{
	return op_is_write(bio_op(bio)) && bio_sectors(bio);
}

/* A write that flushes first is on the medium only after what it flushed. */
static u64 kept_mark(struct shim_member *m, const struct power_cut *cut)
{
	struct member_io *io;
	u64 mark = 0;

	list_for_each_entry(io, &m->busy, link)
		if (is_write(io->bio) && io->bio->bi_opf & REQ_PREFLUSH &&
		    disk_store_cut_any(m->store, cut, io->request))
			mark = max(mark, io->mark);
	return mark;
}

static void run_cut(struct member_io *io, const struct store_write *w,
		    void *data, const void *arg)
{
	disk_store_cut_write(io->member->store, arg, w);
}

void shim_member_power_cut(struct shim_member *m, u64 seed, bool torn)
{
	struct power_cut cut = {.seed = seed, .torn = torn};
	struct member_io *io;

	if (!disk_store_cut(m->store, &cut, kept_mark(m, &cut)))
		return;
	if (m->failed || m->gone)
		return;
	list_for_each_entry(io, &m->busy, link)
		if (is_write(io->bio))
			for_each_run(io, bio_sectors(io->bio), run_cut, &cut);
}

void kern_power_cut(struct kern_array *a, unsigned long long seed, int torn)
{
	unsigned int n;

	for (n = 0; n < kern_array_disks(a); n++)
		shim_member_power_cut(shim_array_disk(a, n), seed, torn);
}

/* ------------------------------------------------------------------ */
/* What the host side does to disks				      */

void kern_disk_read(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors, void *buf)
{
	shim_member_peek(shim_array_disk(a, disk), sector, sectors, buf);
}

void kern_disk_write(struct kern_array *a, unsigned int disk,
		     unsigned long long sector, unsigned int sectors,
		     const void *buf)
{
	shim_member_poke(shim_array_disk(a, disk), sector, sectors, buf);
}

/* A disk that is pulled loses its power too. */
static void vanish(struct shim_member *m)
{
	struct member_io *io;

	m->gone = true;
	disk_store_lose_cache(m->store);
	list_for_each_entry(io, &m->busy, link)
		io->lost = true;
}

void shim_member_fault(struct shim_member *m, enum disk_fault_kind kind,
		       sector_t sector, sector_t sectors)
{
	switch (kind) {
	case DISK_READ_ERROR:
	case DISK_WRITE_ERROR:
		fault_add(m, kind, sector, sector + sectors);
		break;
	case DISK_FAIL:
		m->failed = true;
		break;
	case DISK_VANISH:
		vanish(m);
		break;
	case DISK_FAULT_KINDS:
		host_panic("no such fault of a disk: %d", kind);
	}
}

void shim_member_heal(struct shim_member *m)
{
	drop_faults(m);
	m->failed = m->gone = false;
}

void kern_disk_fault(struct kern_array *a, unsigned int disk,
		     enum disk_fault_kind kind, unsigned long long sector,
		     unsigned long long sectors)
{
	shim_member_fault(shim_array_disk(a, disk), kind, sector, sectors);
}

void kern_disk_heal(struct kern_array *a, unsigned int disk)
{
	shim_member_heal(shim_array_disk(a, disk));
}

void kern_disk_times(struct kern_array *a, const struct disk_times *t)
{
	unsigned int n;

	for (n = 0; n < kern_array_disks(a); n++)
		shim_array_disk(a, n)->times = *t;
}
