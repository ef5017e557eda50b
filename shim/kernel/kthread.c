// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel threads: made, stopped, parked; and tasks that the host side starts.
 * Knows nothing of who runs when.
 */
#include <linux/debug_locks.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/wait.h>
#include "sched.h"

static void thread_entry(void *arg)
{
	struct sim_task *st = arg;

	/* As kthread(): one that is stopped before it ran does not start. */
	st->result = -EINTR;
	if (!st->should_stop) {
		st->result = st->fn(st->data);
		debug_check_no_locks_held();
		lock_check_balance(0, 0, (void *)st->fn + 1, "a thread");
	}
	st->dead = true;
	complete_all(&st->exited);
	WRITE_ONCE(st->t.__state, TASK_DEAD);
	sched_exit();
}

static struct sim_task *thread_new(const char *name, unsigned int cpu,
				   int (*body)(void *data), void *data)
{
	struct sim_task *st = sched_task_new(name, cpu);

	st->fn = body;
	st->data = data;
	st->coro = host_coro_new(thread_entry, st);
	WRITE_ONCE(st->t.__state, TASK_UNINTERRUPTIBLE);
	return st;
}

struct task_struct *kthread_create_on_node(int (*body)(void *data), void *data,
					   int node, const char format[], ...)
{
	char name[TASK_COMM_LEN];
	va_list args;

	if (shim_fail_allocs)
		return ERR_PTR(-ENOMEM);
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return &thread_new(name, raw_smp_processor_id(), body, data)->t;
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

static int await_exit(struct sim_task *st)
{
	int ret;

	wait_for_completion(&st->exited);
	/* It may still be on the way from complete_all() off its CPU. */
	while (READ_ONCE(st->t.__state) != TASK_DEAD ||
	       sched_cpu(task_cpu(&st->t))->curr == st)
		cpu_relax();
	ret = st->result;
	sched_task_free(st);
	return ret;
}

int kthread_stop(struct task_struct *k)
{
	struct sim_task *st = sim_of(k);

	st->should_stop = true;
	kthread_unpark(k);
	wake_up_process(k);
	return await_exit(st);
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
		set_special_state(TASK_PARKED);
		complete(&st->parked_done);
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* --- the host side's own ----------------------------------------------- */

struct kern_task {
	struct sim_task *st;
	void (*fn)(void *arg);
	void *arg;
};

static int host_body(void *data)
{
	struct kern_task *t = data;

	t->fn(t->arg);
	return 0;
}

struct kern_task *kern_task_start(const char *name, unsigned int cpu,
				  void (*fn)(void *arg), void *arg)
{
	struct kern_task *t =
		host_obj_alloc(sizeof(*t), 8, MEM_SHIM, NULL, NULL);

	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		host_panic("a task is started on CPU %u, which is not online",
			   cpu);
	t->fn = fn;
	t->arg = arg;
	t->st = thread_new(name, cpu, host_body, t);
	t->st->pinned = true;
	wake_up_process(&t->st->t);
	return t;
}

int kern_task_done(const struct kern_task *t)
{
	return t->st->dead;
}

void kern_task_join(struct kern_task *t)
{
	await_exit(t->st);
	host_obj_free(t, MEM_SHIM, NULL);
}
