/* SPDX-License-Identifier: GPL-2.0-only */
/* No device registers: raid5.c reaches none. */
#ifndef _SHIM_ASM_IO_H
#define _SHIM_ASM_IO_H

#include <linux/types.h>
#include <asm/page.h>



#define memset_io(a, v, n)	memset((void __force *)(a), v, n)
#define memcpy_fromio(d, s, n)	memcpy(d, (const void __force *)(s), n)
#define memcpy_toio(d, s, n)	memcpy((void __force *)(d), s, n)
#define ioremap_uc		ioremap

#include <asm-generic/io.h>

#endif
