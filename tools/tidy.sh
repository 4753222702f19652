#!/usr/bin/env bash
# Runs go mod tidy in all modules of this repository, with the others as they are here: go mod tidy knows nothing of
# go.work, and the version that they require of each other may not be released yet.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

# path_of FOLDER: the path of the module there.
path_of() { sed -n 's/^module //p' "$1/go.mod"; }

# The go.mod of a template names only what its user starts with: go mod tidy there is the user's first command.
folders=($(sed -nE '/template$/!s,^\t(\.[^ ]*)$,\1,p' go.work))
for folder in "${folders[@]}"; do
	echo "tidy: $folder"
	cp "$folder/go.mod" "$own/go.mod"
	cp "$folder/go.sum" "$own/go.sum"
	for other in "${folders[@]}"; do
		[ "$other" = "$folder" ] || "$go" mod edit -replace "$(path_of "$other")=$PWD/$other" "$own/go.mod"
	done
	GOWORK=off "$go" mod tidy -C "$folder" -modfile "$own/go.mod"
	for other in "${folders[@]}"; do
		"$go" mod edit -dropreplace "$(path_of "$other")" "$own/go.mod"
	done
	cp "$own/go.mod" "$folder/go.mod"
	cp "$own/go.sum" "$folder/go.sum"
done
GOWORK=off "$go" mod tidy -C tools
