// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the scheduler: each is a small program with or without a fault
 * that only some schedules show. Where the fault is there, a schedule must
 * find it; where it is not, none may. Knows nothing of arrays.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "selftest.h"

#define SEEDS 200

static void in_order(unsigned int points)
{
	kern_schedule(&(struct schedule){.points = points});
}

static void at_random(u64 seed)
{
	kern_schedule(&(struct schedule){
		.strategy = SCHED_RANDOM,
		.points = POINT_LOCKS | POINT_ATOMICS,
		.seed = seed,
		.rate = 4,
	});
}

static void by_priority(u64 seed, unsigned int depth)
{
	kern_schedule(&(struct schedule){
		.strategy = SCHED_PCT,
		.points = POINT_LOCKS | POINT_ATOMICS,
		.seed = seed,
		.depth = depth,
		.length = 40,
	});
}

/* Two tasks, each on a CPU of its own, until both are done. */
static void both(unsigned int cpu_a, void (*a)(void *), unsigned int cpu_b,
		 void (*b)(void *))
{
	struct kern_task *first = kern_task_start("a", cpu_a, a, NULL);
	struct kern_task *second = kern_task_start("b", cpu_b, b, NULL);

	kern_task_join(first);
	kern_task_join(second);
}

/* --- a counter, with and without a lock -------------------------------- */

#define STEPS 10

static DEFINE_SPINLOCK(lock);
static DEFINE_SPINLOCK(other_lock);
static int counter;
static atomic_t tick = ATOMIC_INIT(0);

static void pass_point(void)
{
	atomic_inc(&tick);
}

static void add_unlocked(void *unused)
{
	int i, seen;

	for (i = 0; i < STEPS; i++) {
		seen = counter;
		pass_point();
		counter = seen + 1;
	}
}

static void add_locked(void *unused)
{
	int i, seen;

	for (i = 0; i < STEPS; i++) {
		spin_lock(&lock);
		seen = counter;
		pass_point();
		counter = seen + 1;
		spin_unlock(&lock);
	}
}

/* Seeds whose sum is not what it should be. */
static unsigned int lost_sums(unsigned int cpu_b, void (*add)(void *))
{
	unsigned int lost = 0;
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		counter = 0;
		both(0, add, cpu_b, add);
		lost += counter != 2 * STEPS;
	}
	return lost;
}

static const char *race_is_found(void)
{
	return lost_sums(1, add_unlocked) ? NULL : "no schedule loses a count";
}

static const char *race_on_one_cpu_is_found(void)
{
	return lost_sums(0, add_unlocked) ? NULL
					  : "no preemption loses a count";
}

static const char *lock_keeps_others_out(void)
{
	return lost_sums(1, add_locked) ? "a locked count is lost" : NULL;
}

static const char *lock_keeps_preemption_out(void)
{
	return lost_sums(0, add_locked) ? "a locked count is lost" : NULL;
}

static const char *in_order_has_no_race(void)
{
	in_order(POINT_LOCKS | POINT_ATOMICS);
	counter = 0;
	both(0, add_unlocked, 1, add_unlocked);
	return counter == 2 * STEPS ? NULL : "in order, a count is lost";
}

/* --- deadlock ---------------------------------------------------------- */

static void lock_ab(void *unused)
{
	spin_lock(&lock);
	spin_lock(&other_lock);
	spin_unlock(&other_lock);
	spin_unlock(&lock);
}

static void lock_ba(void *unused)
{
	spin_lock(&other_lock);
	spin_lock(&lock);
	spin_unlock(&lock);
	spin_unlock(&other_lock);
}

static const char *abba_is_found(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		both(0, lock_ab, 1, lock_ba);
	}
	return "no schedule shows the deadlock";
}

static const char *abba_is_found_by_priority(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		by_priority(seed, 2);
		both(0, lock_ab, 1, lock_ba);
	}
	return "no schedule shows the deadlock";
}

static const char *same_order_is_fine(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		both(0, lock_ab, 1, lock_ab);
	}
	return NULL;
}

