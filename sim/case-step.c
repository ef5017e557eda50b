/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of [steps]: what each verb takes, and the order in which steps make
 * sense. Nothing is run here.
 */
#include <errno.h>
#include <string.h>

#include "case-step.h"
#include "errname.h"
#include "list.h"
#include "size.h"
#include "vec.h"

#define ARROW "->"

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

static int refuse(const struct line *l, const char *why)
{
	return diag_set(l->diag, l->pos, l->verb, l->value, l->form, "%s", why);
}

/* Cut "-> RESULT" off the end of the text. */
static int take_result(struct line *l, struct case_step *s)
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
		return refuse(l, "no result after '->'");
	if (errname_parse(word, &s->result))
		return refuse(l, "unknown result after '->'");
	if (case_word(&rest))
		return refuse(l, "text after the result");
	return 0;
}

static int nothing_left(struct line *l)
{
	return case_word(&l->text) ? refuse(l, "unexpected text at the end")
				   : 0;
}

static int take_number(struct line *l, unsigned long long max, const char *what,
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

static int take_cpu(struct line *l, struct case_step *s)
{
	unsigned long long n = 0;
	int err = take_number(l, MACHINE_MAX_CPUS - 1, "CPU", &n);

	s->cpu = (unsigned int)n;
	return err;
}

static char *trim(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strlen(s);
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		s[--len] = '\0';
	return s;
}

/* ------------------------------------------------------------------ */

static int parse_create(struct line *l, struct case_step *s)
{
	char *word = case_word(&l->text);

	if (!word || errname_parse(word, &s->result))
		return refuse(l, word ? "unknown result" : "no result");
	return nothing_left(l);
}

static int parse_attr(struct line *l, struct case_step *s)
{
	char *name = case_word(&l->text);
	char *text = trim(l->text);

	if (!name)
		return refuse(l, "no attribute");
	if (!*text)
		return refuse(l, "no value");
	s->attr = vec_copy(name);
	s->text = vec_copy(text);
	return 0;
}

static int parse_set(struct line *l, struct case_step *s)
{
	int err = take_result(l, s);

	return err ? err : parse_attr(l, s);
}

static int parse_touch(struct line *l, struct case_step *s)
{
	int err = take_result(l, s);

	if (!err)
		err = take_cpu(l, s);
	if (!err && *trim(l->text))
		err = take_number(l, ~0ULL, "sector", &s->sector);
	return err ? err : nothing_left(l);
}

/* One of two words. */
static int take_switch(struct line *l, const char *on, const char *off,
		       bool *is_on)
{
	const char *word = case_word(&l->text);

	if (!word || (strcmp(word, on) && strcmp(word, off)))
		return diag_set(l->diag, l->pos, l->verb, l->value, l->form,
				"neither %s nor %s", on, off);
	*is_on = !strcmp(word, on);
	return 0;
}

static int parse_quiesce(struct line *l, struct case_step *s)
{
	int err = take_switch(l, "on", "off", &s->on);

	return err ? err : nothing_left(l);
}

static int parse_suspend(struct line *l, struct case_step *s)
{
	int err = take_result(l, s);

	return err ? err : nothing_left(l);
}

static int parse_bare(struct line *l, struct case_step *s)
{
	(void)s;
	return nothing_left(l);
}

static int parse_cpu(struct line *l, struct case_step *s)
{
	int err = take_result(l, s);

	if (!err)
		err = take_cpu(l, s);
	if (!err)
		err = take_switch(l, "online", "offline", &s->on);
	return err ? err : nothing_left(l);
}

static const struct {
	const char *name;
	const char *form;
	int (*parse)(struct line *l, struct case_step *s);
} verbs[STEP_VERBS] = {
	[STEP_CREATE] = {"create", ERRNAME_FORM, parse_create},
	[STEP_SET] = {"set", "ATTR VALUE [-> ok or -EERRNO]", parse_set},
	[STEP_GET] = {"get", "ATTR VALUE", parse_attr},
	[STEP_TOUCH] = {"touch", "CPU [SECTOR] [-> ok or -EERRNO]",
			parse_touch},
	[STEP_QUIESCE] = {"quiesce", "on or off", parse_quiesce},
	[STEP_SUSPEND] = {"suspend", "nothing, or -> ok or -EERRNO",
			  parse_suspend},
	[STEP_RESUME] = {"resume", "nothing after '='", parse_bare},
	[STEP_CPU] = {"cpu", "N online or N offline [-> ok or -EERRNO]",
		      parse_cpu},
	[STEP_STOP] = {"stop", "nothing after '='", parse_bare},
};

const char *step_verb_name(enum step_verb verb)
{
	return verbs[verb].name;
}

static enum step_verb find_verb(const char *name)
{
	for (unsigned int i = 0; i < STEP_VERBS; i++)
		if (!strcmp(verbs[i].name, name))
			return (enum step_verb)i;
	return STEP_VERBS;
}

static struct case_step *add_step(struct sim_case *c)
{
	void *base = c->step;
	struct case_step *s = vec_add(&base, &c->step_count, sizeof(*s));

	c->step = base;
	return s;
}

int case_step_add(struct sim_case *c, const char *verb, const char *value,
		  const struct source_pos *pos, struct diag *diag)
{
	enum step_verb v = find_verb(verb);
	struct case_step *s;
	struct line l;
	char *copy;
	int err;

	if (v == STEP_VERBS)
		return diag_set(diag, pos, verb, NULL,
				"create, set, get, touch, quiesce, suspend, "
				"resume, cpu, stop",
				"no such step");
	copy = vec_copy(value);
	l = (struct line){verb, value, copy, verbs[v].form, pos, diag};
	s = add_step(c);
	s->verb = v;
	s->line = pos->line;
	err = verbs[v].parse(&l, s);
	free(copy);
	return err;
}

/* ------------------------------------------------------------------ */

/*
 * What is there at a step:
 *
 *	          create			   quiesce on
 *	no array ---------> array, going on <-------------------> quiesced
 *	    ^  <-----------    |  suspend / resume: the same
 *	         stop
 */
struct state {
	bool array;
	bool quiesced;
	bool suspended;
};

static const char *do_create(struct state *st, const struct case_step *s)
{
	if (st->array)
		return "there is an array already; stop it first";
	st->array = !s->result;
	return NULL;
}

static const char *do_quiesce(struct state *st, const struct case_step *s)
{
	if (st->quiesced == s->on)
		return s->on ? "it is quiesced already" : "it is not quiesced";
	st->quiesced = s->on;
	return NULL;
}

static const char *do_suspend(struct state *st, const struct case_step *s)
{
	if (st->suspended)
		return "it is suspended already";
	st->suspended = !s->result;
	return NULL;
}

static const char *do_resume(struct state *st)
{
	if (!st->suspended)
		return "it is not suspended";
	st->suspended = false;
	return NULL;
}

static const char *do_stop(struct state *st)
{
	if (st->quiesced || st->suspended)
		return "it is quiesced or suspended; let it go on first";
	st->array = false;
	return NULL;
}

/* Returns why the step cannot be done, or NULL. */
static const char *do_step(struct state *st, const struct case_step *s)
{
	if (s->verb == STEP_CREATE)
		return do_create(st, s);
	if (s->verb == STEP_CPU)
		return NULL;
	if (!st->array)
		return "there is no array at this step";
	switch (s->verb) {
	case STEP_QUIESCE:
		return do_quiesce(st, s);
	case STEP_SUSPEND:
		return do_suspend(st, s);
	case STEP_RESUME:
		return do_resume(st);
	case STEP_STOP:
		return do_stop(st);
	default:
		return NULL;
	}
}

static const char *check_cpu(const struct sim_case *c,
			     const struct case_step *s)
{
	if (s->verb != STEP_TOUCH && s->verb != STEP_CPU)
		return NULL;
	if (cpu_bits_test(&c->machine->possible_cpus, s->cpu))
		return NULL;
	return "that CPU is not possible on this machine";
}

int case_steps_check(const struct sim_case *c, struct diag *diag)
{
	struct state st = {false, false, false};
	const char *why;

	for (unsigned int i = 0; i < c->step_count; i++) {
		const struct case_step *s = &c->step[i];
		struct source_pos pos = {c->path, s->line};

		why = do_step(&st, s);
		if (!why)
			why = check_cpu(c, s);
		if (why)
			return diag_set(diag, &pos, verbs[s->verb].name, NULL,
					NULL, "%s", why);
	}
	return 0;
}
