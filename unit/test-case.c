/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The case parser: what a good file says, and that each kind of bad line is
 * refused with its file, line and key. Knows sim/case.h and sim/run-files.h;
 * nothing is run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw() */
#endif

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "case.h"
#include "host/run.h"
#include "list.h"
#include "run-files.h"

#define PAGE 4096UL

static char dir[] = "/tmp/test-case-XXXXXX";
static char path[128];
static struct sim_case c;
static struct diag diag;

/* Names as the host side of the shim has them; the parser asks it. */
static const char *const kinds[FINDING_KINDS] = {
	[FINDING_OUT_OF_BOUNDS] = "out-of-bounds",
	[FINDING_LEAK] = "leak",
	[FINDING_HANG] = "hang",
};

const char *finding_kind_name(enum finding_kind kind)
{
	return kinds[kind] ? kinds[kind] : "other";
}

enum finding_kind finding_kind_by_name(const char *name)
{
	for (unsigned int i = 0; i < FINDING_KINDS; i++)
		if (kinds[i] && !strcmp(kinds[i], name))
			return (enum finding_kind)i;
	return FINDING_KINDS;
}

static void write_file(const char *name, const char *text)
{
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int load(const char *text)
{
	write_file("x.case", text);
	case_free(&c);
	diag.text[0] = '\0';
	return case_load(path, PAGE, &c, &diag);
}

static void load_good(const char *text)
{
	if (load(text))
		fail_msg("refused: %s", diag.text);
}

/* @want is all that follows the file's name: ":LINE: KEY: what is wrong". */
static void expect_refused(const char *text, const char *want)
{
	size_t len = strlen(dir) + strlen("/x.case");

	assert_int_equal(load(text), -EINVAL);
	assert_int_equal(strncmp(diag.text, path, len), 0);
	if (strncmp(diag.text + len, want, strlen(want)))
		fail_msg("not '%s' but '%s'", want, diag.text + len);
}

#define HEAD  "[case]\ntitle = t\n"	    /* lines 1 and 2 */
#define STEPS HEAD "[steps]\ncreate = ok\n" /* lines 1 to 4 */

/* ------------------------------------------------------------------ */

static void test_smallest(void **unused)
{
	(void)unused;
	load_good(STEPS);
	assert_string_equal(c.title, "t");
	assert_string_equal(c.why, "");
	assert_int_equal(c.step_count, 1);
	assert_int_equal(c.step[0].verb, STEP_CREATE);
	assert_int_equal(c.step[0].result, 0);
	assert_int_equal(c.step[0].line, 4);
	assert_int_equal(c.array.desc.disks, 4);
	assert_int_equal(cpu_bits_weight(&c.machine->online_cpus), 4);
	assert_null(case_expectation(&c, "stock"));
	assert_true(case_applies(&c, "anything"));
}

static void test_all_sections(void **unused)
{
	(void)unused;
	load_good("# a comment\n"
		  "[case]\n"
		  "title = two nodes\n"
		  "why = because\n"
		  "subjects = stock* posted\n"
		  "[machine]\n"
		  "node = 0:cpus=0-1,mem=1G\n"
		  "node = 8:cpus=2-3,mem=1G\n"
		  "[params]\n"
		  "some_param = 7\n"
		  "[array]\n"
		  "level = 6\n"
		  "disks = 9\n"
		  "[steps]\n"
		  "create = ok\n"
		  "[expect]\n"
		  "nr_hash_locks = 8 ; a comment\n");
	assert_string_equal(c.why, "because");
	assert_int_equal(c.machine->cpu_node[3], 8);
	assert_int_equal(c.params.count, 1);
	assert_string_equal(c.params.param[0].name, "some_param");
	assert_string_equal(c.params.param[0].value, "7");
	assert_int_equal(c.params.param[0].pos.line, 10);
	assert_int_equal(c.array.desc.level, 6);
	assert_int_equal(c.array.desc.disks, 9);
	assert_true(case_applies(&c, "stock-6.1"));
	assert_true(case_applies(&c, "posted"));
	assert_false(case_applies(&c, "posted-minimal"));
	assert_int_equal(case_expectation(&c, "stock")->size[0].value, 8);
}

static const struct case_step *step(unsigned int i)
{
	assert_true(i < c.step_count);
	return &c.step[i];
}

static void test_steps(void **unused)
{
	(void)unused;
	load_good(STEPS "set = stripe_cache_size 16 -> -EINVAL\n"
			"get = stripe_cache_size  a b \n"
			"touch = 3\n"
			"touch = 2 4096 -> -EBUSY\n"
			"quiesce = on\n"
			"quiesce = off\n"
			"suspend =\n"
			"resume =\n"
			"cpu = 3 offline\n"
			"cpu = 3 online -> -ENOMEM\n"
			"stop =\n"
			"create = -22\n");
	assert_int_equal(c.step_count, 13);
	assert_string_equal(step(1)->attr, "stripe_cache_size");
	assert_string_equal(step(1)->text, "16");
	assert_int_equal(step(1)->result, -EINVAL);
	assert_string_equal(step(2)->text, "a b");
	assert_int_equal(step(3)->cpu, 3);
	assert_int_equal(step(3)->sector, 0);
	assert_int_equal(step(4)->sector, 4096);
	assert_int_equal(step(4)->result, -EBUSY);
	assert_true(step(5)->on);
	assert_false(step(6)->on);
	assert_int_equal(step(7)->verb, STEP_SUSPEND);
	assert_int_equal(step(8)->verb, STEP_RESUME);
	assert_false(step(9)->on);
	assert_int_equal(step(10)->result, -ENOMEM);
	assert_int_equal(step(11)->verb, STEP_STOP);
	assert_int_equal(step(12)->result, -22);
}

static void test_machine_file_is_beside_the_case(void **unused)
{
	(void)unused;
	write_file("two.machine", "[machine]\nnode = 5:cpus=0,mem=1G\n");
	load_good(STEPS "[machine]\nfile = two.machine\n");
	assert_int_equal(c.machine->cpu_node[0], 5);
	expect_refused(STEPS "[machine]\nfile = none.machine\n",
		       ":6: file: cannot read ");
	expect_refused(STEPS "[machine]\nfile = /etc/passwd\n",
		       ":6: file: not a relative path");
	expect_refused(STEPS "[machine]\nfile = a\nfile = b\n",
		       ":6: file: cannot read ");
}

/* ------------------------------------------------------------------ */

/*
 *	subject		[expect posted*]  [expect *-x]	[expect]
 *	posted-x	the first that matches in file order
 *	stock-x				  this
 *	stock						this
 */
static void test_first_match_in_file_order(void **unused)
{
	(void)unused;
	load_good(STEPS "[expect]\nworkers = 1\n"
			"[expect posted*]\nworkers = 2\n"
			"[expect *-x]\nworkers = 3\n");
	assert_int_equal(case_expectation(&c, "posted-x")->size[0].value, 2);
	assert_int_equal(case_expectation(&c, "stock-x")->size[0].value, 3);
	assert_int_equal(case_expectation(&c, "stock")->size[0].value, 1);
}

static void test_one_section_counts(void **unused)
{
	(void)unused;
	load_good(STEPS "[expect]\nworkers = 1\nfinding = leak\n"
			"[expect stock]\ngroup_cnt = 2\n");
	assert_int_equal(case_expectation(&c, "stock")->size_count, 1);
	assert_int_equal(case_expectation(&c, "stock")->finding_count, 0);
	load_good(STEPS "[expect stock]\nworkers = 1\n");
	assert_null(case_expectation(&c, "posted"));
}

static void test_values(void **unused)
{
	const struct case_expect *e;

	(void)unused;
	load_good(STEPS "[expect]\ncreate = -ENOMEM\n"
			"bytes_allocated = 4M\n"
			"stripe_cache_min = none\n"
			"largest_allocation = 100\n");
	e = case_expectation(&c, "stock");
	assert_int_equal(e->size[0].value, -ENOMEM);
	assert_int_equal(e->size[1].value, 4194304);
	assert_int_equal(e->size[2].value, -1);
	assert_int_equal(e->size[3].key, SIZE_LARGEST_ALLOCATION);
}

static struct finding finding(void)
{
	return (struct finding){
		.kind = FINDING_OUT_OF_BOUNDS,
		.where = {.function = "wake",
			  .file = "drivers/md/raid5.c",
			  .line = 197},
		.cause = "worker_groups[8] of 2, allocated in alloc()",
		.detail = "one line\nand one: taken by alloc()\n",
	};
}

static bool matches(const char *expected)
{
	struct finding f = finding();
	char text[256];

	snprintf(text, sizeof(text), STEPS "[expect]\nfinding = %s\n",
		 expected);
	load_good(text);
	return case_expect_matches(case_expectation(&c, "stock"), &f);
}

static void test_which_finding(void **unused)
{
	struct finding f = finding();

	(void)unused;
	assert_true(matches("out-of-bounds"));
	assert_true(matches("out-of-bounds wake"));
	assert_true(matches("out-of-bounds wake()"));
	assert_true(matches("out-of-bounds wake:197"));
	assert_true(matches("out-of-bounds *:197"));
	assert_true(matches("out-of-bounds wake worker_groups[8] of 2"));
	assert_true(matches("out-of-bounds * allocated in alloc()"));
	assert_false(matches("leak"));
	assert_false(matches("none"));
	assert_false(matches("out-of-bounds wak"));
	assert_false(matches("out-of-bounds wake:198"));
	assert_false(matches("out-of-bounds wake worker_groups[9]"));
	assert_true(matches("out-of-bounds * taken by alloc()"));
	assert_true(matches("out-of-bounds\nfinding = leak"));
	assert_true(matches("leak\nfinding = out-of-bounds"));
	assert_false(matches("leak\nfinding = hang"));
	assert_false(case_expect_matches(NULL, &f));
}

static void test_locks(void **unused)
{
	(void)unused;
	load_good(STEPS);
	assert_false(c.locks.strict);
	load_good(STEPS "[locks]\nstrict = yes\n");
	assert_true(c.locks.strict);
	load_good(STEPS "[locks]\nstrict = no\n");
	assert_false(c.locks.strict);
	expect_refused(STEPS "[locks]\nstrict = 1\n",
		       ":6: strict: neither");
	expect_refused(STEPS "[locks]\nstrict = yes\nstrict = no\n",
		       ":7: strict: given twice");
	expect_refused(STEPS "[locks]\nloose = yes\n",
		       ":6: loose: no such key in [locks]");
}

/* ------------------------------------------------------------------ */

static void test_bad_structure(void **unused)
{
	(void)unused;
	expect_refused("title = t\n", ":1: title: a key before the first");
	expect_refused(HEAD "[stepz]\n", ":3: no such section: [stepz]");
	expect_refused(HEAD "[expectation]\n", ":3: no such section");
	expect_refused(STEPS "[steps]\n", ":5: [steps] is in the file twice");
	expect_refused(STEPS "[expect a]\n[expect a]\n",
		       ":6: this [expect] is in the file twice");
	expect_refused(HEAD "nonsense\n", ":3: no '=' after the key");
	expect_refused(HEAD, ": no step in [steps]");
	expect_refused("[steps]\ncreate = ok\n", ": no title in [case]");
}

static void test_bad_case_keys(void **unused)
{
	(void)unused;
	expect_refused(HEAD "title = u\n", ":3: title: given twice");
	expect_refused("[case]\ntitle =\n", ":2: title: nothing after '='");
	expect_refused(HEAD "subjects =\n", ":3: subjects: nothing after");
	expect_refused(HEAD "author = me\n",
		       ":3: author: no such key in [case]; accepted: title");
}

static void test_bad_machine(void **unused)
{
	(void)unused;
	expect_refused(STEPS "[machine]\nhost = yes\n",
		       ":6: host: no such key in [machine]; accepted: file");
	expect_refused(STEPS "[machine]\ncpus = 0\n", ":6: cpus: ");
	expect_refused(STEPS "[machine]\nnode = 1024:mem=1G\n", ":6: node: ");
	expect_refused(STEPS "[machine]\ncpus = 2\nonline-cpus = 5\n"
			     "possible-cpus = 0-1\n",
		       ":");
}

static void test_bad_array_and_params(void **unused)
{
	(void)unused;
	expect_refused(STEPS "[array]\nlevel = 1\n",
		       ":6: level: too small; accepted: 4, 5 or 6");
	expect_refused(STEPS "[array]\nraid = 5\n",
		       ":6: raid: no such key in [array]; accepted: level");
	expect_refused(STEPS "[array]\ndisks = 4\ndisks = 5\n",
		       ":7: disks: given twice");
	expect_refused(STEPS "[params]\na = 1\na = 2\n", ":7: a: given twice");
}

static void test_bad_steps(void **unused)
{
	(void)unused;
	expect_refused(STEPS "write = x\n",
		       ":5: write: no such step; accepted: create, set");
	expect_refused(STEPS "set = attr\n", ":5: set: no value");
	expect_refused(STEPS "set =\n", ":5: set: no attribute");
	expect_refused(STEPS "set = a 1 ->\n", ":5: set: no result after");
	expect_refused(STEPS "set = a 1 -> EINVAL\n",
		       ":5: set: unknown result after '->'; accepted: ATTR");
	expect_refused(STEPS "set = a 1 -> ok ok\n",
		       ":5: set: text after the result");
	expect_refused(STEPS "get = a\n", ":5: get: no value");
	expect_refused(STEPS "touch = x\n", ":5: touch: CPU 'x': not a number");
	expect_refused(STEPS "touch =\n", ":5: touch: no CPU");
	expect_refused(STEPS "touch = 8192\n", ":5: touch: CPU '8192': too l");
	expect_refused(STEPS "touch = 0 0 0\n", ":5: touch: unexpected text");
	expect_refused(STEPS "quiesce = yes\n",
		       ":5: quiesce: neither on nor off; accepted: on or off");
	expect_refused(STEPS "cpu = 1 down\n",
		       ":5: cpu: neither online nor offline");
	expect_refused(STEPS "stop = now\n", ":5: stop: unexpected text");
	expect_refused(HEAD "[steps]\ncreate = EINVAL\n",
		       ":4: create: unknown result; accepted: ok or a");
}

static void test_bad_order(void **unused)
{
	(void)unused;
	expect_refused(HEAD "[steps]\nstop =\n", ":4: stop: there is no array");
	expect_refused(STEPS "create = ok\n", ":5: create: there is an array");
	expect_refused(HEAD "[steps]\ncreate = -EIO\ntouch = 0\n",
		       ":5: touch: there is no array");
	expect_refused(STEPS "stop =\nget = a 1\n",
		       ":6: get: there is no array");
	expect_refused(STEPS "quiesce = off\n", ":5: quiesce: it is not");
	expect_refused(STEPS "quiesce = on\nquiesce = on\n",
		       ":6: quiesce: it is quiesced already");
	expect_refused(STEPS "resume =\n", ":5: resume: it is not suspended");
	expect_refused(STEPS "suspend =\nsuspend =\n",
		       ":6: suspend: it is suspended already");
	expect_refused(STEPS "suspend =\nstop =\n",
		       ":6: stop: it is quiesced or suspended");
	expect_refused(STEPS "touch = 4\n",
		       ":5: touch: that CPU is not possible");
	expect_refused(STEPS "cpu = 4 online\n",
		       ":5: cpu: that CPU is not possible");
}

static void test_bad_expectations(void **unused)
{
	(void)unused;
	expect_refused(STEPS "[expect]\nlocks = 8\n",
		       ":6: locks: no such key; accepted: finding, nr_hash");
	expect_refused(STEPS "[expect]\nworkers = many\n",
		       ":6: workers: not a number");
	expect_refused(STEPS "[expect]\nworkers = 1\nworkers = 1\n",
		       ":7: workers: given twice, first in line 6");
	expect_refused(STEPS "[expect]\ncreate = good\n",
		       ":6: create: unknown result 'good'");
	expect_refused(STEPS "[expect]\nfinding = oob\n",
		       ":6: finding: unknown kind 'oob'; accepted: out-of");
	expect_refused(STEPS "[expect]\nfinding =\n", ":6: finding: no kind");
	expect_refused(STEPS "[expect]\nfinding = leak\nfinding = none\n",
		       ":7: finding: none and a finding");
	expect_refused(STEPS "[expect]\nfinding = leak f:x\n",
		       ":6: finding: bad line number");
	expect_refused(STEPS "[expect]\nfinding = none f\n",
		       ":6: finding: text after none");
}

static void test_no_such_file(void **unused)
{
	(void)unused;
	case_free(&c);
	diag.text[0] = '\0';
	assert_int_equal(case_load("/no/such.case", PAGE, &c, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "/no/such.case: cannot open"));
}

/* ------------------------------------------------------------------ */

static void expect_name(const char *file, const char *from, const char *want)
{
	char name[64];

	case_name(file, from, name, sizeof(name));
	assert_string_equal(name, want);
}

static void test_names(void **unused)
{
	(void)unused;
	expect_name("cases/numa/a.case", NULL, "numa/a");
	expect_name("/x/cases/numa/a.case", "/x/cases", "numa/a");
	expect_name("x/y/a.case", "x", "y/a");
	expect_name("x//y/a.case", "x/", "y/a");
	expect_name("x/y/a.case", NULL, "a");
	expect_name("mycases/a.case", NULL, "a");
	expect_name("x/a.text", NULL, "a.text");
	expect_name(".case", NULL, ".case");
}

static void make_dir(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void expect_file(const struct case_files *files, unsigned int i,
			const char *name)
{
	assert_string_equal(files->file[i].path + strlen(dir) + 1, name);
}

/*
 *	d/b.case	d/a/z.case	d/B.case	d/note.txt
 *	d/.hidden/h.case
 *
 * Bytes sort 'B' before 'a' before 'b'.
 */
static void test_files_of_a_folder(void **unused)
{
	struct case_files files = {0};
	char top[128];

	(void)unused;
	make_dir("d");
	make_dir("d/a");
	make_dir("d/.hidden");
	write_file("d/b.case", "");
	write_file("d/a/z.case", "");
	write_file("d/B.case", "");
	write_file("d/note.txt", "");
	write_file("d/.hidden/h.case", "");
	snprintf(top, sizeof(top), "%s/d", dir);
	assert_int_equal(case_files_add(&files, top, &diag), 0);
	snprintf(path, sizeof(path), "%s/d/b.case", dir);
	assert_int_equal(case_files_add(&files, path, &diag), 0);
	case_files_sort(&files);
	assert_int_equal(files.count, 3);
	expect_file(&files, 0, "d/B.case");
	expect_file(&files, 1, "d/a/z.case");
	expect_file(&files, 2, "d/b.case");
	case_files_free(&files);
}

static void test_no_files(void **unused)
{
	struct case_files files = {0};

	(void)unused;
	make_dir("empty");
	diag.text[0] = '\0';
	assert_int_equal(case_files_add(&files, path, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "/empty: no *.case file"));
	diag.text[0] = '\0';
	assert_int_equal(case_files_add(&files, "/no/such", &diag), -EINVAL);

	assert_non_null(strstr(diag.text, "/no/such: cannot read"));

	/* A FIFO would be waited for. */
	make_dir("f");
	snprintf(path, sizeof(path), "%s/f/p.case", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	diag.text[0] = '\0';
	assert_int_equal(case_files_add(&files, path, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "not a regular file"));
	diag.text[0] = '\0';
	snprintf(path, sizeof(path), "%s/f", dir);
	assert_int_equal(case_files_add(&files, path, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "p.case"));
	case_files_free(&files);
}

static int set_up(void **unused)
{
	(void)unused;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_one(const char *name, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(name);
}

static int tear_down(void **unused)
{
	(void)unused;
	case_free(&c);
	return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smallest),
		cmocka_unit_test(test_all_sections),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_machine_file_is_beside_the_case),
		cmocka_unit_test(test_first_match_in_file_order),
		cmocka_unit_test(test_one_section_counts),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_which_finding),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_bad_structure),
		cmocka_unit_test(test_bad_case_keys),
		cmocka_unit_test(test_bad_machine),
		cmocka_unit_test(test_bad_array_and_params),
		cmocka_unit_test(test_bad_steps),
		cmocka_unit_test(test_bad_order),
		cmocka_unit_test(test_bad_expectations),
		cmocka_unit_test(test_no_such_file),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_files_of_a_folder),
		cmocka_unit_test(test_no_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
