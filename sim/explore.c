/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs go to the pool in batches. Whatever is decided from results is decided
 * in the order of the runs, so that it does not depend on how many go on at a
 * time.
 *
 * Exhaustive: schedules are lists of changes from in order. A run tells how
 * many alternatives each choice had; each alternative of a choice after the
 * list's last change makes a list that is longer by one:
 *
 *	in order --> {3=1} {3=2} {7=1} ... --> {3=1, 5=1} {3=1, 9=1} ...
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "explore.h"
#include "run-pool.h"
#include "schedule.h"
#include "vec.h"

#define BATCH  128
#define DIGITS "0123456789"

/**
 * struct node - a run whose list can be made longer
 * @width:	alternatives of each choice
 */
struct node {
	struct sched_change *change;
	unsigned int changes;
	unsigned char *width;
	unsigned long choices;
};

/**
 * struct search - an exploration under way
 * @job:	of the batch
 * @base:	number of the batch's first run
 * @length:	choices of the run in order
 * @node:	exhaustive: to be worked off in order; @at: the one at hand,
 *		@choice, @pick: its next alternative
 * @promised:	runs that the nodes will make
 * @cut:	a node was not kept: the search is not complete
 */
struct search {
	struct exploration *e;
	struct job job[BATCH];
	unsigned long base;
	unsigned long long length;
	struct node *node;
	unsigned int nodes;
	unsigned int at;
	unsigned long choice;
	unsigned int pick;
	unsigned long promised;
	bool cut;
};

/* ------------------------------------------------------------------ */
/* What is alike							      */

/* "3 or 12 or 5" is as long as it happens to be. */
static const char *skip_number(const char *text)
{
	text += strspn(text, DIGITS);
	while (!strncmp(text, " or ", 4) && isdigit((unsigned char)text[4]))
		text += 4 + strspn(text + 4, DIGITS);
	return text;
}

void explore_shape(const char *text, char *shape, size_t size)
{
	size_t used = 0;

	while (*text && used + 1 < size) {
		if (!isdigit((unsigned char)*text)) {
			shape[used++] = *text++;
			continue;
		}
		shape[used++] = 'N';
		text = skip_number(text);
	}
	shape[used] = '\0';
}

static bool alike(const char *a, const char *b)
{
	char x[OUTCOME_NOTE];
	char y[OUTCOME_NOTE];

	explore_shape(a, x, sizeof(x));
	explore_shape(b, y, sizeof(y));
	return !strcmp(x, y);
}

static bool same_finding(const struct explored *x, const struct finding *f,
			 const char *note, bool expected)
{
	if (x->expected != expected || !*x->note != !*note)
		return false;
	if (*note)
		return alike(x->note, note);
	return x->f.kind == f->kind &&
	       !strcmp(x->f.where.function, f->where.function) &&
	       x->f.where.line == f->where.line && alike(x->f.cause, f->cause);
}

static struct explored *find(struct exploration *e, const struct finding *f,
			     const char *note, bool expected)
{
	struct explored *x;

	for (unsigned int i = 0; i < e->count; i++)
		if (same_finding(&e->found[i], f, note, expected))
			return &e->found[i];
	if (e->count == EXPLORED_MAX) {
		e->more++;
		return NULL;
	}
	x = &e->found[e->count++];
	x->f = *f;
	x->expected = expected;
	snprintf(x->note, sizeof(x->note), "%s", note);
	return x;
}

/* A run counts once, however often it shows the same. */
static void add(struct exploration *e, unsigned long run, const struct job *j,
		const struct finding *f, const char *note, bool expected)
{
	struct explored *x = find(e, f, note, expected);

	if (!x)
		return;
	if (!x->runs) {
		x->first = run;
		x->schedule = schedule_text(&j->c.schedule.s);
	} else if (x->last == run) {
		return;
	}
	x->last = run;
	x->runs++;
}

/* ------------------------------------------------------------------ */
/* Results							      */

static void count_stats(struct exploration *e, const struct sched_stats *s)
{
	e->points_passed += s->points;
	e->choices += s->choices;
	e->switches += s->switches;
	e->interrupts += s->interrupts;
}

/* That the expected finding did not come in one of many runs is no news. */
static bool add_notes(struct exploration *e, unsigned long run,
		      const struct job *j)
{
	static const struct finding none;
	const struct outcome *o = j->outcome;
	bool any = false;

	for (unsigned int i = 0; i < o->notes && i < OUTCOME_NOTES; i++) {
		if (o->not_found && i + 1 >= o->first_not_found &&
		    i + 1 < o->first_not_found + o->not_found)
			continue;
		add(e, run, j, &none, o->note[i], false);
		any = true;
	}
	return any;
}

static bool add_findings(struct exploration *e, unsigned long run,
			 const struct job *j)
{
	const struct outcome *o = j->outcome;
	bool any = false;

	for (unsigned int i = 0; i < o->findings && i < OUTCOME_FINDINGS; i++) {
		add(e, run, j, &o->finding[i], "", o->expected[i]);
		any = any || !o->expected[i];
	}
	return any;
}

