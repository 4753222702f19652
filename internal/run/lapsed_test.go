// Events of cancelled timers: no result depends on when they leave the queue, and they take little memory.

package run_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rio"
)

// ward is a model of monitors. As many heart beats as there are monitors go from one to another; each cancels the
// timer of its monitor and sets another. When a beat has made its way, all monitors are quiet: their timers are
// cancelled.
type ward struct {
	beats uint32    // that each of the beats comes to monitors
	waits []float64 // for how long timers are set
	old   ross.LPID // monitors up to this one have no timers
}

type (
	monitor struct {
		Timer                ross.Timer
		Beats, Alarms, Quiet uint64
	}
	heartBeat struct{ Left uint32 }
	alarm     struct{ Beat uint64 }
	hush      struct{}
)

const monitors = 16

func (w ward) lpType() ross.LPType {
	return ross.Type[monitor]{
		Name: "monitor",
		Init: func(_ *monitor, lp *ross.LP) { ross.Send(lp, lp.ID(), 1+lp.RNG().Unif(), heartBeat{w.beats}) },
		Event: ross.Events(
			ross.On(func(s *monitor, lp *ross.LP, m *heartBeat) {
				s.Beats++
				s.Timer.Cancel(lp)
				if lp.ID() >= w.old {
					s.Timer = ross.After(lp, w.waits[lp.RNG().Integer(0, int64(len(w.waits)-1))], alarm{s.Beats})
				}
				if m.Left%3 == 0 && lp.ID() >= w.old {
					ross.After(lp, w.waits[0], alarm{}).Cancel(lp)
				}
				if m.Left > 0 {
					ross.Send(lp, ross.LPID(lp.RNG().Integer(0, monitors-1)), 0.1+lp.RNG().Exponential(1), heartBeat{m.Left - 1})
					return
				}
				for to := range ross.LPID(monitors) {
					ross.Send(lp, to, 0.5, hush{})
				}
			}),
			ross.On(func(s *monitor, lp *ross.LP, _ *hush) {
				s.Quiet++
				s.Timer.Cancel(lp)
			}),
			ross.On(func(s *monitor, _ *ross.LP, m *alarm) {
				s.Alarms++
				s.Beats ^= m.Beat << 32
			}),
		),
	}
}

// shortWard is a ward in which timers expire, too.
func shortWard() ward { return ward{beats: 60, waits: []float64{1000, 0.4, 80, 3}} }

// watchWard runs a ward without an end and returns what came of it, states and digest, and which calls of a hook there
// were at every 7th unit of time. Where KPs are to move there is no hook, with which they do not.
func watchWard(t *testing.T, w ward, ranks int, set func(*ross.Config)) (left string, calls map[float64]bool) {
	t.Helper()
	var lock sync.Mutex
	var synch ross.Scheduler
	sims, errs := runOnRanks(t, worldtest.New(ranks, 3, 20), ranks, func(_ int, cfg *ross.Config) {
		cfg.LPs, cfg.End, cfg.Digest, cfg.NKP, cfg.Output, cfg.ConsLookahead, cfg.MaxMemory = monitors, math.Inf(
			1), true, 2, io.Discard, 0.1, 64<<20
		if set(cfg); knobsOf(cfg).Moves {
			return
		}
		lock.Lock()
		if synch = cfg.Synch; calls == nil {
			calls = map[float64]bool{}
		}
		lock.Unlock()
		cfg.PE.PreLPInit = func(pe *ross.PE) { pe.SetHookTrigger(ross.HookAt(7)) }
		cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
			lock.Lock()
			calls[pe.GVT()] = pastEnd
			lock.Unlock()
			pe.SetHookTrigger(ross.HookAt(pe.GVT() + 7))
		}
	}, w.lpType())
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	events, last := uint64(0), 0.0
	for id := range ross.LPID(monitors) {
		lp := theLP(sims, id)
		s := *ross.StateOf[monitor](lp)
		events += s.Beats&math.MaxUint32 + s.Alarms + s.Quiet
		left += fmt.Sprintf("%+v %g\n", s, lp.Now())
		last = max(last, lp.Now())
	}
	st := sims[0].Summary()
	require.EqualValues(t, monitors*(int(w.beats)+1), events-uint64(alarms(sims))-monitors*monitors)
	require.EqualValues(t, events, st.NetEvents(), "what handlers were called for")
	if synch == ross.Sequential {
		require.Equal(t, last, sims[0].PE(0).GVT())
	}
	if calls != nil {
		require.Len(t, calls, int(last/7), "of the hook, none of them after the last event")
	}
	return fmt.Sprintf("%s%016x", left, *st.Digest), calls
}

