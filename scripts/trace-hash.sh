#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare what happened in every step of a run, not only what was printed: the
# hash of the trace of each (case, schedule) pair must be the same for
# subjects that were built differently from the same source, and in a second
# run. Prints KTAP. Knows one command of raid5sim.
#
#	trace-hash.sh SCHEDULES FIRST OTHER...
#
# SCHEDULES: how many a case, by turns at random and by priority.
# Exit: 0 all the same, 1 some differ, 2 bad usage.
set -eu
LC_ALL=C
export LC_ALL

[ $# -ge 3 ] || {
	echo "usage: trace-hash.sh SCHEDULES FIRST OTHER..." >&2
	exit 2
}
cd "$(dirname "$0")/.."
schedules=$1
first=$2
shift 2
cases='cases/io cases/disks'
out=build/check/trace-hash.$$
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$out"

schedule()
{
	if [ $(($1 % 2)) = 1 ]; then
		echo "random:$1:$((1 + $1 % 16))@atomics"
	else
		echo "pct:$1:3:20000@locks"
	fi
}

# A case that fails is no reason to differ; one that cannot be read is.
hashes()
{
	rc=0
	# shellcheck disable=SC2086 # words are wanted
	"build/subject/$1/raid5sim" run -j "$(nproc)" --trace-hash \
		--schedule "$2" $cases >"$3" 2>&1 || rc=$?
	echo "status $rc" >>"$3"
}

total=$((schedules * $#))
echo "KTAP version 1"
echo "1..$((total + schedules))"
n=0
failed=0
compare()
{
	n=$((n + 1))
	if cmp -s "$out/want" "$out/got" && grep -q '^status [01]$' "$out/got"
	then
		echo "ok $n $1"
		return
	fi
	failed=$((failed + 1))
	diff "$out/want" "$out/got" | head -n 6 | sed 's/^/# /'
	echo "not ok $n $1"
}

pairs=0
i=0
while [ "$i" -lt "$schedules" ]; do
	i=$((i + 1))
	line=$(schedule "$i")
	hashes "$first" "$line" "$out/want"
	pairs=$((pairs + $(grep -c -v '^status' "$out/want")))
	hashes "$first" "$line" "$out/got"
	compare "$line, $first again"
	for other in "$@"; do
		hashes "$other" "$line" "$out/got"
		compare "$line, $other"
	done
done
echo "# $pairs pairs of case and schedule"
echo "# Totals: pass:$((n - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ]
