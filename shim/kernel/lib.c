// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages, BUG and WARN, init calls of built-in code, checksums and other
 * small services. Formatting is the tree's own lib/vsprintf.c. Knows nothing
 * of arrays.
 */
#include <linux/bug.h>
#include <linux/crc32.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/string.h>
#include "probes.h"
#include "locks.h"
#include "shim.h"

int shim_log_debug;
void (*shim_log_hook)(int level, const char *text);

/* KERN_SOH, then the level as a digit (linux/kern_levels.h). */
static int level_of(const char **fmt)
{
	int level = 4; /* CONFIG_MESSAGE_LOGLEVEL_DEFAULT */

	while ((*fmt)[0] == KERN_SOH_ASCII && (*fmt)[1]) {
		if ((*fmt)[1] >= '0' && (*fmt)[1] <= '7')
			level = (*fmt)[1] - '0';
		*fmt += 2;
	}
	return level;
}

static void log_line(const char *fmt, va_list args)
{
	char buf[512], *end;
	const char *text = buf;
	int level;

	/* Formatting costs: not for what nobody reads. */
	if (level_of(&fmt) > 6 && !shim_log_debug && !lockdep_listens())
		return;
	end = buf + vscnprintf(buf, sizeof(buf), fmt, args);
	level = level_of(&text);
	if (lockdep_log(text))
		return;
	while (end > text && end[-1] == '\n')
		*--end = '\0';
	if (shim_log_hook)
		shim_log_hook(level, text);
	host_log(level, text);
}

int _printk(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(fmt, args);
	va_end(args);
	return 0;
}

/* --- BUG, WARN, panic -------------------------------------------------- */

void shim_bug(const char *file, int line, const char *func)
{
	finding_fatal(FINDING_KERNEL_BUG, __builtin_return_address(0),
		      "kernel BUG in %s()", func);
}

static void strip(char *text)
{
	char *end = text + strlen(text);

	while (end > text && end[-1] == '\n')
		*--end = '\0';
}

void warn_slowpath_fmt(const char *file, int line, unsigned int taint,
		       const char *fmt, ...)
{
	char text[160] = "";
	va_list args;

	if (fmt) {
		va_start(args, fmt);
		vsnprintf(text, sizeof(text), fmt, args);
		va_end(args);
		strip(text);
	}
	if (lockdep_warn(text))
		return;
	finding_add(FINDING_KERNEL_WARN, __builtin_return_address(0),
		    "WARNING%s%s", *text ? ": " : "", text);
}

void panic(const char *fmt, ...)
{
	char text[160];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	strip(text);
	finding_fatal(FINDING_KERNEL_BUG, __builtin_return_address(0),
		      "panic: %s", text);
}

/* lib/dump_stack.c: ends a report of lockdep's; else whoever calls it thinks
 * that something is wrong, as sysfs does of a duplicate. */
void dump_stack(void)
{
	if (!lockdep_report_end())
		finding_add(FINDING_KERNEL_WARN, __builtin_return_address(0),
			    "dump_stack()");
}

void dump_stack_lvl(const char *level)
{
	dump_stack();
}

/* --- init calls -------------------------------------------------------- */

#define INITCALLS(n)                                         \
	extern initcall_t __start_shim_initcall##n[] __weak; \
	extern initcall_t __stop_shim_initcall##n[] __weak

INITCALLS(1);
INITCALLS(4);
INITCALLS(6);

static void run_initcalls(initcall_t *from, initcall_t *to)
{
	int ret;

	for (; from < to; from++) {
		ret = (*from)();
		if (ret)
			host_panic("an init call of the tree returned %d", ret);
	}
}

/**
 * shim_initcalls - init functions of the built-in code: core, subsystem and
 * device level, in the kernel's order
 */
void shim_initcalls(void)
{
	run_initcalls(__start_shim_initcall1, __stop_shim_initcall1);
	run_initcalls(__start_shim_initcall4, __stop_shim_initcall4);
	run_initcalls(__start_shim_initcall6, __stop_shim_initcall6);
}

/* --- checksums --------------------------------------------------------- */

/*
 * lib/libcrc32c.c asks the crypto layer for "crc32c", whose generic driver
 * (crypto/crc32c_generic.c) computes this.
 */
u32 crc32c(u32 crc, const void *address, unsigned int length)
{
	return __crc32c_le(crc, address, length);
}

/* kernel/time/time.c, where HZ divides a million. */
unsigned int jiffies_to_usecs(const unsigned long j)
{
	BUILD_BUG_ON(USEC_PER_SEC % HZ);
	return (USEC_PER_SEC / HZ) * j;
}

/* No function lies in a section of its own for lock wrappers. */
char __lock_text_start[1], __lock_text_end[1];

bool rng_is_initialized(void)
{
	return false;
}

/*
 * The machine's random numbers are the same in every run: uuids and first
 * sequence numbers come from them, no decision does (splitmix64).
 */
static u64 random_number(void)
{
	static u64 state;
	u64 z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

void get_random_bytes(void *buf, size_t len)
{
	u8 *at = buf;

	while (len--)
		*at++ = random_number();
}

u32 get_random_u32(void)
{
	return random_number();
}
