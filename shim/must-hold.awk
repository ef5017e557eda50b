# SPDX-License-Identifier: GPL-2.0-only
#
# Which functions of a C file say by __must_hold() that their caller has a
# lock: "MUST_HOLD(function, member)" for each, the member being what comes
# last in the expression. Knows how a function begins, nothing of C.
#
#	static int handle(struct r5conf *conf,     <- the declaration so far
#			  int group)
#		__must_hold(&conf->device_lock)    <- handle, device_lock

/__must_hold\(/ && head ~ /^[a-z].*\(/ {
	name = head
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	lock = $0
	sub(/.*__must_hold\(/, "", lock)
	sub(/\).*/, "", lock)
	gsub(/.*[.>&]/, "", lock)
	printf "MUST_HOLD(%s, %s)\n", name, lock
	head = ""
	next
}

/^[a-z].*\(/ { head = $0; next }
/^[{}#\/]|^$|;$/ { head = "" }
