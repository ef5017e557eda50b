/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the tests of the host side: a subject of a few functions, places for
 * them without debug information, and runs in a child process, which a fatal
 * finding or a panic ends. It stands in for place.c and for the kernel side.
 */
#ifndef RAID5SIM_HOST_FAKE_H
#define RAID5SIM_HOST_FAKE_H

#include "boundary.h"
#include "run.h"

/* Return addresses whose place has these functions, and line 100 + n. */
enum site {
	IN_SETUP_CONF,
	IN_ALLOC_THREAD_GROUPS,
	IN_GROW_ONE_STRIPE,
	IN_FREE_CONF,
	IN_DROP_ONE_STRIPE,
	IN_SETUP_CONF_AGAIN, /* same place as IN_SETUP_CONF, other address */
	IN_UNKNOWN,	     /* no place */
	SITES
};

const void *site(enum site n);

/* The subject: a place of its own for each, named as the function. */
unsigned int subject_read(const void *base, long offset);
void subject_write(void *base, long offset, unsigned int value);
void subject_fill(void *base, unsigned long len);
void subject_call(void (*fn)(void));
int subject_divide(int a, int b);
void subject_trap(void);
void subject_warn(const char *text);
void subject_die(const char *text);
unsigned long subject_recurse(unsigned long depth);
/** subject_chain - frames from here to the end of the frame pointer chain */
unsigned int subject_chain(void);

#define OUTCOME_FINDINGS 6

/**
 * struct outcome - how a child ended
 * @status:	its exit status, or 1000 + the signal
 * @ended:	what run_guarded() returned
 * @count:	findings; @f holds the first OUTCOME_FINDINGS
 * @note:	what the test function left in child_note
 * @err:	its stderr
 */
struct outcome {
	int status;
	int ended;
	unsigned int count;
	struct finding f[OUTCOME_FINDINGS];
	unsigned long long note;
	char err[512];
};

extern unsigned long long child_note;
/* In the child: called after the run, whether it ended early or not. */
extern void (*child_after)(void);

void in_child(void (*fn)(void *arg), void *arg, struct outcome *out);
/** expect_one - the child ended its run with just this finding; @function is
 *  where, "" for nowhere */
void expect_one(const struct outcome *out, enum finding_kind kind,
		const char *function, const char *cause);
/** expect_clean - the child's run returned and found nothing */
void expect_clean(const struct outcome *out);
/** expect_panic - it exited with status 2 and said so */
void expect_panic(const struct outcome *out, const char *text);

#endif
