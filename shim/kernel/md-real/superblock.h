/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mdadm writes to disks before an array is made of them: version 1.2
 * superblocks, an empty bitmap, an empty journal. Knows disks and formats,
 * nothing of md's state.
 *
 *	sector 0	8	     16			2040	  2048
 *	|	       | superblock | bitmap or PPL ... | bad    | data ...
 *	|	       |	    |			| blocks |
 */
#ifndef RAID5SIM_SUPERBLOCK_H
#define RAID5SIM_SUPERBLOCK_H

#include "kernel/array.h"

/** DATA_SECTOR - where a member's data begins */
#define DATA_SECTOR 2048

/** superblocks_create - of a new array on all disks that it begins with */
void superblocks_create(struct kern_array *a);
/** superblock_spare - one that says: spare of this array, knows nothing */
void superblock_spare(struct kern_array *a, unsigned int disk);

#endif
