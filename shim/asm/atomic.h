/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Atomic read-modify-write operations of the simulated CPUs. There is one
 * host thread, so plain C is atomic; each operation first passes a preemption
 * point, where a scheduler may let another simulated CPU go on.
 */
#ifndef _SHIM_ASM_ATOMIC_H
#define _SHIM_ASM_ATOMIC_H

#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/cmpxchg.h>
#include <asm/preempt_point.h>

/*
 * op(name, C operator): add and sub also return the new value, all return
 * the old one as fetch_<name>.
 */
#define SHIM_ATOMIC_OP(pfx, type, cell, name, c_op)			\
static __always_inline void						\
arch_##pfx##_##name(type i, cell *v)					\
{									\
	preempt_point_at(v);						\
	v->counter = v->counter c_op i;					\
}									\
static __always_inline type						\
arch_##pfx##_fetch_##name(type i, cell *v)				\
{									\
	type old;							\
									\
	preempt_point_at(v);						\
	old = v->counter;						\
	v->counter = old c_op i;					\
	return old;							\
}

#define SHIM_ATOMIC_RETURN(pfx, type, cell, name, c_op)			\
static __always_inline type						\
arch_##pfx##_##name##_return(type i, cell *v)				\
{									\
	preempt_point_at(v);						\
	return v->counter = v->counter c_op i;				\
}

#define SHIM_ATOMIC_OPS(pfx, type, cell)				\
	SHIM_ATOMIC_OP(pfx, type, cell, add, +)				\
	SHIM_ATOMIC_OP(pfx, type, cell, sub, -)				\
	SHIM_ATOMIC_OP(pfx, type, cell, and, &)				\
	SHIM_ATOMIC_OP(pfx, type, cell, or, |)				\
	SHIM_ATOMIC_OP(pfx, type, cell, xor, ^)				\
	SHIM_ATOMIC_RETURN(pfx, type, cell, add, +)			\
	SHIM_ATOMIC_RETURN(pfx, type, cell, sub, -)

#define arch_atomic_read(v)	READ_ONCE((v)->counter)
#define arch_atomic_set(v, i)	WRITE_ONCE((v)->counter, (i))

SHIM_ATOMIC_OPS(atomic, int, atomic_t)

#define arch_atomic_xchg(v, n)		arch_xchg(&(v)->counter, (n))
#define arch_atomic_cmpxchg(v, o, n)	arch_cmpxchg(&(v)->counter, (o), (n))

#define arch_atomic_add_return	arch_atomic_add_return
#define arch_atomic_sub_return	arch_atomic_sub_return
#define arch_atomic_fetch_add	arch_atomic_fetch_add
#define arch_atomic_fetch_sub	arch_atomic_fetch_sub
#define arch_atomic_fetch_and	arch_atomic_fetch_and
#define arch_atomic_fetch_or	arch_atomic_fetch_or
#define arch_atomic_fetch_xor	arch_atomic_fetch_xor

#ifdef CONFIG_64BIT
#define ATOMIC64_INIT(i)	{ (i) }
#define arch_atomic64_read(v)	READ_ONCE((v)->counter)
#define arch_atomic64_set(v, i)	WRITE_ONCE((v)->counter, (i))

SHIM_ATOMIC_OPS(atomic64, s64, atomic64_t)

#define arch_atomic64_xchg(v, n)	arch_xchg(&(v)->counter, (n))
#define arch_atomic64_cmpxchg(v, o, n)	arch_cmpxchg(&(v)->counter, (o), (n))

#define arch_atomic64_add_return	arch_atomic64_add_return
#define arch_atomic64_sub_return	arch_atomic64_sub_return
#define arch_atomic64_fetch_add		arch_atomic64_fetch_add
#define arch_atomic64_fetch_sub		arch_atomic64_fetch_sub
#define arch_atomic64_fetch_and		arch_atomic64_fetch_and
#define arch_atomic64_fetch_or		arch_atomic64_fetch_or
#define arch_atomic64_fetch_xor		arch_atomic64_fetch_xor
#else
#include <asm-generic/atomic64.h>
#endif

#endif
