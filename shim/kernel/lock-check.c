// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds which lock, in every subject: imbalance, recursion, unlock by
 * another task, use before initialisation, free while held, sleeping where
 * that is not allowed. Notes lie beside the tasks. Knows nothing of arrays.
 */
#include <linux/hardirq.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include "locks.h"
#include "sched.h"

/* Of all tasks: where it is 0, nothing needs to be looked for. */
static unsigned long all_holds;
/* Being taken, by all tasks. */
static unsigned long all_tries;

static const char *const kind_names[] = {
	[KIND_SPIN] = "spin lock",
	[KIND_READ] = "rwlock",
	[KIND_WRITE] = "rwlock",
	[KIND_MUTEX] = "mutex",
	[KIND_RWSEM_READ] = "rw_semaphore",
	[KIND_RWSEM_WRITE] = "rw_semaphore",
};

static struct lock_holds *holds_of(struct task_struct *t)
{
	return &sim_of(t)->holds;
}

/* --- only counted ------------------------------------------------------ */

static unsigned int *counter;

void lock_check_count(unsigned int *count)
{
	counter = count;
}

static bool only_counted(void)
{
	if (likely(!counter))
		return false;
	++*counter;
	return true;
}

/* --- words for a lock -------------------------------------------------- */

#ifdef CONFIG_DEBUG_LOCK_ALLOC
static const char *class_name(const void *lock, enum lock_kind kind)
{
	switch (kind) {
	case KIND_SPIN:
		return ((const raw_spinlock_t *)lock)->dep_map.name;
	case KIND_READ:
	case KIND_WRITE:
		return ((const rwlock_t *)lock)->dep_map.name;
	case KIND_MUTEX:
		return ((const struct mutex *)lock)->dep_map.name;
	default:
		return ((const struct rw_semaphore *)lock)->dep_map.name;
	}
}
#else
static const char *class_name(const void *lock, enum lock_kind kind)
{
	return NULL;
}
#endif

#define NAME_SIZE 128

/* "mutex at byte 32 of an object of 640 bytes from md_alloc()" */
static const char *name_it(const void *lock, enum lock_kind kind,
			   bool initialised, char *text)
{
	const char *class = NULL;
	struct obj_info info;
	struct place p;
	bool found = host_obj_find(lock, &info);

	if (initialised && (!found || info.state == OBJ_LIVE))
		class = class_name(lock, kind);
	if (class) {
		snprintf(text, NAME_SIZE, "%s %s", kind_names[kind], class);
		return text;
	}
	if (!found) {
		snprintf(text, NAME_SIZE, "static %s", kind_names[kind]);
		return text;
	}
	host_place(info.alloc_caller, 1, &p);
	snprintf(text, NAME_SIZE, "%s at byte %lld of %s object from %s()",
		 kind_names[kind], info.offset,
		 info.state == OBJ_FREED ? "a freed" : "an",
		 p.function[0] ? p.function : "the shim");
	return text;
}

static const char *name_of(const void *lock, enum lock_kind kind, char *text)
{
	return name_it(lock, kind, true, text);
}

/* ", taken in handle_stripe():1234" */
static const char *taken_at(const struct lock_hold *h, char *text)
{
	struct place p;

	*text = '\0';
	if (host_place(h->pc, 1, &p))
		snprintf(text, NAME_SIZE, ", taken in %s():%u", p.function,
			 p.line);
	return text;
}

/* --- the notes --------------------------------------------------------- */

static struct lock_hold *find(struct lock_holds *hs, const void *lock)
{
	unsigned int i = hs->n;

	while (i--)
		if (hs->at[i].lock == lock)
			return &hs->at[i];
	return NULL;
}

static void make_room(struct lock_holds *hs)
{
	struct lock_hold *old = hs->at;

	hs->room = hs->room ? 2 * hs->room : 8;
	hs->at = host_obj_alloc(hs->room * sizeof(*old), 8, MEM_SHIM, NULL,
				NULL);
	if (!old)
		return;
	memcpy(hs->at, old, hs->n * sizeof(*old));
	host_obj_free(old, MEM_SHIM, NULL);
}

static bool spins(enum lock_kind kind)
{
	return kind <= KIND_WRITE;
}

static void take_off(struct lock_holds *hs, struct lock_hold *h)
{
	hs->spins -= spins(h->kind);
	hs->n--;
	all_holds--;
	memmove(h, h + 1, (hs->at + hs->n - h) * sizeof(*h));
}

void lock_check_forget(struct sim_task *st)
{
	all_holds -= st->holds.n;
	if (st->holds.at)
		host_obj_free(st->holds.at, MEM_SHIM, NULL);
}

