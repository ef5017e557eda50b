/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coroutines: stacks at fixed addresses and the switch between them. Knows
 * nothing of tasks or CPUs; who runs next is the caller's business. Build
 * with CORO_UCONTEXT to use the portable switch where there is a fast one.
 *
 *	CORO_BASE + n * CORO_STRIDE
 *	|  unmapped: an overflow faults  |  stack, CORO_STACK bytes  |
 *	                                 low                      high
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "private.h"

#if !defined(__x86_64__) && !defined(__i386__) && !defined(CORO_UCONTEXT)
#define CORO_UCONTEXT
#endif

#ifdef CORO_UCONTEXT
#include <signal.h>
#include <ucontext.h>
#endif

#ifdef HOST_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#define CORO_STACK (256UL << 10)
/* An odd number of pages: the tops of the stacks spread over all TLB sets. */
#define CORO_STRIDE ((1UL << 20) + HOST_PAGE)

struct host_coro {
#ifdef CORO_UCONTEXT
	ucontext_t uc;
#else
	void *sp; /* while suspended */
#endif
	unsigned long low;
	unsigned long size;
	void (*fn)(void *arg);
	void *arg;
	void *fake; /* AddressSanitizer's frames of this stack */
	struct host_coro *next_free;
	int free;
};

int coro_unwind;

static struct host_coro first;
static struct host_coro *current = &first;
static struct host_coro *free_list;
static unsigned int stacks;

/* ------------------------------------------------------------------ */
/* The switch							      */

static void coro_entry(void) __attribute__((noreturn));

#ifdef CORO_UCONTEXT

static void coro_swap(struct host_coro *from, struct host_coro *to)
{
	if (swapcontext(&from->uc, &to->uc))
		host_panic("cannot switch coroutines: %s", strerror(errno));
}

static void coro_prepare(struct host_coro *c)
{
	getcontext(&c->uc);
	sigemptyset(&c->uc.uc_sigmask);
	c->uc.uc_stack.ss_sp = (void *)c->low;
	c->uc.uc_stack.ss_size = c->size;
	c->uc.uc_link = NULL;
#if defined(__x86_64__)
	c->uc.uc_mcontext.gregs[REG_RBP] = 0;
#elif defined(__i386__)
	c->uc.uc_mcontext.gregs[REG_EBP] = 0;
#elif defined(__aarch64__)
	c->uc.uc_mcontext.regs[29] = 0;
#endif
	makecontext(&c->uc, coro_entry, 0);
}

#else

/*
 * coro_switch_stack(save, load): what a call must preserve goes on the old
 * stack, whose pointer goes to *save; then the same backwards. The control
 * words of the floating point unit are left out: nobody here changes them.
 */
void coro_switch_stack(void **save, void *load);

#ifdef __x86_64__
#define SAVED_REGS 6
asm(".text\n"
    ".globl	coro_switch_stack\n"
    ".hidden	coro_switch_stack\n"
    ".type	coro_switch_stack, @function\n"
    ".p2align	4\n"
    "coro_switch_stack:\n"
    "	pushq	%rbp\n"
    "	pushq	%rbx\n"
    "	pushq	%r12\n"
    "	pushq	%r13\n"
    "	pushq	%r14\n"
    "	pushq	%r15\n"
    "	movq	%rsp, (%rdi)\n"
    "	movq	%rsi, %rsp\n"
    "	popq	%r15\n"
    "	popq	%r14\n"
    "	popq	%r13\n"
    "	popq	%r12\n"
    "	popq	%rbx\n"
    "	popq	%rbp\n"
    "	ret\n"
    ".size	coro_switch_stack, . - coro_switch_stack\n");
#else
#define SAVED_REGS 4
asm(".text\n"
    ".globl	coro_switch_stack\n"
    ".hidden	coro_switch_stack\n"
    ".type	coro_switch_stack, @function\n"
    ".p2align	4\n"
    "coro_switch_stack:\n"
    "	movl	4(%esp), %eax\n"
    "	movl	8(%esp), %edx\n"
    "	pushl	%ebp\n"
    "	pushl	%ebx\n"
    "	pushl	%esi\n"
    "	pushl	%edi\n"
    "	movl	%esp, (%eax)\n"
    "	movl	%edx, %esp\n"
    "	popl	%edi\n"
    "	popl	%esi\n"
    "	popl	%ebx\n"
    "	popl	%ebp\n"
    "	ret\n"
    ".size	coro_switch_stack, . - coro_switch_stack\n");
#endif

static inline void coro_swap(struct host_coro *from, struct host_coro *to)
{
	coro_switch_stack(&from->sp, to->sp);
}

/*
 * What the first switch finds:
 *
 *	sp -> saved registers, all 0, the frame pointer too: chains end here
 *	      coro_entry	popped by ret
 *	      0			"return address" of coro_entry
 *	      (high end)
 *
 * A function is entered with sp + one word on a multiple of 16.
 */
static void coro_prepare(struct host_coro *c)
{
	void **top = (void **)(c->low + c->size) - 5;

	memset(top - 1 - SAVED_REGS, 0, (6 + SAVED_REGS) * sizeof(*top));
	top[-1] = (void *)coro_entry;
	c->sp = top - 1 - SAVED_REGS;
}

