// Rollbacks undo everything: whatever is rolled back, and however often, a run comes to what a sequential run comes to,
// and nothing leaks. Statistics of models are those of a sequential run, too: recordings are made once, in order, and
// at commit, also on several ranks. Package stats has the tests of its API.

package run_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

// harass has KPs rolled back for no reason: in each turn of a PE's loop, with a
// probability, one of them by a random number of events. From one GVT to the next
// it is a few times only, since the events that are cancelled stay in the queue
// until their time comes.
func harass(t testing.TB, pes int, probability float64) func(*run.PE) {
	t.Helper()
	return harassWith(t, pes, probability, testrand.Seed(t))
}

// harassWith is harass with a seed.
func harassWith(t testing.TB, pes int, probability float64, seed uint64) func(*run.PE) {
	t.Helper()
	dice := testrand.Several(seed, pes)
	const most = 20
	times, round := make([]int, pes), make([]uint64, pes)
	return func(pe *run.PE) {
		i := pe.ID - pe.Engine.Base
		if round[i] != pe.Counts.GVTs {
			times[i], round[i] = 0, pe.Counts.GVTs
		}
		r := dice[i]
		if r.Float64() >= probability || times[i] == most {
			return
		}
		times[i]++
		if pe.Member.Busy() && (!pe.Red || pe.Remote != nil) {
			return // it has said that nothing before the next GVT will be undone
		}
		if len(pe.Mine) == 0 {
			return
		}
		kp := pe.Mine[r.IntN(len(pe.Mine))]
		left := 1 << r.IntN(8)
		pe.Rollback(kp, func(_ event.Key, e *event.Event) bool {
			left--
			return left >= 0 && !pe.IsReached(e)
		})
		pe.Settle()
	}
}

// kitchenOn spreads the kitchen's LPs over PEs.
func kitchenOn(pes int) func(*ross.Config) {
	return func(c *ross.Config) { c.Synch, c.PEs, c.NLP = 3, pes, int(kitchenLPs/uint64(pes)) }
}

// kitchenMapping gives three PEs different shares.
func kitchenMapping(c *ross.Config) {
	c.LPs = kitchenLPs
	c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return min(gid/5%4, 2) }}
}

// requireSame compares what two runs came to, LP by LP.
func requireSame(t testing.TB, want, got result) {
	t.Helper()
	for gid := range want.finals {
		require.Equal(t, want.commits[gid], got.commits[gid], "what LP %d committed", gid)
		require.Equal(t, want.finals[gid], got.finals[gid], "state of LP %d", gid)
		require.Equal(t, want.commitAt[gid], got.commitAt[gid], "time of the last Commit of LP %d", gid)
	}
	require.Equal(t, want, got)
}

const kitchenEnd = 30

