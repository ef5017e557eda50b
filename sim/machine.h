/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated machine's description: collected key by key from options, a
 * file or this host, then completed, checked and turned into struct machine;
 * and back into text. It does not boot anything.
 *
 *	options ---\
 *	[machine] --+-> machine_spec_key() ... machine_spec_finish() -> machine
 *	--host ----/                                                     |
 *	      ^------------- machine_dump(), machine_options() ----------'
 */
#ifndef RAID5SIM_MACHINE_H
#define RAID5SIM_MACHINE_H

#include <stddef.h>
#include <stdio.h>

#include "boundary.h"
#include "diag.h"

/* Pages that totalram_pages() may say at most. */
#define MACHINE_MAX_PAGES (1ULL << 52)

/* The keys, each with a single value unless said otherwise. */
enum machine_key {
	MACHINE_NODE,	  /* node, repeatable */
	MACHINE_CPU_NODE, /* cpu-node, repeatable */
	MACHINE_POSSIBLE_NODES,
	MACHINE_ONLINE_NODES,
	MACHINE_POSSIBLE_CPUS,
	MACHINE_PRESENT_CPUS,
	MACHINE_ONLINE_CPUS,
	MACHINE_TOTALRAM_PAGES,
	MACHINE_CPUS, /* the shortcuts */
	MACHINE_NODES,
	MACHINE_MEM,
	MACHINE_KEYS
};

/**
 * struct machine_record - one key as it was given
 * @pos:	where; @pos.file is a copy of the record's own
 * @value:	a copy
 */
struct machine_record {
	enum machine_key key;
	struct source_pos pos;
	char *value;
};

/**
 * struct machine_spec - keys given so far; the members are machine.c's own
 * @record:		all keys, in the order given
 * @count:		records in use
 * @room:		records allocated
 * @single:		index into @record of each key that is not repeatable,
 *			-1: not given
 * @node_record:	index of the record that gives the node, -1: none
 * @cpu_record:		index of the record that places the CPU, -1: none
 * @cpu_node:		node of the CPUs with a record
 * @listed:		CPUs that some node= lists
 * @node_mem:		bytes, for nodes with a record
 * @cpus:		shortcut, number of CPUs, 0: not given
 * @nodes:		shortcut, number of nodes, 0: not given
 * @mem:		shortcut, bytes in all
 * @totalram_pages:	0: not given
 *
 * About 90 kB: keep it off small stacks.
 */
struct machine_spec {
	struct machine_record *record;
	unsigned int count;
	unsigned int room;
	int single[MACHINE_KEYS];
	int node_record[MACHINE_MAX_NODES];
	int cpu_record[MACHINE_MAX_CPUS];
	short cpu_node[MACHINE_MAX_CPUS];
	struct cpu_bits listed;
	unsigned long long node_mem[MACHINE_MAX_NODES];
	unsigned long long cpus;
	unsigned long long nodes;
	unsigned long long mem;
	unsigned long long totalram_pages;
};

/** machine_spec_init - no key given yet; must be called first */
void machine_spec_init(struct machine_spec *spec);

/** machine_spec_free - release the copies; @spec may be initialised again */
void machine_spec_free(struct machine_spec *spec);

