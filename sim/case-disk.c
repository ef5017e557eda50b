/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of [steps] that are about members and about what becomes of the
 * array: fail to heal, sync, reshape, power-cut, halt, assemble. Nothing is
 * run here.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "array-spec.h"
#include "case-line.h"
#include "list.h"
#include "size.h"
#include "vec.h"

/* Disks that `assemble = without` can name: kern_array_assemble()'s bits. */
#define LEFT_OUT_BITS 64

static int take_disk(struct line *l, struct case_step *s)
{
	unsigned long long n = 0;
	int err = line_number(l, 4096, "disk", &n);

	s->disk = (unsigned int)n;
	return err;
}

int parse_disk(struct line *l, struct case_step *s)
{
	int err = line_result(l, &s->result, NULL);

	if (!err)
		err = take_disk(l, s);
	return err ? err : line_end(l);
}

int parse_bare_disk(struct line *l, struct case_step *s)
{
	int err = take_disk(l, s);

	return err ? err : line_end(l);
}

int parse_disk_error(struct line *l, struct case_step *s)
{
	const char *word = case_word(&l->text);
	int err;

	if (!word || (strcmp(word, "read") && strcmp(word, "write")))
		return line_refuse(l, "neither read nor write");
	s->on = !strcmp(word, "write");
	err = take_disk(l, s);
	if (!err)
		err = line_number(l, ~0ULL, "sector", &s->sector);
	if (!err)
		err = line_number(l, ~0ULL, "number of sectors", &s->number);
	if (!err && !s->number)
		err = line_refuse(l, "no sectors");
	return err ? err : line_end(l);
}

/* ------------------------------------------------------------------ */

int parse_sync(struct line *l, struct case_step *s)
{
	char *word;
	int err = line_result(l, &s->result, NULL);

	if (err)
		return err;
	word = case_word(&l->text);
	if (!word)
		return line_refuse(l, "nothing to do");
	if (strcmp(word, "wait"))
		s->attr = vec_copy(word);
	return line_end(l);
}

/* A key of [array] and its value, checked there, kept as the kernel's own
 * attribute and text. */
static int take_change(struct line *l, struct case_step *s, const char *key)
{
	static const char *const attrs[][2] = {
		{"disks", "raid_disks"},
		{"chunk", "chunk_size"},
		{"level", "level"},
		{"layout", "layout"},
	};
	const char *value = case_word(&l->text);
	struct array_spec spec;
	unsigned int i = 0;
	char text[32];

	while (i < 4 && strcmp(attrs[i][0], key))
		i++;
	if (i == 4)
		return line_refuse_word(l, key, "cannot be changed");
	if (!value)
		return line_refuse_word(l, key, "needs a value");
	for (unsigned int k = 0; k < s->reshape.count; k++)
		if (!strcmp(s->reshape.param[k].name, attrs[i][1]))
			return line_refuse_word(l, key, "given twice");
	array_spec_init(&spec);
	if (array_spec_key(&spec, key, value, l->pos, l->diag))
		return -EINVAL;
	snprintf(text, sizeof(text), "%lu",
		 i == 0	  ? (unsigned long)spec.desc.disks
		 : i == 1 ? spec.desc.chunk_bytes
		 : i == 2 ? (unsigned long)spec.desc.level
			  : (unsigned long)spec.desc.layout);
	param_add(&s->reshape, attrs[i][1], text, l->pos);
	return 0;
}

int parse_reshape(struct line *l, struct case_step *s)
{
	const char *key;
	int err = line_result(l, &s->result, NULL);

	while (!err && (key = case_word(&l->text)))
		err = take_change(l, s, key);
	if (!err && !s->reshape.count)
		err = line_refuse(l, "nothing to change");
	return err;
}

/* ------------------------------------------------------------------ */

static const struct word_def cut_defs[] = {
	{"torn", WORD_FLAG, offsetof(struct case_step, on), 0, 0, NULL},
	{"seed", WORD_ULL, offsetof(struct case_step, number), 0, 0, NULL},
	{NULL, WORD_FLAG, 0, 0, 0, NULL},
};

int parse_power_cut(struct line *l, struct case_step *s)
{
	s->number = 1;
	return line_words(l, cut_defs, s);
}

int parse_only_result(struct line *l, struct case_step *s)
{
	int err = line_result(l, &s->result, NULL);

	return err ? err : line_end(l);
}

static int left_out(struct line *l, struct case_step *s)
{
	const char *list = case_word(&l->text);
	struct cpu_bits bits;
	char why[LIST_WHY];

	if (!list)
		return line_refuse(l, "without which disks?");
	if (cpu_bits_parse(list, 0, &bits, LEFT_OUT_BITS - 1, why))
		return line_refuse_word(l, list, why);
	if (cpu_bits_last(&bits) >= LEFT_OUT_BITS)
		return line_refuse_word(l, list, "above 63");
	s->number = bits.word[0];
	return 0;
}

int parse_assemble(struct line *l, struct case_step *s)
{
	const char *word;
	int err = line_result(l, &s->result, NULL);

	if (err)
		return err;
	word = case_word(&l->text);
	if (word && strcmp(word, "without"))
		return line_refuse_word(l, word, "unknown word");
	if (word)
		err = left_out(l, s);
	return err ? err : line_end(l);
}
