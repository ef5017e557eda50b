/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * See host-fake.h. The subject's functions lie in a section of their own; an
 * address in it belongs to the function that starts last before it.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "host-fake.h"

/* What it does wrong, it does on purpose: no warning of that. */
#define SUBJECT \
	__attribute__((noinline, section("subject"), no_sanitize("undefined")))

/* ------------------------------------------------------------------ */
/* The subject							      */

SUBJECT unsigned int subject_read(const void *base, long offset)
{
	return *(const volatile unsigned char *)((unsigned long)base +
						 (unsigned long)offset);
}

SUBJECT void subject_write(void *base, long offset, unsigned int value)
{
	*(volatile unsigned char *)((unsigned long)base +
				    (unsigned long)offset) =
		(unsigned char)value;
}

/* Through a pointer, so that the C library's own memset() does it. */
SUBJECT void subject_fill(void *base, unsigned long len)
{
	static void *(*volatile fill)(void *, int, size_t) = memset;

	fill(base, 0, len);
	__asm__ volatile("" ::: "memory");
}

SUBJECT void subject_call(void (*fn)(void))
{
	fn();
	__asm__ volatile("" ::: "memory");
}

SUBJECT int subject_divide(int a, int b)
{
	volatile int by = b;

	return a / by;
}

SUBJECT void subject_trap(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("ud2");
#else
	__builtin_trap();
#endif
}

SUBJECT void subject_warn(const char *text)
{
	finding_add(FINDING_KERNEL_WARN, NULL, "%s", text);
	__asm__ volatile("" ::: "memory");
}

SUBJECT void subject_die(const char *text)
{
	finding_fatal(FINDING_KERNEL_BUG, NULL, "%s", text);
}

SUBJECT unsigned long subject_recurse(unsigned long depth)
{
	volatile unsigned char frame[512];

	/* No memset(): libc's keeps no frame pointer when the stack ends. */
	for (unsigned int i = 0; i < sizeof(frame); i++)
		frame[i] = (unsigned char)depth;
	if (!depth)
		return 0;
	return subject_recurse(depth - 1) +
	       (frame[depth % 512] == (unsigned char)depth);
}

SUBJECT unsigned int subject_chain(void)
{
	void **fp = __builtin_frame_address(0);
	unsigned int n = 0;

	while (fp && n < 1000) {
		fp = fp[0];
		n++;
	}
	return n;
}

/* ------------------------------------------------------------------ */
/* Places							      */

static const char sites[SITES + 1];

const void *site(enum site n)
{
	return &sites[n + 1];
}

static int site_place(const char *pc, int is_return, struct place *out)
{
	static const char *const names[SITES] = {
		[IN_SETUP_CONF] = "setup_conf",
		[IN_ALLOC_THREAD_GROUPS] = "alloc_thread_groups",
		[IN_GROW_ONE_STRIPE] = "grow_one_stripe",
		[IN_FREE_CONF] = "free_conf",
		[IN_DROP_ONE_STRIPE] = "drop_one_stripe",
		[IN_SETUP_CONF_AGAIN] = "setup_conf",
	};
	long n = pc - sites - 1;

	if (!is_return || !names[n])
		return 0;
	snprintf(out->function, sizeof(out->function), "%s", names[n]);
	snprintf(out->file, sizeof(out->file), "drivers/md/raid5.c");
	if (n == IN_SETUP_CONF_AGAIN)
		n = IN_SETUP_CONF;
	out->line = (unsigned int)(100 + n);
	return 1;
}

extern const char __start_subject[], __stop_subject[];

