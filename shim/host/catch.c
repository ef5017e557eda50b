/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Catches what the processor (or AddressSanitizer) says of a bad access and
 * makes a finding of it. Knows the address map, not what lies in it; a fault
 * outside of a guarded run is the host's own and ends the process.
 *
 *	faulting code -> handler, on its own stack: copies the registers and
 *	                 turns the return into a jump
 *	              -> fault_land(), on the faulting stack below (or, after
 *	                 an overflow, at the top of it): words, finding, end
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "private.h"

/* Stack that words and places may need: debug information is looked up. */
#define LAND_ROOM (128UL << 10)
/* So near to the end of a stack, a fault is an overflow. */
#define STACK_END (64UL << 10)
/* An access this near to address 0, on either side, went through NULL. */
#define NULL_SPAN (64UL << 10)
/* What a function may use below its stack pointer (x86-64 psABI 3.2.2). */
#define RED_ZONE 128UL

#define REGS_MAX 31

struct fault {
	int sig;
	int addr_known;
	unsigned long addr;
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;
	unsigned int regs;
	unsigned long reg[REGS_MAX];
};

struct verdict {
	enum finding_kind kind;
	char cause[256];
};

static struct fault fault;
static int landed; /* the finding of a fault is being made */

static sigjmp_buf try_env;
static volatile int trying;

static char handler_stack[64 << 10] __attribute__((aligned(16)));

/* ------------------------------------------------------------------ */
/* Registers							      */

#if defined(__x86_64__)
static void read_regs(const ucontext_t *uc, struct fault *f)
{
	const greg_t *g = uc->uc_mcontext.gregs;
	int i;

	f->pc = (unsigned long)g[REG_RIP];
	f->sp = (unsigned long)g[REG_RSP];
	f->fp = (unsigned long)g[REG_RBP];
	/* REG_R8 (0) .. REG_RCX: the general ones come first. */
	for (i = 0; i <= REG_RCX; i++)
		f->reg[f->regs++] = (unsigned long)g[i];
}

static void set_jump(ucontext_t *uc, unsigned long pc, unsigned long sp)
{
	greg_t *g = uc->uc_mcontext.gregs;

	g[REG_RIP] = (greg_t)pc;
	/* As after a call: one word off a multiple of 16. */
	g[REG_RSP] = (greg_t)((sp & ~15UL) - 8);
	g[REG_EFL] &= ~0x400; /* direction flag: strings run upwards */
}
#elif defined(__i386__)
static void read_regs(const ucontext_t *uc, struct fault *f)
{
	const greg_t *g = uc->uc_mcontext.gregs;
	int i;

	f->pc = (unsigned long)g[REG_EIP];
	f->sp = (unsigned long)g[REG_ESP];
	f->fp = (unsigned long)g[REG_EBP];
	for (i = REG_EDI; i <= REG_EAX; i++)
		f->reg[f->regs++] = (unsigned long)g[i];
}

static void set_jump(ucontext_t *uc, unsigned long pc, unsigned long sp)
{
	greg_t *g = uc->uc_mcontext.gregs;

	g[REG_EIP] = (greg_t)pc;
	g[REG_ESP] = (greg_t)((sp & ~15UL) - 4);
	g[REG_EFL] &= ~0x400;
}
#elif defined(__aarch64__)
static void read_regs(const ucontext_t *uc, struct fault *f)
{
	int i;

	f->pc = uc->uc_mcontext.pc;
	f->sp = uc->uc_mcontext.sp;
	f->fp = uc->uc_mcontext.regs[29];
	for (i = 0; i < 31; i++)
		f->reg[f->regs++] = uc->uc_mcontext.regs[i];
}

static void set_jump(ucontext_t *uc, unsigned long pc, unsigned long sp)
{
	uc->uc_mcontext.pc = pc;
	uc->uc_mcontext.sp = sp & ~15UL;
	uc->uc_mcontext.regs[30] = 0;
}
#else
#error "catch.c: tell how this architecture's signal context looks"
#endif

/* ------------------------------------------------------------------ */
/* Which address							      */

#define REPEAT(byte) (~0UL / 0xff * (byte))

