/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine descriptions: defaults, refusals, files, this host's description
 * from a made-up /sys, and text that reads back to the same machine. Knows
 * sim/machine.h and what it stands on.
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

#include "list.h"
#include "machine.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define PAGE	  4096UL
#define GIB	  (1ULL << 30)

static char dir[] = "/tmp/test-machine-XXXXXX";
static struct machine_spec spec;
static struct machine machine;
static struct diag diag;
static unsigned long long state;

/* Marsaglia's xorshift64: the same numbers on every host. */
static unsigned int draw(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % below;
}

static void start(void)
{
	machine_spec_free(&spec);
	machine_spec_init(&spec);
	diag.text[0] = '\0';
}

/* Add "--key value --key value" from one string, as machine_options() says. */
static int add_options(const char *options)
{
	char *text = strdup(options);
	char *save = NULL;
	char *key, *value;
	int err = 0;

	assert_non_null(text);
	for (key = strtok_r(text, " ", &save); key && !err;
	     key = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		assert_true(!strncmp(key, "--", 2) && value);
		err = machine_spec_key(&spec, key + 2, value, NULL, &diag);
		assert_int_not_equal(err, -ENOENT);
	}
	free(text);
	return err;
}

static int build_paged(const char *options, unsigned long page_size)
{
	int err;

	start();
	err = add_options(options);
	if (!err)
		err = machine_spec_finish(&spec, page_size, &machine, &diag);
	assert_int_equal(!err, !diag.text[0]);
	return err;
}

static void build(const char *options)
{
	if (build_paged(options, PAGE))
		fail_msg("'%s': %s", options, diag.text);
}

static void assert_cpus(const struct cpu_bits *cpus, const char *list)
{
	static char text[LIST_TEXT];

	cpu_bits_format(cpus, text, sizeof(text));
	assert_string_equal(text, list);
}

static void assert_nodes(const struct node_bits *nodes, const char *list)
{
	static char text[LIST_TEXT];

	node_bits_format(nodes, text, sizeof(text));
	assert_string_equal(text, list);
}

static void assert_cpu_nodes(unsigned int first, unsigned int last, int node)
{
	for (; first <= last; first++)
		assert_int_equal(machine.cpu_node[first], node);
}

/* ------------------------------------------------------------------ */

static void no_key_at_all(void **unused)
{
	(void)unused;
	build("");
	assert_cpus(&machine.possible_cpus, "0-3");
	assert_cpus(&machine.present_cpus, "0-3");
	assert_cpus(&machine.online_cpus, "0-3");
	assert_nodes(&machine.possible_nodes, "0");
	assert_nodes(&machine.online_nodes, "0");
	assert_cpu_nodes(0, 3, 0);
	assert_cpu_nodes(4, 8191, MACHINE_NO_NODE);
	assert_true(machine.node_mem[0] == 8 * GIB);
	assert_true(machine.totalram_pages == 0);
	assert_true(machine_total_pages(&machine, PAGE) == 2097152);
}

/*
 * A POWER9 with a coherent GPU's memory:
 *
 *	node	0	8	252	253-255
 *	CPUs	0-3	4-7	-	-
 *	memory	8G	8G	16G	offline
 */
static void sparse_nodes(void **unused)
{
	(void)unused;
	build("--node 0:cpus=0-3,mem=8G --node 8:cpus=4-7,mem=8G "
	      "--node 252:mem=16G --possible-nodes 0,8,252-255 "
	      "--possible-cpus 0-127");
	assert_cpus(&machine.possible_cpus, "0-127");
	assert_cpus(&machine.present_cpus, "0-7");
	assert_cpus(&machine.online_cpus, "0-7");
	assert_nodes(&machine.possible_nodes, "0,8,252-255");
	assert_nodes(&machine.online_nodes, "0,8,252");
	assert_cpu_nodes(0, 3, 0);
	assert_cpu_nodes(4, 7, 8);
	assert_cpu_nodes(8, 127, 0); /* the first online node */
	assert_cpu_nodes(128, 8191, MACHINE_NO_NODE);
	assert_true(machine.node_mem[252] == 16 * GIB);
	assert_true(machine_total_pages(&machine, PAGE) == 32 * GIB / PAGE);
}

