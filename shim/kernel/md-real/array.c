// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays through md's own doors: its module's init, the block device of an
 * array and the ioctls that mdadm uses. Knows what they are given, nothing of
 * what md does then.
 *
 *	open md0 ──> SET_ARRAY_INFO ──> ADD_NEW_DISK ... ──> RUN_ARRAY ──> close
 *	open md0 ──> STOP_ARRAY ──> close: the array is gone, disks are there
 */
#include <linux/blkdev.h>
#include <linux/kdev_t.h>
#include <linux/major.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>
#include <linux/sysfs.h>

#include "fs/kernfs/kernfs-internal.h"

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/md.h"
#include "kernel/shim.h"
#include "probes.h"
#include "kernel/md-real/genhd.h"
#include "kernel/md-real/superblock.h"

struct module md_mod___this_module = {.name = "md_mod"};

int md_mod_init_module(void);
void md_mod_cleanup_module(void);

void shim_md_boot(void)
{
	kernfs_init();
	if (sysfs_init())
		host_panic("sysfs cannot be had");
	shim_genhd_boot();
}

int shim_md_init(void)
{
	return md_mod_init_module();
}

void shim_md_exit(void)
{
	md_mod_cleanup_module();
}

u64 shim_metadata_bytes(const struct array_desc *desc)
{
	return desc->metadata == METADATA_1_2 ?
		       (u64)DATA_SECTOR << SECTOR_SHIFT :
		       0;
}

/* --- the array's block device ------------------------------------------ */

/* "md7" is minor 7, any other name minor 127, where the kernel starts. */
static dev_t array_dev(struct kern_array *a)
{
	unsigned int minor;

	if (strncmp(a->name, "md", 2) || kstrtouint(a->name + 2, 10, &minor) ||
	    minor > 511)
		minor = 127;
	return MKDEV(MD_MAJOR, minor);
}

static int array_open(struct kern_array *a, struct block_device **bdev)
{
	return shim_bdev_open(array_dev(a), OPEN_RW, NULL, bdev);
}

static void array_close(struct block_device *bdev)
{
	shim_bdev_close(bdev, OPEN_RW, NULL);
}

/* The pointer is "user space": copy_from_user() takes it as it is. */
static int array_ioctl(struct block_device *bdev, unsigned int cmd, void *arg)
{
	return bdev->bd_disk->fops->ioctl(bdev, OPEN_RW, cmd,
					  (unsigned long)arg);
}

/* Open, one ioctl, close. */
static int once(struct kern_array *a, unsigned int cmd, void *arg)
{
	struct block_device *bdev;
	int err = array_open(a, &bdev);

	if (err)
		return err;
	err = array_ioctl(bdev, cmd, arg);
	array_close(bdev);
	return err;
}

static dev_t disk_dev(struct kern_array *a, unsigned int n)
{
	return shim_member_bdev(a->disk[n])->bd_dev;
}

/* A device number where an ioctl takes one for a pointer. */
static void *dev_arg(struct kern_array *a, unsigned int n)
{
	return (void *)(unsigned long)new_encode_dev(disk_dev(a, n));
}

/* --- assembling -------------------------------------------------------- */

/* Everything in the ioctl's int is too small for what sysfs takes. */
static int set_sizes(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	char text[24];
	long err;

	snprintf(text, sizeof(text), "%llu", d->member_bytes >> 10);
	err = shim_attr_store(a, "component_size", text);
	if (err >= 0 && d->chunk_bytes > INT_MAX) {
		snprintf(text, sizeof(text), "%lu", d->chunk_bytes);
		err = shim_attr_store(a, "chunk_size", text);
	}
	return err < 0 ? err : 0;
}

