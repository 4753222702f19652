#!/bin/bash
# Runs an MPI program on several hosts that are network namespaces of this machine, each
# with an address, a host name and a TCP connection of its own:
#
#     tools/netns.sh [-n hosts] [-p ranks] [-d delay] [-m "mpirun options"] program [arguments]
#
#     tools/netns.sh -n 2 bin/phold --synch=3 --digest
#     tools/netns.sh -n 4 -p 8 -d 100us bin/phold --synch=3 --digest
#
# Hosts: 2 to 64, default 2. Ranks: default one for each host. Delay: what each packet takes
# longer, each way, such as 100us; default none. It is made by netem, or, where the kernel has
# none, by bin/netdelay (go build -o bin/ ./bench/scaling/netdelay). Needed: Linux, root, Open
# MPI, iproute2.
#
# Everything happens in namespaces named ross<process id>-*: the addresses below meet no
# others, and several of these can run at once. It cleans up after itself, also when
# interrupted; what a killed one left, the next one removes.
set -euo pipefail

net=10.213.0
hosts=2 ranks= delay= options=

fail() {
	echo "netns.sh: $1" >&2
	exit "${2:-1}"
}
# shellcheck source=tools/hosts.bash
. "$(dirname "$(realpath "$0")")/hosts.bash"

usage() { fail "usage: tools/netns.sh [-n hosts] [-p ranks] [-d delay] [-m \"mpirun options\"] program [arguments]" 2; }

# As the launch agent of mpirun: host command... instead of ssh. The command is for a shell,
# as with ssh. A host has a name of its own, by which MPI and ross tell machines apart.
if [ -n "${ROSS_NETNS:-}" ] && [[ ${1:-} == "$net".* ]]; then
	host=$1
	shift
	exec ip netns exec "$ROSS_NETNS-${host##*.}" unshare --uts \
		sh -c 'hostname "$1" && exec sh -c "$2"' sh "ross-host-${host##*.}" "$*"
fi

while getopts n:p:d:m: option; do
	case $option in
	n) hosts=$OPTARG ;;
	p) ranks=$OPTARG ;;
	d) delay=$OPTARG ;;
	m) options=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
[[ $hosts =~ ^[0-9]+$ ]] && [ "$hosts" -ge 2 ] && [ "$hosts" -le 64 ] || fail "-n $hosts: give 2 to 64 hosts" 2
ranks=${ranks:-$hosts}
[[ $ranks =~ ^[1-9][0-9]*$ ]] || fail "-p $ranks: give 1 rank or more" 2
require_hosts mpirun:openmpi-bin
mpirun --version | grep -q 'Open MPI' || fail "mpirun is not Open MPI's: this script knows no other launcher"

me=ross$$ work=$(mktemp -d) run=
clean() {
	trap '' INT TERM HUP
	if [ -n "$run" ]; then
		kill "$run" 2>/dev/null || true # mpirun ends its ranks
		wait "$run" 2>/dev/null || true
	fi
	clear_away "$me"
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

add_hosts "$hosts"

# user_switch connects them by netdelay.
user_switch() {
	local ports=()
	for ((i = 1; i <= hosts; i++)); do ports+=("port$i"); done
	mkfifo "$work/ready"
	on 254 "$netdelay" "$delay" eth0 "${ports[@]}" >"$work/ready" &
	disown # clean ends it, without a word
	read -r <"$work/ready" || fail "netdelay has not started"
	for ((i = 1; i <= hosts; i++)); do
		on 254 ip link set "port$i" netns "$me-$i" name eth0
	done
}

netdelay=$(dirname "$(realpath "$0")")/../bin/netdelay
netem=
if [ -z "$delay" ]; then
	bridge "$hosts"
elif bridge "$hosts" && on 1 tc qdisc add dev eth0 root netem delay "$delay" 2>/dev/null; then
	netem="root netem delay $delay limit 100000"
elif [ -x "$netdelay" ]; then
	echo "netns.sh: tc has no netem here: a switch in user space delays" >&2
	on 254 ip link del eth0
	for ((i = 1; i <= hosts; i++)); do on 254 ip link del "port$i"; done
	user_switch
else
	fail "-d $delay: tc has no netem here (CONFIG_NET_SCH_NETEM): go build -o bin/ ./bench/scaling/netdelay, and try again"
fi
for ((i = 1; i <= hosts; i++)); do
	address "$i"
	# shellcheck disable=SC2086
	[ -z "$netem" ] || on "$i" tc qdisc replace dev eth0 $netem
	echo "$net.$i slots=$(((ranks + hosts - 1) / hosts))" >>"$work/hosts"
done
address 254

# The hosts share the processors of this machine, so that nothing is bound, and whoever
# waits yields.
export ROSS_NETNS=$me OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
script=$(realpath "$0")
# shellcheck disable=SC2086
on 254 mpirun -np "$ranks" --hostfile "$work/hosts" --map-by node --bind-to none \
	--mca plm rsh --mca plm_rsh_agent "$script" --mca plm_rsh_no_tree_spawn 1 \
	--mca oob_tcp_if_include "$net.0/24" \
	--mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include "$net.0/24" \
	--mca mpi_yield_when_idle 1 $options "$@" <&0 &
run=$!
status=0
wait "$run" || status=$?
run=
exit "$status"
