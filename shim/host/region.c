/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address space in bulk: mappings at fixed addresses, and the big regions
 * that hold struct page arrays and page contents. Knows nothing of what the
 * bytes mean.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "private.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

void map_fixed(unsigned long addr, unsigned long bytes, const char *what)
{
	void *p = mmap((void *)addr, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_FIXED_NOREPLACE,
		       -1, 0);

	if (p == MAP_FAILED)
		host_panic("cannot map %lu bytes for %s: %s%s", bytes, what,
			   strerror(errno),
			   errno == ENOMEM
				   ? " (is vm.max_map_count below 65530?)"
				   : "");
	/* A kernel older than 4.17 takes the address as a mere hint. */
	if ((unsigned long)p != addr)
		host_panic("the host put %s elsewhere than asked", what);
}

void *host_region(unsigned long long bytes)
{
	static unsigned long next = REGION_BASE;
	unsigned long start = next;
	unsigned long len;

	if (bytes > REGION_END - REGION_BASE ||
	    bytes + REGION_ALIGN > REGION_END - start)
		host_panic("a region of %llu bytes does not fit: "
			   "%lu bytes of address space are left",
			   bytes, REGION_END - start);
	len = ((unsigned long)bytes + HOST_PAGE - 1) & ~(HOST_PAGE - 1);
	if (!len)
		len = HOST_PAGE;
	map_fixed(start, len, "a region");
	/* A huge page would charge 2 MiB for each page touched. */
	madvise((void *)start, len, MADV_NOHUGEPAGE);
	next = (start + len + 2 * REGION_ALIGN - 1) & ~(REGION_ALIGN - 1);
	return (void *)start;
}

void host_region_forget(void *start, unsigned long bytes)
{
	unsigned long from = (unsigned long)start;
	unsigned long to = from + bytes;
	unsigned long first = (from + HOST_PAGE - 1) & ~(HOST_PAGE - 1);
	unsigned long last = to & ~(HOST_PAGE - 1);

	if (first >= last) {
		memset(start, 0, bytes);
		return;
	}
	memset(start, 0, first - from);
	memset((void *)last, 0, to - last);
	if (madvise((void *)first, last - first, MADV_DONTNEED))
		host_panic("cannot forget %lu bytes: %s", last - first,
			   strerror(errno));
}
