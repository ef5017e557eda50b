#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A step of `git bisect run` in a kernel checkout: build the tree in the
# current folder as a subject, run cases on it.
#
#	git bisect run /path/to/raid5sim/scripts/bisect.sh FILE|FOLDER...
#
# The cases say what must come: their [expect] of the subject "bisect". The
# tree is not written to. Exit, as git understands it: 0 good, 1 bad, 125
# this commit cannot be tested, 255 stop: wrong usage.
set -eu

[ $# -gt 0 ] || {
	echo "usage: git bisect run bisect.sh FILE|FOLDER..." >&2
	exit 255
}
top=$(cd "$(dirname "$0")/.." && pwd)
unset MAKEFLAGS
if [ ! -f drivers/md/raid5.c ]; then
	echo "bisect.sh: not in a kernel tree" >&2
	exit 255
fi
status=0
make -s -C "$top" build/raid5sim >&2 || exit 255
sh "$top/scripts/subject.sh" bisect "KSRC=$(pwd -P)" >&2 || status=$?
case $status in
0) ;;
125) exit 125 ;;
*) exit 255 ;;
esac
"$top/build/raid5sim" --subject bisect run "$@" || status=$?
case $status in
0 | 1 | 125) exit "$status" ;;
*) exit 255 ;;
esac
