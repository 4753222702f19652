#!/usr/bin/env bash
# Builds all programs twice, in folders with different names and with compilers' caches that are
# empty, and compares them byte by byte: the same sources and the same Go and C compilers have to give
# the same programs. It prints their SHA-256.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

# copy FOLDER: copies the sources to FOLDER/src.
copy() {
	mkdir -p "$1/src" "$1/bin"
	tar -cf - --exclude=./.git --exclude=./bin . | tar -xf - -C "$1/src"
}

# programs FOLDER: builds them in FOLDER/bin.
programs() {
	GOCACHE=$1/cache "$go" -C "$1/src" build -trimpath -buildvcs=false -o "$1/bin/" ./models/... ./cmd/rossreader
	rm -rf "$1/cache" "$1/src"
}

# sum FILE...: prints their SHA-256.
sum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

copy "$own/one"
copy "$own/another/place" # before anything is built: sources may be edited meanwhile
programs "$own/one"
programs "$own/another/place"
different=0
for program in "$own"/one/bin/*; do
	name=${program##*/}
	cmp "$program" "$own/another/place/bin/$name" || different=$((different + 1))
done
(cd "$own/one/bin" && sum ./*)
if [ "$different" != 0 ]; then
	echo "reproducible: error: $different programs differ: see what of the folder or the environment they contain (strings, go version -m)"
	exit 1
fi
echo "reproducible: two builds of $(ls "$own/one/bin" | wc -l) programs are the same, cgo $("$go" env CGO_ENABLED)"
