/* SPDX-License-Identifier: GPL-2.0-only */
/* What linux/elf.h wants to know for module.h: class and machine. */
#ifndef _SHIM_ASM_ELF_H
#define _SHIM_ASM_ELF_H

#include <asm/ptrace.h>

typedef unsigned long elf_greg_t;
#define ELF_NGREG	3
typedef elf_greg_t elf_gregset_t[ELF_NGREG];
typedef struct { unsigned long unused; } elf_fpregset_t;

#define ELF_ARCH	EM_NONE
#define ELF_DATA	ELFDATA2LSB
#ifdef CONFIG_64BIT
#define ELF_CLASS	ELFCLASS64
#else
#define ELF_CLASS	ELFCLASS32
#endif
#define elf_check_arch(x)	(0)
#define ELF_EXEC_PAGESIZE	PAGE_SIZE
#define ELF_CORE_EFLAGS		0
#define ELF_PLAT_INIT(regs, addr)	do { } while (0)
#define ELF_HWCAP	0
#define ELF_PLATFORM	NULL

#endif
