/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a write puts into a sector: 64 words, each of which says of itself
 * which write of which sector it belongs to, so that whatever a read finds can
 * be named. It knows no array and no history.
 */
#ifndef RAID5SIM_PATTERN_H
#define RAID5SIM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Writes that can be told apart: ids 1 .. PATTERN_IDS - 1; 0 is zeros. */
#define PATTERN_IDS (1U << 24)
/* Room for any pattern_text(). */
#define PATTERN_TEXT 128

enum pattern_kind {
	PATTERN_WHOLE,	 /* all of one write, or all zeros: id 0 */
	PATTERN_MIXED,	 /* of two, one after the other */
	PATTERN_UNKNOWN, /* what no write wrote */
};

/**
 * struct pattern_part - a write's part of a sector
 * @sector:	that the write meant, its lower 40 bits; 0 for zeros
 * @id:		the write
 */
struct pattern_part {
	unsigned long long sector;
	unsigned int id;
};

/**
 * struct pattern_seen - what a sector holds
 * @part:	mixed: the first one up to byte @split, then the other
 */
struct pattern_seen {
	enum pattern_kind kind;
	struct pattern_part part[2];
	unsigned int split;
};

/** pattern_fill - one sector, KERN_SECTOR bytes, aligned to 8
 *  @id: 0: zeros */
void pattern_fill(void *sector_data, unsigned long long sector,
		  unsigned int id);

/** pattern_is - would pattern_fill() have made it so? */
bool pattern_is(const void *sector_data, unsigned long long sector,
		unsigned int id);

/** pattern_read - name what is there */
void pattern_read(const void *sector_data, struct pattern_seen *out);

/**
 * pattern_text - in words: "write 7 of sector 1226", "zeros"
 * @sector:	where it was found: "of sector" is left out when it is the same
 *
 * Return: @buf.
 */
char *pattern_text(const struct pattern_seen *seen, unsigned long long sector,
		   char buf[PATTERN_TEXT]);

#endif
