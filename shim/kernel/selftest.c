// SPDX-License-Identifier: GPL-2.0-only
/*
 * All tables of the shim's own tests as one. Knows no test.
 */
#include <linux/kernel.h>
#include "selftest.h"

static const struct selftest *const tables[] = {
	selftest_sched,
	selftest_disk,
};

static const struct selftest *test_at(unsigned int i)
{
	const struct selftest *t;
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(tables); n++)
		for (t = tables[n]; t->name; t++)
			if (!i--)
				return t;
	return NULL;
}

unsigned int kern_selftest_count(void)
{
	unsigned int n = 0;

	while (test_at(n))
		n++;
	return n;
}

const char *kern_selftest_name(unsigned int i)
{
	return test_at(i)->name;
}

enum finding_kind kern_selftest_finding(unsigned int i)
{
	return test_at(i)->finding;
}

const char *kern_selftest_lockdep(unsigned int i)
{
	return IS_ENABLED(CONFIG_LOCKDEP) ? test_at(i)->lockdep : NULL;
}

const char *kern_selftest_run(unsigned int i)
{
	return test_at(i)->run();
}
