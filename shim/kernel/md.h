/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the unit around raid5.c asks of the md core: arrays to create, run,
 * write attributes of, and stop. The caller is a task of the simulated
 * machine that may sleep and holds no lock.
 *
 *	shim_mddev_create ──> shim_mddev_run ──> (attributes, suspend, ...)
 *	       │                   │ error                 │
 *	       └───────────────────┴──> shim_mddev_stop <──┘
 */
#ifndef RAID5SIM_MD_H
#define RAID5SIM_MD_H

#include "drivers/md/md.h"
#include "boundary.h"

struct shim_member;

/**
 * shim_mddev_create - an array that is assembled and not yet running
 * @desc:	checked by the caller only as far as its types go
 * @err:	0 or -ENOMEM
 *
 * A clean array without superblocks (as the SET_ARRAY_INFO and ADD_NEW_DISK
 * ioctls make one with not_persistent set), all members present and in sync,
 * each on a disk of its own that is exactly as large as its data area.
 *
 * Return: NULL on error, and nothing is left over.
 */
struct mddev *shim_mddev_create(const struct array_desc *desc, int *err);

/**
 * shim_mddev_run - what the RUN_ARRAY ioctl does
 *
 * On error nothing of the personality is left over, but the array still has
 * to be given to shim_mddev_stop().
 *
 * Return: 0 or the negative errno of md or the personality.
 */
int shim_mddev_run(struct mddev *mddev);

/** shim_mddev_stop - what the STOP_ARRAY ioctl does, then free everything
 *  that shim_mddev_create() made; also of an array that never ran */
void shim_mddev_stop(struct mddev *mddev);

/** shim_mddev_attr - the file @name in the array's md directory, or NULL;
 *  its mode is in ->attr.mode */
struct md_sysfs_entry *shim_mddev_attr(struct mddev *mddev, const char *name);
/** shim_mddev_attr_nr - the n-th such file, or NULL when there are fewer */
struct md_sysfs_entry *shim_mddev_attr_nr(struct mddev *mddev, unsigned int n);

/** shim_mddev_attr_store - write @len bytes; bytes taken, -ENOENT without
 *  such a file, -EIO when it has no store function, else its own error.
 *  Mode bits are not looked at. */
long shim_mddev_attr_store(struct mddev *mddev, const char *name,
			   const char *buf, size_t len);
/** shim_mddev_attr_show - read into @page (PAGE_SIZE bytes, page aligned);
 *  bytes or an error as above */
long shim_mddev_attr_show(struct mddev *mddev, const char *name, char *page);

/** shim_mddev_disk - the disk of member @n, NULL when there is none */
struct shim_member *shim_mddev_disk(struct mddev *mddev, int n);

#endif
