/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The case parser: sections, the keys that belong to no other file, and what
 * can only be checked when the whole file has been read.
 *
 *	[case]		title, why, subjects
 *	[machine]	keys of machine.h, or file = x.machine
 *	[params]	NAME = VALUE
 *	[array]		keys of array-spec.h
 *	[schedule]	schedule, points, disk-times
 *	[locks]		strict
 *	[steps]		verb = ..., in order (case-step.c)
 *	[expect GLOB]	what must come of it (case-expect.c)
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "case-step.h"
#include "ini-lines.h"
#include "machine.h"
#include "schedule.h"
#include "vec.h"

#define SECTIONS                                                      \
	"[case], [machine], [params], [array], [schedule], [locks], " \
	"[steps], [expect], [expect SUBJECT]"

enum section {
	IN_CASE,
	IN_MACHINE,
	IN_PARAMS,
	IN_ARRAY,
	IN_SCHEDULE,
	IN_LOCKS,
	IN_STEPS,
	IN_EXPECT,
	NOWHERE
};

static const char *const section_names[] = {
	"case",	    "machine", "params", "array",
	"schedule", "locks",   "steps",
};

/**
 * struct reading - a file being read
 * @spec:	the machine's keys so far
 * @machine_file: of [machine] file, joined to the case's folder, or NULL
 * @seen:	bit n: enum section n had its header
 * @schedule:	of [schedule] schedule, read when the points are known
 * @in:		the section at hand
 */
struct reading {
	struct sim_case *c;
	struct diag *diag;
	struct machine_spec *spec;
	char *machine_file;
	unsigned int seen;
	char *schedule;
	enum section in;
};

/* ------------------------------------------------------------------ */
/* [case]							      */

static int set_once(char **field, const char *key, const char *value,
		    const struct source_pos *pos, struct diag *diag)
{
	if (*field)
		return diag_set(diag, pos, key, value, NULL, "given twice");
	if (!*value)
		return diag_set(diag, pos, key, value, "some text",
				"nothing after '='");
	*field = vec_copy(value);
	return 0;
}

static void add_subject(struct sim_case *c, const char *glob)
{
	void *base = c->subjects;
	char **slot = vec_add(&base, &c->subject_count, sizeof(*slot));

	c->subjects = base;
	*slot = vec_copy(glob);
}

static int set_subjects(struct sim_case *c, const char *value,
			const struct source_pos *pos, struct diag *diag)
{
	char *copy = vec_copy(value);
	char *text = copy;
	char *word;

	if (c->subject_count) {
		free(copy);
		return diag_set(diag, pos, "subjects", value, NULL,
				"given twice");
	}
	while ((word = case_word(&text)))
		add_subject(c, word);
	free(copy);
	if (c->subject_count)
		return 0;
	return diag_set(diag, pos, "subjects", value,
			"names or patterns, e.g. stock* posted",
			"nothing after '='");
}

static int case_key(struct reading *r, const struct source_pos *pos,
		    const char *key, const char *value)
{
	struct sim_case *c = r->c;

	if (!strcmp(key, "title"))
		return set_once(&c->title, key, value, pos, r->diag);
	if (!strcmp(key, "why"))
		return set_once(&c->why, key, value, pos, r->diag);
	if (!strcmp(key, "subjects"))
		return set_subjects(c, value, pos, r->diag);
	return diag_set(r->diag, pos, key, value, "title, why, subjects",
			"no such key in [case]");
}

/* ------------------------------------------------------------------ */
/* [machine], [params], [array]					      */

/* @file relative to the folder that @path is in. */
static char *beside(const char *path, const char *file)
{
	const char *slash = strrchr(path, '/');
	size_t dir = slash ? (size_t)(slash - path) + 1 : 0;
	size_t size = dir + strlen(file) + 1;
	char *joined = vec_checked(malloc(size));

	snprintf(joined, size, "%.*s%s", (int)dir, path, file);
	return joined;
}

