// SPDX-License-Identifier: GPL-2.0-only
/*
 * The linker sends every call of the tree's lock functions here (--wrap, see
 * shim/subject.mk: the names are those defined below). Each tells the checker
 * what is going to happen and what has happened, and calls the tree's own in
 * between. Judges nothing itself.
 */
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/ww_mutex.h>
#include "locks.h"

#define PC __builtin_return_address(0)

/* --- spin locks and rwlocks -------------------------------------------- */

/* Before anything looks into it. */
#define READY(lock, kind)                                               \
	do {                                                            \
		if ((kind) == KIND_SPIN)                                \
			shim_spin_ready((arch_spinlock_t *)(lock));     \
		else                                                    \
			shim_rwlock_ready((arch_rwlock_t *)(lock));     \
	} while (0)

/* Who turned interrupts off is told from who found them off. */
#define LOCKS(name, type, kind)                      \
	void __real_##name(type *lock);              \
	void __wrap_##name(type *lock)               \
	{                                            \
		bool was_off = irqs_disabled();      \
		READY(lock, kind);                   \
		__real_##name(lock);                 \
		if (!was_off && irqs_disabled())     \
			lock_irq_taken_at(PC);       \
		lock_check_got(lock, kind, PC);      \
	}

#define LOCKS_NESTED(name, type, kind)                       \
	void __real_##name(type *lock, int subclass);        \
	void __wrap_##name(type *lock, int subclass)         \
	{                                                    \
		READY(lock, kind);                           \
		__real_##name(lock, subclass);               \
		lock_check_got(lock, kind, PC);              \
	}

#define LOCKS_SAVE(name, type, kind)                 \
	unsigned long __real_##name(type *lock);     \
	unsigned long __wrap_##name(type *lock)      \
	{                                            \
		unsigned long flags;                 \
                                                     \
		READY(lock, kind);                   \
		flags = __real_##name(lock);         \
		if (!flags)                          \
			lock_irq_taken_at(PC);       \
		lock_check_got(lock, kind, PC);      \
		return flags;                        \
	}

#define TRIES(name, type, kind)                         \
	int __real_##name(type *lock);                  \
	int __wrap_##name(type *lock)                   \
	{                                               \
		int got;                                \
                                                        \
		lock_check_try();                       \
		got = __real_##name(lock);              \
		if (got)                                \
			lock_check_got(lock, kind, PC); \
		lock_check_tried();                     \
		return got;                             \
	}

#define UNLOCKS(name, type, kind)                             \
	void __real_##name(type *lock);                       \
	void __wrap_##name(type *lock)                        \
	{                                                     \
		bool held = lock_check_drop(lock, kind);      \
                                                              \
		__real_##name(lock);                          \
		if (unlikely(!held))                          \
			lock_check_dropped(lock, kind);       \
		lockdep_rearm();					 \
	}

#define UNLOCKS_RESTORE(name, type, kind)                          \
	void __real_##name(type *lock, unsigned long flags);       \
	void __wrap_##name(type *lock, unsigned long flags)        \
	{                                                          \
		bool held = lock_check_drop(lock, kind);           \
                                                                   \
		__real_##name(lock, flags);                        \
		if (unlikely(!held))                               \
			lock_check_dropped(lock, kind);            \
		lockdep_rearm();					 \
	}

