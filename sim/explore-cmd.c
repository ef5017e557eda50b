/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim explore`: options, and what was found in KTAP or JSON. What is
 * tried is explore.c's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "explore.h"
#include "host/run.h"
#include "json.h"
#include "report.h"
#include "run-files.h"
#include "schedule.h"
#include "session.h"
#include "shrink.h"
#include "size.h"
#include "vec.h"

#define NAME_MAX_BYTES 512
#define NO_POINTS      (~0U)

/** struct exploring - the command's options and totals */
struct exploring {
	struct case_files files;
	struct sim_case *c;
	char (*name)[NAME_MAX_BYTES];
	bool *skip;
	struct exploration options;
	const char *shrink_folder;
	bool json;
	bool help;
	unsigned int fail;
	unsigned int skipped;
	unsigned int broken;
	struct json out;
};

/* ------------------------------------------------------------------ */
/* Options							      */

static int set_number(const char *key, const char *value,
		      unsigned long long min, unsigned long long max,
		      unsigned long long *out, struct diag *diag)
{
	char form[64];
	const char *why;

	snprintf(form, sizeof(form), "an integer, %llu to %llu", min, max);
	if (number_parse(value, min, max, out, &why))
		return diag_set(diag, NULL, key, value, form, "%s", why);
	return 0;
}

static int set_uint(const char *key, const char *value, unsigned int min,
		    unsigned int max, unsigned int *out, struct diag *diag)
{
	unsigned long long n = 0;
	int err = set_number(key, value, min, max, &n, diag);

	if (!err)
		*out = (unsigned int)n;
	return err;
}

static struct exploration *options(void *ctx)
{
	return &((struct exploring *)ctx)->options;
}

static int set_strict_locks(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	options(ctx)->strict_locks = true;
	return 0;
}

static int set_runs(void *ctx, const char *value, struct diag *diag)
{
	unsigned long long n = 0;
	int err = set_number("runs", value, 1, 1000000000, &n, diag);

	if (!err)
		options(ctx)->runs = (unsigned long)n;
	return err;
}

static int set_strategy(void *ctx, const char *value, struct diag *diag)
{
	static const char *const names[] = {
		[EXPLORE_RANDOM] = "random",
		[EXPLORE_PCT] = "pct",
		[EXPLORE_EXHAUSTIVE] = "exhaustive",
	};

	for (unsigned int i = 0; i < 3; i++) {
		if (strcmp(names[i], value))
			continue;
		options(ctx)->strategy = (enum explore_strategy)i;
		return 0;
	}
	return diag_set(diag, NULL, "strategy", value,
			"random, pct, exhaustive", "unknown strategy");
}

static int set_depth(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("depth", value, 1, 10000, &options(ctx)->depth, diag);
}

static int set_changes(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("changes", value, 0, 1000, &options(ctx)->bound, diag);
}

static int set_rate(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("rate", value, 1, 1000000000, &options(ctx)->rate,
			diag);
}

static int set_seed(void *ctx, const char *value, struct diag *diag)
{
	return set_number("seed", value, 0, ~0ULL, &options(ctx)->seed, diag);
}

static int set_jobs(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("jobs", value, 1, 256, &options(ctx)->at_once, diag);
}

static int set_time_limit(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("time-limit", value, 1, 86400,
			&options(ctx)->time_limit, diag);
}

static int set_points(void *ctx, const char *value, struct diag *diag)
{
	if (!schedule_points_parse(value, &options(ctx)->points))
		return 0;
	return diag_set(diag, NULL, "points", value, SCHEDULE_POINTS_FORM,
			"unknown points");
}

static int set_shrink(void *ctx, const char *value, struct diag *diag)
{
	(void)diag;
	((struct exploring *)ctx)->shrink_folder = value;
	return 0;
}

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct exploring *)ctx)->json = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct exploring *)ctx)->help = true;
	return 0;
}

static int add_operand(void *ctx, const char *text, struct diag *diag)
{
	return case_files_add(&((struct exploring *)ctx)->files, text, diag);
}

static const struct option_def explore_options[] = {
	{"runs", OPTION_VALUE, set_runs},
	{"strategy", OPTION_VALUE, set_strategy},
	{"depth", OPTION_VALUE, set_depth},
	{"changes", OPTION_VALUE, set_changes},
	{"rate", OPTION_VALUE, set_rate},
	{"seed", OPTION_VALUE, set_seed},
	{"points", OPTION_VALUE, set_points},
	{"jobs", OPTION_VALUE, set_jobs},
	{"time-limit", OPTION_VALUE, set_time_limit},
	{"shrink", OPTION_VALUE, set_shrink},
	{"strict-locks", OPTION_FLAG, set_strict_locks},
	{"json", OPTION_FLAG, set_json},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int parse(struct exploring *x, int argc, char **argv, struct diag *diag)
{
	struct option_walk walk = {
		.command = "explore",
		.defs = explore_options,
		.operand = add_operand,
		.ctx = x,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -EINVAL;
	if (!x->files.count && !x->help)
		return diag_set(diag, NULL, NULL, NULL, NULL,
				"explore: no case file given; try "
				"raid5sim explore --help");
	case_files_sort(&x->files);
	return 0;
}

static int load(struct exploring *x, unsigned int i, struct diag *diag)
{
	const struct case_file *f = &x->files.file[i];

	case_name(f->path, f->dir, x->name[i], sizeof(x->name[i]));
	if (case_load(f->path, kern_subject.page_size, &x->c[i], diag))
		return -EINVAL;
	x->skip[i] = !case_applies(&x->c[i], kern_subject.name);
	if (x->skip[i])
		return 0;
	return session_params_check(&x->c[i].params, diag);
}

static unsigned int load_all(struct exploring *x)
{
	unsigned int n = x->files.count;
	unsigned int bad = 0;

	x->c = vec_checked(calloc(n, sizeof(*x->c)));
	x->name = vec_checked(calloc(n, sizeof(*x->name)));
	x->skip = vec_checked(calloc(n, sizeof(*x->skip)));
	for (unsigned int i = 0; i < n; i++) {
		struct diag diag = {""};

		if (!load(x, i, &diag))
			continue;
		bad_usage(&diag);
		bad++;
	}
	return bad;
}

/* ------------------------------------------------------------------ */
/* KTAP								      */

static void ktap_found(const struct exploration *e, const struct explored *x)
{
	char *replay = report_replay_case(e->c->path, x->schedule,
					  e->strict_locks);
	char label[64];

	snprintf(label, sizeof(label),
		 "%s%lu of %lu: ", x->expected ? "expected: " : "", x->runs,
		 e->done);
	if (*x->note)
		printf("# %s%s\n#   replay: %s\n", label, x->note, replay);
	else
		report_finding(stdout, "# ", label, &x->f, replay);
	free(replay);
}

static void ktap_totals(const struct exploration *e)
{
	printf("# %lu runs: %llu points, %llu choices, %llu switches, %llu "
	       "interrupts\n",
	       e->done, e->points_passed, e->choices, e->switches,
	       e->interrupts);
	if (e->strategy == EXPLORE_EXHAUSTIVE)
		printf("# %s with at most %u change%s from in order\n",
		       e->complete ? "all schedules" : "not all schedules",
		       e->bound, e->bound == 1 ? "" : "s");
}

static void ktap_case(const struct exploring *x, unsigned int i,
		      const struct exploration *e)
{
	if (x->skip[i]) {
		printf("ok %u %s # SKIP not for subject %s\n", i + 1,
		       x->name[i], kern_subject.name);
		return;
	}
	ktap_totals(e);
	for (unsigned int k = 0; k < e->count; k++)
		ktap_found(e, &e->found[k]);
	if (e->more)
		printf("# %lu findings more\n", e->more);
	printf("%sok %u %s\n", e->failed ? "not " : "", i + 1, x->name[i]);
}

/* ------------------------------------------------------------------ */
/* JSON								      */

static void json_found(struct json *out, const struct exploration *e,
		       const struct explored *x)
{
	char *replay = report_replay_case(e->c->path, x->schedule,
					  e->strict_locks);

	json_object(out, NULL);
	json_uint(out, "runs", x->runs);
	json_bool(out, "expected", x->expected);
	json_string(out, "schedule", x->schedule);
	if (*x->note) {
		json_string(out, "unmet", x->note);
		json_string(out, "replay", replay);
	} else {
		json_array(out, "findings");
		report_finding_json(out, &x->f, replay);
		json_end(out);
	}
	json_end(out);
	free(replay);
}

static const char *result(const struct exploring *x, unsigned int i,
			  const struct exploration *e)
{
	if (x->skip[i])
		return "skip";
	return e->failed ? "fail" : "pass";
}

static void json_case(struct exploring *x, unsigned int i,
		      const struct exploration *e)
{
	struct json *out = &x->out;

	json_object(out, NULL);
	json_string(out, "name", x->name[i]);
	json_string(out, "file", x->c[i].path);
	json_string(out, "subject", kern_subject.name);
	json_string(out, "result", result(x, i, e));
	json_uint(out, "runs", e->done);
	json_uint(out, "failed", e->failed);
	json_uint(out, "points", e->points_passed);
	json_uint(out, "choices", e->choices);
	json_uint(out, "switches", e->switches);
	json_uint(out, "interrupts", e->interrupts);
	if (e->strategy == EXPLORE_EXHAUSTIVE)
		json_bool(out, "complete", e->complete);
	else
		json_null(out, "complete");
	json_array(out, "found");
	for (unsigned int k = 0; k < e->count; k++)
		json_found(out, e, &e->found[k]);
	json_end(out);
	json_end(out);
}

/* ------------------------------------------------------------------ */

static bool only_not_modelled(const struct exploration *e)
{
	if (!e->not_modelled)
		return false;
	for (unsigned int i = 0; i < e->count; i++)
		if (!e->found[i].expected &&
		    (*e->found[i].note ||
		     e->found[i].f.kind != FINDING_NOT_MODELLED))
			return false;
	return true;
}

/* What the case says of points, unless the command line does. */
static unsigned int points_of(const struct exploring *x,
			      const struct sim_case *c)
{
	if (x->options.points != NO_POINTS)
		return x->options.points;
	if (c->schedule.line)
		return c->schedule.s.points;
	return c->schedule.points_line ? c->schedule.points : SCHEDULE_LOCKS;
}

/* FOLDER/raid5-mixed-1.case, for the first finding of raid5/mixed. */
static char *small_name(const struct exploring *x, unsigned int i,
			unsigned int number)
{
	size_t size = strlen(x->shrink_folder) + strlen(x->name[i]) + 24;
	char *file = vec_checked(malloc(size));
	char *s;

	snprintf(file, size, "%s/%s-%u.case", x->shrink_folder, x->name[i],
		 number);
	for (s = file + strlen(x->shrink_folder) + 1; *s; s++)
		if (*s == '/')
			*s = '-';
	return file;
}

static int shrink_it(struct shrink *s, const char *file, const char **why)
{
	int err = shrink(s, why);

	if (err)
		return err;
	*why = "what was written does not show it again";
	return shrink_write(s, file);
}

/* Told on stderr: the output is the same with and without it. */
static void shrink_one(const struct exploring *x, unsigned int i,
		       const struct explored *found, const char *file)
{
	struct shrink s = {
		.path = x->c[i].path,
		.kind = found->f.kind,
		.runs = 5000,
		.at_once = x->options.at_once,
		.time_limit = x->options.time_limit,
	};
	struct diag diag = {""};
	const char *why;
	char text[256];
	int err;

	if (schedule_parse(found->schedule, 0, &s.schedule, &why) ||
	    case_text_read(&s.text, s.path, &diag))
		return;
	if (x->options.strict_locks) {
		case_text_drop_section(&s.text, "locks");
		case_text_add(&s.text, "locks", "strict", "yes");
	}
	err = shrink_it(&s, file, &why);
	shrink_text(&s, text, sizeof(text));
	if (!err)
		fprintf(stderr, "%s: %s\n", file, text);
	else
		fprintf(stderr, "raid5sim: %s: %s\n", file,
			err == -ENOENT ? why : strerror(-err));
	shrink_free(&s);
}

static void shrink_found(const struct exploring *x, unsigned int i,
			 const struct exploration *e)
{
	unsigned int number = 0;

	for (unsigned int k = 0; k < e->count; k++) {
		char *file;

		if (e->found[k].expected || *e->found[k].note)
			continue;
		file = small_name(x, i, ++number);
		shrink_one(x, i, &e->found[k], file);
		free(file);
	}
}

static int explore_one(struct exploring *x, unsigned int i)
{
	struct exploration *e = vec_checked(malloc(sizeof(*e)));
	int err = 0;

	*e = x->options;
	e->c = &x->c[i];
	e->points = points_of(x, e->c);
	if (!x->skip[i])
		err = explore(e);
	if (!err && x->json)
		json_case(x, i, e);
	else if (!err)
		ktap_case(x, i, e);
	if (!err && x->shrink_folder)
		shrink_found(x, i, e);
	x->skipped += x->skip[i];
	x->fail += e->failed != 0;
	x->broken += only_not_modelled(e);
	explore_free(e);
	free(e);
	fflush(stdout);
	return err;
}

static void print_begin(struct exploring *x)
{
	json_init(&x->out, stdout);
	if (x->json)
		json_array(&x->out, NULL);
	else
		printf("KTAP version 1\n1..%u\n", x->files.count);
}

static void print_end(struct exploring *x)
{
	if (x->json)
		json_end(&x->out);
	else
		printf("# Totals: pass:%u fail:%u skip:%u\n",
		       x->files.count - x->fail - x->skipped, x->fail,
		       x->skipped);
}

static int explore_all(struct exploring *x)
{
	int failed;

	print_begin(x);
	for (unsigned int i = 0; i < x->files.count; i++) {
		int err = explore_one(x, i);

		if (!err)
			continue;
		fprintf(stderr, "raid5sim: cannot start a process: %s\n",
			strerror(-err));
		return EXIT_USAGE;
	}
	print_end(x);
	failed = report_flush();
	if (failed)
		return failed;
	if (x->broken && x->broken == x->fail)
		return EXIT_NOT_MODELLED;
	return x->fail ? EXIT_FINDING : EXIT_AS_EXPECTED;
}

static void free_all(struct exploring *x)
{
	for (unsigned int i = 0; x->c && i < x->files.count; i++)
		case_free(&x->c[i]);
	free(x->c);
	free(x->name);
	free(x->skip);
	case_files_free(&x->files);
}

int explore_command(int argc, char **argv)
{
	static struct exploring x;
	struct diag diag = {""};
	int ret;

	x.options = (struct exploration){
		.strategy = EXPLORE_PCT,
		.runs = 100,
		.seed = 1,
		.depth = 3,
		.bound = 1,
		.points = NO_POINTS,
		.at_once = 1,
		.time_limit = 60,
	};
	if (parse(&x, argc, argv, &diag))
		ret = bad_usage(&diag);
	else if (x.help)
		ret = usage_print("explore") ? 0 : EXIT_USAGE;
	else if (load_all(&x))
		ret = EXIT_USAGE;
	else
		ret = explore_all(&x);
	free_all(&x);
	return ret;
}