func TestForcedRollbacksChangeNothing(t *testing.T) {
	for _, never := range []bool{false, true} {
		end := float64(testlevel.Times(kitchenEnd, kitchenEnd/3))
		want, _ := cook(t, never, end, nil)
		require.Greater(t, want.events, uint64(testlevel.Times(1000, 300)))
		require.NotEmpty(t, want.lines)
		for name, c := range map[string]struct {
			pes int
			p   float64
			set func(*ross.Config)
		}{
			"one PE":      {1, 0.5, func(*ross.Config) {}},
			"two PEs":     {2, 0.3, func(*ross.Config) {}},
			"three PEs":   {3, 0.1, func(*ross.Config) {}},
			"four PEs":    {4, 0.3, func(*ross.Config) {}},
			"none forced": {2, 0, func(*ross.Config) {}},
			"real time":   {2, 0.3, func(c *ross.Config) { c.Synch, c.Tuning.GVTInterval = 5, 1 }},
			"tiny rings":  {3, 0.3, func(c *ross.Config) { knobsOf(c).RingSize = 1 }},
			"batch of 1":  {2, 0.05, func(c *ross.Config) { c.Tuning.Batch = 1 }},
			"GVT all the time": {2, 0.3, func(c *ross.Config) {
				c.Tuning.GVTInterval, c.Tuning.Batch,
					c.Tuning.FixedGVT = 1, 1, true
			}},
			"GVT seldom":        {2, 0.1, func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.FixedGVT = 1000, true }},
			"no optimism":       {2, 0.3, func(c *ross.Config) { c.Tuning.MaxOptLookahead = 0 }},
			"some optimism":     {2, 0.3, func(c *ross.Config) { c.Tuning.MaxOptLookahead = 2 }},
			"1 KP":              {2, 0.05, func(c *ross.Config) { c.NKP = 1 }},
			"4 KPs":             {2, 0.6, func(c *ross.Config) { c.NKP = 4 }},
			"64 KPs":            {2, 0.9, func(c *ross.Config) { c.NKP = 64 }},
			"round robin":       {2, 0.3, func(c *ross.Config) { c.Mapping = mapping.RoundRobin }},
			"custom mapping":    {3, 0.3, kitchenMapping},
			"KPs move":          {4, 0.2, func(c *ross.Config) { knobsOf(c).Moves, knobsOf(c).Shift = true, 2 }},
			"LZ4 of everything": {2, 0.3, func(c *ross.Config) { c.Tuning.LZ4Knob = 1 }},
		} {
			if never && (testlevel.Some.LeavesOut(name, "two PEs", "three PEs", "tiny rings", "real time", "4 KPs") ||
				testlevel.Few.LeavesOut(name, "three PEs")) ||
				testlevel.Few.LeavesOut(name, "three PEs", "tiny rings", "real time", "GVT all the time", "1 KP",
					"LZ4 of everything") {
				continue
			}
			for _, impl := range testlevel.Pick(pq.Impls(), pq.Impls(), []string{""}) {
				t.Run(fmt.Sprintf("never=%v/%s/pq=%s", never, name, impl), func(t *testing.T) {
					testkit.Watch(t)
					got, sim := cook(t, never, end, func(cfg *ross.Config) {
						kitchenOn(c.pes)(cfg)
						cfg.Tuning.PQ, knobsOf(cfg).Disturb = rosstest.Impl(impl), harass(t, c.pes, c.p)
						c.set(cfg)
					})
					requireSame(t, want, got)
					if c.p > 0 && name != "no optimism" && name != "batch of 1" {
						require.Greater(t, sim.Summary().EventsRolledBack, uint64(10))
					}
				})
			}
		}
	}
}

// TestRollbackToGVTKeepsWhatCannotBeUndone has PEs undo what is not before GVT in each turn of most rounds, which
// includes the event at GVT. If they did so in all rounds, there would be a message under way in each that
// cancels the event at GVT, where PEs take turns on one processor.
func TestRollbackToGVTKeepsWhatCannotBeUndone(t *testing.T) {
	const end = 1.5
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // PEs that take turns seldom have it at a GVT
	want, _ := cook(t, true, end, nil)
	for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
		testkit.Watch(t)
		testkit.Until(t, "what cannot be undone was at GVT", func() bool {
			kept := make([]int, pes)
			got, _ := cook(t, true, end, func(c *ross.Config) {
				kitchenOn(pes)(c)
				c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 16, 2, true
				knobsOf(c).Disturb = func(pe *run.PE) {
					if pe.Member.Busy() && !pe.Red || pe.Counts.GVTs%16 == 0 {
						return // it may have said that nothing before the next GVT will be undone
					}
					pe.RollbackTo(&pe.Bound)
					kept[pe.ID] += pe.Uncommitted
				}
			})
			requireSame(t, want, got)
			return kept[0] > 0
		})
	}
}

