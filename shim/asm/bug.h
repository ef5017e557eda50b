/* SPDX-License-Identifier: GPL-2.0-only */
/* BUG and WARN become findings that name the line. */
#ifndef _SHIM_ASM_BUG_H
#define _SHIM_ASM_BUG_H

#include <linux/compiler.h>

void shim_bug(const char *file, int line, const char *func) __noreturn;

#define HAVE_ARCH_BUG
#define BUG()		shim_bug(__FILE__, __LINE__, __func__)

#include <asm-generic/bug.h>

#endif
