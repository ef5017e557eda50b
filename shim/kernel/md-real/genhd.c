// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of block/genhd.c, for bio-based disks without partitions: a
 * disk's life from allocation to release, its sysfs folder, its capacity, and
 * drivers of major numbers. Opening is bdev.c's; knows nothing of arrays.
 *
 *	__blk_alloc_disk ──> device_add_disk ──> del_gendisk ──> put_disk
 *			       found by number, in sysfs
 */
#include <linux/blkdev.h>
#include <linux/kobject.h>
#include <linux/part_stat.h>
#include <linux/percpu-refcount.h>
#include <linux/slab.h>

#include "block/blk.h"

#include "kernel/block.h"
#include "kernel/shim.h"
#include "probes.h"
#include "kernel/md-real/genhd.h"
#include "kernel/md-real/bdev.h"

/** struct known - a disk that can be found */
struct known {
	struct list_head list;
	struct gendisk *disk;
};

static LIST_HEAD(known_disks);
static struct kobject *block_dir;

void shim_genhd_boot(void)
{
	block_dir = kobject_create_and_add("block", NULL);
	if (!block_dir)
		host_panic("sysfs cannot be had");
}

static struct known *find_known(dev_t dev)
{
	struct known *k;

	list_for_each_entry (k, &known_disks, list)
		if (disk_devt(k->disk) == dev)
			return k;
	return NULL;
}

struct block_device *shim_bdev_find(dev_t dev)
{
	struct known *k = find_known(dev);

	return k ? k->disk->part0 : NULL;
}

static void make_known(struct gendisk *disk)
{
	struct known *k = shim_zalloc(sizeof(*k), "known disk");

	k->disk = disk;
	list_add_tail(&k->list, &known_disks);
}

static void forget(struct gendisk *disk)
{
	struct known *k = find_known(disk_devt(disk));

	list_del(&k->list);
	shim_free(k);
}

#ifdef HAVE_BDEV_INODE
static void set_live(struct gendisk *disk, bool live)
{
	struct inode *inode = disk->part0->bd_inode;

	if (live)
		hlist_add_fake(&inode->i_hash);
	else
		hlist_del_init(&inode->i_hash);
}
#else
static void set_live(struct gendisk *disk, bool live)
{
}

bool disk_live(struct gendisk *disk)
{
	struct known *k = find_known(disk_devt(disk));

	return k && k->disk == disk;
}
#endif

static struct kobject *kobj_of(struct gendisk *disk)
{
	return &disk_to_dev(disk)->kobj;
}

/* ------------------------------------------------------------------ */
/* Allocated disks						      */

static void release_disk(struct kobject *kobj)
{
	struct device *dev = container_of(kobj, struct device, kobj);
	struct gendisk *disk = dev_to_disk(dev);

	WARN_ON_ONCE(disk_live(disk));
	if (test_bit(GD_ADDED, &disk->state) && disk->fops->free_disk)
		disk->fops->free_disk(disk);
	shim_disk_free(disk);
}

static const struct kobj_type allocated_type = {.release = release_disk};

static struct gendisk *alloc_disk(void)
{
	struct gendisk *disk = shim_disk_create_stacked("", 0, NULL);

	if (!disk)
		return NULL;
	clear_bit(GD_ADDED, &disk->state);
	kobject_init(kobj_of(disk), (struct kobj_type *)&allocated_type);
	return disk;
}

#ifdef HAVE_BLK_ALLOC_DISK_LIMITS
struct gendisk *__blk_alloc_disk(struct queue_limits *lim, int node,
				 struct lock_class_key *lkclass)
{
	struct gendisk *disk;

	if (lim)
		finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0),
			      "not modelled: __blk_alloc_disk() with limits");
	disk = alloc_disk();
	return disk ?: ERR_PTR(-ENOMEM);
}
#else
struct gendisk *__blk_alloc_disk(int node, struct lock_class_key *lkclass)
{
	return alloc_disk();
}
#endif

void put_disk(struct gendisk *disk)
{
	if (disk)
		kobject_put(kobj_of(disk));
}

/* ------------------------------------------------------------------ */
/* Visible disks						      */

static int add_folders(struct gendisk *disk)
{
	struct kobject *kobj = kobj_of(disk);
	int err = kobject_add(kobj, block_dir, "%s", disk->disk_name);

	if (err)
		return err;
	disk->part0->bd_holder_dir = kobject_create_and_add("holders", kobj);
	disk->slave_dir = kobject_create_and_add("slaves", kobj);
	if (disk->part0->bd_holder_dir && disk->slave_dir)
		return 0;
	kobject_put(disk->part0->bd_holder_dir);
	kobject_put(disk->slave_dir);
	kobject_del(kobj);
	return -ENOMEM;
}

