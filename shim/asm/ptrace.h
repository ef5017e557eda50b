/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers of an interrupted task; nothing here looks into them. */
#ifndef _SHIM_ASM_PTRACE_H
#define _SHIM_ASM_PTRACE_H

struct pt_regs {
	unsigned long	ip;
	unsigned long	sp;
	unsigned long	bp;
};

#define user_mode(regs)			(0)
#define instruction_pointer(regs)	((regs)->ip)
#define profile_pc(regs)		((regs)->ip)
#define user_stack_pointer(regs)	((regs)->sp)
#define frame_pointer(regs)		((regs)->bp)
#define arch_has_single_step()		(0)

static inline void instruction_pointer_set(struct pt_regs *regs,
					   unsigned long val)
{
	regs->ip = val;
}

#endif