static void mask_defaults(void **unused)
{
	(void)unused;
	build("--node 2:cpus=5,mem=1G --online-cpus 5,9");
	assert_cpus(&machine.possible_cpus, "5,9");
	assert_cpus(&machine.present_cpus, "5,9");
	assert_cpu_nodes(9, 9, 2);
	build("--node 2:mem=1G --possible-cpus 0-7");
	assert_cpus(&machine.present_cpus, "0-7");
	build("--node 2:cpus=0-3,mem=1G --present-cpus 0-5 --online-cpus 0");
	assert_cpus(&machine.possible_cpus, "0-5");
	assert_cpus(&machine.online_cpus, "0");
	build("--node 2:cpus=0,mem=1G --node 3 --node 4:cpus=,mem=1G");
	assert_nodes(&machine.online_nodes, "2-4");
	assert_nodes(&machine.possible_nodes, "2-4");
	build("--node 2:cpus=0,mem=1G --node 3 --online-nodes 2");
	assert_nodes(&machine.online_nodes, "2");
	assert_nodes(&machine.possible_nodes, "2-3");
	build("--node 2:cpus=0,mem=1G --online-nodes 2,5");
	assert_nodes(&machine.possible_nodes, "2,5");
}

static void parts_of_a_node(void **unused)
{
	(void)unused;
	build("--node 0:mem=1G,cpus=0-3,8 --node 4-7:mem=2G --node 8-15:1/4 "
	      "--node 1,3:");
	assert_cpus(&machine.possible_cpus, "0-3,8");
	assert_nodes(&machine.online_nodes, "0-1,3-8,12");
	assert_true(machine.node_mem[0] == GIB);
	assert_true(machine.node_mem[7] == 2 * GIB);
	assert_true(machine.node_mem[8] == 0);
}

/* 7 CPUs, 10 pages and 3 bytes on 3 nodes: 3 2 2 CPUs, 4 3 3 pages. */
static void shortcuts_deal_evenly(void **unused)
{
	(void)unused;
	build("--cpus 7 --nodes 3 --mem 40963");
	assert_cpu_nodes(0, 2, 0);
	assert_cpu_nodes(3, 4, 1);
	assert_cpu_nodes(5, 6, 2);
	assert_true(machine.node_mem[0] == 4 * PAGE);
	assert_true(machine.node_mem[1] == 3 * PAGE);
	assert_true(machine.node_mem[2] == 3 * PAGE);
	build("--cpus 2 --nodes 4 --mem 8K");
	assert_cpu_nodes(0, 0, 0);
	assert_cpu_nodes(1, 1, 1);
	assert_nodes(&machine.online_nodes, "0-3");
	assert_true(machine.node_mem[1] == PAGE && !machine.node_mem[2]);
	build("--cpus 8 --mem 16G --online-nodes 0,8");
	assert_cpu_nodes(0, 3, 0);
	assert_cpu_nodes(4, 7, 8);
	assert_nodes(&machine.possible_nodes, "0,8");
	build("--possible-nodes 8-9");
	assert_nodes(&machine.online_nodes, "8");
	assert_cpu_nodes(0, 3, 8);
	build("--possible-cpus 0-15 --online-cpus 0-7 --nodes 2");
	assert_cpus(&machine.present_cpus, "0-15");
	assert_cpu_nodes(0, 7, 0);
	assert_cpu_nodes(8, 15, 1);
}

static void the_largest(void **unused)
{
	(void)unused;
	build("--cpus 8192 --nodes 1024 --mem 1P");
	assert_cpu_nodes(8184, 8191, 1023);
	assert_true(machine.node_mem[1023] == 1ULL << 40);
	build("--mem 18446744073709551615");
	assert_true(machine_total_pages(&machine, PAGE) == (1ULL << 52) - 1);
}

static void n_is_the_last_possible(void **unused)
{
	(void)unused;
	build("--possible-cpus 0-15 --online-cpus 0-N:1/8 --present-cpus all");
	assert_cpus(&machine.online_cpus, "0,8");
	assert_cpus(&machine.present_cpus, "0-15");
	build("--online-cpus N --cpus 6");
	assert_cpus(&machine.online_cpus, "5");
	build("--node 3:cpus=0-9,mem=1G --online-cpus 0,N "
	      "--possible-nodes 2-5 --online-nodes 3-N");
	assert_cpus(&machine.online_cpus, "0,9");
	assert_nodes(&machine.online_nodes, "3-5");
	build("--possible-cpus 0-N --online-cpus 0");
	assert_int_equal(cpu_bits_weight(&machine.possible_cpus), 8192);
}

