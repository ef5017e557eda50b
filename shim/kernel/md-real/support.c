// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small things that md.c, sysfs and kernfs call and that have no place of
 * their own: user space, the wall clock, /proc, reboot, signals, file system
 * types. Knows nothing of arrays.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kmod.h>
#include <linux/notifier.h>
#include <linux/proc_fs.h>
#include <linux/reboot.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "kernel/shim.h"

/* Only their addresses are taken. */
struct user_namespace init_user_ns;
struct mnt_idmap {
	int unused;
} nop_mnt_idmap;
const struct address_space_operations ram_aops;

/* User space is the host side, which sees the same memory. */
unsigned long _copy_from_user(void *to, const void __user *from,
			      unsigned long n)
{
	memcpy(to, (const void __force *)from, n);
	return 0;
}

unsigned long _copy_to_user(void __user *to, const void *from, unsigned long n)
{
	memcpy((void __force *)to, from, n);
	return 0;
}

/* The machine was booted at 2^30 seconds of the epoch. */
#define BOOT_SECONDS (1UL << 30)

time64_t ktime_get_real_seconds(void)
{
	return BOOT_SECONDS + div_u64(ktime_get(), NSEC_PER_SEC);
}

void ktime_get_real_ts64(struct timespec64 *ts)
{
	u64 ns = ktime_get();
	u32 rest;

	ts->tv_sec = BOOT_SECONDS + div_u64_rem(ns, NSEC_PER_SEC, &rest);
	ts->tv_nsec = rest;
}

/* No task ever gets a signal, so none has to be allowed or forgotten. */
void kernel_sigaction(int sig, __sighandler_t action)
{
}

void flush_signals(struct task_struct *t)
{
}

/* The machine is never rebooted in an orderly manner. */
int register_reboot_notifier(struct notifier_block *nb)
{
	return 0;
}

int unregister_reboot_notifier(struct notifier_block *nb)
{
	return 0;
}

/* There is no /proc: nobody reads what would be there. */
static char no_entry[1];

struct proc_dir_entry *proc_create(const char *name, umode_t mode,
				   struct proc_dir_entry *parent,
				   const struct proc_ops *ops)
{
	return (struct proc_dir_entry *)no_entry;
}

void remove_proc_entry(const char *name, struct proc_dir_entry *parent)
{
}

/* sysfs is never mounted. */
int register_filesystem(struct file_system_type *fs)
{
	return 0;
}

/* A stack dump comes after something that must not happen. */
void dump_stack(void)
{
	finding_add(FINDING_KERNEL_WARN, __builtin_return_address(0),
		    "dump_stack()");
}

void dump_stack_lvl(const char *level)
{
	finding_add(FINDING_KERNEL_WARN, __builtin_return_address(0),
		    "dump_stack()");
}

/* --- strings: mm/util.c ------------------------------------------------ */

/* What lies in the program's own data is never freed, and so not copied. */
static bool is_constant(const void *p)
{
	struct obj_info info;

	return !host_obj_find(p, &info);
}

char *kstrdup(const char *s, gfp_t gfp)
{
	char *copy = s ? kmalloc(strlen(s) + 1, gfp) : NULL;

	return copy ? strcpy(copy, s) : NULL;
}

const char *kstrdup_const(const char *s, gfp_t gfp)
{
	return is_constant(s) ? s : kstrdup(s, gfp);
}

void kfree_const(const void *p)
{
	if (!is_constant(p))
		kfree(p);
}

/* --- modules ----------------------------------------------------------- */

/* What modprobe exits with when it knows no such module, as wait() says it. */
#define NO_SUCH_MODULE (1 << 8)

/* Of md's personalities only raid456 is there, and it is loaded. */
int __request_module(bool wait, const char *format, ...)
{
	static const char *const ours[] = {"md-level-4", "md-level-5",
					   "md-level-6", "md-raid4",
					   "md-raid5",	 "md-raid6"};
	char name[64];
	va_list args;
	int i;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	for (i = 0; i < ARRAY_SIZE(ours); i++)
		if (!strcmp(ours[i], name))
			return 0;
	return NO_SUCH_MODULE;
}
