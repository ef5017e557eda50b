/* SPDX-License-Identifier: GPL-2.0-only */
/* No user space: an access to it stops the run. */
#ifndef _SHIM_ASM_UACCESS_H
#define _SHIM_ASM_UACCESS_H

#include <linux/types.h>
#include <linux/compiler.h>

unsigned long raw_copy_from_user(void *to, const void __user *from,
				 unsigned long n);
unsigned long raw_copy_to_user(void __user *to, const void *from,
			       unsigned long n);
long strncpy_from_user(char *dst, const char __user *src, long count);
long strnlen_user(const char __user *src, long n);

#define access_ok(addr, size)	(0)
#define __access_ok(addr, size)	(0)
#define get_user(x, p)		((void)(p), (x) = 0, -EFAULT)
#define put_user(x, p)		((void)(x), (void)(p), -EFAULT)
#define __get_user		get_user
#define __put_user		put_user

#endif