static int describe_plain(struct kern_array *a, struct block_device *bdev)
{
	const struct array_desc *d = &a->desc;
	mdu_array_info_t info = {
		.major_version = MD_MAJOR_VERSION,
		.minor_version = 90,
		.patch_version = MD_PATCHLEVEL_VERSION,
		.level = d->level,
		.layout = d->layout,
		.raid_disks = d->disks,
		.chunk_size = min(d->chunk_bytes, (unsigned long)INT_MAX),
		.not_persistent = 1,
		.state = d->dirty ? 0 : 1 << MD_SB_CLEAN,
	};

	return array_ioctl(bdev, SET_ARRAY_INFO, &info) ?: set_sizes(a);
}

static int describe(struct kern_array *a, struct block_device *bdev)
{
	mdu_array_info_t info = {.major_version = 1, .minor_version = 2};

	if (a->desc.metadata == METADATA_NONE)
		return describe_plain(a, bdev);
	return array_ioctl(bdev, SET_ARRAY_INFO, &info);
}

static int add_disk_as(struct kern_array *a, struct block_device *bdev,
		       unsigned int n, int slot, int state)
{
	mdu_disk_info_t info = {
		.number = n,
		.major = MAJOR(disk_dev(a, n)),
		.minor = MINOR(disk_dev(a, n)),
		.raid_disk = slot,
		.state = state,
	};

	return array_ioctl(bdev, ADD_NEW_DISK, &info);
}

#define IN_SYNC (1 << MD_DISK_SYNC | 1 << MD_DISK_ACTIVE)

/* Those of no array, out of order or stale are refused by md itself, and
 * mdadm goes on without them. */
static bool belongs(struct kern_array *a, unsigned int n, u64 leave_out)
{
	if (n < 64 && leave_out >> n & 1)
		return false;
	if (shim_member_gone(a->disk[n]))
		return false;
	return true;
}

static int add_disks(struct kern_array *a, struct block_device *bdev,
		     u64 leave_out)
{
	bool plain = a->desc.metadata == METADATA_NONE;
	unsigned int n;
	int err;

	for (n = 0; n < a->nr_disks; n++) {
		if (!belongs(a, n, leave_out))
			continue;
		err = add_disk_as(a, bdev, n, n, plain ? IN_SYNC : 0);
		if (err)
			return err;
	}
	return 0;
}

/* With what was there when the array was made. */
static u64 never_there(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	unsigned int n;
	u64 mask = 0;

	for (n = d->disks - d->missing; n < d->disks && n < 64; n++)
		mask |= 1ULL << n;
	if (d->metadata == METADATA_NONE)
		for (n = d->disks; n < a->nr_disks && n < 64; n++)
			mask |= 1ULL << n;
	return mask;
}

static void forget_array(struct kern_array *a, struct block_device *bdev)
{
	a->mddev = NULL;
	array_ioctl(bdev, STOP_ARRAY, NULL);
	array_close(bdev);
	kern_run_idle();
}

static int put_together(struct kern_array *a, u64 leave_out)
{
	struct block_device *bdev;
	int err = array_open(a, &bdev);

	if (err)
		return err;
	a->mddev = bdev->bd_disk->private_data;
	err = describe(a, bdev) ?: add_disks(a, bdev, leave_out);
	if (err)
		forget_array(a, bdev);
	else
		array_close(bdev);
	return err;
}

/* --- md.h -------------------------------------------------------------- */

static void plug_in(struct kern_array *a)
{
	unsigned int n;

	for (n = 0; n < a->nr_disks; n++)
		shim_disk_plug_in(shim_member_bdev(a->disk[n])->bd_disk);
}

static void pull_out(struct kern_array *a)
{
	unsigned int n;

	kern_run_idle();
	for (n = 0; n < a->nr_disks; n++)
		shim_disk_pull_out(shim_member_bdev(a->disk[n])->bd_disk);
}

int shim_mddev_create(struct kern_array *a)
{
	int err;

	plug_in(a);
	if (a->desc.metadata == METADATA_1_2)
		superblocks_create(a);
	err = put_together(a, never_there(a));
	if (err)
		pull_out(a);
	return err;
}

