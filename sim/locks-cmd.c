/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim locks`: how deep locks go in the operations that take many of
 * them, for one number of hash locks after another, and where the kernel's
 * limits lie. It knows the operations; what is held is counted in the kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "errname.h"
#include "host/run.h"
#include "json.h"
#include "model.h"
#include "options.h"
#include "report.h"
#include "request.h"
#include "session.h"
#include "size.h"
#include "vec.h"

#define HASH_PARAM    "nr_stripe_hash_locks"
#define HASH_LOCK_MAX 4096
#define WRITES	      64
#define PAGE	      8 /* sectors */
#define OPS	      5

/**
 * struct row - one operation with one number of hash locks
 * @rc:	0, or what the kernel said instead; -ENOENT: there is no such thing
 */
struct row {
	const char *op;
	int rc;
	struct lock_marks_seen seen;
};

/**
 * struct depth - the rows of one number of hash locks
 * @asked, @last: the first and the last value of the parameter that gives it
 */
struct depth {
	unsigned int asked;
	unsigned int last;
	long long locks;
	struct row row[OPS];
};

/**
 * struct locks - the command's options and results
 * @from, @to:	of --hash-locks; 0: the driver's own
 * @settable:	the driver has a parameter for it
 */
struct locks {
	struct setup setup;
	struct machine machine;
	struct session session;
	unsigned long long from;
	unsigned long long to;
	bool settable;
	bool json;
	bool help;
	struct depth *depth;
	unsigned int depths;
	struct lock_limits limits;
};

/* ------------------------------------------------------------------ */
/* Options							      */

#define HASH_FORM "a number, or two as in 1..256, each 1 to 4096"

static int set_hash_locks(void *ctx, const char *value, struct diag *diag)
{
	struct locks *l = ctx;
	const char *dots = strstr(value, "..");
	char first[24];
	const char *why = "too long";
	size_t len = dots ? (size_t)(dots - value) : strlen(value);

	if (len < sizeof(first)) {
		memcpy(first, value, len);
		first[len] = '\0';
		if (!number_parse(first, 1, HASH_LOCK_MAX, &l->from, &why) &&
		    !number_parse(dots ? dots + 2 : first, l->from,
				  HASH_LOCK_MAX, &l->to, &why))
			return 0;
	}
	return diag_set(diag, NULL, "hash-locks", value, HASH_FORM, "%s", why);
}

static int set_json(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct locks *)ctx)->json = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct locks *)ctx)->help = true;
	return 0;
}

static int set_log(void *ctx, const char *value, struct diag *diag)
{
	(void)ctx;
	return log_option(value, diag);
}

static const struct option_def locks_options[] = {
	{"hash-locks", OPTION_VALUE, set_hash_locks},
	{"json", OPTION_FLAG, set_json},
	{"log", OPTION_OPTIONAL, set_log},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int parse(struct locks *l, int argc, char **argv, struct diag *diag)
{
	const struct option_walk walk = {
		.command = "locks",
		.defs = locks_options,
		.setup = &l->setup,
		.ctx = l,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -1;
	if (l->help)
		return 0;
	if (machine_spec_finish(&l->setup.machine, kern_subject.page_size,
				&l->machine, diag))
		return -1;
	return session_params_check(&l->setup.params, diag);
}

/* ------------------------------------------------------------------ */
/* Operations							      */

static int op_lock_all(struct locks *l)
{
	return kern_lock_all(l->session.array);
}

static int op_quiesce(struct locks *l)
{
	kern_quiesce(l->session.array, 1);
	kern_quiesce(l->session.array, 0);
	return 0;
}

/* Requests in stripes of their own, so that workers have much to do. */
static int op_workers(struct locks *l)
{
	struct kern_array *a = l->session.array;
	static struct request q[WRITES];
	struct model *m = model_new();
	long rc = kern_attr_store(a, "group_thread_cnt", "2");

	for (unsigned int i = 0; i < WRITES; i++) {
		request_init(&q[i], m, PAGE);
		request_start(&q[i], a, KERN_WRITE, 0, i * PAGE, PAGE);
	}
	for (unsigned int i = 0; i < WRITES; i++) {
		if (request_finish(&q[i]))
			rc = -EIO;
		request_free(&q[i]);
	}
	kern_run_idle();
	kern_attr_store(a, "group_thread_cnt", "0");
	model_free(m);
	return rc < 0 ? (int)rc : 0;
}

static int op_cache(struct locks *l)
{
	struct kern_array *a = l->session.array;
	struct array_sizes sizes;
	char text[24];
	long rc;

	kern_array_sizes(a, &sizes);
	snprintf(text, sizeof(text), "%lld", 2 * sizes.stripe_cache_size);
	rc = kern_attr_store(a, "stripe_cache_size", text);
	snprintf(text, sizeof(text), "%lld", sizes.stripe_cache_size);
	if (rc >= 0)
		rc = kern_attr_store(a, "stripe_cache_size", text);
	return rc < 0 ? (int)rc : 0;
}

static int op_reshape(struct locks *l)
{
	struct kern_array *a = l->session.array;
	char disks[16];
	long rc;

	if (kern_subject.md_model)
		return -ENOENT;
	snprintf(disks, sizeof(disks), "%d", l->setup.array.desc.disks + 1);
	kern_attr_store(a, "sync_action", "frozen");
	rc = kern_attr_store(a, "raid_disks", disks);
	if (rc >= 0)
		rc = kern_attr_store(a, "sync_action", "reshape");
	return rc < 0 ? (int)rc : kern_sync_wait(a);
}

/* The last one changes the array for good. */
static const struct {
	const char *name;
	int (*run)(struct locks *l);
} ops[OPS] = {
	{"lock all", op_lock_all}, {"quiesce", op_quiesce},
	{"workers", op_workers},   {"cache size", op_cache},
	{"reshape", op_reshape},
};

static void one_op(struct locks *l, unsigned int i, struct row *row)
{
	row->op = ops[i].name;
	kern_lock_marks_begin(l->session.array);
	row->rc = ops[i].run(l);
	kern_run_idle();
	kern_step_end(row->op);
	kern_lock_marks(&row->seen);
}

static struct depth *new_depth(struct locks *l)
{
	void *base = l->depth;
	struct depth *d = vec_add(&base, &l->depths, sizeof(*d));

	l->depth = base;
	return d;
}

/* A number that the driver makes the same of is not measured again. */
static int measure(struct locks *l, unsigned int asked)
{
	struct depth *d = l->depths ? &l->depth[l->depths - 1] : NULL;
	struct array_sizes sizes;
	int rc = session_create(&l->session, &l->setup.array.desc);

	if (rc)
		return rc;
	kern_array_sizes(l->session.array, &sizes);
	if (d && d->locks == sizes.nr_hash_locks) {
		d->last = asked;
	} else {
		d = new_depth(l);
		d->asked = d->last = asked;
		d->locks = sizes.nr_hash_locks;
		for (unsigned int i = 0; i < OPS; i++)
			one_op(l, i, &d->row[i]);
	}
	session_stop(&l->session);
	return 0;
}

static void simulate(void *arg)
{
	static const struct schedule all_points = {
		.points = POINT_LOCKS | POINT_ATOMICS,
	};
	struct locks *l = arg;
	unsigned long long first, last;
	char text[24];

	if (session_boot(&l->session, &l->machine, &l->setup.params))
		return;
	kern_schedule(&all_points);
	kern_lock_limits(&l->limits);
	first = l->settable ? l->from : 0;
	last = l->settable ? l->to : 0;
	for (unsigned long long n = first; n <= last; n++) {
		snprintf(text, sizeof(text), "%llu", n);
		if (n && kern_param_set(HASH_PARAM, text))
			break;
		if (measure(l, (unsigned int)n))
			break;
	}
	session_end(&l->session);
}

/* ------------------------------------------------------------------ */
/* Output							      */

static const char *number(unsigned int n, char *buf)
{
	snprintf(buf, 16, "%u", n);
	return n ? buf : "-";
}

static void print_row(const struct row *r)
{
	char error[ERRNAME_TEXT], slots[16];
	const struct place *p = &r->seen.irqs_off_in;

	printf("  %-11s", r->op);
	if (r->rc == -ENOENT) {
		printf(" not in this subject\n");
		return;
	}
	printf(" %9u %6s %13u %12llu %8u", r->seen.spins,
	       number(r->seen.slots, slots), r->seen.count, r->seen.irqs_off,
	       r->seen.stripes);
	if (p->function[0])
		printf("  %s():%u", p->function, p->line);
	if (r->rc)
		printf("  gives %s", errname_text(r->rc, error));
	putchar('\n');
}

static void print_depth(const struct depth *d)
{
	printf("\n%lld hash locks", d->locks);
	if (d->asked)
		printf(", of " HASH_PARAM " %u", d->asked);
	if (d->last > d->asked)
		printf(" to %u", d->last);
	printf("\n  operation   spinlocks  slots  preempt_count  irqs off ns  "
	       "stripes  interrupts longest off in\n");
	for (unsigned int i = 0; i < OPS; i++)
		print_row(&d->row[i]);
}

/* Of lock all: what it counts beside the hash locks. */
static unsigned int beside(const struct depth *d, unsigned int what)
{
	return what > d->locks ? what - (unsigned int)d->locks : 0;
}

static void print_limits(const struct locks *l)
{
	const struct depth *d = &l->depth[l->depths - 1];
	const struct row *all = &d->row[0];
	unsigned int more = beside(d, all->seen.count);

	printf("\nLimits, found by trying\n");
	printf("  preempt_count        %u\n", l->limits.count);
	if (l->limits.slots) {
		printf("  slots                %u locks without nest_lock\n",
		       l->limits.slots);
		printf("  one slot             %u locks with it\n",
		       l->limits.references);
	} else {
		printf("  slots                needs lock debugging, e.g. "
		       "stock-lockdep\n");
	}
	if (all->rc)
		return;
	printf("\"lock all\" would meet that of preempt_count with %u hash "
	       "locks",
	       l->limits.count + 1 - more);
	if (l->limits.references)
		printf(", that\nof one slot with %u, and that of slots with "
		       "no number: it needs %u",
		       l->limits.references + 1, all->seen.slots);
	printf(".\n");
}

static void print_text(const struct locks *l)
{
	report_subject(stdout);
	if (!l->settable && l->to)
		printf("The number of hash locks is fixed in this subject.\n");
	for (unsigned int i = 0; i < l->depths; i++)
		print_depth(&l->depth[i]);
	if (l->depths)
		print_limits(l);
	for (unsigned int i = 0; i < finding_count(); i++)
		report_finding(stdout, "", "", finding_get(i), NULL);
}

static void json_row(struct json *j, const struct row *r)
{
	const struct lock_marks_seen *s = &r->seen;

	json_object(j, NULL);
	json_string(j, "operation", r->op);
	json_int(j, "result", r->rc);
	json_uint(j, "spinlocks", s->spins);
	json_uint(j, "slots", s->slots);
	json_uint(j, "preempt_count", s->count);
	json_uint(j, "irqs_off_ns", s->irqs_off);
	json_string(j, "irqs_off_in",
		    *s->irqs_off_in.function ? s->irqs_off_in.function : NULL);
	json_uint(j, "stripes", s->stripes);
	json_string(j, "stripes_in",
		    *s->stripes_in.function ? s->stripes_in.function : NULL);
	json_end(j);
}

static void json_depth(struct json *j, const struct depth *d)
{
	json_object(j, NULL);
	json_int(j, "hash_locks", d->locks);
	json_uint(j, "asked_first", d->asked);
	json_uint(j, "asked_last", d->last);
	json_array(j, "operations");
	for (unsigned int i = 0; i < OPS; i++)
		json_row(j, &d->row[i]);
	json_end(j);
	json_end(j);
}

static void print_json(const struct locks *l)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "subject", kern_subject.name);
	json_array(&j, "depths");
	for (unsigned int i = 0; i < l->depths; i++)
		json_depth(&j, &l->depth[i]);
	json_end(&j);
	json_object(&j, "limits");
	json_uint(&j, "preempt_count", l->limits.count);
	json_uint(&j, "slots", l->limits.slots);
	json_uint(&j, "references", l->limits.references);
	json_end(&j);
	json_array(&j, "findings");
	for (unsigned int i = 0; i < finding_count(); i++)
		report_finding_json(&j, finding_get(i), NULL);
	json_end(&j);
	json_end(&j);
}

/* ------------------------------------------------------------------ */

/* The default: so that the array can be reshaped, and soon is. */
static void small_array(struct array_desc *d)
{
	d->spares = !kern_subject.md_model;
	d->metadata = kern_subject.md_model ? METADATA_NONE : METADATA_1_2;
	d->chunk_bytes = 16 << 10;
	d->member_bytes = 4 << 20;
}

static bool has_param(const char *name)
{
	for (unsigned int i = 0; i < kern_param_count(); i++)
		if (!strcmp(kern_param_name(i), name))
			return true;
	return false;
}

static int status(bool failed)
{
	for (unsigned int i = 0; i < finding_count(); i++)
		if (finding_get(i)->kind == FINDING_NOT_MODELLED)
			return EXIT_NOT_MODELLED;
	return failed || finding_count() ? EXIT_FINDING : EXIT_AS_EXPECTED;
}

static int measure_all(struct locks *l)
{
	bool ended;
	int failed;

	l->settable = has_param(HASH_PARAM);
	ended = run_guarded(simulate, l);
	if (l->json)
		print_json(l);
	else
		print_text(l);
	failed = report_flush();
	if (failed)
		return failed;
	return status(ended || !l->depths);
}

int locks_command(int argc, char **argv)
{
	struct locks *l = vec_checked(calloc(1, sizeof(*l)));
	struct diag diag = {""};
	int ret;

	setup_init(&l->setup);
	small_array(&l->setup.array.desc);
	if (parse(l, argc, argv, &diag))
		ret = bad_usage(&diag);
	else if (l->help)
		ret = usage_print("locks") ? 0 : EXIT_USAGE;
	else
		ret = measure_all(l);
	setup_free(&l->setup);
	free(l->depth);
	free(l);
	return ret;
}
