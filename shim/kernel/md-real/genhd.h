/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disks that are known to the block layer: made visible, found by number,
 * opened and closed. Knows nothing of arrays.
 */
#ifndef RAID5SIM_GENHD_H
#define RAID5SIM_GENHD_H

#include <linux/blkdev.h>

#ifdef HAVE_BLK_MODE_T
#define OPEN_RW (BLK_OPEN_READ | BLK_OPEN_WRITE)
#else
#define blk_mode_t fmode_t
#define OPEN_RW	   (FMODE_READ | FMODE_WRITE)
#endif

/** shim_genhd_boot - the folder that disks appear in; after sysfs is there */
void shim_genhd_boot(void);

/** shim_disk_plug_in - a disk that the block layer did not allocate appears;
 *  stops the run without memory for it */
void shim_disk_plug_in(struct gendisk *disk);
/** shim_disk_pull_out - and is gone; nobody has it open */
void shim_disk_pull_out(struct gendisk *disk);

/** shim_bdev_find - the disk of that number, or NULL; takes no reference */
struct block_device *shim_bdev_find(dev_t dev);
/** shim_bdev_open - as open() of its node in /dev, which makes the driver of
 *  its major number create it; 0 or -errno */
int shim_bdev_open(dev_t dev, blk_mode_t mode, void *holder,
		   struct block_device **out);
void shim_bdev_close(struct block_device *bdev, blk_mode_t mode, void *holder);

#endif
