#!/usr/bin/env bash
# Runs each fuzz target in some folders for a while: tools/fuzz.sh 3000x FOLDER...
#
# GO and TIMEOUT are as in the Makefile. Fuzzing is counted in executions: a limit in seconds
# makes go test 1.26 fail now and then with "context deadline exceeded" (go.dev/issue/75804).
set -euo pipefail
cd "$(dirname "$0")/.."

time=$1
shift
grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' "$@" | while IFS=: read -r file target; do
	folder=./$(dirname "$file")
	target=${target#func }
	echo "fuzz: $target in $folder"
	"${GO:-go}" test -vet=off -timeout "${TIMEOUT:-10m}" -run '^$' -fuzz "^$target\$" -fuzztime "$time" \
		-fuzzminimizetime 100x "$folder" </dev/null
done
