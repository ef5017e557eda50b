/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of observations, taken apart. It runs nothing and compares nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts-table.h"
#include "list.h"
#include "vec.h"

#define EIGHT_GIB   (8ULL << 30)
#define NUMBER_FORM "a decimal number"
#define WRITE_FORM  "ATTR:VALUE=ok; or ATTR:VALUE=FAIL;"
#define PARAM_CELL  "a number, or NUMBER(write NUMBER refused)"

static const char *const columns[FACT_COLUMNS] = {
	[FACT_RUN] = "run",
	[FACT_SUBJECT] = "subject",
	[FACT_CONFIG] = "config",
	[FACT_KERNEL] = "kernel",
	[FACT_WORD_BITS] = "word_bits",
	[FACT_PAGE_SIZE] = "page_size",
	[FACT_SIZEOF_BIO] = "sizeof_bio",
	[FACT_CPU_POSSIBLE] = "cpu_possible",
	[FACT_CPU_ONLINE] = "cpu_online",
	[FACT_NODE_POSSIBLE] = "node_possible",
	[FACT_NODE_ONLINE] = "node_online",
	[FACT_NODE_HAS_CPU] = "node_has_cpu",
	[FACT_NODE_HAS_MEMORY] = "node_has_memory",
	[FACT_TOTALRAM_PAGES] = "totalram_pages",
	[FACT_P_LOCKS] = "p_nr_stripe_hash_locks",
	[FACT_P_CACHE_MAX] = "p_stripe_cache_size_max",
	[FACT_P_BATCH] = "p_max_stripe_batch",
	[FACT_P_CACHE_DEFAULT] = "p_stripe_cache_size_default",
	[FACT_P_THREADS] = "p_group_thread_cnt_default",
	[FACT_LEVEL] = "level",
	[FACT_NDISKS] = "ndisks",
	[FACT_CHUNK_K] = "chunkK",
	[FACT_CREATE_RC] = "create_rc",
	[FACT_STRIPE_CACHE_SIZE] = "stripe_cache_size",
	[FACT_GROUP_THREAD_CNT] = "group_thread_cnt",
	[FACT_NR_HASH_LOCKS] = "nr_hash_locks",
	[FACT_GROUP_CNT] = "group_cnt",
	[FACT_MAX_STRIPE_BATCH] = "max_stripe_batch",
	[FACT_CACHE_MAX] = "max_cache_size_printed",
	[FACT_ALLOCATED_KB] = "allocated_kB",
	[FACT_REFUSED_ABOVE] = "smallest_refused_above",
	[FACT_WRITES] = "writes",
};

const char *fact_column_name(enum fact_column column)
{
	return columns[column];
}

/* ------------------------------------------------------------------ */
/* The table							      */

#define COLUMNS_READ 128

/* What stands in each column of the file; FACT_COLUMNS: nothing of ours. */
struct header {
	enum fact_column column[COLUMNS_READ];
	unsigned int count;
};

static enum fact_column column_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < FACT_COLUMNS; i++)
		if (!strcmp(columns[i], name))
			return (enum fact_column)i;
	return FACT_COLUMNS;
}

static int read_header(char *line, const struct source_pos *pos,
		       struct header *header, struct diag *diag)
{
	static const enum fact_column must[] = {
		FACT_SUBJECT, FACT_CONFIG, FACT_CPU_POSSIBLE,
		FACT_LEVEL,   FACT_NDISKS, FACT_CHUNK_K};
	unsigned int i, j;
	char *name;

	while ((name = strsep(&line, "\t"))) {
		if (header->count == COLUMNS_READ)
			return diag_set(diag, pos, NULL, NULL, NULL,
					"more than %d columns", COLUMNS_READ);
		header->column[header->count++] = column_by_name(name);
	}
	for (i = 0; i < sizeof(must) / sizeof(must[0]); i++) {
		for (j = 0; j < header->count; j++)
			if (header->column[j] == must[i])
				break;
		if (j == header->count)
			return diag_set(diag, pos, columns[must[i]], NULL,
					"a first line of column names, "
					"separated by tabs",
					"no such column");
	}
	return 0;
}

