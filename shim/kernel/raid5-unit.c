// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one translation unit that includes raid5.c and so reaches its statics.
 * It drives arrays for the host side: creates, reads sizes, writes attributes,
 * touches stripes, stops. It adds nothing that raid5.c could see.
 */
#include "drivers/md/raid5.c"

#include <linux/moduleparam.h>
#include <linux/radix-tree.h>
#include <generated/subject-kernel.h>
#include "probes.h"
#include "shim.h"
#include "md.h"
#include "disk.h"

struct module __this_module = {.name = "raid456"};

const struct subject_info kern_subject = {
	.name = SUBJECT_NAME,
	.kernel = SUBJECT_KERNEL,
	.config = SUBJECT_CONFIG,
	.word_bits = BITS_PER_LONG,
	.page_size = PAGE_SIZE,
	.modified = SUBJECT_MODIFIED,
	.series = SUBJECT_SERIES,
	.lockdep = SUBJECT_LOCKDEP,
};

/**
 * struct kern_array - an array that runs
 * @mddev:	md's part; mddev->private is the r5conf
 * @disks:	members when it was created
 * @allocated:	the number of the driver's own "allocated N kB", or -1
 */
struct kern_array {
	struct list_head list;
	struct mddev *mddev;
	int disks;
	long long allocated;
};

static LIST_HEAD(arrays);

static struct r5conf *conf_of(struct kern_array *a)
{
	return a->mddev->private;
}

/* --- boot, module, parameters ------------------------------------------ */

static unsigned int boot_cpu(void)
{
	return cpumask_first(cpu_online_mask);
}

void kern_boot(const struct machine *m)
{
	shim_cpu_boot(m);
	shim_memory_boot(m);
	shim_task_boot(boot_cpu());
	wait_bit_init();
	shim_booting = 1;
	shim_workqueue_boot();
	radix_tree_init(); /* as start_kernel() does */
	shim_initcalls();
	shim_booting = 0;
}

int kern_module_init(void)
{
	return init_module();
}

void kern_module_exit(void)
{
	cleanup_module();
	kern_run_idle();
	rcu_barrier();
	shim_io_forget();
	shim_page_leaks();
}

extern const struct kernel_param __start___param[] __weak;
extern const struct kernel_param __stop___param[] __weak;

/* Parameters of built-in code carry a "file." prefix; the module's do not. */
static const struct kernel_param *param_at(unsigned int i)
{
	const struct kernel_param *kp;

	for (kp = __start___param; kp < __stop___param; kp++)
		if (!strchr(kp->name, '.') && !i--)
			return kp;
	return NULL;
}

unsigned int kern_param_count(void)
{
	unsigned int n = 0;

	while (param_at(n))
		n++;
	return n;
}

const char *kern_param_name(unsigned int i)
{
	const struct kernel_param *kp = param_at(i);

	return kp ? kp->name : NULL;
}

int kern_param_set(const char *name, const char *value)
{
	const struct kernel_param *kp;
	unsigned int i;

	for (i = 0; (kp = param_at(i)); i++)
		if (!strcmp(kp->name, name))
			return kp->ops->set(value, kp);
	return -ENOENT;
}

/* --- arrays ------------------------------------------------------------ */

static long long logged_kb;

/* The driver says "md/raid:NAME: allocated NkB" at debug level. */
static void catch_allocated(int level, const char *text)
{
	const char *at = strstr(text, ": allocated ");
	int kb;

	if (at && sscanf(at, ": allocated %dkB", &kb) == 1)
		logged_kb = kb;
}

static int run_logged(struct mddev *mddev)
{
	int ret;

	logged_kb = -1;
	shim_log_debug = 1;
	shim_log_hook = catch_allocated;
	ret = shim_mddev_run(mddev);
	shim_log_hook = NULL;
	shim_log_debug = 0;
	return ret;
}

int kern_array_create(const struct array_desc *desc, struct kern_array **out)
{
	struct kern_array *a;
	struct mddev *mddev;
	int err;

	*out = NULL;
	mddev = shim_mddev_create(desc, &err);
	if (!mddev) {
		kern_run_idle();
		return err;
	}
	err = run_logged(mddev);
	if (err) {
		shim_mddev_stop(mddev);
		kern_run_idle();
		return err;
	}
	a = host_obj_alloc(sizeof(*a), 8, MEM_SHIM, NULL, NULL);
	a->mddev = mddev;
	a->disks = desc->disks;
	a->allocated = logged_kb;
	list_add_tail(&a->list, &arrays);
	kern_run_idle();
	*out = a;
	return 0;
}

