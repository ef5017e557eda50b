/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim selftest`: the tests that the shim has of itself, each in a
 * process and on a machine of its own. It knows no test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "host/run.h"
#include "lock-sequences.h"
#include "lock-suite.h"
#include "machine.h"
#include "report.h"

#define TIME_LIMIT 120 /* seconds: a safety net for a test that never ends */

/**
 * struct selftest_run - one test in its process
 * @why:	what it says is not well, or NULL
 */
struct selftest_run {
	const struct machine *machine;
	unsigned int test;
	const char *why;
};

static void simulate(void *arg)
{
	struct selftest_run *run = arg;

	kern_boot(run->machine);
	run->why = kern_selftest_run(run->test);
}

/* Lockdep's title, once or more. */
static bool is_lockdeps(const struct finding *f, const char *title)
{
	return title && f->kind == FINDING_LOCKDEP && !strcmp(f->cause, title);
}

static bool judge(const struct selftest_run *run, bool ended)
{
	enum finding_kind want = kern_selftest_finding(run->test);
	const char *title = kern_selftest_lockdep(run->test);
	unsigned int reports = 0, wanted = 0, others = 0;

	if (run->why)
		printf("# %s\n", run->why);
	for (unsigned int i = 0; i < finding_count(); i++) {
		const struct finding *f = finding_get(i);

		if (is_lockdeps(f, title)) {
			reports++;
		} else if (f->kind == want) {
			wanted++;
		} else {
			others++;
			report_finding(stdout, "# ", "", f, NULL);
		}
	}
	if (title && !reports)
		printf("# lockdep does not report: %s\n", title);
	if (others || run->why || !title != !reports)
		return false;
	return want == FINDING_KINDS ? !ended : ended && wanted == 1;
}

static void one_test(const struct machine *m, unsigned int test)
{
	struct selftest_run run = {m, test, NULL};
	bool ended = run_guarded(simulate, &run);
	bool ok = judge(&run, ended);

	printf("%sok %u %s\n", ok ? "" : "not ", test + 1,
	       kern_selftest_name(test));
	fflush(stdout);
	_exit(!ok);
}

/* A test that is killed has failed. */
static bool passes(const struct machine *m, unsigned int test)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(TIME_LIMIT);
		one_test(m, test);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("raid5sim: selftest");
		exit(EXIT_USAGE);
	}
	if (WIFEXITED(status))
		return !WEXITSTATUS(status);
	printf("not ok %u %s: signal %d\n", test + 1, kern_selftest_name(test),
	       WTERMSIG(status));
	return false;
}

/* CPUs 0-3 on node 0, 4-7 on node 2. */
static void two_nodes(struct machine *m)
{
	m->possible_cpus.word[0] = 0xff;
	m->present_cpus.word[0] = 0xff;
	m->online_cpus.word[0] = 0xff;
	m->possible_nodes.word[0] = 5;
	m->online_nodes.word[0] = 5;
	m->node_mem[0] = m->node_mem[2] = 4ULL << 30;
	for (unsigned int cpu = 4; cpu < 8; cpu++)
		m->cpu_node[cpu] = 2;
}

int selftest_command(int argc, char **argv)
{
	static struct machine machine;
	unsigned int count = kern_selftest_count(), failed = 0;
	struct diag diag = {.text = ""};

	if (argc && !strcmp(argv[0], "--help"))
		return usage_print("selftest") ? EXIT_AS_EXPECTED : EXIT_USAGE;
	two_nodes(&machine);
	if (argc == 1 && !strcmp(argv[0], "--lockdep"))
		return lock_suite_run(&machine);
	if (argc && !strcmp(argv[0], "--lock-sequences"))
		return lock_sequences_run(&machine, argc - 1, argv + 1);
	if (argc) {
		diag_set(&diag, NULL, NULL, NULL, NULL,
			 "selftest: %s; accepted: --lockdep, --lock-sequences N or nothing",
			 argv[0]);
		return bad_usage(&diag);
	}
	printf("KTAP version 1\n1..%u\n", count);
	for (unsigned int i = 0; i < count; i++)
		failed += !passes(&machine, i);
	printf("# Totals: pass:%u fail:%u skip:0\n", count - failed, failed);
	return failed ? EXIT_FINDING : EXIT_AS_EXPECTED;
}