static void cpus_without_a_node(void **unused)
{
	(void)unused;
	build("--node 1:cpus=0-1,mem=1G --node 4 --possible-cpus 0-15 "
	      "--cpu-node 4-5=none --cpu-node 8=4");
	assert_cpu_nodes(0, 3, 1);
	assert_cpu_nodes(4, 5, MACHINE_NO_NODE);
	assert_cpu_nodes(6, 7, 1);
	assert_cpu_nodes(8, 8, 4);
	assert_cpu_nodes(9, 15, 1);
	assert_cpus(&machine.present_cpus, "0-1");
	build("--cpus 4 --nodes 2 --cpu-node 3=none");
	assert_cpu_nodes(2, 2, 1);
	assert_cpu_nodes(3, 3, MACHINE_NO_NODE);
	assert_cpus(&machine.online_cpus, "0-3");
}

static void memory_in_pages(void **unused)
{
	(void)unused;
	assert_int_equal(build_paged("--node 0:cpus=0,mem=100K", 65536), 0);
	assert_true(machine.node_mem[0] == 65536);
	assert_true(machine_total_pages(&machine, 65536) == 1);
	assert_int_equal(build_paged("--node 0:cpus=0,mem=60K", 65536),
			 -EINVAL);
	assert_non_null(strstr(diag.text, "less than one page of 65536 bytes"));
	build("--mem 0 --totalram-pages 0x10000000000000");
	assert_true(machine.totalram_pages == 1ULL << 52);
	assert_true(machine_total_pages(&machine, PAGE) == 1ULL << 52);
	build("--node 0:cpus=0 --totalram-pages 1");
	assert_true(machine_total_pages(&machine, PAGE) == 1);
}

struct refused {
	const char *options;
	const char *text; /* how the message begins */
};

