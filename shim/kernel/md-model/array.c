/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An array and its members as objects: what SET_ARRAY_INFO and ADD_NEW_DISK
 * leave, what I/O to it would need, the bitmap that it has not, and freeing
 * all that. May not know what happens while the array runs.
 */
#include <linux/blkdev.h>
#include <linux/major.h>
#include <linux/module.h>
#include <linux/percpu-refcount.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>

#include "kernel/md-model/private.h"
#include "drivers/md/md-bitmap.h"

#include "kernel/block.h"
#include "kernel/disk.h"

/* ------------------------------------------------------------------ */
/* Bitmap: no array has one					      */

#ifdef HAVE_MDDEV_BITMAP_OPS
#define NO_BITMAP_OP(type, op, ...)                               \
	static type bitmap_##op(struct mddev *mddev, __VA_ARGS__) \
	{                                                         \
		not_modelled("bitmap_ops->" #op "()");            \
	}

NO_BITMAP_OP(int, resize, sector_t blocks, int chunksize, bool init)
NO_BITMAP_OP(int, startwrite, sector_t offset, unsigned long sectors)
NO_BITMAP_OP(void, endwrite, sector_t offset, unsigned long sectors)
NO_BITMAP_OP(bool, start_sync, sector_t offset, sector_t *blocks, bool degraded)
NO_BITMAP_OP(void, end_sync, sector_t offset, sector_t *blocks)
NO_BITMAP_OP(void, cond_end_sync, sector_t sector, bool force)

static void bitmap_close_sync(struct mddev *mddev)
{
	not_modelled("bitmap_ops->close_sync()");
}

static bool bitmap_enabled(struct mddev *mddev)
{
	return false;
}

/* Without a bitmap there is nothing to write: so does the kernel's. */
static void bitmap_unplug(struct mddev *mddev, bool sync)
{
	if (mddev->bitmap)
		not_modelled("bitmap_ops->unplug()");
}

#define OP(op) .op = bitmap_##op
static struct bitmap_operations no_bitmap_ops = {
	OP(enabled),	OP(resize),	   OP(unplug),
	OP(startwrite), OP(endwrite),	   OP(start_sync),
	OP(end_sync),	OP(cond_end_sync), OP(close_sync),
};
#undef OP
#else
/* Without a bitmap these do nothing: so do the kernel's. */
static void no_bitmap(struct bitmap *bitmap)
{
	if (bitmap)
		not_modelled("I/O to an array with a bitmap");
}

int md_bitmap_startwrite(struct bitmap *bitmap, sector_t offset,
			 unsigned long sectors, int behind)
{
	no_bitmap(bitmap);
	return 0;
}

void md_bitmap_endwrite(struct bitmap *bitmap, sector_t offset,
			unsigned long sectors, int success, int behind)
{
	no_bitmap(bitmap);
}

void md_bitmap_unplug(struct bitmap *bitmap)
{
	no_bitmap(bitmap);
}
#endif

/* ------------------------------------------------------------------ */
/* Reference counts and bio sets				      */

#ifdef HAVE_IO_ACCT_SET
#define account_set   io_acct_set
#define account_front offsetof(struct md_io_acct, bio_clone)
#else
#define account_set   io_clone_set
#define account_front offsetof(struct md_io_clone, bio_clone)
#endif

static void last_io_left(struct percpu_ref *ref)
{
	wake_up(&container_of(ref, struct mddev, active_io)->sb_wait);
}

static void last_write_left(struct percpu_ref *ref)
{
}

static int ref_init(struct percpu_ref *ref, percpu_ref_func_t *last_left)
{
	return percpu_ref_init(ref, last_left, PERCPU_REF_ALLOW_REINIT,
			       GFP_KERNEL);
}

/* Counts up from zero, once, whoever asks first. */
#ifdef HAVE_MDDEV_INIT_WRITES_PENDING
int mddev_init_writes_pending(struct mddev *mddev)
#else
static int mddev_init_writes_pending(struct mddev *mddev)
#endif
{
	struct percpu_ref *writes = &mddev->writes_pending;

	if (writes->percpu_count_ptr)
		return 0;
	if (ref_init(writes, last_write_left))
		return -ENOMEM;
	percpu_ref_put(writes);
	return 0;
}

/* Does nothing to what was never initialised or is gone already; a
 * percpu_ref alone has to be asked. */
static void exit_io(struct mddev *mddev)
{
	bioset_exit(&mddev->account_set);
	bioset_exit(&mddev->sync_set);
	bioset_exit(&mddev->bio_set);
	if (mddev->active_io.data)
		percpu_ref_exit(&mddev->active_io);
}

static int init_set(struct bio_set *set, unsigned int front, int flags)
{
	return bioset_init(set, BIO_POOL_SIZE, front, flags);
}

static int init_io(struct mddev *mddev)
{
	int err = ref_init(&mddev->active_io, last_io_left);

	if (!err)
		err = init_set(&mddev->bio_set, 0, BIOSET_NEED_BVECS);
	if (!err)
		err = init_set(&mddev->sync_set, 0, BIOSET_NEED_BVECS);
	if (!err)
		err = init_set(&mddev->account_set, account_front, 0);
	if (err)
		exit_io(mddev);
	return err;
}

/* Newer trees make them with the array, older ones while it runs. */
#ifdef HAVE_MDDEV_DESTROY
static int create_io(struct mddev *mddev)
{
	return mddev_init_writes_pending(mddev) ?: init_io(mddev);
}

int array_io_start(struct mddev *mddev)
{
	return 0;
}

void array_io_stop(struct mddev *mddev)
{
}
#else
static int create_io(struct mddev *mddev)
{
	return 0;
}

int array_io_start(struct mddev *mddev)
{
	return init_io(mddev);
}

void array_io_stop(struct mddev *mddev)
{
	exit_io(mddev);
}
#endif

/* ------------------------------------------------------------------ */
/* The array							      */

static void init_mutexes(struct mddev *mddev)
{
	mutex_init(&mddev->reconfig_mutex);
	mutex_init(&mddev->bitmap_info.mutex);
	mutex_init(&mddev->open_mutex);
#ifdef HAVE_MDDEV_SUSPEND_MUTEX
	mutex_init(&mddev->suspend_mutex);
#endif
}

static void init_lists(struct mddev *mddev)
{
	INIT_LIST_HEAD(&mddev->all_mddevs);
	INIT_LIST_HEAD(&mddev->disks);
#ifdef HAVE_MDDEV_DELETING
	INIT_LIST_HEAD(&mddev->deleting);
#endif
}

static void init_waits(struct mddev *mddev)
{
	init_waitqueue_head(&mddev->recovery_wait);
	init_waitqueue_head(&mddev->sb_wait);
}

static void init_state(struct mddev *mddev)
{
	atomic_set(&mddev->active, 1);
	spin_lock_init(&mddev->lock);
	mddev->resync_max = mddev->reshape_position = MaxSector;
#ifdef HAVE_MD_LAST_SYNC_ENUM
	mddev->last_sync_action = ACTION_IDLE;
#else
	mddev->last_sync_action = "none";
#endif
#ifdef HAVE_MDDEV_BITMAP_OPS
	mddev->bitmap_ops = &no_bitmap_ops;
#endif
	array_recovery_init(mddev);
}

/* The array's own description: what SET_ARRAY_INFO leaves. */
static void set_array_info(struct mddev *mddev, const struct array_desc *desc)
{
	mddev->major_version = MD_MAJOR_VERSION;
	mddev->minor_version = MD_MINOR_VERSION;
	mddev->patch_version = MD_PATCHLEVEL_VERSION;
	mddev->raid_disks = desc->disks;
	mddev->dev_sectors = desc->member_bytes >> SECTOR_SHIFT;
	mddev->dirty_from = MaxSector;
	sb_flags_set(mddev, MD_SB_CHANGE_DEVS);

	/* No reshape: the old geometry is the new one. */
	mddev->level = mddev->new_level = desc->level;
	mddev->layout = mddev->new_layout = desc->layout;
	mddev->chunk_sectors = desc->chunk_bytes >> SECTOR_SHIFT;
	mddev->new_chunk_sectors = desc->chunk_bytes >> SECTOR_SHIFT;
}

/* "md7" is minor 7, any other name minor 127, where the kernel starts. */
static int create_disk(struct mddev *mddev, const char *name)
{
	unsigned int minor;

	if (strncmp(name, "md", 2) || kstrtouint(name + 2, 10, &minor) ||
	    minor > MINORMASK)
		minor = 127;
	mddev->md_minor = minor;
	mddev->unit = MKDEV(MD_MAJOR, minor);
	mddev->gendisk = shim_disk_create_stacked(name, mddev->unit, &md_fops);
	if (!mddev->gendisk)
		return -ENOMEM;
	mddev->gendisk->private_data = mddev;
#ifdef HAVE_MDDEV_QUEUE
	mddev->queue = mddev->gendisk->queue;
#endif
	return 0;
}

/* ------------------------------------------------------------------ */
/* Members							      */

/* A member in its place, all of its disk being data. */
static void init_member(struct md_rdev *member, struct block_device *bdev,
			int n)
{
	member->bdev = bdev;
	member->sectors = member->sb_start = bdev_nr_sectors(bdev);
	member->desc_nr = member->raid_disk = n;
	member->saved_raid_disk = -1;
	set_bit(In_sync, &member->flags);
	init_waitqueue_head(&member->blocked_wait);
}

/* What ADD_NEW_DISK leaves of a member without a superblock. */
static int add_member(struct mddev *mddev, struct shim_member *disk, int n)
{
	struct md_rdev *member = shim_zalloc(sizeof(*member), "md_rdev");

	if (badblocks_init(&member->badblocks, 0)) {
		shim_free(member);
		return -ENOMEM;
	}
	init_member(member, shim_member_bdev(disk), n);
	member->mddev = mddev;
	mddev->recovery_disabled++;
	list_add_rcu(&member->same_set, &mddev->disks);
	return 0;
}

static void free_members(struct mddev *mddev)
{
	struct md_rdev *member, *next;

	rdev_for_each_safe(member, next, mddev) {
		list_del_rcu(&member->same_set);
		badblocks_exit(&member->badblocks);
		shim_free(member);
	}
}

/* ------------------------------------------------------------------ */
/* All of it							      */

void array_free(struct mddev *mddev)
{
	free_members(mddev);
	exit_io(mddev);
	percpu_ref_exit(&mddev->writes_pending);
	array_dir_free(mddev);
	if (mddev->gendisk)
		shim_disk_free(mddev->gendisk);
	shim_free(mddev);
}

/* What would need metadata stops the run. */
static void check_desc(const struct array_desc *desc)
{
	if (desc->metadata != METADATA_NONE || desc->log != LOG_NONE)
		not_modelled("superblocks, bitmaps and logs");
	if (desc->spares || desc->missing || desc->dirty)
		not_modelled("arrays with something to recover");
}

int shim_mddev_create(struct kern_array *a)
{
	const struct array_desc *desc = &a->desc;
	struct mddev *mddev = shim_zalloc(sizeof(*mddev), "mddev");
	int n;
	int err;

	check_desc(desc);
	init_mutexes(mddev);
	init_lists(mddev);
	init_waits(mddev);
	init_state(mddev);
	set_array_info(mddev, desc);
	array_dir_create(mddev);
	err = create_disk(mddev, desc->name) ?: create_io(mddev);
	for (n = 0; !err && n < desc->disks; n++)
		err = add_member(mddev, a->disk[n], n);
	if (err)
		array_free(mddev);
	else
		a->mddev = mddev;
	return err;
}
