/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupt enable flag of each simulated CPU: non-zero flags mean off. The
 * five operations stay apart, since the lock checker wants to know which one
 * a caller chose.
 */
#ifndef _SHIM_ASM_IRQFLAGS_H
#define _SHIM_ASM_IRQFLAGS_H

unsigned long shim_irq_flags(void);
unsigned long shim_irq_save(void);
void shim_irq_disable(void);
void shim_irq_enable(void);
void shim_irq_restore(unsigned long flags);
/* For code of a kernel's debugging, which is no part of a schedule. */
void shim_irq_set_quietly(unsigned long flags);

static inline unsigned long arch_local_save_flags(void)
{
	return shim_irq_flags();
}

static inline int arch_irqs_disabled_flags(unsigned long flags)
{
	return flags != 0;
}

static inline int arch_irqs_disabled(void)
{
	return arch_irqs_disabled_flags(shim_irq_flags());
}

#ifdef SHIM_NO_POINTS

static inline void arch_local_irq_restore(unsigned long flags)
{
	shim_irq_set_quietly(flags);
}

static inline unsigned long arch_local_irq_save(void)
{
	unsigned long flags = shim_irq_flags();

	shim_irq_set_quietly(1);
	return flags;
}

static inline void arch_local_irq_disable(void)
{
	shim_irq_set_quietly(1);
}

static inline void arch_local_irq_enable(void)
{
	shim_irq_set_quietly(0);
}

#else

static inline void arch_local_irq_restore(unsigned long flags)
{
	shim_irq_restore(flags);
}

static inline unsigned long arch_local_irq_save(void)
{
	return shim_irq_save();
}

static inline void arch_local_irq_disable(void)
{
	shim_irq_disable();
}

static inline void arch_local_irq_enable(void)
{
	shim_irq_enable();
}

#endif

#endif
