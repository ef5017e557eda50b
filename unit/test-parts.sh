#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of scripts/parts.sh, the sum of all tests: that nothing which failed,
# crashed or said nothing can pass. Prints KTAP; exits 1 when a test fails.
set -u
LC_ALL=C
export LC_ALL

top=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/test-parts.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
count=0
failed=0
plan=14

# sum NAME STATUS LAST-LINE PLAN...: what parts.sh says of a plan
sum()
{
	count=$((count + 1))
	name=$1 status=$2 last=$3
	shift 3
	printf '%b\n' "$@" | sh "$top/scripts/parts.sh" "$dir/logs" \
		>"$dir/out" 2>"$dir/err"
	rc=$?
	if [ "$rc" -eq "$status" ] &&
		[ "$(tail -n 1 "$dir/out")" = "$last" ] &&
		[ "$(grep -c ' passed, ' "$dir/out")" -eq 1 ]; then
		echo "ok $count $name"
		return
	fi
	echo "not ok $count $name"
	echo "# status $rc, expected $status and: $last"
	sed 's/^/# /' "$dir/out" "$dir/err"
	failed=$((failed + 1))
}

echo "KTAP version 1"
echo "1..$plan"

two='echo 1..2; echo ok 1 a; echo ok 2 b'
sum "all passed" 0 "4 passed, 0 failed" "x\t$two" "y\t$two"
sum "a skipped test counts as skipped" 0 "1 passed, 0 failed, 1 skipped" \
	"x\techo 1..2; echo ok 1 a; echo 'ok 2 b # SKIP no'"
sum "a skipped part" 0 "2 passed, 0 failed, 1 skipped" "x\t$two" \
	"y\tSKIP nothing there"
sum "nothing but skipped is no success" 1 "0 passed, 0 failed, 1 skipped" \
	"y\tSKIP nothing there"
sum "a failed test fails" 1 "3 passed, 1 failed" "x\t$two" \
	"y\techo 1..2; echo ok 1 a; echo not ok 2 b; exit 1"
sum "also when the status is 0" 1 "1 passed, 1 failed" \
	"y\techo 1..2; echo ok 1 a; echo not ok 2 b"
sum "a crash before the end" 1 "1 passed, 2 failed" \
	"x\techo 1..3; echo ok 1 a; kill -SEGV \$\$"
sum "a crash after the last result" 1 "2 passed, 1 failed" \
	"x\t$two; kill -SEGV \$\$"
sum "a status without a failed test" 1 "2 passed, 1 failed" \
	"x\t$two; exit 3"
sum "a part that prints nothing" 1 "2 passed, 1 failed" "x\t$two" "y\t:"
sum "a part that plans none" 1 "0 passed, 1 failed" "y\techo 1..0"
sum "a program that is not there" 1 "0 passed, 1 failed" \
	"y\t$dir/no-such-program"
sum "a preparation that fails" 1 "2 passed, 1 failed" "!p\texit 125" \
	"x\t$two"
sum "a sanitizer's complaint" 1 "2 passed, 1 failed" \
	"x\t$two; echo 'a.c:1:2: runtime error: division by zero' >&2"

echo "# Totals: pass:$((count - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ] && [ "$count" -eq "$plan" ]