#define SPIN_FAMILY(name, type, kind)                                    \
	LOCKS(_raw_##name##_lock, type, kind)                            \
	LOCKS(_raw_##name##_lock_irq, type, kind)                        \
	LOCKS(_raw_##name##_lock_bh, type, kind)                         \
	LOCKS_SAVE(_raw_##name##_lock_irqsave, type, kind)               \
	TRIES(_raw_##name##_trylock, type, kind)                         \
	UNLOCKS(_raw_##name##_unlock, type, kind)                        \
	UNLOCKS(_raw_##name##_unlock_irq, type, kind)                    \
	UNLOCKS(_raw_##name##_unlock_bh, type, kind)                     \
	UNLOCKS_RESTORE(_raw_##name##_unlock_irqrestore, type, kind)

SPIN_FAMILY(spin, raw_spinlock_t, KIND_SPIN)
SPIN_FAMILY(read, rwlock_t, KIND_READ)
SPIN_FAMILY(write, rwlock_t, KIND_WRITE)
TRIES(_raw_spin_trylock_bh, raw_spinlock_t, KIND_SPIN)
LOCKS_NESTED(_raw_write_lock_nested, rwlock_t, KIND_WRITE)

#ifdef CONFIG_DEBUG_LOCK_ALLOC
LOCKS_NESTED(_raw_spin_lock_nested, raw_spinlock_t, KIND_SPIN)

unsigned long __real__raw_spin_lock_irqsave_nested(raw_spinlock_t *lock,
						   int subclass);
unsigned long __wrap__raw_spin_lock_irqsave_nested(raw_spinlock_t *lock,
						   int subclass)
{
	unsigned long flags;

	READY(lock, KIND_SPIN);
	flags = __real__raw_spin_lock_irqsave_nested(lock, subclass);
	if (!flags)
		lock_irq_taken_at(PC);
	lock_check_got(lock, KIND_SPIN, PC);
	return flags;
}

void __real__raw_spin_lock_nest_lock(raw_spinlock_t *lock,
				     struct lockdep_map *nest);
void __wrap__raw_spin_lock_nest_lock(raw_spinlock_t *lock,
				     struct lockdep_map *nest)
{
	READY(lock, KIND_SPIN);
	__real__raw_spin_lock_nest_lock(lock, nest);
	lock_check_got(lock, KIND_SPIN, PC);
}
#endif

/* --- mutexes and semaphores -------------------------------------------- */

TRIES(mutex_trylock, struct mutex, KIND_MUTEX)
TRIES(down_read_trylock, struct rw_semaphore, KIND_RWSEM_READ)
TRIES(down_write_trylock, struct rw_semaphore, KIND_RWSEM_WRITE)
UNLOCKS(mutex_unlock, struct mutex, KIND_MUTEX)
UNLOCKS(ww_mutex_unlock, struct ww_mutex, KIND_MUTEX)
UNLOCKS(up_read, struct rw_semaphore, KIND_RWSEM_READ)
UNLOCKS(up_write, struct rw_semaphore, KIND_RWSEM_WRITE)

#define WAITERS(lock) _Generic((lock),                                    \
	struct ww_mutex *: &((struct ww_mutex *)(lock))->base.wait_list,  \
	struct mutex *: &((struct mutex *)(lock))->wait_list,             \
	default: &((struct rw_semaphore *)(lock))->wait_list)

/* @params: in brackets, with types; @args: likewise, without. */
#define SLEEPS(ret, name, kind, params, args)                \
	ret __real_##name params;                            \
	ret __wrap_##name params                             \
	{                                                    \
		lock_check_ready(lock, kind, WAITERS(lock)); \
		lock_check_sleeper(lock, kind);              \
		lock_check_try();                            \
		SLEEPS_##ret(__real_##name args, kind);      \
	}

#define SLEEPS_void(call, kind)                 \
	do {                                    \
		call;                           \
		lock_check_got(lock, kind, PC); \
		lock_check_tried();             \
	} while (0)

/* 0: it has it; an error: a signal came first, or a wound. */
#define SLEEPS_int(call, kind)                          \
	do {                                            \
		int err = call;                         \
                                                        \
		if (!err)                               \
			lock_check_got(lock, kind, PC); \
		lock_check_tried();                     \
		return err;                             \
	} while (0)

#define RWSEM	      (struct rw_semaphore *lock)
#define RWSEM_NESTED  (struct rw_semaphore *lock, int subclass)
#define RWSEM_IN_LOCK (struct rw_semaphore *lock, struct lockdep_map *nest)
#define MUTEX	      (struct mutex *lock)
#define MUTEX_NESTED  (struct mutex *lock, unsigned int subclass)
#define MUTEX_IN_LOCK (struct mutex *lock, struct lockdep_map *nest)
#define WW_MUTEX      (struct ww_mutex *lock, struct ww_acquire_ctx *ctx)
#define NESTED	      (lock, subclass)
#define IN_LOCK	      (lock, nest)

SLEEPS(void, down_read, KIND_RWSEM_READ, RWSEM, (lock))
SLEEPS(int, down_read_interruptible, KIND_RWSEM_READ, RWSEM, (lock))
SLEEPS(int, down_read_killable, KIND_RWSEM_READ, RWSEM, (lock))
SLEEPS(void, down_write, KIND_RWSEM_WRITE, RWSEM, (lock))
SLEEPS(int, down_write_killable, KIND_RWSEM_WRITE, RWSEM, (lock))
SLEEPS(int, ww_mutex_lock, KIND_MUTEX, WW_MUTEX, (lock, ctx))
SLEEPS(int, ww_mutex_lock_interruptible, KIND_MUTEX, WW_MUTEX, (lock, ctx))

int __real_ww_mutex_trylock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
int __wrap_ww_mutex_trylock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx)
{
	int got;

	lock_check_try();
	got = __real_ww_mutex_trylock(lock, ctx);
	if (got)
		lock_check_got(lock, KIND_MUTEX, PC);
	lock_check_tried();
	return got;
}

void __real_downgrade_write(struct rw_semaphore *lock);
void __wrap_downgrade_write(struct rw_semaphore *lock)
{
	bool held = lock_check_drop(lock, KIND_RWSEM_WRITE);

	__real_downgrade_write(lock);
	if (unlikely(!held))
		lock_check_dropped(lock, KIND_RWSEM_WRITE);
	lock_check_got(lock, KIND_RWSEM_READ, PC);
}

#ifdef CONFIG_DEBUG_LOCK_ALLOC
SLEEPS(void, mutex_lock_nested, KIND_MUTEX, MUTEX_NESTED, NESTED)
SLEEPS(void, _mutex_lock_nest_lock, KIND_MUTEX, MUTEX_IN_LOCK, IN_LOCK)
SLEEPS(int, mutex_lock_interruptible_nested, KIND_MUTEX, MUTEX_NESTED, NESTED)
SLEEPS(int, mutex_lock_killable_nested, KIND_MUTEX, MUTEX_NESTED, NESTED)
SLEEPS(void, mutex_lock_io_nested, KIND_MUTEX, MUTEX_NESTED, NESTED)
SLEEPS(void, down_read_nested, KIND_RWSEM_READ, RWSEM_NESTED, NESTED)
SLEEPS(int, down_read_killable_nested, KIND_RWSEM_READ, RWSEM_NESTED, NESTED)
SLEEPS(void, _down_write_nest_lock, KIND_RWSEM_WRITE, RWSEM_IN_LOCK, IN_LOCK)
SLEEPS(void, down_write_nested, KIND_RWSEM_WRITE, RWSEM_NESTED, NESTED)
SLEEPS(int, down_write_killable_nested, KIND_RWSEM_WRITE, RWSEM_NESTED, NESTED)
#else
SLEEPS(void, mutex_lock, KIND_MUTEX, MUTEX, (lock))
SLEEPS(int, mutex_lock_interruptible, KIND_MUTEX, MUTEX, (lock))
SLEEPS(int, mutex_lock_killable, KIND_MUTEX, MUTEX, (lock))
SLEEPS(void, mutex_lock_io, KIND_MUTEX, MUTEX, (lock))
#endif

/* --- lib/locking-selftest.c -------------------------------------------- */

#ifdef CONFIG_LOCKDEP
/* Which it calls after each scenario. */
void __real_lockdep_reset(void);
void __wrap_lockdep_reset(void)
{
	lock_suite_scenario_ends();
	__real_lockdep_reset();
}
#endif
