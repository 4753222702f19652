#!/usr/bin/env bash
# Compares which files of csrc include which headers of csrc with tools/carrows.txt, and sees
# that all arrows of it run down: each file includes headers on lines above its own only, so
# that there is no circle. Functions that other files call are declared in headers and nowhere
# else, so calls go down too. A new arrow is entered there by hand, where it can be seen:
#
#	tools/carrows.sh         compare
#	tools/carrows.sh list    print what is, from the lowest layer to the highest
set -euo pipefail
cd "$(dirname "$0")/.."

# arrows prints "file header" for each include of a file of csrc, in its own folder or that
# above, and "file -". Programs of tests, in folders testdata, are no part of csrc.
arrows() {
	(cd csrc && find . -path '*/testdata' -prune -o \( -name '*.[ch]' -o -name '*.go' \) -print | sed 's,^\./,,' | sort | xargs awk '
		FNR == 1 && FILENAME !~ /\.go$/ { print FILENAME, "-" }
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			split($0, part, "\"")
			dir = FILENAME
			if (!sub("/[^/]*$", "/", dir)) dir = ""
			name = dir part[2]
			while (sub("[^/]+/\\.\\./", "", name)) {}
			if (FILENAME ~ /\.go$/) print FILENAME, "-"
			print FILENAME, name
		}') | sort -u
}

# layers prints a line for each file, after those that it includes.
layers() {
	awk '{ names[$1]; if ($2 != "-") includes[$1] = includes[$1] " " $2 }
		function layer(f,    i, n, all, l, g) {
			if (f in height) return height[f]
			height[f] = 0
			n = split(includes[f], all, " ")
			for (i = 1; i <= n; i++) { g = layer(all[i]) + 1; if (g > l) l = g }
			return height[f] = l + 0
		}
		END { for (f in names) print layer(f), f ":" includes[f] }' | sort -k1,1n -k2,2 | cut -d' ' -f2-
}

if [ "${1:-}" = list ]; then
	arrows | layers
	exit
fi
arrows | awk '
	FNR == NR && /^#|^$/ { next }
	FNR == NR {
		sub(":", "", $1)
		row[$1] = FNR
		for (i = 2; i <= NF; i++) {
			may[$1, $i]
			if (!($i in row) || $i == $1) {
				print "lint: tools/carrows.txt: " $1 " includes " $i ", which is not on a line above it:"
				print "\tmove what they share to a lower header, or pass it as an argument from the higher file"
				bad = 1
			}
		}
		rest[$1] = " " substr($0, length($1) + 2) " "
		next
	}
	$2 == "-" { is[$1] }
	$2 == "-" && !($1 in row) {
		print "lint: csrc/" $1 " is not in tools/carrows.txt: enter it there, above the files that include it"
		bad = 1
	}
	$2 != "-" && $1 in row && !(($1, $2) in may) {
		print "lint: csrc/" $1 " includes " $2 ", which tools/carrows.txt does not allow."
		if ($2 in row && row[$2] < row[$1])
			print "\t" $2 " is below it: if it needs it, enter it on the line of " $1
		else
			print "\t" $2 " is not below it: move what it needs to a lower layer, or have the higher one pass it"
		bad = 1
	}
	$2 != "-" { does[$1, $2] }
	END {
		for (f in row) if (!(f in is)) {
			print "lint: tools/carrows.txt: csrc has no file " f " that counts: remove its line"
			bad = 1
		}
		for (a in may) {
			split(a, p, SUBSEP)
			if (p[1] in is && !((p[1], p[2]) in does)) {
				print "lint: tools/carrows.txt: csrc/" p[1] " does not include " p[2] ": remove it from that line"
				bad = 1
			}
		}
		exit bad
	}' tools/carrows.txt -
foreign=$(grep -nE '^[ \t]*extern\b|^(void|int|u?int[0-9]+_t|ross_\w+) [^={]*\bross_\w+\([^{]*\);' csrc/*.c || true)
if [ -n "$foreign" ]; then
	echo "lint: error: a C file declares what another one defines: include the header of its layer instead"
	echo "$foreign"
	exit 1
fi
