/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tiny JSON writer (RFC 8259). Commas, indentation and escapes are all it
 * knows.
 */
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define INDENT 2

void json_init(struct json *j, FILE *out)
{
	memset(j, 0, sizeof(*j));
	j->out = out;
}

/*
 * Length of the UTF-8 sequence at @s, 0 when there is none (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF).
 *
 *	lead	 C2..DF	  E0..EF	 F0..F4
 *	second	 80..BF	  A0.. after E0	 90.. after F0
 *			  ..9F after ED	 ..8F after F4
 */
static unsigned int utf8_length(const unsigned char *s)
{
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	unsigned int len;

	if (*s < 0x80)
		return 1;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	len = *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	if (*s == 0xe0)
		low = 0xa0;
	if (*s == 0xed)
		high = 0x9f;
	if (*s == 0xf0)
		low = 0x90;
	if (*s == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (unsigned int i = 2; i < len; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return len;
}

static void put_ascii(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c == '\n')
		fputs("\\n", out);
	else if (c == '\t')
		fputs("\\t", out);
	else if (c < ' ' || c == 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		putc(c, out);
}

static void put_quoted(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned int len;

	putc('"', out);
	for (; *s; s += len ? len : 1) {
		len = utf8_length(s);
		if (!len)
			fputs("\\ufffd", out);
		else if (len == 1)
			put_ascii(out, *s);
		else
			fwrite(s, 1, len, out);
	}
	putc('"', out);
}

static void new_line(struct json *j)
{
	fprintf(j->out, "\n%*s", (int)(INDENT * j->depth), "");
}

static void begin_value(struct json *j, const char *key)
{
	if (j->depth) {
		if (j->filled[j->depth - 1])
			putc(',', j->out);
		j->filled[j->depth - 1] = true;
		new_line(j);
	}
	if (!key)
		return;
	put_quoted(j->out, key);
	fputs(": ", j->out);
}

/* The document's own value is followed by a newline. */
static void end_value(struct json *j)
{
	if (!j->depth)
		putc('\n', j->out);
}

static void open_bracket(struct json *j, const char *key, char open, char close)
{
	if (j->depth == JSON_DEPTH)
		abort();
	begin_value(j, key);
	putc(open, j->out);
	j->close[j->depth] = close;
	j->filled[j->depth] = false;
	j->depth++;
}

void json_object(struct json *j, const char *key)
{
	open_bracket(j, key, '{', '}');
}

void json_array(struct json *j, const char *key)
{
	open_bracket(j, key, '[', ']');
}

void json_end(struct json *j)
{
	if (!j->depth)
		abort();
	j->depth--;
	if (j->filled[j->depth])
		new_line(j);
	putc(j->close[j->depth], j->out);
	end_value(j);
}

void json_string(struct json *j, const char *key, const char *s)
{
	if (!s) {
		json_null(j, key);
		return;
	}
	begin_value(j, key);
	put_quoted(j->out, s);
	end_value(j);
}

void json_int(struct json *j, const char *key, long long n)
{
	begin_value(j, key);
	fprintf(j->out, "%lld", n);
	end_value(j);
}

void json_uint(struct json *j, const char *key, unsigned long long n)
{
	begin_value(j, key);
	fprintf(j->out, "%llu", n);
	end_value(j);
}

void json_bool(struct json *j, const char *key, bool b)
{
	begin_value(j, key);
	fputs(b ? "true" : "false", j->out);
	end_value(j);
}

void json_null(struct json *j, const char *key)
{
	begin_value(j, key);
	fputs("null", j->out);
	end_value(j);
}
