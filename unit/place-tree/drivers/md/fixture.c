/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source file of test-place's small tree. FIXTURE names its functions: it is
 * compiled by itself and is also included by the test, as a driver is by the
 * unit that needs its statics.
 *
 *	NAME_deep()			a function of its own
 *	  inlined: fixture_middle()	<- the place: the line of the call below
 *	    inlined: fixture_from_header()	(fixture.h: passed over)
 *	      fixture_hook()
 */
#include "../../include/fixture.h"

#ifndef FIXTURE
#define FIXTURE(name) own_##name
#endif

unsigned int FIXTURE(middle_line);
unsigned int FIXTURE(plain_line);

static inline __attribute__((always_inline)) void fixture_middle(int n)
{
	while (n-- > 0) {
		FIXTURE(middle_line) = __LINE__ + 1;
		fixture_from_header();
	}
}

void FIXTURE(deep)(int n);
__attribute__((noinline)) void FIXTURE(deep)(int n)
{
	if (n > 0) {
		int twice = n * 2;

		fixture_middle(twice / 2);
	}
	__asm__ volatile("" ::: "memory");
}

void FIXTURE(plain)(void);
__attribute__((noinline)) void FIXTURE(plain)(void)
{
	FIXTURE(plain_line) = __LINE__ + 1;
	fixture_hook();
	__asm__ volatile("" ::: "memory");
}
