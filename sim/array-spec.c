/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The array's keys: names, ranges and defaults. It creates no array and knows
 * no rule of the driver's, such as how many disks a level needs.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "array-spec.h"
#include "size.h"

#define SECTOR 512ULL
/* mddev->chunk_sectors is an int. */
#define CHUNK_MAX ((1ULL << 31) * SECTOR)
/* A sector_t of bytes still fits a loff_t. */
#define MEMBER_MAX (1ULL << 63)
/* MD_SB_DISKS and v1 metadata: (4096 - 256) / 2 device roles. */
#define DISKS_MAX 1920

/* The driver's numbers (enum in drivers/md/raid5.h), mdadm's names. */
static const struct {
	int number;
	const char *name;
} layouts[] = {
	{0, "left-asymmetric"},	    {1, "right-asymmetric"},
	{2, "left-symmetric"},	    {3, "right-symmetric"},
	{4, "parity-first"},	    {5, "parity-last"},
	{8, "ddf-zero-restart"},    {9, "ddf-N-restart"},
	{10, "ddf-N-continue"},	    {16, "left-asymmetric-6"},
	{17, "right-asymmetric-6"}, {18, "left-symmetric-6"},
	{19, "right-symmetric-6"},  {20, "parity-first-6"},
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

/* The place a value came from, for messages about it. */
struct given {
	const char *key;
	const char *value;
	const struct source_pos *pos;
	struct diag *diag;
};

static int refuse(const struct given *g, const char *form, const char *why)
{
	return diag_set(g->diag, g->pos, g->key, g->value, form, "%s", why);
}

static int parse_int(const struct given *g, int min, int max, const char *form,
		     int *out)
{
	unsigned long long n;
	const char *why;

	if (number_parse(g->value, (unsigned long long)min,
			 (unsigned long long)max, &n, &why))
		return refuse(g, form, why);
	*out = (int)n;
	return 0;
}

static int parse_bytes(const struct given *g, unsigned long long end,
		       const char *form, unsigned long long *out)
{
	unsigned long long bytes;
	const char *why;

	if (size_parse(g->value, &bytes, &why))
		return refuse(g, form, why);
	if (bytes >= end)
		return refuse(g, form, "too large");
	if (bytes % SECTOR)
		return refuse(g, form, "not a multiple of 512");
	*out = bytes;
	return 0;
}

static int set_level(struct array_desc *d, const struct given *g)
{
	return parse_int(g, 4, 6, "4, 5 or 6", &d->level);
}

static int set_disks(struct array_desc *d, const struct given *g)
{
	return parse_int(g, 1, DISKS_MAX, "1 to 1920 members", &d->disks);
}

static int set_chunk(struct array_desc *d, const struct given *g)
{
	unsigned long long bytes = 0;
	int err;

	err = parse_bytes(g, CHUNK_MAX,
			  "bytes in whole sectors, below 1T, e.g. 512K",
			  &bytes);
	if (err)
		return err;
	if (bytes > ~0UL)
		return refuse(g, "bytes, below 4G on 32 bits", "too large");
	d->chunk_bytes = (unsigned long)bytes;
	return 0;
}

static int set_layout(struct array_desc *d, const struct given *g)
{
	for (unsigned int i = 0; i < LAYOUTS; i++) {
		if (strcmp(g->value, layouts[i].name))
			continue;
		d->layout = layouts[i].number;
		return 0;
	}
	return parse_int(g, 0, 255,
			 "a name like left-symmetric, right-asymmetric, "
			 "parity-first, ddf-N-restart, left-symmetric-6, or "
			 "a number 0 to 255",
			 &d->layout);
}

static int set_member_size(struct array_desc *d, const struct given *g)
{
	return parse_bytes(g, MEMBER_MAX,
			   "bytes in whole sectors, below 2^63, e.g. 1G",
			   &d->member_bytes);
}

static int parse_yes_no(const struct given *g, int *out)
{
	if (strcmp(g->value, "yes") && strcmp(g->value, "no"))
		return refuse(g, "yes or no", "neither yes nor no");
	*out = !strcmp(g->value, "yes");
	return 0;
}

static int set_rotational(struct array_desc *d, const struct given *g)
{
	return parse_yes_no(g, &d->rotational);
}

/* The place of @g->value in @names, which ends with NULL; -1: not there. */
static int find_word(const struct given *g, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], g->value))
			return i;
	return -1;
}

static int set_metadata(struct array_desc *d, const struct given *g)
{
	static const char *const names[] = {
		[METADATA_NONE] = "none", [METADATA_1_2] = "1.2", NULL};
	int i = find_word(g, names);

	if (i < 0)
		return refuse(g, "none or 1.2", "unknown metadata");
	d->metadata = (enum array_metadata)i;
	return 0;
}

