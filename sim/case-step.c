/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of [steps]: which verbs there are, and the lines of those that are
 * about no requests and no members. Nothing is run here.
 */
#include <errno.h>
#include <string.h>

#include "case-line.h"
#include "errname.h"
#include "vec.h"

static int take_cpu(struct line *l, struct case_step *s)
{
	unsigned long long n = 0;
	int err = line_number(l, MACHINE_MAX_CPUS - 1, "CPU", &n);

	s->cpu = (unsigned int)n;
	return err;
}

static int parse_create(struct line *l, struct case_step *s)
{
	char *word = case_word(&l->text);

	if (!word || errname_parse(word, &s->result))
		return line_refuse(l, word ? "unknown result" : "no result");
	return line_end(l);
}

static int parse_attr(struct line *l, struct case_step *s)
{
	char *name = case_word(&l->text);
	char *text = line_rest(l);

	if (!name)
		return line_refuse(l, "no attribute");
	if (!*text)
		return line_refuse(l, "no value");
	s->attr = vec_copy(name);
	s->text = vec_copy(text);
	return 0;
}

static int parse_set(struct line *l, struct case_step *s)
{
	int err = line_result(l, &s->result, NULL);

	return err ? err : parse_attr(l, s);
}

static int parse_touch(struct line *l, struct case_step *s)
{
	int err = line_result(l, &s->result, NULL);

	if (!err)
		err = take_cpu(l, s);
	if (!err && *line_rest(l))
		err = line_number(l, ~0ULL, "sector", &s->sector);
	return err ? err : line_end(l);
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

	return err ? err : line_end(l);
}

static int parse_bare(struct line *l, struct case_step *s)
{
	(void)s;
	return line_end(l);
}

static int parse_cpu(struct line *l, struct case_step *s)
{
	int err = line_result(l, &s->result, NULL);

	if (!err)
		err = take_cpu(l, s);
	if (!err)
		err = take_switch(l, "online", "offline", &s->on);
	return err ? err : line_end(l);
}

/* ------------------------------------------------------------------ */

#define MAYBE_RESULT "[-> ok or -EERRNO]"
#define NOTHING	     "nothing after '='"
#define ONLY_RESULT  "nothing, or -> ok or -EERRNO"
#define DISK_RESULT  "DISK " MAYBE_RESULT

static const struct {
	const char *name;
	const char *form;
	int (*parse)(struct line *l, struct case_step *s);
} verbs[STEP_VERBS] = {
	[STEP_CREATE] = {"create", ERRNAME_FORM, parse_create},
	[STEP_SET] = {"set", "ATTR VALUE " MAYBE_RESULT, parse_set},
	[STEP_GET] = {"get", "ATTR VALUE", parse_attr},
	[STEP_TOUCH] = {"touch", "CPU [SECTOR] " MAYBE_RESULT, parse_touch},
	[STEP_QUIESCE] = {"quiesce", "on or off", parse_quiesce},
	[STEP_SUSPEND] = {"suspend", ONLY_RESULT, parse_only_result},
	[STEP_RESUME] = {"resume", NOTHING, parse_bare},
	[STEP_CPU] = {"cpu", "N online or N offline " MAYBE_RESULT, parse_cpu},
	[STEP_STOP] = {"stop", NOTHING, parse_bare},
	[STEP_IO] = {"io",
		     "read, write, discard or write-zeroes SECTOR SECTORS "
		     "[cpu=N] [fua] [preflush] [sync] [nowait] [ahead], or "
		     "flush [cpu=N]; " MAYBE_RESULT,
		     parse_io},
	[STEP_LOAD] = {"load",
		       "NAME [writers=N] [readers=N] [cpus=LIST] [ops=N] "
		       "[sizes=N-N] [align=N] [region=SIZE-SIZE] "
		       "[mix=KIND:N,...] [depth=N] [plug=N] [seed=N] "
		       "[may-fail]",
		       parse_load},
	[STEP_WAIT] = {"wait", "a load's NAME, bg or all", parse_wait},
	[STEP_VERIFY] = {"verify", "nothing, or all", parse_verify},
	[STEP_REST] = {"rest", NOTHING, parse_bare},
	[STEP_BG] = {"bg",
		     "set ATTR VALUE..., shrink N, quiesce or suspend; "
		     "[times=N] [every=TIME] [cpu=N] "
		     "[-> ok, -EERRNO or any]",
		     parse_bg},
	[STEP_SHRINK] = {"shrink", "number of stripes", parse_shrink},
	[STEP_SLEEP] = {"sleep", "a time, e.g. 10ms", parse_sleep},
	[STEP_FAIL] = {"fail", DISK_RESULT, parse_disk},
	[STEP_REMOVE] = {"remove", DISK_RESULT, parse_disk},
	[STEP_ADD] = {"add", DISK_RESULT, parse_disk},
	[STEP_RE_ADD] = {"re-add", DISK_RESULT, parse_disk},
	[STEP_REPLACE] = {"replace", DISK_RESULT, parse_disk},
	[STEP_DISK_ERROR] = {"disk-error", "read or write, DISK SECTOR SECTORS",
			     parse_disk_error},
	[STEP_VANISH] = {"vanish", "DISK", parse_bare_disk},
	[STEP_HEAL] = {"heal", "DISK", parse_bare_disk},
	[STEP_SYNC] = {"sync",
		       "wait, check, repair, resync, recover, idle or "
		       "frozen " MAYBE_RESULT,
		       parse_sync},
	[STEP_RESHAPE] = {"reshape",
			  "one or more of disks N, chunk SIZE, level N, "
			  "layout NAME " MAYBE_RESULT,
			  parse_reshape},
	[STEP_POWER_CUT] = {"power-cut", "[torn] [seed=N]", parse_power_cut},
	[STEP_HALT] = {"halt", ONLY_RESULT, parse_only_result},
	[STEP_ASSEMBLE] = {"assemble", "[without LIST] " MAYBE_RESULT,
			   parse_assemble},
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

/* All verbs in one line, for messages. */
static void list_verbs(char *buf, size_t size)
{
	size_t used = 0;

	for (unsigned int i = 0; i < STEP_VERBS && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i ? ", " : "", verbs[i].name);
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
	char names[STEP_VERBS * 14];
	struct case_step *s;
	struct line l;
	char *copy;
	int err;

	if (v == STEP_VERBS) {
		list_verbs(names, sizeof(names));
		return diag_set(diag, pos, verb, NULL, names, "no such step");
	}
	copy = vec_copy(value);
	l = (struct line){verb, value, copy, verbs[v].form, pos, diag};
	s = add_step(c);
	s->verb = v;
	s->line = pos->line;
	err = verbs[v].parse(&l, s);
	free(copy);
	return err;
}

static void free_bg(struct case_bg *bg)
{
	for (unsigned int i = 0; bg && i < bg->values; i++)
		free(bg->value[i]);
	if (bg) {
		free(bg->value);
		free(bg->attr);
	}
	free(bg);
}

void case_step_free(struct case_step *s)
{
	if (s->load)
		free(s->load->name);
	free(s->load);
	free_bg(s->bg);
	param_list_free(&s->reshape);
	free(s->attr);
	free(s->text);
}
