/* SPDX-License-Identifier: GPL-2.0-only */
/* Lock words: four bytes a spinlock, as on x86_64, so that every structure
 * that embeds one has the distribution kernel's size. A free lock is not
 * zero, as on parisc: one that nobody initialised is told from it. */
#ifndef _SHIM_ASM_SPINLOCK_TYPES_H
#define _SHIM_ASM_SPINLOCK_TYPES_H

/* "FREE"; else 1 + the owner's CPU. */
#define SHIM_SPIN_FREE	0x46524545U

typedef struct {
	volatile unsigned int word;
} arch_spinlock_t;

#define __ARCH_SPIN_LOCK_UNLOCKED	{ SHIM_SPIN_FREE }

typedef struct {
	volatile int readers;		/* -1: one writer */
	unsigned int valid;		/* qrwlock_t is eight bytes */
} arch_rwlock_t;

#define __ARCH_RW_LOCK_UNLOCKED		{ 0, SHIM_SPIN_FREE }

#endif
