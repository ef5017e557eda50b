/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine description: takes keys, works out what they leave open,
 * refuses what no kernel could boot on, and writes a machine as keys again.
 * It knows neither files nor option parsing.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "machine.h"
#include "size.h"

#define LAST_CPU  (MACHINE_MAX_CPUS - 1)
#define LAST_NODE (MACHINE_MAX_NODES - 1)

/* With no key at all. */
#define DEFAULT_CPUS  4
#define DEFAULT_MEM   (8ULL << 30)

#define NODE_FORM     "ID[:cpus=LIST][,mem=SIZE], e.g. 0:cpus=0-3,mem=8G"
#define CPU_NODE_FORM "LIST=ID or LIST=none, e.g. 8-11=0"
#define PAGES_FORM    "a number from 1 to 2^52, decimal or 0x"
#define CPUS_FORM     "a number from 1 to 8192"
#define NODES_FORM    "a number from 1 to 1024"

struct key_info {
	const char *name;
	const char *accepted;
	bool repeats;
	bool shortcut;
};

static const struct key_info key_info[MACHINE_KEYS] = {
	[MACHINE_NODE] = {"node", NODE_FORM, true, false},
	[MACHINE_CPU_NODE] = {"cpu-node", CPU_NODE_FORM, true, false},
	[MACHINE_POSSIBLE_NODES] = {"possible-nodes", LIST_FORM, false, false},
	[MACHINE_ONLINE_NODES] = {"online-nodes", LIST_FORM, false, false},
	[MACHINE_POSSIBLE_CPUS] = {"possible-cpus", LIST_FORM, false, false},
	[MACHINE_PRESENT_CPUS] = {"present-cpus", LIST_FORM, false, false},
	[MACHINE_ONLINE_CPUS] = {"online-cpus", LIST_FORM, false, false},
	[MACHINE_TOTALRAM_PAGES] = {"totalram-pages", PAGES_FORM, false, false},
	[MACHINE_CPUS] = {"cpus", CPUS_FORM, false, true},
	[MACHINE_NODES] = {"nodes", NODES_FORM, false, true},
	[MACHINE_MEM] = {"mem", SIZE_FORM, false, true},
};

const char *machine_keys(void)
{
	return "node, cpu-node, possible-nodes, online-nodes, possible-cpus, "
	       "present-cpus, online-cpus, totalram-pages, cpus, nodes, mem";
}

/* Say what is wrong with record @rec; @rec may be NULL. */
__attribute__((format(printf, 3, 4))) static int
fail(struct diag *diag, const struct machine_record *rec, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (!rec)
		return diag_set(diag, NULL, NULL, NULL, NULL, "%s", what);
	return diag_set(diag, &rec->pos, key_info[rec->key].name, rec->value,
			key_info[rec->key].accepted, "%s", what);
}

/* ------------------------------------------------------------------ */
/* Collecting							      */

void machine_spec_init(struct machine_spec *spec)
{
	unsigned int i;

	memset(spec, 0, sizeof(*spec));
	for (i = 0; i < MACHINE_KEYS; i++)
		spec->single[i] = -1;
	for (i = 0; i < MACHINE_MAX_NODES; i++)
		spec->node_record[i] = -1;
	for (i = 0; i < MACHINE_MAX_CPUS; i++) {
		spec->cpu_record[i] = -1;
		spec->cpu_node[i] = MACHINE_NO_NODE;
	}
}

void machine_spec_free(struct machine_spec *spec)
{
	unsigned int i;

	for (i = 0; i < spec->count; i++) {
		free((char *)spec->record[i].pos.file);
		free(spec->record[i].value);
	}
	free(spec->record);
	spec->record = NULL;
	spec->count = 0;
	spec->room = 0;
}

/* Room for one record more; false: out of memory. */
static bool make_room(struct machine_spec *spec)
{
	unsigned int room = spec->room ? 2 * spec->room : 16;
	struct machine_record *record;

	if (spec->count < spec->room)
		return true;
	record = realloc(spec->record, room * sizeof(*record));
	if (!record)
		return false;
	spec->record = record;
	spec->room = room;
	return true;
}

/* Copy the key's text into a record of its own; NULL: out of memory. */
static struct machine_record *add_record(struct machine_spec *spec,
					 enum machine_key key,
					 const char *value,
					 const struct source_pos *pos)
{
	struct machine_record *rec;
	const char *file = pos ? pos->file : NULL;

	if (!make_room(spec))
		return NULL;
	rec = &spec->record[spec->count];
	rec->key = key;
	rec->pos.line = pos ? pos->line : 0;
	rec->pos.file = file ? strdup(file) : NULL;
	rec->value = strdup(value);
	spec->count++;
	if (!rec->value || (file && !rec->pos.file))
		return NULL;
	return rec;
}

/* Room for origin(): a shortened name and a line. */
#define ORIGIN 80

/* Where an earlier key came from, for a later one's error. */
static const char *origin(const struct machine_record *rec, char buf[ORIGIN])
{
	const char *file = rec->pos.file;
	size_t len;

	if (!file) {
		snprintf(buf, ORIGIN, "--%s %.40s", key_info[rec->key].name,
			 rec->value);
		return buf;
	}
	len = strlen(file);
	if (len > 48)
		file += len - 48;
	snprintf(buf, ORIGIN, "%s:%u", file, rec->pos.line);
	return buf;
}

/* What one call of machine_spec_key() works on. */
struct adding {
	struct machine_spec *spec;
	struct diag *diag;
	const struct machine_record *rec;
	int index;
};

