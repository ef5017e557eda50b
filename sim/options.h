/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of the command line: one walk over argv for all commands, and the
 * options that describe what is simulated (machine, array, parameters). It
 * runs nothing.
 */
#ifndef RAID5SIM_OPTIONS_H
#define RAID5SIM_OPTIONS_H

#include <stdbool.h>

#include "array-spec.h"
#include "diag.h"
#include "machine.h"
#include "params.h"

enum option_arg {
	OPTION_FLAG,	 /* --name */
	OPTION_VALUE,	 /* --name VALUE or --name=VALUE */
	OPTION_OPTIONAL, /* --name or --name=VALUE */
};

/**
 * struct option_def - one option of a command
 * @name:	without "--"
 * @set:	called with its value, NULL when it has none; 0 or -EINVAL with
 *		the diag filled
 */
struct option_def {
	const char *name;
	enum option_arg arg;
	int (*set)(void *ctx, const char *value, struct diag *diag);
};

struct setup;

/**
 * struct option_walk - what a command accepts
 * @command:	its name, for messages
 * @defs:	its own options, ended by a NULL name
 * @setup:	where options of machine, array and parameters go, or NULL: the
 *		command has none of them
 * @operand:	called for each argument that is not an option, or NULL: none
 *		is accepted
 * @ctx:	for @set and @operand
 */
struct option_walk {
	const char *command;
	const struct option_def *defs;
	struct setup *setup;
	int (*operand)(void *ctx, const char *text, struct diag *diag);
	void *ctx;
};

/**
 * options_walk - go over the arguments in order
 * @argv:	the arguments after the command's name
 *
 * "--" ends the options. Return: 0 or -EINVAL with @diag filled.
 */
int options_walk(const struct option_walk *walk, int argc, char **argv,
		 struct diag *diag);

/**
 * struct setup - what is to be simulated, as described so far
 * @host:	--host was given: the machine is the one this runs on
 *
 * About 90 kB: keep it off small stacks.
 */
struct setup {
	struct machine_spec machine;
	struct array_spec array;
	struct param_list params;
	bool host;
};

void setup_init(struct setup *setup);
void setup_free(struct setup *setup);

/**
 * setup_key - an option of machine, array or parameters
 *
 * Options: those of machine.h and array-spec.h, "machine" (a file), "host"
 * and "param".
 *
 * Return: 0, -ENOENT (not one of these) or -EINVAL with @diag filled.
 */
int setup_key(struct setup *setup, const char *key, const char *value,
	      struct diag *diag);

/** setup_arg - what kind of argument @key takes; -ENOENT: not one of these */
int setup_arg(const char *key);

/**
 * shell_quote - add @text to @buf, quoted where a shell would split or expand
 * @buf:	a string; stays one, cut at @size - 1 bytes
 */
void shell_quote(char *buf, size_t size, const char *text);

#endif
