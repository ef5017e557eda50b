// SPDX-License-Identifier: GPL-2.0-only
/*
 * The md module beside raid456: what has to be there before it, its init and
 * exit functions, its parameters. Its names have a prefix of their own
 * (subject.mk), since two modules are in one program here.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "kernel/md.h"
#include "kernel/md-real/genhd.h"
#include "kernel/md-real/sysfs-file.h"

struct module md_mod___this_module = {.name = "md_mod"};

int md_mod_init_module(void);
void md_mod_cleanup_module(void);

void shim_md_boot(void)
{
	shim_sysfs_boot();
	shim_genhd_boot();
}

int shim_md_init(void)
{
	return md_mod_init_module();
}

void shim_md_exit(void)
{
	md_mod_cleanup_module();
}

extern const struct kernel_param __start_shim_md_param[] __weak;
extern const struct kernel_param __stop_shim_md_param[] __weak;

unsigned int shim_md_params(void)
{
	return __stop_shim_md_param - __start_shim_md_param;
}

const struct kernel_param *shim_md_param(unsigned int i)
{
	return __start_shim_md_param + i;
}
