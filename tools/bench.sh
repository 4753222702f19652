#!/usr/bin/env bash
# Runs benchmarks COUNT times and prints medians: tools/bench.sh REGEXP BENCHTIME COUNT FOLDER...
set -euo pipefail
cd "$(dirname "$0")/.."

regexp=$1 time=$2 count=$3
mkdir -p bin
for table in "${@:4}"; do
	"${GO:-go}" test -run '^$' -bench "$regexp" -benchtime "$time" -count "$count" -timeout 0 \
		"./$table" >"bin/$table.txt"
	"${GO:-go}" tool -modfile=tools/go.mod benchstat -col /impl "bin/$table.txt"
done
