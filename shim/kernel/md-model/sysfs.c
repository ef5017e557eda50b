/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An array's directory in sysfs: which attribute groups and links are there,
 * and reading and writing attributes as a file would be. Holds nothing else
 * of sysfs, and knows of the array only what its own group depends on.
 */
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "kernel/block.h"
#include "kernel/md-model/private.h"

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

/* Room for a link to each member and a replacement of each. */
void array_dir_create(struct mddev *mddev)
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

void array_dir_free(struct mddev *mddev)
{
	struct shim_dir *dir = dir_of(&mddev->kobj);

	list_del(&dir->node);
	shim_free(dir->sd);
	shim_free(dir);
}

/* ------------------------------------------------------------------ */
/* Attributes							      */

static struct md_sysfs_entry *attr_entry(struct attribute *attr)
{
	return container_of(attr, struct md_sysfs_entry, attr);
}

static struct md_sysfs_entry *attr_nr(struct mddev *mddev, unsigned int n)
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

static struct md_sysfs_entry *attr_named(struct mddev *mddev, const char *name)
{
	struct md_sysfs_entry *entry;
	unsigned int n;

	for (n = 0; (entry = attr_nr(mddev, n)); n++)
		if (!strcmp(entry->attr.name, name))
			return entry;
	return NULL;
}

/*
 * The files in an array's md directory are raid5's and md's own (level,
 * array_state, ...). Those of md are not modelled, and a file that nobody has
 * is a mistake of the caller: neither may look like an answer of the kernel.
 */
static struct md_sysfs_entry *find_attr(struct mddev *mddev, const char *name)
{
	struct md_sysfs_entry *entry = attr_named(mddev, name);

	if (!entry)
		finding_fatal(FINDING_NOT_MODELLED, NULL,
			      "not modelled: md attribute %s; those of raid5 are",
			      name);
	return entry;
}

/* sysfs hands a store function a page with the text and a final NUL. */
long shim_attr_store(struct kern_array *a, const char *name, const char *val)
{
	struct mddev *mddev = a->mddev;
	struct md_sysfs_entry *entry = find_attr(mddev, name);
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
	atomic_inc(&mddev->active);
	ret = entry->store(mddev, page, len);
	atomic_dec(&mddev->active);
	host_obj_free(page, MEM_SHIM, NULL);
	return ret;
}

long shim_attr_show(struct kern_array *a, const char *name, char *page)
{
	struct mddev *mddev = a->mddev;
	struct md_sysfs_entry *entry = find_attr(mddev, name);
	long ret;

	if (!(entry->attr.mode & 0444) || !entry->show)
		return -EACCES;
	atomic_inc(&mddev->active);
	ret = entry->show(mddev, page);
	atomic_dec(&mddev->active);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Redundancy							      */

/* md.c's own attributes for arrays with redundancy: none here, but the group
 * is told from raid5.c's by its address. */
static struct attribute *redundancy_attrs[] = {NULL};
static const struct attribute_group redundancy_group = {
	.attrs = redundancy_attrs,
};

int array_dir_add_redundancy(struct mddev *mddev)
{
	return sysfs_create_group(&mddev->kobj, &redundancy_group);
}

void array_dir_leave_redundancy(struct mddev *mddev)
{
	if (!mddev->to_remove)
		mddev->to_remove = &redundancy_group;
}

void array_dir_remove(struct mddev *mddev, const struct attribute_group *group)
{
	bool recoverable = mddev->pers && mddev->pers->sync_request;

	if (!mddev->kobj.sd)
		return;
	if (group != &redundancy_group)
		sysfs_remove_group(&mddev->kobj, group);
	if (!recoverable)
		sysfs_remove_group(&mddev->kobj, &redundancy_group);
}
