// SPDX-License-Identifier: GPL-2.0-only
/*
 * The I/O priority of a task, where block/ioprio.c of the tree has it; newer
 * trees have it in a header. Knows no block device, so that no header that
 * defines it comes in.
 */
#include <linux/sched.h>
#include <uapi/linux/ioprio.h>

int __get_task_ioprio(struct task_struct *p);

/* No task has an io_context, a realtime policy or an idle one: what is left
 * is task_nice_ioprio() of the best-effort class. */
int __get_task_ioprio(struct task_struct *p)
{
	return IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, (task_nice(p) + 20) / 5);
}
