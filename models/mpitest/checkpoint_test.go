// Tests of checkpoints that ranks store together, and load on other numbers of ranks.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/rio"
)

// spread is how the LPs of a run are laid out.
type spread struct{ np, pes, files int }

func (s spread) args(synch int) []string {
	return []string{nlp(max(s.np, 1) * s.pes), fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", s.pes), fmt.Sprintf("--io-files=%d", s.files)}
}

func TestCheckpointsOfRanksLoadOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for i, c := range []struct {
		synch      int
		store      spread
		load       spread
		name, args string
	}{
		{3, spread{2, 2, 2}, spread{0, 1, 1}, "phold", "--lookahead=0.1"},
		{2, spread{3, 1, 2}, spread{2, 1, 1}, "phold", "--lookahead=0.25"},
		{3, spread{0, 2, 1}, spread{2, 2, 2}, "phold", "--lookahead=0.1"},
		{3, spread{2, 1, 1}, spread{3, 1, 3}, "zerotie", "--nkp=3"},
		{3, spread{3, 1, 2}, spread{2, 2, 1}, "stress", "--nkp=5"},
	} {
		t.Run(fmt.Sprintf("%s/synch=%d/%+v to %+v", c.name, c.synch, c.store, c.load), func(t *testing.T) {
			t.Parallel()
			end := "--end=40"
			dir := t.TempDir()
			args := []string{"--digest", "--gvt-interval=1", end, c.args}
			one := run(t, 0, c.name, append(args, "--synch=1", nlp(1))...)
			storing := []string{"--io-interval=1e-6", "--io-name=ranks", "--io-keep=100"}
			if i%2 == 0 {
				storing = append(storing, "--io-compress")
			}
			first := runIn(t, dir, c.store.np, c.name, append(append(args, storing...), c.store.args(c.synch)...)...)
			requireSameEvents(t, one, first)
			numbers, err := rio.Numbers(filepath.Join(dir, "ranks"))
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			require.Equal(t, fmt.Sprint(len(numbers)), figure(t, first, "Checkpoints Stored"))
			for _, n := range []uint64{numbers[len(numbers)-1]} {
				cp, err := rio.Open(rio.Numbered(filepath.Join(dir, "ranks"), n))
				require.NoError(t, err)
				require.NoError(t, cp.Verify())
				begins := cp.Jobs()[0].Clock == 0 // on a busy machine the run may be over before there is another one
				require.NoError(t, cp.Close())
				again := runIn(t, dir, c.load.np, c.name, append(append(args, "--io-restart="+rio.Numbered("ranks", n)), c.load.args(3)...)...)
				require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
				if left, all := count(t, again, "Net Events Processed"), count(t, one, "Net Events Processed"); begins {
					require.Equal(t, all, left)
				} else {
					require.Less(t, left, all)
				}
			}
		})
	}
}

func TestRanksThatAreToldToEndLeaveACheckpoint(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			args := []string{nlp(4), "--synch=3", "--pes=2", "--lookahead=0.1", "--digest", "--io-name=ranks"}
			var env []string
			if signal == syscall.SIGTERM {
				env = unhurried
			}
			j := startWith(t, env, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, args...),
				"--end=1e15", "--io-on-exit", "--io-interval=0.05", "--progress=off")...)
			j.until(func() bool {
				numbers, err := rio.Numbers(filepath.Join(dir, "ranks"))
				return err == nil && len(numbers) > 0 && rio.Exists(rio.Numbered(filepath.Join(dir, "ranks"), numbers[0]))
			})
			pid := j.cmd.Process.Pid // mpirun passes it on
			if signal == syscall.SIGKILL {
				pid = j.rank(1) // mpirun ends the others
			}
			require.NoError(t, syscall.Kill(pid, signal))
			out, status := j.wait()
			require.NotZero(t, status, out)
			if signal == syscall.SIGTERM {
				require.Len(t, regexp.MustCompile(`Checkpoint stored at time \S+: ranks-\d+\n`).FindAllString(out, -1), 1, out)
			}
			newest, err := rio.Latest(filepath.Join(dir, "ranks"))
			require.NoError(t, err)
			cp, err := rio.Open(newest)
			require.NoError(t, err)
			end := fmt.Sprintf("--end=%g", cp.Info().Clock+5)
			require.NoError(t, cp.Close())
			again := runIn(t, dir, 4, "phold", append(args[1:2:2], nlp(4), "--lookahead=0.1", "--digest", "--io-name=ranks", "--io-restart=latest", end)...)
			one := run(t, 0, "phold", "--synch=1", nlp(1), "--lookahead=0.1", "--digest", end)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
		})
	}
}
