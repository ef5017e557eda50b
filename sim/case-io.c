/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of [steps] that are about requests and what goes on beside them: io,
 * load, wait, verify, bg, shrink, sleep. Nothing is run here.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "case-line.h"
#include "list.h"
#include "schedule.h"
#include "size.h"
#include "vec.h"

/* A request has at most 256 pages (struct kern_io); of 4K, the smallest. */
#define SECTORS_MAX 2048
#define OPS_MAX	    100000000
#define TASKS_MAX   256
#define DEPTH_MAX   256
#define TIMES_MAX   1000000

/* ------------------------------------------------------------------ */
/* io, verify							      */

static const struct {
	const char *name;
	enum kern_io_op op;
} ops[] = {
	{"read", KERN_READ},	   {"write", KERN_WRITE},
	{"discard", KERN_DISCARD}, {"write-zeroes", KERN_WRITE_ZEROES},
	{"flush", KERN_FLUSH},
};

static int take_op(struct line *l, enum kern_io_op *op)
{
	const char *word = case_word(&l->text);

	if (!word)
		return line_refuse(l, "nothing to do");
	for (unsigned int i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(ops[i].name, word))
			continue;
		*op = ops[i].op;
		return 0;
	}
	return line_refuse_word(l, word, "unknown request");
}

static int take_sectors(struct line *l, struct case_io *io)
{
	unsigned long long n = 0;
	int err;

	err = line_number(l, ~0ULL - SECTORS_MAX, "sector", &io->sector);
	if (!err)
		err = line_number(l, SECTORS_MAX, "number of sectors", &n);
	if (!err && !n)
		err = line_refuse(l, "no sectors");
	io->sectors = (unsigned int)n;
	return err;
}

/** struct io_words - what may follow the sectors */
struct io_words {
	unsigned int cpu;
	bool fua;
	bool preflush;
	bool sync;
	bool nowait;
	bool ahead;
};

static const struct word_def io_defs[] = {
	{"cpu", WORD_UINT, offsetof(struct io_words, cpu), 0,
	 MACHINE_MAX_CPUS - 1, NULL},
	{"fua", WORD_FLAG, offsetof(struct io_words, fua), 0, 0, NULL},
	{"preflush", WORD_FLAG, offsetof(struct io_words, preflush), 0, 0,
	 NULL},
	{"sync", WORD_FLAG, offsetof(struct io_words, sync), 0, 0, NULL},
	{"nowait", WORD_FLAG, offsetof(struct io_words, nowait), 0, 0, NULL},
	{"ahead", WORD_FLAG, offsetof(struct io_words, ahead), 0, 0, NULL},
	{NULL, WORD_FLAG, 0, 0, 0, NULL},
};

static int check_flags(const struct line *l, const struct case_io *io)
{
	unsigned int writes = KERN_IO_FUA | KERN_IO_PREFLUSH;

	if (io->op != KERN_WRITE && io->flags & writes)
		return line_refuse(l, "fua and preflush are for writes");
	if (io->op != KERN_READ && io->flags & KERN_IO_RAHEAD)
		return line_refuse(l, "ahead is for reads");
	if (io->op == KERN_FLUSH && io->flags)
		return line_refuse(l, "a flush has no such words");
	return 0;
}

static int take_flags(struct line *l, struct case_step *s)
{
	struct io_words w = {.cpu = UINT_MAX};
	struct case_io *io = &s->io;

	if (line_words(l, io_defs, &w))
		return -EINVAL;
	io->on_cpu = w.cpu != UINT_MAX;
	if (io->on_cpu)
		s->cpu = w.cpu;
	io->flags = (w.fua ? KERN_IO_FUA : 0) |
		    (w.preflush ? KERN_IO_PREFLUSH : 0) |
		    (w.sync ? KERN_IO_SYNC : 0) |
		    (w.nowait ? KERN_IO_NOWAIT : 0) |
		    (w.ahead ? KERN_IO_RAHEAD : 0);
	return check_flags(l, io);
}

int parse_io(struct line *l, struct case_step *s)
{
	int err;

	err = line_result(l, &s->result, NULL);
	if (!err)
		err = take_op(l, &s->io.op);
	if (!err && s->io.op != KERN_FLUSH)
		err = take_sectors(l, &s->io);
	return err ? err : take_flags(l, s);
}

