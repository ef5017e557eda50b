/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simulated disks as the array's members: a block device each, with faults,
 * latency and contents. Knows nothing of arrays.
 *
 *	submit_bio() ──> under way ──event──> faults, contents ──> bio_endio()
 */
#ifndef RAID5SIM_DISK_H
#define RAID5SIM_DISK_H

#include <linux/blkdev.h>
#include "boundary.h"

struct kern_array;
struct mddev;
struct disk_media;
struct shim_member;

/**
 * shim_member_create - a disk that holds zeroes and has no faults
 * @name:	as in /dev, copied
 * @dev:	its device number; names it in the trace and decides with the
 *		seed what a power cut leaves
 * @sectors:	capacity, in sectors of 512 bytes
 * @media:	copied
 */
struct shim_member *shim_member_create(const char *name, dev_t dev,
				       sector_t sectors,
				       const struct disk_media *media);
/** shim_member_free - nothing may be under way */
void shim_member_free(struct shim_member *m);
struct block_device *shim_member_bdev(struct shim_member *m);
/** shim_member_of - whose bdev it is; NULL: not of a simulated disk */
struct shim_member *shim_member_of(struct block_device *bdev);

/** shim_member_peek - what a read would give now, without I/O */
void shim_member_peek(struct shim_member *m, sector_t sector,
		      unsigned int sectors, void *buf);
/** shim_member_poke - change cache and medium without I/O */
void shim_member_poke(struct shim_member *m, sector_t sector,
		      unsigned int sectors, const void *buf);

/** shim_member_fault, shim_member_heal, shim_member_power_cut -
 * kern_disk_fault(), kern_disk_heal() and kern_power_cut() of one disk */
void shim_member_fault(struct shim_member *m, enum disk_fault_kind kind,
		       sector_t sector, sector_t sectors);
void shim_member_heal(struct shim_member *m);
void shim_member_power_cut(struct shim_member *m, u64 seed, bool torn);

/** shim_member_gone - it was pulled and is not back */
int shim_member_gone(struct shim_member *m);
/** shim_member_settle - the array has halted: if there was a power cut, the
 *  disk now holds what was chosen there */
void shim_member_settle(struct shim_member *m);

/** shim_array_disk - the @n-th of kern_array_disks(a); of the array's owner */
struct shim_member *shim_array_disk(struct kern_array *a, unsigned int n);
/** shim_array_mddev - md's part of an array; of the array's owner */
struct mddev *shim_array_mddev(struct kern_array *a);
/** shim_array_gendisk - where I/O to the array goes; of the array's owner */
struct gendisk *shim_array_gendisk(struct kern_array *a);

/** shim_io_forget - the driver has gone: requests that it never completed
 *  (io.c) are not its leaks */
void shim_io_forget(void);

#endif