static void remove_folders(struct gendisk *disk)
{
	kobject_put(disk->part0->bd_holder_dir);
	kobject_put(disk->slave_dir);
	disk->slave_dir = NULL;
	kobject_del(kobj_of(disk));
}

static int make_visible(struct gendisk *disk)
{
	int err = add_folders(disk);

	if (err)
		return err;
	make_known(disk);
	set_live(disk, true);
	return 0;
}

int device_add_disk(struct device *parent, struct gendisk *disk,
		    const struct attribute_group **groups)
{
	int err;

	if (parent || groups)
		finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0),
			      "not modelled: device_add_disk() with a parent");
	if (WARN_ON(!disk->minors) ||
	    find_known(MKDEV(disk->major, disk->first_minor)))
		return -EBUSY;
	disk_to_dev(disk)->devt = MKDEV(disk->major, disk->first_minor);
	disk->part0->bd_dev = MKDEV(disk->major, disk->first_minor);
	err = make_visible(disk);
	if (!err)
		set_bit(GD_ADDED, &disk->state);
	return err;
}

/* Nothing new gets in, and what is in gets out. */
static void drain(struct request_queue *q)
{
	blk_queue_flag_set(QUEUE_FLAG_DYING, q);
	percpu_ref_kill(&q->q_usage_counter);
	wake_up_all(&q->mq_freeze_wq);
	wait_event(q->mq_freeze_wq, percpu_ref_is_zero(&q->q_usage_counter));
}

void del_gendisk(struct gendisk *disk)
{
	might_sleep();
	if (WARN_ON_ONCE(!disk_live(disk)))
		return;
	mutex_lock(&disk->open_mutex);
	set_live(disk, false);
	forget(disk);
	set_bit(GD_DEAD, &disk->state);
	set_capacity(disk, 0);
	mutex_unlock(&disk->open_mutex);
	remove_folders(disk);
	drain(disk->queue);
}

/* Simulated disks count no requests: md reads zeroes of all of them. */
static DEFINE_PER_CPU(struct disk_stats, uncounted);

/* A disk of the shim's own memory is not freed with its last reference. */
static void release_nothing(struct kobject *kobj)
{
}

static const struct kobj_type plugged_type = {.release = release_nothing};

void shim_disk_plug_in(struct gendisk *disk)
{
	kobject_init(kobj_of(disk), (struct kobj_type *)&plugged_type);
	disk_to_dev(disk)->devt = MKDEV(disk->major, disk->first_minor);
	disk->part0->bd_stats = &uncounted;
	if (make_visible(disk))
		host_panic("no memory for a disk of the machine");
}

void shim_disk_pull_out(struct gendisk *disk)
{
	set_live(disk, false);
	forget(disk);
	remove_folders(disk);
	kobject_put(kobj_of(disk));
	disk->part0->bd_stats = NULL;
}

/* ------------------------------------------------------------------ */
/* Capacity							      */

void set_capacity(struct gendisk *disk, sector_t sectors)
{
	shim_disk_set_sectors(disk, sectors);
}

bool set_capacity_and_notify(struct gendisk *disk, sector_t sectors)
{
	sector_t was = get_capacity(disk);

	set_capacity(disk, sectors);
	if (was == sectors || !disk_live(disk))
		return false;
	pr_info("%s: detected capacity change from %llu to %llu\n",
		disk->disk_name, (u64)was, (u64)sectors);
	return was && sectors;
}

/* ------------------------------------------------------------------ */
/* Drivers of major numbers					      */

struct driver {
	struct list_head list;
	unsigned int major;
	void (*probe)(dev_t dev);
};

static LIST_HEAD(drivers);

static struct driver *find_driver(unsigned int major)
{
	struct driver *d;

	list_for_each_entry (d, &drivers, list)
		if (d->major == major)
			return d;
	return NULL;
}

/* Of the dynamic ones, the highest that is free: from 254 down. */
static unsigned int free_major(void)
{
	unsigned int major = 254;

	while (find_driver(major))
		major--;
	return major;
}

int __register_blkdev(unsigned int wanted, const char *name,
		      void (*probe)(dev_t dev))
{
	unsigned int major = wanted ?: free_major();
	struct driver *d;

	if (find_driver(major))
		return -EBUSY;
	d = kmalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return -ENOMEM;
	d->major = major;
	d->probe = probe;
	list_add_tail(&d->list, &drivers);
	return wanted ? 0 : major;
}

void unregister_blkdev(unsigned int major, const char *name)
{
	struct driver *d = find_driver(major);

	if (WARN_ON(!d))
		return;
	list_del(&d->list);
	kfree(d);
}

void shim_driver_probe(dev_t dev)
{
	struct driver *d = find_driver(MAJOR(dev));

	if (d && d->probe)
		d->probe(dev);
}
