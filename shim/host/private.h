/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the host side share among themselves: the map of the
 * address space, how a finding gets its place and how a run ends. Neither
 * the kernel side nor sim may include it.
 */
#ifndef RAID5SIM_HOST_PRIVATE_H
#define RAID5SIM_HOST_PRIVATE_H

#include "boundary.h"
#include "run.h"

/* ------------------------------------------------------------------ */
/* Sanitizer							      */

#if defined(__SANITIZE_ADDRESS__)
#define HOST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOST_ASAN 1
#endif
#endif

#ifdef HOST_ASAN
#include <sanitizer/asan_interface.h>
#define shadow_poison(addr, len)   __asan_poison_memory_region(addr, len)
#define shadow_unpoison(addr, len) __asan_unpoison_memory_region(addr, len)
#else
#define shadow_poison(addr, len)   ((void)(addr), (void)(len))
#define shadow_unpoison(addr, len) ((void)(addr), (void)(len))
#endif

#define host_unlikely(x) __builtin_expect(!!(x), 0)

/* ------------------------------------------------------------------ */
/* Address map: fixed, so that addresses depend on the order of calls only */

/*
 *	64 bits (all of it application memory for AddressSanitizer too)
 *
 *	200000000000  objects: 32 classes of 1 TiB
 *	400000000000  regions: struct pages, page contents
 *	500000000000  coroutine stacks
 *	540000000000  end
 *
 * 32 bits has room for little; the constants only hold the place.
 */
#if __SIZEOF_POINTER__ == 8
#define ARENA_BASE	  0x200000000000UL
#define ARENA_CLASS_SHIFT 40
#define ARENA_SINGLES	  24
#define ARENA_GROUPS	  8
#define ARENA_SINGLE_MAX  48000
#define REGION_BASE	  0x400000000000UL
#define REGION_END	  0x500000000000UL
#define REGION_ALIGN	  (1UL << 32)
#define CORO_BASE	  0x500000000000UL
#define CORO_END	  0x540000000000UL
#else
#define ARENA_BASE	  0x60000000UL
#define ARENA_CLASS_SHIFT 27
#define ARENA_SINGLES	  10
#define ARENA_GROUPS	  4
#define ARENA_SINGLE_MAX  64
#define REGION_BASE	  0x10000000UL
#define REGION_END	  0x50000000UL
#define REGION_ALIGN	  (1UL << 24)
#define CORO_BASE	  0xd0000000UL
#define CORO_END	  0xe0000000UL
#endif

/* Unit of mapping: the largest page the host's architecture may use. */
#if defined(__x86_64__) || defined(__i386__)
#define HOST_PAGE_SHIFT 12
#else
#define HOST_PAGE_SHIFT 16
#endif
#define HOST_PAGE (1UL << HOST_PAGE_SHIFT)

/* Fills: what fresh, freed and surrounding bytes hold. */
#define FILL_FRESH 0xa5
#define FILL_FREED 0x6b
#define FILL_RED   0xbd

/**
 * map_fixed - map zeroed memory exactly there
 * @what: what it is for, in the message when the host refuses
 *
 * Nothing may be mapped there yet. Does not return on failure.
 */
void map_fixed(unsigned long addr, unsigned long bytes, const char *what);

/* ------------------------------------------------------------------ */
/* arena.c							      */

/**
 * arena_for_each_live - call @fn for each live object, in no useful order
 * @seq: grows with each allocation
 */
void arena_for_each_live(void (*fn)(const struct obj_info *info,
				    unsigned long long seq, void *arg),
			 void *arg);
/** arena_check_freed - FINDING_USE_AFTER_FREE for each freed object that is
 *  kept readable and was written since */
void arena_check_freed(void);

/* ------------------------------------------------------------------ */
/* describe.c							      */

/**
 * describe_object - the byte at @info's offset in words, without pointers
 * @prefix: put in front
 */
void describe_object(const struct obj_info *info, const char *prefix, char *buf,
		     unsigned long len);
/** describe_whole - the object as such, without the offset */
void describe_whole(const struct obj_info *info, const char *prefix, char *buf,
		    unsigned long len);
/** describe_site - "setup_conf()" or "an unknown function" for a return
 *  address */
void describe_site(const void *caller, char *buf, unsigned long len);

/* ------------------------------------------------------------------ */
/* finding.c							      */

/** finding_record - keep a finding whose place is known (NULL: unknown) */
void finding_record(enum finding_kind kind, const struct place *where,
		    const char *cause);
/** run_active - inside run_guarded()? */
int run_active(void);
/** run_end - leave run_guarded() with 1, from whatever coroutine runs */
void run_end(void) __attribute__((noreturn));
/** run_frame - an address in the frame of run_guarded() */
unsigned long run_frame(void);

/* ------------------------------------------------------------------ */
/* coro.c							      */

/* Set by run_end(): the next coroutine to go on calls run_end() again. */
extern int coro_unwind;
/** coro_guard_hit - is @addr in the unmapped part below a coroutine's stack? */
int coro_guard_hit(unsigned long addr);

/* ------------------------------------------------------------------ */
/* catch.c							      */

/** catch_init - install the handlers; more calls do nothing */
void catch_init(void);
/**
 * catch_try - call @fn(@arg) while a finding is being put in words
 * Return: 0 it returned, 1 it faulted. Not reentrant; @fn must not switch
 * coroutines.
 */
int catch_try(void (*fn)(void *arg), void *arg);

#endif
