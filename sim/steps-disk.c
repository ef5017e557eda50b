/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps about members, and about what becomes of the array as a whole.
 */
#include <stdio.h>
#include <string.h>

#include "steps-run.h"

static void no_text(char *buf, size_t size, const struct case_step *s)
{
	snprintf(buf, size, "of disk %u", s->disk);
}

/* The file's check counts those of [array]; a shim may have fewer. */
static bool has_disk(struct run *r, const struct case_step *s)
{
	unsigned int n = kern_array_disks(r->session.array);

	if (s->disk < n)
		return true;
	outcome_note(r->o, "line %u: %s: there are %u disks", s->line,
		     step_verb_name(s->verb), n);
	return false;
}

static void member_result(struct run *r, const struct case_step *s, int rc)
{
	char what[32];

	no_text(what, sizeof(what), s);
	step_result(r, s, what, rc);
}

void do_fail(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		member_result(r, s,
			      kern_member_fail(r->session.array, s->disk));
}

void do_remove(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		member_result(r, s,
			      kern_member_remove(r->session.array, s->disk));
}

void do_add(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		member_result(r, s,
			      kern_member_add(r->session.array, s->disk, 0));
}

void do_re_add(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		member_result(r, s,
			      kern_member_add(r->session.array, s->disk, 1));
}

void do_replace(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		member_result(r, s,
			      kern_member_replace(r->session.array, s->disk));
}

void do_disk_error(struct run *r, const struct case_step *s)
{
	struct member_state m;

	if (!has_disk(r, s))
		return;
	kern_member_state(r->session.array, s->disk, &m);
	kern_disk_fault(r->session.array, s->disk,
			s->on ? DISK_WRITE_ERROR : DISK_READ_ERROR,
			m.data_sector + s->sector, s->number);
}

void do_vanish(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		kern_disk_fault(r->session.array, s->disk, DISK_VANISH, 0, 0);
}

void do_heal(struct run *r, const struct case_step *s)
{
	if (has_disk(r, s))
		kern_disk_heal(r->session.array, s->disk);
}

/* ------------------------------------------------------------------ */

void do_sync(struct run *r, const struct case_step *s)
{
	if (!s->attr) {
		step_result(r, s, "wait", kern_sync_wait(r->session.array));
		return;
	}
	step_result(r, s, s->attr,
		    kern_attr_store(r->session.array, "sync_action", s->attr));
}

/*
 * As mdadm --grow does: no recovery may begin meanwhile, then each attribute
 * that changes, then the order to begin. A level alone is a takeover, which
 * moves no data and is done at once.
 */
void do_reshape(struct run *r, const struct case_step *s)
{
	static const char *const order[] = {"level", "raid_disks", "chunk_size",
					    "layout"};
	struct kern_array *a = r->session.array;
	bool moves = false;
	char what[80];
	long rc;

	kern_attr_store(a, "sync_action", "frozen");
	for (unsigned int i = 0; i < 4 * s->reshape.count; i++) {
		const struct param *p = &s->reshape.param[i % s->reshape.count];

		if (strcmp(order[i / s->reshape.count], p->name))
			continue;
		moves = moves || strcmp(p->name, "level");
		rc = kern_attr_store(a, p->name, p->value);
		snprintf(what, sizeof(what), "%s %s", p->name, p->value);
		if (rc < 0) {
			kern_attr_store(a, "sync_action", "idle");
			step_result(r, s, what, rc);
			return;
		}
	}
	rc = kern_attr_store(a, "sync_action", moves ? "reshape" : "idle");
	step_result(r, s, moves ? "reshape" : "level", rc);
}

/* ------------------------------------------------------------------ */

void do_power_cut(struct run *r, const struct case_step *s)
{
	kern_power_cut(r->session.array, s->number, s->on);
	model_power_cut(r->model);
}

/*
 * Whoever has requests under way keeps the array open, and md refuses to stop
 * it. So nothing new is begun, and it stops when the last request is complete:
 * what the driver does after that goes on under the stop.
 */
void do_halt(struct run *r, const struct case_step *s)
{
	int rc;

	load_stop(r);
	load_wait(r, NULL);
	rc = kern_array_halt(r->session.array);
	step_result(r, s, "array", rc);
	if (rc)
		return;
	r->halted = true;
	model_power_on(r->model);
}

void do_assemble(struct run *r, const struct case_step *s)
{
	int rc;

	if (!r->halted)
		return;
	rc = kern_array_assemble(r->session.array, s->number);
	step_result(r, s, "array", rc);
	r->halted = rc != 0;
	r->lost = rc && !s->result;
}
