/* SPDX-License-Identifier: GPL-2.0-only */
/* Word size of the subject. */
#ifndef _SHIM_ASM_BITSPERLONG_H
#define _SHIM_ASM_BITSPERLONG_H

#ifdef CONFIG_64BIT
#define __BITS_PER_LONG	64
#else
#define __BITS_PER_LONG	32
#endif

#include <asm-generic/bitsperlong.h>

#endif
