/* SPDX-License-Identifier: GPL-2.0-only */
/* Lock words: four bytes a spinlock, as on x86_64, so that every structure
 * that embeds one has the distribution kernel's size. */
#ifndef _SHIM_ASM_SPINLOCK_TYPES_H
#define _SHIM_ASM_SPINLOCK_TYPES_H

typedef struct {
	volatile unsigned int word;	/* 0 free, else 1 + the owner's CPU */
} arch_spinlock_t;

#define __ARCH_SPIN_LOCK_UNLOCKED	{ 0 }

typedef struct {
	volatile int readers;		/* -1: one writer */
	unsigned int pad;		/* qrwlock_t is eight bytes */
} arch_rwlock_t;

#define __ARCH_RW_LOCK_UNLOCKED		{ 0, 0 }

#endif
