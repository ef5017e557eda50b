// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays as the host side sees them: their disks, their creation through the
 * md core, what md says of them and of their members, and their attributes.
 * The md core behind it is the tree's own or a model. Knows mddev's fields,
 * nothing of raid5.c.
 */
#include <linux/kernel.h>
#include <linux/kdev_t.h>
#include <linux/major.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "kernel/array.h"
#include "kernel/block.h"
#include "kernel/disk.h"
#include "kernel/md.h"
#include "kernel/shim.h"
#include "probes.h"

#ifdef HAVE_MDDEV_RESYNC_OFFSET
#define dirty_from resync_offset
#else
#define dirty_from recovery_cp
#endif

LIST_HEAD(shim_arrays);

/* --- disks ------------------------------------------------------------- */

/* sda ... sdz, sdaa, ... */
static void member_name(char *buf, size_t size, unsigned int n)
{
	char letters[8];
	int at = sizeof(letters) - 1;

	letters[at] = '\0';
	for (n++; n; n = (n - 1) / 26)
		letters[--at] = 'a' + (n - 1) % 26;
	snprintf(buf, size, "sd%s", letters + at);
}

/* As the SCSI disk driver numbers whole disks, one major for all of them. */
static dev_t member_dev(unsigned int n)
{
	return MKDEV(SCSI_DISK0_MAJOR, n * 16);
}

static u64 disk_bytes(const struct array_desc *d, unsigned int n)
{
	bool journal = d->log == LOG_JOURNAL && n == d->disks + d->spares;

	if (journal)
		return d->log_bytes ?: 64ULL << 20;
	return d->member_bytes + shim_metadata_bytes(d);
}

static void create_disks(struct kern_array *a)
{
	const struct array_desc *d = &a->desc;
	const struct disk_media media = {
		.rotational = d->rotational,
		.write_through = d->write_through,
	};
	unsigned int n;
	char name[16];

	a->nr_disks = d->disks + d->spares + (d->log == LOG_JOURNAL);
	a->disk = shim_zalloc((a->nr_disks + 1) * sizeof(*a->disk), "disks");
	for (n = 0; n < a->nr_disks; n++) {
		member_name(name, sizeof(name), n);
		a->disk[n] = shim_member_create(name, member_dev(n),
						disk_bytes(d, n) >>
							SECTOR_SHIFT,
						&media);
	}
}

static void free_disks(struct kern_array *a)
{
	unsigned int n;

	for (n = 0; n < a->nr_disks; n++)
		shim_member_free(a->disk[n]);
	shim_free(a->disk);
}

unsigned int kern_array_disks(const struct kern_array *a)
{
	return a->nr_disks;
}

struct shim_member *shim_array_disk(struct kern_array *a, unsigned int n)
{
	return n < a->nr_disks ? a->disk[n] : NULL;
}

struct gendisk *shim_array_gendisk(struct kern_array *a)
{
	return a->mddev->gendisk;
}

struct mddev *shim_array_mddev(struct kern_array *a)
{
	return a->mddev;
}

/* --- life -------------------------------------------------------------- */

static long long logged_kb;

/* The driver says "md/raid:NAME: allocated NkB" at debug level. */
static void catch_allocated(int level, const char *text)
{
	const char *at = strstr(text, ": allocated ");
	int kb;

	if (at && sscanf(at, ": allocated %dkB", &kb) == 1)
		logged_kb = kb;
}

static int run_logged(struct kern_array *a)
{
	int ret;

	logged_kb = -1;
	shim_log_debug = 1;
	shim_log_hook = catch_allocated;
	ret = shim_mddev_run(a);
	shim_log_hook = NULL;
	shim_log_debug = 0;
	a->allocated = logged_kb;
	return ret;
}

static struct kern_array *array_new(const struct array_desc *desc)
{
	struct kern_array *a = shim_zalloc(sizeof(*a), "array");

	a->desc = *desc;
	strscpy(a->name, desc->name, sizeof(a->name));
	a->desc.name = a->name;
	create_disks(a);
	list_add_tail(&a->list, &shim_arrays);
	return a;
}

static void array_free(struct kern_array *a)
{
	kern_run_idle();
	free_disks(a);
	list_del(&a->list);
	shim_free(a);
}

