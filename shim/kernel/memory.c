// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's allocators over the arena: kmalloc, kvmalloc, kmem_cache, pages
 * and shrinkers. Every object has a slot of its own on the host side, so an
 * access outside it faults however far it lands. Knows nothing of arrays.
 */
#include <linux/bug.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/shrinker.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "probes.h"
#include "locks.h"
#include "shim.h"

#define CALLER __builtin_return_address(0)

atomic_long_t _totalram_pages;
struct pglist_data *node_data[MAX_NUMNODES];
unsigned long shim_page_offset;
struct page *mem_map;
struct page *shim_zero_page;
int shim_fail_allocs;
int shim_booting;
#ifdef HAVE_KMEM_BUCKETS
kmem_buckets kmalloc_caches[NR_KMALLOC_TYPES];
#else
struct kmem_cache *kmalloc_caches[NR_KMALLOC_TYPES][KMALLOC_SHIFT_HIGH + 1];
#endif

static unsigned long long ram_bytes, used_bytes;
static int memory_node;

/**
 * kern_fail_allocs - while @on, every allocation fails
 * @on: 0 or 1
 */
void kern_fail_allocs(int on)
{
	shim_fail_allocs = on;
}

/* May @size more bytes be had? What the machine's RAM holds is the limit. */
static bool take(unsigned long long size)
{
	/* What the kernel holds since boot is not part of totalram_pages(). */
	if (shim_booting)
		return true;
	if (shim_fail_allocs || size > ram_bytes - used_bytes)
		return false;
	used_bytes += size;
	return true;
}

static void give(unsigned long long size)
{
	used_bytes -= min(size, used_bytes);
}

/* --- kmalloc and friends ----------------------------------------------- */

/*
 * mm/page_alloc.c refuses an order above the largest with a warning unless
 * __GFP_NOWARN is given; kmalloc of more than KMALLOC_MAX_SIZE ends there.
 */
static bool contiguous_ok(size_t size, gfp_t flags, const void *caller)
{
	if (size <= KMALLOC_MAX_SIZE)
		return true;
	if (!(flags & __GFP_NOWARN))
		finding_add(FINDING_ALLOC_TOO_LARGE, caller,
			    "%lu contiguous bytes asked for, the limit is %lu",
			    (unsigned long)size,
			    (unsigned long)KMALLOC_MAX_SIZE);
	return false;
}

/* A kmalloc of a power of two is aligned to its size (mm/slab_common.c). */
static unsigned long kmalloc_align(size_t size)
{
	if (is_power_of_2(size))
		return min_t(unsigned long, size, PAGE_SIZE);
	return ARCH_KMALLOC_MINALIGN;
}

static void *obj_alloc(size_t size, gfp_t flags, const void *caller)
{
	void *obj;

	might_alloc(flags);
	if (!take(size))
		return NULL;
	obj = host_obj_alloc(size, kmalloc_align(size),
			     shim_booting ? MEM_SHIM : MEM_KMALLOC, NULL,
			     caller);
	if (flags & __GFP_ZERO)
		memset(obj, 0, size);
	return obj;
}

static void *do_kmalloc(size_t size, gfp_t flags, const void *caller)
{
	if (!size)
		return ZERO_SIZE_PTR;
	if (!contiguous_ok(size, flags, caller))
		return NULL;
	return obj_alloc(size, flags, caller);
}

/* mm/slub.c: no lock inside may be held. */
static unsigned long freed(void *obj, enum mem_kind kind, const void *caller)
{
	struct obj_info info;

	if (!lock_check_idle() && host_obj_find(obj, &info) &&
	    info.state == OBJ_LIVE && info.base == obj) {
		debug_check_no_locks_freed(obj, info.size);
		lock_check_freed(obj, info.size);
	}
	return host_obj_free(obj, kind, caller);
}

static void obj_free(const void *obj, const void *caller)
{
	if (!ZERO_OR_NULL_PTR(obj))
		give(freed((void *)obj, MEM_KMALLOC, caller));
}

void kfree(const void *obj)
{
	obj_free(obj, CALLER);
}

void kvfree(const void *obj)
{
	obj_free(obj, CALLER);
}

