// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt flag of each simulated CPU, and who turned it off how: an
 * operation that turns interrupts on without asking (the _irq unlocks) must
 * answer one that turned them off likewise. Knows CPUs, no locks.
 *
 *	save ... [disable ... enable] ... restore	enable: not its to do
 *	disable ... [disable ... enable] ... enable	the first enable:
 *likewise disable, lock B, unlock A ... enable		a hand-over: well
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "locks.h"
#include "shim.h"

unsigned char shim_irqs_off[NR_CPUS];

/**
 * struct irq_section - since interrupts of a CPU are off
 * @pc:		who turned them off
 * @disables:	operations that did so, or would have, without keeping the flag
 * @outer:	turned off by who keeps the flag, or by the hardware
 */
static struct irq_section {
	const void *pc;
	u64 since;
	unsigned int disables;
	bool outer;
} sections[NR_CPUS];

static void begin(unsigned int cpu, bool outer, const void *pc)
{
	struct irq_section *s = &sections[cpu];

	shim_irqs_off[cpu] = 1;
	s->outer = outer;
	s->disables = 0;
	s->pc = pc;
	s->since = shim_now();
	lock_marks_irqs_off(cpu);
}

static void end(unsigned int cpu)
{
	shim_irqs_off[cpu] = 0;
	lock_marks_irqs_on(cpu, shim_now() - sections[cpu].since,
			   sections[cpu].pc);
}

unsigned long shim_irq_flags(void)
{
	return shim_irqs_off[raw_smp_processor_id()];
}

void shim_irq_set_quietly(unsigned long flags)
{
	shim_irqs_off[raw_smp_processor_id()] = flags != 0;
}

unsigned long shim_irq_save(void)
{
	unsigned int cpu = raw_smp_processor_id();
	unsigned long flags = shim_irqs_off[cpu];

	if (!flags)
		begin(cpu, true, __builtin_return_address(0));
	return flags;
}

void shim_irq_disable(void)
{
	unsigned int cpu = raw_smp_processor_id();

	if (!shim_irqs_off[cpu])
		begin(cpu, false, __builtin_return_address(0));
	sections[cpu].disables++;
}

static void report(const struct irq_section *s)
{
	struct place p;

	if (host_place(s->pc, 1, &p))
		finding_add(FINDING_LOCK_IRQ, NULL,
			    "turns on interrupts that the caller keeps off "
			    "since %s():%u",
			    p.function, p.line);
	else
		finding_add(FINDING_LOCK_IRQ, NULL,
			    "turns on interrupts in an interrupt handler");
}

void shim_irq_enable(void)
{
	unsigned int cpu = raw_smp_processor_id();
	struct irq_section *s = &sections[cpu];

	if (!shim_irqs_off[cpu])
		return;
	if (unlikely(s->outer || s->disables > 1) && lock_is_strict())
		report(s);
	end(cpu);
	if (unlikely(lock_is_strict()))
		lock_strict_irqs_on();
	/* What came meanwhile may come now. */
	preempt_point_lock();
}

void shim_irq_restore(unsigned long flags)
{
	unsigned int cpu = raw_smp_processor_id();

	if (flags) {
		if (!shim_irqs_off[cpu])
			begin(cpu, true, __builtin_return_address(0));
		return;
	}
	if (!shim_irqs_off[cpu])
		return;
	end(cpu);
	if (unlikely(lock_is_strict()))
		lock_strict_irqs_on();
	preempt_point_lock();
}

void lock_irq_set(unsigned int cpu, bool off)
{
	if (off)
		begin(cpu, true, NULL);
	else
		shim_irqs_off[cpu] = 0;
}

const void *lock_irq_off_by(void)
{
	return sections[raw_smp_processor_id()].pc;
}

void lock_irq_taken_at(const void *pc)
{
	sections[raw_smp_processor_id()].pc = pc;
}
