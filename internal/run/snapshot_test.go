// A run shows how it stands to whoever looks on, and its description is next to its files. And what the watch shows of
// a load, under all schedulers, with rollbacks that are forced, KPs that move, and on ranks.

package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// begin makes a simulation of a load.
func (l *load) begin(t *testing.T, configure func(*ross.Config)) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = loadLPs, l.end
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(l.lpType()))
	return sim
}

// requireReported requires that the last snapshot of a run has the figures of its report.
func requireReported(t *testing.T, sim *ross.Simulation) {
	t.Helper()
	snap, st := sim.Snapshot(), sim.Summary()
	require.Equal(t, ross.PhaseEnded, snap.Phase)
	sum := ross.Snapshot{}
	for i := range snap.PEs {
		require.Equal(t, ross.PEID(runOf(sim).Base)+ross.PEID(i), snap.PEs[i].ID)
		sum.Add(&snap.PEs[i].Counters)
	}
	type figures struct{ processed, undone, net, committed, aborted, primary, secondary, remote uint64 }
	want := figures{st.EventsProcessed, st.EventsRolledBack, st.NetEvents(), st.NetEvents(), st.EventsAborted,
		st.PrimaryRollBacks, st.SecondaryRollBacks, st.SendLocRemote + st.SendNetRemote}
	for _, s := range []ross.Snapshot{snap, sum} {
		require.Equal(t, want, figures{s.EventsProcessed, s.EventsRolledBack, s.NetEvents(), s.EventsCommitted,
			s.EventsAborted, s.PrimaryRollBacks, s.SecondaryRollBacks, s.EventsRemote})
		require.Equal(t, st.Efficiency(), s.Efficiency())
		require.Equal(t, st.RollBacks(), s.RollBacks())
		require.Zero(t, s.EventsUncommitted)
	}
	require.Equal(t, st.NumGVT, snap.NumGVT)
	require.Equal(t, st.ForcedGVT, snap.ForcedGVTs)
	require.Equal(t, runOf(sim).Why.Shortages, snap.Shortages)
	require.Equal(t, st.Runtime, snap.Elapsed)
	require.Equal(t, st.MemoryAllocated, snap.MemoryUsed)
	require.Equal(t, sim.Config().MaxMemory, snap.MemoryLimit)
}

func TestSnapshotAtTheEndIsTheReports(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 4, 5, 6} {
		for pes := 1; pes <= 4; pes++ {
			if pes > 1 && (synch == 1 || synch == 4 || synch == 6) {
				continue // they run on one PE
			}
			if testlevel.Is(testlevel.Few) && pes%2 == 0 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				l := spreadLoad()
				l.end = 3
				sim := l.begin(t, func(c *ross.Config) {
					onPEs(pes)(c)
					c.Synch, c.ConsLookahead = ross.Scheduler(synch), 0.1
					if synch == 3 || synch == 5 {
						knobsOf(c).Disturb = harass(t, pes, 0.2)
					}
				})
				snap := sim.Snapshot()
				require.Equal(t, ross.PhaseMade, snap.Phase)
				require.Len(t, snap.PEs, pes)
				require.Zero(t, snap.EventsProcessed)
				require.NotZero(t, snap.MemoryUsed)
				require.NoError(t, sim.Run(context.Background()))
				requireReported(t, sim)

				snap = sim.Snapshot()
				if synch == 3 || synch == 5 {
					require.NotZero(t, snap.EventsRolledBack)
				}
				if synch != 4 { // which undoes all
					require.NotZero(t, snap.EventsCommitted)
					require.Equal(t, l.end, snap.GVT)
					require.Zero(t, snap.EventsPending)
				}
				require.NoError(t, sim.Close())
				require.Equal(t, snap, sim.Snapshot(), "it outlives the simulation")
			})
		}
	}
}

func TestSnapshotOfARunThatFailedIsItsReports(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 6} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			testkit.Watch(t)
			l, pes := spreadLoad(), 1
			if synch == 2 || synch == 3 {
				pes = 2
			}
			l.change = func(lp *ross.LP, n uint64, _ *parcel) {
				if lp.ID() == 700 && lp.Now() > 2 {
					lp.Fail(errors.New("no more"))
				}
			}
			sim := l.begin(t, func(c *ross.Config) {
				onPEs(pes)(c)
				c.Synch, c.ConsLookahead = ross.Scheduler(synch), 0.1
			})
			require.ErrorContains(t, sim.Run(context.Background()), "no more")
			requireReported(t, sim)
			require.Less(t, sim.Snapshot().GVT, l.end)
			st := sim.Summary()
			require.Positive(t, st.EventsUndecided, "the event that failed at least")
			require.LessOrEqual(t, st.EventsUndecided, st.EventsRolledBack)
			require.Equal(t, st.EventsUndecided, sim.RunInfo().Result.Undecided)
			if st.RollBacks() == 0 && synch != 6 { // which rolls back to compare
				require.Equal(t, 100.0, st.Efficiency(), "nothing was rolled back")
			}
		})
	}
}

