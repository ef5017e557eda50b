/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupt enable flag of each simulated CPU: non-zero flags mean off. */
#ifndef _SHIM_ASM_IRQFLAGS_H
#define _SHIM_ASM_IRQFLAGS_H

unsigned long shim_irq_flags(void);
void shim_irq_restore(unsigned long flags);

static inline unsigned long arch_local_save_flags(void)
{
	return shim_irq_flags();
}

static inline void arch_local_irq_restore(unsigned long flags)
{
	shim_irq_restore(flags);
}

static inline unsigned long arch_local_irq_save(void)
{
	unsigned long flags = shim_irq_flags();

	shim_irq_restore(1);
	return flags;
}

static inline void arch_local_irq_disable(void)
{
	shim_irq_restore(1);
}

static inline void arch_local_irq_enable(void)
{
	shim_irq_restore(0);
}

static inline int arch_irqs_disabled_flags(unsigned long flags)
{
	return flags != 0;
}

static inline int arch_irqs_disabled(void)
{
	return arch_irqs_disabled_flags(shim_irq_flags());
}

#endif
