/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim size`: creates the array in the real raid5.c and shows what it
 * holds, beside what the oracle expects. It computes no size itself.
 *
 *	array 1: create, measure, stop
 *	array 2: create, which cache sizes does sysfs accept?, stop
 *	array 3: create, --try each, stop	(with --try only)
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "errname.h"
#include "host/run.h"
#include "oracle.h"
#include "report.h"
#include "session.h"
#include "size.h"
#include "vec.h"

#define READBACK 256
/* The machine line of the text is cut there; JSON and replay are whole. */
#define SHOWN 200

/**
 * struct try - what came of one --try
 * @done:	it was run
 * @result:	bytes taken or -errno
 * @readback:	what the attribute reads afterwards, "" when it cannot be read
 */
struct
try {
	bool done;
	long result;
	char readback[READBACK];
};

/**
 * struct sizing - the command's options and results
 * @got, @want:	values of the subject and of the oracle
 * @largest:	who asked for the largest allocation
 * @array_result: create result of array 1, valid when got.known[SIZE_CREATE]
 */
struct sizing {
	struct setup setup;
	struct machine machine;
	struct param_list tries;
	struct try *try;
	bool json;
	bool help;
	struct session session;
	struct sizes got;
	struct sizes want;
	enum oracle_rule rule;
	struct oracle_input input;
	struct array_sizes array_sizes;
	struct place largest;
	char *replay;
};

/* ------------------------------------------------------------------ */
/* Options							      */

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct sizing *)ctx)->json = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct sizing *)ctx)->help = true;
	return 0;
}

static int set_try(void *ctx, const char *value, struct diag *diag)
{
	struct sizing *s = ctx;

	return param_add_text(&s->tries, "try", value, diag);
}

static int set_log(void *ctx, const char *value, struct diag *diag)
{
	(void)ctx;
	return log_option(value, diag);
}

static const struct option_def size_options[] = {
	{"json", OPTION_FLAG, set_json},   {"try", OPTION_VALUE, set_try},
	{"log", OPTION_OPTIONAL, set_log}, {"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int parse(struct sizing *s, int argc, char **argv, struct diag *diag)
{
	struct option_walk walk = {
		.command = "size",
		.defs = size_options,
		.setup = &s->setup,
		.ctx = s,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -EINVAL;
	if (s->help)
		return 0;
	if (machine_spec_finish(&s->setup.machine, kern_subject.page_size,
				&s->machine, diag))
		return -EINVAL;
	return session_params_check(&s->setup.params, diag);
}

/* ------------------------------------------------------------------ */
/* Measuring							      */

static void note_largest(struct sizing *s)
{
	struct mem_stats stats;

	host_mem_stats(&stats);
	if (stats.largest_caller)
		host_place(stats.largest_caller, 1, &s->largest);
}

static int measure_array(struct sizing *s)
{
	int rc = session_create(&s->session, &s->setup.array.desc);

	sizes_set(&s->got, SIZE_CREATE, rc);
	session_measure(&s->session, &s->got);
	note_largest(s);
	if (rc)
		return rc;
	kern_array_sizes(s->session.array, &s->array_sizes);
	session_stop(&s->session);
	return 0;
}

static void strip_newline(char *s)
{
	size_t len = strlen(s);

	if (len && s[len - 1] == '\n')
		s[len - 1] = '\0';
}

static void try_one(struct sizing *s, const struct param *p, struct try *t)
{
	struct kern_array *a = s->session.array;

	t->result = kern_attr_store(a, p->name, p->value);
	t->done = true;
	if (kern_attr_show(a, p->name, t->readback, READBACK) < 0)
		t->readback[0] = '\0';
	strip_newline(t->readback);
}

static void try_all(struct sizing *s)
{
	if (!s->tries.count)
		return;
	if (session_create(&s->session, &s->setup.array.desc))
		return;
	for (unsigned int i = 0; i < s->tries.count; i++)
		try_one(s, &s->tries.param[i], &s->try[i]);
	session_stop(&s->session);
}

/* Everything that enters the simulation; run_guarded() calls it. */
static void simulate(void *arg)
{
	struct sizing *s = arg;
	int rc;

	rc = session_boot(&s->session, &s->machine, &s->setup.params);
	if (s->session.bad_param)
		return;
	if (rc)
		sizes_set(&s->got, SIZE_CREATE, rc);
	else if (!measure_array(s)) {
		session_limits(&s->session, &s->setup.array.desc, &s->got);
		try_all(s);
	}
	session_end(&s->session);
}

/* ------------------------------------------------------------------ */
/* The oracle							      */

static unsigned long size_of(const char *name)
{
	const struct layout_row *row;
	unsigned int n = kern_layout(&row);

	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(row[i].name, name))
			return row[i].size;
	return 0;
}

/* The oracle knows integers only; what the kernel's parser would not take as
 * one is refused by it, and so never gets here. */
/* A series may hold only some parts: its parameters tell which. */
static void oracle_parts(struct oracle_input *in)
{
	in->nr_stripe_hash_locks.absent = 1;
	in->stripe_cache_size_max.absent = 1;
	in->max_stripe_batch.absent = 1;
	in->stripe_cache_size_default.absent = 1;
	in->group_thread_cnt_default.absent = 1;
	for (unsigned int i = 0; i < kern_param_count(); i++) {
		struct oracle_param *p = oracle_param(in, kern_param_name(i));

		if (p)
			p->absent = 0;
	}
}

static void oracle_params(struct oracle_input *in,
			  const struct param_list *params)
{
	for (unsigned int i = 0; i < params->count; i++) {
		struct oracle_param *p =
			oracle_param(in, params->param[i].name);

		if (!p)
			continue;
		p->set = 1;
		p->value = strtoll(params->param[i].value, NULL, 0);
	}
}

static void ask_oracle(struct sizing *s)
{
	const struct array_desc *d = &s->setup.array.desc;
	struct oracle_sizes want;

	s->rule = oracle_rule_of(&kern_subject);
	s->input = (struct oracle_input){
		.rule = s->rule,
		.machine = &s->machine,
		.page_size = kern_subject.page_size,
		.word_bits = kern_subject.word_bits,
		.level = d->level,
		.layout = d->layout,
		.disks = d->disks,
		.chunk_bytes = d->chunk_bytes,
		.rotational = d->rotational,
		.sizeof_stripe_head = size_of("stripe_head"),
		.sizeof_bio = size_of("bio"),
		.sizeof_r5dev = size_of("r5dev"),
		.sizeof_r5worker = size_of("r5worker"),
	};
	oracle_parts(&s->input);
	oracle_params(&s->input, &s->setup.params);
	oracle_sizes(&s->input, &want);
	sizes_from_oracle(&s->want, &want);
}

static bool differs(const struct sizing *s, enum size_key key)
{
	return s->got.known[key] && s->want.known[key] &&
	       s->got.value[key] != s->want.value[key];
}

static bool agrees(const struct sizing *s)
{
	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		if (differs(s, i))
			return false;
	return true;
}

static void compare(const struct sizing *s)
{
	char got[SIZES_TEXT];
	char want[SIZES_TEXT];

	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		if (differs(s, i))
			finding_add(FINDING_WRONG_SIZE, NULL,
				    "%s is %s; the oracle (%s) says %s",
				    size_key_name(i),
				    sizes_text(&s->got, i, got),
				    oracle_rule_name(s->rule),
				    sizes_text(&s->want, i, want));
}

static void check_invariants(const struct sizing *s)
{
	const struct sizes *got = &s->got;
	const char *broken;

	if (!got->known[SIZE_CREATE] || got->value[SIZE_CREATE] ||
	    !got->known[SIZE_NR_HASH_LOCKS])
		return;
	broken = oracle_broken(&s->array_sizes,
			       got->value[SIZE_STRIPE_CACHE_MIN],
			       got->value[SIZE_STRIPE_CACHE_MAX]);
	if (broken)
		finding_add(FINDING_WRONG_SIZE, NULL, "%s", broken);
}

/* ------------------------------------------------------------------ */
/* Text								      */

static void print_machine(const struct machine *m)
{
	char text[SHOWN + 1];
	size_t len = machine_options(m, text, sizeof(text));

	printf("machine   %s%s\n", text, len > SHOWN ? "..." : "");
}

static void print_setup(const struct sizing *s)
{
	const struct param_list *params = &s->setup.params;
	char array[256];

	print_machine(&s->machine);
	array_options(&s->setup.array.desc, array, sizeof(array));
	printf("array     %s\n", array);
	printf("subject   ");
	report_subject(stdout);
	for (unsigned int i = 0; i < params->count; i++)
		printf("parameter %s=%s\n", params->param[i].name,
		       params->param[i].value);
}

static void print_row(const struct sizing *s, enum size_key key)
{
	const char *verdict = "";
	char got[SIZES_TEXT];
	char want[SIZES_TEXT];

	if (s->got.known[key] && s->want.known[key])
		verdict = differs(s, key) ? "DIFFERS" : "yes";
	printf("%-20s %14s %14s", size_key_label(key),
	       sizes_text(&s->got, key, got), sizes_text(&s->want, key, want));
	if (key == SIZE_LARGEST_ALLOCATION && s->largest.function[0])
		printf("  by %s()", s->largest.function);
	else if (*verdict)
		printf("  %s", verdict);
	putchar('\n');
}

static void print_table(const struct sizing *s)
{
	printf("\n%-20s %14s %14s  agree\n", "value", "subject", "oracle");
	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		print_row(s, i);
}

static void print_tries(const struct sizing *s)
{
	char buf[ERRNAME_TEXT];

	for (unsigned int i = 0; i < s->tries.count; i++) {
		const struct param *p = &s->tries.param[i];
		const struct try *t = &s->try[i];

		printf("try %s=%s: ", p->name, p->value);
		if (!t->done)
			printf("not reached\n");
		else
			printf("%s, reads %s\n", errname_text(t->result, buf),
			       t->readback[0] ? t->readback : "-");
	}
}

static void print_findings(const struct sizing *s)
{
	unsigned int n = finding_count();

	if (!n) {
		printf("findings: none\n");
		return;
	}
	printf("findings: %u\n", n);
	for (unsigned int i = 0; i < n; i++)
		report_finding(stdout, "", "", finding_get(i),
			       i + 1 == n ? s->replay : NULL);
}

static void print_text(const struct sizing *s)
{
	print_setup(s);
	print_table(s);
	print_tries(s);
	print_findings(s);
}

/* ------------------------------------------------------------------ */
/* JSON								      */

static void json_sizes(struct json *j, const struct sizes *v)
{
	for (unsigned int i = 0; i < SIZE_KEYS; i++)
		if (v->known[i])
			json_int(j, size_key_name(i), v->value[i]);
		else
			json_null(j, size_key_name(i));
}

static void json_oracle(struct json *j, const struct sizing *s)
{
	json_object(j, "oracle");
	json_string(j, "rule", oracle_rule_name(s->rule));
	json_sizes(j, &s->want);
	json_end(j);
}

static void json_tries(struct json *j, const struct sizing *s)
{
	json_array(j, "try");
	for (unsigned int i = 0; i < s->tries.count; i++) {
		const struct try *t = &s->try[i];

		json_object(j, NULL);
		json_string(j, "attr", s->tries.param[i].name);
		json_string(j, "value", s->tries.param[i].value);
		if (t->done)
			json_int(j, "result", t->result < 0 ? t->result : 0);
		else
			json_null(j, "result");
		json_string(j, "readback", t->readback[0] ? t->readback : NULL);
		json_end(j);
	}
	json_end(j);
}

static void json_findings(struct json *j, const struct sizing *s)
{
	json_array(j, "findings");
	for (unsigned int i = 0; i < finding_count(); i++)
		report_finding_json(j, finding_get(i), s->replay);
	json_end(j);
}

static void json_subject(struct json *j)
{
	json_string(j, "subject", kern_subject.name);
	json_string(j, "kernel", kern_subject.kernel);
	json_string(j, "config", kern_subject.config);
	json_bool(j, "modified", kern_subject.modified);
}

static void print_json(const struct sizing *s)
{
	const char *by = s->largest.function;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_subject(&j);
	json_sizes(&j, &s->got);
	json_string(&j, "largest_allocation_by", *by ? by : NULL);
	json_oracle(&j, s);
	json_bool(&j, "agree", agrees(s));
	json_tries(&j, s);
	json_findings(&j, s);
	report_machine_json(&j, "machine", &s->machine);
	report_array_json(&j, "array", &s->setup.array.desc);
	report_params_json(&j, "params", &s->setup.params);
	json_string(&j, "replay", s->replay);
	json_end(&j);
}

/* ------------------------------------------------------------------ */

static int status(void)
{
	unsigned int n = finding_count();

	for (unsigned int i = 0; i < n; i++)
		if (finding_get(i)->kind == FINDING_NOT_MODELLED)
			return EXIT_NOT_MODELLED;
	return n ? EXIT_FINDING : EXIT_AS_EXPECTED;
}

static int refused_param(const struct sizing *s)
{
	const struct param *p = s->session.bad_param;
	char buf[ERRNAME_TEXT];
	struct diag diag = {""};

	diag_set(&diag, NULL, "param", p->name, NULL,
		 "the kernel refuses the value '%s': %s", p->value,
		 errname_text(s->session.bad_param_rc, buf));
	return bad_usage(&diag);
}

static int simulate_and_report(struct sizing *s)
{
	int fatal;
	int failed;

	s->try = vec_checked(calloc(s->tries.count + 1, sizeof(*s->try)));
	s->replay = report_replay_size(&s->machine, &s->setup.array.desc,
				       &s->setup.params, &s->tries);
	ask_oracle(s);
	fatal = run_guarded(simulate, s);
	if (!fatal && s->session.bad_param)
		return refused_param(s);
	compare(s);
	check_invariants(s);
	if (s->json)
		print_json(s);
	else
		print_text(s);
	failed = report_flush();
	return failed ? failed : status();
}

int size_command(int argc, char **argv)
{
	struct sizing *s = vec_checked(calloc(1, sizeof(*s)));
	struct diag diag = {""};
	int ret;

	setup_init(&s->setup);
	if (parse(s, argc, argv, &diag))
		ret = bad_usage(&diag);
	else if (s->help)
		ret = usage_print("size") ? 0 : EXIT_USAGE;
	else
		ret = simulate_and_report(s);
	setup_free(&s->setup);
	param_list_free(&s->tries);
	free(s->try);
	free(s->replay);
	free(s);
	return ret;
}
