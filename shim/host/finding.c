/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of findings, the guarded run that a fatal one ends, the kernel
 * log's way out and the panic of the host itself. Knows nothing of cases,
 * nor how findings are printed or judged.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "private.h"

/* ------------------------------------------------------------------ */
/* The list							      */

/* In chunks, so that a pointer from finding_get() stays good. */
#define CHUNK	   64
#define CHUNKS_MAX 1024

static struct finding *chunks[CHUNKS_MAX];
static unsigned int findings;

static const char *const kind_names[FINDING_KINDS] = {
	[FINDING_OUT_OF_BOUNDS] = "out-of-bounds",
	[FINDING_USE_AFTER_FREE] = "use-after-free",
	[FINDING_DOUBLE_FREE] = "double-free",
	[FINDING_NULL_DEREF] = "null-deref",
	[FINDING_WILD_ACCESS] = "wild-access",
	[FINDING_LEAK] = "leak",
	[FINDING_ALLOC_TOO_LARGE] = "alloc-too-large",
	[FINDING_LOCKDEP] = "lockdep",
	[FINDING_LOCK_IMBALANCE] = "lock-imbalance",
	[FINDING_LOCK_IRQ] = "lock-irq",
	[FINDING_SLEEP_IN_ATOMIC] = "sleep-in-atomic",
	[FINDING_HANG] = "hang",
	[FINDING_LOST_IO] = "lost-io",
	[FINDING_DATA_MISMATCH] = "data-mismatch",
	[FINDING_WRONG_SIZE] = "wrong-size",
	[FINDING_OVERFLOW] = "overflow",
	[FINDING_KERNEL_BUG] = "kernel-bug",
	[FINDING_KERNEL_WARN] = "kernel-warn",
	[FINDING_NOT_MODELLED] = "not-modelled",
	[FINDING_BAD_STATE] = "bad-state",
};

const char *finding_kind_name(enum finding_kind kind)
{
	if ((unsigned int)kind >= FINDING_KINDS)
		return "unknown";
	return kind_names[kind];
}

enum finding_kind finding_kind_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < FINDING_KINDS; i++)
		if (!strcmp(name, kind_names[i]))
			break;
	return (enum finding_kind)i;
}

unsigned int finding_count(void)
{
	return findings;
}

const struct finding *finding_get(unsigned int i)
{
	if (i >= findings)
		host_panic("finding %u of %u asked for", i, findings);
	return &chunks[i / CHUNK][i % CHUNK];
}

/* One line, and nothing a terminal or a report could choke on. */
static void copy_line(char *to, const char *from, unsigned long len)
{
	unsigned long i;

	for (i = 0; i + 1 < len && from[i]; i++)
		to[i] = (unsigned char)from[i] < ' ' ? ' ' : from[i];
	to[i] = '\0';
	while (i && to[i - 1] == ' ')
		to[--i] = '\0';
}

/* The place is the driver's line; the function it had called is worth a word. */
static void add_inside(struct finding *f)
{
	size_t n = strlen(f->cause);

	snprintf(f->cause + n, sizeof(f->cause) - n, ", in %s()",
		 f->where.inside);
}

void finding_record(enum finding_kind kind, const struct place *where,
		    const char *cause)
{
	struct finding **chunk = &chunks[findings / CHUNK];
	struct finding *f;

	if (findings == CHUNK * CHUNKS_MAX)
		host_panic("more than %u findings", findings);
	if (!*chunk)
		*chunk = calloc(CHUNK, sizeof(**chunk));
	if (!*chunk)
		host_panic("no memory for a finding");
	f = &(*chunk)[findings % CHUNK];
	f->kind = kind;
	if (where)
		f->where = *where;
	copy_line(f->cause, cause, sizeof(f->cause));
	if (where && where->inside[0])
		add_inside(f);
	findings++;
}