// An event that is cancelled while it waits stays in the queue until its turn comes, and counts as one of those for
// which the queue may be purged as long as it is there, but no longer.
func TestCancelledEventsInTheQueueAreCounted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	want, _ := cook(t, true, 1, nil)
	for _, pes := range []int{1, 2} {
		testkit.Watch(t)
		testkit.Until(t, "events were cancelled", func() bool {
			most := make([]uint64, pes)
			got, _ := cook(t, true, 1, func(c *ross.Config) {
				kitchenOn(pes)(c)
				c.Tuning.FixedKPs, c.Tuning.Batch, c.Tuning.GVTInterval, c.Tuning.FixedGVT = true, 1, 4, true
				undo := harass(t, pes, 0.2)
				knobsOf(c).Disturb = func(pe *run.PE) {
					undo(pe)
					dead := uint64(0)
					var keys []event.Key
					for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
						if keys = append(keys, k); pe.Arena.At(k.Index()).State == event.Cancelled {
							dead++
						}
					}
					for _, k := range keys {
						pe.Queue.Push(k)
					}
					assert.Equal(t, dead, pe.Dead, "after %d events", pe.Counts.Processed)
					most[pe.ID] = max(most[pe.ID], dead)
				}
			})
			requireSame(t, want, got)
			return most[0] > 0
		})
	}
}

// What Save does in types that the engine or Reverse undoes as well.

// dial is a state. An event changes some of its fields twice, some by Save.
type dial struct {
	A, B, Hand int64
	Turns      [4]int64
	Last       float64
	Shelf      ross.Block[int64]
}

const (
	dialLPs = 8
	dialEnd = 40
)

// dials returns a model whose events call Save in a type that is undone in another way.
// All of it is right: a field that Reverse undoes is not saved, and the other way round.
func dials(saving ross.Saving) ross.Type[dial] {
	event := func(s *dial, lp *ross.LP, m *word24) {
		s.A++
		if saving == ross.SaveByDelta {
			if s.A == 3 {
				ross.Save(lp, &s.A) // after a change: the engine undoes both
				s.A = 0
			}
			s.B += m.Tag
			ross.Save(lp, &s.B)
			s.B %= 1000
			ross.Save(lp, s)
			m.Was++
			ross.Save(lp, &m.Was)
			m.Was *= 2
			shelf := s.Shelf.Of(lp)
			shelf[0]++
			ross.Save(lp, &shelf[0])
			shelf[0] = -shelf[0]
		}
		ross.Save(lp, &s.Hand)
		s.Hand = (s.Hand + m.Tag) % 4
		s.Turns[s.Hand]++ // Reverse finds Hand as it is now
		ross.Save(lp, &s.Last)
		s.Last = lp.Now()
		ross.Save(lp, &m.Was)
		m.Was = s.Hand
		var nobody struct{}
		ross.Save(lp, &nobody)
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, dialLPs-1)), lp.RNG().Exponential(1), word24{Tag: m.Tag*5%97 + 1})
	}
	t := ross.Type[dial]{
		Name: "dial", Saving: saving, Event: ross.On(event),
		Init: func(s *dial, lp *ross.LP) {
			s.Shelf = ross.Alloc[int64](lp, 2)
			for i := range int64(3) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), word24{Tag: i + 1})
			}
		},
		Check: &ross.Checker[dial]{Message: true},
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[dial, word24]).Reverse(func(s *dial, _ *ross.LP, m *word24) {
			s.A--
			s.Turns[m.Was]-- // which is s.Hand, as Event left both
			if m.Was != s.Hand {
				panic("Reverse does not find what Event left")
			}
		})
	}
	return t
}

type word24 struct{ Tag, Was, Now int64 }

// turn runs a model of 8 LPs and returns the digest and the states at the end.
func turn(t *testing.T, model ross.Type[dial], configure func(*ross.Config)) (uint64, []string) {
	t.Helper()
	finals := make([]string, dialLPs)
	model.Final = func(s *dial, lp *ross.LP) { finals[lp.ID()] = strings.Split(fmt.Sprintf("%+v", *s), "Shelf")[0] }
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = dialLPs, 4, dialEnd, true, 64<<20
	configure(&cfg)
	cfg.NLP = int(dialLPs / uint64(max(cfg.PEs, 1)))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(model))
	require.NoError(t, sim.Run(context.Background()))
	return *sim.Summary().Digest, finals
}

