// A run shows how it stands to whoever looks on, and its last figures are the report's.

package ross

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

// begin makes a simulation of a load.
func (l *load) begin(t *testing.T, configure func(*Config)) *Simulation {
	t.Helper()
	cfg := DefaultConfig()
	cfg.NLP, cfg.End = loadLPs, l.end
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(l.lpType()))
	return sim
}

// requireReported requires that the last snapshot of a run has the figures of its report.
func requireReported(t *testing.T, sim *Simulation) {
	t.Helper()
	snap, st := sim.Snapshot(), sim.Stats()
	require.Equal(t, PhaseEnded, snap.Phase)
	sum := Snapshot{}
	for i := range snap.PEs {
		require.Equal(t, PEID(sim.r.Base)+PEID(i), snap.PEs[i].ID)
		sum.Add(&snap.PEs[i].Counters)
	}
	type figures struct{ processed, undone, net, committed, aborted, primary, secondary, remote uint64 }
	want := figures{st.EventsProcessed, st.EventsRolledBack, st.NetEvents(), st.NetEvents(), st.EventsAborted,
		st.PrimaryRollBacks, st.SecondaryRollBacks, st.SendLocRemote + st.SendNetRemote}
	for _, s := range []Snapshot{snap, sum} {
		require.Equal(t, want, figures{s.EventsProcessed, s.EventsRolledBack, s.NetEvents(), s.EventsCommitted,
			s.EventsAborted, s.PrimaryRollBacks, s.SecondaryRollBacks, s.EventsRemote})
		require.Equal(t, st.Efficiency(), s.Efficiency())
		require.Equal(t, st.RollBacks(), s.RollBacks())
		require.Zero(t, s.EventsUncommitted)
	}
	require.Equal(t, st.NumGVT, snap.NumGVT)
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
				modeltest.Watch(t)
				l := spreadLoad()
				l.end = 3
				sim := l.begin(t, func(c *Config) {
					onPEs(pes)(c)
					c.Synch, c.ConsLookahead = Scheduler(synch), 0.1
					if synch == 3 || synch == 5 {
						c.knobs.disturb = harass(t, pes, 0.2)
					}
				})
				snap := sim.Snapshot()
				require.Equal(t, PhaseMade, snap.Phase)
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
			modeltest.Watch(t)
			l, pes := spreadLoad(), 1
			if synch == 2 || synch == 3 {
				pes = 2
			}
			l.change = func(lp *LP, n uint64, _ *parcel) {
				if lp.ID() == 700 && lp.Now() > 2 {
					lp.Fail(errors.New("no more"))
				}
			}
			sim := l.begin(t, func(c *Config) {
				onPEs(pes)(c)
				c.Synch, c.ConsLookahead = Scheduler(synch), 0.1
			})
			require.ErrorContains(t, sim.Run(context.Background()), "no more")
			requireReported(t, sim)
			require.Less(t, sim.Snapshot().GVT, l.end)
		})
	}
}

