/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The front end: finds the program of the subject that was asked for and
 * becomes it. It knows the folder they are built in, and nothing of what
 * they do.
 *
 *	build/raid5sim				this program
 *	build/subject/stock/raid5sim		one of those it becomes
 *	build/subject/posted/raid5sim
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "vec.h"

#define DEFAULT_SUBJECT "stock"
#define PROGRAM		"raid5sim"
/* What an error message lists of the subjects, at most. */
#define LISTED 512

/** struct names - subjects, sorted; all zero is empty */
struct names {
	char **name;
	unsigned int count;
};

static char base[PATH_MAX];

/* The folder of subjects, beside this very program. */
static int find_base(void)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n <= 0) {
		perror("raid5sim: /proc/self/exe");
		return -1;
	}
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	n = snprintf(base, sizeof(base), "%s/subject", self);
	return n < (int)sizeof(base) ? 0 : -1;
}

static void program_of(const char *subject, char *path, size_t size)
{
	snprintf(path, size, "%s/%s/%s", base, subject, PROGRAM);
}

static bool is_built(const char *subject)
{
	char path[PATH_MAX + NAME_MAX + sizeof(PROGRAM) + 2];

	if (!*subject || *subject == '.' || strchr(subject, '/') ||
	    strlen(subject) > NAME_MAX)
		return false;
	program_of(subject, path, sizeof(path));
	return !access(path, X_OK);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_names(struct names *names)
{
	DIR *d = opendir(base);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		void *array = names->name;
		char **slot;

		if (!is_built(e->d_name))
			continue;
		slot = vec_add(&array, &names->count, sizeof(*slot));
		names->name = array;
		*slot = vec_copy(e->d_name);
	}
	if (d)
		closedir(d);
	if (names->count)
		qsort(names->name, names->count, sizeof(*names->name), by_name);
}

static void free_names(struct names *names)
{
	for (unsigned int i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

static int not_built(const char *subject)
{
	struct names names = {0};
	char list[LISTED] = "none";
	size_t used = 0;

	find_names(&names);
	for (unsigned int i = 0; i < names.count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", i ? ", " : "", names.name[i]);
	fprintf(stderr,
		"raid5sim: --subject %s: no such subject is built; built: %s; "
		"to build one: make subject NAME=%s\n",
		subject, list, subject);
	free_names(&names);
	return EXIT_USAGE;
}

static int become(const char *subject, char **argv)
{
	char path[PATH_MAX + NAME_MAX + sizeof(PROGRAM) + 2];

	if (!is_built(subject))
		return not_built(subject);
	program_of(subject, path, sizeof(path));
	execv(path, argv);
	fprintf(stderr, "raid5sim: cannot run subject %s: %s\n", subject,
		strerror(errno));
	return EXIT_USAGE;
}

/* ------------------------------------------------------------------ */

/* Each subject's program says best what it is. */
static int ask(const char *subject)
{
	static char program[] = PROGRAM;
	static char info[] = "info";
	static char brief[] = "--brief";
	char *argv[] = {program, info, brief, NULL};
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(become(subject, argv));
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("raid5sim: cannot start a process");
		return EXIT_USAGE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_USAGE;
}

static int list_subjects(void)
{
	struct names names = {0};
	int ret = EXIT_AS_EXPECTED;

	find_names(&names);
	for (unsigned int i = 0; i < names.count; i++)
		if (ask(names.name[i]))
			ret = EXIT_USAGE;
	if (!names.count)
		printf("none; to build one: make subject NAME=%s\n",
		       DEFAULT_SUBJECT);
	free_names(&names);
	return ret;
}

static bool is_help(const char *arg)
{
	return !strcmp(arg, "--help") || !strcmp(arg, "-h");
}

static int subjects_command(int argc, char **argv)
{
	if (!argc)
		return list_subjects();
	if (is_help(argv[0]))
		return usage_print("subjects") ? 0 : EXIT_USAGE;
	fprintf(stderr, "raid5sim: subjects: unexpected argument '%s'\n",
		argv[0]);
	return EXIT_USAGE;
}

static int usage_error(const char *what, const char *arg)
{
	fprintf(stderr, "raid5sim: %s%s; accepted: %s\n", what, arg,
		usage_commands());
	return EXIT_USAGE;
}

/* Help needs no subject to be built. */
static int help_command(const char *command)
{
	if (!command || is_help(command))
		return usage_print(NULL) ? 0 : EXIT_USAGE;
	if (usage_print(command))
		return EXIT_AS_EXPECTED;
	return usage_error("no such command: ", command);
}

static int dispatch(const char *subject, int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : NULL;

	if (!command)
		return usage_error("no command given", "");
	if (is_help(command))
		return help_command(NULL);
	if (!strcmp(command, "help"))
		return help_command(argc > 2 ? argv[2] : NULL);
	if (!strcmp(command, "subjects"))
		return subjects_command(argc - 2, argv + 2);
	if (argc == 3 && is_help(argv[2]))
		return help_command(command);
	return become(subject, argv);
}

/*
 *	raid5sim --subject NAME size ...	argv
 *			   ^	becomes argv[0] of what is left
 */
int main(int argc, char **argv)
{
	static const char option[] = "--subject";
	const size_t len = sizeof(option) - 1;
	const char *subject = DEFAULT_SUBJECT;

	if (find_base())
		return EXIT_USAGE;
	while (argc > 1 && !strncmp(argv[1], option, len)) {
		int used = 1;

		if (argv[1][len] == '=') {
			subject = argv[1] + len + 1;
		} else if (!argv[1][len] && argc > 2) {
			subject = argv[2];
			used = 2;
		} else {
			fputs("raid5sim: --subject: needs a name\n", stderr);
			return EXIT_USAGE;
		}
		argv[used] = argv[0];
		argv += used;
		argc -= used;
	}
	return dispatch(subject, argc, argv);
}
