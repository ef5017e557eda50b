/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads: tasks that submit requests, and tasks that write attributes, beside
 * the steps that follow. What they do is decided by their own generator, so
 * that it is the same under every schedule; when they do it is the schedule's.
 */
#include <stdio.h>
#include <string.h>

#include "errname.h"
#include "list.h"
#include "request.h"
#include "steps-run.h"
#include "vec.h"

/* struct kern_io takes no more pages, and the smallest page is 4K. */
#define REQUEST_MAX 2048
#define NAME_BYTES  24 /* the kernel keeps 15 of them */

/**
 * struct load_task - one task of a load
 * @writer:	does what the mix says; else reads
 * @random:	state of its generator
 * @request:	a ring of @load->depth
 * @sent:	requests that were submitted
 */
struct load_task {
	struct load *load;
	struct kern_task *task;
	char name[NAME_BYTES];
	bool writer;
	unsigned long long random;
	struct request *request;
	unsigned int sent;
};

/**
 * struct load - a load or bg step while it runs
 * @name:	what wait calls it
 * @stop:	nothing new is to be begun
 * @chunk, @stripe: sectors of a chunk, and of data in a row of chunks
 * @end:	sector after the region
 * @failures:	requests that failed; @failed: the first one, in words
 */
struct load {
	struct run *r;
	const struct case_step *step;
	const char *name;
	struct load *next;
	struct load_task *task;
	unsigned int tasks;
	bool stop;
	unsigned long chunk;
	unsigned long stripe;
	unsigned long long end;
	unsigned long failures;
	char failed[128];
};