// alarms returns how many timers have expired.
func alarms(sims []*ross.Simulation) (n uint64) {
	for id := range ross.LPID(monitors) {
		n += ross.StateOf[monitor](theLP(sims, id)).Alarms
	}
	return n
}

// lapsing are ways to run in which cancelled events leave the queue at different times.
func lapsing(t *testing.T) map[string]func(*ross.Config) {
	all := map[string]func(*ross.Config){
		"sequential":   func(c *ross.Config) { c.Synch = ross.Sequential },
		"check":        func(c *ross.Config) { c.Synch = ross.RollbackCheck },
		"conservative": func(c *ross.Config) { c.Synch, c.PEs = ross.Conservative, 2 },
		"one PE": func(c *ross.Config) {
			c.Synch, c.PEs, c.Tuning.Batch,
				c.Tuning.GVTInterval = ross.Optimistic, 1, 2, 4
		},
		"optimistic": func(c *ross.Config) {
			c.Synch, c.PEs, c.Tuning.Batch,
				c.Tuning.GVTInterval = ross.Optimistic, 3, 2, 4
		},
		"rollbacks": func(c *ross.Config) { c.Synch, c.PEs = ross.Optimistic, 2; knobsOf(c).Disturb = harass(t, 2, 0.3) },
		"KPs move": func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP = ross.Optimistic, 2, 4
			knobsOf(c).Moves, knobsOf(c).Shift = true, 3
		},
		"auto": func(c *ross.Config) { changing(t, c, 2); knobsOf(c).Stretch = 20 },
	}
	if testlevel.Is(testlevel.Least) {
		delete(all, "one PE")
	}
	return all
}

func TestNoResultDependsOnWhenCancelledTimersLeaveTheQueue(t *testing.T) {
	w := shortWard()
	want, wantCalls := watchWard(t, w, 1,
		func(c *ross.Config) { c.Synch, knobsOf(c).Sweep = ross.Sequential, math.MaxUint64 })
	compare := func(name string, ranks int, sweeps []uint64, set func(c *ross.Config)) {
		for _, sweep := range sweeps {
			t.Run(fmt.Sprintf("%s, from %d", name, sweep), func(t *testing.T) {
				testkit.Watch(t)
				left, calls := watchWard(t, w, ranks, func(c *ross.Config) {
					set(c)
					knobsOf(c).Sweep = sweep
				})
				if require.Equal(t, want, left); calls != nil {
					require.Equal(t, wantCalls, calls)
				}
			})
		}
	}
	for name, set := range lapsing(t) {
		compare(name, 1, []uint64{1, 30, math.MaxUint64}, set)
	}
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
		compare(fmt.Sprintf("%v on ranks", synch), 2, []uint64{1, math.MaxUint64},
			func(c *ross.Config) { c.Synch, c.PEs = synch, 2 })
	}
}

// TestTimersMoveToAPEThatHasHadNone, which until then knows of none.
func TestTimersMoveToAPEThatHasHadNone(t *testing.T) {
	w := shortWard()
	w.old = monitors / 2
	want, _ := watchWard(t, w, 1, func(c *ross.Config) { c.Synch = ross.Sequential })
	for range 4 {
		left, _ := watchWard(t, w, 1, lapsing(t)["KPs move"])
		require.Equal(t, want, left)
	}
}

