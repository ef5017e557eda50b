/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sizeof says in Debian's kernels for amd64 (raid456.ko of 6.12.117 and
 * of 6.1.192), read from the modules' debug information; the minimal
 * configuration's from a kernel built without BLK_CGROUP and
 * BLK_DEV_INTEGRITY. The sizing arithmetic of raid5.c rests on these.
 */
#include <ctype.h>
#include <string.h>

#include "layout-table.h"

/**
 * struct expected - one fact
 * @kernel:	major and minor version
 * @sized:	a series may change this struct
 */
struct expected {
	const char *kernel;
	const char *config;
	const char *name;
	unsigned long size;
	int sized;
};

static const struct expected table[] = {
	{"6.12", "debian", "bio", 128, 0},
	/* Without its dev[] tail, a flexible array. */
	{"6.12", "debian", "stripe_head", 224, 0},
	{"6.12", "debian", "r5dev", 368, 0},
	{"6.12", "debian", "r5worker", 176, 1},
	{"6.12", "debian", "r5worker_group", 56, 0},
	{"6.12", "debian", "r5conf", 1384, 1},
	{"6.12", "debian", "mddev", 2336, 0},
	{"6.12", "debian", "md_rdev", 384, 0},
	{"6.12", "debian", "spinlock", 4, 0},
	{"6.12", "debian", "mutex", 32, 0},
	{"6.12", "debian", "page", 64, 0},

	{"6.1", "debian", "bio", 128, 0},
	/* With dev[1]. */
	{"6.1", "debian", "stripe_head", 592, 0},
	{"6.1", "debian", "r5dev", 368, 0},
	{"6.1", "debian", "r5worker", 176, 1},
	{"6.1", "debian", "r5worker_group", 56, 0},
	{"6.1", "debian", "r5conf", 1432, 1},
	{"6.1", "debian", "mddev", 2320, 0},
	{"6.1", "debian", "md_rdev", 408, 0},
	{"6.1", "debian", "spinlock", 4, 0},
	{"6.1", "debian", "mutex", 32, 0},
	{"6.1", "debian", "page", 64, 0},

	{"6.12", "minimal", "bio", 96, 0},
	{"6.12", "minimal", "stripe_head", 224, 0},
	{"6.12", "minimal", "r5dev", 304, 0},
};

/* Is "6.12.117" a release of "6.12"? */
static int is_release_of(const char *kernel, const char *version)
{
	size_t len = strlen(version);

	return !strncmp(kernel, version, len) &&
	       !isdigit((unsigned char)kernel[len]);
}

static int applies(const struct subject_info *s, const struct expected *e,
		   const char *name)
{
	return !strcmp(e->name, name) && !strcmp(e->config, s->config) &&
	       is_release_of(s->kernel, e->kernel) &&
	       !(e->sized && s->modified);
}

unsigned long layout_expected(const struct subject_info *s, const char *name)
{
	/* Other words, pages and lock debugging make other structs. */
	if (s->word_bits != 64 || s->page_size != 4096 || s->lockdep)
		return 0;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (applies(s, &table[i], name))
			return table[i].size;
	return 0;
}
