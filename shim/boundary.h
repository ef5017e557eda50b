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
	FINDING_BAD_STATE,	/* a count or list of the driver that does not add up */
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
 * @detail:	more lines, each with a newline, or "": how it came to that
 */
struct finding {
	enum finding_kind	kind;
	struct place		where;
	char			cause[256];
	char			detail[2048];
};

/**
 * finding_add - record a finding; the run goes on
 * @pc:		a code address whose place to report, or NULL: the caller's
 *		nearest frame in the tree
 */
void finding_add(enum finding_kind kind, const void *pc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** finding_count - findings so far */
unsigned int finding_count(void);

/** finding_detail - add a line to the latest finding; what there is no room for
 *  is left out, and "..." says so */
void finding_detail(const char *line);

/** finding_fatal - record a finding and end the run; does not return */
void finding_fatal(enum finding_kind kind, const void *pc,
		   const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));

/* ------------------------------------------------------------------ */
/* Memory objects (shim/host/arena.c)				      */

enum mem_kind {
	MEM_KMALLOC,		/* kmalloc family, kvmalloc, vmalloc */
	MEM_CACHE,		/* kmem_cache objects */
	MEM_PER_CPU,		/* one allocation of all CPUs' copies */
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

/** host_coro_place - where it is: as host_place_stack() of its stack; 0: not known,
 *  or it has not begun */
int host_coro_place(const struct host_coro *coro, struct place *out);

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

/** host_stack - return addresses of the callers, innermost first, by frame pointers
 *  @skip: so many of them not, beside host_stack()'s own; how many were stored */
unsigned int host_stack(unsigned long *store, unsigned int size,
			unsigned int skip);

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
 * enum array_metadata - what says on the members how they belong together
 * @METADATA_NONE:	nothing: the array cannot be assembled again
 * @METADATA_1_2:	version 1.2 superblocks, as mdadm --create writes them
 */
enum array_metadata { METADATA_NONE, METADATA_1_2 };

/** enum array_log - what keeps parity and data consistent over a power cut */
enum array_log {
	LOG_NONE,	/* a resync after the cut */
	LOG_BITMAP,	/* a resync of the regions that the bitmap names */
	LOG_JOURNAL,	/* a journal device of its own */
	LOG_PPL,	/* partial parity logs on the members */
};

/**
 * struct array_desc - an array to create
 * @name:		"md0"
 * @level:		4, 5 or 6
 * @layout:		ALGORITHM_* number; 2 = left-symmetric
 * @disks:		members
 * @chunk_bytes:	chunk size
 * @member_bytes:	size of each member's data area
 * @rotational:		members report rotational media
 * @spares:		disks beside the members, not yet part of the array
 * @missing:		members that are not there at creation (the last ones)
 * @metadata:		METADATA_NONE only with LOG_NONE and no @spares that
 *			are to be found again
 * @log:		LOG_PPL only with level 5
 * @log_bytes:		journal: size of its device; bitmap: bytes a bit
 *			stands for; 0: a usual value
 * @write_through:	no disk has a volatile cache
 * @dirty:		parity is not in sync yet: a resync begins at once
 */
struct array_desc {
	const char		*name;
	int			level;
	int			layout;
	int			disks;
	unsigned long		chunk_bytes;
	unsigned long long	member_bytes;
	int			rotational;
	int			spares;
	int			missing;
	enum array_metadata	metadata;
	enum array_log		log;
	unsigned long long	log_bytes;
	int			write_through;
	int			dirty;
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
 *  parameters/NAME, or of md_mod if @name is "md_mod.NAME"; 0, -ENOENT (no such parameter) or what the kernel's
 *  parser says */
int kern_param_set(const char *name, const char *value);
/** kern_param_count, kern_param_name - the subject's module parameters */
unsigned int kern_param_count(void);
const char *kern_param_name(unsigned int i);

/** kern_array_create - through the personality's own run and start;
 *  0 or -errno (then *out is NULL and nothing is left over) */
int kern_array_create(const struct array_desc *desc, struct kern_array **out);
/** kern_array_stop - stop and free, as md's stop does; frees its disks
 *  too */
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
/** kern_step_end - a step is over: the task that did it may hold no lock, nor
 *  keep preemption or interrupts off */
void kern_step_end(const char *step);
/** kern_locks_strict - from now on, also find what turns interrupts on that
 *  its caller keeps off */
void kern_locks_strict(int on);
/** kern_cpu_set_online - hotplug; 0 or -errno */
int kern_cpu_set_online(unsigned int cpu, int online);
/** kern_run_idle - let every task run until none can and no disk is busy; timers
 *  only as far as that takes */
void kern_run_idle(void);

/* ------------------------------------------------------------------ */
/* Schedules (shim/kernel/sched-choose.c)				      */

/**
 * enum sched_strategy - who goes on where a real machine would race
 * @SCHED_IN_ORDER:	who runs goes on until it waits; then the others in the
 *			order in which they could run. Events at their time
 * @SCHED_RANDOM:	at one of @rate choices another than that, by @seed
 * @SCHED_PCT:		each task and interrupt has a priority by @seed, the
 *			highest runs; at @depth - 1 choices of the first
 *			@length the one that runs falls below all others
 *			(Burckhardt and others, ASPLOS 2010)
 * @SCHED_LIST:		in order but for @change
 * @SCHED_BYTES:	choice n is byte n modulo the number of alternatives;
 *			in order after the last byte
 */
enum sched_strategy {
	SCHED_IN_ORDER,
	SCHED_RANDOM,
	SCHED_PCT,
	SCHED_LIST,
	SCHED_BYTES,
	SCHED_STRATEGIES
};

/** struct sched_change - choice number @choice (from 0) takes alternative
 *  @pick; alternative 0 is always what SCHED_IN_ORDER does */
struct sched_change {
	unsigned long long	choice;
	unsigned int		pick;
};

/* Where a choice is offered, beside waits and wake-ups; to be joined by |. */
#define POINT_LOCKS	1	/* each lock and unlock */
#define POINT_ATOMICS	2	/* each atomic read-modify-write */

/**
 * struct schedule - how a run is scheduled
 * @points:	POINT_*, 0: only where a task waits, is woken or an event comes.
 *		Time passes at locks in any case
 * @rate:	random: 1 or more
 * @change:	list: by ascending @choice; not copied
 * @bytes:	bytes: not copied
 */
struct schedule {
	enum sched_strategy		strategy;
	unsigned int			points;
	unsigned long long		seed;
	unsigned int			rate;
	unsigned int			depth;
	unsigned long long		length;
	const struct sched_change	*change;
	unsigned int			changes;
	const unsigned char		*bytes;
	unsigned long			byte_count;
};

/** kern_schedule - from here on; choices are counted from 0 again. Without
 *  it: in order, no points */
void kern_schedule(const struct schedule *s);

/**
 * struct sched_stats - since kern_schedule()
 * @points:	preemption points passed
 * @choices:	of them, and of waits and events, those that had alternatives
 * @switches:	times that the host went on with another task
 * @interrupts:	events delivered
 * @trace_hash:	over every choice, switch, interrupt, submission and completion
 */
struct sched_stats {
	unsigned long long	points;
	unsigned long long	choices;
	unsigned long long	switches;
	unsigned long long	interrupts;
	unsigned long long	trace_hash;
};

void kern_sched_stats(struct sched_stats *out);
/** kern_sched_changes - what the run so far did unlike SCHED_IN_ORDER: the
 *  list replays it. Recorded only after kern_sched_record(1). Return: how many */
unsigned int kern_sched_changes(const struct sched_change **out);
/** kern_sched_widths - alternatives of each choice so far, cut to 255; for
 *  enumeration. Recorded likewise */
unsigned long kern_sched_widths(const unsigned char **out);
void kern_sched_record(int on);

/** kern_now - virtual ns since boot */
unsigned long long kern_now(void);

/* ------------------------------------------------------------------ */
/* Tasks of the host side's own (submitters, writers of attributes)	      */

struct kern_task;
/** kern_task_start - @fn(@arg) as a task that stays on @cpu (must be online) */
struct kern_task *kern_task_start(const char *name, unsigned int cpu,
				  void (*fn)(void *arg), void *arg);
/** kern_task_done - has @fn returned? */
int kern_task_done(const struct kern_task *t);
/** kern_task_join - wait until it has, then free @t */
void kern_task_join(struct kern_task *t);
/** kern_sleep - the calling task waits in virtual time */
void kern_sleep(unsigned long long ns);

/* ------------------------------------------------------------------ */
/* Disks (shim/kernel/disk.c)						      */

/*
 * What a disk holds:
 *
 *	write ---> cache (volatile) ---flush, FUA, or when it likes---> medium
 *	read  <--- cache over medium
 *	power cut: the medium, and of the cache what the seed says, by sector
 */
#define KERN_SECTOR 512

/** enum disk_fault_kind - see kern_disk_fault() */
enum disk_fault_kind {
	DISK_READ_ERROR,	/* reads of the sectors fail; a write heals */
	DISK_WRITE_ERROR,	/* writes of the sectors fail */
	DISK_FAIL,		/* everything fails */
	DISK_VANISH,		/* as when pulled: all fails, also what is under
				 * way, and it is no longer live */
	DISK_FAULT_KINDS
};

/**
 * struct disk_times - virtual ns; how long a request takes is between the
 * two, as the schedule chooses (in order: the lower), so that requests
 * overtake each other
 */
struct disk_times {
	unsigned int	least;
	unsigned int	most;
};

/** kern_array_disks - members, spares and journal, in that order */
unsigned int kern_array_disks(const struct kern_array *a);

/** kern_disk_read - @sectors as a read would give them now, without I/O
 *  @disk: 0 .. kern_array_disks() - 1 */
void kern_disk_read(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors, void *buf);
/** kern_disk_write - change the medium behind the kernel's back */
void kern_disk_write(struct kern_array *a, unsigned int disk,
		     unsigned long long sector, unsigned int sectors,
		     const void *buf);
/** kern_disk_fault - from now on
 *  @sectors: 0 for DISK_FAIL and DISK_VANISH. A read or write error stays
 *  until healed or kern_disk_heal() */
void kern_disk_fault(struct kern_array *a, unsigned int disk,
		     enum disk_fault_kind kind, unsigned long long sector,
		     unsigned long long sectors);
/** kern_disk_heal - no faults any more; a vanished disk is back, with what
 *  was on its medium */
void kern_disk_heal(struct kern_array *a, unsigned int disk);
void kern_disk_times(struct kern_array *a, const struct disk_times *t);
/** kern_disks_busy - requests that disks have not completed */
unsigned int kern_disks_busy(void);

/**
 * kern_power_cut - choose, here and now, what each disk of @a keeps
 * @seed:	of what is left of caches and of writes under way
 * @torn:	1: a write may be kept in part, by sectors; 0: whole or not
 *
 * Everything goes on, but what the disks hold in the end is what they had at
 * this moment: after kern_array_halt() the rest never was. So the machine
 * that goes on is thrown away in an orderly manner, and leaks are leaks.
 */
void kern_power_cut(struct kern_array *a, unsigned long long seed, int torn);

/* ------------------------------------------------------------------ */
/* I/O to an array (shim/kernel/io.c)					      */

enum kern_io_op {
	KERN_READ,
	KERN_WRITE,
	KERN_DISCARD,
	KERN_WRITE_ZEROES,
	KERN_FLUSH,
	KERN_IO_OPS
};

#define KERN_IO_FUA	 1	/* write: durable before it completes */
#define KERN_IO_PREFLUSH 2	/* write: flush first */
#define KERN_IO_SYNC	 4	/* REQ_SYNC */
#define KERN_IO_NOWAIT	 8	/* REQ_NOWAIT: may complete with -EAGAIN */
#define KERN_IO_RAHEAD	 16	/* REQ_RAHEAD */

/**
 * struct kern_io - one request
 * @sector, @sectors:	of the array; at most 256 pages at a time
 * @buf:	write: taken when submitted; read: filled when complete
 * @result:	0 or -errno, once complete
 * @done:	complete
 * @complete:	called on completion, in interrupt context; may be NULL. It may
 *		not wait
 * @priv:	the shim's
 *
 * A completion too many is a finding lost-io; so is a request that is not
 * complete when the machine has gone idle (kern_io_check_idle()).
 */
struct kern_io {
	enum kern_io_op		op;
	unsigned int		flags;
	unsigned long long	sector;
	unsigned int		sectors;
	void			*buf;
	int			result;
	int			done;
	void			(*complete)(struct kern_io *io);
	void			*arg;
	void			*priv;
};

/** kern_io_submit - from a task; returns when the array has taken it. @io must
 *  stay until it is done */
void kern_io_submit(struct kern_array *a, struct kern_io *io);
/** kern_io_submit_disk - to one disk of @a itself, past the array */
void kern_io_submit_disk(struct kern_array *a, unsigned int disk,
			 struct kern_io *io);
/** kern_io_wait - until @io is done; returns its result */
int kern_io_wait(struct kern_io *io);
/** kern_plug - start (1) or finish (0) a plug of the calling task, which must
 *  finish it before it ends */
void kern_plug(int on);
/** kern_io_check_idle - a finding lost-io for each request that is not
 *  complete; call when nothing can run */
void kern_io_check_idle(void);

/* ------------------------------------------------------------------ */
/* What becomes of an array						      */

/** kern_array_halt - stop as STOP_ARRAY does and keep the disks; 0 or -errno.
 *  After kern_power_cut() the disks then hold what was chosen there */
int kern_array_halt(struct kern_array *a);
/** kern_array_assemble - run it again from what is on the disks; disks that
 *  have vanished or are in @leave_out (bit n: disk n) are not given to md.
 *  0 or -errno; the array is as after kern_array_halt() then */
int kern_array_assemble(struct kern_array *a, unsigned long long leave_out);

/** kern_member_fail - as mdadm --fail; 0 or -errno */
int kern_member_fail(struct kern_array *a, unsigned int disk);
/** kern_member_remove - as mdadm --remove */
int kern_member_remove(struct kern_array *a, unsigned int disk);
/** kern_member_add - as mdadm --add, as a spare that knows nothing;
 *  @re_add: as --re-add, with what it knows */
int kern_member_add(struct kern_array *a, unsigned int disk, int re_add);
/** kern_member_replace - want_replacement; a spare takes over from it */
int kern_member_replace(struct kern_array *a, unsigned int disk);

/** kern_sync_wait - until nothing is resynced, recovered, checked or reshaped
 *  and nothing is due; 0, or -EINTR when it stopped short and waits for
 *  something else. The caller may be any task */
int kern_sync_wait(struct kern_array *a);

/**
 * struct member_state - a disk as the array sees it
 * @in_array:	md has it
 * @slot:	place in the array, -1: spare or journal
 * @data_sector: where its data begins on the disk
 * @recovered:	sectors of its data that are in sync (all: ~0ULL)
 */
struct member_state {
	int			in_array;
	int			faulty;
	int			in_sync;
	int			journal;
	int			replacement;
	int			slot;
	unsigned long long	data_sector;
	unsigned long long	new_data_sector;
	unsigned long long	recovered;
};

void kern_member_state(struct kern_array *a, unsigned int disk,
		       struct member_state *out);

/** kern_member_bad - is any of these sectors of the disk on md's list of bad
 *  blocks for it? What they hold counts for nothing then */
int kern_member_bad(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors);

/**
 * struct array_state - the array as it is now
 * @sectors:		of the array's data
 * @member_sectors:	of each member's data
 * @reshape_position:	sectors of the array, ~0ULL: no reshape
 * @resync_from:	sectors of a member that are in sync, ~0ULL: all
 * @mismatches:		of the last check
 */
struct array_state {
	int			running;
	int			level;
	int			layout;
	int			disks;
	int			degraded;
	int			failed;		/* too many are gone */
	int			read_only;
	unsigned long		chunk_sectors;
	unsigned long long	sectors;
	unsigned long long	member_sectors;
	int			new_level;
	int			new_layout;
	int			new_disks;
	unsigned long		new_chunk_sectors;
	int			backwards;	/* reshape runs from the end */
	unsigned long long	reshape_position;
	unsigned long long	resync_from;
	unsigned long long	mismatches;
};

void kern_array_state(struct kern_array *a, struct array_state *out);

/**
 * kern_check_rest - findings bad-state for what does not add up in the
 * driver's own lists and counts; call when nothing can run
 *
 * Every stripe on exactly one list and in its hash's; inactive ones as
 * counted; active_stripes what is not inactive; no stripe with requests; no
 * work queued, no worker marked working; every hash lock owns a stripe.
 */
void kern_check_rest(struct kern_array *a);

/** kern_shrink - what memory pressure does: count, then scan @objects of the
 *  array's cache; stripes freed */
unsigned long kern_shrink(struct kern_array *a, unsigned long objects);

/* ------------------------------------------------------------------ */
/* Depth of locks (shim/kernel/lock-marks.c)				      */

/**
 * struct lock_marks_seen - the most that was seen between two calls
 * @spins:	spin locks held by one task
 * @slots:	held-lock slots of lockdep; 0: no lock debugging
 * @count:	preempt_count's bits of preemption
 * @irqs_off:	virtual ns of the longest section with interrupts off, interrupts
 *		themselves left out; @irqs_off_in: who began it
 * @stripes:	most stripes touched by atomic operations in such a section
 */
struct lock_marks_seen {
	unsigned int		spins;
	unsigned int		slots;
	unsigned int		count;
	unsigned int		stripes;
	unsigned long long	irqs_off;
	struct place		irqs_off_in;
	struct place		stripes_in;
};

/** kern_lock_marks_begin - after kern_schedule() */
void kern_lock_marks_begin(struct kern_array *a);
void kern_lock_marks(struct lock_marks_seen *out);
/** kern_lock_all - take and release all locks with the driver's own functions;
 *  0, -ENOENT: it has none */
int kern_lock_all(struct kern_array *a);

/**
 * struct lock_limits - what fits, found by trying; 0: no lock debugging
 * @slots:	locks held without nest_lock, each of a class of its own
 * @references:	locks folded into one slot
 * @count:	preempt_count's bits of preemption
 */
struct lock_limits {
	unsigned int		slots;
	unsigned int		references;
	unsigned int		count;
};

void kern_lock_limits(struct lock_limits *out);

/* ------------------------------------------------------------------ */
/* What the shim checks of itself (shim/kernel/selftest*.c)		      */

/**
 * struct lock_suite_row - one row of the kernel's own test of lockdep
 * @total:	scenarios
 * @agree:	judged by lockdep as the kernel's table says
 * @checker:	in which the always-on checker found something
 * @checker_alone: in which it did and lockdep did not
 */
struct lock_suite_row {
	char name[64];
	unsigned int total, agree, checker, checker_alone;
};

/** kern_lock_suite - run lib/locking-selftest.c of the tree; @done is told of each
 *  row. 0: the subject has no lock debugging, and nothing was run */
int kern_lock_suite(void (*done)(const struct lock_suite_row *row));

/**
 * enum lock_op - an operation of a random sequence. Those after LOCK_OP_FREE
 * and before LOCK_OP_EXIT, and LOCK_OP_EXIT_HOLDING, are faults that both
 * lockdep and the checker can see
 */
enum lock_op {
	LOCK_OP_TAKE,
	LOCK_OP_RELEASE,
	LOCK_OP_IRQS,		/* off or on */
	LOCK_OP_INTERRUPT,	/* whose handler takes the lock */
	LOCK_OP_FREE,
	LOCK_OP_TAKE_OWN,
	LOCK_OP_SLEEP,		/* a mutex with a spin lock held */
	LOCK_OP_RELEASE_OTHER,	/* one that the task does not hold */
	LOCK_OP_FREE_OWN,
	LOCK_OP_EXIT,
	LOCK_OP_EXIT_HOLDING,
	LOCK_OPS
};

/**
 * struct lock_sequence - how far it went
 * @ops:	operations done
 * @last:	the last one
 */
struct lock_sequence {
	unsigned int ops;
	enum lock_op last;
};

/** kern_lock_sequence - @most operations by @seed, until there is a finding; may
 *  end the run. Once a process, with 5 CPUs or more */
void kern_lock_sequence(unsigned long long seed, unsigned int most,
			struct lock_sequence *out);

/** kern_selftest_count - tests there are; each wants a fresh machine of 8
 *  CPUs on nodes 0 and 2 (CPUs 0-3 and 4-7) */
unsigned int kern_selftest_count(void);
const char *kern_selftest_name(unsigned int i);
/** kern_selftest_finding - the kind that the test must end in, or FINDING_KINDS:
 *  it must return */
enum finding_kind kern_selftest_finding(unsigned int i);
/** kern_selftest_lockdep - title of what lockdep must report beside that, or NULL */
const char *kern_selftest_lockdep(unsigned int i);
/** kern_selftest_run - NULL: all is well; else what is not */
const char *kern_selftest_run(unsigned int i);

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
	int		md_model;	/* 1: the md core is a model, not md.c */
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
