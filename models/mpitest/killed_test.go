// Tests of a rank that is killed, in each phase of a run: all end, the launcher says once which
// rank it was, and a run from the last checkpoint commits what one that was never stopped does.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/rio"
)

// killedLine is what a launcher prints of a rank that was killed. MPICH names only its process.
func killedLine(rank, pid int) string {
	if isOpenMPI() {
		return fmt.Sprintf(`process rank %d with PID \d+ on node \S+ exited on signal 9`, rank)
	}
	return fmt.Sprintf(`PID %d RUNNING AT .*\n.*EXIT CODE: 9\n`, pid)
}

// phases are the ways in which testdata/bad waits on one rank, while the other one goes on.
var phases = []struct{ name, do, end string }{
	{"start", "defwait", "1e15"},
	{"init", "initwait", "1e15"},
	{"run", "wait", "1e15"},
	{"round", "roundwait", "1e15"},
	{"final", "finalwait", "20"},
}

func TestARankThatIsKilledInAnyPhaseEndsAll(t *testing.T) {
	testlevel.Once(t, "what launchers do")
	for _, phase := range phases {
		for _, synch := range []string{"--synch=2", "--synch=3"} {
			for rank := range 2 {
				t.Run(fmt.Sprintf("%s/%s/rank=%d", phase.name, synch, rank), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					j := start(t, dir, 2, filepath.Join(bin, "bad"), "--do="+phase.do,
						fmt.Sprintf("--rank=%d", rank), "--end="+phase.end, synch)
					j.await("bad: waits")
					j.killed(rank)
					require.NotContains(t, j.out.String(), "Net Events Processed")
					require.NotContains(t, j.out.String(), "nobody has killed it")
					require.NoFileExists(t, filepath.Join(dir, "ross.csv"))
				})
			}
		}
	}
}

// killed kills a rank, and requires that all end and that one line names it.
func (j *job) killed(rank int) {
	j.t.Helper()
	pid := j.rank(rank)
	require.NoError(j.t, syscall.Kill(pid, syscall.SIGKILL))
	j.endsSaying(killedLine(rank, pid))
}

// A rank is killed while checkpoints are stored: one after the other, so that most of the time one
// is being written. What has a final name is whole.
func TestARankThatIsKilledWhileItStoresLeavesAWholeCheckpoint(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for _, rank := range []int{0, 1} {
		t.Run(fmt.Sprintf("rank=%d", rank), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			prefix := filepath.Join(dir, "ranks")
			model := []string{"--lookahead=0.1", "--digest", "--io-name=ranks"}
			j := start(t, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, model...),
				"--nlp=2000", "--synch=3", "--pes=1", "--gvt-interval=1", "--end=1e15", "--io-interval=1e-6", "--io-keep=3", "--progress=off")...)
			// The second is whole, and a part of another one is there, which is not.
			j.until(func() bool {
				numbers, _ := rio.Numbers(prefix)
				return len(numbers) > 1 && numbers[len(numbers)-1] > 0 && half(dir)
			})
			j.killed(rank)

			newest, err := rio.Latest(prefix)
			require.NoError(t, err)
			cp, err := rio.Open(newest)
			require.NoError(t, err)
			require.NoError(t, cp.Verify())
			end := fmt.Sprintf("--end=%g", cp.Info().Clock+2)
			require.NoError(t, cp.Close())
			again := runIn(t, dir, 2, "phold", append(model, "--nlp=2000", "--synch=3", "--pes=1", "--io-restart=latest", end)...)
			one := run(t, 0, "phold", "--synch=1", "--nlp=4000", "--lookahead=0.1", "--digest", end)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
			require.NotEqual(t, count(t, one, "Net Events Processed"), count(t, again, "Net Events Processed"), "it began anew")
		})
	}
}

// half reports whether a file is there under a name that is not final.
func half(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".tmp") })
}