/* --- sleeping and waking ----------------------------------------------- */

static DECLARE_WAIT_QUEUE_HEAD(queue);
static bool ready;

static void wake(void *unused)
{
	pass_point();
	ready = true;
	wake_up(&queue);
}

static void wait_well(void *unused)
{
	wait_event(queue, ready);
}

/* Looks, and only then says that it is going to sleep. */
static void wait_badly(void *unused)
{
	DEFINE_WAIT(wait);

	if (!ready) {
		pass_point();
		prepare_to_wait(&queue, &wait, TASK_UNINTERRUPTIBLE);
		schedule();
		finish_wait(&queue, &wait);
	}
}

static void wait_and_wake(void (*wait)(void *))
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		ready = false;
		both(0, wait, 1, wake);
	}
}

static const char *lost_wakeup_is_found(void)
{
	wait_and_wake(wait_badly);
	return "no schedule loses the wake-up";
}

static const char *wait_event_loses_none(void)
{
	wait_and_wake(wait_well);
	return NULL;
}

static const char *timeouts_take_their_time(void)
{
	unsigned long start = jiffies;

	in_order(0);
	schedule_timeout_uninterruptible(25);
	if (jiffies - start != 25)
		return "schedule_timeout(25) does not take 25 jiffies";
	start = jiffies;
	msleep(1000);
	return jiffies - start == HZ + 1 ? NULL
					 : "msleep(1000) does not take HZ + 1";
}

static DEFINE_MUTEX(mutex);

static void add_in_mutex(void *unused)
{
	int i, seen;

	for (i = 0; i < STEPS; i++) {
		mutex_lock(&mutex);
		seen = counter;
		cond_resched();
		pass_point();
		counter = seen + 1;
		mutex_unlock(&mutex);
	}
}

static const char *mutex_keeps_others_out(void)
{
	return lost_sums(1, add_in_mutex) || lost_sums(0, add_in_mutex)
		       ? "a count under a mutex is lost"
		       : NULL;
}

/* --- interrupts -------------------------------------------------------- */

static unsigned int came, came_in_section, came_elsewhere;
static bool in_section;
static struct shim_event event;

static void on_event(struct shim_event *e)
{
	came++;
	came_in_section += in_section;
	came_elsewhere += raw_smp_processor_id() != e->cpu;
}

static void hold_off_irq(void *unused)
{
	unsigned long flags;
	int i;

	spin_lock_irqsave(&lock, flags);
	in_section = true;
	for (i = 0; i < 100; i++)
		pass_point();
	in_section = false;
	spin_unlock_irqrestore(&lock, flags);
}

static void hold_off_nothing(void *unused)
{
	int i;

	in_section = true;
	for (i = 0; i < 100; i++)
		pass_point();
	in_section = false;
}

static void hold_off_bh(void *unused)
{
	local_bh_disable();
	hold_off_nothing(NULL);
	local_bh_enable();
}

static void with_event(void (*fn)(void *), bool soft)
{
	u64 seed;

	came = came_in_section = came_elsewhere = 0;
	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		event = (struct shim_event){
			.cpu = 3,
			.soft = soft,
			.io = true,
			.fn = on_event,
		};
		shim_event_start(&event, 1 + shim_choose(1000));
		kern_task_join(kern_task_start("section", 3, fn, NULL));
		kern_run_idle();
	}
}

static const char *irqs_off_keeps_them_out(void)
{
	with_event(hold_off_irq, false);
	if (came != SEEDS || came_elsewhere)
		return "an interrupt did not come, or on another CPU";
	return came_in_section ? "an interrupt came with interrupts off" : NULL;
}

static const char *bh_off_keeps_soft_ones_out(void)
{
	with_event(hold_off_bh, true);
	if (came != SEEDS)
		return "a soft interrupt did not come";
	return came_in_section ? "a soft interrupt came with them off" : NULL;
}

static const char *interrupts_come_anywhere_else(void)
{
	with_event(hold_off_nothing, false);
	if (!came_in_section)
		return "no interrupt comes between two points";
	with_event(hold_off_bh, false);
	return came_in_section ? NULL : "bottom halves off hold off interrupts";
}

