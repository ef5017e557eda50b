// SPDX-License-Identifier: GPL-2.0-only
/*
 * The schedule: every choice of a run is made here, by one strategy, is
 * counted, and goes into the hash of the trace. Knows no task's business; a
 * choice is a number below the number of alternatives.
 *
 *	alternative:  0		what SCHED_IN_ORDER does
 *		      1 ...	the others, in the order in which they came
 */
#include <linux/string.h>
#include "sched.h"

/* Room for what is recorded: reserved, costs memory only as it is used. */
#define RECORD_MAX (1UL << 26)

static struct schedule how;
static struct sched_stats stats = {.trace_hash = 1};
static u64 random_state;
static u64 lowest_prio;
static u64 *change_point; /* pct: ascending */
static unsigned int next_change;
static struct sched_change *changes;
static unsigned int nr_changes;
static unsigned char *widths;
static bool recording;

#define PRIO_MIDDLE (1ULL << 40)

/* --- trace ------------------------------------------------------------- */

/* FNV-1a over 64-bit words, the upper half mixed in. */
#define TRACE_PRIME 0x100000001b3ULL

void shim_trace(u64 what)
{
	u64 h = (stats.trace_hash ^ what) * TRACE_PRIME;

	stats.trace_hash = h ^ h >> 32;
}

enum { TRACE_CHOICE = 1, TRACE_SWITCH, TRACE_EVENT };

static void trace(unsigned int kind, u64 what)
{
	shim_trace((u64)kind << 56 ^ what);
}

bool choose_offered(void)
{
	return how.points;
}

void choose_count_point(void)
{
	stats.points++;
}

void choose_count_switch(const struct sim_task *to)
{
	stats.switches++;
	trace(TRACE_SWITCH, (u64)to->t.pid << 16 | task_cpu(&to->t));
}

void choose_count_interrupt(const struct shim_event *e)
{
	stats.interrupts++;
	trace(TRACE_EVENT, e->seq);
}

/* --- random numbers ---------------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static u64 next_random(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static u64 random_below(u64 n)
{
	return next_random() % n;
}

u64 choose_prio(void)
{
	if (how.strategy != SCHED_PCT)
		return 0;
	return PRIO_MIDDLE + random_below(PRIO_MIDDLE);
}

u64 choose_lowest(void)
{
	return --lowest_prio;
}

/* --- strategies -------------------------------------------------------- */

static unsigned int pick_random(unsigned int n, bool forced)
{
	if (!forced && random_below(how.rate))
		return 0;
	return random_below(n);
}

static unsigned int pick_list(unsigned int n)
{
	const struct sched_change *c;

	while (next_change < how.changes) {
		c = &how.change[next_change];
		if (c->choice > stats.choices)
			return 0;
		next_change++;
		if (c->choice == stats.choices)
			return c->pick < n ? c->pick : 0;
	}
	return 0;
}

static unsigned int pick_byte(unsigned int n)
{
	if (stats.choices >= how.byte_count)
		return 0;
	return how.bytes[stats.choices] % n;
}

static u64 *prio_of(const struct alternative *a)
{
	switch (a->go) {
	case GO_EVENT:
		return &a->event->prio;
	case GO_QUEUE:
		return &list_first_entry(&a->cpu->queue, struct sim_task, queue)
				->prio;
	default:
		return &a->cpu->curr->prio;
	}
}

static unsigned int highest(const struct alternative *alt, unsigned int n)
{
	unsigned int best = 0, i;

	for (i = 1; i < n; i++)
		if (*prio_of(&alt[i]) > *prio_of(&alt[best]))
			best = i;
	return best;
}

static unsigned int pick_pct(const struct alternative *alt, unsigned int n)
{
	while (next_change + 1 < how.depth &&
	       change_point[next_change] <= stats.choices) {
		*prio_of(&alt[highest(alt, n)]) = choose_lowest();
		next_change++;
	}
	return highest(alt, n);
}

static void record(unsigned int n, unsigned int pick)
{
	if (stats.choices >= RECORD_MAX)
		host_panic("more choices than can be recorded");
	widths[stats.choices] = min(n, 255U);
	if (pick)
		changes[nr_changes++] = (struct sched_change){
			.choice = stats.choices,
			.pick = pick,
		};
}

static unsigned int chosen(unsigned int n, unsigned int pick)
{
	if (recording)
		record(n, pick);
	trace(TRACE_CHOICE, (u64)n << 32 | pick);
	stats.choices++;
	return pick;
}

unsigned int choose_next(const struct alternative *alt, unsigned int n,
			 bool forced)
{
	if (n < 2)
		return 0;
	switch (how.strategy) {
	case SCHED_RANDOM:
		return chosen(n, pick_random(n, forced));
	case SCHED_PCT:
		return chosen(n, pick_pct(alt, n));
	case SCHED_LIST:
		return chosen(n, pick_list(n));
	case SCHED_BYTES:
		return chosen(n, pick_byte(n));
	default:
		return chosen(n, 0);
	}
}

unsigned int shim_choose(unsigned int n)
{
	if (n < 2)
		return 0;
	switch (how.strategy) {
	case SCHED_RANDOM:
	case SCHED_PCT:
		return chosen(n, random_below(n));
	case SCHED_LIST:
		return chosen(n, pick_list(n));
	case SCHED_BYTES:
		return chosen(n, pick_byte(n));
	default:
		return chosen(n, 0);
	}
}

/* --- the host's side --------------------------------------------------- */

/* depth - 1 points among the first @length choices, in ascending order. */
static void choose_change_points(void)
{
	unsigned int i, j, n = how.depth ? how.depth - 1 : 0;
	u64 at;

	if (change_point)
		host_obj_free(change_point, MEM_SHIM, NULL);
	change_point =
		host_obj_alloc((n + 1) * sizeof(u64), 8, MEM_SHIM, NULL, NULL);
	for (i = 0; i < n; i++) {
		at = random_below(how.length ?: 1);
		for (j = i; j && change_point[j - 1] > at; j--)
			change_point[j] = change_point[j - 1];
		change_point[j] = at;
	}
}

static void give_prios(void)
{
	struct sim_task *st;
	struct shim_event *e;

	list_for_each_entry (st, &sched_tasks, all)
		st->prio = choose_prio();
	list_for_each_entry (e, &time_events, node)
		e->prio = choose_prio();
}

void kern_schedule(const struct schedule *s)
{
	how = *s;
	how.rate = how.rate ?: 1;
	random_state = s->seed;
	memset(&stats, 0, sizeof(stats));
	stats.trace_hash = 1;
	next_change = nr_changes = 0;
	lowest_prio = PRIO_MIDDLE;
	if (how.strategy == SCHED_PCT) {
		choose_change_points();
		give_prios();
	}
	shim_preempt_armed = how.points | POINT_LOCKS;
}

void kern_sched_stats(struct sched_stats *out)
{
	*out = stats;
}

void kern_sched_record(int on)
{
	if (on && !widths) {
		widths = host_region(RECORD_MAX);
		changes = host_region(RECORD_MAX * sizeof(*changes));
	}
	recording = on;
}

unsigned int kern_sched_changes(const struct sched_change **out)
{
	*out = changes;
	return nr_changes;
}

unsigned long kern_sched_widths(const unsigned char **out)
{
	*out = widths;
	return recording ? stats.choices : 0;
}
