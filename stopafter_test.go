// This file pins where LP.StopAfter ends a run: at the same virtual time under every scheduler, as
// if that were the end in the settings.

package ross

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
)

// endsLater lets every twentieth event or so after a time end the run, after delays from least on.
func endsLater(time, least, most float64, whole bool) func(*LP, uint64) (float64, bool) {
	return func(lp *LP, kind uint64) (float64, bool) {
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
		"by log":       {ends: endsLater(8, 0.05, 5, false), least: 0.05, saving: SaveByLog},
		"never undone": {ends: endsLater(8, 0.05, 5, false), least: 0.05, saving: SaveNever},
		"from all":     {ends: func(*LP, uint64) (float64, bool) { return 4, true }, least: 0.5},
		"in the end":   {ends: endsLater(0, 0.05, 2*gardenEnd, false), least: 0.05},
	}
}

// whenItEnds finds out from a run without StopAfter when one with it has to end.
func whenItEnds(t testing.TB, g garden) (by LPID, at float64, events uint64) {
	t.Helper()
	at = math.Inf(1)
	ends := g.ends
	var times []float64
	g.ends = func(lp *LP, kind uint64) (float64, bool) {
		times = append(times, lp.Now())
		if delay, ok := ends(lp, kind); ok && lp.Now() < at {
			if then := lp.Now() + delay; then < at || then == at && lp.ID() < by {
				by, at = lp.ID(), then
			}
		}
		return 0, false
	}
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
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
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
		cfg.NLP, cfg.End, cfg.Digest, cfg.MaxMemory, cfg.Output = gardenLPs, end, true, 64<<20, io.Discard
	}, g.lpType())
	closeAll(sims)
	require.NoError(t, errs[0])
	st := sims[0].Stats()
	return *st.Digest ^ *st.StateDigest
}

func TestStopAfterEndsAtTheSameTimeUnderEveryScheduler(t *testing.T) {
	for name, g := range laterGardens() {
		if testlevel.Some.LeavesOut(name, "early", "ties") || testlevel.Few.LeavesOut(name, "early") {
			continue
		}
		by, at, events := whenItEnds(t, g)
		want, _ := stopGarden(t, 1, g, func(*Config) {})
		require.Equal(t, by, want.by)
		require.Equal(t, at, want.at)
		require.Equal(t, events, want.events)
		require.Equal(t, plainEnd(t, g, at), want.digest, "another end than the one in the settings")
		synchs := []int{3, int(Auto)}
		if name == "early" || name == "spread" || name == "ties" {
			synchs = []int{2, 3, 5, int(Auto)}
		}
		all := setups(t, synchs...)
		all["synch=6"] = func(cfg *Config) { cfg.Synch = 6 }
		for i, pes := range []int{1, 2, 3, 4} {
			if g.least > 0 {
				all[fmt.Sprintf("lookahead/pes=%d", pes)] = func(cfg *Config) {
					cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, pes, gardenLPs/uint64(pes), g.least
					cfg.GVTInterval = []uint64{1, 16, 3, 1000}[i]
				}
			}
		}
		if name == "early" {
			all["ranks/lookahead"] = func(cfg *Config) {
				cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, 2, gardenLPs/6, g.least
			}
		}
		if name == "ties" || name == "early" {
			all["ranks/synch=3"] = func(cfg *Config) { cfg.Synch, cfg.PEs, cfg.NLP = 3, 1, gardenLPs/3 }
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				modeltest.Watch(t)
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
	stopFuture(t, 8.5, func(lp *LP, open bool) {
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
	g := garden{least: 0.5, ends: func(lp *LP, _ uint64) (float64, bool) { return gardenEnd - lp.Now(), lp.Now() > 2 }}
	want := plainEnd(t, g, gardenEnd)
	for _, synch := range []Scheduler{1, 2, 3, 6} {
		modeltest.Watch(t)
		sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
			cfg.Synch, cfg.NLP, cfg.End, cfg.Digest, cfg.MaxMemory, cfg.Output = synch, gardenLPs, gardenEnd, true, 64<<20, io.Discard
		}, g.lpType())
		require.NoError(t, errs[0])
		_, _, ok := sims[0].Stopped()
		require.False(t, ok)
		require.Equal(t, want, *sims[0].Stats().Digest^*sims[0].Stats().StateDigest)
	}
}

// TestStopAfterTheLastEvent ends runs with and without an end in the settings at a time when no
// event is left. A hook up to that time is called only if the run has an end.
func TestStopAfterTheLastEvent(t *testing.T) {
	typ := Type[None, None]{
		Init:  func(_ *None, lp *LP) { Send(lp, lp.ID(), float64(lp.ID())+1, None{}) },
		Event: func(_ *None, lp *LP, _ *Bits, _ *None) { lp.StopAfter(9 - float64(lp.ID())) },
	}
	hooks := map[float64]int{100: 2, math.Inf(1): 0}
	for end := range hooks {
		for synch, set := range map[string]func(*Config){
			"sequential": func(*Config) {},
			"check":      func(c *Config) { c.Synch = 6 },
			"cautious":   func(c *Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 2, 2, 1 },
			"optimistic": func(c *Config) { c.Synch, c.PEs, c.NLP = 3, 2, 2 },
		} {
			t.Run(fmt.Sprint(synch, " until ", end), func(t *testing.T) {
				modeltest.Watch(t)
				var calls atomic.Int32
				sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
					cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Output, cfg.HookTrigger = 4, end, 64<<20, io.Discard, HookAt(7)
					cfg.GVTHook = func(pe *PE, pastEnd bool) {
						require.True(t, pastEnd)
						if pe.ID() == 0 {
							require.Equal(t, []float64{7, 10}[calls.Add(1)-1], pe.GVT())
						}
						pe.SetHookTrigger(HookAt(10 + 0.5*(pe.GVT()-7)))
					}
					set(cfg)
				}, typ)
				require.NoError(t, errs[0])
				by, at, ok := sims[0].Stopped()
				require.True(t, ok)
				require.Equal(t, []any{LPID(0), 10.0}, []any{by, at}) // as all LPs want
				require.EqualValues(t, hooks[end], calls.Load())
			})
		}
	}
}

