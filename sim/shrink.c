/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shrinking. A smaller case makes other choices than the large one: its
 * schedule has to be found again. So each attempt is made under the schedule
 * at hand, in order, and under some seeds; the first that shows the finding is
 * the new schedule at hand. When the case gets no smaller, the schedule's own
 * turn comes: written as what it does unlike in order, most of it can go.
 *
 *	case ----> fewer steps, requests, CPUs, disks ----+
 *	 ^							   | under any
 *schedule
 *	 +--- until nothing changes --- list, ddmin <-----+
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "case-text.h"
#include "ddmin.h"
#include "host/run.h"
#include "list.h"
#include "machine.h"
#include "run-pool.h"
#include "schedule.h"
#include "shrink.h"
#include "vec.h"

#define SEEDS	  6 /* schedules that an attempt is made under beside two */
#define TRIES	  (SEEDS + 2)
#define ROUNDS	  4
#define FEW_TRIES 1000 /* lists of one change, and of two, that are tried */

/**
 * struct attempt - a case under some schedules
 * @shown:	first schedule that shows the finding, -1: none does
 * @choices:	of the first run
 */
struct attempt {
	struct shrink *s;
	struct job job[TRIES];
	unsigned int count;
	int shown;
	unsigned long long choices;
	struct finding found;
	struct sched_change *change;
	unsigned int changes;
	bool want_changes;
};

/* ------------------------------------------------------------------ */
/* Running							      */

static bool is_meant(const struct shrink *s, const struct finding *f)
{
	return f->kind == s->found.kind &&
	       !strcmp(f->where.function, s->found.where.function);
}

static void keep_changes(struct attempt *a, const struct job *j)
{
	size_t size = j->outcome->changes * sizeof(*a->change);

	a->changes = j->outcome->changes;
	a->change = vec_checked(malloc(size + 1));
	memcpy(a->change, j->change, size);
}

static void on_done(void *arg, unsigned int index, const struct job *j)
{
	struct attempt *a = arg;
	const struct outcome *o = j->outcome;

	if (!index)
		a->choices = o->sched.choices;
	for (unsigned int i = 0; i < o->findings && i < OUTCOME_FINDINGS; i++) {
		if (a->shown >= 0 || !is_meant(a->s, &o->finding[i]))
			continue;
		a->shown = (int)index;
		a->found = o->finding[i];
		if (a->want_changes)
			keep_changes(a, j);
	}
}

static void run_jobs(struct attempt *a)
{
	struct pool pool = {
		.job = a->job,
		.count = a->count,
		.at_once = a->s->at_once,
		.time_limit = a->s->time_limit,
		.done = on_done,
		.arg = a,
	};

	a->shown = -1;
	if (a->s->done + a->count > a->s->runs || pool_run(&pool))
		return;
	a->s->done += a->count;
}

static void add_job(struct attempt *a, const struct sim_case *c,
		    const struct schedule *s)
{
	struct job *j = &a->job[a->count++];

	memset(j, 0, sizeof(*j));
	j->c = *c;
	j->c.schedule.s = *s;
	j->c.schedule.want_changes = a->want_changes;
}

/* Does @c show the finding under this one schedule? */
static bool shows(struct shrink *s, const struct sim_case *c,
		  const struct schedule *under, struct attempt *a)
{
	a->s = s;
	a->count = 0;
	add_job(a, c, under);
	run_jobs(a);
	return a->shown == 0;
}

/* Some of each kind; what it is like that helps is not known. */
static void seeded(unsigned int i, unsigned int points,
		   unsigned long long choices, struct schedule *out)
{
	static const unsigned int rates[] = {16, 4, 64, 2, 256, 8, 32};

	*out = (struct schedule){
		.strategy = i % 2 ? SCHED_PCT : SCHED_RANDOM,
		.points = points,
		.seed = 1 + i,
		.rate = rates[i / 2 % 7],
		.depth = 2 + i / 2 % 3,
		.length = choices ? choices : 1,
	};
}

