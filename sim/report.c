/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How findings, machine, array and subject read, and replay commands. It
 * decides nothing and runs nothing.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "host/run.h"
#include "list.h"
#include "report.h"
#include "size.h"
#include "vec.h"

/* Room for a replay command but the machine's part and the lists'. */
#define REPLAY_FIXED 512

static void print_place(FILE *out, const struct place *p)
{
	if (p->function[0])
		fprintf(out, " in %s()", p->function);
	if (!p->file[0])
		return;
	fprintf(out, "%s%s", p->function[0] ? ", " : " in ", p->file);
	if (p->line)
		fprintf(out, ":%u", p->line);
}

static void print_detail(FILE *out, const char *prefix, const char *detail)
{
	size_t len;

	for (; *detail; detail += len + 1) {
		len = strcspn(detail, "\n");
		fprintf(out, "%s    %.*s\n", prefix, (int)len, detail);
		if (!detail[len])
			break;
	}
}

void report_finding(FILE *out, const char *prefix, const char *label,
		    const struct finding *f, const char *replay)
{
	fprintf(out, "%s%s%s", prefix, label, finding_kind_name(f->kind));
	print_place(out, &f->where);
	fprintf(out, "\n%s  %s\n", prefix, f->cause);
	print_detail(out, prefix, f->detail);
	if (replay)
		fprintf(out, "%s  replay: %s\n", prefix, replay);
}

static const char *text_or_null(const char *s)
{
	return *s ? s : NULL;
}

void report_finding_json(struct json *j, const struct finding *f,
			 const char *replay)
{
	json_object(j, NULL);
	json_string(j, "kind", finding_kind_name(f->kind));
	json_string(j, "function", text_or_null(f->where.function));
	json_string(j, "file", text_or_null(f->where.file));
	if (f->where.line)
		json_uint(j, "line", f->where.line);
	else
		json_null(j, "line");
	json_string(j, "cause", f->cause);
	json_string(j, "detail", text_or_null(f->detail));
	json_string(j, "replay", replay);
	json_end(j);
}

void report_subject(FILE *out)
{
	const struct subject_info *s = &kern_subject;
	char page[SIZE_TEXT];

	fprintf(out, "%s: linux %s, config %s, %u bits, pages of %s%s%s, ",
		s->name, s->kernel, s->config, s->word_bits,
		size_format(s->page_size, page), s->lockdep ? ", lockdep" : "",
		s->md_model ? ", modelled md core" : "");
	if (!s->modified)
		fprintf(out, "unmodified\n");
	else
		fprintf(out, "with series %s\n", s->series);
}

/* ------------------------------------------------------------------ */

static void cpus_json(struct json *j, const char *key,
		      const struct cpu_bits *bits)
{
	char *text = vec_checked(malloc(LIST_TEXT + 1));

	cpu_bits_format(bits, text, LIST_TEXT + 1);
	json_string(j, key, text);
	free(text);
}

static void nodes_json(struct json *j, const char *key,
		       const struct node_bits *bits)
{
	char text[MACHINE_MAX_NODES / 2 * 5 + 1];

	node_bits_format(bits, text, sizeof(text));
	json_string(j, key, text);
}

static char *machine_text(const struct machine *m)
{
	size_t size = machine_options(m, NULL, 0) + 1;
	char *text = vec_checked(malloc(size));

	machine_options(m, text, size);
	return text;
}

void report_machine_json(struct json *j, const char *key,
			 const struct machine *m)
{
	char *options = machine_text(m);

	json_object(j, key);
	json_string(j, "options", options);
	cpus_json(j, "possible_cpus", &m->possible_cpus);
	cpus_json(j, "present_cpus", &m->present_cpus);
	cpus_json(j, "online_cpus", &m->online_cpus);
	nodes_json(j, "possible_nodes", &m->possible_nodes);
	nodes_json(j, "online_nodes", &m->online_nodes);
	json_uint(j, "totalram_pages",
		  machine_total_pages(m, kern_subject.page_size));
	json_uint(j, "page_size", kern_subject.page_size);
	json_end(j);
	free(options);
}