static const struct refused refused[] = {
	/* CPUs */
	{"--node 0:cpus=0-3,mem=1G --node 1:cpus=3-4,mem=1G",
	 "raid5sim: --node 1:cpus=3-4,mem=1G: CPU 3 is placed twice, first in "
	 "--node 0:cpus=0-3,mem=1G; accepted: ID"},
	{"--node 0:cpus=0-3,mem=1G --cpu-node 3=none",
	 "raid5sim: --cpu-node 3=none: CPU 3 is placed twice, first in --node"},
	{"--possible-cpus 0-3 --online-cpus 0-4",
	 "raid5sim: --online-cpus 0-4: CPU 4 is online but not possible"},
	{"--possible-cpus 0-7 --present-cpus 0-3 --online-cpus 2-5",
	 "raid5sim: --online-cpus 2-5: CPU 4 is online but not present"},
	{"--possible-cpus 0-3 --present-cpus 0-4",
	 "raid5sim: --present-cpus 0-4: CPU 4 is present but not possible"},
	{"--possible-cpus 0-3 --node 0:cpus=2-5,mem=1G",
	 "raid5sim: --node 0:cpus=2-5,mem=1G: CPU 4 is not possible"},
	{"--cpus 4 --online-cpus 0-4",
	 "raid5sim: --online-cpus 0-4: CPU 4 is online but not possible"},
	{"--cpus 4 --possible-cpus 0-2",
	 "raid5sim: --cpus 4: CPU 3 is not possible"},
	{"--cpus 4 --cpu-node 4=0",
	 "raid5sim: --cpu-node 4=0: CPU 4 is not possible"},
	{"--node 0:mem=1G", "raid5sim: --node 0:mem=1G: no CPU is online"},
	{"--online-cpus 8192",
	 "raid5sim: --online-cpus 8192: 8192 is above 8191; accepted: a list"},
	{"--node 0:cpus=8192",
	 "raid5sim: --node 0:cpus=8192: cpus: 8192 is above 8191"},
	{"--online-cpus ,", "raid5sim: --online-cpus ,: ',' instead of"},
	{"--cpus 4 --online-cpus 5-N", "raid5sim: --online-cpus 5-N: 5-3 is"},
	/* nodes */
	{"--node 1024", "raid5sim: --node 1024: node id: 1024 is above 1023"},
	{"--node :cpus=0", "raid5sim: --node :cpus=0: node id: the list is em"},
	{"--node x", "raid5sim: --node x: node id: 'x' instead of a number"},
	{"--node 0:cpus=0,mem=1G --node 0",
	 "raid5sim: --node 0: node 0 is given twice, first in --node 0:cpus"},
	{"--node 0-1:cpus=0",
	 "raid5sim: --node 0-1:cpus=0: CPUs on more than one node"},
	{"--node 0:cpu=0",
	 "raid5sim: --node 0:cpu=0: 'cpu=0' is neither cpus= nor mem="},
	{"--node 0:cpus=0,", "raid5sim: --node 0:cpus=0,: cpus: a number is"},
	{"--node 0:mem=1X", "raid5sim: --node 0:mem=1X: mem: unexpected text"},
	{"--node 0:mem=1G,mem=1G",
	 "raid5sim: --node 0:mem=1G,mem=1G: mem= twice"},
	{"--node 0:cpus=0,mem=1G --possible-nodes 1-2 --online-nodes 1",
	 "raid5sim: --node 0:cpus=0,mem=1G: node 0 is not possible"},
	{"--possible-nodes 0-1 --online-nodes 0-2",
	 "raid5sim: --online-nodes 0-2: node 2 is online but not possible"},
	{"--node 0:cpus=0,mem=1G --node 1:mem=1G --online-nodes 0",
	 "raid5sim: --node 1:mem=1G: node 1 has memory but is not online"},
	{"--node 0:cpus=0,mem=1G --node 1:cpus=1 --online-nodes 0",
	 "raid5sim: --node 1:cpus=1: CPU 1 is online but its node 1 is not"},
	{"--cpus 2 --cpu-node 1=5",
	 "raid5sim: --cpu-node 1=5: node 5 of CPU 1 is not possible"},
	{"--nodes 4 --possible-nodes 0-1",
	 "raid5sim: --possible-nodes 0-1: node 2 is not possible"},
	{"--cpu-node 1", "raid5sim: --cpu-node 1: no '='"},
	{"--cpu-node 1=1024",
	 "raid5sim: --cpu-node 1=1024: node '1024': too large"},
	{"--cpu-node =1", "raid5sim: --cpu-node =1: CPUs: the list is empty"},
	/* memory */
	{"--node 0:cpus=0", "raid5sim: --node 0:cpus=0: no memory"},
	{"--mem 0", "raid5sim: --mem 0: no memory"},
	{"--mem 4095", "raid5sim: --mem 4095: mem is less than one page of 40"},
	{"--node 0:cpus=0,mem=1",
	 "raid5sim: --node 0:cpus=0,mem=1: mem is less than one page of 4096"},
	{"--mem 16384P", "raid5sim: --mem 16384P: above 2^64 - 1 bytes"},
	{"--node 0:cpus=0,mem=9000P --node 1:mem=9000P",
	 "raid5sim: --node 0:cpus=0,mem=9000P: all nodes together have more "
	 "than 2^52 pages"},
	{"--totalram-pages 0", "raid5sim: --totalram-pages 0: too small"},
	{"--totalram-pages 4503599627370497",
	 "raid5sim: --totalram-pages 4503599627370497: too large; accepted: a "
	 "number from 1 to 2^52"},
	/* keys */
	{"--cpus 4 --node 0",
	 "raid5sim: --node 0: cpus, nodes and mem exclude node; see --cpus 4"},
	{"--node 0 --mem 1G",
	 "raid5sim: --mem 1G: cpus, nodes and mem exclude node; see --node 0"},
	{"--online-cpus 0 --online-cpus 0",
	 "raid5sim: --online-cpus 0: given twice, first in --online-cpus 0"},
	{"--cpus 0", "raid5sim: --cpus 0: too small"},
	{"--cpus 8193", "raid5sim: --cpus 8193: too large"},
	{"--nodes 1025", "raid5sim: --nodes 1025: too large"},
	{"--cpus four", "raid5sim: --cpus four: not a number"},
};

static void impossible_machines(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(refused); i++) {
		assert_int_equal(build_paged(refused[i].options, PAGE),
				 -EINVAL);
		if (strncmp(diag.text, refused[i].text,
			    strlen(refused[i].text)))
			fail_msg("'%s', not '%s'", diag.text, refused[i].text);
		assert_non_null(strstr(diag.text, "; accepted: "));
		assert_null(strchr(diag.text, '\n'));
	}
}

