// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 1.2 superblocks as mdadm writes them when it creates an array or adds
 * a disk. Knows the disks' contents only; the md core reads and updates them
 * by itself.
 *
 *	sector	8	superblock, dev_roles[]
 *		16	bitmap
 *		1032	bad block log
 *		2048	PPL; data of a journal device
 *		16384	data of a member, room for a reshape behind it as well
 */
#include <linux/crc32c.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>
#include <linux/raid/md_p.h>

#include "kernel/md.h"
#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/md-real/super.h"
#include "drivers/md/md-bitmap.h"

#define SUPER_SECTOR   8
#define SUPER_SECTORS  8
#define BITMAP_SECTOR  16
#define BADLOG_SECTOR  1032
#define BADLOG_SECTORS 8
#define PPL_SECTOR     2048
#define PPL_SECTORS    2048
#define JOURNAL_SECTOR 2048
#define DATA_SECTOR    16384
/* At the end of a member: data moves there in a reshape with fewer disks. */
#define BEHIND_SECTORS DATA_SECTOR

#define SUPER_BYTES    (SUPER_SECTORS * KERN_SECTOR)
#define MIN_DEVS       128
#define MAX_DEVS       ((SUPER_BYTES - sizeof(struct mdp_superblock_1)) / 2)
#define ROLE_SPARE     0xffff
#define ROLE_JOURNAL   0xfffd

/* mdadm's own defaults: Create.c, super1.c */
#define BITMAP_CHUNK   (64u << 20)
#define BITMAP_SLEEP   5
#define BITMAP_VERSION 4

/** union super - a superblock with all its roles */
union super {
	struct mdp_superblock_1 sb;
	u8 bytes[SUPER_BYTES];
};

u64 shim_metadata_bytes(const struct array_desc *desc)
{
	if (desc->metadata == METADATA_NONE)
		return 0;
	return (DATA_SECTOR + BEHIND_SECTORS) * (u64)KERN_SECTOR;
}

/* ------------------------------------------------------------------ */
/* Reading and writing						      */

/* The sum of all 32-bit words, what is above 32 bits added in again: md.c,
 * calc_sb_1_csum(). */
static __le32 checksum(const union super *s)
{
	size_t left = sizeof(s->sb) + le32_to_cpu(s->sb.max_dev) * 2;
	const u8 *at = s->bytes;
	u64 sum = 0;

	for (; left >= 4; left -= 4, at += 4)
		sum += le32_to_cpup((const __le32 *)at);
	if (left == 2)
		sum += le16_to_cpup((const __le16 *)at);
	sum -= le32_to_cpu(s->sb.sb_csum);
	return cpu_to_le32((sum & 0xffffffff) + (sum >> 32));
}

static void write_super(struct shim_member *m, union super *s)
{
	s->sb.sb_csum = 0;
	s->sb.sb_csum = checksum(s);
	shim_member_poke(m, SUPER_SECTOR, SUPER_SECTORS, s);
}

static int read_super(struct shim_member *m, union super *s)
{
	struct mdp_superblock_1 *sb = &s->sb;

	shim_member_peek(m, SUPER_SECTOR, SUPER_SECTORS, s);
	if (le32_to_cpu(sb->magic) != MD_SB_MAGIC ||
	    le32_to_cpu(sb->max_dev) > MAX_DEVS || sb->sb_csum != checksum(s))
		return -EINVAL;
	return 0;
}

/* ------------------------------------------------------------------ */
/* One array's superblock					      */

static bool is_journal(const struct array_desc *d, unsigned int n)
{
	return d->log == LOG_JOURNAL && n == d->disks + d->spares;
}

static u32 features(const struct array_desc *d)
{
	switch (d->log) {
	case LOG_BITMAP:
		return MD_FEATURE_BITMAP_OFFSET;
	case LOG_JOURNAL:
		return MD_FEATURE_JOURNAL;
	case LOG_PPL:
		return MD_FEATURE_PPL;
	default:
		return 0;
	}
}

