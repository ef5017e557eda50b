/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Masks as arrays of 64-bit words, and the kernel's list syntax. Knows
 * neither CPUs nor nodes, only bit numbers.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "list.h"

unsigned int bits_weight(const unsigned long long *word, unsigned int nbits)
{
	unsigned int weight = 0;
	unsigned int i;

	for (i = 0; i < nbits / MASK_WORD_BITS; i++)
		weight += (unsigned int)__builtin_popcountll(word[i]);
	return weight;
}

unsigned int bits_next(const unsigned long long *word, unsigned int nbits,
		       unsigned int from)
{
	unsigned int i = from / MASK_WORD_BITS;
	unsigned long long w;

	if (from >= nbits)
		return nbits;
	w = word[i] & ~0ULL << from % MASK_WORD_BITS;
	while (!w) {
		if (++i == nbits / MASK_WORD_BITS)
			return nbits;
		w = word[i];
	}
	return i * MASK_WORD_BITS + (unsigned int)__builtin_ctzll(w);
}

unsigned int bits_last(const unsigned long long *word, unsigned int nbits)
{
	unsigned int i;

	for (i = nbits / MASK_WORD_BITS; i--;)
		if (word[i])
			return i * MASK_WORD_BITS + MASK_WORD_BITS - 1 -
			       (unsigned int)__builtin_clzll(word[i]);
	return nbits;
}

bool bits_subset(const unsigned long long *a, const unsigned long long *b,
		 unsigned int nbits)
{
	unsigned int i;

	for (i = 0; i < nbits / MASK_WORD_BITS; i++)
		if (a[i] & ~b[i])
			return false;
	return true;
}

void bits_or(unsigned long long *a, const unsigned long long *b,
	     unsigned int nbits)
{
	unsigned int i;

	for (i = 0; i < nbits / MASK_WORD_BITS; i++)
		a[i] |= b[i];
}

void bits_andnot(unsigned long long *a, const unsigned long long *b,
		 unsigned int nbits)
{
	unsigned int i;

	for (i = 0; i < nbits / MASK_WORD_BITS; i++)
		a[i] &= ~b[i];
}

void bits_set_range(unsigned long long *word, unsigned int first,
		    unsigned int last)
{
	for (; first <= last; first++)
		word[first / MASK_WORD_BITS] |= 1ULL << first % MASK_WORD_BITS;
}

/* ------------------------------------------------------------------ */

/* One item of a list; a lone number has first == end, used == group. */
struct item {
	unsigned int first;
	unsigned int end;
	unsigned int used;
	unsigned int group;
};

struct parser {
	const char *s;
	unsigned int nbits;
	unsigned int last;
	char *why;
};

__attribute__((format(printf, 3, 4))) static int fail(struct parser *p, int err,
						      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->why, LIST_WHY, fmt, ap);
	va_end(ap);
	return err;
}

/* Say what was found where something else is needed. */
static int unexpected(struct parser *p, const char *needed)
{
	unsigned char c = (unsigned char)*p->s;

	if (!c)
		return fail(p, -EINVAL, "%s is missing at the end", needed);
	if (isspace(c))
		return fail(p, -EINVAL, "white space instead of %s", needed);
	if (!isprint(c))
		return fail(p, -EINVAL, "byte 0x%02x instead of %s", c, needed);
	return fail(p, -EINVAL, "'%c' instead of %s", c, needed);
}

static int number(struct parser *p, unsigned int *n)
{
	unsigned int v = 0;

	if (*p->s == 'N') {
		p->s++;
		*n = p->last;
		return 0;
	}
	if (!isdigit((unsigned char)*p->s))
		return unexpected(p, "a number");
	for (; isdigit((unsigned char)*p->s); p->s++)
		if (__builtin_mul_overflow(v, 10U, &v) ||
		    __builtin_add_overflow(v, (unsigned int)(*p->s - '0'), &v))
			return fail(p, -ERANGE, "a number is above %u",
				    UINT_MAX);
	*n = v;
	return 0;
}

