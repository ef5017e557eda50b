/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sizeof says in the distribution's kernels. Data only.
 */
#ifndef RAID5SIM_LAYOUT_TABLE_H
#define RAID5SIM_LAYOUT_TABLE_H

#include "boundary.h"

/**
 * layout_expected - bytes of a struct in the distribution's raid456 module
 * @s:		the subject; values are known for some kernels, configurations
 *		and word sizes only, and not where a series may change a struct
 * @name:	as in struct layout_row
 *
 * Return: bytes, 0 when not known.
 */
unsigned long layout_expected(const struct subject_info *s, const char *name);

#endif
