/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The independent oracle: what the sizing rules say an array of a machine
 * must have. It computes from the written rules alone, in 128 bits, and knows
 * neither the driver's code nor what the driver answered. Plain C types: no
 * libc and no kernel header is needed to use it.
 *
 *	machine, parameters, array, sizeof()s --> oracle_sizes() --> values
 *	values read from the driver           --> oracle_broken() --> a rule
 */
#ifndef RAID5SIM_ORACLE_H
#define RAID5SIM_ORACLE_H

#include "boundary.h"

/**
 * enum oracle_rule - whose rules
 * @ORACLE_NONE:	no values are foretold; only what must hold anywhere
 * @ORACLE_STOCK:	the kernel without a series (6.1 and 6.12 alike)
 * @ORACLE_POSTED:	the series as it was posted
 * @ORACLE_SIZED:	this project's series; foretells only what its rules
 *			settle without a choice
 */
enum oracle_rule {
	ORACLE_NONE,
	ORACLE_STOCK,
	ORACLE_POSTED,
	ORACLE_SIZED,
};

/** oracle_rule_of - by the subject: unmodified is stock, else by its name */
enum oracle_rule oracle_rule_of(const struct subject_info *subject);
/** oracle_rule_name - "none", "stock", "posted", "sized" */
const char *oracle_rule_name(enum oracle_rule rule);

/**
 * struct oracle_param - one module parameter
 * @set:	0: never written, its built-in value holds
 * @value:	what was written; a value outside the parameter's type is
 *		refused by the kernel, which leaves the built-in value
 * @absent:	1: the subject has no such parameter, so that part of the change
 *		is not in it and its value is stock's (a series not yet whole)
 */
struct oracle_param {
	int set;
	long long value;
	int absent;
};

/**
 * struct oracle_input - all that the sizes may depend on
 * @rule:		whose rules
 * @machine:		CPUs, nodes, RAM
 * @page_size:		bytes
 * @word_bits:		32 or 64
 * @level:		4, 5 or 6
 * @layout:		number of the parity layout (drivers/md/raid5.h)
 * @disks:		members (the new count in a reshape)
 * @old_disks:		members before a reshape; 0: as @disks
 * @chunk_bytes:	chunk (the new one in a reshape)
 * @old_chunk_bytes:	chunk before a reshape; 0: as @chunk_bytes
 * @reshaping:		a reshape is under way
 * @rotational:		members report rotational media
 * @nr_stripe_hash_locks ... @group_thread_cnt_default: the five parameters
 * @sizeof_stripe_head, @sizeof_bio, @sizeof_r5dev, @sizeof_r5worker: bytes;
 *	0 when not known, then nothing that needs it is foretold
 */
struct oracle_input {
	enum oracle_rule rule;
	const struct machine *machine;
	unsigned long page_size;
	unsigned int word_bits;
	int level;
	int layout;
	int disks;
	int old_disks;
	unsigned long chunk_bytes;
	unsigned long old_chunk_bytes;
	int reshaping;
	int rotational;
	struct oracle_param nr_stripe_hash_locks;
	struct oracle_param stripe_cache_size_max;
	struct oracle_param max_stripe_batch;
	struct oracle_param stripe_cache_size_default;
	struct oracle_param group_thread_cnt_default;
	unsigned long sizeof_stripe_head;
	unsigned long sizeof_bio;
	unsigned long sizeof_r5dev;
	unsigned long sizeof_r5worker;
};

/** oracle_param - the parameter called @name, or NULL */
struct oracle_param *oracle_param(struct oracle_input *in, const char *name);

/**
 * struct oracle_value - one foretold value
 * @known:	0: the oracle has no opinion and @value is 0
 */
struct oracle_value {
	int known;
	long long value;
};

/**
 * struct oracle_sizes - what must be found; fields as struct array_sizes
 * @stripe_cache_min, @stripe_cache_max: smallest and largest value that the
 *	stripe_cache_size attribute accepts; both -1: it accepts none
 * @group_thread_max:	largest value that group_thread_cnt accepts
 * @create:		0 or a negative errno of Linux. When it is negative
 *			only @bytes_per_stripe is known beside it.
 */
struct oracle_sizes {
	struct oracle_value nr_hash_locks;
	struct oracle_value stripe_cache_size;
	struct oracle_value max_nr_stripes;
	struct oracle_value max_stripe_batch;
	struct oracle_value group_thread_cnt;
	struct oracle_value group_cnt;
	struct oracle_value workers;
	struct oracle_value bytes_per_stripe;
	struct oracle_value allocated_kb;
	struct oracle_value stripe_cache_min;
	struct oracle_value stripe_cache_max;
	struct oracle_value group_thread_max;
	struct oracle_value create;
};

/** oracle_sizes - compute all of @out */
void oracle_sizes(const struct oracle_input *in, struct oracle_sizes *out);

/**
 * oracle_broken - first invariant that an existing array breaks
 * @got:		what the driver holds (-1: no such value)
 * @stripe_cache_min, @stripe_cache_max: accepted by sysfs, 0 when not probed
 *
 * These hold under any rules, stock included; the posted series is known to
 * break some.
 *
 * Return: one line without a newline, or NULL when all hold.
 */
const char *oracle_broken(const struct array_sizes *got,
			  long long stripe_cache_min,
			  long long stripe_cache_max);

#endif
