/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The md core as raid5.c needs it while drivers/md/md.c itself is not linked:
 * arrays without superblocks, all members present, nothing to recover. What
 * is outside of that stops the run. docs/fidelity.md lists what is left out.
 * Knows nothing of raid5.c but its personality.
 */
#include <linux/blkdev.h>
#include <linux/kthread.h>
#include <linux/major.h>
#include <linux/module.h>
#include <linux/percpu-refcount.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "kernel/md.h"
#include "drivers/md/md-bitmap.h"

#include "kernel/block.h"
#include "kernel/shim.h"
#include "probes.h"

#define not_modelled(what)                                               \
	finding_fatal(FINDING_NOT_MODELLED, __builtin_return_address(0), \
		      "not modelled: " what)

#ifdef HAVE_MDDEV_RESYNC_OFFSET
#define dirty_from resync_offset
#else
#define dirty_from recovery_cp
#endif

/* The kernel's values: md.c keeps them to itself. */
#define MAX_CORRECTED_READ_ERRORS 20
#define SAFEMODE_DELAY		  (200 * HZ / 1000 + 1)

static LIST_HEAD(pers_list);
static DEFINE_SPINLOCK(pers_lock);
static DECLARE_WAIT_QUEUE_HEAD(resync_wait);
static DECLARE_WAIT_QUEUE_HEAD(event_wait);
static atomic_t event_count;
static struct workqueue_struct *md_misc_wq;

static int __init shim_md_init(void)
{
	md_misc_wq = alloc_workqueue("md_misc", 0, 0);
	return md_misc_wq ? 0 : -ENOMEM;
}
/* As subsys_initcall(): this is the section that shim_initcalls() runs. */
static initcall_t shim_md_initcall __used __section("shim_initcall4") =
	shim_md_init;

/* ------------------------------------------------------------------ */
/* The array's directory in sysfs				      */

#define DIR_GROUPS 4
#define DIR_NAME   20

/**
 * struct shim_dir - what the shim knows of an array beside its mddev
 * @sd:		stands for the directory: only its address is looked at
 * @group:	attribute groups created, NULL where free
 * @link:	names of the links to members, "" where free
 */
struct shim_dir {
	struct list_head node;
	struct mddev *mddev;
	struct kernfs_node *sd;
	const struct attribute_group *group[DIR_GROUPS];
	unsigned int max_links;
	char link[][DIR_NAME];
};

static LIST_HEAD(dirs);

static struct shim_dir *dir_of(struct kobject *kobj)
{
	struct shim_dir *dir;

	list_for_each_entry(dir, &dirs, node)
		if (&dir->mddev->kobj == kobj)
			return dir;
	not_modelled("sysfs below anything but an array");
}

static const struct attribute_group **
group_slot(struct shim_dir *dir, const struct attribute_group *g)
{
	int i;

	for (i = 0; i < DIR_GROUPS; i++)
		if (dir->group[i] == g)
			return &dir->group[i];
	return NULL;
}

int sysfs_create_group(struct kobject *kobj, const struct attribute_group *grp)
{
	struct shim_dir *dir = dir_of(kobj);
	const struct attribute_group **slot;

	if (group_slot(dir, grp)) {
		pr_warn("sysfs: cannot create duplicate filename '%s'\n",
			grp->attrs && grp->attrs[0] ? grp->attrs[0]->name : "");
		return -EEXIST;
	}
	slot = group_slot(dir, NULL);
	if (!slot)
		not_modelled("sysfs_create_group() of that many groups");
	*slot = grp;
	return 0;
}

void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *grp)
{
	const struct attribute_group **slot = group_slot(dir_of(kobj), grp);

	if (slot)
		*slot = NULL;
}

static char *link_slot(struct shim_dir *dir, const char *name)
{
	unsigned int i;

	for (i = 0; i < dir->max_links; i++)
		if (!strcmp(dir->link[i], name))
			return dir->link[i];
	return NULL;
}

int sysfs_create_link(struct kobject *kobj, struct kobject *target,
		      const char *name)
{
	struct shim_dir *dir = dir_of(kobj);
	char *slot;

	if (link_slot(dir, name)) {
		pr_warn("sysfs: cannot create duplicate filename '%s'\n", name);
		return -EEXIST;
	}
	slot = link_slot(dir, "");
	if (!slot)
		not_modelled("sysfs_create_link() of that many links");
	strscpy(slot, name, DIR_NAME);
	return 0;
}

void sysfs_remove_link(struct kobject *kobj, const char *name)
{
	char *slot = link_slot(dir_of(kobj), name);

	if (slot)
		slot[0] = '\0';
}

static struct md_sysfs_entry *attr_entry(struct attribute *attr)
{
	return container_of(attr, struct md_sysfs_entry, attr);
}

struct md_sysfs_entry *shim_mddev_attr_nr(struct mddev *mddev, unsigned int n)
{
	struct shim_dir *dir = dir_of(&mddev->kobj);
	struct attribute **a;
	int i;

	for (i = 0; i < DIR_GROUPS; i++)
		for (a = dir->group[i] ? dir->group[i]->attrs : NULL; a && *a;
		     a++)
			if (!n--)
				return attr_entry(*a);
	return NULL;
}

struct md_sysfs_entry *shim_mddev_attr(struct mddev *mddev, const char *name)
{
	struct md_sysfs_entry *entry;
	unsigned int n;

	for (n = 0; (entry = shim_mddev_attr_nr(mddev, n)); n++)
		if (!strcmp(entry->attr.name, name))
			return entry;
	return NULL;
}

long shim_mddev_attr_store(struct mddev *mddev, const char *name,
			   const char *buf, size_t len)
{
	struct md_sysfs_entry *entry = shim_mddev_attr(mddev, name);
	ssize_t rv;

	if (!entry)
		return -ENOENT;
	if (!entry->store)
		return -EIO;
	atomic_inc(&mddev->active);
	rv = entry->store(mddev, buf, len);
	atomic_dec(&mddev->active);
	return rv;
}

