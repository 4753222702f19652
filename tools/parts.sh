#!/usr/bin/env bash
# Makes targets, some at a time, and tells how long each took: tools/parts.sh JOBS [TARGET... --] TARGET...
#
# Those before -- run threads that wait for one another: one of them at a time, before all others where both want a
# processor. The others fill what they leave.
#
# Lines that a target prints begin with its name. The first that fails ends all; what it says about
# the failure is printed again at the end, and the names of what failed in the last lines.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$1
shift
first=()
if [[ " $* " = *' -- '* ]]; then
	while [ "$1" != -- ]; do
		first+=("$1")
		shift
	done
	shift
fi
rest=("$@")
# By place; a place without a process is free. The bash of macOS, 3.2, has neither wait -n nor
# other indices.
pid=() part=() from=()
times=
logs=$(mktemp -d)

# Nobody debugs what they build: without what debuggers read, compiling takes a seventh less, and without a table of
# symbols, which stacks of Go do not need, linking takes a fifth less. A compiler that has a processor for itself, and
# collects its garbage only where it has much, takes a quarter less. The rest compiles and tests one package at a time:
# more would wait for processors.
flags="-gcflags=all=-dwarf=false -ldflags=-s '-toolexec=env GOGC=off GOMEMLIMIT=600MiB GOMAXPROCS=1'${GOFLAGS:+ $GOFLAGS}"

end() {
	local place
	for ((place = 0; place < jobs; place++)); do
		[ -z "${pid[place]:-}" ] || kill -- "-${pid[place]}" 2>/dev/null || true
	done
	rm -rf "$logs"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
set -m # each target is a process group, which can be ended

# run TARGET COMMAND...: makes it through the command, and notes the seconds of processors that it takes.
run() {
	{
		TIMEFORMAT='%U + %S'
		{ time "${@:2}" "${MAKE:-make}" --no-print-directory "$1" 2>&1 </dev/null; } 2>"$logs/$1.cpu"
	} | tee "$logs/$1" |
		awk -v part="$1" '{ print part ": " $0; fflush() }'
}

# why TARGET: prints what it said about its failure.
why() {
	grep -nE -A 20 -- '--- FAIL|^panic:|fatal error:|DATA RACE|build failed|setup failed|signal: |rror: ' "$logs/$1" | cut -c 1-300 | head -n 60 || true
}

# names TARGET: the tests and packages that failed, or its last lines if it says of none.
names() {
	grep -E -- '--- FAIL|^FAIL.|^panic:|DATA RACE' "$logs/$1" | cut -c 1-200 | head -n 20 | grep . || tail -n 10 "$logs/$1"
}

# leave PLACE: waits for the target there.
leave() {
	local status=0
	wait "${pid[$1]}" || status=$?
	local took=$((SECONDS - from[$1]))
	if [ $status != 0 ]; then
		echo "== ${part[$1]}: FAILED after $took seconds:"
		why "${part[$1]}"
		echo "== ${part[$1]}: what failed:"
		names "${part[$1]}"
		exit 1
	fi
	echo "== ${part[$1]}: passed in $took seconds, $(awk '{ printf "%.0f", $1 + $3 }' "$logs/${part[$1]}.cpu") of processors"
	times+="${part[$1]} $took, "
	pid[$1]=
}

# await sets place to one that is free, or says that all are.
await() {
	local taken
	while true; do
		taken=0
		for ((place = 0; place < jobs; place++)); do
			if [ -n "${pid[place]:-}" ]; then
				if kill -0 "${pid[place]}" 2>/dev/null; then
					taken=$((taken + 1))
					continue
				fi
				leave "$place"
			fi
			[ "$1" != one ] || return 0
		done
		[ $taken != 0 ] || return 0
		sleep 0.2
	done
}

# begin TARGET COMMAND...: makes it in the free place.
begin() {
	echo "== $1"
	run "$@" &
	pid[place]=$! part[place]=$1 from[place]=$SECONDS
}

while [ ${#first[@]} != 0 ] || [ ${#rest[@]} != 0 ]; do
	await one
	if [ ${#first[@]} != 0 ] && { [ "$place" = 0 ] || [ ${#rest[@]} = 0 ]; }; then
		begin "${first[0]}" env GOFLAGS="$flags"
		first=("${first[@]:1}")
	else
		begin "${rest[0]}" nice env GOFLAGS="-p=1 $flags"
		rest=("${rest[@]:1}")
	fi
done
await all
echo "== all passed in $SECONDS seconds (${times%, })"
