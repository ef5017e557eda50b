// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler: which task is on which simulated CPU, and which of them the
 * one host thread plays. A CPU whose task waits takes the next of its queue;
 * at a preemption point the host may go on with any other CPU, and an
 * interrupt may come to any CPU that has them enabled. Who it is in the end
 * is decided in sched-choose.c. Knows nothing of arrays.
 *
 *	CPU 0   curr ---- queue: [next] -> [..] -> [last woken]
 *	CPU 5   curr (spins on a word: no alternative until that changes)
 *	CPU 7   idle ---- event: its idle task is interrupted
 *	        alternatives of a choice: events that are due, the running
 *	        task, then one for each CPU of the list of active ones
 */
#include <linux/blkdev.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sched/debug.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/string.h>
#include <linux/wait.h>
#include "sched.h"

/* Who makes the first task. */
static struct sim_task boot_task;
struct task_struct *shim_current = &boot_task.t;
unsigned int shim_preempt_armed;

LIST_HEAD(sched_tasks);
LIST_HEAD(sched_active);
static struct sim_cpu cpus[NR_CPUS];
static struct sim_task *init_sim_task;
static struct sim_task *idle_waiter; /* in kern_run_idle() */
static int next_pid = 1;

/* What a preemption point takes: time must move where nothing waits for it. */
#define POINT_NS 20
/* A task that others wait beside goes behind them after so many points. */
#define SLICE_POINTS 20000
static unsigned int points_in_a_row;

/* --- tasks and CPUs ---------------------------------------------------- */

struct sim_cpu *sched_cpu(unsigned int id)
{
	struct sim_cpu *c = &cpus[id];

	if (!c->queue.next) {
		c->id = id;
		INIT_LIST_HEAD(&c->queue);
		INIT_LIST_HEAD(&c->active);
	}
	return c;
}

static struct sim_cpu *cpu_of(struct sim_task *st)
{
	return sched_cpu(task_cpu(&st->t));
}

static bool cpu_is_idle(struct sim_cpu *c)
{
	return !c->curr && list_empty(&c->queue);
}

/* On the list of active CPUs or not, as its tasks are. */
static void cpu_note(struct sim_cpu *c)
{
	bool listed = !list_empty(&c->active);

	if (cpu_is_idle(c) == !listed)
		return;
	if (listed)
		list_del_init(&c->active);
	else
		list_add_tail(&c->active, &sched_active);
}

static void enqueue(struct sim_cpu *c, struct sim_task *st)
{
	task_thread_info(&st->t)->cpu = c->id;
	list_add_tail(&st->queue, &c->queue);
	cpu_note(c);
}

static void leave_cpu(struct sim_cpu *c)
{
	c->curr = NULL;
	cpu_note(c);
	rcu_cpu_passed(c);
}

/* kernel/fork.c: a new task has soft interrupts on and holds nothing. */
static void trace_init(struct task_struct *t)
{
#ifdef CONFIG_TRACE_IRQFLAGS
	t->softirqs_enabled = 1;
#endif
	lockdep_init_task(t);
}

struct sim_task *sched_task_new(const char *name, unsigned int cpu)
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
	refcount_set(&st->t.usage, 1);
	trace_init(&st->t);
	spin_lock_init(&st->t.alloc_lock);
	raw_spin_lock_init(&st->t.pi_lock);
	INIT_LIST_HEAD(&st->t.tasks);
	INIT_LIST_HEAD(&st->t.rcu_node_entry);
	INIT_LIST_HEAD(&st->queue);
	init_completion(&st->exited);
	init_completion(&st->parked_done);
	st->node = NUMA_NO_NODE;
	st->prio = choose_prio();
	list_add_tail(&st->all, &sched_tasks);
	return st;
}

void sched_task_free(struct sim_task *st)
{
	list_del(&st->all);
	lock_check_forget(st);
	host_coro_free(st->coro);
	put_task_struct(&st->t);
}

/* The last reference to a task that has exited; a waker may have it. */
void __put_task_struct(struct task_struct *t)
{
	host_obj_free(sim_of(t), MEM_SHIM, NULL);
}

/**
 * shim_task_boot - make the task that drives the run: the first one
 * @cpu: the CPU it is on
 */
