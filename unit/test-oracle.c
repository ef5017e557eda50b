/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The oracle against facts: what kernels on real (emulated) hardware had, and
 * boundaries worked out by hand. No driver is linked; a wrong formula, a wrong
 * rounding or an overflow in the oracle shows here.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"

#define GIB_PAGES 262144ULL /* of 4 KiB */

/* Sizes of the kernels observed: minimal has no BLK_CGROUP, no integrity. */
enum config { MINIMAL, DEBIAN, BITS_32, CONFIGS };

static const struct {
	unsigned long stripe_head;
	unsigned long bio;
	unsigned long r5dev;
	unsigned int bits;
} sizes[CONFIGS] = {
	[MINIMAL] = {224, 96, 304, 64},
	[DEBIAN] = {224, 128, 368, 64},
	[BITS_32] = {144, 96, 264, 32},
};

static struct machine machine;

static void set_bit(unsigned long long *word, unsigned int n)
{
	word[n / MASK_WORD_BITS] |= 1ULL << n % MASK_WORD_BITS;
}

/*
 * @cpus online CPUs in equal consecutive runs on the nodes of @ids:
 *
 *	cpus = 4, ids = {0, 8}		CPU	0 1 2 3
 *					node	0 0 8 8
 */
static void make_machine(unsigned int cpus, const int *ids, unsigned int n,
			 unsigned long long pages)
{
	unsigned int i;

	memset(&machine, 0, sizeof(machine));
	for (i = 0; i < n; i++) {
		set_bit(machine.possible_nodes.word, ids[i]);
		set_bit(machine.online_nodes.word, ids[i]);
	}
	for (i = 0; i < MACHINE_MAX_CPUS; i++)
		machine.cpu_node[i] = MACHINE_NO_NODE;
	for (i = 0; i < cpus; i++) {
		set_bit(machine.possible_cpus.word, i);
		set_bit(machine.present_cpus.word, i);
		set_bit(machine.online_cpus.word, i);
		machine.cpu_node[i] = ids[i * n / cpus];
	}
	machine.totalram_pages = pages;
}

/* raid5, 4 disks, 64 KiB chunk, 4 CPUs and 8 GiB on node 0 */
static struct oracle_input array(enum oracle_rule rule, enum config config)
{
	static const int node0[] = {0};
	struct oracle_input in = {
		.rule = rule,
		.machine = &machine,
		.page_size = 4096,
		.word_bits = sizes[config].bits,
		.level = 5,
		.disks = 4,
		.chunk_bytes = 65536,
		.sizeof_stripe_head = sizes[config].stripe_head,
		.sizeof_bio = sizes[config].bio,
		.sizeof_r5dev = sizes[config].r5dev,
		.sizeof_r5worker = rule == ORACLE_POSTED ? 560 : 176,
	};

	make_machine(4, node0, 1, 8 * GIB_PAGES);
	return in;
}

static struct oracle_param value(long long n)
{
	return (struct oracle_param){.set = 1, .value = n};
}

static void expect(struct oracle_value got, long long want)
{
	assert_true(got.known);
	assert_int_equal(got.value, want);
}

static void expect_unknown(struct oracle_value got)
{
	assert_false(got.known);
}

/* ------------------------------------------------------------------ */
/* Booted kernels							      */

/* A row: machine, array, and what the booted kernel had. */
struct fact {
	enum oracle_rule rule;
	enum config config;
	unsigned int cpus;
	int nodes[4];
	unsigned int node_cnt;
	unsigned long long pages;
	int level, disks;
	long long stripes, locks, per_group, groups, max, kb;
};

/* clang-format off */
/*
 * 6.12.117 under qemu; the pages are what its totalram_pages() said:
 * { rule, config, CPUs, node ids, how many, pages, level, disks,
 *   stripes, locks, workers a group, groups, maximum, kB }
 */
