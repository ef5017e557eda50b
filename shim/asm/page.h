/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of the simulated machine. Page contents lie in one reserved region,
 * so an address follows from the page number by arithmetic; host memory is
 * spent only on pages that are touched. SHIM_PAGE_SHIFT comes from the build.
 */
#ifndef _SHIM_ASM_PAGE_H
#define _SHIM_ASM_PAGE_H

#ifdef CONFIG_PAGE_SHIFT
#define PAGE_SHIFT	CONFIG_PAGE_SHIFT
#else
#define PAGE_SHIFT	SHIM_PAGE_SHIFT
#endif

#ifdef __ASSEMBLY__
#define PAGE_SIZE	(1 << PAGE_SHIFT)
#else
#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#endif
#define PAGE_MASK	(~(PAGE_SIZE - 1))

#ifndef __ASSEMBLY__
#include <linux/types.h>
#include <linux/pfn.h>

typedef struct { unsigned long pte; } pte_t;
typedef struct { unsigned long pmd; } pmd_t;
typedef struct { unsigned long pgd; } pgd_t;
typedef struct { unsigned long pgprot; } pgprot_t;
typedef struct page *pgtable_t;

#define pte_val(x)	((x).pte)
#define pmd_val(x)	((x).pmd)
#define pgd_val(x)	((x).pgd)
#define pgprot_val(x)	((x).pgprot)
#define __pte(x)	((pte_t) { (x) })
#define __pmd(x)	((pmd_t) { (x) })
#define __pgd(x)	((pgd_t) { (x) })
#define __pgprot(x)	((pgprot_t) { (x) })

#define clear_page(page)	memset((page), 0, PAGE_SIZE)
#define copy_page(to, from)	memcpy((to), (from), PAGE_SIZE)
#define clear_user_page(page, vaddr, pg)	clear_page(page)
#define copy_user_page(to, from, vaddr, pg)	copy_page(to, from)

extern unsigned long shim_page_offset;	/* where page number 0 would lie */
#define PAGE_OFFSET		shim_page_offset
#define ARCH_PFN_OFFSET		0UL

#define __pa(x)			((unsigned long)(x) - PAGE_OFFSET)
#define __va(x)			((void *)((unsigned long)(x) + PAGE_OFFSET))
#define pfn_to_virt(pfn)	__va((unsigned long)(pfn) << PAGE_SHIFT)
#define virt_to_pfn(kaddr)	(__pa(kaddr) >> PAGE_SHIFT)
#define virt_to_page(addr)	pfn_to_page(virt_to_pfn(addr))
#define page_to_virt(page)	pfn_to_virt(page_to_pfn(page))
#define page_to_phys(page)	((phys_addr_t)page_to_pfn(page) << PAGE_SHIFT)
#define phys_to_page(phys)	pfn_to_page((phys) >> PAGE_SHIFT)
#define virt_addr_valid(kaddr)	shim_virt_addr_valid(kaddr)
int shim_virt_addr_valid(const void *kaddr);

#define VM_DATA_DEFAULT_FLAGS	VM_DATA_FLAGS_TSK_EXEC

#include <asm-generic/memory_model.h>
#include <asm-generic/getorder.h>
#endif

#endif
