/* SPDX-License-Identifier: GPL-2.0-only */
/* What bdev.c asks of genhd.c: the driver of a number that is no disk yet. */
#ifndef RAID5SIM_BDEV_H
#define RAID5SIM_BDEV_H

#include <linux/types.h>

/** shim_driver_probe - let the major number's driver create the disk */
void shim_driver_probe(dev_t dev);

#endif
