/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim run`: reads all case files, then runs them, each in a process of
 * its own, and prints KTAP or JSON. What a case means is known to case.c and
 * steps.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "host/run.h"
#include "json.h"
#include "report.h"
#include "run-files.h"
#include "run-pool.h"
#include "schedule.h"
#include "session.h"
#include "size.h"
#include "vec.h"

#define JOBS_MAX	   256
#define TIME_LIMIT_DEFAULT 60
#define TIME_LIMIT_MAX	   86400
#define NAME_MAX_BYTES	   512

/**
 * struct running - the command's options and totals
 * @schedule:	of --schedule, for all cases; @schedule_text: its line
 * @trace_hash:	print a line a case, for comparisons
 * @broken:	failed cases whose only fault is that something is not modelled
 */
struct running {
	struct case_files files;
	struct job *job;
	unsigned int at_once;
	unsigned int time_limit;
	bool json;
	bool trace_hash;
	char *schedule_text;
	struct schedule schedule;
	bool strict_locks;
	bool list;
	bool help;
	unsigned int pass;
	unsigned int fail;
	unsigned int skip;
	unsigned int broken;
	struct json out;
};

/* ------------------------------------------------------------------ */
/* Options							      */

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct running *)ctx)->json = true;
	return 0;
}

static int set_list(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct running *)ctx)->list = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct running *)ctx)->help = true;
	return 0;
}

/* It is what is done anyway; taken so that scripts can say it. */
static int set_keep_going(void *ctx, const char *value, struct diag *diag)
{
	(void)ctx;
	(void)value;
	(void)diag;
	return 0;
}

static int set_log(void *ctx, const char *value, struct diag *diag)
{
	(void)ctx;
	return log_option(value, diag);
}

static int set_number(const char *key, const char *value, unsigned int max,
		      const char *form, unsigned int *out, struct diag *diag)
{
	unsigned long long n;
	const char *why;

	if (number_parse(value, 1, max, &n, &why))
		return diag_set(diag, NULL, key, value, form, "%s", why);
	*out = (unsigned int)n;
	return 0;
}

static int set_jobs(void *ctx, const char *value, struct diag *diag)
{
	struct running *r = ctx;

	return set_number("jobs", value, JOBS_MAX,
			  "processes at a time, 1 to 256", &r->at_once, diag);
}

static int set_time_limit(void *ctx, const char *value, struct diag *diag)
{
	struct running *r = ctx;

	return set_number("time-limit", value, TIME_LIMIT_MAX,
			  "seconds, 1 to 86400", &r->time_limit, diag);
}

static int set_trace_hash(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct running *)ctx)->trace_hash = true;
	return 0;
}

static int set_schedule(void *ctx, const char *value, struct diag *diag)
{
	struct running *r = ctx;
	const char *why;

	if (r->schedule_text)
		return diag_set(diag, NULL, "schedule", value, NULL,
				"given twice");
	if (schedule_parse(value, 0, &r->schedule, &why)) {
		schedule_free(&r->schedule);
		return diag_set(diag, NULL, "schedule", value, SCHEDULE_FORM,
				"%s", why);
	}
	r->schedule_text = schedule_text(&r->schedule);
	return 0;
}

static int set_strict_locks(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct running *)ctx)->strict_locks = true;
	return 0;
}

static int add_operand(void *ctx, const char *text, struct diag *diag)
{
	return case_files_add(&((struct running *)ctx)->files, text, diag);
}

static const struct option_def run_options[] = {
	{"json", OPTION_FLAG, set_json},
	{"list", OPTION_FLAG, set_list},
	{"jobs", OPTION_VALUE, set_jobs},
	{"time-limit", OPTION_VALUE, set_time_limit},
	{"keep-going", OPTION_FLAG, set_keep_going},
	{"schedule", OPTION_VALUE, set_schedule},
	{"strict-locks", OPTION_FLAG, set_strict_locks},
	{"trace-hash", OPTION_FLAG, set_trace_hash},
	{"log", OPTION_OPTIONAL, set_log},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int parse(struct running *r, int argc, char **argv, struct diag *diag)
{
	struct option_walk walk = {
		.command = "run",
		.defs = run_options,
		.operand = add_operand,
		.ctx = r,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -EINVAL;
	if (!r->files.count && !r->help)
		return diag_set(diag, NULL, NULL, NULL, NULL,
				"run: no case file given; try "
				"raid5sim run --help");
	case_files_sort(&r->files);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Loading							      */

static int load_job(const struct case_file *f, struct job *j, struct diag *diag)
{
	char name[NAME_MAX_BYTES];

	case_name(f->path, f->dir, name, sizeof(name));
	j->name = vec_copy(name);
	if (case_load(f->path, kern_subject.page_size, &j->c, diag))
		return -EINVAL;
	j->skip = !case_applies(&j->c, kern_subject.name);
	if (j->skip)
		return 0;
	return session_params_check(&j->c.params, diag);
}

static void override_case(const struct running *r, struct job *j)
{
	j->c.locks.strict |= r->strict_locks;
	if (!r->schedule_text)
		return;
	schedule_free(&j->c.schedule.s);
	schedule_copy(&r->schedule, &j->c.schedule.s);
}

/* All bad files are told, not just the first. Returns how many. */
static unsigned int load_all(struct running *r)
{
	unsigned int bad = 0;

	r->job = vec_checked(calloc(r->files.count, sizeof(*r->job)));
	for (unsigned int i = 0; i < r->files.count; i++) {
		struct diag diag = {""};

		if (!load_job(&r->files.file[i], &r->job[i], &diag)) {
			override_case(r, &r->job[i]);
			continue;
		}
		bad_usage(&diag);
		bad++;
	}
	return bad;
}

/* ------------------------------------------------------------------ */
/* KTAP								      */

static void ktap_findings(const struct job *j, const char *replay)
{
	const struct outcome *o = j->outcome;
	unsigned int kept = o->findings;

	if (kept > OUTCOME_FINDINGS)
		kept = OUTCOME_FINDINGS;
	for (unsigned int i = 0; i < kept; i++)
		report_finding(stdout, "# ", o->expected[i] ? "expected: " : "",
			       &o->finding[i], i + 1 == kept ? replay : NULL);
	if (o->findings > kept)
		printf("# %u findings more\n", o->findings - kept);
}

static void ktap_notes(const struct outcome *o)
{
	unsigned int kept = o->notes;

	if (kept > OUTCOME_NOTES)
		kept = OUTCOME_NOTES;
	for (unsigned int i = 0; i < kept; i++)
		printf("# %s\n", o->note[i]);
	if (o->notes > kept)
		printf("# %u lines more\n", o->notes - kept);
}

/* A file name must not turn into a directive or a line of its own. */
static void put_name(const char *name)
{
	for (; *name; name++)
		putchar(*name == '#' || (unsigned char)*name < ' ' ? '_'
								   : *name);
}

static void ktap_job(unsigned int number, const struct job *j,
		     const char *replay)
{
	const struct outcome *o = j->outcome;

	if (j->skip) {
		printf("ok %u ", number);
		put_name(j->name);
		printf(" # SKIP not for subject %s\n", kern_subject.name);
		return;
	}
	ktap_notes(o);
	ktap_findings(j, replay);
	if (!o->passed && !o->findings)
		printf("# replay: %s\n", replay);
	printf("%sok %u ", o->passed ? "" : "not ", number);
	put_name(j->name);
	putchar('\n');
}

/* ------------------------------------------------------------------ */
/* JSON								      */

static void json_findings(struct json *out, const char *key,
			  const struct outcome *o, bool expected,
			  const char *replay)
{
	json_array(out, key);
	for (unsigned int i = 0; i < o->findings && i < OUTCOME_FINDINGS; i++)
		if (o->expected[i] == expected)
			report_finding_json(out, &o->finding[i], replay);
	json_end(out);
}

static void json_notes(struct json *out, const struct outcome *o)
{
	json_array(out, "unmet");
	for (unsigned int i = 0; i < o->notes && i < OUTCOME_NOTES; i++)
		json_string(out, NULL, o->note[i]);
	json_end(out);
}

static void json_values(struct json *out, const struct outcome *o)
{
	json_object(out, "sizes");
	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		if (o->sizes.known[i])
			json_int(out, size_key_name(i), o->sizes.value[i]);
	json_end(out);
}

static const char *result(const struct job *j)
{
	if (j->skip)
		return "skip";
	return j->outcome->passed ? "pass" : "fail";
}

static void json_schedule(struct json *out, const struct job *j,
			  const struct outcome *o)
{
	char *line = schedule_text(&j->c.schedule.s);
	char hash[20];

	snprintf(hash, sizeof(hash), "%016llx", o->sched.trace_hash);
	json_object(out, "schedule");
	json_string(out, "line", line);
	json_string(out, "trace_hash", hash);
	json_uint(out, "points", o->sched.points);
	json_uint(out, "choices", o->sched.choices);
	json_uint(out, "switches", o->sched.switches);
	json_uint(out, "interrupts", o->sched.interrupts);
	json_end(out);
	free(line);
}

static void json_job(struct json *out, const struct job *j, const char *replay)
{
	static const struct outcome nothing;
	const struct outcome *o = j->skip ? &nothing : j->outcome;

	json_object(out, NULL);
	json_string(out, "name", j->name);
	json_string(out, "file", j->c.path);
	json_string(out, "title", j->c.title);
	json_string(out, "subject", kern_subject.name);
	json_string(out, "result", result(j));
	json_notes(out, o);
	json_findings(out, "findings", o, false, replay);
	json_findings(out, "expected_findings", o, true, replay);
	json_values(out, o);
	json_schedule(out, j, o);
	json_string(out, "replay", replay);
	json_end(out);
}

/* ------------------------------------------------------------------ */

/* Failed for nothing but what is not modelled? */
static bool only_not_modelled(const struct outcome *o)
{
	if (!o->not_modelled)
		return false;
	for (unsigned int i = 0; i < o->findings && i < OUTCOME_FINDINGS; i++)
		if (!o->expected[i] &&
		    o->finding[i].kind != FINDING_NOT_MODELLED)
			return false;
	return true;
}

static void count(struct running *r, const struct job *j)
{
	if (j->skip)
		r->skip++;
	else if (j->outcome->passed)
		r->pass++;
	else
		r->fail++;
	if (!j->skip && !j->outcome->passed && only_not_modelled(j->outcome))
		r->broken++;
}

/* For diff between builds: nothing in it depends on where it ran. */
static void hash_job(const struct job *j)
{
	char *line = schedule_text(&j->c.schedule.s);

	put_name(j->name);
	if (j->skip)
		printf(" %s skip\n", line);
	else
		printf(" %s %016llx %s\n", line, j->outcome->sched.trace_hash,
		       result(j));
	free(line);
}

static void on_done(void *arg, unsigned int index, const struct job *j)
{
	struct running *r = arg;
	char *replay = report_replay_case(j->c.path, r->schedule_text,
					  r->strict_locks);

	count(r, j);
	if (r->trace_hash)
		hash_job(j);
	else if (r->json)
		json_job(&r->out, j, replay);
	else
		ktap_job(index + 1, j, replay);
	free(replay);
	fflush(stdout);
}

static void print_begin(struct running *r)
{
	if (r->trace_hash)
		return;
	if (r->json) {
		json_init(&r->out, stdout);
		json_array(&r->out, NULL);
		return;
	}
	printf("KTAP version 1\n1..%u\n", r->files.count);
}

static void print_end(struct running *r)
{
	if (r->trace_hash)
		return;
	if (r->json)
		json_end(&r->out);
	else
		printf("# Totals: pass:%u fail:%u skip:%u\n", r->pass, r->fail,
		       r->skip);
}

/* A failure for any other reason says more than "not modelled". */
static int status(const struct running *r)
{
	if (r->broken && r->broken == r->fail)
		return EXIT_NOT_MODELLED;
	return r->fail ? EXIT_FINDING : EXIT_AS_EXPECTED;
}

static int run_all(struct running *r)
{
	struct pool pool = {
		.job = r->job,
		.count = r->files.count,
		.at_once = r->at_once,
		.time_limit = r->time_limit,
		.done = on_done,
		.arg = r,
	};
	int err;
	int failed;

	print_begin(r);
	err = pool_run(&pool);
	if (err) {
		fprintf(stderr, "raid5sim: cannot start a process: %s\n",
			strerror(-err));
		return EXIT_USAGE;
	}
	print_end(r);
	failed = report_flush();
	return failed ? failed : status(r);
}

static int list_all(const struct running *r)
{
	for (unsigned int i = 0; i < r->files.count; i++)
		printf("%s\n", r->job[i].name);
	return report_flush();
}

static void free_all(struct running *r)
{
	for (unsigned int i = 0; r->job && i < r->files.count; i++) {
		case_free(&r->job[i].c);
		free(r->job[i].name);
	}
	free(r->job);
	schedule_free(&r->schedule);
	free(r->schedule_text);
	case_files_free(&r->files);
}

int run_command(int argc, char **argv)
{
	struct running r = {
		.at_once = 1,
		.time_limit = TIME_LIMIT_DEFAULT,
	};
	struct diag diag = {""};
	int ret;

	if (parse(&r, argc, argv, &diag))
		ret = bad_usage(&diag);
	else if (r.help)
		ret = usage_print("run") ? 0 : EXIT_USAGE;
	else if (load_all(&r))
		ret = EXIT_USAGE;
	else
		ret = r.list ? list_all(&r) : run_all(&r);
	free_all(&r);
	return ret;
}
