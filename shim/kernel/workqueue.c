// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work queues: items run in order on worker tasks of their own, at most
 * max_active of a queue at a time, never one item twice at once. Knows tasks;
 * nothing of arrays.
 *
 *	queue_work_on() --> pending (FIFO) --> running --> done
 *			    PENDING set	       PENDING cleared before the call
 */
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "probes.h"
#include "shim.h"

/** struct item - one queueing of one work */
struct item {
	struct list_head list; /* pending or running of its queue */
	struct work_struct *work;
	unsigned long seq;
	int cpu;
};

struct workqueue_struct {
	char name[32];
	struct list_head all, pending, running;
	int max_active, active;
	wait_queue_head_t done;
};

struct workqueue_struct *system_wq, *system_unbound_wq;
#ifdef HAVE_SYSTEM_PERCPU_WQ
struct workqueue_struct *system_percpu_wq;
#endif

static LIST_HEAD(queues);
static DECLARE_WAIT_QUEUE_HEAD(idle_workers);
static unsigned long next_seq;
static int nr_workers, nr_idle;

static bool is_running(struct work_struct *work)
{
	struct workqueue_struct *wq;
	struct item *it;

	list_for_each_entry (wq, &queues, all)
		list_for_each_entry (it, &wq->running, list)
			if (it->work == work)
				return true;
	return false;
}

/* The oldest item that may start now, moved to running; NULL if none. */
static struct item *next_item(struct workqueue_struct **from)
{
	struct workqueue_struct *wq;
	struct item *it;

	list_for_each_entry (wq, &queues, all) {
		if (wq->active >= wq->max_active)
			continue;
		list_for_each_entry (it, &wq->pending, list) {
			if (is_running(it->work))
				continue;
			list_move_tail(&it->list, &wq->running);
			wq->active++;
			*from = wq;
			return it;
		}
	}
	return NULL;
}

static void run_item(struct workqueue_struct *wq, struct item *it)
{
	work_func_t func = it->work->func;

	if (it->cpu != WORK_CPU_UNBOUND && cpu_online(it->cpu))
		shim_run_on(it->cpu);
	else
		shim_run_on(cpumask_first(cpu_online_mask));
	/* As set_work_pool_and_clear_pending(): the item may be queued again
	 * or freed by its own function from here on. */
	clear_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(it->work));
	func(it->work);
	if (in_atomic() || irqs_disabled())
		finding_add(FINDING_LOCK_IMBALANCE, (void *)func,
			    "work returned with preempt_count %d",
			    preempt_count());
	list_del(&it->list);
	host_obj_free(it, MEM_SHIM, NULL);
	wq->active--;
	wake_up_all(&wq->done);
}

static void wait_for_work(void)
{
	DEFINE_WAIT(wait);

	prepare_to_wait_exclusive(&idle_workers, &wait, TASK_IDLE);
	schedule();
	finish_wait(&idle_workers, &wait);
}

static int worker(void *unused)
{
	struct workqueue_struct *wq;
	struct item *it;

	for (;;) {
		it = next_item(&wq);
		if (it) {
			run_item(wq, it);
			continue;
		}
		nr_idle++;
		wait_for_work();
	}
	return 0;
}

static void kick(void)
{
	struct task_struct *t;

	if (nr_idle) {
		nr_idle--;
		wake_up_nr(&idle_workers, 1);
		return;
	}
	t = kthread_create_on_node(worker, NULL, NUMA_NO_NODE, "kworker/%d",
				   nr_workers++);
	if (!IS_ERR(t))
		wake_up_process(t);
}

bool queue_work_on(int cpu, struct workqueue_struct *wq,
		   struct work_struct *work)
{
	struct item *it;

	if (test_and_set_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(work)))
		return false;
	/* kernel/workqueue.c: an item without a function is a bug. */
	WARN_ON_ONCE(!work->func);
	it = host_obj_alloc(sizeof(*it), 8, MEM_SHIM, NULL, NULL);
	it->work = work;
	it->seq = next_seq++;
	it->cpu = cpu;
	list_add_tail(&it->list, &wq->pending);
	kick();
	return true;
}

static bool older_left(struct workqueue_struct *wq, unsigned long seq)
{
	struct item *it;

	list_for_each_entry (it, &wq->pending, list)
		if (it->seq < seq)
			return true;
	list_for_each_entry (it, &wq->running, list)
		if (it->seq < seq)
			return true;
	return false;
}

void __flush_workqueue(struct workqueue_struct *wq)
{
	unsigned long seq = next_seq;

	might_sleep();
	wait_event(wq->done, !older_left(wq, seq));
}

static struct workqueue_struct *queue_of(struct work_struct *work)
{
	struct workqueue_struct *wq;
	struct item *it;

	list_for_each_entry (wq, &queues, all) {
		list_for_each_entry (it, &wq->pending, list)
			if (it->work == work)
				return wq;
		list_for_each_entry (it, &wq->running, list)
			if (it->work == work)
				return wq;
	}
	return NULL;
}

bool flush_work(struct work_struct *work)
{
	struct workqueue_struct *wq = queue_of(work);
	struct item *it;
	unsigned long seq = 0;

	might_sleep();
	if (!wq)
		return false;
	list_for_each_entry (it, &wq->running, list)
		if (it->work == work)
			seq = it->seq + 1;
	list_for_each_entry (it, &wq->pending, list)
		if (it->work == work)
			seq = it->seq + 1;
	/* Older items of the queue may go first: they are in front of it. */
	wait_event(wq->done, queue_of(work) != wq || !older_left(wq, seq));
	return true;
}

static struct workqueue_struct *wq_new(const char *name, int max_active)
{
	struct workqueue_struct *wq =
		host_obj_alloc(sizeof(*wq), 8, MEM_SHIM, NULL, NULL);

	memset(wq, 0, sizeof(*wq));
	strscpy(wq->name, name, sizeof(wq->name));
	INIT_LIST_HEAD(&wq->pending);
	INIT_LIST_HEAD(&wq->running);
	init_waitqueue_head(&wq->done);
	wq->max_active = max_active ?: WQ_DFL_ACTIVE;
	list_add_tail(&wq->all, &queues);
	return wq;
}

struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags,
					 int max_active, ...)
{
	char name[32];
	va_list args;

	if (shim_fail_allocs)
		return NULL;
	va_start(args, max_active);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	return wq_new(name, max_active);
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	__flush_workqueue(wq);
	list_del(&wq->all);
	host_obj_free(wq, MEM_SHIM, NULL);
}

void shim_workqueue_boot(void)
{
	system_wq = wq_new("events", 0);
	system_unbound_wq = wq_new("events_unbound", 0);
#ifdef HAVE_SYSTEM_PERCPU_WQ
	system_percpu_wq = system_wq;
#endif
}

unsigned int shim_works(struct workqueue_struct *only)
{
	struct workqueue_struct *wq;
	unsigned int n = 0;

	list_for_each_entry (wq, &queues, all)
		if (!only || wq == only)
			n += list_count_nodes(&wq->pending) +
			     list_count_nodes(&wq->running);
	return n;
}