static int add_cpu(struct adding *a, unsigned int cpu, int node)
{
	struct machine_spec *spec = a->spec;
	char from[ORIGIN];
	int old = spec->cpu_record[cpu];

	if (old >= 0)
		return fail(a->diag, a->rec,
			    "CPU %u is placed twice, first in %s", cpu,
			    origin(&spec->record[old], from));
	spec->cpu_record[cpu] = a->index;
	spec->cpu_node[cpu] = (short)node;
	return 0;
}

static int add_cpus(struct adding *a, const struct cpu_bits *cpus, int node)
{
	unsigned int cpu;
	int err;

	for (cpu = cpu_bits_first(cpus); cpu < MACHINE_MAX_CPUS;
	     cpu = cpu_bits_next(cpus, cpu + 1)) {
		err = add_cpu(a, cpu, node);
		if (err)
			return err;
	}
	return 0;
}

/* The three parts of node=, the last two NULL when left out. */
struct node_parts {
	char *ids;
	char *cpus;
	char *mem;
};

/* A colon before a digit belongs to the list of ids: 0-7:1/2. */
static char *end_of_ids(char *s)
{
	while (*s && !(*s == ':' && !isdigit((unsigned char)s[1])))
		s++;
	return s;
}

/*
 * Cut @s where the next NAME= begins and return that, or NULL. Lists have
 * commas of their own:
 *
 *	cpus=0-3,8,mem=8G
 *	          ^ cut here, as letters and '=' follow
 */
static char *cut_part(char *s)
{
	char *name;

	for (s = strchr(s, ','); s; s = strchr(s + 1, ',')) {
		for (name = s + 1; islower((unsigned char)*name); name++)
			;
		if (*name != '=' || name == s + 1)
			continue;
		*s = '\0';
		return s + 1;
	}
	return NULL;
}

static int take_part(struct adding *a, char *s, const char *name, char **part)
{
	if (*part)
		return fail(a->diag, a->rec, "%s twice", name);
	*part = s + strlen(name);
	return 0;
}

static int split_node(struct adding *a, char *text, struct node_parts *parts)
{
	char *part = end_of_ids(text);
	char *next;
	int err = 0;

	parts->ids = text;
	if (!*part)
		return 0;
	*part++ = '\0';
	if (!*part)
		return 0;
	for (; part && !err; part = next) {
		next = cut_part(part);
		if (!strncmp(part, "cpus=", 5))
			err = take_part(a, part, "cpus=", &parts->cpus);
		else if (!strncmp(part, "mem=", 4))
			err = take_part(a, part, "mem=", &parts->mem);
		else
			err = fail(a->diag, a->rec,
				   "'%.40s' is neither cpus= nor mem=", part);
	}
	return err;
}

static int add_node(struct adding *a, unsigned int node, unsigned long long mem)
{
	struct machine_spec *spec = a->spec;
	int old = spec->node_record[node];
	char from[ORIGIN];

	if (old >= 0)
		return fail(a->diag, a->rec,
			    "node %u is given twice, first in %s", node,
			    origin(&spec->record[old], from));
	spec->node_record[node] = a->index;
	spec->node_mem[node] = mem;
	return 0;
}

static int add_nodes(struct adding *a, const struct node_parts *parts)
{
	struct node_bits nodes;
	struct cpu_bits cpus = {{0}};
	unsigned long long mem = 0;
	char list_why[LIST_WHY];
	const char *why;
	unsigned int node;
	int err = 0;

	if (node_bits_parse(parts->ids, 0, &nodes, LAST_NODE, list_why))
		return fail(a->diag, a->rec, "node id: %s", list_why);
	if (parts->cpus && cpu_bits_parse(parts->cpus, LIST_MAY_BE_EMPTY, &cpus,
					  LAST_CPU, list_why))
		return fail(a->diag, a->rec, "cpus: %s", list_why);
	if (parts->mem && size_parse(parts->mem, &mem, &why))
		return fail(a->diag, a->rec, "mem: %s", why);
	if (!cpu_bits_empty(&cpus) && node_bits_weight(&nodes) > 1)
		return fail(a->diag, a->rec, "CPUs on more than one node");
	for (node = node_bits_first(&nodes); node < MACHINE_MAX_NODES && !err;
	     node = node_bits_next(&nodes, node + 1))
		err = add_node(a, node, mem);
	if (err)
		return err;
	cpu_bits_or(&a->spec->listed, &cpus);
	return add_cpus(a, &cpus, (int)node_bits_first(&nodes));
}

static int apply_node(struct adding *a)
{
	struct node_parts parts = {NULL, NULL, NULL};
	char *text = strdup(a->rec->value);
	int err;

	if (!text)
		return fail(a->diag, a->rec, "out of memory");
	err = split_node(a, text, &parts);
	if (!err)
		err = add_nodes(a, &parts);
	free(text);
	return err;
}

static int place_cpus(struct adding *a, const char *list, const char *target)
{
	unsigned long long node;
	struct cpu_bits cpus;
	char list_why[LIST_WHY];
	const char *why;

	if (cpu_bits_parse(list, 0, &cpus, LAST_CPU, list_why))
		return fail(a->diag, a->rec, "CPUs: %s", list_why);
	if (!strcmp(target, "none"))
		return add_cpus(a, &cpus, MACHINE_NO_NODE);
	if (number_parse(target, 0, LAST_NODE, &node, &why))
		return fail(a->diag, a->rec, "node '%.40s': %s", target, why);
	return add_cpus(a, &cpus, (int)node);
}

