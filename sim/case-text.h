/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A case as lines that can be taken away and changed, to make a smaller one of
 * it. It knows sections and words, not what they mean; whether what is left is
 * a case, case.h says.
 */
#ifndef RAID5SIM_CASE_TEXT_H
#define RAID5SIM_CASE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "case.h"
#include "diag.h"

/** struct text_line - "[section]" (@key is NULL) or "key = value" */
struct text_line {
	char *section;
	char *key;
	char *value;
};

struct case_text {
	struct text_line *line;
	unsigned int count;
};

/** case_text_read - without comments and blank lines; 0 or -EINVAL */
int case_text_read(struct case_text *t, const char *path, struct diag *diag);
void case_text_copy(const struct case_text *from, struct case_text *to);
void case_text_free(struct case_text *t);

/** case_text_write - as a file */
void case_text_write(const struct case_text *t, FILE *out);

/**
 * case_text_load - the case that it is
 * @path:	what the case is called; files that it names are beside this
 * @c:		to be freed in either case
 *
 * Return: 0 or -EINVAL.
 */
int case_text_load(const struct case_text *t, const char *path,
		   unsigned long page_size, struct sim_case *c,
		   struct diag *diag);

/** case_text_is - is line @i one of @section with this @key (NULL: any)? */
bool case_text_is(const struct case_text *t, unsigned int i,
		  const char *section, const char *key);

/** case_text_drop - take line @i away */
void case_text_drop(struct case_text *t, unsigned int i);
/** case_text_drop_section - and its header; also all "[section ...]" */
void case_text_drop_section(struct case_text *t, const char *section);
/** case_text_add - a line at the end of a section, which is made if need be */
void case_text_add(struct case_text *t, const char *section, const char *key,
		   const char *value);
/** case_text_set - the value of line @i */
void case_text_set(struct case_text *t, unsigned int i, const char *value);

/**
 * case_text_word - the number after "NAME=" in line @i's value
 * Return: false: there is no such word, or it is no plain number.
 */
bool case_text_word(const struct case_text *t, unsigned int i, const char *name,
		    unsigned long long *n);
/** case_text_set_word - "NAME=TEXT" in place of the word NAME, or after the
 *  others; @text NULL: the word is taken away */
void case_text_set_word(struct case_text *t, unsigned int i, const char *name,
			const char *text);

#endif
