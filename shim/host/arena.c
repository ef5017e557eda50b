/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subject's memory objects, each in a slot of its own, far from all
 * others, so that every stray access hits unmapped memory. Knows nothing of
 * kernel allocators; what a kind or a tag means is the kernel side's affair.
 *
 * A class holds objects of up to 2^n pages; a slot's number follows from an
 * address by shifts. Singles have a mapping each:
 *
 *	|<------------------- 2^stride_shift ------------------>|
 *	| guard | colour | unused span | pages      | >= guard  |
 *	                               |lead|object|tail|
 *
 * The guards are not mapped at all (an inaccessible mapping would count
 * against vm.max_map_count, 65530 by default). The object is as far right as
 * its alignment lets it. Lead and tail share pages with it and hold a red
 * zone pattern that is checked at free. The colour, some pages that differ
 * from slot to slot, spreads objects over the sets of caches and TLBs.
 *
 * When ARENA_SINGLE_MAX singles are mapped, objects of up to 512 KiB go on
 * in groups: GROUP_SLOTS slots, each of whole pages, side by side in one
 * mapping, with guards around the group only. In a group, an access beyond
 * the object's own pages may hit a neighbour unnoticed, and once
 * GROUP_MAPS_MAX mappings are used up, a freed member is filled and checked
 * when taken again in place of being sealed.
 *
 * A freed object's pages are sealed (inaccessible) or, where large, unmapped;
 * with the fast policy they stay and are filled.
 *
 * Freed slots wait in line (first in, first out) until a fixed number is
 * behind them. Bookkeeping lies in arrays elsewhere, never by the object.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "private.h"

#define CLASSES		 (ARENA_SINGLES + ARENA_GROUPS)
#define GROUP_SHIFT	 5
#define GROUP_SLOTS	 (1U << GROUP_SHIFT)
#define GROUP_MAPS_MAX	 14000

#define MIN_STRIDE_SHIFT 22
/* Colours differ by a page, up to here; with a span of no more than that, the
 * smallest stride still has whole guards. */
#define COLOUR_BYTES (1UL << 20)

/* Freed slots of a class that are kept from being taken again. The fast
 * policy keeps fewer: theirs are all touched in turn. */
#define QUARANTINE	 1024
#define QUARANTINE_FAST	 64
#define QUARANTINE_BYTES (64UL << 20)

/* Freed pages of spans up to here are sealed and not unmapped, which is five
 * times as fast; larger ones go back to the host. */
#define SEAL_SPAN_MAX (4UL << 10)

/* Bytes before an object that the fast policy fills and checks. */
#define LEAD_FAST 64UL

enum backing {
	SLOT_UNMAPPED,
	SLOT_MAPPED, /* freed: filled with FILL_FREED */
	SLOT_SEALED, /* freed: inaccessible, the mapping is kept */
};

struct slot {
	unsigned long size;
	unsigned long align;
	const char *tag;
	const void *alloc_caller;
	const void *free_caller;
	unsigned long long seq;
	unsigned int next; /* freed after this one */
	unsigned char state;
	unsigned char kind;
	unsigned char backing;
};

struct mem_class {
	struct slot *slots;
	unsigned long base;
	unsigned int span_shift;
	unsigned int stride_shift;
	unsigned int group; /* members share a mapping */
	unsigned int nslots;
	unsigned int used; /* slots that ever held an object */
	unsigned int quarantine;
	unsigned int queued;
	unsigned int head, tail; /* of the freed ones, if queued */
};

/* Where a slot's object and its pages lie. */
struct extent {
	unsigned long obj;
	unsigned long obj_end;
	unsigned long pages;
	unsigned long pages_end;
	unsigned long lead; /* start of the checked bytes before the object */
};

static struct mem_class classes[CLASSES];
static enum mem_policy policy;
static int ready;
static unsigned long long next_seq;
static unsigned int singles_mapped;
static unsigned int group_maps;
static struct mem_stats stats;

