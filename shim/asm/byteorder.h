/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated machine is little-endian on every host. */
#ifndef _SHIM_ASM_BYTEORDER_H
#define _SHIM_ASM_BYTEORDER_H

#include <linux/byteorder/little_endian.h>

#endif