static const struct fact facts[] = {
	/* 1 CPU, 128 MB */
	{ORACLE_POSTED, MINIMAL, 1, {0}, 1, 29240, 5, 4,
	 256, 8, 0, 0, 32768, 4248},
	/* 4 CPUs, 16 GB, one node */
	{ORACLE_POSTED, MINIMAL, 4, {0}, 1, 4102947, 5, 4,
	 1200, 8, 2, 1, 123629, 19912},
	{ORACLE_POSTED, MINIMAL, 4, {0}, 1, 4102947, 6, 12,
	 573, 8, 2, 1, 41575, 28273},
	/* 4 CPUs, 9 GB */
	{ORACLE_POSTED, MINIMAL, 4, {0}, 1, 2296612, 5, 3,
	 380, 8, 2, 1, 91864, 4750},
	{ORACLE_POSTED, MINIMAL, 4, {0}, 1, 2296612, 6, 12,
	 287, 8, 2, 1, 32768, 14161},
	/* 8 CPUs on nodes 0-2,4: 7 GB, a worker a node is none */
	{ORACLE_POSTED, MINIMAL, 8, {0, 1, 2, 4}, 4, 1785454, 5, 4,
	 256, 8, 0, 0, 53798, 4248},
	/* 16 CPUs on two nodes, 17 on one, 32 on four, 64 on one */
	{ORACLE_POSTED, MINIMAL, 16, {0, 1}, 2, 512479, 5, 12,
	 256, 16, 4, 2, 32768, 12632},
	{ORACLE_POSTED, MINIMAL, 17, {0}, 1, 254007, 5, 4,
	 256, 32, 8, 1, 32768, 4248},
	{ORACLE_POSTED, MINIMAL, 32, {0, 1, 2, 3}, 4, 511495, 5, 3,
	 256, 32, 4, 4, 32768, 3200},
	{ORACLE_POSTED, MINIMAL, 64, {0}, 1, 251403, 5, 4,
	 256, 32, 32, 1, 32768, 4248},
	/* stock, in both configurations; of Debian's the RAM is about 8 GB */
	{ORACLE_STOCK, MINIMAL, 4, {0, 1}, 2, 254948, 5, 4,
	 256, 8, 0, 0, 32768, 4248},
	{ORACLE_STOCK, DEBIAN, 4, {0}, 1, 2036000, 5, 4,
	 256, 8, 0, 0, 32768, 4280},
	{ORACLE_STOCK, DEBIAN, 4, {0}, 1, 2036000, 6, 12,
	 256, 8, 0, 0, 32768, 12728},
};
/* clang-format on */

static void test_booted_kernels(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const struct fact *f = &facts[i];
		struct oracle_input in = array(f->rule, f->config);
		struct oracle_sizes out;

		make_machine(f->cpus, f->nodes, f->node_cnt, f->pages);
		in.level = f->level;
		in.disks = f->disks;
		oracle_sizes(&in, &out);
		print_message("fact %u\n", i);
		expect(out.create, 0);
		expect(out.stripe_cache_size, f->stripes);
		expect(out.max_nr_stripes, f->stripes);
		expect(out.nr_hash_locks, f->locks);
		expect(out.max_stripe_batch, 8);
		expect(out.group_thread_cnt, f->per_group);
		expect(out.group_cnt, f->groups);
		expect(out.workers, f->per_group * f->groups);
		expect(out.stripe_cache_min, 17);
		expect(out.stripe_cache_max, f->max);
		expect(out.allocated_kb, f->kb);
	}
}

