// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs, nodes, per-CPU data and CPU hotplug of the simulated machine. Knows
 * the machine description; nothing of arrays, tasks or cases.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/wait.h>
#include "probes.h"
#include "shim.h"

struct cpumask __cpu_possible_mask, __cpu_present_mask, __cpu_online_mask;
struct cpumask __cpu_active_mask, __cpu_dying_mask;
atomic_t __num_online_cpus;
unsigned int nr_cpu_ids;
nodemask_t node_states[NR_NODE_STATES];
unsigned int nr_node_ids;
unsigned int nr_online_nodes;
short shim_cpu_node[NR_CPUS];
unsigned long __per_cpu_offset[NR_CPUS];

static int bit_is_set(const unsigned long long *word, unsigned int n)
{
	return word[n / MASK_WORD_BITS] >> n % MASK_WORD_BITS & 1;
}

static void set_mask(struct cpumask *mask, const struct cpu_bits *bits)
{
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS && cpu < MACHINE_MAX_CPUS; cpu++)
		if (bit_is_set(bits->word, cpu))
			__set_bit(cpu, cpumask_bits(mask));
}

/* As setup_nr_cpu_ids() and setup_nr_node_ids() do: one past the last bit. */
static void count_ids(void)
{
	nr_cpu_ids =
		find_last_bit(cpumask_bits(&__cpu_possible_mask), NR_CPUS) + 1;
	nr_node_ids =
		find_last_bit(node_states[N_POSSIBLE].bits, MAX_NUMNODES) + 1;
	nr_online_nodes = nodes_weight(node_states[N_ONLINE]);
	atomic_set(&__num_online_cpus,
		   bitmap_weight(cpumask_bits(&__cpu_online_mask), NR_CPUS));
}

static void set_node(const struct machine *m, int nid)
{
	if (bit_is_set(m->possible_nodes.word, nid))
		node_set_state(nid, N_POSSIBLE);
	if (bit_is_set(m->online_nodes.word, nid))
		node_set_state(nid, N_ONLINE);
	if (m->node_mem[nid]) {
		node_set_state(nid, N_NORMAL_MEMORY);
		node_set_state(nid, N_MEMORY);
	}
}

/**
 * shim_cpu_boot - fill the masks from a checked machine description
 * @m: the machine
 */
void shim_cpu_boot(const struct machine *m)
{
	unsigned int cpu;
	int nid;

	set_mask(&__cpu_possible_mask, &m->possible_cpus);
	set_mask(&__cpu_present_mask, &m->present_cpus);
	set_mask(&__cpu_online_mask, &m->online_cpus);
	__cpu_active_mask = __cpu_online_mask;
	for (nid = 0; nid < MAX_NUMNODES; nid++)
		set_node(m, nid);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		shim_cpu_node[cpu] = m->cpu_node[cpu];
		if (shim_cpu_node[cpu] >= 0 &&
		    bit_is_set(m->online_cpus.word, cpu))
			node_set_state(shim_cpu_node[cpu], N_CPU);
	}
	count_ids();
	shim_percpu_boot();
}

const struct cpumask *shim_cpumask_of_node(int node)
{
	static struct cpumask mask;
	unsigned int cpu;

	bitmap_zero(cpumask_bits(&mask), NR_CPUS);
	for_each_possible_cpu (cpu)
		if (node == NUMA_NO_NODE || shim_cpu_node[cpu] == node)
			__set_bit(cpu, cpumask_bits(&mask));
	return &mask;
}

/* --- per-CPU data ------------------------------------------------------ */

/*
 * One unit a possible CPU, as in the kernel's first chunk:
 *
 *	| static section | dynamic area |   unit of CPU 0
 *	| static section | dynamic area |   unit of CPU 1
 *	...
 *
 * A per-CPU pointer is an address in the original static section or past its
 * end; adding __per_cpu_offset[cpu] moves it into the CPU's unit. Each dynamic
 * allocation has a record in the arena, so that leaks, double frees and the
 * site that asked are known.
 */
#define PCPU_DYNAMIC 2048
#define PCPU_SLOT    16
#define PCPU_SLOTS   (PCPU_DYNAMIC / PCPU_SLOT)

extern char __start_shim_percpu[], __stop_shim_percpu[];
/* The section exists even when no file of the tree defines a variable. */
static DEFINE_PER_CPU(unsigned long, shim_percpu_anchor);

