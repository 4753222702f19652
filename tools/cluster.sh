#!/usr/bin/env bash
# Tries what docs/cluster.md says of Slurm, in the Slurm of tools/slurm.sh, with two nodes: its
# batch script as it stands there, only smaller; srun with PMIx and PMI-2; mpirun in a job, modules,
# the time limit, requeueing, and a rank that is killed. Each run has to commit the events of a
# sequential one: tools/cluster.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${ROSS_CLUSTER:-}" ]; then
	for need in openmpi mpich slurm; do tools/need.sh "$need"; done
	ROSS_CLUSTER=$(mktemp -d)
	export ROSS_CLUSTER
	trap 'rm -rf "$ROSS_CLUSTER"' EXIT
	trap 'exit 1' HUP INT TERM
	mkdir "$ROSS_CLUSTER"/{bin,mpich,modules}
	${GO:-go} build -tags mpi -o "$ROSS_CLUSTER/bin/" ./models/phold
	# shellcheck source=tools/mpich.bash
	(. tools/mpich.bash && ${GO:-go} build -tags mpi -o "$ROSS_CLUSTER/mpich/" ./models/phold)
	tools/slurm.sh "$0"
	exit
fi

# What follows runs within the cluster.
work=$ROSS_CLUSTER
script=$work/job
awk '/^### Slurm/ { there = 1 } there && /^```$/ { exit } text; there && /^```sh$/ { text = 1 }' docs/cluster.md >"$script"
cd "$work"
page() { sed "s/--nodes=4/--nodes=2/; s/--ntasks-per-node=32/--ntasks-per-node=1/; s/=1024/=64/; $1" "$script"; }
say() { echo "cluster: $1"; }
fail() {
	say "$1:"
	tail -n 40 "${2:-out}"
	exit 1
} >&2

# committed REPORT: the digest of a run.
committed() { sed -n 's/.*Committed Event Digest *//p' "$1"; }
for end in 1000 6000; do
	bin/phold --synch=1 --nlp=128 --end=$end --digest >"alone-$end"
done
# same WHAT REPORT [END]: requires that a run on two ranks has committed what one process does.
same() {
	[ "$(grep -c 'Found world size to be 2' "$2")" -ge 1 ] || fail "$1: not two ranks" "$2"
	[ "$(committed "$2")" = "$(committed "alone-${3:-1000}")" ] || fail "$1: another digest" "$2"
	say "$1: passed"
}
# ranks: the processes of the ranks, last first.
ranks() { pgrep -f "^$work/[a-z]*/phold --synch=3" | sort -rn || true; }
# await WHAT COMMAND...: waits until a command succeeds, three minutes at most.
await() {
	local tries
	for ((tries = 0; tries < 900; tries++)); do
		! "${@:2}" || return 0
		sleep 0.2
	done
	squeue >&2
	fail "$1" "$(ls -t phold-*.txt out 2>/dev/null | head -n 1)"
}
stored() { compgen -G "$1/phold-*" >/dev/null; }
over() { [ -z "$(squeue --noheader --job="$1" 2>/dev/null)" ]; }

# Modules, for which the batch script asks.
printf '%s\n' '#%Module1.0' 'setenv ROSS_MODULE openmpi' >modules/openmpi
. /usr/share/modules/init/bash
module use "$work/modules"
(module load openmpi && [ "$ROSS_MODULE" = openmpi ]) || fail "module load openmpi" /dev/null
ldd bin/phold >out
grep -q libmpi out || fail "ldd finds no libmpi"
say "modules: passed"

srun --mpi=list >out 2>&1
grep -q pmix out && grep -q pmi2 out || fail "srun --mpi=list"
phold=(phold --synch=3 --nlp=64 --end=1000 --digest)
srun --nodes=2 --mpi=pmix "bin/${phold[@]}" >out 2>&1 || fail "srun --mpi=pmix"
same "srun --mpi=pmix" out
srun --nodes=2 --mpi=pmi2 "mpich/${phold[@]}" >out 2>&1 || fail "srun --mpi=pmi2"
same "srun --mpi=pmi2, MPICH" out
srun --nodes=2 "bin/${phold[@]}" >out 2>&1 && [ "$(grep -c 'world size to be 1 ' out)" = 2 ] || fail "plain srun starts no singletons"
say "plain srun, two singletons: passed"
salloc --nodes=2 --ntasks-per-node=1 mpirun --map-by slot:PE=1 --bind-to core "bin/${phold[@]}" >out 2>&1 || fail "mpirun in salloc"
same "mpirun in a job" out

page '' >batch
id=$(sbatch --parsable --wait batch 2>&1) || fail "the batch script" phold-*.txt
same "sbatch" "phold-$id.txt"

# The time limit: Slurm looks twice a minute.
page 's/--end=1000/--end=1e15/; s/01:00:00/1/; s/TERM@120/TERM@50/; s/scontrol requeue/: &/' >batch
id=$(sbatch --parsable batch)
await "a job at its time limit goes on" over "$id"
grep -q 'run stopped at time .*interrupted (terminated)' "phold-$id.txt" || fail "the time limit" "phold-$id.txt"
stored "run-$id" || fail "no checkpoint at the time limit" "phold-$id.txt"
say "time limit: passed"

# A signal, and the job goes on in another one. The page's script ends with 143 and is requeued.
page 's/--end=1000/--end=6000/; s/--io-interval=600/--io-interval=0.2/' >batch
id=$(sbatch --parsable batch)
await "no checkpoint" stored "run-$id"
scancel --signal=TERM "$id"
await "a job that was requeued does not end" over "$id"
grep -q 'interrupted (terminated)' "phold-$id.txt" || fail "the job was over before the signal" "phold-$id.txt"
sed '1,/interrupted (terminated)/d' "phold-$id.txt" >out
same "requeue after a checkpoint" out 6000

# A rank is killed: srun names it, and all end.
for mpi in "pmix bin" "pmi2 mpich"; do
	read -r kind from <<<"$mpi"
	srun --nodes=2 --mpi="$kind" --kill-on-bad-exit=1 "$work/$from/phold" --synch=3 --nlp=64 --end=1e15 >out 2>&1 &
	job=$!
	await "no run" grep -q 'START PARALLEL' out
	kill -KILL "$(ranks | head -n 1)"
	began=$SECONDS status=0
	wait $job || status=$?
	took=$((SECONDS - began))
	[ $status != 0 ] && [ "$(grep -c 'error: ross-node-[12]: task [01]: Killed' out)" = 1 ] || fail "a killed rank, srun --mpi=$kind: status $status"
	[ $took -le 10 ] || fail "a killed rank, srun --mpi=$kind: the others took $took seconds to end"
	say "a killed rank, srun --mpi=$kind: the others have ended after $took seconds, status $status: passed"
done
say "all passed in $SECONDS seconds"
