/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk over the command line and the options that all commands that
 * simulate something share. What an option means is known to others:
 * machine.c, array-spec.c, the commands.
 */
#include <errno.h>
#include <string.h>

#include "options.h"

/* Is @word an item of "a, b, c"? */
static bool listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = list; s; s = strchr(s, ',')) {
		s += strspn(s, ", ");
		if (!strncmp(s, word, len) && (!s[len] || s[len] == ','))
			return true;
	}
	return false;
}

void setup_init(struct setup *setup)
{
	machine_spec_init(&setup->machine);
	array_spec_init(&setup->array);
	setup->params = (struct param_list){0};
	setup->host = false;
}

void setup_free(struct setup *setup)
{
	machine_spec_free(&setup->machine);
	param_list_free(&setup->params);
}

int setup_arg(const char *key)
{
	if (!strcmp(key, "host"))
		return OPTION_FLAG;
	if (!strcmp(key, "rotational"))
		return OPTION_OPTIONAL;
	if (!strcmp(key, "machine") || !strcmp(key, "param") ||
	    listed(array_keys(), key) || listed(machine_keys(), key))
		return OPTION_VALUE;
	return -ENOENT;
}

static int add_host(struct setup *setup, struct diag *diag)
{
	if (setup->host)
		return diag_set(diag, NULL, "host", NULL, NULL, "given twice");
	setup->host = true;
	return machine_from_host("", &setup->machine, diag);
}

int setup_key(struct setup *setup, const char *key, const char *value,
	      struct diag *diag)
{
	int err;

	if (!strcmp(key, "host"))
		return add_host(setup, diag);
	if (!strcmp(key, "machine"))
		return machine_file_read(value, &setup->machine, diag);
	if (!strcmp(key, "param"))
		return param_add_text(&setup->params, key, value, diag);
	if (!strcmp(key, "rotational") && !value)
		value = "yes";
	err = array_spec_key(&setup->array, key, value, NULL, diag);
	if (err != -ENOENT)
		return err;
	return machine_spec_key(&setup->machine, key, value, NULL, diag);
}

/* ------------------------------------------------------------------ */

/**
 * struct one - the option at hand
 * @name:	a copy, without "--" and "=VALUE"
 * @value:	after "=", else NULL
 * @def:	the command's own definition, NULL: the setup's
 * @arg:	enum option_arg, or -ENOENT
 */
struct one {
	char name[64];
	const char *value;
	const struct option_def *def;
	int arg;
};

static void split(const char *text, struct one *o)
{
	size_t len = strcspn(text, "=");

	memset(o, 0, sizeof(*o));
	if (text[len])
		o->value = text + len + 1;
	if (len >= sizeof(o->name))
		len = sizeof(o->name) - 1;
	memcpy(o->name, text, len);
}

static void look_up(const struct option_walk *w, struct one *o)
{
	for (const struct option_def *d = w->defs; d->name; d++) {
		if (strcmp(d->name, o->name))
			continue;
		o->def = d;
		o->arg = d->arg;
		return;
	}
	o->arg = w->setup ? setup_arg(o->name) : -ENOENT;
}

static int unknown(const struct option_walk *w, const char *name,
		   struct diag *diag)
{
	char accepted[64];

	snprintf(accepted, sizeof(accepted), "what raid5sim %s --help lists",
		 w->command);
	return diag_set(diag, NULL, name, NULL, accepted,
			"%s has no such option", w->command);
}

static int apply(const struct option_walk *w, const struct one *o,
		 struct diag *diag)
{
	if (o->def)
		return o->def->set(w->ctx, o->value, diag);
	return setup_key(w->setup, o->name, o->value, diag);
}

/* Returns how many arguments more it took, or -EINVAL. */
static int walk_option(const struct option_walk *w, int left, char **argv,
		       struct diag *diag)
{
	struct one o;
	int took = 0;

	split(argv[0] + 2, &o);
	look_up(w, &o);
	if (o.arg == -ENOENT)
		return unknown(w, o.name, diag);
	if (o.arg == OPTION_FLAG && o.value)
		return diag_set(diag, NULL, o.name, o.value, NULL,
				"takes no value");
	if (o.arg == OPTION_VALUE && !o.value) {
		if (left < 2)
			return diag_set(diag, NULL, o.name, NULL, NULL,
					"needs a value");
		o.value = argv[1];
		took = 1;
	}
	return apply(w, &o, diag) ? -EINVAL : took;
}

static int walk_operand(const struct option_walk *w, const char *text,
			struct diag *diag)
{
	if (w->operand)
		return w->operand(w->ctx, text, diag);
	return diag_set(diag, NULL, NULL, NULL, NULL,
			"%s: unexpected argument '%s'", w->command, text);
}

/* The only short options: -h is --help, -o FILE is --output FILE, and -jN
 * or -j N is --jobs N. */
static const char *long_form(const char *arg, char *buf, size_t size)
{
	if (!strcmp(arg, "-h"))
		return "--help";
	if (!strcmp(arg, "-o"))
		return "--output";
	if (!strcmp(arg, "-j"))
		return "--jobs";
	if (strncmp(arg, "-j", 2))
		return arg;
	snprintf(buf, size, "--jobs=%s", arg + 2);
	return buf;
}

static int walk_one(const struct option_walk *w, int left, char **argv,
		    struct diag *diag)
{
	char buf[32];
	const char *arg = long_form(argv[0], buf, sizeof(buf));
	char *pair[2] = {(char *)arg, left > 1 ? argv[1] : NULL};

	if (!strncmp(arg, "--", 2))
		return walk_option(w, left, pair, diag);
	if (arg[0] == '-' && arg[1])
		return diag_set(diag, NULL, NULL, NULL, NULL,
				"%s has no option %s", w->command, arg);
	return walk_operand(w, arg, diag);
}

int options_walk(const struct option_walk *w, int argc, char **argv,
		 struct diag *diag)
{
	bool only_operands = false;
	int took;

	for (int i = 0; i < argc; i += 1 + took) {
		took = 0;
		if (!only_operands && !strcmp(argv[i], "--"))
			only_operands = true;
		else if (only_operands)
			took = walk_operand(w, argv[i], diag);
		else
			took = walk_one(w, argc - i, argv + i, diag);
		if (took < 0)
			return -EINVAL;
	}
	return 0;
}

/* ------------------------------------------------------------------ */

static void append(char *buf, size_t size, const char *text, size_t len)
{
	size_t used = strlen(buf);
	size_t room = size - used - 1;

	if (len > room)
		len = room;
	memcpy(buf + used, text, len);
	buf[used + len] = '\0';
}

void shell_quote(char *buf, size_t size, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+,.:/@%^";
	size_t len = strlen(text);

	if (len && strspn(text, plain) == len) {
		append(buf, size, text, len);
		return;
	}
	append(buf, size, "'", 1);
	for (; *text; text++) {
		if (*text == '\'')
			append(buf, size, "'\\''", 4);
		else
			append(buf, size, text, 1);
	}
	append(buf, size, "'", 1);
}
