/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One-line error messages about what a person wrote: files and options. It
 * knows where text came from, not what it means, and prints nothing itself.
 *
 *	FILE:LINE: KEY: what is wrong; accepted: what would be right
 *	raid5sim: --KEY VALUE: what is wrong; accepted: what would be right
 */
#ifndef RAID5SIM_DIAG_H
#define RAID5SIM_DIAG_H

/**
 * struct source_pos - where a key and its value were read
 * @file:	name as the user gave it ("<stdin>" for "-"); NULL: an option
 *		of the command line
 * @line:	1-based; 0: no line in particular
 *
 * @file is borrowed. Whoever keeps a position for longer than the call it was
 * handed in copies the name.
 */
struct source_pos {
	const char *file;
	unsigned int line;
};

/**
 * struct diag - the first error of a run over some input
 * @text:	one line without a newline, all of it printable; "" as long as
 *		nothing went wrong
 *
 * Start with `struct diag diag = { "" };`. The first message stays: later
 * ones, often consequences, are dropped.
 */
struct diag {
	char text[512];
};

/**
 * diag_set - say what is wrong, unless something was wrong before
 * @diag:	where to
 * @pos:	where @key was read; NULL is the same as a NULL file
 * @key:	the key or option, without "--"; NULL when none is to blame
 * @value:	its value: shown (shortened) for an option, as there is no line
 *		to look it up in; left out for a file; may be NULL
 * @accepted:	what may be written instead; NULL leaves that part out
 * @fmt:	printf format of what is wrong: lower case, no full stop
 *
 * Control characters become '?', so that the text is one line. The text is
 * cut, at worst, from the end.
 *
 * Return: always -EINVAL, so that `return diag_set(...)` reads well.
 */
int diag_set(struct diag *diag, const struct source_pos *pos, const char *key,
	     const char *value, const char *accepted, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

#endif