long shim_mddev_attr_show(struct mddev *mddev, const char *name, char *page)
{
	struct md_sysfs_entry *entry = shim_mddev_attr(mddev, name);
	ssize_t rv;

	if (!entry)
		return -ENOENT;
	if (!entry->show)
		return -EIO;
	atomic_inc(&mddev->active);
	rv = entry->show(mddev, page);
	atomic_dec(&mddev->active);
	return rv;
}

/* md.c's own attributes for arrays with redundancy: none here, but the group
 * is told from raid5.c's by its address. */
static struct attribute *redundancy_attrs[] = {NULL};
static const struct attribute_group redundancy_group = {
	.attrs = redundancy_attrs,
};

/* ------------------------------------------------------------------ */
/* Personalities						      */

int register_md_personality(struct md_personality *p)
{
	spin_lock(&pers_lock);
	list_add_tail(&p->list, &pers_list);
	spin_unlock(&pers_lock);
	return 0;
}

int unregister_md_personality(struct md_personality *p)
{
	spin_lock(&pers_lock);
	list_del_init(&p->list);
	spin_unlock(&pers_lock);
	return 0;
}

/* Takes a reference to the module. */
static struct md_personality *pers_get(int level)
{
	struct md_personality *p, *found = NULL;

	spin_lock(&pers_lock);
	list_for_each_entry(p, &pers_list, list)
		if (level != LEVEL_NONE && p->level == level) {
			if (try_module_get(p->owner))
				found = p;
			break;
		}
	spin_unlock(&pers_lock);
	return found;
}

/* ------------------------------------------------------------------ */
/* Threads							      */

/* No task of the machine ever gets a signal, so none is allowed or flushed. */
static int md_thread(void *arg)
{
	struct md_thread *thread = arg;

	while (!kthread_should_stop()) {
		wait_event_interruptible_timeout(
			thread->wqueue,
			test_bit(THREAD_WAKEUP, &thread->flags) ||
				kthread_should_stop() || kthread_should_park(),
			thread->timeout);

		clear_bit(THREAD_WAKEUP, &thread->flags);
		if (kthread_should_park())
			kthread_parkme();
		if (!kthread_should_stop())
			thread->run(thread);
	}
	return 0;
}

struct md_thread *md_register_thread(void (*run)(struct md_thread *),
				     struct mddev *mddev, const char *name)
{
	struct md_thread *thread = kzalloc(sizeof(*thread), GFP_KERNEL);

	if (!thread)
		return NULL;
	init_waitqueue_head(&thread->wqueue);
	thread->run = run;
	thread->mddev = mddev;
	thread->timeout = MAX_SCHEDULE_TIMEOUT;
	thread->tsk =
		kthread_run(md_thread, thread, "%s_%s", mdname(mddev), name);
	if (IS_ERR(thread->tsk)) {
		kfree(thread);
		return NULL;
	}
	return thread;
}

#ifdef HAVE_MD_WAKEUP_RCU
void __md_wakeup_thread(struct md_thread __rcu *thread)
{
	struct md_thread *t = rcu_dereference(thread);

	if (!t)
		return;
	set_bit(THREAD_WAKEUP, &t->flags);
	if (wq_has_sleeper(&t->wqueue))
		wake_up(&t->wqueue);
}
#else
void md_wakeup_thread(struct md_thread *thread)
{
	if (!thread)
		return;
	set_bit(THREAD_WAKEUP, &thread->flags);
	wake_up(&thread->wqueue);
}
#endif

static void thread_free(struct md_thread *thread)
{
	kthread_stop(thread->tsk);
	kfree(thread);
}

#ifdef HAVE_MD_UNREGISTER_THREAD_MDDEV
void md_unregister_thread(struct mddev *mddev, struct md_thread __rcu **threadp)
{
	struct md_thread *thread = rcu_dereference_protected(
		*threadp, lockdep_is_held(&mddev->reconfig_mutex));

	if (!thread)
		return;
	rcu_assign_pointer(*threadp, NULL);
	synchronize_rcu();
	thread_free(thread);
}

static void unregister_array_thread(struct mddev *mddev)
{
	md_unregister_thread(mddev, &mddev->thread);
}
#else
void md_unregister_thread(struct md_thread **threadp)
{
	struct md_thread *thread;

	/* mddev_unlock() wakes the array's thread under the same lock. */
	spin_lock(&pers_lock);
	thread = *threadp;
	*threadp = NULL;
	spin_unlock(&pers_lock);
	if (thread)
		thread_free(thread);
}

static void unregister_array_thread(struct mddev *mddev)
{
	md_unregister_thread(&mddev->thread);
}
#endif

/* ------------------------------------------------------------------ */
/* Suspend, resume, lock					      */

static bool array_suspended(struct mddev *mddev)
{
	return percpu_ref_is_dying(&mddev->active_io);
}

static void wake_threads(struct mddev *mddev)
{
	md_wakeup_thread(mddev->thread);
	md_wakeup_thread(mddev->sync_thread);
}

#ifdef HAVE_MDDEV_SUSPEND_INT
static void wake_reshape_waiters(struct mddev *mddev)
{
#ifdef HAVE_MD_PREPARE_SUSPEND
	if (mddev->pers && mddev->pers->prepare_suspend &&
	    reshape_interrupted(mddev))
		mddev->pers->prepare_suspend(mddev);
#endif
}

/* With suspend_mutex held: no new I/O, and none under way. */
static int drain_io(struct mddev *mddev, bool interruptible)
{
	int err = 0;

	percpu_ref_kill(&mddev->active_io);
	wake_reshape_waiters(mddev);
	if (interruptible)
		err = wait_event_interruptible(
			mddev->sb_wait, percpu_ref_is_zero(&mddev->active_io));
	else
		wait_event(mddev->sb_wait,
			   percpu_ref_is_zero(&mddev->active_io));
	if (err)
		percpu_ref_resurrect(&mddev->active_io);
	return err;
}

int mddev_suspend(struct mddev *mddev, bool interruptible)
{
	int err = 0;

	lockdep_assert_not_held(&mddev->reconfig_mutex);
	if (!interruptible)
		mutex_lock(&mddev->suspend_mutex);
	else if (mutex_lock_interruptible(&mddev->suspend_mutex))
		return -EINTR;

	if (!mddev->suspended)
		err = drain_io(mddev, interruptible);
	if (!err)
		WRITE_ONCE(mddev->suspended, mddev->suspended + 1);
	mutex_unlock(&mddev->suspend_mutex);
	return err;
}

