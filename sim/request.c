/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests. The completion runs in interrupt context: it may compare and
 * remember, but whoever waits says what came of it, as the finding's place is
 * the submitter's.
 */
#include <stdio.h>
#include <string.h>

#include "pattern.h"
#include "request.h"
#include "vec.h"

void request_init(struct request *r, struct model *m, unsigned int sectors)
{
	memset(r, 0, sizeof(*r));
	r->model = m;
	r->buf = vec_checked(malloc((size_t)sectors * KERN_SECTOR));
}

void request_free(struct request *r)
{
	free(r->buf);
	r->buf = NULL;
}

static void on_complete(struct kern_io *io)
{
	struct request *r = io->arg;

	if (io->op == KERN_READ && !io->result)
		r->wrong = !model_check(r->model, &r->m, r->buf, r->why);
	model_end(r->model, &r->m, io->result);
}

static bool has_data(enum kern_io_op op)
{
	return op == KERN_READ || op == KERN_WRITE;
}

static void fill(struct request *r)
{
	char *at = r->buf;

	/* What a read leaves alone must not pass for data. */
	if (r->m.op == KERN_READ)
		memset(at, 0xee, (size_t)r->m.sectors * KERN_SECTOR);
	if (r->m.op != KERN_WRITE)
		return;
	for (unsigned int i = 0; i < r->m.sectors; i++)
		pattern_fill(at + (size_t)i * KERN_SECTOR, r->m.sector + i,
			     r->m.id);
}

void request_start(struct request *r, struct kern_array *a, enum kern_io_op op,
		   unsigned int flags, unsigned long long sector,
		   unsigned int sectors)
{
	r->m = (struct model_io){
		.op = op, .flags = flags, .sector = sector, .sectors = sectors};
	r->io = (struct kern_io){
		.op = op,
		.flags = flags,
		.sector = sector,
		.sectors = sectors,
		.buf = has_data(op) ? r->buf : NULL,
		.complete = on_complete,
		.arg = r,
	};
	r->wrong = false;
	r->under_way = true;
	model_begin(r->model, &r->m);
	fill(r);
	kern_io_submit(a, &r->io);
}

int request_finish(struct request *r)
{
	int result = kern_io_wait(&r->io);

	r->under_way = false;
	if (r->wrong)
		finding_add(FINDING_DATA_MISMATCH, NULL, "read: %s", r->why);
	return result;
}

void request_text(const struct request *r, char *buf, unsigned long size)
{
	static const char *const names[KERN_IO_OPS] = {
		[KERN_READ] = "read",
		[KERN_WRITE] = "write",
		[KERN_DISCARD] = "discard",
		[KERN_WRITE_ZEROES] = "write-zeroes",
		[KERN_FLUSH] = "flush",
	};

	if (r->m.op == KERN_FLUSH)
		snprintf(buf, size, "flush");
	else
		snprintf(buf, size, "%s of %u sectors at %llu", names[r->m.op],
			 r->m.sectors, r->m.sector);
}