// TestHooksBeforeTheEndOfStopAfterAreCalled compares what hooks see on their way to the end.
func TestHooksBeforeTheEndOfStopAfterAreCalled(t *testing.T) {
	g := garden{whole: true, least: 1, ends: endsLater(6, 1, 5, true)}
	run := func(setup func(*Config)) ([]visit, ending) {
		var d diary
		e, _ := stopGarden(t, 1, g, func(cfg *Config) {
			cfg.HookTrigger = HookAt(0.5)
			cfg.GVTHook = func(pe *PE, pastEnd bool) {
				d.note(pe, pastEnd)
				everyHalf(pe)
			}
			setup(cfg)
		})
		return d.joined(t), e
	}
	visits, want := run(func(*Config) {})
	last := visits[len(visits)-1].at
	require.Less(t, last, want.at)
	require.Greater(t, last, want.at-0.5)
	all := setups(t, 2, 3)
	all["synch=6"] = func(cfg *Config) { cfg.Synch = 6 }
	for how, setup := range all {
		t.Run(how, func(t *testing.T) {
			modeltest.Watch(t)
			got, e := run(setup)
			require.Equal(t, visits, got)
			require.Equal(t, want, e)
		})
	}
}

// TestRunsGoOnBetweenStopAfterAndItsTime restarts a run twice on the way to its end, and then
// from its end.
func TestRunsGoOnBetweenStopAfterAndItsTime(t *testing.T) {
	g := garden{least: 0.5, ends: func(lp *LP, kind uint64) (float64, bool) { // all calls come before time 8, most in vain
		return 12 - float64(lp.ID())/16 - lp.Now(), lp.Now() >= 4 && lp.Now() < 8
	}}
	complete, _ := stopGarden(t, 1, g, func(*Config) {})
	require.Less(t, complete.at, 12.0)
	require.Greater(t, complete.at, 10.0)
	layouts := []func(*Config){
		func(c *Config) { c.Synch = 1 },
		func(c *Config) { c.Synch, c.PEs, c.NLP = 3, 2, gardenLPs/2 },
		func(c *Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 4, gardenLPs/4, g.least },
		func(c *Config) { c.Synch = 6 },
	}
	for i := range testlevel.Pick(layouts, layouts[:3], layouts[2:3]) {
		modeltest.Watch(t)
		from := ""
		run := func(j int, end float64, to string) *Simulation {
			to = filepath.Join(t.TempDir(), to)
			_, sims := runLeg(t, leg{from: from, to: to, mode: LoadInit, configure: func(c *Config) {
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
			require.Equal(t, []any{complete.by - LPID(n), complete.at + float64(n)/16}, []any{by, at})
			require.Equal(t, plainEnd(t, g, at), *sim.Stats().Digest^*sim.Stats().StateDigest)
		}
	}
}

// TestStopAfterAmongOtherThings has checkpoints, samples, hooks, a shortage of memory or a debug
// run on the way to the end.
func TestStopAfterAmongOtherThings(t *testing.T) {
	g := garden{ends: endsLater(8, 0.5, 5, false), least: 0.5, saving: SaveByLog}
	want, _ := stopGarden(t, 1, g, func(*Config) {})
	for name, set := range map[string]func(*Config){
		"checkpoints all the time": func(c *Config) { c.IOInterval, c.IOName = 1e-9, filepath.Join(t.TempDir(), "real") },
		"samples":                  func(c *Config) { c.EngineStats, c.VTInterval, c.EventTrace, c.StatsPath = 4, 0.5, 3, t.TempDir() },
		"a shortage of memory":     func(c *Config) { c.MaxMemory = 384 << 10 },
		"a hook at every GVT": func(c *Config) {
			c.HookTrigger, c.GVTHook = HookEvery(1), func(pe *PE, _ bool) { pe.SetHookTrigger(HookEvery(1)) }
		},
	} {
		for _, synch := range []Scheduler{1, 2, 3, 6} {
			t.Run(fmt.Sprint(name, "/synch=", synch), func(t *testing.T) {
				modeltest.Watch(t)
				got, _ := stopGarden(t, 1, g, func(c *Config) {
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
	sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
		cfg.Synch, cfg.NLP, cfg.End, cfg.Output = OptimisticDebug, gardenLPs, gardenEnd, &out
	}, g.lpType())
	require.NoError(t, errs[0])
	by, at, ok := sims[0].Stopped()
	require.True(t, ok)
	require.Equal(t, []any{want.by, want.at}, []any{by, at})
	require.Regexp(t, fmt.Sprintf(`Events Rolled Back and Compared +%d\n`, want.events), out.String())
	require.Regexp(t, fmt.Sprintf(`Stopped by the Model at Time +%g\n`, at), out.String())
	for i := range LPID(gardenLPs) {
		require.Zero(t, sims[0].LP(i).k.StopsAt(), "it was not undone")
	}
}

func TestStopAfterIsRefusedWhereItCannotBe(t *testing.T) {
	once := func(f func(*LP)) LPType {
		return Type[plot, seed]{
			Name:  "plot",
			Init:  func(_ *plot, lp *LP) { Send(lp, lp.ID(), 1, seed{}) },
			Event: func(_ *plot, lp *LP, _ *Bits, _ *seed) { f(lp) },
		}
	}
	after := func(delay float64) LPType { return once(func(lp *LP) { lp.StopAfter(delay) }) }
	ahead := func(cfg *Config) { cfg.Synch, cfg.PEs, cfg.ConsLookahead = 2, 2, 0.5 }
	same := func(*Config) {}
	for name, c := range map[string]struct {
		typ  LPType
		set  func(*Config)
		err  error
		says string
	}{
		"Init": {Type[plot, seed]{Init: func(_ *plot, lp *LP) { lp.StopAfter(1) }, Event: func(*plot, *LP, *Bits, *seed) {}}, same,
			ErrOutsideHandler, "call StopAfter from Event of the LP itself"},
		"negative": {after(-1), same, ErrDelay, "at time 1: stopped the run after a delay of -1: bad delay: a delay must be finite and at least 0"},
		"NaN":      {after(math.NaN()), ahead, ErrDelay, "after a delay of NaN: bad delay"},
		"infinite": {after(math.Inf(1)), func(cfg *Config) { cfg.Synch = 3 }, ErrDelay, "after a delay of +Inf: bad delay"},
		"a lookahead": {after(0.25), ahead, ErrLookahead,
			"stopped the run after a delay of 0.25, but other PEs may already have handled events up to 0.5 later: lookahead violated: give a delay of 0.5 or more, or use --cons-lookahead=0, one PE, or another --synch"},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
				cfg.NLP, cfg.Output = gardenLPs, io.Discard
				c.set(cfg)
			}, c.typ)
			_, _, ok := sims[0].Stopped()
			require.False(t, ok)
			require.ErrorIs(t, errs[0], c.err)
			require.ErrorContains(t, errs[0], c.says)
		})
	}
	want, _ := stopGarden(t, 1, garden{stops: stopsAfter(11)}, func(*Config) {})
	g := garden{ends: func(lp *LP, kind uint64) (float64, bool) { return 1e-300, stopsAfter(11)(lp, kind) }}
	for _, synch := range []Scheduler{1, 2, 3, 6} { // a delay that changes nothing is Stop
		got, _ := stopGarden(t, 1, g, func(cfg *Config) { cfg.Synch, cfg.ConsLookahead = synch, 1e-300 })
		require.Equal(t, want, got)
	}
}
