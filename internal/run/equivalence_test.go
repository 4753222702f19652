// The digest of the committed events: the same however a run is set up, another one if any event is another. And the
// digest of the final states.

package run_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

func TestLoadsAreLargeEnoughToMatter(t *testing.T) {
	for name, l := range loads {
		var times []float64
		longest := 0
		l := l()
		l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
			sig := lp.Signature()
			times, longest = append(times, sig.Time), max(longest, len(sig.Ties))
		}
		_, events := l.run(t, nil)
		require.InDelta(t, 10000*loadStart, events, float64(1000*loadStart), name)
		slices.Sort(times)
		if l.tied {
			require.Len(t, slices.Compact(times), 3)
			require.Greater(t, longest, 50)
		} else {
			require.Greater(t, len(slices.Compact(times)), 9900*loadStart)
		}
	}
}

func TestDigestDoesNotDependOnTheQueue(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range pq.Impls() {
			for _, window := range []int{1, 2, 7, 48, 128} {
				t.Run(fmt.Sprintf("%s/pq=%s/window=%d", name, impl, window), func(t *testing.T) {
					require.Equal(t, want,
						l().digest(t, func(c *ross.Config) { c.Tuning.PQ, knobsOf(c).Window = rosstest.Impl(impl), window }))
				})
			}
		}
	}
}

// TestDigestDoesNotDependOnTheOrderOfInsertion has LPs initialised in random
// orders, and start events sent by PreRun, after those of all other LPs.
func TestDigestDoesNotDependOnTheOrderOfInsertion(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range pq.Impls() {
			for _, inPreRun := range []int{0, loadStart / 2, loadStart} {
				t.Run(fmt.Sprintf("%s/pq=%s/pre-run=%d", name, impl, inPreRun), func(t *testing.T) {
					order := permutation(t)
					other := l()
					other.inPreRun = inPreRun
					require.Equal(t, want, other.digest(t, func(c *ross.Config) {
						c.Tuning.PQ, knobsOf(c).InitOrder = rosstest.Impl(impl), func(i int) int { return order[i] }
					}))
				})
			}
		}
	}
}

func TestDigestDoesNotDependOnTheSetUp(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		order := permutation(t)
		for what, configure := range map[string]func(*ross.Config){
			"event trace": func(c *ross.Config) {
				c.Instruments.Trace, c.Instruments.Path = ross.TraceAll, filepath.Join(t.TempDir(), "trace")
			},
			"discarded trace": func(c *ross.Config) {
				c.Instruments.Trace, c.Instruments.Discard, c.Instruments.Path = ross.TraceCommitted, true, filepath.Join(
					t.TempDir(), "trace")
			},
			"1 KP":        func(c *ross.Config) { c.NKP = 1 },
			"4 KPs":       func(c *ross.Config) { c.NKP = 4 },
			"64 KPs":      func(c *ross.Config) { c.NKP = 64 },
			"round robin": func(c *ross.Config) { c.Mapping = mapping.RoundRobin },
			"custom mapping": func(c *ross.Config) {
				c.Mapping = mapping.Places{
					PE:    func(uint64) uint64 { return 0 },
					Local: func(gid uint64) uint64 { return uint64(order[gid]) },
				}
			},
			"first sizes": func(c *ross.Config) { c.AskEvents(1, 1<<20) },
			"hook": func(c *ross.Config) {
				c.HookTrigger = ross.HookAt(1)
				c.GVTHook = func(pe *ross.PE, _ bool) { pe.SetHookTrigger(ross.HookAt(pe.GVT() + 1)) }
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) { require.Equal(t, want, l().digest(t, configure)) })
		}
	}
}

func TestDigestDoesNotDependOnCommitHandlers(t *testing.T) {
	for name, l := range loads {
		other := l()
		committed := uint64(0)
		other.commit = func(*loadState, *ross.LP, *ross.Bits, *loadMsg) { committed++ }
		digest, events := other.run(t, nil)
		require.Equal(t, plainDigest(t, name), digest, name)
		require.Equal(t, events, committed, name)
	}
}

func TestDigestDoesNotDependOnPadding(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, dirt := range []byte{0x01, 0xFF} {
			other := l()
			other.dirt = dirt
			digest, events := other.run(t, nil)
			require.Equal(t, want, digest, name)
			require.Greater(t, other.dirty, int(events/10), "too few messages carried dirt in their padding")
		}
	}
}

