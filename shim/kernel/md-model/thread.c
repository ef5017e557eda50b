/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The md core's threads and how they are called, and who may touch an array:
 * suspending and resuming its I/O, and giving reconfig_mutex back. May not
 * know what a thread does, nor whether there is anything to recover.
 */
#include <linux/kthread.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kernel/md-model/private.h"

/* ------------------------------------------------------------------ */
/* Threads							      */

static bool thread_has_reason(struct md_thread *self)
{
	return test_bit(THREAD_WAKEUP, &self->flags) || kthread_should_stop() ||
	       kthread_should_park();
}

/* No task of the machine ever gets a signal, so none is allowed or flushed. */
static int thread_main(void *data)
{
	struct md_thread *self = data;

	while (!kthread_should_stop()) {
		wait_event_interruptible_timeout(
			self->wqueue, thread_has_reason(self), self->timeout);
		clear_bit(THREAD_WAKEUP, &self->flags);
		if (kthread_should_park())
			kthread_parkme();
		if (!kthread_should_stop())
			self->run(self);
	}
	return 0;
}

static struct md_thread *thread_new(struct mddev *mddev,
				    void (*body)(struct md_thread *))
{
	struct md_thread *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (t) {
		t->mddev = mddev;
		t->run = body;
		t->timeout = MAX_SCHEDULE_TIMEOUT;
		init_waitqueue_head(&t->wqueue);
	}
	return t;
}

struct md_thread *md_register_thread(void (*body)(struct md_thread *),
				     struct mddev *mddev, const char *suffix)
{
	struct md_thread *t = thread_new(mddev, body);

	if (!t)
		return NULL;
	t->tsk = kthread_run(thread_main, t, "%s_%s", mdname(mddev), suffix);
	if (!IS_ERR(t->tsk))
		return t;
	kfree(t);
	return NULL;
}

static void thread_free(struct md_thread *t)
{
	kthread_stop(t->tsk);
	kfree(t);
}

#ifdef HAVE_MD_WAKEUP_RCU
void __md_wakeup_thread(struct md_thread __rcu *which)
{
	struct md_thread *called = rcu_dereference(which);

	if (!called)
		return;
	set_bit(THREAD_WAKEUP, &called->flags);
	if (wq_has_sleeper(&called->wqueue))
		wake_up(&called->wqueue);
}

/* RCU keeps the thread from going away. */
static void hold_threads(void)
{
}

static void let_threads_go(void)
{
}
#else
/* Keeps a thread that is being called from going away. */
static DEFINE_SPINLOCK(threads_lock);

void md_wakeup_thread(struct md_thread *called)
{
	if (called) {
		set_bit(THREAD_WAKEUP, &called->flags);
		wake_up(&called->wqueue);
	}
}

static void hold_threads(void)
{
	spin_lock(&threads_lock);
}

static void let_threads_go(void)
{
	spin_unlock(&threads_lock);
}
#endif

#ifdef HAVE_MD_UNREGISTER_THREAD_MDDEV
void md_unregister_thread(struct mddev *mddev, struct md_thread __rcu **threadp)
{
	struct md_thread *gone = rcu_dereference_protected(
		*threadp, lockdep_is_held(&mddev->reconfig_mutex));

	if (!gone)
		return;
	rcu_assign_pointer(*threadp, NULL);
	synchronize_rcu();
	thread_free(gone);
}

void array_thread_stop(struct mddev *mddev)
{
	md_unregister_thread(mddev, &mddev->thread);
}
#else
void md_unregister_thread(struct md_thread **threadp)
{
	struct md_thread *gone;

	hold_threads();
	gone = *threadp;
	*threadp = NULL;
	let_threads_go();
	if (gone)
		thread_free(gone);
}

void array_thread_stop(struct mddev *mddev)
{
	md_unregister_thread(&mddev->thread);
}
#endif

/* ------------------------------------------------------------------ */
/* Suspend and resume						      */

bool array_suspended(struct mddev *mddev)
{
	return percpu_ref_is_dying(&mddev->active_io);
}

static void wake_reshape_waiters(struct mddev *mddev)
{
#ifdef HAVE_MD_PREPARE_SUSPEND
	if (mddev->pers && mddev->pers->prepare_suspend &&
	    reshape_interrupted(mddev))
		mddev->pers->prepare_suspend(mddev);
#endif
}

