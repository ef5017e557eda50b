/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an array of level 4, 5 or 6 keeps its data and parity, and the
 * arithmetic of P and Q; written from the description of the layouts, without
 * looking anything up in the driver. It knows no disks and does no I/O.
 */
#ifndef RAID5SIM_GEOMETRY_H
#define RAID5SIM_GEOMETRY_H

#include <stdbool.h>

/* mddev->raid_disks of a level 6 array is at most 255 + 2 (GF(2^8)). */
#define GEOMETRY_DISKS 1920

/**
 * struct geometry - what decides where a sector is
 * @layout:	the driver's number (enum in drivers/md/raid5.h)
 * @disks:	slots, parity included
 * @chunk_sectors: 1 or more
 */
struct geometry {
	int level;
	int layout;
	unsigned int disks;
	unsigned long chunk_sectors;
};

/** geometry_known - is the layout one of this level, with disks enough? */
bool geometry_known(const struct geometry *g);

/** geometry_data_disks - slots of a stripe that hold data */
unsigned int geometry_data_disks(const struct geometry *g);

/**
 * struct stripe_row - which slot holds what in one row of chunks
 * @number:	of the row, from 0: the driver calls it a stripe
 * @p, @q:	slots; @q is -1 unless the level is 6
 * @data:	slots of the data chunks, in the order of the array's sectors
 * @power:	for each slot of data: Q is the sum of 2^@power times its bytes
 */
struct stripe_row {
	unsigned long long number;
	int p;
	int q;
	unsigned int data_disks;
	short data[GEOMETRY_DISKS];
	short power[GEOMETRY_DISKS];
};

/** geometry_row - row @number; @g is known */
void geometry_row(const struct geometry *g, unsigned long long number,
		  struct stripe_row *row);

/**
 * struct place_on_member - where a sector of the array is
 * @row:	number of the row of chunks
 * @index:	which of the row's data chunks
 * @slot:	of the member
 * @sector:	of the member's data
 */
struct place_on_member {
	unsigned long long row;
	unsigned int index;
	int slot;
	unsigned long long sector;
};

/** geometry_place - where sector @sector of the array is */
void geometry_place(const struct geometry *g, unsigned long long sector,
		    struct place_on_member *out);

/**
 * geometry_sector - the reverse
 * @index:	of the data chunk in its row
 * @member_sector: of the member's data
 *
 * Return: the array's sector.
 */
unsigned long long geometry_sector(const struct geometry *g, unsigned int index,
				   unsigned long long member_sector);

/* ------------------------------------------------------------------ */
/* GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1 (H. P. Anvin, "The mathematics   */
/* of RAID-6")							      */

unsigned char gf_mul(unsigned char a, unsigned char b);
/** gf_pow2 - 2 to the power @n */
unsigned char gf_pow2(unsigned int n);
/** gf_inverse - of @a, which is not 0 */
unsigned char gf_inverse(unsigned char a);

/**
 * parity_compute - P and Q of one sector of a row
 * @sector:	@sector[slot] is KERN_SECTOR bytes, for the slots of data
 * @p, @q:	results; @q may be NULL
 */
void parity_compute(const struct stripe_row *row, unsigned char *const *sector,
		    unsigned char *p, unsigned char *q);

/**
 * parity_recover - one or two sectors of a row from the others
 * @sector:	by slot, KERN_SECTOR bytes each; those of @a and @b are not
 *		read
 * @a, @b:	slots that are lost; @b -1: only one. Two need a Q
 * @out_a, @out_b: results
 *
 * Return: false: no parity is left that would tell.
 */
bool parity_recover(const struct stripe_row *row, unsigned char *const *sector,
		    int a, int b, unsigned char *out_a, unsigned char *out_b);

#endif