/* @v made of @byte but for its low 16 bits: a pointer plus a small offset */
static int is_fill(unsigned long v, unsigned long byte)
{
	return (v ^ REPEAT(byte)) >> 16 == 0;
}

#if defined(HOST_ASAN) && defined(__x86_64__)
#define SHADOW_OFFSET 0x7fff8000UL
#define SHADOW_END    0x10007fff8000UL

/*
 * Sanitized code reads the shadow byte at address / 8 + offset first, so a
 * wild address faults there. The address itself is in a register still.
 */
static void unshadow(struct fault *f)
{
	unsigned int i, j;

	if (f->addr_known) {
		if (f->addr < SHADOW_OFFSET || f->addr >= SHADOW_END)
			return;
		f->addr = (f->addr - SHADOW_OFFSET) << 3;
		for (i = 0; i < f->regs; i++)
			if (f->reg[i] >> 3 == f->addr >> 3)
				f->addr = f->reg[i];
		return;
	}
	for (i = 0; i < f->regs; i++)
		for (j = 0; j < f->regs; j++)
			if (f->reg[i] > ~0UL >> 17 &&
			    (f->reg[j] == f->reg[i] >> 3 ||
			     f->reg[j] == (f->reg[i] >> 3) + SHADOW_OFFSET)) {
				f->addr = f->reg[i];
				f->addr_known = 1;
				return;
			}
}
#else
static void unshadow(struct fault *f)
{
	(void)f;
}
#endif

/* For an address no pointer can hold the processor tells none; look for the
 * fill that such an address usually comes from. */
static void guess_addr(struct fault *f)
{
	unsigned int i;

	unshadow(f);
	for (i = 0; i < f->regs && !f->addr_known; i++)
		if (is_fill(f->reg[i], FILL_FREED) ||
		    is_fill(f->reg[i], FILL_RED) ||
		    is_fill(f->reg[i], FILL_FRESH)) {
			f->addr = f->reg[i];
			f->addr_known = 1;
		}
}

/* ------------------------------------------------------------------ */
/* What kind of fault						      */

static void say(struct verdict *v, enum finding_kind kind, const char *cause)
{
	v->kind = kind;
	snprintf(v->cause, sizeof(v->cause), "%s", cause);
}

static int judge_null(const struct fault *f, struct verdict *v)
{
	v->kind = FINDING_NULL_DEREF;
	if (f->addr < NULL_SPAN && f->pc == f->addr)
		say(v, FINDING_NULL_DEREF, "call through a NULL pointer");
	else if (f->addr < NULL_SPAN)
		snprintf(v->cause, sizeof(v->cause), "NULL pointer, offset %lu",
			 f->addr);
	else if (-f->addr <= NULL_SPAN)
		snprintf(v->cause, sizeof(v->cause),
			 "NULL or error pointer, offset -%lu", -f->addr);
	else
		return 0;
	return 1;
}

static int judge_object(const struct fault *f, struct verdict *v)
{
	struct obj_info info;

	if (!host_obj_find((const void *)f->addr, &info))
		return 0;
	v->kind = info.state == OBJ_FREED ? FINDING_USE_AFTER_FREE
					  : FINDING_OUT_OF_BOUNDS;
	describe_object(&info, "", v->cause, sizeof(v->cause));
	return 1;
}

/*
 * An address that came out of a red zone was read beside an object, on the
 * pages it lies on, where no access faults by itself. The register that still
 * points there tells which object.
 */
static int judge_red_zone(const struct fault *f, struct verdict *v)
{
	struct obj_info info;
	unsigned int i;

	if (!is_fill(f->addr, FILL_RED))
		return 0;
	say(v, FINDING_OUT_OF_BOUNDS, "an address read from beside an object");
	for (i = 0; i < f->regs; i++) {
		if (!host_obj_find((const void *)f->reg[i], &info) ||
		    info.state != OBJ_LIVE ||
		    (info.offset >= 0 && info.offset < (long long)info.size))
			continue;
		describe_object(&info, "", v->cause, sizeof(v->cause));
		break;
	}
	return 1;
}

