#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# `raid5sim layout` of a subject as KTAP: one test a struct whose size in a
# distribution's kernel is known; for a kernel of which nothing is known, one
# that is skipped.
#
#	layout-ktap.sh SUBJECT
set -eu

cd "$(dirname "$0")/.."
text=$("build/subject/$1/raid5sim" layout) || [ $? -eq 1 ]
printf '%s\n' "$text" | awk '
$2 ~ /^[0-9]+$/ && NF == 4 {
	line[++n] = ($4 == "ok" ? "ok " : "not ok ") n " " $1 \
		": " $2 " bytes, the kernel has " $3
}
END {
	print "KTAP version 1"
	if (!n)
		line[++n] = "ok 1 layout # SKIP no sizes known of this kernel"
	print "1.." n
	for (i = 1; i <= n; i++)
		print line[i]
}'