static int machine_file(struct reading *r, const struct source_pos *pos,
			const char *value)
{
	if (r->machine_file)
		return diag_set(r->diag, pos, "file", value, NULL,
				"given twice");
	if (!*value || *value == '/' || !strcmp(value, "-"))
		return diag_set(r->diag, pos, "file", value,
				"a path relative to the case's folder",
				"not a relative path");
	r->machine_file = beside(r->c->path, value);
	if (!access(r->machine_file, R_OK))
		return 0;
	return diag_set(r->diag, pos, "file", value,
			"a path relative to the case's folder",
			"cannot read %s: %s", r->machine_file, strerror(errno));
}

static int machine_key(struct reading *r, const struct source_pos *pos,
		       const char *key, const char *value)
{
	char accepted[256];
	int err;

	if (!strcmp(key, "file"))
		return machine_file(r, pos, value);
	err = machine_spec_key(r->spec, key, value, pos, r->diag);
	if (err != -ENOENT)
		return err;
	snprintf(accepted, sizeof(accepted), "file, %s", machine_keys());
	return diag_set(r->diag, pos, key, value, accepted,
			"no such key in [machine]");
}

static int array_key(struct reading *r, const struct source_pos *pos,
		     const char *key, const char *value)
{
	int err = array_spec_key(&r->c->array, key, value, pos, r->diag);

	if (err != -ENOENT)
		return err;
	return diag_set(r->diag, pos, key, value, array_case_keys(),
			"no such key in [array]");
}

static int param_key(struct reading *r, const struct source_pos *pos,
		     const char *key, const char *value)
{
	for (unsigned int i = 0; i < r->c->params.count; i++)
		if (!strcmp(r->c->params.param[i].name, key))
			return diag_set(r->diag, pos, key, value, NULL,
					"given twice");
	param_add(&r->c->params, key, value, pos);
	return 0;
}

/* ------------------------------------------------------------------ */
/* [schedule]							      */

static int set_schedule(struct reading *r, const struct source_pos *pos,
			const char *value)
{
	int err = set_once(&r->schedule, "schedule", value, pos, r->diag);

	if (!err)
		r->c->schedule.line = pos->line;
	return err;
}

static int set_points(struct reading *r, const struct source_pos *pos,
		      const char *value)
{
	struct case_schedule *s = &r->c->schedule;

	if (s->points_line)
		return diag_set(r->diag, pos, "points", value, NULL,
				"given twice");
	s->points_line = pos->line;
	if (!schedule_points_parse(value, &s->points))
		return 0;
	return diag_set(r->diag, pos, "points", value, SCHEDULE_POINTS_FORM,
			"unknown points");
}

static int set_times(struct reading *r, const struct source_pos *pos,
		     const char *value)
{
	struct case_schedule *s = &r->c->schedule;

	if (s->times_line)
		return diag_set(r->diag, pos, "disk-times", value, NULL,
				"given twice");
	s->times_line = pos->line;
	if (!schedule_times_parse(value, &s->times))
		return 0;
	return diag_set(r->diag, pos, "disk-times", value, SCHEDULE_TIMES_FORM,
			"not a time or two");
}

static int schedule_key(struct reading *r, const struct source_pos *pos,
			const char *key, const char *value)
{
	if (!strcmp(key, "schedule"))
		return set_schedule(r, pos, value);
	if (!strcmp(key, "points"))
		return set_points(r, pos, value);
	if (!strcmp(key, "disk-times"))
		return set_times(r, pos, value);
	return diag_set(r->diag, pos, key, value,
			"schedule, points, disk-times",
			"no such key in [schedule]");
}

/* ------------------------------------------------------------------ */
/* [locks]							      */

static int locks_key(struct reading *r, const struct source_pos *pos,
		     const char *key, const char *value)
{
	struct case_locks *l = &r->c->locks;

	if (strcmp(key, "strict"))
		return diag_set(r->diag, pos, key, value, "strict",
				"no such key in [locks]");
	if (l->strict_line)
		return diag_set(r->diag, pos, key, value, NULL, "given twice");
	l->strict_line = pos->line;
	l->strict = !strcmp(value, "yes");
	if (l->strict || !strcmp(value, "no"))
		return 0;
	return diag_set(r->diag, pos, key, value, "yes or no", "neither");
}

