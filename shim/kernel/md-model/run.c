/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An array that runs: personalities to run it, the limits they give it, and
 * what RUN_ARRAY and STOP_ARRAY do. May not know how the array was made, nor
 * anything of raid5.c but its personality.
 */
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/raid/md_u.h>
#include <linux/sysfs.h>

#include "kernel/md-model/private.h"

#include "kernel/block.h"

/* The kernel's values: md.c keeps them to itself. */
#define MAX_CORRECTED_READ_ERRORS 20

/* ------------------------------------------------------------------ */
/* Personalities						      */

static LIST_HEAD(types);
static DEFINE_SPINLOCK(types_lock);

int register_md_personality(struct md_personality *type)
{
	spin_lock(&types_lock);
	list_add_tail(&type->list, &types);
	spin_unlock(&types_lock);
	return 0;
}

int unregister_md_personality(struct md_personality *type)
{
	spin_lock(&types_lock);
	list_del_init(&type->list);
	spin_unlock(&types_lock);
	return 0;
}

/* Takes a reference to the module. */
static struct md_personality *type_get(int level)
{
	struct md_personality *type, *found = NULL;

	spin_lock(&types_lock);
	list_for_each_entry(type, &types, list)
		if (level != LEVEL_NONE && type->level == level) {
			if (try_module_get(type->owner))
				found = type;
			break;
		}
	spin_unlock(&types_lock);
	return found;
}

static void set_type(struct mddev *mddev, struct md_personality *type)
{
	spin_lock(&mddev->lock);
	mddev->pers = type;
	spin_unlock(&mddev->lock);
}

static void free_private(struct mddev *mddev, struct md_personality *type)
{
	if (mddev->private)
		type->free(mddev, mddev->private);
	mddev->private = NULL;
}

/* Returns when all that is under way has ended. */
static void quiesce_once(struct mddev *mddev)
{
	if (!mddev->pers->quiesce)
		return;
	mddev->pers->quiesce(mddev, 1);
	mddev->pers->quiesce(mddev, 0);
}

/* ------------------------------------------------------------------ */
/* Limits							      */

#ifdef HAVE_BDEV_QUEUE_LIMITS_FEATURES
void md_init_stacking_limits(struct queue_limits *lim)
{
	blk_set_stacking_limits(lim);
	lim->features = BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA | BLK_FEAT_IO_STAT |
			BLK_FEAT_NOWAIT;
}

int mddev_stack_rdev_limits(struct mddev *mddev, struct queue_limits *lim,
			    unsigned int flags)
{
	char *name = mddev->gendisk->disk_name;
	struct md_rdev *member;

	if (flags & MDDEV_STACK_INTEGRITY)
		not_modelled("mddev_stack_rdev_limits() of integrity");
	rdev_for_each(member, mddev)
		queue_limits_stack_bdev(lim, member->bdev, member->data_offset,
					name);
	return 0;
}

static void set_io_opt(struct request_queue *queue, unsigned int stripes)
{
	struct queue_limits changed = queue_limits_start_update(queue);

	changed.io_opt = changed.io_min * stripes;
	queue_limits_commit_update(queue, &changed);
}

void mddev_update_io_opt(struct mddev *mddev, unsigned int stripes)
{
	if (mddev_suspend(mddev, false) >= 0) {
		set_io_opt(mddev->gendisk->queue, stripes);
		mddev_resume(mddev);
	}
}

static void set_queue_flags(struct mddev *mddev)
{
}
#else
/* Older trees leave some of the array's limits to flags of its queue. */
static void set_queue_flags(struct mddev *mddev)
{
	struct request_queue *queue = mddev->queue;
	bool nonrot = !mddev->degraded, nowait = true;
	struct md_rdev *member;

	rdev_for_each(member, mddev) {
		if (member->raid_disk >= 0)
			nonrot &= bdev_nonrot(member->bdev);
		nowait &= bdev_nowait(member->bdev);
	}
	blk_queue_flag_set(QUEUE_FLAG_IO_STAT, queue);
	if (nowait)
		blk_queue_flag_set(QUEUE_FLAG_NOWAIT, queue);
	if (nonrot)
		blk_queue_flag_set(QUEUE_FLAG_NONROT, queue);
	else
		blk_queue_flag_clear(QUEUE_FLAG_NONROT, queue);
}
#endif

/* ------------------------------------------------------------------ */
/* Run								      */

static void detach(struct mddev *mddev)
{
	if (mddev->pers && !array_suspended(mddev))
		quiesce_once(mddev);
	array_thread_stop(mddev);
}

static int run_type(struct mddev *mddev, struct md_personality *type)
{
	int err = type->run(mddev);

	if (err) {
		pr_warn("md: pers->run() failed ...\n");
	} else if (type->size(mddev, 0, 0) < mddev->array_sectors) {
		WARN_ONCE(!mddev->external_size,
			  "array is larger than its personality says\n");
		err = -EINVAL;
	}
	if (err) {
		detach(mddev);
		free_private(mddev, type);
	}
	return err;
}

static void link_members(struct mddev *mddev)
{
	struct md_rdev *member;

	rdev_for_each(member, mddev)
		if (member->raid_disk >= 0 && sysfs_link_rdev(mddev, member))
			pr_debug("md: no link to rd%d\n", member->raid_disk);
}

