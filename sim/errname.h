/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Error numbers of the kernel as words: "ok", "-EINVAL". It knows nothing of
 * who returned them.
 */
#ifndef RAID5SIM_ERRNAME_H
#define RAID5SIM_ERRNAME_H

/* What an error message says is accepted. */
#define ERRNAME_FORM "ok or a negative errno, e.g. -EINVAL or -ENOMEM"
/* Room for any errname_text(). */
#define ERRNAME_TEXT 24

/**
 * errname_text - a kernel function's result as a word
 * @result:	0 or more is "ok", a known errno "-EINVAL", any other a number
 * @buf:	used for numbers only
 *
 * Return: the word; lasts as long as @buf.
 */
const char *errname_text(long result, char buf[ERRNAME_TEXT]);

/**
 * errname_parse - the reverse; also takes "0" and numbers like "-22"
 * @result:	0 for ok, else -errno; untouched on error
 *
 * Return: 0 or -EINVAL.
 */
int errname_parse(const char *word, int *result);

#endif
