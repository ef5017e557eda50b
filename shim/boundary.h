/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one header that both sides of the shim include: plain C types only.
 * The kernel side (compiled with the tree's headers, no libc) and the host
 * side (libc, no kernel header) meet here and nowhere else. It knows nothing
 * of cases, options or reports.
 *
 *	sim (host, libc)
 *	  |  kern_*()			^ finding_*() records
 *	  v				|
 *	shim/kernel (tree headers) ---> host_*()  shim/host (libc)
 */
#ifndef RAID5SIM_BOUNDARY_H
#define RAID5SIM_BOUNDARY_H

/* ------------------------------------------------------------------ */
/* The machine							      */

#define MACHINE_MAX_CPUS	8192	/* CONFIG_NR_CPUS of a debian subject */
#define MACHINE_MAX_NODES	1024	/* 1 << CONFIG_NODES_SHIFT */
#define MACHINE_NO_NODE		(-1)	/* NUMA_NO_NODE */

#define MASK_WORD_BITS		64
/**
 * struct cpu_bits - one CPU mask; bit n of word n / 64 is CPU n
 * @word: the bits, 64 a word whatever the word size of the build
 */
struct cpu_bits {
	unsigned long long word[MACHINE_MAX_CPUS / MASK_WORD_BITS];
};

/** struct node_bits - one node mask, laid out as struct cpu_bits */
struct node_bits {
	unsigned long long word[MACHINE_MAX_NODES / MASK_WORD_BITS];
};

/**
 * struct machine - all that raid5.c can observe of the hardware
 * @possible_cpus:	CPUs that may ever come online
 * @present_cpus:	CPUs that are plugged in (subset of possible)
 * @online_cpus:	CPUs that run (subset of present), never empty
 * @possible_nodes:	node ids that may ever come online
 * @online_nodes:	node ids that are online (subset of possible)
 * @cpu_node:		node id of each CPU, or MACHINE_NO_NODE
 * @node_mem:		bytes of RAM of each node, 0 for a memory-less one
 * @totalram_pages:	what totalram_pages() says, in pages of the subject;
 *			0 means "the sum of @node_mem in whole pages"
 */
struct machine {
	struct cpu_bits		possible_cpus;
	struct cpu_bits		present_cpus;
	struct cpu_bits		online_cpus;
	struct node_bits	possible_nodes;
	struct node_bits	online_nodes;
	short			cpu_node[MACHINE_MAX_CPUS];
	unsigned long long	node_mem[MACHINE_MAX_NODES];
	unsigned long long	totalram_pages;
};

/* ------------------------------------------------------------------ */
/* Findings							      */

/* Stable names are in finding_kind_name(); a case file uses those. */
enum finding_kind {
	FINDING_OUT_OF_BOUNDS,
	FINDING_USE_AFTER_FREE,
	FINDING_DOUBLE_FREE,
	FINDING_NULL_DEREF,
	FINDING_WILD_ACCESS,
	FINDING_LEAK,
	FINDING_ALLOC_TOO_LARGE,
	FINDING_LOCKDEP,
	FINDING_LOCK_IMBALANCE,
	FINDING_LOCK_IRQ,
	FINDING_SLEEP_IN_ATOMIC,
	FINDING_HANG,
	FINDING_LOST_IO,
	FINDING_DATA_MISMATCH,
	FINDING_WRONG_SIZE,
	FINDING_OVERFLOW,
	FINDING_KERNEL_BUG,
	FINDING_KERNEL_WARN,
	FINDING_NOT_MODELLED,
	FINDING_KINDS
};

/**
 * struct place - where in the subject's sources something happened
 * @function:	innermost inlined function of a .c file of the tree, or ""
 * @file:	path inside the tree ("drivers/md/raid5.c"), or ""
 * @line:	1-based, 0 when unknown
 * @inside:	function of another file of the tree that @function had called and
 *		in which it happened, or ""
 */
struct place {
	char		inside[64];
	char		function[64];
	char		file[96];
	unsigned int	line;
};

/**
 * struct finding - one thing that went wrong
 * @kind:	what
 * @where:	the subject's line that did it
 * @cause:	one line, no newline, no pointer value, e.g.
 *		"worker_groups[8] of 2, allocated in alloc_thread_groups()"
 */
struct finding {
	enum finding_kind	kind;
	struct place		where;
	char			cause[256];
};

/**
 * finding_add - record a finding; the run goes on
 * @pc:		a code address whose place to report, or NULL: the caller's
 *		nearest frame in the tree
 */
void finding_add(enum finding_kind kind, const void *pc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** finding_fatal - record a finding and end the run; does not return */
void finding_fatal(enum finding_kind kind, const void *pc,
		   const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));

/* ------------------------------------------------------------------ */
/* Memory objects (shim/host/arena.c)				      */

enum mem_kind {
	MEM_KMALLOC,		/* kmalloc family, kvmalloc, vmalloc */
	MEM_CACHE,		/* kmem_cache objects */
	MEM_PERCPU,		/* one allocation of all CPUs' copies */
	MEM_SHIM,		/* the shim's own: never a leak of the subject */
	MEM_KINDS
};

/**
 * host_obj_alloc - an object in a slot of its own
 * @size:	bytes, 0 allowed (any access is then out of bounds)
 * @align:	power of two
 * @kind:	a free with another kind is a finding
 * @tag:	static name of the kmem_cache, or NULL
 * @caller:	return address of the kernel function that asked (leak report)
 *
 * The object is placed so that its last byte is at most @align - 1 bytes
 * before an unmapped page, and nothing else of the simulation lies within
 * HOST_OBJ_GUARD bytes of it. Contents: as the arena's fill says (0xa5...),
 * never what a previous owner left. Addresses depend only on the order of
 * calls. Never returns NULL; if the host itself cannot give memory the
 * process says so and exits with status 2.
 */
void *host_obj_alloc(unsigned long size, unsigned long align,
		     enum mem_kind kind, const char *tag, const void *caller);

/**
 * host_obj_free - give an object back and make any later access to it fault
 *
 * Free of something that is not the start of a live object, a second free,
 * or a wrong @kind, is a fatal finding. A damaged red zone likewise.
 *
 * Return: the bytes that had been asked for.
 */
unsigned long host_obj_free(void *obj, enum mem_kind kind, const void *caller);

/** host_obj_size - bytes asked for; fatal finding when not a live object */
unsigned long host_obj_size(const void *obj);

#define HOST_OBJ_GUARD	(1UL << 20)

enum obj_state { OBJ_NONE, OBJ_LIVE, OBJ_FREED };

/**
 * struct obj_info - what the arena knows of the object nearest an address
 * @offset:	address - base; may be negative or >= size
 */
struct obj_info {
	enum obj_state	state;
	void		*base;
	unsigned long	size;
	long long	offset;
	enum mem_kind	kind;
	const char	*tag;
	const void	*alloc_caller;
	const void	*free_caller;
};

/** host_obj_find - object whose slot (guard included) holds @addr; 0 if none */
int host_obj_find(const void *addr, struct obj_info *info);

/**
 * host_obj_report_leaks - one FINDING_LEAK for each allocation site that has
 * live objects of any kind but MEM_SHIM, in order of first allocation
 *
 * Return: live objects found.
 */
unsigned long host_obj_report_leaks(void);

/**
 * struct mem_stats - the arena's accounting of the subject's objects
 * Bytes are as asked for, MEM_SHIM left out; pages are added by the kernel
 * side's page allocator, which calls host_mem_account().
 */
struct mem_stats {
	unsigned long long	live_bytes;
	unsigned long long	peak_bytes;
	unsigned long long	total_allocs;
	unsigned long long	largest;	/* largest contiguous request */
	const void		*largest_caller;
};

void host_mem_stats(struct mem_stats *stats);
/** host_mem_account - count @bytes (negative: freed) not held as an object */
void host_mem_account(long long bytes, unsigned long contiguous,
		      const void *caller);
/** host_mem_reset_largest - start a new measurement of largest and peak */
void host_mem_reset_largest(void);

/**
 * host_region - reserve @bytes of address space at a fixed, deterministic
 * place (same on every host and build), readable and writable, zero until
 * written, costing host memory only where touched. For struct page arrays
 * and page contents. Each call returns the next region, 4 GiB aligned, with
 * unmapped space of at least 4 GiB between regions.
 */
void *host_region(unsigned long long bytes);
/** host_region_forget - contents of a page range read as zero again */
void host_region_forget(void *start, unsigned long bytes);

/* ------------------------------------------------------------------ */
/* Coroutines (shim/host/coro.c)				      */

struct host_coro;
/** host_coro_new - a suspended coroutine; starts in @fn(@arg) when switched to;
 *  @fn must never return (switch away for good instead) */
struct host_coro *host_coro_new(void (*fn)(void *arg), void *arg);
/** host_coro_switch - run @to until something switches back to us */
void host_coro_switch(struct host_coro *to);
/** host_coro_self - the running coroutine (the process's first stack is one) */
struct host_coro *host_coro_self(void);
/** host_coro_free - a suspended coroutine that will never run again */
void host_coro_free(struct host_coro *coro);
/** host_coro_stack - bounds of a coroutine's stack, for task_stack_page() */
void host_coro_stack(struct host_coro *coro, void **low, unsigned long *size);

/* ------------------------------------------------------------------ */
/* Places and printing (shim/host/place.c, print.c)		      */

/**
 * host_place - source place of a code address, inlined frames resolved
 *
 * Of the inlined chain at @pc, the innermost frame that lies in a .c file
 * under the tree's source directory (so list_add() inlined from a header is
 * reported as the .c line that used it). @is_return: @pc is a return address.
 * Return: 1 found, 0 not (out is zeroed).
 */
int host_place(const void *pc, int is_return, struct place *out);

/**
 * host_place_stack - nearest frame of the driver, else of the tree, walking
 * frame pointers; @out->inside names what the driver had called
 * @pc: where it happened; @fp: frame pointer there (NULL: the caller's).
 */
int host_place_stack(const void *pc, const void *fp, struct place *out);

/** host_log - one kernel log message, without its level prefix
 *  @level: 0 (emerg) .. 7 (debug) */
void host_log(int level, const char *text);

/** host_exit - end the process: a fault of the host or of the shim itself */
void host_panic(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* ------------------------------------------------------------------ */
/* What the kernel side offers to sim				      */

struct kern_array;

/**
 * struct array_desc - an array to create
 * @name:		"md0"
 * @level:		4, 5 or 6
 * @layout:		ALGORITHM_* number; 2 = left-symmetric
 * @disks:		members
 * @chunk_bytes:	chunk size
 * @member_bytes:	size of each member's data area
 * @rotational:		members report rotational media
 */
struct array_desc {
	const char		*name;
	int			level;
	int			layout;
	int			disks;
	unsigned long		chunk_bytes;
	unsigned long long	member_bytes;
	int			rotational;
};

/**
 * struct array_sizes - values read from the subject's own structures
 *
 * All are what raid5.c itself holds or computes; -1 where the subject has no
 * such value.
 * @bytes_per_stripe:	sizeof(struct stripe_head) + disks * (sizeof(struct
 *			bio) + PAGE_SIZE), the driver's own formula
 * @allocated_kb:	the kB of the driver's own "allocated N kB" message
 * @max_nr_stripes:	stripes that exist
 */
struct array_sizes {
	long long	nr_hash_locks;
	long long	stripe_cache_size;	/* min_nr_stripes */
	long long	max_nr_stripes;
	long long	max_stripe_batch;
	long long	group_thread_cnt;	/* worker_cnt_per_group */
	long long	group_cnt;
	long long	workers;		/* group_thread_cnt * group_cnt */
	long long	bytes_per_stripe;
	long long	allocated_kb;
};

/** kern_boot - bring the machine up; once a process, before all else.
 *  @m is checked already. */
void kern_boot(const struct machine *m);
/** kern_module_init - raid456's and its helpers' init functions; 0 or -errno */
int kern_module_init(void);
/** kern_module_exit - their exit functions; afterwards leaks are final */
void kern_module_exit(void);

/** kern_param_set - a module parameter, as a write to /sys/module/raid456/
 *  parameters/NAME; 0, -ENOENT (no such parameter) or what the kernel's
 *  parser says */
int kern_param_set(const char *name, const char *value);
/** kern_param_count, kern_param_name - the subject's module parameters */
unsigned int kern_param_count(void);
const char *kern_param_name(unsigned int i);

/** kern_array_create - through the personality's own run and start;
 *  0 or -errno (then *out is NULL and nothing is left over) */
int kern_array_create(const struct array_desc *desc, struct kern_array **out);
/** kern_array_stop - stop and free, as md's stop does */
void kern_array_stop(struct kern_array *a);
void kern_array_sizes(struct kern_array *a, struct array_sizes *out);

/** kern_attr_store - write to md/NAME in sysfs through raid5's own store
 *  function; bytes taken or -errno; -EACCES when it cannot be written. A name
 *  that raid5 has no attribute of ends the run: not modelled */
long kern_attr_store(struct kern_array *a, const char *name, const char *val);
/** kern_attr_show - read an attribute; bytes (NUL terminated, the newline is
 *  kept) or -errno */
long kern_attr_show(struct kern_array *a, const char *name, char *buf,
		    unsigned long size);

/** kern_quiesce - the personality's quiesce: @on 1 stops, 0 lets go on */
void kern_quiesce(struct kern_array *a, int on);
int kern_suspend(struct kern_array *a);
void kern_resume(struct kern_array *a);
/** kern_touch_stripe - on CPU @cpu, take the stripe at @sector, mark it for
 *  handling and release it, so that the group path runs; then run until
 *  idle. 0 or -errno; -EINVAL: the CPU is not online */
int kern_touch_stripe(struct kern_array *a, unsigned int cpu,
		      unsigned long long sector);
/** kern_cpu_set_online - hotplug; 0 or -errno */
int kern_cpu_set_online(unsigned int cpu, int online);
/** kern_run_idle - let every task run until none can */
void kern_run_idle(void);

/** kern_xor - xor @sources (1..4) blocks of @bytes (a multiple of 64) into @dest */
void kern_xor(unsigned int sources, unsigned long bytes, void *dest,
	      void **source);
/** kern_raid6_name - the variant that the tree chose at boot, "int64x8", ... */
const char *kern_raid6_name(void);
/** kern_raid6_syndrome - P and Q of @disks - 2 blocks of @bytes (a multiple of
 *  64) into the last two */
void kern_raid6_syndrome(int disks, unsigned long bytes, void **ptrs);
/** kern_raid6_recover_two - data blocks @a < @b from the others */
void kern_raid6_recover_two(int disks, unsigned long bytes, int a, int b,
			    void **ptrs);

/** kern_pages_live - pages that the subject holds now */
unsigned long long kern_pages_live(void);

/** kern_fail_allocs - while @on, every allocation of the subject fails
 *  (for probing which values a store accepts) */
void kern_fail_allocs(int on);

/** kern_object_name - how raid5.c calls the object at @base
 *  @elem: bytes of one element when it is an array, else 0
 *  Return: "worker_groups", "r5conf", ... or NULL */
const char *kern_object_name(const void *base, unsigned long *elem);

/**
 * struct layout_row - one size of the subject
 * @name:	"bio", "stripe_head", "r5dev", "r5worker", ...
 * @size:	sizeof, bytes
 */
struct layout_row {
	const char	*name;
	unsigned long	size;
};

unsigned int kern_layout(const struct layout_row **rows);

/**
 * struct subject_info - what was built
 * @name:	"stock", "posted-minimal", ...
 * @kernel:	"6.12.117", from the tree's Makefile
 * @config:	"debian" or "minimal"
 */
struct subject_info {
	const char	*name;
	const char	*kernel;
	const char	*config;
	unsigned int	word_bits;
	unsigned long	page_size;
	int		modified;	/* 1: a series is applied */
	const char	*series;	/* how it was named, or "" */
	int		lockdep;	/* 1: lock debugging is configured */
};

extern const struct subject_info kern_subject;

/**
 * struct subject_source - one compiled source file (generated by the build)
 * @path:	inside the tree, "drivers/md/raid5.c"
 * @sha256:	64 hex digits, of the file as compiled
 * @modified:	1: not the tree's own file, a series changed it
 */
struct subject_source {
	const char	*path;
	const char	*sha256;
	int		modified;
};

extern const struct subject_source kern_sources[];
extern const unsigned int kern_sources_count;

/* Source directories of the build, for place_init() (generated). */
extern const char *const kern_source_dirs[];
extern const unsigned int kern_source_dirs_count;

#endif
