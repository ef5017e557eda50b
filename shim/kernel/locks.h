/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock checker that every subject has: what each task holds, and since
 * when a CPU's interrupts are off. It keeps its notes beside tasks and CPUs,
 * never in a lock. Knows no array.
 *
 *	raid5.c ──> __wrap__raw_spin_lock_irq()   lock-wrap.c: before, after
 *	                 │        └──> the tree's _raw_spin_lock_irq()
 *	                 │                      └──> asm/spinlock.h, irqflags.h
 *	                 └──> lock-check.c: holds of the task
 *	                      lock-irq.c: interrupts of the CPU
 */
#ifndef RAID5SIM_LOCKS_H
#define RAID5SIM_LOCKS_H

#include <linux/types.h>

struct sim_task;

enum lock_kind {
	KIND_SPIN,
	KIND_READ, /* rwlock_t */
	KIND_WRITE,
	KIND_MUTEX,
	KIND_RWSEM_READ,
	KIND_RWSEM_WRITE,
};

/**
 * struct lock_hold - a lock that a task holds
 * @pc:	who took it: a return address
 */
struct lock_hold {
	const void *lock, *pc;
	enum lock_kind kind;
};

/**
 * struct lock_holds - all that a task holds, in the order taken
 * @spins:	how many of them keep preemption off
 * @wanted:	a sleeping lock that it holds already and waits for, or NULL
 */
struct lock_holds {
	struct lock_hold *at;
	unsigned int n, room, spins;
	const void *wanted;
};

/* --- lock-check.c ------------------------------------------------------ */

/** lock_check_sleeper - a mutex or semaphore is going to be waited for */
void lock_check_sleeper(const void *lock, enum lock_kind kind);
/** lock_check_try, lock_check_tried - around taking a lock that may let others
 * go on: lockdep knows of it before the checker does */
void lock_check_try(void);
void lock_check_tried(void);
/** lock_check_got - the running task holds @lock from now on */
void lock_check_got(const void *lock, enum lock_kind kind, const void *pc);
/** lock_check_drop - it is about to release it; false: it does not hold it */
bool lock_check_drop(const void *lock, enum lock_kind kind);
/** lock_check_dropped - it has, after a false lock_check_drop(); may end the
 *  run */
void lock_check_dropped(const void *lock, enum lock_kind kind);
/** lock_check_spin - it spins on @lock: for itself? Then the run ends */
void lock_check_spin(const volatile void *lock);
/** lock_check_ready - a sleeping lock's list of waiters has been initialised */
void lock_check_ready(const void *lock, enum lock_kind kind,
		      const struct list_head *waiters);
/** lock_check_taken_by - who took the lock that has this lockdep map; NULL: it
 *  is not held. With lock debugging only */
const void *lock_check_taken_by(const void *dep_map);
/** lock_check_block - the task waits: for itself? Then the run ends */
void lock_check_block(void);
/** lock_check_holds_in - does the running task hold a lock at @offset of an
 * object of @size bytes? */
bool lock_check_holds_in(unsigned long size, long long offset);
/** lock_check_freed - memory is given back: no lock in it may be held */
void lock_check_freed(const void *start, unsigned long size);
/** lock_check_level - how much the running task holds, for
 *  lock_check_balance() */
unsigned int lock_check_level(void);
/**
 * lock_check_balance - what was begun holds no more than when it began
 * @level:	of lock_check_level(), then
 * @count:	preempt_count then
 * @pc:		whose place to report: an address inside a function; NULL: the
 *		stack's
 * @what:	"an interrupt", "a work"
 */
void lock_check_balance(unsigned int level, int count, const void *pc,
			const char *what);
/** lock_check_forget - @st is freed */
void lock_check_forget(struct sim_task *st);
/** lock_check_idle - no task holds anything, nor is taking it */
bool lock_check_idle(void);
/** lock_check_count - until NULL is given, what is found is only counted */
void lock_check_count(unsigned int *count);
/** lock_check_drop_all - the running task holds nothing any more */
void lock_check_drop_all(void);

/* --- lock-marks.c ------------------------------------------------------ */

/**
 * struct lock_marks - the most that was seen since lock_marks_begin()
 * @spins:	spin locks that one task held
 * @count:	preempt_count, the bits of preemption only
 * @slots:	held-lock slots of lockdep
 * @irqs_off:	virtual ns that a CPU's interrupts were off, by @irqs_off_pc
 * @objects:	objects of the watched cache with an atomic operation in one
 *		such section, begun by @objects_pc
 */
struct lock_marks {
	unsigned int spins, count, slots, objects;
	u64 irqs_off;
	const void *irqs_off_pc, *objects_pc;
};

/** lock_marks_begin - from now on; @cache: name of the objects to count */
void lock_marks_begin(const char *cache);
void lock_marks_held(unsigned int spins);
void lock_marks_irqs_off(unsigned int cpu);
void lock_marks_irqs_on(unsigned int cpu, u64 ns, const void *pc);

/* --- lock-irq.c -------------------------------------------------------- */

/** lock_irq_set - interrupts of @cpu go off or on as the hardware does it */
void lock_irq_set(unsigned int cpu, bool off);
/** lock_irq_taken_at - the operation just done was @pc's */
void lock_irq_taken_at(const void *pc);
/** lock_irq_off_by - who turned them off here; NULL: the hardware */
const void *lock_irq_off_by(void);

/* --- lock-strict.c ----------------------------------------------------- */

/** lock_is_strict - is strict mode on? */
bool lock_is_strict(void);
/** lock_strict_got - a spin lock was taken, as things are now */
void lock_strict_got(const void *lock, bool reader, const void *pc);
/** lock_strict_irqs_on - interrupts went on with what the task holds */
void lock_strict_irqs_on(void);

/* --- lock-suite.c ------------------------------------------------------ */

/** lock_suite_scenario_ends - lockdep is about to forget what it learned */
void lock_suite_scenario_ends(void);

/* --- lockdep.c: empty without lock debugging --------------------------- */

#ifdef CONFIG_LOCKDEP
/** lockdep_listens - is a report being written? Some of it is for debugging */
bool lockdep_listens(void);
/** lockdep_log - a kernel message; true: it is part of a report and kept */
bool lockdep_log(const char *text);
/** lockdep_warn - a WARN; true: lockdep's own, and reported */
bool lockdep_warn(const char *text);
/** lockdep_report_end - dump_stack(); true: it ended a report */
bool lockdep_report_end(void);
/** lockdep_mute - reports are no findings until it is off again */
void lockdep_mute(bool on);
/** lockdep_keep_off - lockdep_rearm() does nothing: somebody looks at the flag */
void lockdep_keep_off(bool keep);
/** lockdep_rearm - on again after a report, if nobody holds anything */
void lockdep_rearm(void);
#else
static inline bool lockdep_listens(void)
{
	return false;
}
static inline bool lockdep_log(const char *text)
{
	return false;
}
static inline bool lockdep_warn(const char *text)
{
	return false;
}
static inline bool lockdep_report_end(void)
{
	return false;
}
static inline void lockdep_rearm(void)
{
}
#endif

#endif
