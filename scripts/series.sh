#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Apply a series of patches to a private copy of the directories it touches.
# Knows mails and diffs; nothing of what is built from the result.
#
#	series.sh TREE DEST SERIES
#
# SERIES is a directory (its *.patch files in C order), an mbox, one patch
# (each may be gzipped), or "-": an mbox or patch on standard input.
#
#	TREE/drivers/md/raid5.c		DEST/drivers/md/raid5.c   patched
#	TREE/drivers/md/raid5.h   -->	DEST/drivers/md/raid5.h   copied
#	TREE/drivers/md/...		DEST/drivers/md/...
#	TREE/lib/...			(no patch touches lib: not copied)
#					DEST/.series	number, subject, files
#					DEST/.files	paths that differ
#
# TREE is never written to; DEST appears whole or not at all. On stdout a line
# for each hunk that did not apply exactly.
# Exit: 0 applied, 2 bad input, 125 a patch does not apply.
set -eu
LC_ALL=C
export LC_ALL
umask 022

here=$(cd "$(dirname "$0")" && pwd)
tab=$(printf '\t')

die()
{
	echo "series.sh: $*" >&2
	exit 2
}

reject()
{
	echo "series.sh: $*" >&2
	exit 125
}

if [ $# -ne 3 ] || [ -z "$2" ]; then
	echo "usage: series.sh TREE DEST SERIES" >&2
	exit 2
fi
tree=$1
dest=$2
series=$3
[ -d "$tree" ] || die "$tree: not a directory"
mkdir -p "$(dirname "$dest")"

work=$dest.new.$$
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
rm -rf "$work"
mkdir "$work" "$work/in" "$work/mail" "$work/patch" "$work/out"
work=$(cd "$work" && pwd -P)

# ------------------------------------------------------------------
# What came in, as files of one mail or patch each: $work/in/NNNN-NAME

unzipped()
{
	case $1 in
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# Git must not see a repository or a user's settings.
git_clean()
{
	(cd "$work/mail" && GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
		GIT_CEILING_DIRECTORIES=$work git "$@")
}

take_mbox()
{
	command -v git >/dev/null 2>&1 || die "mails need git"
	git_clean mailsplit -o"$work/in" -- "$1" >"$work/count" ||
		die "$series: cannot be split into mails"
}

take_file()
{
	[ -s "$1" ] || die "$series: empty"
	case $(head -n 1 "$1") in
	"From "*) take_mbox "$1" ;;
	*) cp "$1" "$work/in/0001-$2" ;;
	esac
}

n=0
if [ "$series" = - ]; then
	cat >"$work/stdin"
	take_file "$work/stdin" stdin
elif [ -d "$series" ]; then
	for one in "$series"/*.patch; do
		[ -f "$one" ] || continue
		n=$((n + 1))
		cp "$one" "$work/in/$(printf %04d "$n")-${one##*/}"
	done
	[ "$n" -gt 0 ] || die "$series: no *.patch files"
elif [ -f "$series" ]; then
	unzipped "$series" >"$work/file" || die "$series: cannot be read"
	name=${series##*/}
	take_file "$work/file" "${name%.gz}"
else
	die "$series: no such directory, mbox or patch"
fi

# ------------------------------------------------------------------
# Mails decoded, cover letters and replies left out:
# $work/patch/NNNN and, beside it, NNNN.name and NNNN.subject

# A mail starts with header lines; a bare diff may start with "Index:".
is_mail()
{
	awk '
	NR == 1 && /^From / { next }
	/^(From|Subject): / { found = 1 }
	/^[A-Za-z][A-Za-z0-9-]*:/ || /^[ \t]/ { next }
	{ exit }
	END { exit !found }' "$1"
}

# Header lines may go on in the next line; a "From:" in the body is not one.
subject_of()
{
	sed -n 's/^Subject: //p' "$1" | sed 1q
}

strip_subject()
{
	sed -e 's/^\(\[[^]]*\] *\)*//' -e "s/$tab/ /g"
}

# N of "[PATCH v2 N/M]", or nothing. Subject in its raw, unfolded form.
number_of()
{
	awk '
	/^Subject:/ { s = $0; next }
	s != "" && /^[ \t]/ { s = s $0; next }
	s != "" || /^$/ { exit }
	END {
		if (match(s, /\[[^]]*[0-9]+\/[0-9]+\]/)) {
			s = substr(s, RSTART, RLENGTH)
			sub(/\/[0-9]+\]$/, "", s)
			sub(/^.*[^0-9]/, "", s)
			print s + 0
		}
	}' "$1"
}