int parse_verify(struct line *l, struct case_step *s)
{
	const char *word = case_word(&l->text);

	if (word && strcmp(word, "all"))
		return line_refuse_word(l, word, "unknown word");
	s->io.whole = word != NULL;
	return line_end(l);
}

/* ------------------------------------------------------------------ */
/* load								      */

static const char *const kinds[LOAD_KINDS] = {
	[LOAD_PARTIAL] = "partial", [LOAD_PAGE] = "page",
	[LOAD_FULL] = "full",	    [LOAD_CROSS] = "cross",
	[LOAD_DISCARD] = "discard", [LOAD_FLUSH] = "flush",
	[LOAD_FUA] = "fua",	    [LOAD_PREFLUSH] = "preflush",
	[LOAD_READ] = "read",
};

static int set_weight(const struct line *l, char *item, struct case_load *load)
{
	char *colon = strchr(item, ':');
	unsigned long long n = 1;
	const char *why;

	if (colon) {
		*colon = '\0';
		if (number_parse(colon + 1, 1, 1000000, &n, &why))
			return line_refuse_word(l, item, why);
	}
	for (unsigned int i = 0; i < LOAD_KINDS; i++) {
		if (strcmp(kinds[i], item))
			continue;
		if (load->mix[i])
			return line_refuse_word(l, item, "given twice");
		load->mix[i] = (unsigned int)n;
		return 0;
	}
	return line_refuse_word(l, item,
				"not one of partial, page, full, cross, "
				"discard, flush, fua, preflush, read");
}

/* partial:6,full:1,flush */
static int parse_mix(const struct line *l, const char *name, char *value,
		     void *base)
{
	char *save = NULL;
	char *item;

	(void)name;
	for (item = strtok_r(value, ",", &save); item;
	     item = strtok_r(NULL, ",", &save))
		if (set_weight(l, item, base))
			return -EINVAL;
	return 0;
}

#define FIELD(name) offsetof(struct case_load, name)

static const struct word_def load_defs[] = {
	{"writers", WORD_UINT, FIELD(writers), 0, TASKS_MAX, NULL},
	{"readers", WORD_UINT, FIELD(readers), 0, TASKS_MAX, NULL},
	{"cpus", WORD_CPUS, FIELD(cpus), 0, 0, NULL},
	{"ops", WORD_UINT, FIELD(ops), 1, OPS_MAX, NULL},
	{"sizes", WORD_RANGE, FIELD(sizes), 1, SECTORS_MAX, NULL},
	{"align", WORD_UINT, FIELD(align), 1, 1U << 20, NULL},
	{"region", WORD_BYTES, FIELD(region), 0, 0, NULL},
	{"mix", WORD_CUSTOM, 0, 0, 0, parse_mix},
	{"depth", WORD_UINT, FIELD(depth), 1, DEPTH_MAX, NULL},
	{"plug", WORD_UINT, FIELD(plug), 1, 1000, NULL},
	{"seed", WORD_ULL, FIELD(seed), 0, 0, NULL},
	{"may-fail", WORD_FLAG, FIELD(may_fail), 0, 0, NULL},
	{NULL, WORD_FLAG, 0, 0, 0, NULL},
};

static void default_mix(struct case_load *load)
{
	for (unsigned int i = 0; i < LOAD_KINDS; i++)
		if (load->mix[i])
			return;
	load->mix[LOAD_PARTIAL] = 6;
	load->mix[LOAD_PAGE] = 2;
	load->mix[LOAD_FULL] = 1;
	load->mix[LOAD_CROSS] = 1;
	load->mix[LOAD_FLUSH] = 1;
	load->mix[LOAD_FUA] = 1;
}