/* ------------------------------------------------------------------ */
/* Geometry							      */

static void class_init(struct mem_class *c, unsigned int n)
{
	unsigned long count;

	c->base = ARENA_BASE + ((unsigned long)n << ARENA_CLASS_SHIFT);
	c->group = n >= ARENA_SINGLES;
	c->span_shift = HOST_PAGE_SHIFT + n - (c->group ? ARENA_SINGLES : 0);
	/* Room for the span (or the group's) and a guard on both sides. */
	c->stride_shift = c->span_shift + (c->group ? GROUP_SHIFT : 0) + 1;
	if (c->stride_shift < MIN_STRIDE_SHIFT)
		c->stride_shift = MIN_STRIDE_SHIFT;
	count = 1UL << (ARENA_CLASS_SHIFT - c->stride_shift);
	c->nslots = (unsigned int)(c->group ? count << GROUP_SHIFT : count);
	count = QUARANTINE_BYTES >> c->span_shift;
	if (count > (policy == MEM_POISON ? QUARANTINE_FAST : QUARANTINE))
		count = policy == MEM_POISON ? QUARANTINE_FAST : QUARANTINE;
	c->quarantine = count ? (unsigned int)count : 1;
}

static void arena_init(void)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned int i;

	if (page <= 0 || HOST_PAGE % (unsigned long)page)
		host_panic("the host's pages are %ld bytes, not %lu or less",
			   page, HOST_PAGE);
	for (i = 0; i < CLASSES; i++)
		class_init(&classes[i], i);
	ready = 1;
}

void host_mem_policy(enum mem_policy p)
{
	if (ready)
		host_panic("the memory policy cannot change any more");
	policy = p;
}

/* Address space for all slots' records; memory only where touched. */
static void class_records(struct mem_class *c)
{
	size_t bytes = (size_t)c->nslots * sizeof(struct slot);

	c->slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->slots == MAP_FAILED)
		host_panic("cannot map the records of %u objects: %s",
			   c->nslots, strerror(errno));
	madvise(c->slots, bytes, MADV_NOHUGEPAGE);
}

/* First byte after the slot's span. */
static unsigned long span_end(const struct mem_class *c, unsigned int i)
{
	unsigned long area, colour = 0;

	if (c->group) {
		area = (unsigned long)(i >> GROUP_SHIFT) << c->stride_shift;
		return c->base + area + HOST_OBJ_GUARD +
		       ((unsigned long)(i % GROUP_SLOTS + 1) << c->span_shift);
	}
	if (1UL << c->span_shift <= COLOUR_BYTES)
		colour = i % (COLOUR_BYTES / HOST_PAGE) * HOST_PAGE;
	area = (unsigned long)i << c->stride_shift;
	return c->base + area + HOST_OBJ_GUARD + colour +
	       (1UL << c->span_shift);
}

static inline void slot_extent(const struct mem_class *c, unsigned int i,
			       struct extent *e)
{
	const struct slot *s = &c->slots[i];
	unsigned long lead;

	e->obj = (span_end(c, i) - s->size) & ~(s->align - 1);
	e->obj_end = e->obj + s->size;
	e->pages = e->obj & ~(HOST_PAGE - 1);
	e->pages_end = (e->obj_end + HOST_PAGE - 1) & ~(HOST_PAGE - 1);
	lead = e->obj - e->pages;
	if (policy == MEM_POISON && lead > LEAD_FAST)
		lead = LEAD_FAST;
	e->lead = e->obj - lead;
}

