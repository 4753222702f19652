// Where LP.StopAfter ends a run: at the same virtual time under every scheduler, as
// if that were the end in the settings.

package run_test

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// endsLater lets every twentieth event or so after a time end the run, after delays from least on.
func endsLater(time, least, most float64, whole bool) func(*ross.LP, uint64) (float64, bool) {
	return func(lp *ross.LP, kind uint64) (float64, bool) {
		delay := least + (most-least)*float64(kind>>32%1024)/1024
		if whole {
			delay = math.Ceil(delay)
		}
		return delay, lp.Now() >= time && kind>>24%20 == 3
	}
}

// laterGardens is a variety of gardens that end later.
func laterGardens() map[string]garden {
	return map[string]garden{
		"early":        {ends: endsLater(1, 0.5, 4, false), least: 0.5},
		"spread":       {ends: endsLater(8, 0.05, 5, false), least: 0.05},
		"soon":         {ends: endsLater(11, 0.05, 0.05, false), least: 0.05},
		"ties":         {ends: endsLater(6, 1, 3, true), least: 1, whole: true},
		"chains":       {ends: endsLater(6, 1, 3, true), whole: true},
		"by log":       {ends: endsLater(8, 0.05, 5, false), least: 0.05, saving: ross.SaveByLog},
		"never undone": {ends: endsLater(8, 0.05, 5, false), least: 0.05, saving: ross.SaveNever},
		"from all":     {ends: func(*ross.LP, uint64) (float64, bool) { return 4, true }, least: 0.5},
		"in the end":   {ends: endsLater(0, 0.05, 2*gardenEnd, false), least: 0.05},
	}
}

// whenItEnds finds out from a run without StopAfter when one with it has to end.
func whenItEnds(t testing.TB, g garden) (by ross.LPID, at float64, events uint64) {
	t.Helper()
	at = math.Inf(1)
	ends := g.ends
	var times []float64
	g.ends = func(lp *ross.LP, kind uint64) (float64, bool) {
		times = append(times, lp.Now())
		if delay, ok := ends(lp, kind); ok && lp.Now() < at {
			if then := lp.Now() + delay; then < at || then == at && lp.ID() < by {
				by, at = lp.ID(), then
			}
		}
		return 0, false
	}
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, 64<<20, io.Discard
	}, g.lpType())
	closeAll(sims)
	require.NoError(t, errs[0])
	require.Less(t, at, float64(gardenEnd))
	for _, time := range times {
		if time < at {
			events++
		}
	}
	return by, at, events
}

// plainEnd runs a garden without StopAfter to an end in the settings.
func plainEnd(t testing.TB, g garden, end float64) (digest uint64) {
	t.Helper()
	g.ends = nil
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.Digest, cfg.MaxMemory, cfg.Output = gardenLPs, end, true, 64<<20, io.Discard
	}, g.lpType())
	closeAll(sims)
	require.NoError(t, errs[0])
	st := sims[0].Summary()
	return *st.Digest ^ *st.StateDigest
}

func TestStopAfterEndsAtTheSameTimeUnderEveryScheduler(t *testing.T) {
	for name, g := range laterGardens() {
		if testlevel.Some.LeavesOut(name, "early", "ties") || testlevel.Few.LeavesOut(name, "early") {
			continue
		}
		by, at, events := whenItEnds(t, g)
		want, _ := stopGarden(t, 1, g, func(*ross.Config) {})
		require.Equal(t, by, want.by)
		require.Equal(t, at, want.at)
		require.Equal(t, events, want.events)
		require.Equal(t, plainEnd(t, g, at), want.digest, "another end than the one in the settings")
		synchs := []int{3, int(ross.Auto)}
		if name == "early" || name == "spread" || name == "ties" {
			synchs = []int{2, 3, 5, int(ross.Auto)}
		}
		all := setups(t, synchs...)
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		for i, pes := range []int{1, 2, 3, 4} {
			if g.least > 0 {
				all[fmt.Sprintf("lookahead/pes=%d", pes)] = func(cfg *ross.Config) {
					cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, pes, int(gardenLPs/uint64(pes)), g.least
					cfg.Tuning.GVTInterval = int([]uint64{1, 16, 3, 1000}[i])
				}
			}
		}
		if name == "early" {
			all["ranks/lookahead"] = func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, 2, gardenLPs/6, g.least
			}
		}
		if name == "ties" || name == "early" {
			all["ranks/synch=3"] = func(cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.NLP = 3, 1, gardenLPs/3 }
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				ranks := 1
				if strings.HasPrefix(how, "ranks") {
					ranks = 3
				}
				got, sims := stopGarden(t, ranks, g, setup)
				closeAll(sims)
				require.Equal(t, want, got)
			})
		}
	}
}

