#!/usr/bin/env bash
# Measures PHOLD, workload B of bench/README.md, in COUNT turns. tools/ranks.sh COUNT measures 1, 2 and 4 ranks of one PE
# each under mpirun, and prints it as the benchmark Scaling does. tools/ranks.sh COUNT starts compares the ways in which
# a run gets its processors: ranks under mpirun, those that --ranks starts, and PEs of one process.
set -euo pipefail
cd "$(dirname "$0")/.."

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
go=${GO:-go}
procs=$(getconf _NPROCESSORS_ONLN)
phold=$(mktemp -d)
trap 'rm -rf "$phold"' EXIT
"$go" build -tags mpi -o "$phold/" ./models/phold

# measure NAME COMMAND...: runs the command, and prints its rate as a benchmark.
measure() {
	"${@:2}" --lps=1024 --start-events=16 --remote=0.1 --lookahead=0.1 --end="$end" |
		awk -v name="$1-$procs" '
			/Net Events Processed/ { n = $NF }
			/Event Rate/ { printf "%s\t%d\t%.2f ns/op\t%.2f Mev/s\n", name, n, 1e9 / $NF, $NF / 1e6 }'
}

end=300
if [ "${2:-}" = starts ]; then
	end=100 # with more ranks than processors it takes long
fi
for ((i = 0; i < $1; i++)); do
	if [ "${2:-}" = starts ]; then
		for n in 2 4; do
			for synch in 3 2; do
				measure "BenchmarkStarts/by=mpirun/n=$n/synch=$synch" mpirun --oversubscribe --bind-to none -np "$n" "$phold/phold" --synch="$synch"
				measure "BenchmarkStarts/by=ranks/n=$n/synch=$synch" "$phold/phold" --synch="$synch" --ranks="$n"
				measure "BenchmarkStarts/by=pes/n=$n/synch=$synch" "$phold/phold" --synch="$synch" --pes="$n"
			done
		done
		continue
	fi
	for run in 1:1 3:1 2:1 3:2 2:2 3:4 2:4; do
		synch=${run%:*} ranks=${run#*:}
		measure "BenchmarkScaling/by=ranks/at=$ranks/synch=$synch/pes=1" mpirun --oversubscribe -np "$ranks" "$phold/phold" --synch="$synch"
	done
done