static int code_place(const char *pc, struct place *out)
{
	static const struct {
		const void *start;
		const char *name;
	} functions[] = {
#define F(name) {(const void *)name, #name}
		F(subject_read),  F(subject_write),  F(subject_fill),
		F(subject_call),  F(subject_divide), F(subject_trap),
		F(subject_warn),  F(subject_die),    F(subject_recurse),
		F(subject_chain),
#undef F
	};
	const char *best = NULL;
	unsigned int i;

	if (pc < __start_subject || pc >= __stop_subject)
		return 0;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const char *start = functions[i].start;

		if (start > pc || (best && start < best))
			continue;
		best = start;
		snprintf(out->function, sizeof(out->function), "%s",
			 functions[i].name);
	}
	return best != NULL;
}

int host_place(const void *pc, int is_return, struct place *out)
{
	memset(out, 0, sizeof(*out));
	if (!pc) /* past the last frame */
		return 0;
	if ((const char *)pc > sites && (const char *)pc <= sites + SITES)
		return site_place(pc, is_return, out);
	return code_place((const char *)pc - is_return, out);
}

/* It reads frames that AddressSanitizer may have fenced off. */
__attribute__((no_sanitize_address)) int
host_place_stack(const void *pc, const void *fp, struct place *out)
{
	void *const *frame = fp ? fp : __builtin_frame_address(0);
	uintptr_t at, next;
	unsigned int n;

	if (host_place(pc, 0, out))
		return 1;
	for (n = 0; frame && n < 64; n++) {
		if (host_place(frame[1], 1, out))
			return 1;
		/* Code without frame pointers leaves anything there. */
		at = (uintptr_t)frame;
		next = (uintptr_t)frame[0];
		if (next <= at || next - at > 1UL << 20 || next % sizeof(next))
			break;
		frame = frame[0];
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Children							      */

unsigned long long child_note;
void (*child_after)(void);

static void child_run(void (*fn)(void *arg), void *arg, int fd)
{
	struct outcome out;
	unsigned int i;

	memset(&out, 0, sizeof(out));
	out.ended = run_guarded(fn, arg);
	if (child_after)
		child_after();
	out.count = finding_count();
	for (i = 0; i < out.count && i < OUTCOME_FINDINGS; i++)
		out.f[i] = *finding_get(i);
	out.note = child_note;
	if (write(fd, &out, sizeof(out)) != sizeof(out))
		_exit(99);
	_exit(0);
}

static void read_all(int fd, void *buf, size_t len)
{
	size_t used = 0;
	ssize_t n;

	while (used < len && (n = read(fd, (char *)buf + used, len - used)) > 0)
		used += (size_t)n;
}

void in_child(void (*fn)(void *arg), void *arg, struct outcome *out)
{
	int data[2], err[2], status;
	pid_t pid;

	memset(out, 0, sizeof(*out));
	assert_int_equal(pipe(data), 0);
	assert_int_equal(pipe(err), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(err[1], STDERR_FILENO);
		close(data[0]);
		close(err[0]);
		child_run(fn, arg, data[1]);
	}
	close(data[1]);
	close(err[1]);
	read_all(data[0], out, sizeof(*out));
	read_all(err[0], out->err, sizeof(out->err) - 1);
	close(data[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	out->status = WIFEXITED(status) ? WEXITSTATUS(status)
					: 1000 + WTERMSIG(status);
}

void expect_one(const struct outcome *out, enum finding_kind kind,
		const char *function, const char *cause)
{
	assert_string_equal(out->err, "");
	assert_int_equal(out->status, 0);
	assert_int_equal(out->ended, 1);
	assert_int_equal(out->count, 1);
	assert_string_equal(out->f[0].cause, cause);
	assert_string_equal(finding_kind_name(out->f[0].kind),
			    finding_kind_name(kind));
	assert_string_equal(out->f[0].where.function, function);
}

void expect_clean(const struct outcome *out)
{
	assert_string_equal(out->err, "");
	assert_int_equal(out->status, 0);
	assert_int_equal(out->ended, 0);
	assert_string_equal(out->f[0].cause, "");
	assert_int_equal(out->count, 0);
}

void expect_panic(const struct outcome *out, const char *text)
{
	assert_non_null(strstr(out->err, text));
	assert_int_equal(out->status, 2);
}
