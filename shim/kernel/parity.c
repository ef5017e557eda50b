// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree's parity code (crypto/xor.c, lib/raid6), callable from the host
 * side, so that a test can compare it with its own arithmetic. Adds nothing.
 */
#include <linux/raid/pq.h>
#include <linux/raid/xor.h>
#include "shim.h"

void kern_xor(unsigned int sources, unsigned long bytes, void *dest,
	      void **source)
{
	xor_blocks(sources, bytes, dest, source);
}

const char *kern_raid6_name(void)
{
	return raid6_call.name;
}

void kern_raid6_syndrome(int disks, unsigned long bytes, void **ptrs)
{
	raid6_call.gen_syndrome(disks, bytes, ptrs);
}

void kern_raid6_recover_two(int disks, unsigned long bytes, int a, int b,
			    void **ptrs)
{
	raid6_2data_recov(disks, bytes, a, b, ptrs);
}
