// The GVT hook of a parallel run is that of a sequential one: it fires at the same virtual times, or at any signature,
// finds the same states, and gets the same answer about what is left.

package run_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

const (
	gardenLPs = 24
	gardenEnd = 24
)

// plot is the state of an LP of the garden, which hooks water.
type plot struct {
	Grown, Water uint64
	Last         float64
	Spilt        uint64
	Nth          int // events at the time of Last before
}

type seed struct{ Kind uint64 }

// garden is a model whose LPs send to one another, some of them without delay.
// Every eighth event or so calls the hook.
type garden struct {
	saving ross.Saving
	calls  bool
	whole  bool   // all delays are whole numbers
	twins  *twins // LPs draw the same tie-breakers at the same times
	notes  func(lp *ross.LP, s *plot)
	// least delay of all events; 0: some have none, and others at least 0.05
	least float64
	stops func(lp *ross.LP, kind uint64) bool                     // whether an event stops the run
	ends  func(lp *ross.LP, kind uint64) (delay float64, ok bool) // whether an event ends the run, and how much later
}

func (g *garden) sow(lp *ross.LP, kind uint64) {
	r := lp.RNG()
	delay := 0.0
	if kind%5 != 0 || g.least > 0 {
		if delay = max(0.05, g.least) + r.Exponential(0.5); g.whole {
			delay = math.Ceil(delay)
		}
	}
	ross.Send(lp, ross.LPID(r.Integer(0, gardenLPs-1)), delay, seed{kind*2862933555777941757 + uint64(lp.ID()) + 1})
}

func (g *garden) lpType() ross.LPType {
	return ross.Type[plot]{
		Name: "plot", Saving: g.saving,
		Init: func(_ *plot, lp *ross.LP) { g.sow(lp, uint64(lp.ID())+1) },
		Event: ross.On(func(s *plot, lp *ross.LP, m *seed) {
			ross.Save(lp, s)
			s.Grown += m.Kind ^ s.Water
			if s.Nth++; s.Last != lp.Now() {
				s.Last, s.Nth = lp.Now(), 0
			}
			if g.twins != nil {
				defer g.twins.align(lp, s.Nth)()
			}
			if g.calls && (m.Kind>>20)%8 == 0 {
				lp.TriggerGVTHook()
			}
			if g.stops != nil && g.stops(lp, m.Kind) {
				lp.Stop()
			}
			if g.ends != nil {
				if delay, ok := g.ends(lp, m.Kind); ok {
					lp.StopAfter(delay)
				}
			}
			if g.notes != nil {
				g.notes(lp, s)
			}
			g.sow(lp, m.Kind)
		}),
	}
}

// visit is what a PE's call of the hook saw.
type visit struct {
	at      float64
	pastEnd bool
	plots   map[ross.LPID]string
}

// diary is what all calls saw, in the order of each PE.
type diary struct {
	mu     sync.Mutex
	visits [][]visit
}

func (d *diary) note(pe *ross.PE, pastEnd bool) {
	v := visit{pe.GVT(), pastEnd, map[ross.LPID]string{}}
	for i := range pe.NumLPs() {
		lp := pe.LP(i)
		v.plots[lp.ID()] = fmt.Sprintf("%+v %x %v", *ross.StateOf[plot](lp), lp.Now(), kernelOf(lp).RNG.State())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.visits) <= int(pe.ID()) {
		d.visits = append(d.visits, nil)
	}
	d.visits[pe.ID()] = append(d.visits[pe.ID()], v)
}

// joined returns the visits of all PEs, those of one GVT in one.
func (d *diary) joined(t testing.TB) []visit {
	t.Helper()
	if len(d.visits) == 0 {
		return nil
	}
	all := slices.Clone(d.visits[0])
	for id, vs := range d.visits[1:] {
		require.Len(t, vs, len(all), "calls on PE %d", id+1)
		for i, v := range vs {
			require.Equal(t, all[i].at, v.at, "GVT of call %d on PE %d", i, id+1)
			require.Equal(t, all[i].pastEnd, v.pastEnd, "past the end, call %d at %g on PE %d", i, v.at, id+1)
			maps.Copy(all[i].plots, v.plots)
		}
	}
	return all
}

