/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a simulated disk holds: a medium, a volatile cache in front of it, and
 * what a power cut leaves of both. Knows no bios, no faults and no time.
 *
 *	write ──> now ─────────────> read
 *	   └────> log ──flush, FUA, or when it is full──> medium
 *	power cut:  medium + what the seed takes of the log ──> kept
 *	settle:     kept ──> now, medium
 */
#ifndef RAID5SIM_DISK_STORE_H
#define RAID5SIM_DISK_STORE_H

#include <linux/types.h>

struct disk_store;

/**
 * struct store_write - a run of sectors that one request wrote
 * @request:	number of the request, the same for all runs of it
 * @sector:	first sector, of 512 bytes
 * @sectors:	how many
 * @data:	NULL: zeroes
 */
struct store_write {
	u64 request;
	u64 sector;
	u64 sectors;
	const void *data;
};

/** disk_store_new - all zeroes; @name: of the disk, decides with the seed of
 *  a power cut what it keeps */
struct disk_store *disk_store_new(u64 name);
void disk_store_free(struct disk_store *s);

void disk_store_read(struct disk_store *s, u64 sector, u64 sectors, void *buf);

/** disk_store_write - @durable: it is on the medium at once, as with FUA;
 *  else after the next flush */
void disk_store_write(struct disk_store *s, const struct store_write *w,
		      bool durable);

/** disk_store_mark - what a flush that is sent now has to make durable */
u64 disk_store_mark(struct disk_store *s);
/** disk_store_flush - make durable what was written before @mark was taken */
void disk_store_flush(struct disk_store *s, u64 mark);
/** disk_store_lose_cache - what was not durable is gone */
void disk_store_lose_cache(struct disk_store *s);

/**
 * struct power_cut - what a power cut leaves
 * @seed:	of all choices
 * @torn:	a request may be kept in part, by sectors
 */
struct power_cut {
	u64 seed;
	bool torn;
};

/** disk_store_cut - choose, once, what the disk holds after
 *  disk_store_settle(); disk_store_cut_write() may add to it.
 *  @mark: requests before it are kept whatever the seed says
 *  Return: false when that was chosen already and still holds */
bool disk_store_cut(struct disk_store *s, const struct power_cut *cut,
		    u64 mark);
/** disk_store_cut_any - does @cut keep any of a request that is under way? */
bool disk_store_cut_any(struct disk_store *s, const struct power_cut *cut,
			u64 request);
/** disk_store_cut_write - the part that @cut keeps of one under way */
void disk_store_cut_write(struct disk_store *s, const struct power_cut *cut,
			  const struct store_write *w);
/** disk_store_settle - from now on the disk holds what the power cut left;
 *  without one nothing happens */
void disk_store_settle(struct disk_store *s);

#endif