unsigned int kern_array_disks(const struct kern_array *a)
{
	return a->disks;
}

struct shim_member *shim_array_disk(struct kern_array *a, unsigned int n)
{
	return shim_mddev_disk(a->mddev, n);
}

struct mddev *shim_array_mddev(struct kern_array *a)
{
	return a->mddev;
}

struct gendisk *shim_array_gendisk(struct kern_array *a)
{
	return a->mddev->gendisk;
}

void kern_array_stop(struct kern_array *a)
{
	kern_run_idle();
	shim_mddev_stop(a->mddev);
	list_del(&a->list);
	host_obj_free(a, MEM_SHIM, NULL);
	kern_run_idle();
}

#ifdef HAVE_CONF_NR_HASH_LOCKS
#define NR_HASH_LOCKS(conf) ((conf)->nr_hash_locks)
#else
#define NR_HASH_LOCKS(conf) NR_STRIPE_HASH_LOCKS
#endif
#ifdef HAVE_CONF_MAX_STRIPE_BATCH
#define STRIPE_BATCH(conf) ((conf)->max_stripe_batch)
#else
#define STRIPE_BATCH(conf) MAX_STRIPE_BATCH
#endif

void kern_array_sizes(struct kern_array *a, struct array_sizes *out)
{
	struct r5conf *conf = conf_of(a);

	out->nr_hash_locks = NR_HASH_LOCKS(conf);
	out->stripe_cache_size = conf->min_nr_stripes;
	out->max_nr_stripes = conf->max_nr_stripes;
	out->max_stripe_batch = STRIPE_BATCH(conf);
	out->group_thread_cnt = conf->worker_cnt_per_group;
	out->group_cnt = conf->group_cnt;
	out->workers = (long long)conf->worker_cnt_per_group * conf->group_cnt;
	out->bytes_per_stripe = sizeof(struct stripe_head) +
				a->disks * (sizeof(struct bio) + PAGE_SIZE);
	out->allocated_kb = a->allocated;
}

/* --- attributes -------------------------------------------------------- */

/*
 * The files in an array's md directory are raid5's and md's own (level,
 * array_state, ...). Those of md are not modelled, and a file that nobody has
 * is a mistake of the caller: neither may look like an answer of the kernel.
 */
static struct md_sysfs_entry *find_attr(struct kern_array *a, const char *name)
{
	struct md_sysfs_entry *entry = shim_mddev_attr(a->mddev, name);

	if (!entry)
		finding_fatal(FINDING_NOT_MODELLED, NULL,
			      "not modelled: md attribute %s; those of raid5 are",
			      name);
	return entry;
}

/* sysfs hands a store function a page with the text and a final NUL. */
long kern_attr_store(struct kern_array *a, const char *name, const char *val)
{
	struct md_sysfs_entry *entry = find_attr(a, name);
	size_t len = strlen(val);
	char *page;
	long ret;

	if (!(entry->attr.mode & 0222) || !entry->store)
		return -EACCES;
	if (len >= PAGE_SIZE)
		return -EINVAL;
	page = host_obj_alloc(PAGE_SIZE, PAGE_SIZE, MEM_SHIM, NULL, NULL);
	memset(page, 0, PAGE_SIZE);
	memcpy(page, val, len);
	ret = shim_mddev_attr_store(a->mddev, name, page, len);
	host_obj_free(page, MEM_SHIM, NULL);
	kern_run_idle();
	return ret;
}

long kern_attr_show(struct kern_array *a, const char *name, char *buf,
		    unsigned long size)
{
	struct md_sysfs_entry *entry = find_attr(a, name);
	char *page;
	long ret;

	if (!(entry->attr.mode & 0444) || !entry->show)
		return -EACCES;
	page = host_obj_alloc(PAGE_SIZE, PAGE_SIZE, MEM_SHIM, NULL, NULL);
	memset(page, 0, PAGE_SIZE);
	ret = shim_mddev_attr_show(a->mddev, name, page);
	if (size)
		strscpy(buf, page, size);
	host_obj_free(page, MEM_SHIM, NULL);
	kern_run_idle();
	return ret;
}

/* --- steps ------------------------------------------------------------- */

void kern_quiesce(struct kern_array *a, int on)
{
	a->mddev->pers->quiesce(a->mddev, on);
	kern_run_idle();
}

