/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps that do I/O, on a made-up array: whatever it does wrong is seen, by
 * the reads or by the check at rest, and a healthy one passes. Also: each step
 * reaches the kernel side as what it says. Knows sim/steps.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "case.h"
#include "kern-fake.h"
#include "steps.h"

static struct sim_case c;
static struct outcome o;
static const char *array_text;

#define RAID5 "level = 5\ndisks = 4\nchunk = 16K\nmember-size = 1M\n"
#define RAID6 "level = 6\ndisks = 6\nchunk = 16K\nmember-size = 1M\n"

static int load(const char *steps, struct diag *diag)
{
	char path[] = "/tmp/test-steps-io-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	int err;

	assert_non_null(f);
	fprintf(f, "[case]\ntitle = t\n[array]\n%s[steps]\n%s", array_text,
		steps);
	fclose(f);
	case_free(&c);
	err = case_load(path, 4096, &c, diag);
	unlink(path);
	return err;
}

static void run(const char *steps)
{
	struct diag diag = {""};

	if (load(steps, &diag))
		fail_msg("refused: %s", diag.text);
	fake_found_count = 0;
	memset(fake.log, 0, sizeof(fake.log));
	fake.writes = 0;
	fake.requests = 0;
	fake.arrays = 0;
	steps_run(&c, &o);
}

static void expect_pass(const char *steps)
{
	run(steps);
	if (!o.passed)
		fail_msg("%s", o.notes ? o.note[0] : o.finding[0].cause);
}

static void expect_found(const char *steps, const char *cause)
{
	run(steps);
	assert_false(o.passed);
	assert_true(o.findings > 0);
	assert_int_equal(o.finding[0].kind, FINDING_DATA_MISMATCH);
	assert_string_equal(o.finding[0].cause, cause);
}

static void expect_note(const char *steps, const char *note)
{
	run(steps);
	assert_false(o.passed);
	assert_string_equal(o.note[0], note);
	assert_int_equal(o.notes, 1);
}

static int reset(void **unused)
{
	(void)unused;
	fake_reset();
	array_text = RAID5;
	return 0;
}

/* ------------------------------------------------------------------ */

#define MIXED                                                        \
	"create = ok\nio = write 0 8\nio = read 0 16\n"              \
	"io = write 5 90 fua cpu=1\nio = flush\nio = discard 0 96\n" \
	"io = write-zeroes 40 8\nverify =\n"                         \
	"load = a writers=3 readers=2 ops=60 depth=4 plug=3\n"       \
	"load = b ops=50 mix=full,cross,discard,preflush:2 seed=9\n" \
	"wait = a\nverify =\nrest =\n"

static void test_healthy(void **unused)
{
	(void)unused;
	expect_pass(MIXED);
	assert_true(fake.requests > 350);
	assert_true(fake.plugs > 90);
	array_text = RAID6;
	expect_pass(MIXED);
	array_text = "level = 6\ndisks = 5\nchunk = 8K\nmember-size = 1M\n"
		     "layout = ddf-N-continue\n";
	expect_pass(MIXED "io = write 4000 8\nverify = all\n");
	/* At rest: once as a step, once at the end. */
	assert_string_equal(fake.log, "bicwRwRsxl");
}

/* Cases without requests are as they always were. */
static void test_no_io_no_rest(void **unused)
{
	(void)unused;
	expect_pass("create = ok\ntouch = 0\n");
	assert_string_equal(fake.log, "bictsxl");
}

static void plant(enum fake_fault fault, unsigned int at_write)
{
	fake.fault = fault;
	fake.at_write = at_write;
}

#define THREE "create = ok\nio = write 0 32\nio = write 32 32\nio = write 8 8\n"

static void test_lost_write(void **unused)
{
	(void)unused;
	plant(FAKE_LOST, 3);
	expect_found(THREE "io = read 0 64\n",
		     "read: sector 8 holds write 1, expected write 3");
	/* Without a read, the members give it away. */
	expect_found(THREE, "at rest: disk 0, stripe 0: sector 8 holds "
			    "write 1, expected write 3");
	assert_int_equal(o.findings, 8);
}

static void test_misplaced_write(void **unused)
{
	(void)unused;
	plant(FAKE_MISPLACED, 3);
	expect_found(THREE "io = read 16 8\n",
		     "read: sector 16 holds write 3 of sector 8, expected "
		     "write 1");
	/* Nobody wrote there; the page is looked at all the same. */
	expect_found("create = ok\nio = write 64 8\nio = write 64 8\n"
		     "io = write 68 2\n",
		     "at rest: disk 2, stripe 0: sector 68 holds write 2, "
		     "expected write 3");
}

