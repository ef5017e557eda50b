// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks, kernel threads, RCU and time of the simulated machine: the simple
 * scheduler. Tasks run in order and give way only where they block, so a run
 * has one schedule. A full scheduler replaces pick_next() and
 * shim_preempt_point() and nothing that calls them. Knows nothing of arrays.
 *
 *	run queue:  [next] -> [..] -> [last woken]
 *	schedule(): current -> tail (still running) or off (blocked);
 *		    head of the queue goes on; none: the next timer fires;
 *		    no timer: hang
 */
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/debug.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>
#include <linux/blkdev.h>
#include "probes.h"
#include "shim.h"

/**
 * struct sim_task - a task and what the shim keeps beside it
 * @t:		what the subject sees as current
 * @run:	link in the run queue, empty when it is not there
 * @all:	link in the list of all tasks, in order of creation
 */
struct sim_task {
	struct task_struct t;
	struct host_coro *coro;
	struct list_head run, all, timer;
	unsigned long expires;
	int (*fn)(void *data);
	void *data;
	int result;
	bool should_stop, should_park, dead;
	struct completion exited, parked_done;
};

struct task_struct *shim_current;
int shim_preempt_armed;

static LIST_HEAD(run_queue);
static LIST_HEAD(all_tasks);
static LIST_HEAD(timers);
static struct sim_task *init_sim_task;
static int next_pid = 1;
static bool picking; /* current gave the CPU away, nobody has it yet */

static bool rcu_run_callbacks(void);

static struct sim_task *sim_of(struct task_struct *t)
{
	return container_of(t, struct sim_task, t);
}

/* --- time -------------------------------------------------------------- */

unsigned long volatile jiffies = INITIAL_JIFFIES;
u64 jiffies_64 = INITIAL_JIFFIES;
static ktime_t now_ns;

#define TICK_NS (NSEC_PER_SEC / HZ)

/* jiffies follows the clock. */
static void advance(u64 ns)
{
	now_ns += ns;
	jiffies_64 = INITIAL_JIFFIES + div_u64(now_ns, TICK_NS);
	jiffies = jiffies_64;
}

static void advance_to(unsigned long when)
{
	if (time_before(jiffies, when))
		advance((u64)(when - jiffies) * TICK_NS);
}

/* Reading the clock takes time: a loop that waits for it to move ends. */
#define CLOCK_READ_NS 100

ktime_t ktime_get(void)
{
	advance(CLOCK_READ_NS);
	return now_ns;
}

/* --- tasks ------------------------------------------------------------- */

static struct sim_task *task_new(const char *name, unsigned int cpu)
{
	struct sim_task *st =
		host_obj_alloc(sizeof(*st), 64, MEM_SHIM, NULL, NULL);

	memset(st, 0, sizeof(*st));
	strscpy(st->t.comm, name, sizeof(st->t.comm));
	st->t.pid = next_pid++;
	st->t.tgid = st->t.pid;
	st->t.flags = PF_KTHREAD;
	st->t.prio = st->t.static_prio = st->t.normal_prio = DEFAULT_PRIO;
	task_thread_info(&st->t)->cpu = cpu;
	refcount_set(&st->t.usage, 2);
	spin_lock_init(&st->t.alloc_lock);
	raw_spin_lock_init(&st->t.pi_lock);
	INIT_LIST_HEAD(&st->t.tasks);
	INIT_LIST_HEAD(&st->t.rcu_node_entry);
	st->t.wake_q.next = NULL;
	INIT_LIST_HEAD(&st->run);
	INIT_LIST_HEAD(&st->timer);
	init_completion(&st->exited);
	init_completion(&st->parked_done);
	list_add_tail(&st->all, &all_tasks);
	return st;
}

static void task_free(struct sim_task *st)
{
	list_del(&st->all);
	host_coro_free(st->coro);
	host_obj_free(st, MEM_SHIM, NULL);
}

/**
 * shim_task_boot - make the task that drives the run: the first one
 * @cpu: the CPU it is on
 */
void shim_task_boot(unsigned int cpu)
{
	init_sim_task = task_new("init", cpu);
	init_sim_task->coro = host_coro_self();
	shim_current = &init_sim_task->t;
}

void shim_run_on(unsigned int cpu)
{
	task_thread_info(current)->cpu = cpu;
}

static const char *state_name(struct sim_task *st)
{
	if (st->dead)
		return "dead";
	if (READ_ONCE(st->t.__state) == TASK_RUNNING)
		return "running";
	if (READ_ONCE(st->t.__state) & TASK_INTERRUPTIBLE)
		return "sleeping";
	return "blocked";
}

