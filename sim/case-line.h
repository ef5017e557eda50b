/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of a line of [steps], taken one after the other, and messages about
 * them. Private to the case parser.
 */
#ifndef RAID5SIM_CASE_LINE_H
#define RAID5SIM_CASE_LINE_H

#include "case-step.h"

/**
 * struct line - the line at hand
 * @text:	what is left of the value
 * @form:	what is accepted, for messages
 */
struct line {
	const char *verb;
	const char *value;
	char *text;
	const char *form;
	const struct source_pos *pos;
	struct diag *diag;
};

/** line_refuse - -EINVAL with a message: what is wrong, and the form */
int line_refuse(const struct line *l, const char *why);
/** line_refuse_word - the same about one word */
int line_refuse_word(const struct line *l, const char *word, const char *why);

/** line_result - cut "-> RESULT" off the end of the text, if it is there
 *  @any: "any" is fine too: then *@any becomes true; or NULL */
int line_result(struct line *l, int *result, bool *any);
/** line_end - nothing may be left */
int line_end(struct line *l);
/** line_number - a word that is an integer of 0 to @max */
int line_number(struct line *l, unsigned long long max, const char *what,
		unsigned long long *n);
/** line_rest - all that is left, without white space at the ends */
char *line_rest(struct line *l);

/** enum word_type - how the value of NAME=VALUE reads */
enum word_type {
	WORD_FLAG,   /* NAME: bool */
	WORD_UINT,   /* unsigned int, @min or more, @max or less */
	WORD_ULL,    /* unsigned long long, any */
	WORD_TIME,   /* unsigned long long: ns of 10ms */
	WORD_RANGE,  /* unsigned int[2]: 3 or 1-64 */
	WORD_BYTES,  /* unsigned long long[2], sectors: of 0-1M */
	WORD_CPUS,   /* struct cpu_bits * */
	WORD_CUSTOM, /* @parse does it */
};

/**
 * struct word_def - a word that may follow, in any order, each once
 * @offset:	of the field in what line_words() fills
 */
struct word_def {
	const char *name;
	enum word_type type;
	size_t offset;
	unsigned int min;
	unsigned int max;
	int (*parse)(const struct line *l, const char *word, char *value,
		     void *base);
};

/** line_words - all words that are left; @defs ends with a NULL name */
int line_words(struct line *l, const struct word_def *defs, void *base);

/* Verbs of other files: see docs/cases.md. */
int parse_io(struct line *l, struct case_step *s);
int parse_load(struct line *l, struct case_step *s);
int parse_wait(struct line *l, struct case_step *s);
int parse_verify(struct line *l, struct case_step *s);
int parse_bg(struct line *l, struct case_step *s);
int parse_disk(struct line *l, struct case_step *s);
int parse_bare_disk(struct line *l, struct case_step *s);
int parse_disk_error(struct line *l, struct case_step *s);
int parse_sync(struct line *l, struct case_step *s);
int parse_reshape(struct line *l, struct case_step *s);
int parse_power_cut(struct line *l, struct case_step *s);
int parse_only_result(struct line *l, struct case_step *s);
int parse_assemble(struct line *l, struct case_step *s);
int parse_shrink(struct line *l, struct case_step *s);
int parse_sleep(struct line *l, struct case_step *s);

#endif