/* ------------------------------------------------------------------ */
/* Sections							      */

static int begin_expect(struct reading *r, const struct source_pos *pos,
			const char *glob)
{
	struct sim_case *c = r->c;
	struct case_expect *e;
	void *base = c->expect;

	glob += strspn(glob, " \t");
	for (unsigned int i = 0; i < c->expect_count; i++)
		if (!strcmp(c->expect[i].glob, glob))
			return diag_set(r->diag, pos, NULL, NULL, NULL,
					"this [expect] is in the file twice");
	e = vec_add(&base, &c->expect_count, sizeof(*e));
	c->expect = base;
	e->glob = vec_copy(glob);
	r->in = IN_EXPECT;
	return 0;
}

static bool is_expect(const char *name)
{
	return !strncmp(name, "expect", 6) && (!name[6] || name[6] == ' ');
}

static int begin_section(struct reading *r, const struct source_pos *pos,
			 const char *name)
{
	if (is_expect(name))
		return begin_expect(r, pos, name + 6);
	r->in = IN_CASE;
	while (r->in < IN_EXPECT && strcmp(section_names[r->in], name))
		r->in++;
	if (r->in == IN_EXPECT)
		return diag_set(r->diag, pos, NULL, NULL, SECTIONS,
				"no such section: [%s]", name);
	if (r->seen & 1U << r->in)
		return diag_set(r->diag, pos, NULL, NULL, NULL,
				"[%s] is in the file twice", name);
	r->seen |= 1U << r->in;
	return 0;
}

static int on_line(void *arg, const struct source_pos *pos, const char *section,
		   const char *key, const char *value)
{
	struct reading *r = arg;
	struct sim_case *c = r->c;

	if (!key)
		return begin_section(r, pos, section);
	switch (r->in) {
	case IN_CASE:
		return case_key(r, pos, key, value);
	case IN_MACHINE:
		return machine_key(r, pos, key, value);
	case IN_PARAMS:
		return param_key(r, pos, key, value);
	case IN_ARRAY:
		return array_key(r, pos, key, value);
	case IN_SCHEDULE:
		return schedule_key(r, pos, key, value);
	case IN_LOCKS:
		return locks_key(r, pos, key, value);
	case IN_STEPS:
		return case_step_add(c, key, value, pos, r->diag);
	case IN_EXPECT:
		return case_expect_key(&c->expect[c->expect_count - 1], key,
				       value, pos, r->diag);
	default:
		return diag_set(r->diag, pos, key, value, SECTIONS,
				"a key before the first section");
	}
}

/* ------------------------------------------------------------------ */
/* The whole							      */

/* A message without a place of its own is about the file as a whole. */
static int name_the_file(const char *path, struct diag *diag)
{
	static const char prefix[] = "raid5sim: ";
	struct source_pos pos = {path, 0};
	struct diag old = *diag;

	if (strncmp(old.text, prefix, sizeof(prefix) - 1))
		return -EINVAL;
	diag->text[0] = '\0';
	return diag_set(diag, &pos, NULL, NULL, NULL, "%s",
			old.text + sizeof(prefix) - 1);
}

static int finish_machine(struct reading *r, unsigned long page_size)
{
	struct sim_case *c = r->c;

	if (r->machine_file &&
	    machine_file_read(r->machine_file, r->spec, r->diag))
		return -EINVAL;
	c->machine = vec_checked(calloc(1, sizeof(*c->machine)));
	if (machine_spec_finish(r->spec, page_size, c->machine, r->diag))
		return name_the_file(c->path, r->diag);
	return 0;
}

/* The line comes last: its points may be in a line below it. */
static int finish_schedule(struct reading *r)
{
	struct case_schedule *s = &r->c->schedule;
	struct source_pos pos = {r->c->path, s->line};
	const char *why;

	if (!r->schedule) {
		s->s.points = s->points;
		return 0;
	}
	if (!schedule_parse(r->schedule, s->points, &s->s, &why))
		return 0;
	return diag_set(r->diag, &pos, "schedule", r->schedule, SCHEDULE_FORM,
			"%s", why);
}

