/* SPDX-License-Identifier: GPL-2.0-only */
/* What parts of the tool that drives md, in the place of mdadm, share. */
#ifndef RAID5SIM_TOOL_H
#define RAID5SIM_TOOL_H

#include "kernel/array.h"

/** tool_open - open the array's node in /dev, which creates the array in md
 *  if it is not there; 0 or -errno */
int tool_open(struct kern_array *a);
/** tool_ioctl - @arg is a number, or what @size bytes of user memory at @data
 *  are for; needs tool_open() */
int tool_ioctl(struct kern_array *a, unsigned int cmd, void *data, size_t size);
int tool_ioctl_nr(struct kern_array *a, unsigned int cmd, unsigned long nr);
void tool_close(struct kern_array *a);
/** tool_call - open, one ioctl with a number, close */
int tool_call(struct kern_array *a, unsigned int cmd, unsigned long nr);

/** tool_add - ADD_NEW_DISK of disk @n; needs tool_open()
 *  @number: of the device; @slot: -1: none; @state: MD_DISK_* bits */
int tool_add(struct kern_array *a, unsigned int n, int number, int slot,
	     int state);
/** tool_dev - the device number of disk @n, as ioctls take it */
unsigned long tool_dev(struct kern_array *a, unsigned int n);

#endif
