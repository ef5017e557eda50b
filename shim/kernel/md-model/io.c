// SPDX-License-Identifier: GPL-2.0-only
/*
 * I/O to an array on its way to the personality: waiting while the array is
 * suspended, counting writes, flushing the members, and pages that the
 * personality reads and writes itself. May not know what the personality does
 * with a bio.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/sched.h>

#include "kernel/md-model/private.h"

/* ------------------------------------------------------------------ */
/* Bios							      */

static bool is_write(struct bio *bio)
{
	return bio_data_dir(bio) == WRITE;
}

/* The range of suspend_lo and suspend_hi takes no writes; ->suspended no bio
 * at all. */
static bool must_wait(struct mddev *mddev, struct bio *bio)
{
	sector_t low = READ_ONCE(mddev->suspend_lo);
	sector_t high = READ_ONCE(mddev->suspend_hi);

	if (array_suspended(mddev))
		return true;
	return is_write(bio) && low < high && bio->bi_iter.bi_sector < high &&
	       bio_end_sector(bio) >= low;
}

/* With a reference to active_io; false: the bio has been ended instead. */
static bool enter_array(struct mddev *mddev, struct bio *bio)
{
#ifdef HAVE_MD_CLONED_BIO
	if (md_cloned_bio(mddev, bio)) {
		percpu_ref_get(&mddev->active_io);
		return true;
	}
#endif
	do {
		if (!must_wait(mddev, bio))
			continue;
		if (bio->bi_opf & REQ_NOWAIT) {
			bio_wouldblock_error(bio);
			return false;
		}
		wait_event(mddev->sb_wait, !must_wait(mddev, bio));
	} while (!percpu_ref_tryget_live(&mddev->active_io));
	return true;
}

static void handle_bio(struct mddev *mddev, struct bio *bio)
{
	bool taken = false;

	while (!taken && enter_array(mddev, bio)) {
		taken = mddev->pers->make_request(mddev, bio);
		percpu_ref_put(&mddev->active_io);
	}
}

static bool refused(struct mddev *mddev, struct bio *bio)
{
	if (!mddev || !mddev->pers)
		return true;
	return is_write(bio) && test_bit(MD_BROKEN, &mddev->flags);
}

static void md_submit_bio(struct bio *bio)
{
	struct mddev *mddev = bio->bi_bdev->bd_disk->private_data;

	if (refused(mddev, bio)) {
		bio_io_error(bio);
		return;
	}
	bio = bio_split_to_limits(bio);
	if (!bio)
		return;
	if (!md_is_rdwr(mddev) && is_write(bio))
		not_modelled("writing to an array that is read-only");
	bio->bi_opf &= ~REQ_NOMERGE;
	handle_bio(mddev, bio);
}

const struct block_device_operations md_fops = {
	.owner = THIS_MODULE,
	.submit_bio = md_submit_bio,
};

/* ------------------------------------------------------------------ */
/* Clones, which the kernel makes for its I/O statistics	      */

#ifdef HAVE_IO_ACCT_SET
#define account_set io_acct_set
typedef struct md_io_acct account;

static void account_take(struct mddev *mddev, account *acct)
{
}

static void account_put(account *acct)
{
}
#else
#define account_set io_clone_set
typedef struct md_io_clone account;

static void account_take(struct mddev *mddev, account *acct)
{
	percpu_ref_get(&mddev->active_io);
	acct->mddev = mddev;
}

static void account_put(account *acct)
{
	percpu_ref_put(&acct->mddev->active_io);
}
#endif

static account *account_of(struct bio *clone)
{
	return container_of(clone, account, bio_clone);
}

/* Return: the bio that it was made of. */
static struct bio *end_clone(struct bio *clone)
{
	struct bio *orig = account_of(clone)->orig_bio;

	if (clone->bi_status && !orig->bi_status)
		orig->bi_status = clone->bi_status;
	return orig;
}

#ifdef HAVE_IO_ACCT_SET
static void clone_done(struct bio *clone)
{
	struct bio *orig = end_clone(clone);

	bio_put(clone);
	bio_endio(orig);
}
#else
/* The reference goes last: only then may the array be suspended. */
static void clone_done(struct bio *clone)
{
	struct mddev *mddev = account_of(clone)->mddev;
	struct bio *orig = end_clone(clone);

	bio_put(clone);
	bio_endio(orig);
	percpu_ref_put(&mddev->active_io);
}