// TestStopAfterIsUndoneWithItsEvent has events end the run that are then undone by a straggler, and
// do not end it, or later, when they run again. The earliest end of another LP counts instead.
func TestStopAfterIsUndoneWithItsEvent(t *testing.T) {
	stopFuture(t, 8.5, func(lp *ross.LP, open bool) {
		switch {
		case !open:
			lp.StopAfter(0.25)
			lp.StopAfter(0.125)
		case lp.Now() == 6:
			lp.StopAfter(5)
		case lp.Now() == 7:
			lp.StopAfter(1.5)
			lp.StopAfter(3)
		}
	})
}

// TestStopAfterTheEndIsNoStop asks for ends at and after the end in the settings.
func TestStopAfterTheEndIsNoStop(t *testing.T) {
	g := garden{least: 0.5, ends: func(lp *ross.LP, _ uint64) (float64, bool) {
		return gardenEnd - lp.Now(),
			lp.Now() > 2
	}}
	want := plainEnd(t, g, gardenEnd)
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		testkit.Watch(t)
		sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
			cfg.Synch, cfg.NLP, cfg.End, cfg.Digest, cfg.MaxMemory, cfg.Output = synch, gardenLPs, gardenEnd, true, 64<<20,
				io.Discard
		}, g.lpType())
		require.NoError(t, errs[0])
		_, _, ok := sims[0].Stopped()
		require.False(t, ok)
		require.Equal(t, want, *sims[0].Summary().Digest^*sims[0].Summary().StateDigest)
	}
}

// TestStopAfterTheLastEvent ends runs with and without an end in the settings at a time when no
// event is left. A hook up to that time is called only if the run has an end.
func TestStopAfterTheLastEvent(t *testing.T) {
	typ := ross.Type[ross.None]{
		Init:  func(_ *ross.None, lp *ross.LP) { ross.Send(lp, lp.ID(), float64(lp.ID())+1, ross.None{}) },
		Event: ross.On(func(_ *ross.None, lp *ross.LP, _ *ross.None) { lp.StopAfter(9 - float64(lp.ID())) }),
	}
	hooks := map[float64]int{100: 2, math.Inf(1): 0}
	for end := range hooks {
		for synch, set := range map[string]func(*ross.Config){
			"sequential": func(*ross.Config) {},
			"check":      func(c *ross.Config) { c.Synch = 6 },
			"cautious":   func(c *ross.Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 2, 2, 1 },
			"optimistic": func(c *ross.Config) { c.Synch, c.PEs, c.NLP = 3, 2, 2 },
		} {
			t.Run(fmt.Sprint(synch, " until ", end), func(t *testing.T) {
				testkit.Watch(t)
				var calls atomic.Int32
				sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
					cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Output, cfg.HookTrigger = 4, end, 64<<20, io.Discard, ross.HookAt(7)
					cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
						require.True(t, pastEnd)
						if pe.ID() == 0 {
							require.Equal(t, []float64{7, 10}[calls.Add(1)-1], pe.GVT())
						}
						pe.SetHookTrigger(ross.HookAt(10 + 0.5*(pe.GVT()-7)))
					}
					set(cfg)
				}, typ)
				require.NoError(t, errs[0])
				by, at, ok := sims[0].Stopped()
				require.True(t, ok)
				require.Equal(t, []any{ross.LPID(0), 10.0}, []any{by, at}) // as all LPs want
				require.EqualValues(t, hooks[end], calls.Load())
			})
		}
	}
}

