/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metadata and the recovery of an array: there are no superblocks, and
 * nothing is ever to be recovered. Keeps the flags that raid5.c looks at as
 * if there were, and stops the run where more would be needed. May not know
 * how an array is made, started or stopped.
 */
#include <linux/raid/md_u.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "kernel/md-model/private.h"

static DECLARE_WAIT_QUEUE_HEAD(resync_wait);
static DECLARE_WAIT_QUEUE_HEAD(event_wait);
static atomic_t event_count;
static struct workqueue_struct *md_misc_wq;

static int __init model_init(void)
{
	md_misc_wq = alloc_workqueue("md_misc", 0, 0);
	return md_misc_wq ? 0 : -ENOMEM;
}
/* As subsys_initcall(): this is the section that shim_initcalls() runs. */
static initcall_t
	shim_md_initcall __used __section("shim_initcall4") = model_init;

/* ------------------------------------------------------------------ */
/* Metadata							      */

void md_new_event(void)
{
	atomic_inc(&event_count);
	wake_up(&event_wait);
}

void md_set_array_sectors(struct mddev *mddev, sector_t array_sectors)
{
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (!mddev->external_size)
		mddev->array_sectors = array_sectors;
}

static void unblock_member(struct mddev *mddev, struct md_rdev *member)
{
	struct badblocks *bad = &member->badblocks;

	if (bad->changed) {
		bad->changed = 0;
		ack_all_badblocks(bad);
		md_error(mddev, member);
	}
	change_bits(clear_bit, &member->flags, Blocked, BlockedBadBlocks);
	wake_up(&member->blocked_wait);
}

static void write_nothing(struct mddev *mddev)
{
	struct md_rdev *member;

	if (mddev->persistent || mddev->external)
		not_modelled("md_update_sb() of an array with superblocks");

	sb_flags_clear(mddev, MD_SB_CHANGE_CLEAN, MD_SB_CHANGE_DEVS,
		       MD_SB_CHANGE_PENDING);
	rdev_for_each(member, mddev)
		unblock_member(mddev, member);
	wake_up(&mddev->sb_wait);
}

void md_update_sb(struct mddev *mddev, int force)
{
	if (md_is_rdwr(mddev))
		write_nothing(mddev);
	else if (force)
		sb_flags_set(mddev, MD_SB_CHANGE_DEVS);
}

/* True if the array was clean until now. */
static bool make_dirty(struct mddev *mddev)
{
	bool was_clean;

	spin_lock(&mddev->lock);
	was_clean = mddev->in_sync;
	if (was_clean) {
		mddev->in_sync = 0;
		sb_flags_set(mddev, MD_SB_CHANGE_CLEAN, MD_SB_CHANGE_PENDING);
		if (mddev->safemode_delay && !mddev->safemode)
			mddev->safemode = 1;
	}
	spin_unlock(&mddev->lock);
	return was_clean;
}

void md_allow_write(struct mddev *mddev)
{
	if (!mddev->pers || !mddev->pers->sync_request || !md_is_rdwr(mddev))
		return;
	if (make_dirty(mddev)) {
		md_update_sb(mddev, 0);
		wait_event(mddev->sb_wait,
			   !(READ_ONCE(mddev->sb_flags) & SB_CHANGE(PENDING)));
	}
}

static bool array_broken(struct mddev *mddev)
{
	return test_bit(MD_BROKEN, &mddev->flags);
}

/* A broken array only stops what it is at. */
static void react_to_failure(struct mddev *mddev)
{
	if (mddev->degraded && !array_broken(mddev))
		recovery_set(mddev, MD_RECOVERY_RECOVER);
	recovery_set(mddev, MD_RECOVERY_INTR);
	if (array_broken(mddev))
		return;
	recovery_set(mddev, MD_RECOVERY_NEEDED);
	md_wakeup_thread(mddev->thread);
}

