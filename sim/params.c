/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of NAME and VALUE pairs. It does not know which names exist. */
#include <string.h>

#include "params.h"
#include "vec.h"

void param_add(struct param_list *list, const char *name, const char *value,
	       const struct source_pos *pos)
{
	struct param *p;
	void *base = list->param;

	p = vec_add(&base, &list->count, sizeof(*p));
	list->param = base;
	p->name = vec_copy(name);
	p->value = vec_copy(value);
	if (!pos || !pos->file)
		return;
	p->pos.file = vec_copy(pos->file);
	p->pos.line = pos->line;
}

int param_add_text(struct param_list *list, const char *key, const char *text,
		   struct diag *diag)
{
	const char *equals = strchr(text, '=');
	char *name;

	if (!equals || equals == text)
		return diag_set(diag, NULL, key, text, PARAM_FORM, "%s",
				equals ? "no name before '='" : "no '='");
	name = vec_copy_n(text, (size_t)(equals - text));
	param_add(list, name, equals + 1, NULL);
	free(name);
	return 0;
}

void param_list_free(struct param_list *list)
{
	for (unsigned int i = 0; i < list->count; i++) {
		free(list->param[i].name);
		free(list->param[i].value);
		free((char *)list->param[i].pos.file);
	}
	free(list->param);
	*list = (struct param_list){0};
}
