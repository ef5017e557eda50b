/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hook that every lock, unlock and atomic operation passes. A schedule
 * may switch to another simulated CPU there, or let an interrupt in; where it
 * does not ask for such points they cost one predictable branch.
 */
#ifndef _SHIM_ASM_PREEMPT_POINT_H
#define _SHIM_ASM_PREEMPT_POINT_H

/* POINT_* of boundary.h, joined by |. */
extern unsigned int shim_preempt_armed;
void shim_preempt_point(void);

static __always_inline void preempt_point_if(unsigned int kind)
{
	if (__builtin_expect(shim_preempt_armed & kind, 0))
		shim_preempt_point();
}

/* At a lock operation (POINT_LOCKS), at an atomic one (POINT_ATOMICS). */
#define preempt_point_lock()	preempt_point_if(1)
#define preempt_point()		preempt_point_if(2)

/* The same where the word is known: what lock-marks.c counts is seen there. */
#define SHIM_POINT_WATCH	4
void shim_preempt_point_at(const volatile void *word);

static __always_inline void preempt_point_at(const volatile void *word)
{
	if (__builtin_expect(shim_preempt_armed & (2 | SHIM_POINT_WATCH), 0))
		shim_preempt_point_at(word);
}

/* Code of a kernel's debugging takes its locks unseen by the schedule. */
#ifdef SHIM_NO_POINTS
#undef preempt_point_lock
#undef preempt_point
#define preempt_point_at(word)	do { } while (0)
#define preempt_point_lock()	do { } while (0)
#define preempt_point()		do { } while (0)
#endif

#endif