static bool search(struct attempt *a, const struct sim_case *c)
{
	unsigned int points = a->s->schedule.points;
	struct schedule s;

	a->count = 0;
	s = (struct schedule){.points = points};
	add_job(a, c, &s);
	for (unsigned int i = 0; i < SEEDS; i++) {
		seeded(i, points, a->choices, &s);
		add_job(a, c, &s);
	}
	run_jobs(a);
	return a->shown >= 0;
}

/* ------------------------------------------------------------------ */
/* Attempts							      */

/* Take over @text and the schedule under which it shows the finding. */
static void accept(struct shrink *s, struct case_text *text,
		   const struct attempt *a)
{
	struct schedule found;

	schedule_copy(&a->job[a->shown].c.schedule.s, &found);
	schedule_free(&s->schedule);
	s->schedule = found;
	s->found = a->found;
	case_text_free(&s->text);
	s->text = *text;
}

/* Consumes @text. Is it a case that shows the finding? Then it is the one. */
static bool attempt(struct shrink *s, struct case_text *text)
{
	struct attempt *a = vec_checked(calloc(1, sizeof(*a)));
	struct diag diag = {""};
	struct sim_case c;
	bool good = false;

	if (!case_text_load(text, s->path, kern_subject.page_size, &c, &diag))
		good = shows(s, &c, &s->schedule, a) || search(a, &c);
	if (good)
		accept(s, text, a);
	else
		case_text_free(text);
	case_free(&c);
	free(a);
	return good;
}

static bool without_line(struct shrink *s, unsigned int i)
{
	struct case_text t;

	case_text_copy(&s->text, &t);
	case_text_drop(&t, i);
	return attempt(s, &t);
}

static bool with_value(struct shrink *s, unsigned int i, const char *value)
{
	struct case_text t;

	case_text_copy(&s->text, &t);
	case_text_set(&t, i, value);
	return attempt(s, &t);
}

static bool with_word(struct shrink *s, unsigned int i, const char *name,
		      const char *text)
{
	struct case_text t;

	case_text_copy(&s->text, &t);
	case_text_set_word(&t, i, name, text);
	return attempt(s, &t);
}

/* ------------------------------------------------------------------ */
/* Smaller cases						      */

/** struct step_test - a case of which some steps are left out
 *  @text: all of them */
struct step_test {
	struct shrink *s;
	struct case_text text;
};

static bool is_step(const struct case_text *t, unsigned int i)
{
	return case_text_is(t, i, "steps", NULL) &&
	       !case_text_is(t, i, "steps", "create");
}

/* Items are line numbers, by ascending number. */
static bool steps_show(void *arg, const void *items, size_t count)
{
	struct step_test *x = arg;
	const unsigned int *kept = items;
	struct case_text t;

	case_text_copy(&x->text, &t);
	for (unsigned int i = t.count; i--;) {
		if (!is_step(&t, i))
			continue;
		if (count && kept[count - 1] == i)
			count--;
		else
			case_text_drop(&t, i);
	}
	return attempt(x->s, &t);
}

static bool fewer_steps(struct shrink *s)
{
	struct step_test x = {.s = s};
	unsigned int *steps =
		vec_checked(calloc(s->text.count + 1, sizeof(*steps)));
	size_t before = 0;
	size_t after;

	for (unsigned int i = 0; i < s->text.count; i++)
		if (is_step(&s->text, i))
			steps[before++] = i;
	case_text_copy(&s->text, &x.text);
	after = ddmin(steps, before, sizeof(*steps), steps_show, &x);
	case_text_free(&x.text);
	free(steps);
	return after < before;
}

/* Lines whose default may do. */
static bool fewer_keys(struct shrink *s)
{
	bool any = false;

	for (unsigned int i = s->text.count; i--;) {
		if (i >= s->text.count)
			continue;
		if (case_text_is(&s->text, i, "params", NULL) ||
		    case_text_is(&s->text, i, "array", "rotational") ||
		    case_text_is(&s->text, i, "array", "spares") ||
		    case_text_is(&s->text, i, "array", "missing") ||
		    case_text_is(&s->text, i, "array", "write-cache") ||
		    case_text_is(&s->text, i, "array", "dirty") ||
		    case_text_is(&s->text, i, "schedule", "disk-times"))
			any = without_line(s, i) || any;
	}
	return any;
}

