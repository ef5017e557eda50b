/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Word i of a sector is a bijection of (write, sector) and i:
 *
 *	 63     40 39          0
 *	| write id | sector     |  + i * odd constant --> mix() --> word i
 *
 * mix() is not linear, so that no xor of patterns, such as a parity, is a
 * pattern again. It is the finaliser of splitmix64 (Steele, Lea and Flood,
 * OOPSLA 2014), whose steps can be undone one by one.
 */
#include <stdio.h>
#include <string.h>

#include "boundary.h"
#include "pattern.h"

#define WORDS	    (KERN_SECTOR / sizeof(unsigned long long))
#define SECTOR_BITS 40
#define SECTOR_MASK ((1ULL << SECTOR_BITS) - 1)
#define STEP	    0x9e3779b97f4a7c15ULL
#define FACTOR_1    0xbf58476d1ce4e5b9ULL
#define FACTOR_2    0x94d049bb133111ebULL
#define INVERSE_1   0x96de1b173f119089ULL /* FACTOR_1 * INVERSE_1 = 1 */
#define INVERSE_2   0x319642b2d24d8ec3ULL

static unsigned long long mix(unsigned long long z)
{
	z = (z ^ z >> 30) * FACTOR_1;
	z = (z ^ z >> 27) * FACTOR_2;
	return z ^ z >> 31;
}

static unsigned long long unmix(unsigned long long z)
{
	z = (z ^ z >> 31 ^ z >> 62) * INVERSE_2;
	z = (z ^ z >> 27 ^ z >> 54) * INVERSE_1;
	return z ^ z >> 30 ^ z >> 60;
}

static unsigned long long payload(unsigned long long sector, unsigned int id)
{
	return (unsigned long long)id << SECTOR_BITS | (sector & SECTOR_MASK);
}

static unsigned long long word(unsigned long long what, unsigned int i)
{
	return mix(what + (i + 1) * STEP);
}

void pattern_fill(void *sector_data, unsigned long long sector, unsigned int id)
{
	unsigned long long what = payload(sector, id);
	unsigned long long *out = sector_data;

	if (!id) {
		memset(out, 0, KERN_SECTOR);
		return;
	}
	for (unsigned int i = 0; i < WORDS; i++)
		out[i] = word(what, i);
}

bool pattern_is(const void *sector_data, unsigned long long sector,
		unsigned int id)
{
	unsigned long long what = payload(sector, id);
	const unsigned long long *in = sector_data;
	unsigned long long differs = 0;

	for (unsigned int i = 0; i < WORDS; i++)
		differs |= in[i] ^ (id ? word(what, i) : 0);
	return !differs;
}

static struct pattern_part part_of(unsigned long long w, unsigned int i)
{
	unsigned long long what = unmix(w) - (i + 1) * STEP;

	if (!w)
		return (struct pattern_part){0, 0};
	return (struct pattern_part){what & SECTOR_MASK,
				     (unsigned int)(what >> SECTOR_BITS)};
}

static bool same(const struct pattern_part *a, const struct pattern_part *b)
{
	return a->id == b->id && a->sector == b->sector;
}

/* A run of words that agree is no chance; single ones may be. */
void pattern_read(const void *sector_data, struct pattern_seen *out)
{
	const unsigned long long *in = sector_data;
	unsigned int parts = 1;

	*out = (struct pattern_seen){.kind = PATTERN_WHOLE};
	out->part[0] = part_of(in[0], 0);
	for (unsigned int i = 1; i < WORDS && parts <= 2; i++) {
		struct pattern_part p = part_of(in[i], i);

		if (same(&p, &out->part[parts - 1]))
			continue;
		if (parts == 1) {
			out->part[1] = p;
			out->split = i * (unsigned int)sizeof(*in);
		}
		parts++;
	}
	if (parts == 2)
		out->kind = PATTERN_MIXED;
	if (parts > 2)
		out->kind = PATTERN_UNKNOWN;
}

static void part_text(const struct pattern_part *p, unsigned long long sector,
		      char *buf, size_t size)
{
	if (!p->id)
		snprintf(buf, size, "zeros");
	else if (p->sector == (sector & SECTOR_MASK))
		snprintf(buf, size, "write %u", p->id);
	else
		snprintf(buf, size, "write %u of sector %llu", p->id,
			 p->sector);
}

char *pattern_text(const struct pattern_seen *seen, unsigned long long sector,
		   char buf[PATTERN_TEXT])
{
	char first[PATTERN_TEXT / 2 - 8];
	char second[PATTERN_TEXT / 2 - 8];

	part_text(&seen->part[0], sector, first, sizeof(first));
	part_text(&seen->part[1], sector, second, sizeof(second));
	if (seen->kind == PATTERN_UNKNOWN)
		snprintf(buf, PATTERN_TEXT, "what no write wrote");
	else if (seen->kind == PATTERN_WHOLE)
		snprintf(buf, PATTERN_TEXT, "%s", first);
	else
		snprintf(buf, PATTERN_TEXT, "%s, from byte %u %s", first,
			 seen->split, second);
	return buf;
}
