#!/usr/bin/env bash
# gofmt, who imports whom, go vet and staticcheck, for all builds: tools/lint.sh PACKAGE..., those
# that are to be compiled for another system too. Without optimisation, since they are never run.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
staticcheck=("$go" tool -modfile=tools/go.mod staticcheck)
# The packages that have files for one of these tags only.
tagged=()
while read -r folder; do
	tagged+=("$folder")
done < <(grep -rlE --include='*.go' '^//go:build.*(purego|invariants|nolive)' . | xargs -n1 dirname | sort -u)

unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
	echo "lint: run gofmt -w on:" "${unformatted//$'\n'/ }"
	exit 1
fi
tools/arrows.sh
set -x
"$go" vet ./...
"$go" vet -tags invariants,nolive "${tagged[@]}"
CGO_ENABLED=0 GOOS=darwin "$go" vet -gcflags='all=-N -l' -tags nolive "$@"
"${staticcheck[@]}" ./...
"${staticcheck[@]}" -tags purego,invariants,nolive "${tagged[@]}"