/* A number in a line: as small as halving makes it. */
static bool halve_word(struct shrink *s, unsigned int i, const char *name,
		       unsigned long long least)
{
	unsigned long long n;
	char text[24];
	bool any = false;

	while (case_text_word(&s->text, i, name, &n) && n > least) {
		unsigned long long less = n / 2 > least ? n / 2 : least;

		snprintf(text, sizeof(text), "%llu", less);
		if (!with_word(s, i, name, text)) {
			snprintf(text, sizeof(text), "%llu", n - 1);
			if (n - 1 == less || !with_word(s, i, name, text))
				break;
		}
		any = true;
	}
	return any;
}

/* A word of NAME=...: without it, or else with a given one. */
static bool simpler_word(struct shrink *s, unsigned int i, const char *name,
			 const char *text)
{
	struct case_text t;
	bool there;

	case_text_copy(&s->text, &t);
	case_text_set_word(&t, i, name, NULL);
	there = strcmp(t.line[i].value, s->text.line[i].value) != 0;
	case_text_free(&t);
	if (!there)
		return false;
	if (with_word(s, i, name, NULL))
		return true;
	return text && with_word(s, i, name, text);
}

static bool smaller_load(struct shrink *s, unsigned int i)
{
	bool any = false;

	any = halve_word(s, i, "ops", 1) || any;
	any = halve_word(s, i, "readers", 0) || any;
	any = halve_word(s, i, "writers", 0) || any;
	any = halve_word(s, i, "depth", 1) || any;
	any = simpler_word(s, i, "plug", NULL) || any;
	any = simpler_word(s, i, "cpus", NULL) || any;
	if (strcmp(s->text.line[i].value, "") && !any)
		any = simpler_word(s, i, "align", NULL);
	return any;
}

/* Fewer kinds, fewer sizes, less room: each only once a case. */
static bool simpler_load(struct shrink *s, unsigned int i)
{
	static const char *const mixes[] = {"page", "partial", "full", "cross"};
	static const char *const regions[] = {"16K", "64K", "256K"};
	bool any = false;

	for (unsigned int k = 0; k < 4 && !any; k++)
		any = simpler_word(s, i, "mix", NULL) ||
		      with_word(s, i, "mix", mixes[k]);
	any = with_word(s, i, "sizes", "8") || any;
	for (unsigned int k = 0; k < 3; k++)
		if (with_word(s, i, "region", regions[k]))
			return true;
	return any;
}

static bool smaller_loads(struct shrink *s, bool simpler)
{
	bool any = false;

	for (unsigned int i = 0; i < s->text.count; i++) {
		if (case_text_is(&s->text, i, "steps", "load"))
			any = (simpler ? simpler_load(s, i)
				       : smaller_load(s, i)) ||
			      any;
		if (case_text_is(&s->text, i, "steps", "bg"))
			any = halve_word(s, i, "times", 1) || any;
	}
	return any;
}

static bool smaller_machine(struct shrink *s, unsigned int now)
{
	for (unsigned int cpus = 1; cpus < now && cpus <= 8; cpus *= 2) {
		struct case_text t;
		char text[12];

		snprintf(text, sizeof(text), "%u", cpus);
		case_text_copy(&s->text, &t);
		case_text_drop_section(&t, "machine");
		case_text_add(&t, "machine", "cpus", text);
		if (attempt(s, &t))
			return true;
	}
	return false;
}

static bool smaller_array(struct shrink *s)
{
	bool any = false;

	for (unsigned int i = 0; i < s->text.count; i++) {
		unsigned long disks;
		char text[24];

		if (!case_text_is(&s->text, i, "array", "disks"))
			continue;
		while ((disks = strtoul(s->text.line[i].value, NULL, 10)) > 3) {
			snprintf(text, sizeof(text), "%lu", disks - 1);
			if (!with_value(s, i, text))
				break;
			any = true;
		}
	}
	return any;
}

/* ------------------------------------------------------------------ */
/* Sizes							      */

