#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of scripts/subject.sh up to the compiler: what is refused, with one
# line and which status, and that nothing is left then. Prints KTAP; exits 1
# when a test fails.
set -u
LC_ALL=C
export LC_ALL

top=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/test-subject.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
count=0
failed=0
plan=20

# A copy of the project, without its build.
mkdir -p "$dir/project" "$dir/empty"
cp -r "$top/scripts" "$top/shim" "$top/mk" "$dir/project/"
run=$dir/project/scripts/subject.sh

verdict()
{
	count=$((count + 1))
	if [ "$1" = yes ]; then
		echo "ok $count $name"
		return
	fi
	echo "not ok $count $name"
	sed 's/^/# /' "$dir/err"
	failed=$((failed + 1))
}

# refused NAME STATUS PATTERN ARGUMENTS...: one line that matches, no program
refused()
{
	name=$1 status=$2 pattern=$3
	shift 3
	SRC_DIR=$dir/empty sh "$run" "$@" >"$dir/out" 2>"$dir/err"
	rc=$?
	yes=no
	if [ "$rc" -eq "$status" ] && grep -q -e "$pattern" "$dir/err" &&
		[ "$(wc -l <"$dir/err")" -eq 1 ] &&
		[ ! -e "$dir/project/build/subject/${1:-x}/raid5sim" ]; then
		yes=yes
	fi
	verdict "$yes"
}

echo "KTAP version 1"
echo "1..$plan"

refused "no name" 2 "accepted: letters" ""
refused "a name that leaves the folder" 2 "accepted: letters" ../x
refused "a name with a slash" 2 "accepted: letters" a/b
refused "a name that is an option" 2 "accepted: letters" -x
refused "a variant that does not exist" 2 "'clnag' is no variant" stock-clnag
refused "a name of one's own needs a source" 2 "give SERIES= or KSRC=" mine
refused "CONFIG" 2 "CONFIG=tiny: accepted: debian, minimal" stock CONFIG=tiny
refused "BITS" 2 "BITS=16: accepted: 64, 32" stock BITS=16
refused "PAGE" 2 "PAGE=8K: accepted: 4K, 16K, 64K" stock PAGE=8K
refused "SAN" 2 "SAN=yes: accepted: 0, 1" stock SAN=yes
refused "LOCKDEP" 2 "LOCKDEP=2: accepted: 0, 1" stock LOCKDEP=2
refused "OPT" 2 "OPT=fast: accepted: -O1" stock OPT=fast
refused "CC" 2 "no such compiler" stock CC=no-such-cc
refused "CC with a shell's characters" 2 "the name of a compiler" stock \
	"CC=gcc;ls"
refused "a variable that does not exist" 2 "COLOUR=1: accepted: KSRC" stock \
	COLOUR=1
refused "not there yet: 32 bits" 125 "BITS=32 is not available" stock-32
refused "not there yet: large pages" 125 "PAGE=64K is not" stock-64k
refused "no source package" 2 "linux-source-6.12" stock
refused "KSRC that is not there" 2 "KSRC=/no/such" stock KSRC=/no/such
refused "KSRC that is no kernel" 2 "not a kernel tree" stock \
	"KSRC=$dir/empty"

echo "# Totals: pass:$((count - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ] && [ "$count" -eq "$plan" ]