static void set_roles(union super *s, const struct array_desc *d,
		      unsigned int disks)
{
	unsigned int n;

	s->sb.max_dev = cpu_to_le32(max(disks, (unsigned int)MIN_DEVS));
	for (n = 0; n < MAX_DEVS; n++)
		s->sb.dev_roles[n] = cpu_to_le16(ROLE_SPARE);
	for (n = 0; n < d->disks - d->missing; n++)
		s->sb.dev_roles[n] = cpu_to_le16(n);
	if (d->log == LOG_JOURNAL)
		s->sb.dev_roles[d->disks + d->spares] =
			cpu_to_le16(ROLE_JOURNAL);
}

static void set_geometry(struct mdp_superblock_1 *sb,
			 const struct array_desc *d)
{
	sb->level = cpu_to_le32(d->level);
	sb->layout = cpu_to_le32(d->layout);
	sb->size = cpu_to_le64(d->member_bytes >> SECTOR_SHIFT);
	sb->chunksize = cpu_to_le32(d->chunk_bytes >> SECTOR_SHIFT);
	sb->raid_disks = cpu_to_le32(d->disks);
	sb->resync_offset = cpu_to_le64(d->dirty ? 0 : MaxSector);
}

static void set_log(struct mdp_superblock_1 *sb, const struct array_desc *d)
{
	sb->feature_map = cpu_to_le32(features(d));
	if (d->log == LOG_BITMAP)
		sb->bitmap_offset = cpu_to_le32(BITMAP_SECTOR - SUPER_SECTOR);
	if (d->log == LOG_PPL) {
		sb->ppl.offset = cpu_to_le16(PPL_SECTOR - SUPER_SECTOR);
		sb->ppl.size = cpu_to_le16(PPL_SECTORS);
	}
}

static void init_super(union super *s, struct kern_array *a)
{
	struct mdp_superblock_1 *sb = &s->sb;

	memset(s, 0, sizeof(*s));
	sb->magic = cpu_to_le32(MD_SB_MAGIC);
	sb->major_version = cpu_to_le32(1);
	get_random_bytes(sb->set_uuid, sizeof(sb->set_uuid));
	strscpy(sb->set_name, a->name, sizeof(sb->set_name));
	sb->ctime = cpu_to_le64(ktime_get_real_seconds());
	sb->utime = sb->ctime;
	set_geometry(sb, &a->desc);
	set_log(sb, &a->desc);
	set_roles(s, &a->desc, a->nr_disks);
}

/* What differs from disk to disk. */
static void set_device(struct mdp_superblock_1 *sb, struct shim_member *m,
		       unsigned int number, sector_t data)
{
	sector_t size = bdev_nr_sectors(shim_member_bdev(m));

	sb->super_offset = cpu_to_le64(SUPER_SECTOR);
	sb->data_offset = cpu_to_le64(data);
	sb->data_size = cpu_to_le64(size - data);
	sb->recovery_offset = 0;
	sb->dev_number = cpu_to_le32(number);
	sb->cnt_corrected_read = 0;
	sb->devflags = 0;
	sb->bblog_shift = 9;
	sb->bblog_size = cpu_to_le16(BADLOG_SECTORS);
	sb->bblog_offset = cpu_to_le32(BADLOG_SECTOR - SUPER_SECTOR);
	get_random_bytes(sb->device_uuid, sizeof(sb->device_uuid));
}

/* ------------------------------------------------------------------ */
/* Bitmap and PPL						      */

static u64 bitmap_bits(const struct array_desc *d)
{
	u32 chunk = d->log_bytes ?: BITMAP_CHUNK;

	return DIV_ROUND_UP_ULL(d->member_bytes, chunk);
}

static u32 bitmap_sectors(const struct array_desc *d)
{
	u64 bytes =
		sizeof(bitmap_super_t) + DIV_ROUND_UP_ULL(bitmap_bits(d), 8);

	return DIV_ROUND_UP_ULL(bytes, KERN_SECTOR);
}

/* Bits of a new array: all, if it has to be resynced, or none. */
static void write_bitmap(struct kern_array *a, struct shim_member *m,
			 const struct mdp_superblock_1 *sb)
{
	u32 sectors = bitmap_sectors(&a->desc);
	bitmap_super_t *b =
		shim_zalloc((size_t)sectors * KERN_SECTOR, "bitmap");

	memset(b, a->desc.dirty ? 0xff : 0, (size_t)sectors * KERN_SECTOR);
	memset(b, 0, sizeof(*b));
	b->magic = cpu_to_le32(BITMAP_MAGIC);
	b->version = cpu_to_le32(BITMAP_VERSION);
	memcpy(b->uuid, sb->set_uuid, sizeof(b->uuid));
	b->sync_size = sb->size;
	b->chunksize = cpu_to_le32(a->desc.log_bytes ?: BITMAP_CHUNK);
	b->daemon_sleep = cpu_to_le32(BITMAP_SLEEP);
	b->sectors_reserved = cpu_to_le32(BADLOG_SECTOR - BITMAP_SECTOR);
	shim_member_poke(m, BITMAP_SECTOR, sectors, b);
	shim_free(b);
}

