/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a case. They are read by the same reader as any case file, and
 * loaded again through a file in memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "case-text.h"
#include "ini-lines.h"
#include "size.h"
#include "vec.h"

static struct text_line *insert(struct case_text *t, unsigned int at)
{
	void *base = t->line;
	struct text_line *l;

	vec_add(&base, &t->count, sizeof(*l));
	t->line = base;
	l = &t->line[at];
	memmove(l + 1, l, (t->count - 1 - at) * sizeof(*l));
	return l;
}

static void put(struct case_text *t, unsigned int at, const char *section,
		const char *key, const char *value)
{
	*insert(t, at) = (struct text_line){
		.section = vec_copy(section),
		.key = key ? vec_copy(key) : NULL,
		.value = value ? vec_copy(value) : NULL,
	};
}

static int on_line(void *arg, const struct source_pos *pos, const char *section,
		   const char *key, const char *value)
{
	struct case_text *t = arg;

	(void)pos;
	put(t, t->count, section, key, value);
	return 0;
}

int case_text_read(struct case_text *t, const char *path, struct diag *diag)
{
	*t = (struct case_text){NULL, 0};
	return ini_lines_parse(path, on_line, t, diag);
}

void case_text_copy(const struct case_text *from, struct case_text *to)
{
	*to = (struct case_text){NULL, 0};
	for (unsigned int i = 0; i < from->count; i++)
		put(to, i, from->line[i].section, from->line[i].key,
		    from->line[i].value);
}

static void free_line(struct text_line *l)
{
	free(l->section);
	free(l->key);
	free(l->value);
}

void case_text_free(struct case_text *t)
{
	for (unsigned int i = 0; i < t->count; i++)
		free_line(&t->line[i]);
	free(t->line);
	*t = (struct case_text){NULL, 0};
}

void case_text_write(const struct case_text *t, FILE *out)
{
	for (unsigned int i = 0; i < t->count; i++) {
		const struct text_line *l = &t->line[i];

		if (l->key)
			fprintf(out, "%s = %s\n", l->key, l->value);
		else
			fprintf(out, "%s[%s]\n", i ? "\n" : "", l->section);
	}
}

int case_text_load(const struct case_text *t, const char *path,
		   unsigned long page_size, struct sim_case *c,
		   struct diag *diag)
{
	char name[48];
	int fd = memfd_create("case", 0);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
	int err;

	if (!f)
		vec_checked(NULL);
	case_text_write(t, f);
	if (fclose(f))
		vec_checked(NULL);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	err = case_load_as(name, path, page_size, c, diag);
	close(fd);
	return err;
}

/* ------------------------------------------------------------------ */

static bool in_section(const struct text_line *l, const char *section)
{
	size_t len = strlen(section);

	return !strncmp(l->section, section, len) &&
	       (!l->section[len] || l->section[len] == ' ');
}

bool case_text_is(const struct case_text *t, unsigned int i,
		  const char *section, const char *key)
{
	const struct text_line *l = &t->line[i];

	if (!l->key || !in_section(l, section))
		return false;
	return !key || !strcmp(l->key, key);
}

void case_text_drop(struct case_text *t, unsigned int i)
{
	struct text_line *l = &t->line[i];

	free_line(l);
	t->count--;
	memmove(l, l + 1, (t->count - i) * sizeof(*l));
	/* vec_add() counts on the room that it made. */
	t->line =
		vec_checked(realloc(t->line, 2 * (t->count + 1) * sizeof(*l)));
}

void case_text_drop_section(struct case_text *t, const char *section)
{
	for (unsigned int i = t->count; i--;)
		if (in_section(&t->line[i], section))
			case_text_drop(t, i);
}

void case_text_add(struct case_text *t, const char *section, const char *key,
		   const char *value)
{
	unsigned int at = t->count;

	while (at && !in_section(&t->line[at - 1], section))
		at--;
	if (!at) {
		at = t->count;
		put(t, at++, section, NULL, NULL);
	}
	put(t, at, section, key, value);
}

void case_text_set(struct case_text *t, unsigned int i, const char *value)
{
	char *copy = vec_copy(value);

	free(t->line[i].value);
	t->line[i].value = copy;
}

/* ------------------------------------------------------------------ */

/* Where "NAME" or "NAME=..." begins as a word; NULL: it is not there. */
static char *find_word(char *value, const char *name)
{
	size_t len = strlen(name);
	char *s = value;

	while (*(s += strspn(s, " \t"))) {
		size_t end = strcspn(s, " \t");

		if (end >= len && !strncmp(s, name, len) &&
		    (end == len || s[len] == '='))
			return s;
		s += end;
	}
	return NULL;
}

bool case_text_word(const struct case_text *t, unsigned int i, const char *name,
		    unsigned long long *n)
{
	const char *word = find_word(t->line[i].value, name);
	const char *why;
	char text[24];
	size_t len;

	if (!word || word[strlen(name)] != '=')
		return false;
	word += strlen(name) + 1;
	len = strcspn(word, " \t");
	snprintf(text, sizeof(text), "%.*s", (int)len, word);
	return len < sizeof(text) && !number_parse(text, 0, ~0ULL, n, &why);
}

void case_text_set_word(struct case_text *t, unsigned int i, const char *name,
			const char *text)
{
	char *old = t->line[i].value;
	char *word = find_word(old, name);
	size_t before = word ? (size_t)(word - old) : strlen(old);
	const char *after = word ? word + strcspn(word, " \t") : "";
	size_t size =
		strlen(old) + strlen(name) + (text ? strlen(text) : 0) + 4;
	char *value = vec_checked(malloc(size));

	while (before && (old[before - 1] == ' ' || old[before - 1] == '\t'))
		before--;
	snprintf(value, size, "%.*s%s%s%s%s%s", (int)before, old,
		 text && before ? " " : "", text ? name : "", text ? "=" : "",
		 text ? text : "", after);
	free(old);
	t->line[i].value = value;
}
