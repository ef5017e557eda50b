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
#include "locks.h"

#define PC __builtin_return_address(0)

/* --- spin locks and rwlocks -------------------------------------------- */

/* Who turned interrupts off is told from who found them off. */
#define LOCKS(name, type, kind)                      \
	void __real_##name(type *lock);              \
	void __wrap_##name(type *lock)               \
	{                                            \
		bool was_off = irqs_disabled();      \
		__real_##name(lock);                 \
		if (!was_off && irqs_disabled())     \
			lock_irq_taken_at(PC);       \
		lock_check_got(lock, kind, PC);      \
	}

#define LOCKS_NESTED(name, type, kind)                       \
	void __real_##name(type *lock, int subclass);        \
	void __wrap_##name(type *lock, int subclass)         \
	{                                                    \
		__real_##name(lock, subclass);               \
		lock_check_got(lock, kind, PC);              \
	}

#define LOCKS_SAVE(name, type, kind)                 \
	unsigned long __real_##name(type *lock);     \
	unsigned long __wrap_##name(type *lock)      \
	{                                            \
		unsigned long flags;                 \
                                                     \
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
		int got = __real_##name(lock);          \
                                                        \
		if (got)                                \
			lock_check_got(lock, kind, PC); \
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
	__real__raw_spin_lock_nest_lock(lock, nest);
	lock_check_got(lock, KIND_SPIN, PC);
}
#endif

/* --- mutexes and semaphores -------------------------------------------- */

/* @args, @names: of what comes after the lock, each with a comma in front. */
#define SLEEPS(ret, name, type, kind, args, names)             \
	ret __real_##name(struct type *lock args);             \
	ret __wrap_##name(struct type *lock args)              \
	{                                                      \
		lock_check_ready(lock, kind, &lock->wait_list); \
		lock_check_sleeper(lock, kind);                \
		SLEEPS_##ret(__real_##name(lock names), kind); \
	}

#define SLEEPS_void(call, kind)                 \
	do {                                    \
		call;                           \
		lock_check_got(lock, kind, PC); \
	} while (0)

/* 0: it has it, an error: a signal came first. */
#define SLEEPS_int(call, kind)                          \
	do {                                            \
		int err = call;                         \
                                                        \
		if (!err)                               \
			lock_check_got(lock, kind, PC); \
		return err;                             \
	} while (0)

#define NONE
#define COMMA ,
#define SUBCLASS	COMMA unsigned int subclass
#define SUBCLASS_NAME	COMMA subclass
#define SUBINT		COMMA int subclass
#define NEST		COMMA struct lockdep_map *nest
#define NEST_NAME	COMMA nest

TRIES(mutex_trylock, struct mutex, KIND_MUTEX)
TRIES(down_read_trylock, struct rw_semaphore, KIND_RWSEM_READ)
TRIES(down_write_trylock, struct rw_semaphore, KIND_RWSEM_WRITE)
UNLOCKS(mutex_unlock, struct mutex, KIND_MUTEX)
UNLOCKS(up_read, struct rw_semaphore, KIND_RWSEM_READ)
UNLOCKS(up_write, struct rw_semaphore, KIND_RWSEM_WRITE)
SLEEPS(void, down_read, rw_semaphore, KIND_RWSEM_READ, NONE, NONE)
SLEEPS(int, down_read_interruptible, rw_semaphore, KIND_RWSEM_READ, NONE, NONE)
SLEEPS(int, down_read_killable, rw_semaphore, KIND_RWSEM_READ, NONE, NONE)
SLEEPS(void, down_write, rw_semaphore, KIND_RWSEM_WRITE, NONE, NONE)
SLEEPS(int, down_write_killable, rw_semaphore, KIND_RWSEM_WRITE, NONE, NONE)

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
SLEEPS(void, mutex_lock_nested, mutex, KIND_MUTEX, SUBCLASS, SUBCLASS_NAME)
SLEEPS(void, _mutex_lock_nest_lock, mutex, KIND_MUTEX, NEST, NEST_NAME)
SLEEPS(int, mutex_lock_interruptible_nested, mutex, KIND_MUTEX, SUBCLASS,
       SUBCLASS_NAME)
SLEEPS(int, mutex_lock_killable_nested, mutex, KIND_MUTEX, SUBCLASS,
       SUBCLASS_NAME)
SLEEPS(void, mutex_lock_io_nested, mutex, KIND_MUTEX, SUBCLASS, SUBCLASS_NAME)
SLEEPS(void, down_read_nested, rw_semaphore, KIND_RWSEM_READ, SUBINT,
       SUBCLASS_NAME)
SLEEPS(int, down_read_killable_nested, rw_semaphore, KIND_RWSEM_READ, SUBINT,
       SUBCLASS_NAME)
SLEEPS(void, _down_write_nest_lock, rw_semaphore, KIND_RWSEM_WRITE, NEST,
       NEST_NAME)
SLEEPS(void, down_write_nested, rw_semaphore, KIND_RWSEM_WRITE, SUBINT,
       SUBCLASS_NAME)
SLEEPS(int, down_write_killable_nested, rw_semaphore, KIND_RWSEM_WRITE, SUBINT,
       SUBCLASS_NAME)
#else
SLEEPS(void, mutex_lock, mutex, KIND_MUTEX, NONE, NONE)
SLEEPS(int, mutex_lock_interruptible, mutex, KIND_MUTEX, NONE, NONE)
SLEEPS(int, mutex_lock_killable, mutex, KIND_MUTEX, NONE, NONE)
SLEEPS(void, mutex_lock_io, mutex, KIND_MUTEX, NONE, NONE)
#endif