static int on_any_stack_guard(const struct fault *f)
{
	unsigned long size;
	void *low;

	if (coro_guard_hit(f->addr))
		return 1;
	host_coro_stack(host_coro_self(), &low, &size);
	return f->addr < (unsigned long)low + STACK_END &&
	       f->addr + STACK_END > f->sp && f->addr < f->sp + STACK_END;
}

static void judge_access(const struct fault *f, struct verdict *v)
{
	if (!f->addr_known)
		say(v, FINDING_WILD_ACCESS,
		    "an address that no pointer can hold");
	else if (judge_null(f, v) || judge_object(f, v) || judge_red_zone(f, v))
		return;
	else if (on_any_stack_guard(f))
		say(v, FINDING_WILD_ACCESS, "stack overflow");
	else if (is_fill(f->addr, FILL_FREED))
		say(v, FINDING_USE_AFTER_FREE,
		    "an address read from freed memory");
	else if (is_fill(f->addr, FILL_FRESH))
		say(v, FINDING_WILD_ACCESS,
		    "an address read from memory never written");
	else
		say(v, FINDING_WILD_ACCESS, "an address outside every object");
}

static void judge(const struct fault *f, struct verdict *v)
{
	if (f->sig == SIGFPE)
		say(v, FINDING_KERNEL_BUG, "division by zero or overflow");
	else if (f->sig == SIGILL)
		say(v, FINDING_KERNEL_BUG, "illegal instruction");
	else
		judge_access(f, v);
}

/* ------------------------------------------------------------------ */
/* Where							      */

struct search {
	const struct fault *f;
	struct place where;
	int found;
};

extern const char __executable_start[], etext[];

/*
 * The C library's memcpy() and the like have no frame: their caller is known
 * only by the return address on top of the stack. So is the caller of a NULL
 * function pointer.
 */
static int in_leaf_outside(unsigned long pc)
{
	return pc < (unsigned long)__executable_start ||
	       pc >= (unsigned long)etext;
}

static int sp_valid(const struct fault *f)
{
	unsigned long size;
	void *low;

	host_coro_stack(host_coro_self(), &low, &size);
	return f->sp >= (unsigned long)low && f->sp % sizeof(f->sp) == 0 &&
	       f->sp < (unsigned long)low + size;
}

static void search_place(void *arg)
{
	struct search *s = arg;
	const struct fault *f = s->f;

	if (in_leaf_outside(f->pc) && sp_valid(f) &&
	    host_place(*(const void **)f->sp, 1, &s->where))
		s->found = 1;
	else
		s->found = host_place_stack((const void *)f->pc,
					    (const void *)f->fp, &s->where);
}

static void report(const struct fault *f) __attribute__((noreturn));

static void report(const struct fault *f)
{
	struct search s = {.f = f};
	struct verdict v;

	judge(f, &v);
	if (catch_try(search_place, &s) || !s.found)
		memset(&s.where, 0, sizeof(s.where));
	finding_record(v.kind, &s.where, v.cause);
	run_end();
}

/* ------------------------------------------------------------------ */
/* The handler							      */

int catch_try(void (*fn)(void *arg), void *arg)
{
	if (trying)
		return 1;
	if (sigsetjmp(try_env, 0))
		return 1;
	trying = 1;
	fn(arg);
	trying = 0;
	return 0;
}

static void fault_land(void) __attribute__((noreturn));

static void fault_land(void)
{
	if (trying) {
		trying = 0;
		siglongjmp(try_env, 1);
	}
	guess_addr(&fault);
	report(&fault);
}

/*
 * Below the frames of the fault, which the search for a place reads; but
 * when that stack is used up, at its top, over frames that never return.
 * Never so during a try, whose frames do go on.
 */
static unsigned long landing(unsigned long sp)
{
	unsigned long low, high, size, at = sp - 2 * RED_ZONE;
	void *start;

	host_coro_stack(host_coro_self(), &start, &size);
	low = (unsigned long)start;
	high = low + size;
	if (run_frame() >= low && run_frame() < high)
		high = run_frame() - HOST_PAGE;
	if (trying)
		return at;
	if (at < low + LAND_ROOM || at >= high)
		at = high - 2 * RED_ZONE;
	shadow_unpoison((void *)(at - LAND_ROOM), LAND_ROOM);
	return at;
}

