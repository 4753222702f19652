#!/usr/bin/env bash
# Compares models made of processes with the same models for SimPy: bench/processes/simpy.sh [ROUNDS [PYTHON]]
# Each round runs each model once, with SimPy and here; then come medians, and their intervals.
set -euo pipefail
cd "$(dirname "$0")/../.."

rounds=${1:-6} python=${2:-/usr/bin/python3}
declare -A end=([bank]=5e6 [desk]=5e5 [port]=1440 [phold]=5000) # as in waiting_test.go
mkdir -p bin
"${GO:-go}" test -c -o bin/waiting.test ./bench/processes
for _ in $(seq "$rounds"); do
	for model in bank desk port phold; do
		"$python" bench/processes/rate.py "docs/sidebyside/simpy/$model.py" "${end[$model]}"
		bin/waiting.test -test.run '^$' -test.bench "Waiting/model=$model" -test.benchtime 1x
	done
done | sed -nE 's/^(Benchmark[^[:space:]]*)-[0-9]+[[:space:]]/\1 /; /^Benchmark/p' >bin/waiting.txt
tools/tool.sh benchstat -row /model -col /impl bin/waiting.txt
