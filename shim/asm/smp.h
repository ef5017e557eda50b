/* SPDX-License-Identifier: GPL-2.0-only */
/* Which simulated CPU the running task is on. */
#ifndef _SHIM_ASM_SMP_H
#define _SHIM_ASM_SMP_H

#define raw_smp_processor_id()	(current_thread_info()->cpu)

#endif
