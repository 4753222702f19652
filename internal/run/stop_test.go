// What becomes of a mistake in a future that never happens: nothing. A mistake that does happen is reported once. And
// where LP.Stop ends a run: at the same event under every scheduler.

package run_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// future is a model in which PE 0 is certain to run ahead into what never happens:
// its LP 0 is a door that has to be open when somebody comes, at times 5 to 9. LP 1,
// on PE 1, opens it at time 2, but only when it has been tried too early.
type future struct {
	early atomic.Int32 // visits to a door that was shut
	alone bool         // nobody waits
	shut  bool         // nobody opens it
}

type door struct {
	Open   bool
	Visits uint64
}

func newFuture() *future { return &future{} }

const (
	visitDoor = iota
	openDoor
	goThere
)

func (f *future) types(saving ross.Saving, visit func(lp *ross.LP, open bool)) ross.LPType {
	typ := ross.Type[door]{
		Name: "door", Saving: saving,
		Init: func(_ *door, lp *ross.LP) {
			switch lp.ID() {
			case 0:
				for i := range 5 {
					ross.Send(lp, 0, float64(5+i), seed{visitDoor})
				}
			case 1:
				ross.Send(lp, 1, 1, seed{goThere})
			}
		},
		Event: ross.On(func(s *door, lp *ross.LP, m *seed) {
			ross.Save(lp, s)
			switch m.Kind {
			case goThere:
				for !f.alone && f.early.Load() == 0 {
					runtime.Gosched()
				}
				if !f.shut {
					ross.Send(lp, 0, 1, seed{openDoor})
				}
			case openDoor:
				s.Open = true
			default:
				s.Visits++
				lp.Printf("visit at %g\n", lp.Now())
				ross.Send(lp, 1, 0.5, seed{openDoor})
				if !s.Open {
					f.early.Add(1)
				}
				visit(lp, s.Open)
			}
		}),
	}
	if saving == ross.SaveByReverse {
		typ.Event = typ.Event.(ross.EventHandler[door, seed]).Reverse(func(s *door, _ *ross.LP, m *seed) {
			switch m.Kind {
			case openDoor:
				s.Open = false
			case visitDoor:
				s.Visits--
			}
		})
	}
	return typ
}

// run runs the model on two PEs.
func (f *future) run(t testing.TB, saving ross.Saving, set func(*ross.Config), visit func(lp *ross.LP, open bool)) (
	digest uint64, err error) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.Digest, cfg.MaxMemory = 1, 20, 3, 2, true, 64<<20
	cfg.Output = io.Discard
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(f.types(saving, visit)))
	err = sim.Run(context.Background())
	if err == nil {
		requireNoLeak(t, sim)
		requireClean(t, sim)
		require.EqualValues(t, 5, ross.StateOf[door](sim.LP(0)).Visits)
	}
	return *sim.Summary().Digest, err
}

func sequentially(c *ross.Config) { c.Synch, c.PEs, c.NLP = 1, 1, 2 }

// mustBeOpen is the model's mistake.
func mustBeOpen(lp *ross.LP, open bool) {
	if !open {
		lp.RNG().Unif()
		panic("it is shut")
	}
}

func TestPanicInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta} {
		want, err := (&future{alone: true}).run(t, saving, sequentially, mustBeOpen)
		require.NoError(t, err)
		for name, set := range map[string]func(*ross.Config){
			"plain":          func(*ross.Config) {},
			"batch of 1":     func(c *ross.Config) { c.Tuning.Batch = 1 },
			"GVT every time": func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 1, 1, true },
			"tiny rings":     func(c *ross.Config) { knobsOf(c).RingSize = 1 },
			"real time":      func(c *ross.Config) { c.Synch, c.Tuning.GVTInterval = 5, 1 },
			"disturbed":      func(c *ross.Config) { knobsOf(c).Disturb = harass(t, 2, 0.05) },
		} {
			t.Run(saving.String()+"/"+name, func(t *testing.T) {
				testkit.Watch(t)
				f := newFuture()
				got, err := f.run(t, saving, set, mustBeOpen)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Positive(t, f.early.Load(), "nothing was tried too early")
			})
		}
	}
}

