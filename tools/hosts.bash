# Hosts that are network namespaces of this machine, each with an address, a host name and a cable
# to a switch. tools/netns.sh and tools/slurm.sh source it, with `me`, the prefix of their
# namespaces, and `net`, the first three numbers of their addresses; so several can run at once.
#
# Namespace 254 is the switch, and where launchers run; the others are the hosts, which are named
# by the last number of their address.

# on HOST COMMAND...: runs it in the namespace of a host.
on() { ip netns exec "$me-$1" "${@:2}"; }

# named HOST NAME COMMAND...: runs it there under a host name, by which MPI and ross tell machines
# apart.
named() { on "$1" unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "${@:2}"; }

# require_hosts PROGRAM:PACKAGE...: fails where there can be no hosts, or a program is missing.
require_hosts() {
	local need
	[ "$(uname -s)" = Linux ] || fail "only Linux has network namespaces"
	[ "$(id -u)" = 0 ] || fail "network namespaces need root: use sudo, or a container with --privileged"
	for need in ip:iproute2 tc:iproute2 unshare:util-linux "$@"; do
		command -v "${need%:*}" >/dev/null || fail "${need%:*} is missing: apt-get install ${need#*:}"
	done
}

# clear_away PREFIX ends what runs in the namespaces of a prefix, and removes them. Interfaces
# go with them.
clear_away() {
	local name all left signal
	all=$(ip netns list | awk -v p="$1-" 'index($1, p) == 1 {print $1}')
	for signal in TERM KILL; do
		left=
		for name in $all; do left+=" $(ip netns pids "$name" | tr '\n' ' ')"; done
		[ -n "${left// /}" ] || break
		# shellcheck disable=SC2086
		kill -s "$signal" $left 2>/dev/null || true
		for _ in {1..20}; do
			# shellcheck disable=SC2086
			kill -0 $left 2>/dev/null || break
			sleep 0.1
		done
	done
	for name in $all; do ip netns del "$name" || true; done
}

# add_hosts N makes the namespaces, after those that a killed script has left are removed.
add_hosts() {
	local old allowed i
	for old in $(ip netns list | sed -n 's/^ross\([0-9]*\)-254.*/\1/p'); do
		[ -d "/proc/$old" ] || clear_away "ross$old"
	done
	allowed=$(ip netns add "$me-254" 2>&1) || fail "this system permits no network namespaces: $allowed"
	for ((i = 1; i <= $1; i++)); do ip netns add "$me-$i"; done
}

# bridge N connects N hosts by the kernel's switch.
bridge() {
	local i
	on 254 ip link add eth0 type bridge
	for ((i = 1; i <= $1; i++)); do
		on 254 ip link add "port$i" type veth peer name eth0 netns "$me-$i"
		on 254 ip link set "port$i" master eth0 up
	done
}

# address HOST gives it its address.
address() {
	on "$1" ip address add "$net.$1/24" dev eth0
	on "$1" ip link set eth0 up
	on "$1" ip link set lo up
}
