/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a case's [steps] and [expect] sections. Private to the case
 * parser (case.c and case-step.c, case-expect.c).
 */
#ifndef RAID5SIM_CASE_STEP_H
#define RAID5SIM_CASE_STEP_H

#include "case.h"

/** case_step_add - parse `verb = value` and add it to @c; 0 or -EINVAL */
int case_step_add(struct sim_case *c, const char *verb, const char *value,
		  const struct source_pos *pos, struct diag *diag);

/**
 * case_steps_check - can the steps be done in this order at all?
 *
 * No step needs an array where there is none, quiesce and suspend are paired,
 * and each CPU is possible on the machine. Return: 0 or -EINVAL.
 */
int case_steps_check(const struct sim_case *c, struct diag *diag);

/** case_step_free - what one step points to */
void case_step_free(struct case_step *s);

/** case_expect_key - parse one line of an [expect] section; 0 or -EINVAL */
int case_expect_key(struct case_expect *e, const char *key, const char *value,
		    const struct source_pos *pos, struct diag *diag);

/** case_word - cut the next word off @*text; NULL when none is left */
char *case_word(char **text);

#endif
