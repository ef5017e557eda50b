/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies around the tree's own bio.c, blk-core.c and blk-settings.c:
 * simulated disks, the one cgroup all tasks are in, and read-only disks.
 * Knows nothing of arrays. Where a disk's bios go is its maker's business.
 */
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/backing-dev.h>
#include <linux/part_stat.h>
#include <linux/percpu-refcount.h>
#include <linux/vmstat.h>

#include "block/blk.h"
#include "block/blk-cgroup.h"

#include "kernel/block.h"
#include "kernel/shim.h"
#include "probes.h"

#ifdef CONFIG_VM_EVENT_COUNTERS
/* mm/vmstat.c: submit_bio() counts into it, nothing here reads it. */
DEFINE_PER_CPU(struct vm_event_state, vm_event_states);
#endif

#ifdef HAVE_QUEUE_KOBJ
/* Named by blk_alloc_queue(), which nothing here calls. */
struct kobj_type blk_queue_ktype;
#endif

void *shim_zalloc(size_t size, const char *tag)
{
	void *obj = host_obj_alloc(size, 64, MEM_SHIM, tag,
				   __builtin_return_address(0));

	return memset(obj, 0, size);
}

void shim_free(void *obj)
{
	host_obj_free(obj, MEM_SHIM, __builtin_return_address(0));
}

/* The last reference is the owner's, so this is one put too many. */
static void ref_underflow(struct percpu_ref *ref)
{
	finding_fatal(FINDING_KERNEL_BUG, __builtin_return_address(0),
		      "a block reference count fell to zero while in use");
}

/*
 * A percpu_ref in atomic mode, as blk_alloc_queue() leaves one, without the
 * per-CPU counter that this mode never uses.
 */
static void ref_init_atomic(struct percpu_ref *ref,
			    struct percpu_ref_data *data)
{
	atomic_long_set(&data->count, 1);
	data->release = ref_underflow;
	data->force_atomic = true;
	data->ref = ref;
	ref->data = data;
	ref->percpu_count_ptr = __PERCPU_REF_ATOMIC;
}

#ifdef CONFIG_BLK_CGROUP
/* Every task is in the root cgroup and no policy is active, so one root
 * group stands for all queues' own. */
static struct blkcg_gq root_blkg;
static struct percpu_ref_data root_blkg_ref;

static void queue_set_root_blkg(struct request_queue *q)
{
	if (!root_blkg.refcnt.data)
		ref_init_atomic(&root_blkg.refcnt, &root_blkg_ref);
	q->root_blkg = &root_blkg;
}

void bio_associate_blkg(struct bio *bio)
{
	if (bio->bi_blkg)
		blkg_put(bio->bi_blkg);
	bio->bi_blkg = bdev_get_queue(bio->bi_bdev)->root_blkg;
	blkg_get(bio->bi_blkg);
}

void bio_clone_blkg_association(struct bio *dst, struct bio *src)
{
	if (src->bi_blkg)
		bio_associate_blkg(dst);
}

/* The root group's statistics are the disks' own: nothing is counted. */
void blk_cgroup_bio_start(struct bio *bio)
{
}
#else
static void queue_set_root_blkg(struct request_queue *q)
{
}
#endif

/* blk-mq.c: no queue here is request-based, so no plug ever holds requests. */
void blk_mq_flush_plug_list(struct blk_plug *plug, bool from_schedule)
{
	if (plug->rq_count)
		finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0),
			      "not modelled: blk_mq_flush_plug_list()");
}

/* block/genhd.c: a CPU may have ended what another began. */
unsigned int part_in_flight(struct block_device *part)
{
	unsigned int cpu;
	long sum = 0;

	for_each_possible_cpu(cpu)
		sum += part_stat_local_read_cpu(part, in_flight[READ], cpu) +
		       part_stat_local_read_cpu(part, in_flight[WRITE], cpu);
	return max(sum, 0L);
}

void set_disk_ro(struct gendisk *disk, bool read_only)
{
	if (read_only)
		set_bit(GD_READ_ONLY, &disk->state);
	else
		clear_bit(GD_READ_ONLY, &disk->state);
}

/*
 * One object a disk. The queue is last: in some trees it ends in an array of
 * no fixed length.
 */
