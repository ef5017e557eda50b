/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A smaller case and a shorter schedule that still show the same finding: same
 * kind, same function. It runs cases; it prints nothing.
 */
#ifndef RAID5SIM_SHRINK_H
#define RAID5SIM_SHRINK_H

#include <stdbool.h>

#include "case-text.h"

/**
 * struct shrink_size - how large a case and its schedule are
 * @requests:	that loads submit, all tasks together
 * @tasks:	of loads and bg steps
 * @changes:	of the schedule from in order, as far as it is known
 */
struct shrink_size {
	unsigned int steps;
	unsigned long requests;
	unsigned int tasks;
	unsigned int cpus;
	unsigned int disks;
	unsigned int changes;
};

/**
 * struct shrink - what to do, and what came of it
 * @path:	of the case
 * @text:	the case; afterwards the small one, which has its schedule and
 *		expects the finding
 * @schedule:	that shows the finding; afterwards a list, if one could be had
 * @kind:	of the finding that is meant, FINDING_KINDS: the first one,
 *		those that the case does not expect before the others
 * @runs:	at most
 * @at_once, @time_limit: as of struct pool
 *
 * @found:	the finding that is kept
 * @done:	runs
 * @before, @after: sizes
 */
struct shrink {
	const char *path;
	struct case_text text;
	struct schedule schedule;
	enum finding_kind kind;
	unsigned long runs;
	unsigned int at_once;
	unsigned int time_limit;

	struct finding found;
	unsigned long done;
	struct shrink_size before;
	struct shrink_size after;
};

/**
 * shrink - make it smaller
 * @why:	on error: what is wrong
 *
 * Return: 0; -ENOENT: the schedule shows no such finding; or another -errno
 * when a process cannot be had.
 */
int shrink(struct shrink *s, const char **why);
void shrink_free(struct shrink *s);

/**
 * shrink_write - write the small case, read it again and run it
 *
 * Return: 0; -ENOENT: what was written does not show the finding; another
 * -errno: it cannot be written.
 */
int shrink_write(struct shrink *s, const char *file);

/** shrink_text - "steps 11 -> 2, requests 1205 -> 2, ...", one line */
void shrink_text(const struct shrink *s, char *buf, size_t size);

#endif
