/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU as the tree's headers know it. cpu_relax() lets the others run. */
#ifndef _SHIM_ASM_PROCESSOR_H
#define _SHIM_ASM_PROCESSOR_H

#include <linux/types.h>

struct task_struct;
struct pt_regs;

struct thread_struct {
	unsigned long	unused;
};

#define INIT_THREAD	{ 0 }
#define TASK_SIZE	(1UL << (BITS_PER_LONG - 2))
#define TASK_SIZE_MAX	TASK_SIZE
#define STACK_TOP	TASK_SIZE
#define STACK_TOP_MAX	TASK_SIZE
#define TASK_UNMAPPED_BASE	(TASK_SIZE / 3)

void cpu_relax(void);

#define KSTK_EIP(tsk)	(0UL)
#define KSTK_ESP(tsk)	(0UL)
#define task_pt_regs(tsk)	((struct pt_regs *)NULL)
unsigned long __get_wchan(struct task_struct *p);

#endif
