/* SPDX-License-Identifier: GPL-2.0-only */
/* Flat memory model: nothing to say. */
#ifndef _SHIM_ASM_SPARSEMEM_H
#define _SHIM_ASM_SPARSEMEM_H
#endif
