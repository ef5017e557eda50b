/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * See kern-fake.h. Here: data, parity, disks, tasks and schedules.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kern-fake.h"

struct kern_task {
	int joined;
};

static unsigned char *sector_at(struct kern_array *a, int disk,
				unsigned long long sector)
{
	return a->medium[disk] + sector * KERN_SECTOR;
}

static unsigned char media[FAKE_DISKS][FAKE_SECTORS * KERN_SECTOR];
static unsigned char kept[FAKE_DISKS][FAKE_SECTORS * KERN_SECTOR];

void fake_array_begin(struct kern_array *a, const struct array_desc *desc)
{
	memset(a, 0, sizeof(*a));
	a->desc = *desc;
	a->g = (struct geometry){desc->level, desc->layout,
				 (unsigned int)desc->disks,
				 desc->chunk_bytes / KERN_SECTOR};
	a->disks = (unsigned int)(desc->disks + desc->spares);
	assert_true(a->disks <= FAKE_DISKS);
	for (unsigned int d = 0; d < a->disks; d++) {
		a->medium[d] = media[d];
		a->kept[d] = kept[d];
		memset(media[d], 0, sizeof(media[d]));
		a->member[d] = (struct member_state){
			.in_array = 1,
			.in_sync = d < a->g.disks,
			.slot = d < a->g.disks ? (int)d : -1,
			.recovered = ~0ULL,
		};
	}
	a->running = 1;
}

void fake_array_end(struct kern_array *a)
{
	a->running = 0;
}

/* ------------------------------------------------------------------ */
/* Requests							      */

static void update_parity(struct kern_array *a, unsigned long long row_number,
			  unsigned long long sector, int p_too, int q_too)
{
	static struct stripe_row row;
	unsigned char *slots[FAKE_DISKS];
	unsigned char p[KERN_SECTOR], q[KERN_SECTOR];

	geometry_row(&a->g, row_number, &row);
	for (unsigned int d = 0; d < a->g.disks; d++)
		slots[d] = sector_at(a, (int)d, sector);
	parity_compute(&row, slots, p, q);
	if (p_too)
		memcpy(slots[row.p], p, KERN_SECTOR);
	if (row.q >= 0 && q_too)
		memcpy(slots[row.q], q, KERN_SECTOR);
}

static void write_sector(struct kern_array *a, unsigned long long sector,
			 const void *data, enum fake_fault fault)
{
	struct place_on_member at;

	if (fault == FAKE_LOST)
		return;
	geometry_place(&a->g, sector + (fault == FAKE_MISPLACED ? 8 : 0), &at);
	memcpy(sector_at(a, at.slot, at.sector), data,
	       fault == FAKE_HALF ? KERN_SECTOR / 2 : KERN_SECTOR);
	update_parity(a, at.row, at.sector, fault != FAKE_STALE_P,
		      fault != FAKE_STALE_Q);
}

static int do_write(struct kern_array *a, const struct kern_io *io)
{
	static const unsigned char zeros[KERN_SECTOR];
	enum fake_fault fault = FAKE_FINE;

	fake.writes++;
	if (fake.writes == fake.at_write ||
	    (fake.fault == FAKE_FAILS && fake.writes > fake.at_write))
		fault = fake.fault;
	if (fault == FAKE_FAILS)
		return -EIO;
	for (unsigned int i = 0; i < io->sectors; i++)
		write_sector(a, io->sector + i,
			     io->op == KERN_WRITE
				     ? (char *)io->buf + i * KERN_SECTOR
				     : (const char *)zeros,
			     fault);
	return 0;
}

static int do_read(struct kern_array *a, struct kern_io *io)
{
	struct place_on_member at;

	for (unsigned int i = 0; i < io->sectors; i++) {
		geometry_place(&a->g,
			       io->sector + i + (fake.wrong_read ? 1 : 0), &at);
		memcpy((char *)io->buf + i * KERN_SECTOR,
		       sector_at(a, at.slot, at.sector), KERN_SECTOR);
	}
	return 0;
}

void kern_io_submit(struct kern_array *a, struct kern_io *io)
{
	assert_true(a->running);
	fake.requests++;
	io->result = 0;
	if (io->op == KERN_READ)
		io->result = do_read(a, io);
	else if (io->op != KERN_FLUSH && io->op != KERN_DISCARD)
		io->result = do_write(a, io);
	io->done = 1;
	if (io->complete)
		io->complete(io);
}

int kern_io_wait(struct kern_io *io)
{
	assert_true(io->done);
	return io->result;
}

void kern_plug(int on)
{
	fake.plugs += on != 0;
}

void kern_io_check_idle(void)
{
}

void kern_check_rest(struct kern_array *a)
{
	(void)a;
	fake_call('R');
}

unsigned long kern_shrink(struct kern_array *a, unsigned long objects)
{
	(void)a;
	fake_call('k');
	return objects;
}

