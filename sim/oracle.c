/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sizing rules, computed again. Everything here follows from the written
 * rules (table and invariants); the driver's code was not its model, so that
 * a common mistake is unlikely. All arithmetic on bytes is in 128 bits: RAM
 * may be 2^52 pages of 64 KiB. It may not ask the driver anything.
 */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"

/* Linux's numbers, which need not be the host's. */
#define LINUX_EIO      5
#define LINUX_ENOMEM   12
#define LINUX_EINVAL   22

#define STRIPE_BYTES   4096ULL /* of one member, at any page size */
#define MAX_PAGE_ORDER 10      /* page_size << 10: largest kmalloc */
#define STOCK_LOCKS    8
#define STOCK_BATCH    8
#define STOCK_STRIPES  256
#define STOCK_CEILING  32768
#define SYSFS_MIN      17
#define SYSFS_WORKERS  8192
#define LOCKS_MAX      32
#define BATCH_MAX      32
#define DEFAULT_CAP    4096
#define DEFAULT_MIN    16
#define WORKERS_CAP    256
#define EIGHT_GIB      (8ULL << 30)

/* ------------------------------------------------------------------ */
/* 128 bits as two halves: the same code where there is no __int128   */

struct u128 {
	unsigned long long hi;
	unsigned long long lo;
};

static struct u128 wide(unsigned long long n)
{
	return (struct u128){0, n};
}

/* Schoolbook multiplication in four 32-bit digits. */
static struct u128 wide_mul(unsigned long long a, unsigned long long b)
{
	unsigned long long al = a & 0xffffffff, ah = a >> 32;
	unsigned long long bl = b & 0xffffffff, bh = b >> 32;
	unsigned long long low = al * bl;
	unsigned long long mid1 = ah * bl + (low >> 32);
	unsigned long long mid2 = al * bh + (mid1 & 0xffffffff);

	return (struct u128){ah * bh + (mid1 >> 32) + (mid2 >> 32),
			     mid2 << 32 | (low & 0xffffffff)};
}

