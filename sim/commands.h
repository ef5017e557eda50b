/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of raid5sim and the exit statuses they share. main.c chooses
 * among them.
 */
#ifndef RAID5SIM_COMMANDS_H
#define RAID5SIM_COMMANDS_H

#include <stdbool.h>

#include "diag.h"

/* What every command returns. */
enum exit_status {
	EXIT_AS_EXPECTED = 0,
	EXIT_FINDING = 1,	/* a finding, or an expectation not met */
	EXIT_USAGE = 2,		/* usage or bad input */
	EXIT_NOT_MODELLED = 125 /* what git bisect run skips */
};

/* @argv: the arguments after the command's name. */
int size_command(int argc, char **argv);
int run_command(int argc, char **argv);
int explore_command(int argc, char **argv);
int shrink_command(int argc, char **argv);
int layout_command(int argc, char **argv);
int info_command(int argc, char **argv);
int parity_command(int argc, char **argv);
int selftest_command(int argc, char **argv);
int locks_command(int argc, char **argv);

/** usage_print - help text of a command, or of raid5sim for NULL
 *  Return: false when there is no such command. */
bool usage_print(const char *command);
/** usage_commands - "size, run, ...", for messages */
const char *usage_commands(void);

/** bad_usage - print a diag to stderr; returns EXIT_USAGE */
int bad_usage(const struct diag *diag);

/** log_option - value of --log[=LEVEL]: print kernel messages up to a level */
int log_option(const char *value, struct diag *diag);

#endif
