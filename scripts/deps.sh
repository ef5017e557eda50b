#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the packages of deps.list that are missing. Knows apt and dpkg and
# nothing of what the packages are used for.
#
#	deps.sh			install what is missing (root)
#	deps.sh --all		also optional ones, when nothing else is missing
#	deps.sh --list		print the list
#	deps.sh --missing	print what is missing, install nothing
#
# With KSRC set (a kernel tree of one's own) no kernel source package is asked
# for. Exit: 0 all there, 2 something is missing: the command to run is named.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
list=$here/deps.list
new=linux-source-6.12
old=linux-source-6.1

usage()
{
	echo "usage: deps.sh [--list | --missing | --all]" >&2
	exit 2
}

installed()
{
	state=$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) || return 1
	case $state in
	*" ok installed") return 0 ;;
	esac
	return 1
}

# Names of the list that are absent: $1 is "must" or "may".
missing()
{
	sed -e 's/#.*//' "$list" | while read -r name rest; do
		[ -n "$name" ] || continue
		kind=must
		case $name in
		\?*)
			kind=may
			name=${name#\?}
			;;
		linux-source-*)
			[ -z "${KSRC-}" ] || continue
			;;
		esac
		[ "$kind" = "$1" ] || continue
		found=
		for one in $(echo "$name" | tr '|' ' '); do
			if installed "$one"; then
				found=yes
			fi
		done
		[ -n "$found" ] || echo "${name%%|*}"
	done
}

known()
{
	LC_ALL=C apt-cache policy "$1" 2>/dev/null |
		grep 'Candidate: ' | grep -qv '(none)'
}

have_lists()
{
	[ -n "$(find "${APT_LISTS:-/var/lib/apt/lists}" -name '*Packages*' \
		2>/dev/null | sed 1q)" ]
}

# The archive's line is put together here so that no file of the project
# holds a download address.
security_line()
{
	host=security.debian.org
	printf 'deb %s%s%s bookworm-security main\n' 'http:' "//$host" \
		'/debian-security'
}

say_no_612()
{
	echo "deps.sh: apt does not know $new: only the security archive" \
		"has it." >&2
	echo "deps.sh: to have it add this line to /etc/apt/sources.list:" >&2
	echo "	$(security_line)" >&2
	echo "deps.sh: going on with $old" >&2
}

give_up()
{
	echo "deps.sh: $1; run as root:" >&2
	echo "	apt-get update && apt-get install -y --no-install-recommends" \
		"$2" >&2
	exit 2
}

words()
{
	echo "$1" | tr '\n' ' ' | sed -e 's/^ *//' -e 's/ *$//'
}

all_too=
case ${1-} in
--list)
	[ $# -eq 1 ] || usage
	cat "$list"
	exit 0
	;;
--missing)
	[ $# -eq 1 ] || usage
	missing must
	missing may
	exit 0
	;;
--all)
	[ $# -eq 1 ] || usage
	all_too=yes
	;;
'') ;;
*) usage ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "deps.sh: no dpkg here; install by hand what" \
		"'deps.sh --list' prints" >&2
	exit 2
fi

must=$(missing must)
may=$(missing may)
# One kernel source is enough to go on. Without package lists apt knows nothing
# yet: ask it after the update.
if [ "$must" = "$new" ] && have_lists && ! known "$new"; then
	say_no_612
	must=
fi
if [ -z "$must" ] && [ -z "$all_too" ]; then
	[ -z "$may" ] ||
		echo "deps.sh: optional, not installed: $(words "$may")" >&2
	exit 0
fi
[ -n "$must$may" ] || exit 0
all=$(words "$must
$may")
if [ "$(id -u)" -ne 0 ]; then
	give_up "packages are missing and this is not root" "$all"
fi
if ! command -v apt-get >/dev/null 2>&1; then
	give_up "packages are missing and there is no apt-get" "$all"
fi

echo "deps.sh: installing: $all" >&2
apt-get -q update >&2 ||
	echo "deps.sh: apt-get update failed, trying with what apt knows" >&2

case " $all " in
*" $new "*)
	if ! known "$new"; then
		say_no_612
		must=$(echo "$must" | grep -vx "$new" || true)
	fi
	;;
esac
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
if [ -n "$must" ]; then
	# shellcheck disable=SC2086 # a list of package names
	apt-get -q install -y --no-install-recommends $must >&2 ||
		give_up "apt-get could not install what is missing" \
			"$(words "$must")"
fi
if [ -n "$may" ]; then
	# shellcheck disable=SC2086
	apt-get -q install -y --no-install-recommends $may >&2 ||
		echo "deps.sh: optional, could not install:" \
			"$(words "$may")" >&2
fi
exit 0
