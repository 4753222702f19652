// This file pins when a run stores checkpoints, and which ones it keeps.

package checkpoint_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// When checkpoints of a running simulation are due, and what is reported of those that come late.

// storingOf returns what stores the checkpoints of a sequential run of one PE that does not go on, and its
// report.
func storingOf(t *testing.T, set func(*settings.Settings)) (*checkpoint.Storing, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	layout, err := mapping.NewLinear(1, 8, 1)
	require.NoError(t, err)
	run := &kernel.Run{Rank0: true, Report: &out, Layout: layout, Front: kernel.Front{Warn: func(string) {}}}
	run.Set.PEs = 1
	run.Set.Checkpoints = settings.Checkpoints{Files: 1, Keep: 2, Name: filepath.Join(t.TempDir(), "run")}
	set(&run.Set)
	options := func() *cmdline.Options { return cmdline.NewOptions("walk") }
	s, pe := new(checkpoint.Checkpoints), new(timewarp.PE)
	s.Open(run, &ranks.Cluster{Ranks: 1}, "ross", options, nil, nil)
	pe.End = 1e5
	s.Keepers = []*checkpoint.Keeper{{PE: pe, Checkpoints: s}}
	require.NoError(t, s.BeginStoring())
	return s.Running, &out
}

func TestNoTwoCheckpointsAreDueAtOneTime(t *testing.T) {
	const every = 0.7
	found := 0
	for n := 1048576.0; found < 100; n++ {
		if at := n * every; (math.Floor(at/every)+1)*every == at { // where rounding hides the next multiple
			found++
			r, _ := storingOf(t, func(c *settings.Settings) { c.Checkpoints.VirtualInterval = every })
			require.True(t, r.Begins(at))
			r.Begin(at)
			require.False(t, r.Begins(at))
		}
	}
}

// A multiple of the virtual interval waits until the checkpoint before it has been written: it never comes late.
func TestMultiplesWaitForTheWriter(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.Checkpoints.VirtualInterval = 10 })
	at := func(gvt float64, busy, begins bool) {
		t.Helper()
		r.Busy.Store(busy)
		require.Equal(t, begins, r.Begins(gvt))
		if begins {
			r.Begin(gvt)
		}
	}
	at(9, false, false)
	at(10.5, false, true)
	at(19, true, false)
	at(20, true, false)
	at(20, true, false)
	at(20, false, true)
	require.NotContains(t, out.String(), "Note")
	require.Empty(t, r.Late.Figures())
	at(63, false, true) // 40, 50 and 60 have none
	require.Equal(t, 1, strings.Count(out.String(), "Note"))
	require.Contains(t, out.String(),
		"run-000002 of time 30 stands for all multiples of --io-virtual-interval=10 up to 63, because nothing happens in between")
	at(75, false, true)
	at(101, false, true) // 90 and 100 have none
	require.Equal(t, 1, strings.Count(out.String(), "Note"))
	require.Equal(t, []report.Figure{{Label: "Checkpoints Left Out", Value: "5"}}, r.Late.Figures())
	at(110, true, false)
	r.Checkpoints.Keepers[0].PE.GVT = 130
	r.EndLate() // 110, 120 and 130
	require.Contains(t, out.String(), "2 more multiples of --io-virtual-interval=10 have none of their own")
	require.Contains(t, out.String(),
		"the multiples of --io-virtual-interval=10 from 110 on have none: the simulation was over")
	require.Equal(t, []report.Figure{{Label: "Checkpoints Left Out", Value: "8"}}, r.Late.Figures())
}

func TestCheckpointsLateInRealTimeAreTold(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.Checkpoints.Interval = time.Minute })
	require.False(t, r.Begins(5))
	r.Last = r.Last.Add(-90 * time.Second)
	r.Busy.Store(true)
	require.False(t, r.Begins(5))
	r.Busy.Store(false)
	require.True(t, r.Begins(6))
	r.Begin(6)
	require.Contains(t, out.String(),
		"run-000000 of time 6 comes 30 s late: the one before was still being written when it was due")
	require.Equal(t, "Checkpoints That Came Late", r.Late.Figures()[0].Label)
	require.InDelta(t, 30, r.Late.Real.Seconds(), 5)
}

// The virtual times of the checkpoints of a sequential run.