/* The class whose range holds @addr, and the slot nearest to it there. */
static inline struct mem_class *slot_of(unsigned long addr, unsigned int *i)
{
	unsigned long n = (addr - ARENA_BASE) >> ARENA_CLASS_SHIFT;
	unsigned long offset, in_group;
	struct mem_class *c;

	if (addr < ARENA_BASE || n >= CLASSES)
		return NULL;
	c = &classes[n];
	offset = addr - c->base;
	*i = (unsigned int)(offset >> c->stride_shift);
	if (!c->group)
		return c;
	offset &= (1UL << c->stride_shift) - 1;
	in_group = 0;
	if (offset > HOST_OBJ_GUARD)
		in_group = (offset - HOST_OBJ_GUARD) >> c->span_shift;
	if (in_group >= GROUP_SLOTS)
		in_group = GROUP_SLOTS - 1;
	*i = *i * GROUP_SLOTS + (unsigned int)in_group;
	return c;
}

static unsigned int class_order(unsigned long size, unsigned long align)
{
	unsigned long need = size + (align > HOST_PAGE ? align : 0);
	unsigned int order = 0;

	if (need <= HOST_PAGE)
		return 0;
	if (need >= size)
		order = (unsigned int)(8 * sizeof(need) -
				       (unsigned int)__builtin_clzl(need - 1)) -
			HOST_PAGE_SHIFT;
	if (need < size || order >= ARENA_SINGLES)
		host_panic("an object of %lu bytes does not fit the arena",
			   size);
	return order;
}

/* ------------------------------------------------------------------ */
/* Patterns							      */

/* Offset of the first byte that is not @byte, or @len. */
static unsigned long first_other(const unsigned char *p, unsigned int byte,
				 unsigned long len)
{
	unsigned long i;

	for (i = 0; i < len && p[i] == byte; i++)
		;
	return i;
}

/* Of any alignment, and of whatever type the object was. */
typedef unsigned long long lanes
	__attribute__((vector_size(16), aligned(1), may_alias));

/* The fast policy's time goes here: four loads a turn, one branch in all. */
static inline int all_bytes(const unsigned char *p, unsigned int byte,
			    unsigned long len)
{
	const unsigned long long word = ~0ULL / 0xff * byte;
	const lanes want = {word, word};
	lanes a = {0}, b = {0};

	for (; len >= 4 * sizeof(want); len -= 4 * sizeof(want)) {
		const lanes *v = (const lanes *)p;

		a |= (v[0] ^ want) | (v[1] ^ want);
		b |= (v[2] ^ want) | (v[3] ^ want);
		p += 4 * sizeof(want);
	}
	a |= b;
	return !(a[0] | a[1]) && first_other(p, byte, len) == len;
}

static void set_info(const struct mem_class *c, unsigned int i, long long at,
		     struct obj_info *info)
{
	const struct slot *s = &c->slots[i];
	struct extent e;

	slot_extent(c, i, &e);
	info->state = (enum obj_state)s->state;
	info->base = (void *)e.obj;
	info->size = s->size;
	info->offset = at;
	info->kind = (enum mem_kind)s->kind;
	info->tag = s->tag;
	info->alloc_caller = s->alloc_caller;
	info->free_caller = s->state == OBJ_FREED ? s->free_caller : NULL;
}

static __attribute__((noreturn)) void
red_zone_damaged(const struct mem_class *c, unsigned int i,
		 const struct extent *e, const void *caller)
{
	const unsigned char *lead = (unsigned char *)e->lead;
	const unsigned char *tail = (unsigned char *)e->obj_end;
	unsigned long len = e->pages_end - e->obj_end;
	unsigned long at = first_other(tail, FILL_RED, len);
	struct obj_info info;
	char cause[256];

	if (at < len) {
		set_info(c, i, (long long)(c->slots[i].size + at), &info);
	} else {
		/* The damage nearest to the object. */
		at = e->obj - e->lead;
		while (at && lead[at - 1] == FILL_RED)
			at--;
		set_info(c, i,
			 (long long)at - 1 - (long long)(e->obj - e->lead),
			 &info);
	}
	describe_object(&info, "damaged red zone: ", cause, sizeof(cause));
	finding_fatal(FINDING_OUT_OF_BOUNDS, caller, "%s", cause);
}

