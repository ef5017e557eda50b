/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory barriers. The simulated machine is sequentially consistent, so a
 * compiler barrier is all that any of them needs.
 */
#ifndef _SHIM_ASM_BARRIER_H
#define _SHIM_ASM_BARRIER_H

#include <linux/compiler.h>

#define mb()	barrier()
#define rmb()	barrier()
#define wmb()	barrier()

#include <asm-generic/barrier.h>

#endif