// TestDigestSeesAChangeOfOneEvent alters a single one of all the events.
func TestDigestSeesAChangeOfOneEvent(t *testing.T) {
	testlevel.Once(t, "what one goroutine computes")
	for name, l := range loads {
		want := plainDigest(t, name)
		for what, change := range map[string]func(lp *ross.LP, p *parcel){
			"destination":   func(_ *ross.LP, p *parcel) { p.dst = (p.dst + 1) % loadLPs },
			"time":          func(_ *ross.LP, p *parcel) { p.delay += 1e-12 },
			"tie-breaker":   func(lp *ross.LP, _ *parcel) { kernelOf(lp).Core.Unif() },
			"priority":      func(_ *ross.LP, p *parcel) { p.msg.class = (p.msg.class + 1) % uint8(len(classes)) },
			"payload":       func(_ *ross.LP, p *parcel) { p.msg.value ^= 1 << 63 },
			"payload's end": func(_ *ross.LP, p *parcel) { p.msg.tail ^= 1 },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				other := l()
				changed := 0
				other.change = func(lp *ross.LP, n uint64, p *parcel) {
					if lp.ID() == 700 && n == uint64(loadStart) {
						change(lp, p)
						changed++
					}
				}
				require.NotEqual(t, want, other.digest(t, nil))
				require.Equal(t, 1, changed)
			})
		}
	}
}

func TestDigestSeesOtherParameters(t *testing.T) {
	testlevel.Once(t, "that digests differ")
	for name, l := range loads {
		want := plainDigest(t, name)
		for what, configure := range map[string]func(*ross.Config){
			"seeds of the model": func(c *ross.Config) { c.Streams.Seeds = [4]uint64{11111111, 22222222, 33333333, 44444445} },
			"seeds of the engine": func(c *ross.Config) {
				c.Streams.CoreSeeds = [4]uint64{55555555, 66666666, 77777777,
					88888889}
			},
			"seed of the run": func(c *ross.Config) { c.Seed = 1 },
			"replication":     func(c *ross.Config) { c.Replication = 1 },
			"end":             func(c *ross.Config) { c.End -= 1e-3 },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				if l().tied && what == "end" {
					configure = func(c *ross.Config) { c.End-- }
				}
				require.NotEqual(t, want, l().digest(t, configure))
			})
		}
	}
}

// TestDigestTakesInEachPartOfAnEvent looks at a single event: what must count
// and what must not.
func TestDigestTakesInEachPartOfAnEvent(t *testing.T) {
	sim, err := ross.New(ross.DefaultConfig())
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(spreadLoad().lpType()))
	typ := kernelOf(sim.LP(0)).Type()
	arena, err := event.NewArena(unsafe.Sizeof(loadMsg{}), 16, nil)
	require.NoError(t, err)
	defer arena.Release()
	chain := func(ties ...float64) (node uint32) {
		for _, tie := range ties {
			node, err = arena.Lines.Extend(node, tie)
			require.NoError(t, err)
		}
		return node
	}
	first, second := chain(0.3, 0.4), chain(0.3, 0.4)
	digest := func(change func(e *event.Event, m *loadMsg)) uint64 {
		e, i, err := arena.Alloc()
		require.NoError(t, err)
		defer arena.Free(e, i)
		*e = event.Event{Time: 1, Tie: 0.5, SendTime: 0.5, Src: 3, Prio: 1, Dst: 4, Lineage: first, State: event.Running}
		m := (*loadMsg)(event.Payload(e))
		m.class, m.value, m.tail = 1, 2, 3
		change(e, m)
		defer func() { e.Lineage = 0 }() // the chains are used again
		pe := &kernel.PE{}
		pe.Arena, pe.Run = arena, &kernel.Run{Messages: typ.Messages}
		return pe.DigestEvent(&kernel.LP{PE: pe}, e)
	}
	same := digest(func(*event.Event, *loadMsg) {})
	for what, change := range map[string]func(e *event.Event, m *loadMsg){
		"time":               func(e *event.Event, _ *loadMsg) { e.Time = 2 },
		"sender":             func(e *event.Event, _ *loadMsg) { e.Src = 2 },
		"priority":           func(e *event.Event, _ *loadMsg) { e.Prio = 0 },
		"tie-breaker":        func(e *event.Event, _ *loadMsg) { e.Tie = 0.25 },
		"last of lineage":    func(e *event.Event, _ *loadMsg) { e.Lineage = chain(0.3, 0.5) },
		"length of lineage":  func(e *event.Event, _ *loadMsg) { e.Lineage = chain(0.3) },
		"no lineage":         func(e *event.Event, _ *loadMsg) { e.Lineage = 0 },
		"first field":        func(_ *event.Event, m *loadMsg) { m.class = 2 },
		"middle field":       func(_ *event.Event, m *loadMsg) { m.value = 1 << 60 },
		"last field":         func(_ *event.Event, m *loadMsg) { m.tail = 1 << 15 },
		"fields interchange": func(_ *event.Event, m *loadMsg) { m.class, m.value = 2, 1 },
	} {
		require.NotEqual(t, same, digest(change), what)
	}
	for what, change := range map[string]func(e *event.Event, m *loadMsg){
		"padding":                func(_ *event.Event, m *loadMsg) { padding(m)[3] = 0xEE },
		"local index":            func(e *event.Event, _ *loadMsg) { e.Dst = 9 },
		"bits":                   func(e *event.Event, _ *loadMsg) { e.Bits = 9 },
		"node, with equal ties":  func(e *event.Event, _ *loadMsg) { e.Lineage = second },
		"time at which was sent": func(e *event.Event, _ *loadMsg) { e.SendTime = 0 },
	} {
		require.Equal(t, same, digest(change), what)
	}
}