/* ------------------------------------------------------------------ */
/* Text that reads back						      */

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void dump_to(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	machine_dump(&machine, file);
	assert_int_equal(fclose(file), 0);
}

/* File and options both give every byte of @machine again. */
static void assert_round_trip(void)
{
	static char options[1 << 18];
	struct machine before = machine;

	dump_to(in_dir("dump"));
	assert_true(machine_options(&machine, options, sizeof(options)) <
		    sizeof(options));
	start();
	if (machine_file_read(in_dir("dump"), &spec, &diag) ||
	    machine_spec_finish(&spec, PAGE, &machine, &diag))
		fail_msg("%s", diag.text);
	assert_memory_equal(&machine, &before, sizeof(machine));
	build(options);
	assert_memory_equal(&machine, &before, sizeof(machine));
}

struct said {
	const char *options;
	const char *shortest;
};

/* What machine_options() says of the machine that the options give. */
static void options_are_short(void **unused)
{
	static const struct said said[] = {
		{"", "--cpus 4 --nodes 1 --mem 8G"},
		{"--cpus 32 --nodes 2 --mem 64G",
		 "--cpus 32 --nodes 2 --mem 64G"},
		{"--mem 1P --nodes 1024 --cpus 8192",
		 "--cpus 8192 --nodes 1024 --mem 1P"},
		{"--cpus 8 --online-cpus 0-N:1/2",
		 "--cpus 8 --nodes 1 --mem 8G --online-cpus 0,2,4,6"},
		{"--node 0:cpus=0,mem=5000K", "--cpus 1 --nodes 1 --mem 5000K"},
		{"--node 0:cpus=0-3,mem=8G --node 8:cpus=4-7,mem=8G "
		 "--node 252:mem=16G --possible-nodes 0,8,252-255 "
		 "--possible-cpus 0-127",
		 "--node 0:cpus=0-3,mem=8G --node 8:cpus=4-7,mem=8G "
		 "--node 252:mem=16G --possible-nodes 0,8,252-255 "
		 "--possible-cpus 0-127"},
		{"--node 1:cpus=0,mem=1G --node 7,9 --node 4-6,8:mem=2G",
		 "--node 1:cpus=0,mem=1G --node 4-6,8:mem=2G --node 7,9"},
		{"--node 0:cpus=0,mem=1G --node 1:cpus=1 --online-nodes 0 "
		 "--online-cpus 0",
		 "--node 0:cpus=0,mem=1G --node 1:cpus=1 --online-nodes 0 "
		 "--online-cpus 0"},
		{"--node 0:cpus=0,mem=1G --possible-cpus 0-9 "
		 "--cpu-node 4,6=none --cpu-node 5=3 --possible-nodes 0-3",
		 "--node 0:cpus=0,mem=1G --cpu-node 4,6=none --cpu-node 5=3 "
		 "--possible-nodes 0-3 --possible-cpus 0-9"},
		{"--totalram-pages 7 --mem 0",
		 "--cpus 4 --nodes 1 --mem 0 --totalram-pages 7"},
	};
	char text[512];
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(said); i++) {
		build(said[i].options);
		assert_int_equal(machine_options(&machine, text, sizeof(text)),
				 strlen(said[i].shortest));
		assert_string_equal(text, said[i].shortest);
		assert_round_trip();
	}
}

static void options_keep_to_their_buffer(void **unused)
{
	char text[16];

	(void)unused;
	build("");
	memset(text, '#', sizeof(text));
	assert_int_equal(machine_options(&machine, text, 9), 27);
	assert_string_equal(text, "--cpus 4");
	assert_int_equal(text[9], '#');
	assert_int_equal(machine_options(&machine, NULL, 0), 27);
}

