/* SPDX-License-Identifier: GPL-2.0-only */
/* Version 1.2 superblocks on an array's disks, as mdadm leaves them. */
#ifndef RAID5SIM_SUPER_H
#define RAID5SIM_SUPER_H

#include "kernel/array.h"

/**
 * super_create - what mdadm --create writes to the disks of @a: superblocks,
 * and an empty bitmap or PPL where it is to have one
 *
 * Return: 0, or -EINVAL: they do not fit.
 */
int super_create(struct kern_array *a);

/** struct super_role - what a disk's superblock says of itself
 *  @number: of the device; @role: slot, or 0xffff, 0xfffe, 0xfffd as in
 *  dev_roles[] */
struct super_role {
	unsigned int number, role;
};

/** super_role - 0, or -EINVAL: there is no valid superblock */
int super_role(struct kern_array *a, unsigned int disk, struct super_role *out);

/**
 * super_spare - make a spare of @disk, as mdadm --add does
 * @like:	a disk whose superblock is up to date
 * @number:	of the device in the array
 */
int super_spare(struct kern_array *a, unsigned int disk, unsigned int like,
		unsigned int number);

#endif
