#!/usr/bin/env bash
# Runs the tests of ROSS or of CODES twice, with ROSS and with the library of this module, and compares what they do:
# whether each passes, how many events each run commits, and the files that models write. CODES also has runs of its
# networks, whose events are compared one by one.
#
#	tools/contract.sh ross|codes [FOLDER]
#
# FOLDER keeps sources and builds for the next time; without it there is a temporary one. It prints a line for each step
# and test, then the tables of docs/c-models.md. What may differ, and why, is in tools/contract/known.txt. The status is
# 1 if something else differs, if a known difference does not appear, or if the sources are no longer those it names.
#
# ROSS_SOURCE and CODES_SOURCE name repositories other than those of github.com: an address, or a folder. JOBS is how
# many compilers run at once (all processors), LIMIT the seconds after which a test has failed (300), and TESTS=REGEX
# leaves out tests and runs with other names, and then the known differences that do not appear.
set -euo pipefail
cd "$(dirname "$0")/.."

# The versions that are compared. docs/codes.md names them, too.
ross_commit=dc3a6a056cfc7a5e68f7141f88d8833407599ef8  # 23 June 2026, 8.1.1
codes_commit=a5958cfaee6dcc73a98d084005e3412da773fb35 # 19 July 2026

suite=${1:-}
case $suite in
ross | codes) ;;
*)
	echo "tools/contract.sh: give ross or codes, and the folder that keeps builds if you like: tools/contract.sh ross ../contract" >&2
	exit 2
	;;
esac
fail() {
	echo "tools/contract.sh: $*" >&2
	exit 2
}
for need in git:git cmake:cmake ctest:cmake make:make flex:flex bison:bison pkg-config:pkg-config mpicc:libopenmpi-dev \
	mpirun:openmpi-bin envsubst:gettext-base "${GO:-go}:golang"; do
	command -v "${need%:*}" >/dev/null || fail "${need%:*} is missing: apt-get install ${need##*:}"
done
jobs=${JOBS:-$(nproc)}
# shellcheck disable=SC2034 # compare.bash looks at them
limit=${LIMIT:-300} only=${TESTS:-}
if [ $# -gt 1 ]; then
	mkdir -p "$2"
	folder=$(cd "$2" && pwd)
else
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 # more ranks than processors
export DONT_DELETE_TEST_DIR=1         # CODES's tests leave their files

say() { echo "contract: $*"; }

# logged NAME COMMAND...: runs it with its output in a file, whose end is shown if it fails.
logged() {
	local log=$folder/logs/$1.log
	shift
	mkdir -p "${log%/*}"
	"$@" >"$log" 2>&1 </dev/null || {
		tail -n 20 "$log" >&2
		fail "this has failed: $*: see $log"
	}
}

# source_of NAME ADDRESS COMMIT: the sources at this commit in FOLDER/NAME.
source_of() {
	local to=$folder/$1
	if [ "$(git -C "$to" rev-parse HEAD 2>/dev/null)" != "$3" ] || [ -n "$(git -C "$to" status --porcelain)" ]; then
		say "$1: getting $3 from $2"
		rm -rf "$to"
		git init -q "$to"
		git -C "$to" fetch -q --depth=1 "$2" "$3" || fail "$2 has no commit $3: set ${1^^}_SOURCE to a repository that has it"
		git -C "$to" -c advice.detachedHead=false checkout -q FETCH_HEAD
	fi
}

# build NAME SOURCE OPTION...: cmake and make, in FOLDER/NAME.
build() {
	local name=$1 from=$2
	shift 2
	say "building $name"
	CC=mpicc CXX=mpicxx logged "$name" cmake -S "$from" -B "$folder/$name" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON "$@"
	logged "$name" make -C "$folder/$name" -j "$jobs"
	# What runs on a busy machine may need longer than its authors thought; LIMIT ends it.
	find "$folder/$name" -name CTestTestfile.cmake -exec sed -i -E 's/ TIMEOUT "?[0-9]+"?//' {} +
}

source_of ross "${ROSS_SOURCE:-https://github.com/ROSS-org/ROSS.git}" "$ross_commit"
build ross-build "$folder/ross" -DROSS_BUILD_MODELS=ON -DROSS_BUILD_TESTING=ON "-DCMAKE_INSTALL_PREFIX=$folder/ross-installed"
logged ross-install make -C "$folder/ross-build" install
say "building the library"
MPI=1 logged library tools/libross.sh "$folder/library" static
logged rossreader "${GO:-go}" build -o "$folder/rossreader" ./cmd/rossreader

if [ "$suite" = ross ]; then
	# The models and tests of ROSS, with the library instead of ROSS.
	mkdir -p "$folder/ross-models"
	cat >"$folder/ross-models/CMakeLists.txt" <<-CMAKE
		cmake_minimum_required(VERSION 3.16)
		project(contract LANGUAGES C)
		find_package(ROSS REQUIRED)
		enable_testing()
		set(ROSS_BUILD_TESTING ON)
		add_subdirectory($folder/ross/tests tests)
		add_subdirectory($folder/ross/models models)
	CMAKE
	# shellcheck disable=SC2034 # the same
	theirs=$folder/ross-build ours=$folder/ross-with-library
	build ross-with-library "$folder/ross-models" "-DCMAKE_PREFIX_PATH=$folder/library"
	# shellcheck disable=SC2034 # the same
	commit=$ross_commit
else
	source_of codes "${CODES_SOURCE:-https://github.com/codes-org/codes.git}" "$codes_commit"
	# shellcheck disable=SC2034 # the same
	theirs=$folder/codes-with-ross ours=$folder/codes-with-library
	build codes-with-ross "$folder/codes" "-DCMAKE_PREFIX_PATH=$folder/ross-installed"
	build codes-with-library "$folder/codes" "-DCMAKE_PREFIX_PATH=$folder/library" \
		-DCMAKE_C_FLAGS=-DROSS_REFUSE_AT_CALL -DCMAKE_CXX_FLAGS=-DROSS_REFUSE_AT_CALL
	# shellcheck disable=SC2034 # the same
	commit=$codes_commit
fi

# shellcheck source=tools/contract/compare.bash
. tools/contract/compare.bash
compare_all