static void dump_says_all(void **unused)
{
	static const char expected[] = "[machine]\n"
				       "node = 0:cpus=0-1,mem=8G\n"
				       "node = 8:cpus=2-3,mem=8G\n"
				       "possible-nodes = 0,8\n"
				       "online-nodes = 0,8\n"
				       "possible-cpus = 0-3\n"
				       "present-cpus = 0-3\n"
				       "online-cpus = 0-3\n";
	char text[1024] = "";
	FILE *file;

	(void)unused;
	build("--online-nodes 0,8 --mem 16G");
	dump_to(in_dir("dump"));
	file = fopen(in_dir("dump"), "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

/* A random machine, right by construction, from any corner of the rules. */
static void draw_machine(void)
{
	unsigned int nodes = draw(6) + 1;
	unsigned int cpus = draw(40) + 1;
	unsigned int cpu, i = 0;

	memset(&machine, 0, sizeof(machine));
	while (nodes--) {
		i = draw(draw(2) ? 8 : MACHINE_MAX_NODES);
		node_bits_set(&machine.possible_nodes, i);
		if (draw(4) && !node_bits_test(&machine.online_nodes, i)) {
			node_bits_set(&machine.online_nodes, i);
			machine.node_mem[i] = draw(3) * 81920ULL * draw(5);
		}
	}
	node_bits_set(&machine.possible_nodes, i);
	node_bits_set(&machine.online_nodes, i);
	machine.totalram_pages = draw(2) ? draw(1000) + 1 : 0;
	if (!machine_total_pages(&machine, PAGE))
		machine.totalram_pages = 1;
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		machine.cpu_node[cpu] = MACHINE_NO_NODE;
	while (cpus--) {
		cpu = draw(draw(2) ? 32 : MACHINE_MAX_CPUS);
		cpu_bits_set(&machine.possible_cpus, cpu);
		i = node_bits_next(&machine.possible_nodes,
				   draw(MACHINE_MAX_NODES));
		machine.cpu_node[cpu] =
			i == MACHINE_MAX_NODES ? MACHINE_NO_NODE : (short)i;
		if (draw(3))
			cpu_bits_set(&machine.present_cpus, cpu);
		if (!draw(2) || !cpu_bits_test(&machine.present_cpus, cpu))
			continue;
		if (i == MACHINE_MAX_NODES ||
		    node_bits_test(&machine.online_nodes, i))
			cpu_bits_set(&machine.online_cpus, cpu);
	}
	/* A CPU drawn twice may by now be online on an offline node. */
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		if (machine.cpu_node[cpu] != MACHINE_NO_NODE &&
		    !node_bits_test(&machine.online_nodes,
				    (unsigned int)machine.cpu_node[cpu]))
			cpu_bits_clear(&machine.online_cpus, cpu);
}

static void random_machines_round_trip(void **unused)
{
	unsigned int round, tried = 0;

	(void)unused;
	state = 1;
	for (round = 0; round < 200; round++) {
		draw_machine();
		if (cpu_bits_empty(&machine.online_cpus))
			continue;
		assert_round_trip();
		tried++;
	}
	assert_in_range(tried, 150, 200);
}

/* The worst text: every second CPU on one of two nodes, out of order. */
static void disorder_round_trips(void **unused)
{
	unsigned int cpu;

	(void)unused;
	build("--cpus 8192 --nodes 2 --mem 64G");
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		machine.cpu_node[cpu] = (short)(cpu & 1);
	assert_round_trip();
	build("--cpus 8192 --nodes 1024 --mem 1P");
	machine.node_mem[5] += PAGE;
	assert_round_trip();
}

static const char *const seeds[] = {
	"--node 0:cpus=0-3,mem=8G --node 8:cpus=4-7 --possible-nodes 0-9",
	"--cpus 7 --nodes 3 --mem 1G --online-cpus 0-N:1/2",
	"--node 3:cpus=0,2,4 --totalram-pages 0x1000 --cpu-node 9=none",
	"--possible-cpus all --online-cpus 1 --online-nodes 3,5 --mem 4K",
};

/* Change one byte of a value, never the key or the blanks between. */
static void mutate(char *text)
{
	static const char alphabet[] = "0123456789-,:=/NKMGacemnopsu%\xff";
	size_t at = draw((unsigned int)strlen(text));
	size_t key = at;

	while (key && text[key - 1] != ' ')
		key--;
	if (text[at] == ' ' || !strncmp(text + key, "--", 2))
		return;
	text[at] = alphabet[draw(sizeof(alphabet) - 1)];
}

static void mutated_machines(void **unused)
{
	unsigned int round, i, good = 0;
	char text[128];

	(void)unused;
	state = 3;
	for (round = 0; round < 3000; round++) {
		snprintf(text, sizeof(text), "%s", seeds[draw(LENGTH(seeds))]);
		for (i = draw(4) + 1; i; i--)
			mutate(text);
		if (build_paged(text, PAGE))
			continue;
		good++;
		if (good % 8 == 0)
			assert_round_trip();
	}
	assert_in_range(good, 300, 2700);
}

/* ------------------------------------------------------------------ */
/* Files							      */

static void make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + strlen(dir) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0777) || errno == EEXIST);
		*slash = '/';
	}
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	make_parents(path);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static int build_file(const char *text)
{
	int err;

	write_file("m.ini", text);
	start();
	err = machine_file_read(in_dir("m.ini"), &spec, &diag);
	if (!err)
		err = machine_spec_finish(&spec, PAGE, &machine, &diag);
	return err;
}

