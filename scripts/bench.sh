#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the plain subject and the one with lock debugging in one go, and say
# what the latter costs. Knows the line that a benchmark prints.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

rate()
{
	sed -n 's/^ *\([0-9]*\) a second (median.*/\1/p' "$out/$1"
}

for name in stock stock-lockdep; do
	echo "$name:"
	"build/subject/$name/bench" | tee "$out/$name"
	echo
done
awk -v plain="$(rate stock)" -v debug="$(rate stock-lockdep)" 'BEGIN {
	printf "lock debugging: one create + destroy costs %.2f times the plain " \
		"one\n", plain / debug
}'
