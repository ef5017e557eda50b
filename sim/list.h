/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Masks of CPUs and of nodes, and the kernel's list syntax for them. One core
 * on arrays of 64-bit words; thin typed wrappers for struct cpu_bits
 * (cpu_bits_*) and struct node_bits (node_bits_*). Knows no machine.
 */
#ifndef RAID5SIM_LIST_H
#define RAID5SIM_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary.h"

/* ------------------------------------------------------------------ */
/* Core: @word is an array of @nbits / 64 words, @nbits a multiple of 64 */

/** bits_weight - bits that are set */
unsigned int bits_weight(const unsigned long long *word, unsigned int nbits);

/** bits_next - lowest set bit that is @from or above; @nbits if none */
unsigned int bits_next(const unsigned long long *word, unsigned int nbits,
		       unsigned int from);

/** bits_last - highest set bit; @nbits if none */
unsigned int bits_last(const unsigned long long *word, unsigned int nbits);

/** bits_subset - is each bit of @a in @b too? */
bool bits_subset(const unsigned long long *a, const unsigned long long *b,
		 unsigned int nbits);

/** bits_or - add the bits of @b to @a */
void bits_or(unsigned long long *a, const unsigned long long *b,
	     unsigned int nbits);

/** bits_andnot - take the bits of @b away from @a */
void bits_andnot(unsigned long long *a, const unsigned long long *b,
		 unsigned int nbits);

/** bits_set_range - set bits @first .. @last, both below the mask's size */
void bits_set_range(unsigned long long *word, unsigned int first,
		    unsigned int last);

/* ------------------------------------------------------------------ */
/* Lists							      */

/* What an error message says is accepted. */
#define LIST_FORM "a list like 0-3,8 or 0-1023:2/256 or all; N is the last"
/* Room for the reason of an error. */
#define LIST_WHY 96
/* Room for the longest list: every second one of 8192, up to 6 bytes each. */
#define LIST_TEXT (MACHINE_MAX_CPUS / 2 * 6)

enum list_flags {
	LIST_MAY_BE_EMPTY = 1, /* "" and lists that set no bit are fine */
};

/**
 * list_parse - a mask from text in the syntax of the kernel's cpulists
 * @text:	items separated by single commas, white space (newlines too)
 *		at the two ends only:
 *
 *		5		one bit
 *		0-3		a range, ends included
 *		0-1023:2/256	used/group: of each group of 256 bits of the
 *				range, counted from its start, the first 2
 *		all		0-N; may have :used/group; any case
 *		N		instead of a number: the last bit
 *
 *		as in Documentation/admin-guide/kernel-parameters.rst of the
 *		tree ("cpu lists"). Stricter than the kernel in one thing:
 *		empty items and white space in the middle are errors.
 * @flags:	of enum list_flags
 * @word:	result, all of it written; unspecified on error
 * @nbits:	bits of the mask; higher ones in @text are errors
 * @last:	what N and "all" stand for, below @nbits
 * @why:	on error: the reason, e.g. "9000 is above 8191"
 *
 * Return: 0, -EINVAL (bad syntax) or -ERANGE (beyond the mask).
 */
int list_parse(const char *text, unsigned int flags, unsigned long long *word,
	       unsigned int nbits, unsigned int last, char why[LIST_WHY]);

/**
 * list_format - the shortest list of single bits and ranges: "0-3,8"
 * @buf:	result, cut to @size - 1 bytes and NUL; "" for an empty mask
 * @size:	bytes of @buf; LIST_TEXT is always enough
 *
 * Return: length without NUL that the whole list has.
 */
size_t list_format(const unsigned long long *word, unsigned int nbits,
		   char *buf, size_t size);

/* ------------------------------------------------------------------ */
/* The same for both masks. MAX is also what _first, _next and _last	      */
/* return when there is no such bit.					      */

#define DEFINE_BITS(TYPE, MAX)                                                 \
	static inline void TYPE##_set(struct TYPE *m, unsigned int n)          \
	{                                                                      \
		m->word[n / MASK_WORD_BITS] |= 1ULL << n % MASK_WORD_BITS;     \
	}                                                                      \
	static inline void TYPE##_clear(struct TYPE *m, unsigned int n)        \
	{                                                                      \
		m->word[n / MASK_WORD_BITS] &= ~(1ULL << n % MASK_WORD_BITS);  \
	}                                                                      \
	static inline bool TYPE##_test(const struct TYPE *m, unsigned int n)   \
	{                                                                      \
		return m->word[n / MASK_WORD_BITS] >> n % MASK_WORD_BITS & 1;  \
	}                                                                      \
	static inline unsigned int TYPE##_weight(const struct TYPE *m)         \
	{                                                                      \
		return bits_weight(m->word, MAX);                              \
	}                                                                      \
	static inline unsigned int TYPE##_next(const struct TYPE *m,           \
					       unsigned int from)              \
	{                                                                      \
		return bits_next(m->word, MAX, from);                          \
	}                                                                      \
	static inline unsigned int TYPE##_first(const struct TYPE *m)          \
	{                                                                      \
		return bits_next(m->word, MAX, 0);                             \
	}                                                                      \
	static inline unsigned int TYPE##_last(const struct TYPE *m)           \
	{                                                                      \
		return bits_last(m->word, MAX);                                \
	}                                                                      \
	static inline bool TYPE##_empty(const struct TYPE *m)                  \
	{                                                                      \
		return TYPE##_first(m) == (MAX);                               \
	}                                                                      \
	static inline bool TYPE##_subset(const struct TYPE *a,                 \
					 const struct TYPE *b)                 \
	{                                                                      \
		return bits_subset(a->word, b->word, MAX);                     \
	}                                                                      \
	static inline bool TYPE##_equal(const struct TYPE *a,                  \
					const struct TYPE *b)                  \
	{                                                                      \
		return TYPE##_subset(a, b) && TYPE##_subset(b, a);             \
	}                                                                      \
	static inline void TYPE##_or(struct TYPE *a, const struct TYPE *b)     \
	{                                                                      \
		bits_or(a->word, b->word, MAX);                                \
	}                                                                      \
	static inline void TYPE##_andnot(struct TYPE *a, const struct TYPE *b) \
	{                                                                      \
		bits_andnot(a->word, b->word, MAX);                            \
	}                                                                      \
	static inline void TYPE##_set_range(                                   \
		struct TYPE *m, unsigned int first, unsigned int last)         \
	{                                                                      \
		bits_set_range(m->word, first, last);                          \
	}                                                                      \
	static inline int TYPE##_parse(const char *text, unsigned int flags,   \
				       struct TYPE *m, unsigned int last,      \
				       char why[LIST_WHY])                     \
	{                                                                      \
		return list_parse(text, flags, m->word, MAX, last, why);       \
	}                                                                      \
	static inline size_t TYPE##_format(const struct TYPE *m, char *buf,    \
					   size_t size)                        \
	{                                                                      \
		return list_format(m->word, MAX, buf, size);                   \
	}                                                                      \
	_Static_assert((MAX) % MASK_WORD_BITS == 0, "whole words")

DEFINE_BITS(cpu_bits, MACHINE_MAX_CPUS);
DEFINE_BITS(node_bits, MACHINE_MAX_NODES);

#endif
