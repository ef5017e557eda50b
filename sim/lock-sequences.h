/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random sequences of lock operations, judged by lockdep and by the always-on
 * checker: part of `raid5sim selftest`.
 */
#ifndef RAID5SIM_LOCK_SEQUENCES_H
#define RAID5SIM_LOCK_SEQUENCES_H

#include "boundary.h"

/**
 * enum agreement - what the two said of a sequence
 * @BOTH_QUIET:	neither found anything
 * @BOTH_FOUND:	both found the fault
 * @LOCKDEP_ALONE: a matter of order between locks, which only it can know
 * @DISAGREE:	one of them missed what both can see, or saw what is not
 */
enum agreement { BOTH_QUIET, BOTH_FOUND, LOCKDEP_ALONE, DISAGREE, AGREEMENTS };

/** lock_sequence_judge - @f: the @n findings of a sequence that ended in @last */
enum agreement lock_sequence_judge(enum lock_op last, const struct finding *f,
				   unsigned int n);

/** lock_sequences_run - `--lock-sequences N [SEED]`; prints KTAP; the exit
 *  status */
int lock_sequences_run(const struct machine *m, int argc, char **argv);

#endif