func TestSaveIsRightBesideOtherWaysToUndo(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByReverse} {
		t.Run(saving.String(), func(t *testing.T) {
			digest, finals := turn(t, dials(saving), func(c *ross.Config) { c.Synch = 1 })
			for name, configure := range map[string]func(*ross.Config){
				"forced rollbacks, 1 PE":  func(c *ross.Config) { c.Synch, knobsOf(c).Disturb = 3, harass(t, 1, 0.5) },
				"forced rollbacks, 2 PEs": func(c *ross.Config) { c.Synch, c.PEs, knobsOf(c).Disturb = 3, 2, harass(t, 2, 0.3) },
				"every event twice":       func(c *ross.Config) { c.Synch = 6 },
			} {
				got, states := turn(t, dials(saving), configure)
				require.Equal(t, finals, states, name)
				require.Equal(t, digest, got, name)
			}
			_, back := turn(t, dials(saving), func(c *ross.Config) { c.Synch = 4 })
			require.NotEqual(t, finals, back, "nothing was rolled back")
		})
	}
}

// Scratch: fields with the tag `ross:"-"` are not undone by deltas, not
// compared, not digested and not stored, and everything next to them is.

// scratchy is a state with scratch in front, in its middle, in an array and at its end. The
// scratch counts handlers, and refers to Go memory.
type scratchy struct {
	Calls int64 `ross:"-"`
	Count int64
	Memo  map[int64]string `ross:"-"`
	Sums  [3]struct {
		Sum  float64
		Last string `ross:"-"`
	}
	Odd  bool
	Seen []int64 `ross:"-"`
}

// scribbles is a model whose handlers use scratch, with messages that have some, too.
func scribbles(saving ross.Saving) ross.LPType {
	type note struct {
		Tag uint64
		Was int64 `ross:"-"`
	}
	t := ross.Type[scratchy]{
		Saving: saving,
		Init: func(_ *scratchy, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Unif(), note{uint64(lp.ID()), int64(lp.RNG().Integer(0, 9))})
		},
		Event: ross.On(func(s *scratchy, lp *ross.LP, m *note) {
			s.Calls++
			if s.Memo == nil {
				s.Memo = map[int64]string{}
			}
			s.Memo[s.Calls] = "x"
			s.Seen = append(s.Seen, s.Calls)
			if saving == ross.SaveByLog {
				ross.Save(lp, s)
			}
			part := &s.Sums[m.Tag%3]
			part.Last = strings.Repeat("y", int(s.Calls%5))
			part.Sum += lp.RNG().Unif()
			m.Was = s.Calls
			s.Count++
			s.Odd = s.Count%2 == 1
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1),
				note{m.Tag + uint64(s.Count), 0})
		}),
	}
	if saving == ross.SaveByReverse {
		t.Check = &ross.Checker[scratchy]{Message: true}
		t.Event = t.Event.(ross.EventHandler[scratchy, note]).Reverse(func(s *scratchy, lp *ross.LP, m *note) {
			part := &s.Sums[m.Tag%3]
			part.Sum = 0 // a mistake on purpose
			s.Count--
			s.Odd = s.Count%2 == 1
		})
	}
	return t
}

