// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the host side does to an array of the modelled md core and its members.
 * What would need a superblock, a spare or a sync thread stops the run. May
 * not know how any of it comes about.
 */
#include <linux/sched.h>

#include "kernel/md-model/private.h"

void shim_md_boot(void)
{
}

int shim_md_init(void)
{
	return 0;
}

void shim_md_exit(void)
{
}

/* There are no superblocks. */
u64 shim_metadata_bytes(const struct array_desc *desc)
{
	return 0;
}

/* Nothing is ever recovered here, but a failed member has to be taken out. */
int kern_sync_wait(struct kern_array *a)
{
	struct mddev *mddev = a->mddev;

	while (recovery_any(mddev, RECOVERY(NEEDED) | RECOVERY(RUNNING))) {
		if (recovery_any(mddev, RECOVERY(FROZEN)))
			return -EINTR;
		schedule_timeout_uninterruptible(1);
	}
	return 0;
}

int kern_member_fail(struct kern_array *a, unsigned int disk)
{
	struct md_rdev *member;
	struct mddev *mddev = a->mddev;
	int err = mddev_lock(mddev);

	if (err)
		return err;
	member = shim_array_member(a, disk);
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

/* It has none. */
unsigned int shim_md_params(void)
{
	return 0;
}

const struct kernel_param *shim_md_param(unsigned int i)
{
	return NULL;
}
