#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the headers that a kernel build generates: asm wrappers, autoconf.h,
# version and time constants. Knows the tree and a configuration, nothing of
# the shim's C code.
#
#	generated.sh TREE OUT CONFIG...
#
# The tree's own lists of mandatory asm headers and its timeconst.bc are used.
set -eu
tree=$1
out=$2
shift 2
gen=$out/include/generated

mkdir -p "$out/asm" "$out/lib" "$gen/uapi/linux"

wrapper()
{
	if [ ! -f "shim/asm/$1" ] && [ -f "$tree/$2" ]; then
		echo "#include <$3>" >"$out/asm/$1"
	fi
}

for list in include/asm-generic/Kbuild include/uapi/asm-generic/Kbuild; do
	for h in $(awk '/^mandatory-y/ { print $3 }' "$tree/$list"); do
		wrapper "$h" "${list%/Kbuild}/$h" "asm-generic/$h"
	done
done
# Headers that the tree's linux/*.h ask of every architecture although no
# list says so.
for h in user.h syscall.h seccomp.h early_ioremap.h fixmap.h kvm_types.h; do
	[ -f "shim/asm/$h" ] || : >"$out/asm/$h"
done

awk -F= '/^CONFIG/ && $2 != "n" {
	name = $1
	sub(/^[^=]*=/, "")
	if ($0 == "y")
		print "#define " name " 1"
	else if ($0 == "m")
		print "#define " name "_MODULE 1"
	else
		print "#define " name " " $0
}' "$@" >"$gen/autoconf.h.tmp"
# Before list hardening had its own option, a distribution kernel got the same
# checks from list debugging.
if ! grep -q CONFIG_LIST_HARDENED "$tree/include/linux/list.h"; then
	echo "#define CONFIG_DEBUG_LIST 1" >>"$gen/autoconf.h.tmp"
fi
cmp -s "$gen/autoconf.h.tmp" "$gen/autoconf.h" 2>/dev/null ||
	mv "$gen/autoconf.h.tmp" "$gen/autoconf.h"
rm -f "$gen/autoconf.h.tmp"

version=$(awk '$1 == "VERSION" || $1 == "PATCHLEVEL" || $1 == "SUBLEVEL" {
	v = v sep $3; sep = "." } END { print v }' "$tree/Makefile")
echo "$version" | awk -F. '{
	print "#define LINUX_VERSION_CODE " $1 * 65536 + $2 * 256 + $3
	print "#define LINUX_VERSION_MAJOR " $1
	print "#define LINUX_VERSION_PATCHLEVEL " $2
	print "#define LINUX_VERSION_SUBLEVEL " $3
	print "#define KERNEL_VERSION(a,b,c) (((a) << 16) + ((b) << 8) + (c))"
}' >"$gen/uapi/linux/version.h"
echo "#define UTS_RELEASE \"$version\"" >"$gen/utsrelease.h"
echo "#define SUBJECT_KERNEL \"$version\"" >"$gen/subject-kernel.h"
hz=$(awk '$1 == "#define" && $2 == "CONFIG_HZ" { print $3 }' "$gen/autoconf.h")
echo "$hz" | bc -q "$tree/kernel/time/timeconst.bc" >"$gen/timeconst.h"
