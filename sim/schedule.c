/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Schedules to and from text. The grammar is in schedule.h; nothing is run.
 *
 *	random:7:16@locks
 *	\____/ | \/ \___/
 *	  |    |  |   where choices are offered
 *	  |    |  one choice in 16
 *	  |    seed
 *	  strategy
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "schedule.h"
#include "size.h"
#include "vec.h"

/**
 * struct reading - a line being read
 * @text:	what is left of it, without the points
 * @s:		so far
 */
struct reading {
	char *text;
	struct schedule *s;
	const char *why;
};

static int refuse(struct reading *r, const char *why)
{
	r->why = why;
	return -EINVAL;
}

/* Cut the text up to a separator off; NULL when nothing is left. */
static char *next_part(char **text, char separator)
{
	char *part = *text;
	char *end;

	if (!part)
		return NULL;
	end = strchr(part, separator);
	*text = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return part;
}

/* Nothing but digits: number_parse() would take white space and "0x" too. */
static int plain_number(const char *text, unsigned long long min,
			unsigned long long max, unsigned long long *n)
{
	const char *why;

	if (!text || !*text || text[strspn(text, "0123456789")])
		return -EINVAL;
	return number_parse(text, min, max, n, &why) ? -EINVAL : 0;
}

/* ------------------------------------------------------------------ */
/* Strategies							      */

static int read_in_order(struct reading *r)
{
	return r->text ? refuse(r, "text after in-order") : 0;
}

static int read_random(struct reading *r)
{
	char *seed = next_part(&r->text, ':');
	char *rate = next_part(&r->text, ':');
	unsigned long long n = SCHEDULE_RATE;

	if (plain_number(seed, 0, ~0ULL, &r->s->seed))
		return refuse(r, "the seed is not an integer");
	if (rate && plain_number(rate, 1, UINT_MAX, &n))
		return refuse(r, "the rate is not an integer of 1 or more");
	r->s->rate = (unsigned int)n;
	return r->text ? refuse(r, "text after the rate") : 0;
}

static int read_pct(struct reading *r)
{
	char *seed = next_part(&r->text, ':');
	char *depth = next_part(&r->text, ':');
	char *length = next_part(&r->text, ':');
	unsigned long long n = 0;

	if (plain_number(seed, 0, ~0ULL, &r->s->seed))
		return refuse(r, "the seed is not an integer");
	if (plain_number(depth, 1, 10000, &n))
		return refuse(r, "the depth is not an integer of 1 to 10000");
	r->s->depth = (unsigned int)n;
	r->s->length = SCHEDULE_LENGTH;
	if (length && plain_number(length, 1, ~0ULL, &r->s->length))
		return refuse(r, "the length is not an integer of 1 or more");
	return r->text ? refuse(r, "text after the length") : 0;
}

static int read_change(struct reading *r, char *part)
{
	const struct sched_change *last = NULL;
	struct sched_change *c;
	void *base = (void *)r->s->change;
	char *choice = next_part(&part, '=');
	unsigned long long at, pick;

	if (plain_number(choice, 0, ~0ULL, &at) ||
	    plain_number(part, 1, UINT_MAX, &pick))
		return refuse(r, "not CHOICE=PICK with a PICK of 1 or more");
	if (r->s->changes)
		last = &r->s->change[r->s->changes - 1];
	if (last && last->choice >= at)
		return refuse(r, "the list is not by ascending choice");
	if (r->s->changes == SCHEDULE_CHANGES)
		return refuse(r, "the list is too long");
	c = vec_add(&base, &r->s->changes, sizeof(*c));
	r->s->change = base;
	*c = (struct sched_change){at, (unsigned int)pick};
	return 0;
}

