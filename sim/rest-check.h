/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the members of an array hold when nothing is going on: data as the
 * model says, parity that fits it, and each member recoverable from the rest.
 * It reads the disks, not the array, and maps sectors by its own geometry.
 */
#ifndef RAID5SIM_REST_CHECK_H
#define RAID5SIM_REST_CHECK_H

#include "boundary.h"
#include "model.h"

/**
 * rest_check - findings data-mismatch for what members hold that they must not
 *
 * Of all stripes that were ever written. Parity that is known to be out of
 * sync, members that are not recovered yet and an array that has failed are
 * no findings; neither is data that is still in a write-back journal.
 * Afterwards the model holds the members to what was seen.
 */
void rest_check(struct kern_array *a, struct model *m);

#endif