static int finish(struct reading *r, unsigned long page_size)
{
	struct sim_case *c = r->c;
	struct source_pos pos = {c->path, 0};

	if (!c->title)
		return diag_set(r->diag, &pos, NULL, NULL,
				"title = one line of text",
				"no title in [case]");
	if (!c->step_count)
		return diag_set(r->diag, &pos, NULL, NULL,
				"at least create = ok", "no step in [steps]");
	if (!c->why)
		c->why = vec_copy("");
	if (array_spec_finish(&c->array, c->path, r->diag) ||
	    finish_schedule(r))
		return -EINVAL;
	if (finish_machine(r, page_size))
		return -EINVAL;
	return case_steps_check(c, r->diag);
}

int case_load_as(const char *from, const char *path, unsigned long page_size,
		 struct sim_case *c, struct diag *diag)
{
	struct reading r = {.c = c, .diag = diag, .in = NOWHERE};
	int err;

	memset(c, 0, sizeof(*c));
	c->path = vec_copy(path);
	array_spec_init(&c->array);
	r.spec = vec_checked(malloc(sizeof(*r.spec)));
	machine_spec_init(r.spec);
	err = ini_lines_parse(from, on_line, &r, diag);
	if (!err)
		err = finish(&r, page_size);
	machine_spec_free(r.spec);
	free(r.spec);
	free(r.machine_file);
	free(r.schedule);
	return err;
}

int case_load(const char *path, unsigned long page_size, struct sim_case *c,
	      struct diag *diag)
{
	return case_load_as(path, path, page_size, c, diag);
}

void case_free(struct sim_case *c)
{
	for (unsigned int i = 0; i < c->subject_count; i++)
		free(c->subjects[i]);
	for (unsigned int i = 0; i < c->step_count; i++)
		case_step_free(&c->step[i]);
	schedule_free(&c->schedule.s);
	for (unsigned int i = 0; i < c->expect_count; i++)
		case_expect_free(&c->expect[i]);
	param_list_free(&c->params);
	free(c->subjects);
	free(c->step);
	free(c->expect);
	free(c->machine);
	free(c->path);
	free(c->title);
	free(c->why);
	memset(c, 0, sizeof(*c));
}

bool case_applies(const struct sim_case *c, const char *subject)
{
	for (unsigned int i = 0; i < c->subject_count; i++)
		if (!fnmatch(c->subjects[i], subject, 0))
			return true;
	return !c->subject_count;
}

const struct case_expect *case_expectation(const struct sim_case *c,
					   const char *subject)
{
	const struct case_expect *plain = NULL;

	for (unsigned int i = 0; i < c->expect_count; i++) {
		const struct case_expect *e = &c->expect[i];

		if (!*e->glob)
			plain = e;
		else if (!fnmatch(e->glob, subject, 0))
			return e;
	}
	return plain;
}

/* What follows the last folder "cases" of @path, or NULL. */
static const char *after_cases(const char *path)
{
	static const char folder[] = "cases/";
	const char *found = NULL;

	for (const char *s = strstr(path, folder); s; s = strstr(s + 1, folder))
		if (s == path || s[-1] == '/')
			found = s + sizeof(folder) - 1;
	return found;
}

static const char *after_dir(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len))
		return path;
	path += len;
	return path + strspn(path, "/");
}

void case_name(const char *path, const char *dir, char *name, size_t size)
{
	static const char suffix[] = ".case";
	const char *start = after_cases(path);
	const char *slash = strrchr(path, '/');
	size_t len;

	if (!start)
		start = dir ? after_dir(path, dir) : slash ? slash + 1 : path;
	len = strlen(start);
	if (len > sizeof(suffix) - 1 &&
	    !strcmp(start + len - (sizeof(suffix) - 1), suffix))
		len -= sizeof(suffix) - 1;
	snprintf(name, size, "%.*s", (int)len, start);
}
