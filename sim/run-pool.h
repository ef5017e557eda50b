/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs cases, each in a forked process of its own, several at a time. It
 * knows nothing of how results are shown.
 *
 *	parent				child
 *	fork() ----------------------->	steps_run()
 *	poll() <==== struct outcome ===	write() to a pipe, exit
 *	kill() when it takes too long
 */
#ifndef RAID5SIM_RUN_POOL_H
#define RAID5SIM_RUN_POOL_H

#include <stdbool.h>
#include <sys/types.h>

#include "case.h"
#include "steps.h"

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE };

/**
 * struct job - one case to run
 * @skip:	not for this subject; done at once
 * @pid, @fd, @got, @deadline: of the child while it runs
 * @timed_out:	it was killed by the time limit
 * @outcome:	while running and until it was told; @change and @width follow
 * it
 */
struct job {
	struct sim_case c;
	char *name;
	bool skip;
	enum job_state state;
	pid_t pid;
	int fd;
	size_t got;
	long long deadline;
	bool timed_out;
	size_t room;
	struct outcome *outcome;
	struct sched_change *change;
	unsigned char *width;
};

/**
 * struct pool - how to run them
 * @at_once:	children at a time, 1 or more
 * @time_limit:	seconds of the wall clock that one case may take
 * @done:	told of each job, in order, as soon as all before it are done
 */
struct pool {
	struct job *job;
	unsigned int count;
	unsigned int at_once;
	unsigned int time_limit;
	void (*done)(void *arg, unsigned int index, const struct job *job);
	void *arg;
};

/** pool_run - run all jobs; returns 0, or -errno when a process or a pipe
 *  cannot be had */
int pool_run(struct pool *p);

#endif
