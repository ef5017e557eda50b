/* SPDX-License-Identifier: GPL-2.0-only */
/* Node data: one struct pglist_data a possible node. */
#ifndef _SHIM_ASM_MMZONE_H
#define _SHIM_ASM_MMZONE_H

struct pglist_data;
extern struct pglist_data *node_data[];

#define NODE_DATA(nid)	(node_data[nid])

#endif