void mddev_resume(struct mddev *mddev)
{
	lockdep_assert_not_held(&mddev->reconfig_mutex);
	mutex_lock(&mddev->suspend_mutex);
	WRITE_ONCE(mddev->suspended, mddev->suspended - 1);
	if (!mddev->suspended) {
		percpu_ref_resurrect(&mddev->active_io);
		wake_up(&mddev->sb_wait);
		set_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
		wake_threads(mddev);
	}
	mutex_unlock(&mddev->suspend_mutex);
}
#else
/* The older kind: under reconfig_mutex, which the caller keeps, so the
 * array's thread may update the metadata on the caller's behalf. */
void mddev_suspend(struct mddev *mddev)
{
	WARN_ON_ONCE(mddev->thread && current == mddev->thread->tsk);
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (mddev->suspended++)
		return;
	wake_up(&mddev->sb_wait);
	set_bit(MD_ALLOW_SB_UPDATE, &mddev->flags);
	percpu_ref_kill(&mddev->active_io);
	wait_event(mddev->sb_wait, percpu_ref_is_zero(&mddev->active_io));
	mddev->pers->quiesce(mddev, 1);
	clear_bit_unlock(MD_ALLOW_SB_UPDATE, &mddev->flags);
	wait_event(mddev->sb_wait, !test_bit(MD_UPDATING_SB, &mddev->flags));
	mddev->noio_flag = memalloc_noio_save();
}

void mddev_resume(struct mddev *mddev)
{
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (--mddev->suspended)
		return;
	memalloc_noio_restore(mddev->noio_flag);
	percpu_ref_resurrect(&mddev->active_io);
	wake_up(&mddev->sb_wait);
	mddev->pers->quiesce(mddev, 0);
	set_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
	wake_threads(mddev);
}
#endif

/* Files whose functions take reconfig_mutex go only after it is dropped. */
static void unlock_and_remove(struct mddev *mddev)
{
	const struct attribute_group *group = mddev->to_remove;

	mddev->to_remove = NULL;
	mddev->sysfs_active = 1;
	mutex_unlock(&mddev->reconfig_mutex);
	if (mddev->kobj.sd) {
		if (group != &redundancy_group)
			sysfs_remove_group(&mddev->kobj, group);
		if (!mddev->pers || !mddev->pers->sync_request)
			sysfs_remove_group(&mddev->kobj, &redundancy_group);
	}
	mddev->sysfs_active = 0;
}

void mddev_unlock(struct mddev *mddev)
{
	if (mddev->to_remove)
		unlock_and_remove(mddev);
	else
		mutex_unlock(&mddev->reconfig_mutex);

#ifdef HAVE_MD_WAKEUP_RCU
	md_wakeup_thread(mddev->thread);
	wake_up(&mddev->sb_wait);
#else
	/* Here it is this lock that keeps the thread from going away. */
	spin_lock(&pers_lock);
	md_wakeup_thread(mddev->thread);
	wake_up(&mddev->sb_wait);
	spin_unlock(&pers_lock);
#endif
}

/* ------------------------------------------------------------------ */
/* Metadata							      */

void md_new_event(void)
{
	atomic_inc(&event_count);
	wake_up(&event_wait);
}

void md_set_array_sectors(struct mddev *mddev, sector_t array_sectors)
{
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (!mddev->external_size)
		mddev->array_sectors = array_sectors;
}

static void unblock_members(struct mddev *mddev)
{
	struct md_rdev *rdev;

	rdev_for_each(rdev, mddev) {
		if (rdev->badblocks.changed) {
			rdev->badblocks.changed = 0;
			ack_all_badblocks(&rdev->badblocks);
			md_error(mddev, rdev);
		}
		clear_bit(Blocked, &rdev->flags);
		clear_bit(BlockedBadBlocks, &rdev->flags);
		wake_up(&rdev->blocked_wait);
	}
}

void md_update_sb(struct mddev *mddev, int force_change)
{
	if (!md_is_rdwr(mddev)) {
		if (force_change)
			set_bit(MD_SB_CHANGE_DEVS, &mddev->sb_flags);
		return;
	}
	if (mddev->persistent || mddev->external)
		not_modelled("md_update_sb() of an array with superblocks");

	clear_bit(MD_SB_CHANGE_CLEAN, &mddev->sb_flags);
	clear_bit(MD_SB_CHANGE_DEVS, &mddev->sb_flags);
	clear_bit(MD_SB_CHANGE_PENDING, &mddev->sb_flags);
	unblock_members(mddev);
	wake_up(&mddev->sb_wait);
}

void md_allow_write(struct mddev *mddev)
{
	if (!mddev->pers || !md_is_rdwr(mddev) || !mddev->pers->sync_request)
		return;

	spin_lock(&mddev->lock);
	if (!mddev->in_sync) {
		spin_unlock(&mddev->lock);
		return;
	}
	mddev->in_sync = 0;
	set_bit(MD_SB_CHANGE_CLEAN, &mddev->sb_flags);
	set_bit(MD_SB_CHANGE_PENDING, &mddev->sb_flags);
	if (mddev->safemode_delay && mddev->safemode == 0)
		mddev->safemode = 1;
	spin_unlock(&mddev->lock);
	md_update_sb(mddev, 0);
	wait_event(mddev->sb_wait,
		   !test_bit(MD_SB_CHANGE_PENDING, &mddev->sb_flags));
}

void md_error(struct mddev *mddev, struct md_rdev *rdev)
{
	if (!rdev || test_bit(Faulty, &rdev->flags))
		return;
	if (!mddev->pers || !mddev->pers->error_handler)
		return;
	mddev->pers->error_handler(mddev, rdev);
	if (mddev->pers->level == 0 || mddev->pers->level == LEVEL_LINEAR)
		return;

	if (mddev->degraded && !test_bit(MD_BROKEN, &mddev->flags))
		set_bit(MD_RECOVERY_RECOVER, &mddev->recovery);
	set_bit(MD_RECOVERY_INTR, &mddev->recovery);
	if (!test_bit(MD_BROKEN, &mddev->flags)) {
		set_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
		md_wakeup_thread(mddev->thread);
	}
	if (mddev->event_work.func)
		queue_work(md_misc_wq, &mddev->event_work);
	md_new_event();
}

