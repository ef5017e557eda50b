/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where in the tree's sources a code address lies: DWARF of the running
 * program, read with libdw at the first question. It knows prefixes to cut,
 * nothing of what the sources are. Works in a fault handler on a small stack:
 * libdw runs on a stack of its own here, since reading a line table takes
 * several hundred kB of it.
 *
 *	pc --> unit --> function --> inlined --> inlined --> line table row
 *			 frame n      frame 1     frame 0
 *
 * Frame 0 lies where the line table says; each other frame lies at the call
 * site that the frame inside it names. Wanted is the innermost one in a .c
 * file of the tree.
 */
#define _GNU_SOURCE
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__i386__)
#include <ucontext.h>
#endif

#include "boundary.h"
#include "run.h"

#define PATH_ROOM  1024
/* Sources of the driver under test; a frame here says more than one below. */
#define SUBJECT_DIR "drivers/md/"

#define DEEP	   64	       /* scopes inside each other, frames of a stack */
#define STACK_SPAN (1UL << 20) /* one frame to the next, bytes */
#define OWN_STACK  (4UL << 20) /* libdw's */
#define DIRS	   8
#define CACHE_MIN  256

static char dirs[DIRS][PATH_ROOM];
static unsigned int dir_cnt;

/* ------------------------------------------------------------------ */
/* Paths							      */

/*
 * Append the components of @from to the path in @path, "." left out and ".."
 * resolved as text. An absolute @from starts over. 0 when there is no room.
 */
static int path_add(char *path, const char *from)
{
	size_t len;

	if (*from == '/')
		strcpy(path, "/");
	len = strlen(path);
	while (*from) {
		size_t n = strcspn(from, "/");
		char *slash = strrchr(path, '/');

		if (n == 2 && !strncmp(from, "..", 2) && len &&
		    strcmp(slash ? slash + 1 : path, "..")) {
			len = slash ? (size_t)(slash - path) : 0;
			if (slash == path)
				len = 1;
			path[len] = '\0';
		} else if (n && !(n == 1 && *from == '.')) {
			if (len + n + 2 > PATH_ROOM)
				return 0;
			if (len && path[len - 1] != '/')
				path[len++] = '/';
			memcpy(path + len, from, n);
			len += n;
			path[len] = '\0';
		}
		from += n + strspn(from + n, "/");
	}
	return 1;
}

/* @comp_dir may be NULL; relative names are relative to it. */
static int path_join(char *path, const char *comp_dir, const char *name)
{
	path[0] = '\0';
	if (*name != '/' && comp_dir && !path_add(path, comp_dir))
		return 0;
	return path_add(path, name);
}

/* The name inside the tree of a .c file, into @out; 0 when it is not one. */
static int tree_file(const char *comp_dir, const char *name, char *out,
		     size_t room)
{
	static char full[PATH_ROOM], dir[PATH_ROOM];
	size_t len = strlen(name);
	unsigned int i;

	if (len < 2 || strcmp(name + len - 2, ".c") ||
	    !path_join(full, comp_dir, name))
		return 0;
	for (i = 0; i < dir_cnt; i++) {
		if (!path_join(dir, comp_dir, dirs[i]))
			continue;
		len = strlen(dir);
		if (len && dir[len - 1] == '/')
			len--;
		if (strncmp(full, dir, len) || (len && full[len] != '/'))
			continue;
		name = full + len + (len != 0);
		if (strlen(name) >= room)
			return 0;
		strcpy(out, name);
		return 1;
	}
	return 0;
}

void place_init(const char *const *list, unsigned int n)
{
	unsigned int i;

	dir_cnt = 0;
	for (i = 0; i < n && dir_cnt < DIRS; i++)
		if (strlen(list[i]) < PATH_ROOM)
			strcpy(dirs[dir_cnt++], list[i]);
}

/* ------------------------------------------------------------------ */
/* DWARF							      */

static Dwarf *dwarf;
static uintptr_t bias; /* where the program was loaded */
static int dwarf_tried;

/* The first object listed is the program itself. */
static int take_bias(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	bias = info->dlpi_addr;
	return 1;
}

static void dwarf_open(void)
{
	int fd;

	if (dwarf_tried)
		return;
	dwarf_tried = 1;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	dl_iterate_phdr(take_bias, NULL);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf)
		close(fd);
}

/* clang writes no table of address ranges: ask each unit. */
static int find_unit(Dwarf_Addr addr, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, unit, NULL)) {
		if (type == DW_UT_compile && dwarf_haspc(unit, addr) > 0)
			return 1;
	}
	return 0;
}

static int is_scope(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block;
}