static void test_half_write(void **unused)
{
	(void)unused;
	plant(FAKE_HALF, 3);
	expect_found(THREE "verify =\n",
		     "read: sector 8 holds write 3, from byte 256 write 1, "
		     "expected write 3");
}

static void test_wrong_parity(void **unused)
{
	(void)unused;
	plant(FAKE_STALE_P, 3);
	expect_found(THREE "verify =\n",
		     "at rest: disk 3, stripe 0: sector 8 of its data is not "
		     "the P of the stripe's data");
	array_text = RAID6;
	expect_found(THREE "verify =\n",
		     "at rest: disk 5, stripe 0: sector 8 of its data is not "
		     "the P of the stripe's data");
	plant(FAKE_STALE_Q, 3);
	expect_found(THREE "verify =\n",
		     "at rest: disk 0, stripe 0: sector 8 of its data is not "
		     "the Q of the stripe's data");
	/* Known to be out of sync: fine. */
	fake.resync_from = 0;
	expect_pass(THREE "verify =\n");
	fake.resync_from = 9;
	run(THREE);
	assert_int_equal(o.findings, 1);
}

/* A member that is gone is computed from the others. */
static void test_missing_member(void **unused)
{
	(void)unused;
	expect_pass(THREE "fail = 0\n");
	plant(FAKE_STALE_P, 3);
	run(THREE "fail = 0\n");
	assert_int_equal(o.findings, 8);
	assert_string_equal(o.finding[0].cause,
			    "at rest: slot 0 (computed), stripe 0: sector 8 "
			    "holds write 1, expected write 3");
	plant(FAKE_FINE, 0);
	array_text = RAID6;
	expect_pass(THREE "fail = 0\nfail = 3\n");
	/* Of three, nothing can be said. */
	expect_pass(THREE "fail = 0\nfail = 3\nfail = 4\n");
}

/* What md knows to be bad is computed from the others too. */
static void test_bad_block(void **unused)
{
	(void)unused;
	fake.bad_disk = 0;
	fake.bad_sector = 10;
	expect_pass(THREE);
	plant(FAKE_LOST, 3);
	expect_found(THREE, "at rest: slot 0 (computed), stripe 0: sector 8 "
			    "holds write 1, expected write 3");
	plant(FAKE_STALE_P, 3);
	fake.bad_disk = 3;
	expect_pass(THREE);
	fake.bad_sector = 7;
	run(THREE);
	assert_int_equal(o.findings, 8);
}

static void test_wrong_read(void **unused)
{
	(void)unused;
	fake.wrong_read = 1;
	expect_found("create = ok\nio = write 0 8\nio = read 3 2\n",
		     "read: sector 3 holds write 1 of sector 4, expected "
		     "write 1");
	run("create = ok\nload = a ops=100 readers=1 region=0-8K\n");
	assert_true(o.findings > 0);
}

static void test_unmet(void **unused)
{
	(void)unused;
	plant(FAKE_FAILS, 1);
	expect_note("create = ok\nio = write 0 8\n",
		    "line 10: io write of 8 sectors at 0 gives -EIO, "
		    "expected ok");
	expect_pass("create = ok\nio = write 0 8 -> -EIO\n");
	expect_note("create = ok\nload = a ops=9 mix=page seed=4 region=4K\n",
		    "line 10: load a: write of 8 sectors at 0 gives -EIO, "
		    "and 8 more");
	expect_pass("create = ok\nload = a ops=9 mix=page may-fail\n");
	plant(FAKE_FINE, 0);
	fake.min = 300;
	expect_note("create = ok\nbg = set stripe_cache_size 300 200 times=4\n",
		    "line 10: bg task: stripe_cache_size 200 gives -EINVAL, "
		    "and 1 more");
	expect_pass("create = ok\n"
		    "bg = set stripe_cache_size 300 200 times=4 -> any\n");
	fake.sync_rc = -EINTR;
	expect_note("create = ok\nsync = wait\n",
		    "line 10: sync wait gives -EINTR, expected ok");
	expect_note("create = ok\nload = a cpus=3\ncpu = 3 offline\n"
		    "load = b cpus=3\n",
		    "line 12: load: none of its CPUs is online");
	expect_note("create = ok\nload = a region=4M-5M\n",
		    "line 10: load a: the array has 6144 sectors");
}