static int apply_cpu_node(struct adding *a)
{
	char *list = strdup(a->rec->value);
	char *sign;
	int err;

	if (!list)
		return fail(a->diag, a->rec, "out of memory");
	sign = strchr(list, '=');
	if (sign) {
		*sign = '\0';
		err = place_cpus(a, list, sign + 1);
	} else {
		err = fail(a->diag, a->rec, "no '='");
	}
	free(list);
	return err;
}

/* What N stands for is known only at the end: here, only the syntax. */
static int check_cpu_list(struct adding *a)
{
	struct cpu_bits cpus;
	char why[LIST_WHY];

	if (cpu_bits_parse(a->rec->value, 0, &cpus, LAST_CPU, why))
		return fail(a->diag, a->rec, "%s", why);
	return 0;
}

static int check_node_list(struct adding *a)
{
	struct node_bits nodes;
	char why[LIST_WHY];

	if (node_bits_parse(a->rec->value, 0, &nodes, LAST_NODE, why))
		return fail(a->diag, a->rec, "%s", why);
	return 0;
}

static int apply_number(struct adding *a, unsigned long long max,
			unsigned long long *value)
{
	const char *why;

	if (number_parse(a->rec->value, 1, max, value, &why))
		return fail(a->diag, a->rec, "%s", why);
	return 0;
}

static int apply_mem(struct adding *a)
{
	const char *why;

	if (size_parse(a->rec->value, &a->spec->mem, &why))
		return fail(a->diag, a->rec, "%s", why);
	return 0;
}

static int apply(struct adding *a)
{
	switch (a->rec->key) {
	case MACHINE_NODE:
		return apply_node(a);
	case MACHINE_CPU_NODE:
		return apply_cpu_node(a);
	case MACHINE_POSSIBLE_NODES:
	case MACHINE_ONLINE_NODES:
		return check_node_list(a);
	case MACHINE_POSSIBLE_CPUS:
	case MACHINE_PRESENT_CPUS:
	case MACHINE_ONLINE_CPUS:
		return check_cpu_list(a);
	case MACHINE_TOTALRAM_PAGES:
		return apply_number(a, MACHINE_MAX_PAGES,
				    &a->spec->totalram_pages);
	case MACHINE_CPUS:
		return apply_number(a, MACHINE_MAX_CPUS, &a->spec->cpus);
	case MACHINE_NODES:
		return apply_number(a, MACHINE_MAX_NODES, &a->spec->nodes);
	default:
		return apply_mem(a);
	}
}

/* The same key twice, or a shortcut together with node=. */
static int check_conflict(struct adding *a)
{
	const struct key_info *info = &key_info[a->rec->key];
	const struct machine_record *old;
	char from[ORIGIN];
	int i;

	for (i = 0; i < a->index; i++) {
		old = &a->spec->record[i];
		if (old->key == a->rec->key && !info->repeats)
			return fail(a->diag, a->rec, "given twice, first in %s",
				    origin(old, from));
		if ((info->shortcut && old->key == MACHINE_NODE) ||
		    (a->rec->key == MACHINE_NODE &&
		     key_info[old->key].shortcut))
			return fail(a->diag, a->rec,
				    "cpus, nodes and mem exclude node; see %s",
				    origin(old, from));
		if (info->repeats && old->key == a->rec->key)
			break;
	}
	return 0;
}

static enum machine_key find_key(const char *name)
{
	unsigned int i;

	for (i = 0; i < MACHINE_KEYS; i++)
		if (!strcmp(name, key_info[i].name))
			break;
	return (enum machine_key)i;
}

int machine_spec_key(struct machine_spec *spec, const char *key,
		     const char *value, const struct source_pos *pos,
		     struct diag *diag)
{
	struct adding a = {spec, diag, NULL, (int)spec->count};
	enum machine_key k = find_key(key);
	int err;

	if (k == MACHINE_KEYS)
		return -ENOENT;
	a.rec = add_record(spec, k, value, pos);
	if (!a.rec)
		return diag_set(diag, pos, key, value, NULL, "out of memory");
	err = check_conflict(&a);
	if (err)
		return err;
	if (!key_info[k].repeats)
		spec->single[k] = a.index;
	return apply(&a);
}

/* ------------------------------------------------------------------ */
/* Completing							      */

/*
 * One machine in the making.
 * @listed:	CPUs that node= lists, or the shortcuts deal out
 * @nodes:	nodes that node= gives, or the shortcuts deal out to
 */
struct making {
	const struct machine_spec *spec;
	struct machine *m;
	struct diag *diag;
	unsigned long page_size;
	struct cpu_bits listed;
	struct node_bits nodes;
	bool by_node;
};

static const struct machine_record *given(const struct making *mk,
					  enum machine_key key)
{
	int i = mk->spec->single[key];

	return i < 0 ? NULL : &mk->spec->record[i];
}

static const struct machine_record *first_record(const struct making *mk)
{
	return mk->spec->count ? &mk->spec->record[0] : NULL;
}

/* Whom to blame: the first of two keys that was given, else the first key. */
static const struct machine_record *
blame(const struct making *mk, enum machine_key first, enum machine_key second)
{
	if (given(mk, first))
		return given(mk, first);
	if (given(mk, second))
		return given(mk, second);
	return first_record(mk);
}

