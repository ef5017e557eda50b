/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of observations on real kernels: one array a row, tab separated,
 * columns by the names in the first line. Reads and takes apart; it runs
 * nothing and compares nothing.
 *
 *	# a comment
 *	run	subject	config	cpu_possible	...	writes
 *	c4_2G	posted	minimal	0-3		...	scs:16=FAIL;scs:17=ok;
 */
#ifndef RAID5SIM_FACTS_TABLE_H
#define RAID5SIM_FACTS_TABLE_H

#include "boundary.h"
#include "diag.h"
#include "params.h"

/*
 * Columns that have a meaning here; others are ignored, absent ones read as
 * empty, and an empty cell says nothing.
 */
enum fact_column {
	FACT_RUN,	/* name of the boot */
	FACT_SUBJECT,	/* stock, posted, sized */
	FACT_CONFIG,	/* debian, minimal */
	FACT_KERNEL,	/* "6.12": when empty */
	FACT_WORD_BITS, /* 64: when empty */
	FACT_PAGE_SIZE, /* 4096: when empty */
	FACT_SIZEOF_BIO,
	FACT_CPU_POSSIBLE, /* lists */
	FACT_CPU_ONLINE,
	FACT_NODE_POSSIBLE,
	FACT_NODE_ONLINE,
	FACT_NODE_HAS_CPU,
	FACT_NODE_HAS_MEMORY,
	FACT_TOTALRAM_PAGES, /* 8 GiB: when empty */
	FACT_P_LOCKS,	     /* parameters: "3", or "3(write -1 refused)" */
	FACT_P_CACHE_MAX,
	FACT_P_BATCH,
	FACT_P_CACHE_DEFAULT,
	FACT_P_THREADS,
	FACT_LEVEL,
	FACT_NDISKS,
	FACT_CHUNK_K,
	FACT_CREATE_RC, /* what was found */
	FACT_STRIPE_CACHE_SIZE,
	FACT_GROUP_THREAD_CNT,
	FACT_NR_HASH_LOCKS,
	FACT_GROUP_CNT,
	FACT_MAX_STRIPE_BATCH,
	FACT_CACHE_MAX, /* ceiling of stripe_cache_size */
	FACT_ALLOCATED_KB,
	FACT_REFUSED_ABOVE, /* smallest value refused above the ceiling */
	FACT_WRITES,
	FACT_COLUMNS
};

/** struct fact_row - @cell is never NULL */
struct fact_row {
	struct source_pos pos;
	const char *cell[FACT_COLUMNS];
	char *text;
};

struct fact_table {
	char *path;
	struct fact_row *row;
	unsigned int count;
};

/** fact_column_name - as in the first line of a table */
const char *fact_column_name(enum fact_column column);

/**
 * fact_table_read - read a whole table; "-" is standard input
 *
 * Return: 0, or -EINVAL with @diag filled (@table must be freed either way).
 */
int fact_table_read(const char *path, struct fact_table *table,
		    struct diag *diag);
void fact_table_free(struct fact_table *table);

/**
 * fact_number - the number in a cell
 * @out:	untouched when the cell is empty
 *
 * Return: 1 a number, 0 empty, -EINVAL with @diag filled.
 */
int fact_number(const struct fact_row *row, enum fact_column column,
		long long *out, struct diag *diag);

/**
 * fact_machine - the machine of a row
 *
 * Possible CPUs are dealt out over the nodes that have CPUs, and RAM over
 * those that have memory, in equal consecutive runs: how they really lay is
 * not recorded. Without node columns everything is node 0's.
 *
 * Return: 0 or -EINVAL.
 */
int fact_machine(const struct fact_row *row, unsigned long page_size,
		 struct machine *m, struct diag *diag);

/** fact_array - level, disks and chunk of a row; 0 or -EINVAL */
int fact_array(const struct fact_row *row, struct array_desc *desc,
	       struct diag *diag);

/**
 * fact_params - parameters of a row
 * @params:	values that held when the array was created
 * @refused:	writes after those, each of which the kernel refused
 *
 * Return: 0 or -EINVAL. Free both lists.
 */
int fact_params(const struct fact_row *row, struct param_list *params,
		struct param_list *refused, struct diag *diag);

/**
 * struct fact_write - one write to an attribute in sysfs
 * @attr:	its name there ("scs" in a table is stripe_cache_size)
 * @value:	what was written
 * @ok:		1 accepted, 0 refused
 */
struct fact_write {
	char attr[32];
	char value[32];
	int ok;
};

/**
 * fact_write_next - walk a row's writes
 * @at:		start with "*at = row->cell[FACT_WRITES]"; moves on
 *
 * Remarks in the cell (no "=ok" or "=FAIL") are passed over.
 *
 * Return: 1 @w is filled, 0 no more, -EINVAL.
 */
int fact_write_next(const struct fact_row *row, const char **at,
		    struct fact_write *w, struct diag *diag);

#endif