static int read_row(const char *line, unsigned int number,
		    const struct header *header, struct fact_table *table,
		    struct diag *diag)
{
	void *base = table->row;
	struct fact_row *row;
	char *rest, *cell;
	unsigned int i;

	row = vec_add(&base, &table->count, sizeof(*row));
	table->row = base;
	row->pos.file = table->path;
	row->pos.line = number;
	row->text = vec_copy(line);
	for (i = 0; i < FACT_COLUMNS; i++)
		row->cell[i] = "";
	rest = row->text;
	for (i = 0; (cell = strsep(&rest, "\t")); i++) {
		if (i >= header->count)
			return diag_set(diag, &row->pos, NULL, NULL, NULL,
					"%u columns, the first line has %u",
					i + 1, header->count);
		if (header->column[i] < FACT_COLUMNS)
			row->cell[header->column[i]] = cell;
	}
	return 0;
}

static int read_lines(FILE *in, struct fact_table *table, struct diag *diag)
{
	struct source_pos pos = {table->path, 0};
	struct header header = {.count = 0};
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	while (!rc && getline(&line, &room, in) > 0) {
		pos.line++;
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (!header.count)
			rc = read_header(line, &pos, &header, diag);
		else
			rc = read_row(line, pos.line, &header, table, diag);
	}
	free(line);
	if (!rc && ferror(in))
		rc = diag_set(diag, &pos, NULL, NULL, NULL, "cannot be read");
	pos.line = 0;
	if (!rc && !table->count)
		rc = diag_set(diag, &pos, NULL, NULL,
			      "a line of column names and rows below it",
			      "no rows");
	return rc;
}

int fact_table_read(const char *path, struct fact_table *table,
		    struct diag *diag)
{
	int is_stdin = !strcmp(path, "-");
	struct source_pos pos = {path, 0};
	FILE *in;
	int rc;

	memset(table, 0, sizeof(*table));
	table->path = vec_copy(is_stdin ? "<stdin>" : path);
	in = is_stdin ? stdin : fopen(path, "re");
	if (!in)
		return diag_set(diag, &pos, NULL, NULL, NULL, "%s",
				strerror(errno));
	rc = read_lines(in, table, diag);
	if (!is_stdin)
		fclose(in);
	return rc;
}

void fact_table_free(struct fact_table *table)
{
	unsigned int i;

	for (i = 0; i < table->count; i++)
		free(table->row[i].text);
	free(table->row);
	free(table->path);
	memset(table, 0, sizeof(*table));
}

/* ------------------------------------------------------------------ */
/* Cells							      */

static int bad_cell(const struct fact_row *row, enum fact_column column,
		    const char *accepted, struct diag *diag)
{
	return diag_set(diag, &row->pos, columns[column], row->cell[column],
			accepted, "'%s' is not valid", row->cell[column]);
}

int fact_number(const struct fact_row *row, enum fact_column column,
		long long *out, struct diag *diag)
{
	const char *text = row->cell[column];
	long long n;
	char *end;

	if (!*text)
		return 0;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return bad_cell(row, column, NUMBER_FORM, diag);
	*out = n;
	return 1;
}

/* A number between @low and @high; @built_in when the cell is empty. */
static int number_in(const struct fact_row *row, enum fact_column column,
		     long long built_in, long long low, long long high,
		     long long *out, struct diag *diag)
{
	*out = built_in;
	if (fact_number(row, column, out, diag) < 0)
		return -EINVAL;
	if (*out < low || *out > high)
		return diag_set(diag, &row->pos, columns[column],
				row->cell[column], NUMBER_FORM,
				"%lld is not between %lld and %lld", *out, low,
				high);
	return 0;
}

static int bad_list(const struct fact_row *row, enum fact_column column,
		    const char *why, struct diag *diag)
{
	return diag_set(diag, &row->pos, columns[column], row->cell[column],
			LIST_FORM, "%s", why);
}

