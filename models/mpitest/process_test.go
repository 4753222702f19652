// This file owns the processes of a job, as /proc shows them.

//go:build mpi && cgo && !purego

package mpitest

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/stretchr/testify/require"
)

// rankEnv are the environment variables in which Open MPI and MPICH pass a rank its
// number.
var rankEnv = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}

// environment returns the variables of a process, as NAME=value, none if there is no
// such process any more.
func environment(pid int) []string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return strings.Split(string(text), "\x00")
}

// processes returns the processes of the job that are there, mpirun among them.
func (j *job) processes() (pids []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(j.t, err)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && slices.Contains(environment(pid), jobEnv+"="+j.id) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// rank returns the process of a rank. A wrapper of it has to exec it.
func (j *job) rank(n int) int {
	j.t.Helper()
	for _, pid := range j.processes() {
		env := environment(pid)
		for _, name := range rankEnv {
			if slices.Contains(env, name+"="+strconv.Itoa(n)) {
				return pid
			}
		}
	}
	require.Fail(j.t, "no such rank", "%d of\n%s", n, &j.out)
	return 0
}

// kill ends a process that may have ended.
func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
