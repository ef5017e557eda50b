#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build one subject. Knows names, settings and where sources come from;
# shim/subject.mk knows how they are compiled.
#
#	subject.sh NAME [VARIABLE=VALUE]...
#
#	NAME ---> defaults --+
#	VARIABLE=VALUE ------+--> build/subject/NAME/settings.mk
#	KSRC ---> tree.sh ---+    build/subject/NAME/src (series.sh)
#	SERIES -> series.sh -+--> make -f shim/subject.mk
#
# Words of NAME after a "-" are settings: stock-6.1-minimal, sized-clang-O1.
# A VARIABLE that is given counts more. "stock" has no series, "sized" has
# this project's; any other name needs SERIES or KSRC.
# Exit: 0 built, 2 bad value, 125 this cannot be built.
set -eu
LC_ALL=C
export LC_ALL

words='6.12, 6.1, debian, minimal, 32, 16k, 64k, san, lockdep, gcc, clang, O1,
O2, lite'

die()
{
	echo "subject.sh: $*" >&2
	exit 2
}

cannot()
{
	echo "subject.sh: $*" >&2
	exit 125
}

[ $# -gt 0 ] || die "usage: subject.sh NAME [VARIABLE=VALUE]..."
name=$1
shift
case $name in
'' | [!A-Za-z0-9]* | *[!A-Za-z0-9._-]*)
	die "NAME='$name': accepted: letters, digits, '.', '_' and '-'"
	;;
esac
cd "$(dirname "$0")/.."

# ------------------------------------------------------------------
# Settings

ksrc=
config=debian
bits=64
page=4K
san=0
lockdep=0
cc=gcc
opt=-O2
md=real
series=
base=${name%%-*}
unknown=

rest=$name
while :; do
	case $rest in
	*-*) rest=${rest#*-} ;;
	*) break ;;
	esac
	word=${rest%%-*}
	case $word in
	6.12 | 6.1) ksrc=$word ;;
	debian | minimal) config=$word ;;
	32) bits=32 ;;
	16k) page=16K ;;
	64k) page=64K ;;
	san) san=1 ;;
	lockdep) lockdep=1 ;;
	gcc | clang) cc=$word ;;
	O1 | O2) opt=-$word ;;
	lite) md=model ;;
	*) unknown=$word ;;
	esac
done

given=
one_of()
{
	value=$2
	for choice in $3; do
		[ "$value" != "$choice" ] || return 0
	done
	die "$1=$value: accepted: $(echo "$3" | sed 's/ /, /g')"
}

for arg in "$@"; do
	value=${arg#*=}
	case $arg in
	KSRC=*) ksrc=$value ;;
	SERIES=*) series=$value ;;
	CONFIG=*)
		one_of CONFIG "$value" 'debian minimal'
		config=$value
		;;
	BITS=*)
		one_of BITS "$value" '64 32'
		bits=$value
		;;
	PAGE=*)
		one_of PAGE "$value" '4K 16K 64K'
		page=$value
		;;
	SAN=*)
		one_of SAN "$value" '0 1'
		san=$value
		;;
	LOCKDEP=*)
		one_of LOCKDEP "$value" '0 1'
		lockdep=$value
		;;
	CC=*) cc=$value ;;
	OPT=*)
		one_of OPT "$value" '-O1 -O2 -O3 -Os'
		opt=$value
		;;
	MD=*)
		one_of MD "$value" 'real model'
		md=$value
		;;
	*)
		die "$arg: accepted: KSRC, SERIES, CONFIG, BITS, PAGE, SAN," \
			"LOCKDEP, CC, OPT, MD"
		;;
	esac
	[ -z "$value" ] || given=yes
done

case $base in
stock | sized)
	[ -z "$unknown" ] || [ -n "$given" ] ||
		die "NAME=$name: '$unknown' is no variant; accepted:" $words
	;;
*)
	[ -n "$series$ksrc" ] ||
		die "NAME=$name: give SERIES= or KSRC= (or NAME=stock)"
	;;
esac
[ -z "$(echo "$cc" | tr -d 'A-Za-z0-9_./+ -')" ] ||
	die "CC='$cc': accepted: the name of a compiler"
command -v "${cc%% *}" >/dev/null 2>&1 || die "CC=$cc: no such compiler"

# The build has the place for these; the shim does not go that far yet.
[ "$bits" = 64 ] || cannot "$name: BITS=$bits is not available yet"
[ "$page" = 4K ] || cannot "$name: PAGE=$page is not available yet"

# ------------------------------------------------------------------
# The tree

src_dir=${SRC_DIR:-/usr/src}
dir=build/subject/$name

at_hand()
{
	[ -f "$src_dir/linux-source-$1.tar.xz" ] ||
		[ -f "build/tree/$1/.stamp" ]
}

if [ -z "$ksrc" ]; then
	ksrc=6.12
	if ! at_hand 6.12 && at_hand 6.1; then
		ksrc=6.1
		echo "subject.sh: $name: no linux-source-6.12 here, using 6.1" >&2
	fi
fi
mkdir -p "$dir"
case $ksrc in
6.12 | 6.1)
	tree=build/tree/$ksrc
	# What is unpacked is used even when the package has gone.
	if [ -f "$src_dir/linux-source-$ksrc.tar.xz" ] ||
		[ ! -f "$tree/.stamp" ]; then
		sh scripts/tree.sh "$ksrc" "$tree" >/dev/null
	fi
	;;
*)
	[ -d "$ksrc" ] ||
		die "KSRC=$ksrc: accepted: 6.12, 6.1 or a kernel tree's directory"
	tree=$(sh scripts/tree.sh "$ksrc" "$dir/tree")
	case $tree in
	*[!A-Za-z0-9._/+@,~-]*)
		die "KSRC=$ksrc: a path with unusual characters, which make" \
			"cannot handle; use a link to it"
		;;
	esac
	;;
esac

# ------------------------------------------------------------------
# The series

if [ "$base" = sized ] && [ -z "$series" ]; then
	series=series
fi
priv=
series_id=
if [ -n "$series" ]; then
	priv=$dir/src
	sh scripts/series.sh "$tree" "$priv" "$series" || {
		status=$?
		rm -f "$dir/raid5sim" "$dir/bench"
		exit "$status"
	}
	series_id=$(cd "$priv" && find . -type f | sort | cksum)
else
	rm -rf "$dir/src"
fi
[ "$series" != - ] || series=stdin

# ------------------------------------------------------------------
# settings.mk: written only when something changed, since all depends on it

cat >"$dir/settings.mk.new" <<END
# Written by scripts/subject.sh.
TREE := $tree
PRIV := $priv
CONFIG := $config
BITS := $bits
PAGE := $page
SAN := $san
LOCKDEP := $lockdep
CC := $cc
OPT := $opt
MD := $md
SERIES := $(echo "$series" | tr -c 'A-Za-z0-9._/+@:,~\n-' _)
SERIES_FILES := $series_id
END
if cmp -s "$dir/settings.mk.new" "$dir/settings.mk"; then
	rm -f "$dir/settings.mk.new"
else
	mv "$dir/settings.mk.new" "$dir/settings.mk"
fi

jobs=
case ${MAKEFLAGS-} in
*jobserver* | *-j*) ;;
*) jobs=-j$(nproc) ;;
esac
# shellcheck disable=SC2086 # no word, or one
"${MAKE:-make}" --no-print-directory -s $jobs -f shim/subject.mk S="$name" || {
	# Not an older one in place of what does not build.
	rm -f "$dir/raid5sim" "$dir/bench"
	cannot "$name: this tree does not build"
}
