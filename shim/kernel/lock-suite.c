// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree's own lib/locking-selftest.c, unmodified, run on the primitives
 * that the driver runs on: does lockdep judge here as the kernel's authors
 * say it must? Beside that, what the always-on checker says of each scenario.
 * Reads the table that the kernel prints; knows no scenario.
 *
 *	"          A-A deadlock:" "  ok  |" "  ok  |" ... "\n"
 *	 begins a row            a scenario each; FAILED: judged otherwise
 */
#include <linux/debug_locks.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "sched.h"

#ifdef CONFIG_DEBUG_LOCKING_API_SELFTESTS

static struct lock_suite_row row;
static void (*row_done)(const struct lock_suite_row *row);
static unsigned int seen; /* by the checker, in the scenario that runs */

static void end_row(void)
{
	if (row.total)
		row_done(&row);
	memset(&row, 0, sizeof(row));
}

static void begin_row(const char *text)
{
	size_t len;

	end_row();
	text = skip_spaces(text);
	len = min(strlen(text) - 1, sizeof(row.name) - 1);
	memcpy(row.name, text, len);
}

static void hear(int level, const char *text)
{
	size_t len = strlen(text);

	if (len && text[len - 1] == ':' && text[0] == ' ')
		begin_row(text);
	else if (strstr(text, "FAILED|") || strstr(text, "  ok  |"))
		row.total++;
	if (strstr(text, "  ok  |"))
		row.agree++;
}

void lock_suite_scenario_ends(void)
{
	if (!row_done)
		return;
	row.checker += seen != 0;
	row.checker_alone += seen && debug_locks;
	seen = 0;
	lock_check_drop_all();
}

int kern_lock_suite(void (*done)(const struct lock_suite_row *row))
{
	int was_active = rcu_scheduler_active;

	row_done = done;
	lock_check_count(&seen);
	shim_log_hook = hear;
	/* At boot, when a kernel runs it, RCU is not judged yet. */
	rcu_scheduler_active = 0;
	lockdep_keep_off(true);
	locking_selftest();
	lockdep_keep_off(false);
	rcu_scheduler_active = was_active;
	shim_log_hook = NULL;
	lock_check_count(NULL);
	end_row();
	row_done = NULL;
	return 1;
}

#else

void lock_suite_scenario_ends(void)
{
}

int kern_lock_suite(void (*done)(const struct lock_suite_row *row))
{
	return 0;
}

#endif
