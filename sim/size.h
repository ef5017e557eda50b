/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes ("8G") and plain numbers, to and from text. Knows no key and no
 * unit but bytes.
 */
#ifndef RAID5SIM_SIZE_H
#define RAID5SIM_SIZE_H

/* What an error message says is accepted. */
#define SIZE_FORM "an integer with K, M, G, T or P, e.g. 512K or 8G"
/* Room for any size_format(): 20 digits and NUL. */
#define SIZE_TEXT 24

/**
 * size_parse - bytes from text
 * @text:	decimal digits, then optionally one of K M G T P (powers of
 *		1024, either case), then optionally "iB" or "B" ("iB" only
 *		after a letter); white space at the ends is ignored
 * @bytes:	result, 0 .. 2^64 - 1; untouched on error
 * @why:	on error: the reason, a static string
 *
 * Return: 0, -EINVAL (not of that form) or -ERANGE (above 2^64 - 1).
 */
int size_parse(const char *text, unsigned long long *bytes, const char **why);

/**
 * size_format - the shortest text that size_parse() reads as exactly @bytes
 * @buf:	"8G", "12345K", "17"
 *
 * Return: @buf.
 */
char *size_format(unsigned long long bytes, char buf[SIZE_TEXT]);

/**
 * number_parse - a plain integer, decimal or hexadecimal after "0x"
 * @text:	no sign; white space at the ends is ignored
 * @min:	least value accepted
 * @max:	greatest value accepted
 * @value:	result; untouched on error
 * @why:	on error: the reason, a static string
 *
 * Return: 0, -EINVAL (not a number) or -ERANGE (outside @min .. @max).
 */
int number_parse(const char *text, unsigned long long min,
		 unsigned long long max, unsigned long long *value,
		 const char **why);

#endif
