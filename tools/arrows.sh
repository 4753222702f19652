#!/usr/bin/env bash
# Compares which packages import which with tools/arrows.txt, in all builds, and sees that
# all arrows of it run down: each package imports those on lines above its own only, and no room of internal one that
# is above it. A new arrow is entered there by hand, where it can be seen:
#
#	tools/arrows.sh         compare
#	tools/arrows.sh list    print what is, from the lowest floor to the highest
set -euo pipefail
cd "$(dirname "$0")/.."

# arrows prints "package import" for each import of a package of the module, and "package -".
arrows() {
	for tags in none mpi purego,invariants,nolive; do
		go list -tags "$tags" -f '{{$p := .ImportPath}}{{$p}} -{{"\n"}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}' work
	done | awk -v mod="$(go list .)" '
		function name(p) { return p == mod ? "ross" : substr(p, length(mod) + 2) }
		$2 == "-" || index($2, mod) == 1 { print name($1), $2 == "-" ? "-" : name($2) }' | sort -u
}

# floors prints a line for each package, after those that it imports.
floors() {
	awk '{ names[$1]; if ($2 != "-") imports[$1] = imports[$1] " " $2 }
		function floor(p,    i, n, all, f, g) {
			if (p in height) return height[p]
			f = 0
			n = split(imports[p], all, " ")
			for (i = 1; i <= n; i++) { g = floor(all[i]) + 1; if (g > f) f = g }
			return height[p] = f
		}
		END { for (p in names) print floor(p), p ":" imports[p] }' | sort -k1,1n -k2,2 | cut -d' ' -f2-
}

if [ "${1:-}" = list ]; then
	arrows | floors
	exit
fi
diff <(grep -v '^#' tools/arrows.txt | awk '{ sub(":", "", $1); print $1, "-"; for (i = 2; i <= NF; i++) print $1, $i }' | sort -u) <(arrows) || {
	echo "lint: imports are not those of tools/arrows.txt (< there, > in the code): if a new one is meant to be, enter it"
	exit 1
}
awk '!/^#/ { sub(":", "", $1); for (i = 2; i <= NF; i++) if (!($i in seen)) { print "lint: tools/arrows.txt: " $1 " imports " $i ", which is not below it"; bad = 1 }; seen[$1] }
	END { exit bad }' tools/arrows.txt
awk -v rooms="sys num ranks engine output run testing" '
	BEGIN { split(rooms, list, " "); for (i in list) level["internal/" list[i]] = i + 0 }
	function room(p) { return match(p, "^internal/[a-z]+") ? level[substr(p, 1, RLENGTH)] : 0 }
	{
		sub(":", "", $1)
		for (i = 2; i <= NF; i++)
			if (room($1) && room($i) > room($1)) { print "lint: tools/arrows.txt: " $1 " imports " $i ", a room above its own"; bad = 1 }
	}
	END { exit bad }' tools/arrows.txt
