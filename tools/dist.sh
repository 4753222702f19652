#!/usr/bin/env bash
# Builds what a release has besides the modules: in bin/dist, archives of rossreader and phold for each system, the
# software bill of materials, and the SHA-256 of all. The same sources and the same Go give the same archives, on any
# machine: nothing is compiled by a C compiler.
#
#	tools/dist.sh [SYSTEM...]           for all systems, or for some, such as linux/amd64
#	tools/dist.sh twice [SYSTEM...]     build the archives in another folder with empty caches as well, and compare
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
number=$(sed -n 's/^const Ross = "go-\(.*\)"$/\1/p' internal/sys/buildinfo/buildinfo.go)

fail() {
	echo "dist: error: $*" >&2
	exit 1
}

# sum FILE...: prints their SHA-256.
sum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# archives SYSTEM...: writes those of the programs.
archives() {
	local system name
	rm -rf bin/dist
	mkdir -p bin/dist
	for system; do
		name=ross-$number-${system%/*}-${system#*/}
		echo "dist: $name"
		mkdir "bin/dist/$name"
		CGO_ENABLED=0 GOOS=${system%/*} GOARCH=${system#*/} GOAMD64=v1 GOARM64=v8.0 GOFLAGS='' "$go" build -trimpath \
			-buildvcs=false -ldflags=-s -o "bin/dist/$name/" ./cmd/rossreader ./models/phold ||
			fail "$system: see above; go tool dist list has all systems"
		cp LICENSE LICENSES.md CHANGELOG.md "bin/dist/$name/"
		tools/tool.sh release pack "bin/dist/$name" "bin/dist/$name.tar.gz"
		rm -r "bin/dist/$name"
	done
}

# sums: writes those of what is in bin/dist.
sums() { (cd bin/dist && sum ./*.* | sed 's, \./, ,' >SHA256SUMS && cat SHA256SUMS); }

what=all
case ${1:-} in
twice | archives)
	what=$1
	shift
	;;
esac
systems=("$@")
[ $# != 0 ] || systems=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64)
[ -n "$number" ] || fail "internal/sys/buildinfo/buildinfo.go has no version"
archives "${systems[@]}"
if [ "$what" = archives ]; then # the second time
	sums
	exit
fi
if [ "$what" = twice ]; then
	own=$(mktemp -d)
	trap 'rm -rf "$own"' EXIT
	mkdir "$own/another place"
	tar -cf - --exclude=./.git --exclude=./bin . | tar -xf - -C "$own/another place"
	GOCACHE=$own/cache "$own/another place/tools/dist.sh" archives "${systems[@]}" >"$own/sums"
	diff <(sums) <(grep '\.gz$' "$own/sums") ||
		fail "two builds differ: see what of the folder or the environment they contain (strings, go version -m)"
	echo "dist: two builds of ${#systems[@]} archives are the same"
fi
tools/sbom.sh
cp bin/ross.cdx.json "bin/dist/ross-$number.cdx.json"
sums