static int read_list(struct reading *r)
{
	char *part;
	int err = 0;

	if (!r->text)
		return refuse(r, "no ':' after list");
	if (!*r->text)
		return 0;
	while (!err && (part = next_part(&r->text, ',')))
		err = read_change(r, part);
	return err;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

static int read_bytes(struct reading *r)
{
	unsigned char *b;
	size_t len;

	if (!r->text)
		return refuse(r, "no ':' after bytes");
	len = strlen(r->text);
	if (len % 2)
		return refuse(r, "an odd number of hexadecimal digits");
	b = vec_checked(malloc(len / 2 + 1));
	r->s->bytes = b;
	r->s->byte_count = len / 2;
	for (size_t i = 0; i < len / 2; i++) {
		int high = hex_digit(r->text[2 * i]);
		int low = hex_digit(r->text[2 * i + 1]);

		if (high < 0 || low < 0)
			return refuse(r, "not hexadecimal digits");
		b[i] = (unsigned char)(high << 4 | low);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*read)(struct reading *r);
} strategies[SCHED_STRATEGIES] = {
	[SCHED_IN_ORDER] = {"in-order", read_in_order},
	[SCHED_RANDOM] = {"random", read_random},
	[SCHED_PCT] = {"pct", read_pct},
	[SCHED_LIST] = {"list", read_list},
	[SCHED_BYTES] = {"bytes", read_bytes},
};

/* ------------------------------------------------------------------ */
/* Points							      */

static const struct {
	const char *name;
	unsigned int points;
} points_names[] = {
	{"none", SCHEDULE_NONE},
	{"locks", SCHEDULE_LOCKS},
	{"atomics", SCHEDULE_ATOMICS},
};

#define POINTS_NAMES (sizeof(points_names) / sizeof(points_names[0]))

int schedule_points_parse(const char *word, unsigned int *points)
{
	for (unsigned int i = 0; i < POINTS_NAMES; i++) {
		if (strcmp(points_names[i].name, word))
			continue;
		*points = points_names[i].points;
		return 0;
	}
	return -EINVAL;
}

const char *schedule_points_name(unsigned int points)
{
	unsigned int i = 0;

	while (points & ~points_names[i].points && i + 1 < POINTS_NAMES)
		i++;
	return points_names[i].name;
}

/* ------------------------------------------------------------------ */
/* The line							      */

static int read_line(struct reading *r)
{
	char *at = strchr(r->text, '@');
	char *name;

	if (at) {
		*at = '\0';
		if (schedule_points_parse(at + 1, &r->s->points))
			return refuse(r, "unknown points after '@'");
	}
	name = next_part(&r->text, ':');
	for (unsigned int i = 0; i < SCHED_STRATEGIES; i++) {
		if (strcmp(strategies[i].name, name))
			continue;
		r->s->strategy = (enum sched_strategy)i;
		return strategies[i].read(r);
	}
	return refuse(r, "unknown strategy");
}

int schedule_parse(const char *text, unsigned int points, struct schedule *out,
		   const char **why)
{
	char *copy = vec_copy(text);
	struct reading r = {.text = copy, .s = out};
	int err;

	*out = (struct schedule){.points = points};
	err = read_line(&r);
	*why = r.why;
	free(copy);
	return err;
}

void schedule_free(struct schedule *s)
{
	free((void *)s->change);
	free((void *)s->bytes);
	*s = (struct schedule){.strategy = SCHED_IN_ORDER};
}

static void *copy_of(const void *from, size_t size)
{
	void *to = vec_checked(malloc(size + 1));

	return size ? memcpy(to, from, size) : to;
}

void schedule_copy(const struct schedule *s, struct schedule *out)
{
	*out = *s;
	out->change = copy_of(s->change, s->changes * sizeof(*s->change));
	out->bytes = copy_of(s->bytes, s->byte_count);
}

static void print_list(FILE *f, const struct schedule *s)
{
	for (unsigned int i = 0; i < s->changes; i++)
		fprintf(f, "%s%llu=%u", i ? "," : "", s->change[i].choice,
			s->change[i].pick);
}

static void print_bytes(FILE *f, const struct schedule *s)
{
	for (unsigned long i = 0; i < s->byte_count; i++)
		fprintf(f, "%02x", s->bytes[i]);
}

static void print(FILE *f, const struct schedule *s)
{
	fputs(strategies[s->strategy].name, f);
	if (s->strategy != SCHED_IN_ORDER)
		putc(':', f);
	if (s->strategy == SCHED_RANDOM)
		fprintf(f, "%llu:%u", s->seed, s->rate);
	if (s->strategy == SCHED_PCT)
		fprintf(f, "%llu:%u:%llu", s->seed, s->depth, s->length);
	if (s->strategy == SCHED_LIST)
		print_list(f, s);
	if (s->strategy == SCHED_BYTES)
		print_bytes(f, s);
	if (s->points)
		fprintf(f, "@%s", schedule_points_name(s->points));
}

char *schedule_text(const struct schedule *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = vec_checked(open_memstream(&text, &size));

	print(f, s);
	if (fclose(f))
		vec_checked(NULL);
	return text;
}

/* ------------------------------------------------------------------ */
/* Times							      */

int schedule_time_parse(const char *text, unsigned long long *ns)
{
	static const struct {
		const char *unit;
		unsigned long long ns;
	} units[] = {
		{"ns", 1},
		{"us", 1000},
		{"ms", 1000000},
		{"s", 1000000000},
	};
	size_t digits = strspn(text, "0123456789");
	char number[24];
	unsigned long long n;

	if (!digits || digits >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, digits);
	number[digits] = '\0';
	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(text + digits, units[i].unit))
			continue;
		if (plain_number(number, 0, LLONG_MAX / units[i].ns, &n))
			return -EINVAL;
		*ns = n * units[i].ns;
		return 0;
	}
	return -EINVAL;
}

int schedule_times_parse(const char *text, struct disk_times *out)
{
	char *copy = vec_copy(text);
	char *most = copy;
	char *least = next_part(&most, '-');
	unsigned long long a = 0;
	unsigned long long b = 0;
	int err;

	err = schedule_time_parse(least, &a);
	if (!err)
		err = schedule_time_parse(most ? most : least, &b);
	if (!err && (a > b || b > UINT_MAX))
		err = -EINVAL;
	if (!err)
		*out = (struct disk_times){(unsigned int)a, (unsigned int)b};
	free(copy);
	return err;
}