int parse_load(struct line *l, struct case_step *s)
{
	char *name = case_word(&l->text);
	struct case_load *load;

	if (!name || strchr(name, '='))
		return line_refuse(l, "no name");
	if (!strcmp(name, "all"))
		return line_refuse_word(l, name, "not a name");
	load = vec_checked(calloc(1, sizeof(*load)));
	s->load = load;
	*load = (struct case_load){
		.name = vec_copy(name),
		.writers = 1,
		.ops = 100,
		.sizes = {1, 64},
		.align = 1,
		.region = {0, 2048},
		.depth = 1,
		.seed = 1,
	};
	if (line_words(l, load_defs, load))
		return -EINVAL;
	if (!load->writers && !load->readers)
		return line_refuse(l, "neither writers nor readers");
	default_mix(load);
	return 0;
}

int parse_wait(struct line *l, struct case_step *s)
{
	const char *word = case_word(&l->text);

	if (!word)
		return line_refuse(l, "for what?");
	if (strcmp(word, "all"))
		s->attr = vec_copy(word);
	return line_end(l);
}

/* ------------------------------------------------------------------ */
/* bg, shrink, sleep						      */

/** struct bg_words - words that may follow; the values of set are no words */
struct bg_words {
	unsigned int times;
	unsigned int cpu;
	unsigned long long every;
};

static const struct word_def bg_defs[] = {
	{"times", WORD_UINT, offsetof(struct bg_words, times), 1, TIMES_MAX,
	 NULL},
	{"cpu", WORD_UINT, offsetof(struct bg_words, cpu), 0,
	 MACHINE_MAX_CPUS - 1, NULL},
	{"every", WORD_TIME, offsetof(struct bg_words, every), 0, 0, NULL},
	{NULL, WORD_FLAG, 0, 0, 0, NULL},
};

static bool is_bg_word(const char *text)
{
	for (const struct word_def *d = bg_defs; d->name; d++) {
		size_t len = strlen(d->name);

		if (!strncmp(text, d->name, len) && text[len] == '=')
			return true;
	}
	return false;
}

static void add_value(struct case_bg *bg, const char *value)
{
	void *base = bg->value;
	char **slot = vec_add(&base, &bg->values, sizeof(*slot));

	bg->value = base;
	*slot = vec_copy(value);
}

static int take_values(struct line *l, struct case_bg *bg)
{
	char *word = case_word(&l->text);

	if (!word)
		return line_refuse(l, "no attribute");
	bg->attr = vec_copy(word);
	for (;;) {
		l->text += strspn(l->text, " \t");
		if (!*l->text || is_bg_word(l->text))
			break;
		add_value(bg, case_word(&l->text));
	}
	return bg->values ? 0 : line_refuse(l, "no value");
}

static int take_bg(struct line *l, struct case_bg *bg)
{
	const char *word = case_word(&l->text);

	if (!word)
		return line_refuse(l, "nothing to do");
	if (!strcmp(word, "set")) {
		bg->kind = BG_SET;
		return take_values(l, bg);
	}
	if (!strcmp(word, "shrink")) {
		bg->kind = BG_SHRINK;
		return line_number(l, LONG_MAX, "number of stripes",
				   &bg->objects);
	}
	bg->kind = strcmp(word, "quiesce") ? BG_SUSPEND : BG_QUIESCE;
	if (bg->kind == BG_SUSPEND && strcmp(word, "suspend"))
		return line_refuse_word(l, word, "nothing that can be done");
	return 0;
}

int parse_bg(struct line *l, struct case_step *s)
{
	struct bg_words w = {.times = 1, .cpu = UINT_MAX, .every = 1000000};
	struct case_bg *bg = vec_checked(calloc(1, sizeof(*bg)));

	s->bg = bg;
	if (line_result(l, &bg->result, &bg->any) || take_bg(l, bg) ||
	    line_words(l, bg_defs, &w))
		return -EINVAL;
	bg->times = w.times;
	bg->every = w.every;
	bg->on_cpu = w.cpu != UINT_MAX;
	bg->cpu = w.cpu;
	return 0;
}

int parse_shrink(struct line *l, struct case_step *s)
{
	int err = line_number(l, LONG_MAX, "number of stripes", &s->number);

	return err ? err : line_end(l);
}

int parse_sleep(struct line *l, struct case_step *s)
{
	const char *word = case_word(&l->text);

	if (!word || schedule_time_parse(word, &s->number))
		return line_refuse(l, word ? "not a time" : "for how long?");
	return line_end(l);
}
