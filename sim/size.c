/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes and plain numbers, to and from text. 64 bits whatever the word of
 * the build; an overflow is an error, never a wrapped value.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "size.h"

/* Each letter stands for 1024 times the one before it. */
static const char letters[] = "KMGTP";

static const char *skip_space(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static int fail(const char **why, int err, const char *reason)
{
	*why = reason;
	return err;
}

/* Value of a digit, or @base when @c is none. */
static unsigned int digit(char c, unsigned int base)
{
	unsigned int d = base;

	if (c >= '0' && c <= '9')
		d = (unsigned int)(c - '0');
	else if (c >= 'a' && c <= 'f')
		d = (unsigned int)(c - 'a') + 10;
	else if (c >= 'A' && c <= 'F')
		d = (unsigned int)(c - 'A') + 10;
	return d < base ? d : base;
}

static int digits(const char **s, unsigned int base, unsigned long long *value,
		  const char **why)
{
	unsigned int d = digit(**s, base);

	if (d == base)
		return fail(why, -EINVAL, "not a number");
	*value = 0;
	for (; d < base; d = digit(*++*s, base))
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, d, value))
			return fail(why, -ERANGE, "above 2^64 - 1");
	return 0;
}

/* How many times 1024 the suffix at *@s stands for; steps over it. */
static unsigned int suffix(const char **s)
{
	const char *letter = NULL;
	unsigned int power = 0;

	if (**s)
		letter = strchr(letters, toupper((unsigned char)**s));
	if (letter) {
		power = (unsigned int)(letter - letters) + 1;
		(*s)++;
	}
	if (power && (*s)[0] == 'i' && (*s)[1] == 'B')
		*s += 2;
	else if (**s == 'B')
		(*s)++;
	return power;
}

int size_parse(const char *text, unsigned long long *bytes, const char **why)
{
	const char *s = skip_space(text);
	unsigned long long value;
	unsigned int power;
	int err;

	err = digits(&s, 10, &value, why);
	if (err)
		return err;
	power = suffix(&s);
	if (*skip_space(s))
		return fail(why, -EINVAL, "unexpected text after the number");
	if (value > ~0ULL >> (10 * power))
		return fail(why, -ERANGE, "above 2^64 - 1 bytes");
	*bytes = value << (10 * power);
	return 0;
}

char *size_format(unsigned long long bytes, char buf[SIZE_TEXT])
{
	unsigned int power = 0;

	while (bytes && power < strlen(letters) && !(bytes % 1024)) {
		bytes /= 1024;
		power++;
	}
	if (power)
		snprintf(buf, SIZE_TEXT, "%llu%c", bytes, letters[power - 1]);
	else
		snprintf(buf, SIZE_TEXT, "%llu", bytes);
	return buf;
}

int number_parse(const char *text, unsigned long long min,
		 unsigned long long max, unsigned long long *value,
		 const char **why)
{
	const char *s = skip_space(text);
	unsigned int base = 10;
	unsigned long long v;
	int err;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	err = digits(&s, base, &v, why);
	if (err)
		return err;
	if (*skip_space(s))
		return fail(why, -EINVAL, "unexpected text after the number");
	if (v < min)
		return fail(why, -ERANGE, "too small");
	if (v > max)
		return fail(why, -ERANGE, "too large");
	*value = v;
	return 0;
}