void finding_detail(const char *line)
{
	struct finding *f = &chunks[(findings - 1) / CHUNK][(findings - 1) % CHUNK];
	size_t used = strlen(f->detail), room = sizeof(f->detail) - used;
	const char *more = "...\n";

	if (strlen(line) + 1 + strlen(more) < room) {
		copy_line(f->detail + used, line, room - 1);
		strcat(f->detail, "\n");
	} else if (used < strlen(more) ||
		   strcmp(f->detail + used - strlen(more), more)) {
		strcpy(f->detail + used, more);
	}
}

/*
 * The place is @pc's, or where that is none of the tree's, the nearest frame
 * above the caller of finding_add() that is.
 */
static void find_place(const void *pc, const void *ret, void *const *frame,
		       struct place *out)
{
	memset(out, 0, sizeof(*out));
	if (pc && host_place(pc, 1, out))
		return;
	/* One byte back: inside the call, not after it. */
	if (!host_place_stack((const char *)ret - 1, *frame, out))
		memset(out, 0, sizeof(*out));
}

__attribute__((noinline)) void finding_add(enum finding_kind kind,
					   const void *pc, const char *fmt, ...)
{
	char cause[sizeof(((struct finding *)0)->cause)];
	struct place where;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cause, sizeof(cause), fmt, ap);
	va_end(ap);
	find_place(pc, __builtin_return_address(0), __builtin_frame_address(0),
		   &where);
	finding_record(kind, &where, cause);
}

__attribute__((noinline)) void
finding_fatal(enum finding_kind kind, const void *pc, const char *fmt, ...)
{
	char cause[sizeof(((struct finding *)0)->cause)];
	struct place where;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cause, sizeof(cause), fmt, ap);
	va_end(ap);
	if (!run_active())
		host_panic("%s outside of a run: %s", finding_kind_name(kind),
			   cause);
	find_place(pc, __builtin_return_address(0), __builtin_frame_address(0),
		   &where);
	finding_record(kind, &where, cause);
	run_end();
}

/* ------------------------------------------------------------------ */
/* Guarded runs							      */

static struct {
	sigjmp_buf env;
	struct host_coro *home; /* whose stack run_guarded() is on */
	unsigned long frame;
	int active;
	int ended; /* by a fatal finding: never again */
} run;

int run_active(void)
{
	return run.active;
}

unsigned long run_frame(void)
{
	return run.frame;
}

int run_guarded(void (*fn)(void *arg), void *arg)
{
	if (run.active)
		host_panic("run_guarded() inside run_guarded()");
	if (run.ended)
		host_panic("run_guarded() after a fatal finding");
	catch_init();
	run.home = host_coro_self();
	run.frame = (unsigned long)__builtin_frame_address(0);
	if (sigsetjmp(run.env, 0)) {
		run.active = 0;
		return 1;
	}
	run.active = 1;
	fn(arg);
	if (host_coro_self() != run.home)
		host_panic("a run ended in another coroutine than it began");
	run.active = 0;
	return 0;
}

/*
 * A jump goes up one stack only. From another stack, the home coroutine is
 * made to go on first; coro_unwind makes it come here at once.
 */
void run_end(void)
{
	run.ended = 1;
	if (host_coro_self() != run.home) {
		coro_unwind = 1;
		host_coro_switch(run.home);
	}
	coro_unwind = 0;
	siglongjmp(run.env, 1);
}

/* ------------------------------------------------------------------ */
/* Kernel log, panic						      */

static void (*log_sink)(int level, const char *text, void *arg);
static void *log_arg;

void host_log_sink(void (*sink)(int level, const char *text, void *arg),
		   void *arg)
{
	log_sink = sink;
	log_arg = arg;
}

void host_log(int level, const char *text)
{
	if (log_sink)
		log_sink(level, text, log_arg);
}

/* No exit handlers and no flush: nothing half done may look like a result. */
void host_panic(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "raid5sim: %s\n", text);
	_exit(2);
}
