// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 1.2 superblocks as mdadm --create writes them (super1.c of mdadm
 * describes none of it; the layout is that of linux/raid/md_p.h and of what
 * super_1_load() accepts). Knows disks and formats, nothing of md's state.
 */
#include <linux/crc32c.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/raid/md_p.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "drivers/md/md.h"
#include "drivers/md/md-bitmap.h"

#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/md-real/superblock.h"

#define SB_SECTOR     8
#define SB_BYTES      4096
#define AREA_SECTOR   16 /* bitmap or PPL */
#define BAD_SECTOR    2040
#define BAD_SECTORS   8
#define PPL_SECTORS   (8 + 256) /* header and raid5-ppl.c's PPL_SPACE_SIZE */
#define BITMAP_MAGIC_LE 0x6d746962
#define BITMAP_VERSION	4
#define BITMAP_BYTES  (64UL << 20) /* mdadm's usual chunk of a bitmap */
#define FIRST_EVENTS  1

/* Roles that are no place in the array: linux/raid/md_p.h, dev_roles. */
#define ROLE_SPARE   0xffff
#define ROLE_FAULTY  0xfffe
#define ROLE_JOURNAL 0xfffd

/* One array a name: all of its bytes are the name's. */
static void set_uuid(u8 *uuid, const char *name)
{
	unsigned int i, len = strlen(name);

	for (i = 0; i < 16; i++)
		uuid[i] = name[i % len] + i;
}

static bool is_journal(struct kern_array *a, unsigned int disk)
{
	return a->desc.log == LOG_JOURNAL && disk + 1 == a->nr_disks;
}

static bool is_missing(struct kern_array *a, unsigned int disk)
{
	return disk < a->desc.disks && disk >= a->desc.disks - a->desc.missing;
}

