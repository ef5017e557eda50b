/* SPDX-License-Identifier: GPL-2.0-only */
/* There are no page tables (no MMU configured); only names that headers use
 * without one. */
#ifndef _SHIM_ASM_PGTABLE_H
#define _SHIM_ASM_PGTABLE_H

#include <asm-generic/pgtable-nopud.h>

#define PAGE_KERNEL		__pgprot(0)
#define PAGE_KERNEL_EXEC	__pgprot(0)
#define PAGE_NONE		__pgprot(0)
#define PAGE_SHARED		__pgprot(0)
#define PAGE_COPY		__pgprot(0)
#define PAGE_READONLY		__pgprot(0)

#define VMALLOC_START		0UL
#define VMALLOC_END		0UL
#define FIRST_USER_ADDRESS	0UL

extern struct page *shim_zero_page;
#define ZERO_PAGE(vaddr)	(shim_zero_page)

#define pgprot_noncached(prot)	(prot)

#endif