void shim_task_boot(unsigned int cpu)
{
	struct sim_cpu *c = sched_cpu(cpu);

	task_thread_info(&boot_task.t)->cpu = cpu;
	trace_init(&boot_task.t);
	init_sim_task = sched_task_new("init", cpu);
	init_sim_task->coro = host_coro_self();
	init_sim_task->pinned = true;
	c->curr = init_sim_task;
	cpu_note(c);
	shim_current = &init_sim_task->t;
	shim_preempt_armed = POINT_LOCKS;
}

/* --- hang -------------------------------------------------------------- */

static const char *state_name(struct sim_task *st)
{
	struct sim_cpu *c = cpu_of(st);

	if (c->curr == st && c->spin)
		return "spinning";
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

	return state == TASK_INTERRUPTIBLE || state == TASK_IDLE ||
	       state == TASK_PARKED;
}

/* "md0_raid5 blocked in raid5_quiesce():8123", as much as there is room. */
static int describe(struct sim_task *st, char *text, int size)
{
	struct place p;

	if (!host_coro_place(st->coro, &p) || !p.function[0])
		return scnprintf(text, size, " %s %s,", st->t.comm,
				 state_name(st));
	return scnprintf(text, size, " %s %s in %s():%u,", st->t.comm,
			 state_name(st), p.function, p.line);
}

void sched_hang(const char *why)
{
	char text[240] = "";
	struct sim_task *st;
	int n = 0;

	list_for_each_entry (st, &sched_tasks, all)
		if (!st->dead && !st->idle && !is_asleep(st))
			n += describe(st, text + n, sizeof(text) - n);
	if (n)
		text[n - 1] = 0;
	finding_fatal(FINDING_HANG, NULL, "%s;%s", why, text);
}

/* --- interrupts -------------------------------------------------------- */

static unsigned int event_cpu(const struct shim_event *e)
{
	return cpu_online(e->cpu) ? e->cpu : cpumask_first(cpu_online_mask);
}

static bool may_interrupt(struct sim_cpu *c, const struct shim_event *e)
{
	int count;

	if (c->deliver || shim_irqs_off[c->id])
		return false;
	if (!c->curr || !e->soft)
		return true;
	count = task_thread_info(&c->curr->t)->preempt_count;
	return !(count & (SOFTIRQ_MASK | HARDIRQ_MASK));
}

#ifndef CONFIG_TRACE_IRQFLAGS
#define lockdep_softirqs_on	NULL
#define lockdep_softirqs_off	NULL
#endif

/* Lockdep hears of soft interrupts with hard ones off. */
static void trace_soft(void (*trace)(unsigned long ip), unsigned long ip)
{
	if (!trace)
		return;
	shim_irq_set_quietly(1);
	lockdep_hardirqs_off(ip);
	trace(ip);
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(ip);
	shim_irq_set_quietly(0);
}

/* kernel/softirq.c: handle_softirqs(), with what it tells lockdep. */
static void call_soft(struct shim_event *e)
{
	preempt_count_add(SOFTIRQ_OFFSET);
	trace_soft(lockdep_softirqs_off, _THIS_IP_);
	lockdep_softirq_enter();
	e->fn(e);
	lockdep_softirq_exit();
	trace_soft(lockdep_softirqs_on, _THIS_IP_);
	preempt_count_sub(SOFTIRQ_OFFSET);
}

/* kernel/entry/common.c and __irq_enter() of linux/hardirq.h. */
static void call_hard(struct sim_cpu *c, struct shim_event *e)
{
	lock_irq_set(c->id, true);
	lockdep_hardirqs_off(_THIS_IP_);
	preempt_count_add(HARDIRQ_OFFSET);
	lockdep_hardirq_enter();
	/* kernel/irq/handle.c: a disk's handler may be a thread elsewhere. */
	if (e->io)
		lockdep_hardirq_threaded();
	e->fn(e);
	lockdep_hardirq_exit();
	preempt_count_sub(HARDIRQ_OFFSET);
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(_THIS_IP_);
	lock_irq_set(c->id, false);
}