// TestSnapshotSaysWhichPEHoldsBackTheOthers: LP 0 has many events in a unit of time, the LP of each
// other PE has one now and then.
func TestSnapshotSaysWhichPEHoldsBackTheOthers(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			testkit.Watch(t)
			pes, ahead := 3, 0
			if synch == 1 {
				pes = 1
			}
			var sim *ross.Simulation
			typ := ross.Type[struct{}]{
				Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5, struct{}{}) },
				Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) {
					delay := 100.0
					if lp.ID() == 0 {
						delay = 0.25
						s := sim.Snapshot()
						for _, p := range s.PEs {
							require.GreaterOrEqual(t, p.LVT, s.GVT)
						}
						if len(s.PEs) > 1 && s.PEs[1].LVT > s.PEs[0].LVT {
							ahead++
						}
					}
					ross.Send(lp, lp.ID(), delay, struct{}{})
				}),
				Saving: ross.SaveByDelta,
			}
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead, cfg.PEs, cfg.Tuning.GVTInterval, cfg.Tuning.Batch,
				cfg.Tuning.FixedGVT = 1, 1000, ross.Scheduler(synch), 0.25, pes, 1, 16, true
			cfg.Tuning.MaxOptLookahead = 1 // otherwise PE 0 may come to the end before GVT moves
			var err error
			sim, err = ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(typ))
			require.NoError(t, sim.Run(context.Background()))
			if pes > 1 {
				require.Greater(t, ahead, 1000)
			}
			for _, p := range sim.Snapshot().PEs {
				require.GreaterOrEqual(t, p.LVT, 1000.0)
			}
		})
	}
}

func TestSnapshotsOfARunDoNotGoBack(t *testing.T) {
	for _, c := range []struct{ synch, pes int }{{1, 1}, {2, 2}, {3, 1}, {3, 3}, {5, 2}} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d", c.synch, c.pes), func(t *testing.T) {
			testkit.Watch(t)
			l := spreadLoad()
			l.end = 5
			seen := make(chan struct{}) // closed when the run has been looked at
			l.change = func(lp *ross.LP, n uint64, _ *parcel) {
				if lp.ID() == 0 && lp.Now() > 1 {
					<-seen
				}
			}
			sim := l.begin(t, func(cfg *ross.Config) {
				onPEs(c.pes)(cfg)
				cfg.Synch, cfg.ConsLookahead = ross.Scheduler(c.synch), 0.1
			})
			ended := make(chan error)
			go func() { ended <- sim.Run(context.Background()) }()
			var last ross.Snapshot
			running := 0
			for last.Phase != ross.PhaseEnded {
				s := sim.Snapshot()
				require.GreaterOrEqual(t, s.Phase, last.Phase)
				require.GreaterOrEqual(t, s.GVT, last.GVT)
				require.GreaterOrEqual(t, s.NumGVT, last.NumGVT)
				require.GreaterOrEqual(t, s.EventsProcessed, last.EventsProcessed)
				require.GreaterOrEqual(t, s.EventsRolledBack, last.EventsRolledBack)
				require.GreaterOrEqual(t, s.EventsCommitted, last.EventsCommitted)
				require.LessOrEqual(t, s.EventsRolledBack+s.EventsCommitted, s.EventsProcessed)
				if last = s; s.Phase == ross.PhaseRunning {
					if running++; running == 100 {
						close(seen)
					}
				}
				runtime.Gosched() // on one processor the run has its turn
			}
			require.NoError(t, <-ended)
			require.GreaterOrEqual(t, running, 100)
			requireReported(t, sim)
		})
	}
}

// TestSequentialRunShowsItsFiguresSoonWhenAsked: with one event pending at a time a
// sequential run looks around every few dozen of them.
func TestSequentialRunShowsItsFiguresSoonWhenAsked(t *testing.T) {
	var sim *ross.Simulation
	handled, first := uint64(0), ross.Snapshot{}
	typ := ross.Type[struct{}]{
		Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, 0, 1, struct{}{}) },
		Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) {
			switch handled++; handled {
			case 200:
				first = sim.Snapshot()
			case 300:
				second := sim.Snapshot()
				require.GreaterOrEqual(t, second.EventsProcessed, uint64(199))
				require.Greater(t, second.EventsProcessed, first.EventsProcessed)
				require.Greater(t, second.GVT, first.GVT)
				require.Equal(t, ross.PhaseRunning, second.Phase)
			}
			ross.Send(lp, 0, 1, struct{}{})
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, 1000
	var err error
	sim, err = ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.Empty(t, sim.Snapshot().PEs, "before Define")
	require.NoError(t, sim.Define(typ))
	require.NoError(t, sim.Run(context.Background()))
	require.Equal(t, uint64(999), handled)
}