func TestPanicThatHappensIsToldOnce(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		for _, synch := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprintf("%s/synch=%d", saving, synch), func(t *testing.T) {
				testkit.Watch(t)
				var out strings.Builder
				_, err := (&future{alone: true, shut: true}).run(t, saving, func(c *ross.Config) {
					if c.Synch, c.Output = ross.Scheduler(synch), &out; synch == 1 {
						sequentially(c)
					}
				}, mustBeOpen)
				require.ErrorIs(t, err, ross.ErrPanic)
				assert.True(t,
					strings.HasPrefix(err.Error(),
						"ross: LP 0 (door) at time 5: panic: it is shut: handler panicked: see the stack:\n"), "%v", err)
				assert.Equal(t, 1, strings.Count(err.Error(), "handler panicked"))
				assert.Contains(t, err.Error(), "mustBeOpen", "the stack")
				assert.NotContains(t, out.String(), "visit at 6", "the run went on")
			})
		}
	}
}

// Nobody knows what an event has left undone that Reverse would have to undo.
func TestPanicWhereReverseUndoesEndsTheRunAtOnce(t *testing.T) {
	testkit.Watch(t)
	f := newFuture()
	_, err := f.run(t, ross.SaveByReverse, func(*ross.Config) {}, mustBeOpen)
	require.ErrorIs(t, err, ross.ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time 5: panic: it is shut")
}

func TestFailInAFutureThatNeverHappensIsForgotten(t *testing.T) {
	fail := func(lp *ross.LP, open bool) {
		if !open {
			lp.Fail(assert.AnError)
		}
	}
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			testkit.Watch(t)
			want, err := (&future{alone: true}).run(t, saving, sequentially, fail)
			require.NoError(t, err)
			f := newFuture()
			got, err := f.run(t, saving, func(*ross.Config) {}, fail)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Positive(t, f.early.Load())
		})
	}
}

func TestPanicInReverseEndsTheRun(t *testing.T) {
	testkit.Watch(t)
	f := newFuture()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.MaxMemory = 1, 20, 3, 2, 64<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	typ := f.types(ross.SaveByReverse, func(*ross.LP, bool) {}).(ross.Type[door])
	typ.Event = typ.Event.(ross.EventHandler[door, seed]).Reverse(func(*door, *ross.LP, *seed) { panic("no way back") })
	require.NoError(t, sim.Define(typ))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, ross.ErrPanic)
	require.ErrorContains(t, err, "ross: LP 0 (door) at time ")
	require.ErrorContains(t, err, "panic: no way back")
	require.Equal(t, 1, strings.Count(err.Error(), "handler panicked"))
}

// TestNowAfterTheRunIsThatOfTheLastCommittedEvent has an LP whose last event is
// cancelled long after the one before it was committed.
func TestNowAfterTheRunIsThatOfTheLastCommittedEvent(t *testing.T) {
	want, _ := finalTimes(t, func(*ross.Config) {})
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
		for _, synch := range testlevel.Pick([]int{2, 3, 5}, []int{2, 3, 5}, []int{3}) {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				got, sim := finalTimes(t, func(c *ross.Config) {
					c.Synch, c.PEs, c.NLP, c.Tuning.GVTInterval = ross.Scheduler(synch), pes, int(kitchenLPs/uint64(pes)), 1
					c.ConsLookahead = 0
					if synch != 2 {
						knobsOf(c).Disturb = harass(t, pes, 0.2)
					}
				})
				require.Equal(t, want, got)
				if synch != 2 {
					require.Positive(t, sim.Summary().EventsRolledBack)
				}
			})
		}
	}
}

// finalTimes runs the kitchen and returns the times of its LPs after the run.
func finalTimes(t *testing.T, set func(*ross.Config)) (times []float64, sim *ross.Simulation) {
	t.Helper()
	_, sim = cook(t, true, 8, set)
	for i := range ross.LPID(kitchenLPs) {
		times = append(times, sim.LP(i).Now())
	}
	return times, sim
}

// What becomes of a handler that asks for more memory than there can be.

// ending is what came of a run that an LP stopped.
type ending struct {
	by     ross.LPID
	at     float64
	events uint64
	digest uint64
	plots  []string // LPs at the end
}