/* On the interrupted task's stack; what it spun on is looked at again then. */
static void interrupted(struct sim_cpu *c)
{
	const volatile u32 *spin = c->spin;
	struct shim_event *e = c->deliver;
	void (*fn)(struct shim_event * e) = e->fn;
	unsigned int level = lock_check_level();
	int count = preempt_count();

	c->deliver = NULL;
	c->spin = NULL;
	choose_count_interrupt(e);
	if (e->soft)
		call_soft(e);
	else
		call_hard(c, e);
	c->spin = spin;
	lock_check_balance(level, count, (void *)fn + 1, "an interrupt");
}

/* --- who could go on --------------------------------------------------- */

#define ALTERNATIVES   48
#define EVENTS_AT_ONCE 8

static unsigned int add(struct alternative *alt, unsigned int n, int go,
			struct sim_cpu *cpu, struct shim_event *e)
{
	if (n < ALTERNATIVES)
		alt[n++] = (struct alternative){go, cpu, e};
	return n;
}

static unsigned int add_events(struct alternative *alt)
{
	struct shim_event *e;
	struct sim_cpu *c;
	unsigned int n = 0;

	if (time_next_event > shim_now())
		return 0;
	list_for_each_entry (e, &time_events, node) {
		if (e->when > shim_now() || n == EVENTS_AT_ONCE)
			break;
		c = sched_cpu(event_cpu(e));
		if (may_interrupt(c, e))
			n = add(alt, n, GO_EVENT, c, e);
	}
	return n;
}

static bool stuck(const struct sim_cpu *c)
{
	return c->spin && *c->spin == c->spin_seen;
}

static bool can_preempt(struct sim_cpu *c)
{
	return !task_thread_info(&c->curr->t)->preempt_count &&
	       !shim_irqs_off[c->id];
}

static unsigned int add_cpu(struct alternative *alt, unsigned int n,
			    struct sim_cpu *c, struct sim_cpu *own)
{
	if (c != own && c->curr && !stuck(c))
		return add(alt, n, GO_CURR, c, NULL);
	if (!list_empty(&c->queue) &&
	    (!c->curr || (c == own && can_preempt(c))))
		return add(alt, n, GO_QUEUE, c, NULL);
	return n;
}

static unsigned int alternatives(struct sim_cpu *own, bool may_go_on,
				 struct alternative *alt)
{
	bool last = points_in_a_row > SLICE_POINTS;
	unsigned int n = add_events(alt);
	struct sim_cpu *c;

	if (may_go_on && !last)
		n = add(alt, n, GO_ON, own, NULL);
	list_for_each_entry (c, &sched_active, active)
		n = add_cpu(alt, n, c, own);
	if (may_go_on && last)
		n = add(alt, n, GO_ON, own, NULL);
	return n;
}

/* --- going on ---------------------------------------------------------- */

static void play(struct sim_task *next)
{
	struct sim_task *me = sim_of(current);
	struct sim_cpu *c;

	points_in_a_row = 0;
	if (next != me) {
		choose_count_switch(next);
		shim_current = &next->t;
		host_coro_switch(next->coro);
		/* We are back: whoever switched to us set shim_current. */
	}
	c = cpu_of(me);
	if (c->deliver && c->curr == me)
		interrupted(c);
}

static void idle_main(void *arg);

static struct sim_task *idle_task_of(struct sim_cpu *c)
{
	char name[TASK_COMM_LEN];

	if (!c->idle) {
		snprintf(name, sizeof(name), "swapper/%u", c->id);
		c->idle = sched_task_new(name, c->id);
		c->idle->idle = true;
		c->idle->coro = host_coro_new(idle_main, c);
	}
	return c->idle;
}

static void take_event(struct sim_cpu *c, struct shim_event *e)
{
	time_take(e);
	c->deliver = e;
	if (!c->curr) {
		c->curr = idle_task_of(c);
		cpu_note(c);
	}
	play(c->curr);
}

/* The first of the queue gets the CPU; who had it goes to the end. */
static void take_queue(struct sim_cpu *c)
{
	struct sim_task *next =
		list_first_entry(&c->queue, struct sim_task, queue);

	list_del_init(&next->queue);
	if (c->curr)
		list_add_tail(&c->curr->queue, &c->queue);
	c->curr = next;
	cpu_note(c);
	rcu_cpu_passed(c);
	play(next);
}

