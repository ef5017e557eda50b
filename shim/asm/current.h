/* SPDX-License-Identifier: GPL-2.0-only */
/* The task that the one host thread is playing at this moment. */
#ifndef _SHIM_ASM_CURRENT_H
#define _SHIM_ASM_CURRENT_H

struct task_struct;
extern struct task_struct *shim_current;

#define current		(shim_current)
#define get_current()	(shim_current)

#endif