static void keep_node(struct search *s, const struct job *j)
{
	const struct schedule *of = &j->c.schedule.s;
	const struct outcome *o = j->outcome;
	unsigned long long first = 0;
	void *base = s->node;
	struct node *n;

	if (of->changes >= s->e->bound)
		return;
	if (s->promised >= s->e->runs) {
		s->cut = true;
		return;
	}
	if (of->changes)
		first = of->change[of->changes - 1].choice + 1;
	n = vec_add(&base, &s->nodes, sizeof(*n));
	s->node = base;
	n->changes = of->changes;
	n->change = vec_checked(calloc(n->changes + 1, sizeof(*n->change)));
	if (n->changes)
		memcpy(n->change, of->change, n->changes * sizeof(*n->change));
	n->choices = o->widths;
	n->width = vec_checked(malloc(o->widths + 1));
	memcpy(n->width, j->width, o->widths);
	for (unsigned long long i = first; i < n->choices; i++)
		s->promised += n->width[i] - 1UL;
}

static void on_done(void *arg, unsigned int index, const struct job *j)
{
	struct search *s = arg;
	struct exploration *e = s->e;
	unsigned long run = s->base + index;
	bool notes = add_notes(e, run, j);
	bool findings = add_findings(e, run, j);

	e->failed += notes || findings;
	e->not_modelled = e->not_modelled || j->outcome->not_modelled;
	count_stats(e, &j->outcome->sched);
	if (!run)
		s->length = j->outcome->sched.choices;
	if (e->strategy == EXPLORE_EXHAUSTIVE)
		keep_node(s, j);
}

/* ------------------------------------------------------------------ */
/* The next schedule						      */

static unsigned int rate_of(const struct exploration *e, unsigned long run)
{
	static const unsigned int rates[] = {16, 4, 64, 2, 256, 8, 1000, 32};

	return e->rate ? e->rate : rates[run % 8];
}

static void next_seeded(const struct search *s, unsigned long run,
			struct schedule *out)
{
	const struct exploration *e = s->e;

	*out = (struct schedule){
		.strategy =
			e->strategy == EXPLORE_PCT ? SCHED_PCT : SCHED_RANDOM,
		.points = e->points,
		.seed = e->seed + run - 1,
		.rate = rate_of(e, run),
		.depth = e->depth,
		.length = s->length ? s->length : 1,
	};
}

/* Go to the next alternative of the node at hand, or of those after it. */
static bool find_alternative(struct search *s)
{
	for (; s->at < s->nodes; s->at++, s->choice = 0, s->pick = 0) {
		const struct node *n = &s->node[s->at];
		unsigned long long first = 0;

		if (n->changes)
			first = n->change[n->changes - 1].choice + 1;
		if (s->choice < first)
			s->choice = (unsigned long)first;
		for (; s->choice < n->choices; s->choice++, s->pick = 0)
			if (++s->pick < n->width[s->choice])
				return true;
	}
	return false;
}

static bool next_list(struct search *s, struct schedule *out)
{
	struct sched_change *list;
	const struct node *n;

	if (!find_alternative(s))
		return false;
	n = &s->node[s->at];
	list = vec_checked(calloc(n->changes + 1, sizeof(*list)));
	memcpy(list, n->change, n->changes * sizeof(*list));
	list[n->changes] = (struct sched_change){s->choice, s->pick};
	*out = (struct schedule){
		.strategy = SCHED_LIST,
		.points = s->e->points,
		.change = list,
		.changes = n->changes + 1,
	};
	return true;
}

static bool next_schedule(struct search *s, unsigned long run,
			  struct schedule *out)
{
	if (!run) {
		*out = (struct schedule){.points = s->e->points};
		return true;
	}
	if (s->e->strategy == EXPLORE_EXHAUSTIVE)
		return next_list(s, out);
	next_seeded(s, run, out);
	return true;
}

/* ------------------------------------------------------------------ */
/* Batches							      */

static unsigned int fill(struct search *s)
{
	struct exploration *e = s->e;
	/* What the others are is known after the first. */
	unsigned int room = s->base ? BATCH : 1;
	unsigned int n = 0;

	memset(s->job, 0, sizeof(s->job));
	while (n < room && s->base + n < e->runs) {
		struct job *j = &s->job[n];

		j->c = *e->c;
		j->c.locks.strict |= e->strict_locks;
		if (!next_schedule(s, s->base + n, &j->c.schedule.s))
			break;
		j->c.schedule.want_widths = e->strategy == EXPLORE_EXHAUSTIVE &&
					    j->c.schedule.s.changes < e->bound;
		n++;
	}
	return n;
}

static int run_batch(struct search *s, unsigned int n)
{
	struct pool pool = {
		.job = s->job,
		.count = n,
		.at_once = s->e->at_once,
		.time_limit = s->e->time_limit,
		.done = on_done,
		.arg = s,
	};
	int err = pool_run(&pool);

	for (unsigned int i = 0; i < n; i++)
		schedule_free(&s->job[i].c.schedule.s);
	return err;
}

static void free_search(struct search *s)
{
	for (unsigned int i = 0; i < s->nodes; i++) {
		free(s->node[i].change);
		free(s->node[i].width);
	}
	free(s->node);
	free(s);
}

int explore(struct exploration *e)
{
	struct search *s = vec_checked(calloc(1, sizeof(*s)));
	unsigned int n;
	int err = 0;

	s->e = e;
	while (!err && (n = fill(s))) {
		err = run_batch(s, n);
		s->base += n;
		e->done += n;
	}
	if (!err && e->strategy == EXPLORE_EXHAUSTIVE)
		e->complete = !s->cut && !find_alternative(s);
	free_search(s);
	return err;
}

void explore_free(struct exploration *e)
{
	for (unsigned int i = 0; i < e->count; i++)
		free(e->found[i].schedule);
}
