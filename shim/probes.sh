#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Find out what a tree offers by compiling one small file for each question.
# Knows the compiler and its flags, nothing of versions.
#
#	CC=... probes.sh LIST OUT FLAGS...
#
# A line of LIST is "NAME: C statements"; when they compile inside a function
# of a file that includes raid5.c, OUT gets "#define HAVE_NAME 1".
set -eu
list=$1
out=$2
shift 2
dir=$(dirname "$out")/probe
mkdir -p "$dir"
: >"$out.tmp"
# One pass: the preamble is the slow part, so it is precompiled.
printf '#include "drivers/md/raid5.c"\n#include "drivers/md/raid5-log.h"\n' \
	>"$dir/pre.h"
$CC "$@" -MF "$dir/pre.d" -x c-header "$dir/pre.h" -o "$dir/pre.h.gch" \
	2>"$dir/pre.log" || {
	echo "probes.sh: raid5.c of this tree does not compile:" >&2
	grep -m 5 error "$dir/pre.log" >&2
	exit 125
}
while IFS= read -r line; do
	case $line in
	'' | '#'*) continue ;;
	esac
	name=${line%%:*}
	code=${line#*: }
	printf '%s\nvoid probe_%s(void);\nvoid probe_%s(void)\n{\n%s\n}\n' \
		'/* probe */' "$name" "$name" "$code" >"$dir/$name.c"
	if $CC "$@" -MF "$dir/$name.d" -include "$dir/pre.h" \
		-fsyntax-only "$dir/$name.c" \
		2>"$dir/$name.log"; then
		echo "#define HAVE_$name 1" >>"$out.tmp"
	else
		echo "/* no $name */" >>"$out.tmp"
	fi
done <"$list"
mv "$out.tmp" "$out"
