/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many writes and verified reads a second an array does, and how many
 * preemption points that passes, with choices offered at locks and without.
 * The wall clock is read here and decides nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "host/run.h"
#include "request.h"
#include "schedule.h"

#define TASKS  4
#define PAIRS  500 /* of each task, in a round */
#define PAGE   8   /* sectors */
#define REGION 512 /* sectors of each task's own part of the array */

/**
 * struct kind - one way of scheduling, measured
 * @pairs, @points: a second, of each round
 */
struct kind {
	const char *name;
	struct schedule schedule;
	double pairs[BENCH_ROUNDS];
	double points[BENCH_ROUNDS];
};

static struct kind kinds[] = {
	{.name = "points off"},
	{.name = "points at locks, in order",
	 .schedule = {.points = POINT_LOCKS}},
	{.name = "points at locks, random 1 of 16",
	 .schedule = {.strategy = SCHED_RANDOM,
		      .points = POINT_LOCKS,
		      .seed = 1,
		      .rate = 16}},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct writer {
	struct kern_array *a;
	struct request q;
	unsigned long long base;
};

static void check(int result)
{
	if (result)
		host_panic("bench: a request gives %d", result);
}

static void write_and_read(void *arg)
{
	struct writer *w = arg;

	for (unsigned int i = 0; i < PAIRS; i++) {
		unsigned long long at = w->base + i * 40 % REGION / PAGE * PAGE;

		request_start(&w->q, w->a, KERN_WRITE, 0, at, PAGE);
		check(request_finish(&w->q));
		request_start(&w->q, w->a, KERN_READ, 0, at, PAGE);
		check(request_finish(&w->q));
	}
}

static void run_tasks(struct kern_array *a, struct model *m)
{
	static struct writer writer[TASKS];
	struct kern_task *task[TASKS];

	for (unsigned int i = 0; i < TASKS; i++) {
		writer[i].a = a;
		writer[i].base = i * REGION;
		request_init(&writer[i].q, m, PAGE);
		task[i] =
			kern_task_start("bench", i, write_and_read, &writer[i]);
	}
	for (unsigned int i = 0; i < TASKS; i++) {
		kern_task_join(task[i]);
		request_free(&writer[i].q);
	}
}

static void one_round(struct kern_array *a, struct kind *k, unsigned int round)
{
	struct model *m = model_new();
	struct sched_stats stats;
	double start, seconds;

	/* What the round before has written is not known to this model. */
	kern_schedule(&k->schedule);
	start = bench_now();
	run_tasks(a, m);
	seconds = bench_now() - start;
	kern_sched_stats(&stats);
	k->pairs[round] = TASKS * PAIRS / seconds;
	k->points[round] = (double)stats.points / seconds;
	model_free(m);
}

static void print(struct kind *k, double off)
{
	double pairs = bench_median(k->pairs);

	printf("  %-32s %8.0f pairs a second", k->name, pairs);
	if (k->schedule.points)
		printf(", %9.0f points a second, %.2f times the work",
		       bench_median(k->points), off / pairs);
	putchar('\n');
}

void bench_io(const struct array_desc *desc)
{
	struct kern_array *a;

	if (kern_array_create(desc, &a))
		host_panic("bench: create failed");
	for (unsigned int i = 0; i < BENCH_ROUNDS; i++)
		for (unsigned int k = 0; k < KINDS; k++)
			one_round(a, &kinds[k], i);
	kern_schedule(&(struct schedule){.points = 0});
	kern_array_stop(a);
	printf("write and verified read of 4K, raid5, 4 disks, 4 tasks on 4 "
	       "CPUs:\n");
	for (unsigned int k = 0; k < KINDS; k++)
		print(&kinds[k], bench_median(kinds[0].pairs));
}
