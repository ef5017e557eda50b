/* SPDX-License-Identifier: GPL-2.0-only */
/* String functions: all are the tree's lib/string.c or the host's, by name. */
#ifndef _SHIM_ASM_STRING_H
#define _SHIM_ASM_STRING_H

#include <linux/types.h>

#define __HAVE_ARCH_MEMSET
#define __HAVE_ARCH_MEMCPY
#define __HAVE_ARCH_MEMMOVE
#define __HAVE_ARCH_MEMCMP
#define __HAVE_ARCH_STRLEN

void *memset(void *s, int c, __kernel_size_t n);
void *memcpy(void *to, const void *from, __kernel_size_t n);
void *memmove(void *to, const void *from, __kernel_size_t n);
int memcmp(const void *a, const void *b, __kernel_size_t n);
__kernel_size_t strlen(const char *s);

#endif
