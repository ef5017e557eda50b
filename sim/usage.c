/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Help texts, for the front end and for the program of each subject. Text
 * only: options are parsed elsewhere.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const char overview[] =
	"Usage: raid5sim [--subject NAME] COMMAND ...\n"
	"\n"
	"Runs Linux's raid5.c, as it is, on simulated machines.\n"
	"\n"
	"Commands:\n"
	"  size      create an array and show the sizes that raid5.c chooses\n"
	"  run       run case files\n"
	"  explore   run cases under many schedules\n"
	"  shrink    make a case and a schedule that show a finding smaller\n"
	"  layout    compare sizeof of raid5.c's structs with the kernel's\n"
	"  facts     compare this subject with observations on real kernels\n"
	"  parity    check the tree's parity code against plain arithmetic\n"
	"  locks     how deep locks go, and how far they are from the limits\n"
	"  selftest  test the simulated machine itself: scheduler, interrupts, "
	"...\n"
	"  info      show what was built, with a checksum of each source file\n"
	"  subjects  list the subjects that are built\n"
	"\n"
	"  --subject NAME   which build of raid5.c; default: stock\n"
	"  --help           this text; raid5sim COMMAND --help: a command's\n"
	"\n"
	"Exit status: 0 as expected, 1 a finding or an unmet expectation,\n"
	"2 usage or bad input, 125 the subject needs what is not modelled.\n";

static const char size_text[] =
	"Usage: raid5sim [--subject NAME] size [OPTION]...\n"
	"\n"
	"Creates an array on a simulated machine in the real raid5.c, and "
	"prints\n"
	"the values that it chose beside those that the oracle expects.\n"
	"\n"
	"Machine, the ordinary case (default: --cpus 4 --nodes 1 --mem 8G):\n"
	"  --cpus N               CPUs, dealt out over the nodes\n"
	"  --nodes N              NUMA nodes 0 .. N-1\n"
	"  --mem SIZE             RAM in all\n"
	"Machine, in detail (instead of those):\n"
	"  --node IDS[:cpus=LIST][,mem=SIZE]\n"
	"                         a node, its CPUs and its RAM; repeatable\n"
	"  --cpu-node LIST=ID     node of CPUs that no --node lists; or none\n"
	"  --possible-nodes LIST  node ids that may come online\n"
	"  --online-nodes LIST    default: the nodes given\n"
	"  --possible-cpus LIST   CPUs that may come online\n"
	"  --present-cpus LIST    CPUs that are plugged in\n"
	"  --online-cpus LIST     CPUs that run; default: the present ones\n"
	"  --totalram-pages N     what totalram_pages() says, when it is not "
	"the\n"
	"                         sum of the nodes\n"
	"Machine, from elsewhere:\n"
	"  --machine FILE         an INI file whose [machine] section has the\n"
	"                         keys above, without the dashes\n"
	"  --host                 the machine that this runs on\n"
	"\n"
	"Array:\n"
	"  --level 4|5|6          default 5\n"
	"  --disks N              members; default 4\n"
	"  --chunk SIZE           default 512K\n"
	"  --layout NAME          mdadm's name or the driver's number; "
	"default\n"
	"                         left-symmetric\n"
	"  --member-size SIZE     default 1G\n"
	"  --rotational           members are rotational disks\n"
	"\n"
	"  --param NAME=VALUE     a module parameter; repeatable\n"
	"  --try ATTR=VALUE       write a sysfs attribute of the array, show "
	"the\n"
	"                         result and what it reads then; repeatable\n"
	"  --json                 one JSON object (docs/json.md)\n"
	"  --log[=LEVEL]          kernel messages to stderr; default level 6\n"
	"\n"
	"LIST is the kernel's: 0-3,8 or 0-1023:2/256. SIZE: 512K, 8G, 1P.\n"
	"Exit status: 0 all agrees, 1 a finding, 2 bad input, 125 not "
	"modelled.\n";