// TestATraceHasNoCancelledTimers: neither one of all executions nor one of committed events.
func TestATraceHasNoCancelledTimers(t *testing.T) {
	for _, kind := range []ross.TraceKind{ross.TraceAll, ross.TraceCommitted} {
		for name, set := range lapsing(t) {
			if name == "check" { // which executes events again
				continue
			}
			cfg := ross.DefaultConfig()
			cfg.LPs, cfg.End, cfg.Output, cfg.ConsLookahead, cfg.MaxMemory = monitors, 90, io.Discard, 0.1, 64<<20
			cfg.Instruments.Trace, cfg.Instruments.Path = kind, filepath.Join(t.TempDir(), "trace")
			set(&cfg)
			knobsOf(&cfg).Sweep = math.MaxUint64
			o := rosstest.Run(t, cfg, shortWard().lpType())
			st := o.Simulation.Summary()
			n := st.NetEvents()
			if kind == ross.TraceAll {
				n = st.EventsProcessed
			}
			require.Len(t, rosstest.ReadTrace(t, cfg.Instruments.Path), int(n), "%v %s", kind, name)
		}
	}
}

// TestACheckpointHasNoCancelledTimers, and the run goes on from it as if it had not been stopped.
func TestACheckpointHasNoCancelledTimers(t *testing.T) {
	w := shortWard()
	on := func(set func(*ross.Config), sweep uint64, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.LPs, c.Output, c.ConsLookahead, c.NKP = monitors, io.Discard, 0.1, 2
			set(c)
			c.End, knobsOf(c).Sweep = end, sweep
		}
	}
	alone := func(c *ross.Config) { c.Synch = ross.Sequential }
	want, _ := runLeg(t, leg{configure: on(alone, math.MaxUint64, 400)}, w.lpType())
	for name, set := range lapsing(t) {
		for _, sweep := range []uint64{1, math.MaxUint64} {
			t.Run(fmt.Sprintf("%s, from %d", name, sweep), func(t *testing.T) { // whose simulations are closed at its end
				cp := filepath.Join(t.TempDir(), "half")
				_, sims := runLeg(t, leg{to: cp, configure: on(set, sweep, 30)}, w.lpType())
				waiting := uint64(0)
				for id := range ross.LPID(monitors) {
					if lp := sims[0].LP(id); ross.StateOf[monitor](lp).Timer.Pending(lp) {
						waiting++
					}
				}
				stored, err := rio.Open(cp)
				require.NoError(t, err)
				events := uint64(0)
				for _, e := range stored.Entries() {
					events += uint64(e.Events)
				}
				require.NoError(t, stored.Close())
				require.Equal(t, monitors+waiting, events, "the beats, and the timers that wait")
				got, _ := runLeg(t, leg{from: cp, mode: ross.LoadInit, configure: on(set, sweep, 400)}, w.lpType())
				require.Equal(t, want, got)
			})
		}
	}
}

// TestCancelledTimersTakeNoMemory: of 85,000 events of cancelled timers that would wait for a time far away, few are
// kept besides those that are not committed.
func TestCancelledTimersTakeNoMemory(t *testing.T) {
	w := ward{beats: 4000, waits: []float64{9000}}
	for name, set := range lapsing(t) {
		if name == "auto" { // stretches are as long as its dice say
			continue
		}
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			cfg := ross.DefaultConfig()
			cfg.LPs, cfg.End, cfg.Output, cfg.ConsLookahead = monitors, 1e5, io.Discard, 0.1
			set(&cfg)
			cfg.Tuning.FixedGVT, cfg.Tuning.GVTInterval, cfg.Tuning.Batch = true, 16, 8
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(w.lpType()))
			require.NoError(t, sim.Run(context.Background()))
			require.Zero(t, alarms([]*ross.Simulation{sim}))
			most := uint64(4_000) // twice what is waiting, and a thousand on each PE
			if cfg.Synch == ross.Optimistic {
				most = 40_000 // windows have up to 2,048 uncommitted events, and each adds two or three to the queue
			}
			require.Less(t, peakEvents(sim), most)
		})
	}
}