/* Waiting for work, as threads do when all is well. */
static bool is_asleep(struct sim_task *st)
{
	unsigned int state = READ_ONCE(st->t.__state);

	return state == TASK_INTERRUPTIBLE || state == TASK_IDLE;
}

static __noreturn void hang(const char *why)
{
	char text[200] = "";
	struct sim_task *st;
	int n = 0;

	list_for_each_entry (st, &all_tasks, all)
		if (!st->dead && !is_asleep(st) && n < (int)sizeof(text))
			n += scnprintf(text + n, sizeof(text) - n, " %s:%s",
				       st->t.comm, state_name(st));
	finding_fatal(FINDING_HANG, NULL, "%s; tasks:%s", why, text);
}

static bool fire_next_timer(void)
{
	struct sim_task *st;

	if (list_empty(&timers))
		return false;
	st = list_first_entry(&timers, struct sim_task, timer);
	list_del_init(&st->timer);
	advance_to(st->expires);
	wake_up_process(&st->t);
	return true;
}

/* --- events ------------------------------------------------------------ */

static LIST_HEAD(events);

void shim_event_start(struct shim_event *e, u64 ns)
{
	struct shim_event *at;

	e->when = now_ns + ns;
	e->pending = true;
	list_for_each_entry (at, &events, node)
		if (e->when < at->when)
			break;
	list_add_tail(&e->node, &at->node);
}

bool shim_event_cancel(struct shim_event *e)
{
	if (!e->pending)
		return false;
	e->pending = false;
	list_del(&e->node);
	return true;
}

static bool fire_next_event(void)
{
	struct shim_event *e;

	if (list_empty(&events))
		return false;
	e = list_first_entry(&events, struct shim_event, node);
	shim_event_cancel(e);
	if (e->when > now_ns)
		advance(e->when - now_ns);
	shim_irqs_off[raw_smp_processor_id()]++;
	preempt_count_add(HARDIRQ_OFFSET);
	e->fn(e);
	preempt_count_sub(HARDIRQ_OFFSET);
	shim_irqs_off[raw_smp_processor_id()]--;
	return true;
}

unsigned int shim_choose(unsigned int alternatives)
{
	return 0;
}

void shim_trace(u64 what)
{
}

u64 shim_now(void)
{
	return now_ns;
}

/* Nothing can run: a grace period ends, or else time passes. */
static bool make_runnable(void)
{
	if (rcu_run_callbacks())
		return true;
	if (fire_next_event())
		return true;
	return fire_next_timer();
}

static struct sim_task *pick_next(void)
{
	struct sim_task *st;

	picking = true;
	while (list_empty(&run_queue))
		if (!make_runnable())
			hang("no task can run and no timer is set");
	picking = false;
	st = list_first_entry(&run_queue, struct sim_task, run);
	list_del_init(&st->run);
	return st;
}

static void switch_to_next(void)
{
	struct sim_task *me = sim_of(current), *next = pick_next();

	if (next == me)
		return;
	shim_current = &next->t;
	host_coro_switch(next->coro);
	/* We are back: whoever switched to us set shim_current. */
}

static void check_may_sleep(void)
{
	int count = preempt_count();

	if (count || shim_irqs_off[raw_smp_processor_id()])
		finding_add(FINDING_SLEEP_IN_ATOMIC, NULL,
			    "schedule() with preempt_count %d, interrupts %s",
			    count,
			    shim_irqs_off[raw_smp_processor_id()] ? "off"
								  : "on");
}

/**
 * schedule - give the CPU away; blocks when the task's state says so
 */
void schedule(void)
{
	struct sim_task *me = sim_of(current);

	check_may_sleep();
	if (READ_ONCE(me->t.__state) == TASK_RUNNING)
		list_add_tail(&me->run, &run_queue);
	else if (me->t.plug)
		__blk_flush_plug(me->t.plug, true);
	/* A wake-up during the flush has made us runnable again. */
	if (READ_ONCE(me->t.__state) == TASK_RUNNING && list_empty(&me->run))
		list_add_tail(&me->run, &run_queue);
	switch_to_next();
}

void schedule_preempt_disabled(void)
{
	preempt_enable_no_resched();
	schedule();
	preempt_disable();
}

/* Others go on; we stay runnable. A preemption, so no state is looked at. */
static bool yield_to_others(void)
{
	struct sim_task *me = sim_of(current);

	if (list_empty(&run_queue) && !make_runnable())
		return false;
	if (list_empty(&run_queue))
		return true;
	list_add_tail(&me->run, &run_queue);
	switch_to_next();
	return true;
}

void preempt_schedule(void)
{
	yield_to_others();
}

void shim_preempt_point(void)
{
	yield_to_others();
}