static sector_t on_device(struct md_rdev *rdev, sector_t s, int is_new)
{
	return s + (is_new ? rdev->new_data_offset : rdev->data_offset);
}

int rdev_set_badblocks(struct md_rdev *rdev, sector_t s, int sectors,
		       int is_new)
{
	if (badblocks_set(&rdev->badblocks, on_device(rdev, s, is_new), sectors,
			  0))
		return 0;
	set_mask_bits(&rdev->mddev->sb_flags, 0,
		      BIT(MD_SB_CHANGE_CLEAN) | BIT(MD_SB_CHANGE_PENDING));
	md_wakeup_thread(rdev->mddev->thread);
	return 1;
}

int rdev_clear_badblocks(struct md_rdev *rdev, sector_t s, int sectors,
			 int is_new)
{
	return badblocks_clear(&rdev->badblocks, on_device(rdev, s, is_new),
			       sectors);
}

struct md_rdev *md_find_rdev_rcu(struct mddev *mddev, dev_t dev)
{
	struct md_rdev *rdev;

	rdev_for_each_rcu(rdev, mddev)
		if (rdev->bdev->bd_dev == dev)
			return rdev;
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Recovery: finds that there is nothing to do, or stops the run	      */

static bool member_settled(struct md_rdev *rdev)
{
	return rdev->raid_disk >= 0 && test_bit(In_sync, &rdev->flags) &&
	       !test_bit(Faulty, &rdev->flags) &&
	       !test_bit(Journal, &rdev->flags);
}

static void check_nothing_to_recover(struct mddev *mddev)
{
	struct md_rdev *rdev;

	if (mddev->reshape_position != MaxSector)
		not_modelled("md_check_recovery() of an array in reshape");
	if (mddev->dirty_from < MaxSector)
		not_modelled("md_check_recovery() of an array not in sync");
	if (test_bit(MD_RECOVERY_SYNC, &mddev->recovery))
		not_modelled("md_check_recovery() with a check requested");
	rdev_for_each(rdev, mddev)
		if (!member_settled(rdev))
			not_modelled("md_check_recovery() with a member that "
				     "is faulty, spare or a journal");
}

/* With mddev->lock held; drops and takes it. */
static void set_in_sync(struct mddev *mddev)
{
	lockdep_assert_held(&mddev->lock);
	if (!mddev->in_sync) {
		mddev->sync_checkers++;
		spin_unlock(&mddev->lock);
		percpu_ref_switch_to_atomic_sync(&mddev->writes_pending);
		spin_lock(&mddev->lock);
		if (!mddev->in_sync &&
		    percpu_ref_is_zero(&mddev->writes_pending)) {
			mddev->in_sync = 1;
			/* in_sync must be seen before sync_checkers falls */
			smp_mb();
			set_bit(MD_SB_CHANGE_CLEAN, &mddev->sb_flags);
		}
		if (--mddev->sync_checkers == 0)
			percpu_ref_switch_to_percpu(&mddev->writes_pending);
	}
	if (mddev->safemode == 1)
		mddev->safemode = 0;
}

static bool recovery_has_work(struct mddev *mddev)
{
	return (mddev->sb_flags & ~BIT(MD_SB_CHANGE_PENDING)) ||
	       test_bit(MD_RECOVERY_NEEDED, &mddev->recovery) ||
	       test_bit(MD_RECOVERY_DONE, &mddev->recovery) ||
	       (mddev->external == 0 && mddev->safemode == 1) ||
	       (mddev->safemode == 2 && !mddev->in_sync &&
		mddev->dirty_from == MaxSector);
}

static void recovery_not_running(struct mddev *mddev)
{
	clear_bit(MD_RECOVERY_RUNNING, &mddev->recovery);
	wake_up(&resync_wait);
}

#ifdef HAVE_MDDEV_SYNC_WORK
/* Looks for something to recover from a work item, not under the array's
 * thread. */
static void md_start_sync(struct work_struct *ws)
{
	struct mddev *mddev = container_of(ws, struct mddev, sync_work);

	mddev_lock_nointr(mddev);
	check_nothing_to_recover(mddev);
	clear_bit(MD_RECOVERY_SYNC, &mddev->recovery);
	clear_bit(MD_RECOVERY_RESHAPE, &mddev->recovery);
	clear_bit(MD_RECOVERY_REQUESTED, &mddev->recovery);
	clear_bit(MD_RECOVERY_CHECK, &mddev->recovery);
	clear_bit(MD_RECOVERY_RUNNING, &mddev->recovery);
	mddev_unlock(mddev);
	wake_up(&resync_wait);
	clear_bit(MD_RECOVERY_RECOVER, &mddev->recovery);
}

static void recovery_init(struct mddev *mddev)
{
	INIT_WORK(&mddev->sync_work, md_start_sync);
}

static void recovery_start(struct mddev *mddev)
{
	queue_work(md_misc_wq, &mddev->sync_work);
}

static bool recovery_by_suspender(struct mddev *mddev)
{
	return false;
}
#else
static void recovery_init(struct mddev *mddev)
{
}

static void recovery_start(struct mddev *mddev)
{
	check_nothing_to_recover(mddev);
	recovery_not_running(mddev);
	clear_bit(MD_RECOVERY_RECOVER, &mddev->recovery);
}

/* mddev_suspend() holds reconfig_mutex for the array's thread, which may then
 * do nothing but update the metadata. */
static bool recovery_by_suspender(struct mddev *mddev)
{
	if (test_bit(MD_ALLOW_SB_UPDATE, &mddev->flags) && mddev->sb_flags) {
		set_bit(MD_UPDATING_SB, &mddev->flags);
		smp_mb__after_atomic();
		if (test_bit(MD_ALLOW_SB_UPDATE, &mddev->flags))
			md_update_sb(mddev, 0);
		clear_bit_unlock(MD_UPDATING_SB, &mddev->flags);
		wake_up(&mddev->sb_wait);
	}
	return array_suspended(mddev);
}
#endif

/* With reconfig_mutex held, array writable, no sync thread. */
static void check_recovery_locked(struct mddev *mddev)
{
	bool try_set_sync = mddev->safemode != 0;

	if (!mddev->external && mddev->safemode == 1)
		mddev->safemode = 0;
	if (try_set_sync && !mddev->external && !mddev->in_sync) {
		spin_lock(&mddev->lock);
		set_in_sync(mddev);
		spin_unlock(&mddev->lock);
	}
	if (mddev->sb_flags)
		md_update_sb(mddev, 0);

	if (test_bit(MD_RECOVERY_RUNNING, &mddev->recovery)) {
		/* Its work item is still queued: no sync thread runs here. */
		clear_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
		return;
	}
	/* RUNNING first, so that the action never seems idle between */
	mddev->curr_resync_completed = 0;
	spin_lock(&mddev->lock);
	set_bit(MD_RECOVERY_RUNNING, &mddev->recovery);
	spin_unlock(&mddev->lock);
	clear_bit(MD_RECOVERY_INTR, &mddev->recovery);
	clear_bit(MD_RECOVERY_DONE, &mddev->recovery);
	if (test_and_clear_bit(MD_RECOVERY_NEEDED, &mddev->recovery) &&
	    !test_bit(MD_RECOVERY_FROZEN, &mddev->recovery))
		recovery_start(mddev);
	else
		recovery_not_running(mddev);
}

void md_check_recovery(struct mddev *mddev)
{
	if (recovery_by_suspender(mddev))
		return;
	if (mddev->bitmap)
		not_modelled("md_check_recovery() with a bitmap");
	if (signal_pending(current))
		not_modelled("md_check_recovery() with a signal pending");

	if (!md_is_rdwr(mddev)) {
		if (!test_bit(MD_RECOVERY_NEEDED, &mddev->recovery) &&
		    !test_bit(MD_RECOVERY_DONE, &mddev->recovery))
			return;
		not_modelled("md_check_recovery() of a read-only array");
	}
	if (!recovery_has_work(mddev) || !mddev_trylock(mddev))
		return;
	if (mddev->sync_thread)
		not_modelled("md_check_recovery() with a sync thread");
	check_recovery_locked(mddev);
	wake_up(&mddev->sb_wait);
	mddev_unlock(mddev);
}

/* ------------------------------------------------------------------ */
/* Bitmap: no array has one					      */

#ifdef HAVE_MDDEV_BITMAP_OPS
#define NO_BITMAP_OP(type, op, ...)                               \
	static type bitmap_##op(struct mddev *mddev, __VA_ARGS__) \
	{                                                         \
		not_modelled("bitmap_ops->" #op "()");            \
	}

NO_BITMAP_OP(int, resize, sector_t blocks, int chunksize, bool init)
NO_BITMAP_OP(int, startwrite, sector_t offset, unsigned long sectors)
NO_BITMAP_OP(void, endwrite, sector_t offset, unsigned long sectors)
NO_BITMAP_OP(bool, start_sync, sector_t offset, sector_t *blocks, bool degraded)
NO_BITMAP_OP(void, end_sync, sector_t offset, sector_t *blocks)
NO_BITMAP_OP(void, cond_end_sync, sector_t sector, bool force)

static void bitmap_close_sync(struct mddev *mddev)
{
	not_modelled("bitmap_ops->close_sync()");
}

static bool bitmap_enabled(struct mddev *mddev)
{
	return false;
}

/* Without a bitmap there is nothing to write: so does the kernel's. */
static void bitmap_unplug(struct mddev *mddev, bool sync)
{
	if (mddev->bitmap)
		not_modelled("bitmap_ops->unplug()");
}

static struct bitmap_operations no_bitmap_ops = {
	.enabled = bitmap_enabled,
	.resize = bitmap_resize,
	.unplug = bitmap_unplug,
	.startwrite = bitmap_startwrite,
	.endwrite = bitmap_endwrite,
	.start_sync = bitmap_start_sync,
	.end_sync = bitmap_end_sync,
	.cond_end_sync = bitmap_cond_end_sync,
	.close_sync = bitmap_close_sync,
};
#endif

/* ------------------------------------------------------------------ */
/* Limits							      */

#ifdef HAVE_BDEV_QUEUE_LIMITS_FEATURES
void md_init_stacking_limits(struct queue_limits *lim)
{
	blk_set_stacking_limits(lim);
	lim->features = BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA | BLK_FEAT_IO_STAT |
			BLK_FEAT_NOWAIT;
}

int mddev_stack_rdev_limits(struct mddev *mddev, struct queue_limits *lim,
			    unsigned int flags)
{
	struct md_rdev *rdev;

	if (flags & MDDEV_STACK_INTEGRITY)
		not_modelled("mddev_stack_rdev_limits() of integrity");
	rdev_for_each(rdev, mddev)
		queue_limits_stack_bdev(lim, rdev->bdev, rdev->data_offset,
					mddev->gendisk->disk_name);
	return 0;
}

void mddev_update_io_opt(struct mddev *mddev, unsigned int nr_stripes)
{
	struct request_queue *q = mddev->gendisk->queue;
	struct queue_limits lim;

	if (mddev_suspend(mddev, false) < 0)
		return;
	lim = queue_limits_start_update(q);
	lim.io_opt = lim.io_min * nr_stripes;
	queue_limits_commit_update(q, &lim);
	mddev_resume(mddev);
}
#endif

/* Older trees leave some of the array's limits to flags of its queue. */
static void set_queue_flags(struct mddev *mddev)
{
#ifndef HAVE_BDEV_QUEUE_LIMITS_FEATURES
	struct md_rdev *rdev;
	bool nonrot = !mddev->degraded, nowait = true;

	rdev_for_each(rdev, mddev) {
		if (rdev->raid_disk >= 0 && !bdev_nonrot(rdev->bdev))
			nonrot = false;
		nowait = nowait && bdev_nowait(rdev->bdev);
	}
	if (nonrot)
		blk_queue_flag_set(QUEUE_FLAG_NONROT, mddev->queue);
	else
		blk_queue_flag_clear(QUEUE_FLAG_NONROT, mddev->queue);
	blk_queue_flag_set(QUEUE_FLAG_IO_STAT, mddev->queue);
	if (nowait)
		blk_queue_flag_set(QUEUE_FLAG_NOWAIT, mddev->queue);
#endif
}

/* ------------------------------------------------------------------ */
/* Reference counts and bio sets				      */

static void active_io_release(struct percpu_ref *ref)
{
	struct mddev *mddev = container_of(ref, struct mddev, active_io);

	wake_up(&mddev->sb_wait);
}

static void no_op(struct percpu_ref *ref)
{
}

/* Counts up from zero, once, whoever asks first. */
#ifdef HAVE_MDDEV_INIT_WRITES_PENDING
int mddev_init_writes_pending(struct mddev *mddev)
#else
static int mddev_init_writes_pending(struct mddev *mddev)
#endif
{
	if (mddev->writes_pending.percpu_count_ptr)
		return 0;
	if (percpu_ref_init(&mddev->writes_pending, no_op,
			    PERCPU_REF_ALLOW_REINIT, GFP_KERNEL))
		return -ENOMEM;
	percpu_ref_put(&mddev->writes_pending);
	return 0;
}

static int init_account_set(struct mddev *mddev)
{
#ifdef HAVE_IO_ACCT_SET
	return bioset_init(&mddev->io_acct_set, BIO_POOL_SIZE,
			   offsetof(struct md_io_acct, bio_clone), 0);
#else
	return bioset_init(&mddev->io_clone_set, BIO_POOL_SIZE,
			   offsetof(struct md_io_clone, bio_clone), 0);
#endif
}

/* Does nothing to what was never initialised or is gone already; a
 * percpu_ref alone has to be asked. */
static void exit_io(struct mddev *mddev)
{
#ifdef HAVE_IO_ACCT_SET
	bioset_exit(&mddev->io_acct_set);
#else
	bioset_exit(&mddev->io_clone_set);
#endif
	bioset_exit(&mddev->sync_set);
	bioset_exit(&mddev->bio_set);
	if (mddev->active_io.data)
		percpu_ref_exit(&mddev->active_io);
}

static int init_io(struct mddev *mddev)
{
	int err = percpu_ref_init(&mddev->active_io, active_io_release,
				  PERCPU_REF_ALLOW_REINIT, GFP_KERNEL);

	if (!err)
		err = bioset_init(&mddev->bio_set, BIO_POOL_SIZE, 0,
				  BIOSET_NEED_BVECS);
	if (!err)
		err = bioset_init(&mddev->sync_set, BIO_POOL_SIZE, 0,
				  BIOSET_NEED_BVECS);
	if (!err)
		err = init_account_set(mddev);
	if (err)
		exit_io(mddev);
	return err;
}

/* Newer trees make them with the array, older ones while it runs. */
#ifdef HAVE_MDDEV_DESTROY
static int create_io(struct mddev *mddev)
{
	return mddev_init_writes_pending(mddev) ?: init_io(mddev);
}

static int run_io(struct mddev *mddev)
{
	return 0;
}

static void stop_io(struct mddev *mddev)
{
}
#else
static int create_io(struct mddev *mddev)
{
	return 0;
}

static int run_io(struct mddev *mddev)
{
	return init_io(mddev);
}

static void stop_io(struct mddev *mddev)
{
	exit_io(mddev);
}
#endif

/* ------------------------------------------------------------------ */
/* Create							      */

static void md_submit_bio(struct bio *bio)
{
	not_modelled("md_submit_bio(), I/O to an array");
}

static void member_submit_bio(struct bio *bio)
{
	not_modelled("submit_bio(), I/O to a member");
}

const struct block_device_operations md_fops = {
	.owner = THIS_MODULE,
	.submit_bio = md_submit_bio,
};

static const struct block_device_operations member_fops = {
	.owner = THIS_MODULE,
	.submit_bio = member_submit_bio,
};

static void init_locks(struct mddev *mddev)
{
	mutex_init(&mddev->open_mutex);
	mutex_init(&mddev->reconfig_mutex);
	mutex_init(&mddev->bitmap_info.mutex);
	INIT_LIST_HEAD(&mddev->disks);
	INIT_LIST_HEAD(&mddev->all_mddevs);
	atomic_set(&mddev->active, 1);
	spin_lock_init(&mddev->lock);
	init_waitqueue_head(&mddev->sb_wait);
	init_waitqueue_head(&mddev->recovery_wait);
#ifdef HAVE_MDDEV_SUSPEND_MUTEX
	mutex_init(&mddev->suspend_mutex);
#endif
#ifdef HAVE_MDDEV_DELETING
	INIT_LIST_HEAD(&mddev->deleting);
#endif
}

static void init_state(struct mddev *mddev)
{
	mddev->reshape_position = MaxSector;
	mddev->resync_max = MaxSector;
	mddev->level = LEVEL_NONE;
#ifdef HAVE_MD_LAST_SYNC_ENUM
	mddev->last_sync_action = ACTION_IDLE;
#else
	mddev->last_sync_action = "none";
#endif
#ifdef HAVE_MDDEV_BITMAP_OPS
	mddev->bitmap_ops = &no_bitmap_ops;
#endif
	recovery_init(mddev);
}

/* The array's own description: what SET_ARRAY_INFO leaves. */
static void set_array_info(struct mddev *mddev, const struct array_desc *desc)
{
	mddev->major_version = MD_MAJOR_VERSION;
	mddev->minor_version = MD_MINOR_VERSION;
	mddev->patch_version = MD_PATCHLEVEL_VERSION;
	mddev->level = desc->level;
	mddev->layout = desc->layout;
	mddev->raid_disks = desc->disks;
	mddev->chunk_sectors = desc->chunk_bytes >> SECTOR_SHIFT;
	mddev->dev_sectors = desc->member_bytes >> SECTOR_SHIFT;
	mddev->dirty_from = MaxSector;
	mddev->new_level = mddev->level;
	mddev->new_layout = mddev->layout;
	mddev->new_chunk_sectors = mddev->chunk_sectors;
	set_bit(MD_SB_CHANGE_DEVS, &mddev->sb_flags);
}

/* "md7" is minor 7, any other name minor 127, where the kernel starts. */
static void create_disk(struct mddev *mddev, const char *name)
{
	unsigned int minor;

	if (strncmp(name, "md", 2) || kstrtouint(name + 2, 10, &minor) ||
	    minor > MINORMASK)
		minor = 127;
	mddev->md_minor = minor;
	mddev->unit = MKDEV(MD_MAJOR, minor);
	mddev->gendisk = shim_disk_create_stacked(name, mddev->unit, &md_fops);
	mddev->gendisk->private_data = mddev;
#ifdef HAVE_MDDEV_QUEUE
	mddev->queue = mddev->gendisk->queue;
#endif
}

/* Room for a link to each member and a replacement of each. */
static void create_dir(struct mddev *mddev)
{
	unsigned int links = 2 * mddev->raid_disks;
	struct shim_dir *dir;

	dir = shim_zalloc(struct_size(dir, link, links), "sysfs_dir");
	dir->mddev = mddev;
	dir->max_links = links;
	dir->sd = shim_zalloc(sizeof(*dir->sd), "kernfs_node");
	mddev->kobj.sd = dir->sd;
	list_add_tail(&dir->node, &dirs);
}

static void remove_dir(struct mddev *mddev)
{
	struct shim_dir *dir = dir_of(&mddev->kobj);

	list_del(&dir->node);
	shim_free(dir->sd);
	shim_free(dir);
}

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

static struct block_device *create_member_disk(const struct array_desc *desc,
					       int n)
{
	dev_t dev = MKDEV(SCSI_DISK0_MAJOR, n * 16);
	char name[DISK_NAME_LEN];

	member_name(name, sizeof(name), n);
	return shim_disk_create(name, dev, desc->member_bytes >> SECTOR_SHIFT,
				desc->rotational, &member_fops)
		->part0;
}

/* What ADD_NEW_DISK leaves of a member without a superblock. */
static struct md_rdev *create_rdev(struct mddev *mddev,
				   const struct array_desc *desc, int n)
{
	struct md_rdev *rdev = shim_zalloc(sizeof(*rdev), "md_rdev");

	if (badblocks_init(&rdev->badblocks, 0)) {
		shim_free(rdev);
		return NULL;
	}
	rdev->bdev = create_member_disk(desc, n);
	rdev->desc_nr = n;
	rdev->raid_disk = n;
	rdev->saved_raid_disk = -1;
	set_bit(In_sync, &rdev->flags);
	rdev->sb_start = bdev_nr_sectors(rdev->bdev);
	rdev->sectors = rdev->sb_start;
	init_waitqueue_head(&rdev->blocked_wait);
	rdev->mddev = mddev;
	list_add_rcu(&rdev->same_set, &mddev->disks);
	mddev->recovery_disabled++;
	return rdev;
}

static void free_rdevs(struct mddev *mddev)
{
	struct md_rdev *rdev, *next;

	rdev_for_each_safe(rdev, next, mddev) {
		list_del_rcu(&rdev->same_set);
		badblocks_exit(&rdev->badblocks);
		shim_disk_free(rdev->bdev->bd_disk);
		shim_free(rdev);
	}
}

static void free_mddev(struct mddev *mddev)
{
	free_rdevs(mddev);
	exit_io(mddev);
	percpu_ref_exit(&mddev->writes_pending);
	remove_dir(mddev);
	shim_disk_free(mddev->gendisk);
	shim_free(mddev);
}

struct mddev *shim_mddev_create(const struct array_desc *desc, int *err)
{
	struct mddev *mddev = shim_zalloc(sizeof(*mddev), "mddev");
	int n;

	init_locks(mddev);
	init_state(mddev);
	set_array_info(mddev, desc);
	create_disk(mddev, desc->name);
	create_dir(mddev);
	*err = create_io(mddev);
	for (n = 0; !*err && n < desc->disks; n++)
		if (!create_rdev(mddev, desc, n))
			*err = -ENOMEM;
	if (!*err)
		return mddev;
	free_mddev(mddev);
	return NULL;
}

/* ------------------------------------------------------------------ */
/* Run								      */

static void mddev_detach(struct mddev *mddev)
{
	if (mddev->pers && mddev->pers->quiesce && !array_suspended(mddev)) {
		mddev->pers->quiesce(mddev, 1);
		mddev->pers->quiesce(mddev, 0);
	}
	unregister_array_thread(mddev);
}

static int run_personality(struct mddev *mddev, struct md_personality *pers)
{
	int err = pers->run(mddev);

	if (err) {
		pr_warn("md: pers->run() failed ...\n");
	} else if (pers->size(mddev, 0, 0) < mddev->array_sectors) {
		WARN_ONCE(!mddev->external_size,
			  "array is larger than its personality says\n");
		err = -EINVAL;
	}
	if (!err)
		return 0;

	mddev_detach(mddev);
	if (mddev->private)
		pers->free(mddev, mddev->private);
	mddev->private = NULL;
	return err;
}

static void publish_personality(struct mddev *mddev,
				struct md_personality *pers)
{
	struct md_rdev *rdev;

	if (pers->sync_request &&
	    sysfs_create_group(&mddev->kobj, &redundancy_group))
		pr_warn("md: cannot register extra attributes for %s\n",
			mdname(mddev));
	atomic_set(&mddev->max_corr_read_errors, MAX_CORRECTED_READ_ERRORS);
	mddev->safemode = 0;
	mddev->safemode_delay = SAFEMODE_DELAY;
	mddev->in_sync = 1;
	/* in_sync must be seen before the array can be written to */
	smp_wmb();
	spin_lock(&mddev->lock);
	mddev->pers = pers;
	spin_unlock(&mddev->lock);
	rdev_for_each(rdev, mddev)
		if (rdev->raid_disk >= 0 && sysfs_link_rdev(mddev, rdev))
			pr_debug("md: no link to rd%d\n", rdev->raid_disk);
}

static int run_with(struct mddev *mddev, struct md_personality *pers)
{
	int err;

	strscpy(mddev->clevel, pers->name, sizeof(mddev->clevel));
	mddev->recovery = 0;
	mddev->resync_max_sectors = mddev->dev_sectors;
	mddev->ok_start_degraded = 0;
	err = run_personality(mddev, pers);
	if (err)
		return err;

	set_queue_flags(mddev);
	publish_personality(mddev, pers);
	if (mddev->degraded && md_is_rdwr(mddev))
		set_bit(MD_RECOVERY_RECOVER, &mddev->recovery);
	set_bit(MD_RECOVERY_NEEDED, &mddev->recovery);
	if (mddev->sb_flags)
		md_update_sb(mddev, 0);
	md_new_event();
	return 0;
}

int md_run(struct mddev *mddev)
{
	struct md_personality *pers;
	int err;

	if (list_empty(&mddev->disks))
		return -EINVAL;
	if (mddev->pers || mddev->sysfs_active)
		return -EBUSY;

	err = run_io(mddev);
	if (err)
		return err;
	pers = pers_get(mddev->level);
	if (!pers) {
		pr_warn("md: personality for level %d is not loaded!\n",
			mddev->level);
		err = -EINVAL;
	} else {
		err = run_with(mddev, pers);
		if (err)
			module_put(pers->owner);
	}
	if (err)
		stop_io(mddev);
	return err;
}

int md_start(struct mddev *mddev)
{
	int ret;

	if (!mddev->pers->start)
		return 0;
	set_bit(MD_RECOVERY_WAIT, &mddev->recovery);
#ifndef HAVE_MDDEV_SYNC_WORK
	md_wakeup_thread(mddev->thread);
#endif
	ret = mddev->pers->start(mddev);
	clear_bit(MD_RECOVERY_WAIT, &mddev->recovery);
	md_wakeup_thread(mddev->sync_thread);
	return ret;
}

int do_md_run(struct mddev *mddev)
{
	int err;

	set_bit(MD_NOT_READY, &mddev->flags);
	err = md_run(mddev);
	if (!err) {
		md_start(mddev);
#ifndef HAVE_MDDEV_SYNC_WORK
		md_wakeup_thread(mddev->thread);
#endif
		md_wakeup_thread(mddev->sync_thread);
		shim_disk_set_sectors(mddev->gendisk, mddev->array_sectors);
		mddev->changed = 1;
	}
	clear_bit(MD_NOT_READY, &mddev->flags);
	return err;
}

int shim_mddev_run(struct mddev *mddev)
{
	int err;

	mddev_lock_nointr(mddev);
	err = do_md_run(mddev);
	mddev_unlock(mddev);
	return err;
}

/* ------------------------------------------------------------------ */
/* Stop								      */

#ifdef HAVE_MDDEV_SYNC_WORK
/* With reconfig_mutex held; drops and takes it. */
static void stop_sync_thread(struct mddev *mddev)
{
	if (!test_bit(MD_RECOVERY_RUNNING, &mddev->recovery))
		return;
	mddev_unlock(mddev);
	set_bit(MD_RECOVERY_INTR, &mddev->recovery);
	if (work_pending(&mddev->sync_work))
		flush_work(&mddev->sync_work);
	wait_event(resync_wait,
		   !test_bit(MD_RECOVERY_RUNNING, &mddev->recovery));
	mddev_lock_nointr(mddev);
}
#else
static void stop_sync_thread(struct mddev *mddev)
{
	md_wakeup_thread(mddev->thread);
	if (test_bit(MD_RECOVERY_RUNNING, &mddev->recovery))
		set_bit(MD_RECOVERY_INTR, &mddev->recovery);
	mddev_unlock(mddev);
	wait_event(resync_wait,
		   !test_bit(MD_RECOVERY_RUNNING, &mddev->recovery));
	mddev_lock_nointr(mddev);
}
#endif

static void stop_writes(struct mddev *mddev)
{
	/* md_write_end() alone starts it, which is not modelled */
	if (timer_pending(&mddev->safemode_timer))
		not_modelled("stopping an array with its timer running");
	if (mddev->pers->quiesce) {
		mddev->pers->quiesce(mddev, 1);
		mddev->pers->quiesce(mddev, 0);
	}
	if (md_is_rdwr(mddev) && (!mddev->in_sync || mddev->sb_flags)) {
		mddev->in_sync = 1;
		md_update_sb(mddev, 1);
	}
}

static void stop_personality(struct mddev *mddev)
{
	struct md_personality *pers = mddev->pers;

	mddev_detach(mddev);
	if (mddev->event_work.func)
		flush_workqueue(md_misc_wq);
	spin_lock(&mddev->lock);
	mddev->pers = NULL;
	spin_unlock(&mddev->lock);
	if (mddev->private)
		pers->free(mddev, mddev->private);
	mddev->private = NULL;
	if (pers->sync_request && !mddev->to_remove)
		mddev->to_remove = &redundancy_group;
	module_put(pers->owner);
	clear_bit(MD_RECOVERY_FROZEN, &mddev->recovery);
	stop_io(mddev);
}

/* With reconfig_mutex held. */
static void do_md_stop(struct mddev *mddev)
{
	struct md_rdev *rdev;

	set_bit(MD_RECOVERY_FROZEN, &mddev->recovery);
	stop_sync_thread(mddev);
	if (!mddev->pers)
		return;
	if (!md_is_rdwr(mddev))
		set_disk_ro(mddev->gendisk, 0);
	stop_writes(mddev);
	stop_personality(mddev);
	rdev_for_each(rdev, mddev)
		if (rdev->raid_disk >= 0)
			sysfs_unlink_rdev(mddev, rdev);
	shim_disk_set_sectors(mddev->gendisk, 0);
	mddev->changed = 1;
	mddev->ro = MD_RDWR;
	md_new_event();
}

void shim_mddev_stop(struct mddev *mddev)
{
	if (mddev->suspended)
		not_modelled("stopping an array that is suspended");
	mddev_lock_nointr(mddev);
	do_md_stop(mddev);
	mddev_unlock(mddev);
	free_mddev(mddev);
}