// TestSnapshotSaysWhichPEHoldsBackTheOthers: LP 0 has many events in a unit of time, the LP of each
// other PE has one now and then.
func TestSnapshotSaysWhichPEHoldsBackTheOthers(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			modeltest.Watch(t)
			pes, ahead := 3, 0
			if synch == 1 {
				pes = 1
			}
			var sim *Simulation
			typ := Type[struct{}, struct{}]{
				Init: func(_ *struct{}, lp *LP) { Send(lp, lp.ID(), 0.5, struct{}{}) },
				Event: func(_ *struct{}, lp *LP, _ *Bits, _ *struct{}) {
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
					Send(lp, lp.ID(), delay, struct{}{})
				},
				Saving: SaveByDelta,
			}
			cfg := DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead, cfg.PEs, cfg.GVTInterval, cfg.Batch, cfg.FixedGVT = 1, 1000, Scheduler(synch), 0.25, pes, 1, 16, true
			cfg.MaxOptLookahead = 1 // otherwise PE 0 may come to the end before GVT moves
			var err error
			sim, err = New(cfg)
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
			modeltest.Watch(t)
			l := spreadLoad()
			l.end = 5
			seen := make(chan struct{}) // closed when the run has been looked at
			l.change = func(lp *LP, n uint64, _ *parcel) {
				if lp.ID() == 0 && lp.Now() > 1 {
					<-seen
				}
			}
			sim := l.begin(t, func(cfg *Config) {
				onPEs(c.pes)(cfg)
				cfg.Synch, cfg.ConsLookahead = Scheduler(c.synch), 0.1
			})
			ended := make(chan error)
			go func() { ended <- sim.Run(context.Background()) }()
			var last Snapshot
			running := 0
			for last.Phase != PhaseEnded {
				s := sim.Snapshot()
				require.GreaterOrEqual(t, s.Phase, last.Phase)
				require.GreaterOrEqual(t, s.GVT, last.GVT)
				require.GreaterOrEqual(t, s.NumGVT, last.NumGVT)
				require.GreaterOrEqual(t, s.EventsProcessed, last.EventsProcessed)
				require.GreaterOrEqual(t, s.EventsRolledBack, last.EventsRolledBack)
				require.GreaterOrEqual(t, s.EventsCommitted, last.EventsCommitted)
				require.LessOrEqual(t, s.EventsRolledBack+s.EventsCommitted, s.EventsProcessed)
				if last = s; s.Phase == PhaseRunning {
					if running++; running == 100 {
						close(seen)
					}
				}
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
	var sim *Simulation
	handled, first := uint64(0), Snapshot{}
	typ := Type[struct{}, struct{}]{
		Init: func(_ *struct{}, lp *LP) { Send(lp, 0, 1, struct{}{}) },
		Event: func(_ *struct{}, lp *LP, _ *Bits, _ *struct{}) {
			switch handled++; handled {
			case 200:
				first = sim.Snapshot()
			case 300:
				second := sim.Snapshot()
				require.GreaterOrEqual(t, second.EventsProcessed, uint64(199))
				require.Greater(t, second.EventsProcessed, first.EventsProcessed)
				require.Greater(t, second.GVT, first.GVT)
				require.Equal(t, PhaseRunning, second.Phase)
			}
			Send(lp, 0, 1, struct{}{})
		},
	}
	cfg := DefaultConfig()
	cfg.NLP, cfg.End = 1, 1000
	var err error
	sim, err = New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.Empty(t, sim.Snapshot().PEs, "before Define")
	require.NoError(t, sim.Define(typ))
	require.NoError(t, sim.Run(context.Background()))
	require.Equal(t, uint64(999), handled)
}

func TestSnapshotOfARunWithoutEndHasAGVTThatIsATime(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		typ := Type[struct{}, struct{}]{
			Init: func(_ *struct{}, lp *LP) { Send(lp, 0, 1, struct{}{}) },
			Event: func(_ *struct{}, lp *LP, _ *Bits, _ *struct{}) {
				if lp.Now() < 1000 {
					Send(lp, 0, 1, struct{}{})
				}
			},
			Saving: SaveByDelta,
		}
		cfg := DefaultConfig()
		cfg.NLP, cfg.End, cfg.Synch = 1, math.Inf(1), Scheduler(synch)
		sim, err := New(cfg)
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
			sim := spreadLoad().begin(t, func(c *Config) { c.Output, c.Synch = &out, Scheduler(synch) })
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

func TestOptionsOfTheLastGroupFollowTheEngines(t *testing.T) {
	c, o := DefaultConfig(), NewOptions("own")
	n := uint64(3)
	last := o.LastGroup("Looking On")
	last.Var(when("auto"), "watch", "when", "look on")
	last.Uint64(&n, "often", "how often")
	c.Register(o)
	lines := helpLines(t, o)
	require.Equal(t, []string{
		"Looking On:",
		"  --watch=when          look on (default auto)",
		"  --often=n             how often (default 3)",
	}, lines[len(lines)-5:len(lines)-2])
	_, err := o.Parse([]string{"--watch", "--often=4"})
	require.NoError(t, err)
	require.Equal(t, uint64(4), n)
	_, err = o.Parse([]string{"--oftn=4"})
	require.ErrorContains(t, err, "did you mean --often?")
	o.LastGroup("Bad").Var(nil, "nothing", "", "")
	_, err = o.Parse(nil)
	require.ErrorIs(t, err, ErrUsage)
}

// when is a value of the caller's own.
type when string

func (when) Set(string) error { return nil }
func (w when) String() string { return string(w) }
func (when) IsBoolFlag() bool { return true }