struct shim_disk {
	struct gendisk disk;
	struct block_device part0;
	struct backing_dev_info bdi;
	struct percpu_ref_data usage;
#ifdef HAVE_BDEV_INODE
	struct inode inode;
	struct address_space pages;
#endif
	struct request_queue queue;
};

/* As blk_queue_usage_counter_release(): whoever drains the queue goes on. */
static void queue_usage_left(struct percpu_ref *ref)
{
	struct request_queue *q =
		container_of(ref, struct request_queue, q_usage_counter);

	wake_up_all(&q->mq_freeze_wq);
}

static void queue_init_mutexes(struct request_queue *q)
{
	mutex_init(&q->rq_qos_mutex);
	mutex_init(&q->mq_freeze_lock);
	mutex_init(&q->sysfs_lock);
#ifdef HAVE_QUEUE_LIMITS_LOCK
	mutex_init(&q->limits_lock);
#endif
}

/* No request of such a queue has a timeout; they are cancelled all the same. */
static void never_times_out(struct timer_list *timer)
{
}

static void no_timeout_work(struct work_struct *work)
{
}

/* Who waits for the queue to be empty waits for who is in it. */
#ifdef HAVE_QUEUE_LOCKDEP_MAP
static void queue_init_maps(struct request_queue *q)
{
	lockdep_register_key(&q->io_lock_cls_key);
	lockdep_register_key(&q->q_lock_cls_key);
	lockdep_init_map(&q->io_lockdep_map, "&q->q_usage_counter(io)",
			 &q->io_lock_cls_key, 0);
	lockdep_init_map(&q->q_lockdep_map, "&q->q_usage_counter(queue)",
			 &q->q_lock_cls_key, 0);
}

static void queue_free_maps(struct request_queue *q)
{
	lockdep_unregister_key(&q->io_lock_cls_key);
	lockdep_unregister_key(&q->q_lock_cls_key);
}
#else
static void queue_init_maps(struct request_queue *q)
{
}

static void queue_free_maps(struct request_queue *q)
{
}
#endif

static void queue_init(struct shim_disk *d)
{
	struct request_queue *q = &d->queue;

	q->disk = &d->disk;
	q->node = NUMA_NO_NODE;
	spin_lock_init(&q->queue_lock);
	init_waitqueue_head(&q->mq_freeze_wq);
	queue_init_mutexes(q);
	queue_init_maps(q);
	timer_setup(&q->timeout, never_times_out, 0);
	INIT_WORK(&q->timeout_work, no_timeout_work);
	q->nr_requests = BLKDEV_DEFAULT_RQ;
	ref_init_atomic(&q->q_usage_counter, &d->usage);
	d->usage.release = queue_usage_left;
	queue_set_root_blkg(q);
}

static void part0_init(struct shim_disk *d, dev_t dev)
{
	struct block_device *bdev = &d->part0;

	bdev->bd_disk = &d->disk;
	bdev->bd_queue = &d->queue;
	bdev->bd_dev = dev;
	spin_lock_init(&bdev->bd_size_lock);
	mutex_init(&bdev->bd_fsfreeze_mutex);
#ifdef HAVE_BDEV_INODE
	bdev->bd_inode = &d->inode;
	d->inode.i_mapping = &d->pages;
#endif
#ifdef HAVE_BDEV_FLAGS
	atomic_or(BD_HAS_SUBMIT_BIO, &bdev->__bd_flags);
#endif
}

/* Of all disks: the first macro that makes one has it in the kernel too. */
static struct lock_class_key bio_completion_key;

static struct shim_disk *disk_new(const char *name, dev_t dev,
				  const struct block_device_operations *fops)
{
	struct shim_disk *d = shim_zalloc(sizeof(*d), "disk");
	struct gendisk *disk = &d->disk;

	strscpy(disk->disk_name, name, sizeof(disk->disk_name));
	disk->major = MAJOR(dev);
	disk->first_minor = MINOR(dev);
	disk->minors = 1;
	disk->fops = fops;
	disk->queue = &d->queue;
	disk->part0 = &d->part0;
	disk->bdi = &d->bdi;
	disk->node_id = NUMA_NO_NODE;
	mutex_init(&disk->open_mutex);
	lockdep_init_map(&disk->lockdep_map, "(bio completion)",
			 &bio_completion_key, 0);
#ifdef CONFIG_BLOCK_HOLDER_DEPRECATED
	INIT_LIST_HEAD(&disk->slave_bdevs);
#endif
	set_bit(GD_ADDED, &disk->state);
	queue_init(d);
	part0_init(d, dev);
	return d;
}

