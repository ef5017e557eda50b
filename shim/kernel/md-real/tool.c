// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mdadm does to an array as a whole: makes it through md's ioctls, runs
 * it, stops it, assembles it again from what is on its disks. Uses nothing of
 * md but its device node, ioctls and files in sysfs.
 *
 *	open ──> SET_ARRAY_INFO ──> ADD_NEW_DISK ... ──> RUN_ARRAY ──> close
 *	open ──> STOP_ARRAY ──> close ──> md lets go of it
 */
#include <linux/blkdev.h>
#include <linux/delay.h>
#include <linux/major.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>

#include "kernel/md.h"
#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/shim.h"
#include "probes.h"
#include "kernel/md-real/genhd.h"
#include "kernel/md-real/super.h"
#include "kernel/md-real/sysfs-file.h"
#include "kernel/md-real/tool.h"
#include "kernel/md-real/user.h"

/** struct core - what is kept of an array: its node, open or not */
struct core {
	dev_t dev;
	struct block_device *node;
};

static struct core *core_of(struct kern_array *a)
{
	return a->core;
}

/* ------------------------------------------------------------------ */
/* System calls							      */

int tool_open(struct kern_array *a)
{
	struct core *c = core_of(a);
	int err = shim_bdev_open(c->dev, OPEN_RW, NULL, &c->node);

	if (!err)
		a->mddev = c->node->bd_disk->private_data;
	return err;
}

void tool_close(struct kern_array *a)
{
	struct core *c = core_of(a);

	shim_bdev_close(c->node, OPEN_RW, NULL);
	c->node = NULL;
}

int tool_ioctl_nr(struct kern_array *a, unsigned int cmd, unsigned long nr)
{
	struct block_device *node = core_of(a)->node;

	return node->bd_disk->fops->ioctl(node, OPEN_RW, cmd, nr);
}

int tool_ioctl(struct kern_array *a, unsigned int cmd, void *data, size_t size)
{
	int ret;

	shim_user_memory(data, size);
	ret = tool_ioctl_nr(a, cmd, (unsigned long)data);
	shim_user_memory(NULL, 0);
	return ret;
}

int tool_call(struct kern_array *a, unsigned int cmd, unsigned long nr)
{
	int err = tool_open(a);

	if (err)
		return err;
	err = tool_ioctl_nr(a, cmd, nr);
	tool_close(a);
	return err;
}

static dev_t disk_dev(struct kern_array *a, unsigned int n)
{
	return shim_member_bdev(a->disk[n])->bd_dev;
}

unsigned long tool_dev(struct kern_array *a, unsigned int n)
{
	return new_encode_dev(disk_dev(a, n));
}

int tool_add(struct kern_array *a, unsigned int n, int number, int slot,
	     int state)
{
	mdu_disk_info_t info = {
		.number = number,
		.major = MAJOR(disk_dev(a, n)),
		.minor = MINOR(disk_dev(a, n)),
		.raid_disk = slot,
		.state = state,
	};

	return tool_ioctl(a, ADD_NEW_DISK, &info, sizeof(info));
}

/* ------------------------------------------------------------------ */
/* Making							      */

#define IN_SYNC (1 << MD_DISK_ACTIVE | 1 << MD_DISK_SYNC)

/* An ioctl has no room for more than 2 TiB; sysfs has, for what the ioctl left
 * open. */
static bool fits_ioctl(const struct array_desc *d)
{
	return d->member_bytes >> 10 <= INT_MAX;
}

static int set_size(struct kern_array *a)
{
	char text[24];
	long ret;

	if (fits_ioctl(&a->desc))
		return 0;
	snprintf(text, sizeof(text), "%llu", a->desc.member_bytes >> 10);
	ret = shim_attr_store(a, "component_size", text);
	return min(ret, 0L);
}

/* Without superblocks, the tool tells md everything. */
static int describe(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	mdu_array_info_t info = {
		.major_version = 0,
		.minor_version = 90,
		.level = d->level,
		.size = fits_ioctl(d) ? d->member_bytes >> 10 : 0,
		.nr_disks = d->disks + d->spares - d->missing,
		.raid_disks = d->disks,
		.not_persistent = 1,
		.state = d->dirty ? 0 : 1 << MD_SB_CLEAN,
		.layout = d->layout,
		.chunk_size = d->chunk_bytes,
	};

	return tool_ioctl(a, SET_ARRAY_INFO, &info, sizeof(info))
		       ?: set_size(a);
}

static bool is_missing(const struct array_desc *d, unsigned int n)
{
	return n >= d->disks - d->missing && n < d->disks;
}

static int add_all(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	unsigned int n;
	int err = 0;

	for (n = 0; !err && n < a->nr_disks; n++)
		if (!is_missing(d, n))
			err = tool_add(a, n, n, n, n < d->disks ? IN_SYNC : 0);
	return err;
}

