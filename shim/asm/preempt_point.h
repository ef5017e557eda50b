/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hook that every lock, unlock, atomic operation, wait and wake passes.
 * A strategy may switch to another simulated CPU there; without one it costs
 * one predictable branch.
 */
#ifndef _SHIM_ASM_PREEMPT_POINT_H
#define _SHIM_ASM_PREEMPT_POINT_H

extern int shim_preempt_armed;
void shim_preempt_point(void);

static __always_inline void preempt_point(void)
{
	if (__builtin_expect(shim_preempt_armed, 0))
		shim_preempt_point();
}

#endif