static char *pcpu_base;
static unsigned long pcpu_static, pcpu_unit;
static void *pcpu_record[PCPU_SLOTS]; /* by first slot */
static unsigned char pcpu_used[PCPU_SLOTS];

/* Far from any mapping: a unit of a CPU that is not possible. */
#define PCPU_NOWHERE (1UL << (BITS_PER_LONG - 2))

void shim_percpu_boot(void)
{
	unsigned long i;
	unsigned int cpu;

	(void)&shim_percpu_anchor; /* keep it */
	pcpu_static = ALIGN(__stop_shim_percpu - __start_shim_percpu, 64);
	pcpu_unit = pcpu_static + PCPU_DYNAMIC;
	pcpu_base = host_region((unsigned long long)pcpu_unit * nr_cpu_ids);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		if (!cpu_possible(cpu)) {
			__per_cpu_offset[cpu] = PCPU_NOWHERE;
			continue;
		}
		__per_cpu_offset[cpu] = (unsigned long)pcpu_base +
					cpu * pcpu_unit -
					(unsigned long)__start_shim_percpu;
		/* Zero bytes are there already and need no host memory. */
		for (i = 0; i < pcpu_static; i++)
			if (__start_shim_percpu + i < __stop_shim_percpu &&
			    __start_shim_percpu[i])
				pcpu_base[cpu * pcpu_unit + i] =
					__start_shim_percpu[i];
	}
}

/* mm/percpu.c: of any CPU's copy, the first CPU's stands for all. */
bool __is_kernel_percpu_address(unsigned long addr, unsigned long *can_addr)
{
	unsigned long at = addr - (unsigned long)pcpu_base;

	if (!pcpu_base || addr < (unsigned long)pcpu_base ||
	    at >= pcpu_unit * nr_cpu_ids || at % pcpu_unit >= pcpu_static)
		return false;
	if (can_addr)
		*can_addr = (unsigned long)pcpu_base + at % pcpu_unit;
	return true;
}

static int pcpu_find(unsigned int slots, unsigned int step)
{
	unsigned int at, n;

	for (at = 0; at + slots <= PCPU_SLOTS; at += step) {
		for (n = 0; n < slots && !pcpu_used[at + n]; n++)
			;
		if (n == slots)
			return at;
	}
	return -1;
}

static void *pcpu_alloc(size_t size, size_t align, const void *caller)
{
	unsigned int slots = DIV_ROUND_UP(size, PCPU_SLOT);
	unsigned int step = max_t(unsigned int, align / PCPU_SLOT, 1);
	unsigned int cpu;
	int at;

	if (shim_fail_allocs)
		return NULL;
	/* One free slot after each allocation is its red zone. */
	at = pcpu_find(slots + 1, step);
	if (at < 0 || align > 64)
		host_panic("per-CPU area of %d bytes is full", PCPU_DYNAMIC);
	memset(pcpu_used + at, 1, slots + 1);
	pcpu_record[at] = host_obj_alloc(
		size, 1, shim_booting ? MEM_SHIM : MEM_PER_CPU, NULL, caller);
	for_each_possible_cpu (cpu)
		memset(pcpu_base + cpu * pcpu_unit + pcpu_static +
			       at * PCPU_SLOT,
		       0, size);
	return __start_shim_percpu + pcpu_static + at * PCPU_SLOT;
}

#ifdef HAVE_PCPU_NOPROF
void __percpu *pcpu_alloc_noprof(size_t size, size_t align, bool reserved,
				 gfp_t gfp)
{
	return pcpu_alloc(size, align, __builtin_return_address(0));
}
#else
void __percpu *__alloc_percpu(size_t size, size_t align)
{
	return pcpu_alloc(size, align, __builtin_return_address(0));
}

void __percpu *__alloc_percpu_gfp(size_t size, size_t align, gfp_t gfp)
{
	return pcpu_alloc(size, align, __builtin_return_address(0));
}
#endif

void free_percpu(void __percpu *ptr)
{
	unsigned long off, slots;

	if (!ptr)
		return;
	off = (char *)ptr - (__start_shim_percpu + pcpu_static);
	if (off >= PCPU_DYNAMIC || off % PCPU_SLOT ||
	    !pcpu_record[off / PCPU_SLOT]) {
		finding_fatal(FINDING_DOUBLE_FREE, NULL,
			      "free_percpu() of something not allocated");
	}
	off /= PCPU_SLOT;
	slots = DIV_ROUND_UP(host_obj_size(pcpu_record[off]), PCPU_SLOT) + 1;
	host_obj_free(pcpu_record[off], MEM_PER_CPU,
		      __builtin_return_address(0));
	pcpu_record[off] = NULL;
	memset(pcpu_used + off, 0, slots);
}