void shim_disk_set_sectors(struct gendisk *disk, sector_t sectors)
{
	struct block_device *whole = disk->part0;

	spin_lock(&whole->bd_size_lock);
#ifdef HAVE_BDEV_INODE
	i_size_write(whole->bd_inode, sectors << SECTOR_SHIFT);
#endif
	whole->bd_nr_sectors = sectors;
	spin_unlock(&whole->bd_size_lock);
}

#ifdef HAVE_BDEV_QUEUE_LIMITS_FEATURES
/* All limits that the media do not set are at the defaults. */
static void limits_plain(struct request_queue *q,
			 const struct disk_media *media)
{
	struct queue_limits *lim = &q->limits;

	lim->features = BLK_FEAT_IO_STAT | BLK_FEAT_NOWAIT;
	if (!media->write_through)
		lim->features |= BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA;
	lim->max_write_zeroes_sectors = UINT_MAX >> SECTOR_SHIFT;
	if (!media->rotational)
		lim->max_hw_discard_sectors = UINT_MAX >> SECTOR_SHIFT;
	if (media->rotational)
		lim->features |= BLK_FEAT_ROTATIONAL;
	if (blk_set_default_limits(lim))
		host_panic("a disk's default limits are refused");
}

/* What allocating a disk without limits of one's own gives. */
static void limits_stacked(struct request_queue *q)
{
	if (blk_set_default_limits(&q->limits))
		host_panic("a disk's default limits are refused");
}
#else
static void set_cache_flags(struct request_queue *q)
{
	blk_queue_flag_set(QUEUE_FLAG_HW_WC, q);
	blk_queue_flag_set(QUEUE_FLAG_WC, q);
	blk_queue_flag_set(QUEUE_FLAG_FUA, q);
}

static void limits_plain(struct request_queue *q,
			 const struct disk_media *media)
{
	blk_set_default_limits(&q->limits);
	if (!media->write_through)
		set_cache_flags(q);
	blk_queue_flag_set(QUEUE_FLAG_IO_STAT, q);
	blk_queue_flag_set(QUEUE_FLAG_NOWAIT, q);
	q->limits.max_write_zeroes_sectors = UINT_MAX >> SECTOR_SHIFT;
	if (media->rotational)
		return;
	blk_queue_flag_set(QUEUE_FLAG_NONROT, q);
	blk_queue_max_discard_sectors(q, UINT_MAX >> SECTOR_SHIFT);
	q->limits.discard_granularity = q->limits.physical_block_size;
}

static void limits_stacked(struct request_queue *q)
{
	blk_set_stacking_limits(&q->limits);
	set_cache_flags(q);
}
#endif

struct gendisk *shim_disk_create(const char *name, dev_t dev, sector_t sectors,
				 const struct disk_media *media,
				 const struct block_device_operations *fops)
{
	struct shim_disk *d = disk_new(name, dev, fops);

	limits_plain(&d->queue, media);
	shim_disk_set_sectors(&d->disk, sectors);
	return &d->disk;
}

void shim_disk_free(struct gendisk *disk)
{
	bioset_exit(&disk->bio_split);
	free_percpu(disk->part0->bd_stats);
	queue_free_maps(disk->queue);
	shim_free(container_of(disk, struct shim_disk, disk));
}

struct gendisk *
shim_disk_create_stacked(const char *name, dev_t dev,
			 const struct block_device_operations *fops)
{
	struct shim_disk *d = disk_new(name, dev, fops);

	limits_stacked(&d->queue);
	d->part0.bd_stats = alloc_percpu(struct disk_stats);
	if (d->part0.bd_stats &&
	    !bioset_init(&d->disk.bio_split, BIO_POOL_SIZE, 0, 0))
		return &d->disk;
	shim_disk_free(&d->disk);
	return NULL;
}