/* An interrupt that takes a lock which its CPU's task holds with them on. */
static void lock_in_event(struct shim_event *e)
{
	spin_lock(&lock);
	spin_unlock(&lock);
}

static void hold_with_irqs_on(void *unused)
{
	spin_lock(&lock);
	hold_off_nothing(NULL);
	spin_unlock(&lock);
}

static const char *lock_in_interrupt_is_found(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		event = (struct shim_event){
			.cpu = 3, .io = true, .fn = lock_in_event};
		shim_event_start(&event, 1 + shim_choose(1000));
		kern_task_join(
			kern_task_start("section", 3, hold_with_irqs_on, NULL));
		kern_run_idle();
	}
	return "no schedule shows the deadlock";
}

/* --- RCU --------------------------------------------------------------- */

static bool freed, used_after;

static void read_rcu(void *unused)
{
	int i;

	for (i = 0; i < STEPS; i++) {
		rcu_read_lock();
		if (!ready) {
			pass_point();
			pass_point();
			used_after |= freed;
		}
		rcu_read_unlock();
		pass_point();
	}
}

static void read_preempt_off(void *unused)
{
	int i;

	for (i = 0; i < STEPS; i++) {
		preempt_disable();
		if (!ready) {
			pass_point();
			pass_point();
			used_after |= freed;
		}
		preempt_enable();
		pass_point();
	}
}

static void retire_well(void *unused)
{
	pass_point();
	ready = true;
	synchronize_rcu();
	freed = true;
}

static void retire_badly(void *unused)
{
	pass_point();
	ready = true;
	pass_point();
	freed = true;
}

static bool read_and_retire(void (*read)(void *), void (*retire)(void *))
{
	u64 seed;

	used_after = false;
	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		ready = freed = false;
		both(0, read, 1, retire);
		both(0, read, 0, retire);
	}
	return used_after;
}

static const char *rcu_waits_for_readers(void)
{
	if (read_and_retire(read_rcu, retire_well))
		return "synchronize_rcu() did not wait for rcu_read_unlock()";
	if (read_and_retire(read_preempt_off, retire_well))
		return "synchronize_rcu() did not wait for preempt_enable()";
	return NULL;
}

static const char *missing_rcu_is_found(void)
{
	return read_and_retire(read_rcu, retire_badly)
		       ? NULL
		       : "no schedule frees under a reader";
}

struct rcu_object {
	struct rcu_head head;
};

static void rcu_free(struct rcu_head *head)
{
	freed = true;
}

static void retire_by_callback(void *unused)
{
	static struct rcu_object object;

	pass_point();
	ready = true;
	call_rcu(&object.head, rcu_free);
	rcu_barrier();
}

static const char *callbacks_wait_for_readers(void)
{
	if (read_and_retire(read_rcu, retire_by_callback))
		return "a callback did not wait for rcu_read_unlock()";
	return freed ? NULL : "rcu_barrier() did not wait for the callback";
}

/* --- work queues ------------------------------------------------------- */

static int at_once, most_at_once, runs;
static unsigned int worked_on[8];

static void work_body(struct work_struct *work)
{
	most_at_once = max(most_at_once, ++at_once);
	worked_on[raw_smp_processor_id()]++;
	runs++;
	pass_point();
	pass_point();
	at_once--;
}

static void work_sleeps(struct work_struct *work)
{
	most_at_once = max(most_at_once, ++at_once);
	msleep(5);
	at_once--;
}

#define WORKS 6
static struct work_struct works[WORKS];

static void queue_works(const char *name, unsigned int flags, int max, int cpu,
			work_func_t body)
{
	struct workqueue_struct *wq = alloc_workqueue("%s", flags, max, name);
	u64 seed;
	int i;

	most_at_once = runs = 0;
	memset(worked_on, 0, sizeof(worked_on));
	for (seed = 0; seed < SEEDS / 4; seed++) {
		at_random(seed);
		for (i = 0; i < WORKS; i++) {
			INIT_WORK(&works[i], body);
			queue_work_on(cpu, wq, &works[i]);
		}
		flush_workqueue(wq);
		if (at_once)
			most_at_once = 1000; /* flush did not wait */
	}
	destroy_workqueue(wq);
}

