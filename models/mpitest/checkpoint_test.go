//go:build linux || (mpi && cgo && !purego)

// This file pins checkpoints of ranks, and the memory of the processes of a job.

package mpitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/rio"
)

// Tests of checkpoints that ranks store together, and load on other numbers of ranks.

// spread is how the LPs of a run are laid out.
type spread struct{ np, pes, files int }

func (s spread) args(synch int) []string {
	return []string{nlp(max(s.np, 1) * s.pes), fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", s.pes), fmt.Sprintf("--io-files=%d", s.files)}
}

func TestCheckpointsOfRanksLoadOnOtherRanks(t *testing.T) {
	once(t, "what is in files")
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
		if testlevel.Is(testlevel.Few) && i > 1 {
			continue
		}
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
				clock := cp.Jobs()[0].Clock // any one: of a run on a busy machine the last checkpoint may be of its beginning
				require.NoError(t, cp.Close())
				again := runIn(t, dir, c.load.np, c.name, append(append(args, "--io-restart="+rio.Numbered("ranks", n)), c.load.args(3)...)...)
				require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
				all, left := count(t, one, "Net Events Processed"), count(t, again, "Net Events Processed")
				require.LessOrEqual(t, left, all)
				if c.name != "phold" { // events at the time of the checkpoint may be on either side
					continue
				}
				before := run(t, 0, c.name, append(args, "--synch=1", nlp(1), "--end="+strconv.FormatFloat(clock, 'g', -1, 64))...)
				require.Equal(t, all, count(t, before, "Net Events Processed")+left, "clock %g", clock)
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

// Tests of programs that store a checkpoint after the run: other runs continue from it,
// on other numbers of ranks, and commit what an uninterrupted run commits.

// restarts are programs, what they have in both parts of a run, and in one.
var restarts = map[string]struct{ both, straight, store, load string }{
	"pholdio": {"--lookahead=0.1 --remote=0.5 --start-events=2", "--io-store=2", "--io-store=1", "--io-as-ross=0"},
	"market":  {"--lookahead=0.1", "", "--store=half", "--load=half"},
}

func TestRunsGoOnOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	type place struct{ synch, np, pes int }
	alone := place{1, 0, 1}
	for program, r := range restarts {
		on := func(p place, more string) []string {
			return strings.Fields(fmt.Sprintf("--digest --synch=%d --pes=%d %s %s %s",
				p.synch, p.pes, nlp(max(p.np, 1)*p.pes), r.both, more))
		}
		want := run(t, 0, program, on(alone, r.straight+" --end=16")...)
		for _, c := range []struct{ store, load place }{
			{alone, place{3, 2, 2}},
			{place{3, 2, 2}, alone},
			{place{2, 2, 1}, place{3, 3, 1}},
			{place{3, 4, 1}, place{2, 2, 2}},
		} {
			t.Run(fmt.Sprintf("%s/store=%v/load=%v", program, c.store, c.load), func(t *testing.T) {
				t.Parallel() // starting takes longer than running
				dir := t.TempDir()
				files := fmt.Sprintf(" --io-files=%d --end=8", max(c.store.np, 1))
				stored := runIn(t, dir, c.store.np, program, on(c.store, r.store+files)...)
				require.NotEqual(t, figure(t, want, "Committed Event Digest"), figure(t, stored, "Committed Event Digest"))
				got := runIn(t, dir, c.load.np, program, on(c.load, r.load+" --end=16")...)
				require.Equal(t, figure(t, want, "Committed Event Digest"), figure(t, got, "Committed Event Digest"), got)
			})
		}
	}
}

// The promise of --max-memory on ranks: it is a ceiling on the memory of each.

// TestARankStaysUnderItsCeiling runs PHOLD on two ranks, and once more with checkpoints and a trace, at a ceiling of
// a quarter more than it took without. Ranks cannot do with a quarter of it: GVT comes so often that there is little to do without.
func TestARankStaysUnderItsCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory is resident")
	files := []string{"--io-virtual-interval=5", "--event-trace=1", "--io-name=ranks"}
	var ceiling, free uint64
	for float64(free) <= 1.2*float64(ceiling) { // otherwise there is nothing to do without: how much events take depends on when ranks run
		ceiling, free = slices.Max(residentRanks(t))*5/4, slices.Max(residentRanks(t, files...))
		require.Greater(t, ceiling, uint64(64<<20))
	}
	for rank, got := range residentRanks(t, append(files, fmt.Sprintf("--max-memory=%d", ceiling))...) {
		t.Logf("rank %d: %d of %d bytes, %.2f, and %d without a ceiling", rank, got, ceiling, float64(got)/float64(ceiling), free)
		require.Less(t, float64(got), 1.15*float64(ceiling), "rank %d", rank)
	}
}

// residentRanks runs PHOLD and returns the most memory that each of two ranks had.
func residentRanks(t *testing.T, args ...string) []uint64 {
	t.Helper()
	j := start(t, t.TempDir(), 2, append([]string{filepath.Join(bin, "phold"), "--synch=3", "--pes=1", fmt.Sprintf("--nlp=%d", testlevel.Times(300000, 120000)),
		"--nkp=64", "--end=20", "--progress=off"}, args...)...)
	j.await("START PARALLEL")
	most := make([]uint64, 2)
	over := make(chan struct{})
	seen := make(chan struct{})
	pids := []int{j.rank(0), j.rank(1)}
	go func() {
		defer close(seen)
		for {
			for rank, pid := range pids {
				most[rank] = max(most[rank], highWater(pid))
			}
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	out, status := j.wait()
	close(over)
	<-seen
	require.Zero(t, status, "%s", out)
	return most
}

// highWater returns the most memory that a process has had so far, in bytes, and 0 if it is no longer there.
func highWater(pid int) uint64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.ParseUint(number, 10, 64)
	return kib << 10
}
