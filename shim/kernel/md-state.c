// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the host side asks of an array of the modelled md core, and does to its
 * members. What would need a superblock, a spare or a sync thread stops the
 * run. May not know how any of it comes about.
 */
#include <linux/sched.h>

#include "kernel/md-private.h"

#include "kernel/disk.h"

static struct md_rdev *member_at(struct kern_array *a, unsigned int disk)
{
	struct md_rdev *member;

	rdev_for_each(member, shim_array_mddev(a))
		if (member->desc_nr == disk)
			return member;
	return NULL;
}

void kern_member_state(struct kern_array *a, unsigned int disk,
		       struct member_state *out)
{
	struct md_rdev *member = member_at(a, disk);

	*out = (struct member_state){.slot = -1};
	if (!member)
		return;
	out->in_array = 1;
	out->faulty = test_bit(Faulty, &member->flags);
	out->in_sync = test_bit(In_sync, &member->flags);
	out->journal = test_bit(Journal, &member->flags);
	out->replacement = test_bit(Replacement, &member->flags);
	out->slot = member->raid_disk;
	out->data_sector = member->data_offset;
	out->new_data_sector = member->new_data_offset;
	out->recovered = out->in_sync ? ~0ULL : member->recovery_offset;
}

static bool too_many_gone(struct mddev *mddev)
{
	return mddev->degraded > (mddev->level == 6 ? 2 : 1);
}

void kern_array_state(struct kern_array *a, struct array_state *out)
{
	struct mddev *mddev = shim_array_mddev(a);

	*out = (struct array_state){
		.running = mddev->pers != NULL,
		.level = mddev->level,
		.layout = mddev->layout,
		.disks = mddev->raid_disks,
		.degraded = mddev->degraded,
		.failed = too_many_gone(mddev),
		.read_only = !md_is_rdwr(mddev),
		.chunk_sectors = mddev->chunk_sectors,
		.sectors = mddev->array_sectors,
		.member_sectors = mddev->dev_sectors,
		.new_level = mddev->new_level,
		.new_layout = mddev->new_layout,
		.new_disks = mddev->raid_disks + mddev->delta_disks,
		.new_chunk_sectors = mddev->new_chunk_sectors,
		.backwards = mddev->reshape_backwards,
		.reshape_position = mddev->reshape_position,
		.resync_from = mddev->dirty_from,
		.mismatches = atomic64_read(&mddev->resync_mismatches),
	};
}

/* Nothing is ever recovered here, but a failed member has to be taken out. */
int kern_sync_wait(struct kern_array *a)
{
	struct mddev *mddev = shim_array_mddev(a);

	while (recovery_any(mddev, RECOVERY(NEEDED) | RECOVERY(RUNNING))) {
		if (recovery_any(mddev, RECOVERY(FROZEN)))
			return -EINTR;
		schedule_timeout_uninterruptible(1);
	}
	return 0;
}

int kern_member_fail(struct kern_array *a, unsigned int disk)
{
	struct mddev *mddev = shim_array_mddev(a);
	struct md_rdev *member = member_at(a, disk);
	int err = mddev_lock(mddev);

	if (err)
		return err;
	if (!member)
		err = -ENODEV;
	else
		md_error(mddev, member);
	if (!err && !test_bit(Faulty, &member->flags))
		err = -EBUSY;
	mddev_unlock(mddev);
	return err;
}

int kern_member_remove(struct kern_array *a, unsigned int disk)
{
	not_modelled("removing a member");
}

int kern_member_add(struct kern_array *a, unsigned int disk, int re_add)
{
	not_modelled("adding a member");
}

int kern_member_replace(struct kern_array *a, unsigned int disk)
{
	not_modelled("replacing a member");
}

int kern_array_halt(struct kern_array *a)
{
	not_modelled("halting an array without superblocks");
}

int kern_array_assemble(struct kern_array *a, unsigned long long leave_out)
{
	not_modelled("assembling an array without superblocks");
}
