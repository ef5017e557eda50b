/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linux/spinlock.h includes this right after linux/lockdep.h: the place where
 * an architecture can make lockdep_assert_held() and its kin mean something
 * without lock debugging too. The checker of the shim knows what is held.
 */
#ifndef _SHIM_ASM_MMIOWB_H
#define _SHIM_ASM_MMIOWB_H

#include <asm-generic/mmiowb.h>

#ifndef CONFIG_LOCKDEP
/* @how: 0 not held, 1 held, 2 for writing, 3 for reading */
void shim_assert_held(const volatile void *lock, int how, const char *name);

#undef lockdep_assert_held
#undef lockdep_assert_not_held
#undef lockdep_assert_held_write
#undef lockdep_assert_held_read
#define lockdep_assert_held(l)		shim_assert_held(l, 1, #l)
#define lockdep_assert_not_held(l)	shim_assert_held(l, 0, #l)
#define lockdep_assert_held_write(l)	shim_assert_held(l, 2, #l)
#define lockdep_assert_held_read(l)	shim_assert_held(l, 3, #l)
#endif

#endif