func TestScratchIsNoPartOfTheState(t *testing.T) {
	events, states := sell(t, 1, scribbles(ross.SaveByDelta), func(c *ross.Config) {})
	for _, run := range []struct {
		synch, pes, ranks int
		nkp               uint64
	}{{2, 2, 1, 4}, {3, 1, 1, 1}, {3, 2, 1, 4}, {3, 3, 1, 4}, {3, 4, 1, 7}, {6, 1, 1, 4}, {3, 2, 2, 4}} {
		if testlevel.Is(testlevel.Few) && run.ranks == 1 && run.pes < 3 {
			continue
		}
		e, s := sell(t, run.ranks, scribbles(ross.SaveByDelta), func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = ross.Scheduler(run.synch), run.pes, int(run.nkp), 0.1
		})
		require.Equal(t, events, e, "%+v", run)
		require.Equal(t, states, s, "%+v", run)
	}
	c := ross.DefaultConfig()
	c.Synch, c.NLP, c.End = ross.OptimisticDebug, writerLPs, 20
	sim, err := ross.New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(scribbles(ross.SaveByDelta)))
	require.NoError(t, sim.Run(t.Context()))
}

func TestWhatIsBesideScratchIsCompared(t *testing.T) {
	c := ross.DefaultConfig()
	c.Synch, c.NLP, c.End = ross.RollbackCheck, writerLPs, 20
	sim, err := ross.New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(scribbles(ross.SaveByReverse)))
	err = sim.Run(t.Context())
	require.ErrorIs(t, err, ross.ErrReverse)
	require.Contains(t, err.Error(), ".Sum")
	for _, field := range []string{"Calls", "Memo", "Last", "Seen", "Was"} {
		require.NotContains(t, err.Error(), field)
	}
}

func TestSaveLeavesScratchAlone(t *testing.T) {
	type state struct {
		Calls int64 `ross:"-"`
		Count int64
	}
	c := ross.DefaultConfig()
	c.Synch, c.NLP, c.End = ross.RollbackCheck, 1, 10
	sim, err := ross.New(c)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[state]{
		Saving: ross.SaveByLog,
		Init:   func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, order8{}) },
		Event: ross.On(func(s *state, lp *ross.LP, _ *order8) {
			s.Calls++
			ross.Save(lp, s)
			s.Count++
			ross.Send(lp, lp.ID(), 1, order8{})
		}),
	}))
	require.NoError(t, sim.Run(t.Context()))
	s := ross.StateOf[state](sim.LP(0))
	require.EqualValues(t, 9, s.Count)
	require.EqualValues(t, 18, s.Calls, "each event was handled twice")
}

func TestCheckpointsLeaveScratchOut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cp")
	leg := func(from, to string, end float64) *ross.Simulation {
		c := ross.DefaultConfig()
		c.NLP, c.End, c.Digest, c.MaxMemory, c.Checkpoints.AfterRun = writerLPs, end, true, 64<<20, true
		sim, err := ross.New(c)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(scribbles(ross.SaveByDelta)))
		if from != "" {
			require.NoError(t, sim.Load(from, ross.LoadInit))
		}
		require.NoError(t, sim.Run(t.Context()))
		if to != "" {
			require.NoError(t, sim.Store(to))
		}
		return sim
	}
	whole := leg("", "", 20)
	leg("", name, 10)
	rest := leg(name, "", 20)
	require.Equal(t, *whole.Summary().StateDigest, *rest.Summary().StateDigest)
	s := ross.StateOf[scratchy](rest.LP(0))
	require.Less(t, s.Calls, s.Count, "it began again at 0")
}

// gauge is a state with statistics as package stats has them.
type gauge struct {
	Tally struct {
		D statistic.Tally `ross:"-"`
	}
	Count int64
	Level struct {
		D statistic.Level `ross:"-"`
	}
	Bins struct {
		D statistic.Histogram `ross:"-"`
	}
	Series struct {
		D statistic.Series `ross:"-"`
	}
}

