/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * See kern-fake.h. Here: boot, parameters, attributes, findings, and all that
 * is not about data.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/run.h"
#include "kern-fake.h"

struct fake fake;
struct finding fake_found[32];
unsigned int fake_found_count;

void fake_reset(void)
{
	fake = (struct fake){
		.min = 17,
		.max = 32768,
		.bad_disk = ~0U,
		.resync_from = ~0ULL,
		.reshape_position = ~0ULL,
	};
	fake_found_count = 0;
}

const struct subject_info kern_subject = {
	.name = "stock",
	.kernel = "1.2",
	.config = "debian",
	.word_bits = 64,
	.page_size = 4096,
	.series = "",
};

static struct kern_array the_array;
static jmp_buf out;

void fake_call(char letter)
{
	size_t len = strlen(fake.log);

	if (len + 1 < sizeof(fake.log))
		fake.log[len] = letter;
}

void fake_find(enum finding_kind kind, const char *cause)
{
	struct finding *f;

	if (fake_found_count == sizeof(fake_found) / sizeof(fake_found[0]))
		return;
	f = &fake_found[fake_found_count++];

	memset(f, 0, sizeof(*f));
	f->kind = kind;
	snprintf(f->where.function, sizeof(f->where.function), "wake");
	snprintf(f->cause, sizeof(f->cause), "%s", cause);
}

const char *finding_kind_name(enum finding_kind kind)
{
	if (kind == FINDING_DATA_MISMATCH)
		return "data-mismatch";
	return kind == FINDING_LEAK ? "leak" : "out-of-bounds";
}

enum finding_kind finding_kind_by_name(const char *name)
{
	if (!strcmp(name, "data-mismatch"))
		return FINDING_DATA_MISMATCH;
	return strcmp(name, "leak") ? FINDING_OUT_OF_BOUNDS : FINDING_LEAK;
}

unsigned int finding_count(void)
{
	return fake_found_count;
}

const struct finding *finding_get(unsigned int i)
{
	return &fake_found[i];
}

int run_guarded(void (*fn)(void *arg), void *arg)
{
	if (setjmp(out))
		return 1;
	fn(arg);
	return 0;
}

void kern_boot(const struct machine *m)
{
	(void)m;
	fake_call('b');
}

int kern_module_init(void)
{
	fake_call('i');
	return fake.init_rc;
}

void kern_module_exit(void)
{
	fake_call('x');
}

unsigned long host_obj_report_leaks(void)
{
	fake_call('l');
	if (fake.leak)
		fake_find(FINDING_LEAK, "one object");
	return (unsigned long)fake.leak;
}

void host_mem_stats(struct mem_stats *stats)
{
	*stats = (struct mem_stats){
		.live_bytes = 100 + 1000 * (unsigned long long)fake.arrays,
		.largest = 512,
	};
}

void host_mem_reset_largest(void)
{
}

unsigned int kern_param_count(void)
{
	return 2;
}

const char *kern_param_name(unsigned int i)
{
	return i ? "second" : "first";
}

int kern_param_set(const char *name, const char *value)
{
	(void)name;
	fake_call('p');
	return strcmp(value, "bad") ? 0 : -EINVAL;
}

int kern_array_create(const struct array_desc *desc, struct kern_array **a)
{
	fake_call('c');
	*a = NULL;
	if (fake.create_rc)
		return fake.create_rc;
	fake_array_begin(&the_array, desc);
	*a = &the_array;
	fake.arrays++;
	return 0;
}

void kern_array_stop(struct kern_array *a)
{
	fake_call('s');
	assert_false(a->quiesced);
	assert_false(a->suspended);
	fake_array_end(a);
	fake.arrays--;
}

void kern_array_sizes(struct kern_array *a, struct array_sizes *sizes)
{
	(void)a;
	*sizes = (struct array_sizes){
		.nr_hash_locks = 8,
		.stripe_cache_size = 256,
		.max_stripe_batch = -1,
	};
}

long kern_attr_store(struct kern_array *a, const char *name, const char *val)
{
	unsigned long long n = strtoull(val, NULL, 10);

	(void)a;
	if (strcmp(name, "stripe_cache_size"))
		return -ENOENT;
	if (n < fake.min || n > fake.max)
		return -EINVAL;
	return fake.failing ? -ENOMEM : (long)strlen(val);
}

long kern_attr_show(struct kern_array *a, const char *name, char *buf,
		    unsigned long size)
{
	(void)a;
	if (strcmp(name, "stripe_cache_size"))
		return -ENOENT;
	return snprintf(buf, size, "256\n");
}

void kern_quiesce(struct kern_array *a, int on)
{
	fake_call(on ? 'Q' : 'q');
	a->quiesced = on;
}

int kern_suspend(struct kern_array *a)
{
	fake_call('U');
	a->suspended = 1;
	return 0;
}

void kern_resume(struct kern_array *a)
{
	fake_call('u');
	a->suspended = 0;
}

int kern_touch_stripe(struct kern_array *a, unsigned int cpu,
		      unsigned long long sector)
{
	(void)a;
	(void)cpu;
	(void)sector;
	fake_call('t');
	if (fake.warn_touch)
		fake_find(FINDING_OUT_OF_BOUNDS, "groups[8] of 2");
	if (!fake.fatal_touch)
		return 0;
	fake_find(FINDING_OUT_OF_BOUNDS, "groups[8] of 2");
	longjmp(out, 1);
}

int kern_cpu_set_online(unsigned int cpu, int online)
{
	(void)cpu;
	fake_call(online ? 'O' : 'o');
	return 0;
}

void kern_fail_allocs(int on)
{
	fake.failing = on;
}

void kern_step_end(const char *step)
{
	assert_non_null(step);
	fake.steps_ended++;
}

void kern_locks_strict(int on)
{
	fake.strict = on;
}