static const char *bound_works_take_turns(void)
{
	queue_works("bound", 0, 0, 5, work_body);
	if (most_at_once != 1)
		return "two works of a CPU run at once";
	return worked_on[5] == runs ? NULL : "a bound work ran elsewhere";
}

static const char *bound_works_go_on_when_one_sleeps(void)
{
	queue_works("bound", 0, 0, 5, work_sleeps);
	return most_at_once == WORKS ? NULL
				     : "a sleeping work holds up the others";
}

static const char *max_active_limits(void)
{
	queue_works("unbound", WQ_UNBOUND, 2, 5, work_sleeps);
	return most_at_once == 2 ? NULL : "max_active is not what runs at once";
}

static const char *unbound_works_stay_on_their_node(void)
{
	queue_works("unbound", WQ_UNBOUND, 0, 5, work_body);
	if (most_at_once < 2)
		return "unbound works never run at once";
	return worked_on[0] + worked_on[1] + worked_on[2] + worked_on[3]
		       ? "an unbound work left its node"
		       : NULL;
}

/* Queued again while it runs: it waits for itself. */
static const char *no_work_runs_twice_at_once(void)
{
	u64 seed;

	most_at_once = 0;
	for (seed = 0; seed < SEEDS; seed++) {
		at_random(seed);
		INIT_WORK(&works[0], work_body);
		queue_work_on(1, system_unbound_wq, &works[0]);
		pass_point();
		queue_work_on(6, system_unbound_wq, &works[0]);
		flush_work(&works[0]);
	}
	return most_at_once == 1 ? NULL : "a work runs twice at once";
}

/* --- hotplug, threads, strategies -------------------------------------- */

static unsigned int last_cpu;

static void note_cpus(void *unused)
{
	int i;

	for (i = 0; i < 300; i++) {
		pass_point();
		last_cpu = raw_smp_processor_id();
	}
}

static const char *tasks_leave_an_offline_cpu(void)
{
	u64 seed;

	for (seed = 0; seed < SEEDS / 4; seed++) {
		struct kern_task *t;

		at_random(seed);
		t = kern_task_start("roams", 6, note_cpus, NULL);
		if (kern_cpu_set_online(6, 0))
			return "a CPU cannot be taken offline";
		pass_point();
		kern_task_join(t);
		if (last_cpu == 6)
			return "a task runs on an offline CPU";
		kern_cpu_set_online(6, 1);
	}
	return NULL;
}

static int park_body(void *unused)
{
	while (!kthread_should_stop()) {
		if (kthread_should_park())
			kthread_parkme();
		counter++;
		pass_point();
		schedule_timeout_interruptible(1);
	}
	return 7;
}

static const char *threads_park_and_stop(void)
{
	struct task_struct *t;
	int before;

	at_random(1);
	t = kthread_run(park_body, NULL, "parks");
	msleep(20);
	if (kthread_park(t))
		return "kthread_park() fails";
	before = counter;
	msleep(20);
	if (counter != before)
		return "a parked thread goes on";
	kthread_unpark(t);
	msleep(20);
	if (counter == before)
		return "an unparked thread does not go on";
	return kthread_stop(t) == 7 ? NULL : "kthread_stop() loses the result";
}

static int order[2], arrived;

static void arrive_a(void *unused)
{
	pass_point();
	order[arrived++] = 'a';
}

static void arrive_b(void *unused)
{
	pass_point();
	order[arrived++] = 'b';
}

static const char *priorities_show_both_orders(void)
{
	int firsts[2] = {0, 0};
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		by_priority(seed, 1);
		arrived = 0;
		both(0, arrive_a, 1, arrive_b);
		firsts[order[0] == 'b']++;
	}
	return firsts[0] && firsts[1] ? NULL : "always the same goes first";
}

