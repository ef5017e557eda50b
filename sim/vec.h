/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Growing arrays and copies of strings for what a person wrote: options and
 * case files. Running out of host memory here ends the program (status 2).
 * It knows nothing of what it stores.
 */
#ifndef RAID5SIM_VEC_H
#define RAID5SIM_VEC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *vec_checked(void *p)
{
	if (p)
		return p;
	fputs("raid5sim: out of memory\n", stderr);
	exit(2);
}

/**
 * vec_add - room for one element more, all of it zero
 * @base:	the array, NULL at first; moves
 * @count:	its elements; one more afterwards
 * @size:	bytes of an element
 *
 * The room doubles whenever @count reaches a power of two, so no capacity
 * need be kept.
 *
 * Return: the new element.
 */
static inline void *vec_add(void **base, unsigned int *count, size_t size)
{
	unsigned int n = *count;
	char *p = *base;

	if (!(n & (n - 1))) {
		p = vec_checked(realloc(p, (n ? 2 * (size_t)n : 1) * size));
		*base = p;
	}
	*count = n + 1;
	return memset(p + n * size, 0, size);
}

/** vec_copy - strdup that never fails */
static inline char *vec_copy(const char *s)
{
	return vec_checked(strdup(s));
}

/** vec_copy_n - the first @n bytes of @s as a string of its own */
static inline char *vec_copy_n(const char *s, size_t n)
{
	return vec_checked(strndup(s, n));
}

#endif
