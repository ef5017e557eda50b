/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the kernel side tell each other. raid5.c never sees it.
 */
#ifndef RAID5SIM_SHIM_H
#define RAID5SIM_SHIM_H

#include <linux/types.h>
#include "boundary.h"

struct task_struct;
struct workqueue_struct;

/* lock-irq.c */
extern unsigned char shim_irqs_off[];

/* cpu.c */
void shim_cpu_boot(const struct machine *m);
void shim_percpu_boot(void);
void shim_cpu_drop_preloads(void);
/** shim_cpus_are_held - does anybody hold or want cpus_read_lock()? */
bool shim_cpus_are_held(void);

/* memory.c */
extern int shim_fail_allocs; /* 1: every allocation fails */
extern int shim_booting;     /* 1: what is allocated now stays for ever */
void shim_memory_boot(const struct machine *m);
unsigned long shim_page_leaks(void);

/* sched.c */
void shim_task_boot(unsigned int cpu);

void shim_run_on(unsigned int cpu);
void shim_sched_cpu_gone(unsigned int cpu);

/**
 * struct shim_event - something that interrupts a CPU at a time
 * @when:	virtual ns
 * @cpu:	whom it interrupts; another online one when that has gone
 * @io:		somebody waits for it: the machine is not idle before it came
 * @soft:	a soft interrupt: not while bottom halves are off either
 * @fn:		called in hard interrupt context with interrupts off, or in soft
 *		interrupt context
 * @arg:	the owner's
 *
 * The other fields are the scheduler's. Zeroed is valid and not pending.
 */
struct shim_event {
	u64 when;
	unsigned int cpu;
	bool io, soft;
	void (*fn)(struct shim_event *e);
	void *arg;
	bool pending;
	u64 seq, prio;
	struct list_head node;
};

/** shim_event_start - @e->fn is called @ns from now, on @e->cpu */
void shim_event_start(struct shim_event *e, u64 ns);
/** shim_event_cancel - false when it was not pending */
bool shim_event_cancel(struct shim_event *e);
/** shim_choose - one of 0 .. @alternatives - 1 by the schedule; in order: 0.
 *  Nothing else may be decided by chance */
unsigned int shim_choose(unsigned int alternatives);
/** shim_trace - add to the hash of the trace; never an address */
void shim_trace(u64 what);
/** shim_now - virtual ns since boot, without taking time as ktime_get() does */
u64 shim_now(void);

/* workqueue.c */
void shim_workqueue_boot(void);
/** shim_works - works of a queue that are queued or run; NULL: of all */
unsigned int shim_works(struct workqueue_struct *wq);

/* lib.c */
void shim_initcalls(void);
extern int shim_log_debug; /* 1: KERN_DEBUG messages are formatted too */
extern void (*shim_log_hook)(int level, const char *text);

#endif