/* Parameters tried on a booted 6.12.117, posted, minimal, 4 CPUs, 1 GB. */
static void test_booted_parameters(void **state)
{
	static const struct {
		const char *name;
		long long wish, got;
	} rows[] = {
		{"nr_stripe_hash_locks", 0, 8},
		{"nr_stripe_hash_locks", 1, 1},
		{"nr_stripe_hash_locks", 3, 4},
		{"nr_stripe_hash_locks", 9, 16},
		{"nr_stripe_hash_locks", 33, 32},
		{"nr_stripe_hash_locks", 4294967295, 32},
		{"nr_stripe_hash_locks", 4294967296, 8}, /* refused */
		{"nr_stripe_hash_locks", -1, 8},	 /* refused */
		{"max_stripe_batch", 0, 1},
		{"max_stripe_batch", 31, 31},
		{"max_stripe_batch", 33, 32},
		{"max_stripe_batch", 2147483647, 32},
		{"max_stripe_batch", 2147483648, 1},
		{"max_stripe_batch", 4294967295, 1},
		{"group_thread_cnt_default", -2147483648LL, 2},
		{"group_thread_cnt_default", 0, 0},
		{"group_thread_cnt_default", 1, 1},
		{"group_thread_cnt_default", 255, 255},
		{"group_thread_cnt_default", 2147483647, 256},
		{"stripe_cache_size_default", 1, 16},
		{"stripe_cache_size_default", 17, 17},
		{"stripe_cache_size_default", 5000, 5000},
		{"stripe_cache_size_max", 100, 100},
		{"stripe_cache_size_max", 16, -1}, /* accepts nothing */
		{"stripe_cache_size_max", 32769, 32769},
		{"stripe_cache_size_max", 2147483648, 2147483647},
		{"stripe_cache_size_max", 4294967295, 2147483647},
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct oracle_input in = array(ORACLE_POSTED, MINIMAL);
		struct oracle_sizes out;

		machine.totalram_pages = 254567;
		*oracle_param(&in, rows[i].name) = value(rows[i].wish);
		oracle_sizes(&in, &out);
		print_message("%s=%lld\n", rows[i].name, rows[i].wish);
		expect(rows[i].name[0] == 'n'	     ? out.nr_hash_locks
		       : rows[i].name[0] == 'm'	     ? out.max_stripe_batch
		       : rows[i].name[0] == 'g'	     ? out.group_thread_cnt
		       : strstr(rows[i].name, "max") ? out.stripe_cache_max
						     : out.stripe_cache_size,
		       rows[i].got);
	}
	assert_null(oracle_param(&(struct oracle_input){0}, "no_such"));
}

/* ------------------------------------------------------------------ */
/* Boundaries, by hand. 4 disks, minimal: 224 + 4 * (96 + 4096) = 16992 */

static struct oracle_sizes posted_with(unsigned long long pages)
{
	struct oracle_input in = array(ORACLE_POSTED, MINIMAL);
	struct oracle_sizes out;

	machine.totalram_pages = pages;
	oracle_sizes(&in, &out);
	expect(out.bytes_per_stripe, 16992);
	return out;
}

/* One stripe more for each 512 * 16992 bytes = 2124 pages above 8 GiB. */
static void test_default_steps(void **state)
{
	unsigned long long eight = 8 * GIB_PAGES;

	(void)state;
	expect(posted_with(eight - 1).stripe_cache_size, 256);
	expect(posted_with(eight).stripe_cache_size, 256);
	expect(posted_with(eight + 1).stripe_cache_size, 256);
	expect(posted_with(eight + 2123).stripe_cache_size, 256);
	expect(posted_with(eight + 2124).stripe_cache_size, 257);
	expect(posted_with(eight + 2124 * 3840 - 1).stripe_cache_size, 4095);
	expect(posted_with(eight + 2124 * 3840).stripe_cache_size, 4096);
	expect(posted_with(eight + 2124 * 3841).stripe_cache_size, 4096);
	expect(posted_with(1ULL << 52).stripe_cache_size, 4096);
}

/* 32769 * 16992 * 8 bytes are 1087521.2 pages, INT_MAX stripes 71269613534.8 */
static void test_ceiling_steps(void **state)
{
	(void)state;
	expect(posted_with(1087521).stripe_cache_max, 32768);
	expect(posted_with(1087522).stripe_cache_max, 32769);
	expect(posted_with(71269613534).stripe_cache_max, INT_MAX - 1);
	expect(posted_with(71269613535).stripe_cache_max, INT_MAX);
	expect(posted_with(1ULL << 52).stripe_cache_max, INT_MAX);
}

/* A machine of one page has the floors, and no array. */
static void test_one_page(void **state)
{
	struct oracle_sizes out = posted_with(1);

	(void)state;
	expect(out.create, -12);
	expect_unknown(out.stripe_cache_size);
	expect_unknown(out.nr_hash_locks);
}

