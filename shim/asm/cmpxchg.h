/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exchange and compare-and-exchange: plain C behind a preemption point (see
 * atomic.h).
 */
#ifndef _SHIM_ASM_CMPXCHG_H
#define _SHIM_ASM_CMPXCHG_H

#include <linux/compiler.h>
#include <asm/preempt_point.h>

#define arch_xchg(ptr, v) ({						\
	__auto_type __xp = (ptr);					\
	__typeof__(*(ptr)) __xnew = (v), __xcur;			\
	preempt_point_at(__xp);						\
	__xcur = *__xp;							\
	*__xp = __xnew;							\
	__xcur;								\
})

#define arch_cmpxchg(ptr, o, n) ({					\
	__auto_type __cp = (ptr);					\
	__typeof__(*(ptr)) __cexp = (__typeof__(*(ptr)))(o);		\
	__typeof__(*(ptr)) __cnew = (__typeof__(*(ptr)))(n), __cur;	\
	preempt_point_at(__cp);						\
	__cur = *__cp;							\
	if (__cur == __cexp)						\
		*__cp = __cnew;						\
	__cur;								\
})

#define arch_cmpxchg_local	arch_cmpxchg
#define arch_cmpxchg64		arch_cmpxchg
#define arch_cmpxchg64_local	arch_cmpxchg

#endif