static void check_red_zone(const struct mem_class *c, unsigned int i,
			   const struct extent *e, const void *caller)
{
	if (host_unlikely(!all_bytes((unsigned char *)e->lead, FILL_RED,
				     e->obj - e->lead) ||
			  !all_bytes((unsigned char *)e->obj_end, FILL_RED,
				     e->pages_end - e->obj_end)))
		red_zone_damaged(c, i, e, caller);
}

static int freed_damage(const struct mem_class *c, unsigned int i,
			const struct extent *e, char *cause, unsigned long len)
{
	const struct slot *s = &c->slots[i];
	const unsigned char *obj = (unsigned char *)e->obj;
	struct obj_info info;

	if (all_bytes(obj, FILL_FREED, s->size))
		return 0;
	set_info(c, i, (long long)first_other(obj, FILL_FREED, s->size), &info);
	describe_object(&info, "write after free: ", cause, len);
	return 1;
}

/* The writer is long gone; the free is the best place there is. */
static void check_freed(const struct mem_class *c, unsigned int i,
			const struct extent *e)
{
	char cause[256];

	if (host_unlikely(freed_damage(c, i, e, cause, sizeof(cause))))
		finding_fatal(FINDING_USE_AFTER_FREE, c->slots[i].free_caller,
			      "%s", cause);
}

/* ------------------------------------------------------------------ */
/* Mappings							      */

/* Members of a group come mapped. */
static void single_map(struct slot *s, const struct extent *e)
{
	if (e->pages_end > e->pages)
		map_fixed(e->pages, e->pages_end - e->pages, "an object");
	s->backing = SLOT_MAPPED;
	singles_mapped++;
}

static void single_unmap(struct slot *s, const struct extent *e)
{
	unsigned long len = e->pages_end - e->pages;

	shadow_unpoison((void *)e->pages, len);
	if (len && munmap((void *)e->pages, len))
		host_panic("cannot unmap an object: %s", strerror(errno));
	s->backing = SLOT_UNMAPPED;
	singles_mapped--;
}

/* Returns 0 where one more split of a group's mapping is too many. */
static int slot_seal(struct mem_class *c, unsigned int i,
		     const struct extent *e)
{
	unsigned long len = e->pages_end - e->pages;

	if (c->group && group_maps + 2 > GROUP_MAPS_MAX)
		return 0;
	/* The processor tells of an access; the shadow has nothing to add. */
	shadow_unpoison((void *)e->pages, len);
	if (mprotect((void *)e->pages, len, PROT_NONE))
		return 0;
	if (c->group)
		group_maps += 2;
	c->slots[i].backing = SLOT_SEALED;
	return 1;
}

static void slot_open(struct mem_class *c, unsigned int i,
		      const struct extent *e)
{
	if (mprotect((void *)e->pages, e->pages_end - e->pages,
		     PROT_READ | PROT_WRITE))
		host_panic("cannot open an object's pages: %s",
			   strerror(errno));
	if (c->group)
		group_maps -= 2;
	c->slots[i].backing = SLOT_MAPPED;
}

static void group_map(struct mem_class *c, unsigned int first)
{
	unsigned long span = 1UL << c->span_shift;
	unsigned int i;

	map_fixed(span_end(c, first) - span, span << GROUP_SHIFT,
		  "a group of objects");
	group_maps++;
	for (i = 0; i < GROUP_SLOTS; i++)
		c->slots[first + i].backing = SLOT_MAPPED;
}

/*
 * How many bytes of a fresh object get the fill. One of several pages that are
 * new from the host gets it on its first page only: a machine of 8192 CPUs has
 * that many scribble buffers, and host memory is spent on what is touched.
 */
static unsigned long fill_length(const struct mem_class *c,
				 const struct extent *e)
{
	unsigned long whole = e->obj_end - e->obj;
	unsigned long first = SEAL_SPAN_MAX - e->obj % SEAL_SPAN_MAX;

	if (policy == MEM_POISON || c->group || whole < first)
		return whole;
	return first;
}