/* Without totalram_pages the nodes' memory counts, in whole pages. */
static void test_ram_of_nodes(void **state)
{
	struct oracle_input in = array(ORACLE_POSTED, MINIMAL);
	struct oracle_sizes out;

	(void)state;
	machine.totalram_pages = 0;
	machine.node_mem[0] = 8ULL << 30;
	machine.node_mem[1] = 4096 * 2123 + 4095;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 256);
	machine.node_mem[1]++;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 257);
}

/*
 * 16 GiB with 32-bit words: 2^34 bytes do not fit, and wrapped they are 0.
 * 144 + 4 * 4192 = 16912; 2^31 / 16912 = 126979.8; 2^24 / 16912 = 992.03
 */
static void test_32_bits(void **state)
{
	struct oracle_input in = array(ORACLE_POSTED, BITS_32);
	struct oracle_sizes out;

	(void)state;
	machine.totalram_pages = 16 * GIB_PAGES;
	oracle_sizes(&in, &out);
	expect(out.bytes_per_stripe, 16912);
	expect(out.stripe_cache_max, 126979);
	expect(out.stripe_cache_size, 256 + 992);
	/* kB in a size_t of 32 bits: no opinion on what does not fit. */
	in.stripe_cache_size_default = value(300000);
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 300000);
	expect_unknown(out.allocated_kb);
}

/* 64 KiB pages: 224 + 4 * (128 + 65536) = 262880; 2^52 pages are 2^68 bytes */
static void test_64k_pages(void **state)
{
	struct oracle_input in = array(ORACLE_POSTED, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	in.page_size = 65536;
	machine.totalram_pages = 131072;
	oracle_sizes(&in, &out);
	expect(out.bytes_per_stripe, 262880);
	expect(out.stripe_cache_size, 256);
	expect(out.stripe_cache_max, 32768);
	machine.totalram_pages = 1ULL << 52;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 4096);
	expect(out.stripe_cache_max, INT_MAX);
	/* 2^44 bytes: 2^41 / 262880 = 8365121.1 */
	machine.totalram_pages = 1ULL << 28;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_max, 8365121);
	in.chunk_bytes = 32768;
	oracle_sizes(&in, &out);
	expect(out.create, -22);
}

/* ------------------------------------------------------------------ */
/* Workers								      */

/* Largest accepted counts: one allocation of 4 MiB, sizeof 560 and 176. */
static void test_group_thread_max(void **state)
{
	static const struct {
		int id;
		long long posted, stock;
	} rows[] = {
		{0, 7489, 8192},
		{1, 3744, 8192},
		{63, 117, 8192},
		{1023, 7, 8192},
	};
	struct oracle_sizes out;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int ids[] = {0, rows[i].id};
		struct oracle_input in = array(ORACLE_POSTED, MINIMAL);

		make_machine(4, ids, 2, 8 * GIB_PAGES);
		oracle_sizes(&in, &out);
		expect(out.group_thread_max, rows[i].posted);
		in = array(ORACLE_STOCK, MINIMAL);
		make_machine(4, ids, 2, 8 * GIB_PAGES);
		oracle_sizes(&in, &out);
		expect(out.group_thread_max, rows[i].stock);
	}
}

/* Stock has a group for each possible node: 372 with 64, 23 with 1024. */
static void test_group_thread_max_stock(void **state)
{
	struct oracle_input in = array(ORACLE_STOCK, MINIMAL);
	struct oracle_sizes out;
	unsigned int i;

	(void)state;
	for (i = 0; i < 64; i++)
		set_bit(machine.possible_nodes.word, i);
	oracle_sizes(&in, &out);
	expect(out.group_thread_max, 372);
	for (i = 0; i < 1024; i++)
		set_bit(machine.possible_nodes.word, i);
	oracle_sizes(&in, &out);
	expect(out.group_thread_max, 23);
}

/* Defaults only, nodes {0, 1023}, 32 CPUs: 8 * 1024 * 560 bytes at once. */
static void test_posted_cannot_create(void **state)
{
	static const int ids[] = {0, 1023};
	struct oracle_input in = array(ORACLE_POSTED, MINIMAL);
	struct oracle_sizes out;

	(void)state;
	make_machine(32, ids, 2, 8 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.create, -12);
	in.group_thread_cnt_default = value(7);
	oracle_sizes(&in, &out);
	expect(out.create, 0);
	expect(out.group_cnt, 1024);
	expect(out.workers, 7 * 1024);
}