static void take(const struct alternative *a)
{
	switch (a->go) {
	case GO_ON:
		return;
	case GO_EVENT:
		return take_event(a->cpu, a->event);
	case GO_QUEUE:
		return take_queue(a->cpu);
	case GO_CURR:
		return play(a->cpu->curr);
	}
}

/* --- nothing can run --------------------------------------------------- */

/* So long may nothing but timers come while somebody waits for more. */
#define QUIET_MAX_NS (600ULL * NSEC_PER_SEC)
static u64 quiet_ns;

static struct shim_event *next_deliverable(void)
{
	struct shim_event *e;

	list_for_each_entry (e, &time_events, node)
		if (may_interrupt(sched_cpu(event_cpu(e)), e))
			return e;
	return NULL;
}

static void pass_time(struct shim_event *e)
{
	u64 ns = e->when > shim_now() ? e->when - shim_now() : 0;

	quiet_ns = e->io ? 0 : quiet_ns + ns;
	if (quiet_ns > QUIET_MAX_NS)
		sched_hang("nothing but timers for 600 s");
	time_advance(ns);
}

static bool wake_idle_waiter(void)
{
	struct sim_task *st = idle_waiter;

	if (!st || time_io_events)
		return false;
	idle_waiter = NULL;
	WRITE_ONCE(st->t.__state, TASK_RUNNING);
	enqueue(cpu_of(st), st);
	return true;
}

static void await_anything(void)
{
	struct shim_event *e;

	if (wake_idle_waiter())
		return;
	e = next_deliverable();
	if (!e)
		sched_hang(
			stuck(cpu_of(sim_of(current)))
				? "a spin lock is taken that nobody can release"
				: "no task can run and no timer is set");
	pass_time(e);
}

/* The host goes on with somebody; returns when it is this task's turn. */
static void go_on(struct sim_cpu *own, bool may_go_on)
{
	struct alternative alt[ALTERNATIVES];
	unsigned int n;

	while (!(n = alternatives(own, may_go_on, alt)))
		await_anything();
	if (!may_go_on && !list_empty(&own->active))
		list_move_tail(&own->active, &sched_active);
	take(&alt[choose_next(alt, n, !may_go_on)]);
}

static void idle_main(void *arg)
{
	struct sim_cpu *c = arg;

	interrupted(c);
	for (;;) {
		leave_cpu(c);
		go_on(c, false);
	}
}

/* --- giving the CPU away ----------------------------------------------- */

static void check_may_sleep(void)
{
	unsigned int cpu = raw_smp_processor_id();
	int count = preempt_count();

	if (count || shim_irqs_off[cpu])
		finding_add(FINDING_SLEEP_IN_ATOMIC, NULL,
			    "schedule() with preempt_count %d, interrupts %s",
			    count, shim_irqs_off[cpu] ? "off" : "on");
	/* kernel/rcu/tree_plugin.h: rcu_note_context_switch() */
	if (current->rcu_read_lock_nesting > 0)
		finding_add(FINDING_SLEEP_IN_ATOMIC, NULL,
			    "schedule() in an RCU read section");
}

/* kernel/sched/core.c: what a task that is going to wait does first. */
static void before_waiting(struct sim_task *me)
{
	if (me->t.plug)
		__blk_flush_plug(me->t.plug, true);
	if (me->worker)
		workqueue_sleeps(me);
}

/**
 * schedule - give the CPU away; waits when the task's state says so
 */
void schedule(void)
{
	struct sim_task *me = sim_of(current);
	struct sim_cpu *c;

	check_may_sleep();
	lock_check_block();
	if (READ_ONCE(me->t.__state) != TASK_RUNNING)
		before_waiting(me);
	c = cpu_of(me);
	/* A wake-up meanwhile has made us runnable again. */
	if (READ_ONCE(me->t.__state) == TASK_RUNNING)
		list_add_tail(&me->queue, &c->queue);
	leave_cpu(c);
	go_on(c, false);
	if (me->worker)
		workqueue_runs(me);
}

void sched_exit(void)
{
	struct sim_cpu *c = cpu_of(sim_of(current));

	leave_cpu(c);
	go_on(c, false);
	host_panic("a dead task ran");
}