n=0
for one in "$work/in"/*; do
	[ -f "$one" ] || continue
	base=${one##*/}
	id=$(printf %04d "$((n + 1))")
	out=$work/patch/$id
	num=
	if is_mail "$one"; then
		command -v git >/dev/null 2>&1 || die "mails need git"
		git_clean mailinfo --encoding=UTF-8 "$work/mail/msg" "$out" \
			<"$one" >"$work/mail/info" 2>"$work/mail/err" ||
			die "$base: not a readable mail"
		subject=$(subject_of "$work/mail/info")
		num=$(number_of "$one")
		if grep -qi '^Subject: *re: ' "$one"; then
			rm -f "$out"
			continue
		fi
	else
		cp "$one" "$out"
		subject=
	fi
	awk -v mode=list -f "$here/series.awk" "$out" >"$out.list"
	if [ ! -s "$out.list" ]; then
		rm -f "$out" "$out.list"
		continue
	fi
	n=$((n + 1))
	subject=$(printf '%s\n' "$subject" | strip_subject)
	case $base in
	*-*) name=${base#*-} ;;
	*) name=${subject:-mail $base} ;;
	esac
	[ -n "$subject" ] || subject=$name
	printf '%s\n' "$name" >"$out.name"
	printf '%s\n' "$subject" >"$out.subject"
	printf '%s %s\n' "${num:-none}" "$id" >>"$work/order"
done
[ "$n" -gt 0 ] || die "$series: no patch in it"

# Mails of a thread may come in any order: their numbers count, if each has
# one of its own. Files of a directory keep the order of their names.
cut -d' ' -f2 "$work/order" >"$work/ids"
if [ ! -d "$series" ] && ! grep -q '^none' "$work/order" &&
	[ -z "$(cut -d' ' -f1 "$work/order" | sort | uniq -d)" ]; then
	sort -n "$work/order" | cut -d' ' -f2 >"$work/ids"
fi

# ------------------------------------------------------------------
# The private copy

