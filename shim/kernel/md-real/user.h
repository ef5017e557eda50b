/* SPDX-License-Identifier: GPL-2.0-only */
/* What a system call of the simulated machine may read and write. */
#ifndef RAID5SIM_USER_H
#define RAID5SIM_USER_H

#include <linux/types.h>

/** shim_user_memory - until the next call, only this is user memory;
 *  (NULL, 0): there is none, and the kernel gets -EFAULT */
void shim_user_memory(void *start, size_t size);

#endif