/* mm/util.c: above INT_MAX kvmalloc gives nothing, with a warning. */
static void *do_kvmalloc(size_t size, gfp_t flags, const void *caller)
{
	if (!size)
		return ZERO_SIZE_PTR;
	if (size > INT_MAX) {
		if (!(flags & __GFP_NOWARN))
			finding_add(
				FINDING_ALLOC_TOO_LARGE, caller,
				"kvmalloc of %lu bytes, the limit is INT_MAX",
				(unsigned long)size);
		return NULL;
	}
	return obj_alloc(size, flags, caller);
}

static void *do_krealloc(const void *p, size_t size, gfp_t flags,
			 const void *caller)
{
	size_t old = ZERO_OR_NULL_PTR(p) ? 0 : host_obj_size(p);
	void *new = do_kmalloc(size, flags, caller);

	if (!ZERO_OR_NULL_PTR(new) && old)
		memcpy(new, p, min(old, size));
	if (new &&old) {
		give(host_obj_free((void *)p, MEM_KMALLOC, caller));
	}
	return new;
}

#ifdef HAVE_NOPROF
void *__kmalloc_noprof(size_t size, gfp_t flags)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_node_noprof(DECL_BUCKET_PARAMS(size, b), gfp_t flags, int node)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_cache_noprof(struct kmem_cache *s, gfp_t flags, size_t size)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_cache_node_noprof(struct kmem_cache *s, gfp_t flags, int node,
				  size_t size)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_large_noprof(size_t size, gfp_t flags)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_large_node_noprof(size_t size, gfp_t flags, int node)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_node_track_caller_noprof(DECL_BUCKET_PARAMS(size, b),
					 gfp_t flags, int node,
					 unsigned long caller)
{
	return do_kmalloc(size, flags, (void *)caller);
}

void *__kvmalloc_node_noprof(DECL_BUCKET_PARAMS(size, b), gfp_t flags, int node)
{
	return do_kvmalloc(size, flags, CALLER);
}

void *krealloc_noprof(const void *p, size_t size, gfp_t flags)
{
	return do_krealloc(p, size, flags, CALLER);
}
#else
void *__kmalloc(size_t size, gfp_t flags)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_node(size_t size, gfp_t flags, int node)
{
	return do_kmalloc(size, flags, CALLER);
}

void *kmalloc_trace(struct kmem_cache *s, gfp_t flags, size_t size)
{
	return do_kmalloc(size, flags, CALLER);
}

void *kmalloc_node_trace(struct kmem_cache *s, gfp_t flags, int node,
			 size_t size)
{
	return do_kmalloc(size, flags, CALLER);
}

void *kmalloc_large(size_t size, gfp_t flags)
{
	return do_kmalloc(size, flags, CALLER);
}

void *kmalloc_large_node(size_t size, gfp_t flags, int node)
{
	return do_kmalloc(size, flags, CALLER);
}

void *__kmalloc_node_track_caller(size_t size, gfp_t flags, int node,
				  unsigned long caller)
{
	return do_kmalloc(size, flags, (void *)caller);
}

void *kvmalloc_node(size_t size, gfp_t flags, int node)
{
	return do_kvmalloc(size, flags, CALLER);
}

void *krealloc(const void *p, size_t size, gfp_t flags)
{
	return do_krealloc(p, size, flags, CALLER);
}
#endif

size_t __ksize(const void *obj)
{
	return host_obj_size(obj);
}

size_t ksize(const void *obj)
{
	return ZERO_OR_NULL_PTR(obj) ? 0 : host_obj_size(obj);
}

bool slab_is_available(void)
{
	return true;
}

/* --- kmem_cache -------------------------------------------------------- */

/* The kernel's own is private to mm/, so this one may differ. */
struct kmem_cache {
	char name[64];
	unsigned int size;
	unsigned int align;
	void (*ctor)(void *obj);
	unsigned long live;
	unsigned long boot; /* of them, those that were there at boot */
};

static struct kmem_cache *cache_create(const char *name, unsigned int size,
				       unsigned int align, slab_flags_t flags,
				       void (*ctor)(void *obj))
{
	struct kmem_cache *s;

	if (shim_fail_allocs)
		return NULL;
	s = host_obj_alloc(sizeof(*s), 8, MEM_SHIM, NULL, NULL);
	memset(s, 0, sizeof(*s));
	strscpy(s->name, name, sizeof(s->name));
	s->size = size;
	/* mm/slab_common.c, calculate_alignment() */
	if (flags & SLAB_HWCACHE_ALIGN)
		align = max_t(unsigned int, align, L1_CACHE_BYTES);
	s->align = max_t(unsigned int, align, sizeof(void *));
	s->ctor = ctor;
	return s;
}