int shim_mddev_run(struct kern_array *a)
{
	return once(a, RUN_ARRAY, NULL);
}

static int stop(struct kern_array *a)
{
	int err = once(a, STOP_ARRAY, NULL);

	if (!err)
		a->mddev = NULL;
	return err;
}

void shim_mddev_stop(struct kern_array *a)
{
	int err = a->mddev ? stop(a) : 0;

	if (err)
		finding_fatal(FINDING_HANG, NULL,
			      "the array cannot be stopped: STOP_ARRAY gives %d",
			      err);
	pull_out(a);
}

int kern_array_halt(struct kern_array *a)
{
	unsigned int n;
	int err = stop(a);

	if (err)
		return err;
	kern_run_idle();
	for (n = 0; n < a->nr_disks; n++)
		shim_member_settle(a->disk[n]);
	return 0;
}

int kern_array_assemble(struct kern_array *a, unsigned long long leave_out)
{
	int err = put_together(a, leave_out);
	struct block_device *bdev;

	if (err)
		return err;
	err = shim_mddev_run(a);
	if (!err)
		return 0;
	if (!array_open(a, &bdev))
		forget_array(a, bdev);
	return err;
}

/* --- members ----------------------------------------------------------- */

int kern_member_fail(struct kern_array *a, unsigned int disk)
{
	return once(a, SET_DISK_FAULTY, dev_arg(a, disk));
}

int kern_member_remove(struct kern_array *a, unsigned int disk)
{
	return once(a, HOT_REMOVE_DISK, dev_arg(a, disk));
}

/* Where the superblock says that it was, as mdadm --re-add asks for. */
static int re_add_member(struct kern_array *a, struct block_device *bdev,
			 unsigned int disk)
{
	return add_disk_as(a, bdev, disk, disk, IN_SYNC);
}

static int add_member(struct kern_array *a, struct block_device *bdev,
		      unsigned int disk)
{
	bool journal = a->desc.log == LOG_JOURNAL && disk + 1 == a->nr_disks;

	superblock_spare(a, disk);
	return add_disk_as(a, bdev, disk, -1,
			   journal ? 1 << MD_DISK_JOURNAL : 0);
}

int kern_member_add(struct kern_array *a, unsigned int disk, int re_add)
{
	struct block_device *bdev;
	int err;

	if (a->desc.metadata == METADATA_NONE)
		return once(a, HOT_ADD_DISK, dev_arg(a, disk));
	err = array_open(a, &bdev);
	if (err)
		return err;
	err = re_add ? re_add_member(a, bdev, disk)
		     : add_member(a, bdev, disk);
	array_close(bdev);
	return err;
}

int kern_member_replace(struct kern_array *a, unsigned int disk)
{
	char name[64];
	long ret;

	snprintf(name, sizeof(name), "dev-%s/state",
		 shim_member_bdev(a->disk[disk])->bd_disk->disk_name);
	ret = shim_attr_store(a, name, "want_replacement");
	return ret < 0 ? ret : 0;
}

/* --- waiting ----------------------------------------------------------- */

static bool sync_due(struct mddev *mddev)
{
	return mddev->sync_thread ||
	       mddev->recovery & (BIT(MD_RECOVERY_NEEDED) |
				  BIT(MD_RECOVERY_RUNNING) |
				  BIT(MD_RECOVERY_DONE));
}

/* Waits for somebody who is not there: to be let go on, or to write. */
static bool sync_stopped(struct mddev *mddev)
{
	return test_bit(MD_RECOVERY_FROZEN, &mddev->recovery) ||
	       (!mddev->sync_thread && !md_is_rdwr(mddev));
}

int kern_sync_wait(struct kern_array *a)
{
	struct mddev *mddev = a->mddev;

	while (sync_due(mddev)) {
		if (sync_stopped(mddev) && !mddev->sync_thread)
			return -EINTR;
		schedule_timeout_uninterruptible(1);
	}
	return 0;
}