static const struct machine_record *
record_of_cpu(const struct making *mk, unsigned int cpu, enum machine_key other)
{
	int i = mk->spec->cpu_record[cpu];

	return i < 0 ? blame(mk, other, MACHINE_CPUS) : &mk->spec->record[i];
}

static const struct machine_record *
record_of_node(const struct making *mk, unsigned int node, enum machine_key key)
{
	int i = mk->spec->node_record[node];

	return i < 0 ? blame(mk, key, MACHINE_NODES) : &mk->spec->record[i];
}

/* The mask of @key into @cpus; left as it is when the key was not given. */
static int cpu_mask(struct making *mk, enum machine_key key, unsigned int last,
		    struct cpu_bits *cpus)
{
	const struct machine_record *rec = given(mk, key);
	char why[LIST_WHY];

	if (rec && cpu_bits_parse(rec->value, 0, cpus, last, why))
		return fail(mk->diag, rec, "%s", why);
	return 0;
}

static int node_mask(struct making *mk, enum machine_key key, unsigned int last,
		     struct node_bits *nodes)
{
	const struct machine_record *rec = given(mk, key);
	char why[LIST_WHY];

	if (rec && node_bits_parse(rec->value, 0, nodes, last, why))
		return fail(mk->diag, rec, "%s", why);
	return 0;
}

/* What N means in present-cpus and online-cpus. */
static unsigned int last_cpu(const struct making *mk)
{
	if (given(mk, MACHINE_POSSIBLE_CPUS))
		return cpu_bits_last(&mk->m->possible_cpus);
	if (!cpu_bits_empty(&mk->listed))
		return cpu_bits_last(&mk->listed);
	return LAST_CPU;
}

static int read_cpu_masks(struct making *mk)
{
	struct machine *m = mk->m;
	int err;

	if (mk->by_node)
		mk->listed = mk->spec->listed;
	else if (mk->spec->cpus)
		cpu_bits_set_range(&mk->listed, 0,
				   (unsigned int)mk->spec->cpus - 1);
	err = cpu_mask(mk, MACHINE_POSSIBLE_CPUS, LAST_CPU, &m->possible_cpus);
	if (!err)
		err = cpu_mask(mk, MACHINE_PRESENT_CPUS, last_cpu(mk),
			       &m->present_cpus);
	if (!err)
		err = cpu_mask(mk, MACHINE_ONLINE_CPUS, last_cpu(mk),
			       &m->online_cpus);
	return err;
}

static void list_default_cpus(struct making *mk)
{
	if (given(mk, MACHINE_POSSIBLE_CPUS)) {
		mk->listed = mk->m->possible_cpus;
		return;
	}
	cpu_bits_or(&mk->listed, &mk->m->present_cpus);
	cpu_bits_or(&mk->listed, &mk->m->online_cpus);
	if (cpu_bits_empty(&mk->listed))
		cpu_bits_set_range(&mk->listed, 0, DEFAULT_CPUS - 1);
}

static void default_cpu_masks(struct making *mk)
{
	struct machine *m = mk->m;

	if (!mk->by_node && !mk->spec->cpus)
		list_default_cpus(mk);
	if (!given(mk, MACHINE_POSSIBLE_CPUS)) {
		m->possible_cpus = mk->listed;
		if (!mk->spec->cpus) {
			cpu_bits_or(&m->possible_cpus, &m->present_cpus);
			cpu_bits_or(&m->possible_cpus, &m->online_cpus);
		}
	}
	if (!given(mk, MACHINE_PRESENT_CPUS)) {
		m->present_cpus = mk->listed;
		if (cpu_bits_empty(&mk->listed))
			m->present_cpus = m->possible_cpus;
		cpu_bits_or(&m->present_cpus, &m->online_cpus);
	}
	if (!given(mk, MACHINE_ONLINE_CPUS))
		m->online_cpus = m->present_cpus;
}

/* What N means in online-nodes. */
static unsigned int last_node(const struct making *mk)
{
	if (given(mk, MACHINE_POSSIBLE_NODES))
		return node_bits_last(&mk->m->possible_nodes);
	if (!node_bits_empty(&mk->nodes))
		return node_bits_last(&mk->nodes);
	return LAST_NODE;
}

static int read_node_masks(struct making *mk)
{
	struct machine *m = mk->m;
	unsigned int i;
	int err;

	for (i = 0; mk->by_node && i < MACHINE_MAX_NODES; i++)
		if (mk->spec->node_record[i] >= 0)
			node_bits_set(&mk->nodes, i);
	if (mk->spec->nodes)
		node_bits_set_range(&mk->nodes, 0,
				    (unsigned int)mk->spec->nodes - 1);
	err = node_mask(mk, MACHINE_POSSIBLE_NODES, LAST_NODE,
			&m->possible_nodes);
	if (!err)
		err = node_mask(mk, MACHINE_ONLINE_NODES, last_node(mk),
				&m->online_nodes);
	return err;
}

static void default_node_masks(struct making *mk)
{
	struct machine *m = mk->m;

	if (node_bits_empty(&mk->nodes)) {
		mk->nodes = m->online_nodes;
		if (!given(mk, MACHINE_ONLINE_NODES))
			node_bits_set(
				&mk->nodes,
				given(mk, MACHINE_POSSIBLE_NODES)
					? node_bits_first(&m->possible_nodes)
					: 0);
	}
	if (!given(mk, MACHINE_ONLINE_NODES))
		m->online_nodes = mk->nodes;
	if (!given(mk, MACHINE_POSSIBLE_NODES)) {
		m->possible_nodes = mk->nodes;
		node_bits_or(&m->possible_nodes, &m->online_nodes);
	}
}

