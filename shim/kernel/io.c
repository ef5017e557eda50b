// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of the host side to an array, as a file system or direct I/O would
 * send them: bios to its disk, with pages of their own. Knows nothing of what
 * lies below that disk, nor what the data mean.
 *
 *	kern_io_submit()  pages <- buf, submit_bio()
 *	end_request()     buf <- pages, result, callback; counts
 *	sweep()           bio and pages are freed, later: a second completion
 *			  must find them
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/shim.h"

#define PAGES_MAX BIO_MAX_VECS
/* Done requests that are kept to be found completed twice. */
#define DONE_MAX 32

/*
 * struct request - a kern_io and its bio
 * @io:		NULL once it is done: it may be gone then
 * @reported:	it was found missing
 */
struct request {
	struct list_head link;
	struct kern_io *io;
	struct bio *bio;
	enum kern_io_op op;
	sector_t sector;
	unsigned int sectors;
	unsigned int completions;
	bool reported;
};

static LIST_HEAD(under_way);
static LIST_HEAD(done);
static unsigned int done_count;
static DEFINE_SPINLOCK(requests_lock);
static DECLARE_WAIT_QUEUE_HEAD(completion_wait);

static const char *const op_names[KERN_IO_OPS] = {
	[KERN_READ] = "read",	    [KERN_WRITE] = "write",
	[KERN_DISCARD] = "discard", [KERN_WRITE_ZEROES] = "write-zeroes",
	[KERN_FLUSH] = "flush",
};

/* ------------------------------------------------------------------ */
/* Pages								      */

static bool has_pages(const struct request *r)
{
	return r->op == KERN_READ || r->op == KERN_WRITE;
}

static bool add_pages(struct request *r)
{
	unsigned int bytes = r->sectors << SECTOR_SHIFT, len;
	struct page *page;

	for (; bytes; bytes -= len) {
		len = min_t(unsigned int, bytes, PAGE_SIZE);
		page = alloc_page(GFP_KERNEL);
		if (!page)
			return false;
		__bio_add_page(r->bio, page, len, 0);
	}
	return true;
}

/* The bio's own list: its iterator has been consumed by then. */
static void copy_pages(struct request *r, void *buf, bool to_pages)
{
	unsigned int i;

	for (i = 0; i < r->bio->bi_vcnt; i++) {
		struct bio_vec *bv = &r->bio->bi_io_vec[i];
		void *page = page_address(bv->bv_page);

		if (to_pages)
			memcpy(page, buf, bv->bv_len);
		else
			memcpy(buf, page, bv->bv_len);
		buf += bv->bv_len;
	}
}

static void free_request(struct request *r)
{
	unsigned int i;

	for (i = 0; i < r->bio->bi_vcnt; i++)
		__free_page(r->bio->bi_io_vec[i].bv_page);
	bio_put(r->bio);
	shim_free(r);
}

static struct request *take_done(unsigned int keep)
{
	struct request *r = NULL;

	spin_lock_irq(&requests_lock);
	if (done_count > keep) {
		r = list_first_entry(&done, struct request, link);
		list_del(&r->link);
		done_count--;
	}
	spin_unlock_irq(&requests_lock);
	return r;
}

/* All but the last @keep. */
static void sweep(unsigned int keep)
{
	struct request *r;

	while ((r = take_done(keep)))
		free_request(r);
}

/* ------------------------------------------------------------------ */
/* Completion								      */

static void move_to_done(struct request *r)
{
	unsigned long flags;

	spin_lock_irqsave(&requests_lock, flags);
	list_move_tail(&r->link, &done);
	done_count++;
	spin_unlock_irqrestore(&requests_lock, flags);
}

static void report(const struct request *r, const char *what)
{
	finding_add(FINDING_LOST_IO, NULL, "%s of %u sectors at %llu %s",
		    op_names[r->op], r->sectors, (unsigned long long)r->sector,
		    what);
}

static void finish(struct request *r, int result)
{
	struct kern_io *io = r->io;

	if (io->op == KERN_READ && !result)
		copy_pages(r, io->buf, false);
	r->io = NULL;
	io->result = result;
	io->priv = NULL;
	move_to_done(r);
	if (io->complete)
		io->complete(io);
	/* Whoever waits may use @io anew from here on. */
	WRITE_ONCE(io->done, 1);
	wake_up_all(&completion_wait);
}

static void end_request(struct bio *bio)
{
	struct request *r = bio->bi_private;

	if (r->completions++)
		report(r, "completed twice");
	else
		finish(r, blk_status_to_errno(bio->bi_status));
}