void md_free_cloned_bio(struct bio *clone)
{
	struct mddev *mddev = account_of(clone)->mddev;

	end_clone(clone);
	bio_put(clone);
	percpu_ref_put(&mddev->active_io);
}
#endif

void md_account_bio(struct mddev *mddev, struct bio **bio)
{
	struct bio *clone = bio_alloc_clone((*bio)->bi_bdev, *bio, GFP_NOIO,
					    &mddev->account_set);
	account *acct = account_of(clone);

	account_take(mddev, acct);
	acct->orig_bio = *bio;
	acct->start_time = 0;
	clone->bi_private = acct;
	clone->bi_end_io = clone_done;
	*bio = clone;
}

/* ------------------------------------------------------------------ */
/* Writes under way						      */

static bool leave_clean(struct mddev *mddev)
{
	bool was_clean;

	spin_lock(&mddev->lock);
	was_clean = mddev->in_sync;
	if (was_clean) {
		mddev->in_sync = 0;
		sb_flags_set(mddev, MD_SB_CHANGE_CLEAN, MD_SB_CHANGE_PENDING);
		md_wakeup_thread(mddev->thread);
	}
	spin_unlock(&mddev->lock);
	return was_clean;
}

/* Arrays here have no superblocks: nobody waits for one to say "dirty". */
static void count_write(struct mddev *mddev, struct bio *bio)
{
	if (!is_write(bio))
		return;
	if (!md_is_rdwr(mddev))
		not_modelled("md_write_start() of a read-only array");
	rcu_read_lock();
	percpu_ref_get(&mddev->writes_pending);
	/* pairs with that of become_clean_if_idle() */
	smp_mb();
	if (mddev->safemode == 1)
		mddev->safemode = 0;
	if (mddev->in_sync || mddev->sync_checkers)
		leave_clean(mddev);
	rcu_read_unlock();
	if (mddev->persistent || mddev->external)
		not_modelled("md_write_start() of an array with superblocks");
}

#ifdef HAVE_MD_WRITE_START_BOOL
bool md_write_start(struct mddev *mddev, struct bio *bio)
{
	count_write(mddev, bio);
	return true;
}
#else
void md_write_start(struct mddev *mddev, struct bio *bio)
{
	count_write(mddev, bio);
}
#endif

void md_write_inc(struct mddev *mddev, struct bio *bio)
{
	if (!is_write(bio))
		return;
	WARN_ON_ONCE(mddev->in_sync || !md_is_rdwr(mddev));
	percpu_ref_get(&mddev->writes_pending);
}

void md_write_end(struct mddev *mddev)
{
	percpu_ref_put(&mddev->writes_pending);
	if (mddev->safemode == 2)
		md_wakeup_thread(mddev->thread);
	else if (mddev->safemode_delay)
		not_modelled("md_write_end() with a safe mode delay");
}

/* ------------------------------------------------------------------ */
/* Flushes							      */

static struct bio *flush_bio(struct mddev *mddev, struct md_rdev *member)
{
	return bio_alloc_bioset(member->bdev, 0, REQ_OP_WRITE | REQ_PREFLUSH,
				GFP_NOIO, &mddev->bio_set);
}

static bool takes_flushes(struct md_rdev *member)
{
	return member->raid_disk >= 0 && !test_bit(Faulty, &member->flags);
}

#ifdef HAVE_MDDEV_FLUSH_BIO
/*
 * Older trees flush for one bio at a time, from work items; who waited while
 * a flush began and ended after him needs none of his own.
 */
static struct workqueue_struct *flush_wq(void)
{
	return system_wq;
}

static void data_after_flush(struct work_struct *work)
{
	struct mddev *mddev = container_of(work, struct mddev, flush_work);
	struct bio *bio = mddev->flush_bio;

	spin_lock_irq(&mddev->lock);
	mddev->prev_flush_start = mddev->start_flush;
	mddev->flush_bio = NULL;
	spin_unlock_irq(&mddev->lock);
	wake_up(&mddev->sb_wait);

	if (!bio_sectors(bio)) {
		bio_endio(bio);
	} else {
		bio->bi_opf &= ~REQ_PREFLUSH;
		if (WARN_ON_ONCE(!mddev->pers->make_request(mddev, bio)))
			bio_io_error(bio);
	}
	percpu_ref_put(&mddev->active_io);
}

static void flush_part_done(struct mddev *mddev)
{
	if (atomic_dec_and_test(&mddev->flush_pending))
		queue_work(flush_wq(), &mddev->flush_work);
}