/* Consecutive runs of the listed CPUs, one a node, the first ones longer. */
static void deal_cpus(struct making *mk)
{
	unsigned int nodes = node_bits_weight(&mk->nodes);
	unsigned int each = cpu_bits_weight(&mk->listed) / nodes;
	unsigned int more = cpu_bits_weight(&mk->listed) % nodes;
	unsigned int cpu = cpu_bits_first(&mk->listed);
	unsigned int node;
	unsigned int left;

	for (node = node_bits_first(&mk->nodes); node < MACHINE_MAX_NODES;
	     node = node_bits_next(&mk->nodes, node + 1)) {
		for (left = each + (more > 0); left; left--) {
			mk->m->cpu_node[cpu] = (short)node;
			cpu = cpu_bits_next(&mk->listed, cpu + 1);
		}
		more -= more > 0;
	}
}

static void place_all_cpus(struct making *mk)
{
	const struct machine_spec *spec = mk->spec;
	struct machine *m = mk->m;
	unsigned int first = node_bits_first(&m->online_nodes);
	unsigned int cpu;

	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		m->cpu_node[cpu] = cpu_bits_test(&m->possible_cpus, cpu)
					   ? (short)first
					   : MACHINE_NO_NODE;
	if (!mk->by_node)
		deal_cpus(mk);
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		if (spec->cpu_record[cpu] >= 0)
			m->cpu_node[cpu] = spec->cpu_node[cpu];
}

static int give_memory(struct making *mk, unsigned int node,
		       unsigned long long bytes)
{
	if (bytes && bytes < mk->page_size)
		return fail(mk->diag, record_of_node(mk, node, MACHINE_MEM),
			    "mem is less than one page of %lu bytes",
			    mk->page_size);
	mk->m->node_mem[node] = bytes - bytes % mk->page_size;
	return 0;
}

static int deal_memory(struct making *mk)
{
	unsigned long long mem =
		given(mk, MACHINE_MEM) ? mk->spec->mem : DEFAULT_MEM;
	unsigned long long pages = mem / mk->page_size;
	unsigned int nodes = node_bits_weight(&mk->nodes);
	unsigned long long more = pages % nodes;
	unsigned int node;

	if (mem && !pages)
		return give_memory(mk, node_bits_first(&mk->nodes), mem);
	for (node = node_bits_first(&mk->nodes); node < MACHINE_MAX_NODES;
	     node = node_bits_next(&mk->nodes, node + 1)) {
		mk->m->node_mem[node] =
			(pages / nodes + (more > 0)) * mk->page_size;
		more -= more > 0;
	}
	return 0;
}

static int give_all_memory(struct making *mk)
{
	unsigned int node;
	int err = 0;

	mk->m->totalram_pages = mk->spec->totalram_pages;
	if (!mk->by_node)
		return deal_memory(mk);
	for (node = 0; node < MACHINE_MAX_NODES && !err; node++)
		err = give_memory(mk, node, mk->spec->node_mem[node]);
	return err;
}

/* ------------------------------------------------------------------ */
/* Checking							      */

/* First CPU of @a that is not in @b, or MACHINE_MAX_CPUS. */
static unsigned int cpu_beyond(const struct cpu_bits *a,
			       const struct cpu_bits *b)
{
	struct cpu_bits beyond = *a;

	cpu_bits_andnot(&beyond, b);
	return cpu_bits_first(&beyond);
}

static unsigned int node_beyond(const struct node_bits *a,
				const struct node_bits *b)
{
	struct node_bits beyond = *a;

	node_bits_andnot(&beyond, b);
	return node_bits_first(&beyond);
}

static int check_cpu_masks(struct making *mk)
{
	const struct machine *m = mk->m;
	unsigned int cpu;

	cpu = cpu_beyond(&m->online_cpus, &m->possible_cpus);
	if (cpu < MACHINE_MAX_CPUS && given(mk, MACHINE_ONLINE_CPUS))
		return fail(mk->diag, given(mk, MACHINE_ONLINE_CPUS),
			    "CPU %u is online but not possible", cpu);
	cpu = cpu_beyond(&m->present_cpus, &m->possible_cpus);
	if (cpu < MACHINE_MAX_CPUS)
		return fail(
			mk->diag,
			blame(mk, MACHINE_PRESENT_CPUS, MACHINE_POSSIBLE_CPUS),
			"CPU %u is present but not possible", cpu);
	cpu = cpu_beyond(&m->online_cpus, &m->present_cpus);
	if (cpu < MACHINE_MAX_CPUS)
		return fail(
			mk->diag,
			blame(mk, MACHINE_ONLINE_CPUS, MACHINE_PRESENT_CPUS),
			"CPU %u is online but not present", cpu);
	if (cpu_bits_empty(&m->online_cpus))
		return fail(mk->diag, first_record(mk),
			    "no CPU is online: no node has CPUs, and "
			    "online-cpus is not given");
	return 0;
}

static int check_placed_cpus(struct making *mk)
{
	unsigned int cpu;

	cpu = cpu_beyond(&mk->listed, &mk->m->possible_cpus);
	if (cpu < MACHINE_MAX_CPUS)
		return fail(mk->diag, record_of_cpu(mk, cpu, MACHINE_CPUS),
			    "CPU %u is not possible", cpu);
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		if (mk->spec->cpu_record[cpu] >= 0 &&
		    !cpu_bits_test(&mk->m->possible_cpus, cpu))
			return fail(
				mk->diag,
				record_of_cpu(mk, cpu, MACHINE_POSSIBLE_CPUS),
				"CPU %u is not possible", cpu);
	return 0;
}