/**
 * machine_spec_key - add one key; the one way in for options and files
 * @spec:	collects; keys may come in any order
 * @key:	without "--"
 * @value:	see below
 * @pos:	where it was read, NULL or a NULL file for an option; copied
 * @diag:	filled on -EINVAL
 *
 * Keys. LIST is the kernel's list syntax (list.h), SIZE as in size.h:
 *
 * node=IDS[:cpus=LIST][,mem=SIZE]	repeatable
 *	A node, the CPUs on it, its memory. With no CPUs, IDS may be a list,
 *	and SIZE is the memory of each: "252-255:mem=1G".
 * cpu-node=LIST=ID|none		repeatable
 *	The node of CPUs that no node= lists ("none": NUMA_NO_NODE). It does
 *	not make a CPU possible.
 * possible-nodes=LIST
 *	Default: the nodes given and the online ones.
 * online-nodes=LIST
 *	Default: the nodes given. N is the last possible node.
 * possible-cpus=LIST
 *	Default: those of cpus, if given; else the CPUs that nodes list, the
 *	present and the online ones.
 * present-cpus=LIST
 *	Default: the CPUs that nodes list and the online ones; where nodes
 *	list none, the possible ones. N is the last possible CPU.
 * online-cpus=LIST
 *	Default: the present ones. N is the last possible CPU.
 * totalram-pages=NUMBER
 *	Decimal or 0x, 1 .. 2^52. Default: what the nodes' memory makes.
 * cpus=NUMBER, nodes=NUMBER, mem=SIZE
 *	Instead of node=. CPUs 0 .. cpus - 1 are dealt out in consecutive runs
 *	to nodes 0 .. nodes - 1, and so are mem's whole pages; the first nodes
 *	get what does not divide. Default of cpus: the possible ones, if
 *	given, else the present and online ones that are given, else 4; of
 *	nodes: the online ones that are given, else the first possible one, if
 *	given, else node 0; of mem: 8G.
 *
 * A possible CPU without node= and cpu-node belongs to the first online node.
 * (x86 deals such CPUs out to the online nodes in turn; cpu-node can say that,
 * or that they have none.)
 *
 * Return: 0, -ENOENT (not a key of the machine; @diag untouched) or -EINVAL.
 */
int machine_spec_key(struct machine_spec *spec, const char *key,
		     const char *value, const struct source_pos *pos,
		     struct diag *diag);

/** machine_keys - all keys, "node, cpu-node, ...", for error messages */
const char *machine_keys(void);

/**
 * machine_spec_finish - defaults, checks, and the machine
 * @spec:	not changed
 * @page_size:	bytes, of the subject; a power of two
 * @m:		result, every byte of it determined by @spec and @page_size;
 *		unspecified on error. Nodes' memory is rounded down to whole
 *		pages. CPUs that are not possible have MACHINE_NO_NODE
 * @diag:	filled on error
 *
 * Refused: anything online, present or populated that is not possible; an
 * online CPU that is not present; no online CPU; memory or an online CPU on
 * an offline node; memory of less than a page; no memory at all; more than
 * 2^52 pages.
 *
 * Return: 0 or -EINVAL.
 */
int machine_spec_finish(const struct machine_spec *spec,
			unsigned long page_size, struct machine *m,
			struct diag *diag);

/** machine_total_pages - what totalram_pages() is to say for @m */
unsigned long long machine_total_pages(const struct machine *m,
				       unsigned long page_size);

/**
 * machine_file_read - add the keys of an INI file's [machine] section
 * @path:	"-" is standard input; no other section is allowed
 *
 * Return: 0 or -EINVAL with @diag filled.
 */
int machine_file_read(const char *path, struct machine_spec *spec,
		      struct diag *diag);

/**
 * machine_from_host - add keys that describe the machine this runs on
 * @sysroot:	"" for this machine, or a directory that has sys/ and proc/
 * @spec:	should have no key yet
 *
 * Reads sys/devices/system/{cpu,node} and proc/meminfo. Without NUMA support
 * all CPUs and the memory are node 0's. Works only where /sys is mounted.
 *
 * Return: 0 or -EINVAL with @diag filled; the file it names is the one in
 * which the host says what cannot be simulated.
 */
int machine_from_host(const char *sysroot, struct machine_spec *spec,
		      struct diag *diag);

/**
 * machine_dump - write a machine file, all masks spelled out
 * @m:		as machine_spec_finish() made it
 *
 * machine_file_read() reads it back to the same machine, for any page size
 * that divides the nodes' memory.
 */
void machine_dump(const struct machine *m, FILE *out);

/**
 * machine_options - the same as options, without what the defaults say
 * @buf:	result: "--cpus 4 --nodes 1 --mem 8G", cut to @size - 1
 *		bytes and NUL; nothing in it needs quoting in a shell
 * @size:	bytes of @buf, may be 0
 *
 * Return: length without NUL that the whole text has. Ordinary machines take
 * a line; 8192 CPUs in disorder may take 40 kB.
 */
size_t machine_options(const struct machine *m, char *buf, size_t size);

#endif