/* --- hotplug ----------------------------------------------------------- */

struct hp_state {
	const char *name;
	int (*startup)(unsigned int cpu, struct hlist_node *node);
	int (*teardown)(unsigned int cpu, struct hlist_node *node);
	struct hlist_head list;
	bool multi;
};

static struct hp_state hp_states[CPUHP_ONLINE + 1];
static DEFINE_MUTEX(hp_mutex);
static int hp_readers, hp_writer, hp_waiters;
static DECLARE_WAIT_QUEUE_HEAD(hp_wait);

#ifdef CONFIG_DEBUG_LOCK_ALLOC
/* As the dep_map of kernel/cpu.c's cpu_hotplug_lock. */
static struct lockdep_map hp_map =
	STATIC_LOCKDEP_MAP_INIT("cpu_hotplug_lock", &hp_map);
#endif

void cpus_read_lock(void)
{
	might_sleep();
	rwsem_acquire_read(&hp_map, 0, 0, _RET_IP_);
	hp_waiters++;
	wait_event(hp_wait, !hp_writer);
	hp_waiters--;
	hp_readers++;
}

void cpus_read_unlock(void)
{
	rwsem_release(&hp_map, _RET_IP_);
	WARN_ON(hp_readers <= 0);
	if (!--hp_readers)
		wake_up_all(&hp_wait);
}

bool shim_cpus_are_held(void)
{
	return hp_readers || hp_writer || hp_waiters;
}

static void hp_write_lock(void)
{
	rwsem_acquire(&hp_map, 0, 0, _RET_IP_);
	hp_waiters++;
	wait_event(hp_wait, !hp_writer && !hp_readers);
	hp_waiters--;
	hp_writer = 1;
}

static void hp_write_unlock(void)
{
	rwsem_release(&hp_map, _RET_IP_);
	hp_writer = 0;
	wake_up_all(&hp_wait);
}

int __cpuhp_setup_state(enum cpuhp_state state, const char *name, bool invoke,
			int (*startup)(unsigned int cpu),
			int (*teardown)(unsigned int cpu), bool multi_instance)
{
	struct hp_state *sp = &hp_states[state];

	if (state >= CPUHP_BRINGUP_CPU || (invoke && !multi_instance))
		finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0),
			      "not modelled: __cpuhp_setup_state() beyond the "
			      "prepare states");
	if (!name || sp->name)
		return name ? -EBUSY : -EINVAL;
	sp->name = name;
	sp->startup = (void *)startup;
	sp->teardown = (void *)teardown;
	sp->multi = multi_instance;
	INIT_HLIST_HEAD(&sp->list);
	return 0;
}

void __cpuhp_remove_state(enum cpuhp_state state, bool invoke)
{
	struct hp_state *sp = &hp_states[state];

	BUG_ON(!sp->name);
	/* kernel/cpu.c: removing a state that still has instances warns. */
	WARN(!hlist_empty(&sp->list),
	     "Error: Removing state %d which has instances left.\n", state);
	sp->name = NULL;
}

static void hp_rollback(struct hp_state *sp, unsigned int failed,
			struct hlist_node *node)
{
	unsigned int cpu;

	for_each_present_cpu (cpu) {
		if (cpu >= failed)
			break;
		if (cpu_online(cpu) && sp->teardown)
			sp->teardown(cpu, node);
	}
}

static int hp_install(struct hp_state *sp, struct hlist_node *node)
{
	unsigned int cpu;
	int ret;

	if (!sp->startup)
		return 0;
	for_each_present_cpu (cpu) {
		if (!cpu_online(cpu))
			continue;
		ret = sp->startup(cpu, node);
		if (ret) {
			hp_rollback(sp, cpu, node);
			return ret;
		}
	}
	return 0;
}

int __cpuhp_state_add_instance(enum cpuhp_state state, struct hlist_node *node,
			       bool invoke)
{
	struct hp_state *sp = &hp_states[state];
	int ret = 0;

	cpus_read_lock();
	mutex_lock(&hp_mutex);
	if (invoke)
		ret = hp_install(sp, node);
	if (!ret)
		hlist_add_head(node, &sp->list);
	mutex_unlock(&hp_mutex);
	cpus_read_unlock();
	return ret;
}