/* "/group" and what goes before it */
static int pattern(struct parser *p, struct item *it)
{
	int err;

	p->s++;
	err = number(p, &it->used);
	if (err)
		return err;
	if (*p->s != '/')
		return unexpected(p, "'/'");
	p->s++;
	err = number(p, &it->group);
	if (err)
		return err;
	if (!it->group)
		return fail(p, -EINVAL, "a group of 0");
	if (it->used > it->group)
		return fail(p, -EINVAL, "%u used of a group of %u", it->used,
			    it->group);
	return 0;
}

/* "all", a number, or a range; sets @is_range where a pattern may follow */
static int range(struct parser *p, struct item *it, bool *is_range)
{
	int err;

	*is_range = true;
	if (!strncasecmp(p->s, "all", 3)) {
		p->s += 3;
		it->first = 0;
		it->end = p->last;
		return 0;
	}
	err = number(p, &it->first);
	if (err)
		return err;
	it->end = it->first;
	*is_range = *p->s == '-';
	if (!*is_range)
		return 0;
	p->s++;
	return number(p, &it->end);
}

static int item(struct parser *p, struct item *it)
{
	bool is_range;
	int err;

	it->used = 1;
	it->group = 1;
	err = range(p, it, &is_range);
	if (!err && is_range && *p->s == ':')
		err = pattern(p, it);
	if (err)
		return err;
	if (it->first > it->end)
		return fail(p, -EINVAL, "%u-%u is the wrong way round",
			    it->first, it->end);
	if (it->end >= p->nbits)
		return fail(p, -ERANGE, "%u is above %u", it->end,
			    p->nbits - 1);
	return 0;
}

/* 64-bit positions: a group may be as large as a number can be. */
static void set_item(unsigned long long *word, const struct item *it)
{
	unsigned long long pos;
	unsigned long long to;

	for (pos = it->first; pos <= it->end; pos += it->group) {
		to = pos + it->used;
		if (to > it->end + 1ULL)
			to = it->end + 1ULL;
		if (it->used)
			bits_set_range(word, (unsigned int)pos,
				       (unsigned int)to - 1);
	}
}

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->s))
		p->s++;
}

static bool at_end(struct parser *p)
{
	const char *here = p->s;

	skip_space(p);
	if (!*p->s)
		return true;
	p->s = here;
	return false;
}

static int items(struct parser *p, unsigned long long *word)
{
	struct item it;
	int err;

	for (;;) {
		err = item(p, &it);
		if (err)
			return err;
		set_item(word, &it);
		if (at_end(p))
			return 0;
		if (*p->s != ',')
			return unexpected(p, "','");
		p->s++;
	}
}

int list_parse(const char *text, unsigned int flags, unsigned long long *word,
	       unsigned int nbits, unsigned int last, char why[LIST_WHY])
{
	struct parser p = {text, nbits, last, why};
	int err = 0;

	memset(word, 0, nbits / 8);
	if (!at_end(&p)) {
		skip_space(&p);
		err = items(&p, word);
	}
	if (!err && !(flags & LIST_MAY_BE_EMPTY) &&
	    bits_next(word, nbits, 0) == nbits)
		err = fail(&p, -EINVAL, "the list is empty");
	return err;
}

/* ------------------------------------------------------------------ */

static unsigned int next_clear(const unsigned long long *word,
			       unsigned int nbits, unsigned int from)
{
	while (from < nbits &&
	       word[from / MASK_WORD_BITS] >> from % MASK_WORD_BITS & 1)
		from++;
	return from;
}

size_t list_format(const unsigned long long *word, unsigned int nbits,
		   char *buf, size_t size)
{
	unsigned int first;
	unsigned int end;
	char text[32];
	size_t len = 0;
	int n;

	if (size)
		buf[0] = '\0';
	for (first = bits_next(word, nbits, 0); first < nbits;
	     first = bits_next(word, nbits, end)) {
		end = next_clear(word, nbits, first);
		n = snprintf(text, sizeof(text), "%s%u", len ? "," : "", first);
		if (end - first > 1)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "-%u",
				      end - 1);
		if (len < size)
			snprintf(buf + len, size - len, "%s", text);
		len += (size_t)n;
	}
	return len;
}
