/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delta debugging (Zeller and Hildebrandt, IEEE TSE 2002): the fewest items of
 * a list that still do it, as far as leaving out some of them tells. It knows
 * neither what items are nor what they do.
 */
#ifndef RAID5SIM_DDMIN_H
#define RAID5SIM_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

/**
 * ddmin_test_fn - do these items still do it?
 *
 * Asked for the same items, it must say the same. It may say no without
 * looking, for example when it has looked too often.
 */
typedef bool (*ddmin_test_fn)(void *arg, const void *items, size_t count);

/**
 * ddmin - leave out what is not needed
 * @items:	@count of @size bytes each, which do it; those that are needed
 *		are moved to the front, in their order
 *
 * When the test always says the same of the same items, no single one of the
 * result can be left out.
 *
 * Return: how many are left.
 */
size_t ddmin(void *items, size_t count, size_t size, ddmin_test_fn test,
	     void *arg);

/**
 * ddmin_prefix - the shortest beginning that still does it, by halving
 *
 * Cheaper than ddmin() where what comes last has no part in it. Return: how
 * many are left.
 */
size_t ddmin_prefix(const void *items, size_t count, ddmin_test_fn test,
		    void *arg);

#endif
