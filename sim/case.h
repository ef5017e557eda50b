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
	STEP_VERBS
};

/** step_verb_name - as a case file writes it */
const char *step_verb_name(enum step_verb verb);

/**
 * struct case_step - one line of [steps]
 * @line:	of the file
 * @attr:	set, get: the attribute's name
 * @text:	set: what is written; get: what must be read
 * @cpu:	touch, cpu: the CPU
 * @on:		quiesce: on; cpu: online
 * @sector:	touch: of the array's data
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
 * struct case_expect - one [expect] or [expect GLOB] section
 * @glob:	"" for the plain one
 * @line:	of the finding's line, 0: there is none, and none is expected
 * @finding:	kind, FINDING_KINDS: none expected
 * @function:	where, NULL: anywhere
 * @at_line:	line of the function's file, 0: any
 * @object:	a part of the cause, NULL: any
 */
struct case_expect {
	char *glob;
	struct case_size *size;
	unsigned int size_count;
	unsigned int line;
	enum finding_kind finding;
	char *function;
	unsigned int at_line;
	char *object;
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

/** case_expect_matches - is @f the finding that @e expects? */
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