// TestHooksBeforeTheEndOfStopAfterAreCalled compares what hooks see on their way to the end.
func TestHooksBeforeTheEndOfStopAfterAreCalled(t *testing.T) {
	g := garden{whole: true, least: 1, ends: endsLater(6, 1, 5, true)}
	run := func(setup func(*ross.Config)) ([]visit, ending) {
		var d diary
		e, _ := stopGarden(t, 1, g, func(cfg *ross.Config) {
			cfg.HookTrigger = ross.HookAt(0.5)
			cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
				d.note(pe, pastEnd)
				everyHalf(pe)
			}
			setup(cfg)
		})
		return d.joined(t), e
	}
	visits, want := run(func(*ross.Config) {})
	last := visits[len(visits)-1].at
	require.Less(t, last, want.at)
	require.Greater(t, last, want.at-0.5)
	all := setups(t, 2, 3)
	all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
	for how, setup := range all {
		t.Run(how, func(t *testing.T) {
			testkit.Watch(t)
			got, e := run(setup)
			require.Equal(t, visits, got)
			require.Equal(t, want, e)
		})
	}
}

// TestRunsGoOnBetweenStopAfterAndItsTime restarts a run twice on the way to its end, and then
// from its end.
func TestRunsGoOnBetweenStopAfterAndItsTime(t *testing.T) {
	// all calls come before time 8, most in vain
	g := garden{least: 0.5, ends: func(lp *ross.LP, kind uint64) (float64, bool) {
		return 12 - float64(lp.ID())/16 - lp.Now(), lp.Now() >= 4 && lp.Now() < 8
	}}
	complete, _ := stopGarden(t, 1, g, func(*ross.Config) {})
	require.Less(t, complete.at, 12.0)
	require.Greater(t, complete.at, 10.0)
	layouts := []func(*ross.Config){
		func(c *ross.Config) { c.Synch = 1 },
		func(c *ross.Config) { c.Synch, c.PEs, c.NLP = 3, 2, gardenLPs/2 },
		func(c *ross.Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 4, gardenLPs/4, g.least },
		func(c *ross.Config) { c.Synch = 6 },
	}
	for i := range testlevel.Pick(layouts, layouts[:3], layouts[2:3]) {
		testkit.Watch(t)
		from := ""
		run := func(j int, end float64, to string) *ross.Simulation {
			to = filepath.Join(t.TempDir(), to)
			_, sims := runLeg(t, leg{from: from, to: to, mode: ross.LoadInit, configure: func(c *ross.Config) {
				c.NLP, c.End, c.NKP, c.MaxMemory, c.Output = gardenLPs, end, 3, 64<<20, io.Discard
				layouts[(i+j)%len(layouts)](c)
			}}, g.lpType())
			closeAll(sims)
			from = to
			return sims[0]
		}
		for j, end := range []float64{9, 9.5} {
			_, _, ok := run(j, end, "way").Stopped()
			require.False(t, ok)
		}
		for n := range 3 { // from the end on, the next end is that of the LP before
			sim := run(2+n, gardenEnd, "end")
			by, at, ok := sim.Stopped()
			require.True(t, ok)
			require.Equal(t, []any{complete.by - ross.LPID(n), complete.at + float64(n)/16}, []any{by, at})
			require.Equal(t, plainEnd(t, g, at), *sim.Summary().Digest^*sim.Summary().StateDigest)
		}
	}
}

