/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Case files: one text file that says on which machine what is done to which
 * array, and what must come of it. Here they are read and checked; steps.h
 * runs them. docs/cases.md is the reference for those who write one.
 */
#ifndef RAID5SIM_CASE_H
#define RAID5SIM_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "array-spec.h"
#include "boundary.h"
#include "diag.h"
#include "params.h"
#include "sizes.h"

enum step_verb {
	STEP_CREATE,
	STEP_SET,
	STEP_GET,
	STEP_TOUCH,
	STEP_QUIESCE,
	STEP_SUSPEND,
	STEP_RESUME,
	STEP_CPU,
	STEP_STOP,
	STEP_IO,
	STEP_LOAD,
	STEP_WAIT,
	STEP_VERIFY,
	STEP_REST,
	STEP_BG,
	STEP_SHRINK,
	STEP_SLEEP,
	STEP_FAIL,
	STEP_REMOVE,
	STEP_ADD,
	STEP_RE_ADD,
	STEP_REPLACE,
	STEP_DISK_ERROR,
	STEP_VANISH,
	STEP_HEAL,
	STEP_SYNC,
	STEP_RESHAPE,
	STEP_POWER_CUT,
	STEP_HALT,
	STEP_ASSEMBLE,
	STEP_VERBS
};

/** step_verb_name - as a case file writes it */
const char *step_verb_name(enum step_verb verb);

/**
 * struct case_io - what io and verify do
 * @whole:	verify: all of the array, not just what was written
 * @on_cpu:	@cpu counts; else any
 */
struct case_io {
	enum kern_io_op op;
	unsigned int flags;
	unsigned long long sector;
	unsigned int sectors;
	bool whole;
	bool on_cpu;
};

/* What a writer of a load does next, by weight. */
enum load_kind {
	LOAD_PARTIAL, /* some sectors anywhere */
	LOAD_PAGE,    /* whole pages */
	LOAD_FULL,    /* a whole stripe of chunks */
	LOAD_CROSS,   /* over the end of a chunk */
	LOAD_DISCARD,
	LOAD_FLUSH,
	LOAD_FUA,      /* as partial, durable before it ends */
	LOAD_PREFLUSH, /* as partial, after a flush */
	LOAD_READ,
	LOAD_KINDS
};

/**
 * struct case_load - requests that go on beside the next steps
 * @cpus:	where the tasks are, one after the other; empty: all online ones
 * @ops:	requests of each task
 * @sizes:	sectors of a request, from and to
 * @align:	sectors that its beginning is a multiple of
 * @region:	sectors of the array that are used, from and up to
 * @mix:	weights of what writers do
 * @depth:	requests of a task under way at a time
 * @plug:	requests that are submitted under one plug; 0: no plug
 * @may_fail:	a request that fails is fine
 */
struct case_load {
	char *name;
	unsigned int writers;
	unsigned int readers;
	struct cpu_bits cpus;
	unsigned int ops;
	unsigned int sizes[2];
	unsigned int align;
	unsigned long long region[2];
	unsigned int mix[LOAD_KINDS];
	unsigned int depth;
	unsigned int plug;
	unsigned long long seed;
	bool may_fail;
};

enum bg_kind { BG_SET, BG_SHRINK, BG_QUIESCE, BG_SUSPEND };

/**
 * struct case_bg - something that is done again and again beside the next steps
 * @attr:	set: the attribute; @value: what is written, one after the other
 * @objects:	shrink: stripes to free
 * @times:	how often
 * @every:	virtual ns between, and that quiesce and suspend last
 * @any:	whatever comes of it is fine; else it must be @result
 */
struct case_bg {
	enum bg_kind kind;
	char *attr;
	char **value;
	unsigned int values;
	unsigned long long objects;
	unsigned int times;
	unsigned long long every;
	bool on_cpu;
	unsigned int cpu;
	bool any;
	int result;
};

/**
 * struct case_step - one line of [steps]
 * @line:	of the file
 * @attr:	set, get: the attribute's name; sync: what is written to
 *		sync_action, NULL: wait; wait: the load's name, NULL: all
 * @text:	set: what is written; get: what must be read
 * @cpu:	touch, cpu, io: the CPU
 * @on:		quiesce: on; cpu: online; power-cut: torn; disk-error: of writes
 * @sector:	touch: of the array's data; disk-error: of the member's
 * @disk:	of steps that are about one
 * @number:	disk-error: sectors; shrink: stripes; sleep: virtual ns;
 *		power-cut: the seed; assemble: bit n: without disk n
 * @reshape:	what to change; its members are 0 for what stays
 * @result:	what must come of it, 0 or -errno (not for get)
 */
