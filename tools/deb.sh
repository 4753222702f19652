#!/usr/bin/env bash
# Builds a package for Debian and its like, of the library for C models (tools/libross.sh) and rossreader, for the
# processor of this machine: bin/deb/ross-dev_VERSION_ARCH.deb. As root it can be tried:
#
#	tools/deb.sh          build it; the same sources and compilers give the same bytes
#	tools/deb.sh try      ask lintian if it is there, install the package, compile a model in each way, run it, and purge it
#
# The maintainer is who builds it: DEBFULLNAME and DEBEMAIL, or what git knows.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
fail() {
	echo "deb: error: $*" >&2
	exit 1
}
command -v dpkg >/dev/null || fail "there is no dpkg: build packages on Debian or its like"
number=$(sed -n 's/^const Ross = "go-\(.*\)"$/\1/p' internal/sys/buildinfo/buildinfo.go)
arch=$(dpkg --print-architecture)
triplet=$(${CC:-cc} -print-multiarch)
package=bin/deb/ross-dev_${number}_$arch.deb

build() {
	local name mail root built=bin/deb/root
	name=${DEBFULLNAME:-$(git config user.name || true)} mail=${DEBEMAIL:-$(git config user.email || true)}
	[[ -n $name && -n $mail ]] || fail "who is the maintainer? set DEBFULLNAME and DEBEMAIL"
	# The time of what is in it: that of the commit, or of the changelog where there is no repository.
	: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)}"
	export SOURCE_DATE_EPOCH
	rm -rf "$built"
	mkdir -p "$built"/usr/{bin,share/man/man1,share/doc/ross-dev}
	root=$PWD/$built
	echo "deb: library"
	LIBDIR=lib/$triplet tools/libross.sh "$root/usr"
	echo "deb: rossreader"
	CGO_ENABLED=0 "$go" build -trimpath -buildvcs=false -ldflags=-s -o "$root/usr/bin/" ./cmd/rossreader
	echo "deb: manual pages, changelog, copyright"
	"$root/usr/bin/rossreader" man | gzip -9n >"$root/usr/share/man/man1/rossreader.1.gz"
	gzip -9nc tools/deb/ross-cc.1 >"$root/usr/share/man/man1/ross-cc.1.gz"
	strip --strip-unneeded "$root/usr/lib/$triplet/libROSS.so.$number"
	strip --strip-debug --enable-deterministic-archives "$root/usr/lib/$triplet/libROSS.a"
	{
		printf 'ross-dev (%s) unstable; urgency=medium\n\n' "$number"
		printf '  * https://github.com/ross-go/ross/blob/main/CHANGELOG.md says what is new.\n\n'
		printf ' -- %s <%s>  %s\n' "$name" "$mail" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
	} | gzip -9nc >"$root/usr/share/doc/ross-dev/changelog.gz"
	{
		printf 'Upstream-Name: ross\nSource: https://github.com/ross-go/ross\n\nFiles: *\nLicense: BSD-3-clause\n\n'
		cat LICENSE
		printf '\nModules of others that are linked, with their licences:\n\n'
		sed -n '/^## The core/,/^## Developers/{/^| [a-z]/p;}' LICENSES.md
		printf '\nThe text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n'
	} >"$root/usr/share/doc/ross-dev/copyright"
	glibc=$(readelf -V "$root/usr/lib/$triplet/libROSS.so.$number" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
	mkdir -p "$root/usr/share/lintian/overrides"
	cat >"$root/usr/share/lintian/overrides/ross-dev" <<'OVERRIDES'
# One package has the library for development and at run time: models are linked with the static one.
ross-dev: package-name-doesnt-match-sonames *
ross-dev: link-to-shared-library-in-wrong-package *
ross-dev: lacks-ldconfig-trigger *
# It tells dpkg-shlibdeps on what other packages of Debian depend. There are none that are made with it.
ross-dev: no-shlibs *
# Programs of Go need no library.
ross-dev: statically-linked-binary *
# What is here is no package of Debian, and closes none of its bugs.
ross-dev: initial-upload-closes-no-bugs *
OVERRIDES
	find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	cat >bin/deb/nfpm.yaml <<YAML
name: ross-dev
arch: $arch
version: "$number"
version_schema: none
maintainer: "$name <$mail>"
section: libdevel
priority: optional
homepage: https://github.com/ross-go/ross
description: |
  library for C models of ROSS on the engine of ross-go
  Models of ROSS, written in C or C++, run as parallel discrete-event
  simulations with Time Warp: on the threads of one process, or on several
  processes of one machine. Neither ROSS nor MPI is needed. The package has
  headers, libraries, the compiler driver ross-cc, and rossreader, which
  reads what runs write.
depends:
  - libc6 (>= ${glibc#GLIBC_})
recommends:
  - gcc | c-compiler
  - libc6-dev
suggests:
  - cmake
  - pkg-config
contents:
  - src: $root/usr
    dst: /usr
    type: tree
deb:
  compression: xz
  triggers:
    activate_noawait:
      - ldconfig
YAML
	"$(GOWORK=off "$go" tool -modfile=tools/deb.mod -n nfpm)" package -f bin/deb/nfpm.yaml -p deb -t "$package" >/dev/null
	echo "deb: $package: $(stat -c %s "$package") bytes, sha256 $(sha256sum "$package" | cut -d' ' -f1)"
}

# play PROGRAM: runs PHOLD, and requires the events that it has.
play() {
	"$1" --synch=3 --pes=2 --nlp=8 --end=100 --lookahead=0.1 >play.log 2>&1 || true
	if ! grep -q '^received 851$' play.log; then
		cat play.log >&2
		fail "$1: this is not what PHOLD does"
	fi
	echo "deb: $1: received 851"
}

try() {
	[ "$(id -u)" = 0 ] || fail "only root can install a package"
	[ -e "$package" ] || fail "$package is missing: run tools/deb.sh first"
	local model=$PWD/csrc/libross/testdata/phold.c work
	if command -v lintian >/dev/null; then
		lintian --allow-root --fail-on error,warning "$package"
		echo "deb: lintian: no errors, no warnings"
	else
		echo "deb: lintian is not installed: not looked at"
	fi
	work=$(mktemp -d)
	# shellcheck disable=SC2064 # as it is now
	trap "cd /; dpkg --purge ross-dev >/dev/null 2>&1; rm -rf '$work'" EXIT
	dpkg -i "$package"
	cd "$work"
	ross-cc -O2 "$model" -o by-ross-cc
	play ./by-ross-cc
	if command -v pkg-config >/dev/null; then
		# shellcheck disable=SC2046 # these are words
		"${CC:-cc}" -O2 "$model" -o by-pkg-config $(pkg-config --cflags --libs ross)
		ldd by-pkg-config | grep "libROSS.so.* => /.*$triplet" >/dev/null || fail "ldconfig does not know the shared library"
		play ./by-pkg-config
	fi
	if command -v cmake >/dev/null; then
		printf '%s\n' 'cmake_minimum_required(VERSION 3.10)' 'project(model C)' 'find_package(ROSS 0.1 REQUIRED)' \
			"add_executable(by-cmake $model)" 'target_link_libraries(by-cmake PRIVATE ROSS::ROSS)' >CMakeLists.txt
		cmake -S . -B build && cmake --build build
		play build/by-cmake
	fi
	rossreader version | head -2
	for page in ross-cc rossreader; do
		[ -e "/usr/share/man/man1/$page.1.gz" ] || fail "there is no manual page of $page"
	done
	dpkg --purge ross-dev
	[ -z "$(ls -d /usr/bin/ross-cc "/usr/lib/$triplet"/libROSS* /usr/include/ross* 2>/dev/null)" ] ||
		fail "purging leaves files"
	echo "deb: installed, used and purged"
}

case ${1:-} in
'') build ;;
try) try ;;
*)
	echo "usage: tools/deb.sh [try]" >&2
	exit 2
	;;
esac