// walk runs the garden. It returns what the hook saw, the digest, and the LPs at
// the end.
func walk(t testing.TB, g garden, set func(*ross.Config), hook func(pe *ross.PE)) ([]visit, uint64, []string) {
	t.Helper()
	return walkRanks(t, nil, 1, g, set, hook)
}

// walkRanks is walk on some ranks.
func walkRanks(t testing.TB, c *worldtest.Cluster, ranks int, g garden, set func(*ross.Config),
	hook func(pe *ross.PE)) ([]visit, uint64, []string) {
	t.Helper()
	var d diary
	sims, errs := runOnRanks(t, c, ranks, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.Digest, cfg.NKP, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, true, 4, 64<<20, io.Discard
		cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
			d.note(pe, pastEnd)
			hook(pe)
		}
		set(cfg)
	}, g.lpType())
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	for _, sim := range sims {
		requireClean(t, sim)
	}
	var left []string
	for i := range ross.LPID(gardenLPs) {
		lp := theLP(sims, i)
		left = append(left, fmt.Sprintf("%+v %x", *ross.StateOf[plot](lp), lp.Now()))
	}
	return d.joined(t), *sims[0].Summary().Digest, left
}

// theLP returns an LP of whatever rank.
func theLP(sims []*ross.Simulation, id ross.LPID) *ross.LP {
	for _, sim := range sims {
		if lp := sim.LP(id); lp != nil {
			return lp
		}
	}
	return nil
}

// walkAlone runs the garden with a hook of its own, and returns the digest.
func walkAlone(t testing.TB, g garden, set func(*ross.Config), hook func(pe *ross.PE, pastEnd bool)) uint64 {
	t.Helper()
	_, digest, _ := walk(t, g, func(c *ross.Config) {
		set(c)
		c.GVTHook = hook
	}, nil)
	return digest
}

// setups are ways to run in parallel in which hooks meet what can go wrong.
func setups(t testing.TB, synchs ...int) map[string]func(*ross.Config) {
	all := map[string]func(*ross.Config){}
	for _, synch := range synchs {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
			for _, interval := range []uint64{1, 16, 1000} {
				if pes == 1 && interval != 16 || pes == 4 && interval == 16 {
					continue
				}
				all[fmt.Sprintf("synch=%d/pes=%d/gvt=%d", synch, pes, interval)] = func(c *ross.Config) {
					c.Synch, c.PEs, c.NLP, c.Tuning.GVTInterval = ross.Scheduler(synch), pes, int(gardenLPs/uint64(pes)), int(interval)
					c.ConsLookahead = 0
					if interval == 1 {
						c.Tuning.FixedGVT, c.Tuning.Batch = true, 2
					}
					if synch == int(ross.Auto) {
						knobsOf(c).Probe = 50 * time.Microsecond
					}
					if synch == 5 {
						c.Tuning.GVTInterval = int(min(interval, 16)) // milliseconds
					}
					switch { // with a ring of one key, synch 3 thrashes: what is undone crosses it twice
					case interval == 1000 && synch == 2:
						knobsOf(c).RingSize = 1
					case interval == 1000:
						knobsOf(c).RingSize = 16
					case synch != 2:
						knobsOf(c).Disturb = harass(t, pes, 0.2)
					}
				}
			}
		}
	}
	return all
}

func water(pe *ross.PE) {
	for i := range pe.NumLPs() {
		s := ross.StateOf[plot](pe.LP(i))
		s.Water += s.Grown<<7 + uint64(pe.GVT()*1000)
	}
}

// everyHalf has the hook fire 2.5 times in a unit of time, and change states.
func everyHalf(pe *ross.PE) {
	water(pe)
	pe.SetHookTrigger(ross.HookAt(pe.GVT() + 0.4))
}