/* ------------------------------------------------------------------ */
/* Disks							      */

unsigned int kern_array_disks(const struct kern_array *a)
{
	return a->disks;
}

void kern_disk_read(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors, void *buf)
{
	memcpy(buf, sector_at(a, (int)disk, sector),
	       (size_t)sectors * KERN_SECTOR);
}

void kern_disk_fault(struct kern_array *a, unsigned int disk,
		     enum disk_fault_kind kind, unsigned long long sector,
		     unsigned long long sectors)
{
	(void)a;
	(void)disk;
	(void)sector;
	(void)sectors;
	fake_call((char)('0' + kind));
}

void kern_disk_heal(struct kern_array *a, unsigned int disk)
{
	(void)a;
	(void)disk;
	fake_call('h');
}

void kern_disk_times(struct kern_array *a, const struct disk_times *t)
{
	(void)a;
	fake.times = *t;
}

/* Nothing is ever in a cache: all that was written is kept. */
void kern_power_cut(struct kern_array *a, unsigned long long seed, int torn)
{
	(void)seed;
	(void)torn;
	fake_call('P');
	a->is_cut = 1;
	for (unsigned int d = 0; d < a->disks; d++)
		memcpy(a->kept[d], a->medium[d], FAKE_SECTORS * KERN_SECTOR);
}

/* ------------------------------------------------------------------ */
/* The array							      */

int kern_array_halt(struct kern_array *a)
{
	fake_call('H');
	if (fake.halt_rc)
		return fake.halt_rc;
	a->running = 0;
	for (unsigned int d = 0; a->is_cut && d < a->disks; d++)
		memcpy(a->medium[d], a->kept[d], FAKE_SECTORS * KERN_SECTOR);
	a->is_cut = 0;
	return 0;
}

int kern_array_assemble(struct kern_array *a, unsigned long long leave_out)
{
	(void)leave_out;
	fake_call('A');
	a->running = !fake.assemble_rc;
	return fake.assemble_rc;
}

static int member_call(char letter)
{
	fake_call(letter);
	return fake.member_rc;
}

int kern_member_fail(struct kern_array *a, unsigned int disk)
{
	a->member[disk].faulty = 1;
	return member_call('f');
}

int kern_member_remove(struct kern_array *a, unsigned int disk)
{
	a->member[disk].in_array = 0;
	return member_call('r');
}

int kern_member_add(struct kern_array *a, unsigned int disk, int re_add)
{
	(void)a;
	(void)disk;
	return member_call(re_add ? 'E' : 'a');
}

int kern_member_replace(struct kern_array *a, unsigned int disk)
{
	(void)a;
	(void)disk;
	return member_call('p');
}

int kern_sync_wait(struct kern_array *a)
{
	(void)a;
	fake_call('w');
	return fake.sync_rc;
}

void kern_member_state(struct kern_array *a, unsigned int disk,
		       struct member_state *out)
{
	*out = a->member[disk];
}

int kern_member_bad(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors)
{
	(void)a;
	return disk == fake.bad_disk && sector <= fake.bad_sector &&
	       fake.bad_sector < sector + sectors;
}

void kern_array_state(struct kern_array *a, struct array_state *out)
{
	*out = (struct array_state){
		.running = a->running,
		.level = a->g.level,
		.layout = a->g.layout,
		.disks = (int)a->g.disks,
		.chunk_sectors = a->g.chunk_sectors,
		.member_sectors = FAKE_SECTORS,
		.sectors = FAKE_SECTORS * geometry_data_disks(&a->g),
		.new_level = a->g.level,
		.new_layout = a->g.layout,
		.new_disks = (int)a->g.disks,
		.new_chunk_sectors = a->g.chunk_sectors,
		.reshape_position = fake.reshape_position,
		.resync_from = fake.resync_from,
	};
}

/* ------------------------------------------------------------------ */
/* Tasks and schedules						      */

struct kern_task *kern_task_start(const char *name, unsigned int cpu,
				  void (*fn)(void *arg), void *arg)
{
	(void)name;
	(void)cpu;
	fn(arg);
	return calloc(1, sizeof(struct kern_task));
}

void kern_task_join(struct kern_task *t)
{
	free(t);
}

void kern_sleep(unsigned long long ns)
{
	fake.slept += ns;
}

void kern_run_idle(void)
{
}

void kern_schedule(const struct schedule *s)
{
	fake.schedule = *s;
}

void kern_sched_record(int widths)
{
	(void)widths;
}

void kern_sched_stats(struct sched_stats *out)
{
	*out = (struct sched_stats){.points = 11, .trace_hash = 12};
}

unsigned int kern_sched_changes(const struct sched_change **out)
{
	*out = NULL;
	return 0;
}

unsigned long kern_sched_widths(const unsigned char **out)
{
	*out = NULL;
	return 0;
}

void finding_add(enum finding_kind kind, const void *pc, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	(void)pc;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fake_find(kind, text);
}