/* No new I/O is let in; returns when none is under way, or -ERESTARTSYS. */
static int drain_io(struct mddev *mddev, bool interruptible)
{
	struct percpu_ref *io = &mddev->active_io;
	int err = 0;

	percpu_ref_kill(io);
	wake_reshape_waiters(mddev);
	if (!interruptible)
		wait_event(mddev->sb_wait, percpu_ref_is_zero(io));
	else
		err = wait_event_interruptible(mddev->sb_wait,
					       percpu_ref_is_zero(io));
	if (err)
		percpu_ref_resurrect(io);
	return err;
}

static void let_io_in(struct mddev *mddev)
{
	percpu_ref_resurrect(&mddev->active_io);
	wake_up(&mddev->sb_wait);
}

/* Whatever has to be recovered was put off while the array was suspended. */
static void catch_up(struct mddev *mddev, bool recovery_needed)
{
	if (recovery_needed)
		recovery_set(mddev, MD_RECOVERY_NEEDED);
	md_wakeup_thread(mddev->thread);
	md_wakeup_thread(mddev->sync_thread);
}

#ifdef HAVE_MDDEV_SUSPEND_INT
static int lock_suspend(struct mddev *mddev, bool interruptible)
{
	if (interruptible)
		return mutex_lock_interruptible(&mddev->suspend_mutex) ? -EINTR
								       : 0;
	mutex_lock(&mddev->suspend_mutex);
	return 0;
}

/* With suspend_mutex held; others read the count without. */
static int count_suspender(struct mddev *mddev, int change)
{
	int count = mddev->suspended + change;

	WRITE_ONCE(mddev->suspended, count);
	return count;
}

int mddev_suspend(struct mddev *mddev, bool interruptible)
{
	int err;

	lockdep_assert_not_held(&mddev->reconfig_mutex);
	err = lock_suspend(mddev, interruptible);
	if (err)
		return err;
	if (!mddev->suspended)
		err = drain_io(mddev, interruptible);
	if (!err)
		count_suspender(mddev, 1);
	mutex_unlock(&mddev->suspend_mutex);
	return err;
}

void array_resume(struct mddev *mddev, bool recovery_needed)
{
	lockdep_assert_not_held(&mddev->reconfig_mutex);
	lock_suspend(mddev, false);
	if (!count_suspender(mddev, -1)) {
		let_io_in(mddev);
		catch_up(mddev, recovery_needed);
	}
	mutex_unlock(&mddev->suspend_mutex);
}

void mddev_resume(struct mddev *mddev)
{
	array_resume(mddev, true);
}
#else
/* The older kind: under reconfig_mutex, which the caller keeps, so the
 * array's thread may update the metadata on the caller's behalf. */
static void quiesce_with_updates(struct mddev *mddev)
{
	unsigned long *flags = &mddev->flags;

	set_bit(MD_ALLOW_SB_UPDATE, flags);
	drain_io(mddev, false);
	mddev->pers->quiesce(mddev, 1);
	clear_bit_unlock(MD_ALLOW_SB_UPDATE, flags);
	wait_event(mddev->sb_wait, !test_bit(MD_UPDATING_SB, flags));
}

static bool in_array_thread(struct mddev *mddev)
{
	return mddev->thread && mddev->thread->tsk == current;
}

void mddev_suspend(struct mddev *mddev)
{
	WARN_ON_ONCE(in_array_thread(mddev));
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (!mddev->suspended++) {
		wake_up(&mddev->sb_wait);
		quiesce_with_updates(mddev);
		mddev->noio_flag = memalloc_noio_save();
	}
}

void mddev_resume(struct mddev *mddev)
{
	lockdep_assert_held(&mddev->reconfig_mutex);
	if (!--mddev->suspended) {
		memalloc_noio_restore(mddev->noio_flag);
		let_io_in(mddev);
		mddev->pers->quiesce(mddev, 0);
		catch_up(mddev, true);
	}
}
#endif

/* ------------------------------------------------------------------ */
/* The end of a change to the array				      */

/* Files whose functions take reconfig_mutex go only after it is dropped. */
static void unlock_and_remove(struct mddev *mddev)
{
	const struct attribute_group *group = mddev->to_remove;

	mddev->sysfs_active = 1;
	mddev->to_remove = NULL;
	mutex_unlock(&mddev->reconfig_mutex);
	array_dir_remove(mddev, group);
	mddev->sysfs_active = 0;
}

void mddev_unlock(struct mddev *mddev)
{
	if (mddev->to_remove)
		unlock_and_remove(mddev);
	else
		mutex_unlock(&mddev->reconfig_mutex);

	hold_threads();
	md_wakeup_thread(mddev->thread);
	wake_up(&mddev->sb_wait);
	let_threads_go();
}