/* With superblocks, md finds it all on the disks. */
static int assemble(struct kern_array *a, u64 leave_out)
{
	mdu_array_info_t version = {.major_version = 1, .minor_version = 2};
	int err = tool_ioctl(a, SET_ARRAY_INFO, &version, sizeof(version));
	struct super_role role;
	unsigned int n;

	for (n = 0; !err && n < a->nr_disks; n++) {
		if (n < 64 && leave_out >> n & 1)
			continue;
		if (shim_member_gone(a->disk[n]) || super_role(a, n, &role))
			continue;
		err = tool_add(a, n, 0, 0, 0);
	}
	return err;
}

/* Until md's work item has let go of an array that nobody needs. */
static void wait_for_end(struct kern_array *a)
{
	while (shim_bdev_find(core_of(a)->dev))
		msleep(1);
	a->mddev = NULL;
}

/* The array is not made, or no longer wanted: as mdadm does then. */
static int stop_open(struct kern_array *a)
{
	int err = tool_ioctl_nr(a, STOP_ARRAY, 0);

	tool_close(a);
	if (!err)
		wait_for_end(a);
	return err;
}

static void must_stop(struct kern_array *a)
{
	if (stop_open(a))
		finding_fatal(FINDING_BAD_STATE, NULL,
			      "an array that does not run cannot be stopped");
}

static int set_up(struct kern_array *a)
{
	if (a->desc.metadata == METADATA_NONE)
		return describe(a) ?: add_all(a);
	return super_create(a) ?: assemble(a, 0);
}

/* "md7" is minor 7, any other name minor 127, where the kernel starts. */
static void core_new(struct kern_array *a)
{
	struct core *c = shim_zalloc(sizeof(*c), "md array");
	unsigned int minor, n;

	if (strncmp(a->name, "md", 2) || kstrtouint(a->name + 2, 10, &minor) ||
	    minor > MINORMASK)
		minor = 127;
	c->dev = MKDEV(MD_MAJOR, minor);
	a->core = c;
	for (n = 0; n < a->nr_disks; n++)
		shim_disk_plug_in(shim_member_bdev(a->disk[n])->bd_disk);
}

/* Some trees close an array's members from a work item. */
static void wait_until_closed(struct block_device *bdev)
{
	while (atomic_read(&bdev->bd_openers))
		msleep(1);
}

static void core_free(struct kern_array *a)
{
	unsigned int n;

	for (n = 0; n < a->nr_disks; n++)
		wait_until_closed(shim_member_bdev(a->disk[n]));
	for (n = 0; n < a->nr_disks; n++)
		shim_disk_pull_out(shim_member_bdev(a->disk[n])->bd_disk);
	shim_free(a->core);
	a->core = NULL;
}

int shim_mddev_create(struct kern_array *a)
{
	int err;

	core_new(a);
	err = tool_open(a);
	if (!err) {
		err = set_up(a);
		if (err)
			must_stop(a);
		else
			tool_close(a);
	}
	if (err)
		core_free(a);
	return err;
}

int shim_mddev_run(struct kern_array *a)
{
	return tool_call(a, RUN_ARRAY, 0);
}

/* ------------------------------------------------------------------ */
/* Stopping							      */

static int stop(struct kern_array *a)
{
	int err = tool_open(a);

	return err ?: stop_open(a);
}

void shim_mddev_stop(struct kern_array *a)
{
	int err = a->mddev ? stop(a) : 0;

	if (err)
		finding_fatal(FINDING_BAD_STATE, NULL,
			      "STOP_ARRAY of an array that nobody uses: %d",
			      err);
	core_free(a);
}

int kern_array_halt(struct kern_array *a)
{
	int err = a->mddev ? stop(a) : -ENODEV;
	unsigned int n;

	for (n = 0; !err && n < a->nr_disks; n++) {
		wait_until_closed(shim_member_bdev(a->disk[n]));
		shim_member_settle(a->disk[n]);
	}
	return err;
}

int kern_array_assemble(struct kern_array *a, unsigned long long leave_out)
{
	int err;

	if (a->mddev)
		return -EBUSY;
	if (a->desc.metadata == METADATA_NONE)
		return -EINVAL;
	err = tool_open(a);
	if (!err)
		err = assemble(a, leave_out) ?: tool_ioctl_nr(a, RUN_ARRAY, 0);
	else
		return err;
	if (err)
		must_stop(a);
	else
		tool_close(a);
	return err;
}

/* ------------------------------------------------------------------ */
/* Files							      */

long shim_attr_store(struct kern_array *a, const char *name, const char *val)
{
	if (!a->mddev)
		return -ENOENT;
	return shim_sysfs_write(&a->mddev->kobj, name, val, strlen(val));
}

long shim_attr_show(struct kern_array *a, const char *name, char *page)
{
	if (!a->mddev)
		return -ENOENT;
	return shim_sysfs_read(&a->mddev->kobj, name, page);
}