static void a_file(void **unused)
{
	(void)unused;
	assert_int_equal(build_file("# a comment\n"
				    "; another\n"
				    "[machine]\n"
				    "online-cpus = 0-6   # not the last\n"
				    "node = 0:cpus=0-3,mem=8G\n"
				    "node = 8:cpus=4-7,mem=8G ; the other\n"),
			 0);
	assert_cpus(&machine.possible_cpus, "0-7");
	assert_cpus(&machine.online_cpus, "0-6");
	assert_nodes(&machine.online_nodes, "0,8");
}

static void bad_files(void **unused)
{
	static const struct refused bad[] = {
		{"[machine]\ncpus = 4\nfoo = 1\n",
		 ":3: foo: unknown key; accepted: node, cpu-node, possible-no"},
		{"[machine]\n[array]\n",
		 ":2: unknown section [array]; accepted: [machine]"},
		{"cpus = 4\n", ":1: cpus: a key outside of any section"},
		{"[machine]\nnode = 0:cpus=0\n\nnode = 1:cpus=0\n",
		 "/m.ini:4: node: CPU 0 is placed twice, first in "},
		/* found at the end, and yet told where */
		{"[machine]\nnode=0:cpus=0,mem=1G\nonline-cpus=9\n"
		 "possible-cpus=0-3\n",
		 "/m.ini:3: online-cpus: CPU 9 is online but not possible"},
		{"[machine]\nnode=0:cpus=0,mem=1G\nnode=1:mem=1\n",
		 "/m.ini:3: node: mem is less than one page of 4096 bytes"},
		{"[machine]\nmem\n", ":2: no '=' after the key"},
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(build_file(bad[i].options), -EINVAL);
		if (strncmp(diag.text, dir, strlen(dir)) ||
		    !strstr(diag.text, bad[i].text))
			fail_msg("'%s', not '%s'", diag.text, bad[i].text);
	}
}

static void keys_are_told_apart(void **unused)
{
	(void)unused;
	start();
	assert_int_equal(machine_spec_key(&spec, "disks", "4", NULL, &diag),
			 -ENOENT);
	assert_int_equal(machine_spec_key(&spec, "", "4", NULL, &diag),
			 -ENOENT);
	assert_int_equal(machine_spec_key(&spec, "nod", "4", NULL, &diag),
			 -ENOENT);
	assert_string_equal(diag.text, "");
}

/* ------------------------------------------------------------------ */
/* This host							      */

#define CPU  "sys/devices/system/cpu/"
#define NODE "sys/devices/system/node/"

/*
 * A host with two nodes; CPU 6 is offline, 8-15 are not plugged in:
 *
 *	node	0	8
 *	CPUs	0-3	4-5,6,7
 *	memory	2000 kB	1000 kB
 */
static void make_sparse_host(const char *root)
{
	static const char *const file[][2] = {
		{CPU "possible", "0-15\n"},
		{CPU "present", "0-7\n"},
		{CPU "online", "0-5,7\n"},
		{CPU "cpu6/node8/x", ""},
		{CPU "cpu6/nodelist/x", ""},
		{NODE "possible", "0,8,252-255\n"},
		{NODE "online", "0,8\n"},
		{NODE "node0/cpulist", "0-3\n"},
		{NODE "node8/cpulist", "4-5,7\n"},
		{NODE "node0/meminfo", "Node 0 MemTotal:       2000 kB\n"
				       "Node 0 MemFree:        1 kB\n"},
		{NODE "node8/meminfo", "Node 8 MemTotal:       1000 kB\n"},
		{"proc/meminfo", "MemTotal:        9999 kB\n"},
	};
	char name[128];
	unsigned int i;

	for (i = 0; i < LENGTH(file); i++) {
		snprintf(name, sizeof(name), "%s/%s", root, file[i][0]);
		write_file(name, file[i][1]);
	}
}

