// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small services of the kernel that only the tree's md and sysfs ask for: user
 * memory, the wall clock, modules on demand, signals, /proc and
 * reboot. Knows nothing of arrays.
 */
#include <linux/kernel.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kmod.h>
#include <linux/notifier.h>
#include <linux/proc_fs.h>
#include <linux/reboot.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "kernel/shim.h"
#include "probes.h"
#include "kernel/md-real/user.h"

/* ------------------------------------------------------------------ */
/* User memory							      */

static char *user_start;
static size_t user_size;

void shim_user_memory(void *start, size_t size)
{
	user_start = start;
	user_size = size;
}

static bool is_user(const void *at, size_t n)
{
	size_t from = (const char *)at - user_start;

	return user_start && from <= user_size && n <= user_size - from;
}

unsigned long _copy_from_user(void *to, const void __user *from,
			      unsigned long n)
{
	if (!is_user((__force void *)from, n)) {
		memset(to, 0, n);
		return n;
	}
	memcpy(to, (__force void *)from, n);
	return 0;
}

unsigned long _copy_to_user(void __user *to, const void *from, unsigned long n)
{
	if (!is_user((__force void *)to, n))
		return n;
	memcpy((__force void *)to, from, n);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Strings (mm/util.c)						      */

static char *dup(const char *s, gfp_t gfp)
{
	size_t len;
	char *copy;

	if (!s)
		return NULL;
	len = strlen(s) + 1;
	copy = kmalloc_track_caller(len, gfp);
	return copy ? memcpy(copy, s, len) : NULL;
}

#ifdef HAVE_NOPROF
char *kstrdup_noprof(const char *s, gfp_t gfp)
{
	return dup(s, gfp);
}
#endif

#ifndef kstrdup
char *kstrdup(const char *s, gfp_t gfp)
{
	return dup(s, gfp);
}
#endif

/* Nothing is known to be constant for ever here, so all is copied. */
const char *kstrdup_const(const char *s, gfp_t gfp)
{
	return dup(s, gfp);
}

void kfree_const(const void *s)
{
	kfree(s);
}

/* ------------------------------------------------------------------ */
/* The wall clock						      */

/* The machine booted at the start of 2026. */
#define BOOT_SECONDS 1767225600LL

time64_t ktime_get_real_seconds(void)
{
	return BOOT_SECONDS + div_u64(shim_now(), NSEC_PER_SEC);
}

void ktime_get_real_ts64(struct timespec64 *ts)
{
	u64 now = shim_now();

	ts->tv_sec = BOOT_SECONDS + div_u64(now, NSEC_PER_SEC);
	ts->tv_nsec = now - div_u64(now, NSEC_PER_SEC) * NSEC_PER_SEC;
}

/* ------------------------------------------------------------------ */
/* Modules, signals, /proc, reboot				      */

/* modprobe succeeds for what is there already; nothing else is installed. */
int __request_module(bool wait, const char *fmt, ...)
{
	static const char *const there[] = {"md-level-4", "md-level-5",
					    "md-level-6", "md-raid4",
					    "md-raid5",	  "md-raid6"};
	char name[64];
	va_list args;
	size_t n;

	va_start(args, fmt);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	for (n = 0; n < ARRAY_SIZE(there); n++)
		if (!strcmp(name, there[n]))
			return 0;
	return 1 << 8;
}

/* No task ever gets a signal. */
void kernel_sigaction(int sig, __sighandler_t action)
{
}

void flush_signals(struct task_struct *t)
{
	clear_tsk_thread_flag(t, TIF_SIGPENDING);
}

/* The file exists, and nobody reads it. */
struct proc_dir_entry *proc_create(const char *name, umode_t mode,
				   struct proc_dir_entry *parent,
				   const struct proc_ops *ops)
{
	static char entry;

	return (struct proc_dir_entry *)&entry;
}

void remove_proc_entry(const char *name, struct proc_dir_entry *parent)
{
}

/* The machine never reboots. */
int register_reboot_notifier(struct notifier_block *nb)
{
	return 0;
}

int unregister_reboot_notifier(struct notifier_block *nb)
{
	return 0;
}

/* ------------------------------------------------------------------ */
/* sysfs								      */

/* Everything belongs to it; nobody mounts sysfs. */
struct user_namespace init_user_ns;
struct mnt_idmap {
	int unused;
} nop_mnt_idmap;
const struct address_space_operations ram_aops;

int register_filesystem(struct file_system_type *fs)
{
	return 0;
}