// A sequential run meets every multiple of the interval, however short it is.
func TestSequentialRunStoresAtTheVirtualTimesAskedFor(t *testing.T) {
	for _, synch := range []int{1, 6} {
		prefix := filepath.Join(t.TempDir(), "run")
		rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) {
			rosstest.Walk(3, 100)(c)
			c.Synch, c.Checkpoints.VirtualInterval, c.Checkpoints.Name, c.Checkpoints.Keep = ross.Scheduler(synch), 33, prefix, 5
		}}, rosstest.Walkers())
		name, err := rio.Latest(prefix)
		require.NoError(t, err)
		c, err := rio.Open(name)
		require.NoError(t, err)
		at := c.Info().Clock
		require.NoError(t, c.Close())
		require.Equal(t, 99.0, at)
	}
}

// Damaged checkpoints are named, and stay; whole ones take their places.

// damages are ways to spoil a checkpoint, each with what is reported.
var damages = map[string]struct {
	do   func(t *testing.T, name string)
	want string
}{
	"no manifest": {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-md")) },
		".rio-md: the file is missing"},
	"no index": {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-lp")) },
		".rio-lp: no such file"},
	"no data": {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-data-0")) },
		".rio-data-0: no such file"},
	"cut": {func(t *testing.T, name string) { require.NoError(t, os.Truncate(name+".rio-data-0", 50)) },
		".rio-data-0: offset 50: expected"},
	"flipped byte": {func(t *testing.T, name string) { patch(t, name+".rio-data-0", -2, 0) },
		".rio-data-0: offset 736: partition 3: CRC-32C is "},
	"foreign": {func(t *testing.T, name string) { patch(t, name+".rio-md", 0, []byte("some text")...) }, ".rio-md: "},
	"newer format": {func(t *testing.T, name string) { patch(t, name+".rio-lp", 12, 99) },
		"unknown version of the format"},
}

// patch changes bytes of a file, from its end if at is negative.
func patch(t *testing.T, path string, at int, to ...byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	at = (at + len(b)) % len(b)
	for i, c := range to {
		if b[at+i] == c {
			c++
		}
		b[at+i] = c
	}
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

// walkOn runs walkers and returns the report, what was logged, and the error of Run.
func walkOn(t *testing.T, configure func(*ross.Config)) (report, logged string, err error) {
	t.Helper()
	var out, errs strings.Builder
	cfg := ross.DefaultConfig()
	rosstest.Walk(4, 20)(&cfg)
	cfg.Output, cfg.Log = &out, cmdline.Warnings("walk", &errs)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Walkers()))
	err = sim.Run(context.Background())
	return out.String(), errs.String(), err
}

// nothing prepares nothing, see keepOf.
func nothing(*ross.Simulation) {}

func TestDamagedCheckpointIsNamedAndStays(t *testing.T) {
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			for n := range uint64(3) {
				keepOf(t, rio.Numbered(prefix, n), rosstest.Walk(4, 3+float64(n)), nothing)
			}
			damage.do(t, prefix+"-000002")
			damage.do(t, prefix+"-000001")
			report, logged, err := walkOn(t, func(c *ross.Config) {
				c.Checkpoints.Name, c.Checkpoints.Restart, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep =
					prefix, "latest", 15, 1
			})
			require.NoError(t, err)
			require.Contains(t, report, "Restart at time 3 from checkpoint "+prefix+"-000000")
			for _, n := range []string{"-000002", "-000001"} {
				for _, text := range []string{report, logged} {
					require.Contains(t, text, fmt.Sprintf("checkpoint %s%s is not used, %s-000000 is used instead: ", prefix, n,
						prefix))
					require.Contains(t, text, damage.want)
				}
			}
			require.Equal(t, 2, strings.Count(logged, "\n"), "each is reported once: %s", logged)

			// A new one has taken the place of the whole one, and its number comes after all others.
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.Equal(t, []uint64{1, 2, 3}, numbers)
			require.NoError(t, rio.Verify(prefix+"-000003"))
			require.Error(t, rio.Verify(prefix+"-000002"))
		})
	}
}

func TestRotationFindsDamageItself(t *testing.T) {
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			for n := range uint64(3) {
				keepOf(t, rio.Numbered(prefix, n), rosstest.Walk(4, 3), nothing)
			}
			damage.do(t, prefix+"-000001")
			report, logged, err := walkOn(t, func(c *ross.Config) {
				c.Checkpoints.Name, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep = prefix, 15, 2
			})
			require.NoError(t, err)
			for _, text := range []string{report, logged} {
				require.Contains(t, text, "checkpoint "+prefix+"-000001 does not count for --io-keep=2 and is not removed: ")
				require.Contains(t, text, damage.want)
			}
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.Equal(t, []uint64{1, 2, 3}, numbers)
		})
	}
}

