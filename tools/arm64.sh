#!/usr/bin/env bash
# Whether results depend on the processor: those of floating-point functions and draws, and the digests
# of models, as they are here, on x86-64 without FMA, and on arm64, whose compiler joins multiplications
# with additions. qemu plays that.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
models=(phold stress queueing runway fabric market)

# build FOLDER: the programs, for the processor of GOARCH, without C.
build() {
	mkdir "$out/$1"
	CGO_ENABLED=0 "$go" build -tags nolive -o "$out/$1/" ./internal/samebits "${models[@]/#/./models/}"
}

# results FOLDER COMMAND...: prints them.
results() {
	local model options
	"${@:2}" "$out/$1/samebits" <internal/libm/testdata/bits.txt
	for model in "${models[@]}"; do
		options=(--synch=1 --digest --end=200)
		case $model in
		phold) options+=(--nlp=64 --lookahead=0.1 --remote=0.5) ;;
		stress) options+=(--end=30) ;;
		esac
		"${@:2}" "$out/$1/$model" "${options[@]}" | awk -v model="$model" '/Digest  /{ print model ":", $0; n++ } END { exit n != 2 }'
	done
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
build here
results here env >"$out/want"
tail -n 12 "$out/want"
if [ "$here" = amd64 ]; then
	same "amd64 without FMA" here env GODEBUG=cpu.fma=off
fi
if [ "$here" != arm64 ]; then
	tools/need.sh qemu
	GOARCH=arm64 build arm64
	same arm64 arm64 qemu-aarch64
fi
