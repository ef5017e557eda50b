#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of scripts/series.sh on trees and series made here: no kernel needed.
# Prints KTAP; exits 1 when a test fails. TMPDIR says where to work.
#
#	tree/drivers/md/a.c	20 numbered lines, the one that is patched
#	tree/drivers/md/a.h	copied beside it
#	tree/drivers/md/sub/	not touched: not copied
#	tree/lib/b.c		deleted or renamed by some patches
set -u
LC_ALL=C
export LC_ALL

top=$(cd "$(dirname "$0")/.." && pwd)
run=$top/scripts/series.sh
dir=$(mktemp -d "${TMPDIR:-/tmp}/test-series.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

count=0
failed=0
plan=26

ok()
{
	count=$((count + 1))
	# $2...: the command that must succeed
	what=$1
	shift
	if "$@" >"$dir/diag" 2>&1; then
		echo "ok $count $what"
	else
		echo "not ok $count $what"
		sed 's/^/# /' "$dir/diag" "$dir/err"
		failed=$((failed + 1))
	fi
}

# ------------------------------------------------------------------

lines()
{
	i=1
	while [ "$i" -le 20 ]; do
		echo "line $i"
		i=$((i + 1))
	done
}

fresh_tree()
{
	rm -rf tree
	mkdir -p tree/drivers/md/sub tree/lib
	lines >tree/drivers/md/a.c
	echo '#define A 1' >tree/drivers/md/a.h
	echo 'obj-y += a.o' >tree/drivers/md/Makefile
	echo 'int sub;' >tree/drivers/md/sub/s.c
	echo 'int b;' >tree/lib/b.c
	(cd tree && find . -type f -exec cksum {} + | sort) >tree.sum
}

tree_untouched()
{
	(cd tree && find . -type f -exec cksum {} + | sort) | cmp - tree.sum
}

# A patch of a.c: line $1 becomes $2. Context and place as in the tree.
change_line()
{
	cat <<-END
	--- a/drivers/md/a.c
	+++ b/drivers/md/a.c
	@@ -$(($1 - 3)),7 +$(($1 - 3)),7 @@
	 line $(($1 - 3))
	 line $(($1 - 2))
	 line $(($1 - 1))
	-line $1
	+$2
	 line $(($1 + 1))
	 line $(($1 + 2))
	 line $(($1 + 3))
	END
}

mail()
{
	cat <<-END
	From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
	From: A Person <a@example.org>
	Date: Mon, 1 Jan 2024 00:00:00 +0000
	Subject: $1

	END
}

series()
{
	"$run" tree "$@" >out 2>err
}

status()
{
	want=$1
	shift
	rc=0
	series "$@" || rc=$?
	[ "$rc" -eq "$want" ] || echo "exit $rc, not $want"
	[ "$rc" -eq "$want" ]
}

has()
{
	grep -qxF -- "$1" "$2" || {
		echo "no line '$1' in $2:"
		cat "$2"
		return 1
	}
}

absent()
{
	for one in "$@"; do
		[ ! -e "$one" ] || {
			echo "$one is there"
			return 1
		}
	done
}

same()
{
	printf '%b' "$2" | diff - "$1"
}

no_litter()
{
	found=$(find . -name '*.orig' -o -name '*.rej' -o -name 'dest.*')
	[ -z "$found" ] || {
		echo "left behind: $found"
		return 1
	}
}

echo "KTAP version 1"
echo "1..$plan"

# ------------------------------------------------------------------
# A directory: C order, exact hunks say nothing

fresh_tree
mkdir dir
{ mail '[PATCH 1/2] md: first'; echo ---; change_line 5 five; } \
	>dir/0001-first.patch
{ mail '[PATCH 2/2] md: second, a subject so long that it goes on
 in a line of its own'; echo ---; change_line 15 fifteen; } \
	>dir/0002-second.patch
echo 'no patch' >dir/notes.txt
ok "directory applies" status 0 dest dir
ok "directory: both changes are there" sh -c \
	'grep -qx five dest/drivers/md/a.c && grep -qx fifteen dest/drivers/md/a.c'
ok "directory: the rest of the folder is copied, no deeper" sh -c \
	'cmp tree/drivers/md/a.h dest/drivers/md/a.h &&
	cmp tree/drivers/md/Makefile dest/drivers/md/Makefile &&
	[ ! -e dest/drivers/md/sub ] && [ ! -e dest/lib ]'
ok "directory: exact hunks are not reported" test ! -s out
ok "directory: .series has number, subject, files" same dest/.series \
	'1\tmd: first\tdrivers/md/a.c\n2\tmd: second, a subject so long that it goes on in a line of its own\tdrivers/md/a.c\n'
ok "directory: .files has what differs" same dest/.files 'drivers/md/a.c\n'

# A second run with the same result leaves dates alone: nothing to rebuild.
touch -t 202001010000 dest/drivers/md/a.c
ok "again: same file keeps its date" sh -c \
	'"$0" tree dest dir >out 2>err && [ dest/drivers/md/a.c -ot tree.sum ]' \
	"$run"

# ------------------------------------------------------------------
# mbox on standard input, mails out of order, cover letter and reply in it

{
	mail '[PATCH 0/2] md: cover letter'
	printf ' drivers/md/a.c | 4 ++--\n\n'
	mail '[PATCH 2/2] md: needs the first'
	echo ---
	change_line 5 FIVE | sed 's/^-line 5/-five/'
	printf -- '-- \n2.39.0\n\n'
	mail 'Re: [PATCH 1/2] md: five'
	change_line 5 wrong
	echo
	mail '[PATCH 1/2] md: five'
	echo ---
	change_line 5 five
	printf -- '-- \n2.39.0\n\n'
} >box
rm -rf dest
ok "mbox on stdin applies" sh -c '"$0" tree dest - <box >out 2>err' "$run"
ok "mbox: in the order of the numbers, no cover, no reply" same dest/.series \
	'1\tmd: five\tdrivers/md/a.c\n2\tmd: needs the first\tdrivers/md/a.c\n'
ok "mbox: the last change wins" has FIVE dest/drivers/md/a.c

# ------------------------------------------------------------------
# Encoded mails: "=" and a long line only survive when decoded

long='int five = 5; /* a line that is so long that a mail program wraps it */'
{
	echo 'From: A Person <a@example.org>'
	echo 'Subject: =?UTF-8?q?md:_f=C3=BCnf?='
	echo 'MIME-Version: 1.0'
	echo 'Content-Type: text/plain; charset=UTF-8'
	echo 'Content-Transfer-Encoding: quoted-printable'
	echo
	change_line 5 "$long" | sed -e 's/=/=3D/g' -e 's/so long/so=\n long/'
} >qp.mail
rm -rf dest
ok "quoted-printable mail applies" status 0 dest qp.mail
ok "quoted-printable: the decoded line" has "$long" dest/drivers/md/a.c
{
	echo 'From: A Person <a@example.org>'
	echo 'Subject: md: base64'
	echo 'MIME-Version: 1.0'
	echo 'Content-Type: text/plain; charset=UTF-8'
	echo 'Content-Transfer-Encoding: base64'
	echo
	change_line 5 "$long" | base64
} >b64.mail
rm -rf dest
ok "base64 mail applies" sh -c \
	'"$0" tree dest b64.mail >out 2>err && grep -qxF "$1" dest/drivers/md/a.c' \
	"$run" "$long"

# ------------------------------------------------------------------
# Fuzz: the outer context differs, and the file has two more lines on top

fresh_tree
{ echo new 1; echo new 2; lines; } >tree/drivers/md/a.c
(cd tree && find . -type f -exec cksum {} + | sort) >tree.sum
change_line 10 ten | sed 's/^ line 13/ other/' >fuzz.patch
rm -rf dest
ok "fuzz applies" status 0 dest fuzz.patch
ok "fuzz is reported with its offset" same out \
	'fuzz.patch: drivers/md/a.c: hunk #1 applied with fuzz 1 (offset 2 lines)\n'
ok "fuzz: no .orig left" no_litter

# ------------------------------------------------------------------
# Reject: the second patch of two; what was there before stays

fresh_tree
rm -rf dir dest
mkdir dir
change_line 5 five >dir/1.patch
{ change_line 5 six; change_line 15 x | tail -n +3; } >dir/2.patch
mkdir dest
echo before >dest/kept
ok "reject exits with 125" status 125 dest dir
ok "reject names patch, file and hunk in one line" same err \
	'series.sh: 2.patch: drivers/md/a.c: hunk #1 does not apply\n'
ok "reject leaves the old directory and nothing half made" sh -c \
	'[ "$(ls dest)" = kept ] && [ -z "$(ls -d dest.* 2>/dev/null)" ]'
sed 's|drivers/md/a.c|drivers/md/none.c|' dir/1.patch >absent.patch
ok "a missing file is a reject" sh -c \
	'"$0" tree dest absent.patch >out 2>err
	[ $? -eq 125 ] && grep -q "absent.patch: drivers/md/none.c: no such" err' \
	"$run"

# ------------------------------------------------------------------
# New file in a new folder, delete, rename; a removed line like a header

rm -rf dest
printf 'first\n-- old\n++ x\nlast\n' >tree/drivers/md/h.c
(cd tree && find . -type f -exec cksum {} + | sort) >tree.sum
cat >shape.patch <<'END'
diff --git a/drivers/new/n.c b/drivers/new/n.c
new file mode 100644
--- /dev/null
+++ b/drivers/new/n.c
@@ -0,0 +1,2 @@
+int n;
+int m;
diff --git a/lib/b.c b/lib/b.c
deleted file mode 100644
--- a/lib/b.c
+++ /dev/null
@@ -1 +0,0 @@
-int b;
diff --git a/drivers/md/a.h b/drivers/md/c.h
similarity index 100%
rename from drivers/md/a.h
rename to drivers/md/c.h
diff --git a/drivers/md/h.c b/drivers/md/h.c
--- a/drivers/md/h.c
+++ b/drivers/md/h.c
@@ -1,4 +1,3 @@
 first
--- old
 ++ x
-last
+LAST
END
ok "new, deleted and renamed files apply" status 0 dest shape.patch
ok "new file in a new folder" same dest/drivers/new/n.c 'int n;\nint m;\n'
ok "deleted and renamed files are gone" sh -c \
	'[ ! -e dest/lib/b.c ] && [ ! -e dest/drivers/md/a.h ] &&
	cmp tree/drivers/md/a.h dest/drivers/md/c.h'
ok "new, deleted, renamed: .files has all" same dest/.files \
	'drivers/md/a.h\ndrivers/md/c.h\ndrivers/md/h.c\ndrivers/new/n.c\nlib/b.c\n'

# ------------------------------------------------------------------

mkdir empty
ok "no patch at all is bad input" sh -c \
	'"$0" tree dest2 empty >out 2>err
	[ $? -eq 2 ] && grep -q "no \*.patch" err && [ ! -e dest2 ]' "$run"
ok "the tree was never written to" tree_untouched

[ "$count" -eq "$plan" ] || {
	echo "# $count tests, planned $plan"
	failed=$((failed + 1))
}
echo "# Totals: pass:$((count - failed)) fail:$failed"
[ "$failed" -eq 0 ]