func TestNoWholeCheckpointIsAnErrorAndNoneIsNot(t *testing.T) {
	for kind, damage := range damages {
		prefix := filepath.Join(t.TempDir(), "run")
		keepOf(t, prefix+"-000004", rosstest.Walk(4, 3), nothing)
		damage.do(t, prefix+"-000004")
		_, logged, err := walkOn(t, func(c *ross.Config) {
			c.Checkpoints.Name, c.Checkpoints.Restart, c.Checkpoints.VirtualInterval = prefix, "latest", 5
		})
		require.ErrorContains(t, err, prefix+"-000004", kind)
		require.ErrorContains(t, err, damage.want, kind)
		require.Empty(t, logged, "the error says it: %s", kind)
		numbers, err := rio.Numbers(prefix)
		require.NoError(t, err)
		require.Equal(t, []uint64{4}, numbers)
	}
	prefix := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.WriteFile(prefix+"-000004.rio-data-0.new", nil, 0o644)) // of a run that was killed
	report, logged, err := walkOn(t, func(c *ross.Config) { c.Checkpoints.Name, c.Checkpoints.Restart = prefix, "latest" })
	require.NoError(t, err)
	require.Contains(t, report, "There is no checkpoint "+prefix+"-*")
	require.Empty(t, logged)
}

func TestCheckpointWithTheHighestNumberIsNotReplaced(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	for _, n := range []uint64{1<<64 - 1, 1<<63 - 1} {
		name := rio.Numbered(prefix, n)
		keepOf(t, name, rosstest.Walk(4, 3), nothing)
		_, _, err := walkOn(t, func(c *ross.Config) { c.Checkpoints.Name, c.Checkpoints.VirtualInterval = prefix, 5 })
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, "no higher number is available")
		require.NoError(t, rio.Remove(name))
	}
}

func TestFailuresToStoreAndToRemoveAreToldOnce(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.Checkpoints.VirtualInterval, c.Checkpoints.Keep = 5, 1 })
	prefix := r.Checkpoints.Run.Set.Checkpoints.Name
	keepOf(t, prefix+"-000000", rosstest.Walk(4, 3), nothing)
	keepOf(t, prefix+"-000001", rosstest.Walk(4, 3), nothing)
	require.NoError(t, os.MkdirAll(prefix+"-000000.rio-md.tmp/full", 0o755)) // nothing can be renamed to it
	for range 2 {
		r.Done(&checkpoint.Copied{Checkpoints: r.Checkpoints})
	}
	require.Equal(t, 1, strings.Count(out.String(), "an old one cannot be removed: "))
	require.NoError(t, r.LastError(), "it was stored")
	for range 3 {
		r.Done(&checkpoint.Copied{Checkpoints: r.Checkpoints, Err: os.ErrPermission})
	}
	require.Equal(t, 1, strings.Count(out.String(), "the simulation goes on without this checkpoint"))
	require.EqualValues(t, 3, r.Unstored)
	require.ErrorIs(t, r.LastError(), os.ErrPermission)
}

// A run that was stored goes on from the checkpoint: with the states as they were, and the events that
// were to come. Init is not called again.
func Example_restore() {
	dir, err := os.MkdirTemp("", "checkpoint")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "half")

	first := count(5)
	defer first.Close()
	fmt.Println("run:", first.Run(context.Background()), "events", *ross.StateOf[uint64](first.LP(0)))
	fmt.Println("stored:", first.Store(name))

	second := count(12)
	defer second.Close()
	fmt.Println("loaded:", second.Load(name, ross.LoadInit), "time", second.Clock())
	fmt.Println("run:", second.Run(context.Background()), "events", *ross.StateOf[uint64](second.LP(0)))
	// Output:
	// run: <nil> events 5
	// stored: <nil>
	// loaded: <nil> time 5
	// run: <nil> events 12
}

// count makes a simulation that counts its events, one at each whole time and a half.
func count(end float64) *ross.Simulation {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Checkpoints.AfterRun = 1, end, true
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	err = sim.Define(ross.Type[uint64]{
		Init:  func(_ *uint64, lp *ross.LP) { ross.Send(lp, 0, 0.5, struct{}{}) },
		Event: ross.On(func(n *uint64, lp *ross.LP, _ *struct{}) { *n++; ross.Send(lp, 0, 1, struct{}{}) }),
	})
	if err != nil {
		panic(err)
	}
	return sim
}
