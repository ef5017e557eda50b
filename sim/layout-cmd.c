/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim layout`: sizeof of the subject's structs beside those of the
 * distribution's kernel. It simulates nothing.
 */
#include <stdio.h>

#include "boundary.h"
#include "commands.h"
#include "json.h"
#include "layout-table.h"
#include "options.h"
#include "report.h"

struct layout_options {
	bool json;
	bool help;
};

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct layout_options *)ctx)->json = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct layout_options *)ctx)->help = true;
	return 0;
}

static const struct option_def layout_options[] = {
	{"json", OPTION_FLAG, set_json},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static void print_row(const struct layout_row *r, unsigned long want)
{
	if (!want)
		printf("%-16s %8lu %8s\n", r->name, r->size, "-");
	else
		printf("%-16s %8lu %8lu  %s\n", r->name, r->size, want,
		       r->size == want ? "ok" : "DIFFERS");
}

static void json_row(struct json *j, const struct layout_row *r,
		     unsigned long want)
{
	json_object(j, NULL);
	json_string(j, "name", r->name);
	json_uint(j, "size", r->size);
	if (want) {
		json_uint(j, "expected", want);
		json_bool(j, "ok", r->size == want);
	} else {
		json_null(j, "expected");
		json_null(j, "ok");
	}
	json_end(j);
}

static void print_head(struct json *j, bool json)
{
	if (json) {
		json_init(j, stdout);
		json_object(j, NULL);
		json_string(j, "subject", kern_subject.name);
		json_string(j, "kernel", kern_subject.kernel);
		json_string(j, "config", kern_subject.config);
		json_array(j, "layout");
		return;
	}
	report_subject(stdout);
	printf("%-16s %8s %8s\n", "struct", "bytes", "kernel's");
}

static int print_layout(bool json)
{
	const struct layout_row *row;
	unsigned int n = kern_layout(&row);
	bool differs = false;
	struct json j;

	print_head(&j, json);
	for (unsigned int i = 0; i < n; i++) {
		unsigned long want =
			layout_expected(&kern_subject, row[i].name);

		if (json)
			json_row(&j, &row[i], want);
		else
			print_row(&row[i], want);
		differs = differs || (want && want != row[i].size);
	}
	if (json) {
		json_end(&j);
		json_bool(&j, "ok", !differs);
		json_end(&j);
	}
	return differs ? EXIT_FINDING : EXIT_AS_EXPECTED;
}

int layout_command(int argc, char **argv)
{
	struct layout_options o = {false, false};
	struct option_walk walk = {
		.command = "layout",
		.defs = layout_options,
		.ctx = &o,
	};
	struct diag diag = {""};
	int ret;
	int failed;

	if (options_walk(&walk, argc, argv, &diag))
		return bad_usage(&diag);
	if (o.help)
		return usage_print("layout") ? 0 : EXIT_USAGE;
	ret = print_layout(o.json);
	failed = report_flush();
	return failed ? failed : ret;
}
