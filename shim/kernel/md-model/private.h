/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the md core tell each other. The unit around raid5.c
 * includes md.h instead and may not know this one.
 *
 *	md-run.c ──> md-array.c ──> md-sysfs.c
 *	    │             │
 *	    └─────────────┴──> md-recovery.c ──> md-thread.c ──> md-sysfs.c
 */
#ifndef RAID5SIM_MD_PRIVATE_H
#define RAID5SIM_MD_PRIVATE_H

#include "kernel/md.h"
#include "probes.h"

#define not_modelled(what)                                               \
	finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0), \
		      "not modelled: " what)

#ifdef HAVE_MDDEV_RESYNC_OFFSET
#define dirty_from resync_offset
#else
#define dirty_from recovery_cp
#endif

/* Bits of mddev->recovery and mddev->sb_flags, to be joined by |. */
#define RECOVERY(flag)	BIT(MD_RECOVERY_##flag)
#define SB_CHANGE(flag) BIT(MD_SB_CHANGE_##flag)

/* One bit after the other, in the order given: another CPU may look at any
 * moment between. */
#define change_bits(change, word, ...)                        \
	do {                                                  \
		static const u8 bits_[] = {__VA_ARGS__};      \
		unsigned int at_;                             \
                                                              \
		for (at_ = 0; at_ < ARRAY_SIZE(bits_); at_++) \
			change(bits_[at_], word);             \
	} while (0)
#define recovery_set(mddev, ...) \
	change_bits(set_bit, &(mddev)->recovery, __VA_ARGS__)
#define recovery_clear(mddev, ...) \
	change_bits(clear_bit, &(mddev)->recovery, __VA_ARGS__)
#define sb_flags_set(mddev, ...) \
	change_bits(set_bit, &(mddev)->sb_flags, __VA_ARGS__)
#define sb_flags_clear(mddev, ...) \
	change_bits(clear_bit, &(mddev)->sb_flags, __VA_ARGS__)

static inline bool recovery_any(struct mddev *mddev, unsigned long bits)
{
	return READ_ONCE(mddev->recovery) & bits;
}

/* ------------------------------------------------------------------ */
/* md-sysfs.c							      */

/** array_dir_create - an empty directory; raid_disks must be set */
void array_dir_create(struct mddev *mddev);
void array_dir_free(struct mddev *mddev);

/** array_dir_add_redundancy - the files of an array that can be recovered;
 *  0 or -EEXIST */
int array_dir_add_redundancy(struct mddev *mddev);
/** array_dir_leave_redundancy - have these files removed with the next
 *  mddev_unlock(), if nothing else is to be removed then */
void array_dir_leave_redundancy(struct mddev *mddev);
/** array_dir_remove - remove @group, and what the array, as it is now, may
 *  not have either */
void array_dir_remove(struct mddev *mddev, const struct attribute_group *group);

/* ------------------------------------------------------------------ */
/* md-thread.c							      */

/** array_suspended - no I/O is let in, by mddev_suspend() */
bool array_suspended(struct mddev *mddev);
#ifdef HAVE_MDDEV_SUSPEND_INT
/** array_resume - mddev_resume(), of one who looks for recovery himself when
 *  not @recovery_needed */
void array_resume(struct mddev *mddev, bool recovery_needed);
#endif
/** array_thread_stop - of mddev->thread, if there is one */
void array_thread_stop(struct mddev *mddev);

/* ------------------------------------------------------------------ */
/* md-recovery.c						      */

void array_recovery_init(struct mddev *mddev);
/** array_recovery_stop - wait until nothing recovers; the caller holds
 *  reconfig_mutex, which is dropped meanwhile */
void array_recovery_stop(struct mddev *mddev);
/** array_flush_events - wait for the work that md_error() queued */
void array_flush_events(struct mddev *mddev);

/* ------------------------------------------------------------------ */
/* md-array.c							      */

/** array_io_start - what md makes for I/O when an array starts: 0 or
 *  -ENOMEM, and nothing is left over then */
int array_io_start(struct mddev *mddev);
/** array_io_stop - undo array_io_start() */
void array_io_stop(struct mddev *mddev);
/** array_free - the array, which does not run, and its members */
void array_free(struct mddev *mddev);

#endif
