# SPDX-License-Identifier: GPL-2.0-only
#
# The files of one patch. Knows the shapes of unified diffs (git's or plain),
# nothing of what they change. Hunks are counted, so a removed line that looks
# like a file header is not taken for one.
#
#	mode=list	a line a file: OLD NEW, "-" for /dev/null;
#			"binary PATH" for what patch(1) cannot apply
#	mode=keep	the patch without the files named in the file `skip`

function strip(name)
{
	sub(/\r$/, "", name)
	sub(/\t.*$/, "", name)
	sub(/ +$/, "", name)
	if (name == "/dev/null")
		return "-"
	sub(/^[^\/]*\/+/, "", name)
	return name
}

function count(range)
{
	if (range !~ /,/)
		return 1
	sub(/^.*,/, "", range)
	return range + 0
}

# Print what is held of the present file, or drop it.
function flush_section()
{
	if (mode == "list" && (old != "" || new != ""))
		print old, new
	if (mode == "keep" && !(old in dropped) && !(new in dropped))
		printf "%s", held
	held = old = new = ""
}

function hold(line)
{
	if (mode == "keep")
		held = held line "\n"
}

BEGIN {
	if (mode == "keep")
		while ((getline line < skip) > 0)
			dropped[line] = 1
}

left > 0 || right > 0 {
	sign = substr($0, 1, 1)
	if (sign == "-") {
		left--
	} else if (sign == "+") {
		right--
	} else if (sign != "\\") {
		left--
		right--
	}
	hold($0)
	next
}

/^diff --git / {
	flush_section()
	git = 1
	gitname = strip($NF)
	hold($0)
	next
}

git && /^(rename|copy) from / {
	old = $3
}

git && /^(rename|copy) to / {
	new = $3
}

git && (/^GIT binary patch/ || /^Binary files .* differ/) {
	if (mode == "list")
		print "binary", gitname
}

/^--- ./ {
	minus = $0
	next
}

/^\+\+\+ ./ && minus != "" {
	if (!git)
		flush_section()
	git = 0
	old = strip(substr(minus, 5))
	new = strip(substr($0, 5))
	hold(minus)
	hold($0)
	minus = ""
	next
}

minus != "" {
	hold(minus)
	minus = ""
}

/^@@ -[0-9]+(,[0-9]+)? \+[0-9]+(,[0-9]+)? @@/ {
	left = count($2)
	right = count($3)
}

{
	hold($0)
}

END {
	flush_section()
}
