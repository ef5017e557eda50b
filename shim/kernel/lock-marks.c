// SPDX-License-Identifier: GPL-2.0-only
/*
 * How deep locks go: the most that was held, counted and kept off since it
 * was asked, and where the kernel's limits truly lie. Knows the name of one
 * cache, whose objects it counts; nothing else of arrays.
 *
 *	interrupts off |---- a section ----| on
 *	atomic operations on objects:  s1 s2 s1 s3  -> 3 were touched
 */
#include <linux/debug_locks.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "sched.h"

struct lock_marks lock_marks;

/* --- objects touched in a section -------------------------------------- */

#define TOUCHED_MAX 4096

/** struct touched - distinct objects of the section that a CPU is in */
struct touched {
	unsigned int n;
	const void *base[TOUCHED_MAX];
};

static struct touched *touched[NR_CPUS];
static const char *watched;

static struct touched *touched_on(unsigned int cpu)
{
	if (!touched[cpu]) {
		touched[cpu] = host_obj_alloc(sizeof(**touched), 8, MEM_SHIM,
					      NULL, NULL);
		touched[cpu]->n = 0;
	}
	return touched[cpu];
}

static void touch(const volatile void *word)
{
	struct touched *t = touched_on(raw_smp_processor_id());
	struct obj_info info;
	unsigned int i;

	if (!host_obj_find((const void *)word, &info) ||
	    info.state != OBJ_LIVE || !info.tag || strcmp(info.tag, watched))
		return;
	for (i = 0; i < t->n; i++)
		if (t->base[i] == info.base)
			return;
	if (t->n < TOUCHED_MAX)
		t->base[t->n++] = info.base;
}

void shim_preempt_point_at(const volatile void *word)
{
	if ((shim_preempt_armed & SHIM_POINT_WATCH) &&
	    shim_irqs_off[raw_smp_processor_id()])
		touch(word);
	if (shim_preempt_armed & POINT_ATOMICS)
		shim_preempt_point();
}

/* --- sections ---------------------------------------------------------- */

void lock_marks_irqs_off(unsigned int cpu)
{
	if (watched)
		touched_on(cpu)->n = 0;
}

void lock_marks_irqs_on(unsigned int cpu, u64 ns, const void *pc)
{
	if (ns > lock_marks.irqs_off) {
		lock_marks.irqs_off = ns;
		lock_marks.irqs_off_pc = pc;
	}
	if (watched && touched_on(cpu)->n > lock_marks.objects) {
		lock_marks.objects = touched_on(cpu)->n;
		lock_marks.objects_pc = pc;
	}
}

void lock_marks_held(unsigned int spins)
{
	unsigned int count = preempt_count() & PREEMPT_MASK;

	lock_marks.spins = max(lock_marks.spins, spins);
	lock_marks.count = max(lock_marks.count, count);
#ifdef CONFIG_LOCKDEP
	lock_marks.slots =
		max_t(unsigned int, lock_marks.slots, current->lockdep_depth);
#endif
}

/* --- asked ------------------------------------------------------------- */

void lock_marks_begin(const char *cache)
{
	memset(&lock_marks, 0, sizeof(lock_marks));
	watched = cache;
	shim_preempt_armed |= SHIM_POINT_WATCH;
}

void kern_lock_marks(struct lock_marks_seen *out)
{
	memset(out, 0, sizeof(*out));
	out->spins = lock_marks.spins;
	out->slots = lock_marks.slots;
	out->count = lock_marks.count;
	out->irqs_off = lock_marks.irqs_off;
	out->stripes = lock_marks.objects;
	host_place(lock_marks.irqs_off_pc, 1, &out->irqs_off_in);
	host_place(lock_marks.objects_pc, 1, &out->stripes_in);
	shim_preempt_armed &= ~SHIM_POINT_WATCH;
	watched = NULL;
}

/* --- limits ------------------------------------------------------------ */

/* What preempt_count can hold of preemption, by counting until it cannot. */
static unsigned int count_limit(void)
{
	unsigned int n = 0;
	int saved = preempt_count();

	while (((preempt_count() - saved) & PREEMPT_MASK) == n) {
		preempt_count_add(1);
		n++;
	}
	preempt_count_set(saved);
	return n - 1;
}

#ifdef CONFIG_LOCKDEP
#define LADDER 8192

static struct mutex *ladder;

/* Each a class of its own, so that nothing but their number is at fault. */
static struct lock_class_key rung_key[64];

/* How many are held before lockdep gives up. @nest: all in one slot. */
static unsigned int climb(bool nest, unsigned int most)
{
	unsigned int n = 0, i;
	bool given_up;

	lockdep_mute(true);
	while (n < most && debug_locks) {
		mutex_init(&ladder[n]);
		if (!nest)
			lockdep_set_class(&ladder[n], &rung_key[n]);
		if (nest && n)
			mutex_lock_nest_lock(&ladder[n], &ladder[0]);
		else
			mutex_lock(&ladder[n]);
		n++;
	}
	given_up = !debug_locks;
	for (i = n; i--;)
		mutex_unlock(&ladder[i]);
	lockdep_mute(false);
	lockdep_rearm();
	/* The last one was one too many. */
	return given_up ? n - 1 : n;
}

static void lockdep_limits(struct lock_limits *out)
{
	unsigned int ignored = 0;

	ladder = host_obj_alloc(LADDER * sizeof(*ladder), 8, MEM_SHIM, NULL,
				NULL);
	lock_check_count(&ignored);
	out->slots = climb(false, ARRAY_SIZE(rung_key));
	out->references = climb(true, LADDER);
	lock_check_count(NULL);
	host_obj_free(ladder, MEM_SHIM, NULL);
}
#else
static void lockdep_limits(struct lock_limits *out)
{
}
#endif

void kern_lock_limits(struct lock_limits *out)
{
	memset(out, 0, sizeof(*out));
	out->count = count_limit();
	lockdep_limits(out);
}