static unsigned int role_of(struct kern_array *a, unsigned int disk)
{
	if (is_journal(a, disk))
		return ROLE_JOURNAL;
	if (is_missing(a, disk))
		return ROLE_FAULTY;
	return disk < a->desc.disks ? disk : ROLE_SPARE;
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

static void fill_array(struct mdp_superblock_1 *sb, struct kern_array *a)
{
	const struct array_desc *d = &a->desc;

	sb->magic = cpu_to_le32(MD_SB_MAGIC);
	sb->major_version = cpu_to_le32(1);
	sb->feature_map = cpu_to_le32(features(d));
	set_uuid(sb->set_uuid, a->name);
	strscpy(sb->set_name, a->name, sizeof(sb->set_name));
	sb->level = cpu_to_le32(d->level);
	sb->layout = cpu_to_le32(d->layout);
	sb->size = cpu_to_le64(d->member_bytes >> SECTOR_SHIFT);
	sb->chunksize = cpu_to_le32(d->chunk_bytes >> SECTOR_SHIFT);
	sb->raid_disks = cpu_to_le32(d->disks);
	sb->resync_offset = cpu_to_le64(d->dirty ? 0 : MaxSector);
	sb->events = cpu_to_le64(FIRST_EVENTS);
	if (d->log == LOG_BITMAP)
		sb->bitmap_offset = cpu_to_le32(AREA_SECTOR - SB_SECTOR);
	if (d->log == LOG_PPL) {
		sb->ppl.offset = cpu_to_le16(AREA_SECTOR - SB_SECTOR);
		sb->ppl.size = cpu_to_le16(PPL_SECTORS);
	}
}

static void fill_device(struct mdp_superblock_1 *sb, struct kern_array *a,
			unsigned int disk)
{
	sector_t all = bdev_nr_sectors(shim_member_bdev(a->disk[disk]));

	sb->data_offset = cpu_to_le64(DATA_SECTOR);
	sb->data_size = cpu_to_le64(all - DATA_SECTOR);
	sb->super_offset = cpu_to_le64(SB_SECTOR);
	sb->dev_number = cpu_to_le32(disk);
	set_uuid(sb->device_uuid, a->name);
	sb->device_uuid[15] = disk;
	if (is_journal(a, disk))
		return;
	sb->bblog_offset = cpu_to_le32(BAD_SECTOR - SB_SECTOR);
	sb->bblog_size = cpu_to_le16(BAD_SECTORS);
}

static void fill_roles(struct mdp_superblock_1 *sb, struct kern_array *a)
{
	unsigned int n, max = min(a->nr_disks + 128, 1920U);

	sb->max_dev = cpu_to_le32(max);
	for (n = 0; n < max; n++)
		sb->dev_roles[n] = cpu_to_le16(
			n < a->nr_disks ? role_of(a, n) : ROLE_FAULTY);
}

/* The sum of its words, folded once: md.c, calc_sb_1_csum(). */
static u32 checksum(const struct mdp_superblock_1 *sb)
{
	unsigned int i, bytes = sizeof(*sb) + 2 * le32_to_cpu(sb->max_dev);
	const __le32 *word = (const __le32 *)sb;
	u64 sum = 0;

	for (i = 0; i < bytes / 4; i++)
		sum += le32_to_cpu(word[i]);
	if (bytes % 4)
		sum += le16_to_cpu(*(const __le16 *)&word[i]);
	return (u32)sum + (u32)(sum >> 32);
}

static void write_block(struct kern_array *a, unsigned int disk,
			sector_t sector, const void *block)
{
	shim_member_poke(a->disk[disk], sector, SB_BYTES >> SECTOR_SHIFT,
			 block);
}

static void write_superblock(struct kern_array *a, unsigned int disk)
{
	struct mdp_superblock_1 *sb = shim_zalloc(SB_BYTES, "superblock");

	fill_array(sb, a);
	fill_device(sb, a, disk);
	fill_roles(sb, a);
	sb->sb_csum = cpu_to_le32(checksum(sb));
	write_block(a, disk, SB_SECTOR, sb);
	shim_free(sb);
}

/* What md_bitmap_read_sb() asks for; the bits, all clear, are there. */
static void write_bitmap(struct kern_array *a, unsigned int disk)
{
	bitmap_super_t *bm = shim_zalloc(SB_BYTES, "bitmap");

	bm->magic = cpu_to_le32(BITMAP_MAGIC_LE);
	bm->version = cpu_to_le32(BITMAP_VERSION);
	set_uuid(bm->uuid, a->name);
	bm->events = cpu_to_le64(FIRST_EVENTS);
	bm->events_cleared = cpu_to_le64(FIRST_EVENTS);
	bm->sync_size = cpu_to_le64(a->desc.member_bytes >> SECTOR_SHIFT);
	bm->chunksize = cpu_to_le32(a->desc.log_bytes ?: BITMAP_BYTES);
	bm->daemon_sleep = cpu_to_le32(5);
	write_block(a, disk, AREA_SECTOR, bm);
	shim_free(bm);
}

/* The log is empty: one meta block that names itself as the last. */
static void write_journal(struct kern_array *a, unsigned int disk)
{
	struct r5l_meta_block *mb = shim_zalloc(PAGE_SIZE, "journal");
	u8 uuid[16];

	set_uuid(uuid, a->name);
	mb->magic = cpu_to_le32(R5LOG_MAGIC);
	mb->version = R5LOG_VERSION;
	mb->meta_size = cpu_to_le32(sizeof(*mb));
	mb->seq = cpu_to_le64(1);
	mb->checksum = cpu_to_le32(
		crc32c(crc32c(~0, uuid, sizeof(uuid)), mb, PAGE_SIZE));
	shim_member_poke(a->disk[disk], DATA_SECTOR, PAGE_SIZE >> SECTOR_SHIFT,
			 mb);
	shim_free(mb);
}

void superblocks_create(struct kern_array *a)
{
	unsigned int n;

	for (n = 0; n < a->nr_disks; n++) {
		if (is_missing(a, n))
			continue;
		write_superblock(a, n);
		if (a->desc.log == LOG_BITMAP)
			write_bitmap(a, n);
		if (is_journal(a, n))
			write_journal(a, n);
	}
}

void superblock_spare(struct kern_array *a, unsigned int disk)
{
	struct mdp_superblock_1 *sb = shim_zalloc(SB_BYTES, "superblock");
	unsigned int n;

	fill_array(sb, a);
	fill_device(sb, a, disk);
	sb->events = 0;
	sb->max_dev = cpu_to_le32(min(a->nr_disks + 128, 1920U));
	for (n = 0; n < le32_to_cpu(sb->max_dev); n++)
		sb->dev_roles[n] = cpu_to_le16(ROLE_SPARE);
	sb->sb_csum = cpu_to_le32(checksum(sb));
	write_block(a, disk, SB_SECTOR, sb);
	shim_free(sb);
}
