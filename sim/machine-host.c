/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --host: the machine this runs on, as keys. Reads what the kernel says in
 * /sys and /proc; it knows nothing of the simulated machine's own rules.
 *
 *	sys/devices/system/cpu/{possible,present,online}	lists
 *	sys/devices/system/cpu/cpuN/nodeM			a link: N is on
 *M sys/devices/system/node/{possible,online}		lists
 *	sys/devices/system/node/nodeM/cpulist			online CPUs of M
 *	sys/devices/system/node/nodeM/meminfo			MemTotal of M
 *	proc/meminfo						MemTotal
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "machine.h"
#include "size.h"

#define CPU_DIR	 "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"
#define MEMINFO	 "/proc/meminfo"

/* A list of every second CPU is the longest text that is read. */
#define TEXT_MAX  (LIST_TEXT + 64)
#define PATH_TEXT 512

struct host {
	const char *root;
	struct machine_spec *spec;
	struct diag *diag;
	struct source_pos pos; /* the file last read; @file is @path */
	char path[PATH_TEXT];
	char text[TEXT_MAX];
	char value[TEXT_MAX + 64];
	struct cpu_bits present;
	struct cpu_bits placed;
	struct node_bits online_nodes;
};

static int fail(struct host *h, const char *what, const char *detail)
{
	return diag_set(h->diag, &h->pos, NULL, NULL, NULL, "%s%s", what,
			detail);
}

static bool make_path(struct host *h, const char *name)
{
	int n = snprintf(h->path, sizeof(h->path), "%s%s", h->root, name);

	h->pos.file = h->path;
	h->pos.line = 1;
	return n >= 0 && (size_t)n < sizeof(h->path);
}

/* The file's text into @h->text; 0, -ENOENT, or -EINVAL and said why. */
static int read_text(struct host *h, const char *name)
{
	FILE *file;
	size_t len;

	if (!make_path(h, name))
		return fail(h, "", "the path is too long");
	file = fopen(h->path, "r");
	if (!file && errno == ENOENT)
		return -ENOENT;
	if (!file)
		return fail(h, "cannot open: ", strerror(errno));
	len = fread(h->text, 1, sizeof(h->text) - 1, file);
	h->text[len] = '\0';
	fclose(file);
	if (len == sizeof(h->text) - 1)
		return fail(h, "", "longer than expected");
	return 0;
}

static int read_required(struct host *h, const char *name)
{
	int err = read_text(h, name);

	if (err == -ENOENT)
		err = fail(h, "",
			   "cannot open: --host needs /sys and /proc mounted");
	return err;
}

static void cut_newline(char *s)
{
	s[strcspn(s, "\n")] = '\0';
}

static int add_key(struct host *h, const char *key, const char *value)
{
	return machine_spec_key(h->spec, key, value, &h->pos, h->diag);
}

/* A file that holds one list becomes the key. */
static int list_key(struct host *h, const char *name, const char *key)
{
	int err = read_required(h, name);

	if (err)
		return err;
	cut_newline(h->text);
	return add_key(h, key, h->text);
}

/* The number before "kB" of "MemTotal:" in @h->text, in bytes. */
static int mem_total(struct host *h, unsigned long long *bytes)
{
	const char *s = strstr(h->text, "MemTotal:");
	char *unit;
	unsigned long long kb;

	if (!s)
		return fail(h, "", "no MemTotal");
	s += strlen("MemTotal:");
	errno = 0;
	kb = strtoull(s, &unit, 10);
	if (errno || unit == s || strncmp(unit, " kB", 3) || kb > ~0ULL / 1024)
		return fail(h, "", "MemTotal is not a number of kB");
	*bytes = kb * 1024;
	return 0;
}

/* One node's key from its CPUs and memory. */
static int node_key(struct host *h, unsigned int node,
		    const struct cpu_bits *cpus, unsigned long long mem)
{
	char size[SIZE_TEXT];
	size_t len;

	len = (size_t)snprintf(h->value, sizeof(h->value), "%u:cpus=", node);
	len += cpu_bits_format(cpus, h->value + len, LIST_TEXT);
	snprintf(h->value + len, sizeof(h->value) - len, ",mem=%s",
		 size_format(mem, size));
	cpu_bits_or(&h->placed, cpus);
	return add_key(h, "node", h->value);
}

