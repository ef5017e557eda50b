/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Error numbers as words and back. The table holds what raid5.c, md and the
 * module loader return; Linux gives them the same numbers on the hosts this
 * runs on as in the subject.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errname.h"

/* Linux numbers errnos below this (include/linux/err.h, MAX_ERRNO). */
#define ERRNO_MAX 4095

#define NAME(E)           \
	{                 \
		E, "-" #E \
	}

static const struct {
	int number;
	const char *name;
} names[] = {
	NAME(EPERM),	 NAME(ENOENT),	    NAME(EINTR),     NAME(EIO),
	NAME(ENXIO),	 NAME(E2BIG),	    NAME(EAGAIN),    NAME(ENOMEM),
	NAME(EACCES),	 NAME(EFAULT),	    NAME(EBUSY),     NAME(EEXIST),
	NAME(ENODEV),	 NAME(EINVAL),	    NAME(EFBIG),     NAME(ENOSPC),
	NAME(EROFS),	 NAME(EDOM),	    NAME(ERANGE),    NAME(ENODATA),
	NAME(EOVERFLOW), NAME(EOPNOTSUPP),  NAME(ETIMEDOUT), NAME(EDEADLK),
	NAME(ENOSYS),	 NAME(EINPROGRESS), NAME(EUCLEAN),
};

#define NAMES (sizeof(names) / sizeof(names[0]))

const char *errname_text(long result, char buf[ERRNAME_TEXT])
{
	if (result >= 0)
		return "ok";
	for (unsigned int i = 0; i < NAMES; i++)
		if (-result == names[i].number)
			return names[i].name;
	snprintf(buf, ERRNAME_TEXT, "%ld", result);
	return buf;
}

static int parse_number(const char *word, int *result)
{
	char *end;
	long n;

	if (word[0] != '-' || word[1] < '0' || word[1] > '9')
		return -EINVAL;
	n = strtol(word, &end, 10);
	if (*end || n < -ERRNO_MAX)
		return -EINVAL;
	*result = (int)n;
	return 0;
}

int errname_parse(const char *word, int *result)
{
	if (!strcmp(word, "ok") || !strcmp(word, "0")) {
		*result = 0;
		return 0;
	}
	for (unsigned int i = 0; i < NAMES; i++) {
		if (strcmp(word, names[i].name))
			continue;
		*result = -names[i].number;
		return 0;
	}
	return parse_number(word, result);
}
