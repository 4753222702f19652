#!/usr/bin/env bash
# Releases all modules of this repository together, under one version:
#
#	tools/release.sh                 print the modules, and the version that they have
#	tools/release.sh set VERSION     write a version, such as v0.2.0, wherever it stands
#	tools/release.sh tag             tag the current commit, once for each module; nothing is pushed
#
# What is tagged is what was tested: the modules require each other at their own version, and go.work replaces that
# with the folders here, so that no line changes for a release. The other modules (bench, docs, tools) have no release.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/ross-go/ross
released=(. proc program/parts models cmd/rossproc cmd/rossreader cmd/rossvet program/template proc/template)
source=internal/sys/buildinfo/buildinfo.go

fail() {
	echo "release: error: $*" >&2
	exit 1
}

# files prints those in which the version of a module of this repository stands.
files() { git ls-files -- 'go.work' 'tools/*.work' '*go.mod' '*/go.work'; }

# own prints the version that programs have.
own() { sed -n 's/^const Ross = "go-\(.*\)"$/v\1/p' "$source"; }

# versions prints each version that stands somewhere, with the file.
versions() {
	local file
	for file in $(files); do
		sed -nE "s,^.*$module(/[a-z/]+)? (v[^ ]+).*,\2 $file,p" "$file"
	done
}

# tag_of FOLDER: the tag of the module there.
tag_of() { [ "$1" = . ] && echo "$version" || echo "$1/$version"; }

version=$(own)
case ${1:-} in
'')
	for folder in "${released[@]}"; do
		sed -n "s/^module \(.*\)/\1 $version/p" "$folder/go.mod"
	done
	;;
set)
	version=${2:-}
	[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$ ]] || fail "$version: no version: give one such as v0.2.0"
	sed -i.before "s/^const Ross = \"go-.*\"/const Ross = \"go-${version#v}\"/" "$source"
	rm "$source.before"
	for file in $(files); do
		sed -i.before -E "s,($module(/[a-z/]+)?) v[^ ]+,\1 $version," "$file"
		rm "$file.before"
	done
	echo "release: $version is written: run the tests, write CHANGELOG.md, commit, and run tools/release.sh tag"
	;;
tag)
	others=$(versions | grep -v "^$version " || true)
	[ -z "$others" ] || fail "these do not have $version: run tools/release.sh set $version:"$'\n'"$others"
	[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: commit them first"
	for folder in "${released[@]}"; do
		tag=$(tag_of "$folder")
		[ -z "$(git tag -l "$tag")" ] || fail "$tag exists: set another version"
	done
	for folder in "${released[@]}"; do
		git tag -a -m "ross $version" "$(tag_of "$folder")"
	done
	echo "release: tagged; git push --atomic origin" $(for folder in "${released[@]}"; do tag_of "$folder"; done)
	;;
*)
	echo "usage: tools/release.sh [set VERSION | tag]" >&2
	exit 2
	;;
esac
