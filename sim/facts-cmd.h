/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `raid5sim facts`: observations on real kernels against this subject. The
 * table's format is facts-table.h's business.
 */
#ifndef RAID5SIM_FACTS_CMD_H
#define RAID5SIM_FACTS_CMD_H

/**
 * facts_command - compare every row of tables with this subject
 * @argv:	the arguments after the command's name:
 *
 *	[--line N] [--allocate] FILE.tsv...
 *
 *	--line N	only the row on line N of the (one) table
 *	--allocate	really grow the cache to any size that was written;
 *			otherwise what is above FACTS_GROW stripes is only
 *			asked for, with every allocation failing
 *
 * KTAP on stdout, one line a row; "SKIP" where this subject cannot answer.
 *
 * Return: of enum exit_status.
 */
int facts_command(int argc, char **argv);

/* Stripes up to which a write of a table is carried out in full. */
#define FACTS_GROW 8192

#endif