// stopGarden runs the garden on some ranks.
func stopGarden(t testing.TB, ranks int, g garden, set func(*ross.Config)) (ending, []*ross.Simulation) {
	t.Helper()
	cluster := (*worldtest.Cluster)(nil)
	if ranks > 1 {
		cluster = worldtest.New(ranks, testrand.Seed(t), 10)
	}
	sims, errs := runOnRanks(t, cluster, ranks, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.Digest, cfg.NKP, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, true, 4, 64<<20, io.Discard
		set(cfg)
	}, g.lpType())
	for _, err := range errs {
		require.NoError(t, err)
	}
	st := sims[0].Summary()
	e := ending{events: st.NetEvents(), digest: *st.Digest ^ *st.StateDigest}
	for _, sim := range sims {
		requireClean(t, sim)
		by, at, ok := sim.Stopped()
		require.True(t, ok)
		if e.by, e.at = by, at; sim != sims[0] {
			require.Equal(t, []any{e.by, e.at}, []any{by, at})
		}
	}
	for i := range ross.LPID(gardenLPs) {
		lp := theLP(sims, i)
		e.plots = append(e.plots, fmt.Sprintf("%+v %x %v", *ross.StateOf[plot](lp), lp.Now(), kernelOf(lp).RNG.State()))
	}
	return e, sims
}

// stopsAfter lets every twentieth event or so after a time stop the run.
func stopsAfter(time float64) func(*ross.LP, uint64) bool {
	return func(lp *ross.LP, kind uint64) bool { return lp.Now() >= time && kind>>24%20 == 3 }
}

// stopGardens is a variety of gardens that stop.
func stopGardens() map[string]garden {
	return map[string]garden{
		"spread": {stops: stopsAfter(11)},
		"ties":   {stops: stopsAfter(6), whole: true},
		"twins": {stops: func(lp *ross.LP, _ uint64) bool { return lp.Now() >= 9 && lp.ID()%3 == 2 }, whole: true,
			twins: newTwins()},
		"by log":       {stops: stopsAfter(11), saving: ross.SaveByLog},
		"never undone": {stops: stopsAfter(11), saving: ross.SaveNever},
		"at the first": {stops: func(*ross.LP, uint64) bool { return true }},
		"at the last":  {stops: func(lp *ross.LP, _ uint64) bool { return lp.Now() > gardenEnd-0.2 }},
	}
}

// whereItStops finds out from a run without Stop where one with it has to end.
func whereItStops(t testing.TB, g garden) (by ross.LPID, at float64, events uint64) {
	t.Helper()
	type visited struct {
		sig  ross.Signature
		lp   ross.LPID
		stop bool
	}
	var all []visited
	stops := g.stops
	g.stops = func(lp *ross.LP, kind uint64) bool {
		all = append(all, visited{lp.Signature(), lp.ID(), stops(lp, kind)})
		return false
	}
	_, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.Output = gardenLPs, gardenEnd, io.Discard
	}, g.lpType())
	require.NoError(t, errs[0])
	first := slices.IndexFunc(all, func(v visited) bool { return v.stop })
	require.GreaterOrEqual(t, first, 0)
	by, at = all[first].lp, all[first].sig.Time
	for _, v := range all {
		c := v.sig.Compare(all[first].sig)
		if c <= 0 {
			events++
		}
		if c == 0 && v.stop {
			by = min(by, v.lp)
		}
	}
	return by, at, events
}

func TestStopEndsAtTheSameEventUnderEveryScheduler(t *testing.T) {
	for name, g := range stopGardens() {
		if testlevel.Some.LeavesOut(name, "spread", "ties") || testlevel.Few.LeavesOut(name, "ties") {
			continue
		}
		by, at, events := whereItStops(t, g)
		want, _ := stopGarden(t, 1, g, func(*ross.Config) {})
		require.Equal(t, by, want.by)
		require.Equal(t, at, want.at)
		require.Equal(t, events, want.events)
		all := setups(t, 2, 3, 5, int(ross.Auto))
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		all["conservative with a lookahead on one PE"] = func(cfg *ross.Config) { cfg.Synch, cfg.ConsLookahead = 2, 0.05 }
		if name == "ties" || name == "twins" {
			all["ranks of synch=3"] = func(cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.NLP = 3, 1, gardenLPs/3 }
		}
		if name == "ties" {
			all["ranks of synch=2"] = func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs, cfg.NLP,
					cfg.ConsLookahead = 2, 1, gardenLPs/3, 0
			}
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				ranks := 1
				if strings.HasPrefix(how, "ranks") {
					ranks = 3
				}
				got, _ := stopGarden(t, ranks, g, setup)
				require.Equal(t, want, got)
			})
		}
	}
}

