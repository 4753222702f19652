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
[ "$(uname -s)" = Linux ] || fail "only Linux has network namespaces"
[ "$(id -u)" = 0 ] || fail "network namespaces need root: use sudo, or a container with --privileged"
for need in ip:iproute2 tc:iproute2 unshare:util-linux mpirun:openmpi-bin; do
	command -v "${need%:*}" >/dev/null || fail "${need%:*} is missing: apt-get install ${need#*:}"
done
mpirun --version | grep -q 'Open MPI' || fail "mpirun is not Open MPI's: this script knows no other launcher"

# clear_away PREFIX ends what runs in the namespaces of a prefix, and removes them. Interfaces
# go with them.
clear_away() {
	local name all left
	all=$(ip netns list | awk -v p="$1-" 'index($1, p) == 1 {print $1}')
	for signal in TERM KILL; do
		left=
		for name in $all; do left+=" $(ip netns pids "$name" | tr '\n' ' ')"; done
		[ -n "${left// /}" ] || break
		# shellcheck disable=SC2086
		kill -s $signal $left 2>/dev/null || true
		for _ in {1..20}; do
			# shellcheck disable=SC2086
			kill -0 $left 2>/dev/null || break
			sleep 0.1
		done
	done
	for name in $all; do ip netns del "$name" || true; done
}

for old in $(ip netns list | sed -n 's/^ross\([0-9]*\)-254.*/\1/p'); do
	[ -d "/proc/$old" ] || clear_away "ross$old"
done

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

# Namespace 254 is the switch, and where mpirun runs; the others are the hosts, which are
# named by the last number of their address.
allowed=$(ip netns add "$me-254" 2>&1) || fail "this system permits no network namespaces: $allowed"
on() { ip netns exec "$me-$1" "${@:2}"; }
for ((i = 1; i <= hosts; i++)); do ip netns add "$me-$i"; done

# bridge connects the hosts by the kernel's switch.
bridge() {
	on 254 ip link add eth0 type bridge
	for ((i = 1; i <= hosts; i++)); do
		on 254 ip link add "port$i" type veth peer name eth0 netns "$me-$i"
		on 254 ip link set "port$i" master eth0 up
	done
}

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
	bridge
elif bridge && on 1 tc qdisc add dev eth0 root netem delay "$delay" 2>/dev/null; then
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
	on "$i" ip address add "$net.$i/24" dev eth0
	on "$i" ip link set eth0 up
	on "$i" ip link set lo up
	# shellcheck disable=SC2086
	[ -z "$netem" ] || on "$i" tc qdisc replace dev eth0 $netem
	echo "$net.$i slots=$(((ranks + hosts - 1) / hosts))" >>"$work/hosts"
done
on 254 ip address add "$net.254/24" dev eth0
on 254 ip link set eth0 up
on 254 ip link set lo up

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