static void unlink_members(struct mddev *mddev)
{
	struct md_rdev *member;

	rdev_for_each(member, mddev)
		if (member->raid_disk >= 0)
			sysfs_unlink_rdev(mddev, member);
}

static void publish(struct mddev *mddev, struct md_personality *type)
{
	if (type->sync_request && array_dir_add_redundancy(mddev))
		pr_warn("md: cannot register extra attributes for %s\n",
			mdname(mddev));
	atomic_set(&mddev->max_corr_read_errors, MAX_CORRECTED_READ_ERRORS);
	mddev->safemode_delay = 0;
	mddev->safemode = 0;
	mddev->in_sync = 1;
	/* in_sync must be seen before the array can be written to */
	smp_wmb();
	set_type(mddev, type);
	link_members(mddev);
}

static void request_recovery(struct mddev *mddev)
{
	if (mddev->degraded && md_is_rdwr(mddev))
		recovery_set(mddev, MD_RECOVERY_RECOVER);
	recovery_set(mddev, MD_RECOVERY_NEEDED);
}

static int run_with(struct mddev *mddev, struct md_personality *type)
{
	int err;

	strscpy(mddev->clevel, type->name, sizeof(mddev->clevel));
	mddev->recovery = 0;
	mddev->resync_max_sectors = mddev->dev_sectors;
	mddev->ok_start_degraded = 0;
	err = run_type(mddev, type);
	if (err)
		return err;

	set_queue_flags(mddev);
	publish(mddev, type);
	request_recovery(mddev);
	if (mddev->sb_flags)
		md_update_sb(mddev, 0);
	md_new_event();
	return 0;
}

static int find_and_run(struct mddev *mddev)
{
	struct md_personality *type = type_get(mddev->level);
	int err;

	if (!type) {
		pr_warn("md: personality for level %d is not loaded!\n",
			mddev->level);
		return -EINVAL;
	}
	err = run_with(mddev, type);
	if (err)
		module_put(type->owner);
	return err;
}

int md_run(struct mddev *mddev)
{
	int err;

	if (list_empty(&mddev->disks))
		return -EINVAL;
	if (mddev->pers || mddev->sysfs_active)
		return -EBUSY;

	err = array_io_start(mddev);
	if (err)
		return err;
	err = find_and_run(mddev);
	if (err)
		array_io_stop(mddev);
	return err;
}

/* Newer trees look for recovery from a work item, which needs no call. */
static void call_array_thread(struct mddev *mddev)
{
#ifndef HAVE_MDDEV_SYNC_WORK
	md_wakeup_thread(mddev->thread);
#endif
}

int md_start(struct mddev *mddev)
{
	int err;

	if (!mddev->pers->start)
		return 0;
	recovery_set(mddev, MD_RECOVERY_WAIT);
	call_array_thread(mddev);
	err = mddev->pers->start(mddev);
	recovery_clear(mddev, MD_RECOVERY_WAIT);
	md_wakeup_thread(mddev->sync_thread);
	return err;
}

static void resize_disk(struct mddev *mddev, sector_t sectors)
{
	shim_disk_set_sectors(mddev->gendisk, sectors);
	mddev->changed = 1;
}

int do_md_run(struct mddev *mddev)
{
	unsigned long *flags = &mddev->flags;
	int err;

	set_bit(MD_NOT_READY, flags);
	err = md_run(mddev);
	if (!err) {
		md_start(mddev);
		call_array_thread(mddev);
		md_wakeup_thread(mddev->sync_thread);
		resize_disk(mddev, mddev->array_sectors);
	}
	clear_bit(MD_NOT_READY, flags);
	return err;
}

int shim_mddev_run(struct kern_array *a)
{
	struct mddev *mddev = a->mddev;
	int err;

	mddev_lock_nointr(mddev);
	err = do_md_run(mddev);
	mddev_unlock(mddev);
	return err;
}

/* ------------------------------------------------------------------ */
/* Stop								      */

static void stop_writes(struct mddev *mddev)
{
	quiesce_once(mddev);
	if (md_is_rdwr(mddev) && (!mddev->in_sync || mddev->sb_flags)) {
		mddev->in_sync = 1;
		md_update_sb(mddev, 1);
	}
}

static void stop_type(struct mddev *mddev)
{
	struct md_personality *type = mddev->pers;

	detach(mddev);
	array_flush_events(mddev);
	set_type(mddev, NULL);
	free_private(mddev, type);
	if (type->sync_request)
		array_dir_leave_redundancy(mddev);
	module_put(type->owner);
	recovery_clear(mddev, MD_RECOVERY_FROZEN);
	array_io_stop(mddev);
}

/* With reconfig_mutex held. */
static void stop_locked(struct mddev *mddev)
{
	recovery_set(mddev, MD_RECOVERY_FROZEN);
	array_recovery_stop(mddev);
	if (!mddev->pers)
		return;
	if (!md_is_rdwr(mddev))
		set_disk_ro(mddev->gendisk, 0);
	stop_writes(mddev);
	stop_type(mddev);
	unlink_members(mddev);
	resize_disk(mddev, 0);
	mddev->ro = MD_RDWR;
	md_new_event();
}

void shim_mddev_stop(struct kern_array *a)
{
	struct mddev *mddev = a->mddev;

	if (mddev->suspended)
		not_modelled("stopping an array that is suspended");
	mddev_lock_nointr(mddev);
	stop_locked(mddev);
	mddev_unlock(mddev);
	array_free(mddev);
	a->mddev = NULL;
}
