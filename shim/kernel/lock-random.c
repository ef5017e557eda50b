// SPDX-License-Identifier: GPL-2.0-only
/*
 * One random sequence of lock operations, until something is found: four
 * tasks on CPUs of their own take turns, on eight locks of three classes, with
 * interrupts on and off and interrupts that come. What lockdep and the
 * always-on checker say of the last operation is compared by the caller. Knows
 * no array.
 *
 *	driver:  chooses task and operation ──> turn ──> waits
 *	tasks 0-3:  wait for their turn (spinning: they may hold spin locks)
 *
 *	locks	0 1 2 | 3 4 5 | 6 7
 *	class	spin A| spin B| mutex
 */
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "sched.h"

#define TASKS	    4
#define LOCKS	    8
#define FIRST_B	    3
#define FIRST_MUTEX 6
#define NOBODY	    (-1)

/** struct random_lock - an object with one lock in it */
struct random_lock {
	spinlock_t spin;
	struct mutex mutex;
};

/**
 * struct sequence - the sequence that runs
 * @owner:	task that holds each lock
 * @irqs_off:	of each task
 * @turn:	whose turn it is
 */
static struct sequence {
	u64 state;
	struct random_lock *lock[LOCKS];
	int owner[LOCKS];
	bool irqs_off[TASKS], gone[TASKS];
	volatile int turn;
	enum lock_op op;
	int target;
	struct shim_event interrupt;
	volatile bool came;
} seq;

/* splitmix64 */
static u64 draw(unsigned int n)
{
	u64 z = seq.state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) % n;
}

static bool is_mutex(int lock)
{
	return lock >= FIRST_MUTEX;
}

/* --- locks: a place of allocation and of initialisation a class --------- */

static noinline struct random_lock *new_spin_a(void)
{
	struct random_lock *l = kmalloc(sizeof(*l), GFP_ATOMIC);

	spin_lock_init(&l->spin);
	return l;
}

static noinline struct random_lock *new_spin_b(void)
{
	struct random_lock *l = kmalloc(sizeof(*l), GFP_ATOMIC);

	spin_lock_init(&l->spin);
	return l;
}

static noinline struct random_lock *new_mutex(void)
{
	struct random_lock *l = kmalloc(sizeof(*l), GFP_ATOMIC);

	mutex_init(&l->mutex);
	return l;
}

static struct random_lock *new_lock(int i)
{
	if (is_mutex(i))
		return new_mutex();
	return i < FIRST_B ? new_spin_a() : new_spin_b();
}

/* --- what a task does in its turn -------------------------------------- */

static void take(int me, int i)
{
	if (is_mutex(i))
		mutex_lock(&seq.lock[i]->mutex);
	else
		spin_lock(&seq.lock[i]->spin);
	seq.owner[i] = me;
}

static void release(int i)
{
	seq.owner[i] = NOBODY;
	if (is_mutex(i))
		mutex_unlock(&seq.lock[i]->mutex);
	else
		spin_unlock(&seq.lock[i]->spin);
}

static void handler(struct shim_event *e)
{
	spin_lock(&seq.lock[seq.target]->spin);
	spin_unlock(&seq.lock[seq.target]->spin);
	seq.came = true;
}

static void be_interrupted(void)
{
	seq.came = false;
	seq.interrupt.cpu = raw_smp_processor_id();
	seq.interrupt.fn = handler;
	seq.interrupt.io = true; /* a device's, not a timer's */
	shim_event_start(&seq.interrupt, 0);
	while (!seq.came)
		cpu_relax();
}

static void do_op(int me)
{
	int i = seq.target;

	switch (seq.op) {
	case LOCK_OP_TAKE:
	case LOCK_OP_TAKE_OWN:
	case LOCK_OP_SLEEP:
		return take(me, i);
	case LOCK_OP_RELEASE:
	case LOCK_OP_RELEASE_OTHER:
		return release(i);
	case LOCK_OP_IRQS:
		seq.irqs_off[me] = !seq.irqs_off[me];
		if (seq.irqs_off[me])
			local_irq_disable();
		else
			local_irq_enable();
		return;
	case LOCK_OP_INTERRUPT:
		return be_interrupted();
	case LOCK_OP_FREE:
	case LOCK_OP_FREE_OWN:
		kfree(seq.lock[i]);
		seq.lock[i] = new_lock(i);
		return;
	default:
		return;
	}
}

static int task_main(void *arg)
{
	int me = (long)arg;

	for (;;) {
		while (seq.turn != me)
			cpu_relax();
		if (seq.op == LOCK_OP_EXIT || seq.op == LOCK_OP_EXIT_HOLDING)
			break;
		do_op(me);
		seq.turn = NOBODY;
	}
	if (seq.irqs_off[me])
		local_irq_enable();
	seq.gone[me] = true;
	seq.turn = NOBODY;
	return 0;
}

/* --- what it is to do -------------------------------------------------- */

static int holds(int task, bool spinning)
{
	int i, n = 0;

	for (i = 0; i < LOCKS; i++)
		n += seq.owner[i] == task && (!spinning || !is_mutex(i));
	return n;
}

/* One of the locks for which @fits is true, or NOBODY. */
static int pick(int me, bool (*fits)(int me, int i))
{
	int first = draw(LOCKS), n, i;

	for (n = 0; n < LOCKS; n++) {
		i = (first + n) % LOCKS;
		if (fits(me, i))
			return i;
	}
	return NOBODY;
}