// Parallel runs commit what a sequential run commits, whatever the scheduler, the
// number of PEs and KPs, the mapping and the settings of the engine.

// onPEs maps all loads' LPs to n PEs, some more than others.
func onPEs(n int) func(*ross.Config) {
	return func(c *ross.Config) {
		c.PEs, c.NLP = n, int(loadLPs/uint64(n))
		if loadLPs%n != 0 {
			c.LPs = loadLPs
			c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return gid * uint64(n) / loadLPs }}
		}
	}
}

func TestParallelRunsCommitWhatASequentialOneDoes(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, synch := range testlevel.Pick([]int{2, 3, 5}, []int{2, 3}, []int{2, 3}) {
			for _, pes := range testlevel.Pick([]int{1, 2, 3, 8}, []int{1, 2, 4}, []int{1, 3}) {
				if name == "tied" && synch == 2 && (pes > 3 || testlevel.Is(testlevel.Few)) {
					continue // without lookahead each step of a chain takes a GVT
				}
				t.Run(fmt.Sprintf("%s/synch=%d/pes=%d", name, synch, pes), func(t *testing.T) {
					testkit.Watch(t)
					require.Equal(t, want, l().digest(t, func(c *ross.Config) {
						onPEs(pes)(c)
						c.Synch = ross.Scheduler(synch)
						c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
					}))
				})
			}
		}
	}
}

// A conservative PE handles nothing that something under way comes
// before: where times are rounded, and where Init sends to times below the lookahead.

// rounded is a model of times so large that a lookahead is some units in their last place.
type rounded struct {
	begin, ahead float64
	lps          uint64
	inits        int // events that Init sends, to times from 0 on if begin is 0
	end          float64
}

type roundedState struct{ Hash uint64 }

func (m *rounded) lpType() ross.LPType {
	return ross.Type[roundedState]{
		Init: func(_ *roundedState, lp *ross.LP) {
			for i := range m.inits {
				ross.Send(lp, ross.LPID((uint64(lp.ID())+uint64(i))%m.lps), m.begin+lp.RNG().Unif()*m.ahead*8, twinMsg{uint64(i)})
			}
		},
		Event: ross.On(func(s *roundedState, lp *ross.LP, msg *twinMsg) {
			s.Hash = s.Hash*6364136223846793005 + msg.Value + 1
			dst := ross.LPID(lp.RNG().Integer(0, int64(m.lps)-1))
			ross.Send(lp, dst, m.ahead*float64(1+lp.RNG().Integer(0, 3)), twinMsg{s.Hash >> 3})
		}),
	}
}

