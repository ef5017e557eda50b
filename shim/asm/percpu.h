/* SPDX-License-Identifier: GPL-2.0-only */
/* Per-CPU data: the generic form, with the first copy in a section whose
 * bounds the linker gives (its name is a C identifier). */
#ifndef _SHIM_ASM_PERCPU_H
#define _SHIM_ASM_PERCPU_H

#define PER_CPU_BASE_SECTION	"shim_percpu"

#include <asm-generic/percpu.h>

#endif
