/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of the shim itself, from inside: each file of them gives one table.
 * They use kernel functions as a driver does, and schedules.
 */
#ifndef RAID5SIM_SELFTEST_H
#define RAID5SIM_SELFTEST_H

#include "shim.h"

/**
 * struct selftest - one test
 * @run:	NULL: all is well; else what is not
 * @finding:	what it must end in instead of returning; FINDING_KINDS: nothing
 * @lockdep:	title of what lockdep must report beside that where it is there
 */
struct selftest {
	const char *name;
	const char *(*run)(void);
	enum finding_kind finding;
	const char *lockdep;
};

/** struct selftest_table - of one file, ends with a NULL name */
extern const struct selftest selftest_sched[];
extern const struct selftest selftest_disk[];

#endif
