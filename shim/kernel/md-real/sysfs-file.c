// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of sysfs for callers without a file descriptor: finds the node, holds
 * it active as an open file's read or write does, and calls the tree's kernfs
 * operations. Knows nothing of arrays.
 *
 *	path ──links──> node ──active──> fs/sysfs/file.c ──> show(), store()
 */
#include <linux/kernfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "fs/kernfs/kernfs-internal.h"
#include "fs/sysfs/sysfs.h"

#include "kernel/block.h"
#include "kernel/md-real/sysfs-file.h"

void shim_sysfs_boot(void)
{
	kernfs_init();
	if (sysfs_init())
		panic("sysfs cannot be had");
}

/* ------------------------------------------------------------------ */
/* Paths								      */

static struct kernfs_node *follow(struct kernfs_node *kn)
{
	struct kernfs_node *target;

	if (!kn || kernfs_type(kn) != KERNFS_LINK)
		return kn;
	target = kn->symlink.target_kn;
	kernfs_get(target);
	kernfs_put(kn);
	return target;
}

/* The node at @path, with a reference, or NULL. */
static struct kernfs_node *walk(struct kobject *dir, const char *path)
{
	struct kernfs_node *kn = dir->sd, *next;
	char name[64];
	size_t len;

	kernfs_get(kn);
	while (kn && *path) {
		len = strcspn(path, "/");
		strscpy(name, path, min(len + 1, sizeof(name)));
		path += len + (path[len] == '/');
		next = kernfs_type(kn) == KERNFS_DIR
			       ? kernfs_find_and_get(kn, name)
			       : NULL;
		kernfs_put(kn);
		kn = follow(next);
	}
	return kn;
}

/* ------------------------------------------------------------------ */
/* Open files							      */

/** struct opened - a file while one system call uses it */
struct opened {
	struct kernfs_open_file of;
	struct seq_file seq;
};

/* As kernfs_fop_open(): what the mode forbids is refused to root too. */
static int open_file(struct opened *o, struct kobject *dir, const char *path,
		     umode_t wanted)
{
	struct kernfs_node *kn = walk(dir, path);
	int err = 0;

	memset(o, 0, sizeof(*o));
	if (!kn)
		return -ENOENT;
	if (kernfs_type(kn) != KERNFS_FILE)
		err = -EISDIR;
	else if (!(kn->mode & wanted))
		err = -EACCES;
	if (err) {
		kernfs_put(kn);
		return err;
	}
	o->of.kn = kn;
	o->of.seq_file = &o->seq;
	mutex_init(&o->of.mutex);
	return 0;
}

static void close_file(struct opened *o)
{
	kernfs_put(o->of.kn);
}

static int hold(struct opened *o)
{
	mutex_lock(&o->of.mutex);
	if (kernfs_get_active(o->of.kn))
		return 0;
	mutex_unlock(&o->of.mutex);
	return -ENODEV;
}

static void let_go(struct opened *o)
{
	kernfs_put_active(o->of.kn);
	mutex_unlock(&o->of.mutex);
}

/* Holds the text and a final NUL, as kernfs_fop_write_iter() makes it. */
static ssize_t write_held(struct opened *o, const char *text, size_t len)
{
	const struct kernfs_ops *ops = o->of.kn->attr.ops;
	char *buf = shim_zalloc(len + 1, "sysfs write");
	ssize_t ret = -EINVAL;

	memcpy(buf, text, len);
	if (ops->write)
		ret = ops->write(&o->of, buf, len, 0);
	shim_free(buf);
	return ret;
}

ssize_t shim_sysfs_write(struct kobject *dir, const char *path,
			 const char *text, size_t len)
{
	struct opened o;
	ssize_t ret = open_file(&o, dir, path, 0222);

	if (ret)
		return ret;
	/* more than a page is written in parts; nobody needs that */
	ret = len > PAGE_SIZE ? -E2BIG : hold(&o);
	if (!ret) {
		ret = write_held(&o, text, len);
		let_go(&o);
	}
	close_file(&o);
	return ret;
}

static ssize_t read_held(struct opened *o, char *page)
{
	const struct kernfs_ops *ops = o->of.kn->attr.ops;
	ssize_t ret = -EINVAL;

	if (ops->seq_show) {
		o->seq.buf = page;
		o->seq.size = PAGE_SIZE;
		o->seq.private = &o->of;
		ret = ops->seq_show(&o->seq, NULL);
		return ret ?: o->seq.count;
	}
	o->of.prealloc_buf = page;
	if (ops->read)
		ret = ops->read(&o->of, page, PAGE_SIZE, 0);
	return ret;
}

ssize_t shim_sysfs_read(struct kobject *dir, const char *path, char *page)
{
	struct opened o;
	ssize_t ret = open_file(&o, dir, path, 0444);

	if (ret)
		return ret;
	memset(page, 0, PAGE_SIZE);
	ret = hold(&o);
	if (!ret) {
		ret = read_held(&o, page);
		let_go(&o);
	}
	close_file(&o);
	return ret;
}
