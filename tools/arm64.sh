#!/usr/bin/env bash
# Whether results depend on the processor: those of floating-point functions and draws, and the digests
# of models, as they are here, on x86-64 without FMA, and on arm64, whose compiler joins multiplications
# with additions. qemu plays that. Then tests of the engine on arm64, with its C code:
#
#	tools/arm64.sh LEVEL PACKAGE...
#
# LEVEL is that of ROSS_TEST. Without cgo all of it runs on the Go twins. GO, TIMEOUT and LEAN are as in
# the Makefile.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
level=$1
shift
models=(phold stress queueing fabric)
[ "$level" = least ] || models+=(runway market)

# build FOLDER FLAG...: the programs, for the processor of GOARCH.
build() {
	mkdir "$out/$1"
	"$go" build "${@:2}" -tags nolive -o "$out/$1/" ./internal/testing/samebits "${models[@]/#/./models/}" \
		./proc/internal/gates
}

# results FOLDER COMMAND...: prints them.
results() {
	local model options
	"${@:2}" "$out/$1/samebits" <internal/num/libm/testdata/bits.txt
	for model in "${models[@]}"; do
		options=(--digest --end=200)
		case $model in
		phold) options+=(--nlp=64 --lookahead=0.1 --remote=0.5) ;;
		stress) options+=(--end=30) ;;
		esac
		digests "$model, sequential" "${@:2}" "$out/$1/$model" "${options[@]}" --synch=1
		if [ "$model" = stress ]; then
			digests "$model, optimistic" "${@:2}" "$out/$1/$model" "${options[@]}" --synch=3 --pes=2
		fi
	done
	digests "processes, sequential" "${@:2}" "$out/$1/gates" --digest --synch=1
	digests "processes, optimistic" "${@:2}" "$out/$1/gates" --digest --synch=3 --pes=2
}

# digests NAME COMMAND...: prints the two digests of a run.
digests() {
	"${@:2}" | awk -v name="$1" '/Digest  /{ print name ":", $0; n++ } END { exit n != 2 }'
}

# same WHERE FOLDER COMMAND...: compares them.
same() {
	results "${@:2}" >"$out/got"
	diff "$out/want" "$out/got" | head -n 20 || {
		echo "test-arm64: error: results depend on the processor (< $here, > $1)"
		exit 1
	}
	echo "$1: the same $(wc -l <"$out/got") lines of results"
}

here=$("$go" env GOARCH)
cgo=$("$go" env CGO_ENABLED)
CGO_ENABLED=0 build here
results here env >"$out/want"
tail -n 12 "$out/want"
if [ "$here" = amd64 ]; then
	same "amd64 without FMA" here env GODEBUG=cpu.fma=off
fi
if [ "$here" = arm64 ]; then
	exit # where test-go runs the tests
fi

tools/need.sh qemu
export GOARCH=arm64 CGO_ENABLED=$cgo
if [ "$cgo" = 1 ]; then
	tools/need.sh arm64-gcc
	export CC=aarch64-linux-gnu-gcc QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
fi
build arm64 ${LEAN:-}
same "arm64, cgo $cgo" arm64 qemu-aarch64
# What was recorded here is what the program for arm64 gives, and rossreader says so.
env -u GOARCH -u CC "$go" build -o "$out/" ./cmd/rossreader
for model in queueing stress; do
	"$out/here/$model" --end="$([ $model = stress ] && echo 30 || echo 200)" --synch=1 --record=lps --statistics=2 --stats-path="$out/recorded" --report-path= >/dev/null
	"$out/rossreader" verify --other-version --program="$out/arm64/$model" --exec=qemu-aarch64 --with=--synch=1 \
		--with='--synch=3 --pes=2' "$out/recorded"
	rm -r "$out/recorded"
done
# shellcheck disable=SC2086 # LEAN is a flag, or nothing
ROSS_TEST=$level "$go" test -vet=off -timeout "${TIMEOUT:-10m}" -tags nolive ${LEAN:-} -exec qemu-aarch64 "$@"