/*
 * The functions at @addr, outermost first: a subprogram and what is inlined
 * in it there. Lexical blocks are passed through.
 */
static unsigned int find_frames(Dwarf_Addr addr, Dwarf_Die unit,
				Dwarf_Die frame[DEEP])
{
	Dwarf_Die at;
	unsigned int n = 0;
	int more = !dwarf_child(&unit, &at);

	while (more && n < DEEP) {
		int tag = dwarf_tag(&at);

		if (!is_scope(tag) || dwarf_haspc(&at, addr) <= 0) {
			more = !dwarf_siblingof(&at, &at);
			continue;
		}
		if (tag != DW_TAG_lexical_block)
			frame[n++] = at;
		more = !dwarf_child(&at, &at);
	}
	return n;
}

static unsigned int number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value))
		return 0;
	return (unsigned int)value;
}

/* Where @die, an inlined function, is called: file name or NULL. */
static const char *call_site(Dwarf_Die *die, Dwarf_Files *files,
			     unsigned int *line)
{
	if (!dwarf_hasattr(die, DW_AT_call_file))
		return NULL;
	*line = number(die, DW_AT_call_line);
	return dwarf_filesrc(files, number(die, DW_AT_call_file), NULL, NULL);
}

static const char *row_at(Dwarf_Die *unit, Dwarf_Addr addr, unsigned int *line)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, addr);
	int n = 0;

	if (!row)
		return NULL;
	if (dwarf_lineno(row, &n))
		n = 0;
	*line = n > 0 ? (unsigned int)n : 0;
	return dwarf_linesrc(row, NULL, NULL);
}

