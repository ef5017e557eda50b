/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program of one subject: chooses the command. Which subject it is was
 * settled when it was linked; the front end (front.c) picks among them.
 */
#include <stdio.h>
#include <string.h>

#include "boundary.h"
#include "commands.h"
#include "facts-cmd.h"
#include "host/run.h"
#include "size.h"

/* The kernel's levels: 0 emergency .. 7 debug (include/linux/kern_levels.h). */
#define LOG_DEFAULT 6
#define LOG_DEBUG   7

static int log_level;

static void print_log(int level, const char *text, void *arg)
{
	size_t len = strlen(text);

	(void)arg;
	if (level > log_level)
		return;
	fprintf(stderr, "kernel: %s%s", text,
		len && text[len - 1] == '\n' ? "" : "\n");
}

int log_option(const char *value, struct diag *diag)
{
	unsigned long long level = LOG_DEFAULT;
	const char *why;

	if (value && number_parse(value, 0, LOG_DEBUG, &level, &why))
		return diag_set(diag, NULL, "log", value,
				"a level, 0 (emergencies only) to 7 (debug)",
				"%s", why);
	log_level = (int)level;
	host_log_sink(print_log, NULL);
	return 0;
}

int bad_usage(const struct diag *diag)
{
	fprintf(stderr, "%s\n", diag->text);
	return EXIT_USAGE;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"size", size_command},	      {"run", run_command},
	{"explore", explore_command}, {"shrink", shrink_command},
	{"layout", layout_command},   {"facts", facts_command},
	{"parity", parity_command},   {"selftest", selftest_command},
	{"locks", locks_command},    {"info", info_command},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int unknown(const char *name)
{
	struct diag diag = {""};

	diag_set(&diag, NULL, NULL, NULL, usage_commands(),
		 "no such command: %s", name);
	return bad_usage(&diag);
}

static int no_command(void)
{
	struct diag diag = {""};

	diag_set(&diag, NULL, NULL, NULL, usage_commands(), "no command given");
	return bad_usage(&diag);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return no_command();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return usage_print(NULL) ? EXIT_AS_EXPECTED : EXIT_USAGE;
	place_init(kern_source_dirs, kern_source_dirs_count);
	for (unsigned int i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].run(argc - 2, argv + 2);
	return unknown(argv[1]);
}
