// Package session has what tests that start mpirun have in common: the environment in which several of
// them can do so at a time.
package session

import (
	"os"
	"testing"
)

// Env returns the environment of this process for one mpirun, with more variables. It may run as
// root, and has a folder of its own for its session, which goes with the test: several mpirun at once
// otherwise trip over one that they share.
func Env(t testing.TB, more ...string) []string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mpi") // a short path: sockets lie there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return append(append(os.Environ(), In(dir)...), more...)
}

// In returns the variables alone, for a session in a folder.
func In(dir string) []string {
	return []string{
		"OMPI_MCA_orte_tmpdir_base=" + dir,
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"ASAN_OPTIONS=detect_leaks=0", // Open MPI leaves memory behind
	}
}
