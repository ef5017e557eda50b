/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree's own wait queues, bit waits, simple wait queues and completions.
 * In the kernel they are compiled as part of the scheduler; all they need of
 * its private header are the headers below and two flags.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/sched/debug.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>
#include <linux/swait.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/hash.h>
#include <linux/poll.h>
#include <linux/export.h>
#include <linux/init.h>

int try_to_wake_up(struct task_struct *p, unsigned int state, int wake_flags);

/* kernel/sched/sched.h: hints to a waker, which this scheduler ignores */
#define WF_SYNC	       0x10
#define WF_CURRENT_CPU 0x40

#include "kernel/sched/wait.c"
#include "kernel/sched/wait_bit.c"
#include "kernel/sched/swait.c"
#include "kernel/sched/completion.c"