// TestRunGoesOnFromACheckpointAtAStop compares a run in two parts with one in one part. Both are
// stopped at time 15, and the first part at time 9.
func TestRunGoesOnFromACheckpointAtAStop(t *testing.T) {
	whole := garden{whole: true}
	run := func(g garden, from, to string, setup func(*ross.Config)) *ross.Simulation {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End, cfg.Digest, cfg.NKP, cfg.MaxMemory = gardenLPs, gardenEnd, true, 4, 64<<20
		setup(&cfg)
		cfg.Checkpoints.AfterRun = true
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { sim.Close() })
		require.NoError(t, sim.Define(g.lpType()))
		if from != "" {
			require.NoError(t, sim.Load(from, ross.LoadInit))
		}
		require.NoError(t, sim.Run(context.Background()))
		if to != "" {
			require.NoError(t, sim.Store(to))
		}
		return sim
	}
	whole.stops = stopsAfter(15)
	complete := run(whole, "", "", func(*ross.Config) {})
	want := complete.Summary()
	wantBy, wantAt, _ := complete.Stopped()
	stopped := whole
	stopped.stops = stopsAfter(9)
	all := setups(t, 2, 3)
	all["sequential"] = func(*ross.Config) {}
	for how, setup := range all {
		t.Run(how, func(t *testing.T) {
			testkit.Watch(t)
			cp := filepath.Join(t.TempDir(), "stopped")
			_, at, ok := run(stopped, "", cp, setup).Stopped()
			require.True(t, ok)
			sim := run(whole, cp, "", setup)
			require.Equal(t, at, sim.Clock())
			by, at, ok := sim.Stopped()
			require.True(t, ok)
			require.Equal(t, []any{wantBy, wantAt}, []any{by, at})
			require.Equal(t, *want.Digest, *sim.Summary().Digest)
			require.Equal(t, *want.StateDigest, *sim.Summary().StateDigest)
		})
	}
}

// TestHookCalledByAStoppingEventIsCalled has events call the GVT hook and stop the run.
func TestHookCalledByAStoppingEventIsCalled(t *testing.T) {
	g := garden{calls: true, whole: true, stops: func(lp *ross.LP, kind uint64) bool {
		return lp.Now() >= 9 &&
			kind>>20%8 == 0
	}}
	run := func(ranks int, setup func(*ross.Config)) ([]visit, ending) {
		var d diary
		e, _ := stopGarden(t, ranks, g, func(cfg *ross.Config) {
			cfg.HookTrigger = ross.HookWhenModelCalls()
			cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
				d.note(pe, pastEnd)
				water(pe)
				pe.SetHookTrigger(ross.HookWhenModelCalls())
			}
			setup(cfg)
		})
		return d.joined(t), e
	}
	visits, want := run(1, func(*ross.Config) {})
	require.Equal(t, want.at, visits[len(visits)-1].at)
	require.False(t, visits[len(visits)-1].pastEnd)
	all := setups(t, 3)
	all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
	for how, setup := range all {
		t.Run(how, func(t *testing.T) {
			testkit.Watch(t)
			got, e := run(1, setup)
			require.Equal(t, visits, got)
			require.Equal(t, want, e)
		})
	}
}

// TestStopOfASpeculativeFutureHasNoEffect has an event stop the run that is then undone by a
// straggler: its LP's next run of it does not.
func TestStopOfASpeculativeFutureHasNoEffect(t *testing.T) {
	stopFuture(t, 8, func(lp *ross.LP, open bool) {
		if !open || lp.Now() == 8 {
			lp.Stop()
		}
	})
}

// stopFuture runs a model with events that a straggler undoes, in all ways of saving. stop is called
// for each visit, and open is false if the visit will be undone. LP 0 has to end the run at a time.
func stopFuture(t *testing.T, at float64, stop func(lp *ross.LP, open bool)) {
	t.Helper()
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse} {
		testkit.Watch(t)
		f := newFuture()
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End, cfg.Synch, cfg.PEs, cfg.MaxMemory, cfg.Output = 1, 20, 3, 2, 64<<20, io.Discard
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(f.types(saving, stop)))
		require.NoError(t, sim.Run(context.Background()))
		by, ended, ok := sim.Stopped()
		require.True(t, ok)
		require.Equal(t, []any{ross.LPID(0), at}, []any{by, ended})
		require.EqualValues(t, 4, ross.StateOf[door](sim.LP(0)).Visits)
		require.Positive(t, f.early.Load())
		require.True(t, sim.Snapshot().Complete)
	}
}

