/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim parity`: does the tree's parity code compute? P, Q and recovery
 * of lost blocks are compared with plain arithmetic in GF(2^8), written here
 * from its definition. It knows no arrays and no cases.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "host/run.h"
#include "machine.h"

#define BLOCK	   4096
#define DISKS_MIN  4
#define DISKS_MAX  20
#define POLYNOMIAL 0x1d /* x^8 = x^4 + x^3 + x^2 + 1, lib/raid6/mktables.c */

static unsigned char data[DISKS_MAX][BLOCK] __attribute__((aligned(64)));
static unsigned char want_p[BLOCK], want_q[BLOCK], saved[2][BLOCK];
static unsigned int tests, failures;

static void result(int ok, const char *what, int disks)
{
	printf("%sok %u %s, %d disks\n", ok ? "" : "not ", ++tests, what,
	       disks);
	failures += !ok;
}

/* Blocks of a fixed generator: the same on every host. */
static void fill(int blocks)
{
	unsigned int state = 12345;

	for (int d = 0; d < blocks; d++)
		for (int i = 0; i < BLOCK; i++) {
			state = state * 1103515245u + 12345u;
			data[d][i] = (unsigned char)(state >> 16);
		}
}

static unsigned char times_two(unsigned char v)
{
	return (unsigned char)(v << 1 ^ (v & 0x80 ? POLYNOMIAL : 0));
}

/* Horner's rule from the last block: P = sum of D_i, Q = sum of 2^i D_i. */
static void expect_pq(int blocks)
{
	memset(want_p, 0, BLOCK);
	memset(want_q, 0, BLOCK);
	for (int d = blocks - 1; d >= 0; d--)
		for (int i = 0; i < BLOCK; i++) {
			want_p[i] ^= data[d][i];
			want_q[i] = times_two(want_q[i]) ^ data[d][i];
		}
}

static int recovers(int disks, int a, int b, void **ptrs)
{
	memcpy(saved[0], data[a], BLOCK);
	memcpy(saved[1], data[b], BLOCK);
	memset(data[a], 0, BLOCK);
	memset(data[b], 0, BLOCK);
	kern_raid6_recover_two(disks, BLOCK, a, b, ptrs);
	return !memcmp(saved[0], data[a], BLOCK) &&
	       !memcmp(saved[1], data[b], BLOCK);
}

static int recovers_all(int disks, void **ptrs)
{
	for (int a = 0; a < disks - 2; a++)
		for (int b = a + 1; b < disks - 2; b++)
			if (!recovers(disks, a, b, ptrs))
				return 0;
	return 1;
}

static void raid6(int disks)
{
	void *ptrs[DISKS_MAX];

	for (int d = 0; d < disks; d++)
		ptrs[d] = data[d];
	fill(disks - 2);
	expect_pq(disks - 2);
	kern_raid6_syndrome(disks, BLOCK, ptrs);
	result(!memcmp(data[disks - 2], want_p, BLOCK), "P", disks);
	result(!memcmp(data[disks - 1], want_q, BLOCK), "Q", disks);
	result(recovers_all(disks, ptrs), "any two data blocks", disks);
}

static void raid5(int disks)
{
	void *source[4];

	fill(disks - 1);
	expect_pq(disks - 1);
	memcpy(data[disks - 1], data[0], BLOCK);
	for (int d = 1; d < disks - 1; d++)
		source[d - 1] = data[d];
	kern_xor(disks - 2, BLOCK, data[disks - 1], source);
	result(!memcmp(data[disks - 1], want_p, BLOCK), "xor", disks);
}

static void simulate(void *arg)
{
	kern_boot(arg);
	printf("# raid6 by %s\n", kern_raid6_name());
	for (int disks = 3; disks <= 6; disks++)
		raid5(disks);
	for (int disks = DISKS_MIN; disks <= DISKS_MAX; disks += 4)
		raid6(disks);
}

int parity_command(int argc, char **argv)
{
	static struct machine machine;
	struct machine_spec spec;
	struct diag diag = {.text = ""};
	int err;

	if (argc && !strcmp(argv[0], "--help"))
		return usage_print("parity") ? EXIT_AS_EXPECTED : EXIT_USAGE;
	if (argc) {
		diag_set(&diag, NULL, NULL, NULL, NULL,
			 "parity takes no arguments");
		return bad_usage(&diag);
	}
	machine_spec_init(&spec);
	err = machine_spec_finish(&spec, kern_subject.page_size, &machine,
				  &diag);
	machine_spec_free(&spec);
	if (err)
		return bad_usage(&diag);
	puts("KTAP version 1\n1..19");
	if (run_guarded(simulate, &machine) || finding_count())
		failures++;
	printf("# Totals: pass:%u fail:%u skip:0\n", tests - failures,
	       failures);
	return failures ? EXIT_FINDING : EXIT_AS_EXPECTED;
}