static void count_step(const struct case_step *s, struct shrink_size *n)
{
	unsigned int tasks;

	n->steps++;
	n->tasks += s->verb == STEP_BG;
	if (s->verb == STEP_IO)
		n->requests++;
	if (s->verb != STEP_LOAD)
		return;
	tasks = s->load->writers + s->load->readers;
	n->tasks += tasks;
	n->requests += (unsigned long)tasks * s->load->ops;
}

static void measure(struct shrink *s, struct shrink_size *n)
{
	struct diag diag = {""};
	struct sim_case c;

	*n = (struct shrink_size){.changes = n->changes};
	if (!case_text_load(&s->text, s->path, kern_subject.page_size, &c,
			    &diag)) {
		for (unsigned int i = 0; i < c.step_count; i++)
			count_step(&c.step[i], n);
		n->cpus = cpu_bits_weight(&c.machine->online_cpus);
		n->disks = (unsigned int)(c.array.desc.disks +
					  c.array.desc.spares);
	}
	case_free(&c);
}

/* ------------------------------------------------------------------ */
/* Shorter schedules						      */

/** struct list_test - a case that is tried under parts of a list */
struct list_test {
	struct shrink *s;
	struct sim_case c;
	struct attempt *a;
};

static bool list_shows(void *arg, const void *items, size_t count)
{
	struct list_test *t = arg;
	struct schedule under = {
		.strategy = SCHED_LIST,
		.points = t->s->schedule.points,
		.change = items,
		.changes = (unsigned int)count,
	};

	return shows(t->s, &t->c, &under, t->a);
}

static void take_list(struct shrink *s, struct sched_change *list, size_t count)
{
	struct schedule found = {
		.strategy = SCHED_LIST,
		.points = s->schedule.points,
		.change = list,
		.changes = (unsigned int)count,
	};
	struct schedule copy;

	schedule_copy(&found, &copy);
	schedule_free(&s->schedule);
	s->schedule = copy;
}

/* Returns whether the schedule is a list now that shows the finding. */
static bool make_list(struct list_test *t)
{
	struct attempt *a = t->a;
	bool good;

	a->want_changes = true;
	good = shows(t->s, &t->c, &t->s->schedule, a);
	a->want_changes = false;
	if (!good)
		return false;
	good = list_shows(t, a->change, a->changes);
	if (good)
		take_list(t->s, a->change, a->changes);
	free(a->change);
	a->change = NULL;
	return good;
}

static bool fewer_points(struct list_test *t)
{
	unsigned int points = t->s->schedule.points;
	struct schedule without = t->s->schedule;

	if (t->s->schedule.changes || !points)
		return false;
	without.points = 0;
	if (!shows(t->s, &t->c, &without, t->a))
		return false;
	t->s->schedule.points = 0;
	return true;
}

static bool shorter_list(struct list_test *t)
{
	struct schedule *s = &t->s->schedule;
	size_t before = s->changes;
	struct sched_change *list =
		vec_checked(malloc((before + 1) * sizeof(*list)));
	size_t n = before;

	memcpy(list, s->change, before * sizeof(*list));
	n = ddmin_prefix(list, n, list_shows, t);
	n = ddmin(list, n, sizeof(*list), list_shows, t);
	if (n < before && list_shows(t, list, n))
		take_list(t->s, list, n);
	free(list);
	return s->changes < before;
}

/* ------------------------------------------------------------------ */
/* Few changes							      */

/*
 * What is left of a long list need not be the shortest: another one of one or
 * two changes may do it too. Small cases make few choices, so all can be
 * tried.
 */
struct few {
	struct list_test *t;
	unsigned char *width;
	unsigned long choices;
	struct sched_change list[TRIES][2];
	unsigned int changes;
	unsigned long left;
};

static void on_widths(void *arg, unsigned int index, const struct job *j)
{
	struct few *f = arg;

	(void)index;
	f->choices = j->outcome->widths;
	f->width = vec_checked(malloc(f->choices + 1));
	memcpy(f->width, j->width, f->choices);
}

