#!/usr/bin/env bash
# Runs a tool that tools/go.mod names, in the current folder: those of others (staticcheck, govulncheck, benchstat, gonew)
# and the programs of this folder (licenses, mutants, prose, typecheck):
#
#	tools/tool.sh NAME ARGUMENT...
#	tools/tool.sh -n NAME              prints the path of the program instead
set -euo pipefail

path=false
if [ "$1" = -n ]; then
	path=true
	shift
fi
# tools is no module of the workspace, whose programs need not know what the tools require.
program=$(GOWORK=off "${GO:-go}" tool -C "$(dirname "$0")" -n "$1")
if $path; then
	echo "$program"
	exit
fi
exec "$program" "${@:2}"
