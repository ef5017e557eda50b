/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simulated disks: a gendisk with its whole-disk block_device and a bio-based
 * queue, as far as raid5.c and the tree's own block sources look into them.
 * Knows nothing of arrays.
 */
#ifndef RAID5SIM_BLOCK_H
#define RAID5SIM_BLOCK_H

#include <linux/blkdev.h>

/**
 * shim_zalloc - zeroed memory of the shim's own (MEM_SHIM); never fails
 * @tag: static name, for reports
 */
void *shim_zalloc(size_t size, const char *tag);
void shim_free(void *obj);

/**
 * struct disk_media - what a disk's queue says of what is behind it
 * @rotational:	such a disk does not offer discards
 * @write_through: it has no volatile cache: what is written is on the medium
 */
struct disk_media {
	bool rotational;
	bool write_through;
};

/**
 * shim_disk_create - an ordinary disk
 * @name:	as in /dev, copied
 * @dev:	its device number
 * @sectors:	capacity, in sectors of 512 bytes
 * @media:	copied
 * @fops:	must have submit_bio: the queue is bio-based
 */
struct gendisk *shim_disk_create(const char *name, dev_t dev, sector_t sectors,
				 const struct disk_media *media,
				 const struct block_device_operations *fops);

/** shim_disk_create_stacked - a disk of no capacity yet whose limits are to
 *  be stacked from its members', as md allocates one; bios to it may be split.
 *  NULL: no memory */
struct gendisk *
shim_disk_create_stacked(const char *name, dev_t dev,
			 const struct block_device_operations *fops);

void shim_disk_free(struct gendisk *disk);

/** shim_disk_set_sectors - change the capacity, in sectors of 512 bytes */
void shim_disk_set_sectors(struct gendisk *disk, sector_t sectors);

#endif
