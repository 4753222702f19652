#!/usr/bin/env bash
# Measures PHOLD, workload B of bench/README.md, on 1, 2 and 4 ranks of one PE each, COUNT times in turns,
# and prints it as the benchmark Scaling does: tools/ranks.sh COUNT
set -euo pipefail
cd "$(dirname "$0")/.."

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
go=${GO:-go}
procs=$(getconf _NPROCESSORS_ONLN)
phold=$(mktemp -d)
trap 'rm -rf "$phold"' EXIT
"$go" build -tags mpi -o "$phold/" ./models/phold

for ((i = 0; i < $1; i++)); do
	for run in 1:1 3:1 2:1 3:2 2:2 3:4 2:4; do
		synch=${run%:*} ranks=${run#*:}
		mpirun --oversubscribe -np "$ranks" "$phold/phold" --synch="$synch" --lps=1024 --start-events=16 \
			--remote=0.1 --lookahead=0.1 --end=300 |
			awk -v name="BenchmarkScaling/by=ranks/at=$ranks/synch=$synch/pes=1-$procs" '
				/Net Events Processed/ { n = $NF }
				/Event Rate/ { printf "%s\t%d\t%.2f ns/op\t%.2f Mev/s\n", name, n, 1e9 / $NF, $NF / 1e6 }'
	done
done