#endif

/* Tell the sanitizer which stack comes next; @save NULL: the old one dies. */
static inline void fiber_start(void **save, const struct host_coro *to)
{
#ifdef HOST_ASAN
	__sanitizer_start_switch_fiber(save, (void *)to->low, to->size);
#else
	(void)save;
	(void)to;
#endif
}

static inline void fiber_finish(void *saved)
{
#ifdef HOST_ASAN
	__sanitizer_finish_switch_fiber(saved, NULL, NULL);
#else
	(void)saved;
#endif
}

static void coro_entry(void)
{
	fiber_finish(NULL);
	current->fn(current->arg);
	host_panic("a coroutine's function returned");
}

/* The process's first stack: the host says where it is, once. */
static void first_init(void)
{
	pthread_attr_t attr;
	void *low;
	size_t size;

	if (first.size)
		return;
	if (pthread_getattr_np(pthread_self(), &attr) ||
	    pthread_attr_getstack(&attr, &low, &size))
		host_panic("cannot find the bounds of the first stack");
	pthread_attr_destroy(&attr);
	first.low = (unsigned long)low;
	first.size = size;
}

/* ------------------------------------------------------------------ */
/* boundary.h							      */

static struct host_coro *coro_create(void)
{
	unsigned long area = CORO_BASE + stacks * CORO_STRIDE;
	struct host_coro *c;

	if (area + CORO_STRIDE > CORO_END)
		host_panic("more than %u coroutines", stacks);
	c = calloc(1, sizeof(*c));
	if (!c)
		host_panic("no memory for a coroutine");
	c->low = area + CORO_STRIDE - CORO_STACK;
	c->size = CORO_STACK;
	map_fixed(c->low, c->size, "a coroutine's stack");
	stacks++;
	return c;
}

/* Stacks are taken again last in, first out: the warmest first. */
struct host_coro *host_coro_new(void (*fn)(void *arg), void *arg)
{
	struct host_coro *c = free_list;

	first_init();
	if (c)
		free_list = c->next_free;
	else
		c = coro_create();
	c->free = 0;
	c->fn = fn;
	c->arg = arg;
	c->fake = NULL;
	coro_prepare(c);
	return c;
}

void host_coro_switch(struct host_coro *to)
{
	struct host_coro *from = current;

	if (host_unlikely(to == from))
		return;
	if (host_unlikely(to->free))
		host_panic("switch to a coroutine that was freed");
	current = to;
	fiber_start(&from->fake, to);
	coro_swap(from, to);
	fiber_finish(from->fake);
	if (host_unlikely(coro_unwind))
		run_end();
}

struct host_coro *host_coro_self(void)
{
	return current;
}

void host_coro_free(struct host_coro *coro)
{
	if (coro == current || coro == &first || coro->free)
		host_panic("free of a coroutine that runs or is free already");
	/* Frames that never returned have left their red zones. */
	shadow_unpoison((void *)coro->low, coro->size);
	coro->free = 1;
	coro->next_free = free_list;
	free_list = coro;
}

void host_coro_stack(struct host_coro *coro, void **low, unsigned long *size)
{
	if (coro == &first)
		first_init();
	*low = (void *)coro->low;
	*size = coro->size;
}

/* The frame pointer that a suspended coroutine goes on with. */
static const void *saved_frame(const struct host_coro *coro)
{
#if !defined(CORO_UCONTEXT)
	return ((void **)coro->sp)[SAVED_REGS - 1];
#elif defined(__x86_64__)
	return (void *)coro->uc.uc_mcontext.gregs[REG_RBP];
#elif defined(__i386__)
	return (void *)coro->uc.uc_mcontext.gregs[REG_EBP];
#elif defined(__aarch64__)
	return (void *)coro->uc.uc_mcontext.regs[29];
#else
	return NULL;
#endif
}

int host_coro_place(const struct host_coro *coro, struct place *out)
{
	const void *frame = coro == current ? NULL : saved_frame(coro);

	memset(out, 0, sizeof(*out));
	if (coro != current && !frame)
		return 0;
	return host_place_stack(NULL, frame, out);
}

/*
 * Frames here are those of the running program, so memory is read as it is:
 * between a frame and the end of its stack all is mapped.
 */
__attribute__((noinline)) unsigned int
host_stack(unsigned long *store, unsigned int size, unsigned int skip)
{
	const unsigned long *fp = __builtin_frame_address(0);
	const unsigned long *low, *high;
	unsigned long bytes;
	unsigned int n = 0;
	void *bottom;

	host_coro_stack(current, &bottom, &bytes);
	low = bottom;
	high = low + bytes / sizeof(*low);
	while (fp >= low && fp + 2 <= high && n < size) {
		if (skip)
			skip--;
		else
			store[n++] = fp[1];
		if (fp[0] <= (unsigned long)fp)
			break;
		fp = (const unsigned long *)fp[0];
	}
	return n;
}

int coro_guard_hit(unsigned long addr)
{
	if (addr < CORO_BASE || addr >= CORO_BASE + stacks * CORO_STRIDE)
		return 0;
	return (addr - CORO_BASE) % CORO_STRIDE < CORO_STRIDE - CORO_STACK;
}