// doubling has it fire at 1, 2, 4, 8 and so on.
func doubling(pe *ross.PE) {
	water(pe)
	pe.SetHookTrigger(ross.HookAt(2 * pe.GVT()))
}

func TestParallelHookSeesWhatASequentialOneSees(t *testing.T) {
	for name, c := range map[string]struct {
		g       garden
		trigger ross.HookTrigger
		hook    func(pe *ross.PE)
		synchs  []int
	}{
		"once":          {garden{}, ross.HookAt(7.25), func(*ross.PE) {}, []int{2, 3, 5}},
		"often":         {garden{}, ross.HookAt(0), everyHalf, []int{2, 3, 5}},
		"often, by log": {garden{saving: ross.SaveByLog}, ross.HookAt(0), everyHalf, []int{3}},
		"often, never":  {garden{saving: ross.SaveNever}, ross.HookAt(0), everyHalf, []int{3}},
		"with the ties": {garden{whole: true}, ross.HookAt(1), doubling, []int{2, 3, 5}},
		"between ties": {garden{whole: true},
			ross.HookAtSignature(ross.Signature{Time: 3, Priority: 1, Ties: []float64{0.5, 0.25}}), water, []int{2, 3}},
		"at the end":   {garden{}, ross.HookAt(gardenEnd), water, []int{2, 3}},
		"past the end": {garden{}, ross.HookAt(gardenEnd + 1), water, []int{2, 3}},
		"when called":  {garden{calls: true}, ross.HookWhenModelCalls(), water, []int{3, 5}},
		"called at ties": {garden{calls: true, whole: true, saving: ross.SaveByLog}, ross.HookWhenModelCalls(), water,
			[]int{3}},
		"called by twins": {garden{calls: true, whole: true, twins: newTwins()}, ross.HookWhenModelCalls(), water, []int{3}},
		"called, then at times": {garden{calls: true}, ross.HookWhenModelCalls(), func(pe *ross.PE) {
			water(pe)
			if g := pe.GVT(); g < gardenEnd/2 {
				pe.SetHookTrigger(ross.HookAt(g + 1))
			} else {
				pe.SetHookTrigger(ross.HookWhenModelCalls())
			}
		}, []int{3}},
	} {
		if testlevel.Some.LeavesOut(name, "once", "often", "with the ties", "when called") ||
			testlevel.Few.LeavesOut(name, "once", "often") {
			continue
		}
		set := func(cfg *ross.Config) { cfg.HookTrigger = c.trigger }
		want, digest, left := walk(t, c.g, set, c.hook)
		require.Equal(t, name == "past the end", len(want) == 0)
		all := setups(t, c.synchs...)
		for _, synch := range c.synchs {
			all[fmt.Sprintf("ranks of synch=%d", synch)] = func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs,
					cfg.ConsLookahead = ross.Scheduler(synch), 1, 0
			}
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				ranks, cluster := 1, (*worldtest.Cluster)(nil)
				if strings.HasPrefix(how, "ranks") {
					ranks, cluster = 3, worldtest.New(3, testrand.Seed(t), 10)
				}
				got, d, l := walkRanks(t, cluster, ranks, c.g, func(cfg *ross.Config) {
					set(cfg)
					if setup(cfg); ranks > 1 {
						cfg.NLP = int(gardenLPs / uint64(ranks))
					}
				}, c.hook)
				require.Len(t, got, len(want))
				for i := range want {
					require.Equal(t, want[i], got[i], "call %d", i)
				}
				require.Equal(t, digest, d)
				require.Equal(t, left, l)
			})
		}
	}
}

