/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A header of test-place's small tree: its function is inlined and must never
 * be reported itself. Knows nothing but the two hooks of the test.
 */
#ifndef PLACE_FIXTURE_H
#define PLACE_FIXTURE_H

/* The test's: notes its return address. */
void fixture_hook(void);

static inline __attribute__((always_inline)) void fixture_from_header(void)
{
	fixture_hook();
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

#endif
