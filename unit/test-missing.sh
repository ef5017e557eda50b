#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of shim/missing.sh: what a tree calls and nobody defines is named
# before the linker speaks; what is known as not modelled gets a stub. Prints
# KTAP. Knows the script's interface only.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

check()
{
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "# wanted: $3"
		echo "# got:    $2"
		echo "not ok $n - $1"
		failed=$((failed + 1))
	fi
}

object()
{
	echo "$1" | ${CC:-gcc} -x c -w -c - -o "$dir/in.o"
}

run()
{
	rc=0
	sh shim/missing.sh test "$dir/in.o" "$dir/known" "$dir/host" \
		>"$dir/out.c" 2>"$dir/err" || rc=$?
}

echo "KTAP version 1"
echo "1..8"
printf '# comment\nblk_known\n' >"$dir/known"
printf 'host_[a-z]*\nmemcpy\n' >"$dir/host"

object 'void blk_new(void); void blk_drift(void); void host_log(void);
	void f(void) { blk_new(); blk_drift(); host_log(); }'
run
check "drift ends the build with 125" "$rc" 125
check "each missing symbol is named, in order" \
	"$(grep '^  ' "$dir/err" | tr -d ' ' | tr '\n' ' ')" "blk_drift blk_new "
check "the count and the subject are named" "$(head -n 1 "$dir/err")" \
	"test: 2 kernel symbols are missing:"

object 'void blk_known(void); void host_log(void);
	void f(void) { blk_known(); host_log(); }'
run
check "what is known as not modelled is no drift" "$rc" 0
check "nothing is said of it" "$(cat "$dir/err")" ""
check "it gets a stub" "$(grep -c '^long blk_known(void)$' "$dir/out.c")" 1
check "the stub names it" \
	"$(grep -c '"not modelled: blk_known()"' "$dir/out.c")" 1

object 'void hostile(void); void f(void) { hostile(); }'
run
check "a host name matches as a whole" "$rc" 125

echo "# Totals: pass:$((n - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ]
