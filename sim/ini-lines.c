/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * INI files with line numbers. libinih, as Debian builds it, does not tell
 * its handler the line; but it asks for a line, handles it, and only then
 * asks for the next. So this side hands the lines out and counts them, and
 * looks at each for what libinih would cut or skip without a word.
 *
 *	ini_parse_stream() --asks--> next_line() --> check, header --> fn()
 *	      |                         counts
 *	      +------ key, value ----> on_key() -------------------> fn()
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ini.h>

#include "ini-lines.h"

#define FORM "[section], key = value, or a comment after # or ;"

/* libinih's buffer: the line, "\r\n" and NUL, and some to spare, so that it
 * never has to split a line. */
#define LIBINIH_LINE (INI_LINES_MAX + 16)

struct reading {
	FILE *file;
	struct source_pos pos;
	ini_lines_fn fn;
	void *arg;
	struct diag *diag;
	int err;
	char section[INI_LINES_SECTION_MAX + 1];
};

static int bad_line(struct reading *r, const char *key, const char *what)
{
	r->err = diag_set(r->diag, &r->pos, key, NULL, FORM, "%s", what);
	return r->err;
}

/* Read up to the newline. Returns the length, 0 at the end of the file (a
 * line has at least its newline), or a negative errno. @size bytes of
 * @buf are libinih's: whatever it thinks of its settings, they are kept to. */
static int read_line(struct reading *r, char *buf, int size)
{
	int max = size - 2 < INI_LINES_MAX ? size - 2 : INI_LINES_MAX;
	int len = 0;
	int c;

	while ((c = getc(r->file)) != EOF) {
		if (!c)
			return bad_line(r, NULL, "a NUL byte");
		if (len == max && c != '\n')
			return bad_line(r, NULL, "the line is too long");
		buf[len++] = (char)c;
		if (c == '\n')
			break;
	}
	if (ferror(r->file)) {
		r->pos.line = 0;
		r->err = diag_set(r->diag, &r->pos, NULL, NULL, NULL,
				  "cannot read: %s", strerror(errno));
		return r->err;
	}
	buf[len] = '\0';
	return len;
}

static char *skip_space(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static bool starts_comment(const char *s, const char *line)
{
	return (*s == '#' || *s == ';') &&
	       (s == line || isspace((unsigned char)s[-1]));
}

static char *find_bracket(char *s)
{
	char *line = s;

	while (*s && *s != ']' && !(s != line && starts_comment(s, line)))
		s++;
	return *s == ']' ? s : NULL;
}

/* libinih ignores what follows "]" and cuts long names. */
static int on_header(struct reading *r, char *open)
{
	char *close = find_bracket(open + 1);
	size_t len;
	char *rest;

	if (!close)
		return bad_line(r, NULL, "no ']' after the section's name");
	rest = skip_space(close + 1);
	if (*rest && !starts_comment(rest, close + 1))
		return bad_line(r, NULL, "text after ']'");
	len = (size_t)(close - open - 1);
	if (len > INI_LINES_SECTION_MAX)
		return bad_line(r, NULL, "the section's name is too long");
	memcpy(r->section, open + 1, len);
	r->section[len] = '\0';
	r->err = r->fn(r->arg, &r->pos, r->section, NULL, NULL);
	return r->err;
}

static char *skip_bom(const struct reading *r, char *s)
{
	bool bom = r->pos.line == 1 && !strncmp(s, "\xef\xbb\xbf", 3);

	return bom ? s + 3 : s;
}

static char *next_line(char *buf, int size, void *stream)
{
	struct reading *r = stream;
	char *text;

	if (r->err)
		return NULL;
	r->pos.line++;
	if (read_line(r, buf, size) <= 0)
		return NULL;
	text = skip_space(skip_bom(r, buf));
	if (*text == '[' && on_header(r, text))
		return NULL;
	return buf;
}

/* libinih's convention: nonzero to go on. */
static int on_key(void *user, const char *section, const char *key,
		  const char *value)
{
	struct reading *r = user;

	(void)section;
	if (!*key)
		bad_line(r, NULL, "no key before '='");
	else
		r->err = r->fn(r->arg, &r->pos, r->section, key, value);
	return !r->err;
}

static void set_up_libinih(void)
{
	static char comment[] = "#;";

	ini_use_stack = false;
	ini_max_line = LIBINIH_LINE;
	ini_initial_alloc = LIBINIH_LINE;
	ini_allow_realloc = false;
	ini_allow_multiline = false;
	ini_allow_no_value = false;
	ini_allow_bom = true;
	ini_allow_inline_comments = true;
	ini_start_comment_prefixes = comment;
	ini_inline_comment_prefixes = comment;
	ini_stop_on_first_error = true;
}

static int read_all(struct reading *r)
{
	int ret;

	set_up_libinih();
	ret = ini_parse_stream(next_line, r, on_key, r);
	if (r->err)
		return r->err;
	if (ret > 0)
		return bad_line(r, NULL, "no '=' after the key");
	if (ret < 0)
		return diag_set(r->diag, &r->pos, NULL, NULL, NULL,
				"out of memory");
	return 0;
}

int ini_lines_parse(const char *path, ini_lines_fn fn, void *arg,
		    struct diag *diag)
{
	bool is_stdin = !strcmp(path, "-");
	struct reading r = {
		.pos = {is_stdin ? "<stdin>" : path, 0},
		.fn = fn,
		.arg = arg,
		.diag = diag,
	};
	int ret;

	r.file = is_stdin ? stdin : fopen(path, "r");
	if (!r.file)
		return diag_set(diag, &r.pos, NULL, NULL, NULL,
				"cannot open: %s", strerror(errno));
	ret = read_all(&r);
	if (!is_stdin)
		fclose(r.file);
	return ret;
}
