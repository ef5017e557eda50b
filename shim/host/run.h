/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the host side of the shim offers to sim beyond boundary.h: guarded
 * runs, the list of findings and the kernel log. Host code only; it knows
 * nothing of cases or of the kernel's headers.
 */
#ifndef RAID5SIM_HOST_RUN_H
#define RAID5SIM_HOST_RUN_H

#include "boundary.h"

/**
 * run_guarded - call @fn(@arg); a fatal finding or a memory fault in the
 * simulation ends the call early
 *
 * Not reentrant. After a fatal finding the simulation must not be entered
 * again: the process may only report and exit.
 *
 * Return: 0 @fn returned, 1 a fatal finding ended it.
 */
int run_guarded(void (*fn)(void *arg), void *arg);

/** finding_get - findings so far, oldest first */
const struct finding *finding_get(unsigned int i);

/** finding_kind_name - stable name, e.g. "out-of-bounds" */
const char *finding_kind_name(enum finding_kind kind);
/** finding_kind_by_name - FINDING_KINDS when there is no such name */
enum finding_kind finding_kind_by_name(const char *name);

/** host_log_sink - who gets each kernel log message (NULL: nobody) */
void host_log_sink(void (*sink)(int level, const char *text, void *arg),
		   void *arg);

/** place_init - where the tree's sources lie in the debug information:
 *  @dir is the prefix that is cut from file names; call before run_guarded */
void place_init(const char *const *dirs, unsigned int n);

/**
 * enum mem_policy - what becomes of a freed object
 * @MEM_PROTECT:	the default: its pages become inaccessible, so that any
 *		access faults there and then; fresh objects hold 0xa5
 * @MEM_POISON:	fast, for benchmarks and fuzzing: it is filled with 0x6b, and
 *		a write to it is found when its slot is taken again or at
 *		the leak report; reads are not found; fresh objects hold
 *		0x6b
 */
enum mem_policy { MEM_PROTECT, MEM_POISON };

/** host_mem_policy - choose, before the first object is allocated */
void host_mem_policy(enum mem_policy policy);

#endif
