// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tree's kernel/locking/lockdep.c needs of the rest of a kernel, and
 * what becomes of its reports: each is caught on its way to the log, cut down
 * to what a reader needs and kept as a finding. Lockdep turns itself off then;
 * it is turned on again as soon as nobody holds anything. Knows no array.
 *
 *	lockdep.c ── printk ──> lockdep_log(): lines, no addresses
 *	          └─ dump_stack ──> lockdep_report_end(): a finding
 */
#include <linux/console.h>
#include <linux/ctype.h>
#include <linux/debug_locks.h>
#include <linux/irqflags.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include "sched.h"

#ifdef CONFIG_LOCKDEP

/* --- the program's sections -------------------------------------------- */

/* All static data is that of one program: keys in it are static keys. */
extern char __executable_start[], _end[];
char _sdata[1], _edata[1], __bss_start[1], __bss_stop[1];
char __end_rodata[1], __init_begin[1], __init_end[1];

bool is_module_address(unsigned long addr)
{
	return addr >= (unsigned long)__executable_start &&
	       addr < (unsigned long)_end;
}

bool is_kernel_percpu_address(unsigned long addr)
{
	return __is_kernel_percpu_address(addr, NULL);
}

bool __is_module_percpu_address(unsigned long addr, unsigned long *can_addr)
{
	return false;
}

bool is_module_percpu_address(unsigned long addr)
{
	return false;
}

/* --- the state of the system ------------------------------------------- */

/* kernel/rcu/rcu.h: RCU_SCHEDULER_RUNNING. */
#define RCU_ALL_RUNS 2

enum system_states system_state = SYSTEM_RUNNING;
int oops_in_progress;
int rcu_scheduler_active = RCU_ALL_RUNS;
bool early_boot_irqs_disabled;
struct uts_namespace init_uts_ns = {
	.name = {.sysname = "Linux", .release = "raid5sim"},
};
/* Of all tasks only this list is asked for, to print what they hold. */
struct task_struct init_task = {.tasks = LIST_HEAD_INIT(init_task.tasks)};

/* Boot is over when the first task runs: interrupts are on. */
DEFINE_PER_CPU(int, hardirqs_enabled) = 1;
DEFINE_PER_CPU(int, hardirq_context);

u64 sched_clock(void)
{
	return shim_now();
}

const char *print_tainted(void)
{
	return "";
}

void nbcon_cpu_emergency_enter(void)
{
}

void nbcon_cpu_emergency_exit(void)
{
}

void preempt_schedule_notrace(void)
{
	preempt_schedule();
}

/* kernel/trace/trace_preemptirq.c, for tracing that is not there. */
void trace_hardirqs_on(void)
{
	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(_RET_IP_);
}

void trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(_RET_IP_);
}

/* --- RCU: kernel/rcu/update.c ------------------------------------------ */

static struct lock_class_key rcu_lock_key, rcu_bh_lock_key;
static struct lock_class_key rcu_sched_lock_key, rcu_callback_key;

struct lockdep_map rcu_lock_map = {
	.name = "rcu_read_lock",
	.key = &rcu_lock_key,
	.wait_type_outer = LD_WAIT_FREE,
	.wait_type_inner = LD_WAIT_CONFIG,
};
struct lockdep_map rcu_bh_lock_map = {
	.name = "rcu_read_lock_bh",
	.key = &rcu_bh_lock_key,
	.wait_type_outer = LD_WAIT_FREE,
	.wait_type_inner = LD_WAIT_CONFIG,
};
struct lockdep_map rcu_sched_lock_map = {
	.name = "rcu_read_lock_sched",
	.key = &rcu_sched_lock_key,
	.wait_type_outer = LD_WAIT_FREE,
	.wait_type_inner = LD_WAIT_SPIN,
};
struct lockdep_map rcu_callback_map =
	STATIC_LOCKDEP_MAP_INIT("rcu_callback", &rcu_callback_key);

int debug_lockdep_rcu_enabled(void)
{
	return rcu_scheduler_active && READ_ONCE(debug_locks) &&
	       !current->lockdep_recursion;
}

int rcu_read_lock_held(void)
{
	return !debug_lockdep_rcu_enabled() || lock_is_held(&rcu_lock_map);
}

bool rcu_is_watching(void)
{
	return true;
}

bool rcu_lockdep_current_cpu_online(void)
{
	return true;
}

/* --- reclaim: mm/page_alloc.c ------------------------------------------ */

static struct lockdep_map reclaim_map =
	STATIC_LOCKDEP_MAP_INIT("fs_reclaim", &reclaim_map);

static bool may_reclaim_fs(gfp_t gfp)
{
	gfp = current_gfp_context(gfp);
	return (gfp & __GFP_DIRECT_RECLAIM) && (gfp & __GFP_FS) &&
	       !(current->flags & PF_MEMALLOC) && !(gfp & __GFP_NOLOCKDEP);
}

