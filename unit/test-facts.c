/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim facts` against a made-up driver: tables that are right, wrong and
 * malformed. The driver below stands in for kernel and shim; nothing here
 * knows a real one.
 *
 *	table file --> facts_command() --> session --> kern_*() below
 *		       KTAP to a file <--	       with one fault at a time
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boundary.h"
#include "commands.h"
#include "facts-cmd.h"
#include "facts-table.h"
#include "host/run.h"
#include "list.h"

/* ------------------------------------------------------------------ */
/* The made-up driver						      */

static enum fault {
	SOUND,
	WRONG_STRIPES,	 /* 257 of them */
	WRONG_CEILING,	 /* one too many accepted */
	WRONG_THREADS,	 /* 8193 accepted */
	TAKES_ANY_PARAM, /* none is refused */
	ADDS_FINDING,
	CRASHES,
} fault;

const struct subject_info kern_subject = {
	.name = "posted-test",
	.kernel = "6.12.117",
	.config = "minimal",
	.word_bits = 64,
	.page_size = 4096,
	.modified = 1,
	.series = "test",
};

struct kern_array {
	long long stripes, built;
};

static struct kern_array array;
static struct machine booted;
static long long param_max;
static int no_memory;
static struct finding made_up = {.kind = FINDING_HANG, .cause = "made up"};

void kern_boot(const struct machine *m)
{
	booted = *m;
}

int kern_module_init(void)
{
	return 0;
}

void kern_module_exit(void)
{
}

unsigned int kern_param_count(void)
{
	return 1;
}

const char *kern_param_name(unsigned int i)
{
	(void)i;
	return "stripe_cache_size_max";
}

int kern_param_set(const char *name, const char *value)
{
	long long n = strtoll(value, NULL, 10);

	if (strcmp(name, "stripe_cache_size_max"))
		return -ENOENT;
	if (n > UINT_MAX && fault != TAKES_ANY_PARAM)
		return -ERANGE;
	param_max = n;
	return 0;
}

int kern_array_create(const struct array_desc *desc, struct kern_array **out)
{
	*out = NULL;
	if (desc->level == 6 && desc->disks < 4)
		return -EINVAL;
	if (fault == CRASHES)
		abort();
	array.stripes = fault == WRONG_STRIPES ? 257 : 256;
	array.built = array.stripes;
	*out = &array;
	return 0;
}

void kern_array_stop(struct kern_array *a)
{
	a->stripes = 0;
}

void kern_array_sizes(struct kern_array *a, struct array_sizes *out)
{
	*out = (struct array_sizes){
		.nr_hash_locks = 8,
		.stripe_cache_size = a->stripes,
		.max_nr_stripes = a->stripes,
		.max_stripe_batch = 8,
		.group_thread_cnt = cpu_bits_weight(&booted.online_cpus) / 2,
		.group_cnt = 1,
		.bytes_per_stripe = 16992,
		.allocated_kb = 4248,
	};
}

static long store_cache(struct kern_array *a, long long n)
{
	long long max = param_max ? param_max : 32768;

	if (n < 17 || n > max + (fault == WRONG_CEILING))
		return -EINVAL;
	/* The test's table asks for this much, and must not get it built. */
	if (n > FACTS_GROW && !no_memory)
		abort();
	if (no_memory && n > a->built)
		return -ENOMEM;
	a->built = n;
	return 1;
}

long kern_attr_store(struct kern_array *a, const char *name, const char *val)
{
	long long n = strtoll(val, NULL, 10);

	if (!strcmp(name, "stripe_cache_size"))
		return store_cache(a, n);
	if (strcmp(name, "group_thread_cnt"))
		return -ENOENT;
	return n > 8192 + (fault == WRONG_THREADS) ? -EINVAL : 1;
}

void kern_fail_allocs(int on)
{
	no_memory = on;
}

unsigned int kern_layout(const struct layout_row **rows)
{
	static const struct layout_row row[] = {{"bio", 96}};

	*rows = row;
	return 1;
}

/* The rest of what is linked needs, and never calls in these tests. */

void host_mem_stats(struct mem_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
}

void host_mem_reset_largest(void)
{
}

unsigned long host_obj_report_leaks(void)
{
	return 0;
}

void host_log_sink(void (*sink)(int level, const char *text, void *arg),
		   void *arg)
{
	(void)sink;
	(void)arg;
}

int run_guarded(void (*fn)(void *arg), void *arg)
{
	fn(arg);
	return 0;
}

unsigned int finding_count(void)
{
	return fault == ADDS_FINDING;
}

const struct finding *finding_get(unsigned int i)
{
	(void)i;
	return &made_up;
}

const char *finding_kind_name(enum finding_kind kind)
{
	(void)kind;
	return "hang";
}

bool usage_print(const char *command)
{
	(void)command;
	return true;
}

static char complaint[sizeof(((struct diag *)NULL)->text)];

int bad_usage(const struct diag *diag)
{
	strcpy(complaint, diag->text);
	return EXIT_USAGE;
}

/* ------------------------------------------------------------------ */
/* Tables in, KTAP out						      */

#define HEAD                                                            \
	"run\tsubject\tconfig\tcpu_possible\ttotalram_pages\t"          \
	"p_stripe_cache_size_max\tlevel\tndisks\tchunkK\tcreate_rc\t"   \
	"stripe_cache_size\tgroup_thread_cnt\tmax_cache_size_printed\t" \
	"allocated_kB\tsmallest_refused_above\tan_unknown_column\twrites\n"
#define GOOD                                                          \
	"one\tposted\tminimal\t0-3\t254567\t0\t5\t4\t64\t0\t256\t2\t" \
	"32768\t4248\t32769\tx\tscs:16=FAIL;scs:17=ok;scs:32768=ok;"  \
	"group_thread_cnt:8193=FAIL;ceil_accept_not_tried(need_kB=1 " \
	"avail_kB=2);\n"

static char dir[] = "/tmp/test-facts-XXXXXX";
static char table_path[64], out_path[64], said[8192];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(table_path, sizeof(table_path), "%s/t.tsv", dir);
	snprintf(out_path, sizeof(out_path), "%s/out", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(table_path);
	unlink(out_path);
	return rmdir(dir);
}

static void read_back(void)
{
	FILE *in = fopen(out_path, "r");
	size_t n;

	assert_non_null(in);
	n = fread(said, 1, sizeof(said) - 1, in);
	said[n] = '\0';
	fclose(in);
}

/* Run the command on a table of @text; its stdout ends up in `said`. */
static int run_table(enum fault f, const char *text, char *option)
{
	char *argv[] = {table_path, option, NULL};
	FILE *out = fopen(table_path, "w");
	int saved, rc;

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	fault = f;
	param_max = 0;
	complaint[0] = '\0';
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	assert_non_null(freopen(out_path, "w", stdout));
	rc = facts_command(option ? 2 : 1, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	read_back();
	return rc;
}

static void expect_said(const char *part)
{
	if (!strstr(said, part))
		fail_msg("no '%s' in:\n%s", part, said);
}

static void test_agrees(void **state)
{
	(void)state;
	assert_int_equal(run_table(SOUND, "# a comment\n" HEAD GOOD, NULL), 0);
	expect_said("KTAP version 1\n1..1\nok 1 ");
	expect_said("t.tsv:3 one raid5 4 disks 64K\n");
	expect_said("# Totals: pass:1 fail:0 skip:0\n");
}

/* Each fault makes the row fail, with the cell named. */
static void test_differs(void **state)
{
	static const struct {
		enum fault fault;
		const char *says;
	} rows[] = {
		{WRONG_STRIPES, "# stripe_cache_size: 257, the fact is 256\n"},
		{WRONG_CEILING,
		 "# max_cache_size_printed: 32769, the fact is 32768\n"},
		{WRONG_THREADS, "# write group_thread_cnt=8193: ok, the fact "
				"is FAIL\n"},
		{ADDS_FINDING, "# hang\n#   made up\n"},
		{CRASHES, "# the row's process ended with signal 6\n"},
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(run_table(rows[i].fault, HEAD GOOD, NULL), 1);
		expect_said("\nnot ok 1 ");
		expect_said(rows[i].says);
		expect_said("pass:0 fail:1 skip:0\n");
	}
}

static void test_skips(void **state)
{
	(void)state;
	assert_int_equal(run_table(SOUND,
				   HEAD "a\tstock\tminimal\t0\t1\t\t5\t4\t64\n"
					"b\tposted\tdebian\t0\t1\t\t5\t4\t64\n",
				   NULL),
			 0);
	expect_said(" # SKIP of stock, this subject is posted\n");
	expect_said(" # SKIP of config debian, this subject has minimal\n");
	expect_said("pass:0 fail:0 skip:2\n");
}

/* A fact may be that the array is refused, or that a parameter is. */
static void test_refusals(void **state)
{
	static const char row[] =
		HEAD "p\tposted\tminimal\t0-3\t\t100(write 4294967296 refused)"
		     "\t6\t4\t64\t0\t256\t2\t100\t\t101\n"
		     "q\tposted\tminimal\t0-3\t\t16\t6\t4\t64\t\t\t\t16\t\t17\n"
		     "r\tposted\tminimal\t0-3\t\t\t6\t3\t64\t-22\n";

	(void)state;
	assert_int_equal(run_table(SOUND, row, NULL), 0);
	expect_said("pass:3 fail:0 skip:0\n");
	assert_int_equal(run_table(TAKES_ANY_PARAM, row, NULL), 1);
	expect_said("stripe_cache_size_max=4294967296: taken");
	expect_said("pass:2 fail:1 skip:0\n");
}

static void test_line_option(void **state)
{
	char line3[] = "--line=3", line9[] = "--line=9";

	(void)state;
	assert_int_equal(run_table(SOUND, HEAD GOOD GOOD, line3), 0);
	expect_said("1..1\nok 1 ");
	expect_said("t.tsv:3 one");
	assert_int_equal(run_table(SOUND, HEAD GOOD GOOD, line9), EXIT_USAGE);
}

/* One clear line: file, line, column. Nothing is run, no KTAP begun. */
static void test_malformed(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{HEAD "a\tposted\tminimal\t3-0\t1\t\t5\t4\t64\n",
		 "t.tsv:2: cpu_possible: "},
		{HEAD "a\tposted\tminimal\t0\tx\t\t5\t4\t64\n",
		 "t.tsv:2: totalram_pages: 'x' is not valid"},
		{HEAD "a\tposted\tminimal\t0\t0\t\t5\t4\t64\n",
		 "t.tsv:2: totalram_pages: "},
		{HEAD "a\tposted\tminimal\t0\t1\t1(wrote 2)\t5\t4\t64\n",
		 "t.tsv:2: p_stripe_cache_size_max: "},
		{HEAD "a\tposted\tminimal\t0\t1\t\t7\t4\t64\n",
		 "t.tsv:2: level: 7 is not between 4 and 6"},
		{HEAD "a\tposted\tminimal\t0\t1\t\t5\t4\t\n",
		 "t.tsv:2: chunkK: "},
		{HEAD "a\tposted\tminimal\t0\t1\t\t5\t4\t64\t\t\t\t\t\t\t\t"
		      "scs:1=maybe;\n",
		 "t.tsv:2: writes: "},
		{"run\tsubject\n", "t.tsv:1: config: no such column"},
		{HEAD, "no rows"},
		{"", "no rows"},
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(run_table(SOUND, rows[i].text, NULL),
				 EXIT_USAGE);
		if (!strstr(complaint, rows[i].says))
			fail_msg("'%s' is not in '%s'", rows[i].says,
				 complaint);
		assert_string_equal(said, "");
	}
}

/* ------------------------------------------------------------------ */
/* Machines							      */

/*
 * Five CPUs on two nodes with CPUs, ten pages on three with memory:
 *
 *	CPU	0 1 2 | 3 4		node	0 | 4 | 8
 *	node	  0   |  8		pages	4 | 3 | 3
 */
static void test_machine(void **state)
{
	static struct machine m;
	struct fact_row row = {.pos = {"t", 1}};
	struct diag diag = {""};
	unsigned int i;

	(void)state;
	for (i = 0; i < FACT_COLUMNS; i++)
		row.cell[i] = "";
	row.cell[FACT_CPU_POSSIBLE] = "0-4";
	row.cell[FACT_CPU_ONLINE] = "1-4";
	row.cell[FACT_NODE_POSSIBLE] = "0,4,8,255";
	row.cell[FACT_NODE_ONLINE] = "0,4,8";
	row.cell[FACT_NODE_HAS_CPU] = "0,8";
	row.cell[FACT_TOTALRAM_PAGES] = "10";
	assert_int_equal(fact_machine(&row, 4096, &m, &diag), 0);
	assert_int_equal(m.cpu_node[0], 0);
	assert_int_equal(m.cpu_node[2], 0);
	assert_int_equal(m.cpu_node[3], 8);
	assert_int_equal(m.cpu_node[4], 8);
	assert_int_equal(m.cpu_node[5], MACHINE_NO_NODE);
	assert_int_equal(cpu_bits_weight(&m.online_cpus), 4);
	assert_int_equal(node_bits_last(&m.possible_nodes), 255);
	assert_int_equal(m.node_mem[0], 4 * 4096);
	assert_int_equal(m.node_mem[4], 3 * 4096);
	assert_int_equal(m.node_mem[8], 3 * 4096);
	assert_int_equal(m.totalram_pages, 10);

	row.cell[FACT_CPU_ONLINE] = "4-5";
	assert_int_equal(fact_machine(&row, 4096, &m, &diag), -EINVAL);

	/* Nothing said of nodes and RAM: one node, 8 GiB. */
	for (i = 0; i < FACT_COLUMNS; i++)
		row.cell[i] = "";
	row.cell[FACT_CPU_POSSIBLE] = "0-3";
	assert_int_equal(fact_machine(&row, 65536, &m, &diag), 0);
	assert_int_equal(m.totalram_pages, 131072);
	assert_int_equal(m.node_mem[0], 8ULL << 30);
	assert_int_equal(node_bits_weight(&m.online_nodes), 1);
	assert_int_equal(m.cpu_node[3], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees),
		cmocka_unit_test(test_differs),
		cmocka_unit_test(test_skips),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_line_option),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_machine),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