/* A task that never waits: others must come to their turn all the same. */
static void busy(void *unused)
{
	while (!ready)
		pass_point();
}

static void make_ready(void *unused)
{
	ready = true;
}

static const char *nobody_starves(void)
{
	ready = false;
	in_order(POINT_ATOMICS);
	both(1, busy, 2, make_ready);
	ready = false;
	in_order(POINT_ATOMICS);
	both(1, busy, 1, make_ready);
	return NULL;
}

static u64 hash_of(const struct schedule *s)
{
	struct sched_stats stats;

	kern_schedule(s);
	counter = 0;
	both(0, add_unlocked, 1, add_unlocked);
	kern_sched_stats(&stats);
	return (u64)counter << 32 | stats.choices;
}

static const char *a_list_replays(void)
{
	static struct sched_change copy[4096];
	const struct sched_change *list;
	struct schedule s = {
		.strategy = SCHED_RANDOM,
		.points = POINT_LOCKS | POINT_ATOMICS,
		.rate = 4,
	};
	unsigned int n, differ = 0;
	u64 want;

	kern_sched_record(1);
	for (s.seed = 0; s.seed < SEEDS; s.seed++) {
		s.strategy = SCHED_RANDOM;
		want = hash_of(&s);
		n = kern_sched_changes(&list);
		memcpy(copy, list, n * sizeof(*copy));
		s.strategy = SCHED_LIST;
		s.change = copy;
		s.changes = n;
		differ += hash_of(&s) != want;
	}
	return differ ? "a recorded list does not replay" : NULL;
}

#define FINE FINDING_KINDS
#define CIRCULAR "possible circular locking dependency detected"

const struct selftest selftest_sched[] = {
	{"a race is found", race_is_found, FINE},
	{"a race on one CPU is found", race_on_one_cpu_is_found, FINE},
	{"a lock keeps other CPUs out", lock_keeps_others_out, FINE},
	{"a lock keeps preemption out", lock_keeps_preemption_out, FINE},
	{"a mutex keeps others out", mutex_keeps_others_out, FINE},
	{"in order, nothing races", in_order_has_no_race, FINE},
	{"ABBA is found at random", abba_is_found, FINDING_HANG,
	 CIRCULAR},
	{"ABBA is found by priority", abba_is_found_by_priority, FINDING_HANG,
	 CIRCULAR},
	{"locks in one order are fine", same_order_is_fine, FINE},
	{"a lost wake-up is found", lost_wakeup_is_found, FINDING_HANG},
	{"wait_event() loses none", wait_event_loses_none, FINE},
	{"timeouts take their time", timeouts_take_their_time, FINE},
	{"no interrupt with interrupts off", irqs_off_keeps_them_out, FINE},
	{"no soft interrupt with them off", bh_off_keeps_soft_ones_out, FINE},
	{"interrupts come elsewhere", interrupts_come_anywhere_else, FINE},
	{"a lock in an interrupt is found", lock_in_interrupt_is_found,
	 FINDING_LOCK_IMBALANCE, "inconsistent lock state"},
	{"RCU waits for readers", rcu_waits_for_readers, FINE},
	{"a missing grace period is found", missing_rcu_is_found, FINE},
	{"RCU callbacks wait for readers", callbacks_wait_for_readers, FINE},
	{"bound works take turns", bound_works_take_turns, FINE},
	{"a sleeping work lets others on", bound_works_go_on_when_one_sleeps,
	 FINE},
	{"max_active limits", max_active_limits, FINE},
	{"unbound works stay on their node", unbound_works_stay_on_their_node,
	 FINE},
	{"no work runs twice at once", no_work_runs_twice_at_once, FINE},
	{"tasks leave an offline CPU", tasks_leave_an_offline_cpu, FINE},
	{"threads park and stop", threads_park_and_stop, FINE},
	{"priorities show both orders", priorities_show_both_orders, FINE},
	{"nobody starves", nobody_starves, FINE},
	{"a list replays", a_list_replays, FINE},
	{NULL},
};