static const char run_text[] =
	"Usage: raid5sim [--subject NAME] run [OPTION]... FILE|FOLDER...\n"
	"\n"
	"Runs case files (docs/cases.md), each in a process of its own, sorted "
	"by\n"
	"path; of a folder, all *.case below it. Prints KTAP.\n"
	"\n"
	"  -j N, --jobs N         processes at a time; default 1. The output "
	"is\n"
	"                         the same for any number\n"
	"  --time-limit SECONDS   of the wall clock, for each case; default "
	"60.\n"
	"                         A case that takes longer is a finding "
	"`hang`\n"
	"  --keep-going           go on after a failed case; it is the "
	"default\n"
	"  --list                 print the cases' names and run none\n"
	"  --schedule LINE        instead of what the cases say "
	"(docs/cases.md):\n"
	"                         in-order, random:SEED[:RATE], "
	"pct:SEED:DEPTH,\n"
	"                         list:CHOICE=PICK,..., bytes:HEX; with @locks "
	"or\n"
	"                         @atomics choices are offered there too\n"
	"  --strict-locks         as [locks] strict = yes in each case: also "
	"find what\n"
	"                         turns interrupts on that its caller keeps "
	"off, and\n"
	"                         a lock that an interrupt takes and others "
	"with\n"
	"                         interrupts on\n"
	"  --trace-hash           a line a case instead of KTAP: name, "
	"schedule, "
	"hash\n"
	"                         of all that happened, result\n"
	"  --json                 a list of objects (docs/json.md) instead of "
	"KTAP\n"
	"  --log[=LEVEL]          kernel messages to stderr; default level 6\n"
	"\n"
	"All files are read first; if any is bad, each bad one is named with "
	"its\n"
	"line, and no case is run.\n"
	"Exit status: 0 all as expected, 1 a case failed, 2 bad input, 125 "
	"cases\n"
	"failed only because something is not modelled.\n";

static const char explore_text[] =
	"Usage: raid5sim [--subject NAME] explore [OPTION]... FILE|FOLDER...\n"
	"\n"
	"Runs each case under many schedules, and says which findings there "
	"were,\n"
	"how often, and how to replay the first run that shows each. Prints "
	"KTAP.\n"
	"The first run is in order.\n"
	"\n"
	"  --runs N               schedules at most; default 100\n"
	"  --strategy pct         the highest priority runs, with few changes; "
	"the\n"
	"                         default\n"
	"  --strategy random      at one of RATE choices another goes on\n"
	"  --strategy exhaustive  all schedules with at most --changes changes "
	"from\n"
	"                         in order; says whether these were all\n"
	"  --depth N              pct: tasks that have to meet; default 3\n"
	"  --rate N               random; default: differs from run to run\n"
	"  --changes N            exhaustive; default 1\n"
	"  --seed N               of the second run; default 1. Each run has "
	"one "
	"more\n"
	"  --strict-locks         as for run\n"
	"  --points WORD          where choices are offered: none, locks, "
	"atomics;\n"
	"                         default: as the case says, else locks\n"
	"  -j N, --jobs N         processes at a time; default 1. The output "
	"is\n"
	"                         the same for any number\n"
	"  --time-limit SECONDS   of the wall clock, for each run; default 60\n"
	"  --shrink FOLDER        write a small case there for each unexpected "
	"finding\n"
	"                         (raid5sim shrink --help)\n"
	"  --json                 a list of objects (docs/json.md) instead of "
	"KTAP\n"
	"\n"
	"Exit status: 0 nothing unexpected, 1 a finding, 2 bad input, 125 "
	"only\n"
	"what is not modelled.\n";

static const char shrink_text[] =
	"Usage: raid5sim [--subject NAME] shrink [OPTION]... FILE\n"
	"\n"
	"Writes a case with fewer steps, requests, tasks, CPUs and disks, and "
	"with a\n"
	"schedule of few changes from in order, that shows the same finding: "
	"same\n"
	"kind, same function. The case expects it; what is written was run.\n"
	"\n"
	"  --schedule LINE        that shows the finding; default: the case's "
	"own\n"
	"  --finding KIND         which one; default: the first, those that "
	"the case\n"
	"                         does not expect before the others\n"
	"  -o FILE, --output FILE default: NAME-small.case beside NAME.case\n"
	"  --runs N               at most; default 5000\n"
	"  -j N, --jobs N         processes at a time; default 1. The result "
	"is\n"
	"                         the same for any number\n"
	"  --time-limit SECONDS   of the wall clock, for each run; default 60\n"
	"\n"
	"Exit status: 0 written, 1 what was written does not show it, 2 bad "
	"input\n"
	"or no such finding.\n";

static const char layout_text[] =
	"Usage: raid5sim [--subject NAME] layout [--json]\n"
	"\n"
	"Prints sizeof of the structs that raid5.c's sizing rests on, beside "
	"the\n"
	"values of the distribution's kernel where they are known.\n"
	"Exit status: 0 all agree, 1 some differ, 2 bad input.\n";

