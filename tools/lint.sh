#!/usr/bin/env bash
# gofmt, deadlines of tests, which package imports which, which C file includes which header, prose (names of files,
# refused words), licences, known vulnerabilities, go vet and staticcheck:
#
#	tools/lint.sh PACKAGE...    for all builds; the packages are those that have to compile on another system too
#	tools/lint.sh usual         for the usual build, and without licences and vulnerabilities
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
export GOGC=400 # staticcheck and vet take a sixth less time
staticcheck=("$go" tool -modfile=tools/go.mod staticcheck)

# with 'TAG|TAG': the folders of files that only builds with one of the tags have. In other folders
# such a build has some of the files that ./... has.
with() {
	grep -rlE --include='*.go' "^//go:build(.*[^!])?\b($1)\b" . | xargs -n1 dirname | sort -u
}

asserted=($(with 'invariants|nolive')) # and ubsan below, so that test-invariants finds them compiled
twins=($(with purego))
alone=($(grep -rE --include='*.go' '^//go:build.*\bpurego\b' . | grep -v cgo | cut -d: -f1 | xargs -n1 dirname | sort -u))

unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
	echo "lint: run gofmt -w on:" "${unformatted//$'\n'/ }"
	exit 1
fi
deadlines=$(grep -rnE --include='*_test.go' 'context\.With(Timeout|Deadline)|\.Eventually\(|\.Never\(|time\.Since.*time\.(Second|Minute)' . | grep -v 'testkit\.Limit' || true)
if [ -n "$deadlines" ]; then
	echo "lint: error: a busy machine may need more time: wait until it is so, see testkit.Watch and Limit:"
	echo "$deadlines"
	exit 1
fi
tools/arrows.sh
tools/carrows.sh
# -code: words in the comments of Go and C as well.
if ! "$go" run -C tools ./prose -code ..; then
	echo "lint: error: prose: files that do not exist, or words of tools/words.txt; files of others go into tools/names.txt"
	exit 1
fi
# vet_rossvet looks at rossvet, which is a module of its own.
vet_rossvet() {
	"$go" vet -C rossvet ./...
	(cd rossvet && "$go" tool -modfile=../tools/go.mod staticcheck ./...)
}
# vet_template looks at template, a module that requires the main module alone (tools/licenses says so): so what it
# calls of others, models call too, and vulncheck.sh has looked at it.
vet_template() {
	local bin
	bin=$("$go" tool -n -modfile=tools/go.mod staticcheck)
	(cd template && export GOWORK=$PWD/../tools/template.work && "$go" vet ./... && "$bin" ./...)
	"$go" vet -C tools ./template
}

if [ "${1:-}" = usual ]; then
	set -x
	"$go" build ./...
	"$go" vet -tags browser ./...
	vet_rossvet
	vet_template
	"${staticcheck[@]}" -tags browser ./...
	exit
fi
if ! "$go" run -C tools ./licenses .. | diff LICENSES.md -; then
	echo "lint: error: LICENSES.md is not what go.mod, tools/go.mod and rossvet/go.mod require: run make licenses, and read what it changes"
	exit 1
fi
tools/vulncheck.sh ./...
"$go" run -C tools ./mutants -check ..
"$go" test -C tools ./prose
set -x
"$go" vet -tags browser ./... # the usual build, and the tests in a browser
vet_rossvet
vet_template
"$go" vet -tags invariants,ubsan,nolive "${asserted[@]}"
"$go" run -C tools ./typecheck .. darwin nolive "$@"
"${staticcheck[@]}" -tags browser ./...
"${staticcheck[@]}" -tags invariants,ubsan,nolive -tests=false "${asserted[@]}"
# Without cgo there are the files of -tags purego, and the standard library, which knows that tag too, is the usual one:
# only where a file asks for the tag alone is it given.
CGO_ENABLED=0 "${staticcheck[@]}" -tags invariants,nolive -tests=false "${twins[@]}"
"${staticcheck[@]}" -tags purego,nolive -tests=false "${alone[@]}"
