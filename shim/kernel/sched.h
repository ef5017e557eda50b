/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the scheduler tell each other: tasks, CPUs, time and
 * choices. The rest of the kernel side includes shim.h instead.
 *
 *	kthread.c, rcu.c, workqueue.c ──> sched.c ──> sched-choose.c
 *	                  │                  │
 *	                  └──> sched-time.c <┘
 */
#ifndef RAID5SIM_SCHED_H
#define RAID5SIM_SCHED_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/sched.h>
#include "locks.h"
#include "shim.h"

/**
 * struct sim_task - a task and what the shim keeps beside it
 * @t:		what the subject sees as current
 * @queue:	link in its CPU's queue; empty: it runs or waits
 * @all:	link in the list of all tasks, in order of creation
 * @pinned:	stays on its CPU while that is online
 * @idle:	a CPU's idle task: runs only to be interrupted
 * @node:	wakes on CPUs of this node only, NUMA_NO_NODE: on any
 * @worker:	of a work queue, or NULL
 * @timeout:	ends its schedule_timeout()
 * @rcu_since:	grace periods begun when its outermost read section began
 * @prio:	for SCHED_PCT: the highest runs
 * @holds:	the locks it holds
 * @leaving_rcu: lockdep has still to hear that it left a read section
 */
struct sim_task {
	struct task_struct t;
	struct host_coro *coro;
	struct list_head queue, all;
	bool pinned, idle, dead, should_stop, should_park;
	int node;
	void *worker;
	struct shim_event timeout;
	u64 rcu_since;
	u64 prio;
	struct lock_holds holds;
	bool leaving_rcu;
	int (*fn)(void *data);
	void *data;
	int result;
	struct completion exited, parked_done;
};

/**
 * struct sim_cpu - a CPU, as the scheduler sees it
 * @curr:	the task that is on it, NULL: it is idle
 * @queue:	tasks that could run on it, in order
 * @active:	link in the list of CPUs that have either
 * @spin:	the word that @curr spins on while it is @spin_seen, or NULL
 * @deliver:	what interrupts @curr as soon as the host is with it
 * @rcu_need:	oldest grace period that waits for this CPU to pass a point
 *		where it can be preempted; 0: none does
 */
struct sim_cpu {
	struct sim_task *curr, *idle;
	struct list_head queue, active;
	const volatile u32 *spin;
	u32 spin_seen;
	struct shim_event *deliver;
	u64 rcu_need;
	unsigned int id;
};

static inline struct sim_task *sim_of(struct task_struct *t)
{
	return container_of(t, struct sim_task, t);
}

/* --- sched.c ----------------------------------------------------------- */

extern struct list_head sched_tasks;  /* all tasks, by @all */
extern struct list_head sched_active; /* CPUs, by @active */

struct sim_cpu *sched_cpu(unsigned int id);
struct sim_task *sched_task_new(const char *name, unsigned int cpu);
void sched_task_free(struct sim_task *st);
/** sched_exit - the running task is dead and never runs again */
void sched_exit(void) __noreturn;
/** sched_relax - others go on; false: there is nobody else and no event */
bool sched_relax(void);
/** sched_quiescent - no read section of the classic kind: idle, or whoever is
 *  on @c can be preempted */
bool sched_quiescent(struct sim_cpu *c);
/** sched_hang - end the run with a finding that names every task that waits */
void sched_hang(const char *why) __noreturn;

/* --- sched-time.c ------------------------------------------------------ */

/** time_advance - the clock and jiffies move on by @ns */
void time_advance(u64 ns);
/** time_next_event - when the earliest event is due, U64_MAX: there is none */
extern u64 time_next_event;
/** time_events - all events, the earliest first */
extern struct list_head time_events;
/** time_io_events - how many of them somebody waits for */
extern unsigned int time_io_events;
/** time_take - take an event off the list: it is being delivered */
void time_take(struct shim_event *e);

/* --- sched-choose.c ---------------------------------------------------- */

/**
 * struct alternative - what the host may go on with
 * @GO_ON:	the running task
 * @GO_CURR:	the task that is on @cpu
 * @GO_QUEUE:	the first task of @cpu's queue gets that CPU
 * @GO_EVENT:	@event interrupts @cpu
 */
struct alternative {
	enum { GO_ON, GO_CURR, GO_QUEUE, GO_EVENT } go;
	struct sim_cpu *cpu;
	struct shim_event *event;
};

/** choose_next - one of @n; @forced: the running task cannot go on */
unsigned int choose_next(const struct alternative *alt, unsigned int n,
			 bool forced);
/** choose_prio - the priority of a new task or event */
u64 choose_prio(void);
/** choose_lowest - a priority below all others: its task waits by turning */
u64 choose_lowest(void);
/** choose_offered - are choices offered at preemption points? */
bool choose_offered(void);
void choose_count_point(void);
void choose_count_switch(const struct sim_task *to);
void choose_count_interrupt(const struct shim_event *e);

/* --- rcu.c ------------------------------------------------------------- */

void rcu_cpu_passed(struct sim_cpu *c);

/* --- workqueue.c ------------------------------------------------------- */

/** workqueue_sleeps, workqueue_runs - a worker's task is about to wait, or
 *  goes on */
void workqueue_sleeps(struct sim_task *st);
void workqueue_runs(struct sim_task *st);
/** workqueue_busy - is a work running? */
bool workqueue_busy(void);

#endif
