/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The step engine. One function a verb; each compares the kernel's answer
 * with the case's and goes on, so that one run shows all that differs. Only a
 * failed create, after which nothing is left to work on, ends the steps.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "errname.h"
#include "host/run.h"
#include "list.h"
#include "steps-run.h"

void outcome_note(struct outcome *o, const char *fmt, ...)
{
	unsigned int n = o->notes++;
	va_list ap;

	if (n >= OUTCOME_NOTES)
		return;
	va_start(ap, fmt);
	vsnprintf(o->note[n], OUTCOME_NOTE, fmt, ap);
	va_end(ap);
}

void outcome_finding(struct outcome *o, const struct finding *f, bool expected)
{
	unsigned int n = o->findings++;

	if (!expected && f->kind == FINDING_NOT_MODELLED)
		o->not_modelled = true;
	if (n >= OUTCOME_FINDINGS)
		return;
	o->finding[n] = *f;
	o->expected[n] = expected;
}

/* ------------------------------------------------------------------ */

void step_result(struct run *r, const struct case_step *s, const char *what,
		 long got)
{
	char a[ERRNAME_TEXT];
	char b[ERRNAME_TEXT];

	if (got > 0)
		got = 0;
	if (got == s->result)
		return;
	outcome_note(r->o, "line %u: %s %s gives %s, expected %s", s->line,
		     step_verb_name(s->verb), what, errname_text(got, a),
		     errname_text(s->result, b));
}

static void stop(struct run *r)
{
	rest_at_end(r);
	session_stop(&r->session);
	model_free(r->model);
	r->model = NULL;
	r->halted = false;
}

static void begin_array(struct run *r)
{
	r->model = model_new();
	if (r->c->schedule.times_line)
		kern_disk_times(r->session.array, &r->c->schedule.times);
}

static void do_create(struct run *r, const struct case_step *s)
{
	int rc = session_create(&r->session, &r->c->array.desc);

	sizes_set(&r->o->sizes, SIZE_CREATE, rc);
	session_memory(&r->session, &r->o->sizes);
	step_result(r, s, "array", rc);
	if (!rc)
		begin_array(r);
	/* What succeeds against expectation is in no later step's way. */
	if (rc && !s->result)
		r->lost = true;
	if (!rc && s->result)
		stop(r);
}

static void do_set(struct run *r, const struct case_step *s)
{
	char what[160];

	snprintf(what, sizeof(what), "%s %s", s->attr, s->text);
	step_result(r, s, what,
		    kern_attr_store(r->session.array, s->attr, s->text));
}

static void cut_newlines(char *s)
{
	size_t len = strlen(s);

	while (len && s[len - 1] == '\n')
		s[--len] = '\0';
}

static void do_get(struct run *r, const struct case_step *s)
{
	char buf[ERRNAME_TEXT];
	long n = kern_attr_show(r->session.array, s->attr, r->read, READ_SIZE);

	if (n < 0) {
		outcome_note(r->o, "line %u: get %s gives %s, expected '%s'",
			     s->line, s->attr, errname_text(n, buf), s->text);
		return;
	}
	cut_newlines(r->read);
	if (strcmp(r->read, s->text))
		outcome_note(r->o,
			     "line %u: get %s reads '%.80s', "
			     "expected '%.80s'",
			     s->line, s->attr, r->read, s->text);
}

static void do_touch(struct run *r, const struct case_step *s)
{
	char what[64];

	snprintf(what, sizeof(what), "of sector %llu on CPU %u", s->sector,
		 s->cpu);
	step_result(r, s, what,
		    kern_touch_stripe(r->session.array, s->cpu, s->sector));
}

static void do_quiesce(struct run *r, const struct case_step *s)
{
	kern_quiesce(r->session.array, s->on);
	r->quiesced = s->on;
}

static void do_suspend(struct run *r, const struct case_step *s)
{
	int rc = kern_suspend(r->session.array);

	r->suspended = !rc;
	step_result(r, s, "array", rc);
}

static void do_resume(struct run *r, const struct case_step *s)
{
	(void)s;
	if (r->suspended)
		kern_resume(r->session.array);
	r->suspended = false;
}

static void do_cpu(struct run *r, const struct case_step *s)
{
	int rc = kern_cpu_set_online(s->cpu, s->on);
	char what[32];

	snprintf(what, sizeof(what), "%u %s", s->cpu,
		 s->on ? "online" : "offline");
	step_result(r, s, what, rc);
	if (rc)
		return;
	if (s->on)
		cpu_bits_set(&r->online, s->cpu);
	else
		cpu_bits_clear(&r->online, s->cpu);
}

static void do_stop(struct run *r, const struct case_step *s)
{
	(void)s;
	stop(r);
}

static void (*const verbs[STEP_VERBS])(struct run *r,
				       const struct case_step *s) = {
	[STEP_CREATE] = do_create,
	[STEP_SET] = do_set,
	[STEP_GET] = do_get,
	[STEP_TOUCH] = do_touch,
	[STEP_QUIESCE] = do_quiesce,
	[STEP_SUSPEND] = do_suspend,
	[STEP_RESUME] = do_resume,
	[STEP_CPU] = do_cpu,
	[STEP_STOP] = do_stop,
	[STEP_IO] = do_io,
	[STEP_LOAD] = do_load,
	[STEP_WAIT] = do_wait,
	[STEP_VERIFY] = do_verify,
	[STEP_REST] = do_rest,
	[STEP_BG] = do_bg,
	[STEP_SHRINK] = do_shrink,
	[STEP_SLEEP] = do_sleep,
	[STEP_FAIL] = do_fail,
	[STEP_REMOVE] = do_remove,
	[STEP_ADD] = do_add,
	[STEP_RE_ADD] = do_re_add,
	[STEP_REPLACE] = do_replace,
	[STEP_DISK_ERROR] = do_disk_error,
	[STEP_VANISH] = do_vanish,
	[STEP_HEAL] = do_heal,
	[STEP_SYNC] = do_sync,
	[STEP_RESHAPE] = do_reshape,
	[STEP_POWER_CUT] = do_power_cut,
	[STEP_HALT] = do_halt,
	[STEP_ASSEMBLE] = do_assemble,
};