// TestStopAfterAmongOtherThings has checkpoints, samples, hooks, a shortage of memory or a debug
// run on the way to the end.
func TestStopAfterAmongOtherThings(t *testing.T) {
	g := garden{ends: endsLater(8, 0.5, 5, false), least: 0.5, saving: ross.SaveByLog}
	want, _ := stopGarden(t, 1, g, func(*ross.Config) {})
	for name, set := range map[string]func(*ross.Config){
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
					c.Synch, c.ConsLookahead = synch, g.least
					if set(c); synch == 2 || synch == 3 {
						c.PEs, c.NLP = 2, gardenLPs/2
					}
				})
				require.Equal(t, want, got)
			})
		}
	}
	var out strings.Builder
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.Synch, cfg.NLP, cfg.End, cfg.Output = ross.OptimisticDebug, gardenLPs, gardenEnd, &out
	}, g.lpType())
	require.NoError(t, errs[0])
	by, at, ok := sims[0].Stopped()
	require.True(t, ok)
	require.Equal(t, []any{want.by, want.at}, []any{by, at})
	require.Regexp(t, fmt.Sprintf(`Events Rolled Back and Compared +%d\n`, want.events), out.String())
	require.Regexp(t, fmt.Sprintf(`Stopped by the Model at Time +%g\n`, at), out.String())
	for i := range ross.LPID(gardenLPs) {
		require.Zero(t, kernelOf(sims[0].LP(i)).StopsAt(), "it was not undone")
	}
}

func TestStopAfterIsRefusedWhereItCannotBe(t *testing.T) {
	once := func(f func(*ross.LP)) ross.LPType {
		return ross.Type[plot]{
			Name:  "plot",
			Init:  func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, seed{}) },
			Event: ross.On(func(_ *plot, lp *ross.LP, _ *seed) { f(lp) }),
		}
	}
	after := func(delay float64) ross.LPType { return once(func(lp *ross.LP) { lp.StopAfter(delay) }) }
	ahead := func(cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.ConsLookahead = 2, 2, 0.5 }
	same := func(*ross.Config) {}
	for name, c := range map[string]struct {
		typ  ross.LPType
		set  func(*ross.Config)
		err  error
		says string
	}{
		"Init": {ross.Type[plot]{Init: func(_ *plot, lp *ross.LP) { lp.StopAfter(1) },
			Event: ross.On(func(*plot, *ross.LP, *seed) {})}, same,
			ross.ErrOutsideHandler, "call StopAfter from Event of the LP itself"},
		"negative": {after(-1), same, ross.ErrDelay,
			"at time 1: stopped the run after a delay of -1: bad delay: a delay must be finite and at least 0"},
		"NaN": {after(math.NaN()), ahead, ross.ErrDelay, "after a delay of NaN: bad delay"},
		"infinite": {after(math.Inf(1)), func(cfg *ross.Config) { cfg.Synch = 3 }, ross.ErrDelay,
			"after a delay of +Inf: bad delay"},
		"a lookahead": {after(0.25), ahead, ross.ErrLookahead,
			"stopped the run after a delay of 0.25, but other PEs may already have handled events up to 0.5 later: lookahead violated: give a delay of 0.5 or more, or use --cons-lookahead=0, one PE, or another --synch"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
				cfg.NLP, cfg.Output = gardenLPs, io.Discard
				c.set(cfg)
			}, c.typ)
			_, _, ok := sims[0].Stopped()
			require.False(t, ok)
			require.ErrorIs(t, errs[0], c.err)
			require.ErrorContains(t, errs[0], c.says)
		})
	}
	want, _ := stopGarden(t, 1, garden{stops: stopsAfter(11)}, func(*ross.Config) {})
	g := garden{ends: func(lp *ross.LP, kind uint64) (float64, bool) { return 1e-300, stopsAfter(11)(lp, kind) }}
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} { // a delay that changes nothing is Stop
		got, _ := stopGarden(t, 1, g, func(cfg *ross.Config) { cfg.Synch, cfg.ConsLookahead = synch, 1e-300 })
		require.Equal(t, want, got)
	}
}