static void test_reaches_the_kernel(void **unused)
{
	(void)unused;
	array_text = RAID5 "spares = 1\n";
	expect_pass("create = ok\nfail = 1\nremove = 1\nadd = 4\nre-add = 1\n"
		    "replace = 2\nvanish = 3\nheal = 3\n"
		    "disk-error = read 0 8 8\ndisk-error = write 0 8 8\n"
		    "shrink = 20\nsleep = 10ms\nsync = wait\n"
		    "bg = quiesce times=2 every=1ms\nwait = bg\n"
		    "bg = suspend\nbg = shrink 5 times=3\nwait = all\n");
	assert_string_equal(fake.log, "bicfraEp3h01kwQqQqUukkksxl");
	assert_true(fake.slept ==
		    10000000 + 3 * 1000000 + 1000000 + 2 * 1000000);
	fake.member_rc = -EBUSY;
	expect_note("create = ok\nfail = 1\n",
		    "line 11: fail of disk 1 gives -EBUSY, expected ok");
}

static void test_power_cut(void **unused)
{
	(void)unused;
	array_text = RAID5 "metadata = 1.2\n";
	expect_pass("create = ok\nio = write 0 8\nio = flush\n"
		    "power-cut = torn seed=3\nio = write 0 8\nio = read 0 8\n"
		    "halt =\nassemble =\nio = read 0 8\n"
		    "io = write 0 8\nverify =\n");
	assert_string_equal(fake.log, "bicPHAwRsxl");
	/* Both writes were possible; the model forgets the second. */
	expect_pass("create = ok\nio = write 0 8\nhalt =\nassemble =\n"
		    "verify =\n");
	fake.assemble_rc = -EINVAL;
	expect_note("create = ok\nio = write 0 8\nhalt =\nassemble =\n"
		    "io = read 0 8\n",
		    "line 13: assemble array gives -EINVAL, expected ok");
	expect_pass("create = ok\nio = write 0 8\nhalt =\n"
		    "assemble = without 0,2 -> -EINVAL\n");
	fake.halt_rc = -EBUSY;
	expect_note("create = ok\nhalt =\n",
		    "line 11: halt array gives -EBUSY, expected ok");
}

static void test_schedule_is_set(void **unused)
{
	(void)unused;
	expect_pass("create = ok\n");
	assert_int_equal(fake.schedule.strategy, SCHED_IN_ORDER);
	expect_pass("create = ok\n[schedule]\nschedule = random:5:9\n"
		    "points = locks\ndisk-times = 50us-400us\n");
	assert_int_equal(fake.schedule.strategy, SCHED_RANDOM);
	assert_int_equal(fake.schedule.seed, 5);
	assert_int_equal(fake.schedule.points, POINT_LOCKS);
	assert_int_equal(fake.times.most, 400000);
	expect_pass("create = ok\n[schedule]\nschedule = list:5=1@atomics\n"
		    "points = locks\n");
	assert_int_equal(fake.schedule.changes, 1);
	assert_int_equal(fake.schedule.points, POINT_LOCKS | POINT_ATOMICS);
	assert_int_equal(o.sched.points, 11);
	assert_int_equal(o.sched.trace_hash, 12);
}

/* ------------------------------------------------------------------ */

static const char *refusal(const char *steps)
{
	static struct diag diag;

	diag = (struct diag){""};
	if (!load(steps, &diag))
		fail_msg("accepted: %s", steps);
	return strchr(diag.text, ':') + 1;
}

static void expect_refused(const char *line, const char *why)
{
	char steps[256];

	snprintf(steps, sizeof(steps), "create = ok\n%s\n", line);
	if (!strstr(refusal(steps), why))
		fail_msg("%s is refused with: %s", line, refusal(steps));
}

