#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# All tests: says what there is to run, parts.sh runs it. Knows the subjects
# and which tests are for which of them.
#
#	check.sh [--plan]	--plan: print it and run nothing
#
# In the environment: KSRC (a tree to take instead of the packages), FACTS (a
# table of observations), POSTED (a series that some of its rows are about);
# each may be empty. Exit: 0 nothing failed, 1 otherwise.
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/.."
tab=$(printf '\t')
make=${MAKE:-make}
jobs=$(nproc)

part()
{
	printf '%s%s%s\n' "$1" "$tab" "$2"
}

# Names of the unit tests are those of their files.
units()
{
	part "!units $1" "$make -f mk/unit.mk -k -j$jobs $2 CC=gcc units"
	for file in unit/test-*.c; do
		test=${file#unit/test-}
		test=${test%.c}
		part "unit $test$3" \
			"CMOCKA_MESSAGE_OUTPUT=TAP build/unit/$4/$test"
	done
}

have_tree()
{
	[ -f "${SRC_DIR:-/usr/src}/linux-source-$1.tar.xz" ] ||
		[ -f "build/tree/$1/.stamp" ]
}

# A plain life with failing members: no schedule may find anything.
explored="cases/io/raid5-mixed-failure.case cases/io/raid6-mixed-failure.case"

# A tree that is given takes the place of the newer package.
new_tree=6.12
if [ -n "${KSRC-}" ]; then
	new_tree=$KSRC
elif ! have_tree 6.12; then
	new_tree=6.1
fi

subject()
{
	name=$1
	shift
	part "!subject $name" "sh scripts/subject.sh $name $*"
}

cases()
{
	part "cases on $1" "build/subject/$1/raid5sim run -j $jobs cases"
}

# Nothing to find, and what there is is found: the kernel's own test of lockdep
# and the shim's.
lockdep()
{
	subject "$@"
	part "cases on $1, strict" \
		"build/subject/$1/raid5sim run -j $jobs --strict-locks cases"
	part "locking-selftest of the kernel on $1" \
		"build/subject/$1/raid5sim selftest --lockdep"
	part "lock sequences on $1" \
		"build/subject/$1/raid5sim selftest --lock-sequences 1000"
	part "self-test of $1" "build/subject/$1/raid5sim selftest"
}

# A series that breaks the driver, and cases that say what must be found.
faults()
{
	subject "$1" "KSRC=$new_tree SERIES=$2"
	part "planted faults on $1" "build/subject/$1/raid5sim run $2"
}

layout()
{
	part "layout of $1" "sh scripts/layout-ktap.sh $1"
}

facts()
{
	part "facts on $1" "build/subject/$1/raid5sim facts cases/facts.tsv"
	more_facts "$1"
}

more_facts()
{
	[ -z "${FACTS-}" ] ||
		part "more facts on $1" "build/subject/$1/raid5sim facts $FACTS"
}

plan()
{
	part "self-test of this sum" "sh unit/test-parts.sh"
	part "subject.sh" "sh unit/test-subject.sh"
	part "series.sh" "sh unit/test-series.sh"
	part "missing symbols" "sh unit/test-missing.sh"
	units "" "SAN=0 OPT=-O2" "" gcc-O2-64
	units "with sanitizers" "SAN=1 OPT=-O2" ", sanitizers" gcc-O2-64-san

	subject stock "KSRC=$new_tree"
	layout stock
	cases stock
	facts stock
	part "parity code of stock" "build/subject/stock/raid5sim parity"
	part "self-test of stock" "build/subject/stock/raid5sim selftest"

	part "schedules on stock" "build/subject/stock/raid5sim explore \
		-j $jobs --strategy random --runs 150 $explored"
	part "schedules on stock, by priority" "build/subject/stock/raid5sim \
		explore -j $jobs --strategy pct --runs 150 $explored"

	# The modelled md core has no superblocks.
	subject stock-lite "KSRC=$new_tree"
	part "cases on stock-lite" "build/subject/stock-lite/raid5sim run \
		-j $jobs cases/array cases/numa cases/sizing"
	part "self-test of stock-lite" \
		"build/subject/stock-lite/raid5sim selftest"

	lockdep stock-lockdep "KSRC=$new_tree"
	part "depth of locks" "sh unit/test-locks.sh stock-lockdep"
	part "schedules on stock-lockdep" "build/subject/stock-lockdep/raid5sim \
		explore -j $jobs --strategy random --runs 40 $explored"

	subject stock-minimal "KSRC=$new_tree"
	layout stock-minimal
	cases stock-minimal
	facts stock-minimal

	if have_tree 6.1; then
		subject stock-6.1
		layout stock-6.1
		part "parity code of stock-6.1" \
			"build/subject/stock-6.1/raid5sim parity"
		part "self-test of stock-6.1" \
			"build/subject/stock-6.1/raid5sim selftest"
		cases stock-6.1
		lockdep stock-6.1-lockdep
	else
		part "cases on stock-6.1" "SKIP no linux-source-6.1 here"
	fi

	subject sized "KSRC=$new_tree"
	layout sized
	cases sized
	if have_tree 6.1; then
		subject sized-6.1
		cases sized-6.1
	fi

	if [ "$new_tree" = 6.12 ] && [ -n "${POSTED-}" ]; then
		for name in posted posted-minimal; do
			subject "$name" "KSRC=$new_tree SERIES=$POSTED"
			layout "$name"
			cases "$name"
			more_facts "$name"
		done
	fi

	for name in faults faults-san faults-lockdep; do
		faults "$name" unit/faults
	done
	if command -v clang >/dev/null 2>&1; then
		faults faults-lockdep-clang-O1 unit/faults
	fi
	faults faults-hash unit/faults-hash
	faults faults-hash-lockdep unit/faults-hash

	subject stock-san "KSRC=$new_tree"
	cases stock-san
	part "self-test of stock-san" \
		"build/subject/stock-san/raid5sim selftest"
	others="stock-san stock-O1"
	subject stock-O1 "KSRC=$new_tree"
	if command -v clang >/dev/null 2>&1; then
		others="$others stock-clang stock-clang-O1"
		subject stock-clang "KSRC=$new_tree"
		subject stock-clang-O1 "KSRC=$new_tree"
	else
		part "determinism, clang" "SKIP no clang here"
	fi
	part "determinism" "sh scripts/determinism.sh stock $others"
	part "determinism of traces" "sh scripts/trace-hash.sh 4 stock $others"
}

case ${1-} in
--plan) plan ;;
'') plan | sh scripts/parts.sh build/check ;;
*)
	echo "usage: check.sh [--plan]" >&2
	exit 2
	;;
esac