struct case_step {
	enum step_verb verb;
	unsigned int line;
	char *attr;
	char *text;
	unsigned int cpu;
	bool on;
	unsigned long long sector;
	unsigned int disk;
	unsigned long long number;
	struct case_io io;
	struct case_load *load;
	struct case_bg *bg;
	struct param_list reshape;
	int result;
};

/**
 * struct case_size - one value that is expected
 */
struct case_size {
	enum size_key key;
	unsigned int line;
	long long value;
};

/**
 * struct case_finding - one finding that is expected
 * @line:	of the case's file
 * @function:	where, NULL: anywhere
 * @at_line:	line of the function's file, 0: any
 * @object:	a part of the cause or of a line of the detail, NULL: any
 */
struct case_finding {
	unsigned int line;
	enum finding_kind kind;
	char *function;
	unsigned int at_line;
	char *object;
};

/**
 * struct case_expect - one [expect] or [expect GLOB] section
 * @glob:	"" for the plain one
 * @none_line:	of "finding = none", 0: it is not there
 * @finding:	all must come and no other may
 */
struct case_expect {
	char *glob;
	struct case_size *size;
	unsigned int size_count;
	unsigned int none_line;
	struct case_finding *finding;
	unsigned int finding_count;
};

/**
 * struct case_schedule - how a case is scheduled
 * @s:		in order without [schedule]
 * @line:	of schedule; 0: there is none
 * @points:	where choices are offered, for lines that do not say
 * @times:	of the disks, if @times_line is not 0
 * @want_changes, @want_widths: what the outcome is to have, beside the counts
 */
struct case_schedule {
	struct schedule s;
	unsigned int line;
	unsigned int points;
	unsigned int points_line;
	struct disk_times times;
	unsigned int times_line;
	bool want_changes;
	bool want_widths;
};

/**
 * struct case_locks - how strictly locks are judged
 * @strict_line: of strict, 0: it is not there
 */
struct case_locks {
	bool strict;
	unsigned int strict_line;
};

/**
 * struct sim_case - a case, checked
 * @path:	of the file, as it was given
 * @title:	one line
 * @why:	"" when the file says none
 * @subjects:	globs of subjects' names; none: all subjects
 */
struct sim_case {
	char *path;
	char *title;
	char *why;
	char **subjects;
	unsigned int subject_count;
	struct machine *machine;
	struct param_list params;
	struct array_spec array;
	struct case_step *step;
	unsigned int step_count;
	struct case_expect *expect;
	unsigned int expect_count;
	struct case_schedule schedule;
	struct case_locks locks;
};

/**
 * case_load - read and check one file
 * @path:	its name
 * @page_size:	of the subject, for the machine's memory
 * @c:		result; to be freed in either case
 * @diag:	the first error: file, line, key, what is accepted
 *
 * Return: 0 or -EINVAL.
 */
int case_load(const char *path, unsigned long page_size, struct sim_case *c,
	      struct diag *diag);

/** case_load_as - the same of the text in another file, @from */
int case_load_as(const char *from, const char *path, unsigned long page_size,
		 struct sim_case *c, struct diag *diag);
void case_free(struct sim_case *c);

/** case_applies - is the case for the subject called @subject? */
bool case_applies(const struct sim_case *c, const char *subject);

/**
 * case_expectation - the section that counts for a subject
 *
 * The first [expect GLOB] in file order whose glob matches; else [expect].
 * One section counts, never a mix.
 *
 * Return: the section or NULL (nothing is expected, and no finding).
 */
const struct case_expect *case_expectation(const struct sim_case *c,
					   const char *subject);

/** case_expect_free - what it holds */
void case_expect_free(struct case_expect *e);

/** case_finding_matches - is @f what @e expects? */
bool case_finding_matches(const struct case_finding *e,
			  const struct finding *f);

/** case_expect_matches - is @f one of those that @e expects? */
bool case_expect_matches(const struct case_expect *e, const struct finding *f);

/**
 * case_name - what reports call a case
 * @path:	of the file
 * @dir:	the directory it was found in, NULL: given as a file
 * @name:	result: what follows a folder called "cases" in @path; without
 *		one, what follows @dir, or the file's own name; less ".case"
 */
void case_name(const char *path, const char *dir, char *name, size_t size);

#endif
