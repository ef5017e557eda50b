/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One-line error messages: puts the place, the key, the cause and the
 * accepted form together. It knows neither files nor options themselves.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"

/* What is shown at most of a value and of a file's name, so that the cause
 * and the accepted form always fit into the text. */
#define VALUE_SHOWN 60
#define FILE_SHOWN  180

struct line {
	char *text;
	size_t size;
	size_t len;
};

static void add_va(struct line *l, const char *fmt, va_list ap)
{
	int n = vsnprintf(l->text + l->len, l->size - l->len, fmt, ap);

	if (n < 0)
		return;
	l->len += (size_t)n;
	if (l->len >= l->size)
		l->len = l->size - 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct line *l,
						      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_va(l, fmt, ap);
	va_end(ap);
}

static void add_value(struct line *l, const char *value)
{
	if (strlen(value) > VALUE_SHOWN)
		add(l, " %.*s...", VALUE_SHOWN, value);
	else
		add(l, " %s", value);
}

/* The end of a long path says more than its beginning. */
static void add_file(struct line *l, const char *file)
{
	size_t len = strlen(file);

	if (len > FILE_SHOWN)
		add(l, "...%s", file + len - FILE_SHOWN);
	else
		add(l, "%s", file);
}

static void add_place(struct line *l, const struct source_pos *pos,
		      const char *key, const char *value)
{
	if (pos && pos->file) {
		add_file(l, pos->file);
		if (pos->line)
			add(l, ":%u", pos->line);
		add(l, ": ");
		if (key)
			add(l, "%s: ", key);
		return;
	}
	add(l, "raid5sim: ");
	if (!key)
		return;
	add(l, "--%s", key);
	if (value)
		add_value(l, value);
	add(l, ": ");
}

static void make_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

int diag_set(struct diag *diag, const struct source_pos *pos, const char *key,
	     const char *value, const char *accepted, const char *fmt, ...)
{
	struct line l = {diag->text, sizeof(diag->text), 0};
	va_list ap;

	if (diag->text[0])
		return -EINVAL;
	add_place(&l, pos, key, value);
	va_start(ap, fmt);
	add_va(&l, fmt, ap);
	va_end(ap);
	if (accepted)
		add(&l, "; accepted: %s", accepted);
	make_printable(diag->text);
	return -EINVAL;
}