static void test_posted_cap(void **state)
{
	static const int ids[] = {0};
	struct oracle_input in = array(ORACLE_POSTED, MINIMAL);
	struct oracle_sizes out;

	(void)state;
	make_machine(513, ids, 1, 64 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 256);
	make_machine(511, ids, 1, 64 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 255);
	make_machine(3, ids, 1, 64 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 0);
	expect(out.group_cnt, 0);
}

/* ------------------------------------------------------------------ */
/* Reshape, refusals						      */

/* Four chunks of 4 KiB stripes, of the larger of both chunks. */
static void test_reshape(void **state)
{
	struct oracle_input in = array(ORACLE_STOCK, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	in.reshaping = 1;
	in.chunk_bytes = 65536;
	in.old_chunk_bytes = 524288;
	in.old_disks = 6;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 512);
	expect(out.bytes_per_stripe, 224 + 6 * (128 + 4096));
	in.old_chunk_bytes = 262144;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 256);
	in.chunk_bytes = 1 << 20;
	oracle_sizes(&in, &out);
	expect(out.stripe_cache_size, 1024);
}

static void test_refused(void **state)
{
	struct oracle_input in = array(ORACLE_STOCK, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	in.level = 7;
	oracle_sizes(&in, &out);
	expect(out.create, -5);
	in.level = 6;
	in.disks = 3;
	oracle_sizes(&in, &out);
	expect(out.create, -22);
	in.disks = 4;
	in.chunk_bytes = 3 * 65536;
	oracle_sizes(&in, &out);
	expect(out.create, -22);
	expect_unknown(out.stripe_cache_size);
	in.chunk_bytes = 65536;
	oracle_sizes(&in, &out);
	expect(out.create, 0);
}

/* ------------------------------------------------------------------ */
/* Our own rules: what is settled, and what is left open		      */

static void test_sized(void **state)
{
	static const int ids[] = {0, 8};
	struct oracle_input in = array(ORACLE_SIZED, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	/* 20 CPUs on two of 1024 possible nodes: 5 a node, 32 locks */
	make_machine(20, ids, 2, 8 * GIB_PAGES);
	memset(machine.possible_nodes.word, 0xff,
	       sizeof(machine.possible_nodes.word));
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 5);
	expect(out.nr_hash_locks, 32);
	expect(out.stripe_cache_size, 256);
	expect(out.create, 0);
	expect_unknown(out.stripe_cache_min);
	expect_unknown(out.group_cnt);
	expect_unknown(out.bytes_per_stripe);

	in.rotational = 1;
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 0);
	expect(out.group_cnt, 0);

	/* the total decides: 4 CPUs on two nodes are two workers, one each */
	in.rotational = 0;
	make_machine(4, ids, 2, 8 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 1);
	make_machine(3, ids, 2, 8 * GIB_PAGES);
	oracle_sizes(&in, &out);
	expect(out.group_thread_cnt, 0);
	expect(out.stripe_cache_min, 17);

	/* "as large as allowed" */
	in.max_stripe_batch = value(4294967295);
	oracle_sizes(&in, &out);
	expect(out.max_stripe_batch, 32);

	machine.totalram_pages = 9 * GIB_PAGES;
	oracle_sizes(&in, &out);
	expect_unknown(out.stripe_cache_size);
}