/* How often a lone CPU may go round a waiting loop before it is a hang. */
#define RELAX_NS 100
#define RELAX_LONE_MAX (10 * NSEC_PER_SEC / RELAX_NS)

void cpu_relax(void)
{
	static u64 lone;

	advance(RELAX_NS);
	if (yield_to_others())
		lone = 0;
	else if (++lone > RELAX_LONE_MAX)
		hang("a loop waits for what nobody does");
}

void shim_spin_wait(const volatile void *word)
{
	if (!yield_to_others())
		hang("a spin lock is taken that nobody can release");
}

unsigned int shim_lock_owner(void)
{
	return raw_smp_processor_id() + 1;
}

int try_to_wake_up(struct task_struct *p, unsigned int state, int wake_flags)
{
	struct sim_task *st = sim_of(p);

	if (!(READ_ONCE(p->__state) & state))
		return 0;
	WRITE_ONCE(p->__state, TASK_RUNNING);
	/* current is on no queue until it has been switched away from. */
	if ((p != current || picking) && list_empty(&st->run))
		list_add_tail(&st->run, &run_queue);
	return 1;
}

int wake_up_process(struct task_struct *sleeper)
{
	return try_to_wake_up(sleeper, TASK_NORMAL, 0);
}

int wake_up_state(struct task_struct *p, unsigned int state)
{
	return try_to_wake_up(p, state, 0);
}

int default_wake_function(wait_queue_entry_t *curr, unsigned int mode,
			  int wake_flags, void *key)
{
	return try_to_wake_up(curr->private, mode, wake_flags);
}

/* kernel/sched/core.c: a list of tasks to wake once a lock is dropped. */
void wake_q_add(struct wake_q_head *head, struct task_struct *task)
{
	struct wake_q_node *node = &task->wake_q;

	if (node->next)
		return;
	node->next = WAKE_Q_TAIL;
	*head->lastp = node;
	head->lastp = &node->next;
}

void wake_up_q(struct wake_q_head *head)
{
	struct wake_q_node *node = head->first, *next;

	while (node != WAKE_Q_TAIL) {
		next = node->next;
		node->next = NULL;
		wake_up_process(container_of(node, struct task_struct, wake_q));
		node = next;
	}
}

static void timer_add(struct sim_task *me, unsigned long expires)
{
	struct sim_task *at;

	me->expires = expires;
	list_for_each_entry (at, &timers, timer)
		if (time_before(expires, at->expires))
			break;
	list_add_tail(&me->timer, &at->timer);
}

signed long schedule_timeout(signed long timeout)
{
	struct sim_task *me = sim_of(current);
	unsigned long expires = timeout + jiffies;

	if (timeout == MAX_SCHEDULE_TIMEOUT) {
		schedule();
		return timeout;
	}
	WARN(timeout < 0, "schedule_timeout: wrong timeout value %lx\n",
	     timeout);
	timer_add(me, expires);
	schedule();
	list_del_init(&me->timer);
	timeout = expires - jiffies;
	return timeout < 0 ? 0 : timeout;
}

signed long schedule_timeout_uninterruptible(signed long timeout)
{
	__set_current_state(TASK_UNINTERRUPTIBLE);
	return schedule_timeout(timeout);
}

signed long schedule_timeout_interruptible(signed long timeout)
{
	__set_current_state(TASK_INTERRUPTIBLE);
	return schedule_timeout(timeout);
}

int io_schedule_prepare(void)
{
	int old = current->in_iowait;

	current->in_iowait = 1;
	return old;
}

void io_schedule_finish(int token)
{
	current->in_iowait = token;
}

void io_schedule(void)
{
	int token = io_schedule_prepare();

	schedule();
	io_schedule_finish(token);
}

long io_schedule_timeout(long timeout)
{
	int token = io_schedule_prepare();
	long ret = schedule_timeout(timeout);

	io_schedule_finish(token);
	return ret;
}

void __local_bh_enable_ip(unsigned long ip, unsigned int cnt)
{
	preempt_count_sub(cnt);
}

/**
 * kern_run_idle - let every task run until none can; time stands still
 */
void kern_run_idle(void)
{
	do {
		while (!list_empty(&run_queue))
			yield_to_others();
		rcu_run_callbacks();
		while (list_empty(&run_queue) && fire_next_event())
			;
	} while (!list_empty(&run_queue));
}

/* --- kernel threads ---------------------------------------------------- */

