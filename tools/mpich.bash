# shellcheck shell=bash
# What Go builds with MPICH need: tools/mpi.sh and tools/cluster.sh source it, after tools/need.sh mpich.
#
# Go's build cache does not know what pkg-config said, but keeps builds with other C flags apart; and gcc 12 warns of
# MPI_STATUSES_IGNORE in MPICH's headers, by a warning that clang does not know.
export PKG_CONFIG_PATH=$PWD/bin/pkgconfig:${PKG_CONFIG_PATH:-}
export CGO_CFLAGS="-O2 -g -Wno-stringop-overflow -Wno-unknown-warning-option"
