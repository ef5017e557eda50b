/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One round leaves out each of @parts parts in turn:
 *
 *	|--1--|--2--|--3--|--4--|	without 2 it still does it:
 *	|--1--|--3--|--4--|		go on with that, else finer
 */
#include <stdlib.h>
#include <string.h>

#include "ddmin.h"
#include "vec.h"

/** struct round - a list and room for it with a part left out */
struct round {
	char *item;
	char *without;
	size_t count;
	size_t size;
	ddmin_test_fn test;
	void *arg;
};

static bool leave_out(struct round *r, size_t from, size_t to)
{
	size_t left = r->count - (to - from);

	memcpy(r->without, r->item, from * r->size);
	memcpy(r->without + from * r->size, r->item + to * r->size,
	       (r->count - to) * r->size);
	if (!r->test(r->arg, r->without, left))
		return false;
	memcpy(r->item, r->without, left * r->size);
	r->count = left;
	return true;
}

/* From the end: what came last is the least likely to be needed. */
static bool one_round(struct round *r, size_t parts)
{
	size_t length = (r->count + parts - 1) / parts;
	bool any = false;
	size_t to = r->count;

	while (to && r->count) {
		size_t from = to > length ? to - length : 0;

		any = leave_out(r, from, to) || any;
		to = from;
	}
	return any;
}

size_t ddmin(void *items, size_t count, size_t size, ddmin_test_fn test,
	     void *arg)
{
	struct round r = {items, NULL, count, size, test, arg};
	size_t parts = 1;

	r.without = vec_checked(malloc(count * size + 1));
	while (r.count) {
		bool any = one_round(&r, parts);

		if (parts >= r.count && !any)
			break;
		if (!any || parts < 2)
			parts *= 2;
		if (parts > r.count)
			parts = r.count;
	}
	free(r.without);
	return r.count;
}

size_t ddmin_prefix(const void *items, size_t count, ddmin_test_fn test,
		    void *arg)
{
	size_t low = 0; /* the result is low .. count */

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (test(arg, items, middle))
			count = middle;
		else
			low = middle + 1;
	}
	return count;
}
