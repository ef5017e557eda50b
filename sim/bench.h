/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the benchmark share: time, rounds, medians. Nothing else
 * includes it.
 */
#ifndef RAID5SIM_BENCH_H
#define RAID5SIM_BENCH_H

#include "boundary.h"

#define BENCH_ROUNDS 5 /* each measured once a round; the median counts */

/** bench_now - seconds of the wall clock */
double bench_now(void);
/** bench_median - of BENCH_ROUNDS values, which it sorts */
double bench_median(double *v);

/** bench_io - requests to an array; prints what it measures */
void bench_io(const struct array_desc *desc);

#endif