func TestConservativeRunsOfRoundedTimes(t *testing.T) {
	for _, m := range []rounded{
		{begin: 1.7e18, ahead: 384, inits: 3}, // nanoseconds since 1970: 1.5 units in the last place
		{begin: 1.7e18, ahead: 896, inits: 3},
		{begin: 1.7e18, ahead: 100, inits: 3}, // it vanishes
		{begin: 4e15, ahead: 0.75, inits: 3},
		{begin: 1e9, ahead: 0.1, inits: 3},
		{begin: 0, ahead: 1, inits: 30}, // times of Init below the lookahead
	} {
		if testlevel.Is(testlevel.Few) && m.begin > 0 {
			continue
		}
		m.lps = 12
		m.end = m.begin + 60*m.ahead
		name := fmt.Sprintf("begin=%g/ahead=%g", m.begin, m.ahead)
		run := func(ranks, pes int, set func(*ross.Config)) uint64 {
			sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 10), ranks, func(_ int, c *ross.Config) {
				c.End, c.ConsLookahead, c.Digest, c.PEs, c.NLP, c.NKP = m.end, m.ahead, true, pes, int(m.lps/uint64(ranks*pes)), 1
				set(c)
			}, m.lpType())
			for _, err := range errs {
				require.NoError(t, err, name)
			}
			closeAll(sims)
			return *sims[0].Summary().Digest
		}
		want := run(1, 1, func(*ross.Config) {})
		for _, i := range testlevel.Pick([]int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}, []int{1, 5}) {
			ranks, pes := 1, 2+i%3
			if i == 5 {
				ranks, pes = 2, 1
			}
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				testkit.Watch(t)
				require.Equal(t, want, run(ranks, pes, func(c *ross.Config) {
					c.Synch, knobsOf(c).RingSize, c.Tuning.Batch, c.Tuning.GVTInterval = 2, 1<<(i%2*3), 1, 1
				}))
			})
		}
	}
}

// Lookaheads.

func TestTimeBehindAndLookaheadMakeNoLaterTime(t *testing.T) {
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range testlevel.Times(200000, 20000) {
		at := math.Ldexp(1+r.Float64(), r.IntN(120)-60)
		ulp := math.Nextafter(at, math.Inf(1)) - at
		ahead := ulp * float64(r.IntN(20)) / 4
		if r.IntN(2) == 0 {
			ahead = at * r.Float64() * 1.2
		}
		behind := run.TimeBehind(at, ahead)
		require.LessOrEqual(t, behind+ahead, at, "%g and %g", at, ahead)
		if below := at - ahead - 2*ulp; below > 0 {
			require.GreaterOrEqual(t, behind, below, "%g and %g", at, ahead)
		}
	}
}

// A conservative PE may handle what is before the least time of the others, plus the lookahead. Times are rounded:
// at - ahead + ahead can be later than at. From TimeBehind it is not.
func ExampleTimeBehind() {
	at, ahead := 0.9, 0.3
	fmt.Println(at-ahead, at-ahead+ahead > at)
	behind := run.TimeBehind(at, ahead)
	fmt.Println(behind, behind+ahead > at)
	// Output:
	// 0.6000000000000001 true
	// 0.6 false
}

// The digest of the final states: it shows what no event shows, and
// nothing that is no part of a state.

// shop is a state with a part of every kind; Noise is what the handlers have left behind.
type (
	shop struct {
		Open   bool // and padding
		Count  int64
		Sum    float64
		Queue  []*client
		By     map[string]*client
		Last   any
		Front  *client
		Serve  func(*client) int64
		Self   *shop
		Owner  *ross.LP
		Ledger ross.Block[ross.Block[int64]]
		Noise  int64
	}
	client struct {
		Name string
		Next *client
	}
)

// shops returns a right model, in which Reverse builds objects anew.
func shops(change func(t *ross.Type[shop])) ross.LPType {
	t := ross.Type[shop]{
		Init: func(s *shop, lp *ross.LP) {
			s.Self, s.Owner, s.By = s, lp, map[string]*client{}
			s.Serve = func(c *client) int64 { return int64(len(c.Name)) }
			s.Ledger = ross.Alloc[ross.Block[int64]](lp, 3)
			s.Ledger.Of(lp)[lp.ID()%3] = ross.Alloc[int64](lp, int(lp.ID()%5)+1)
			ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
		},
		Event: ross.On(sellOne).Reverse(takeBack),
		Final: func(s *shop, _ *ross.LP) { s.Sum = rand.Float64() },
	}
	if change != nil {
		change(&t)
	}
	return t
}

func sellOne(s *shop, lp *ross.LP, m *order8) {
	s.Count++
	s.Open = s.Count%2 == 1
	c := &client{Name: fmt.Sprint(m.Tag), Next: s.Front}
	s.Front, s.Last = c, c
	s.Queue = append(s.Queue, c)
	s.By[c.Name] = c
	s.Ledger.Of(lp)[lp.ID()%3].Of(lp)[0]++
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1),
		order8{uint64(lp.ID())*1000 + uint64(s.Count)})
}

func takeBack(s *shop, lp *ross.LP, _ *order8) {
	s.Count--
	s.Open = s.Count%2 == 1
	delete(s.By, s.Front.Name)
	s.Front, s.Last = s.Front.Next, s.Front.Next
	if s.Front == nil {
		s.Last = nil
	}
	s.Queue = slices.Clone(s.Queue[:len(s.Queue)-1])
	s.Ledger.Of(lp)[lp.ID()%3].Of(lp)[0]--
}

