/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pool_run() without processes and without a kernel: what a run comes to, the
 * test says. For tests of what decides which runs there are.
 *
 *	explore(), shrink() --> pool_run() --> fake_judge(case, run)
 */
#ifndef RAID5SIM_UNIT_POOL_FAKE_H
#define RAID5SIM_UNIT_POOL_FAKE_H

#include "run-pool.h"

#define FAKE_CHOICES 32

/**
 * struct fake_run - what a run comes to
 * @outcome:	all zero before
 * @width:	alternatives of each of its outcome.widths choices
 * @change:	where it did not go on in order, outcome.changes
 */
struct fake_run {
	struct outcome outcome;
	unsigned char width[FAKE_CHOICES];
	struct sched_change change[FAKE_CHOICES];
};

/** fake_judge - the test's: fill in @run */
void fake_judge(const struct sim_case *c, struct fake_run *run);

#endif