static void test_bad_lines(void **unused)
{
	(void)unused;
	expect_refused("io = write 0", "no number of sectors");
	expect_refused("io = write 0 0", "no sectors");
	expect_refused("io = write 0 2049", "too large");
	expect_refused("io = scrub 0 8", "'scrub': unknown request");
	expect_refused("io = write 0 8 fast", "'fast': unknown word");
	expect_refused("io = write 0 8 fua fua", "'fua': given twice");
	expect_refused("io = read 0 8 fua", "for writes");
	expect_refused("io = write 0 8 cpu", "'cpu': needs a value");
	expect_refused("io = write 0 8 cpu=77", "not possible");
	expect_refused("io = write 0 8 fua=1", "takes no value");
	expect_refused("io = write 0 8 -> maybe", "unknown result");
	expect_refused("load =", "no name");
	expect_refused("load = all", "not a name");
	expect_refused("load = bg", "of that name already");
	expect_refused("load = a writers=0", "neither writers nor readers");
	expect_refused("load = a sizes=9-3", "ends before it begins");
	expect_refused("load = a sizes=0-3", "too small");
	expect_refused("load = a region=1M-1M", "ends before it begins");
	expect_refused("load = a region=100", "not multiples of 512");
	expect_refused("load = a mix=frob", "'frob': not one of");
	expect_refused("load = a mix=full,full", "given twice");
	expect_refused("load = a cpus=0-9", "not possible");
	expect_refused("load = a\nload = a", "of that name already");
	expect_refused("wait = b", "no load of that name");
	expect_refused("verify = some", "unknown word");
	expect_refused("rest = now", "unexpected text");
	expect_refused("bg = set", "no attribute");
	expect_refused("bg = set x times=2", "no value");
	expect_refused("bg = dance", "nothing that can be done");
	expect_refused("sleep = 5", "not a time");
	expect_refused("fail = x", "disk 'x'");
	expect_refused("disk-error = seek 0 0 8", "neither read nor write");
	expect_refused("disk-error = read 0 0 0", "no sectors");
	expect_refused("sync =", "nothing to do");
	expect_refused("reshape = color 3", "cannot be changed");
	expect_refused("reshape = disks", "needs a value");
	expect_refused("reshape = disks 5 disks 6", "given twice");
	expect_refused("reshape =", "nothing to change");
	expect_refused("power-cut = hard", "unknown word");
	expect_refused("power-cut =\npower-cut =", "halt comes next");
	expect_refused("assemble =", "not halted");
	expect_refused("halt =\nassemble =", "metadata = none");
	expect_refused("halt =\nio = read 0 8", "is halted");
	expect_refused("quiesce = on\nio = read 0 8", "let it go on first");
	expect_refused("stop =\nverify =", "no array");
}

static void test_bad_keys(void **unused)
{
	(void)unused;
	array_text = RAID5 "log = journal\nmetadata = none\n";
	assert_non_null(strstr(refusal("create = ok\n"), "no room"));
	array_text = RAID5 "missing = 5\n";
	assert_non_null(strstr(refusal("create = ok\n"), "more than"));
	array_text = RAID5 "write-cache = maybe\n";
	assert_non_null(strstr(refusal("create = ok\n"), "unknown cache"));
	array_text = RAID5 "log = paper\n";
	assert_non_null(strstr(refusal("create = ok\n"), "unknown log"));
	array_text = RAID5 "[schedule]\nschedule = chaos\n";
	assert_non_null(strstr(refusal("create = ok\n"), "unknown strategy"));
	array_text = RAID5 "[schedule]\npoints = all\n";
	assert_non_null(strstr(refusal("create = ok\n"), "unknown points"));
	array_text = RAID5 "[schedule]\ndisk-times = 5\n";
	assert_non_null(strstr(refusal("create = ok\n"), "not a time"));
	array_text = RAID5 "[schedule]\nfrob = 5\n";
	assert_non_null(strstr(refusal("create = ok\n"), "no such key"));
}

static void test_array_keys(void **unused)
{
	const struct array_desc *d = &c.array.desc;

	(void)unused;
	array_text = RAID5 "log = ppl\nlog-size = 8M\nspares = 2\n"
			   "missing = 1\ndirty = yes\n"
			   "write-cache = write through\n";
	run("create = ok\n");
	assert_int_equal(d->log, LOG_PPL);
	assert_int_equal(d->metadata, METADATA_1_2);
	assert_int_equal(d->log_bytes, 8 << 20);
	assert_int_equal(d->spares, 2);
	assert_int_equal(d->missing, 1);
	assert_int_equal(d->dirty, 1);
	assert_int_equal(d->write_through, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_healthy, reset),
		cmocka_unit_test_setup(test_no_io_no_rest, reset),
		cmocka_unit_test_setup(test_lost_write, reset),
		cmocka_unit_test_setup(test_misplaced_write, reset),
		cmocka_unit_test_setup(test_half_write, reset),
		cmocka_unit_test_setup(test_wrong_parity, reset),
		cmocka_unit_test_setup(test_missing_member, reset),
		cmocka_unit_test_setup(test_bad_block, reset),
		cmocka_unit_test_setup(test_wrong_read, reset),
		cmocka_unit_test_setup(test_unmet, reset),
		cmocka_unit_test_setup(test_reaches_the_kernel, reset),
		cmocka_unit_test_setup(test_power_cut, reset),
		cmocka_unit_test_setup(test_schedule_is_set, reset),
		cmocka_unit_test_setup(test_bad_lines, reset),
		cmocka_unit_test_setup(test_bad_keys, reset),
		cmocka_unit_test_setup(test_array_keys, reset),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	case_free(&c);
	return ret;
}