int kern_array_create(const struct array_desc *desc, struct kern_array **out)
{
	struct kern_array *a = array_new(desc);
	int err = shim_mddev_create(a);

	*out = NULL;
	if (!err) {
		err = run_logged(a);
		if (err)
			shim_mddev_stop(a);
	}
	if (err) {
		array_free(a);
		return err;
	}
	/* A resync or recovery goes on meanwhile. */
	if (!desc->dirty && !desc->missing)
		kern_run_idle();
	*out = a;
	return 0;
}

void kern_array_stop(struct kern_array *a)
{
	kern_run_idle();
	shim_mddev_stop(a);
	array_free(a);
}

/* --- attributes -------------------------------------------------------- */

/* sysfs hands a store function a page with the text and a final NUL. */
long kern_attr_store(struct kern_array *a, const char *name, const char *val)
{
	return shim_attr_store(a, name, val);
}

long kern_attr_show(struct kern_array *a, const char *name, char *buf,
		    unsigned long size)
{
	char *page = host_obj_alloc(PAGE_SIZE, PAGE_SIZE, MEM_SHIM, NULL, NULL);
	long ret;

	memset(page, 0, PAGE_SIZE);
	ret = shim_attr_show(a, name, page);
	if (size)
		strscpy(buf, page, size);
	host_obj_free(page, MEM_SHIM, NULL);
	return ret;
}

/* --- what md says ------------------------------------------------------ */

/* The member that is on the array's @n-th disk. */
struct md_rdev *shim_array_member(struct kern_array *a, unsigned int n)
{
	struct md_rdev *member;

	if (!a->mddev)
		return NULL;
	rdev_for_each (member, a->mddev)
		if (member->bdev &&
		    member->bdev == shim_member_bdev(a->disk[n]))
			return member;
	return NULL;
}

void kern_member_state(struct kern_array *a, unsigned int disk,
		       struct member_state *out)
{
	struct md_rdev *member = shim_array_member(a, disk);

	*out = (struct member_state){.slot = -1};
	if (!member)
		return;
	out->in_array = 1;
	out->faulty = test_bit(Faulty, &member->flags);
	out->in_sync = test_bit(In_sync, &member->flags);
	out->journal = test_bit(Journal, &member->flags);
	out->replacement = test_bit(Replacement, &member->flags);
	out->slot = member->raid_disk;
	out->data_sector = member->data_offset;
	out->new_data_sector = member->new_data_offset;
	out->recovered = out->in_sync ? ~0ULL : member->recovery_offset;
}

int kern_member_bad(struct kern_array *a, unsigned int disk,
		    unsigned long long sector, unsigned int sectors)
{
	struct md_rdev *member = shim_array_member(a, disk);
	sector_t first;
	int count;

	if (!member || !member->badblocks.count)
		return 0;
	return badblocks_check(&member->badblocks, sector, sectors, &first,
			       &count) != 0;
}

static bool too_many_gone(struct mddev *mddev)
{
	return mddev->degraded > (mddev->level == 6 ? 2 : 1);
}

void kern_array_state(struct kern_array *a, struct array_state *out)
{
	struct mddev *mddev = a->mddev;

	memset(out, 0, sizeof(*out));
	if (!mddev)
		return;
	*out = (struct array_state){
		.running = mddev->pers != NULL,
		.level = mddev->level,
		.layout = mddev->layout,
		.disks = mddev->raid_disks,
		.degraded = mddev->degraded,
		.failed = too_many_gone(mddev),
		.read_only = !md_is_rdwr(mddev),
		.chunk_sectors = mddev->chunk_sectors,
		.sectors = mddev->array_sectors,
		.member_sectors = mddev->dev_sectors,
		.new_level = mddev->new_level,
		.new_layout = mddev->new_layout,
		.new_disks = mddev->raid_disks + mddev->delta_disks,
		.new_chunk_sectors = mddev->new_chunk_sectors,
		.backwards = mddev->reshape_backwards,
		.reshape_position = mddev->reshape_position,
		.resync_from = mddev->dirty_from,
		.mismatches = atomic64_read(&mddev->resync_mismatches),
	};
	/* raid5_start_reshape() counts the new ones at once. */
	if (mddev->reshape_position != MaxSector) {
		out->new_disks = mddev->raid_disks;
		out->disks = mddev->raid_disks - mddev->delta_disks;
	}
}