// sell runs shops and returns both digests.
func sell(t *testing.T, ranks int, model ross.LPType, configure func(*ross.Config)) (events, states uint64) {
	t.Helper()
	testkit.Watch(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.Digest, c.MaxMemory, c.NKP = 20, true, 200<<20, 4
		configure(c)
		c.NLP = int(writerLPs / uint64(max(c.PEs, 1)*ranks))
		if c.Synch == 3 || c.Synch == 5 {
			knobsOf(c).Disturb = harass(t, c.PEs*ranks, 0.3)
		}
	}, model)
	for _, err := range errs {
		require.NoError(t, err)
	}
	for _, sim := range sims {
		require.Equal(t, *sims[0].Summary().StateDigest, *sim.Summary().StateDigest)
	}
	closeAll(sims)
	return *sims[0].Summary().Digest, *sims[0].Summary().StateDigest
}

func TestStateDigestIsTheSameForAllSchedulers(t *testing.T) {
	events, states := sell(t, 1, shops(nil), func(c *ross.Config) {})
	for _, run := range []struct {
		synch, pes, ranks int
		nkp               uint64
	}{{2, 3, 1, 1}, {3, 1, 1, 1}, {3, 2, 1, 16}, {3, 3, 1, 4}, {3, 4, 1, 7}, {5, 2, 1, 4}, {6, 1, 1, 4}, {3, 1, 2, 4},
		{2, 2, 2, 4}} {
		if testlevel.Is(testlevel.Few) && run.ranks == 1 && run.pes < 3 {
			continue
		}
		e, s := sell(t, run.ranks, shops(nil), func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = ross.Scheduler(run.synch), run.pes, int(run.nkp), 0.1
		})
		require.Equal(t, events, e, "%+v", run)
		require.Equal(t, states, s, "%+v", run)
	}
}

func TestStateDigestShowsAFieldThatReverseForgets(t *testing.T) {
	forget := func(t *ross.Type[shop]) {
		t.Event = ross.On(func(s *shop, lp *ross.LP, m *order8) {
			sellOne(s, lp, m)
			s.Noise++
		}).Reverse(takeBack)
	}
	events, states := sell(t, 1, shops(forget), func(c *ross.Config) {})
	optimistic := func(c *ross.Config) { c.Synch, c.PEs = 3, 2 }
	e, s := sell(t, 1, shops(forget), optimistic)
	require.Equal(t, events, e, "no event depends on the field")
	require.NotEqual(t, states, s)

	leaveOut := func(t *ross.Type[shop]) {
		forget(t)
		t.Check = &ross.Checker[shop]{Digest: func(s *shop) any { return []any{s.Count, s.By, s.Front, s.Ledger} }}
	}
	_, states = sell(t, 1, shops(leaveOut), func(c *ross.Config) {})
	_, s = sell(t, 1, shops(leaveOut), optimistic)
	require.Equal(t, states, s)
	_, none := sell(t, 1, shops(func(t *ross.Type[shop]) {
		t.Check = &ross.Checker[shop]{Save: func(*shop) any { return nil }, Compare: func(*shop, any) error { return nil }}
	}), func(c *ross.Config) {})
	require.Zero(t, none, "what is compared loosely has no digest of its own")
	require.NotZero(t, states)
}

func TestStateDigestIsThereIfTheRunWasRight(t *testing.T) {
	for name, c := range map[string]struct {
		digest bool
		change func(t *ross.Type[shop])
		want   bool
	}{
		"not asked for": {false, nil, false},
		"asked for":     {true, nil, true},
		"an error": {true, func(t *ross.Type[shop]) {
			t.Event = ross.On(func(_ *shop, lp *ross.LP, _ *order8) { lp.Fail(ross.ErrModel) }).Reverse(takeBack)
		}, false},
		"a panic": {true, func(t *ross.Type[shop]) {
			t.Check = &ross.Checker[shop]{Digest: func(*shop) any { panic("no") }}
		}, false},
	} {
		sims, errs := runOnRanks(t, worldtest.New(1, 0, 0), 1, func(_ int, cfg *ross.Config) {
			cfg.NLP, cfg.End, cfg.Digest = writerLPs, 5, c.digest
		}, shops(c.change))
		require.Equal(t, c.want, sims[0].Summary().StateDigest != nil, "%s: %v", name, errs[0])
		require.Equal(t, c.change != nil, errs[0] != nil, name)
	}
}