// gauges is a model whose events record, and all of whose events are undone by deltas.
func gauges() ross.LPType {
	return ross.Type[gauge]{
		Name: "gauge",
		Init: func(_ *gauge, lp *ross.LP) {
			for range 3 {
				ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
			}
		},
		Event: ross.On(func(s *gauge, lp *ross.LP, m *order8) {
			x := lp.RNG().Exponential(1)
			s.Count++
			for range m.Tag % 4 {
				kernelOf(lp).Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(x*1e6))
				kernelOf(lp).Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(1/x))
			}
			kernelOf(lp).Record(statistic.OpShift, unsafe.Pointer(&s.Level), math.Float64bits(x-1))
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1),
				order8{m.Tag + uint64(s.Count)})
			kernelOf(lp).Record(statistic.OpBin, unsafe.Pointer(&s.Bins), math.Float64bits(x))
			kernelOf(lp).Record(statistic.OpTime, unsafe.Pointer(&s.Series), math.Float64bits(x))
		}),
	}
}

// measure runs gauges and returns the statistics of all LPs as JSON, which has all bits.
func measure(t *testing.T, ranks int, configure func(*ross.Config)) string {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.MaxMemory, c.NKP, c.WarmUp, c.Statistics = 20, 200<<20, 4, 3, ross.StatisticsInReport
		configure(c)
		c.NLP = int(writerLPs / uint64(max(c.PEs, 1)*ranks))
		if c.Synch == 3 || c.Synch == 5 {
			knobsOf(c).Disturb = harass(t, c.PEs*ranks, 0.3)
		}
	}, gauges())
	for _, err := range errs {
		require.NoError(t, err)
	}
	text := figuresOf(t, sims)
	closeAll(sims)
	return text
}

// figuresOf returns the statistics of all LPs, which all ranks have.
func figuresOf(t *testing.T, sims []*ross.Simulation) string {
	t.Helper()
	texts := make(chan string, len(sims))
	for _, sim := range sims {
		go func() {
			var b bytes.Buffer
			table, err := runOf(sim).Statistics(nil)
			if assert.NoError(t, err) {
				assert.NoError(t, table.WriteJSON(&b))
			}
			texts <- b.String()
		}()
	}
	text := <-texts
	for range len(sims) - 1 {
		require.Equal(t, text, <-texts, "all ranks have the same table")
	}
	return text
}

func TestStatisticsAreThoseOfASequentialRun(t *testing.T) {
	want := measure(t, 1, func(c *ross.Config) {})
	require.Contains(t, want, `"statistic": "Level"`)
	type setUp struct {
		synch, pes, ranks int
		nkp               uint64
	}
	all := []setUp{{3, 2, 1, 4}, {3, 2, 2, 4}, {2, 3, 1, 1}, {3, 1, 1, 1}, {3, 3, 1, 16}, {3, 4, 1, 7}, {5, 2, 1, 4},
		{6, 1, 1, 4}, {2, 2, 2, 4}, {3, 1, 3, 4}}
	for _, run := range testlevel.Pick(all, all[:4], all[:2]) {
		got := measure(t, run.ranks, func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = ross.Scheduler(run.synch), run.pes, int(run.nkp), 0.1
		})
		require.Equal(t, want, got, "%+v", run)
	}
}

func TestStatisticsBeginLaterOnAnyRanks(t *testing.T) {
	configure := func(ranks int, warmUp, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.NLP, c.WarmUp, c.End = ross.Optimistic, 1, 2, int(writerLPs/uint64(ranks)), warmUp, end
		}
	}
	_, sims := runLeg(t, leg{configure: configure(1, 12, 20)}, gauges())
	want := figuresOf(t, sims)
	for _, ranks := range testlevel.Pick([][2]int{{1, 2}, {2, 1}, {2, 3}}, [][2]int{{2, 1}}, [][2]int{{1, 2}}) {
		name := filepath.Join(t.TempDir(), "cp")
		runLeg(t, leg{ranks: ranks[0], to: name, configure: configure(ranks[0], 3, 10)}, gauges())
		_, sims = runLeg(t, leg{ranks: ranks[1], from: name, mode: ross.LoadInit, configure: configure(ranks[1], 12, 20)},
			gauges())
		require.Equal(t, want, figuresOf(t, sims), "%d", ranks)
	}
}
