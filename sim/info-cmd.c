/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim info`: what was built, down to the checksum of each source file.
 * It simulates nothing.
 */
#include <stdio.h>

#include "boundary.h"
#include "commands.h"
#include "json.h"
#include "options.h"
#include "report.h"

struct info_options {
	bool json;
	bool brief;
	bool help;
};

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct info_options *)ctx)->json = true;
	return 0;
}

static int set_brief(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct info_options *)ctx)->brief = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct info_options *)ctx)->help = true;
	return 0;
}

static const struct option_def info_options[] = {
	{"json", OPTION_FLAG, set_json},
	{"brief", OPTION_FLAG, set_brief},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static void print_params(void)
{
	unsigned int n = kern_param_count();

	printf("module parameters:");
	for (unsigned int i = 0; i < n; i++)
		printf(" %s", kern_param_name(i));
	printf("%s\n", n ? "" : " none");
}

static void print_sources(void)
{
	for (unsigned int i = 0; i < kern_sources_count; i++)
		printf("%s  %s%s\n", kern_sources[i].sha256,
		       kern_sources[i].path,
		       kern_sources[i].modified ? "  (modified)" : "");
}

static void json_sources(struct json *j)
{
	json_array(j, "sources");
	for (unsigned int i = 0; i < kern_sources_count; i++) {
		json_object(j, NULL);
		json_string(j, "path", kern_sources[i].path);
		json_string(j, "sha256", kern_sources[i].sha256);
		json_bool(j, "modified", kern_sources[i].modified);
		json_end(j);
	}
	json_end(j);
}

static void json_params(struct json *j)
{
	json_array(j, "params");
	for (unsigned int i = 0; i < kern_param_count(); i++)
		json_string(j, NULL, kern_param_name(i));
	json_end(j);
}

static void print_json(void)
{
	const struct subject_info *s = &kern_subject;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "subject", s->name);
	json_string(&j, "kernel", s->kernel);
	json_string(&j, "config", s->config);
	json_uint(&j, "word_bits", s->word_bits);
	json_uint(&j, "page_size", s->page_size);
	json_bool(&j, "lockdep", s->lockdep);
	json_bool(&j, "md_model", s->md_model);
	json_bool(&j, "modified", s->modified);
	json_string(&j, "series", s->modified ? s->series : NULL);
	json_params(&j);
	json_sources(&j);
	json_end(&j);
}

static void print_info(const struct info_options *o)
{
	if (o->json) {
		print_json();
		return;
	}
	report_subject(stdout);
	if (o->brief)
		return;
	print_params();
	print_sources();
}

int info_command(int argc, char **argv)
{
	struct info_options o = {false, false, false};
	struct option_walk walk = {
		.command = "info",
		.defs = info_options,
		.ctx = &o,
	};
	struct diag diag = {""};

	if (options_walk(&walk, argc, argv, &diag))
		return bad_usage(&diag);
	if (o.help)
		return usage_print("info") ? 0 : EXIT_USAGE;
	print_info(&o);
	return report_flush();
}