static int build_host(const char *root)
{
	int err;

	start();
	err = machine_from_host(in_dir(root), &spec, &diag);
	if (!err)
		err = machine_spec_finish(&spec, PAGE, &machine, &diag);
	return err;
}

static void host_with_sparse_nodes(void **unused)
{
	(void)unused;
	make_sparse_host("sparse");
	if (build_host("sparse"))
		fail_msg("%s", diag.text);
	assert_cpus(&machine.possible_cpus, "0-15");
	assert_cpus(&machine.present_cpus, "0-7");
	assert_cpus(&machine.online_cpus, "0-5,7");
	assert_nodes(&machine.possible_nodes, "0,8,252-255");
	assert_nodes(&machine.online_nodes, "0,8");
	assert_cpu_nodes(0, 3, 0);
	assert_cpu_nodes(4, 7, 8);
	assert_cpu_nodes(8, 15, 0);
	assert_true(machine.node_mem[0] == 2000 * 1024);
	assert_true(machine.node_mem[8] == 1000 * 1024);
	assert_round_trip();
}

static void host_without_nodes(void **unused)
{
	(void)unused;
	write_file("flat/" CPU "possible", "0-3\n");
	write_file("flat/" CPU "present", "0-3\n");
	write_file("flat/" CPU "online", "0-1\n");
	write_file("flat/proc/meminfo", "MemTotal:     4096 kB\nMemFree: 1\n");
	if (build_host("flat"))
		fail_msg("%s", diag.text);
	assert_nodes(&machine.possible_nodes, "0");
	assert_cpus(&machine.possible_cpus, "0-3");
	assert_cpus(&machine.online_cpus, "0-1");
	assert_cpu_nodes(0, 3, 0);
	assert_true(machine.node_mem[0] == 4096 * 1024);
}

static void assert_bad_host(const char *root, const char *text)
{
	assert_int_equal(build_host(root), -EINVAL);
	if (!strstr(diag.text, text))
		fail_msg("'%s', not '%s'", diag.text, text);
}

static void hosts_that_make_no_sense(void **unused)
{
	(void)unused;
	assert_bad_host("nothing", "/nothing/" CPU "possible:1: cannot open");
	make_sparse_host("bad");
	write_file("bad/" CPU "possible", "0-9000\n");
	assert_bad_host("bad", CPU "possible:1: possible-cpus: 9000 is above");
	write_file("bad/" CPU "possible", "0-15\n");
	write_file("bad/" NODE "node8/cpulist", "3\n");
	assert_bad_host("bad", "node: CPU 3 is placed twice");
	write_file("bad/" NODE "node8/cpulist", "4-5,7\n");
	write_file("bad/" NODE "node8/meminfo", "Node 8 MemTotal: lots\n");
	assert_bad_host("bad", "node8/meminfo:1: MemTotal is not a number");
}

/* ------------------------------------------------------------------ */

static int make_dir(void **unused)
{
	(void)unused;
	machine_spec_init(&spec);
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_dir(void **unused)
{
	(void)unused;
	machine_spec_free(&spec);
	return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_at_all),
		cmocka_unit_test(sparse_nodes),
		cmocka_unit_test(mask_defaults),
		cmocka_unit_test(parts_of_a_node),
		cmocka_unit_test(shortcuts_deal_evenly),
		cmocka_unit_test(the_largest),
		cmocka_unit_test(n_is_the_last_possible),
		cmocka_unit_test(cpus_without_a_node),
		cmocka_unit_test(memory_in_pages),
		cmocka_unit_test(impossible_machines),
		cmocka_unit_test(options_are_short),
		cmocka_unit_test(options_keep_to_their_buffer),
		cmocka_unit_test(dump_says_all),
		cmocka_unit_test(random_machines_round_trip),
		cmocka_unit_test(disorder_round_trips),
		cmocka_unit_test(mutated_machines),
		cmocka_unit_test(a_file),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(keys_are_told_apart),
		cmocka_unit_test(host_with_sparse_nodes),
		cmocka_unit_test(host_without_nodes),
		cmocka_unit_test(hosts_that_make_no_sense),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
