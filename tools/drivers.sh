#!/usr/bin/env bash
# Builds the programs of csrc/driver into bin/, each once for valgrind and once with
# AddressSanitizer and UndefinedBehaviorSanitizer (NAME_san), and runs them:
#
#	tools/drivers.sh            the latter, then the former under valgrind
#	tools/drivers.sh SEED...    the latter, once for each seed
#
# Those of ladder and AVL tree let memory calls fail, by GNU ld's --wrap.
set -euo pipefail
cd "$(dirname "$0")/.."

# valgrind 3.19 reads version 4 of DWARF, and not all of version 5.
compile="${CC:-$(go env CC)} -std=c11 -D_GNU_SOURCE -O1 -gdwarf-4 -Wall -Wextra -Wshadow -Werror=missing-prototypes"
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
wrap=(-Wl,--wrap={malloc,calloc,realloc,mmap,mprotect} -lm)

# driver NAME FILE...: both builds of a driver.
driver() {
	# shellcheck disable=SC2086 # the compiler may have options
	$compile -o "bin/$1" "${@:2}"
	# shellcheck disable=SC2086
	$compile $sanitize -o "bin/$1_san" "${@:2}"
}

mkdir -p bin
own=csrc/driver
mapfile -t queue < <(grep -L '^//go:build.*mpi' csrc/*.c)
driver ladder_driver "$own"/{ladder_driver,memory,world}.c "${queue[@]}" "${wrap[@]}" &
driver avl_driver "$own"/{avl_driver,memory}.c csrc/avl.c "${wrap[@]}" &
driver buddy_driver "$own"/buddy_driver.c csrc/buddy.c
for job in $(jobs -p); do
	wait "$job"
done

for name in {ladder,avl,buddy}_driver; do
	for seed in "$@"; do
		"bin/${name}_san" "$seed"
	done
	if [ $# = 0 ]; then
		"bin/${name}_san"
		valgrind -q --leak-check=full --error-exitcode=9 "bin/$name"
	fi
done
