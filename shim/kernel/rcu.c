// SPDX-License-Identifier: GPL-2.0-only
/*
 * RCU: read sections, grace periods and callbacks. A grace period is over as
 * soon as everybody who was in a read section when it began has left it: a
 * task between rcu_read_lock() and its unlock, or a CPU that could not be
 * preempted. That is the earliest that a kernel may do; nothing here waits
 * longer than it must, so that what is freed too early is seen.
 *
 *	gp number:   1        2        3   (begun so far: gp_begun)
 *	reader A:  [since 0 ........]          holds up 1 and 2
 *	reader B:        [since 1 ....]        holds up 2
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/mm.h>
#include <linux/wait.h>
#include "probes.h"
#include "sched.h"

static u64 gp_begun;

/* --- readers ----------------------------------------------------------- */

void __rcu_read_lock(void)
{
	if (!current->rcu_read_lock_nesting++)
		sim_of(current)->rcu_since = gp_begun;
}

/*
 * A point like any unlock: md_handle_request() goes round with nothing but a
 * read section while another CPU brings active_io back to life.
 */
void __rcu_read_unlock(void)
{
	WARN(--current->rcu_read_lock_nesting < 0,
	     "rcu_read_unlock() without rcu_read_lock()\n");
	sim_of(current)->leaving_rcu = true;
	preempt_point_lock();
	sim_of(current)->leaving_rcu = false;
}

/* Whoever is on @c could be preempted or has left. */
void rcu_cpu_passed(struct sim_cpu *c)
{
	c->rcu_need = 0;
}

/* The caller's own CPU does not hold up its own grace period. */
static u64 gp_begin(void)
{
	struct sim_cpu *c;

	gp_begun++;
	list_for_each_entry (c, &sched_active, active)
		if (c->id != raw_smp_processor_id() && !c->rcu_need &&
		    !sched_quiescent(c))
			c->rcu_need = gp_begun;
	return gp_begun;
}

/* The soft interrupt that looks does not hold up what it interrupted. */
static bool passes(struct sim_cpu *c)
{
	if (c->id == raw_smp_processor_id() && in_serving_softirq())
		return preempt_count() == SOFTIRQ_OFFSET;
	return sched_quiescent(c);
}

static bool cpu_holds_up(struct sim_cpu *c, u64 gp)
{
	if (c->rcu_need && passes(c))
		rcu_cpu_passed(c);
	return c->rcu_need && c->rcu_need <= gp;
}

static bool gp_over(u64 gp)
{
	struct sim_task *st;
	struct sim_cpu *c;

	list_for_each_entry (c, &sched_active, active)
		if (cpu_holds_up(c, gp))
			return false;
	list_for_each_entry (st, &sched_tasks, all)
		if (st->t.rcu_read_lock_nesting > 0 && st->rcu_since < gp)
			return false;
	return true;
}

/* --- waiting ----------------------------------------------------------- */

/* How often it is looked whether a grace period is over. */
#define GP_POLL_NS 10000

static DECLARE_WAIT_QUEUE_HEAD(gp_waiters);
static struct shim_event gp_poll;
static unsigned int nr_waiting;

static bool run_callbacks(void);

static void poll(struct shim_event *e);

static void poll_later(u64 ns)
{
	if (gp_poll.pending)
		return;
	gp_poll.cpu = raw_smp_processor_id();
	gp_poll.io = gp_poll.soft = true;
	gp_poll.fn = poll;
	shim_event_start(&gp_poll, ns);
}

static void poll(struct shim_event *e)
{
	bool more = run_callbacks();

	wake_up_all(&gp_waiters);
	if (more || nr_waiting)
		poll_later(GP_POLL_NS);
}

void synchronize_rcu(void)
{
	u64 gp;

	RCU_LOCKDEP_WARN(lock_is_held(&rcu_lock_map),
			 "Illegal synchronize_rcu() in RCU read-side critical section");
	might_sleep();
	if (current->rcu_read_lock_nesting)
		sched_hang("synchronize_rcu() in a read section");
	gp = gp_begin();
	preempt_point_lock();
	if (gp_over(gp))
		return;
	nr_waiting++;
	poll_later(GP_POLL_NS);
	wait_event(gp_waiters, gp_over(gp));
	nr_waiting--;
}

void synchronize_rcu_expedited(void)
{
	synchronize_rcu();
}

/* --- callbacks --------------------------------------------------------- */

/** struct rcu_cb - what runs once @gp is over, as a soft interrupt */
struct rcu_cb {
	struct list_head list;
	struct rcu_head *head;
	rcu_callback_t func;
	void *ptr;
	u64 gp;
};

static LIST_HEAD(rcu_cbs);

static void rcu_queue(struct rcu_head *head, rcu_callback_t func, void *ptr)
{
	struct rcu_cb *cb =
		host_obj_alloc(sizeof(*cb), 8, MEM_SHIM, NULL, NULL);

	cb->head = head;
	cb->func = func;
	cb->ptr = ptr;
	cb->gp = gp_begin();
	/* The caller may be in a read section of the classic kind. */
	if (!sched_quiescent(sched_cpu(raw_smp_processor_id())) &&
	    !sched_cpu(raw_smp_processor_id())->rcu_need)
		sched_cpu(raw_smp_processor_id())->rcu_need = cb->gp;
	list_add_tail(&cb->list, &rcu_cbs);
	poll_later(0);
}

void call_rcu(struct rcu_head *head, rcu_callback_t func)
{
	rcu_queue(head, func, NULL);
}

#ifdef HAVE_KVFREE_CALL_RCU_PTR
void kvfree_call_rcu(struct rcu_head *head, void *ptr)
{
	if (!head) {
		synchronize_rcu();
		kvfree(ptr);
		return;
	}
	rcu_queue(head, NULL, ptr);
}
#else
/* Before 6.2 the callback is the offset of the head in its object. */
void kvfree_call_rcu(struct rcu_head *head, rcu_callback_t func)
{
	if (!head) {
		synchronize_rcu();
		kvfree((void *)func);
		return;
	}
	rcu_queue(head, NULL, (void *)head - (unsigned long)func);
}
#endif

static void call(struct rcu_cb *cb)
{
	rcu_lock_acquire(&rcu_callback_map);
	if (cb->func)
		cb->func(cb->head);
	else
		kvfree(cb->ptr);
	rcu_lock_release(&rcu_callback_map);
	host_obj_free(cb, MEM_SHIM, NULL);
}

/* Return: whether some have to wait on. */
static bool run_callbacks(void)
{
	struct rcu_cb *cb, *last;

	if (list_empty(&rcu_cbs))
		return false;
	/* Not those that the callbacks queue themselves. */
	last = list_last_entry(&rcu_cbs, struct rcu_cb, list);
	do {
		cb = list_first_entry(&rcu_cbs, struct rcu_cb, list);
		if (!gp_over(cb->gp))
			return true;
		list_del(&cb->list);
		call(cb);
	} while (cb != last);
	return !list_empty(&rcu_cbs);
}

void rcu_barrier(void)
{
	might_sleep();
	nr_waiting++;
	if (!list_empty(&rcu_cbs))
		poll_later(0);
	wait_event(gp_waiters, list_empty(&rcu_cbs));
	nr_waiting--;
}