void report_array_json(struct json *j, const char *key,
		       const struct array_desc *desc)
{
	json_object(j, key);
	json_int(j, "level", desc->level);
	json_int(j, "disks", desc->disks);
	json_uint(j, "chunk", desc->chunk_bytes);
	json_int(j, "layout", desc->layout);
	json_string(j, "layout_name", array_layout_name(desc->layout));
	json_uint(j, "member_size", desc->member_bytes);
	json_bool(j, "rotational", desc->rotational);
	json_end(j);
}

/* Of a parameter that is set twice, the later value counts. */
static bool set_again(const struct param_list *params, unsigned int i)
{
	for (unsigned int k = i + 1; k < params->count; k++)
		if (!strcmp(params->param[k].name, params->param[i].name))
			return true;
	return false;
}

void report_params_json(struct json *j, const char *key,
			const struct param_list *params)
{
	json_object(j, key);
	for (unsigned int i = 0; i < params->count; i++)
		if (!set_again(params, i))
			json_string(j, params->param[i].name,
				    params->param[i].value);
	json_end(j);
}

/* ------------------------------------------------------------------ */

/* No absolute path: the command is to work in another clone too. */
static const char *relative(const char *path)
{
	char cwd[PATH_MAX];
	const char *cut;
	size_t len;

	while (!strncmp(path, "./", 2))
		path += 2;
	if (*path != '/')
		return path;
	if (getcwd(cwd, sizeof(cwd))) {
		len = strlen(cwd);
		if (!strncmp(path, cwd, len) && path[len] == '/')
			return path + len + 1;
	}
	cut = strstr(path, "/cases/");
	return cut ? cut + 1 : strrchr(path, '/') + 1;
}

char *report_replay_case(const char *path, const char *schedule,
			 bool strict_locks)
{
	const char *file = relative(path);
	/* A quote in the text takes four bytes. */
	size_t size = REPLAY_FIXED + 4 * strlen(file) +
		      (schedule ? 4 * strlen(schedule) : 0);
	char *buf = vec_checked(malloc(size));
	size_t used;

	snprintf(buf, size, "raid5sim --subject %s run %s", kern_subject.name,
		 strict_locks ? "--strict-locks " : "");
	if (schedule) {
		used = strlen(buf);
		snprintf(buf + used, size - used, "--schedule ");
		shell_quote(buf, size, schedule);
		used = strlen(buf);
		snprintf(buf + used, size - used, " ");
	}
	shell_quote(buf, size, file);
	return buf;
}

static size_t quoted_size(const struct param_list *list)
{
	size_t size = 0;

	/* A quote in the text takes four bytes; the option's name 16. */
	for (unsigned int i = 0; i < list->count; i++)
		size += 4 * (strlen(list->param[i].name) +
			     strlen(list->param[i].value)) +
			16;
	return size;
}

static void add_list(char *buf, size_t size, const char *option,
		     const struct param_list *list)
{
	for (unsigned int i = 0; i < list->count; i++) {
		const struct param *p = &list->param[i];
		size_t room = strlen(p->name) + strlen(p->value) + 2;
		char *pair = vec_checked(malloc(room));
		size_t used = strlen(buf);

		snprintf(buf + used, size - used, " --%s ", option);
		snprintf(pair, room, "%s=%s", p->name, p->value);
		shell_quote(buf, size, pair);
		free(pair);
	}
}

char *report_replay_size(const struct machine *m, const struct array_desc *desc,
			 const struct param_list *params,
			 const struct param_list *tries)
{
	char *machine = machine_text(m);
	char array[256];
	size_t size = REPLAY_FIXED + strlen(machine) + sizeof(array) +
		      quoted_size(params) + quoted_size(tries);
	char *buf = vec_checked(malloc(size));

	array_options(desc, array, sizeof(array));
	snprintf(buf, size, "raid5sim --subject %s size %s %s",
		 kern_subject.name, machine, array);
	add_list(buf, size, "param", params);
	add_list(buf, size, "try", tries);
	free(machine);
	return buf;
}

int report_flush(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	perror("raid5sim: cannot write the output");
	return 2;
}
