/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and writing files of sysfs. Knows nothing of arrays. */
#ifndef RAID5SIM_SYSFS_FILE_H
#define RAID5SIM_SYSFS_FILE_H

#include <linux/kobject.h>

/** shim_sysfs_boot - mount it; before anybody makes a kobject */
void shim_sysfs_boot(void);

/**
 * shim_sysfs_write - as write() to a file that was opened for it
 * @dir:	where @path begins; links in it are followed
 * Return: bytes taken or -errno: -ENOENT, -EACCES (mode), -E2BIG, -ENODEV
 * (being removed), or what the attribute's store function says
 */
ssize_t shim_sysfs_write(struct kobject *dir, const char *path,
			 const char *text, size_t len);
/** shim_sysfs_read - as read() into @page (PAGE_SIZE bytes) */
ssize_t shim_sysfs_read(struct kobject *dir, const char *path, char *page);

#endif