static void member_flushed(struct bio *flush)
{
	struct md_rdev *member = flush->bi_private;
	struct mddev *mddev = member->mddev;

	bio_put(flush);
	rdev_dec_pending(member, mddev);
	flush_part_done(mddev);
}

static void flush_member(struct mddev *mddev, struct md_rdev *member)
{
	struct bio *flush = flush_bio(mddev, member);

	flush->bi_end_io = member_flushed;
	flush->bi_private = member;
	atomic_inc(&mddev->flush_pending);
	submit_bio(flush);
}

static void flush_members(struct work_struct *work)
{
	struct mddev *mddev = container_of(work, struct mddev, flush_work);
	struct md_rdev *member;

	mddev->start_flush = ktime_get();
	INIT_WORK(work, data_after_flush);
	atomic_set(&mddev->flush_pending, 1);
	rcu_read_lock();
	rdev_for_each_rcu(member, mddev) {
		if (!takes_flushes(member))
			continue;
		atomic_inc(&member->nr_pending);
		rcu_read_unlock();
		flush_member(mddev, member);
		rcu_read_lock();
	}
	rcu_read_unlock();
	flush_part_done(mddev);
}

/* Whether this bio has become the one that is flushed for. */
static bool claim_flush(struct mddev *mddev, struct bio *bio)
{
	ktime_t asked = ktime_get();
	bool mine;

	spin_lock_irq(&mddev->lock);
	wait_event_lock_irq(
		mddev->sb_wait,
		!mddev->flush_bio ||
			ktime_before(asked, mddev->prev_flush_start),
		mddev->lock);
	mine = ktime_after(asked, mddev->prev_flush_start);
	if (mine) {
		WARN_ON(mddev->flush_bio);
		percpu_ref_get(&mddev->active_io);
		mddev->flush_bio = bio;
	}
	spin_unlock_irq(&mddev->lock);
	return mine;
}

bool md_flush_request(struct mddev *mddev, struct bio *bio)
{
	if (claim_flush(mddev, bio)) {
		INIT_WORK(&mddev->flush_work, flush_members);
		queue_work(flush_wq(), &mddev->flush_work);
		return true;
	}
	if (!bio_sectors(bio)) {
		bio_endio(bio);
		return true;
	}
	bio->bi_opf &= ~REQ_PREFLUSH;
	return false;
}
#else
/* A failed flush does not fail the bio. */
static void member_flushed(struct bio *flush)
{
	struct bio *parent = flush->bi_private;

	if (flush->bi_status)
		pr_err("md: flush of %pg failed\n", flush->bi_bdev);
	bio_put(flush);
	bio_endio(parent);
}

bool md_flush_request(struct mddev *mddev, struct bio *bio)
{
	struct md_rdev *member;
	struct bio *flush;

	WARN_ON(percpu_ref_is_zero(&mddev->active_io));
	rdev_for_each(member, mddev) {
		if (!takes_flushes(member))
			continue;
		flush = flush_bio(mddev, member);
		flush->bi_private = bio;
		flush->bi_end_io = member_flushed;
		bio_inc_remaining(bio);
		submit_bio(flush);
	}
	if (!bio_sectors(bio)) {
		bio_endio(bio);
		return true;
	}
	bio->bi_opf &= ~REQ_PREFLUSH;
	return false;
}
#endif

/* ------------------------------------------------------------------ */
/* Members							      */

int sync_page_io(struct md_rdev *rdev, sector_t sector, int size,
		 struct page *page, blk_opf_t opf, bool metadata_op)
{
	sector_t start = rdev->data_offset;
	struct bio_vec bvec;
	struct bio bio;

	if (rdev->mddev->reshape_position != MaxSector || rdev->meta_bdev)
		not_modelled("sync_page_io() of an array in reshape");
	if (metadata_op)
		start = rdev->sb_start;
	bio_init(&bio, rdev->bdev, &bvec, 1, opf);
	bio.bi_iter.bi_sector = start + sector;
	__bio_add_page(&bio, page, size, 0);
	submit_bio_wait(&bio);
	return !bio.bi_status;
}

static bool is_blocked(struct md_rdev *rdev)
{
	return test_bit(Blocked, &rdev->flags) ||
	       test_bit(BlockedBadBlocks, &rdev->flags);
}

void md_wait_for_blocked_rdev(struct md_rdev *rdev, struct mddev *mddev)
{
	wait_event_timeout(rdev->blocked_wait, !is_blocked(rdev), 5 * HZ);
	rdev_dec_pending(rdev, mddev);
}