static int check_nodes(struct making *mk)
{
	const struct machine *m = mk->m;
	unsigned int node;

	node = node_beyond(&m->online_nodes, &m->possible_nodes);
	if (node < MACHINE_MAX_NODES && given(mk, MACHINE_ONLINE_NODES))
		return fail(mk->diag, given(mk, MACHINE_ONLINE_NODES),
			    "node %u is online but not possible", node);
	node = node_beyond(&mk->nodes, &m->possible_nodes);
	if (node < MACHINE_MAX_NODES)
		return fail(mk->diag,
			    record_of_node(mk, node, MACHINE_POSSIBLE_NODES),
			    "node %u is not possible", node);
	for (node = 0; node < MACHINE_MAX_NODES; node++)
		if (m->node_mem[node] &&
		    !node_bits_test(&m->online_nodes, node))
			return fail(
				mk->diag,
				record_of_node(mk, node, MACHINE_ONLINE_NODES),
				"node %u has memory but is not online", node);
	return 0;
}

static int check_node_of_cpu(struct making *mk, unsigned int cpu)
{
	const struct machine *m = mk->m;
	int node = m->cpu_node[cpu];

	if (node == MACHINE_NO_NODE)
		return 0;
	if (!node_bits_test(&m->possible_nodes, (unsigned int)node))
		return fail(mk->diag,
			    record_of_cpu(mk, cpu, MACHINE_POSSIBLE_NODES),
			    "node %d of CPU %u is not possible", node, cpu);
	if (cpu_bits_test(&m->online_cpus, cpu) &&
	    !node_bits_test(&m->online_nodes, (unsigned int)node))
		return fail(
			mk->diag, record_of_cpu(mk, cpu, MACHINE_ONLINE_NODES),
			"CPU %u is online but its node %d is not", cpu, node);
	return 0;
}

static int check_nodes_of_cpus(struct making *mk)
{
	unsigned int cpu;
	int err = 0;

	for (cpu = 0; cpu < MACHINE_MAX_CPUS && !err; cpu++)
		err = check_node_of_cpu(mk, cpu);
	return err;
}

static unsigned long long node_pages(const struct machine *m,
				     unsigned long page_size)
{
	unsigned long long pages = 0;
	unsigned int node;

	for (node = 0; node < MACHINE_MAX_NODES; node++)
		pages += m->node_mem[node] / page_size;
	return pages;
}

unsigned long long machine_total_pages(const struct machine *m,
				       unsigned long page_size)
{
	return m->totalram_pages ? m->totalram_pages : node_pages(m, page_size);
}

static int check_memory(struct making *mk)
{
	const struct machine_record *rec =
		blame(mk, MACHINE_MEM, MACHINE_TOTALRAM_PAGES);
	unsigned long long pages = node_pages(mk->m, mk->page_size);

	if (pages > MACHINE_MAX_PAGES)
		return fail(mk->diag, rec,
			    "all nodes together have more than "
			    "2^52 pages");
	if (!machine_total_pages(mk->m, mk->page_size))
		return fail(mk->diag, rec,
			    "no memory: no node has mem, and totalram-pages is "
			    "not given");
	return 0;
}

static int check_all(struct making *mk)
{
	int err = check_placed_cpus(mk);

	if (!err)
		err = check_cpu_masks(mk);
	if (!err)
		err = check_nodes(mk);
	if (!err)
		err = check_nodes_of_cpus(mk);
	if (!err)
		err = check_memory(mk);
	return err;
}

int machine_spec_finish(const struct machine_spec *spec,
			unsigned long page_size, struct machine *m,
			struct diag *diag)
{
	struct making mk = {
		.spec = spec, .m = m, .diag = diag, .page_size = page_size};
	unsigned int i;
	int err;

	for (i = 0; i < MACHINE_MAX_NODES; i++)
		mk.by_node |= spec->node_record[i] >= 0;
	memset(m, 0, sizeof(*m));
	err = read_cpu_masks(&mk);
	if (!err)
		err = read_node_masks(&mk);
	if (err)
		return err;
	default_cpu_masks(&mk);
	default_node_masks(&mk);
	place_all_cpus(&mk);
	err = give_all_memory(&mk);
	return err ? err : check_all(&mk);
}

/* ------------------------------------------------------------------ */
/* Text again							      */

/* Room for any value: a list, and what stands around it. */
#define VALUE_TEXT (LIST_TEXT + 64)

/* Takes one key and its value. */
typedef void (*emit_fn)(void *arg, const char *key, const char *value);

/* Where describe() puts keys, and which of the mask keys (by bit). */
struct description {
	const struct machine *m;
	unsigned int masks;
	emit_fn emit;
	void *arg;
	char value[VALUE_TEXT];
};

#define ALL_MASKS                                                    \
	(1U << MACHINE_POSSIBLE_NODES | 1U << MACHINE_ONLINE_NODES | \
	 1U << MACHINE_POSSIBLE_CPUS | 1U << MACHINE_PRESENT_CPUS |  \
	 1U << MACHINE_ONLINE_CPUS)

static void emit(struct description *d, enum machine_key key)
{
	d->emit(d->arg, key_info[key].name, d->value);
}

