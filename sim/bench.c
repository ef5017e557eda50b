/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many arrays a second are created and destroyed in one process, and how
 * that compares with a null loop that only allocates, stores and frees as
 * much. Wall clock is used here and nowhere else; it decides nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "host/run.h"

#define STRUCT_PAGE 64 /* bytes of a struct page */

double bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *v)
{
	qsort(v, BENCH_ROUNDS, sizeof(*v), by_value);
	return v[BENCH_ROUNDS / 2];
}

static const struct array_desc four_disks = {
	.name = "md0",
	.level = 5,
	.layout = 2,
	.disks = 4,
	.chunk_bytes = 512 << 10,
	.member_bytes = 1ULL << 30,
};

static void create_and_stop(void)
{
	struct kern_array *a;
	int err = kern_array_create(&four_disks, &a);

	if (err)
		host_panic("bench: create returned %d", err);
	kern_array_stop(a);
}

/**
 * struct work - what one create does to memory
 * @objects:	allocations that are not pages
 * @bytes:	of those objects; the kernel clears or fills nearly all of them
 * @pages:	pages, of which only the struct page is written
 */
struct work {
	unsigned long long objects, bytes, pages;
};

/* What one create asks for, read from the arena's own accounting. */
static struct work measure_work(void)
{
	struct mem_stats before, after;
	struct kern_array *a;
	struct work w;

	host_mem_stats(&before);
	w.pages = kern_pages_live();
	if (kern_array_create(&four_disks, &a))
		host_panic("bench: create failed");
	host_mem_stats(&after);
	w.pages = kern_pages_live() - w.pages;
	w.bytes = after.live_bytes - before.live_bytes -
		  w.pages * kern_subject.page_size;
	w.objects = after.total_allocs - before.total_allocs - w.pages;
	kern_array_stop(a);
	return w;
}

/* The same number of allocations and as many bytes stored, by libc alone. */
static void null_loop(const struct work *w, void **slot)
{
	size_t each = w->bytes / w->objects;
	unsigned long long i, n = w->objects + w->pages;

	for (i = 0; i < n; i++) {
		size_t size = i < w->objects ? each : STRUCT_PAGE;

		slot[i] = malloc(size);
		if (!slot[i])
			host_panic("bench: out of host memory");
		memset(slot[i], 1, size);
	}
	for (i = 0; i < n; i++)
		free(slot[i]);
}

static double rate(void (*fn)(const struct work *, void **),
		   const struct work *w, void **slot, int n)
{
	double start = bench_now();
	int i;

	for (i = 0; i < n; i++)
		fn(w, slot);
	return n / (bench_now() - start);
}

static void array_loop(const struct work *w, void **slot)
{
	(void)w;
	(void)slot;
	create_and_stop();
}

static void bench(void *arg)
{
	struct work w = measure_work();
	double arrays[BENCH_ROUNDS], null[BENCH_ROUNDS];
	void **slot = calloc(w.objects + w.pages, sizeof(*slot));
	int i, n = *(int *)arg;

	if (!slot)
		host_panic("bench: out of host memory");
	for (i = 0; i < BENCH_ROUNDS; i++) {
		arrays[i] = rate(array_loop, &w, slot, n);
		null[i] = rate(null_loop, &w, slot, n);
	}
	printf("create + destroy, raid5, 4 disks, 256 stripes, 4 CPUs:\n");
	printf("  %.0f a second (median of %d rounds of %d)\n",
	       bench_median(arrays), BENCH_ROUNDS, n);
	printf("  null loop (%llu objects of %llu bytes, %llu of %d): %.0f a "
	       "second\n",
	       w.objects, w.bytes / w.objects, w.pages, STRUCT_PAGE,
	       bench_median(null));
	printf("  ratio: one create + destroy costs %.2f null loops\n",
	       bench_median(null) / bench_median(arrays));
	free(slot);
	bench_io(&four_disks);
}

static void small_machine(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	m->possible_cpus.word[0] = 0xf;
	m->present_cpus.word[0] = 0xf;
	m->online_cpus.word[0] = 0xf;
	m->possible_nodes.word[0] = 1;
	m->online_nodes.word[0] = 1;
	m->node_mem[0] = 8ULL << 30;
}

int main(int argc, char **argv)
{
	static struct machine m;
	int n = 2000;

	host_mem_policy(argc > 1 && !strcmp(argv[1], "--protect") ? MEM_PROTECT
								  : MEM_POISON);
	if (argc > 2)
		n = atoi(argv[2]);
	small_machine(&m);
	place_init(kern_source_dirs, kern_source_dirs_count);
	kern_boot(&m);
	if (kern_module_init())
		host_panic("bench: module init failed");
	printf("freed memory: %s\n", argc > 1 ? "unmapped" : "poisoned");
	return run_guarded(bench, &n) || finding_count();
}
