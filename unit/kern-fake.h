/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A made-up kernel side for tests of the step engine: an array that really
 * keeps data and parity, on disks of a few megabytes, and can be told to
 * misbehave in each of the ways that the engine is to notice. Tasks run to
 * their end when they are started; a request is complete when submitted.
 */
#ifndef RAID5SIM_KERN_FAKE_H
#define RAID5SIM_KERN_FAKE_H

#include "boundary.h"
#include "geometry.h"

#define FAKE_DISKS   10
#define FAKE_SECTORS 2048ULL /* of each disk */

struct kern_array {
	int quiesced;
	int suspended;
	struct array_desc desc;
	struct geometry g;
	unsigned int disks;
	struct member_state member[FAKE_DISKS];
	unsigned char *medium[FAKE_DISKS];
	unsigned char *kept[FAKE_DISKS];
	int is_cut;
	int running;
};

/** enum fake_fault - what the @at_write-th write does wrong */
enum fake_fault {
	FAKE_FINE,
	FAKE_LOST,	/* nothing is written */
	FAKE_MISPLACED, /* it goes to the 8 sectors after its own */
	FAKE_HALF,	/* only the first half of each sector */
	FAKE_STALE_P,	/* P is not updated */
	FAKE_STALE_Q,
	FAKE_FAILS, /* -EIO, and all later ones too */
};

/**
 * struct fake - what it is told to do, and what was done to it
 * @min, @max:	what stripe_cache_size accepts; max 0: nothing
 * @fatal_touch: a touch ends the run
 * @warn_touch:	a touch adds a finding and goes on
 * @leak:	module exit adds a leak
 * @wrong_read:	reads give the sectors after their own
 * @bad_disk, @bad_sector: on the list of bad blocks
 * @resync_from, @reshape_position: what the array says of itself
 * @writes:	so far
 * @log:	calls in order, a letter each; requests are not logged
 */
struct fake {
	unsigned long long min;
	unsigned long long max;
	int create_rc;
	int init_rc;
	int halt_rc;
	int assemble_rc;
	int sync_rc;
	int member_rc;
	int fatal_touch;
	int warn_touch;
	int leak;
	int arrays;
	int failing;
	enum fake_fault fault;
	unsigned int at_write;
	int wrong_read;
	unsigned int bad_disk;
	unsigned long long bad_sector;
	unsigned long long resync_from;
	unsigned long long reshape_position;
	unsigned int writes;
	unsigned int requests;
	unsigned int plugs;
	unsigned long long slept;
	struct schedule schedule;
	struct disk_times times;
	unsigned int steps_ended;
	int strict;
	char log[64];
};

extern struct fake fake;
/* What run_guarded() and the fake found since fake_reset(). */
extern struct finding fake_found[32];
extern unsigned int fake_found_count;

/** fake_reset - before each test */
void fake_reset(void);
/** fake_call - add to the log */
void fake_call(char letter);
/** fake_find - add a finding in wake() */
void fake_find(enum finding_kind kind, const char *cause);

/* array-fake.c, for kern-fake.c */
void fake_array_begin(struct kern_array *a, const struct array_desc *desc);
void fake_array_end(struct kern_array *a);

#endif
