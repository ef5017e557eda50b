/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order in which steps make sense: no step needs what is not there. What
 * a driver may refuse is not refused here.
 *
 *	          create			   quiesce on
 *	no array ---------> array, going on <-------------------> quiesced
 *	    ^  ^-----------   |   ^	       suspend / resume: the same
 *	    |      stop       v   |
 *	    +------------- halted + assemble
 *	      stop	(halt)
 */
#include <errno.h>
#include <string.h>

#include "case-step.h"
#include "list.h"

#define LOADS_MAX 64

/**
 * struct state - what is there at a step
 * @load:	names of loads that were started
 */
struct state {
	bool array;
	bool halted;
	bool cut;
	bool quiesced;
	bool suspended;
	const struct sim_case *c;
	const char *load[LOADS_MAX];
	unsigned int loads;
};

static const char *do_create(struct state *st, const struct case_step *s)
{
	if (st->array)
		return "there is an array already; stop it first";
	st->array = !s->result;
	return NULL;
}

static const char *do_quiesce(struct state *st, const struct case_step *s)
{
	if (st->quiesced == s->on)
		return s->on ? "it is quiesced already" : "it is not quiesced";
	st->quiesced = s->on;
	return NULL;
}

static const char *do_suspend(struct state *st, const struct case_step *s)
{
	if (st->suspended)
		return "it is suspended already";
	st->suspended = !s->result;
	return NULL;
}

static const char *do_resume(struct state *st)
{
	if (!st->suspended)
		return "it is not suspended";
	st->suspended = false;
	return NULL;
}

static const char *still(const struct state *st)
{
	return st->quiesced || st->suspended
		       ? "it is quiesced or suspended; let it go on first"
		       : NULL;
}

static const char *do_stop(struct state *st)
{
	const char *why = still(st);

	if (why)
		return why;
	st->array = false;
	st->halted = false;
	st->cut = false;
	return NULL;
}

static const char *do_halt(struct state *st, const struct case_step *s)
{
	const char *why = still(st);

	if (why)
		return why;
	if (!s->result) {
		st->halted = true;
		st->cut = false;
	}
	return NULL;
}

static const char *do_assemble(struct state *st, const struct case_step *s)
{
	if (!st->halted)
		return "it is not halted";
	if (st->c->array.desc.metadata == METADATA_NONE)
		return "with metadata = none nothing can be assembled again";
	st->halted = s->result != 0;
	return NULL;
}

static const char *do_power_cut(struct state *st)
{
	if (st->cut)
		return "there was a power cut; halt comes next";
	st->cut = true;
	return NULL;
}

static bool has_load(const struct state *st, const char *name)
{
	for (unsigned int i = 0; i < st->loads; i++)
		if (!strcmp(st->load[i], name))
			return true;
	return false;
}

static const char *do_load(struct state *st, const struct case_step *s)
{
	if (!strcmp(s->load->name, "bg") || has_load(st, s->load->name))
		return "there is a load of that name already";
	if (st->loads == LOADS_MAX)
		return "too many loads";
	if (!cpu_bits_subset(&s->load->cpus, &st->c->machine->possible_cpus))
		return "a CPU of the list is not possible on this machine";
	st->load[st->loads++] = s->load->name;
	return NULL;
}

static const char *do_wait(const struct state *st, const struct case_step *s)
{
	if (s->attr && strcmp(s->attr, "bg") && !has_load(st, s->attr))
		return "there is no load of that name";
	return still(st);
}

/* Steps of a halted array are about its disks only. */
static const char *while_halted(enum step_verb verb)
{
	switch (verb) {
	case STEP_STOP:
	case STEP_ASSEMBLE:
	case STEP_VANISH:
	case STEP_HEAL:
	case STEP_DISK_ERROR:
	case STEP_SLEEP:
	case STEP_WAIT:
		return NULL;
	default:
		return "the array is halted at this step";
	}
}

static const char *do_with_array(struct state *st, const struct case_step *s)
{
	switch (s->verb) {
	case STEP_QUIESCE:
		return do_quiesce(st, s);
	case STEP_SUSPEND:
		return do_suspend(st, s);
	case STEP_RESUME:
		return do_resume(st);
	case STEP_STOP:
		return do_stop(st);
	case STEP_HALT:
		return do_halt(st, s);
	case STEP_ASSEMBLE:
		return do_assemble(st, s);
	case STEP_POWER_CUT:
		return do_power_cut(st);
	case STEP_LOAD:
		return do_load(st, s);
	case STEP_WAIT:
		return do_wait(st, s);
	case STEP_IO:
	case STEP_VERIFY:
	case STEP_REST:
		return still(st);
	default:
		return NULL;
	}
}

/* Returns why the step cannot be done, or NULL. */
static const char *do_step(struct state *st, const struct case_step *s)
{
	const char *why;

	if (s->verb == STEP_CREATE)
		return do_create(st, s);
	if (s->verb == STEP_CPU)
		return NULL;
	if (!st->array)
		return "there is no array at this step";
	why = st->halted ? while_halted(s->verb) : NULL;
	return why ? why : do_with_array(st, s);
}

static const char *check_cpu(const struct sim_case *c,
			     const struct case_step *s)
{
	unsigned int cpu = s->cpu;

	if (s->verb == STEP_BG && s->bg->on_cpu)
		cpu = s->bg->cpu;
	else if (s->verb == STEP_IO
			 ? !s->io.on_cpu
			 : s->verb != STEP_TOUCH && s->verb != STEP_CPU)
		return NULL;
	if (cpu_bits_test(&c->machine->possible_cpus, cpu))
		return NULL;
	return "that CPU is not possible on this machine";
}

int case_steps_check(const struct sim_case *c, struct diag *diag)
{
	struct state st = {.c = c};
	const char *why;

	for (unsigned int i = 0; i < c->step_count; i++) {
		const struct case_step *s = &c->step[i];
		struct source_pos pos = {c->path, s->line};

		why = do_step(&st, s);
		if (!why)
			why = check_cpu(c, s);
		if (why)
			return diag_set(diag, &pos, step_verb_name(s->verb),
					NULL, NULL, "%s", why);
	}
	return 0;
}
