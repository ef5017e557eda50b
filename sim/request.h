/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One request to an array, told to the model when it begins and ends, and a
 * read judged at the moment at which it completes. Knows no steps.
 */
#ifndef RAID5SIM_REQUEST_H
#define RAID5SIM_REQUEST_H

#include <stdbool.h>

#include "boundary.h"
#include "model.h"

/**
 * struct request - used again and again, for one request at a time
 * @io, @m:	the request, as the kernel side and as the model see it
 * @buf:	its data
 * @wrong:	a read saw what it may not have seen: @why
 */
struct request {
	struct kern_io io;
	struct model_io m;
	struct model *model;
	void *buf;
	bool under_way;
	bool wrong;
	char why[MODEL_WHY];
};

/** request_init - room for @sectors at most */
void request_init(struct request *r, struct model *m, unsigned int sectors);
void request_free(struct request *r);

/** request_start - submit; from a task. The one before has been finished */
void request_start(struct request *r, struct kern_array *a, enum kern_io_op op,
		   unsigned int flags, unsigned long long sector,
		   unsigned int sectors);

/** request_finish - wait for it, and add a finding data-mismatch when it read
 *  what it may not have read. Return: its result */
int request_finish(struct request *r);

/** request_text - "write of 8 sectors at 120" */
void request_text(const struct request *r, char *buf, unsigned long size);

#endif