int __cpuhp_state_remove_instance(enum cpuhp_state state,
				  struct hlist_node *node, bool invoke)
{
	struct hp_state *sp = &hp_states[state];
	unsigned int cpu;

	BUG_ON(!sp->name);
	cpus_read_lock();
	mutex_lock(&hp_mutex);
	if (invoke && sp->teardown)
		for_each_present_cpu (cpu)
			if (cpu_online(cpu))
				sp->teardown(cpu, node);
	hlist_del(node);
	mutex_unlock(&hp_mutex);
	cpus_read_unlock();
	return 0;
}

static int hp_prepare_multi(struct hp_state *sp, unsigned int cpu)
{
	struct hlist_node *node, *undo;
	int ret;

	hlist_for_each (node, &sp->list) {
		ret = sp->startup(cpu, node);
		if (!ret)
			continue;
		hlist_for_each (undo, &sp->list) {
			if (undo == node)
				break;
			if (sp->teardown)
				sp->teardown(cpu, undo);
		}
		return ret;
	}
	return 0;
}

static void hp_dead_state(struct hp_state *sp, unsigned int cpu)
{
	struct hlist_node *node;

	if (!sp->name || !sp->teardown)
		return;
	if (!sp->multi) {
		sp->teardown(cpu, NULL);
		return;
	}
	hlist_for_each (node, &sp->list)
		sp->teardown(cpu, node);
}

/* All prepare states in order; those that came up go down if one fails. */
static int hp_prepare(unsigned int cpu)
{
	struct hp_state *sp;
	int i, ret = 0;

	for (i = 0; i < CPUHP_BRINGUP_CPU && !ret; i++) {
		sp = &hp_states[i];
		if (!sp->name || !sp->startup)
			continue;
		ret = sp->multi ? hp_prepare_multi(sp, cpu)
				: sp->startup(cpu, NULL);
	}
	if (!ret)
		return 0;
	for (i -= 2; i >= 0; i--)
		hp_dead_state(&hp_states[i], cpu);
	return ret;
}

static void hp_dead(unsigned int cpu)
{
	int i;

	for (i = CPUHP_BRINGUP_CPU - 1; i >= 0; i--)
		hp_dead_state(&hp_states[i], cpu);
}

static void node_cpu_state(int nid)
{
	unsigned int cpu;

	if (nid < 0)
		return;
	node_clear_state(nid, N_CPU);
	for_each_online_cpu (cpu)
		if (shim_cpu_node[cpu] == nid)
			node_set_state(nid, N_CPU);
}

static void mark_online(unsigned int cpu, int online)
{
	if (online) {
		/* As the architectures do before a CPU of a new node comes. */
		if (shim_cpu_node[cpu] >= 0)
			node_set_state(shim_cpu_node[cpu], N_ONLINE);
		__set_bit(cpu, cpumask_bits(&__cpu_online_mask));
	} else {
		__clear_bit(cpu, cpumask_bits(&__cpu_online_mask));
	}
	__cpu_active_mask = __cpu_online_mask;
	count_ids();
	node_cpu_state(shim_cpu_node[cpu]);
}

/**
 * kern_cpu_set_online - bring a CPU up or down through the prepare callbacks
 *
 * Return: 0; -EINVAL not possible or already so; -EBUSY the last online CPU;
 * what a callback returned.
 */
int kern_cpu_set_online(unsigned int cpu, int online)
{
	int ret = 0;

	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -EINVAL;
	if (!!cpu_online(cpu) == !!online)
		return -EINVAL;
	if (!online && num_online_cpus() == 1)
		return -EBUSY;
	hp_write_lock();
	if (online) {
		__set_bit(cpu, cpumask_bits(&__cpu_present_mask));
		ret = hp_prepare(cpu);
		if (!ret)
			mark_online(cpu, 1);
	} else {
		mark_online(cpu, 0);
		shim_sched_cpu_gone(cpu);
		hp_dead(cpu);
	}
	hp_write_unlock();
	return ret;
}

/**
 * shim_cpu_drop_preloads - free what CPUs keep in store for radix trees
 *
 * As when each of them went offline: what is kept is no leak of a module.
 */
void shim_cpu_drop_preloads(void)
{
	struct hp_state *sp = &hp_states[CPUHP_RADIX_DEAD];
	unsigned int cpu;

	if (!sp->name || !sp->teardown)
		return;
	for_each_possible_cpu (cpu)
		sp->teardown(cpu, NULL);
}
