/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim shrink`: options, the file that is written, and what became of the
 * case. What is tried is shrink.c's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "host/run.h"
#include "report.h"
#include "schedule.h"
#include "session.h"
#include "shrink.h"
#include "size.h"
#include "vec.h"

/** struct shrinking - the command's options */
struct shrinking {
	struct shrink s;
	const char *path;
	const char *output;
	char *schedule;
	bool help;
};

static int set_uint(const char *key, const char *value, unsigned int max,
		    unsigned int *out, struct diag *diag)
{
	unsigned long long n;
	const char *why;

	if (number_parse(value, 1, max, &n, &why))
		return diag_set(diag, NULL, key, value, "an integer from 1 on",
				"%s", why);
	*out = (unsigned int)n;
	return 0;
}

static int set_runs(void *ctx, const char *value, struct diag *diag)
{
	unsigned int n = 0;
	int err = set_uint("runs", value, 100000000, &n, diag);

	if (!err)
		((struct shrinking *)ctx)->s.runs = n;
	return err;
}

static int set_jobs(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("jobs", value, 256,
			&((struct shrinking *)ctx)->s.at_once, diag);
}

static int set_time_limit(void *ctx, const char *value, struct diag *diag)
{
	return set_uint("time-limit", value, 86400,
			&((struct shrinking *)ctx)->s.time_limit, diag);
}

static int set_schedule(void *ctx, const char *value, struct diag *diag)
{
	struct shrinking *x = ctx;
	const char *why;

	schedule_free(&x->s.schedule);
	free(x->schedule);
	x->schedule = vec_copy(value);
	if (!schedule_parse(value, 0, &x->s.schedule, &why))
		return 0;
	return diag_set(diag, NULL, "schedule", value, SCHEDULE_FORM, "%s",
			why);
}

static int set_finding(void *ctx, const char *value, struct diag *diag)
{
	struct shrinking *x = ctx;

	x->s.kind = finding_kind_by_name(value);
	if (x->s.kind != FINDING_KINDS)
		return 0;
	return diag_set(diag, NULL, "finding", value,
			"a kind, e.g. data-mismatch or hang", "unknown kind");
}

static int set_output(void *ctx, const char *value, struct diag *diag)
{
	(void)diag;
	((struct shrinking *)ctx)->output = value;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct shrinking *)ctx)->help = true;
	return 0;
}

static int set_path(void *ctx, const char *text, struct diag *diag)
{
	struct shrinking *x = ctx;

	if (x->path)
		return diag_set(diag, NULL, NULL, NULL, NULL,
				"shrink takes one case, not also %s", text);
	x->path = text;
	return 0;
}

static const struct option_def shrink_options[] = {
	{"schedule", OPTION_VALUE, set_schedule},
	{"finding", OPTION_VALUE, set_finding},
	{"output", OPTION_VALUE, set_output},
	{"runs", OPTION_VALUE, set_runs},
	{"jobs", OPTION_VALUE, set_jobs},
	{"time-limit", OPTION_VALUE, set_time_limit},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int parse(struct shrinking *x, int argc, char **argv, struct diag *diag)
{
	struct option_walk walk = {
		.command = "shrink",
		.defs = shrink_options,
		.operand = set_path,
		.ctx = x,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -EINVAL;
	if (!x->path && !x->help)
		return diag_set(diag, NULL, NULL, NULL, NULL,
				"shrink: no case file given; try "
				"raid5sim shrink --help");
	return 0;
}

/* Without --schedule it is the case's own. */
static int load(struct shrinking *x, struct diag *diag)
{
	struct sim_case c;
	int err = case_load(x->path, kern_subject.page_size, &c, diag);

	if (!err)
		err = session_params_check(&c.params, diag);
	if (!err && !x->schedule)
		schedule_copy(&c.schedule.s, &x->s.schedule);
	case_free(&c);
	if (err)
		return err;
	x->s.path = x->path;
	return case_text_read(&x->s.text, x->path, diag);
}

/* ------------------------------------------------------------------ */

static void print_sizes(const struct shrink *s)
{
	char text[256];

	shrink_text(s, text, sizeof(text));
	printf("  %s; %lu runs\n", text, s->done);
}

static int finish(struct shrinking *x)
{
	int err = shrink_write(&x->s, x->output);
	char *replay;

	if (err == -ENOENT)
		fprintf(stderr, "raid5sim: %s does not show it again\n",
			x->output);
	else if (err)
		fprintf(stderr, "raid5sim: cannot write %s: %s\n", x->output,
			strerror(-err));
	if (err)
		return err == -ENOENT ? EXIT_FINDING : EXIT_USAGE;
	replay = report_replay_case(x->output, NULL, false);
	report_finding(stdout, "", "", &x->s.found, replay);
	free(replay);
	print_sizes(&x->s);
	return report_flush();
}

static char *default_output(const char *path)
{
	static const char suffix[] = ".case";
	size_t len = strlen(path);
	size_t size = len + sizeof("-small.case");
	char *file = vec_checked(malloc(size));

	if (len > 5 && !strcmp(path + len - 5, suffix))
		len -= 5;
	snprintf(file, size, "%.*s-small.case", (int)len, path);
	return file;
}

static int work(struct shrinking *x)
{
	char *output = default_output(x->path);
	const char *why;
	int err = shrink(&x->s, &why);
	int ret;

	if (!x->output)
		x->output = output;
	if (err)
		fprintf(stderr, "raid5sim: %s: %s\n", x->path,
			err == -ENOENT || err == -EINVAL ? why
							 : strerror(-err));
	ret = err ? EXIT_USAGE : finish(x);
	free(output);
	return ret;
}

int shrink_command(int argc, char **argv)
{
	static struct shrinking x;
	struct diag diag = {""};
	int ret;

	x.s = (struct shrink){
		.kind = FINDING_KINDS,
		.runs = 5000,
		.at_once = 1,
		.time_limit = 60,
	};
	if (parse(&x, argc, argv, &diag))
		ret = bad_usage(&diag);
	else if (x.help)
		ret = usage_print("shrink") ? 0 : EXIT_USAGE;
	else if (load(&x, &diag))
		ret = bad_usage(&diag);
	else
		ret = work(&x);
	shrink_free(&x.s);
	free(x.schedule);
	return ret;
}
