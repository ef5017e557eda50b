/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An array as the kernel side holds it for the host side: what it was made
 * from, the disks that belong to it, and md's part while it is assembled. May
 * not know what is inside md or raid5.c.
 */
#ifndef RAID5SIM_ARRAY_H
#define RAID5SIM_ARRAY_H

#include <linux/list.h>
#include "boundary.h"

struct mddev;
struct md_rdev;
struct shim_member;

/**
 * struct kern_array - see boundary.h
 * @list:	all of them, in order of creation
 * @mddev:	md's part; NULL: not assembled. mddev->private is the r5conf
 * @desc:	what was asked for; desc.name is @name
 * @allocated:	the number of the driver's own "allocated N kB", or -1
 * @disk:	members, spares and journal, in that order; NULL: was never there
 * @nr_disks:	entries of @disk
 * @core:	what the md core keeps of it
 */
struct kern_array {
	struct list_head list;
	struct mddev *mddev;
	struct array_desc desc;
	char name[32];
	long long allocated;
	struct shim_member **disk;
	unsigned int nr_disks;
	void *core;
};

/** shim_arrays - all arrays, by @list */
extern struct list_head shim_arrays;

/** shim_array_member - the member that is on disk @n, or NULL */
struct md_rdev *shim_array_member(struct kern_array *a, unsigned int n);


#endif
