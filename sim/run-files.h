/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which case files `raid5sim run FILE|DIR...` means. It opens none of them.
 */
#ifndef RAID5SIM_RUN_FILES_H
#define RAID5SIM_RUN_FILES_H

#include "diag.h"

/**
 * struct case_file - one file
 * @path:	as given, or below the folder that was given
 * @dir:	that folder, NULL: the file itself was given
 */
struct case_file {
	char *path;
	char *dir;
};

/** struct case_files - all zero is empty */
struct case_files {
	struct case_file *file;
	unsigned int count;
};

/**
 * case_files_add - a file, or all *.case below a folder
 *
 * Names that begin with a dot and links to folders are not followed.
 *
 * Return: 0, or -EINVAL with @diag filled: not there, not readable, or a
 * folder without any *.case.
 */
int case_files_add(struct case_files *files, const char *path,
		   struct diag *diag);

/** case_files_sort - by path, byte by byte; a path given twice counts once */
void case_files_sort(struct case_files *files);

void case_files_free(struct case_files *files);

#endif
