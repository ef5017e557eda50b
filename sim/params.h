/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of NAME and VALUE pairs as a person gave them: module parameters, and
 * attributes to try. It does not know which names a subject has.
 */
#ifndef RAID5SIM_PARAMS_H
#define RAID5SIM_PARAMS_H

#include "diag.h"

/* What an error message says is accepted. */
#define PARAM_FORM "NAME=VALUE, e.g. group_thread_cnt_default=4"

/**
 * struct param - one pair, copies
 * @pos:	where it was read; @pos.file is a copy too, NULL for an option
 */
struct param {
	char *name;
	char *value;
	struct source_pos pos;
};

/** struct param_list - pairs in the order given; all zero is empty */
struct param_list {
	struct param *param;
	unsigned int count;
};

/** param_add - one pair more; a name may come again, the later one counts */
void param_add(struct param_list *list, const char *name, const char *value,
	       const struct source_pos *pos);

/**
 * param_add_text - a pair from the text NAME=VALUE of an option
 * @key:	the option's name without "--", for the message
 *
 * Return: 0 or -EINVAL with @diag filled.
 */
int param_add_text(struct param_list *list, const char *key, const char *text,
		   struct diag *diag);

void param_list_free(struct param_list *list);

#endif
