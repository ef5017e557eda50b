# SPDX-License-Identifier: GPL-2.0-only
# Turn the assembler output of the tree's kernel/bounds.c into a header: each
# line that holds ->NAME $VALUE becomes a #define.
/->[A-Z_]/ {
	sub(/.*->/, "")
	gsub(/"/, "")
	sub(/^\$/, "", $2)
	print "#define " $1 " " $2
}
