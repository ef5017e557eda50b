/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One case under many schedules, and which findings that gives: what is
 * looked for, not how it is shown. Each run is a process of its own.
 */
#ifndef RAID5SIM_EXPLORE_H
#define RAID5SIM_EXPLORE_H

#include <stdbool.h>

#include "case.h"
#include "steps.h"

enum explore_strategy { EXPLORE_RANDOM, EXPLORE_PCT, EXPLORE_EXHAUSTIVE };

/* Distinct findings at most that are kept; more are counted. */
#define EXPLORED_MAX 64

/**
 * struct explored - findings that are alike: the same kind at the same place,
 * with causes that differ in numbers only
 * @f:		of the first run that shows it; without a kind when it is a note
 * @note:	an expectation that was not met, or ""
 * @expected:	the case expects it
 * @runs:	that show it
 * @first:	number of the first of them, from 0
 * @last:	number of the last of them so far
 * @schedule:	of that one, as text
 */
struct explored {
	struct finding f;
	char note[OUTCOME_NOTE];
	bool expected;
	unsigned long runs;
	unsigned long first;
	unsigned long last;
	char *schedule;
};

/**
 * struct exploration - what to do, and what came of it
 * @runs:	how many at most; the first one is in order
 * @seed:	of the second run; each has one more than the run before
 * @rate:	random: 0: a different one from run to run
 * @depth:	pct: tasks and interrupts that have to meet for a fault
 * @bound:	exhaustive: changes of a schedule from in order at most
 * @points:	where choices are offered
 * @at_once, @time_limit: as of struct pool
 *
 * @done:	runs
 * @failed:	of them those with anything unexpected
 * @points_passed ... @interrupts: of all runs
 * @complete:	exhaustive: there is no schedule more within the bound
 * @found, @count: findings; @more: kinds of them that found no room
 */
struct exploration {
	const struct sim_case *c;
	enum explore_strategy strategy;
	unsigned long runs;
	unsigned long long seed;
	unsigned int rate;
	unsigned int depth;
	unsigned int bound;
	unsigned int points;
	unsigned int at_once;
	unsigned int time_limit;
	bool strict_locks;

	unsigned long done;
	unsigned long failed;
	unsigned long long points_passed;
	unsigned long long choices;
	unsigned long long switches;
	unsigned long long interrupts;
	bool complete;
	bool not_modelled;
	struct explored found[EXPLORED_MAX];
	unsigned int count;
	unsigned long more;
};

/** explore - do all runs; 0, or -errno when a process cannot be had */
int explore(struct exploration *e);
void explore_free(struct exploration *e);

/** explore_shape - @text with each number, and each list of numbers with "or"
 *  between them, replaced by N: what two causes have in common */
void explore_shape(const char *text, char *shape, size_t size);

#endif
