/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds case files below folders. The order in which a file system lists
 * names must not show: everything is sorted.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "run-files.h"
#include "vec.h"

#define SUFFIX ".case"

static void add_file(struct case_files *files, const char *path,
		     const char *dir)
{
	void *base = files->file;
	struct case_file *f = vec_add(&base, &files->count, sizeof(*f));

	files->file = base;
	f->path = vec_copy(path);
	f->dir = dir ? vec_copy(dir) : NULL;
}

static int cannot(const char *path, struct diag *diag)
{
	struct source_pos pos = {path, 0};

	return diag_set(diag, &pos, NULL, NULL, NULL, "cannot read: %s",
			strerror(errno));
}

static char *join(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	size_t size = len + strlen(name) + 2;
	char *path = vec_checked(malloc(size));

	snprintf(path, size, "%s%s%s", dir,
		 len && dir[len - 1] == '/' ? "" : "/", name);
	return path;
}

static bool has_suffix(const char *name)
{
	size_t len = strlen(name);

	return len > sizeof(SUFFIX) - 1 &&
	       !strcmp(name + len - (sizeof(SUFFIX) - 1), SUFFIX);
}

static int walk(struct case_files *files, const char *top, const char *dir,
		struct diag *diag);

static int visit(struct case_files *files, const char *top, const char *path,
		 const char *name, struct diag *diag)
{
	struct stat st;

	if (lstat(path, &st))
		return cannot(path, diag);
	if (S_ISDIR(st.st_mode))
		return walk(files, top, path, diag);
	if (has_suffix(name) && !stat(path, &st) && !S_ISREG(st.st_mode))
		return diag_set(diag, &(struct source_pos){.file = path}, NULL,
				NULL, NULL, "not a regular file");
	if (has_suffix(name))
		add_file(files, path, top);
	return 0;
}

static int walk(struct case_files *files, const char *top, const char *dir,
		struct diag *diag)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int err = 0;

	if (!d)
		return cannot(dir, diag);
	while (!err && (e = readdir(d))) {
		char *path;

		if (e->d_name[0] == '.')
			continue;
		path = join(dir, e->d_name);
		err = visit(files, top, path, e->d_name, diag);
		free(path);
	}
	closedir(d);
	return err;
}

int case_files_add(struct case_files *files, const char *path,
		   struct diag *diag)
{
	unsigned int before = files->count;
	struct source_pos pos = {path, 0};
	struct stat st;

	if (!strcmp(path, "-")) {
		add_file(files, path, NULL);
		return 0;
	}
	if (stat(path, &st))
		return cannot(path, diag);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return diag_set(diag, &pos, NULL, NULL, NULL,
				"not a regular file or a folder");
	if (!S_ISDIR(st.st_mode)) {
		add_file(files, path, NULL);
		return 0;
	}
	if (walk(files, path, path, diag))
		return -EINVAL;
	if (files->count == before)
		return diag_set(diag, &pos, NULL, NULL, NULL,
				"no *.case file in this folder");
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const struct case_file *x = a;
	const struct case_file *y = b;

	return strcmp(x->path, y->path);
}

static void free_file(struct case_file *f)
{
	free(f->path);
	free(f->dir);
}

void case_files_sort(struct case_files *files)
{
	struct case_file *f = files->file;
	unsigned int kept = 0;

	if (!files->count)
		return;
	qsort(f, files->count, sizeof(*f), by_path);
	for (unsigned int i = 1; i < files->count; i++) {
		if (strcmp(f[kept].path, f[i].path))
			f[++kept] = f[i];
		else
			free_file(&f[i]);
	}
	files->count = kept + 1;
}

void case_files_free(struct case_files *files)
{
	for (unsigned int i = 0; i < files->count; i++)
		free_file(&files->file[i]);
	free(files->file);
	*files = (struct case_files){0};
}