/*
 * Patterns of a fresh object: the object's own bytes and the red zone. The red
 * zone is not poisoned for ASan: a build with it must say the same, and no more,
 * of the same run.
 */
static void slot_paint(const struct mem_class *c, const struct extent *e)
{
	shadow_unpoison((void *)e->pages, e->pages_end - e->pages);
	memset((void *)e->lead, FILL_RED, e->obj - e->lead);
	memset((void *)e->obj, policy == MEM_POISON ? FILL_FREED : FILL_FRESH,
	       fill_length(c, e));
	memset((void *)e->obj_end, FILL_RED, e->pages_end - e->obj_end);
}

/* ------------------------------------------------------------------ */
/* The line of freed slots					      */

static inline void queue_put(struct mem_class *c, unsigned int i)
{
	if (c->queued++)
		c->slots[c->tail].next = i;
	else
		c->head = i;
	c->tail = i;
}

static inline unsigned int queue_take(struct mem_class *c)
{
	unsigned int i = c->head;

	c->head = c->slots[i].next;
	c->queued--;
	return i;
}

static inline int queue_due(const struct mem_class *c)
{
	return c->queued > c->quarantine || (c->used == c->nslots && c->queued);
}

static unsigned int take_fresh(struct mem_class *c)
{
	if (c->used == c->nslots)
		host_panic("more than %u objects of up to %lu bytes", c->nslots,
			   1UL << c->span_shift);
	if (!c->slots)
		class_records(c);
	if (c->group && c->used % GROUP_SLOTS == 0)
		group_map(c, c->used);
	return c->used++;
}

/* May the class give a single slot without one mapping too many? */
static inline int single_room(const struct mem_class *c)
{
	if (queue_due(c) && c->slots[c->head].backing != SLOT_UNMAPPED)
		return 1;
	if (c->used == c->nslots && !c->queued)
		return 0;
	return singles_mapped < ARENA_SINGLE_MAX;
}

/* An object of no bytes has no page; in a group it would lie on its
 * neighbour's. */
static inline struct mem_class *pick_class(unsigned long size,
					   unsigned long align)
{
	unsigned int order = class_order(size, align);

	if (order < ARENA_GROUPS && size && !single_room(&classes[order]))
		return &classes[ARENA_SINGLES + order];
	return &classes[order];
}

/* What a freed slot has mapped, made fit for an object with extent @e. */
static void slot_remap(struct mem_class *c, unsigned int i,
		       const struct extent *old, const struct extent *e)
{
	struct slot *s = &c->slots[i];

	if (s->backing == SLOT_SEALED)
		slot_open(c, i, old);
	if (!c->group && s->backing == SLOT_MAPPED &&
	    (old->pages != e->pages || old->pages_end != e->pages_end))
		single_unmap(s, old);
}

/*
 * Make slot @i, free so far, fit for @size and @align. A mapped one that was
 * as large has its red zone and its fill already.
 */
static inline void slot_prepare(struct mem_class *c, unsigned int i,
				unsigned long size, unsigned long align,
				struct extent *e)
{
	struct slot *s = &c->slots[i];
	struct extent old = {0};
	int freed = s->state == OBJ_FREED;

	if (freed)
		slot_extent(c, i, &old);
	if (freed && s->backing == SLOT_MAPPED) {
		shadow_unpoison((void *)old.obj, s->size);
		check_freed(c, i, &old);
		if (policy == MEM_POISON && s->size == size &&
		    s->align == align) {
			*e = old;
			return;
		}
	}
	s->size = size;
	s->align = align;
	slot_extent(c, i, e);
	if (freed)
		slot_remap(c, i, &old, e);
	if (s->backing == SLOT_UNMAPPED)
		single_map(s, e);
	slot_paint(c, e);
}

/* ------------------------------------------------------------------ */
/* Accounting							      */

static inline void account_request(unsigned long long bytes, const void *caller)
{
	stats.total_allocs++;
	if (bytes > stats.largest) {
		stats.largest = bytes;
		stats.largest_caller = caller;
	}
}

