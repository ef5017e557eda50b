// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading and writing files of an array's md directory in sysfs, as read() and
 * write() reach them: found by name, guarded by kernfs against removal, then
 * the kobject's own operations. Knows no file.
 */
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/sysfs.h>

#include "fs/kernfs/kernfs-internal.h"

#include "kernel/md.h"
#include "kernel/shim.h"

/* With an active reference: nobody removes it before it is put. */
static struct kernfs_node *open_file(struct kern_array *a, const char *name,
				     umode_t mode)
{
	struct kernfs_node *kn =
		kernfs_walk_and_get(a->mddev->kobj.sd, name);
	int err = 0;

	if (!kn)
		return ERR_PTR(-ENOENT);
	if (kernfs_type(kn) != KERNFS_FILE)
		err = -EISDIR;
	else if (!(kn->mode & mode))
		err = -EACCES;
	else if (!kernfs_get_active(kn))
		err = -ENODEV;
	if (!err)
		return kn;
	kernfs_put(kn);
	return ERR_PTR(err);
}

static void close_file(struct kernfs_node *kn)
{
	kernfs_put_active(kn);
	kernfs_put(kn);
}

static struct kobject *owner(struct kernfs_node *kn)
{
	return kn->parent->priv;
}

/* kernfs hands a store function a copy of the text with a final NUL. */
long shim_attr_store(struct kern_array *a, const char *name, const char *val)
{
	struct kernfs_node *kn = open_file(a, name, 0222);
	const struct sysfs_ops *ops;
	size_t len = strlen(val);
	long ret = -EIO;
	char *page;

	if (IS_ERR(kn))
		return PTR_ERR(kn);
	page = host_obj_alloc(PAGE_SIZE, PAGE_SIZE, MEM_SHIM, NULL, NULL);
	memset(page, 0, PAGE_SIZE);
	memcpy(page, val, min_t(size_t, len, PAGE_SIZE - 1));
	ops = owner(kn)->ktype->sysfs_ops;
	if (len >= PAGE_SIZE)
		ret = -EINVAL;
	else if (ops && ops->store)
		ret = ops->store(owner(kn), kn->priv, page, len);
	host_obj_free(page, MEM_SHIM, NULL);
	close_file(kn);
	return ret;
}

long shim_attr_show(struct kern_array *a, const char *name, char *page)
{
	struct kernfs_node *kn = open_file(a, name, 0444);
	const struct sysfs_ops *ops;
	long ret = -EIO;

	if (IS_ERR(kn))
		return PTR_ERR(kn);
	ops = owner(kn)->ktype->sysfs_ops;
	if (ops && ops->show)
		ret = ops->show(owner(kn), kn->priv, page);
	close_file(kn);
	return ret;
}