void lock_check_drop_all(void)
{
	struct lock_holds *hs = holds_of(current);

	while (hs->n)
		take_off(hs, &hs->at[hs->n - 1]);
}

bool lock_check_idle(void)
{
	return !all_holds && !all_tries;
}

void lock_check_try(void)
{
	all_tries++;
}

void lock_check_tried(void)
{
	all_tries--;
}

/* --- the limit of preempt_count ---------------------------------------- */

/*
 * linux/preempt.h: 8 bits count what keeps preemption off, and the next bit is
 * one of the soft interrupts'. A kernel with CONFIG_DEBUG_PREEMPT warns ten
 * before that (preempt_count_add() in kernel/sched/core.c).
 */
static void check_count(void)
{
	static bool said;

	if (likely((preempt_count() & PREEMPT_MASK) < PREEMPT_MASK - 10) ||
	    said || only_counted())
		return;
	said = true;
	finding_add(FINDING_OVERFLOW, NULL,
		    "preempt_count is %u with %u spin locks held; it can count "
		    "to %lu",
		    preempt_count() & (unsigned int)PREEMPT_MASK,
		    holds_of(current)->spins, PREEMPT_MASK);
}

/* --- taking and releasing ---------------------------------------------- */

void lock_check_got(const void *lock, enum lock_kind kind, const void *pc)
{
	struct lock_holds *hs = holds_of(current);

	if (unlikely(hs->n == hs->room))
		make_room(hs);
	hs->at[hs->n++] = (struct lock_hold){lock, pc, kind};
	hs->spins += spins(kind);
	if (hs->wanted == lock)
		hs->wanted = NULL;
	all_holds++;
	if (spins(kind)) {
		if (unlikely(lock_is_strict()))
			lock_strict_got(lock, kind == KIND_READ, pc);
		check_count();
		lock_marks_held(hs->spins);
	}
}

#ifdef CONFIG_DEBUG_LOCK_ALLOC
static const void *dep_map_of(const struct lock_hold *h)
{
	switch (h->kind) {
	case KIND_SPIN:
		return &((const raw_spinlock_t *)h->lock)->dep_map;
	case KIND_READ:
	case KIND_WRITE:
		return &((const rwlock_t *)h->lock)->dep_map;
	case KIND_MUTEX:
		return &((const struct mutex *)h->lock)->dep_map;
	default:
		return &((const struct rw_semaphore *)h->lock)->dep_map;
	}
}

const void *lock_check_taken_by(const void *dep_map)
{
	struct sim_task *st;
	unsigned int i;

	list_for_each_entry (st, &sched_tasks, all)
		for (i = st->holds.n; i--;)
			if (dep_map_of(&st->holds.at[i]) == dep_map)
				return st->holds.at[i].pc;
	return NULL;
}
#endif

static void report_kind(const struct lock_hold *h, enum lock_kind kind)
{
	char name[NAME_SIZE], at[NAME_SIZE];
	bool reading = kind == KIND_READ || kind == KIND_RWSEM_READ;

	if (only_counted())
		return;
	finding_add(FINDING_LOCK_IMBALANCE, NULL,
		    "%s releases the %s for %s, and had taken it for %s%s",
		    current->comm, name_of(h->lock, h->kind, name),
		    reading ? "reading" : "writing",
		    reading ? "writing" : "reading", taken_at(h, at));
}

bool lock_check_drop(const void *lock, enum lock_kind kind)
{
	struct lock_holds *hs = holds_of(current);
	struct lock_hold *h = find(hs, lock);

	if (unlikely(!h))
		return false;
	if (unlikely(h->kind != kind))
		report_kind(h, kind);
	take_off(hs, h);
	return true;
}

static struct sim_task *holder(const void *lock)
{
	struct sim_task *st;

	list_for_each_entry (st, &sched_tasks, all)
		if (find(&st->holds, lock))
			return st;
	return NULL;
}

void lock_check_dropped(const void *lock, enum lock_kind kind)
{
	char name[NAME_SIZE], at[NAME_SIZE];
	struct sim_task *st = holder(lock);

	if (only_counted())
		return;
	name_of(lock, kind, name);
	if (!st)
		finding_fatal(FINDING_LOCK_IMBALANCE, NULL,
			      "unlock of a %s that nobody holds", name);
	finding_fatal(FINDING_LOCK_IMBALANCE, NULL, "%s unlocks the %s of %s%s",
		      current->comm, name, st->t.comm,
		      taken_at(find(&st->holds, lock), at));
}