static int cpu_list(const struct fact_row *row, enum fact_column column,
		    struct cpu_bits *out, struct diag *diag)
{
	char why[LIST_WHY];

	if (cpu_bits_parse(row->cell[column], 0, out, MACHINE_MAX_CPUS - 1,
			   why))
		return bad_list(row, column, why, diag);
	return 0;
}

/* An empty cell is @otherwise, or node 0 when that is NULL. */
static int node_list(const struct fact_row *row, enum fact_column column,
		     const struct node_bits *otherwise, struct node_bits *out,
		     struct diag *diag)
{
	char why[LIST_WHY];

	memset(out, 0, sizeof(*out));
	if (!*row->cell[column]) {
		if (otherwise)
			*out = *otherwise;
		else
			node_bits_set(out, 0);
		return 0;
	}
	if (node_bits_parse(row->cell[column], 0, out, MACHINE_MAX_NODES - 1,
			    why))
		return bad_list(row, column, why, diag);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The machine							      */

static unsigned int nth_node(const struct node_bits *nodes, unsigned int n)
{
	unsigned int node = node_bits_first(nodes);

	while (n--)
		node = node_bits_next(nodes, node + 1);
	return node;
}

static void deal_cpus(struct machine *m, const struct node_bits *has_cpu)
{
	unsigned int cpus = cpu_bits_weight(&m->possible_cpus);
	unsigned int nodes = node_bits_weight(has_cpu);
	unsigned int cpu, i = 0;

	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
		m->cpu_node[cpu] = MACHINE_NO_NODE;
		if (cpu_bits_test(&m->possible_cpus, cpu))
			m->cpu_node[cpu] =
				(short)nth_node(has_cpu, i++ * nodes / cpus);
	}
}

static void deal_memory(struct machine *m, const struct node_bits *has_memory,
			unsigned long page_size)
{
	unsigned int nodes = node_bits_weight(has_memory);
	unsigned int node, i = 0;

	for (node = node_bits_first(has_memory); node < MACHINE_MAX_NODES;
	     node = node_bits_next(has_memory, node + 1), i++) {
		unsigned long long pages = m->totalram_pages / nodes +
					   (i < m->totalram_pages % nodes);

		m->node_mem[node] = pages * page_size;
	}
}

static int machine_lists(const struct fact_row *row, struct machine *m,
			 struct node_bits *has_cpu,
			 struct node_bits *has_memory, struct diag *diag)
{
	if (cpu_list(row, FACT_CPU_POSSIBLE, &m->possible_cpus, diag) ||
	    node_list(row, FACT_NODE_POSSIBLE, NULL, &m->possible_nodes,
		      diag) ||
	    node_list(row, FACT_NODE_ONLINE, &m->possible_nodes,
		      &m->online_nodes, diag) ||
	    node_list(row, FACT_NODE_HAS_CPU, &m->online_nodes, has_cpu,
		      diag) ||
	    node_list(row, FACT_NODE_HAS_MEMORY, &m->online_nodes, has_memory,
		      diag))
		return -EINVAL;
	m->present_cpus = m->possible_cpus;
	m->online_cpus = m->possible_cpus;
	if (*row->cell[FACT_CPU_ONLINE] &&
	    cpu_list(row, FACT_CPU_ONLINE, &m->online_cpus, diag))
		return -EINVAL;
	if (!cpu_bits_subset(&m->online_cpus, &m->possible_cpus))
		return bad_cell(row, FACT_CPU_ONLINE, "possible CPUs", diag);
	if (!node_bits_subset(&m->online_nodes, &m->possible_nodes))
		return bad_cell(row, FACT_NODE_ONLINE, "possible nodes", diag);
	if (!node_bits_subset(has_cpu, &m->online_nodes))
		return bad_cell(row, FACT_NODE_HAS_CPU, "online nodes", diag);
	if (!node_bits_subset(has_memory, &m->online_nodes))
		return bad_cell(row, FACT_NODE_HAS_MEMORY, "online nodes",
				diag);
	return 0;
}

