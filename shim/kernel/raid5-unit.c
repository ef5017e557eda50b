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
#include "locks.h"
#include "shim.h"
#include "md.h"
#include "disk.h"
#include "array.h"

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
	.md_model = SUBJECT_MD_MODEL,
};

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
	shim_task_boot(boot_cpu()); /* allocations look at the task */
	shim_memory_boot(m);
	wait_bit_init();
	shim_booting = 1;
	shim_workqueue_boot();
	radix_tree_init(); /* as start_kernel() does */
	shim_initcalls();
	shim_md_boot();
	shim_booting = 0;
}

int kern_module_init(void)
{
	return shim_md_init() ?: init_module();
}

void kern_module_exit(void)
{
	cleanup_module();
	shim_md_exit();
	kern_run_idle();
	rcu_barrier();
	shim_cpu_drop_preloads();
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

/* Those of md come after the module's own, with a prefix. */
#define MD_PREFIX "md_mod."

unsigned int kern_param_count(void)
{
	unsigned int n = 0;

	while (param_at(n))
		n++;
	return n + shim_md_params();
}

static const char *md_param_name(unsigned int i)
{
	static char names[16][64];
	char *name = names[i % ARRAY_SIZE(names)];

	snprintf(name, sizeof(names[0]), MD_PREFIX "%s",
		 shim_md_param(i)->name);
	return name;
}

const char *kern_param_name(unsigned int i)
{
	const struct kernel_param *kp = param_at(i);
	unsigned int own = kern_param_count() - shim_md_params();

	if (kp)
		return kp->name;
	return i < kern_param_count() ? md_param_name(i - own) : NULL;
}

static int set_md_param(const char *name, const char *value)
{
	const struct kernel_param *kp;
	unsigned int i;

	for (i = 0; i < shim_md_params(); i++) {
		kp = shim_md_param(i);
		if (!strcmp(kp->name, name))
			return kp->ops->set(value, kp);
	}
	return -ENOENT;
}

int kern_param_set(const char *name, const char *value)
{
	const struct kernel_param *kp;
	unsigned int i;

	if (!strncmp(name, MD_PREFIX, strlen(MD_PREFIX)))
		return set_md_param(name + strlen(MD_PREFIX), value);
	for (i = 0; (kp = param_at(i)); i++)
		if (!strcmp(kp->name, name))
			return kp->ops->set(value, kp);
	return -ENOENT;
}

/* --- sizes ------------------------------------------------------------- */

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
				a->desc.disks * (sizeof(struct bio) + PAGE_SIZE);
	out->allocated_kb = a->allocated;
}

/* --- steps ------------------------------------------------------------- */

void kern_quiesce(struct kern_array *a, int on)
{
	a->mddev->pers->quiesce(a->mddev, on);
}

void kern_lock_marks_begin(struct kern_array *a)
{
	struct r5conf *conf = conf_of(a);

	lock_marks_begin(conf->cache_name[conf->active_name]);
}

int kern_lock_all(struct kern_array *a)
{
#ifdef HAVE_LOCK_ALL
	lock_all_device_hash_locks_irq(conf_of(a));
	unlock_all_device_hash_locks_irq(conf_of(a));
	return 0;
#else
	return -ENOENT;
#endif
}

#ifdef HAVE_MDDEV_SUSPEND_INT
int kern_suspend(struct kern_array *a)
{
	int ret = mddev_suspend(a->mddev, true);

	return ret;
}

void kern_resume(struct kern_array *a)
{
	mddev_resume(a->mddev);
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
	return 0;
}

void kern_resume(struct kern_array *a)
{
	mddev_lock_nointr(a->mddev);
	mddev_resume(a->mddev);
	mddev_unlock(a->mddev);
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
	list_for_each_entry (a, &shim_arrays, list) {
		if (!a->mddev || !conf_of(a))
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
#include "raid5-held.h"
