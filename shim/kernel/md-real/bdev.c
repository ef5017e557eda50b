// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of block/bdev.c: opening and closing a disk by number,
 * exclusively or not, and a page cache that is always empty. Knows nothing of
 * arrays, nor what a disk is.
 */
#include <linux/blkdev.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kobject.h>
#include <linux/pagemap.h>
#include <linux/slab.h>

#include "block/blk.h"

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/shim.h"
#include "probes.h"
#include "kernel/md-real/genhd.h"
#include "kernel/md-real/bdev.h"

static DEFINE_MUTEX(bdev_lock);

/* ------------------------------------------------------------------ */
/* Opening							      */

static struct block_device *get_bdev(dev_t dev)
{
	struct block_device *bdev = shim_bdev_find(dev);

	if (!bdev) {
		shim_driver_probe(dev);
		bdev = shim_bdev_find(dev);
	}
	if (bdev)
		kobject_get(bdev_kobj(bdev));
	return bdev;
}

static void put_bdev(struct block_device *bdev)
{
	kobject_put(bdev_kobj(bdev));
}

/* One holder may claim it as often as it likes, nobody else beside it. */
static int claim(struct block_device *bdev, void *holder)
{
	int err = 0;

	mutex_lock(&bdev_lock);
	if (bdev->bd_holder && bdev->bd_holder != holder) {
		err = -EBUSY;
	} else {
		bdev->bd_holder = holder;
		bdev->bd_holders++;
	}
	mutex_unlock(&bdev_lock);
	return err;
}

static void unclaim(struct block_device *bdev)
{
	mutex_lock(&bdev_lock);
	if (!--bdev->bd_holders)
		bdev->bd_holder = NULL;
	mutex_unlock(&bdev_lock);
}

static int driver_open(struct block_device *bdev, blk_mode_t mode)
{
	const struct block_device_operations *ops = bdev->bd_disk->fops;

	if (!ops->open)
		return 0;
#ifdef HAVE_FOPS_OPEN_DISK
	return ops->open(bdev->bd_disk, mode);
#else
	return ops->open(bdev, mode);
#endif
}

static void driver_release(struct block_device *bdev, blk_mode_t mode)
{
	const struct block_device_operations *ops = bdev->bd_disk->fops;

	if (!ops->release)
		return;
#ifdef HAVE_FOPS_RELEASE_DISK
	ops->release(bdev->bd_disk);
#else
	ops->release(bdev->bd_disk, mode);
#endif
}

/* A disk that was pulled cannot be opened (sd.c says -ENXIO). */
static bool is_gone(struct block_device *bdev)
{
	struct shim_member *m = shim_member_of(bdev);

	return m && shim_member_gone(m);
}

static int open_whole(struct block_device *bdev, blk_mode_t mode)
{
	struct gendisk *disk = bdev->bd_disk;
	int err = -ENXIO;

	mutex_lock(&disk->open_mutex);
	if (disk_live(disk) && !is_gone(bdev))
		err = driver_open(bdev, mode);
	if (!err)
		atomic_inc(&bdev->bd_openers);
	mutex_unlock(&disk->open_mutex);
	return err;
}

int shim_bdev_open(dev_t dev, blk_mode_t mode, void *holder,
		   struct block_device **out)
{
	struct block_device *bdev = get_bdev(dev);
	int err = bdev ? 0 : -ENXIO;

	if (!err && holder)
		err = claim(bdev, holder);
	if (!err) {
		err = open_whole(bdev, mode);
		if (err && holder)
			unclaim(bdev);
	}
	if (err && bdev)
		put_bdev(bdev);
	*out = err ? NULL : bdev;
	return err;
}

void shim_bdev_close(struct block_device *bdev, blk_mode_t mode, void *holder)
{
	struct gendisk *disk = bdev->bd_disk;

	if (holder)
		unclaim(bdev);
	mutex_lock(&disk->open_mutex);
	atomic_dec(&bdev->bd_openers);
	driver_release(bdev, mode);
	mutex_unlock(&disk->open_mutex);
	put_bdev(bdev);
}

/* ------------------------------------------------------------------ */
/* What drivers call						      */

#ifdef HAVE_BDEV_FILE
/** struct opened - an open disk, as a file */
struct opened {
	struct file file;
	struct block_device *bdev;
	void *holder;
	blk_mode_t mode;
};

struct file *bdev_file_open_by_dev(dev_t dev, blk_mode_t mode, void *holder,
				   const struct blk_holder_ops *hops)
{
	struct opened *o = kzalloc(sizeof(*o), GFP_KERNEL);
	int err;

	if (!o)
		return ERR_PTR(-ENFILE);
	err = shim_bdev_open(dev, mode, holder, &o->bdev);
	if (err) {
		kfree(o);
		return ERR_PTR(err);
	}
	o->holder = holder;
	o->mode = mode;
	return &o->file;
}

struct block_device *file_bdev(struct file *file)
{
	return container_of(file, struct opened, file)->bdev;
}

/* Every file here is an open disk. The kernel closes it a little later, on
 * the way back to user space or in a work item. */
void fput(struct file *file)
{
	struct opened *o = container_of(file, struct opened, file);

	shim_bdev_close(o->bdev, o->mode, o->holder);
	kfree(o);
}
#else
struct block_device *blkdev_get_by_dev(dev_t dev, fmode_t mode, void *holder)
{
	struct block_device *bdev;
	int err;

	if (!(mode & FMODE_EXCL))
		holder = NULL;
	err = shim_bdev_open(dev, mode, holder, &bdev);
	return err ? ERR_PTR(err) : bdev;
}

void blkdev_put(struct block_device *bdev, fmode_t mode)
{
	shim_bdev_close(bdev, mode, mode & FMODE_EXCL ? bdev->bd_holder : NULL);
}
#endif

/* Asked for at each open; the answer only matters to a scan for partitions. */
static bool media_changed(struct gendisk *disk)
{
	const struct block_device_operations *ops = disk->fops;

	if (!ops->check_events || !disk->events)
		return false;
	return ops->check_events(disk, disk->events) & DISK_EVENT_MEDIA_CHANGE;
}

#ifdef HAVE_DISK_CHECK_MEDIA_CHANGE
bool disk_check_media_change(struct gendisk *disk)
{
	return media_changed(disk);
}
#else
bool bdev_check_media_change(struct block_device *bdev)
{
	return media_changed(bdev->bd_disk);
}
#endif

/* ------------------------------------------------------------------ */
/* The page cache: all I/O here is direct, so it is empty		      */

int sync_blockdev(struct block_device *bdev)
{
	return 0;
}

void invalidate_bdev(struct block_device *bdev)
{
}

unsigned long invalidate_mapping_pages(struct address_space *mapping,
				       pgoff_t start, pgoff_t end)
{
	return 0;
}