static int read_list_of_cpus(struct host *h, const char *name,
			     unsigned int flags, struct cpu_bits *cpus)
{
	char why[LIST_WHY];
	int err = read_required(h, name);

	if (err)
		return err;
	if (cpu_bits_parse(h->text, flags, cpus, MACHINE_MAX_CPUS - 1, why))
		return fail(h, "", why);
	return 0;
}

static int one_node(struct host *h, unsigned int node)
{
	unsigned long long mem = 0;
	struct cpu_bits cpus;
	char name[96];
	int err;

	snprintf(name, sizeof(name), NODE_DIR "/node%u/cpulist", node);
	err = read_list_of_cpus(h, name, LIST_MAY_BE_EMPTY, &cpus);
	if (err)
		return err;
	snprintf(name, sizeof(name), NODE_DIR "/node%u/meminfo", node);
	err = read_required(h, name);
	if (!err)
		err = mem_total(h, &mem);
	return err ? err : node_key(h, node, &cpus, mem);
}

/* The M of the nodeM among a CPU's files, -1 when there is none. */
static int node_link(struct host *h, unsigned int cpu)
{
	struct dirent *entry;
	char name[96];
	int node = -1;
	char end;
	DIR *dir;

	snprintf(name, sizeof(name), CPU_DIR "/cpu%u", cpu);
	dir = make_path(h, name) ? opendir(h->path) : NULL;
	if (!dir)
		return -1;
	while (node < 0 && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "node%d%c", &node, &end) != 1)
			node = -1;
	closedir(dir);
	return node;
}

/* cpulist leaves out the CPUs that are offline now. */
static int offline_cpus(struct host *h)
{
	struct cpu_bits left = h->present;
	unsigned int cpu;
	int err = 0;
	int node;

	cpu_bits_andnot(&left, &h->placed);
	for (cpu = cpu_bits_first(&left); cpu < MACHINE_MAX_CPUS && !err;
	     cpu = cpu_bits_next(&left, cpu + 1)) {
		node = node_link(h, cpu);
		if (node < 0)
			continue;
		snprintf(h->value, sizeof(h->value), "%u=%d", cpu, node);
		err = add_key(h, "cpu-node", h->value);
	}
	return err;
}

static int all_nodes(struct host *h)
{
	char why[LIST_WHY];
	unsigned int node;
	int err;

	err = list_key(h, NODE_DIR "/possible", "possible-nodes");
	if (!err)
		err = list_key(h, NODE_DIR "/online", "online-nodes");
	if (err)
		return err;
	if (node_bits_parse(h->text, 0, &h->online_nodes, MACHINE_MAX_NODES - 1,
			    why))
		return fail(h, "", why);
	for (node = node_bits_first(&h->online_nodes);
	     node < MACHINE_MAX_NODES && !err;
	     node = node_bits_next(&h->online_nodes, node + 1))
		err = one_node(h, node);
	return err ? err : offline_cpus(h);
}

/* A kernel without NUMA has no node directory. */
static int no_nodes(struct host *h)
{
	unsigned long long mem = 0;
	int err = read_required(h, MEMINFO);

	if (!err)
		err = mem_total(h, &mem);
	return err ? err : node_key(h, 0, &h->present, mem);
}

static int all_cpus(struct host *h)
{
	int err = list_key(h, CPU_DIR "/possible", "possible-cpus");

	if (!err)
		err = list_key(h, CPU_DIR "/present", "present-cpus");
	if (!err)
		err = read_list_of_cpus(h, CPU_DIR "/present", 0, &h->present);
	if (!err)
		err = list_key(h, CPU_DIR "/online", "online-cpus");
	return err;
}

static int all_keys(struct host *h)
{
	int err = all_cpus(h);

	if (err)
		return err;
	err = read_text(h, NODE_DIR "/online");
	if (err == -ENOENT)
		return no_nodes(h);
	return err ? err : all_nodes(h);
}

int machine_from_host(const char *sysroot, struct machine_spec *spec,
		      struct diag *diag)
{
	struct host *h = calloc(1, sizeof(*h));
	int err;

	if (!h)
		return diag_set(diag, NULL, NULL, NULL, NULL, "out of memory");
	h->root = sysroot;
	h->spec = spec;
	h->diag = diag;
	err = all_keys(h);
	free(h);
	return err;
}