// A hook takes all events: it keeps a third until the next call puts them back later, and frees some of them. It sends.
func TestEventsThatAHookTakesAreTheSameInAParallelRun(t *testing.T) {
	testkit.Watch(t)
	alone, digests := []func(*ross.Config){func(*ross.Config) {}, func(c *ross.Config) { c.Synch = 6 }}, []uint64{}
	for _, setup := range append(alone, slices.Collect(maps.Values(setups(t, 2, 3, 5)))...) {
		kept := [4]map[uint32]float64{{}, {}, {}, {}} // time after GVT, by slot
		var calls [4]int
		var took [10]sync.WaitGroup // by call: PEs wait for each other
		digests = append(digests, walkAlone(t, garden{saving: ross.SaveByLog}, func(c *ross.Config) {
			setup(c)
			c.HookTrigger = ross.HookAt(2)
			for i := range took {
				took[i].Add(max(c.PEs, 1))
			}
			c.PE.PreLPInit = func(pe *ross.PE) {
				if pe.ID() == 0 {
					engineOf(pe).Run.HookTakes = true
				}
			}
		}, func(face *ross.PE, _ bool) {
			pe, id := engineOf(face).Kernel(), face.ID()
			back := kept[id]
			if calls[id] < 6 { // the last time it puts all of them back
				kept[id] = map[uint32]float64{}
			}
			pe.TakeEvents(func(i uint32, e *event.Event) {
				switch kind := (*seed)(event.Payload(e)).Kind >> 20 % 6; {
				case kind < 2:
					kept[id][i] = e.Time - pe.GVT
				case kind == 2 && calls[id] < 3:
					pe.FreeTaken(i, e)
				default:
					back[i] = e.Time - pe.GVT
				}
			})
			took[calls[id]].Done()
			took[calls[id]].Wait()
			for i, at := range back {
				pe.PutBack(i, pe.Arena.At(i), pe.GVT+at)
			}
			for i := range face.NumLPs() {
				lp := kernelOf(face.LP(i))
				for j, delay := range []float64{0, 0.5} {
					*(*seed)(lp.ScheduleInHook((lp.ID*5+uint64(j*calls[id]))%gardenLPs, delay, 1, pe.Run.Messages[0].Word, 8)) = seed{
						lp.RNG.Ulong(1, 1<<40)}
				}
			}
			if calls[id]++; calls[id] <= 6 {
				face.SetHookTrigger(ross.HookAt(pe.GVT + 3.5))
			}
		}))
		require.Equal(t, 7, calls[0])
		require.Equal(t, digests[0], digests[len(digests)-1])
	}
}

// TestHookOfASpeculativeFutureDoesNotFire has an event that calls the hook and is
// then undone by a straggler: its LP's next run of it does not call.
func TestHookOfASpeculativeFutureDoesNotFire(t *testing.T) {
	testkit.Watch(t)
	var calls []float64
	future := newFuture()
	_, log := future.run(t, ross.SaveByDelta, func(c *ross.Config) {
		c.HookTrigger = ross.HookWhenModelCalls()
		c.GVTHook = func(pe *ross.PE, _ bool) {
			if pe.ID() == 0 {
				calls = append(calls, pe.GVT())
			}
		}
	}, func(lp *ross.LP, open bool) {
		if !open || lp.Now() == 9 {
			lp.TriggerGVTHook()
		}
	})
	require.NoError(t, log)
	require.Equal(t, []float64{9}, calls)
	require.Positive(t, future.early.Load())
}

func TestHookEveryRunsWithWhatIsBeforeGVTCommitted(t *testing.T) {
	for how, setup := range setups(t, testlevel.Pick([]int{3, 5}, []int{3, 5}, []int{3})...) {
		t.Run(how, func(t *testing.T) {
			testkit.Watch(t)
			var fired [4]int
			digest := walkAlone(t, garden{}, func(c *ross.Config) {
				setup(c)
				c.HookTrigger = ross.HookEvery(2)
			}, func(pe *ross.PE, pastEnd bool) {
				fired[pe.ID()]++
				require.Zero(t, engineOf(pe).Counts.GVTs%2)
				require.Equal(t, engineOf(pe).Bound.IsMax(), pastEnd)
				require.Zero(t, engineOf(pe).Uncommitted)
				for i := range engineOf(pe).LPs {
					require.LessOrEqual(t, engineOf(pe).LPs[i].Now, pe.GVT())
				}
			})
			_, want, _ := walk(t, garden{}, func(*ross.Config) {}, func(*ross.PE) {})
			require.Equal(t, want, digest)
			c := ross.DefaultConfig()
			setup(&c)
			require.Equal(t, slices.Repeat([]int{fired[0]}, c.PEs), fired[:c.PEs])
		})
	}
}

