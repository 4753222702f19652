#!/usr/bin/env bash
# Gets what a target of the Makefile needs, where it is missing and may be installed:
#
#	tools/need.sh valgrind|chromium|qemu|arm64-gcc|openmpi|mpich|slurm
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
valgrind)
	there() { command -v valgrind; }
	packages=(valgrind)
	;;
chromium)
	there() { command -v chromium; }
	packages=(--no-install-recommends chromium)
	;;
qemu)
	there() { command -v qemu-aarch64; }
	packages=(--no-install-recommends qemu-user)
	;;
arm64-gcc)
	there() { command -v aarch64-linux-gnu-gcc && [ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ]; }
	packages=(--no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
	;;
openmpi)
	there() { pkg-config --exists ompi && mpirun --version | grep 'Open MPI'; }
	packages=(pkg-config libopenmpi-dev openmpi-bin)
	;;
mpich)
	there() { pkg-config --exists mpich && { command -v mpirun.mpich || ! mpirun --version | grep 'Open MPI'; }; }
	packages=(pkg-config libmpich-dev mpich)
	# empi asks pkg-config for ompi: this file of ours names what MPICH has.
	mkdir -p bin/pkgconfig
	printf '%s\n' 'Name: ompi' 'Description: MPICH, where Open MPI is asked for' 'Version: 1' 'Requires: mpich' \
		>bin/pkgconfig/ompi.pc
	;;
slurm)
	there() { command -v munged && command -v slurmctld && command -v slurmd && command -v srun && [ -e /usr/share/modules/init/bash ]; }
	packages=(--no-install-recommends munge slurmctld slurmd slurm-client environment-modules iproute2)
	;;
*)
	echo "usage: tools/need.sh valgrind|chromium|qemu|arm64-gcc|openmpi|mpich|slurm" >&2
	exit 2
	;;
esac

if there >/dev/null 2>&1; then
	exit
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "$1 is missing, or a part of it: install the packages ${packages[*]#--*}, then try again" >&2
	exit 1
fi
exec </dev/null
mkdir -p bin
exec 9>bin/apt.lock
flock 9 # targets that are made at a time install one after another
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq -o DPkg::Lock::Timeout=300 "${packages[@]}"; }
apt-get update -qq
install || { # an installation that was interrupted makes all later ones fail
	dpkg --configure -a
	install
}