#ifdef HAVE_KMEM_CACHE_ARGS
struct kmem_cache *__kmem_cache_create_args(const char *name, unsigned int size,
					    struct kmem_cache_args *args,
					    slab_flags_t flags)
{
	return cache_create(name, size, args->align, flags, args->ctor);
}
#else
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, slab_flags_t flags,
				     void (*ctor)(void *obj))
{
	return cache_create(name, size, align, flags, ctor);
}
#endif

void kmem_cache_destroy(struct kmem_cache *s)
{
	if (!s)
		return;
	/* The kernel warns and keeps the cache; its objects are a leak. */
	if (s->live) {
		finding_add(
			FINDING_KERNEL_WARN, CALLER,
			"kmem_cache_destroy %s: Slab cache still has objects",
			s->name);
		return;
	}
	host_obj_free(s, MEM_SHIM, CALLER);
}

unsigned int kmem_cache_size(struct kmem_cache *s)
{
	return s->size;
}

static void *cache_alloc(struct kmem_cache *s, gfp_t flags, const void *caller)
{
	void *obj;

	might_alloc(flags);
	if (!take(s->size))
		return NULL;
	obj = host_obj_alloc(s->size, s->align,
			     shim_booting ? MEM_SHIM : MEM_CACHE, s->name,
			     caller);
	s->live++;
	s->boot += shim_booting;
	if (flags & __GFP_ZERO)
		memset(obj, 0, s->size);
	if (s->ctor)
		s->ctor(obj);
	return obj;
}

#ifdef HAVE_NOPROF
void *kmem_cache_alloc_noprof(struct kmem_cache *s, gfp_t flags)
{
	return cache_alloc(s, flags, CALLER);
}

void *kmem_cache_alloc_lru_noprof(struct kmem_cache *s, struct list_lru *lru,
				  gfp_t flags)
{
	return cache_alloc(s, flags, CALLER);
}
#else
void *kmem_cache_alloc(struct kmem_cache *s, gfp_t flags)
{
	return cache_alloc(s, flags, CALLER);
}

void *kmem_cache_alloc_lru(struct kmem_cache *s, struct list_lru *lru,
			   gfp_t flags)
{
	return cache_alloc(s, flags, CALLER);
}
#endif

/* What a cache gave out at boot is nobody's, and counts for nothing. */
static bool from_boot(struct kmem_cache *s, const void *obj)
{
	struct obj_info info;

	return s->boot && host_obj_find(obj, &info) &&
	       info.state == OBJ_LIVE && info.kind == MEM_SHIM &&
	       info.tag == s->name;
}

void kmem_cache_free(struct kmem_cache *s, void *obj)
{
	if (from_boot(s, obj))
		host_obj_free(obj, MEM_SHIM, CALLER);
	else
		give(freed(obj, MEM_CACHE, CALLER));
	s->live--;
}

/* --- pages ------------------------------------------------------------- */

/*
 *	mem_map:   | page 0 | page 1 | page 2 | ...      64 bytes a page
 *	contents:  | 4 KiB  | 4 KiB  | 4 KiB  | ...      touched: host memory
 *	owner:     | who allocated page n, or NULL when it is free
 *
 * Page numbers are handed out in order and reused last in, first out.
 */
#define MAX_PFNS (1UL << (BITS_PER_LONG == 64 ? 30 : 17))

/* Owner of pages that were allocated while the kernel booted. */
#define FOR_EVER ((const void *)1UL)

static const void **page_owner;
static unsigned long next_pfn = 1;
static struct list_head free_pages_of[KMALLOC_SHIFT_MAX - PAGE_SHIFT + 1];
static unsigned long live_pages;

static struct page *page_take(unsigned int order, bool *fresh)
{
	struct list_head *list = &free_pages_of[order];
	struct page *page;

