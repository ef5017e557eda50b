#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the output of subjects that were built differently from the same
# source, byte for byte. Prints KTAP. Knows commands of raid5sim and nothing
# of what they print, but for the subject's own name.
#
#	determinism.sh FIRST OTHER...
#
# Each OTHER must print what FIRST prints, for all sizes below and all cases.
# Exit: 0 all the same, 1 some differ, 2 bad usage.
set -eu
LC_ALL=C
export LC_ALL

[ $# -ge 2 ] || {
	echo "usage: determinism.sh FIRST OTHER..." >&2
	exit 2
}
cd "$(dirname "$0")/.."
first=$1
shift
out=build/check/determinism.$$
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$out"

cat >"$out/commands" <<'END'
size
size --json
size --cpus 1 --nodes 1 --mem 128M --json
size --cpus 32 --nodes 2 --mem 64G --level 6 --disks 12 --json
size --cpus 8192 --nodes 1024 --mem 1P --json
size --node 0:cpus=0-63,mem=128G --node 8:cpus=64-127,mem=128G --json
size --node 0:cpus=0-3,mem=8G --node 252:mem=16G --possible-nodes 0,252-255 --json
size --level 4 --disks 3 --chunk 4K --member-size 1T --json
size --level 6 --disks 200 --rotational --json
size --try stripe_cache_size=16 --try stripe_cache_size=1024 --json
size --try group_thread_cnt=4 --try group_thread_cnt=8193 --json
size --chunk 96K --json
layout --json
run cases
run --json cases
END

# The subject's name is the one thing that may differ. A crash or what is not
# modelled is not the same as the same.
output()
{
	rc=0
	# shellcheck disable=SC2086 # words are wanted
	"build/subject/$1/raid5sim" $2 >"$out/raw" 2>"$out/err" || rc=$?
	{
		cat "$out/raw" "$out/err"
		echo "status $rc"
	} | sed "s/$1/$first/g"
}

for name in "$first" "$@"; do
	[ -x "build/subject/$name/raid5sim" ] || {
		echo "determinism.sh: $name is not built" >&2
		exit 2
	}
done
count=$(wc -l <"$out/commands")
echo "KTAP version 1"
echo "1..$((count * $#))"
n=0
failed=0
while IFS= read -r command; do
	output "$first" "$command" >"$out/want"
	for other in "$@"; do
		n=$((n + 1))
		output "$other" "$command" >"$out/got"
		if cmp -s "$out/want" "$out/got" &&
			grep -q "^status [01]\$" "$out/got"; then
			echo "ok $n $other: $command"
			continue
		fi
		failed=$((failed + 1))
		diff "$out/want" "$out/got" | head -n 10 | sed 's/^/# /'
		echo "not ok $n $other: $command"
	done
done <"$out/commands"
echo "# Totals: pass:$((n - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ]
