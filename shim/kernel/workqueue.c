// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work queues as kernel/workqueue.c runs them: a pool of workers for each CPU
 * (bound queues) and each node (unbound ones). A bound pool lets one worker
 * run at a time and starts another when that one waits; a queue has at most
 * max_active works of a pool started; one work never runs twice at once.
 * Knows tasks; nothing of arrays.
 *
 *	queue ─> pwq ─┬─ active ──> pool: [work][work] ──> worker: running
 *	              └─ inactive (beyond max_active), in order
 */
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "probes.h"
#include "sched.h"

/**
 * struct pool - workers that share works
 * @cpu:	of a bound pool, or -1
 * @node:	of an unbound one, or NUMA_NO_NODE
 * @works:	items that may start
 * @idle:	workers, the last to become idle first
 * @nr_running:	bound: workers that are on a CPU or could be
 */
struct pool {
	struct list_head all, works, idle;
	int cpu, node;
	int nr_running, nr_workers;
};

/**
 * struct pwq - a queue's works in one pool
 * @active:	works started or in the pool's list
 */
struct pwq {
	struct list_head list;
	struct workqueue_struct *wq;
	struct pool *pool;
	struct list_head inactive;
	int active;
};

/** struct item - one queueing of one work */
struct item {
	struct list_head list, of_queue;
	struct work_struct *work;
	struct pwq *pwq;
	unsigned long seq;
};

/**
 * struct worker - a task of a pool
 * @item:	what it runs, or NULL
 * @counted:	in the pool's nr_running
 * @slept:	it was, and waits inside its work
 */
struct worker {
	struct list_head idle, all;
	struct pool *pool;
	struct sim_task *st;
	struct item *item;
	bool counted, slept;
};

struct workqueue_struct {
	char name[32];
	unsigned int flags;
	int max_active;
	struct list_head all, pwqs, items;
	wait_queue_head_t done;
#ifdef CONFIG_LOCKDEP
	char lock_name[48];
	struct lock_class_key key;
	struct lockdep_map map;
#endif
};

struct workqueue_struct *system_wq, *system_unbound_wq;
#ifdef HAVE_SYSTEM_PERCPU_WQ
struct workqueue_struct *system_percpu_wq;
#endif

static LIST_HEAD(queues);
static LIST_HEAD(pools);
static LIST_HEAD(workers);
static unsigned long next_seq;
static unsigned int nr_running_works;

static void *new_object(size_t size)
{
	return memset(host_obj_alloc(size, 8, MEM_SHIM, NULL, NULL), 0, size);
}

static bool unbound(const struct workqueue_struct *wq)
{
	return wq->flags & WQ_UNBOUND;
}

/* --- pools ------------------------------------------------------------- */

static struct pool *pool_of(int cpu, int node)
{
	struct pool *p;

	list_for_each_entry (p, &pools, all)
		if (p->cpu == cpu && p->node == node)
			return p;
	p = new_object(sizeof(*p));
	INIT_LIST_HEAD(&p->works);
	INIT_LIST_HEAD(&p->idle);
	p->cpu = cpu;
	p->node = node;
	list_add_tail(&p->all, &pools);
	return p;
}

static struct worker *running(struct work_struct *work)
{
	struct worker *w;

	list_for_each_entry (w, &workers, all)
		if (w->item && w->item->work == work)
			return w;
	return NULL;
}

/* A work that runs is queued where it runs, so that it never runs twice. */
static struct pool *pool_for(int cpu, struct workqueue_struct *wq,
			     struct work_struct *work)
{
	struct worker *w = running(work);

	if (w && w->item->pwq->wq == wq)
		return w->pool;
	if (cpu == WORK_CPU_UNBOUND)
		cpu = raw_smp_processor_id();
	if (unbound(wq))
		return pool_of(-1, cpu_to_node(cpu));
	return pool_of(cpu, NUMA_NO_NODE);
}

static struct pwq *pwq_of(struct workqueue_struct *wq, struct pool *pool)
{
	struct pwq *pwq;

	list_for_each_entry (pwq, &wq->pwqs, list)
		if (pwq->pool == pool)
			return pwq;
	pwq = new_object(sizeof(*pwq));
	pwq->wq = wq;
	pwq->pool = pool;
	INIT_LIST_HEAD(&pwq->inactive);
	list_add_tail(&pwq->list, &wq->pwqs);
	return pwq;
}

/* --- workers ----------------------------------------------------------- */

static int worker_main(void *data);

static struct worker *new_worker(struct pool *p)
{
	struct worker *w = new_object(sizeof(*w));
	struct task_struct *t;
	int id = p->nr_workers++;

	if (p->cpu >= 0)
		t = kthread_create_on_node(worker_main, w, NUMA_NO_NODE,
					   "kworker/%d:%d", p->cpu, id);
	else
		t = kthread_create_on_node(worker_main, w, p->node,
					   "kworker/u%d:%d", p->node, id);
	if (IS_ERR(t)) {
		host_obj_free(w, MEM_SHIM, NULL);
		return NULL;
	}
	w->pool = p;
	w->st = sim_of(t);
	w->st->worker = w;
	w->st->node = p->node;
	w->st->pinned = p->cpu >= 0;
	list_add(&w->idle, &p->idle);
	list_add_tail(&w->all, &workers);
	return w;
}