static const struct node_bits *node_mask_of(const struct machine *m,
					    enum machine_key key)
{
	return key == MACHINE_POSSIBLE_NODES ? &m->possible_nodes
					     : &m->online_nodes;
}

static const struct cpu_bits *cpu_mask_of(const struct machine *m,
					  enum machine_key key)
{
	if (key == MACHINE_POSSIBLE_CPUS)
		return &m->possible_cpus;
	return key == MACHINE_PRESENT_CPUS ? &m->present_cpus : &m->online_cpus;
}

static bool is_node_mask(enum machine_key key)
{
	return key == MACHINE_POSSIBLE_NODES || key == MACHINE_ONLINE_NODES;
}

static void describe_mask(struct description *d, enum machine_key key)
{
	if (is_node_mask(key))
		node_bits_format(node_mask_of(d->m, key), d->value, VALUE_TEXT);
	else
		cpu_bits_format(cpu_mask_of(d->m, key), d->value, VALUE_TEXT);
	emit(d, key);
}

static void describe_masks(struct description *d)
{
	unsigned int key;

	for (key = 0; key < MACHINE_KEYS; key++)
		if (d->masks & 1U << key)
			describe_mask(d, (enum machine_key)key);
}

/* The present CPUs of each node that has any. */
static void present_cpus_of(const struct machine *m, unsigned int node,
			    struct cpu_bits *cpus)
{
	unsigned int cpu;

	memset(cpus, 0, sizeof(*cpus));
	for (cpu = cpu_bits_first(&m->present_cpus); cpu < MACHINE_MAX_CPUS;
	     cpu = cpu_bits_next(&m->present_cpus, cpu + 1))
		if (m->cpu_node[cpu] == (int)node)
			cpu_bits_set(cpus, cpu);
}

static void describe_node(struct description *d, const struct node_bits *nodes,
			  const struct cpu_bits *cpus)
{
	unsigned long long mem = d->m->node_mem[node_bits_first(nodes)];
	bool has_cpus = !cpu_bits_empty(cpus);
	char size[SIZE_TEXT];
	size_t len;

	len = node_bits_format(nodes, d->value, VALUE_TEXT);
	if (has_cpus) {
		len += (size_t)snprintf(d->value + len, VALUE_TEXT - len,
					":cpus=");
		len += cpu_bits_format(cpus, d->value + len, VALUE_TEXT - len);
	}
	if (mem)
		snprintf(d->value + len, VALUE_TEXT - len, "%smem=%s",
			 has_cpus ? "," : ":", size_format(mem, size));
	emit(d, MACHINE_NODE);
}

/* Nodes that have present CPUs. */
static void nodes_with_cpus(const struct machine *m, struct node_bits *nodes)
{
	unsigned int cpu;

	memset(nodes, 0, sizeof(*nodes));
	for (cpu = cpu_bits_first(&m->present_cpus); cpu < MACHINE_MAX_CPUS;
	     cpu = cpu_bits_next(&m->present_cpus, cpu + 1))
		if (m->cpu_node[cpu] != MACHINE_NO_NODE)
			node_bits_set(nodes, (unsigned int)m->cpu_node[cpu]);
}

/* Take all nodes of @left that have as much memory as @node. */
static void take_alike(const struct machine *m, struct node_bits *left,
		       unsigned int node, struct node_bits *alike)
{
	unsigned int i;

	memset(alike, 0, sizeof(*alike));
	for (i = node; i < MACHINE_MAX_NODES; i = node_bits_next(left, i + 1))
		if (m->node_mem[i] == m->node_mem[node])
			node_bits_set(alike, i);
	node_bits_andnot(left, alike);
}

/* One key for each node with CPUs, one for all alike nodes without. */
static void describe_nodes(struct description *d)
{
	struct node_bits with_cpus;
	struct node_bits left = d->m->online_nodes;
	struct node_bits nodes;
	struct cpu_bits cpus;
	unsigned int node;

	nodes_with_cpus(d->m, &with_cpus);
	node_bits_andnot(&left, &with_cpus);
	for (node = 0; node < MACHINE_MAX_NODES; node++) {
		memset(&nodes, 0, sizeof(nodes));
		memset(&cpus, 0, sizeof(cpus));
		if (node_bits_test(&with_cpus, node)) {
			node_bits_set(&nodes, node);
			present_cpus_of(d->m, node, &cpus);
		} else if (node_bits_test(&left, node)) {
			take_alike(d->m, &left, node, &nodes);
		} else {
			continue;
		}
		describe_node(d, &nodes, &cpus);
	}
}

/* Is the CPU neither listed by its node nor where such CPUs are put? */
static bool needs_cpu_node(const struct machine *m, unsigned int cpu)
{
	int node = m->cpu_node[cpu];

	if (!cpu_bits_test(&m->possible_cpus, cpu))
		return false;
	if (node == MACHINE_NO_NODE)
		return true;
	return !cpu_bits_test(&m->present_cpus, cpu) &&
	       node != (int)node_bits_first(&m->online_nodes);
}

static void describe_cpu_node(struct description *d,
			      const struct cpu_bits *cpus, int node)
{
	size_t len = cpu_bits_format(cpus, d->value, VALUE_TEXT);

	if (node == MACHINE_NO_NODE)
		snprintf(d->value + len, VALUE_TEXT - len, "=none");
	else
		snprintf(d->value + len, VALUE_TEXT - len, "=%d", node);
	emit(d, MACHINE_CPU_NODE);
}