	*fresh = list_empty(list);
	if (!*fresh) {
		page = list_first_entry(list, struct page, lru);
		list_del(&page->lru);
		return page;
	}
	if (next_pfn + (1UL << order) > MAX_PFNS)
		host_panic("more than %lu pages in use at once", MAX_PFNS);
	next_pfn = ALIGN(next_pfn, 1UL << order);
	page = mem_map + next_pfn;
	next_pfn += 1UL << order;
	return page;
}

static void page_init(struct page *page, unsigned int order, const void *owner)
{
	unsigned long i;

	for (i = 0; i < 1UL << order; i++) {
		page_owner[page_to_pfn(page) + i] = owner;
		set_page_links(page + i, ZONE_NORMAL, memory_node,
			       page_to_pfn(page) + i);
		atomic_set(&page[i]._mapcount, -1);
		set_page_count(page + i, 0);
		page[i].private = 0;
		page[i].mapping = NULL;
	}
	set_page_count(page, 1);
}

static struct page *page_alloc(gfp_t gfp, unsigned int order,
			       const void *caller)
{
	unsigned long bytes = PAGE_SIZE << order;
	struct page *page;
	bool fresh;

	might_alloc(gfp);
	if (!contiguous_ok(bytes, gfp, caller) || !take(bytes))
		return NULL;
	page = page_take(order, &fresh);
	page_init(page, order, shim_booting ? FOR_EVER : caller);
	if ((gfp & __GFP_ZERO) && !fresh)
		memset(page_to_virt(page), 0, bytes);
	if (!shim_booting)
		live_pages += 1UL << order;
	host_mem_account(bytes, bytes, caller);
	return page;
}

static void page_free(struct page *page, unsigned int order)
{
	unsigned long pfn = page_to_pfn(page), bytes = PAGE_SIZE << order;
	unsigned long i;

	debug_check_no_locks_freed(page_to_virt(page), bytes);
	lock_check_freed(page_to_virt(page), bytes);
	if (page_owner[pfn] != FOR_EVER)
		live_pages -= 1UL << order;
	for (i = 0; i < 1UL << order; i++)
		page_owner[pfn + i] = NULL;
	list_add(&page->lru, &free_pages_of[order]);
	give(bytes);
	host_mem_account(-(long long)bytes, 0, NULL);
}

static void page_check_live(struct page *page, const void *caller)
{
	if (page < mem_map || page >= mem_map + next_pfn)
		finding_fatal(FINDING_WILD_ACCESS, caller,
			      "free of something that is not a page");
	if (!page_owner[page_to_pfn(page)])
		finding_fatal(FINDING_DOUBLE_FREE, caller,
			      "page that is free already");
}

#ifdef HAVE_NOPROF
struct page *alloc_pages_noprof(gfp_t gfp, unsigned int order)
{
	return page_alloc(gfp, order, CALLER);
}

unsigned long get_free_pages_noprof(gfp_t gfp, unsigned int order)
{
	struct page *page = page_alloc(gfp, order, CALLER);

	return page ? (unsigned long)page_to_virt(page) : 0;
}
#else
struct page *alloc_pages(gfp_t gfp, unsigned int order)
{
	return page_alloc(gfp, order, CALLER);
}

unsigned long __get_free_pages(gfp_t gfp, unsigned int order)
{
	struct page *page = page_alloc(gfp, order, CALLER);

	return page ? (unsigned long)page_to_virt(page) : 0;
}
#endif

/* Drop one reference; the last one frees. */
static void page_drop(struct page *page, unsigned int order, const void *caller)
{
	page_check_live(page, caller);
	if (put_page_testzero(page))
		page_free(page, order);
}

void __free_pages(struct page *page, unsigned int order)
{
	page_drop(page, order, CALLER);
}

void free_pages(unsigned long addr, unsigned int order)
{
	if (addr)
		page_drop(virt_to_page((void *)addr), order, CALLER);
}

/* The last reference of a single page went away (put_page()). */
void __folio_put(struct folio *folio)
{
	page_check_live(&folio->page, CALLER);
	page_free(&folio->page, 0);
}

int shim_virt_addr_valid(const void *kaddr)
{
	unsigned long pfn = virt_to_pfn(kaddr);

	return pfn < next_pfn;
}

unsigned long long kern_pages_live(void)
{
	return live_pages;
}

