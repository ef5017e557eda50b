#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# `make demo`: what the unmodified raid5.c chooses on four machines, and the
# fault it has on one of them. Knows raid5sim's commands and its JSON keys.
set -eu

cd "$(dirname "$0")/.."
sim=build/raid5sim

# Values of top-level keys of one JSON object, on one line.
row()
{
	title=$1
	array=$2
	shift 2
	rc=0
	json=$("$sim" size --json "$@") || rc=$?
	[ "$rc" -le 1 ] || exit "$rc"
	printf '%s\n' "$json" | awk -v title="$title" -v array="$array" '
	function kb(bytes)
	{
		return bytes == "-" ? bytes : int(bytes / 1024)
	}
	/^  "[a-z_]+":/ {
		key = $1
		gsub(/[":]/, "", key)
		sub(/,$/, "", $2)
		v[key] = $2 == "null" ? "-" : $2
	}
	END {
		printf "%-26s %-11s %5s %5s %6s %5s %8s  %s\n", title, array,
			v["nr_hash_locks"], v["stripe_cache_size"],
			v["stripe_cache_max"], v["max_stripe_batch"],
			kb(v["bytes_allocated"]),
			v["agree"] == "true" ? "agrees" : "DIFFERS"
	}'
}

"$sim" info --brief | sed 's/^\([^:]*\): linux \([^,]*\),.*, \(.*\)$/What raid5.c of Linux \2 (subject \1, \3) chooses by itself:/'
echo
printf '%-26s %-11s %5s %5s %6s %5s %8s  %s\n' machine array hash \
	cache most batch kB oracle
row "4 CPUs, 8G" "RAID5 of 4" --cpus 4 --mem 8G --level 5 --disks 4
row "128 CPUs, 2 nodes, 512G" "RAID6 of 12" --cpus 128 --nodes 2 --mem 512G \
	--level 6 --disks 12
row "POWER9, nodes 0,8,252-255" "RAID6 of 24" \
	--node 0:cpus=0-63,mem=128G --node 8:cpus=64-127,mem=128G \
	--node 252-255:mem=16G --level 6 --disks 24
row "8192 CPUs, 1024 nodes, 1P" "RAID6 of 64" --cpus 8192 --nodes 1024 \
	--mem 1P --level 6 --disks 64
echo
echo "hash: locks; cache: stripes; most: largest stripe_cache_size accepted;"
echo "oracle: an independent computation. More: $sim size --help"
echo
echo "On a POWER9 with nodes 0 and 8, group_thread_cnt=2, a stripe released"
echo "on node 8 (cases/numa/power9-0-8.case):"
echo
"$sim" run cases/numa/power9-0-8.case
echo
echo "\"ok\": the case expects this of the unmodified driver. To replay it:"
echo "$sim --subject stock run cases/numa/power9-0-8.case"
