/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an array may hold: for each sector the writes of which a read may see
 * one, now and after a power cut. It is told when requests begin and end, and
 * knows neither members nor parity nor how a request is made.
 *
 *	write 7 ends   write 8 begins      ends
 *	-----|---------------|--------------|-------->
 *	     {7}		{7, 8}	      {8}	a read may see
 *	     {7, older}	     {7, 8, older}    {8, 7, older}  after a power cut,
 *						       until a flush ends
 */
#ifndef RAID5SIM_MODEL_H
#define RAID5SIM_MODEL_H

#include <stdbool.h>

#include "boundary.h"

/* Room for any reason that model_check() gives. */
#define MODEL_WHY 224

struct model;

/**
 * struct model_io - a request, from model_begin() to model_end()
 * @op, @flags:	of KERN_*
 * @id:		the write's own, by model_begin(): pattern_fill() takes it
 * @began:	when; @prev, @next: the model's own
 */
struct model_io {
	enum kern_io_op op;
	unsigned int flags;
	unsigned long long sector;
	unsigned int sectors;
	unsigned int id;
	unsigned long long began;
	struct model_io *prev;
	struct model_io *next;
};

/** model_new - every sector is zeros */
struct model *model_new(void);
void model_free(struct model *m);

/** model_begin - just before @io is submitted */
void model_begin(struct model *m, struct model_io *io);

/**
 * model_end - at the moment at which @io has completed
 * @result:	0 or -errno. What a request that failed was to write may be
 *		there or not. A read that succeeded is to be given to
 *		model_check() before.
 *
 * A discard may do nothing: md leaves alone what is no whole stripe.
 */
void model_end(struct model *m, struct model_io *io, int result);

/**
 * model_check - may a read have seen this?
 * @io:		the read; each sector must be what was possible at some moment
 *		since it began
 * @data:	what it read, aligned to 8
 * @why:	"sector 1234 holds write 7 of sector 1226, expected write 9 or
 *		8", of the first one that is wrong
 *
 * When nothing was written meanwhile, later reads must see the same.
 *
 * Return: true: it may.
 */
bool model_check(struct model *m, const struct model_io *io, const void *data,
		 char why[MODEL_WHY]);

/** model_check_sector - the same for one sector that was read just now, while
 *  no request is under way */
bool model_check_sector(struct model *m, unsigned long long sector,
			const void *data, char why[MODEL_WHY]);

/**
 * model_may_be - could a read just now see zeros or write @id in @sector?
 */
bool model_may_be(struct model *m, unsigned long long sector, unsigned int id);

/** model_power_cut - what members keep is decided here and now; the model goes
 *  on as the machine does */
void model_power_cut(struct model *m);

/** model_power_on - what came after model_power_cut() never was. Nothing is
 *  done when there was none */
void model_power_on(struct model *m);

/**
 * model_written - sectors that were ever written, by ascending number
 * @from:	the first one that is asked for
 * @sector:	result: the first one not below @from
 * @sectors:	result: how many follow each other, up to the next multiple of
 *		64
 *
 * Return: false: there are none.
 */
bool model_written(struct model *m, unsigned long long from,
		   unsigned long long *sector, unsigned int *sectors);

/** model_under_way - requests that have begun and not ended */
unsigned int model_under_way(const struct model *m);

#endif