/* ------------------------------------------------------------------ */

static bool expects_size(const struct case_expect *e, enum size_key key)
{
	for (unsigned int i = 0; e && i < e->size_count; i++)
		if (e->size[i].key == key)
			return true;
	return false;
}

static void do_steps(struct run *r)
{
	for (unsigned int i = 0; i < r->c->step_count && !r->lost; i++) {
		verbs[r->c->step[i].verb](r, &r->c->step[i]);
		kern_step_end(step_verb_name(r->c->step[i].verb));
		if (r->session.array && !r->halted)
			session_measure(&r->session, &r->o->sizes);
	}
}

static void undo(struct run *r)
{
	if (r->suspended)
		kern_resume(r->session.array);
	if (r->quiesced)
		kern_quiesce(r->session.array, 0);
	stop(r);
}

static void note_boot(struct run *r)
{
	const struct param *p = r->session.bad_param;
	char buf[ERRNAME_TEXT];

	if (p)
		outcome_note(r->o, "line %u: parameter %s = %s gives %s",
			     p->pos.line, p->name, p->value,
			     errname_text(r->session.bad_param_rc, buf));
	else
		outcome_note(r->o, "module init gives %s",
			     errname_text(r->session.init_rc, buf));
}

static void begin_schedule(struct run *r)
{
	kern_sched_record(r->c->schedule.want_changes ||
			  r->c->schedule.want_widths);
	kern_schedule(&r->c->schedule.s);
}

/* Everything that enters the simulation; run_guarded() calls it. */
static void simulate(void *arg)
{
	struct run *r = arg;

	if (session_boot(&r->session, r->c->machine, &r->c->params)) {
		note_boot(r);
		return;
	}
	kern_locks_strict(r->c->locks.strict);
	begin_schedule(r);
	do_steps(r);
	undo(r);
	if (expects_size(r->want, SIZE_STRIPE_CACHE_MIN) ||
	    expects_size(r->want, SIZE_STRIPE_CACHE_MAX))
		session_limits(&r->session, &r->c->array.desc, &r->o->sizes);
	session_end(&r->session);
}

/* ------------------------------------------------------------------ */

static void describe_expected(const struct case_finding *e, char *buf,
			      size_t size)
{
	char line[16] = "";

	if (e->at_line)
		snprintf(line, sizeof(line), ":%u", e->at_line);
	snprintf(buf, size, "%s%s%s%s%s%s", finding_kind_name(e->kind),
		 e->function ? " in " : "", e->function ? e->function : "",
		 line, e->object ? ", " : "", e->object ? e->object : "");
}

static bool came(const struct case_finding *want)
{
	for (unsigned int i = 0; i < finding_count(); i++)
		if (case_finding_matches(want, finding_get(i)))
			return true;
	return false;
}

static void note_missing(struct run *r, const struct case_finding *want)
{
	char text[256];

	describe_expected(want, text, sizeof(text));
	outcome_note(r->o, "line %u: not found: %s", want->line, text);
	if (!r->o->not_found++)
		r->o->first_not_found = r->o->notes;
}

/* Only those that are expected are fine, and they must come. */
static void judge_findings(struct run *r)
{
	for (unsigned int i = 0; i < finding_count(); i++) {
		bool expected = case_expect_matches(r->want, finding_get(i));

		outcome_finding(r->o, finding_get(i), expected);
		if (!expected)
			r->o->passed = false;
	}
	for (unsigned int i = 0; r->want && i < r->want->finding_count; i++)
		if (!came(&r->want->finding[i]))
			note_missing(r, &r->want->finding[i]);
}

static void judge_size(struct run *r, const struct case_size *want)
{
	const struct sizes *got = &r->o->sizes;
	char a[SIZES_TEXT];
	char b[SIZES_TEXT];

	if (got->known[want->key] && got->value[want->key] == want->value)
		return;
	outcome_note(r->o, "line %u: %s is %s, expected %s", want->line,
		     size_key_name(want->key), sizes_text(got, want->key, a),
		     sizes_text_value(want->key, want->value, b));
}

/* What a fatal finding kept from being measured is not told beside it. */
static void judge_sizes(struct run *r, bool ended)
{
	for (unsigned int i = 0; r->want && i < r->want->size_count; i++) {
		const struct case_size *want = &r->want->size[i];

		if (ended && !r->o->sizes.known[want->key])
			continue;
		judge_size(r, want);
	}
}

static void note_schedule(const struct sim_case *c, struct outcome *o)
{
	const struct sched_change *change;
	const unsigned char *width;

	kern_sched_stats(&o->sched);
	if (c->schedule.want_changes)
		o->changes = kern_sched_changes(&change);
	if (c->schedule.want_widths)
		o->widths = kern_sched_widths(&width);
}

void steps_run(const struct sim_case *c, struct outcome *o)
{
	static struct run r;
	bool ended;

	memset(o, 0, sizeof(*o));
	r = (struct run){.c = c, .o = o};
	r.want = case_expectation(c, kern_subject.name);
	o->passed = true;
	r.online = c->machine->online_cpus;
	ended = run_guarded(simulate, &r);
	note_schedule(c, o);
	model_free(r.model);
	judge_findings(&r);
	judge_sizes(&r, ended);
	if (o->notes)
		o->passed = false;
}