// TestTriggerBehindGVTIsAnError has hooks that ask for a time which is past.
func TestTriggerBehindGVTIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		g      garden
		from   ross.HookTrigger
		synchs []int
	}{
		"called":    {garden{calls: true}, ross.HookWhenModelCalls(), []int{1, 3, 6}},
		"every GVT": {garden{}, ross.HookEvery(3), []int{3}},
		"at a time": {garden{}, ross.HookAt(3), []int{1, 2, 3, 6}},
	} {
		for _, synch := range c.synchs {
			t.Run(fmt.Sprintf("%s/synch=%d", name, synch), func(t *testing.T) {
				testkit.Watch(t)
				cfg := ross.DefaultConfig()
				cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory, cfg.ConsLookahead = gardenLPs, gardenEnd, ross.Scheduler(
					synch), 64<<20, 0
				cfg.Tuning.GVTInterval, cfg.Tuning.Batch, cfg.Tuning.FixedGVT = 1, 1, true
				if !settingsOf(cfg).Sequential() {
					cfg.PEs, cfg.NLP = 2, gardenLPs/2
				}
				cfg.HookTrigger = c.from
				cfg.GVTHook = func(pe *ross.PE, _ bool) { pe.SetHookTrigger(ross.HookAt(pe.GVT() * 0.999)) }
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(c.g.lpType()))
				err = sim.Run(context.Background())
				require.ErrorIs(t, err, ross.ErrHook)
				require.ErrorContains(t, err, "trigger is past: give a later time")
			})
		}
	}
}

// TestHookOfAnEndlessRunStopsWithItsLastEventOnAllPEs has a run without an end.
func TestHookOfAnEndlessRunStopsWithItsLastEventOnAllPEs(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 5} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			testkit.Watch(t)
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory, cfg.Tuning.GVTInterval = 4, math.Inf(1), ross.Scheduler(synch), 64<<20, 1
			if !settingsOf(cfg).Sequential() {
				cfg.PEs, cfg.NLP = 2, 2
			}
			var times [2][]float64
			cfg.HookTrigger = ross.HookAt(0.5)
			cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
				require.False(t, pastEnd)
				times[pe.ID()] = append(times[pe.ID()], pe.GVT())
				pe.SetHookTrigger(ross.HookAt(pe.GVT() + 0.5))
			}
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(ross.Type[plot]{
				Init: func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, seed{1}) },
				Event: ross.On(func(_ *plot, lp *ross.LP, m *seed) {
					if m.Kind < 3 {
						ross.Send(lp, (lp.ID()+2)%4, 1, seed{m.Kind + 1})
					}
				}),
			}))
			require.NoError(t, sim.Run(context.Background()))
			for id := range runOf(sim).Locals {
				require.Equal(t, []float64{0.5, 1, 1.5, 2, 2.5, 3}, times[id])
			}
		})
	}
}