static void find_widths(struct few *f)
{
	struct attempt *a = f->t->a;
	struct schedule in_order = {.points = f->t->s->schedule.points};
	struct pool pool = {
		.job = a->job,
		.count = 1,
		.at_once = 1,
		.time_limit = f->t->s->time_limit,
		.done = on_widths,
		.arg = f,
	};

	a->count = 0;
	add_job(a, &f->t->c, &in_order);
	a->job[0].c.schedule.want_widths = true;
	f->t->s->done++;
	if (pool_run(&pool))
		f->choices = 0;
}

/* Try those that have been gathered. */
static bool flush_tries(struct few *f)
{
	struct attempt *a = f->t->a;

	if (!a->count)
		return false;
	run_jobs(a);
	if (a->shown >= 0)
		take_list(f->t->s, f->list[a->shown], f->changes);
	a->count = 0;
	return a->shown >= 0;
}

static bool gather(struct few *f, const struct sched_change *list)
{
	struct attempt *a = f->t->a;
	struct schedule s = {
		.strategy = SCHED_LIST,
		.points = f->t->s->schedule.points,
		.change = f->list[a->count],
		.changes = f->changes,
	};

	if (!f->left)
		return false;
	f->left--;
	memcpy(f->list[a->count], list, f->changes * sizeof(*list));
	add_job(a, &f->t->c, &s);
	return a->count == TRIES && flush_tries(f);
}

/* Go to the next alternative; false: there is none. */
static bool advance(const struct few *f, struct sched_change *at)
{
	while (at->choice < f->choices) {
		if (++at->pick < f->width[at->choice])
			return true;
		at->choice++;
		at->pick = 0;
	}
	return false;
}

static bool try_singles(struct few *f)
{
	struct sched_change at = {0, 0};

	f->changes = 1;
	f->t->a->count = 0;
	while (f->left && advance(f, &at))
		if (gather(f, &at))
			return true;
	return flush_tries(f);
}

static bool try_pairs(struct few *f)
{
	struct sched_change at[2] = {{0, 0}, {0, 0}};

	f->changes = 2;
	f->t->a->count = 0;
	while (f->left && advance(f, &at[0])) {
		at[1] = (struct sched_change){at[0].choice + 1, 0};
		while (f->left && advance(f, &at[1]))
			if (gather(f, at))
				return true;
	}
	return flush_tries(f);
}

static bool few_changes(struct list_test *t)
{
	struct shrink *s = t->s;
	struct few f = {.t = t, .left = FEW_TRIES};
	bool any = false;

	if (s->schedule.changes < 2)
		return false;
	find_widths(&f);
	any = try_singles(&f);
	f.left = FEW_TRIES;
	if (!any && s->schedule.changes > 2)
		any = try_pairs(&f);
	free(f.width);
	return any;
}

static bool shorter_schedule(struct shrink *s)
{
	struct list_test t = {.s = s};
	struct diag diag = {""};
	bool any = false;

	t.a = vec_checked(calloc(1, sizeof(*t.a)));
	if (!case_text_load(&s->text, s->path, kern_subject.page_size, &t.c,
			    &diag) &&
	    make_list(&t)) {
		any = shorter_list(&t);
		any = few_changes(&t) || any;
		any = fewer_points(&t) || any;
	}
	case_free(&t.c);
	free(t.a);
	return any;
}

/* ------------------------------------------------------------------ */
/* The whole							      */

static bool is_first(struct shrink *s, const struct outcome *o, bool expected)
{
	for (unsigned int i = 0; i < o->findings && i < OUTCOME_FINDINGS; i++) {
		if (o->expected[i] != expected ||
		    (s->kind != FINDING_KINDS && s->kind != o->finding[i].kind))
			continue;
		s->found = o->finding[i];
		return true;
	}
	return false;
}

static void on_first(void *arg, unsigned int index, const struct job *j)
{
	struct shrink *s = arg;

	(void)index;
	s->done++;
	s->before.changes = j->outcome->changes;
	if (!is_first(s, j->outcome, false) && !is_first(s, j->outcome, true))
		s->found.kind = FINDING_KINDS;
}