/* A header without entries, of this array. */
static void write_ppl(struct shim_member *m, const struct mdp_superblock_1 *sb)
{
	struct ppl_header *h = shim_zalloc(PPL_HEADER_SIZE, "ppl header");

	memset(h->reserved, 0xff, sizeof(h->reserved));
	h->signature =
		cpu_to_le32(~crc32c(~0, sb->set_uuid, sizeof(sb->set_uuid)));
	h->checksum = cpu_to_le32(~crc32c(~0, h, PPL_HEADER_SIZE));
	shim_member_poke(m, PPL_SECTOR, PPL_HEADER_SIZE / KERN_SECTOR, h);
	shim_free(h);
}

/* ------------------------------------------------------------------ */
/* All of it							      */

static bool fits(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	u64 chunk = d->log_bytes;

	if (a->nr_disks > MAX_DEVS)
		return false;
	if (d->log == LOG_JOURNAL)
		return !chunk || chunk > (JOURNAL_SECTOR + 8) * KERN_SECTOR;
	if (d->log != LOG_BITMAP)
		return true;
	return (!chunk || (chunk <= 1U << 31 && is_power_of_2(chunk))) &&
	       bitmap_sectors(d) <= BADLOG_SECTOR - BITMAP_SECTOR;
}

static void create_one(struct kern_array *a, union super *s, unsigned int n)
{
	const struct array_desc *d = &a->desc;
	struct shim_member *m = a->disk[n];
	bool journal = is_journal(d, n);

	set_device(&s->sb, m, n, journal ? JOURNAL_SECTOR : DATA_SECTOR);
	write_super(m, s);
	if (!journal && d->log == LOG_BITMAP)
		write_bitmap(a, m, &s->sb);
	if (!journal && d->log == LOG_PPL)
		write_ppl(m, &s->sb);
}

int super_create(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	unsigned int n;
	union super *s;

	if (!fits(a))
		return -EINVAL;
	s = shim_zalloc(sizeof(*s), "superblock");
	init_super(s, a);
	for (n = 0; n < a->nr_disks; n++)
		if (n < d->disks - d->missing || n >= d->disks)
			create_one(a, s, n);
	shim_free(s);
	return 0;
}

int super_role(struct kern_array *a, unsigned int disk, struct super_role *out)
{
	union super *s = shim_zalloc(sizeof(*s), "superblock");
	int err = read_super(a->disk[disk], s);

	if (!err) {
		out->number = le32_to_cpu(s->sb.dev_number);
		out->role = out->number < le32_to_cpu(s->sb.max_dev)
				    ? le16_to_cpu(s->sb.dev_roles[out->number])
				    : ROLE_SPARE;
	}
	shim_free(s);
	return err;
}

int super_spare(struct kern_array *a, unsigned int disk, unsigned int like,
		unsigned int number)
{
	union super *s = shim_zalloc(sizeof(*s), "superblock");
	int err = read_super(a->disk[like], s);

	if (!err && number < MAX_DEVS) {
		if (number >= le32_to_cpu(s->sb.max_dev))
			s->sb.max_dev = cpu_to_le32(number + 1);
		s->sb.dev_roles[number] = cpu_to_le16(ROLE_SPARE);
		s->sb.feature_map &= cpu_to_le32(~(MD_FEATURE_RECOVERY_OFFSET |
						   MD_FEATURE_BAD_BLOCKS |
						   MD_FEATURE_REPLACEMENT));
		set_device(&s->sb, a->disk[disk], number, DATA_SECTOR);
		write_super(a->disk[disk], s);
		if (a->desc.log == LOG_PPL)
			write_ppl(a->disk[disk], &s->sb);
	}
	shim_free(s);
	return err;
}