/* ------------------------------------------------------------------ */
/* Submission								      */

static blk_opf_t opf_of(const struct kern_io *io)
{
	static const blk_opf_t ops[KERN_IO_OPS] = {
		[KERN_READ] = REQ_OP_READ,
		[KERN_WRITE] = REQ_OP_WRITE,
		[KERN_DISCARD] = REQ_OP_DISCARD,
		[KERN_WRITE_ZEROES] = REQ_OP_WRITE_ZEROES,
		[KERN_FLUSH] = REQ_OP_WRITE | REQ_PREFLUSH,
	};
	blk_opf_t opf = ops[io->op];

	if (io->flags & KERN_IO_FUA)
		opf |= REQ_FUA;
	if (io->flags & KERN_IO_PREFLUSH)
		opf |= REQ_PREFLUSH;
	if (io->flags & KERN_IO_SYNC)
		opf |= REQ_SYNC;
	if (io->flags & KERN_IO_NOWAIT)
		opf |= REQ_NOWAIT;
	if (io->flags & KERN_IO_RAHEAD)
		opf |= REQ_RAHEAD;
	return opf;
}

static struct request *new_request(struct kern_io *io)
{
	struct request *r = shim_zalloc(sizeof(*r), "request");

	r->io = io;
	r->op = io->op;
	r->sector = io->op == KERN_FLUSH ? 0 : io->sector;
	r->sectors = io->op == KERN_FLUSH ? 0 : io->sectors;
	INIT_LIST_HEAD(&r->link);
	return r;
}

static bool prepare(struct request *r, struct block_device *bdev)
{
	struct kern_io *io = r->io;
	unsigned int pages =
		has_pages(r)
			? DIV_ROUND_UP(r->sectors << SECTOR_SHIFT, PAGE_SIZE)
			: 0;

	if (pages > PAGES_MAX)
		host_panic("a request of %u sectors is too long", r->sectors);
	r->bio = bio_alloc(bdev, pages, opf_of(io), GFP_KERNEL);
	r->bio->bi_iter.bi_sector = r->sector;
	r->bio->bi_private = r;
	r->bio->bi_end_io = end_request;
	if (!has_pages(r))
		r->bio->bi_iter.bi_size = r->sectors << SECTOR_SHIFT;
	else if (!add_pages(r))
		return false;
	if (io->op == KERN_WRITE)
		copy_pages(r, io->buf, true);
	return true;
}

static void no_memory(struct request *r)
{
	struct kern_io *io = r->io;

	free_request(r);
	io->result = -ENOMEM;
	if (io->complete)
		io->complete(io);
	io->done = 1;
}

static void submit(struct block_device *bdev, struct kern_io *io)
{
	struct request *r = new_request(io);

	sweep(DONE_MAX);
	io->done = 0;
	io->result = 0;
	io->priv = r;
	if (!prepare(r, bdev)) {
		no_memory(r);
		return;
	}
	spin_lock_irq(&requests_lock);
	list_add_tail(&r->link, &under_way);
	spin_unlock_irq(&requests_lock);
	submit_bio(r->bio);
}

void kern_io_submit(struct kern_array *a, struct kern_io *io)
{
	submit(shim_array_gendisk(a)->part0, io);
}

void kern_io_submit_disk(struct kern_array *a, unsigned int disk,
			 struct kern_io *io)
{
	submit(shim_member_bdev(shim_array_disk(a, disk)), io);
}

int kern_io_wait(struct kern_io *io)
{
	wait_event(completion_wait, READ_ONCE(io->done));
	return io->result;
}

void kern_plug(int on)
{
	struct blk_plug *plug = current->plug;

	if (!on == !plug)
		host_panic("a plug is %s",
			   on ? "started twice"
			      : "finished that was not started");
	if (on) {
		blk_start_plug(shim_zalloc(sizeof(*plug), "plug"));
		return;
	}
	blk_finish_plug(plug);
	shim_free(plug);
}

void kern_io_check_idle(void)
{
	struct request *r;

	list_for_each_entry(r, &under_way, link) {
		if (!r->reported)
			report(r, "never completed");
		r->reported = true;
	}
	sweep(0);
}

void shim_io_forget(void)
{
	struct request *r, *next;

	sweep(0);
	list_for_each_entry_safe(r, next, &under_way, link) {
		list_del(&r->link);
		free_request(r);
	}
}
