/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lowest level of spin locks: what kernel/locking/spinlock.c of the tree
 * builds on. A contended lock hands the host over to the scheduler, which
 * runs the other CPUs until the word changes.
 */
#ifndef _SHIM_ASM_SPINLOCK_H
#define _SHIM_ASM_SPINLOCK_H

#include <linux/compiler.h>
#include <asm/spinlock_types.h>
#include <asm/preempt_point.h>

void shim_spin_wait(const volatile void *word);
unsigned int shim_lock_owner(void);
/* The word is neither free nor a holder's: it is told, or ends the run. */
void shim_spin_invalid(arch_spinlock_t *lock);
void shim_rwlock_invalid(arch_rwlock_t *rw);

static __always_inline void shim_spin_ready(arch_spinlock_t *lock)
{
	if (unlikely(lock->word != SHIM_SPIN_FREE &&
		     lock->word - 1 >= CONFIG_NR_CPUS))
		shim_spin_invalid(lock);
}

static __always_inline void shim_rwlock_ready(arch_rwlock_t *rw)
{
	if (unlikely(rw->valid != SHIM_SPIN_FREE))
		shim_rwlock_invalid(rw);
}

#define arch_spin_is_locked(l)		((l)->word != SHIM_SPIN_FREE)
#define arch_spin_is_contended(l)	(0)
#define arch_spin_value_unlocked(l)	((l).word == SHIM_SPIN_FREE)

static __always_inline int arch_spin_trylock(arch_spinlock_t *lock)
{
	preempt_point_lock();
	shim_spin_ready(lock);
	if (lock->word != SHIM_SPIN_FREE)
		return 0;
	lock->word = shim_lock_owner();
	return 1;
}

static __always_inline void arch_spin_lock(arch_spinlock_t *lock)
{
	while (!arch_spin_trylock(lock))
		shim_spin_wait(&lock->word);
}

static __always_inline void arch_spin_unlock(arch_spinlock_t *lock)
{
	lock->word = SHIM_SPIN_FREE;
	preempt_point_lock();
}

static __always_inline int arch_read_trylock(arch_rwlock_t *rw)
{
	preempt_point_lock();
	shim_rwlock_ready(rw);
	if (rw->readers < 0)
		return 0;
	rw->readers++;
	return 1;
}

static __always_inline void arch_read_lock(arch_rwlock_t *rw)
{
	while (!arch_read_trylock(rw))
		shim_spin_wait(&rw->readers);
}

static __always_inline void arch_read_unlock(arch_rwlock_t *rw)
{
	rw->readers--;
	preempt_point_lock();
}

static __always_inline int arch_write_trylock(arch_rwlock_t *rw)
{
	preempt_point_lock();
	shim_rwlock_ready(rw);
	if (rw->readers)
		return 0;
	rw->readers = -1;
	return 1;
}

static __always_inline void arch_write_lock(arch_rwlock_t *rw)
{
	while (!arch_write_trylock(rw))
		shim_spin_wait(&rw->readers);
}

static __always_inline void arch_write_unlock(arch_rwlock_t *rw)
{
	rw->readers = 0;
	preempt_point_lock();
}

#endif
