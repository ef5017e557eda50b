/* SPDX-License-Identifier: GPL-2.0-only */
/* Per-task state at the architecture's level; it lives in task_struct. */
#ifndef _SHIM_ASM_THREAD_INFO_H
#define _SHIM_ASM_THREAD_INFO_H

#include <asm/page.h>

#define THREAD_SIZE_ORDER	2
#define THREAD_SIZE		(PAGE_SIZE << THREAD_SIZE_ORDER)

#ifndef __ASSEMBLY__
struct thread_info {
	unsigned long	flags;		/* TIF_* */
	unsigned long	syscall_work;
	int		preempt_count;	/* as kernel's: 0 is preemptible */
	unsigned int	cpu;
};

#define INIT_THREAD_INFO(tsk)	{ .preempt_count = 0 }
#endif

#define TIF_SIGPENDING		0
#define TIF_NEED_RESCHED	1
#define TIF_NOTIFY_SIGNAL	2
#define TIF_NOTIFY_RESUME	3
#define TIF_MEMDIE		4
#define TIF_RESTORE_SIGMASK	5
#define TIF_UPROBE		6

#define _TIF_SIGPENDING		(1 << TIF_SIGPENDING)
#define _TIF_NEED_RESCHED	(1 << TIF_NEED_RESCHED)
#define _TIF_NOTIFY_SIGNAL	(1 << TIF_NOTIFY_SIGNAL)
#define _TIF_NOTIFY_RESUME	(1 << TIF_NOTIFY_RESUME)
#define _TIF_UPROBE		(1 << TIF_UPROBE)

#endif
