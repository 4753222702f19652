#!/usr/bin/env bash
# The long tests, after the fuzzing: all cases of all tests, those of the engine and of the models under mpirun with the
# race detector, too, and with AddressSanitizer, reader and live view on the other builds, runs that are killed, C models of ROSS for an hour (ROSS_C_SOAK),
# functions of libm against C's, intervals of experiments, Slurm for root, the C drivers with
# many seeds, builds that must be the same, the check of vulnerabilities, and long runs in C and Go,
# sequential and optimistic, which must agree: tools/soak.sh END, with the models in bin/.
set -euo pipefail
cd "$(dirname "$0")/.."

end=$1
go=${GO:-go}
tests=("$go" test -vet=off -timeout "${TIMEOUT:-10m}")
has_c=$("$go" env CGO_ENABLED)

ROSS_KILLS=200 "${tests[@]}" -count=1 -run Killed ./models/phold
ROSS_LIBM=13 "${tests[@]}" -count=1 -run OfC ./internal/num/libm # 8 kinds of arguments: 10^8
ROSS_C_SOAK=${ROSS_C_SOAK:-1h} "$go" test -vet=off -timeout 0 -count=1 -run DigestsAgreeForLong ./csrc/libross
ROSS_EXPERIMENTS=2000 "${tests[@]}" -count=1 -run Nominal ./program/parts/experiment
ROSS_EXPERIMENTS=100 "${tests[@]}" -count=1 -run Nominal ./resource
"${tests[@]}" -count=1 work # all cases: of the library's, make test has few
if [ "$has_c" = 1 ]; then
	"${tests[@]}" -race ./internal/run ./program/parts/live ./cmd/...
	if [ "$(uname -s)" = Linux ]; then
		tools/need.sh openmpi
		"${MAKE:-make}" test-asan test-mpi-models
		ROSS_MPITEST_BUILD="-race -tags=mpi,nolive" "${tests[@]}" -count=1 -parallel 4 -tags mpi ./models/mpitest
	fi
fi
CGO_ENABLED=0 "${tests[@]}" ./program/parts/live ./cmd/...
if [ "$has_c" = 1 ] && [ "$(uname -s)" = Linux ]; then
	tools/need.sh valgrind
	tools/drivers.sh
	tools/drivers.sh {1..50}
	if [ "$(id -u)" = 0 ]; then
		tools/cluster.sh
	fi
fi
tools/reproducible.sh
tools/sbom.sh
if GOVULNDB=file://$PWD/tools/testdata/vulndb tools/vulncheck.sh ./rio; then
	echo "soak: error: tools/vulncheck.sh does not find the vulnerability of tools/testdata/vulndb"
	exit 1
fi

cd bin
# digest COMMAND...: what a run of a model committed.
digest() { "./$1" "${@:2}" --digest --end="$end" | grep 'Committed Event Digest'; }

for seed in {1..10}; do
	seeds=()
	for n in 1 2 3 4; do
		seeds+=("--rng-seed$n=$seed$n")
	done
	for run in "phold 4096 --start-events=4" "phold 64 --lookahead=0" "zerotie 512"; do
		read -r model lps options <<<"$run"
		# shellcheck disable=SC2206 # none of them, or some
		options=($options "${seeds[@]}")
		want=$(digest "$model" --nlp="$lps" "${options[@]}" --pq=go)
		for pes in 0 1 2 4; do
			how=--synch=1
			[ "$pes" = 0 ] || how="--synch=3 --pes=$pes"
			# shellcheck disable=SC2086
			got=$(digest "$model" --nlp=$((lps / (pes + !pes))) "${options[@]}" $how)
			echo "soak: $run, seeds $seed* $how:$got"
			if [ "$got" != "$want" ]; then
				echo "soak: --pq=go gives$want"
				exit 1
			fi
		done
	done
done
