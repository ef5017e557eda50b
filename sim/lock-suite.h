/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own test of lockdep as part of `raid5sim selftest`.
 */
#ifndef RAID5SIM_LOCK_SUITE_H
#define RAID5SIM_LOCK_SUITE_H

#include "boundary.h"

/** lock_suite_run - boot @m, run it, print KTAP; the exit status */
int lock_suite_run(const struct machine *m);

#endif
