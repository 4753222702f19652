#!/usr/bin/env bash
# Runs go mod tidy in all modules of this repository, with the others as they are here: go mod tidy knows nothing of
# go.work, and the version that they require of each other may not be released yet.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
module=github.com/ross-go/ross
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

for folder in . program/parts models cmd/rossreader cmd/rossvet bench docs; do
	echo "tidy: $folder"
	cp "$folder/go.mod" "$own/go.mod"
	cp "$folder/go.sum" "$own/go.sum"
	for other in . program/parts models; do
		[ "$other" = "$folder" ] && continue
		path=$module
		[ "$other" = . ] || path=$module/$other
		"$go" mod edit -replace "$path=$PWD/$other" "$own/go.mod"
	done
	GOWORK=off "$go" mod tidy -C "$folder" -modfile "$own/go.mod"
	for other in . program/parts models; do
		path=$module
		[ "$other" = . ] || path=$module/$other
		"$go" mod edit -dropreplace "$path" "$own/go.mod"
	done
	cp "$own/go.mod" "$folder/go.mod"
	cp "$own/go.sum" "$folder/go.sum"
done
GOWORK=off "$go" mod tidy -C tools