/* A layout that the level does not have is refused before all else. */
static void test_layout(void **state)
{
	static const int bad5[] = {-1, 6, 8, 16, 99},
			 bad6[] = {6, 7, 11, 15, 21};
	static const int good6[] = {0, 5, 8, 10, 16, 20};
	struct oracle_input in = array(ORACLE_STOCK, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	for (int i = 0; i < 5; i++) {
		in.level = 5;
		in.layout = bad5[i];
		oracle_sizes(&in, &out);
		expect(out.create, -5);
		in.level = 6;
		in.layout = bad6[i];
		oracle_sizes(&in, &out);
		expect(out.create, -5);
	}
	for (int i = 0; i < 6; i++) {
		in.layout = good6[i];
		oracle_sizes(&in, &out);
		expect(out.create, 0);
	}
	in.level = 4;
	in.layout = 99;
	oracle_sizes(&in, &out);
	expect(out.create, 0);
}

/* A series of which only some parts are there: the rest is as in stock. */
static void test_sized_in_part(void **state)
{
	static const int ids[] = {0, 8};
	struct oracle_input in = array(ORACLE_SIZED, DEBIAN);
	struct oracle_sizes out;

	(void)state;
	make_machine(32, ids, 2, 64 * GIB_PAGES);
	in.group_thread_cnt_default.absent = 1;
	in.stripe_cache_size_default.absent = 1;
	oracle_sizes(&in, &out);
	expect(out.nr_hash_locks, 32);
	expect(out.stripe_cache_size, 256);
	expect(out.group_thread_cnt, 0);
	expect(out.group_cnt, 0);

	in.nr_stripe_hash_locks.absent = 1;
	in.stripe_cache_size_max.absent = 1;
	in.max_stripe_batch.absent = 1;
	oracle_sizes(&in, &out);
	expect(out.nr_hash_locks, 8);
	expect(out.max_stripe_batch, 8);
	expect(out.stripe_cache_min, 17);
	expect(out.stripe_cache_max, 32768);
	expect(out.stripe_cache_size, 256);
}

static void test_rule_of(void **state)
{
	struct subject_info s = {.name = "posted-minimal", .modified = 1};

	(void)state;
	assert_int_equal(oracle_rule_of(&s), ORACLE_POSTED);
	s.name = "sized-6.1";
	assert_int_equal(oracle_rule_of(&s), ORACLE_SIZED);
	s.name = "mine";
	assert_int_equal(oracle_rule_of(&s), ORACLE_NONE);
	s.modified = 0;
	assert_int_equal(oracle_rule_of(&s), ORACLE_STOCK);
}

static void test_no_opinion(void **state)
{
	struct oracle_input in = array(ORACLE_NONE, DEBIAN);
	struct oracle_sizes out, zero;

	(void)state;
	memset(&zero, 0, sizeof(zero));
	memset(&out, 1, sizeof(out));
	oracle_sizes(&in, &out);
	assert_memory_equal(&out, &zero, sizeof(out));
}

/* ------------------------------------------------------------------ */
/* Invariants: a sound array, then one thing at a time		      */

static void test_broken(void **state)
{
	const struct array_sizes sound = {
		.nr_hash_locks = 32,
		.stripe_cache_size = 256,
		.max_nr_stripes = 256,
		.max_stripe_batch = 8,
		.group_thread_cnt = 2,
		.group_cnt = 3,
		.workers = 6,
	};
	struct array_sizes got = sound;

	(void)state;
	assert_null(oracle_broken(&got, 32, 32768));
	assert_null(oracle_broken(&got, 0, 0));
	assert_non_null(oracle_broken(&got, 17, 32768));
	assert_non_null(oracle_broken(&got, 32, 255));
	got.max_nr_stripes = 31;
	assert_non_null(oracle_broken(&got, 0, 0));
	got = sound;
	got.nr_hash_locks = 24;
	assert_non_null(oracle_broken(&got, 0, 0));
	got = sound;
	got.group_cnt = 0;
	assert_non_null(oracle_broken(&got, 0, 0));
	got = sound;
	got.workers = 5;
	assert_non_null(oracle_broken(&got, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_booted_kernels),
		cmocka_unit_test(test_booted_parameters),
		cmocka_unit_test(test_default_steps),
		cmocka_unit_test(test_ceiling_steps),
		cmocka_unit_test(test_one_page),
		cmocka_unit_test(test_ram_of_nodes),
		cmocka_unit_test(test_32_bits),
		cmocka_unit_test(test_64k_pages),
		cmocka_unit_test(test_group_thread_max),
		cmocka_unit_test(test_group_thread_max_stock),
		cmocka_unit_test(test_posted_cannot_create),
		cmocka_unit_test(test_posted_cap),
		cmocka_unit_test(test_reshape),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_sized),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_sized_in_part),
		cmocka_unit_test(test_rule_of),
		cmocka_unit_test(test_no_opinion),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
