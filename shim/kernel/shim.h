/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the kernel side tell each other. raid5.c never sees it.
 */
#ifndef RAID5SIM_SHIM_H
#define RAID5SIM_SHIM_H

#include <linux/types.h>
#include "boundary.h"

struct task_struct;

/* cpu.c */
extern unsigned char shim_irqs_off[];
void shim_cpu_boot(const struct machine *m);
void shim_percpu_boot(void);

/* memory.c */
extern int shim_fail_allocs; /* 1: every allocation fails */
extern int shim_booting;     /* 1: what is allocated now stays for ever */
void shim_memory_boot(const struct machine *m);
unsigned long shim_page_leaks(void);

/* task.c */
void shim_task_boot(unsigned int cpu);

void shim_run_on(unsigned int cpu);

/* workqueue.c */
void shim_workqueue_boot(void);

/* lib.c */
void shim_initcalls(void);
extern int shim_log_debug; /* 1: KERN_DEBUG messages are formatted too */
extern void (*shim_log_hook)(int level, const char *text);

#endif