func TestHookAtSignatureThatNoEventHas(t *testing.T) {
	inf := math.Inf(1)
	for i, sig := range []ross.Signature{
		{Time: 3, Priority: 2},
		{Time: 3, Priority: inf, Ties: []float64{0.5}},
		{Time: 3, Priority: math.Nextafter(1, 2)},
		{Time: 3, Priority: -1, Ties: []float64{0.5}},
		{Time: 3, Priority: -inf},
		{Time: 3, Priority: 0.5, Ties: []float64{3, 0.25}},
		{Time: 3, Priority: 1, Ties: []float64{2}},
		{Time: 3, Priority: 1, Ties: []float64{inf, -1}},
		{Time: 3, Priority: 1, Ties: []float64{-1, 0.5}},
		{Time: 3, Priority: 1, Ties: []float64{0.5, -1, 2}},
		{Time: 3, Priority: 1, Ties: []float64{0.5, 7}},
		{Time: 3, Priority: 1},
		{Time: 0, Priority: 2},
		{Time: -1, Priority: 2},
		{Time: math.Copysign(0, -1), Priority: math.Copysign(0, -1)},
		{Time: inf, Priority: 2},
		{Time: gardenEnd, Priority: 2},
	} {
		if testlevel.Is(testlevel.Few) && i%4 != 1 {
			continue
		}
		g := garden{whole: true}
		set := func(c *ross.Config) { c.HookTrigger, c.NKP = ross.HookAtSignature(sig), 1 }
		want, digest, left := walk(t, g, set, water)
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%v/synch=%d", sig, synch), func(t *testing.T) {
				testkit.Watch(t)
				got, d, l := walk(t, g, func(c *ross.Config) {
					set(c)
					c.Synch, c.PEs, c.NLP, c.Tuning.GVTInterval, c.ConsLookahead = ross.Scheduler(synch), 2, gardenLPs/2, 4, 0
				}, water)
				require.Equal(t, want, got)
				require.Equal(t, digest, d)
				require.Equal(t, left, l)
			})
		}
	}
}

func TestTriggerThatIsNoNumberIsAnError(t *testing.T) {
	for part, sig := range map[string]ross.Signature{
		"time":        {Time: math.NaN()},
		"priority":    {Time: 1, Priority: math.NaN()},
		"tie-breaker": {Time: 1, Ties: []float64{0.5, math.NaN()}},
	} {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.HookTrigger = 4, ross.HookAtSignature(sig)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		g := garden{}
		err = sim.Define(g.lpType())
		if err == nil {
			err = sim.Run(t.Context())
		}
		require.ErrorIs(t, err, ross.ErrHook)
		require.ErrorContains(t, err, "called at "+part+" NaN: trigger is past: give a number")
	}
}

// TestHookOfAConservativeRunAsksForTimesThatAreNotYetHandled has a hook that fires at a GVT
// ask for the time at which it fires next.
func TestHookOfAConservativeRunAsksForTimesThatAreNotYetHandled(t *testing.T) {
	const ahead = 0.5
	run := func(delay float64) (times []float64, err error) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.ConsLookahead, cfg.Tuning.GVTInterval, cfg.Tuning.Batch =
			2, 2, 4, 20, ahead, 1, 1
		cfg.HookTrigger = ross.HookEvery(4)
		every := [2]bool{true, true}
		cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
			if pastEnd {
				return
			}
			if every[pe.ID()] {
				pe.SetHookTrigger(ross.HookAt(pe.GVT() + delay))
				every[pe.ID()] = false
				return
			}
			for i := range engineOf(pe).LPs {
				if engineOf(pe).LPs[i].Now >= pe.GVT() {
					panic(fmt.Sprintf("LP %d has handled an event at %g, and GVT is %g", engineOf(pe).LPs[i].ID,
						engineOf(pe).LPs[i].Now, pe.GVT()))
				}
			}
			if pe.ID() == 0 {
				times = append(times, pe.GVT())
			}
			pe.SetHookTrigger(ross.HookEvery(3))
			every[pe.ID()] = true
		}
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(ross.Type[plot]{
			Init: func(_ *plot, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), seed{1}) },
			Event: ross.On(func(_ *plot, lp *ross.LP, m *seed) {
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), ahead+lp.RNG().Unif(), seed{m.Kind + 1})
			}),
		}))
		return times, sim.Run(t.Context())
	}
	testkit.Watch(t)
	times, err := run(ahead)
	require.NoError(t, err)
	require.NotEmpty(t, times)
	if _, err = run(ahead / 64); err != nil { // what it asks for may be behind
		require.ErrorIs(t, err, ross.ErrHook)
		require.ErrorContains(t, err, "a conservative PE has handled all events before")
		require.ErrorContains(t, err, "GVT + 0.5 is always late enough")
	}
}