void schedule_preempt_disabled(void)
{
	preempt_enable_no_resched();
	schedule();
	preempt_disable();
}

/* The first of the queue, if there is one, goes first. */
void preempt_schedule(void)
{
	struct sim_cpu *c = cpu_of(sim_of(current));

	if (can_preempt(c) && !list_empty(&c->queue))
		take_queue(c);
}

/* Where nothing is offered time passes all the same, events come, and who
 * loops waiting for somebody else does not keep the host for ever. */
void shim_preempt_point(void)
{
	struct sim_cpu *own = cpu_of(sim_of(current));

	choose_count_point();
	points_in_a_row++;
	time_advance(POINT_NS);
	if (time_next_event > shim_now() && points_in_a_row <= SLICE_POINTS &&
	    (!choose_offered() || (list_empty(&own->queue) &&
				   list_is_singular(&sched_active))))
		return;
	go_on(own, true);
}

bool sched_relax(void)
{
	struct sim_task *me = sim_of(current);
	struct sim_cpu *own = cpu_of(me);
	struct alternative alt[ALTERNATIVES];

	if (!alternatives(own, false, alt) && !next_deliverable())
		return false;
	me->prio = choose_lowest();
	go_on(own, false);
	return true;
}

/* How often a lone CPU may go round a waiting loop before it is a hang. */
#define RELAX_NS       100
#define RELAX_LONE_MAX (10 * NSEC_PER_SEC / RELAX_NS)

void cpu_relax(void)
{
	static u64 lone;

	time_advance(RELAX_NS);
	if (sched_relax())
		lone = 0;
	else if (++lone > RELAX_LONE_MAX)
		sched_hang("a loop waits for what nobody does");
}

void shim_spin_wait(const volatile void *word)
{
	struct sim_cpu *c = cpu_of(sim_of(current));

	lock_check_spin(word);
	c->spin = word;
	c->spin_seen = *c->spin;
	while (stuck(c))
		go_on(c, false);
	c->spin = NULL;
}

unsigned int shim_lock_owner(void)
{
	return raw_smp_processor_id() + 1;
}

#ifdef CONFIG_TRACE_IRQFLAGS
void __local_bh_disable_ip(unsigned long ip, unsigned int cnt)
{
	unsigned long flags = shim_irq_flags();

	WARN_ON_ONCE(in_hardirq());
	shim_irq_set_quietly(1);
	preempt_count_add(cnt);
	if (softirq_count() == (cnt & SOFTIRQ_MASK))
		lockdep_softirqs_off(ip);
	shim_irq_set_quietly(flags);
}
#endif

/* kernel/softirq.c: it turns interrupts on, so they must have been. */
void __local_bh_enable_ip(unsigned long ip, unsigned int cnt)
{
	WARN_ON_ONCE(in_hardirq());
	if (irqs_disabled())
		finding_add(FINDING_LOCK_IRQ, NULL,
			    "soft interrupts go on with interrupts off");
	else if (softirq_count() == SOFTIRQ_DISABLE_OFFSET)
		trace_soft(lockdep_softirqs_on, ip);
	preempt_count_sub(cnt);
	preempt_point_lock();
}

/* --- waking ------------------------------------------------------------ */

static bool node_allows(const struct sim_task *st, unsigned int cpu)
{
	return st->node == NUMA_NO_NODE || cpu_to_node(cpu) == st->node;
}

/* Where nothing runs: the CPU it was on, else the lowest. */
static unsigned int idle_cpu_for(struct sim_task *st, unsigned int prev)
{
	unsigned int cpu;

	if (cpu_is_idle(sched_cpu(prev)))
		return prev;
	for_each_online_cpu (cpu)
		if (node_allows(st, cpu) && cpu_is_idle(sched_cpu(cpu)))
			return cpu;
	return prev;
}

static unsigned int allowed_cpu(struct sim_task *st)
{
	unsigned int cpu = task_cpu(&st->t), other;

	if (cpu_online(cpu) && (st->pinned || node_allows(st, cpu)))
		return cpu;
	for_each_online_cpu (other)
		if (node_allows(st, other))
			return other;
	return cpumask_first(cpu_online_mask);
}