static const char facts_text[] =
	"Usage: raid5sim [--subject NAME] facts [OPTION]... FILE.tsv...\n"
	"\n"
	"Compares tables of observations on real kernels (cases/facts.tsv) "
	"with\n"
	"this subject, row by row. Prints KTAP; rows that this subject cannot\n"
	"answer are skipped.\n"
	"\n"
	"  --line N     only the row on line N of the (one) table\n"
	"  --allocate   really grow the cache to any size that was written, "
	"however\n"
	"               large\n"
	"Exit status: 0 all agree, 1 some differ, 2 bad input.\n";

static const char parity_text[] =
	"Usage: raid5sim [--subject NAME] parity\n"
	"\n"
	"Compares xor, P, Q and the recovery of any two data blocks, as the "
	"tree's\n"
	"own code computes them, with plain arithmetic in GF(2^8). Prints "
	"KTAP.\n";

static const char selftest_text[] =
	"Usage: raid5sim [--subject NAME] selftest [--lockdep |\n"
	"                                            --lock-sequences N [SEED]]\n"
	"\n"
	"Tests the simulated machine from inside, without an array: races, "
	"deadlocks\n"
	"and lost wake-ups that some schedule must find, interrupts, RCU, "
	"work\n"
	"queues, hotplug. Prints KTAP.\n"
	"\n"
	"  --lockdep  instead, run the kernel's own lib/locking-selftest.c, "
	"a test a\n"
	"             row of its table: how many scenarios lockdep judges as "
	"the table\n"
	"             says, and in how many the always-on checker finds "
	"something. Needs\n"
	"             a subject with lock debugging, e.g. stock-lockdep\n"
	"  --lock-sequences N [SEED]\n"
	"             instead, N random sequences of lock operations, each "
	"until a\n"
	"             fault: lockdep and the checker must agree. Likewise\n";

static const char locks_text[] =
	"Usage: raid5sim [--subject NAME] locks [OPTION]...\n"
	"\n"
	"Takes an array through the operations that hold many locks, and says "
	"how\n"
	"deep each went: spin locks held, lockdep's held-lock slots, "
	"preempt_count,\n"
	"the longest time with interrupts off (virtual ns; each lock and "
	"atomic\n"
	"operation takes 20) and the stripes touched in such a section. Then "
	"where\n"
	"the kernel's limits lie.\n"
	"\n"
	"  --hash-locks N|N..M    values of nr_stripe_hash_locks, where the "
	"subject has\n"
	"                         that parameter; default: what the driver "
	"chooses\n"
	"  --json                 one JSON object (docs/json.md)\n"
	"  --log[=LEVEL]          kernel messages to stderr; default level 6\n"
	"  machine, array, --param: as for size; the default is an array of "
	"four disks\n"
	"                         and 4M each, in chunks of 16K\n"
	"\n"
	"Slots and what fits into one need a subject with lock debugging, "
	"e.g.\n"
	"stock-lockdep. Exit status: as of size.\n";

static const char info_text[] =
	"Usage: raid5sim [--subject NAME] info [--json|--brief]\n"
	"\n"
	"Prints what was built: kernel, configuration, series, module "
	"parameters,\n"
	"and the SHA-256 of each source file as compiled.\n"
	"\n"
	"  --brief                the first line only\n"
	"  --json                 one JSON object (docs/json.md)\n";

static const char subjects_text[] =
	"Usage: raid5sim subjects\n"
	"\n"
	"Lists the subjects that are built: name, kernel, configuration, and\n"
	"whether the sources are the kernel's own or have a series applied.\n";

static const struct {
	const char *command;
	const char *text;
} texts[] = {
	{"size", size_text},	   {"run", run_text},
	{"explore", explore_text}, {"shrink", shrink_text},
	{"layout", layout_text},   {"facts", facts_text},
	{"parity", parity_text},   {"selftest", selftest_text},
	{"locks", locks_text},	   {"info", info_text},
	{"subjects", subjects_text},
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))

bool usage_print(const char *command)
{
	if (!command) {
		fputs(overview, stdout);
		return true;
	}
	for (unsigned int i = 0; i < TEXTS; i++) {
		if (strcmp(texts[i].command, command))
			continue;
		fputs(texts[i].text, stdout);
		return true;
	}
	return false;
}

const char *usage_commands(void)
{
	return "size, run, explore, shrink, layout, facts, parity, selftest, "
	       "info, "
	       "subjects";
}