static int class_of(int i)
{
	return is_mutex(i) ? 0 : i < FIRST_B ? 1 : 2;
}

/* Mutexes, then spin locks of A, then of B, and no two of a class: lockdep
 * reports anything else, and the sequence is over. */
static bool in_order(int me, int i)
{
	int k;

	for (k = 0; k < LOCKS; k++)
		if (seq.owner[k] == me && class_of(k) >= class_of(i))
			return false;
	return true;
}

/* A mutex: only where nothing but a spin lock that is held forbids it. */
static bool is_free(int me, int i)
{
	if (!in_order(me, i) && draw(100))
		return false;
	return seq.owner[i] == NOBODY && !(is_mutex(i) && holds(me, true)) &&
	       !(is_mutex(i) && seq.irqs_off[me]);
}

static bool would_sleep(int me, int i)
{
	return seq.owner[i] == NOBODY && is_mutex(i) && holds(me, true) &&
	       !seq.irqs_off[me];
}

static bool is_own(int me, int i)
{
	return seq.owner[i] == me;
}

/* An own spin lock: a mutex may not be waited for with one. */
static bool is_own_to_take(int me, int i)
{
	return is_own(me, i) && !(is_mutex(i) && holds(me, true)) &&
	       !(is_mutex(i) && seq.irqs_off[me]);
}

static bool is_not_own(int me, int i)
{
	return seq.owner[i] != me;
}

static bool is_unheld(int me, int i)
{
	return seq.owner[i] == NOBODY;
}

/* Nobody else's: the handler would wait for a task that waits for its turn. */
static bool is_for_handler(int me, int i)
{
	return !is_mutex(i) && (seq.owner[i] == NOBODY || seq.owner[i] == me);
}

/* Which lock, and is it possible now? */
static bool possible(int me, enum lock_op op)
{
	static bool (*const fits[LOCK_OPS])(int me, int i) = {
		[LOCK_OP_TAKE] = is_free,
		[LOCK_OP_TAKE_OWN] = is_own_to_take,
		[LOCK_OP_SLEEP] = would_sleep,
		[LOCK_OP_RELEASE] = is_own,
		[LOCK_OP_RELEASE_OTHER] = is_not_own,
		[LOCK_OP_INTERRUPT] = is_for_handler,
		[LOCK_OP_FREE] = is_unheld,
		[LOCK_OP_FREE_OWN] = is_own,
	};

	if (op == LOCK_OP_INTERRUPT && seq.irqs_off[me])
		return false;
	if (op == LOCK_OP_EXIT || op == LOCK_OP_EXIT_HOLDING)
		return (op == LOCK_OP_EXIT_HOLDING) == (holds(me, false) > 0);
	if (!fits[op])
		return true;
	seq.target = pick(me, fits[op]);
	return seq.target != NOBODY;
}

/* How often each is tried, of 1000; the faults seldom, so that they meet a
 * state. */
static const unsigned short weight[LOCK_OPS] = {
	[LOCK_OP_TAKE] = 400,	    [LOCK_OP_RELEASE] = 350,
	[LOCK_OP_IRQS] = 150,	    [LOCK_OP_INTERRUPT] = 20,
	[LOCK_OP_FREE] = 40,	    [LOCK_OP_TAKE_OWN] = 7,
	[LOCK_OP_SLEEP] = 7,	    [LOCK_OP_RELEASE_OTHER] = 7,
	[LOCK_OP_FREE_OWN] = 7,	    [LOCK_OP_EXIT] = 5,
	[LOCK_OP_EXIT_HOLDING] = 7,
};

static enum lock_op draw_op(void)
{
	unsigned int at = draw(1000), op;

	for (op = 0; op < LOCK_OPS - 1 && at >= weight[op]; op++)
		at -= weight[op];
	return op;
}

static int draw_task(void)
{
	int task = draw(TASKS), n;

	for (n = 0; n < TASKS && seq.gone[task]; n++)
		task = (task + 1) % TASKS;
	return seq.gone[task] ? NOBODY : task;
}

static void give_turn(int task)
{
	seq.turn = task;
	while (seq.turn != NOBODY)
		cpu_relax();
}

static void start(u64 seed)
{
	struct task_struct *t;
	long i;

	seq = (struct sequence){.state = seed, .turn = NOBODY};
	for (i = 0; i < LOCKS; i++) {
		seq.lock[i] = new_lock(i);
		seq.owner[i] = NOBODY;
	}
	for (i = 0; i < TASKS; i++) {
		t = kthread_create(task_main, (void *)i, "task%ld", i);
		task_thread_info(t)->cpu = i + 1;
		sim_of(t)->pinned = true;
		wake_up_process(t);
	}
}

void kern_lock_sequence(unsigned long long seed, unsigned int most,
			struct lock_sequence *out)
{
	int task;

	kern_locks_strict(1);
	kern_schedule(&(struct schedule){.points = 0});
	start(seed);
	for (out->ops = 0; out->ops < most && !finding_count(); out->ops++) {
		task = draw_task();
		if (task == NOBODY)
			return;
		do {
			seq.op = draw_op();
		} while (!possible(task, seq.op));
		out->last = seq.op;
		give_turn(task);
		/* It leaves after its turn. */
		if (seq.gone[task])
			while (sched_cpu(task + 1)->curr)
				cpu_relax();
	}
}