/* An idle CPU, the one it was on, or that of the waker. */
static unsigned int select_cpu(struct sim_task *st)
{
	unsigned int prev = allowed_cpu(st), here = raw_smp_processor_id();
	unsigned int choice[3], n = 0;

	if (st->pinned)
		return prev;
	choice[n++] = idle_cpu_for(st, prev);
	if (prev != choice[0])
		choice[n++] = prev;
	if (here != choice[0] && here != prev && node_allows(st, here))
		choice[n++] = here;
	return choice[shim_choose(n)];
}

int try_to_wake_up(struct task_struct *p, unsigned int state, int wake_flags)
{
	struct sim_task *st = sim_of(p);

	if (!(READ_ONCE(p->__state) & state))
		return 0;
	WRITE_ONCE(p->__state, TASK_RUNNING);
	/* It may not have given its CPU away yet, or have been preempted. */
	if (cpu_of(st)->curr != st && list_empty(&st->queue))
		enqueue(sched_cpu(select_cpu(st)), st);
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
static bool queue_wakeup(struct wake_q_head *head, struct task_struct *task)
{
	struct wake_q_node *node = &task->wake_q;

	if (node->next)
		return false;
	node->next = WAKE_Q_TAIL;
	*head->lastp = node;
	head->lastp = &node->next;
	return true;
}

void wake_q_add(struct wake_q_head *head, struct task_struct *task)
{
	if (queue_wakeup(head, task))
		get_task_struct(task);
}

/* The caller gives up its reference to the task. */
void wake_q_add_safe(struct wake_q_head *head, struct task_struct *task)
{
	if (!queue_wakeup(head, task))
		put_task_struct(task);
}

void wake_up_q(struct wake_q_head *head)
{
	struct wake_q_node *node = head->first, *next;
	struct task_struct *t;

	while (node != WAKE_Q_TAIL) {
		t = container_of(node, struct task_struct, wake_q);
		next = node->next;
		node->next = NULL;
		wake_up_process(t);
		put_task_struct(t);
		node = next;
	}
}

int io_schedule_prepare(void)
{
	int old = current->in_iowait;

	current->in_iowait = 1;
	blk_flush_plug(current->plug, true);
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

/* --- at rest ----------------------------------------------------------- */

/**
 * kern_run_idle - let every task run until none can and no disk is busy
 */
void kern_run_idle(void)
{
	if (idle_waiter)
		host_panic("two tasks wait for the machine to be idle");
	idle_waiter = sim_of(current);
	__set_current_state(TASK_IDLE);
	schedule();
}

/* --- CPU hotplug ------------------------------------------------------- */

static void move_to(struct sim_task *st, unsigned int cpu)
{
	st->pinned = false;
	enqueue(sched_cpu(cpu), st);
}

/**
 * shim_run_on - the running task goes on on another CPU
 * @cpu: online
 */
void shim_run_on(unsigned int cpu)
{
	struct sim_task *me = sim_of(current);
	struct sim_cpu *c = cpu_of(me);

	if (c->id == cpu)
		return;
	leave_cpu(c);
	enqueue(sched_cpu(cpu), me);
	go_on(c, false);
}

/**
 * shim_sched_cpu_gone - no task is on @cpu any more, which is not online
 *
 * As the kernel does when a CPU goes: who is on it is let go on to where it
 * can be preempted, then all its tasks go elsewhere, pinned or not.
 */
void shim_sched_cpu_gone(unsigned int cpu)
{
	struct sim_cpu *c = sched_cpu(cpu);
	unsigned int other = cpumask_first(cpu_online_mask);
	struct sim_task *st;

	if (raw_smp_processor_id() == cpu) {
		sim_of(current)->pinned = false;
		shim_run_on(other);
	}
	while (c->curr && !can_preempt(c))
		if (!sched_relax())
			sched_hang("a CPU that goes offline is never free");
	if (c->curr) {
		st = c->curr;
		leave_cpu(c);
		move_to(st, other);
	}
	while (!list_empty(&c->queue)) {
		st = list_first_entry(&c->queue, struct sim_task, queue);
		list_del_init(&st->queue);
		move_to(st, other);
	}
	cpu_note(c);
}

bool sched_quiescent(struct sim_cpu *c)
{
	return !c->curr || can_preempt(c);
}