/* A bound worker comes back to its CPU when that is online again. */
static void wake_worker(struct worker *w)
{
	if (w->pool->cpu >= 0 && cpu_online(w->pool->cpu) &&
	    READ_ONCE(w->st->t.__state) != TASK_RUNNING) {
		task_thread_info(&w->st->t)->cpu = w->pool->cpu;
		w->st->pinned = true;
	}
	wake_up_process(&w->st->t);
}

/* More workers are needed: works wait and, of a bound pool, nobody runs. */
static void kick(struct pool *p)
{
	struct worker *w;

	if (list_empty(&p->works) || (p->cpu >= 0 && p->nr_running))
		return;
	w = list_first_entry_or_null(&p->idle, struct worker, idle)
		    ?: new_worker(p);
	if (w)
		wake_worker(w);
}

static void count(struct worker *w, bool on)
{
	if (w->counted == on)
		return;
	w->counted = on;
	w->pool->nr_running += on ? 1 : -1;
}

void workqueue_sleeps(struct sim_task *st)
{
	struct worker *w = st->worker;

	if (!w->counted)
		return;
	count(w, false);
	w->slept = true;
	kick(w->pool);
}

void workqueue_runs(struct sim_task *st)
{
	struct worker *w = st->worker;

	if (!w->slept)
		return;
	w->slept = false;
	count(w, true);
}

static struct item *next_item(struct pool *p)
{
	struct item *it;

	list_for_each_entry (it, &p->works, list)
		if (!running(it->work))
			return it;
	return NULL;
}

static void item_done(struct item *it)
{
	struct pwq *pwq = it->pwq;
	struct item *next =
		list_first_entry_or_null(&pwq->inactive, struct item, list);

	list_del(&it->of_queue);
	host_obj_free(it, MEM_SHIM, NULL);
	if (next) {
		list_move_tail(&next->list, &pwq->pool->works);
		kick(pwq->pool);
	} else {
		pwq->active--;
	}
	wake_up_all(&pwq->wq->done);
}

/* --- what lockdep is told, as in kernel/workqueue.c -------------------- */

#ifdef CONFIG_LOCKDEP
static void map_init(struct workqueue_struct *wq)
{
	lockdep_register_key(&wq->key);
	snprintf(wq->lock_name, sizeof(wq->lock_name), "(wq_completion)%s",
		 wq->name);
	lockdep_init_map(&wq->map, wq->lock_name, &wq->key, 0);
}

static void map_free(struct workqueue_struct *wq)
{
	lockdep_unregister_key(&wq->key);
}

static void touch_queue(struct workqueue_struct *wq)
{
	lock_map_acquire(&wq->map);
	lock_map_release(&wq->map);
}

/* A single worker, or a rescuer, waits for the whole queue. */
static void touch_work(struct work_struct *work, struct workqueue_struct *wq)
{
	lock_map_acquire(&work->lockdep_map);
	lock_map_release(&work->lockdep_map);
	if (wq && (wq->max_active == 1 || (wq->flags & WQ_MEM_RECLAIM)))
		touch_queue(wq);
}

/* The work may be freed by its own function: a copy of its map is held. */
static void call_work(struct workqueue_struct *wq, struct work_struct *work,
		      work_func_t func)
{
	struct lockdep_map map;

	lockdep_copy_map(&map, &work->lockdep_map);
	lock_map_acquire(&wq->map);
	lock_map_acquire(&map);
	func(work);
	lock_map_release(&map);
	lock_map_release(&wq->map);
}
#else
static void map_init(struct workqueue_struct *wq)
{
}

static void map_free(struct workqueue_struct *wq)
{
}

static void touch_queue(struct workqueue_struct *wq)
{
}

static void touch_work(struct work_struct *work, struct workqueue_struct *wq)
{
}

static void call_work(struct workqueue_struct *wq, struct work_struct *work,
		      work_func_t func)
{
	func(work);
}
#endif

static void run_item(struct worker *w, struct item *it)
{
	work_func_t func = it->work->func;

	list_del_init(&it->list);
	w->item = it;
	count(w, !(it->pwq->wq->flags & WQ_CPU_INTENSIVE));
	kick(w->pool);
	/* As set_work_pool_and_clear_pending(): the item may be queued again
	 * or freed by its own function from here on. */
	clear_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(it->work));
	nr_running_works++;
	call_work(it->pwq->wq, it->work, func);
	lock_check_balance(0, 0, (void *)func + 1, "a work");
	nr_running_works--;
	count(w, true);
	w->item = NULL;
	item_done(it);
}

static void become_idle(struct worker *w)
{
	count(w, false);
	list_add(&w->idle, &w->pool->idle);
	__set_current_state(TASK_IDLE);
	schedule();
}