func TestSnapshotOfARunWithoutEndHasAGVTThatIsATime(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		typ := ross.Type[struct{}]{
			Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, 0, 1, struct{}{}) },
			Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) {
				if lp.Now() < 1000 {
					ross.Send(lp, 0, 1, struct{}{})
				}
			}),
			Saving: ross.SaveByDelta,
		}
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End, cfg.Synch = 1, math.Inf(1), ross.Scheduler(synch)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(typ))
		require.NoError(t, sim.Run(context.Background()))
		snap := sim.Snapshot()
		require.Equal(t, math.Inf(1), snap.End)
		require.LessOrEqual(t, snap.GVT, 1000.0)
		require.Equal(t, uint64(1000), snap.EventsCommitted)
		requireReported(t, sim)
	}
}

func TestWhoTakesTheProgressGetsTheReportAndNoProgressLines(t *testing.T) {
	for _, synch := range []int{1, 3} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			var out, other bytes.Buffer
			sim := spreadLoad().begin(t, func(c *ross.Config) { c.Output, c.Synch = &out, ross.Scheduler(synch) })
			head := out.Len()
			giveBack := sim.TakeProgress(func(w io.Writer) io.Writer {
				require.Same(t, &out, w)
				return &other
			})
			require.NoError(t, sim.Run(context.Background()))
			require.Equal(t, head, out.Len())
			require.Contains(t, other.String(), "Net Events Processed")
			require.NotContains(t, other.String(), "complete, max event queue size")
			giveBack()
			_, err := sim.Report().Write([]byte("after"))
			require.NoError(t, err)
			require.Equal(t, "after", out.String()[head:])
		})
	}
}

type describedState struct{ _ int64 }

// described runs a small model with one change of the settings, and returns its simulation, closed.
func described(t *testing.T, ctx context.Context, fails bool, change func(c *ross.Config)) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.PEs, cfg.End, cfg.Output, cfg.Args = ross.Optimistic, 4, 2, 20, &discard{}, []string{
		"dir/described", "--end=20"}
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) / 3 % 2 }
	change(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.Equal(t, "described", sim.RunInfo().Model)
	of := func(name string) ross.Type[describedState] {
		return ross.Type[describedState]{
			Name: name, Init: func(_ *describedState, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
			Event: ross.On(func(_ *describedState, lp *ross.LP, _ *ross.None) {
				if fails && lp.Now() > 10 {
					panic("on\npurpose")
				}
				ross.Send(lp, lp.ID(), 1, ross.None{})
			}).Reverse(func(*describedState, *ross.LP, *ross.None) {}),
		}
	}
	require.NoError(t, sim.Define(of("first"), of("second")))
	err = sim.Run(ctx)
	if fails || ctx.Err() != nil {
		require.Error(t, err)
	} else {
		require.NoError(t, err)
	}
	require.NoError(t, sim.Close())
	return sim
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func TestRunDescribesItselfBesideItsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sim := described(t, context.Background(), false, func(c *ross.Config) {
		c.Instruments.Path, c.Instruments.Engine,
			c.Digest = dir, ross.SampleByGVT, true
	})
	got, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	require.Equal(t, sim.RunInfo(), *got)
	require.Equal(t, instr.RunComplete, got.State)
	require.Equal(t, []string{"dir/described", "--end=20"}, got.Command)
	require.Equal(t, "optimistic", got.Scheduler)
	require.EqualValues(t, 8, got.LPs)
	require.EqualValues(t, 2, got.PEs)
	require.EqualValues(t, 20, *got.EndTime)
	require.Equal(t, "20", got.Options["end"])
	require.Equal(t, []instr.RunType{{Name: "first"}, {Name: "second"}}, got.Types)
	require.Equal(t, []instr.RunTypeRange{{First: 0, Count: 3}, {First: 3, Count: 3, Type: 1}, {First: 6, Count: 2}},
		got.TypeRanges)
	require.False(t, got.End.Before(got.Begin))
	st := sim.Summary()
	require.Equal(t, st.NetEvents(), got.Result.NetEvents)
	require.EqualValues(t, 8*19, got.Result.NetEvents)
	require.Len(t, got.Result.Digest, 16)
	again := described(t, context.Background(), false, func(*ross.Config) {})
	require.NotEqual(t, got.ID, again.RunInfo().ID)
}

func TestRunThatDoesNotReachItsEndSaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	sim := described(t, ctx, false, func(*ross.Config) {})
	require.Equal(t, instr.RunStopped, sim.RunInfo().State)
	require.Contains(t, sim.RunInfo().Reason, "context canceled")

	sim = described(t, context.Background(), true, func(*ross.Config) {})
	require.Equal(t, instr.RunFailed, sim.RunInfo().State)
	require.Contains(t, sim.RunInfo().Reason, "panic: on")
	require.NotContains(t, sim.RunInfo().Reason, "\n")
	require.Contains(t, sim.RunInfo().Detail, "snapshot_test.go", "where it was")
	require.LessOrEqual(t, len(sim.RunInfo().Detail), instr.MaxDetail)
}

