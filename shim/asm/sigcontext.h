/* SPDX-License-Identifier: GPL-2.0-only */
/* No user space, no signal frames. */
#ifndef _SHIM_ASM_SIGCONTEXT_H
#define _SHIM_ASM_SIGCONTEXT_H

struct sigcontext {
	unsigned long	unused;
};

#endif