void fs_reclaim_acquire(gfp_t gfp)
{
	if (may_reclaim_fs(gfp))
		lock_acquire_exclusive(&reclaim_map, 0, 0, NULL, _RET_IP_);
}

void fs_reclaim_release(gfp_t gfp)
{
	if (may_reclaim_fs(gfp))
		lock_release(&reclaim_map, _RET_IP_);
}

/* --- stacks and names -------------------------------------------------- */

#define REPORT_SIZE 16384

static char report[REPORT_SIZE];
static unsigned int report_len;
static bool report_open;

/* The lock that the report has just named, until its place is told; and who
 * took the last of those. */
static unsigned long named_lock;
static const void *taken_by;

unsigned int stack_trace_save(unsigned long *store, unsigned int size,
			      unsigned int skipnr)
{
	return host_stack(store, size, skipnr);
}

/* "handle_stripe() drivers/md/raid5.c:5012", or nothing for the shim's own. */
static bool print_place(unsigned long addr, int is_return, char *text,
			size_t size)
{
	struct place p;

	*text = '\0';
	if (!host_place((void *)addr, is_return, &p) ||
	    !strncmp(p.file, "kernel/locking/", 15))
		return false;
	snprintf(text, size, "%s() %s:%u", p.function, p.file, p.line);
	return true;
}

#define PLACE_SIZE 200

void stack_trace_print(const unsigned long *entries, unsigned int n, int spaces)
{
	char text[PLACE_SIZE];
	unsigned int i;

	for (i = 0; i < n; i++)
		if (print_place(entries[i], 1, text, sizeof(text)))
			printk("%*s%s\n", 1 + spaces, "", text);
}

/* Who led to it: the driver's nearest line, else the nearest that is not
 * lockdep's own or a lock function's. */
static const void *culprit(void)
{
	unsigned long pc[64], first = 0;
	unsigned int i, n = host_stack(pc, ARRAY_SIZE(pc), 0);
	struct place p;

	for (i = 0; i < n; i++) {
		if (!host_place((void *)pc[i], 1, &p) ||
		    !strncmp(p.file, "kernel/locking/", 15) ||
		    !strncmp(p.file, "lib/", 4))
			continue;
		if (!strncmp(p.file, "drivers/md/", 11))
			return (void *)pc[i];
		first = first ?: pc[i];
	}
	return (void *)first;
}

/* " #3: ": one of those that are held; who takes one now is not among them. */
static bool is_listed(void)
{
	const char *line = report + report_len;

	while (line > report && line[-1] != '\n')
		line--;
	return line[0] == ' ' && line[1] == '#';
}

static const void *holder_of(unsigned long dep_map)
{
	const void *pc = lock_check_taken_by((void *)dep_map);

	taken_by = pc ?: taken_by;
	return pc;
}

/*
 * For %pS: what a kernel prints as function+0x12/0x34. A lock's caller is
 * lock-wrap.c; who called that is known to the checker, or is who led to the
 * report.
 */
int sprint_symbol(char *buffer, unsigned long addr)
{
	const void *pc = (void *)addr;

	if (named_lock)
		pc = holder_of(named_lock) ?: (is_listed() ? NULL : culprit());
	named_lock = 0;
	if (!print_place((unsigned long)pc, 1, buffer, PLACE_SIZE))
		strcpy(buffer, "the simulator");
	return strlen(buffer);
}

int sprint_symbol_build_id(char *buffer, unsigned long addr)
{
	return sprint_symbol(buffer, addr);
}

int sprint_backtrace(char *buffer, unsigned long addr)
{
	return sprint_symbol(buffer, addr);
}

const char *kallsyms_lookup(unsigned long addr, unsigned long *symbolsize,
			    unsigned long *offset, char **modname,
			    char *namebuf)
{
	return NULL;
}

/* --- reports ----------------------------------------------------------- */

/* lib/debug_locks.c calls it when something turns lockdep off: a report
 * follows. */
void console_verbose(void)
{
	report_open = true;
	report_len = 0;
	named_lock = 0;
}

static unsigned int hex_digits(const char *s)
{
	unsigned int n = 0;

	while (isdigit(s[n]) || (s[n] >= 'a' && s[n] <= 'f'))
		n++;
	return n;
}

/* Fewer are a number, a line or a task's. */
#define ADDRESS_DIGITS 12

/* An address is left out, and brackets round nothing but one: it says nothing
 * that holds in the next build. */
static void add_text(const char *text)
{
	const char *s = text;
	bool begins = true;
	unsigned int n;

	while (*s && report_len + 1 < sizeof(report)) {
		n = begins ? hex_digits(s) : 0;
		begins = !isalnum(*s);
		if (n >= ADDRESS_DIGITS && !isalnum(s[n])) {
			if (s == text && !s[n])
				named_lock = simple_strtoul(s, NULL, 16);
			s += n + (s[n] == ' ');
			if (report_len >= 2 && !strncmp(s, ">] ", 3) &&
			    !strncmp(report + report_len - 2, "[<", 2)) {
				report_len -= 2;
				s += 3;
			}
			begins = true;
			continue;
		}
		report[report_len++] = *s++;
	}
	report[report_len] = '\0';
}