static const char *comp_dir_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(unit, DW_AT_comp_dir, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

static int look_up(Dwarf_Addr addr, struct place *out)
{
	static Dwarf_Die frame[DEEP];
	const char *file, *name, *comp_dir;
	Dwarf_Files *files;
	unsigned int n, line = 0;
	Dwarf_Die unit;
	size_t count;

	if (!find_unit(addr, &unit) || dwarf_getsrcfiles(&unit, &files, &count))
		return 0;
	comp_dir = comp_dir_of(&unit);
	n = find_frames(addr, unit, frame);
	file = row_at(&unit, addr, &line);
	while (n-- > 0) {
		if (file &&
		    tree_file(comp_dir, file, out->file, sizeof(out->file))) {
			name = dwarf_diename(&frame[n]);
			strncpy(out->function, name ? name : "",
				sizeof(out->function) - 1);
			out->line = line;
			return 1;
		}
		file = call_site(&frame[n], files, &line);
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* A stack of our own, and a cache				      */

static void read_on_own_stack(void);

#if defined(__x86_64__) || defined(__i386__)

/* place_call_on(fn, top): call @fn with the stack pointer at @top. */
void place_call_on(void (*fn)(void), void *top);

#ifdef __x86_64__
asm(".text\n"
    ".globl	place_call_on\n"
    ".hidden	place_call_on\n"
    ".type	place_call_on, @function\n"
    "place_call_on:\n"
    "	pushq	%rbp\n"
    "	movq	%rsp, %rbp\n"
    "	movq	%rsi, %rsp\n"
    "	call	*%rdi\n"
    "	movq	%rbp, %rsp\n"
    "	popq	%rbp\n"
    "	ret\n"
    ".size	place_call_on, . - place_call_on\n");
#else
asm(".text\n"
    ".globl	place_call_on\n"
    ".hidden	place_call_on\n"
    ".type	place_call_on, @function\n"
    "place_call_on:\n"
    "	pushl	%ebp\n"
    "	movl	%esp, %ebp\n"
    "	movl	8(%ebp), %eax\n"
    "	movl	12(%ebp), %esp\n"
    "	call	*%eax\n"
    "	movl	%ebp, %esp\n"
    "	popl	%ebp\n"
    "	ret\n"
    ".size	place_call_on, . - place_call_on\n");
#endif

static void call_on(char *stack)
{
	place_call_on(read_on_own_stack, stack + OWN_STACK);
}

#else

static void call_on(char *stack)
{
	static ucontext_t caller, reader;

	if (getcontext(&reader))
		return;
	reader.uc_stack.ss_sp = stack;
	reader.uc_stack.ss_size = OWN_STACK;
	reader.uc_link = &caller;
	makecontext(&reader, read_on_own_stack, 0);
	swapcontext(&caller, &reader);
}

#endif

static void *own_stack;
static Dwarf_Addr wanted;
static struct place answer;
static int answered;
static int reading;

static void read_on_own_stack(void)
{
	dwarf_open();
	memset(&answer, 0, sizeof(answer));
	answered = dwarf && look_up(wanted - bias, &answer);
	if (!answered)
		memset(&answer, 0, sizeof(answer));
}

/*
 * Fails where the host has no 4 MiB of address space left, and when reading
 * itself faulted and the fault's place is asked for.
 */
static int read_place(uintptr_t addr)
{
	if (reading)
		return 0;
	answered = 0;
	memset(&answer, 0, sizeof(answer));
	if (!own_stack) {
		void *p = mmap(NULL, OWN_STACK, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			       0);

		if (p == MAP_FAILED)
			return 0;
		own_stack = p;
	}
	wanted = addr;
	reading = 1;
	call_on(own_stack);
	reading = 0;
	return answered;
}

/*
 * Open addressing; @key 0 is a free slot. The order in it depends on where
 * the program was loaded, the answers do not.
 */
struct cached {
	uintptr_t key;
	int found;
	struct place place;
};

static struct cached *cache;
static size_t cache_size, cache_used;

static struct cached *cache_slot(uintptr_t key)
{
	size_t i = (key * 2654435761U >> 7) & (cache_size - 1);

	while (cache[i].key && cache[i].key != key)
		i = (i + 1) & (cache_size - 1);
	return &cache[i];
}

/* 0 when the host has no memory for it: then go on without. */
static int cache_room(void)
{
	struct cached *old = cache;
	size_t old_size = cache_size, i;

	if (cache_used < cache_size / 2)
		return 1;
	cache_size = old_size ? 2 * old_size : CACHE_MIN;
	cache = calloc(cache_size, sizeof(*cache));
	if (!cache) {
		cache = old;
		cache_size = old_size;
		return old && cache_used < old_size - 1;
	}
	for (i = 0; i < old_size; i++)
		if (old[i].key)
			*cache_slot(old[i].key) = old[i];
	free(old);
	return 1;
}

int host_place(const void *pc, int is_return, struct place *out)
{
	uintptr_t addr = (uintptr_t)pc;
	struct cached *c;

	memset(out, 0, sizeof(*out));
	if (is_return)
		addr--; /* the call, not what comes after it */
	if (!pc || !addr)
		return 0;
	if (!cache_room()) {
		if (read_place(addr))
			*out = answer;
		return answered;
	}
	c = cache_slot(addr);
	if (!c->key) {
		c->key = addr;
		c->found = read_place(addr);
		c->place = answer;
		cache_used++;
	}
	*out = c->place;
	return c->found;
}

/* ------------------------------------------------------------------ */
/* Stacks							      */

/*
 * Read two words that need not be mapped. A pipe takes them only if they are
 * readable; the system calls go around a sanitizer's checks.
 */
static int safe_read(const int pipe_fd[2], uintptr_t from, uintptr_t word[2])
{
	long size = 2 * sizeof(uintptr_t);

	return syscall(SYS_write, pipe_fd[1], from, size) == size &&
	       syscall(SYS_read, pipe_fd[0], word, size) == size;
}

/*
 *	higher	| return address  |
 *		| caller's fp	  | <-- fp; 0 in the outermost frame
 *	lower	| locals	  |
 */
/* Is this the code that the whole simulation is about? */
static int in_subject(const struct place *p)
{
	return !strncmp(p->file, SUBJECT_DIR, strlen(SUBJECT_DIR));
}

/*
 * The first frame of the subject; @out keeps the nearest of the tree, which it
 * may hold already, when there is none.
 */
static int walk(const int pipe_fd[2], uintptr_t fp, int found,
		struct place *out)
{
	struct place here;
	uintptr_t word[2];
	unsigned int i;

	for (i = 0; i < DEEP; i++) {
		if (!fp || fp % sizeof(uintptr_t) ||
		    !safe_read(pipe_fd, fp, word))
			break;
		if (host_place((const void *)word[1], 1, &here)) {
			if (found && in_subject(&here))
				memcpy(here.inside, out->function,
				       sizeof(here.inside));
			if (!found || in_subject(&here))
				*out = here;
			found = 1;
			if (in_subject(out))
				break;
		}
		if (word[0] <= fp || word[0] - fp > STACK_SPAN)
			break;
		fp = word[0];
	}
	return found;
}

__attribute__((noinline)) int host_place_stack(const void *pc, const void *fp,
					       struct place *out)
{
	int pipe_fd[2], found;

	if (!fp)
		fp = __builtin_frame_address(0);
	found = host_place(pc, 0, out);
	if ((found && in_subject(out)) || pipe2(pipe_fd, O_CLOEXEC))
		return found;
	found = walk(pipe_fd, (uintptr_t)fp, found, out);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	return found;
}
