// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mdadm does to one member of an array that runs, and waiting for what
 * that sets off. Reads md's fields, changes nothing but by ioctl and sysfs.
 */
#include <linux/delay.h>
#include <linux/major.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>

#include "kernel/md.h"
#include "kernel/disk.h"
#include "kernel/md-real/super.h"
#include "kernel/md-real/tool.h"

int kern_member_fail(struct kern_array *a, unsigned int disk)
{
	return tool_call(a, SET_DISK_FAULTY, tool_dev(a, disk));
}

/* mdadm tries again for half a second: Manage.c, hot_remove_disk(). */
#define REMOVE_TRIES 50
#define REMOVE_MS    10

int kern_member_remove(struct kern_array *a, unsigned int disk)
{
	int tries, err;

	for (tries = 0;; tries++) {
		err = tool_call(a, HOT_REMOVE_DISK, tool_dev(a, disk));
		if (err != -EBUSY || tries == REMOVE_TRIES)
			return err;
		msleep(REMOVE_MS);
	}
}

int kern_member_replace(struct kern_array *a, unsigned int disk)
{
	struct md_rdev *member = shim_array_member(a, disk);
	char name[64];
	long ret;

	if (!member)
		return -ENODEV;
	snprintf(name, sizeof(name), "dev-%pg/state", member->bdev);
	ret = shim_attr_store(a, name, "want_replacement");
	return min(ret, 0L);
}

/* ------------------------------------------------------------------ */
/* Adding							      */

/* A disk whose superblock md keeps up to date, or -1. */
static int working_disk(struct kern_array *a)
{
	struct md_rdev *member;
	unsigned int n;

	for (n = 0; n < a->nr_disks; n++) {
		member = shim_array_member(a, n);
		if (member && !test_bit(Faulty, &member->flags) &&
		    !test_bit(Journal, &member->flags))
			return n;
	}
	return -1;
}

/* The lowest that no device of the array has. */
static int free_number(struct kern_array *a)
{
	struct md_rdev *member;
	int number = 0;

again:
	rdev_for_each (member, a->mddev)
		if (member->desc_nr == number) {
			number++;
			goto again;
		}
	return number;
}

static int add_spare(struct kern_array *a, unsigned int disk)
{
	int number = free_number(a), like = working_disk(a);
	int err = 0;

	if (a->desc.metadata != METADATA_NONE)
		err = like < 0 ? -EINVAL : super_spare(a, disk, like, number);
	return err ?: tool_add(a, disk, number, -1, 0);
}

/* A role that is none is refused by mdadm, not by md. */
static int add_again(struct kern_array *a, unsigned int disk)
{
	struct super_role s;
	int err;

	if (a->desc.metadata == METADATA_NONE)
		return -EINVAL;
	err = super_role(a, disk, &s);
	if (err)
		return err;
	if (s.role >= MD_DISK_ROLE_MAX)
		return -EINVAL;
	return tool_add(a, disk, s.number, s.role,
			1 << MD_DISK_ACTIVE | 1 << MD_DISK_SYNC);
}

int kern_member_add(struct kern_array *a, unsigned int disk, int re_add)
{
	int err;

	if (shim_array_member(a, disk))
		return -EBUSY;
	if (shim_member_gone(a->disk[disk]))
		return -ENXIO;
	err = tool_open(a);
	if (err)
		return err;
	err = re_add ? add_again(a, disk) : add_spare(a, disk);
	tool_close(a);
	return err;
}

/* ------------------------------------------------------------------ */
/* Waiting							      */

#define POLL_MS 10
/* Without a step forward for so long, something else has to happen first. */
#define STUCK_MS 60000

static bool bit(struct mddev *mddev, int nr)
{
	return test_bit(nr, &mddev->recovery);
}

static bool is_due(struct mddev *mddev)
{
	return mddev->sync_thread || bit(mddev, MD_RECOVERY_RUNNING) ||
	       bit(mddev, MD_RECOVERY_NEEDED) || bit(mddev, MD_RECOVERY_DONE);
}

/* Nothing starts by itself while this is so. */
static bool is_held(struct mddev *mddev)
{
	return !bit(mddev, MD_RECOVERY_RUNNING) &&
	       (bit(mddev, MD_RECOVERY_FROZEN) || !md_is_rdwr(mddev));
}

/* It has gone as far as sync_max lets it. */
static bool is_at_end(struct mddev *mddev)
{
	return bit(mddev, MD_RECOVERY_RUNNING) &&
	       mddev->curr_resync >= mddev->resync_max;
}

int kern_sync_wait(struct kern_array *a)
{
	struct mddev *mddev = a->mddev;
	sector_t at = 0;
	int stuck = 0;

	while (mddev && is_due(mddev)) {
		if (is_held(mddev) || stuck > STUCK_MS ||
		    (is_at_end(mddev) && stuck > POLL_MS))
			return -EINTR;
		stuck = mddev->curr_resync == at ? stuck + POLL_MS : 0;
		at = mddev->curr_resync;
		msleep(POLL_MS);
	}
	return 0;
}