#ifdef HAVE_MDDEV_SUSPEND_INT
int kern_suspend(struct kern_array *a)
{
	int ret = mddev_suspend(a->mddev, true);

	kern_run_idle();
	return ret;
}

void kern_resume(struct kern_array *a)
{
	mddev_resume(a->mddev);
	kern_run_idle();
}
#else
/* Here the caller holds the reconfiguration mutex. */
int kern_suspend(struct kern_array *a)
{
	int ret = mddev_lock(a->mddev);

	if (ret)
		return ret;
	mddev_suspend(a->mddev);
	mddev_unlock(a->mddev);
	kern_run_idle();
	return 0;
}

void kern_resume(struct kern_array *a)
{
	mddev_lock_nointr(a->mddev);
	mddev_resume(a->mddev);
	mddev_unlock(a->mddev);
	kern_run_idle();
}
#endif

static struct stripe_head *get_stripe(struct r5conf *conf, sector_t sector)
{
	return raid5_get_active_stripe(conf, NULL, sector, R5_GAS_NOBLOCK);
}

/** struct touch - what the task of kern_touch_stripe() does */
struct touch {
	struct kern_array *a;
	sector_t sector;
	int result;
};

static void touch(void *arg)
{
	struct touch *t = arg;
	struct r5conf *conf = conf_of(t->a);
	struct stripe_head *sh = get_stripe(
		conf, round_down(t->sector, RAID5_STRIPE_SECTORS(conf)));

	if (sh) {
		set_bit(STRIPE_HANDLE, &sh->state);
		raid5_release_stripe(sh);
	}
	t->result = sh ? 0 : -EAGAIN;
}

int kern_touch_stripe(struct kern_array *a, unsigned int cpu,
		      unsigned long long sector)
{
	struct touch t = {.a = a, .sector = sector};

	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	kern_task_join(kern_task_start("touch", cpu, touch, &t));
	kern_run_idle();
	return t.result;
}

/* --- names and sizes --------------------------------------------------- */

static const char *name_in_conf(struct r5conf *conf, const void *base,
				unsigned long *elem)
{
	struct r5worker_group *groups = conf->worker_groups;

	if (base == conf)
		return "r5conf";
	if (base == groups) {
		*elem = sizeof(struct r5worker_group);
		return "worker_groups";
	}
	if (groups && base == groups[0].workers) {
		*elem = sizeof(struct r5worker);
		return "workers";
	}
	if (base == conf->disks) {
		*elem = sizeof(struct disk_info);
		return "disks";
	}
	if (base == conf->stripe_hashtbl) {
		*elem = sizeof(struct hlist_head);
		return "stripe_hashtbl";
	}
	if (base == conf->pending_data) {
		*elem = sizeof(struct r5pending_data);
		return "pending_data";
	}
#ifdef HAVE_CONF_NR_HASH_LOCKS
	if (base == conf->hash_locks) {
		*elem = sizeof(spinlock_t);
		return "hash_locks";
	}
	if (base == conf->inactive_list || base == conf->temp_inactive_list) {
		*elem = sizeof(struct list_head);
		return base == conf->inactive_list ? "inactive_list"
						   : "temp_inactive_list";
	}
#endif
	return NULL;
}

const char *kern_object_name(const void *base, unsigned long *elem)
{
	struct kern_array *a;
	const char *name;

	*elem = 0;
	list_for_each_entry (a, &arrays, list) {
		if (!conf_of(a))
			continue;
		name = name_in_conf(conf_of(a), base, elem);
		if (name)
			return name;
	}
	return NULL;
}

unsigned int kern_layout(const struct layout_row **rows)
{
	static const struct layout_row table[] = {
		{"bio", sizeof(struct bio)},
		{"stripe_head", sizeof(struct stripe_head)},
		{"r5dev", sizeof(struct r5dev)},
		{"r5worker", sizeof(struct r5worker)},
		{"r5worker_group", sizeof(struct r5worker_group)},
		{"r5conf", sizeof(struct r5conf)},
		{"mddev", sizeof(struct mddev)},
		{"md_rdev", sizeof(struct md_rdev)},
		{"spinlock", sizeof(spinlock_t)},
		{"mutex", sizeof(struct mutex)},
		{"page", sizeof(struct page)},
	};

	*rows = table;
	return ARRAY_SIZE(table);
}


#include "raid5-rest.h"
