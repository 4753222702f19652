#!/usr/bin/env bash
# Prints those packages whose tests another build changes, since they or what they import have
# files for one of its tags: tools/affected.sh 'TAG|TAG' PACKAGE...
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
module=$("$go" list .)
tagged=$(grep -rlE --include='*.go' "^//go:build.*\b($1)\b" . |
	xargs -n1 dirname | sort -u | sed "s,^\.,$module," | tr '\n' ' ')
"$go" list -tags nolive -test -f '{{if eq .Name "main"}}{{.ImportPath}} {{join .Deps " "}}{{end}}' "${@:2}" |
	awk -v tagged="$tagged" '
		BEGIN { split(tagged, list, " "); for (i in list) is[list[i]] }
		sub(/\.test$/, "", $1) { for (i = 1; i <= NF; i++) if ($i in is) { print $1; next } }'