// TestCheckOfRollbackComesToAStop runs --synch=4, which undoes all events in the end.
func TestCheckOfRollbackComesToAStop(t *testing.T) {
	g := garden{stops: stopsAfter(11), whole: true}
	by, at, events := whereItStops(t, g)
	var out strings.Builder
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.Synch, cfg.NLP, cfg.End, cfg.Output = ross.OptimisticDebug, gardenLPs, gardenEnd, &out
	}, g.lpType())
	require.NoError(t, errs[0])
	gotBy, gotAt, ok := sims[0].Stopped()
	require.True(t, ok)
	require.Equal(t, []any{by, at}, []any{gotBy, gotAt})
	require.NotContains(t, out.String(), "Memory limit")
	require.Regexp(t, fmt.Sprintf(`Events Rolled Back and Compared +%d\n`, events), out.String())
	require.Regexp(t, fmt.Sprintf(`Stopped by the Model at Time +%g\n`, at), out.String())
	require.Regexp(t, fmt.Sprintf(`Stopped by LP +%d\n`, by), out.String())
}

func TestStopIsRefusedWhereItCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		typ  ross.LPType
		set  func(*ross.Config)
		err  error
		says string
	}{
		"Init": {ross.Type[plot]{Init: func(_ *plot, lp *ross.LP) { lp.Stop() },
			Event: ross.On(func(*plot, *ross.LP, *seed) {})}, func(*ross.Config) {}, ross.ErrOutsideHandler,
			"call Stop from Event"},
		"Commit": {ross.Type[plot]{
			Init:  func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, seed{}) },
			Event: ross.On(func(*plot, *ross.LP, *seed) {}).Commit(func(_ *plot, lp *ross.LP, _ *seed) { lp.Stop() }),
		}, func(cfg *ross.Config) { cfg.Synch = 3 }, ross.ErrOutsideHandler, "call Stop from Event"},
		"a lookahead": {ross.Type[plot]{
			Init:  func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, seed{}) },
			Event: ross.On(func(_ *plot, lp *ross.LP, _ *seed) { lp.Stop() }),
		}, func(cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.ConsLookahead = 2, 2, 0.5 }, ross.ErrLookahead,
			"up to 0.5 later: lookahead violated: end the run later, with StopAfter(0.5), or use --cons-lookahead=0, one PE, or another --synch"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
				cfg.NLP = gardenLPs
				c.set(cfg)
			}, c.typ)
			_, _, ok := sims[0].Stopped()
			require.False(t, ok)
			require.ErrorIs(t, errs[0], c.err)
			require.ErrorContains(t, errs[0], c.says)
			require.Equal(t, 1, ross.ExitCode(errs[0]))
		})
	}
}

// TestStopInTheMiddleOfOtherThings has checkpoints, samples, hooks or a shortage of memory at
// hand when the run stops.
func TestStopInTheMiddleOfOtherThings(t *testing.T) {
	g := garden{stops: stopsAfter(11), saving: ross.SaveByLog, whole: true}
	want, _ := stopGarden(t, 1, g, func(*ross.Config) {})
	for name, set := range map[string]func(*ross.Config){
		"checkpoints at virtual times": func(c *ross.Config) {
			c.Checkpoints.VirtualInterval, c.Checkpoints.Name = 0.25, filepath.Join(t.TempDir(), "virtual")
		},
		"checkpoints all the time": func(c *ross.Config) {
			c.Checkpoints.Interval, c.Checkpoints.Name = time.Nanosecond, filepath.Join(t.TempDir(), "real")
		},
		"samples": func(c *ross.Config) {
			c.Instruments.Engine, c.Instruments.VirtualInterval, c.Instruments.Trace, c.Instruments.Path =
				ross.SampleAll, 0.5, ross.TraceCommitted, t.TempDir()
		},
		"a shortage of memory": func(c *ross.Config) { c.MaxMemory = 384 << 10 },
		"a hook at every GVT": func(c *ross.Config) {
			c.HookTrigger, c.GVTHook = ross.HookEvery(1), func(pe *ross.PE, _ bool) { pe.SetHookTrigger(ross.HookEvery(1)) }
		},
	} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
			t.Run(fmt.Sprint(name, "/synch=", synch), func(t *testing.T) {
				testkit.Watch(t)
				got, _ := stopGarden(t, 1, g, func(c *ross.Config) {
					c.Synch, c.ConsLookahead = synch, 0
					if set(c); synch == 2 || synch == 3 {
						c.PEs, c.NLP = 2, gardenLPs/2
					}
				})
				require.Equal(t, want, got)
			})
		}
	}
}