static int wide_less(struct u128 a, struct u128 b)
{
	return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

static struct u128 wide_add(struct u128 a, struct u128 b)
{
	struct u128 sum = {a.hi + b.hi, a.lo + b.lo};

	sum.hi += sum.lo < a.lo;
	return sum;
}

static struct u128 wide_sub(struct u128 a, struct u128 b)
{
	return (struct u128){a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo};
}

/* Bit by bit; @b < 2^63, so that the remainder never loses a bit. */
static struct u128 wide_div(struct u128 a, unsigned long long b)
{
	struct u128 quotient = {0, 0};
	unsigned long long rest = 0;
	int i;

	for (i = 127; i >= 0; i--) {
		rest = rest << 1 |
		       ((i < 64 ? a.lo >> i : a.hi >> (i - 64)) & 1);
		if (rest < b)
			continue;
		rest -= b;
		if (i < 64)
			quotient.lo |= 1ULL << i;
		else
			quotient.hi |= 1ULL << (i - 64);
	}
	return quotient;
}

/* As a 64-bit number between @low and @high. */
static long long wide_clamp(struct u128 n, long long low, long long high)
{
	if (wide_less(n, wide((unsigned long long)low)))
		return low;
	if (wide_less(wide((unsigned long long)high), n))
		return high;
	return (long long)n.lo;
}

/* ------------------------------------------------------------------ */
/* What the machine says					      */

static unsigned int bit_count(const unsigned long long *word, unsigned int bits)
{
	unsigned int i, n = 0;

	for (i = 0; i < bits; i++)
		n += word[i / MASK_WORD_BITS] >> i % MASK_WORD_BITS & 1;
	return n;
}

static unsigned int online_cpus(const struct machine *m)
{
	return bit_count(m->online_cpus.word, MACHINE_MAX_CPUS);
}

static unsigned int possible_nodes(const struct machine *m)
{
	return bit_count(m->possible_nodes.word, MACHINE_MAX_NODES);
}

/* One past the largest possible id. */
static unsigned int node_ids(const struct machine *m)
{
	unsigned int n = MACHINE_MAX_NODES;

	while (n > 0 && !(m->possible_nodes.word[(n - 1) / MASK_WORD_BITS] >>
				  (n - 1) % MASK_WORD_BITS &
			  1))
		n--;
	return n;
}

static unsigned int nodes_with_cpus(const struct machine *m)
{
	struct node_bits seen = {{0}};
	unsigned int i;

	for (i = 0; i < MACHINE_MAX_CPUS; i++) {
		int node = m->cpu_node[i];

		if (m->online_cpus.word[i / MASK_WORD_BITS] >>
				    i % MASK_WORD_BITS &
			    1 &&
		    node >= 0 && node < MACHINE_MAX_NODES)
			seen.word[node / MASK_WORD_BITS] |=
				1ULL << node % MASK_WORD_BITS;
	}
	return bit_count(seen.word, MACHINE_MAX_NODES);
}

static struct u128 ram_bytes(const struct oracle_input *in)
{
	unsigned long long pages = in->machine->totalram_pages;
	unsigned int i;

	for (i = 0; !in->machine->totalram_pages && i < MACHINE_MAX_NODES; i++)
		pages += in->machine->node_mem[i] / in->page_size;
	return wide_mul(pages, in->page_size);
}

/* ------------------------------------------------------------------ */
/* Parameters							      */

/* A uint parameter: what the kernel's parser lets through. */
static long long uint_param(const struct oracle_param *p, long long built_in)
{
	if (!p->set || p->value < 0 || p->value > UINT_MAX)
		return built_in;
	return p->value;
}

static long long int_param(const struct oracle_param *p, long long built_in)
{
	if (!p->set || p->value < INT_MIN || p->value > INT_MAX)
		return built_in;
	return p->value;
}

struct oracle_param *oracle_param(struct oracle_input *in, const char *name)
{
	const struct {
		const char *name;
		struct oracle_param *p;
	} all[] = {
		{"nr_stripe_hash_locks", &in->nr_stripe_hash_locks},
		{"stripe_cache_size_max", &in->stripe_cache_size_max},
		{"max_stripe_batch", &in->max_stripe_batch},
		{"stripe_cache_size_default", &in->stripe_cache_size_default},
		{"group_thread_cnt_default", &in->group_thread_cnt_default},
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, name))
			return all[i].p;
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Values that the rules share					      */

static void say(struct oracle_value *v, long long value)
{
	v->known = 1;
	v->value = value;
}

static long long least(long long a, long long b)
{
	return a < b ? a : b;
}

static long long most(long long a, long long b)
{
	return a > b ? a : b;
}

static long long clamp(long long n, long long low, long long high)
{
	return most(low, least(n, high));
}

static long long power_of_two_up(long long n)
{
	long long p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

static long long members(const struct oracle_input *in)
{
	return most(in->disks, in->old_disks);
}

/* The driver's formula; 0 when a size it needs is not known. */
static unsigned long long stripe_cost(const struct oracle_input *in)
{
	unsigned long long each = in->sizeof_bio + in->page_size;

	if (!in->sizeof_stripe_head || !in->sizeof_bio || members(in) < 1)
		return 0;
	return in->sizeof_stripe_head + (unsigned long long)members(in) * each;
}

/* A reshape needs four chunks' worth of stripes, of the larger chunk. */
static long long reshape_stripes(const struct oracle_input *in)
{
	unsigned long long chunk = in->chunk_bytes;

	if (!in->reshaping)
		return 0;
	if (in->old_chunk_bytes > chunk)
		chunk = in->old_chunk_bytes;
	return (long long)(chunk / STRIPE_BYTES * 4);
}

/* Locks by the number of CPUs, or as the parameter says. */
static long long hash_locks(const struct oracle_input *in)
{
	long long wish = uint_param(&in->nr_stripe_hash_locks, 0);

	if (wish)
		return power_of_two_up(least(wish, LOCKS_MAX));
	return clamp(power_of_two_up(online_cpus(in->machine)), STOCK_LOCKS,
		     LOCKS_MAX);
}

static long long ram_ceiling(const struct oracle_input *in,
			     unsigned long long cost)
{
	return wide_clamp(wide_div(wide_div(ram_bytes(in), 8), cost),
			  STOCK_CEILING, INT_MAX);
}

static int ram_above_8_gib(const struct oracle_input *in)
{
	return wide_less(wide(EIGHT_GIB), ram_bytes(in));
}

static long long ram_default(const struct oracle_input *in,
			     unsigned long long cost)
{
	struct u128 extra;

	if (!ram_above_8_gib(in))
		return STOCK_STRIPES;
	extra = wide_sub(ram_bytes(in), wide(EIGHT_GIB));
	extra = wide_div(wide_div(extra, 512), cost);
	return wide_clamp(wide_add(extra, wide(STOCK_STRIPES)), STOCK_STRIPES,
			  DEFAULT_CAP);
}

/* Largest count of workers that one allocation of @groups groups can hold. */
static void foretell_group_max(const struct oracle_input *in,
			       unsigned int groups, struct oracle_sizes *out)
{
	unsigned long long room = in->page_size << MAX_PAGE_ORDER;
	unsigned long long each = in->sizeof_r5worker;

	/* With little RAM it is not the size of the request that decides. */
	if (!each || !groups ||
	    wide_less(ram_bytes(in), wide(16 * (unsigned long long)room)))
		return;
	say(&out->group_thread_max,
	    least(SYSFS_WORKERS, (long long)(room / each / groups)));
}

static void foretell_groups(long long per_group, unsigned int groups,
			    struct oracle_sizes *out)
{
	say(&out->group_thread_cnt, per_group);
	say(&out->group_cnt, per_group ? groups : 0);
	say(&out->workers, per_group * out->group_cnt.value);
}

/* The attribute takes 17 to @ceiling: nothing at all when that is empty. */
static void foretell_range(long long ceiling, struct oracle_sizes *out)
{
	int none = ceiling < SYSFS_MIN;

	say(&out->stripe_cache_min, none ? -1 : SYSFS_MIN);
	say(&out->stripe_cache_max, none ? -1 : ceiling);
}

/* The stripes there are at creation, and the kB the driver reports. */
static void foretell_stripes(const struct oracle_input *in, long long stripes,
			     struct oracle_sizes *out)
{
	unsigned long long cost = stripe_cost(in);
	struct u128 bytes;
	int fits;

	say(&out->stripe_cache_size, stripes);
	say(&out->max_nr_stripes, stripes);
	if (!cost)
		return;
	/* It is a product of size_t and an int of kB: no opinion beyond. */
	bytes = wide_mul((unsigned long long)stripes, cost);
	fits = in->word_bits == 32 ? !(bytes.hi || bytes.lo >> 32) : !bytes.hi;
	if (fits && bytes.lo / 1024 <= INT_MAX)
		say(&out->allocated_kb, (long long)(bytes.lo / 1024));
}

/* ------------------------------------------------------------------ */
/* Stock							      */

static void stock_sizes(const struct oracle_input *in, struct oracle_sizes *out)
{
	say(&out->nr_hash_locks, STOCK_LOCKS);
	say(&out->max_stripe_batch, STOCK_BATCH);
	foretell_stripes(in, most(STOCK_STRIPES, reshape_stripes(in)), out);
	foretell_range(STOCK_CEILING, out);
	foretell_groups(0, 0, out);
	foretell_group_max(in, possible_nodes(in->machine), out);
}

/* ------------------------------------------------------------------ */
/* As posted							      */

/* Clamped as a signed number: 2^31 and more become 1. */
static long long posted_batch(const struct oracle_input *in)
{
	long long wish = uint_param(&in->max_stripe_batch, STOCK_BATCH);

	return wish > INT_MAX ? 1 : clamp(wish, 1, BATCH_MAX);
}

static long long posted_per_group(const struct oracle_input *in)
{
	long long wish = int_param(&in->group_thread_cnt_default, -1);
	long long per_node;

	if (wish >= 0)
		return least(wish, WORKERS_CAP);
	per_node = online_cpus(in->machine) /
		   (2 * most(1, possible_nodes(in->machine)));
	per_node = least(per_node, WORKERS_CAP);
	return per_node == 1 ? 0 : per_node;
}

static void posted_cache(const struct oracle_input *in,
			 struct oracle_sizes *out)
{
	unsigned long long cost = stripe_cost(in);
	long long max = uint_param(&in->stripe_cache_size_max, 0);
	long long wish = uint_param(&in->stripe_cache_size_default, 0);
	long long stripes = 0;

	if (max)
		foretell_range(least(max, INT_MAX), out);
	else if (cost)
		foretell_range(ram_ceiling(in, cost), out);

	/* What becomes of 2^31 and more the rules do not say. */
	if (wish && wish <= INT_MAX)
		stripes = most(wish, DEFAULT_MIN);
	else if (!wish && (cost || !ram_above_8_gib(in)))
		stripes = ram_default(in, cost);
	if (stripes)
		foretell_stripes(in, most(stripes, reshape_stripes(in)), out);
}

static void posted_sizes(const struct oracle_input *in,
			 struct oracle_sizes *out)
{
	say(&out->nr_hash_locks, hash_locks(in));
	say(&out->max_stripe_batch, posted_batch(in));
	posted_cache(in, out);
	foretell_groups(posted_per_group(in), node_ids(in->machine), out);
	foretell_group_max(in, node_ids(in->machine), out);
}

/* ------------------------------------------------------------------ */
/* Sized: what the invariants settle without a choice		      */

static void sized_cache(const struct oracle_input *in, struct oracle_sizes *out)
{
	unsigned long long cost = stripe_cost(in);
	long long locks = out->nr_hash_locks.value;
	long long max = uint_param(&in->stripe_cache_size_max, 0);
	long long wish = uint_param(&in->stripe_cache_size_default, 0);
	long long ceiling = 0;

	if (in->stripe_cache_size_max.absent) {
		foretell_range(STOCK_CEILING, out);
		ceiling = STOCK_CEILING;
	}
	if (locks < SYSFS_MIN)
		say(&out->stripe_cache_min, SYSFS_MIN);
	/*
	 * A stripe costs at least what the driver's own formula says, so
	 * where that makes 32768 the exact cost does too. Not where stripes
	 * share pages.
	 */
	if (max >= STOCK_STRIPES && max <= INT_MAX)
		ceiling = max;
	else if (!ceiling && !max && cost && in->page_size == STRIPE_BYTES &&
		 ram_ceiling(in, cost) == STOCK_CEILING)
		ceiling = STOCK_CEILING;
	if (ceiling)
		say(&out->stripe_cache_max, ceiling);

	/* Above 8 GiB the default depends on the exact cost of a stripe. */
	if (max && max < STOCK_STRIPES)
		return;
	if (in->stripe_cache_size_default.absent)
		wish = STOCK_STRIPES;
	if (!wish && ram_above_8_gib(in))
		return;
	if (!wish)
		wish = STOCK_STRIPES;
	if (wish < most(SYSFS_MIN, locks) ||
	    wish > (max ? least(max, INT_MAX) : STOCK_CEILING))
		return;
	say(&out->stripe_cache_size, most(wish, reshape_stripes(in)));
	out->max_nr_stripes = out->stripe_cache_size;
}

static void sized_workers(const struct oracle_input *in,
			  struct oracle_sizes *out)
{
	long long wish = int_param(&in->group_thread_cnt_default, -1);
	long long half = online_cpus(in->machine) / 2;
	unsigned int nodes = nodes_with_cpus(in->machine);

	if (in->group_thread_cnt_default.absent || wish == 0 ||
	    (wish < 0 && (in->rotational || half < 2))) {
		foretell_groups(0, 0, out);
	} else if (wish > 0) {
		say(&out->group_thread_cnt, least(wish, WORKERS_CAP));
	} else if (nodes && half >= nodes && half % nodes == 0) {
		say(&out->group_thread_cnt, least(half / nodes, WORKERS_CAP));
	}
}

static void sized_sizes(const struct oracle_input *in, struct oracle_sizes *out)
{
	long long batch = uint_param(&in->max_stripe_batch, STOCK_BATCH);

	say(&out->nr_hash_locks,
	    in->nr_stripe_hash_locks.absent ? STOCK_LOCKS : hash_locks(in));
	say(&out->max_stripe_batch, clamp(batch, 1, BATCH_MAX));
	sized_cache(in, out);
	sized_workers(in, out);
}

/* ------------------------------------------------------------------ */
/* Does creation succeed?					      */

/* Arrays that are refused whatever the machine; 0 when it is not. */
/* drivers/md/raid5.h: 0..5 are raid5's; raid6 has the DDF ones and those of
 * a raid5 whose Q is on the last disk besides. Level 4 is not checked. */
static int layout_valid(const struct oracle_input *in)
{
	int l = in->layout;

	if (in->level == 4 || (l >= 0 && l <= 5))
		return 1;
	return in->level == 6 && ((l >= 8 && l <= 10) || (l >= 16 && l <= 20));
}

static int refused(const struct oracle_input *in)
{
	unsigned long chunk = in->chunk_bytes;

	if (in->level < 4 || in->level > 6)
		return -LINUX_EIO;
	if (!layout_valid(in))
		return -LINUX_EIO;
	if (in->level == 6 && in->disks < 4)
		return -LINUX_EINVAL;
	if (!chunk || chunk & (chunk - 1) || chunk % in->page_size)
		return -LINUX_EINVAL;
	return 0;
}

/* Known only well away from where the last page decides. */
static void foretell_memory(const struct oracle_input *in,
			    struct oracle_sizes *out)
{
	unsigned long long stripes, high, n = (unsigned long long)members(in);
	struct u128 low, need;

	if (!out->max_nr_stripes.known || !in->sizeof_r5dev)
		return;
	stripes = (unsigned long long)out->max_nr_stripes.value;
	low = wide_mul(stripes, n * STRIPE_BYTES);
	if (wide_less(ram_bytes(in), low)) {
		say(&out->create, -LINUX_ENOMEM);
		return;
	}
	high = stripe_cost(in) + (n + 1) * in->sizeof_r5dev + in->page_size;
	need = wide_add(wide_mul(stripes, 2 * high), wide(32ULL << 20));
	if (wide_less(need, ram_bytes(in)))
		say(&out->create, 0);
}

static void foretell_create(const struct oracle_input *in,
			    struct oracle_sizes *out)
{
	int err = refused(in);

	if (err)
		say(&out->create, err);
	else if (in->rule == ORACLE_POSTED && out->group_thread_max.known &&
		 out->group_thread_cnt.value > out->group_thread_max.value)
		say(&out->create, -LINUX_ENOMEM);
	else if (members(in) >= 2)
		foretell_memory(in, out);
}

void oracle_sizes(const struct oracle_input *in, struct oracle_sizes *out)
{
	struct oracle_value cost = {0, 0}, create;

	memset(out, 0, sizeof(*out));
	if (in->rule == ORACLE_NONE)
		return;
	/* Stripes that share pages cost what is really allocated. */
	if (stripe_cost(in) && in->rule != ORACLE_SIZED)
		say(&cost, (long long)stripe_cost(in));
	if (in->rule == ORACLE_STOCK)
		stock_sizes(in, out);
	else if (in->rule == ORACLE_POSTED)
		posted_sizes(in, out);
	else
		sized_sizes(in, out);
	out->bytes_per_stripe = cost;
	foretell_create(in, out);
	create = out->create;
	if (create.known && create.value < 0) {
		memset(out, 0, sizeof(*out));
		out->bytes_per_stripe = cost;
		out->create = create;
	}
}

/* ------------------------------------------------------------------ */

enum oracle_rule oracle_rule_of(const struct subject_info *subject)
{
	if (!subject->modified)
		return ORACLE_STOCK;
	if (!strncmp(subject->name, "posted", strlen("posted")))
		return ORACLE_POSTED;
	if (!strncmp(subject->name, "sized", strlen("sized")))
		return ORACLE_SIZED;
	return ORACLE_NONE;
}

const char *oracle_rule_name(enum oracle_rule rule)
{
	static const char *const names[] = {"none", "stock", "posted", "sized"};

	return names[rule];
}

const char *oracle_broken(const struct array_sizes *got,
			  long long stripe_cache_min,
			  long long stripe_cache_max)
{
	long long locks = got->nr_hash_locks;

	if (locks == 0 || (locks > 0 && locks & (locks - 1)))
		return "the number of hash locks is not a power of two";
	if (got->max_nr_stripes >= 0 && locks > got->max_nr_stripes)
		return "fewer stripes than hash locks: a lock without stripes";
	if (stripe_cache_min > 0 && locks > stripe_cache_min)
		return "stripe_cache_size accepts less than one stripe a lock";
	if (stripe_cache_max > 0 && stripe_cache_max < got->stripe_cache_size)
		return "the stripe cache is larger than its own maximum";
	if (stripe_cache_max > INT_MAX)
		return "stripe_cache_size accepts more than INT_MAX";
	if (got->group_thread_cnt > 0 && got->group_cnt < 1)
		return "workers but no group";
	if (got->group_thread_cnt >= 0 && got->group_cnt >= 0 &&
	    got->workers >= 0 &&
	    got->workers != got->group_thread_cnt * got->group_cnt)
		return "workers are not groups times workers a group";
	return NULL;
}
