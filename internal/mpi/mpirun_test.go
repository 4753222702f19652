// How tests come to have several ranks: the test starts this test binary under
// mpirun, to run the same test again; there it is one of the ranks.

//go:build mpi && cgo && !purego

package mpi_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/mpi/session"
	"github.com/ross-go/ross/internal/testlevel"
)

// ranksEnv is set in ranks, to the number of them.
const ranksEnv = "ROSS_TEST_RANKS"

func isRank() bool { return os.Getenv(ranksEnv) != "" }

// onRanks runs body in each rank, for each number of ranks, and fails if it
// fails in one of them.
func onRanks(t *testing.T, ranks []int, opts mpi.Options, body func(t *testing.T, w *mpi.World)) {
	if isRank() {
		w, err := mpi.Start(opts)
		require.NoError(t, err)
		body(t, w)
		if t.Failed() {
			_ = w.Abort(1)
		}
		require.NoError(t, w.Close())
		return
	}
	if testlevel.Is(testlevel.Few) && len(ranks) > 2 {
		ranks = ranks[1:3]
	}
	for _, n := range ranks {
		t.Run(fmt.Sprintf("np=%d", n), func(t *testing.T) {
			out, err := mpirun(t, n)
			require.NoError(t, err, out)
			require.Equal(t, n, strings.Count(out, "PASS"), "one for each rank:\n%s", out)
		})
	}
}

// mpirun runs the calling test in n ranks, with variables in their environment,
// and returns what they print.
func mpirun(t testing.TB, n int, env ...string) (string, error) {
	t.Helper()
	name := strings.Split(t.Name(), "/")[0]
	args := []string{"-np", fmt.Sprint(n)}
	if version, err := exec.Command("mpirun", "--version").Output(); err != nil {
		t.Fatalf("mpirun: %v: install Open MPI (libopenmpi-dev and openmpi-bin), as make test-mpi does", err)
	} else if bytes.Contains(version, []byte("Open MPI")) {
		args = append(args, "--oversubscribe")
	}
	args = append(args, os.Args[0], "-test.run=^"+name+"$", "-test.count=1", "-test.timeout="+modeltest.RankLimit(t).String())
	if dir := os.Getenv("GOCOVERDIR"); dir != "" && testing.CoverMode() != "" {
		args = append(args, "-test.gocoverdir="+dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), modeltest.Limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun", args...)
	cmd.Env = append(session.Env(t, env...), fmt.Sprintf("%s=%d", ranksEnv, n))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%d ranks hang:\n%s", n, out)
	}
	return string(out), err
}

// pause lets other ranks have the processor, of which there may be fewer.
func pause() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// mailboxes makes n mailboxes.
func mailboxes(t testing.TB, w *mpi.World, n int) []*mpi.Mailbox {
	all := make([]*mpi.Mailbox, n)
	for i := range all {
		var err error
		all[i], err = w.Mailbox(i)
		require.NoError(t, err)
	}
	return all
}
