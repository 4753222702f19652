#!/usr/bin/env bash
# Measures C models on this engine against the Go models, and against ROSS itself if a folder has its programs: COUNT runs
# of each in turns, and the medians in nanoseconds of a committed event.
#
#	tools/cmodels.sh COUNT [FOLDER]
#
# FOLDER has phold, airport, torus (compiled for 4 x 2 x 2 x 2 x 2 nodes) and qhold, linked with ROSS, and mpirun starts
# them. SCALE=N makes all runs N times as long. A second table has PHOLD in one process and in two, each with one PE and
# optimistic: without ranks, with those that --ranks starts, with those of mpirun if Open MPI is installed, and with ROSS.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${1:?tools/cmodels.sh: give the number of runs, such as 7}
ross=${2:-}
scale=${SCALE:-1}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -z "$ross" ] || ross=$(cd "$ross" && pwd)
models="phold airport torus qhold"
tools/libross.sh "$work/lib" static >/dev/null
for m in $models; do
	"$work/lib/bin/ross-cc" -O3 -march=native "csrc/libross/testdata/$m.c" -o "$work/c-$m"
	"${GO:-go}" build -o "$work/go-$m" "./models/$m"
	if [ -n "$ross" ] && [ ! -x "$ross/$m" ]; then
		echo "tools/cmodels.sh: $ross has no program $m: build it, or leave the folder out" >&2
		exit 1
	fi
done
mpi=
if command -v mpicc >/dev/null && pkg-config --exists ompi; then
	mpi=1
	MPI=1 tools/libross.sh "$work/libmpi" static >/dev/null
	"$work/libmpi/bin/ross-cc" -O3 -march=native csrc/libross/testdata/phold.c -o "$work/mpi-phold"
fi
cd "$work"

# Name, model, end, LPs, other options, options of the Go model alone.
cases="PHOLD-A|phold|150|8192|--start-events=1 --remote=0.25 --lookahead=0.1|
PHOLD-B|phold|75|1024|--start-events=16 --remote=0.1 --lookahead=0.1|
airport|airport|20000|1024|--nplanes=1|
torus|torus|20000|128||--dims=4,2,2,2,2
qhold|qhold|20000000000000|16||"

# play IMPLEMENTATION MODEL END LPS PES OPTIONS: appends nanoseconds of an event, and the number of events, to a file.
play() {
	local impl=$1 model=$2 end=$3 lps=$4 pes=$5 synch=1 each command
	shift 5
	each=$lps
	[ "$pes" = 1 ] || synch=3
	synch=${SYNCH:-$synch}
	command=("./$impl-$model" "--pes=$pes")
	case $impl in
	ross)
		each=$((lps / pes))
		command=(mpirun --oversubscribe -np "$pes" "$ross/$model" --extramem=400000)
		;;
	ranks)
		each=$((lps / pes))
		command=("./c-$model" "--ranks=$pes")
		;;
	mpi)
		each=$((lps / pes))
		command=(mpirun --oversubscribe -np "$pes" "./mpi-$model")
		;;
	esac
	case $model:$impl in
	phold:go) command+=("--lps=$lps") ;;
	phold:*) command+=("--nlp=$each") ;;
	qhold:go) command+=("--lps=$lps") ;;
	qhold:*) command+=("--nlp_per_pe=$each") ;;
	esac
	"${command[@]}" "--synch=$synch" "--end=$end" "$@" 2>&1 |
		awk '/Net Events Processed/ { n = $NF } /Event Rate/ { rate = $NF } END { if (rate > 0) print 1e9 / rate, n; else exit 1 }' || {
		echo "tools/cmodels.sh: this has failed: ${command[*]} --synch=$synch --end=$end $*" >&2
		return 1
	}
}

median() { sort -n "$1" | awk '{ x[NR] = $1 } END { printf "%.0f", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }

printf '%-10s %4s %8s %8s %8s %8s   %s\n' model PEs Go C "C, cgo" ROSS "committed events"
while IFS='|' read -r name model end lps options only; do
	end=$(awk -v end="$end" -v scale="$scale" 'BEGIN { printf "%.0f", end * scale }')
	for pes in 1 2; do
		for ((i = 0; i < count; i++)); do
			# shellcheck disable=SC2086 # none of them, or some
			{
				play go "$model" "$end" "$lps" "$pes" $options $only >>"$name-$pes-go"
				play c "$model" "$end" "$lps" "$pes" $options >>"$name-$pes-c"
				ROSS_CALLS=cgo play c "$model" "$end" "$lps" "$pes" $options >>"$name-$pes-cgo"
				[ -z "$ross" ] || play ross "$model" "$end" "$lps" "$pes" $options >>"$name-$pes-ross"
			} </dev/null
		done
		them=-
		[ -z "$ross" ] || them=$(median "$name-$pes-ross")
		printf '%-10s %4s %8s %8s %8s %8s   %s\n' "$name" "$pes" "$(median "$name-$pes-go")" "$(median "$name-$pes-c")" \
			"$(median "$name-$pes-cgo")" "$them" "$(cat "$name-$pes"-* | awk '{ print $2 }' | sort -un | paste -sd' ' -)"
	done
done <<<"$cases"

# The second table. What a run without ranks has in two processes' place is two PEs of one.
printf '\n%-10s %10s %8s %8s %8s %8s   %s\n' model processes "no ranks" --ranks mpirun ROSS "committed events"
while IFS='|' read -r name model end lps options only; do
	[ "$model" = phold ] || continue
	end=$(awk -v end="$end" -v scale="$scale" 'BEGIN { printf "%.0f", end * scale }')
	for n in 1 2; do
		for ((i = 0; i < count; i++)); do
			# shellcheck disable=SC2086 # none of them, or some
			for impl in c ranks ${mpi:+mpi} ${ross:+ross}; do
				SYNCH=3 play "$impl" "$model" "$end" "$lps" "$n" $options >>"$name-ranks-$n-$impl" </dev/null
			done
		done
		row=()
		for impl in c ranks mpi ross; do
			if [ -e "$name-ranks-$n-$impl" ]; then row+=("$(median "$name-ranks-$n-$impl")"); else row+=(-); fi
		done
		printf '%-10s %10s %8s %8s %8s %8s   %s\n' "$name" "$n" "${row[@]}" \
			"$(cat "$name-ranks-$n"-* | awk '{ print $2 }' | sort -un | paste -sd' ' -)"
	done
done <<<"$cases"
