#!/usr/bin/env bash
# Measures CODES in several builds, such as one with ROSS and one with the library of this module: COUNT runs of each in
# turns, on RANKS (2) processes, optimistic, and the medians of the committed events per second.
#
#	tools/codes.sh COUNT BUILD BUILD...
#
# A BUILD is a folder in which cmake has built CODES. Programs that are linked with MPI are started by mpirun, the others
# with --ranks. SCALE=N makes the runs N times as long. RANKS=1 is sequential. ROSS needs room for the events of a run,
# EXTRAMEM of each rank (100,000 times SCALE) besides those that the model asks for; this engine does not look at it.
set -euo pipefail
count=${1:?tools/codes.sh: give the number of runs, such as 7, and the folders of two builds}
shift
[ $# -gt 0 ] || {
	echo "tools/codes.sh: give the folders in which CODES was built, such as b-ross b-go" >&2
	exit 2
}
ranks=${RANKS:-2}
scale=${SCALE:-1}
extramem=${EXTRAMEM:-$((100000 * scale))}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
builds=()
for b; do
	[ -x "$b/src/model-net-synthetic-slimfly" ] || {
		echo "tools/codes.sh: $b/src has no program model-net-synthetic-slimfly: build CODES there (docs/codes.md)" >&2
		exit 2
	}
	builds+=("$(cd "$b" && pwd)")
done
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "${builds[0]}/CMakeCache.txt")/src/network-workloads/conf

# Name, program, options, configuration. Times are in nanoseconds.
cases="dragonfly|model-net-synthetic|--num_messages=20 --end=$((600 * scale))|modelnet-synthetic-dragonfly.conf
slimfly|model-net-synthetic-slimfly|--num_messages=$((20 * scale))|modelnet-synthetic-slimfly-min.conf"

# play BUILD PROGRAM CONF OPTION...: prints committed events per second, and committed events.
play() {
	local program=$1/src/$2 conf=$3 synch=3 command
	shift 3
	[ "$ranks" -gt 1 ] || synch=1
	command=("$program" "--ranks=$ranks")
	if ldd "$program" | grep 'libmpi\.' >/dev/null; then # not -q, which would end ldd by a signal
		command=(mpirun --oversubscribe -np "$ranks" "$program" "--extramem=$extramem")
	elif [ "$ranks" = 1 ]; then
		command=("$program")
	fi
	command+=("--synch=$synch" "$@" -- "$sources/$conf")
	rm -rf "$work/run"
	mkdir "$work/run"
	(cd "$work/run" && "${command[@]}" </dev/null) >"$work/out" 2>&1 || {
		echo "tools/codes.sh: this has failed: ${command[*]}" >&2
		tail -n 5 "$work/out" >&2
		return 1
	}
	awk '/Running Time = / { time = $(NF - 1) } /Net Events Processed/ { n = $NF } END { if (n > 0 && time > 0) print n / time, n; else exit 1 }' "$work/out"
}

median() { sort -n "$1" | awk '{ x[NR] = $1 } END { printf "%.0f", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }

printf '%-10s' model
for b in "${builds[@]}"; do printf ' %14s' "${b##*/}"; done
printf ' %8s   %s\n' ratio "committed events"
while IFS='|' read -r name program options conf; do
	for ((i = 0; i < count; i++)); do
		for at in "${!builds[@]}"; do
			# shellcheck disable=SC2086 # several options
			play "${builds[$at]}" "$program" "$conf" $options >>"$work/$name-$at"
		done
	done
	printf '%-10s' "$name"
	for at in "${!builds[@]}"; do
		rate=$(median "$work/$name-$at")
		[ "$at" != 0 ] || first=$rate
		printf ' %14s' "$rate"
	done
	printf ' %8s   %s\n' "$(awk -v a="$first" -v b="$rate" 'BEGIN { printf "%.2f", b / a }')" \
		"$(cat "$work/$name"-* | awk '{ print $2 }' | sort -un | paste -sd' ' -)"
done <<<"$cases"
