#!/usr/bin/env bash
# Runs a command in a Slurm cluster of its own, whose nodes are network namespaces of this machine:
#
#	tools/slurm.sh [-n nodes] command [arguments]
#
#	tools/slurm.sh srun --nodes=2 --mpi=pmix bin/phold --synch=3 --digest
#	tools/slurm.sh -n 3 bash                  # try srun, sbatch, squeue, scontrol
#
# Nodes: 1 to 16, default 2, named ross-node-1 and so on; each has an address, a host name and a
# folder for temporary files of its own, and believes that it has all processors of the machine.
# Slurm, munge and their keys live in a temporary folder and ask for nothing in /etc. Everything is
# stopped and removed at the end, also after an interrupt. Needed: Linux, root; tools/need.sh slurm.
set -euo pipefail

net=10.214.0 me=ross$$ nodes=2 work= run=

fail() {
	echo "slurm.sh: $1" >&2
	exit "${2:-1}"
}
# shellcheck source=tools/hosts.bash
. "$(dirname "$(realpath "$0")")/hosts.bash"
usage() { fail "usage: tools/slurm.sh [-n nodes] command [arguments]" 2; }

while getopts n: option; do
	case $option in
	n) nodes=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
[[ $nodes =~ ^[0-9]+$ ]] && [ "$nodes" -ge 1 ] && [ "$nodes" -le 16 ] || fail "-n $nodes: give 1 to 16 nodes" 2
require_hosts munged:munge slurmctld:slurmctld slurmd:slurmd srun:slurm-client

clean() {
	trap '' INT TERM HUP
	if [ -n "$run" ]; then
		kill "$run" 2>/dev/null || true
		wait "$run" 2>/dev/null || true
	fi
	clear_away "$me"
	rm -rf "$work"
}
work=$(mktemp -d /tmp/ross-XXXX) # a short path: sockets lie there
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

add_hosts "$nodes"
bridge "$nodes"
address 254

# The controller and the nodes trust who has the key.
head -c 128 /dev/urandom >"$work/key"
chmod 400 "$work/key"
mkdir "$work/state"
cat >"$work/slurm.conf" <<END
ClusterName=ross
SlurmctldHost=ross-head($net.254)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge,cred_expire=5 # a job that is requeued waits for it
CredType=cred/munge
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/log
SlurmdSpoolDir=$work/%n/spool
SlurmdPidFile=$work/%n/pid
SlurmdLogFile=$work/%n/log
TmpFS=$work/%n/tmp
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SwitchType=switch/none
MpiDefault=none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
echo CgroupPlugin=cgroup/v1 >"$work/cgroup.conf" # otherwise it looks for one that is mounted
for ((i = 1; i <= nodes; i++)); do
	address "$i"
	mkdir -p "$work/ross-node-$i"/{spool,tmp}
	echo "NodeName=ross-node-$i NodeAddr=$net.$i SocketsPerBoard=1 CoresPerSocket=$(nproc) ThreadsPerCore=1" \
		"RealMemory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" >>"$work/slurm.conf"
done

export SLURM_CONF=$work/slurm.conf
# An mpirun that slurmd starts has no other way to know that it may run as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on 254 munged --foreground --force --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munge.pid" \
	--log-file="$work/munge.log" --seed-file="$work/munge.seed" >>"$work/log" 2>&1 &
named 254 ross-head slurmctld -D >>"$work/log" 2>&1 &
for ((i = 1; i <= nodes; i++)); do
	named "$i" "ross-node-$i" env TMPDIR="$work/ross-node-$i/tmp" slurmd -D -N "ross-node-$i" >>"$work/log" 2>&1 &
done
disown -a # clean ends them, without a word
for ((tries = 0; ; tries++)); do
	idle=$(on 254 sinfo --noheader --Node --states=idle 2>/dev/null | wc -l)
	[ "$idle" -lt "$nodes" ] || break
	if [ "$tries" = 150 ]; then
		tail -n 20 "$work/log" "$work"/*/log >&2
		fail "Slurm has not started within half a minute: see above"
	fi
	sleep 0.2
done

named 254 ross-head "$@" <&0 &
run=$!
status=0
wait "$run" || status=$?
run=
exit "$status"
