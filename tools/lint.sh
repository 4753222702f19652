#!/usr/bin/env bash
# gofmt, deadlines of tests, which package imports which, which C file includes which header, prose (names of files,
# refused words), links, exported names, licences, known vulnerabilities, go vet and staticcheck:
#
#	tools/lint.sh PACKAGE...    for all builds; the packages are those that have to compile on another system too
#	tools/lint.sh usual         for the usual build, and without licences and vulnerabilities
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
export GOGC=400 # staticcheck and vet take a sixth less time
staticcheck=(tools/tool.sh staticcheck)

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
# Packages are tested with the versions that each go.mod requires, and not with a later one that another module asks for.
taken=$(comm -23 <(sed -nE 's,^(require )?\t?([^ /]+\.[^ ]+) (v[^ ]+).*,\2 \3,p' go.mod {bench,cmd/*,docs,models,proc,program/parts}/go.mod | grep -v '^github.com/ross-go/' | sort -u) \
	<("$go" list -m -f '{{.Path}} {{.Version}}' all | sort))
if [ -n "$taken" ]; then
	echo "lint: error: the workspace takes other versions than some go.mod requires of:" "${taken//$'\n'/, }"
	exit 1
fi
# Texts are left as they are, so that they are found; what examples print, too.
wide=$(git ls-files '*.go' | grep -v -e testdata -e zz_proc.go | xargs awk 'FNR == 1 { raw = shown = 0 }
	/^[\t]*\/\// { if ($0 ~ /\/\/ ([Uu]nordered o|O)utput:/) shown = 1; if (shown) next }
	{
		shown = 0; line = $0; n = gsub(/`/, "`", line)
		if (!raw && n % 2 == 0) {
			gsub(/"([^"\\]|\\.)*"|`[^`]*`/, "\"\"", line)
			if (length(line) > 120) print FILENAME ":" FNR
		}
		raw = (raw + n) % 2
	}')
if [ -n "$wide" ]; then
	echo "lint: error: lines of more than 120 characters, without the texts in them:"
	echo "$wide"
	exit 1
fi
tools/arrows.sh
tools/carrows.sh
# -code: words in the comments of Go and C as well.
if ! tools/tool.sh prose -code .; then
	echo "lint: error: prose: files that do not exist, or words of tools/words.txt; files of others go into tools/names.txt"
	exit 1
fi
# What pkg.go.dev and GitHub show of it, and what others may call.
# shellcheck disable=SC2046 # folders are words
tools/tool.sh doclinks . $(tools/release.sh folders)
tools/tool.sh exports .
if [ "${1:-}" = usual ]; then
	set -x
	"$go" build work
	"$go" vet -tags browser work
	GOWORK=off "$go" vet -C tools ./... # a module that is not in the workspace
	"${staticcheck[@]}" -tags browser work
	exit
fi
if ! tools/tool.sh licenses . | diff LICENSES.md -; then
	echo "lint: error: LICENSES.md is not what the go.mod files require: run make licenses, and read what it changes"
	exit 1
fi
tools/vulncheck.sh work
tools/tool.sh mutants -check .
GOWORK=off "$go" test -C tools ./exports ./doclinks ./prose ./release
set -x
"$go" vet -tags browser work # the usual build, and the tests in a browser
GOWORK=off "$go" vet -C tools ./...
"$go" vet -tags invariants,ubsan,nolive "${asserted[@]}"
tools/tool.sh typecheck . darwin nolive "$@"
"${staticcheck[@]}" -tags browser work
"${staticcheck[@]}" -tags invariants,ubsan,nolive -tests=false "${asserted[@]}"
# Without cgo there are the files of -tags purego, and the standard library, which knows that tag too, is the usual one:
# only where a file asks for the tag alone is it given.
CGO_ENABLED=0 "${staticcheck[@]}" -tags invariants,nolive -tests=false "${twins[@]}"
"${staticcheck[@]}" -tags purego,nolive -tests=false "${alone[@]}"