/* --- recursion --------------------------------------------------------- */

static void __noreturn recursion(const void *lock)
{
	struct lock_hold *h = find(holds_of(current), lock);
	char name[NAME_SIZE], at[NAME_SIZE];

	finding_fatal(FINDING_LOCK_IMBALANCE, NULL,
		      "%s takes the %s that it holds already%s", current->comm,
		      name_of(lock, h->kind, name), taken_at(h, at));
}

void lock_check_sleeper(const void *lock, enum lock_kind kind)
{
	struct lock_hold *h = find(holds_of(current), lock);

	/* Two readers, though one task, do not wait for each other. */
	if (h && !(kind == KIND_RWSEM_READ && h->kind == KIND_RWSEM_READ))
		holds_of(current)->wanted = lock;
}

void lock_check_spin(const volatile void *lock)
{
	if (find(holds_of(current), (const void *)lock))
		recursion((const void *)lock);
}

void lock_check_block(void)
{
	struct lock_holds *hs = holds_of(current);

	if (unlikely(hs->wanted))
		recursion(hs->wanted);
}

/* --- lock words -------------------------------------------------------- */

#define STALE_FRESH 0xa5a5a5a5U /* shim/host: what new memory holds */
#define STALE_FREED 0x6b6b6b6bU

static void uninitialised(const void *lock, enum lock_kind kind, u32 word)
{
	char name[NAME_SIZE];

	if (only_counted())
		return;
	name_it(lock, kind, false, name);
	/* With zeroes a real machine's kernel goes on. */
	if (!word) {
		finding_add(FINDING_LOCK_IMBALANCE, NULL,
			    "%s used before it was initialised", name);
		return;
	}
	finding_fatal(FINDING_LOCK_IMBALANCE, NULL, "%s used %s", name,
		      word == STALE_FRESH   ? "before it was initialised"
		      : word == STALE_FREED ? "after it was freed"
					    : "after it was overwritten");
}

void shim_spin_invalid(arch_spinlock_t *lock)
{
	uninitialised(lock, KIND_SPIN, lock->word);
	lock->word = SHIM_SPIN_FREE;
}

void shim_rwlock_invalid(arch_rwlock_t *rw)
{
	uninitialised(rw, KIND_WRITE, rw->valid);
	rw->valid = SHIM_SPIN_FREE;
}

/* A sleeping lock's list of waiters is never empty words. */
void lock_check_ready(const void *lock, enum lock_kind kind,
		      const struct list_head *waiters)
{
	unsigned long next = (unsigned long)READ_ONCE(waiters->next);

	if (unlikely(!next))
		uninitialised(lock, kind, 0);
	else if (unlikely((u32)next == STALE_FRESH || (u32)next == STALE_FREED))
		uninitialised(lock, kind, next);
}

/* --- free -------------------------------------------------------------- */

static bool inside(const void *lock, const void *start, unsigned long size)
{
	return lock >= start && lock < start + size;
}

static void report_freed(struct sim_task *st, struct lock_hold *h)
{
	char name[NAME_SIZE], at[NAME_SIZE];

	if (only_counted())
		return;
	finding_add(FINDING_LOCK_IMBALANCE, NULL,
		    "%s frees the %s that %s holds%s", current->comm,
		    name_of(h->lock, h->kind, name), st->t.comm,
		    taken_at(h, at));
}

void lock_check_freed(const void *start, unsigned long size)
{
	struct sim_task *st;
	unsigned int i;

	if (likely(!all_holds))
		return;
	list_for_each_entry (st, &sched_tasks, all)
		for (i = 0; i < st->holds.n; i++)
			if (inside(st->holds.at[i].lock, start, size))
				report_freed(st, &st->holds.at[i]);
}

/* --- what must be as it was -------------------------------------------- */

unsigned int lock_check_level(void)
{
	return holds_of(current)->n;
}

static void report_kept(const struct lock_hold *h, const void *pc,
			const char *what)
{
	char name[NAME_SIZE], at[NAME_SIZE];

	finding_add(FINDING_LOCK_IMBALANCE, pc, "%s ends with the %s held%s",
		    what, name_of(h->lock, h->kind, name), taken_at(h, at));
}

/* By its own function, so that whoever wants it next is not stuck. */
static void release(const struct lock_hold *h)
{
	void *lock = (void *)h->lock;

	switch (h->kind) {
	case KIND_SPIN:
		return raw_spin_unlock((raw_spinlock_t *)lock);
	case KIND_READ:
		return read_unlock((rwlock_t *)lock);
	case KIND_WRITE:
		return write_unlock((rwlock_t *)lock);
	case KIND_MUTEX:
		return mutex_unlock(lock);
	case KIND_RWSEM_READ:
		return up_read(lock);
	case KIND_RWSEM_WRITE:
		return up_write(lock);
	}
}

