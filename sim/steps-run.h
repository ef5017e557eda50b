/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the step engine share: a case while it runs, and one
 * function for each verb. Private to steps*.c and load.c.
 */
#ifndef RAID5SIM_STEPS_RUN_H
#define RAID5SIM_STEPS_RUN_H

#include <stdbool.h>

#include "model.h"
#include "session.h"
#include "steps.h"

#define READ_SIZE 4096

struct load;

/**
 * struct run - a case while it runs
 * @want:	the [expect] that counts, or NULL
 * @quiesced, @suspended: to be undone at the end
 * @halted:	the array has stopped and its disks are there
 * @lost:	the array could not be created: the other steps make no sense
 * @did_io:	there is something to verify
 * @model:	of the array that exists, or NULL
 * @loads:	what goes on in the background
 * @online:	CPUs that run
 * @read:	what an attribute reads; not on the simulation's stacks
 */
struct run {
	const struct sim_case *c;
	const struct case_expect *want;
	struct outcome *o;
	struct session session;
	bool quiesced;
	bool suspended;
	bool halted;
	bool lost;
	bool did_io;
	struct model *model;
	struct load *loads;
	struct cpu_bits online;
	char read[READ_SIZE];
};

/** step_result - a note when what came of a step is not what was expected
 *  @what:	behind the verb
 *  @got:	0 or more is ok, else -errno */
void step_result(struct run *r, const struct case_step *s, const char *what,
		 long got);

/* steps-io.c */
void do_io(struct run *r, const struct case_step *s);
void do_load(struct run *r, const struct case_step *s);
void do_bg(struct run *r, const struct case_step *s);
void do_wait(struct run *r, const struct case_step *s);
void do_verify(struct run *r, const struct case_step *s);
void do_rest(struct run *r, const struct case_step *s);
void do_shrink(struct run *r, const struct case_step *s);
void do_sleep(struct run *r, const struct case_step *s);
/** rest_at_end - wait for all that goes on, and what do_rest() does if there
 *  was I/O; before the array is stopped */
void rest_at_end(struct run *r);

/* steps-disk.c */
void do_fail(struct run *r, const struct case_step *s);
void do_remove(struct run *r, const struct case_step *s);
void do_add(struct run *r, const struct case_step *s);
void do_re_add(struct run *r, const struct case_step *s);
void do_replace(struct run *r, const struct case_step *s);
void do_disk_error(struct run *r, const struct case_step *s);
void do_vanish(struct run *r, const struct case_step *s);
void do_heal(struct run *r, const struct case_step *s);
void do_sync(struct run *r, const struct case_step *s);
void do_reshape(struct run *r, const struct case_step *s);
void do_power_cut(struct run *r, const struct case_step *s);
void do_halt(struct run *r, const struct case_step *s);
void do_assemble(struct run *r, const struct case_step *s);

/* load.c */
/** load_start - start the tasks of a load or bg step */
void load_start(struct run *r, const struct case_step *s);
/** load_wait - until the load @name is done (NULL: all); "bg": all of bg */
void load_wait(struct run *r, const char *name);
/** load_stop - none of them begins anything new */
void load_stop(struct run *r);

#endif