static bool may_keep_working(struct worker *w)
{
	return w->pool->cpu < 0 || w->pool->nr_running <= 1;
}

static int worker_main(void *data)
{
	struct worker *w = data;
	struct item *it;

	for (;;) {
		list_del_init(&w->idle);
		count(w, true);
		while (may_keep_working(w) && (it = next_item(w->pool)))
			run_item(w, it);
		become_idle(w);
	}
	return 0;
}

/* --- queueing ---------------------------------------------------------- */

bool queue_work_on(int cpu, struct workqueue_struct *wq,
		   struct work_struct *work)
{
	struct pwq *pwq;
	struct item *it;

	if (test_and_set_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(work)))
		return false;
	/* kernel/workqueue.c: an item without a function is a bug. */
	WARN_ON_ONCE(!work->func);
	pwq = pwq_of(wq, pool_for(cpu, wq, work));
	it = new_object(sizeof(*it));
	it->work = work;
	it->seq = next_seq++;
	it->pwq = pwq;
	list_add_tail(&it->of_queue, &wq->items);
	if (pwq->active >= wq->max_active) {
		list_add_tail(&it->list, &pwq->inactive);
		return true;
	}
	pwq->active++;
	list_add_tail(&it->list, &pwq->pool->works);
	kick(pwq->pool);
	return true;
}

static bool older_left(struct workqueue_struct *wq, unsigned long seq)
{
	struct item *it;

	list_for_each_entry (it, &wq->items, of_queue)
		if (it->seq < seq)
			return true;
	return false;
}

void __flush_workqueue(struct workqueue_struct *wq)
{
	unsigned long seq = next_seq;

	might_sleep();
	touch_queue(wq);
	wait_event(wq->done, !older_left(wq, seq));
}

/* The last queueing of @work that is not done. */
static struct item *find_item(struct work_struct *work)
{
	struct workqueue_struct *wq;
	struct item *it, *last = NULL;

	list_for_each_entry (wq, &queues, all)
		list_for_each_entry (it, &wq->items, of_queue)
			if (it->work == work)
				last = it;
	return last;
}

static bool item_left(struct workqueue_struct *wq, unsigned long seq)
{
	struct item *it;

	list_for_each_entry (it, &wq->items, of_queue)
		if (it->seq == seq)
			return true;
	return false;
}

bool flush_work(struct work_struct *work)
{
	struct item *it = find_item(work);
	struct workqueue_struct *wq;
	unsigned long seq;

	might_sleep();
	touch_work(work, it ? it->pwq->wq : NULL);
	if (!it)
		return false;
	wq = it->pwq->wq;
	seq = it->seq;
	wait_event(wq->done, !item_left(wq, seq));
	return true;
}

/* Take a work that has not started out of its queue. */
bool cancel_work(struct work_struct *work)
{
	struct item *it = find_item(work);

	if (!it || list_empty(&it->list))
		return false;
	list_del_init(&it->list);
	clear_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(work));
	item_done(it);
	return true;
}

bool cancel_work_sync(struct work_struct *work)
{
	bool was_pending = cancel_work(work);

	flush_work(work);
	return was_pending;
}

/* --- queues ------------------------------------------------------------ */

static struct workqueue_struct *wq_new(const char *name, unsigned int flags,
				       int max_active)
{
	struct workqueue_struct *wq = new_object(sizeof(*wq));

	strscpy(wq->name, name, sizeof(wq->name));
	INIT_LIST_HEAD(&wq->pwqs);
	INIT_LIST_HEAD(&wq->items);
	init_waitqueue_head(&wq->done);
	wq->flags = flags;
	wq->max_active = max_active ?: WQ_DFL_ACTIVE;
	map_init(wq);
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
	return wq_new(name, flags, max_active);
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	struct pwq *pwq, *next;

	while (!list_empty(&wq->items))
		__flush_workqueue(wq);
	list_for_each_entry_safe(pwq, next, &wq->pwqs, list)
		host_obj_free(pwq, MEM_SHIM, NULL);
	list_del(&wq->all);
	map_free(wq);
	host_obj_free(wq, MEM_SHIM, NULL);
}

void shim_workqueue_boot(void)
{
	system_wq = wq_new("events", 0, 0);
	system_unbound_wq = wq_new("events_unbound", WQ_UNBOUND, 0);
#ifdef HAVE_SYSTEM_PERCPU_WQ
	system_percpu_wq = system_wq;
#endif
}

unsigned int work_busy(struct work_struct *work)
{
	unsigned int busy = work_pending(work) ? WORK_BUSY_PENDING : 0;

	return running(work) ? busy | WORK_BUSY_RUNNING : busy;
}

bool workqueue_busy(void)
{
	return nr_running_works;
}

unsigned int shim_works(struct workqueue_struct *only)
{
	struct workqueue_struct *wq;
	unsigned int n = 0;

	list_for_each_entry (wq, &queues, all)
		if (!only || wq == only)
			n += list_count_nodes(&wq->items);
	return n;
}
