/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim selftest --lockdep`: the kernel's own test of lockdep, run on the
 * simulator's primitives, as KTAP: a test a row of the kernel's table. It
 * knows no scenario but the one that the always-on checker must see too.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "host/run.h"
#include "lock-suite.h"
#include "report.h"

/* What needs no lockdep to be seen: the lock is not held any more. */
#define SEEN_BY_BOTH "double unlock"

static struct {
	const struct machine *machine;
	unsigned int rows, failed;
	unsigned int agree, total, checker;
	int there;
} suite;

static bool row_is_well(const struct lock_suite_row *row)
{
	if (row->agree != row->total || row->checker_alone)
		return false;
	return strcmp(row->name, SEEN_BY_BOTH) || row->checker == row->total;
}

static void on_row(const struct lock_suite_row *row)
{
	bool ok = row_is_well(row);

	suite.rows++;
	suite.failed += !ok;
	suite.agree += row->agree;
	suite.total += row->total;
	suite.checker += row->checker;
	if (row->checker_alone)
		printf("# the checker alone finds something in %u\n",
		       row->checker_alone);
	printf("%sok %u %s %u/%u", ok ? "" : "not ", suite.rows, row->name,
	       row->agree, row->total);
	if (row->checker)
		printf(", the checker sees %u", row->checker);
	putchar('\n');
}

static void simulate(void *unused)
{
	(void)unused;
	kern_boot(suite.machine);
	suite.there = kern_lock_suite(on_row);
}

int lock_suite_run(const struct machine *m)
{
	bool ended;

	memset(&suite, 0, sizeof(suite));
	suite.machine = m;
	printf("KTAP version 1\n");
	ended = run_guarded(simulate, NULL);
	for (unsigned int i = 0; i < finding_count(); i++)
		report_finding(stdout, "# ", "", finding_get(i), NULL);
	if (!suite.there && !ended) {
		printf("1..0 # SKIP the subject has no lock debugging\n");
		return EXIT_AS_EXPECTED;
	}
	printf("1..%u\n# scenarios that agree with the kernel's table: %u/%u\n",
	       suite.rows, suite.agree, suite.total);
	printf("# Totals: pass:%u fail:%u skip:0\n", suite.rows - suite.failed,
	       suite.failed);
	return ended || suite.failed || finding_count() || !suite.rows
		       ? EXIT_FINDING
		       : EXIT_AS_EXPECTED;
}