static int find_target(struct shrink *s, const struct sim_case *c)
{
	struct job *j = vec_checked(calloc(1, sizeof(*j)));
	struct pool pool = {
		.job = j,
		.count = 1,
		.at_once = 1,
		.time_limit = s->time_limit,
		.done = on_first,
		.arg = s,
	};
	int err;

	j->c = *c;
	j->c.schedule.s = s->schedule;
	j->c.schedule.want_changes = true;
	err = pool_run(&pool);
	free(j);
	if (!err && s->found.kind == FINDING_KINDS)
		err = -ENOENT;
	return err;
}

static void reduce(struct shrink *s)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct shrink_size n = {0};
		bool any = false;

		any = fewer_steps(s) || any;
		any = smaller_loads(s, false) || any;
		measure(s, &n);
		any = smaller_machine(s, n.cpus) || any;
		any = smaller_array(s) || any;
		if (!round)
			any = fewer_keys(s) || any;
		any = shorter_schedule(s) || any;
		if (!round)
			any = smaller_loads(s, true) || any;
		if (!any || s->done >= s->runs)
			return;
	}
}

/* The small case says itself how it is to be run and what must come of it. */
static void finish_text(struct shrink *s)
{
	char expected[160];
	char *line = schedule_text(&s->schedule);

	for (unsigned int i = s->text.count; i--;)
		if (case_text_is(&s->text, i, "schedule", "schedule") ||
		    case_text_is(&s->text, i, "schedule", "points"))
			case_text_drop(&s->text, i);
	case_text_add(&s->text, "schedule", "schedule", line);
	case_text_drop_section(&s->text, "expect");
	snprintf(expected, sizeof(expected), "%s%s%s",
		 finding_kind_name(s->found.kind),
		 *s->found.where.function ? " " : "", s->found.where.function);
	case_text_add(&s->text, "expect", "finding", expected);
	free(line);
}

int shrink(struct shrink *s, const char **why)
{
	struct diag diag = {""};
	struct sim_case c;
	int err;

	*why = "the case cannot be read again";
	err = case_text_load(&s->text, s->path, kern_subject.page_size, &c,
			     &diag);
	if (!err) {
		*why = "it shows no such finding under this schedule";
		err = find_target(s, &c);
	}
	case_free(&c);
	if (err)
		return err;
	measure(s, &s->before);
	reduce(s);
	/* Other things may have become smaller after the last list was made. */
	if (s->schedule.strategy != SCHED_LIST)
		shorter_schedule(s);
	measure(s, &s->after);
	s->after.changes = s->schedule.changes;
	finish_text(s);
	return 0;
}

static bool file_shows(struct shrink *s, const char *file)
{
	struct attempt *a = vec_checked(calloc(1, sizeof(*a)));
	struct diag diag = {""};
	struct sim_case c;
	bool good = false;

	/* It is looked at whatever was spent. */
	s->runs = s->done + 1;
	if (!case_load_as(file, s->path, kern_subject.page_size, &c, &diag))
		good = shows(s, &c, &c.schedule.s, a);
	case_free(&c);
	free(a);
	return good;
}

int shrink_write(struct shrink *s, const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return -errno;
	case_text_write(&s->text, f);
	if (ferror(f) | fclose(f))
		return -EIO;
	return file_shows(s, file) ? 0 : -ENOENT;
}

void shrink_text(const struct shrink *s, char *buf, size_t size)
{
	const struct shrink_size *b = &s->before;
	const struct shrink_size *a = &s->after;
	size_t used = (size_t)snprintf(
		buf, size,
		"steps %u -> %u, requests %lu -> %lu, tasks %u -> %u, CPUs %u "
		"-> %u, disks %u -> %u",
		b->steps, a->steps, b->requests, a->requests, b->tasks,
		a->tasks, b->cpus, a->cpus, b->disks, a->disks);

	if (s->schedule.strategy == SCHED_LIST && used < size)
		snprintf(buf + used, size - used, ", changes %u -> %u",
			 b->changes, a->changes);
}

void shrink_free(struct shrink *s)
{
	case_text_free(&s->text);
	schedule_free(&s->schedule);
}