static int set_log(struct array_desc *d, const struct given *g)
{
	static const char *const names[] = {[LOG_NONE] = "none",
					    [LOG_BITMAP] = "bitmap",
					    [LOG_JOURNAL] = "journal",
					    [LOG_PPL] = "ppl",
					    NULL};
	int i = find_word(g, names);

	if (i < 0)
		return refuse(g, "none, bitmap, journal or ppl", "unknown log");
	d->log = (enum array_log)i;
	return 0;
}

static int set_log_size(struct array_desc *d, const struct given *g)
{
	return parse_bytes(g, MEMBER_MAX,
			   "bytes in whole sectors: of the journal, or that a "
			   "bit of the bitmap stands for",
			   &d->log_bytes);
}

static int set_spares(struct array_desc *d, const struct given *g)
{
	return parse_int(g, 0, DISKS_MAX, "0 to 1920 spares", &d->spares);
}

static int set_missing(struct array_desc *d, const struct given *g)
{
	return parse_int(g, 0, DISKS_MAX, "0 to 1920 members", &d->missing);
}

/* The kernel's name of the attribute, and its values, queue/write_cache. */
static int set_write_cache(struct array_desc *d, const struct given *g)
{
	static const char *const names[] = {"write back", "write through",
					    NULL};
	int i = find_word(g, names);

	if (i < 0)
		return refuse(g, "write back or write through",
			      "unknown cache");
	d->write_through = i;
	return 0;
}

static int set_dirty(struct array_desc *d, const struct given *g)
{
	return parse_yes_no(g, &d->dirty);
}

static const struct {
	const char *name;
	int (*set)(struct array_desc *d, const struct given *g);
} keys[] = {
	{"level", set_level},
	{"disks", set_disks},
	{"chunk", set_chunk},
	{"layout", set_layout},
	{"member-size", set_member_size},
	{"rotational", set_rotational},
	{"metadata", set_metadata},
	{"log", set_log},
	{"log-size", set_log_size},
	{"spares", set_spares},
	{"missing", set_missing},
	{"write-cache", set_write_cache},
	{"dirty", set_dirty},
};

#define OPTION_KEYS "level, disks, chunk, layout, member-size, rotational"
#define KEYS	    (sizeof(keys) / sizeof(keys[0]))

const char *array_keys(void)
{
	return OPTION_KEYS;
}

const char *array_case_keys(void)
{
	return OPTION_KEYS ", metadata, log, log-size, spares, missing, "
			   "write-cache, dirty";
}

void array_spec_init(struct array_spec *spec)
{
	*spec = (struct array_spec){
		.desc =
			{
				.name = "md0",
				.level = 5,
				.layout = 2,
				.disks = 4,
				.chunk_bytes = 512UL << 10,
				.member_bytes = 1ULL << 30,
			},
	};
}

int array_spec_key(struct array_spec *spec, const char *key, const char *value,
		   const struct source_pos *pos, struct diag *diag)
{
	struct given g = {key, value, pos, diag};

	for (unsigned int i = 0; i < KEYS; i++) {
		if (strcmp(key, keys[i].name))
			continue;
		if (spec->given & 1U << i)
			return refuse(&g, NULL, "given twice");
		spec->given |= 1U << i;
		return keys[i].set(&spec->desc, &g);
	}
	return -ENOENT;
}

/* Is the key that @set sets among those given? */
static bool was_given(const struct array_spec *spec,
		      int (*set)(struct array_desc *d, const struct given *g))
{
	for (unsigned int i = 0; i < KEYS; i++)
		if (keys[i].set == set)
			return spec->given & 1U << i;
	return false;
}

int array_spec_finish(struct array_spec *spec, const char *file,
		      struct diag *diag)
{
	struct source_pos pos = {file, 0};
	struct array_desc *d = &spec->desc;

	if (d->log != LOG_NONE && !was_given(spec, set_metadata))
		d->metadata = METADATA_1_2;
	if (d->log != LOG_NONE && d->metadata == METADATA_NONE)
		return diag_set(diag, &pos, "log", NULL, "1.2, or no log",
				"metadata = none has no room for it");
	if (d->missing > d->disks)
		return diag_set(diag, &pos, "missing", NULL, NULL,
				"more than there are disks");
	return 0;
}

const char *array_layout_name(int layout)
{
	for (unsigned int i = 0; i < LAYOUTS; i++)
		if (layouts[i].number == layout)
			return layouts[i].name;
	return NULL;
}

size_t array_options(const struct array_desc *desc, char *buf, size_t size)
{
	const char *layout = array_layout_name(desc->layout);
	char number[16];
	char chunk[SIZE_TEXT];
	char member[SIZE_TEXT];

	snprintf(number, sizeof(number), "%d", desc->layout);
	return (size_t)snprintf(buf, size,
				"--disks %d --level %d --chunk %s --layout %s "
				"--member-size %s%s",
				desc->disks, desc->level,
				size_format(desc->chunk_bytes, chunk),
				layout ? layout : number,
				size_format(desc->member_bytes, member),
				desc->rotational ? " --rotational" : "");
}