copy_dir()
{
	[ ! -d "$work/out/$1" ] || return 0
	mkdir -p "$work/out/$1"
	[ -d "$tree/$1" ] || return 0
	for file in "$tree/$1"/* "$tree/$1"/.[!.]*; do
		if [ -f "$file" ]; then
			cp -p "$file" "$work/out/$1/"
		fi
	done
}

# A file that the unpacked part of a kernel does not have, and that nothing
# built needs, is no reason to stop.
out_of_part()
{
	[ -f "$tree/.partial" ] || return 1
	[ ! -e "$work/out/$1" ] || return 1
	case $1 in
	Documentation/* | tools/* | samples/* | MAINTAINERS | CREDITS) ;;
	*) return 1 ;;
	esac
	[ ! -e "$tree/$1" ]
}

check_path()
{
	case /$1/ in
	*/../* | */./* | *//*)
		reject "$name: $1: not a path inside the tree"
		;;
	esac
}

prepare()
{
	: >"$work/skip"
	while read -r old new; do
		[ "$old" != binary ] ||
			reject "$name: $new: a binary change, which patch" \
				"cannot apply"
		for file in "$old" "$new"; do
			[ "$file" != - ] || continue
			check_path "$file"
			case $file in
			*/*) dir=${file%/*} ;;
			*) dir=. ;;
			esac
			[ "$dir" = . ] || copy_dir "$dir"
			if [ "$dir" = . ] && [ -f "$tree/$file" ] &&
				[ ! -e "$work/out/$file" ]; then
				cp -p "$tree/$file" "$work/out/$file"
			fi
		done
		if [ "$old" != - ] && out_of_part "$old"; then
			echo "$old" >>"$work/skip"
			echo "$name: $old: not in this partial tree, left out"
			continue
		fi
		[ "$old" = - ] || echo "$old" >>"$work/touched"
		[ "$new" = - ] || echo "$new" >>"$work/touched"
		[ "$new" != - ] || new=$old
		echo "$new" >>"$work/now"
	done <"$1.list"
	if [ -s "$work/skip" ]; then
		awk -v mode=keep -v skip="$work/skip" \
			-f "$here/series.awk" "$1" >"$1.kept"
		mv "$1.kept" "$1"
	fi
}

# What patch(1) said, in our words; only of hunks that moved.
report()
{
	awk -v name="$name" '
	/^(patching|checking) file / {
		file = $3
		gsub(/^\047|\047$/, "", file)
	}
	/^Hunk #[0-9]+ succeeded at / {
		line = $0
		hunk = $2
		fuzz = off = ""
		if (match(line, /with fuzz [0-9]+/))
			fuzz = substr(line, RSTART + 10, RLENGTH - 10)
		if (match(line, /offset -?[0-9]+ lines?/))
			off = substr(line, RSTART, RLENGTH)
		if (off != "" && off !~ /s$/)
			off = off "s"
		text = name ": " file ": hunk " hunk " applied with "
		if (fuzz != "")
			print text "fuzz " fuzz \
				(off == "" ? "" : " (" off ")")
		else if (off != "")
			print text off
	}' "$work/said"
}

# The first thing that patch(1) could not do.
why()
{
	awk '
	/^(patching|checking) file / {
		file = $3
		gsub(/^\047|\047$/, "", file)
	}
	/^Hunk #[0-9]+ FAILED/ {
		print file ": hunk " $2 " does not apply"
		exit
	}
	/^\|\+\+\+ / {
		missing = $2
		sub(/^[^\/]*\//, "", missing)
	}
	/^(can.t find file|No file to patch)/ { absent = 1 }
	/^patch: \*\*\*\*/ {
		sub(/^patch: \*\*\*\* */, "")
		print (file == "" ? "" : file ": ") $0
		exit
	}
	absent && /^No file to patch/ {
		print missing ": no such file in the tree"
		exit
	}
	/^(The next patch|File .* is not empty)/ { last = $0 }
	/ignored/ {
		print (file == "" ? "" : file ": ") \
			(last == "" ? $0 : last)
		exit
	}' "$work/said"
}

: >"$work/touched"
n=0
while read -r id; do
	one=$work/patch/$id
	name=$(cat "$one.name")
	n=$((n + 1))
	: >"$work/now"
	prepare "$one"
	if ! patch -p1 -f --no-backup-if-mismatch \
		-r "$work/rej" -d "$work/out" <"$one" >"$work/said" 2>&1; then
		line=$(why)
		reject "$name: ${line:-patch failed: $(sed 1q "$work/said")}"
	fi
	report
	files=$(sort -u "$work/now" | tr '\n' ',')
	printf '%s\t%s\t%s\n' "$n" "$(cat "$one.subject")" "${files%,}" \
		>>"$work/out/.series"
done <"$work/ids"

# ------------------------------------------------------------------
# What differs, then the new directory in place of the old one

sort -u "$work/touched" | while read -r file; do
	if [ -e "$tree/$file" ] || [ -e "$work/out/$file" ]; then
		cmp -s "$tree/$file" "$work/out/$file" || echo "$file"
	fi
	# Same result as last time: keep the date, nothing need be rebuilt.
	if [ -f "$dest/$file" ] && [ -f "$work/out/$file" ] &&
		cmp -s "$dest/$file" "$work/out/$file"; then
		touch -r "$dest/$file" "$work/out/$file"
	fi
done >"$work/out/.files"

rm -rf "$work.old"
if [ -e "$dest" ] || [ -L "$dest" ]; then
	mv "$dest" "$work.old"
fi
mv "$work/out" "$dest"
rm -rf "$work.old"