void md_error(struct mddev *mddev, struct md_rdev *member)
{
	struct md_personality *type = mddev->pers;

	if (!member || test_bit(Faulty, &member->flags) || !type ||
	    !type->error_handler)
		return;
	type->error_handler(mddev, member);
	if (type->level == 0 || type->level == LEVEL_LINEAR)
		return;

	react_to_failure(mddev);
	if (mddev->event_work.func)
		queue_work(md_misc_wq, &mddev->event_work);
	md_new_event();
}

void array_flush_events(struct mddev *mddev)
{
	if (mddev->event_work.func)
		flush_workqueue(md_misc_wq);
}

static sector_t on_device(struct md_rdev *rdev, sector_t s, int is_new)
{
	return s + (is_new ? rdev->new_data_offset : rdev->data_offset);
}

int rdev_set_badblocks(struct md_rdev *rdev, sector_t s, int sectors,
		       int is_new)
{
	if (badblocks_set(&rdev->badblocks, on_device(rdev, s, is_new), sectors,
			  0))
		return 0;
	set_mask_bits(&rdev->mddev->sb_flags, 0,
		      SB_CHANGE(CLEAN) | SB_CHANGE(PENDING));
	md_wakeup_thread(rdev->mddev->thread);
	return 1;
}

int rdev_clear_badblocks(struct md_rdev *rdev, sector_t s, int sectors,
			 int is_new)
{
	return badblocks_clear(&rdev->badblocks, on_device(rdev, s, is_new),
			       sectors);
}

struct md_rdev *md_find_rdev_rcu(struct mddev *mddev, dev_t wanted)
{
	struct md_rdev *member;

