#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the parts of a test plan, one after the other, and add up. Knows KTAP
# and exit statuses, nothing of what is tested.
#
#	parts.sh LOGS <PLAN
#
# A line of PLAN is NAME, a tab and a shell command that prints KTAP (or TAP).
#	NAME	COMMAND		its tests count; stdout goes to LOGS/NAME.log
#	!NAME	COMMAND		preparation: prints no tests, one failed test
#				when it fails
#	NAME	SKIP WHY	one skipped test
#
# A part that crashes, ends early, prints no results, has no plan line or
# exits with a status that its results do not explain has failed.
# PART_TIME: seconds a part may take. Exit: 0 nothing failed, 1 otherwise.
set -eu
LC_ALL=C
export LC_ALL

[ $# -eq 1 ] || {
	echo "usage: parts.sh LOGS <PLAN" >&2
	exit 2
}
logs=$1
limit=${PART_TIME:-1800}
tab=$(printf '\t')
rm -rf "$logs"
mkdir -p "$logs"
cat >"$logs/.plan"

# "PASS FAIL SKIP WHY" of a log; WHY is what its results do not say.
tally()
{
	awk -v status="$2" -v complained="$3" '
	/^1\.\.[0-9]+/ {
		planned += substr($1, 4)
		plans++
	}
	/^ok / {
		if (toupper($0) ~ /# *SKIP/)
			skip++
		else
			pass++
	}
	/^not ok / { fail++ }
	END {
		seen = pass + fail + skip
		why = ""
		if (!plans || !planned)
			why = "no results"
		else if (seen < planned)
			why = seen " of " planned " results"
		else if (seen > planned)
			why = seen " results, planned " planned
		if (status > 128)
			why = why (why ? ", " : "") "killed by signal " \
				status - 128
		else if (status == 124)
			why = why (why ? ", " : "") "took too long"
		else if (status && (!fail || why))
			why = why (why ? ", " : "") "exit status " status
		if (complained)
			why = why (why ? ", " : "") "a sanitizer complained"
		if (planned > seen)
			fail += planned - seen
		else if (why)
			fail++
		print pass + 0, fail + 0, skip + 0, why
	}' "$1"
}

run()
{
	timeout --foreground -k 10 "$limit" sh -c "$2" \
		>"$1.log" 2>"$1.err" </dev/null
}

comment()
{
	sed -e 's/^/#     /'
}

parts=$(grep -c "^[^!]" "$logs/.plan" || true)
echo "KTAP version 1"
echo "1..$parts"
number=0
pass=0
fail=0
skip=0
while IFS=$tab read -r name command; do
	[ -n "$name" ] || continue
	log=$logs/$(echo "${name#!}" | tr ' /' '--')
	status=0
	case $name in
	!*)
		run "$log" "$command" || status=$?
		[ "$status" -ne 0 ] || continue
		fail=$((fail + 1))
		echo "# failed: ${name#!} (exit status $status, see $log.err)"
		tail -n 5 "$log.err" | comment
		continue
		;;
	esac
	number=$((number + 1))
	case $command in
	"SKIP "*)
		skip=$((skip + 1))
		echo "ok $number - $name # $command"
		continue
		;;
	esac
	run "$log" "$command" || status=$?
	complained=
	if grep -q -e 'runtime error: ' -e 'ERROR: [A-Za-z]*Sanitizer' \
		"$log.err"; then
		complained=yes
	fi
	# shellcheck disable=SC2046 # words are wanted
	set -- $(tally "$log.log" "$status" "$complained")
	p=$1 f=$2 s=$3
	shift 3
	pass=$((pass + p))
	fail=$((fail + f))
	skip=$((skip + s))
	skipped=
	[ "$s" -eq 0 ] || skipped=" ($s skipped)"
	if [ "$f" -eq 0 ]; then
		echo "ok $number - $name: $p/$p$skipped"
		continue
	fi
	echo "not ok $number - $name: $p/$((p + f))$skipped${*:+ # $*}"
	{
		grep '^not ok ' "$log.log" || true
		tail -n 3 "$log.err"
	} | head -n 12 | comment
	echo "#     see $log.log"
done <"$logs/.plan"
echo "# Totals: pass:$pass fail:$fail skip:$skip"
also=
[ "$skip" -eq 0 ] || also=", $skip skipped"
echo "$pass passed, $fail failed$also"
[ "$fail" -eq 0 ] && [ "$pass" -gt 0 ]
