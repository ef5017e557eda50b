/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of raid5-unit.c that checks what raid5.c says by __must_hold(): the
 * compiler calls __cyg_profile_func_enter() as each of its functions begins.
 * Knows the functions and the members of r5conf from must-hold.h, which is
 * made from the source; any array's lock will do.
 */
static const struct must_hold {
	const void *fn;
	const char *name, *lock;
	size_t offset;
} must_hold[] = {
#define MUST_HOLD(fn, lock) {fn, #fn, #lock, offsetof(struct r5conf, lock)},
#include "must-hold.h"
	{NULL},
};

#define UNSEEN __attribute__((no_instrument_function))

UNSEEN void __cyg_profile_func_enter(void *fn, void *site);
UNSEEN void __cyg_profile_func_exit(void *fn, void *site);

void __cyg_profile_func_enter(void *fn, void *site)
{
	const struct must_hold *m;

	for (m = must_hold; m->name; m++)
		if (m->fn == fn &&
		    !lock_check_holds_in(sizeof(struct r5conf), m->offset))
			finding_add(FINDING_LOCK_IMBALANCE, site,
				    "__must_hold: %s() is called without %s",
				    m->name, m->lock);
}

void __cyg_profile_func_exit(void *fn, void *site)
{
}
