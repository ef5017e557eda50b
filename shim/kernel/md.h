/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the unit around raid5.c asks of the md core, which is either the tree's
 * own (md-real/) or a model of it (md-model/). The caller is a task of the
 * simulated machine that may sleep and holds no lock.
 *
 *	shim_mddev_create ──> shim_mddev_run ──> (attributes, members, ...)
 *	       │                   │ error                 │
 *	       └───────────────────┴──> shim_mddev_stop <──┘
 *
 * The kern_array_*() and kern_member_*() of boundary.h that raid5-unit.c does
 * not define are the md core's.
 */
#ifndef RAID5SIM_MD_H
#define RAID5SIM_MD_H

#include "drivers/md/md.h"
#include "kernel/array.h"
#include "boundary.h"

struct kernel_param;

/** shim_metadata_bytes - what a member needs beside its data */
u64 shim_metadata_bytes(const struct array_desc *desc);

/** shim_md_boot - what of the machine only the md core needs; once */
void shim_md_boot(void);
/** shim_md_init - the md module's init function; 0 or -errno */
int shim_md_init(void);
/** shim_md_exit - and its exit function */
void shim_md_exit(void);
/** shim_md_params - how many parameters it has; shim_md_param - the @i-th */
unsigned int shim_md_params(void);
const struct kernel_param *shim_md_param(unsigned int i);

/**
 * shim_mddev_create - an array that is assembled and not yet running
 * @a:	desc, name and disks are set, all else is zero; mddev and disk are
 *	set on success
 *
 * Return: 0, or -errno and nothing is left over.
 */
int shim_mddev_create(struct kern_array *a);

/**
 * shim_mddev_run - what the RUN_ARRAY ioctl does
 *
 * On error nothing of the personality is left over, but the array still has
 * to be given to shim_mddev_stop().
 *
 * Return: 0 or the negative errno of md or the personality.
 */
int shim_mddev_run(struct kern_array *a);

/** shim_mddev_stop - what the STOP_ARRAY ioctl does, then free everything
 *  that shim_mddev_create() made; also of an array that never ran */
void shim_mddev_stop(struct kern_array *a);

/** shim_attr_store - write the text @val to @name in the array's md directory;
 *  bytes taken or what the kernel says */
long shim_attr_store(struct kern_array *a, const char *name, const char *val);
/** shim_attr_show - read it into @page (PAGE_SIZE bytes, page aligned);
 *  bytes or an error as above */
long shim_attr_show(struct kern_array *a, const char *name, char *page);

#endif
