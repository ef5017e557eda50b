/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children, pipes and the time limit. The limit is the only use of the wall
 * clock: a safety net against a run that never ends, and no part of what a
 * case can expect.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run-pool.h"
#include "vec.h"

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* ------------------------------------------------------------------ */
/* The child							      */

static void write_all(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			exit(2);
		p += n;
		size -= (size_t)n;
	}
}

/* What the outcome counts follows it. */
static void write_schedule(const struct outcome *o, int fd)
{
	const struct sched_change *change;
	const unsigned char *width;

	if (o->changes && kern_sched_changes(&change))
		write_all(fd, change, o->changes * sizeof(*change));
	if (o->widths && kern_sched_widths(&width))
		write_all(fd, width, o->widths);
}

__attribute__((noreturn)) static void child(const struct job *j, int fd)
{
	static struct outcome o;

	steps_run(&j->c, &o);
	write_all(fd, &o, sizeof(o));
	write_schedule(&o, fd);
	exit(0);
}

/* ------------------------------------------------------------------ */
/* The parent							      */

static int start(const struct pool *p, struct job *j)
{
	int fds[2];

	if (pipe(fds))
		return -errno;
	fflush(NULL);
	j->pid = fork();
	if (j->pid < 0)
		return -errno;
	if (!j->pid) {
		close(fds[0]);
		child(j, fds[1]);
	}
	close(fds[1]);
	j->fd = fds[0];
	j->deadline = now_ms() + p->time_limit * 1000LL;
	j->got = 0;
	j->timed_out = false;
	j->room = sizeof(*j->outcome);
	j->outcome = vec_checked(calloc(1, j->room));
	j->state = JOB_RUNNING;
	return 0;
}

/* What the child wrote of its outcome is no use unless it is all there. */
static void no_outcome(const struct pool *p, struct job *j, int status)
{
	struct finding hang = {.kind = FINDING_HANG};
	struct outcome *o = j->outcome;

	memset(o, 0, sizeof(*o));
	if (j->timed_out) {
		snprintf(hang.cause, sizeof(hang.cause),
			 "time limit: not done after %u seconds",
			 p->time_limit);
		outcome_finding(o, &hang, false);
	} else if (WIFSIGNALED(status)) {
		outcome_note(o, "the process was killed by SIG%s",
			     sigabbrev_np(WTERMSIG(status)));
	} else {
		outcome_note(o,
			     "the process ended with status %d before it "
			     "could report",
			     WEXITSTATUS(status));
	}
}

static bool is_whole(const struct job *j)
{
	const struct outcome *o = j->outcome;

	return j->got >= sizeof(*o) &&
	       j->got ==
		       sizeof(*o) + o->changes * sizeof(*j->change) + o->widths;
}

static void finish(const struct pool *p, struct job *j)
{
	int status = 0;

	close(j->fd);
	while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!is_whole(j))
		no_outcome(p, j, status);
	j->change = (struct sched_change *)(j->outcome + 1);
	j->width = (unsigned char *)(j->change + j->outcome->changes);
	j->state = JOB_DONE;
}

static void receive(const struct pool *p, struct job *j)
{
	ssize_t n;

	if (j->got == j->room) {
		j->room *= 2;
		j->outcome = vec_checked(realloc(j->outcome, j->room));
	}
	n = read(j->fd, (char *)j->outcome + j->got, j->room - j->got);
	if (n > 0)
		j->got += (size_t)n;
	else if (!n || errno != EINTR)
		finish(p, j);
}

static void enforce_limit(struct job *j, long long now)
{
	if (j->timed_out || now < j->deadline)
		return;
	j->timed_out = true;
	kill(j->pid, SIGKILL);
}

/*
 * Jobs that run lie between those that are told and those that wait:
 *
 *	0 ... told ... next ... count
 *	 done | some running | waiting
 */
struct window {
	unsigned int told;
	unsigned int next;
	unsigned int running;
};

static int start_some(struct pool *p, struct window *w)
{
	int err;

	for (; w->next < p->count && w->running < p->at_once; w->next++) {
		struct job *j = &p->job[w->next];

		if (j->skip) {
			j->state = JOB_DONE;
			continue;
		}
		err = start(p, j);
		if (err)
			return err;
		w->running++;
	}
	return 0;
}

static void tell(struct pool *p, struct window *w)
{
	for (; w->told < p->count; w->told++) {
		struct job *j = &p->job[w->told];

		if (j->state != JOB_DONE)
			return;
		p->done(p->arg, w->told, j);
		free(j->outcome);
		j->outcome = NULL;
	}
}

/* Milliseconds until the first limit; a killed child needs none. */
static int next_limit(const struct pool *p, const struct window *w)
{
	long long first = -1;
	long long now = now_ms();

	for (unsigned int i = w->told; i < w->next; i++) {
		const struct job *j = &p->job[i];

		if (j->state == JOB_RUNNING && !j->timed_out &&
		    (first < 0 || j->deadline < first))
			first = j->deadline;
	}
	if (first < 0)
		return -1;
	return first > now ? (int)(first - now) : 0;
}

static void wait_some(struct pool *p, struct window *w, struct pollfd *fds)
{
	unsigned int n = 0;
	long long now;

	for (unsigned int i = w->told; i < w->next; i++)
		if (p->job[i].state == JOB_RUNNING)
			fds[n++] = (struct pollfd){p->job[i].fd, POLLIN, 0};
	poll(fds, n, next_limit(p, w));
	now = now_ms();
	n = 0;
	for (unsigned int i = w->told; i < w->next; i++) {
		struct job *j = &p->job[i];

		if (j->state != JOB_RUNNING)
			continue;
		if (fds[n++].revents)
			receive(p, j);
		if (j->state == JOB_DONE)
			w->running--;
		else
			enforce_limit(j, now);
	}
}

static void kill_all(struct pool *p)
{
	for (unsigned int i = 0; i < p->count; i++) {
		if (p->job[i].state != JOB_RUNNING)
			continue;
		kill(p->job[i].pid, SIGKILL);
		finish(p, &p->job[i]);
	}
}

int pool_run(struct pool *p)
{
	struct window w = {0, 0, 0};
	struct pollfd *fds;
	int err = 0;

	fds = vec_checked(calloc(p->at_once, sizeof(*fds)));
	while (!err && w.told < p->count) {
		err = start_some(p, &w);
		if (!err && w.running)
			wait_some(p, &w, fds);
		tell(p, &w);
	}
	if (err)
		kill_all(p);
	free(fds);
	return err;
}
