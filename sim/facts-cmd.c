/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim facts`: each row of a table of observations is set up in the real
 * code, in a process of its own, and what comes out is compared. It knows no
 * sizing rule: the table says what is right.
 *
 *	row --> machine, parameters --> array --> values == cells?
 *		sysfs writes, in order ---------> accepted == "ok"?
 *		a second array ----------------> ceiling == cell?
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array-spec.h"
#include "commands.h"
#include "facts-cmd.h"
#include "facts-table.h"
#include "host/run.h"
#include "options.h"
#include "oracle.h"
#include "report.h"
#include "session.h"
#include "vec.h"

#define TIME_LIMIT 120 /* seconds a row may take */
#define SMALLEST   17  /* where a ceiling is below it, nothing is accepted */
#define WHY_ROOM   96
/* The kernel a table is of when it does not say. */
#define TABLE_KERNEL "6.12"

/**
 * struct facts - options, and totals so far
 * @path:	the tables
 */
struct facts {
	char **path;
	unsigned int paths;
	long line;
	bool allocate;
	bool help;
	unsigned int number, pass, fail, skip;
};

/**
 * struct trial - one row in its own process
 * @out:	remarks, each line with "# " before it
 * @differ:	differences so far
 */
struct trial {
	const struct fact_row *row;
	bool allocate;
	FILE *out;
	unsigned int differ;
	struct machine machine;
	struct array_spec array;
	struct param_list params, refused;
	struct session session;
	struct sizes got;
	bool to_the_end;
};

/* ------------------------------------------------------------------ */
/* Comparing							      */

__attribute__((format(printf, 2, 3))) static void differs(struct trial *t,
							  const char *fmt, ...)
{
	va_list ap;

	t->differ++;
	fputs("# ", t->out);
	va_start(ap, fmt);
	vfprintf(t->out, fmt, ap);
	va_end(ap);
	fputc('\n', t->out);
}

/* Cells were checked before the fork. */
static bool cell(const struct trial *t, enum fact_column column, long long *out)
{
	struct diag diag = {""};

	return fact_number(t->row, column, out, &diag) > 0;
}

static void compare(struct trial *t, enum fact_column column, long long got)
{
	long long want;

	if (cell(t, column, &want) && want != got)
		differs(t, "%s: %lld, the fact is %lld",
			fact_column_name(column), got, want);
}

static void compare_size(struct trial *t, enum fact_column column,
			 enum size_key key)
{
	long long want;

	if (t->got.known[key])
		compare(t, column, t->got.value[key]);
	else if (cell(t, column, &want))
		differs(t, "%s: this subject has none, the fact is %lld",
			fact_column_name(column), want);
}

static unsigned long size_of(const char *name)
{
	const struct layout_row *row;
	unsigned int i, n = kern_layout(&row);

	for (i = 0; i < n; i++)
		if (!strcmp(row[i].name, name))
			return row[i].size;
	return 0;
}

/* "6.12.117" is of "6.12", "6.1.192" is not; nor is "6.120". */
static bool same_kernel(const struct fact_row *row)
{
	const char *of = row->cell[FACT_KERNEL];
	size_t len;

	if (!*of)
		of = TABLE_KERNEL;
	len = strlen(of);
	return !strncmp(kern_subject.kernel, of, len) &&
	       (kern_subject.kernel[len] < '0' ||
		kern_subject.kernel[len] > '9');
}

/* Structs of another kernel have other sizes, and so has what they add to. */
static void compare_created(struct trial *t)
{
	session_measure(&t->session, &t->got);
	if (same_kernel(t->row)) {
		compare(t, FACT_SIZEOF_BIO, (long long)size_of("bio"));
		compare_size(t, FACT_ALLOCATED_KB, SIZE_ALLOCATED_KB);
	}
	compare_size(t, FACT_STRIPE_CACHE_SIZE, SIZE_STRIPE_CACHE_SIZE);
	compare_size(t, FACT_GROUP_THREAD_CNT, SIZE_GROUP_THREAD_CNT);
	compare_size(t, FACT_NR_HASH_LOCKS, SIZE_NR_HASH_LOCKS);
	compare_size(t, FACT_GROUP_CNT, SIZE_GROUP_CNT);
	compare_size(t, FACT_MAX_STRIPE_BATCH, SIZE_MAX_STRIPE_BATCH);
}

/* ------------------------------------------------------------------ */
/* In the simulation						      */

static void try_refused_params(struct trial *t)
{
	unsigned int i;

	for (i = 0; i < t->refused.count; i++) {
		const struct param *p = &t->refused.param[i];

		if (kern_param_set(p->name, p->value) >= 0)
			differs(t,
				"parameter %s=%s: taken, the fact is that "
				"it is refused",
				p->name, p->value);
	}
}

/*
 * A cache too large to be built here: with every allocation failing, a value
 * that is let through fails with something else than -EINVAL.
 */
static bool accepted(struct trial *t, const struct fact_write *w)
{
	bool ask = !t->allocate && !strcmp(w->attr, "stripe_cache_size") &&
		   strtoll(w->value, NULL, 10) > FACTS_GROW;
	long rc;

	if (!ask)
		return kern_attr_store(t->session.array, w->attr, w->value) >=
		       0;
	kern_fail_allocs(1);
	rc = kern_attr_store(t->session.array, w->attr, w->value);
	kern_fail_allocs(0);
	return rc != -EINVAL;
}

static void try_writes(struct trial *t)
{
	const char *at = t->row->cell[FACT_WRITES];
	struct diag diag = {""};
	struct fact_write w;

	while (fact_write_next(t->row, &at, &w, &diag) > 0) {
		bool ok = accepted(t, &w);

		if (ok != (w.ok != 0))
			differs(t, "write %s=%s: %s, the fact is %s", w.attr,
				w.value, ok ? "ok" : "FAIL",
				w.ok ? "ok" : "FAIL");
	}
}

/* A ceiling below the smallest value that is ever accepted leaves none. */
static void compare_limits(struct trial *t)
{
	long long max, want;

	if (!*t->row->cell[FACT_CACHE_MAX] &&
	    !*t->row->cell[FACT_REFUSED_ABOVE])
		return;
	session_limits(&t->session, &t->array.desc, &t->got);
	if (!t->got.known[SIZE_STRIPE_CACHE_MAX]) {
		differs(t, "the limits of stripe_cache_size cannot be found");
		return;
	}
	max = t->got.value[SIZE_STRIPE_CACHE_MAX];
	if (max >= 0)
		compare(t, FACT_CACHE_MAX, max);
	else if (cell(t, FACT_CACHE_MAX, &want) && want >= SMALLEST)
		differs(t, "%s: nothing is accepted, the fact is %lld",
			fact_column_name(FACT_CACHE_MAX), want);
	compare(t, FACT_REFUSED_ABOVE, max < 0 ? SMALLEST : max + 1);
}

/* run_guarded() calls it: everything that enters the simulation. */
static void simulate(void *arg)
{
	struct trial *t = arg;
	int rc = session_boot(&t->session, &t->machine, &t->params);

	if (t->session.bad_param) {
		differs(t, "parameter %s=%s: refused (%d)",
			t->session.bad_param->name, t->session.bad_param->value,
			rc);
		t->to_the_end = true;
		return;
	}
	try_refused_params(t);
	if (!rc)
		rc = session_create(&t->session, &t->array.desc);
	compare(t, FACT_CREATE_RC, rc);
	if (rc) {
		if (!*t->row->cell[FACT_CREATE_RC])
			differs(t, "create: %d", rc);
	} else {
		compare_created(t);
		try_writes(t);
		session_stop(&t->session);
		compare_limits(t);
	}
	session_end(&t->session);
	t->to_the_end = true;
}

/* ------------------------------------------------------------------ */
/* A row in a process of its own				      */

/*
 * A request above the kernel's limit is warned of there too; whether the write
 * then fails, as the table says, is compared. Anything else is a difference.
 */
static bool is_difference(const struct finding *f)
{
	return f->kind != FINDING_ALLOC_TOO_LARGE;
}

static int child(struct trial *t)
{
	bool found = false;
	unsigned int i;

	alarm(TIME_LIMIT);
	host_log_sink(NULL, NULL);
	run_guarded(simulate, t);
	for (i = 0; i < finding_count(); i++) {
		report_finding(t->out, "# ", "", finding_get(i), NULL);
		found |= is_difference(finding_get(i));
	}
	if (!t->to_the_end)
		fputs("# the row was not finished\n", t->out);
	if (fclose(t->out))
		return EXIT_USAGE;
	return t->differ || found || !t->to_the_end;
}

/* What a child said, whole; the caller frees it. */
static char *read_all(int fd)
{
	char *text = NULL;
	size_t len = 0, room = 0;
	ssize_t n;

	do {
		if (room - len < 2) {
			room = room ? 2 * room : 1024;
			text = vec_checked(realloc(text, room));
		}
		n = read(fd, text + len, room - len - 1);
		if (n > 0)
			len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	text[len] = '\0';
	return text;
}

static void host_failed(const char *what)
{
	fprintf(stderr, "raid5sim: %s: %s\n", what, strerror(errno));
	exit(EXIT_USAGE);
}

/* A remark more, after what the process could still say. */
static void add_signal(char **text, int sig)
{
	const char *limit = sig == SIGALRM ? ", its time limit" : "";
	size_t len = strlen(*text), room = len + 80;

	*text = vec_checked(realloc(*text, room));
	snprintf(*text + len, room - len,
		 "# the row's process ended with signal %d%s\n", sig, limit);
}

/* Remarks go to @text. Return: does the row agree? */
static bool run_trial(struct trial *t, char **text)
{
	int fd[2], status;
	pid_t pid;

	fflush(NULL);
	if (pipe2(fd, O_CLOEXEC))
		host_failed("pipe");
	pid = fork();
	if (pid < 0)
		host_failed("fork");
	if (!pid) {
		close(fd[0]);
		t->out = fdopen(fd[1], "w");
		_exit(t->out ? child(t) : EXIT_USAGE);
	}
	close(fd[1]);
	*text = read_all(fd[0]);
	close(fd[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			host_failed("waitpid");
	if (WIFSIGNALED(status)) {
		add_signal(text, WTERMSIG(status));
		return false;
	}
	return WEXITSTATUS(status) == 0;
}

/* ------------------------------------------------------------------ */
/* Which rows this subject can answer				      */

static bool lacks_param(const struct trial *t, const char **name)
{
	unsigned int i, j;

	for (i = 0; i < t->params.count; i++) {
		for (j = 0; j < kern_param_count(); j++)
			if (!strcmp(kern_param_name(j),
				    t->params.param[i].name))
				break;
		*name = t->params.param[i].name;
		if (j == kern_param_count())
			return true;
	}
	return false;
}

/* Return: may it be skipped, and @why. Cells were checked. */
static bool cannot_answer(const struct trial *t, char why[WHY_ROOM])
{
	const struct fact_row *row = t->row;
	const char *rule = oracle_rule_name(oracle_rule_of(&kern_subject));
	const char *name = "";
	long long bits = 64, page = 4096;

	cell(t, FACT_WORD_BITS, &bits);
	cell(t, FACT_PAGE_SIZE, &page);
	why[0] = '\0';
	if (strcmp(row->cell[FACT_SUBJECT], rule))
		snprintf(why, WHY_ROOM, "of %s, this subject is %s",
			 row->cell[FACT_SUBJECT], rule);
	else if (strcmp(row->cell[FACT_CONFIG], kern_subject.config))
		snprintf(why, WHY_ROOM, "of config %s, this subject has %s",
			 row->cell[FACT_CONFIG], kern_subject.config);
	else if (bits != kern_subject.word_bits)
		snprintf(why, WHY_ROOM, "of %lld-bit words", bits);
	else if (page != (long long)kern_subject.page_size)
		snprintf(why, WHY_ROOM, "of pages of %lld bytes", page);
	else if (kern_subject.lockdep)
		snprintf(why, WHY_ROOM, "lock debugging changes the sizes");
	else if (lacks_param(t, &name))
		snprintf(why, WHY_ROOM, "no parameter %s", name);
	return why[0] != '\0';
}

/* ------------------------------------------------------------------ */
/* Tables							      */

/* Everything in a row that can be wrong, before anything runs. */
static int check_row(const struct fact_row *row, struct trial *t,
		     struct diag *diag)
{
	const char *at = row->cell[FACT_WRITES];
	struct fact_write w;
	long long n;
	unsigned int i;
	int rc;

	t->row = row;
	array_spec_init(&t->array);
	for (i = FACT_CREATE_RC; i < FACT_WRITES; i++)
		if (fact_number(row, (enum fact_column)i, &n, diag) < 0)
			return -EINVAL;
	if (fact_number(row, FACT_WORD_BITS, &n, diag) < 0 ||
	    fact_number(row, FACT_PAGE_SIZE, &n, diag) < 0 ||
	    fact_number(row, FACT_SIZEOF_BIO, &n, diag) < 0)
		return -EINVAL;
	while ((rc = fact_write_next(row, &at, &w, diag)) > 0)
		;
	if (rc ||
	    fact_machine(row, kern_subject.page_size, &t->machine, diag) ||
	    fact_array(row, &t->array.desc, diag))
		return -EINVAL;
	return fact_params(row, &t->params, &t->refused, diag);
}

static void one_row(struct facts *f, struct trial *t)
{
	const struct fact_row *row = t->row;
	char why[WHY_ROOM], *text = NULL;
	bool skip = cannot_answer(t, why);
	bool ok = skip || run_trial(t, &text);

	printf("%s %u %s:%u %s raid%d %d disks %luK%s%s\n",
	       ok ? "ok" : "not ok", ++f->number, row->pos.file, row->pos.line,
	       row->cell[FACT_RUN], t->array.desc.level, t->array.desc.disks,
	       t->array.desc.chunk_bytes / 1024, skip ? " # SKIP " : "", why);
	if (text)
		fputs(text, stdout);
	free(text);
	if (skip)
		f->skip++;
	else if (ok)
		f->pass++;
	else
		f->fail++;
}

static bool wanted(const struct facts *f, const struct fact_row *row)
{
	return !f->line || (unsigned long)f->line == row->pos.line;
}

/* @run 0: only check, and count into @rows. */
static int each_row(struct facts *f, struct fact_table *table, bool run,
		    unsigned int *rows, struct diag *diag)
{
	static struct trial t;
	unsigned int i;
	int rc = 0;

	for (i = 0; i < table->count && !rc; i++) {
		if (!wanted(f, &table->row[i]))
			continue;
		memset(&t, 0, sizeof(t));
		t.allocate = f->allocate;
		rc = check_row(&table->row[i], &t, diag);
		if (!rc && run)
			one_row(f, &t);
		(*rows)++;
		param_list_free(&t.params);
		param_list_free(&t.refused);
	}
	return rc;
}

static int all_tables(struct facts *f, struct fact_table *table,
		      struct diag *diag)
{
	unsigned int i, rows = 0, again = 0;

	for (i = 0; i < f->paths; i++)
		if (fact_table_read(f->path[i], &table[i], diag) ||
		    each_row(f, &table[i], false, &rows, diag))
			return -EINVAL;
	if (!rows)
		return diag_set(diag, NULL, "line", NULL,
				"the number of a row's line", "no such row");
	printf("KTAP version 1\n1..%u\n", rows);
	for (i = 0; i < f->paths; i++)
		each_row(f, &table[i], true, &again, diag);
	printf("# Totals: pass:%u fail:%u skip:%u\n", f->pass, f->fail,
	       f->skip);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Options							      */

static int set_line(void *ctx, const char *value, struct diag *diag)
{
	struct facts *f = ctx;
	char *end;

	f->line = strtol(value, &end, 10);
	if (end == value || *end || f->line < 1)
		return diag_set(diag, NULL, "line", value,
				"the number of a row's line",
				"'%s' is not valid", value);
	return 0;
}

static int set_allocate(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct facts *)ctx)->allocate = true;
	return 0;
}

static int set_help(void *ctx, const char *value, struct diag *diag)
{
	(void)value;
	(void)diag;
	((struct facts *)ctx)->help = true;
	return 0;
}

static int add_path(void *ctx, const char *text, struct diag *diag)
{
	struct facts *f = ctx;
	void *base = f->path;
	char **path = vec_add(&base, &f->paths, sizeof(*path));

	(void)diag;
	*path = vec_copy(text);
	f->path = base;
	return 0;
}

static const struct option_def facts_options[] = {
	{"line", OPTION_VALUE, set_line},
	{"allocate", OPTION_FLAG, set_allocate},
	{"help", OPTION_FLAG, set_help},
	{NULL, OPTION_FLAG, NULL},
};

static int read_options(struct facts *f, int argc, char **argv,
			struct diag *diag)
{
	struct option_walk walk = {
		.command = "facts",
		.defs = facts_options,
		.operand = add_path,
		.ctx = f,
	};

	if (options_walk(&walk, argc, argv, diag))
		return -EINVAL;
	if (!f->help && !f->paths)
		return diag_set(diag, NULL, "facts", NULL,
				"raid5sim facts [--line N] [--allocate] "
				"FILE.tsv...",
				"no table given");
	return 0;
}

int facts_command(int argc, char **argv)
{
	struct fact_table *table = NULL;
	struct facts f = {.path = NULL};
	struct diag diag = {""};
	unsigned int i;
	int rc;

	rc = read_options(&f, argc, argv, &diag);
	if (!rc && f.help)
		usage_print("facts");
	if (!rc && !f.help) {
		table = vec_checked(calloc(f.paths, sizeof(*table)));
		rc = all_tables(&f, table, &diag);
	}
	for (i = 0; i < f.paths; i++) {
		if (table)
			fact_table_free(&table[i]);
		free(f.path[i]);
	}
	free(f.path);
	free(table);
	if (rc)
		return bad_usage(&diag);
	rc = report_flush();
	if (rc)
		return rc;
	return f.fail ? EXIT_FINDING : EXIT_AS_EXPECTED;
}
