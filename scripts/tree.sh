#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Provide a kernel source tree. Knows which parts of a tree the build reads,
# nothing of how they are compiled.
#
#	tree.sh VERSION DEST	unpack /usr/src/linux-source-VERSION.tar.xz
#	tree.sh TARBALL DEST	unpack that tarball
#	tree.sh DIR DEST	use DIR in place: DEST becomes a link to it
#
# Prints the tree's directory. Unpacks once: again only when the tarball or
# the list of parts has changed. A tree in use is replaced by a rename, never
# changed in place. SRC_DIR overrides /usr/src.
# Exit: 0 done, 2 no such source or not a kernel tree.
set -eu

if [ $# -ne 2 ] || [ -z "$1" ] || [ -z "$2" ]; then
	echo "usage: tree.sh VERSION|TARBALL|DIR DEST" >&2
	exit 2
fi
what=$1
dest=$2
src_dir=${SRC_DIR:-/usr/src}

# Relative to the top of the tree. Documentation only so that a series that
# touches it applies.
parts='Makefile MAINTAINERS include drivers/md lib crypto block kernel mm
fs/sysfs fs/kernfs fs/seq_file.c fs/internal.h
scripts/checkpatch.pl scripts/const_structs.checkpatch scripts/spelling.txt
Documentation/admin-guide/md.rst Documentation/driver-api/md
Documentation/admin-guide/kernel-parameters.txt'
# Large, and no header that raid5.c reaches includes them.
leave='include/dt-bindings include/sound include/drm include/media
include/soc lib/zstd lib/fonts lib/kunit lib/tests kernel/bpf kernel/trace
kernel/debug mm/kasan mm/kfence mm/damon drivers/md/bcache
drivers/md/dm-vdo drivers/md/persistent-data crypto/asymmetric_keys
block/partitions'

die()
{
	echo "tree.sh: $*" >&2
	exit 2
}

check_tree()
{
	if [ ! -f "$1/drivers/md/raid5.c" ] ||
		[ ! -f "$1/include/linux/types.h" ]; then
		die "$2: not a kernel tree (no drivers/md/raid5.c)"
	fi
}

if [ -d "$what" ]; then
	real=$(cd "$what" && pwd -P)
	check_tree "$real" "$what"
	mkdir -p "$(dirname "$dest")"
	if [ -e "$dest" ] && [ ! -L "$dest" ]; then
		die "$dest: in the way of a link to $real"
	fi
	now=$(readlink "$dest" || true)
	[ "$now" = "$real" ] || ln -sfn "$real" "$dest"
	echo "$real"
	exit 0
fi

if [ -f "$what" ]; then
	ball=$what
else
	case $what in
	*[!0-9.]* | '') die "$what: no such directory or tarball" ;;
	esac
	ball=$src_dir/linux-source-$what.tar.xz
	[ -f "$ball" ] || die "$ball: not there; install the package" \
		"linux-source-$what (make deps), or set KSRC=/path/to/linux"
fi

stamp=$dest/.stamp
key=$(printf '%s\n' "$ball" "$parts" "$leave" | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$key" ] &&
	[ -z "$(find "$ball" -newer "$stamp")" ]; then
	(cd "$dest" && pwd -P)
	exit 0
fi

mkdir -p "$(dirname "$dest")"
tmp=$dest.new.$$
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
rm -rf "$tmp"
mkdir "$tmp"
# The "*" of a part must not match a slash: parts of the top directory only,
# whatever it is called.
set -f
set --
for one in $leave; do
	set -- "$@" "--exclude=*/$one"
done
for one in $parts; do
	set -- "$@" "*/$one"
done
set +f
echo "tree.sh: unpacking $ball" >&2
# Parts that this kernel does not have make tar fail at the end: what counts
# is check_tree() below, and that the archive itself was whole.
if ! tar -xf "$ball" -C "$tmp" --strip-components=1 --no-same-owner \
	--anchored --wildcards --no-wildcards-match-slash "$@" \
	2>"$tmp/.err"; then
	grep -v -e 'Not found in archive' \
		-e 'Exiting with failure status' "$tmp/.err" >&2 &&
		die "$ball: cannot be unpacked"
fi
rm -f "$tmp/.err"
check_tree "$tmp" "$ball"
# Says that a file's absence here does not mean its absence in the kernel.
printf '%s\n' "$parts" >"$tmp/.partial"
printf '%s\n' "$key" >"$tmp/.stamp"
rm -rf "$dest.old.$$"
if [ -e "$dest" ] || [ -L "$dest" ]; then
	mv "$dest" "$dest.old.$$"
fi
mv "$tmp" "$dest"
rm -rf "$dest.old.$$"
(cd "$dest" && pwd -P)
