/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The step engine: runs a case that case.h has read, in this process, and
 * says what came of it. It prints nothing; run-cmd.c does.
 */
#ifndef RAID5SIM_STEPS_H
#define RAID5SIM_STEPS_H

#include <stdbool.h>

#include "boundary.h"
#include "case.h"
#include "sizes.h"

/* Kept at most of each; a run that has more says how many. */
#define OUTCOME_FINDINGS 32
#define OUTCOME_NOTES	 32
#define OUTCOME_NOTE	 320

/**
 * struct outcome - what came of a case; plain bytes, so that it can go
 * through a pipe to a process of the same program
 * @passed:		as expected in all
 * @not_modelled:	a finding says so, and it was not expected
 * @findings:		how many there were, maybe more than are kept
 * @finding:		the first ones, oldest first
 * @expected:		which of them the case expects
 * @notes:		expectations that were not met
 * @note:		the first ones, each a line
 * @sched:		of the steps and what follows them
 * @changes, @widths: how many of kern_sched_changes() and kern_sched_widths()
 *		the case asked for; they follow in the pipe
 * @not_found:	so many notes say that an expected finding did not come
 * @first_not_found: the first of them, from 1
 * @sizes:		last values of the array, before it was stopped
 */
struct outcome {
	bool passed;
	bool not_modelled;
	unsigned int findings;
	struct finding finding[OUTCOME_FINDINGS];
	bool expected[OUTCOME_FINDINGS];
	unsigned int notes;
	char note[OUTCOME_NOTES][OUTCOME_NOTE];
	struct sched_stats sched;
	unsigned int changes;
	unsigned long widths;
	unsigned int not_found;
	unsigned int first_not_found;
	struct sizes sizes;
};

/** outcome_note - one expectation more that was not met */
void outcome_note(struct outcome *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** outcome_finding - one finding more, in the order in which they come */
void outcome_finding(struct outcome *o, const struct finding *f, bool expected);

/**
 * steps_run - boot the case's machine, do its steps, unload the module
 * @o:	result
 *
 * Once in a process. An array that the steps leave behind is resumed, stopped
 * and freed, so that only what the driver forgot is a leak.
 */
void steps_run(const struct sim_case *c, struct outcome *o);

#endif