int fact_machine(const struct fact_row *row, unsigned long page_size,
		 struct machine *m, struct diag *diag)
{
	struct node_bits has_cpu, has_memory;
	long long pages;

	memset(m, 0, sizeof(*m));
	if (machine_lists(row, m, &has_cpu, &has_memory, diag) ||
	    number_in(row, FACT_TOTALRAM_PAGES,
		      (long long)(EIGHT_GIB / page_size), 1, 1LL << 52, &pages,
		      diag))
		return -EINVAL;
	m->totalram_pages = (unsigned long long)pages;
	deal_cpus(m, &has_cpu);
	deal_memory(m, &has_memory, page_size);
	return 0;
}

int fact_array(const struct fact_row *row, struct array_desc *desc,
	       struct diag *diag)
{
	long long level, disks, chunk;

	if (number_in(row, FACT_LEVEL, 0, 4, 6, &level, diag) ||
	    number_in(row, FACT_NDISKS, 0, 1, 1920, &disks, diag) ||
	    number_in(row, FACT_CHUNK_K, 0, 1, 1 << 20, &chunk, diag))
		return -EINVAL;
	desc->level = (int)level;
	desc->disks = (int)disks;
	desc->chunk_bytes = (unsigned long)chunk * 1024;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Parameters and writes					      */

static int is_number(const char *text)
{
	if (*text == '-')
		text++;
	return *text && !text[strspn(text, "0123456789")];
}

/* "4294967295(write -1 refused)" is a value and a write after it. */
static int one_param(const struct fact_row *row, enum fact_column column,
		     struct param_list *params, struct param_list *refused,
		     struct diag *diag)
{
	const char *name = columns[column] + strlen("p_");
	const char *text = row->cell[column];
	char value[32], tried[32];
	int end = 0;

	if (!*text)
		return 0;
	if (is_number(text)) {
		param_add(params, name, text, &row->pos);
		return 0;
	}
	if (sscanf(text, "%31[-0-9](write %31[-0-9] refused)%n", value, tried,
		   &end) != 2 ||
	    !end || text[end] || !is_number(value) || !is_number(tried))
		return bad_cell(row, column, PARAM_CELL, diag);
	param_add(params, name, value, &row->pos);
	param_add(refused, name, tried, &row->pos);
	return 0;
}

int fact_params(const struct fact_row *row, struct param_list *params,
		struct param_list *refused, struct diag *diag)
{
	unsigned int i;

	memset(params, 0, sizeof(*params));
	memset(refused, 0, sizeof(*refused));
	for (i = FACT_P_LOCKS; i <= FACT_P_THREADS; i++)
		if (one_param(row, (enum fact_column)i, params, refused, diag))
			return -EINVAL;
	return 0;
}

static int take_write(const char *item, struct fact_write *w)
{
	char result[8];
	int end = 0;

	if (sscanf(item, "%31[a-z_]:%31[-0-9]=%7[a-zA-Z]%n", w->attr, w->value,
		   result, &end) != 3 ||
	    item[end])
		return -EINVAL;
	if (!strcmp(w->attr, "scs"))
		strcpy(w->attr, "stripe_cache_size");
	w->ok = !strcmp(result, "ok");
	return w->ok || !strcmp(result, "FAIL") ? 0 : -EINVAL;
}

int fact_write_next(const struct fact_row *row, const char **at,
		    struct fact_write *w, struct diag *diag)
{
	while (**at) {
		size_t len = strcspn(*at, ";");
		char *item = vec_copy_n(*at, len);
		int bad = take_write(item, w);
		int remark = !strchr(item, '=') || strchr(item, '(');

		free(item);
		*at += len + ((*at)[len] == ';');
		if (!bad)
			return 1;
		if (!remark)
			return bad_cell(row, FACT_WRITES, WRITE_FORM, diag);
	}
	return 0;
}
