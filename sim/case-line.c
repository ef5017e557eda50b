/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of a step's line. It knows how numbers, times and ranges are written,
 * and no step.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "case-line.h"
#include "errname.h"
#include "list.h"
#include "schedule.h"
#include "size.h"
#include "vec.h"

#define ARROW "->"

char *case_word(char **text)
{
	char *s = *text + strspn(*text, " \t");
	size_t len = strcspn(s, " \t");

	if (!len)
		return NULL;
	*text = s + len;
	if (s[len]) {
		s[len] = '\0';
		(*text)++;
	}
	return s;
}

int line_refuse(const struct line *l, const char *why)
{
	return diag_set(l->diag, l->pos, l->verb, l->value, l->form, "%s", why);
}

int line_refuse_word(const struct line *l, const char *word, const char *why)
{
	return diag_set(l->diag, l->pos, l->verb, l->value, l->form,
			"'%.40s': %s", word, why);
}

int line_result(struct line *l, int *result, bool *any)
{
	char *arrow = strstr(l->text, ARROW);
	char *rest;
	char *word;

	if (!arrow)
		return 0;
	*arrow = '\0';
	rest = arrow + strlen(ARROW);
	word = case_word(&rest);
	if (!word)
		return line_refuse(l, "no result after '->'");
	if (any && !strcmp(word, "any"))
		*any = true;
	else if (errname_parse(word, result))
		return line_refuse(l, "unknown result after '->'");
	if (case_word(&rest))
		return line_refuse(l, "text after the result");
	return 0;
}

int line_end(struct line *l)
{
	return case_word(&l->text)
		       ? line_refuse(l, "unexpected text at the end")
		       : 0;
}

int line_number(struct line *l, unsigned long long max, const char *what,
		unsigned long long *n)
{
	const char *word = case_word(&l->text);
	const char *why;

	if (!word)
		return diag_set(l->diag, l->pos, l->verb, l->value, l->form,
				"no %s", what);
	if (number_parse(word, 0, max, n, &why))
		return diag_set(l->diag, l->pos, l->verb, l->value, l->form,
				"%s '%s': %s", what, word, why);
	return 0;
}

char *line_rest(struct line *l)
{
	char *s = l->text + strspn(l->text, " \t");
	size_t len = strlen(s);

	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		s[--len] = '\0';
	return s;
}

/* ------------------------------------------------------------------ */
/* NAME=VALUE							      */

static int parse_uint(const struct line *l, const struct word_def *d,
		      const char *value, unsigned int *out)
{
	unsigned long long n;
	const char *why;

	if (number_parse(value, d->min, d->max, &n, &why))
		return line_refuse_word(l, d->name, why);
	*out = (unsigned int)n;
	return 0;
}

static int parse_ull(const struct line *l, const struct word_def *d,
		     const char *value, unsigned long long *out)
{
	const char *why;

	if (number_parse(value, 0, ~0ULL, out, &why))
		return line_refuse_word(l, d->name, why);
	return 0;
}

/* Cut at '-': @value is then the first part; returns the second, or the same
 * when there is none. */
static char *cut_range(char *value)
{
	char *dash = strchr(value, '-');

	if (!dash)
		return value;
	*dash = '\0';
	return dash + 1;
}

static int parse_range(const struct line *l, const struct word_def *d,
		       char *value, unsigned int out[2])
{
	char *last = cut_range(value);
	int err;

	err = parse_uint(l, d, value, &out[0]);
	if (!err)
		err = parse_uint(l, d, last, &out[1]);
	if (!err && out[0] > out[1])
		err = line_refuse_word(l, d->name, "ends before it begins");
	return err;
}

static int parse_byte_range(const struct line *l, const struct word_def *d,
			    char *value, unsigned long long out[2])
{
	char *last = cut_range(value);
	const char *why;

	if (size_parse(value, &out[0], &why) || size_parse(last, &out[1], &why))
		return line_refuse_word(l, d->name, why);
	if (out[0] % KERN_SECTOR || out[1] % KERN_SECTOR)
		return line_refuse_word(l, d->name, "not multiples of 512");
	if (last == value)
		out[0] = 0;
	if (out[0] >= out[1])
		return line_refuse_word(l, d->name, "ends before it begins");
	out[0] /= KERN_SECTOR;
	out[1] /= KERN_SECTOR;
	return 0;
}

static int parse_cpus(const struct line *l, const struct word_def *d,
		      const char *value, struct cpu_bits *out)
{
	char why[LIST_WHY];

	if (cpu_bits_parse(value, 0, out, MACHINE_MAX_CPUS - 1, why))
		return line_refuse_word(l, d->name, why);
	return 0;
}

static int parse_value(const struct line *l, const struct word_def *d,
		       char *value, void *base)
{
	void *field = (char *)base + d->offset;

	switch (d->type) {
	case WORD_UINT:
		return parse_uint(l, d, value, field);
	case WORD_ULL:
		return parse_ull(l, d, value, field);
	case WORD_TIME:
		if (schedule_time_parse(value, field))
			return line_refuse_word(l, d->name,
						"not a time like 10ms");
		return 0;
	case WORD_RANGE:
		return parse_range(l, d, value, field);
	case WORD_BYTES:
		return parse_byte_range(l, d, value, field);
	case WORD_CPUS:
		return parse_cpus(l, d, value, field);
	default:
		return d->parse(l, d->name, value, base);
	}
}

static int parse_word(const struct line *l, const struct word_def *d,
		      char *value, void *base)
{
	if (d->type == WORD_FLAG) {
		if (value)
			return line_refuse_word(l, d->name, "takes no value");
		*(bool *)((char *)base + d->offset) = true;
		return 0;
	}
	if (!value || !*value)
		return line_refuse_word(l, d->name, "needs a value");
	return parse_value(l, d, value, base);
}

int line_words(struct line *l, const struct word_def *defs, void *base)
{
	unsigned int seen = 0;
	char *word;

	while ((word = case_word(&l->text))) {
		char *value = strchr(word, '=');
		unsigned int i = 0;

		if (value)
			*value++ = '\0';
		while (defs[i].name && strcmp(defs[i].name, word))
			i++;
		if (!defs[i].name)
			return line_refuse_word(l, word, "unknown word");
		if (seen & 1U << i)
			return line_refuse_word(l, word, "given twice");
		seen |= 1U << i;
		if (parse_word(l, &defs[i], value, base))
			return -EINVAL;
	}
	return 0;
}
