#!/usr/bin/env bash
# Releases all modules of this repository together, under one version:
#
#	tools/release.sh                     print the modules, and the version that they have
#	tools/release.sh dry-run VERSION     do all of it in a copy, and use what comes out as users do; nothing is pushed
#	tools/release.sh publish VERSION     dry-run, then set, commit, tag and push
#
# and the steps that these consist of:
#
#	tools/release.sh set VERSION         write a version, such as v0.2.0, wherever it stands, and the texts of a release
#	tools/release.sh check VERSION       list what is in the way, and fail if anything is
#	tools/release.sh tag                 tag the current commit, once for each module
#	tools/release.sh notes               print what CHANGELOG.md says of the version
#	tools/release.sh folders             print the folders of the modules
#	tools/release.sh scratch VERSION FOLDER
#	                                     release a copy of what is here: FOLDER/clone, pushed to FOLDER/origin, from which
#	                                     FOLDER/proxy is made, a module proxy of files
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

# tags prints those of all modules.
tags() {
	local folder
	for folder in "${released[@]}"; do tag_of "$folder"; done
}

# push REMOTE BRANCH: pushes the current commit and its tags, all or nothing.
# shellcheck disable=SC2046 # tags are words
push() { git push -q --atomic "$1" "HEAD:refs/heads/$2" $(tags | sed 's,.*,refs/tags/&,'); }

# clean: the commit is what is here.
clean() { [ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: commit them first"; }

# valid VERSION
valid() { [[ $1 =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$ ]] || fail "${1:-''}: no version: give one such as v0.2.0"; }

command=${1:-} version=${2:-$(own)}
case $command in
'')
	for folder in "${released[@]}"; do
		sed -n "s/^module \(.*\)/\1 $version/p" "$folder/go.mod"
	done
	;;
notes)
	awk -v heading="## [${version#v}]" 'index($0, heading) == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md
	;;
folders)
	echo "${released[@]}"
	;;
set)
	valid "${2:-}"
	sed -i.before "s/^const Ross = \"go-.*\"/const Ross = \"go-${version#v}\"/" "$source"
	rm "$source.before"
	for file in $(files); do
		sed -i.before -E "s,($module(/[a-z/]+)?) v[^ ]+,\1 $version," "$file"
		rm "$file.before"
	done
	tools/tool.sh release turn "$version" "$(date -u +%F)" .
	echo "release: $version is written: run the tests, commit, and run tools/release.sh tag"
	;;
check)
	valid "$version"
	others=$(versions | grep -v "^$version " || true)
	[ "$(own)" = "$version" ] || others+=$'\n'"$(own) $source"
	[ -z "$others" ] || fail "these do not have $version: run tools/release.sh set $version:"$'\n'"$others"
	for folder in "${released[@]}"; do
		grep -qE "^module $module(/${folder#.})?$" "$folder/go.mod" ||
			fail "$folder/go.mod: another module than its folder says"
	done
	tools/tool.sh release look "$version" . || fail "$version must not be released as long as these are there"
	;;
tag)
	clean
	tools/release.sh check "$version"
	for tag in $(tags); do
		[ -z "$(git tag -l "$tag")" ] || fail "$tag exists: set another version"
	done
	for tag in $(tags); do
		git tag -a -m "ross $version" "$tag"
	done
	echo "release: tagged; to push: git push --atomic origin HEAD:main $(tags | paste -sd ' ' -)"
	;;
scratch)
	valid "${2:-}"
	to=${3:?tools/release.sh: give an empty folder}
	mkdir -p "$to/clone"
	to=$(cd "$to" && pwd)
	[ -z "$(ls -A "$to/clone")" ] || fail "$to/clone: is not empty: give another folder"
	tar -cf - --exclude=./.git --exclude=./bin . | tar -xf - -C "$to/clone"
	cd "$to/clone"
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	git init -q -b main
	git config user.name release
	git config user.email release@localhost
	git add -A
	git commit -q -m 'what is here'
	tools/release.sh set "$version" >/dev/null
	[ -z "$(git status --porcelain)" ] || git commit -q -a -m "release: $version"
	tools/release.sh tag >/dev/null
	git init -q --bare -b main "$to/origin"
	push "$to/origin" main
	tools/tool.sh release proxy "$version" "$to/origin" "$to/proxy" "${released[@]}"
	tools/release.sh
	;;
dry-run)
	valid "${2:-}"
	own=$(mktemp -d)
	trap 'chmod -R u+w "$own" && rm -rf "$own"' EXIT
	echo "release: $version of what is here, in $own"
	tools/release.sh scratch "$version" "$own"
	ROSS_RELEASE=$own GOWORK=off "${GO:-go}" test -C tools -vet=off -count=1 -timeout 60m -v ./template
	echo "release: $version works; publish would do: git push --atomic origin HEAD:main $(tags | paste -sd ' ' -)"
	;;
publish)
	valid "${2:-}"
	clean
	[ "$(git rev-parse --abbrev-ref HEAD)" = main ] || fail "this is not the branch main: check it out first"
	[ "$(git ls-remote origin refs/heads/main | cut -f1)" = "$(git rev-parse HEAD)" ] ||
		fail "origin has another main: pull and push first"
	tools/release.sh dry-run "$version"
	tools/release.sh set "$version"
	[ -z "$(git status --porcelain)" ] || git commit -q -a -m "release: $version"
	tools/release.sh tag
	push origin main
	echo "release: $version is published; .github/workflows/release.yml adds the programs"
	;;
*)
	sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
