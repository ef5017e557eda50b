/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim selftest --lock-sequences N`: each sequence in a process of its
 * own, forked from a machine that has booted, until it shows something. Then
 * lockdep and the always-on checker must say the same of what both can see.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "host/run.h"
#include "lock-sequences.h"
#include "report.h"
#include "size.h"

#define OPS_MAX	   60
#define TIME_LIMIT 60 /* seconds: a safety net */

static const char *const op_names[LOCK_OPS] = {
	[LOCK_OP_TAKE] = "take a free lock",
	[LOCK_OP_RELEASE] = "release",
	[LOCK_OP_IRQS] = "interrupts off or on",
	[LOCK_OP_INTERRUPT] = "an interrupt takes a lock",
	[LOCK_OP_FREE] = "free memory",
	[LOCK_OP_TAKE_OWN] = "take a lock twice",
	[LOCK_OP_SLEEP] = "take a mutex with a spin lock held",
	[LOCK_OP_RELEASE_OTHER] = "release a lock of nobody's or another's",
	[LOCK_OP_FREE_OWN] = "free a lock that is held",
	[LOCK_OP_EXIT] = "exit",
	[LOCK_OP_EXIT_HOLDING] = "exit with a lock held",
};

/* What comes of the order in which locks of different tasks are taken. */
static bool is_about_order(const char *title)
{
	static const char *const titles[] = {
		"possible circular locking dependency detected",
		"possible recursive locking detected",
		"HARDIRQ-safe -> HARDIRQ-unsafe lock order detected",
		"possible irq lock inversion dependency detected",
	};

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (strstr(title, titles[i]))
			return true;
	return false;
}

static bool is_fault(enum lock_op op)
{
	return (op > LOCK_OP_FREE && op < LOCK_OP_EXIT) ||
	       op == LOCK_OP_EXIT_HOLDING;
}

enum agreement lock_sequence_judge(enum lock_op last, const struct finding *f,
				   unsigned int n)
{
	bool lockdep = false;
	bool checker = false;
	bool order = false;

	for (unsigned int i = 0; i < n; i++) {
		if (f[i].kind != FINDING_LOCKDEP)
			checker = true;
		else if (is_about_order(f[i].cause))
			order = true;
		else
			lockdep = true;
	}
	/* Of a lock that is taken twice the order is what is wrong. */
	if (last == LOCK_OP_TAKE_OWN && order)
		lockdep = true;
	if (lockdep && checker)
		return BOTH_FOUND;
	if (lockdep || checker || is_fault(last))
		return DISAGREE;
	return order ? LOCKDEP_ALONE : BOTH_QUIET;
}

/* ------------------------------------------------------------------ */

/** struct verdict - of one sequence, as its process tells it */
struct verdict {
	struct lock_sequence seq;
	enum agreement agreement;
};

static struct {
	unsigned int ended_in[LOCK_OPS][AGREEMENTS];
	unsigned int total[AGREEMENTS];
	unsigned long long ops;
} sum;

static unsigned long long seed_at_hand;
static struct lock_sequence at_hand;

static void simulate(void *unused)
{
	(void)unused;
	kern_lock_sequence(seed_at_hand, OPS_MAX, &at_hand);
}

static void tell(int fd, const struct verdict *v)
{
	if (write(fd, v, sizeof(*v)) != (ssize_t)sizeof(*v))
		_exit(EXIT_USAGE);
	_exit(0);
}

static void one_sequence(int fd)
{
	static struct finding found[64];
	struct verdict v;
	unsigned int n;

	alarm(TIME_LIMIT);
	run_guarded(simulate, NULL);
	n = finding_count() < 64 ? finding_count() : 64;
	for (unsigned int i = 0; i < n; i++)
		found[i] = *finding_get(i);
	v.seq = at_hand;
	v.agreement = lock_sequence_judge(at_hand.last, found, n);
	if (v.agreement == DISAGREE) {
		printf("# sequence %llu ends in: %s\n", seed_at_hand,
		       op_names[at_hand.last]);
		for (unsigned int i = 0; i < n; i++)
			report_finding(stdout, "# ", "", &found[i], NULL);
		fflush(stdout);
	}
	tell(fd, &v);
}

/* A process that says nothing has not agreed. */
static void run_sequence(unsigned long long seed)
{
	struct verdict v = {.agreement = DISAGREE};
	int fd[2];
	pid_t pid;

	seed_at_hand = seed;
	fflush(stdout);
	if (pipe(fd)) {
		perror("raid5sim: selftest");
		exit(EXIT_USAGE);
	}
	pid = fork();
	if (!pid)
		one_sequence(fd[1]);
	close(fd[1]);
	if (pid < 0 || read(fd[0], &v, sizeof(v)) != (ssize_t)sizeof(v))
		printf("# sequence %llu tells nothing\n", seed);
	close(fd[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	sum.ended_in[v.seq.last][v.agreement]++;
	sum.total[v.agreement]++;
	sum.ops += v.seq.ops;
}

/* ------------------------------------------------------------------ */

static unsigned int tests;
static unsigned int failures;

static void result(bool ok, const char *what, unsigned int times)
{
	tests++;
	failures += !ok;
	printf("%sok %u %s: %u times\n", ok ? "" : "not ", tests, what, times);
}

/* Each kind of fault must have come, or nothing was compared. */
static void judge(unsigned long n)
{
	bool enough = n >= 1000;

	result(!sum.total[DISAGREE], "they disagree", sum.total[DISAGREE]);
	for (int op = 0; op < LOCK_OPS; op++)
		if (is_fault(op) || op == LOCK_OP_INTERRUPT)
			result(sum.ended_in[op][BOTH_FOUND] || !enough,
			       op_names[op], sum.ended_in[op][BOTH_FOUND]);
	result(sum.total[BOTH_QUIET] || !enough, "nothing to find",
	       sum.total[BOTH_QUIET]);
	printf("# lockdep alone, of the order of locks: %u times\n"
	       "# %lu sequences, %llu operations\n"
	       "1..%u\n# Totals: pass:%u fail:%u skip:0\n",
	       sum.total[LOCKDEP_ALONE], n, sum.ops, tests, tests - failures,
	       failures);
}

static int bad(const char *value, const char *why)
{
	struct diag diag = {.text = ""};

	diag_set(&diag, NULL, "lock-sequences", value,
		 "how many, 1 to 1000000, then perhaps a seed", "%s", why);
	return bad_usage(&diag);
}

int lock_sequences_run(const struct machine *m, int argc, char **argv)
{
	unsigned long long n = 0;
	unsigned long long seed = 1;
	const char *why = "no number";

	if (argc < 1 || argc > 2)
		return bad(argc > 2 ? argv[2] : "", argc ? "too many" : why);
	if (number_parse(argv[0], 1, 1000000, &n, &why))
		return bad(argv[0], why);
	if (argc == 2 && number_parse(argv[1], 0, ~0ULL, &seed, &why))
		return bad(argv[1], why);
	puts("KTAP version 1");
	if (!kern_subject.lockdep) {
		puts("1..0 # SKIP the subject has no lock debugging");
		return EXIT_AS_EXPECTED;
	}
	kern_boot(m);
	for (unsigned long long i = 0; i < n; i++)
		run_sequence(seed + i);
	judge((unsigned long)n);
	return failures ? EXIT_FINDING : EXIT_AS_EXPECTED;
}