/* ------------------------------------------------------------------ */
/* Choices							      */

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static unsigned long long next_random(struct load_task *t)
{
	unsigned long long z = t->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* One of 0 .. @n - 1. */
static unsigned long long below(struct load_task *t, unsigned long long n)
{
	return n ? next_random(t) % n : 0;
}

/** struct span - sectors of a request */
struct span {
	unsigned long long sector;
	unsigned int sectors;
};

static unsigned long long region_sectors(const struct load *l)
{
	return l->end - l->step->load->region[0];
}

/* @n sectors anywhere, at a multiple of @align if the region has one. */
static struct span anywhere(struct load_task *t, unsigned long long n,
			    unsigned int align)
{
	const struct load *l = t->load;
	unsigned long long from = l->step->load->region[0];
	unsigned long long room = region_sectors(l);
	unsigned long long at;

	if (n > room)
		n = room;
	at = from + below(t, room - n + 1);
	if (at - at % align >= from)
		at -= at % align;
	return (struct span){at, (unsigned int)n};
}

static unsigned int some_sectors(struct load_task *t)
{
	const unsigned int *sizes = t->load->step->load->sizes;

	return sizes[0] + (unsigned int)below(t, sizes[1] - sizes[0] + 1ULL);
}

static struct span partial(struct load_task *t)
{
	return anywhere(t, some_sectors(t), t->load->step->load->align);
}

static struct span pages(struct load_task *t)
{
	unsigned int page =
		(unsigned int)(kern_subject.page_size / KERN_SECTOR);
	unsigned int n = (some_sectors(t) + page - 1) / page * page;

	return anywhere(t, n < REQUEST_MAX ? n : REQUEST_MAX, page);
}

/* A row of chunks; the first part of it when it is longer than a request. */
static struct span full_stripe(struct load_task *t)
{
	const struct load *l = t->load;
	unsigned long long from = l->step->load->region[0];
	unsigned long long first = (from + l->stripe - 1) / l->stripe;
	unsigned long long last = l->end / l->stripe;
	unsigned long n = l->stripe < REQUEST_MAX ? l->stripe : REQUEST_MAX;

	if (first >= last)
		return partial(t);
	return (struct span){(first + below(t, last - first)) * l->stripe,
			     (unsigned int)n};
}

/* Some sectors on either side of the end of a chunk. */
static struct span crossing(struct load_task *t)
{
	const struct load *l = t->load;
	unsigned long long from = l->step->load->region[0];
	unsigned long long first = from / l->chunk + 1;
	unsigned long long last = (l->end - 1) / l->chunk;
	unsigned long long edge, before, after;

	if (first > last)
		return partial(t);
	edge = (first + below(t, last - first + 1)) * l->chunk;
	before = 1 + below(t, some_sectors(t));
	after = 1 + below(t, some_sectors(t));
	if (before > edge - from)
		before = edge - from;
	if (after > l->end - edge)
		after = l->end - edge;
	if (before + after > REQUEST_MAX)
		after = REQUEST_MAX - before;
	if (!after)
		return partial(t);
	return (struct span){edge - before, (unsigned int)(before + after)};
}

static enum load_kind pick_kind(struct load_task *t)
{
	const unsigned int *mix = t->load->step->load->mix;
	unsigned long long sum = 0;
	unsigned long long at;
	unsigned int i;

	if (!t->writer)
		return LOAD_READ;
	for (i = 0; i < LOAD_KINDS; i++)
		sum += mix[i];
	at = below(t, sum);
	for (i = 0; at >= mix[i]; i++)
		at -= mix[i];
	return (enum load_kind)i;
}

static struct span pick_span(struct load_task *t, enum load_kind kind)
{
	switch (kind) {
	case LOAD_PAGE:
		return pages(t);
	case LOAD_FULL:
		return full_stripe(t);
	case LOAD_CROSS:
		return crossing(t);
	case LOAD_DISCARD:
		return below(t, 2) ? full_stripe(t) : partial(t);
	case LOAD_FLUSH:
		return (struct span){0, 0};
	default:
		return partial(t);
	}
}

static enum kern_io_op op_of(enum load_kind kind)
{
	switch (kind) {
	case LOAD_READ:
		return KERN_READ;
	case LOAD_DISCARD:
		return KERN_DISCARD;
	case LOAD_FLUSH:
		return KERN_FLUSH;
	default:
		return KERN_WRITE;
	}
}

static unsigned int flags_of(enum load_kind kind)
{
	if (kind == LOAD_FUA)
		return KERN_IO_FUA;
	return kind == LOAD_PREFLUSH ? KERN_IO_PREFLUSH : 0;
}

/* ------------------------------------------------------------------ */
/* Submitters							      */

static void finish_one(struct load_task *t, struct request *q)
{
	struct load *l = t->load;
	char errno_text[ERRNAME_TEXT];
	char text[80];
	int result;

	if (!q->under_way)
		return;
	result = request_finish(q);
	if (!result || l->step->load->may_fail)
		return;
	if (l->failures++)
		return;
	request_text(q, text, sizeof(text));
	snprintf(l->failed, sizeof(l->failed), "%s gives %s", text,
		 errname_text(result, errno_text));
}

static void send_one(struct load_task *t)
{
	const struct case_load *def = t->load->step->load;
	struct request *q = &t->request[t->sent++ % def->depth];
	enum load_kind kind = pick_kind(t);
	struct span at = pick_span(t, kind);

	finish_one(t, q);
	if (t->load->stop)
		return;
	request_start(q, t->load->r->session.array, op_of(kind), flags_of(kind),
		      at.sector, at.sectors);
}

static void submitter(void *arg)
{
	struct load_task *t = arg;
	const struct case_load *def = t->load->step->load;
	unsigned int plug = def->plug;

	for (unsigned int i = 0; i < def->ops && !t->load->stop; i++) {
		if (plug && i % plug == 0)
			kern_plug(1);
		send_one(t);
		if (plug && (i % plug == plug - 1 || i == def->ops - 1 ||
			     t->load->stop))
			kern_plug(0);
	}
	for (unsigned int i = 0; i < def->depth; i++)
		finish_one(t, &t->request[(t->sent + i) % def->depth]);
}

/* ------------------------------------------------------------------ */
/* Writers of attributes and the like				      */

static long bg_once(struct kern_array *a, const struct case_bg *bg,
		    unsigned int n)
{
	long result;

	switch (bg->kind) {
	case BG_SET:
		return kern_attr_store(a, bg->attr, bg->value[n % bg->values]);
	case BG_SHRINK:
		kern_shrink(a, (unsigned long)bg->objects);
		return 0;
	case BG_QUIESCE:
		kern_quiesce(a, 1);
		kern_sleep(bg->every);
		kern_quiesce(a, 0);
		return 0;
	default:
		result = kern_suspend(a);
		if (result)
			return result;
		kern_sleep(bg->every);
		kern_resume(a);
		return 0;
	}
}

static void bg_result(struct load *l, const struct case_bg *bg, unsigned int n,
		      long result)
{
	char errno_text[ERRNAME_TEXT];

	if (result > 0)
		result = 0;
	if (bg->any || result == bg->result || l->failures++)
		return;
	snprintf(l->failed, sizeof(l->failed), "%s%s%s gives %s",
		 bg->attr ? bg->attr : "it", bg->attr ? " " : "",
		 bg->attr ? bg->value[n % bg->values] : "",
		 errname_text(result, errno_text));
}

static void background(void *arg)
{
	struct load_task *t = arg;
	struct load *l = t->load;
	const struct case_bg *bg = l->step->bg;

	for (unsigned int i = 0; i < bg->times && !l->stop; i++) {
		bg_result(l, bg, i, bg_once(l->r->session.array, bg, i));
		if (i + 1 < bg->times)
			kern_sleep(bg->every);
	}
}

/* ------------------------------------------------------------------ */
/* Starting and waiting						      */

/* The @n-th of @cpus, around; they are not empty. */
static unsigned int nth_cpu(const struct cpu_bits *cpus, unsigned int n)
{
	unsigned int cpu = cpu_bits_first(cpus);

	for (n %= cpu_bits_weight(cpus); n; n--)
		cpu = cpu_bits_next(cpus, cpu + 1);
	return cpu;
}

static void init_submitter(struct load_task *t, const struct case_load *def,
			   unsigned int n)
{
	unsigned int longest = REQUEST_MAX;

	t->writer = n < def->writers;
	if (!t->writer)
		longest = def->sizes[1];
	snprintf(t->name, sizeof(t->name), "%.8s/%u", def->name, n);
	t->random = def->seed * 1000003ULL + n;
	t->request = vec_checked(calloc(def->depth, sizeof(*t->request)));
	for (unsigned int i = 0; i < def->depth; i++)
		request_init(&t->request[i], t->load->r->model, longest);
}

static void free_task(struct load_task *t, unsigned int depth)
{
	for (unsigned int i = 0; t->request && i < depth; i++)
		request_free(&t->request[i]);
	free(t->request);
}

/* Which CPUs of those that are wanted run: @cpus of them, or all. */
static bool usable_cpus(struct load *l, const struct cpu_bits *wanted,
			struct cpu_bits *out)
{
	struct cpu_bits offline = *wanted;

	*out = l->r->online;
	if (cpu_bits_empty(wanted))
		return true;
	*out = *wanted;
	cpu_bits_andnot(&offline, &l->r->online);
	cpu_bits_andnot(out, &offline);
	if (!cpu_bits_empty(out))
		return true;
	outcome_note(l->r->o, "line %u: %s: none of its CPUs is online",
		     l->step->line, step_verb_name(l->step->verb));
	return false;
}

static bool load_geometry(struct load *l)
{
	const struct case_load *def = l->step->load;
	struct array_state st;

	kern_array_state(l->r->session.array, &st);
	l->chunk = st.chunk_sectors;
	l->stripe = st.chunk_sectors *
		    (unsigned long)(st.disks - (st.level == 6 ? 2 : 1));
	l->end = def->region[1] < st.sectors ? def->region[1] : st.sectors;
	if (l->end > def->region[0] && l->chunk)
		return true;
	outcome_note(l->r->o, "line %u: load %s: the array has %llu sectors",
		     l->step->line, def->name, st.sectors);
	return false;
}

static void start_submitters(struct load *l)
{
	const struct case_load *def = l->step->load;
	struct cpu_bits cpus;

	if (!load_geometry(l) || !usable_cpus(l, &def->cpus, &cpus))
		return;
	l->tasks = def->writers + def->readers;
	l->task = vec_checked(calloc(l->tasks, sizeof(*l->task)));
	for (unsigned int i = 0; i < l->tasks; i++) {
		struct load_task *t = &l->task[i];

		t->load = l;
		init_submitter(t, def, i);
		t->task = kern_task_start(t->name, nth_cpu(&cpus, i), submitter,
					  t);
	}
}

static void start_background(struct load *l)
{
	const struct case_bg *bg = l->step->bg;
	struct cpu_bits wanted = {{0}};
	struct cpu_bits cpus;

	if (bg->on_cpu)
		cpu_bits_set(&wanted, bg->cpu);
	if (!usable_cpus(l, &wanted, &cpus))
		return;
	l->tasks = 1;
	l->task = vec_checked(calloc(1, sizeof(*l->task)));
	l->task->load = l;
	snprintf(l->task->name, sizeof(l->task->name), "bg/%u", l->step->line);
	l->task->task = kern_task_start(l->task->name, nth_cpu(&cpus, 0),
					background, l->task);
}

void load_start(struct run *r, const struct case_step *s)
{
	struct load *l = vec_checked(calloc(1, sizeof(*l)));
	struct load **last = &r->loads;

	l->r = r;
	l->step = s;
	l->name = s->load ? s->load->name : "bg";
	while (*last)
		last = &(*last)->next;
	*last = l;
	if (s->load)
		start_submitters(l);
	else
		start_background(l);
}

static void note_failures(const struct load *l)
{
	char more[32] = "";

	if (!l->failures)
		return;
	if (l->failures > 1)
		snprintf(more, sizeof(more), ", and %lu more", l->failures - 1);
	outcome_note(l->r->o, "line %u: %s %s: %s%s", l->step->line,
		     step_verb_name(l->step->verb),
		     l->step->load ? l->name : "task", l->failed, more);
}

static void end(struct load *l)
{
	for (unsigned int i = 0; i < l->tasks; i++)
		kern_task_join(l->task[i].task);
	note_failures(l);
	for (unsigned int i = 0; i < l->tasks; i++)
		free_task(&l->task[i],
			  l->step->load ? l->step->load->depth : 0);
	free(l->task);
	free(l);
}

void load_wait(struct run *r, const char *name)
{
	struct load **link = &r->loads;

	while (*link) {
		struct load *l = *link;

		if (name && strcmp(l->name, name)) {
			link = &l->next;
			continue;
		}
		*link = l->next;
		end(l);
	}
}

void load_stop(struct run *r)
{
	for (struct load *l = r->loads; l; l = l->next)
		l->stop = true;
}