static inline void account_bytes(long long bytes)
{
	stats.live_bytes += (unsigned long long)bytes;
	if (stats.live_bytes > stats.peak_bytes)
		stats.peak_bytes = stats.live_bytes;
}

/* The copies of a per-CPU object lie apart: not one contiguous request. */
static inline void account_alloc(const struct slot *s)
{
	if (s->kind == MEM_SHIM)
		return;
	account_request(s->kind == MEM_PER_CPU ? 0 : s->size, s->alloc_caller);
	account_bytes((long long)s->size);
}

void host_mem_stats(struct mem_stats *out)
{
	*out = stats;
}

void host_mem_account(long long bytes, unsigned long contiguous,
		      const void *caller)
{
	if (bytes > 0)
		account_request(contiguous, caller);
	account_bytes(bytes);
}

void host_mem_reset_largest(void)
{
	stats.largest = 0;
	stats.largest_caller = NULL;
	stats.peak_bytes = stats.live_bytes;
}

/* ------------------------------------------------------------------ */
/* boundary.h							      */

void *host_obj_alloc(unsigned long size, unsigned long align,
		     enum mem_kind kind, const char *tag, const void *caller)
{
	struct mem_class *c;
	struct extent e;
	struct slot *s;
	unsigned int i;

	if (host_unlikely(!ready))
		arena_init();
	if (host_unlikely(!align || align & (align - 1)))
		host_panic("an object aligned to %lu", align);
	c = pick_class(size, align);
	i = queue_due(c) ? queue_take(c) : take_fresh(c);
	slot_prepare(c, i, size, align, &e);
	s = &c->slots[i];
	s->state = OBJ_LIVE;
	s->kind = (unsigned char)kind;
	s->tag = tag;
	s->alloc_caller = caller;
	s->seq = next_seq++;
	account_alloc(s);
	return (void *)e.obj;
}

static const char *kind_word(unsigned int kind)
{
	static const char *const words[MEM_KINDS] = {
		[MEM_KMALLOC] = "kmalloc",
		[MEM_CACHE] = "kmem_cache",
		[MEM_PER_CPU] = "percpu",
		[MEM_SHIM] = "internal",
	};

	return kind < MEM_KINDS ? words[kind] : "unknown";
}

static __attribute__((noreturn)) void bad_object(const void *obj,
						 const char *verb,
						 unsigned int kind,
						 const void *caller)
{
	enum finding_kind finding = FINDING_WILD_ACCESS;
	struct obj_info info;
	char prefix[80], cause[256];

	if (!host_obj_find(obj, &info))
		finding_fatal(finding, caller,
			      "%s of an address outside every object", verb);
	if (info.offset)
		snprintf(prefix, sizeof(prefix),
			 "%s of a pointer that is no object's start: ", verb);
	else if (info.state == OBJ_FREED)
		snprintf(prefix, sizeof(prefix), "second %s: ", verb);
	else
		snprintf(prefix, sizeof(prefix),
			 "%s of a %s object as %s: ", verb,
			 kind_word(info.kind), kind_word(kind));
	if (!info.offset && info.state == OBJ_FREED)
		finding = strcmp(verb, "free") ? FINDING_USE_AFTER_FREE
					       : FINDING_DOUBLE_FREE;
	if (info.offset)
		describe_object(&info, prefix, cause, sizeof(cause));
	else
		describe_whole(&info, prefix, cause, sizeof(cause));
	finding_fatal(finding, caller, "%s", cause);
}

/* Take the freed object's memory away, or make a write to it show. */
static inline void slot_retire(struct mem_class *c, unsigned int i,
			       const struct extent *e)
{
	struct slot *s = &c->slots[i];

	if (policy == MEM_PROTECT) {
		if (!c->group && 1UL << c->span_shift > SEAL_SPAN_MAX) {
			single_unmap(s, e);
			return;
		}
		if (slot_seal(c, i, e))
			return;
	}
	memset((void *)e->obj, FILL_FREED, s->size);
	shadow_poison((void *)e->pages, e->pages_end - e->pages);
}