	rdev_for_each_rcu(member, mddev)
		if (member->bdev->bd_dev == wanted)
			return member;
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Clean or not							      */

/* With mddev->lock held; drops and takes it. */
static void become_clean_if_idle(struct mddev *mddev)
{
	struct percpu_ref *writes = &mddev->writes_pending;

	lockdep_assert_held(&mddev->lock);
	mddev->sync_checkers++;
	spin_unlock(&mddev->lock);
	percpu_ref_switch_to_atomic_sync(writes);
	spin_lock(&mddev->lock);
	if (!mddev->in_sync && percpu_ref_is_zero(writes)) {
		mddev->in_sync = 1;
		/* in_sync must be seen before sync_checkers falls */
		smp_mb();
		sb_flags_set(mddev, MD_SB_CHANGE_CLEAN);
	}
	if (--mddev->sync_checkers == 0)
		percpu_ref_switch_to_percpu(writes);
}

static void end_safemode_request(struct mddev *mddev)
{
	if (mddev->safemode == 1)
		mddev->safemode = 0;
}

static void apply_safemode(struct mddev *mddev)
{
	if (mddev->external || !mddev->safemode)
		return;
	end_safemode_request(mddev);
	if (mddev->in_sync)
		return;
	spin_lock(&mddev->lock);
	if (!mddev->in_sync)
		become_clean_if_idle(mddev);
	end_safemode_request(mddev);
	spin_unlock(&mddev->lock);
}

/* ------------------------------------------------------------------ */
/* Recovery: finds that there is nothing to do, or stops the run	      */

static bool member_settled(struct md_rdev *rdev)
{
	if (test_bit(Faulty, &rdev->flags))
		return true;
	return rdev->raid_disk >= 0 && test_bit(In_sync, &rdev->flags) &&
	       !test_bit(Journal, &rdev->flags);
}

/* Failed, known to the metadata as such, and nothing under way to it. */
static bool member_removable(struct md_rdev *rdev)
{
	return rdev->raid_disk >= 0 && test_bit(Faulty, &rdev->flags) &&
	       !test_bit(Blocked, &rdev->flags) &&
	       !atomic_read(&rdev->nr_pending);
}

static bool any_removable(struct mddev *mddev)
{
	struct md_rdev *member;
	bool any = false;

	rcu_read_lock();
	rdev_for_each_rcu(member, mddev)
		any |= member_removable(member);
	rcu_read_unlock();
	return any;
}

static void remove_failed(struct mddev *mddev)
{
	struct md_rdev *member;

	rdev_for_each(member, mddev) {
		if (!member_removable(member) ||
		    mddev->pers->hot_remove_disk(mddev, member))
			continue;
		sysfs_unlink_rdev(mddev, member);
		member->saved_raid_disk = member->raid_disk;
		member->raid_disk = -1;
	}
}

static void check_nothing_to_recover(struct mddev *mddev)
{
	struct md_rdev *member;

	if (mddev->reshape_position != MaxSector)
		not_modelled("md_check_recovery() of an array in reshape");
	if (mddev->dirty_from < MaxSector)
		not_modelled("md_check_recovery() of an array not in sync");
	if (recovery_any(mddev, RECOVERY(SYNC)))
		not_modelled("md_check_recovery() with a check requested");
	rdev_for_each(member, mddev)
		if (!member_settled(member))
			not_modelled("md_check_recovery() with a member that "
				     "is a spare or a journal");
}

static void recovery_not_running(struct mddev *mddev)
{
	recovery_clear(mddev, MD_RECOVERY_RUNNING);
	wake_up(&resync_wait);
}

static void recovery_await_end(struct mddev *mddev)
{
	wait_event(resync_wait, !recovery_any(mddev, RECOVERY(RUNNING)));
	mddev_lock_nointr(mddev);
}

#ifdef HAVE_MDDEV_SYNC_WORK
/* Looks for something to recover from a work item, not under the array's
 * thread. */
static void recovery_work(struct work_struct *work)
{
	struct mddev *mddev = container_of(work, struct mddev, sync_work);
	bool suspend = any_removable(mddev);

	if (suspend)
		mddev_suspend(mddev, false);
	mddev_lock_nointr(mddev);
	if (!suspend && any_removable(mddev)) {
		mddev_unlock(mddev);
		mddev_suspend(mddev, false);
		mddev_lock_nointr(mddev);
		suspend = true;
	}
	check_nothing_to_recover(mddev);
	remove_failed(mddev);
	recovery_clear(mddev, MD_RECOVERY_SYNC, MD_RECOVERY_RESHAPE,
		       MD_RECOVERY_REQUESTED, MD_RECOVERY_CHECK,
		       MD_RECOVERY_RUNNING);
	mddev_unlock(mddev);
	if (suspend)
		array_resume(mddev, false);
	wake_up(&resync_wait);
	recovery_clear(mddev, MD_RECOVERY_RECOVER);
}

void array_recovery_init(struct mddev *mddev)
{
	INIT_WORK(&mddev->sync_work, recovery_work);
}

void array_recovery_stop(struct mddev *mddev)
{
	struct work_struct *work = &mddev->sync_work;

	if (!recovery_any(mddev, RECOVERY(RUNNING)))
		return;
	mddev_unlock(mddev);
	recovery_set(mddev, MD_RECOVERY_INTR);
	if (work_pending(work))
		flush_work(work);
	recovery_await_end(mddev);
}

static void recovery_start(struct mddev *mddev)
{
	queue_work(md_misc_wq, &mddev->sync_work);
}

static bool recovery_by_suspender(struct mddev *mddev)
{
	return false;
}
#else
void array_recovery_init(struct mddev *mddev)
{
}

void array_recovery_stop(struct mddev *mddev)
{
	md_wakeup_thread(mddev->thread);
	if (recovery_any(mddev, RECOVERY(RUNNING)))
		recovery_set(mddev, MD_RECOVERY_INTR);
	mddev_unlock(mddev);
	recovery_await_end(mddev);
}

/* One grace period for all of them: nobody who saw one in the array goes on. */
static void remove_synchronized(struct mddev *mddev)
{
	struct md_rdev *member;

	rdev_for_each(member, mddev)
		if (member_removable(member))
			set_bit(RemoveSynchronized, &member->flags);
	synchronize_rcu();
	remove_failed(mddev);
	rdev_for_each(member, mddev)
		clear_bit(RemoveSynchronized, &member->flags);
}

static void recovery_start(struct mddev *mddev)
{
	check_nothing_to_recover(mddev);
	if (any_removable(mddev))
		remove_synchronized(mddev);
	recovery_not_running(mddev);
	recovery_clear(mddev, MD_RECOVERY_RECOVER);
}

/* For mddev_suspend(), which waits while UPDATING_SB is set: so ALLOW is
 * looked at again once that can be seen. */
static void update_sb_if_allowed(struct mddev *mddev)
{
	unsigned long *flags = &mddev->flags;

	set_bit(MD_UPDATING_SB, flags);
	smp_mb__after_atomic();
	if (test_bit(MD_ALLOW_SB_UPDATE, flags))
		md_update_sb(mddev, 0);
	clear_bit_unlock(MD_UPDATING_SB, flags);
	wake_up(&mddev->sb_wait);
}

/* mddev_suspend() holds reconfig_mutex for the array's thread, which may then
 * do nothing but update the metadata. */
static bool recovery_by_suspender(struct mddev *mddev)
{
	if (mddev->sb_flags && test_bit(MD_ALLOW_SB_UPDATE, &mddev->flags))
		update_sb_if_allowed(mddev);
	return array_suspended(mddev);
}
#endif

static bool recovery_has_work(struct mddev *mddev)
{
	if (mddev->sb_flags & ~SB_CHANGE(PENDING))
		return true;
	if (recovery_any(mddev, RECOVERY(NEEDED) | RECOVERY(DONE)))
		return true;
	switch (mddev->safemode) {
	case 1:
		return !mddev->external;
	case 2:
		return !mddev->in_sync && mddev->dirty_from == MaxSector;
	default:
		return false;
	}
}

static void recovery_try(struct mddev *mddev)
{
	bool asked;

	mddev->curr_resync_completed = 0;
	/* RUNNING first, so that the action never seems idle between */
	spin_lock(&mddev->lock);
	recovery_set(mddev, MD_RECOVERY_RUNNING);
	spin_unlock(&mddev->lock);
	recovery_clear(mddev, MD_RECOVERY_INTR, MD_RECOVERY_DONE);

	asked = test_and_clear_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
	if (asked && !recovery_any(mddev, RECOVERY(FROZEN)))
		recovery_start(mddev);
	else
		recovery_not_running(mddev);
}

/* With reconfig_mutex held, array writable, no sync thread. */
static void check_recovery_locked(struct mddev *mddev)
{
	apply_safemode(mddev);
	if (mddev->sb_flags)
		md_update_sb(mddev, 0);

	/* If so, its work item is still queued: no sync thread runs here. */
	if (recovery_any(mddev, RECOVERY(RUNNING)))
		recovery_clear(mddev, MD_RECOVERY_NEEDED);
	else
		recovery_try(mddev);
}

/* Whether the array can be looked at at all. */
static bool recovery_possible(struct mddev *mddev)
{
	if (mddev->bitmap)
		not_modelled("md_check_recovery() with a bitmap");
	if (signal_pending(current))
		not_modelled("md_check_recovery() with a signal pending");
	if (md_is_rdwr(mddev))
		return true;
	if (recovery_any(mddev, RECOVERY(NEEDED) | RECOVERY(DONE)))
		not_modelled("md_check_recovery() of a read-only array");
	return false;
}

void md_check_recovery(struct mddev *mddev)
{
	if (recovery_by_suspender(mddev) || !recovery_possible(mddev))
		return;
	if (!recovery_has_work(mddev) || !mddev_trylock(mddev))
		return;
	if (mddev->sync_thread)
		not_modelled("md_check_recovery() with a sync thread");
	check_recovery_locked(mddev);
	wake_up(&mddev->sb_wait);
	mddev_unlock(mddev);
}
