/* SPDX-License-Identifier: GPL-2.0-only */
/* No page tables, so vmalloc has no architecture part. */
#ifndef _SHIM_ASM_VMALLOC_H
#define _SHIM_ASM_VMALLOC_H
#endif
