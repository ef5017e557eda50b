/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which node a CPU belongs to, from the machine description. As on x86 and
 * powerpc a CPU may have no node: NUMA_NO_NODE.
 */
#ifndef _SHIM_ASM_TOPOLOGY_H
#define _SHIM_ASM_TOPOLOGY_H

#include <linux/types.h>

struct cpumask;
struct pci_bus;

extern short shim_cpu_node[];

#define cpu_to_node(cpu)	((int)shim_cpu_node[cpu])
#define set_numa_node(node)	do { (void)(node); } while (0)
#define cpumask_of_node(node)	shim_cpumask_of_node(node)
#define pcibus_to_node(bus)	((void)(bus), -1)
#define node_distance(a, b)	((a) == (b) ? 10 : 20)

const struct cpumask *shim_cpumask_of_node(int node);

#include <asm-generic/topology.h>

#endif
