/* SPDX-License-Identifier: GPL-2.0-only */
/* Cache lines of 64 bytes, whatever the host has: alignment decides sizes. */
#ifndef _SHIM_ASM_CACHE_H
#define _SHIM_ASM_CACHE_H

#define L1_CACHE_SHIFT	6
#define L1_CACHE_BYTES	(1 << L1_CACHE_SHIFT)

#endif
