// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual time: the clock, jiffies, and the events that interrupt a CPU when
 * their time has come. Time moves when a preemption point is passed, when the
 * clock is read, in waiting loops, and on to the next event when nothing can
 * run. Knows nothing of tasks but how to wake one.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include "sched.h"

unsigned long volatile jiffies = INITIAL_JIFFIES;
u64 jiffies_64 = INITIAL_JIFFIES;

LIST_HEAD(time_events);
u64 time_next_event = U64_MAX;
unsigned int time_io_events;

static u64 now_ns, event_seq;

#define TICK_NS (NSEC_PER_SEC / HZ)

static u64 next_tick_ns = TICK_NS;

static void tick(void)
{
	u64 ticks = div_u64(now_ns, TICK_NS);

	jiffies_64 = INITIAL_JIFFIES + ticks;
	jiffies = jiffies_64;
	next_tick_ns = (ticks + 1) * TICK_NS;
}

void time_advance(u64 ns)
{
	now_ns += ns;
	if (now_ns >= next_tick_ns)
		tick();
}

u64 shim_now(void)
{
	return now_ns;
}

unsigned long long kern_now(void)
{
	return now_ns;
}

/* Reading the clock takes time: a loop that waits for it to move ends. */
#define CLOCK_READ_NS 100

ktime_t ktime_get(void)
{
	time_advance(CLOCK_READ_NS);
	return now_ns;
}

/* --- events ------------------------------------------------------------ */

static void note_next(void)
{
	struct shim_event *first =
		list_first_entry_or_null(&time_events, struct shim_event, node);

	time_next_event = first ? first->when : U64_MAX;
}

/* Most are later than all that are there: look from the end. */
void shim_event_start(struct shim_event *e, u64 ns)
{
	struct shim_event *at;

	if (e->pending)
		host_panic("an event is started twice");
	e->when = now_ns + ns;
	e->seq = event_seq++;
	e->prio = choose_prio();
	e->pending = true;
	time_io_events += e->io;
	list_for_each_entry_reverse(at, &time_events,
				    node) if (at->when <= e->when) break;
	list_add(&e->node, &at->node);
	note_next();
}

void time_take(struct shim_event *e)
{
	e->pending = false;
	time_io_events -= e->io;
	list_del(&e->node);
	note_next();
}

bool shim_event_cancel(struct shim_event *e)
{
	if (!e->pending)
		return false;
	time_take(e);
	return true;
}

/* --- waiting for time to pass ------------------------------------------ */

static void timed_out(struct shim_event *e)
{
	wake_up_process(e->arg);
}

/* Until jiffies has moved on by that much; it never moves at once. */
static u64 ticks_ns(unsigned long ticks)
{
	u64 first = next_tick_ns - now_ns;

	return ticks ? first + (ticks - 1) * TICK_NS : first;
}

signed long schedule_timeout(signed long timeout)
{
	struct sim_task *me = sim_of(current);
	unsigned long expires = timeout + jiffies;

	if (timeout == MAX_SCHEDULE_TIMEOUT) {
		schedule();
		return timeout;
	}
	/* kernel/time/timer.c: a negative one is a bug, and is over at once. */
	if (timeout < 0) {
		WARN(1, "schedule_timeout: wrong timeout value %lx\n", timeout);
		__set_current_state(TASK_RUNNING);
		return 0;
	}
	me->timeout.cpu = raw_smp_processor_id();
	me->timeout.soft = true;
	me->timeout.fn = timed_out;
	me->timeout.arg = current;
	shim_event_start(&me->timeout, ticks_ns(timeout));
	schedule();
	shim_event_cancel(&me->timeout);
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

signed long schedule_timeout_idle(signed long timeout)
{
	__set_current_state(TASK_IDLE);
	return schedule_timeout(timeout);
}

/* kernel/time/time.c: what does not fit a jiffies interval is for ever. */
unsigned long __msecs_to_jiffies(const unsigned int m)
{
	return (int)m < 0 ? MAX_JIFFY_OFFSET : _msecs_to_jiffies(m);
}

/* One tick more than asked for, as kernel/time/timer.c does. */
void msleep(unsigned int msecs)
{
	signed long left = msecs_to_jiffies(msecs) + 1;

	while (left)
		left = schedule_timeout_uninterruptible(left);
}

/* No task of the machine gets a signal. */
unsigned long msleep_interruptible(unsigned int msecs)
{
	msleep(msecs);
	return 0;
}

static void sleep_ns(u64 ns, unsigned int state)
{
	struct sim_task *me = sim_of(current);

	me->timeout.cpu = raw_smp_processor_id();
	me->timeout.soft = false;
	me->timeout.fn = timed_out;
	me->timeout.arg = current;
	__set_current_state(state);
	shim_event_start(&me->timeout, ns);
	schedule();
	shim_event_cancel(&me->timeout);
}

void usleep_range_state(unsigned long min, unsigned long max,
			unsigned int state)
{
	sleep_ns((u64)min * NSEC_PER_USEC, state);
}

void kern_sleep(unsigned long long ns)
{
	sleep_ns(ns, TASK_UNINTERRUPTIBLE);
}

/* kernel/time/time.c: HZ divides a second's milliseconds. */
unsigned int jiffies_to_msecs(const unsigned long j)
{
	return MSEC_PER_SEC / HZ * j;
}

/* The machine never sleeps and was booted at 0: all clocks say the same. */
ktime_t ktime_get_with_offset(enum tk_offsets offs)
{
	return ktime_get();
}
