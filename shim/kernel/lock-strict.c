// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strict mode: a spin lock that an interrupt takes must not be taken with
 * interrupts on, by whoever, at whatever time. Locks are told apart by where
 * their object was allocated and where in it they lie, so that all stripes'
 * locks are one. Knows no array.
 *
 *	CPU: spin_lock(A) ... interrupt: spin_lock(A), and waits for ever
 */
#include <linux/hardirq.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "locks.h"
#include "sched.h"

/**
 * struct lock_use - the locks of one place, and how they were taken
 * @site:	who allocated the object; NULL: it is static
 * @offset:	in the object; of a static lock its address
 * @in_irq, @irqs_on: who took it so for the first time, exclusively or not;
 *		[0] of hard interrupts, [1] of soft ones
 */
struct lock_use {
	const void *site;
	unsigned long offset;
	const void *in_irq[2], *irqs_on[2];
	bool reader[2][2], told;
};

#define USES_MAX 1024

static bool strict;
static struct lock_use *uses;
static unsigned int nr_uses;

bool lock_is_strict(void)
{
	return strict;
}

void kern_locks_strict(int on)
{
	strict = on;
	if (on && !uses)
		uses = host_obj_alloc(USES_MAX * sizeof(*uses), 8, MEM_SHIM,
				      NULL, NULL);
}

static struct lock_use *use_of(const void *site, unsigned long offset)
{
	struct lock_use *u;

	for (u = uses; u < uses + nr_uses; u++)
		if (u->site == site && u->offset == offset)
			return u;
	if (nr_uses == USES_MAX)
		host_panic("more than %u kinds of locks", USES_MAX);
	memset(u, 0, sizeof(*u));
	u->site = site;
	u->offset = offset;
	nr_uses++;
	return u;
}

static struct lock_use *find_use(const void *lock)
{
	struct obj_info info;

	if (host_obj_find(lock, &info) && info.state == OBJ_LIVE)
		return use_of(info.alloc_caller, info.offset);
	return use_of(NULL, (unsigned long)lock);
}

/* A reader that came first is forgotten for one who shuts others out. */
static void note(const void **first, bool *reader, const void *pc,
		 bool is_reader)
{
	if (*first && (!*reader || is_reader))
		return;
	*first = pc;
	*reader = is_reader;
}

static void place_text(const void *pc, char *text, size_t size)
{
	struct place p;

	if (host_place(pc, 1, &p))
		snprintf(text, size, "%s():%u", p.function, p.line);
	else
		strscpy(text, "the simulator", size);
}

static void tell(struct lock_use *u, int soft)
{
	char irq[96], task[96];

	u->told = true;
	place_text(u->in_irq[soft], irq, sizeof(irq));
	place_text(u->irqs_on[soft], task, sizeof(task));
	finding_add(FINDING_LOCK_IRQ, NULL,
		    "a %sinterrupt takes the lock in %s, and %s takes it with "
		    "interrupts on",
		    soft ? "soft " : "", irq, task);
}

static void judge(struct lock_use *u, int soft)
{
	if (u->told || !u->in_irq[soft] || !u->irqs_on[soft])
		return;
	if (u->reader[soft][0] && u->reader[soft][1])
		return;
	tell(u, soft);
}

void lock_strict_got(const void *lock, bool reader, const void *pc)
{
	struct lock_use *u = find_use(lock);

	if (in_hardirq())
		note(&u->in_irq[0], &u->reader[0][0], pc, reader);
	else if (!irqs_disabled())
		note(&u->irqs_on[0], &u->reader[0][1], pc, reader);
	if (in_serving_softirq() && !in_hardirq())
		note(&u->in_irq[1], &u->reader[1][0], pc, reader);
	else if (!irqs_disabled() && !in_interrupt())
		note(&u->irqs_on[1], &u->reader[1][1], pc, reader);
	judge(u, 0);
	judge(u, 1);
}

/* Held with interrupts on is as bad as taken so. */
void lock_strict_irqs_on(void)
{
	struct lock_holds *hs = &sim_of(current)->holds;
	unsigned int i;

	for (i = 0; i < hs->n; i++)
		if (hs->at[i].kind <= KIND_WRITE)
			lock_strict_got(hs->at[i].lock,
					hs->at[i].kind == KIND_READ,
					hs->at[i].pc);
}
