#!/usr/bin/env bash
# Runs benchmarks COUNT times, prints medians, and draws those of Scaling: tools/bench.sh REGEXP BENCHTIME
# COUNT FOLDER...
set -euo pipefail
cd "$(dirname "$0")/.."

regexp=$1 time=$2 count=$3
mkdir -p bin
for table in "${@:4}"; do
	"${GO:-go}" test -run '^$' -bench "$regexp" -benchtime "$time" -count "$count" -timeout 0 \
		"./$table" >"bin/$table.txt"
	tools/tool.sh benchstat -col /impl "bin/$table.txt"
	if grep -q '^BenchmarkScaling/' "bin/$table.txt"; then
		if command -v mpirun >/dev/null; then
			tools/ranks.sh "$count" >>"bin/$table.txt"
		else
			echo "without mpirun the picture does not show ranks: make openmpi"
		fi
		"${GO:-go}" run ./bench/picture "bin/$table.txt" >bin/scaling.svg
		echo "bin/scaling.svg: the rates of Scaling"
	fi
done
