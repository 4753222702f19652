#!/usr/bin/env bash
# Compares models made of processes with the same models for SimPy: bench/processes/simpy.sh [ROUNDS [PYTHON]]
# Each round runs each model once, with SimPy and here; then come medians, and their intervals.
set -euo pipefail
cd "$(dirname "$0")/../.."

rounds=${1:-6} python=${2:-/usr/bin/python3}
declare -A end=([bank]=5e6 [desk]=5e5 [port]=1440 [phold]=5000) # as in waiting_test.go
mkdir -p bin
"${GO:-go}" test -c -o bin/waiting.test ./bench/processes
: >bin/waiting.txt
for _ in $(seq "$rounds"); do
	for model in bank desk port phold; do
		${QUIET:-} "$python" bench/processes/rate.py "docs/sidebyside/simpy/$model.py" "${end[$model]}" | grep ^Benchmark >>bin/waiting.txt
		${QUIET:-} bin/waiting.test -test.run '^$' -test.bench "Waiting/model=$model" -test.benchtime 1x >>bin/waiting.txt
	done
done
tools/tool.sh benchstat -row /model -col /impl bin/waiting.txt
