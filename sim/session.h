/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One simulated machine from power-on to module unload, and what is measured
 * on the way; the common part of `size` and `run`. It prints nothing.
 *
 *	session_boot()		power on, parameters, module init
 *	session_create()	an array; session_measure(), session_stop()
 *	session_limits()	another array, to see what its cache accepts
 *	session_end()		module exit; what is left is a leak
 *
 * All but session_params_check() enter the simulation: call them in one
 * run_guarded(), and none after a fatal finding.
 */
#ifndef RAID5SIM_SESSION_H
#define RAID5SIM_SESSION_H

#include "boundary.h"
#include "params.h"
#include "sizes.h"

/**
 * struct session - the one session of a process
 * @array:	the array that exists, or NULL
 * @init_rc:	what module init said
 * @bad_param:	first parameter that was refused, or NULL
 * @bad_param_rc: the kernel's answer to it
 * @baseline:	bytes that were allocated before any array
 */
struct session {
	struct kern_array *array;
	int init_rc;
	const struct param *bad_param;
	int bad_param_rc;
	unsigned long long baseline;
};

/**
 * session_params_check - does the subject have all these parameters?
 *
 * Return: 0 or -EINVAL; @diag then names the parameter and those that exist.
 */
int session_params_check(const struct param_list *params, struct diag *diag);

/**
 * session_boot - machine, parameters (as modprobe would set them), module
 *
 * Return: 0; else the kernel's answer to @bad_param, or of module init.
 */
int session_boot(struct session *s, const struct machine *m,
		 const struct param_list *params);

/** session_create - create @s->array; 0 or -errno */
int session_create(struct session *s, const struct array_desc *desc);

/**
 * session_measure - all values of @s->array but the limits
 * @out:	create is left alone, and bytes per array are since boot
 */
void session_measure(const struct session *s, struct sizes *out);

/** session_memory - just the bytes; works without an array */
void session_memory(const struct session *s, struct sizes *out);

/** session_stop - stop and free @s->array, if there is one */
void session_stop(struct session *s);

/**
 * session_limits - smallest and largest stripe_cache_size that sysfs accepts
 * @desc:	of an array that is created for this and freed again
 * @out:	stripe_cache_min and _max; untouched when it cannot be created
 *
 * Every allocation is made to fail meanwhile. So a value that the driver
 * accepts costs no memory: the store fails with -ENOMEM (or does not grow)
 * where it would have grown the cache, and with -EINVAL where it refuses the
 * value itself. The minimum is looked for from 1 to 4096; the maximum by
 * doubling up to 2^64 - 1 from there and halving the last step. One above
 * 2^63 - 1 is given as that.
 */
void session_limits(struct session *s, const struct array_desc *desc,
		    struct sizes *out);

/** session_end - module exit, and findings for what was not freed */
void session_end(struct session *s);

#endif