static const char *signal_name(int sig)
{
	switch (sig) {
	case SIGSEGV:
		return "SIGSEGV";
	case SIGBUS:
		return "SIGBUS";
	case SIGFPE:
		return "SIGFPE";
	default:
		return "SIGILL";
	}
}

static void handler(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;
	struct fault f = {.sig = sig};

	if (si->si_code <= 0)
		host_panic("%s sent by a process", signal_name(sig));
	if (!trying && !run_active())
		host_panic("%s outside of a run", signal_name(sig));
	if (!trying && landed)
		host_panic("%s while reporting a fault", signal_name(sig));
	read_regs(uc, &f);
	f.addr = (unsigned long)si->si_addr;
#ifdef SI_KERNEL
	f.addr_known = si->si_code != SI_KERNEL;
#else
	f.addr_known = 1;
#endif
	if (!trying) {
		landed = 1;
		fault = f;
	}
	set_jump(uc, (unsigned long)fault_land, landing(f.sp));
}

void catch_init(void)
{
	static const int sigs[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	static int done;
	stack_t stack = {.ss_sp = handler_stack,
			 .ss_size = sizeof(handler_stack)};
	struct sigaction sa = {.sa_sigaction = handler,
			       .sa_flags = SA_SIGINFO | SA_ONSTACK};
	unsigned long size;
	unsigned int i;
	void *low;

	if (done)
		return;
	done = 1;
	/* The bounds of the first stack cannot be asked for in the handler. */
	host_coro_stack(host_coro_self(), &low, &size);
	sigemptyset(&sa.sa_mask);
	if (sigaltstack(&stack, NULL))
		host_panic("cannot set the signal stack");
	for (i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], &sa, NULL))
			host_panic("cannot catch %s", signal_name(sigs[i]));
}

/* ------------------------------------------------------------------ */
/* AddressSanitizer						      */

#ifdef HOST_ASAN

const char *__asan_default_options(void);
void __asan_on_error(void);

/* Faults are ours. An error of the host's own code ends with status 2. */
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:"
	       "allow_user_segv_handler=1:use_sigaltstack=0:detect_leaks=0:"
	       "detect_stack_use_after_return=0:abort_on_error=0:exitcode=2";
}

/* An access that begins inside an object and ends outside: the first byte
 * outside is what the processor would have stumbled over. */
static unsigned long first_bad_byte(void)
{
	const char *addr = __asan_get_report_address();
	unsigned long len = __asan_get_report_access_size();
	struct obj_info info;

	if (host_obj_find(addr, &info) && info.state == OBJ_LIVE) {
		if (info.offset >= 0 && info.offset < (long long)info.size &&
		    len > info.size - (unsigned long)info.offset)
			addr = (char *)info.base + info.size;
	}
	return (unsigned long)addr;
}

/* Stack and global variables of the tree: only the sanitizer sees those. */
static void report_variable(const struct fault *f)
{
	struct place where;
	char cause[128];

	if (!host_place((void *)f->pc, 0, &where))
		return;
	snprintf(cause, sizeof(cause), "AddressSanitizer: %s",
		 __asan_get_report_description());
	finding_record(FINDING_OUT_OF_BOUNDS, &where, cause);
	run_end();
}

/*
 * Called before a report is printed. Leaving by a jump keeps the runtime's
 * report lock for ever; after a fatal finding nothing is run that needs it.
 */
void __asan_on_error(void)
{
	struct fault f = {.sig = SIGSEGV, .addr_known = 1};
	struct obj_info info;

	if (!run_active() || landed || trying)
		return;
	/* The address after the call into the runtime; one byte back is in
	 * the line that made it. */
	f.pc = (unsigned long)__asan_get_report_pc() - 1;
	f.fp = (unsigned long)__asan_get_report_bp();
	f.sp = (unsigned long)__asan_get_report_sp();
	f.addr = first_bad_byte();
	if (!host_obj_find((void *)f.addr, &info)) {
		report_variable(&f);
		return;
	}
	landed = 1;
	report(&f);
}

#endif