func TestDescriptionIsWrittenWhereItIsWanted(t *testing.T) {
	base := t.TempDir()
	t.Chdir(base)
	described(t, context.Background(), false, func(*ross.Config) {})
	left, err := os.ReadDir(base)
	require.NoError(t, err)
	for _, f := range left {
		_, err := instr.ReadRunInfo(f.Name())
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	described(t, context.Background(), false, func(c *ross.Config) { c.Instruments.Path = "asked" }) // without samples
	_, err = instr.ReadRunInfo("asked")
	require.NoError(t, err)
	// samples that are not written
	for name, path := range map[string]string{"unwritten": "unwritten", instr.DefaultDir: ""} {
		described(t, context.Background(), false, func(c *ross.Config) {
			c.Instruments.Path, c.Instruments.Discard, c.Instruments.Engine = path, true, ross.SampleByGVT
		})
		left, err := os.ReadDir(name)
		require.NoError(t, err)
		require.Len(t, left, 1)
		info, err := instr.ReadRunInfo(name)
		require.NoError(t, err)
		require.Equal(t, instr.RunComplete, info.State)
	}

	require.NoError(t, os.WriteFile("file", nil, 0o644))
	sim := described(t, context.Background(), false, func(c *ross.Config) { c.Instruments.Path = "file/below" })
	require.ErrorContains(t, sim.CollectionError(), "description of the run")
	require.Error(t, errors.Unwrap(sim.CollectionError()))
}

// seen returns the blocks of the watch in a report.
func seen(report string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(report) {
		if in = strings.HasPrefix(line, "Watch: ") || in && strings.HasPrefix(line, "  "); in {
			b.WriteString(line)
		}
	}
	return b.String()
}

// watchGarden watches all LPs of a garden on ranks, and returns what each has printed.
func watchGarden(t testing.TB, ranks int, g garden, set func(*ross.Config)) (texts []string) {
	t.Helper()
	outs := make([]bytes.Buffer, ranks)
	_, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(rank int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.NKP, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, 4, 64<<20, &outs[rank]
		cfg.Watch, cfg.WatchLimit = fmt.Sprintf("0,1,2@5..,3@..20,%d@1..9,%d", gardenLPs-2, gardenLPs-1), 0
		set(cfg)
	}, g.lpType())
	for i, err := range errs {
		require.NoError(t, err)
		texts = append(texts, seen(outs[i].String()))
	}
	return texts
}

func TestAllSchedulersShowTheSameOfWatchedLPs(t *testing.T) {
	for name, g := range map[string]garden{
		"spread":  {},
		"ties":    {whole: true},
		"stopped": {whole: true, stops: stopsAfter(9), saving: ross.SaveByLog},
	} {
		if testlevel.Few.LeavesOut(name, "ties") {
			continue
		}
		want := watchGarden(t, 1, g, func(*ross.Config) {})[0]
		require.Greater(t, strings.Count(want, "Watch: "), 20)
		all := setups(t, 2, 3, 5, int(ross.Auto))
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		all["KPs move"] = func(cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.Tuning.GVTInterval, cfg.Tuning.Batch = 3, 2, gardenLPs/2, 1, 4
			moving(1)(cfg)
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				require.Equal(t, want, watchGarden(t, 1, g, setup)[0])
			})
		}
	}
}

func TestEachRankShowsItsWatchedLPsInOrder(t *testing.T) {
	testkit.Watch(t)
	blocks := func(text string) []string {
		all := strings.Split(text, "Watch: ")
		require.True(t, strings.HasPrefix(all[1], "only 0,1,2@5..,"), "each rank says what is watched")
		return all[2:]
	}
	want := blocks(watchGarden(t, 1, garden{}, func(*ross.Config) {})[0])
	var got []string
	for _, text := range watchGarden(t, 2, garden{}, func(cfg *ross.Config) { cfg.Synch, cfg.NLP = 3, gardenLPs/2 }) {
		own := blocks(text)
		var order []string // those of this rank among all
		for _, b := range want {
			if slices.Contains(own, b) {
				order = append(order, b)
			}
		}
		require.Equal(t, order, own)
		got = append(got, own...)
	}
	require.ElementsMatch(t, want, got)
}
