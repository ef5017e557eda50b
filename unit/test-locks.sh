#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What `raid5sim locks` must say of the driver's eight hash locks, whatever it
# was built from: all locks are the eight and the device lock; to lockdep the
# second to the eighth are one. And what it must refuse.
set -u
subject=${1:-stock-lockdep}
bin=build/subject/$subject/raid5sim
tests=0
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

check()
{
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests $2"
	else
		failed=$((failed + 1))
		echo "not ok $tests $2"
	fi
}

# row OPERATION: spinlocks, slots, preempt_count
row()
{
	tr -d '\n' <"$out" | sed 's/ *//g' |
		sed -n 's/.*"operation":"'"$1"'",\([^}]*\).*/\1/p' |
		tr ',' '\n' | sed -n 's/^"\(spinlocks\|slots\|preempt_count\)"://p' |
		tr '\n' ' '
}

refused()
{
	"$bin" locks --hash-locks "$1" >/dev/null 2>"$out"
	[ $? = 2 ] && [ "$(wc -l <"$out")" = 1 ] && grep -q hash-locks "$out"
	check $? "--hash-locks $1 is refused in one line"
}

echo "KTAP version 1"
"$bin" locks --json --cpus 4 --mem 8G >"$out"
check $? "nothing is found on the way"
[ "$(row lockall)" = "9 3 9 " ]
check $? "lock all: 9 spin locks in 3 slots, preempt_count 9"
# Inside, somebody is woken: one more.
[ "$(row quiesce)" = "10 4 10 " ]
check $? "quiesce: 10 spin locks in 4 slots, preempt_count 10"
grep -q '"preempt_count": *255,' "$out"
check $? "preempt_count holds 255"
# MAX_LOCK_DEPTH is 48: the 48th is reported.
grep -q '"slots": *47,' "$out"
check $? "47 locks of their own classes"
# struct held_lock: 11 bits, in some kernels 12.
grep -Eq '"references": *(2047|4095)' "$out"
check $? "2047 or 4095 locks in one slot"
"$bin" locks --hash-locks 1..256 --cpus 4 --mem 8G 2>/dev/null |
	grep -q "^The number of hash locks is fixed"
check $? "stock says that it has no such parameter"
refused 0
refused 8..4
refused 1..
refused 5000
refused many
echo "1..$tests"
echo "# Totals: pass:$((tests - failed)) fail:$failed skip:0"
[ $failed = 0 ]