static void let_go(struct lock_holds *hs, struct lock_hold *h)
{
	struct obj_info info;

	if (!host_obj_find(h->lock, &info) || info.state == OBJ_LIVE) {
		release(h);
		return;
	}
	if (spins(h->kind))
		preempt_enable_no_resched();
	take_off(hs, h);
}

void lock_check_balance(unsigned int level, int count, const void *pc,
			const char *what)
{
	struct lock_holds *hs = holds_of(current);

	while (hs->n > level) {
		report_kept(&hs->at[hs->n - 1], pc, what);
		let_go(hs, &hs->at[hs->n - 1]);
	}
	if (preempt_count() != count)
		finding_add(FINDING_LOCK_IMBALANCE, pc,
			    "%s began with preempt_count %d and ends with %d",
			    what, count, preempt_count());
	if (!in_hardirq() && irqs_disabled())
		finding_add(FINDING_LOCK_IRQ, lock_irq_off_by() ?: pc,
			    "interrupts are still off where %s ends", what);
}

void kern_step_end(const char *step)
{
	char what[40];

	snprintf(what, sizeof(what), "step %s", step);
#ifdef CONFIG_LOCKDEP
	lockdep_sys_exit();
	lockdep_report_end(); /* this one has no stack at its end */
#endif
	lock_check_balance(0, 0, NULL, what);
	if (current->rcu_read_lock_nesting)
		finding_add(FINDING_LOCK_IMBALANCE, NULL,
			    "%s ends in an RCU read section", what);
	if (irqs_disabled())
		local_irq_enable();
	current->rcu_read_lock_nesting = 0;
	preempt_count_set(0);
	lockdep_rearm();
}

/* --- assertions -------------------------------------------------------- */

#ifndef CONFIG_LOCKDEP
static bool as_wanted(const struct lock_hold *h, int how)
{
	bool writing = h && h->kind != KIND_READ && h->kind != KIND_RWSEM_READ;

	switch (how) {
	case 0:
		return !h;
	case 2:
		return writing;
	case 3:
		return h && !writing;
	default:
		return h;
	}
}

void shim_assert_held(const volatile void *lock, int how, const char *name)
{
	static const char *const words[] = {
		"not held", "held", "held for writing", "held for reading"};
	const void *l = (const void *)lock;

	if (!as_wanted(find(holds_of(current), l), how))
		finding_add(FINDING_LOCK_IMBALANCE, NULL,
			    "lockdep_assert: %s should be %s", name,
			    words[how]);
}
#endif

bool lock_check_holds_in(unsigned long size, long long offset)
{
	struct lock_holds *hs = holds_of(current);
	struct obj_info info;
	unsigned int i;

	for (i = hs->n; i--;)
		if (host_obj_find(hs->at[i].lock, &info) && info.size == size &&
		    info.offset == offset)
			return true;
	return false;
}

/* --- sleeping ---------------------------------------------------------- */

/* kernel/sched/core.c: the allowed nesting comes as an argument. */
static bool may_sleep(unsigned int offsets)
{
	unsigned int nested = preempt_count();

	nested += rcu_preempt_depth() << MIGHT_RESCHED_RCU_SHIFT;
	return nested == offsets && !irqs_disabled();
}

void __might_resched(const char *file, int line, unsigned int offsets)
{
	static unsigned long last;

	if (shim_booting)
		return;
	rcu_sleep_check();
	if (likely(may_sleep(offsets)) || only_counted())
		return;
	/* Once a second, as there. */
	if (last && time_before(jiffies, last + HZ))
		return;
	last = jiffies ?: 1;
	finding_add(FINDING_SLEEP_IN_ATOMIC, NULL,
		    "may sleep with preempt_count %d, RCU nesting %d, "
		    "interrupts %s",
		    preempt_count(), rcu_preempt_depth(),
		    irqs_disabled() ? "off" : "on");
}

void __might_sleep(const char *file, int line)
{
	unsigned int state = shim_booting ? 0 : get_current_state();
	struct place p;

	if (unlikely(state != TASK_RUNNING && current->task_state_change)) {
		host_place((void *)current->task_state_change, 0, &p);
		finding_add(FINDING_KERNEL_WARN, NULL,
			    "may sleep in state %#x, set in %s():%u", state,
			    p.function, p.line);
		current->task_state_change = 0;
	}
	__might_resched(file, line, 0);
}