static void task_entry(void *arg)
{
	struct sim_task *st = arg;

	/* As kthread(): one that is stopped before it ran does not start. */
	st->result = -EINTR;
	if (!st->should_stop)
		st->result = st->fn(st->data);
	st->dead = true;
	complete_all(&st->exited);
	WRITE_ONCE(st->t.__state, TASK_DEAD);
	switch_to_next();
	host_panic("a dead task ran");
}

struct task_struct *kthread_create_on_node(int (*body)(void *data), void *data,
					   int node, const char format[], ...)
{
	char name[TASK_COMM_LEN];
	struct sim_task *st;
	va_list args;

	if (shim_fail_allocs)
		return ERR_PTR(-ENOMEM);
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	st = task_new(name, raw_smp_processor_id());
	st->fn = body;
	st->data = data;
	st->coro = host_coro_new(task_entry, st);
	WRITE_ONCE(st->t.__state, TASK_UNINTERRUPTIBLE);
	return &st->t;
}

bool kthread_should_stop(void)
{
	return sim_of(current)->should_stop;
}

bool kthread_should_park(void)
{
	return sim_of(current)->should_park;
}

bool kthread_should_stop_or_park(void)
{
	return kthread_should_stop() || kthread_should_park();
}

int kthread_stop(struct task_struct *k)
{
	struct sim_task *st = sim_of(k);
	int ret;

	st->should_stop = true;
	kthread_unpark(k);
	wake_up_process(k);
	wait_for_completion(&st->exited);
	ret = st->result;
	task_free(st);
	return ret;
}

int kthread_park(struct task_struct *k)
{
	struct sim_task *st = sim_of(k);

	if (st->dead)
		return -ENOSYS;
	if (st->should_park)
		return -EBUSY;
	st->should_park = true;
	reinit_completion(&st->parked_done);
	if (k != current) {
		wake_up_process(k);
		wait_for_completion(&st->parked_done);
	}
	return 0;
}

void kthread_unpark(struct task_struct *k)
{
	struct sim_task *st = sim_of(k);

	if (!st->should_park)
		return;
	st->should_park = false;
	wake_up_state(k, TASK_PARKED);
}

void kthread_parkme(void)
{
	struct sim_task *st = sim_of(current);

	while (st->should_park) {
		set_current_state(TASK_PARKED);
		complete(&st->parked_done);
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* --- RCU --------------------------------------------------------------- */

/*
 * A reader counts in its task; a grace period is over when no task is
 * inside a read section. Callbacks run when the machine is idle or somebody
 * waits for a grace period.
 */
struct rcu_cb {
	struct list_head list;
	struct rcu_head *head;
	rcu_callback_t func;
	void *ptr;
};

static LIST_HEAD(rcu_cbs);

void __rcu_read_lock(void)
{
	current->rcu_read_lock_nesting++;
}

void __rcu_read_unlock(void)
{
	WARN(--current->rcu_read_lock_nesting < 0,
	     "rcu_read_unlock() without rcu_read_lock()\n");
}

static bool rcu_reader(void)
{
	struct sim_task *st;

	list_for_each_entry (st, &all_tasks, all)
		if (st->t.rcu_read_lock_nesting > 0)
			return true;
	return false;
}

void synchronize_rcu(void)
{
	if (current->rcu_read_lock_nesting)
		hang("synchronize_rcu() in a read section");
	while (rcu_reader())
		if (!yield_to_others())
			hang("synchronize_rcu() waits for a reader");
	rcu_run_callbacks();
}

static void rcu_queue(struct rcu_head *head, rcu_callback_t func, void *ptr)
{
	struct rcu_cb *cb =
		host_obj_alloc(sizeof(*cb), 8, MEM_SHIM, NULL, NULL);

	cb->head = head;
	cb->func = func;
	cb->ptr = ptr;
	list_add_tail(&cb->list, &rcu_cbs);
}

void call_rcu(struct rcu_head *head, rcu_callback_t func)
{
	rcu_queue(head, func, NULL);
}

#ifdef HAVE_KVFREE_CALL_RCU_PTR
void kvfree_call_rcu(struct rcu_head *head, void *ptr)
{
	if (!head)
		synchronize_rcu();
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

/* Return: whether any ran. */
static bool rcu_run_callbacks(void)
{
	bool ran = false;
	struct rcu_cb *cb;

	while (!list_empty(&rcu_cbs) && !rcu_reader()) {
		cb = list_first_entry(&rcu_cbs, struct rcu_cb, list);
		list_del(&cb->list);
		if (cb->func)
			cb->func(cb->head);
		else
			kvfree(cb->ptr);
		host_obj_free(cb, MEM_SHIM, NULL);
		ran = true;
	}
	return ran;
}

void rcu_barrier(void)
{
	while (!list_empty(&rcu_cbs)) {
		synchronize_rcu();
	}
}