static void describe_cpu_nodes(struct description *d)
{
	struct cpu_bits left = {{0}};
	struct cpu_bits same;
	unsigned int cpu;
	unsigned int i;

	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		if (needs_cpu_node(d->m, cpu))
			cpu_bits_set(&left, cpu);
	while (!cpu_bits_empty(&left)) {
		cpu = cpu_bits_first(&left);
		memset(&same, 0, sizeof(same));
		for (i = cpu; i < MACHINE_MAX_CPUS;
		     i = cpu_bits_next(&left, i + 1))
			if (d->m->cpu_node[i] == d->m->cpu_node[cpu])
				cpu_bits_set(&same, i);
		cpu_bits_andnot(&left, &same);
		describe_cpu_node(d, &same, d->m->cpu_node[cpu]);
	}
}

static void describe_shortcuts(struct description *d)
{
	unsigned int cpus = cpu_bits_last(&d->m->present_cpus) + 1;
	unsigned int nodes = node_bits_last(&d->m->online_nodes) + 1;
	char size[SIZE_TEXT];

	snprintf(d->value, VALUE_TEXT, "%u", cpus);
	emit(d, MACHINE_CPUS);
	snprintf(d->value, VALUE_TEXT, "%u", nodes);
	emit(d, MACHINE_NODES);
	snprintf(d->value, VALUE_TEXT, "%s",
		 size_format(nodes * d->m->node_mem[0], size));
	emit(d, MACHINE_MEM);
}

static void describe(struct description *d, bool shortcuts)
{
	if (shortcuts) {
		describe_shortcuts(d);
	} else {
		describe_nodes(d);
		describe_cpu_nodes(d);
	}
	describe_masks(d);
	if (!d->m->totalram_pages)
		return;
	snprintf(d->value, VALUE_TEXT, "%llu", d->m->totalram_pages);
	emit(d, MACHINE_TOTALRAM_PAGES);
}

static void emit_to_file(void *arg, const char *key, const char *value)
{
	fprintf(arg, "%s = %s\n", key, value);
}

void machine_dump(const struct machine *m, FILE *out)
{
	struct description d = {m, ALL_MASKS, emit_to_file, out, ""};

	fprintf(out, "[machine]\n");
	describe(&d, false);
}

/* ------------------------------------------------------------------ */
/* Options without what the defaults say: start with all masks, and leave out
 * each whose absence gives the same machine.				      */

/* Any page size that divides the nodes' memory gives the same machine; the
 * smallest that a subject has does. */
#define TRIAL_PAGE 4096

struct trial {
	struct machine_spec spec;
	struct machine m;
	struct diag diag;
};

static void emit_to_spec(void *arg, const char *key, const char *value)
{
	struct trial *t = arg;

	machine_spec_key(&t->spec, key, value, NULL, &t->diag);
}

/* Does the description as it stands read back to the same machine? */
static bool reads_back(struct description *d, bool shortcuts)
{
	struct trial t;
	bool same;

	t.diag.text[0] = '\0';
	machine_spec_init(&t.spec);
	d->emit = emit_to_spec;
	d->arg = &t;
	describe(d, shortcuts);
	machine_spec_finish(&t.spec, TRIAL_PAGE, &t.m, &t.diag);
	same = !t.diag.text[0] && !memcmp(&t.m, d->m, sizeof(t.m));
	machine_spec_free(&t.spec);
	return same;
}

/* Choose the masks that have to be said; false: this form cannot say it. */
static bool choose_masks(struct description *d, bool shortcuts)
{
	unsigned int key;

	d->masks = ALL_MASKS;
	if (!reads_back(d, shortcuts))
		return false;
	for (key = 0; key < MACHINE_KEYS; key++) {
		if (!(ALL_MASKS & 1U << key))
			continue;
		d->masks &= ~(1U << key);
		if (!reads_back(d, shortcuts))
			d->masks |= 1U << key;
	}
	return true;
}

/* Would the shortcuts' even deal give this memory, whatever the page? */
static bool shortcuts_fit(const struct machine *m)
{
	unsigned int nodes = node_bits_last(&m->online_nodes) + 1;
	unsigned long long total;
	unsigned int i;

	for (i = 1; i < nodes; i++)
		if (m->node_mem[i] != m->node_mem[0])
			return false;
	return (nodes == 1 || !(m->node_mem[0] % 65536)) &&
	       !__builtin_mul_overflow(m->node_mem[0], nodes, &total);
}

struct options {
	char *buf;
	size_t size;
	size_t len;
};

static void put(struct options *o, const char *s)
{
	size_t len = strlen(s);
	size_t room = o->size > o->len ? o->size - o->len - 1 : 0;

	if (o->size > o->len) {
		memcpy(o->buf + o->len, s, len < room ? len : room);
		o->buf[o->len + (len < room ? len : room)] = '\0';
	}
	o->len += len;
}

static void emit_to_options(void *arg, const char *key, const char *value)
{
	struct options *o = arg;

	put(o, o->len ? " --" : "--");
	put(o, key);
	put(o, " ");
	put(o, value);
}

size_t machine_options(const struct machine *m, char *buf, size_t size)
{
	struct description d = {m, 0, NULL, NULL, ""};
	struct options o = {buf, size, 0};
	bool shortcuts = shortcuts_fit(m) && choose_masks(&d, true);

	if (!shortcuts && !choose_masks(&d, false))
		d.masks = ALL_MASKS;
	if (size)
		buf[0] = '\0';
	d.emit = emit_to_options;
	d.arg = &o;
	describe(&d, shortcuts);
	return o.len;
}
