/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine files: an INI file with one section, [machine], whose keys are the
 * machine's options. Knows neither what the keys mean nor how lines are read.
 */
#include <errno.h>
#include <string.h>

#include "ini-lines.h"
#include "machine.h"

struct reading {
	struct machine_spec *spec;
	struct diag *diag;
};

static int on_line(void *arg, const struct source_pos *pos, const char *section,
		   const char *key, const char *value)
{
	struct reading *r = arg;
	int err;

	if (!key && strcmp(section, "machine"))
		return diag_set(r->diag, pos, NULL, NULL, "[machine]",
				"unknown section [%s]", section);
	if (!key)
		return 0;
	if (!*section)
		return diag_set(r->diag, pos, key, NULL, "[machine] above it",
				"a key outside of any section");
	err = machine_spec_key(r->spec, key, value, pos, r->diag);
	if (err == -ENOENT)
		err = diag_set(r->diag, pos, key, NULL, machine_keys(),
			       "unknown key");
	return err;
}

int machine_file_read(const char *path, struct machine_spec *spec,
		      struct diag *diag)
{
	struct reading r = {spec, diag};

	return ini_lines_parse(path, on_line, &r, diag);
}
