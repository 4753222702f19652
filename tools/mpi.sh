#!/usr/bin/env bash
# Builds and tests with MPI, which it gets where it is missing:
#
#	tools/mpi.sh openmpi|mpich build     all packages, and the models into bin/
#	tools/mpi.sh openmpi|mpich test PACKAGE...   the tests that run under mpirun, and those of the packages under ASan,
#	                                     in the build that these have
#	tools/mpi.sh openmpi|mpich models    those of the models alone, and some runs with AddressSanitizer
#	tools/mpi.sh openmpi|mpich short     some of both, in one build
#
# Where both are installed, mpirun is that of Open MPI, and MPICH's is mpirun.mpich.
# GO, TIMEOUT and LEAN are as in the Makefile.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
LEAN=${LEAN:-}
tests=("$go" test -vet=off -timeout "${TIMEOUT:-10m}")
packages=(./csrc ./internal/ranks/mpi ./internal/ranks ./internal/ranks/world)
models=(./models/mpitest)
programs=(./models/mpitest/testdata/*/)

tools/need.sh "$1"
if [ "$1" = mpich ]; then
	# shellcheck source=tools/mpich.bash
	. tools/mpich.bash
	if command -v mpirun.mpich >/dev/null; then
		mkdir -p bin/mpich
		printf '#!/bin/sh\nexec mpirun.mpich "$@"\n' >bin/mpich/mpirun # it looks for others beside itself
		chmod +x bin/mpich/mpirun
		PATH=$PWD/bin/mpich:$PATH
	fi
fi

check() {
	"$go" vet -tags mpi "$@"
	tools/tool.sh staticcheck -tags mpi "$@"
}

# models LEVEL FLAG...: the tests of the models, whose programs are built with flags. They wait for
# mpirun most of the time.
models() {
	ROSS_TEST=$1 ROSS_MPITEST_BUILD="${*:2}" "${tests[@]}" -count=1 -parallel 4 -tags mpi "${models[@]}"
}

case ${2:-} in
build)
	mkdir -p bin
	set -x
	"$go" build -tags mpi work
	"$go" build -tags mpi -o bin/ ./models/...
	exit
	;;
test)
	check "${packages[@]}" ./csrc/libross "${models[@]}" "${programs[@]}"
	"${tests[@]}" -tags mpi "${packages[@]}"
	[ "$1" = mpich ] || ROSS_TEST=few "${tests[@]}" -tags mpi ./csrc/libross # C models; the library is for Open MPI
	ROSS_TEST=few "${tests[@]}" -asan $LEAN -tags mpi,invariants,nolive "${packages[@]}"
	GOMAXPROCS=1 ROSS_TEST=least "${tests[@]}" -asan $LEAN -tags mpi,invariants,nolive "${@:3}"
	;;
short)
	ROSS_TEST=least "${tests[@]}" -tags mpi ./internal/ranks/mpi
	ROSS_TEST=few "${tests[@]}" -tags mpi ./internal/ranks ./internal/ranks/world
	models least -tags=mpi,nolive -ldflags=-s
	exit
	;;
models)
	check "${models[@]}" "${programs[@]}"
	;;
*)
	echo "usage: tools/mpi.sh openmpi|mpich build|test|models|short" >&2
	exit 2
	;;
esac
models some -tags=mpi -ldflags=-s
if [ "$2" = models ]; then
	models least -asan $LEAN -tags=mpi,invariants,nolive
fi
