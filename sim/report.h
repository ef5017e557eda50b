/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings, machine, array and subject as people and programs read them, and
 * the command that replays a finding. It decides nothing.
 */
#ifndef RAID5SIM_REPORT_H
#define RAID5SIM_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "boundary.h"
#include "json.h"
#include "options.h"

/**
 * report_finding - a finding in three lines
 * @prefix:	before each line, "" or "# "
 * @label:	before the kind, "" or "expected: "
 * @replay:	the command, or NULL: that line is left out
 *
 *	out-of-bounds in raid5_wakeup_stripe_thread(), drivers/md/raid5.c:197
 *	  worker_groups[8] of 2, allocated in alloc_thread_groups()
 *	  replay: raid5sim --subject stock run cases/numa/power9-0-8.case
 */
void report_finding(FILE *out, const char *prefix, const char *label,
		    const struct finding *f, const char *replay);

/** report_finding_json - an object: kind, function, file, line, cause, replay;
 *  an unknown function, file or line is null */
void report_finding_json(struct json *j, const struct finding *f,
			 const char *replay);

/** report_subject - "stock: linux 6.12.117, config debian, 64 bits, ..." */
void report_subject(FILE *out);

/** report_machine_json - an object of the machine's masks and totals */
void report_machine_json(struct json *j, const char *key,
			 const struct machine *m);
/** report_array_json - an object of the array's keys */
void report_array_json(struct json *j, const char *key,
		       const struct array_desc *desc);
/** report_params_json - an object of NAME: "VALUE" */
void report_params_json(struct json *j, const char *key,
			const struct param_list *params);

/**
 * report_replay_case - the command that runs a case again
 * @path:	as given; an absolute one is cut to what follows the current
 *		folder, else to what begins with "cases/", else to its name
 * @schedule:	that the case itself does not say, as text, or NULL
 *
 * Return: the command; the caller frees it.
 */
char *report_replay_case(const char *path, const char *schedule,
			 bool strict_locks);

/**
 * report_replay_size - the command that measures the same again
 * @tries:	of --try
 *
 * Return: the command; the caller frees it.
 */
char *report_replay_size(const struct machine *m, const struct array_desc *desc,
			 const struct param_list *params,
			 const struct param_list *tries);

/** report_flush - end of all output; 0, or 2 when it could not be written */
int report_flush(void);

#endif
