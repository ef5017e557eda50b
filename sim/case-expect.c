/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a case's [expect] sections, and whether a finding is the one that
 * was expected.
 */
#include <errno.h>
#include <string.h>

#include "case-step.h"
#include "host/run.h"
#include "size.h"
#include "vec.h"

#define FINDING_FORM                                                      \
	"none, or KIND [FUNCTION[:LINE] [PART OF THE CAUSE]], * for any " \
	"FUNCTION"

static int refuse(const char *value, const struct source_pos *pos,
		  struct diag *diag, const char *why)
{
	return diag_set(diag, pos, "finding", value, FINDING_FORM, "%s", why);
}

/* All kinds in one line, for messages. */
static void list_kinds(char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; i < FINDING_KINDS && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s, ",
					 finding_kind_name(i));
	snprintf(buf + used, used < size ? size - used : 0, "none");
}

static int parse_kind(struct case_finding *e, const char *word,
		      const struct source_pos *pos, struct diag *diag)
{
	char kinds[FINDING_KINDS * 24];

	e->kind = FINDING_KINDS;
	if (!strcmp(word, "none"))
		return 0;
	e->kind = finding_kind_by_name(word);
	if (e->kind != FINDING_KINDS)
		return 0;
	list_kinds(kinds, sizeof(kinds));
	return diag_set(diag, pos, "finding", word, kinds,
			"unknown kind '%.40s'", word);
}

static int parse_place(struct case_finding *e, char *word,
		       const struct source_pos *pos, struct diag *diag)
{
	char *colon = strchr(word, ':');
	unsigned long long line;
	const char *why;
	size_t len;

	if (colon) {
		*colon = '\0';
		if (number_parse(colon + 1, 1, 10000000, &line, &why))
			return refuse(word, pos, diag, "bad line number");
		e->at_line = (unsigned int)line;
	}
	len = strlen(word);
	if (len > 2 && !strcmp(word + len - 2, "()"))
		word[len - 2] = '\0';
	if (strcmp(word, "*"))
		e->function = vec_copy(word);
	return 0;
}

static int parse_finding(struct case_finding *e, char *text,
			 const struct source_pos *pos, struct diag *diag)
{
	char *word = case_word(&text);
	int err;

	if (!word)
		return refuse("", pos, diag, "no kind");
	err = parse_kind(e, word, pos, diag);
	if (err)
		return err;
	word = case_word(&text);
	if (!word)
		return 0;
	if (e->kind == FINDING_KINDS)
		return refuse(word, pos, diag, "text after none");
	err = parse_place(e, word, pos, diag);
	if (err)
		return err;
	text += strspn(text, " \t");
	if (*text)
		e->object = vec_copy(text);
	return 0;
}

static void free_finding(struct case_finding *f)
{
	free(f->function);
	free(f->object);
}

/* "none" stands alone. */
static int add_finding(struct case_expect *e, struct case_finding *f,
		       const char *value, const struct source_pos *pos,
		       struct diag *diag)
{
	void *base = e->finding;

	if (e->none_line || (f->kind == FINDING_KINDS && e->finding_count))
		return refuse(value, pos, diag, "none and a finding");
	if (f->kind == FINDING_KINDS) {
		e->none_line = pos->line;
		return 0;
	}
	f->line = pos->line;
	*(struct case_finding *)vec_add(&base, &e->finding_count, sizeof(*f)) =
		*f;
	e->finding = base;
	return 0;
}

static int expect_finding(struct case_expect *e, const char *value,
			  const struct source_pos *pos, struct diag *diag)
{
	struct case_finding f = {.function = NULL};
	char *copy = vec_copy(value);
	int err = parse_finding(&f, copy, pos, diag);

	if (!err)
		err = add_finding(e, &f, value, pos, diag);
	if (err || f.kind == FINDING_KINDS)
		free_finding(&f);
	free(copy);
	return err;
}

void case_expect_free(struct case_expect *e)
{
	for (unsigned int i = 0; i < e->finding_count; i++)
		free_finding(&e->finding[i]);
	free(e->finding);
	free(e->size);
	free(e->glob);
}

static int expect_size(struct case_expect *e, enum size_key key,
		       const char *value, const struct source_pos *pos,
		       struct diag *diag)
{
	struct case_size *s;
	long long n;
	void *base = e->size;

	for (unsigned int i = 0; i < e->size_count; i++)
		if (e->size[i].key == key)
			return diag_set(diag, pos, size_key_name(key), value,
					NULL, "given twice, first in line %u",
					e->size[i].line);
	if (sizes_parse(key, value, pos, diag, &n))
		return -EINVAL;
	s = vec_add(&base, &e->size_count, sizeof(*s));
	e->size = base;
	*s = (struct case_size){key, pos->line, n};
	return 0;
}

int case_expect_key(struct case_expect *e, const char *key, const char *value,
		    const struct source_pos *pos, struct diag *diag)
{
	enum size_key size = size_key_by_name(key);
	char accepted[320];

	if (!strcmp(key, "finding"))
		return expect_finding(e, value, pos, diag);
	if (size != SIZE_KEYS)
		return expect_size(e, size, value, pos, diag);
	snprintf(accepted, sizeof(accepted), "finding, %s", size_key_list());
	return diag_set(diag, pos, key, value, accepted, "no such key");
}

bool case_finding_matches(const struct case_finding *e,
			  const struct finding *f)
{
	if (e->kind != f->kind)
		return false;
	if (e->function && strcmp(e->function, f->where.function))
		return false;
	if (e->at_line && e->at_line != f->where.line)
		return false;
	return !e->object || strstr(f->cause, e->object) ||
	       strstr(f->detail, e->object);
}

bool case_expect_matches(const struct case_expect *e, const struct finding *f)
{
	for (unsigned int i = 0; e && i < e->finding_count; i++)
		if (case_finding_matches(&e->finding[i], f))
			return true;
	return false;
}