unsigned long host_obj_free(void *obj, enum mem_kind kind, const void *caller)
{
	struct mem_class *c;
	struct extent e;
	struct slot *s;
	unsigned int i;

	c = slot_of((unsigned long)obj, &i);
	if (host_unlikely(!c || i >= c->used))
		bad_object(obj, "free", kind, caller);
	s = &c->slots[i];
	slot_extent(c, i, &e);
	if (host_unlikely(s->state != OBJ_LIVE || s->kind != kind ||
			  e.obj != (unsigned long)obj))
		bad_object(obj, "free", kind, caller);
	shadow_unpoison((void *)e.pages, e.pages_end - e.pages);
	check_red_zone(c, i, &e, caller);
	s->state = OBJ_FREED;
	s->free_caller = caller;
	slot_retire(c, i, &e);
	queue_put(c, i);
	if (s->kind != MEM_SHIM)
		account_bytes(-(long long)s->size);
	return s->size;
}

unsigned long host_obj_size(const void *obj)
{
	struct mem_class *c;
	struct extent e;
	unsigned int i;

	c = slot_of((unsigned long)obj, &i);
	if (!c || i >= c->used)
		bad_object(obj, "size", MEM_SHIM, NULL);
	slot_extent(c, i, &e);
	if (c->slots[i].state != OBJ_LIVE || e.obj != (unsigned long)obj)
		bad_object(obj, "size", MEM_SHIM, NULL);
	return c->slots[i].size;
}

/* An address between the members of a group belongs to the object below it,
 * which an index too large starts from, else to the first above. */
static int nearest_member(const struct mem_class *c, unsigned int *i)
{
	unsigned int first = *i - *i % GROUP_SLOTS, k = *i;

	if (k >= c->used)
		k = c->used - 1;
	while (k > first && c->slots[k].state == OBJ_NONE)
		k--;
	*i = k;
	return k >= first && c->slots[k].state != OBJ_NONE;
}

int host_obj_find(const void *addr, struct obj_info *info)
{
	struct mem_class *c;
	unsigned int i;

	c = slot_of((unsigned long)addr, &i);
	if (!c || !c->used)
		return 0;
	if (c->group && !nearest_member(c, &i))
		return 0;
	if (i >= c->used || c->slots[i].state == OBJ_NONE)
		return 0;
	set_info(c, i, 0, info);
	info->offset =
		(long long)((unsigned long)addr - (unsigned long)info->base);
	return 1;
}

/* ------------------------------------------------------------------ */
/* For describe.c						      */

void arena_for_each_live(void (*fn)(const struct obj_info *info,
				    unsigned long long seq, void *arg),
			 void *arg)
{
	struct obj_info info;
	unsigned int n, i;

	for (n = 0; n < CLASSES; n++)
		for (i = 0; i < classes[n].used; i++) {
			if (classes[n].slots[i].state != OBJ_LIVE)
				continue;
			set_info(&classes[n], i, 0, &info);
			fn(&info, classes[n].slots[i].seq, arg);
		}
}

static void check_one(const struct mem_class *c, unsigned int i)
{
	char cause[256];
	struct extent e;

	if (c->slots[i].state != OBJ_FREED ||
	    c->slots[i].backing != SLOT_MAPPED)
		return;
	slot_extent(c, i, &e);
	shadow_unpoison((void *)e.pages, e.pages_end - e.pages);
	if (freed_damage(c, i, &e, cause, sizeof(cause)))
		finding_add(FINDING_USE_AFTER_FREE, c->slots[i].free_caller,
			    "%s", cause);
	shadow_poison((void *)e.pages, e.pages_end - e.pages);
}

void arena_check_freed(void)
{
	unsigned int n, i;

	for (n = 0; n < CLASSES; n++)
		for (i = 0; i < classes[n].used; i++)
			check_one(&classes[n], i);
}
