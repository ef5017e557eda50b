// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct timer_list on events: each pending timer is one event, whose
 * function runs in soft interrupt context with interrupts on. Knows events and
 * jiffies, nothing of tasks.
 */
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include "probes.h"
#include "shim.h"

#define TICK_NS (NSEC_PER_SEC / HZ)

/** struct armed - the event of one pending timer */
struct armed {
	struct list_head list;
	struct timer_list *timer;
	struct shim_event event;
};

static LIST_HEAD(all_armed);
/* Whose function runs: for timer_delete_sync(). */
static struct timer_list *running;
/* Only so that timer_pending(), which is inline, finds the timer on a list. */
static HLIST_HEAD(pending);

static struct armed *find_armed(struct timer_list *timer)
{
	struct armed *a;

	list_for_each_entry (a, &all_armed, list)
		if (a->timer == timer)
			return a;
	return NULL;
}

static void disarm(struct armed *a)
{
	hlist_del_init(&a->timer->entry);
	list_del(&a->list);
	host_obj_free(a, MEM_SHIM, NULL);
}

/* As call_timer_fn(): who waits for a timer must not hold what it takes. */
#ifdef CONFIG_LOCKDEP
static void call_timer(struct timer_list *timer)
{
	struct lockdep_map map;

	lockdep_copy_map(&map, &timer->lockdep_map);
	lock_map_acquire(&map);
	timer->function(timer);
	lock_map_release(&map);
}

static void touch_timer(struct timer_list *timer)
{
	unsigned long flags;

	local_irq_save(flags);
	lock_map_acquire(&timer->lockdep_map);
	lock_map_release(&timer->lockdep_map);
	local_irq_restore(flags);
}
#else
static void call_timer(struct timer_list *timer)
{
	timer->function(timer);
}

static void touch_timer(struct timer_list *timer)
{
}
#endif

static void fire(struct shim_event *e)
{
	struct armed *a = e->arg;
	struct timer_list *timer = a->timer;

	disarm(a);
	running = timer;
	call_timer(timer);
	running = NULL;
}

static u64 ns_until(unsigned long expires)
{
	u64 at = (u64)(expires - (unsigned long)INITIAL_JIFFIES) * TICK_NS;

	return time_after(expires, jiffies) ? at - shim_now() : 0;
}

static void arm(struct timer_list *timer)
{
	struct armed *a = host_obj_alloc(sizeof(*a), 8, MEM_SHIM, NULL, NULL);

	memset(a, 0, sizeof(*a));
	a->timer = timer;
	a->event.fn = fire;
	a->event.soft = true;
	a->event.arg = a;
	a->event.cpu = raw_smp_processor_id();
	list_add_tail(&a->list, &all_armed);
	hlist_add_head(&timer->entry, &pending);
	shim_event_start(&a->event, ns_until(timer->expires));
}

void init_timer_key(struct timer_list *timer, void (*func)(struct timer_list *),
		    unsigned int flags, const char *name,
		    struct lock_class_key *key)
{
	timer->entry.pprev = NULL;
	timer->function = func;
	timer->flags = flags;
	lockdep_init_map(&timer->lockdep_map, name, key, 0);
}

/* Return: whether it was pending. */
static int forget(struct timer_list *timer)
{
	struct armed *a = find_armed(timer);

	if (!a)
		return 0;
	shim_event_cancel(&a->event);
	disarm(a);
	return 1;
}

int mod_timer(struct timer_list *timer, unsigned long expires)
{
	int was = forget(timer);

	timer->expires = expires;
	arm(timer);
	return was;
}

void add_timer(struct timer_list *timer)
{
	WARN_ON_ONCE(timer_pending(timer));
	arm(timer);
}

int timer_delete(struct timer_list *timer)
{
	return forget(timer);
}
/* One whose function runs on another CPU is waited for. */
int timer_delete_sync(struct timer_list *timer)
{
	int was;

	touch_timer(timer);
	WARN_ON_ONCE(in_hardirq() && !(timer->flags & TIMER_IRQSAFE));
	was = forget(timer);
	while (running == timer)
		cpu_relax();
	return was;
}