static unsigned long pages_of(const void *owner, unsigned long from)
{
	unsigned long pfn, n = 0;

	for (pfn = from; pfn < next_pfn; pfn++) {
		if (page_owner[pfn] == owner) {
			page_owner[pfn] = NULL;
			n++;
		}
	}
	return n;
}

/**
 * shim_page_leaks - report pages that nobody freed, one finding a site
 *
 * Return: pages found. They are forgotten, so a second call finds none.
 */
unsigned long shim_page_leaks(void)
{
	unsigned long pfn, n, all = 0;
	struct place site;
	const void *owner;

	for (pfn = 1; live_pages && pfn < next_pfn; pfn++) {
		owner = page_owner[pfn];
		if (!owner || owner == FOR_EVER)
			continue;
		n = pages_of(owner, pfn);
		host_place(owner, 1, &site);
		finding_add(FINDING_LEAK, owner,
			    "%lu page%s, allocated in %s()", n,
			    n == 1 ? "" : "s", site.function);
		all += n;
		live_pages -= n;
	}
	return all;
}

/* --- shrinkers --------------------------------------------------------- */

static LIST_HEAD(shrinkers);

#ifdef HAVE_SHRINKER_ALLOC
struct shrinker *shrinker_alloc(unsigned int flags, const char *fmt, ...)
{
	struct shrinker *s =
		do_kmalloc(sizeof(*s), GFP_KERNEL | __GFP_ZERO, CALLER);

	if (!s)
		return NULL;
	s->flags = flags | SHRINKER_ALLOCATED;
	s->seeks = DEFAULT_SEEKS;
	return s;
}

void shrinker_register(struct shrinker *s)
{
	list_add_tail(&s->list, &shrinkers);
	s->flags |= SHRINKER_REGISTERED;
}

void shrinker_free(struct shrinker *s)
{
	if (!s)
		return;
	if (s->flags & SHRINKER_REGISTERED)
		list_del(&s->list);
	give(host_obj_free(s, MEM_KMALLOC, CALLER));
}
#else
int register_shrinker(struct shrinker *s, const char *fmt, ...)
{
	unsigned long size =
		sizeof(*s->nr_deferred) *
		((s->flags & SHRINKER_NUMA_AWARE) ? nr_node_ids : 1);

	s->nr_deferred = do_kmalloc(size, GFP_KERNEL | __GFP_ZERO, CALLER);
	if (!s->nr_deferred)
		return -ENOMEM;
	list_add_tail(&s->list, &shrinkers);
	s->flags |= SHRINKER_REGISTERED;
	return 0;
}

void unregister_shrinker(struct shrinker *s)
{
	if (!(s->flags & SHRINKER_REGISTERED))
		return;
	list_del(&s->list);
	s->flags &= ~SHRINKER_REGISTERED;
	kfree(s->nr_deferred);
	s->nr_deferred = NULL;
}
#endif

/* --- boot -------------------------------------------------------------- */

/**
 * shim_memory_boot - reserve the page structures and set the RAM
 * @m: the machine
 */
void shim_memory_boot(const struct machine *m)
{
	unsigned long long pages = 0, node_pages;
	unsigned int i;
	int nid;

	memory_node = -1;
	for (nid = 0; nid < MAX_NUMNODES; nid++) {
		node_pages = m->node_mem[nid] >> PAGE_SHIFT;
		if (node_pages && memory_node < 0)
			memory_node = nid;
		pages += node_pages;
	}
	if (memory_node < 0)
		memory_node = 0;
	if (m->totalram_pages)
		pages = m->totalram_pages;
	atomic_long_set(&_totalram_pages, pages);
	/* 2^52 pages of 4K are one byte more than fits. */
	ram_bytes = pages > ULLONG_MAX >> PAGE_SHIFT ? ULLONG_MAX :
						       pages << PAGE_SHIFT;
	for (i = 0; i < ARRAY_SIZE(free_pages_of); i++)
		INIT_LIST_HEAD(&free_pages_of[i]);
	mem_map =
		host_region((unsigned long long)MAX_PFNS * sizeof(struct page));
	page_owner =
		host_region((unsigned long long)MAX_PFNS * sizeof(*page_owner));
	shim_page_offset = (unsigned long)host_region(
		(unsigned long long)MAX_PFNS << PAGE_SHIFT);
	shim_zero_page = page_alloc(GFP_KERNEL, 0, FOR_EVER);
	live_pages = 0;
}
