/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps that make requests, and those that look at what came of them. What
 * runs beside them is load.c's.
 */
#include <stdio.h>

#include "list.h"
#include "request.h"
#include "rest-check.h"
#include "steps-run.h"

#define VERIFY_SECTORS 64

/** struct io_task - a request of a step that is made on another CPU */
struct io_task {
	struct run *r;
	const struct case_step *s;
	struct request q;
	int result;
};

static void one_request(void *arg)
{
	struct io_task *t = arg;
	const struct case_io *io = &t->s->io;

	request_start(&t->q, t->r->session.array, io->op, io->flags, io->sector,
		      io->sectors);
	t->result = request_finish(&t->q);
}

void do_io(struct run *r, const struct case_step *s)
{
	struct io_task t = {.r = r, .s = s};
	char what[80];

	if (s->io.on_cpu && !cpu_bits_test(&r->online, s->cpu)) {
		outcome_note(r->o, "line %u: io: CPU %u is not online", s->line,
			     s->cpu);
		return;
	}
	r->did_io = true;
	request_init(&t.q, r->model, s->io.sectors);
	if (s->io.on_cpu)
		kern_task_join(kern_task_start("io", s->cpu, one_request, &t));
	else
		one_request(&t);
	request_text(&t.q, what, sizeof(what));
	step_result(r, s, what, t.result);
	request_free(&t.q);
}

void do_load(struct run *r, const struct case_step *s)
{
	r->did_io = true;
	load_start(r, s);
}

void do_bg(struct run *r, const struct case_step *s)
{
	load_start(r, s);
}

void do_wait(struct run *r, const struct case_step *s)
{
	load_wait(r, s->attr);
}

/* ------------------------------------------------------------------ */

static void verify_run(struct run *r, const struct case_step *s,
		       struct request *q, unsigned long long sector,
		       unsigned int sectors)
{
	char what[80];

	request_start(q, r->session.array, KERN_READ, 0, sector, sectors);
	request_text(q, what, sizeof(what));
	step_result(r, s, what, request_finish(q));
}

static void verify_whole(struct run *r, const struct case_step *s,
			 struct request *q)
{
	struct array_state st;
	unsigned long long left;
	unsigned int n;

	kern_array_state(r->session.array, &st);
	for (unsigned long long at = 0; at < st.sectors; at += n) {
		left = st.sectors - at;
		n = left < VERIFY_SECTORS ? (unsigned int)left : VERIFY_SECTORS;
		verify_run(r, s, q, at, n);
	}
}

void do_verify(struct run *r, const struct case_step *s)
{
	unsigned long long at = 0;
	unsigned int n = 0;
	struct request q;

	r->did_io = true;
	request_init(&q, r->model, VERIFY_SECTORS);
	if (s->io.whole)
		verify_whole(r, s, &q);
	else
		for (; model_written(r->model, at, &at, &n); at += n)
			verify_run(r, s, &q, at, n);
	request_free(&q);
}

/* ------------------------------------------------------------------ */

/*
 * Nothing goes on beside, and whatever md has to do by itself is done, if it
 * can be done: then the whole must add up.
 */
static void come_to_rest(struct run *r)
{
	load_wait(r, NULL);
	kern_sync_wait(r->session.array);
	kern_run_idle();
	kern_io_check_idle();
	kern_check_rest(r->session.array);
	rest_check(r->session.array, r->model);
}

void do_rest(struct run *r, const struct case_step *s)
{
	(void)s;
	come_to_rest(r);
}

void rest_at_end(struct run *r)
{
	if (r->loads)
		load_wait(r, NULL);
	if (r->did_io && r->session.array && !r->halted)
		come_to_rest(r);
	r->did_io = false;
}

void do_shrink(struct run *r, const struct case_step *s)
{
	kern_shrink(r->session.array, (unsigned long)s->number);
}

void do_sleep(struct run *r, const struct case_step *s)
{
	(void)r;
	kern_sleep(s->number);
}
