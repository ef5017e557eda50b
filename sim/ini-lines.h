/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * INI files with line numbers: a thin wrapper of libinih that keeps order,
 * counts lines and refuses what libinih would silently cut or skip. It knows
 * no section and no key.
 */
#ifndef RAID5SIM_INI_LINES_H
#define RAID5SIM_INI_LINES_H

#include "diag.h"

/* Bytes of the longest line, newline not counted. The worst list of CPUs,
 * every second one of 8192, takes about 20000. */
#define INI_LINES_MAX 65000
/* Bytes of the longest section name (libinih keeps no more). */
#define INI_LINES_SECTION_MAX 48

/**
 * ini_lines_fn - told of each line that says something, in file order
 * @arg:	as given to ini_lines_parse()
 * @pos:	file and line of this very line
 * @section:	name of the section the line is in; "" before the first one
 * @key:	white space at the ends removed, never empty;
 *		NULL: the line is the header of @section itself. Sections
 *		without keys and repeated sections are noticed that way; a
 *		caller that cares for neither returns 0
 * @value:	white space at the ends and comment removed, may be "";
 *		NULL exactly when @key is NULL
 *
 * All strings last for the call only; @pos->file is the @path given to
 * ini_lines_parse() (or "<stdin>") and lasts as long as that.
 *
 * Return: 0 to go on; anything else ends the reading (the callee has filled
 * the diag, which it reaches through @arg).
 */
typedef int (*ini_lines_fn)(void *arg, const struct source_pos *pos,
			    const char *section, const char *key,
			    const char *value);

/**
 * ini_lines_parse - read an INI file, calling @fn for each key and header
 * @path:	file name; "-" is standard input
 * @fn:		see ini_lines_fn
 * @arg:	for @fn
 * @diag:	filled when this returns an error of its own
 *
 * The form: `[section]`, `key = value` or `key: value`; '#' or ';' begins a
 * comment at the start of a line or after white space; UTF-8 text, a byte
 * order mark and CRLF line ends are fine. A value is one line: there are no
 * continuation lines, and an indented line is a line like any other.
 *
 * Errors, each with file and line: no '=', no ']', text after ']', no key
 * before '=', a NUL byte, a line above INI_LINES_MAX, a section name above
 * INI_LINES_SECTION_MAX, a file that cannot be read.
 *
 * Not reentrant (libinih's settings are global): @fn must not call it.
 *
 * Return: 0, what @fn returned when not 0, or -EINVAL with @diag filled.
 */
int ini_lines_parse(const char *path, ini_lines_fn fn, void *arg,
		    struct diag *diag);

#endif