bool lockdep_listens(void)
{
	return report_open;
}

/* RCU's reports leave lockdep on and begin with a ruler. */
bool lockdep_log(const char *text)
{
	if (!report_open && debug_locks && !strncmp(text, "=====", 5))
		console_verbose();
	if (!report_open)
		return false;
	add_text(text);
	return true;
}

/* The line after *@at, which moves on; NULL: there is none. */
static char *next_line(char **at)
{
	char *line = *at, *end;

	if (!line || !*line)
		return NULL;
	end = strchrnul(line, '\n');
	*at = *end ? end + 1 : end;
	*end = '\0';
	return line;
}

/* "[ BUG: ... ]" is one too. */
static const char *title_in(char *line)
{
	char *end = strstr(line, " ]");

	if (!strncmp(line, "[ ", 2) && end) {
		*end = '\0';
		line += 2;
	}
	if (!strncmp(line, "WARNING: ", 9))
		return line + 9;
	if (!strncmp(line, "INFO: ", 6) || !strncmp(line, "BUG: ", 5))
		return line;
	return NULL;
}

static bool is_ruler(const char *line)
{
	return line[strspn(line, "=- \t")] == '\0';
}

/* The rest draws a picture of it and tells once more where we are. */
#define REST "other info that might help us debug this"

static void add_detail(char *at)
{
	const char *ident = init_uts_ns.name.release;
	char *line;

	while ((line = next_line(&at)) && strncmp(line, REST, strlen(REST)))
		if (!is_ruler(line) && strncmp(line, ident, strlen(ident)))
			finding_detail(line);
}

/* Lockdep does not learn from what it reports: it will report it again. */
static bool is_known(const char *title)
{
	static struct {
		char title[80];
		struct place where;
	} known[64];
	static unsigned int nr_known;
	struct place p;
	unsigned int i;

	host_place(culprit(), 1, &p);
	for (i = 0; i < nr_known; i++)
		if (!strncmp(known[i].title, title,
			     sizeof(known[i].title) - 1) &&
		    known[i].where.line == p.line &&
		    !strcmp(known[i].where.function, p.function))
			return true;
	if (nr_known < ARRAY_SIZE(known)) {
		strscpy(known[nr_known].title, title, sizeof(known[0].title));
		known[nr_known++].where = p;
	}
	return false;
}

static bool muted;

void lockdep_mute(bool on)
{
	muted = on;
}

static void close_report(void)
{
	const char *title = NULL;
	char *at = report, *line;

	report_open = false;
	while (!title && (line = next_line(&at)))
		title = title_in(line);
	if (!muted && !is_known(title ?: report)) {
		finding_add(FINDING_LOCKDEP, culprit() ?: taken_by, "%s",
			    title ?: report);
		add_detail(at);
	}
	named_lock = 0;
	taken_by = NULL;
	report_len = 0;
	report[0] = '\0';
}

bool lockdep_report_end(void)
{
	if (!report_open)
		return false;
	close_report();
	return true;
}

bool lockdep_warn(const char *text)
{
	if (!report_open)
		return false;
	add_text("WARNING: ");
	add_text(text);
	close_report();
	return true;
}

/* --- on again ---------------------------------------------------------- */

/* kernel/fork.c and kernel/locking/lockdep.c: as of a task that begins. */
static void forget_holds(struct task_struct *t)
{
	lockdep_init_task(t);
	t->softirqs_enabled = 1;
	t->softirq_context = 0;
}

/* In an interrupt, or between what lockdep is told and what the shim knows. */
static bool is_in_between(struct sim_task *st)
{
	return st->t.rcu_read_lock_nesting || st->leaving_rcu ||
	       (task_thread_info(&st->t)->preempt_count &
		(HARDIRQ_MASK | SOFTIRQ_MASK));
}

static bool nothing_is_held(void)
{
	struct sim_task *st;

	if (!lock_check_idle() || workqueue_busy() || shim_cpus_are_held())
		return false;
	list_for_each_entry (st, &sched_tasks, all)
		if (is_in_between(st))
			return false;
	return true;
}

static bool kept_off;

void lockdep_keep_off(bool keep)
{
	kept_off = keep;
}

void lockdep_rearm(void)
{
	struct sim_task *st;
	unsigned int cpu;

	if (likely(debug_locks) || kept_off || report_open ||
	    !nothing_is_held())
		return;
	list_for_each_entry (st, &sched_tasks, all)
		forget_holds(&st->t);
	for_each_possible_cpu (cpu)
		per_cpu(hardirqs_enabled, cpu) = !shim_irqs_off[cpu];
	debug_locks = 1;
}

#endif
