#!/usr/bin/env bash
# Compares benchmarks of this tree, with what is not committed, with those of a git revision: tools/bench-compare.sh
# REF REGEXP BENCHTIME COUNT FOLDER... Both run COUNT times, in turns, so that what else the machine does meets both.
# The last thing that it prints is the table of benchstat: medians, their intervals, the difference, and the geomean.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "bench-compare: $*" >&2
	exit 2
}
go=${GO:-go} regexp=$2 time=$3 count=$4
[ -n "$1" ] || fail "which revision? make bench-compare REF=main"
[[ $count =~ ^[1-9][0-9]*$ ]] || fail "COUNT=$count: a number of runs"
commit=$(git rev-parse --verify --quiet "$1^{commit}") || fail "REF=$1: git knows no such revision"

dir=$(mktemp -d)
cleanup() {
	git worktree remove --force "$dir/tree" 2>/dev/null || true
	rm -rf "$dir"
}
trap cleanup EXIT
git worktree add --quiet --detach "$dir/tree" "$commit"
compared=()
for table in "${@:5}"; do
	name=${table//\//-}
	if ! [ -d "$dir/tree/$table" ]; then
		echo "bench-compare: $1 has no $table" >&2
		continue
	fi
	"$go" test -c -o "$dir/$name.here" "./$table"
	"$go" test -C "$dir/tree" -c -o "$dir/$name.there" "./$table"
	compared+=("$table")
done
[ ${#compared[@]} -gt 0 ] || fail "there is nothing to compare"

run() { # here|there TREE TABLE
	(cd "$2/$3" && "$dir/${3//\//-}.$1" -test.run '^$' -test.bench "$regexp" -test.benchtime "$time" -test.timeout 0) >>"$dir/$1.txt"
}
for ((i = 0; i < count; i++)); do
	for table in "${compared[@]}"; do
		order=(there here)
		((i % 2)) && order=(here there)
		for which in "${order[@]}"; do
			tree=$PWD
			[ $which = here ] || tree=$dir/tree
			run $which "$tree" "$table"
		done
	done
	echo "bench-compare: $((i + 1)) of $count" >&2
done
grep -q '^Benchmark' "$dir/here.txt" || fail "BENCH=$regexp: no such benchmark"
grep -q '^Benchmark' "$dir/there.txt" || fail "BENCH=$regexp: $1 has no such benchmark"
tools/tool.sh benchstat "$1=$dir/there.txt" "here=$dir/here.txt"
