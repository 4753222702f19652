// The order of events: of equal times, of equal signatures, of LPs with one stream, and of events without delay, which
// come in the order of their lineages.

package run_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/rng"
)

// All events are at one time. Priorities on a coarse grid, on none, and apart
// by one bit must not be distinguished from tie-breakers by less than all their bits.
func TestEventsOfOneTimeComeByPriorityAndThenByTieBreaker(t *testing.T) {
	priorities := map[string]func(rnd *rand.Rand) float64{
		"all the same": func(*rand.Rand) float64 { return 1 },
		"few":          func(rnd *rand.Rand) float64 { return float64(rnd.IntN(5)) / 4 },
		"any":          func(rnd *rand.Rand) float64 { return rnd.Float64() },
		"apart by one bit": func(rnd *rand.Rand) float64 {
			return math.Float64frombits(math.Float64bits(0.3) + rnd.Uint64N(20))
		},
		"around a grid point": func(rnd *rand.Rand) float64 {
			return math.Float64frombits(math.Float64bits(0.5) + rnd.Uint64N(7) - 3)
		},
	}
	type mark struct{ Priority, Tie float64 }
	for name, priority := range priorities {
		for _, window := range []int{0, 1, 7} {
			t.Run(name, func(t *testing.T) {
				rnd := testrand.New(t)
				t.Logf("window %d", window)
				var got []mark
				sent := 0
				typ := ross.Type[none]{
					Init: func(_ *none, lp *ross.LP) {
						for range 300 {
							ross.SendPriority(lp, ross.LPID(rnd.IntN(4)), 7, priority(rnd), word{})
							sent++
						}
					},
					Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
						s := lp.Signature()
						require.Len(t, s.Ties, 1)
						got = append(got, mark{s.Priority, s.Ties[0]})
						if sent < 2000 { // more of the same time, from two times
							ross.SendPriority(lp, 0, 1, priority(rnd), word{})
							sent++
						}
					}),
				}
				cfg := withWindow(rosstest.Small(), window)
				cfg.End = 8
				rosstest.Run(t, cfg, typ)
				require.Len(t, got, 1200)
				require.True(t, slices.IsSortedFunc(got, func(a, b mark) int {
					return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Tie, b.Tie))
				}))
			})
		}
	}
}

// Neither the queue nor its window changes what a run does.
func TestQueueDoesNotChangeTheRun(t *testing.T) {
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			for range 20 {
				ross.Send(lp, lp.ID(), math.Ceil(lp.RNG().Exponential(2)), word{})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
			delay := math.Floor(lp.RNG().Exponential(2))
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), delay, word{N: m.N + 1})
		}),
	}
	base := rosstest.Run(t, rosstest.Small(), typ)
	want := base.Summary()
	for name, cfg := range map[string]ross.Config{
		"narrow": withWindow(rosstest.Small(), 1), "odd": withWindow(rosstest.Small(), 13),
		"wide": withWindow(rosstest.Small(), 128), "go": rosstest.Small(),
	} {
		if name == "go" {
			cfg.Tuning.PQ = ross.InGo
		}
		got := rosstest.Run(t, cfg, typ).Summary()
		require.Equal(t, *want.Digest, *got.Digest, name)
		require.Equal(t, want.NetEvents(), got.NetEvents(), name)
		require.Equal(t, want.EventsPastEnd, got.EventsPastEnd, name)
	}
}

// What happens to events of equal signatures, which only sender, receiver
// and time of sending tell apart: LPs whose streams of tie-breakers are the same make them
// all the time, as do jobs that were appended to one another.

// twins is a model whose LPs draw the same tie-breakers at the same times.
type twins struct {
	lps     uint64
	end     float64
	streams []rng.CLCG4
}

type twinState struct {
	Hash uint64
	At   float64 // time of the last event
	Nth  int     // how many events there were at that time before
	N    int     // events
}

type twinMsg struct{ Value uint64 }

const twinLPs = 24

func newTwins() *twins {
	w := &twins{lps: twinLPs, end: 4}
	cfg := ross.DefaultConfig()
	cfg.NLP = 64
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	defer func() { _ = sim.Close() }()
	if err := sim.Define(ross.Type[twinState]{Event: ross.On(func(*twinState, *ross.LP, *twinMsg) {})}); err != nil {
		panic(err)
	}
	for i := range 64 {
		w.streams = append(w.streams, kernelOf(sim.LP(ross.LPID(i))).Core)
	}
	return w
}

// align sets the stream of tie-breakers to one that depends on the time only, and on how
// many events the LP has had at that time. The event ends with restore: the engine undoes draws, and
// cannot undo that the stream is another one.
func (w *twins) align(lp *ross.LP, nth int) (restore func()) {
	was := kernelOf(lp).Core
	restore = func() { kernelOf(lp).Core = was }
	kernelOf(lp).Core = w.streams[(int(lp.Now())*5+nth)%len(w.streams)]
	return restore
}

func (w *twins) init(s *twinState, lp *ross.LP) {
	s.At = -1
	kernelOf(lp).Core = w.streams[0]
	for i := range uint64(3) {
		ross.Send(lp, ross.LPID((uint64(lp.ID())*(i+1)+i)%w.lps), 1, twinMsg{uint64(lp.ID())*3 + i})
	}
}

func (w *twins) event(s *twinState, lp *ross.LP, m *twinMsg) {
	if s.At != lp.Now() {
		s.At, s.Nth = lp.Now(), 0
	}
	defer w.align(lp, s.Nth)()
	s.Hash = s.Hash*6364136223846793005 + m.Value + uint64(lp.ID())
	s.Nth++
	s.N++
	if s.Nth > 12 { // no avalanches
		return
	}
	ross.Send(lp, ross.LPID((s.Hash>>32+m.Value)%w.lps), 1, twinMsg{s.Hash >> 7})
	if s.Hash>>60 < 4 {
		ross.Send(lp, ross.LPID((s.Hash>>40)%w.lps), 0, twinMsg{s.Hash >> 9})
	}
}

func (w *twins) types() []ross.LPType {
	of := func(name string, saving ross.Saving) ross.LPType {
		return ross.Type[twinState]{Name: name, Init: w.init, Event: ross.On(w.event), Saving: saving}
	}
	return []ross.LPType{of("undone", ross.SaveByDelta), of("final", ross.SaveNever)}
}

func (w *twins) configure(synch, pes int) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, int(
		w.lps/uint64(pes)), 2, w.end, true
	cfg.ConsLookahead = 0
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % 3 / 2 }
	return cfg
}

func TestEventsOfEqualSignatureAreHandledInOneOrder(t *testing.T) {
	w := newTwins()
	outcome := func(cfg ross.Config) (digest uint64, states []twinState) {
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer func() { _ = sim.Close() }()
		require.NoError(t, sim.Define(w.types()...))
		require.NoError(t, sim.Run(t.Context()))
		for gid := range w.lps {
			states = append(states, *ross.StateOf[twinState](sim.LP(ross.LPID(gid))))
		}
		return *sim.Summary().Digest, states
	}
	digest, states := outcome(w.configure(1, 1))
	for _, c := range []struct{ synch, pes int }{{2, 2}, {2, 3}, {2, 4}, {3, 3}, {3, 4}, {5, 3}} {
		if testlevel.Is(testlevel.Few) && c.pes != 3 {
			continue
		}
		t.Run(fmt.Sprintf("synch=%d/pes=%d", c.synch, c.pes), func(t *testing.T) {
			testkit.Watch(t)
			for _, tiny := range []bool{false, true} {
				cfg := w.configure(c.synch, c.pes)
				if c.synch != 2 {
					knobsOf(&cfg).Disturb = harass(t, c.pes, 0.1)
				}
				if tiny {
					knobsOf(&cfg).RingSize, cfg.Tuning.Batch, cfg.Tuning.GVTInterval = 1, 1, 1
				}
				got, gotStates := outcome(cfg)
				require.Equal(t, states, gotStates)
				require.Equal(t, digest, got)
			}
		})
	}
	for _, synch := range []int{2, 3} {
		t.Run(fmt.Sprintf("synch=%d/ranks", synch), func(t *testing.T) {
			testkit.Watch(t)
			sims, errs := runOnRanks(t, worldtest.New(2, 1, 10), 2, func(_ int, cfg *ross.Config) {
				*cfg = w.configure(synch, 2)
				cfg.PEs = 1
			}, w.types()...)
			for rank, sim := range sims {
				require.NoError(t, errs[rank])
				require.Equal(t, digest, *sim.Summary().Digest)
				for gid := range w.lps {
					if lp := sim.LP(ross.LPID(gid)); lp != nil {
						require.Equal(t, states[gid], *ross.StateOf[twinState](lp))
					}
				}
			}
		})
	}
}

// TestTiesAreCounted has LPs with one stream of tie-breakers send at the same times, so that all of their events of a
// time have one signature: on each PE, all but the first are ties.
func TestTiesAreCounted(t *testing.T) {
	const lps, rounds = 12, 20
	core := newTwins().streams[0]
	model := ross.Type[struct{}]{
		Init: func(_ *struct{}, lp *ross.LP) {
			kernelOf(lp).Core = core
			ross.Send(lp, lp.ID(), 1, struct{}{})
		},
		Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) { ross.Send(lp, lp.ID(), 1, struct{}{}) }),
	}
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
		pq    string
	}{{1, 1, "go"}, {1, 1, ""}, {2, 1, ""}, {2, 3, "go"}, {3, 1, ""}, {6, 1, ""}} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d/pq=%s", c.synch, c.pes, c.pq), func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.Tuning.PQ, cfg.End, cfg.ConsLookahead = c.synch, c.pes, lps/c.pes, rosstest.Impl(
				c.pq), rounds+0.5, 0.5
			cfg.Tuning.FixedKPs = true
			cfg.Instruments.Engine, cfg.Instruments.EveryGVTs, cfg.Instruments.Path = ross.SampleByGVT, 1, filepath.Join(
				t.TempDir(), "stats")
			var out strings.Builder
			cfg.Output = &out
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer func() { _ = sim.Close() }()
			require.NoError(t, sim.Define(model))
			require.NoError(t, sim.Run(t.Context()))
			st := sim.Summary()
			require.EqualValues(t, lps*rounds, st.NetEvents())
			want := uint64((lps - c.pes) * rounds)
			if c.synch == 6 { // each event is undone, and what it has sent is sent again
				require.LessOrEqual(t, st.PEEventTies, st.EventsProcessed)
			} else {
				require.Equal(t, want, st.PEEventTies)
			}
			require.Equal(t, strconv.FormatUint(st.PEEventTies, 10),
				testkit.Figure(t, out.String(), "Event Ties Detected in PE Queues"))
			sampled := uint64(0)
			for _, r := range testkit.Records(t, cfg.Instruments.Path, instr.GVTSuffix) {
				sampled += uint64(r.PE.EventTies)
			}
			require.Equal(t, st.PEEventTies, sampled)
		})
	}
}

// LPs that are special only now and then, because they have one stream and save by
// Reverse or by log: while they are suspended, and while the stream keeps a normal value.

const (
	quitterLPs = 24
	quitterEnd = 30
)

// quitter is a state, and stint a message in which Event notes what Reverse has to undo.
type (
	quitter struct{ Handled, Sum int64 }
	stint   struct{ Tag, Added int64 }
)

// quitters returns types of LPs that suspend themselves after some events: one of four so that Reverse
// is called for the last one, and another so that it is not.
func quitters(finals []string) []ross.LPType {
	step := func(s *quitter, lp *ross.LP, m *stint) {
		if s.Handled == 12 && lp.ID()%4 == 1 {
			lp.Suspend(false, 7) // nothing has changed, and Reverse is not called
			return
		}
		m.Added = int64(1000 * lp.RNG().Normal01())
		if m.Tag%3 == 0 {
			m.Added += int64(1000 * lp.RNG().Normal01()) // nothing is kept
		}
		s.Handled++
		s.Sum += m.Added
		if s.Handled == 12 && lp.ID()%4 == 2 {
			lp.Suspend(true, 9)
			return
		}
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, quitterLPs-1)), 0.05+lp.RNG().Exponential(1), stint{Tag: m.Tag + 1})
	}
	of := func(name string, saving ross.Saving) ross.Type[quitter] {
		return ross.Type[quitter]{
			Name: name, Saving: saving,
			Init: func(_ *quitter, lp *ross.LP) {
				for i := range int64(4) {
					ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), stint{Tag: i})
				}
			},
			Final: func(s *quitter, lp *ross.LP) {
				code, suspended := lp.Suspended()
				finals[lp.ID()] = fmt.Sprint(*s, code, suspended, lp.RNG().State())
			},
		}
	}
	reverse := of("reverse", ross.SaveByReverse)
	reverse.Event = ross.On(func(s *quitter, lp *ross.LP, m *stint) { step(s, lp, m) }).Reverse(
		func(s *quitter, _ *ross.LP, m *stint) {
			s.Handled--
			s.Sum -= m.Added
		})
	log := of("log", ross.SaveByLog)
	log.Event = ross.On(func(s *quitter, lp *ross.LP, m *stint) {
		ross.Save(lp, s)
		step(s, lp, m)
	})
	return []ross.LPType{reverse, log}
}

// quitOn spreads the LPs over PEs, with few in each KP, so that some KPs have no special LP.
func quitOn(pes int) func(*ross.Config) {
	return func(c *ross.Config) {
		c.NLP, c.NKP, c.End, c.Digest = int(quitterLPs/uint64(pes)), 8, quitterEnd, true
		c.TypeMap = func(gid ross.LPID) int { return int(gid / 4 % 2) }
		if pes > 1 {
			c.Synch, c.PEs = 3, pes
		}
	}
}

func TestLPsAreSpecialWhileTheyHaveTo(t *testing.T) {
	finals := make([]string, quitterLPs)
	want, _ := runLeg(t, leg{configure: quitOn(1)}, quitters(finals)...)
	suspended := 0
	for _, final := range finals {
		if strings.Contains(final, "true") {
			suspended++
		}
	}
	require.Greater(t, suspended, quitterLPs/4)
	for _, pes := range []int{1, 2, 3} {
		for range 3 {
			testkit.Watch(t)
			got := make([]string, quitterLPs)
			digest, _ := runLeg(t, leg{configure: func(c *ross.Config) {
				quitOn(pes)(c)
				c.Synch, c.Tuning.GVTInterval = 3, 4
				knobsOf(c).Disturb = harass(t, pes, 0.3)
			}}, quitters(got)...)
			require.Equal(t, finals, got, "%d PEs", pes)
			require.Equal(t, want, digest, "%d PEs", pes)
		}
	}
}

// TestLoadedLPsAreSpecialWhileTheyHaveTo goes on from a checkpoint with LPs that are suspended.
func TestLoadedLPsAreSpecialWhileTheyHaveTo(t *testing.T) {
	finals := make([]string, quitterLPs)
	want, _ := runLeg(t, leg{configure: quitOn(1)}, quitters(finals)...)
	for _, pes := range []int{1, 2} {
		testkit.Watch(t)
		cp, got := filepath.Join(t.TempDir(), "quit"), make([]string, quitterLPs)
		runLeg(t, leg{to: cp, configure: func(c *ross.Config) {
			quitOn(pes)(c)
			c.End = quitterEnd / 6
		}}, quitters(got)...)
		suspended := strings.Count(strings.Join(got, "\n"), "true")
		require.Greater(t, suspended, quitterLPs/8)
		digest, _ := runLeg(t, leg{from: cp, mode: ross.LoadInit, configure: func(c *ross.Config) {
			quitOn(3 - pes)(c)
			c.Synch = 3
		}}, quitters(got)...)
		require.Equal(t, finals, got)
		require.Equal(t, want, digest)
	}
}

// tree is a model whose events are the nodes of a random forest: what an event
// sends follows from the number that its message holds.
type tree struct {
	seed  uint64
	depth int
}

type treeMsg struct {
	ID    uint64
	Depth int64
}

type child struct {
	dst         uint64
	delay, prio float64
	msg         treeMsg
}

// children returns what an event of priority prio sends.
func (tr *tree) children(m treeMsg, prio float64) (all []child) {
	rnd := rand.New(rand.NewPCG(tr.seed, m.ID))
	if m.Depth >= int64(tr.depth) {
		return nil
	}
	for range rnd.IntN(4) {
		c := child{dst: rnd.Uint64N(4), prio: prio, msg: treeMsg{rnd.Uint64(), m.Depth + 1}}
		c.delay = []float64{0, 0, 0, 1e-300, 0.25, 1}[rnd.IntN(6)]
		if rnd.IntN(3) == 0 {
			c.prio = min(1, prio+0.25)
		}
		if c.delay >= 0.25 {
			c.prio = 0.25
		}
		all = append(all, c)
	}
	return all
}

// handledEvent is an event as it was handled.
type handledEvent struct {
	id, lp uint64
	sig    ross.Signature
}

const treeRoots = 12

// run has the engine simulate the forest.
func (tr *tree) run(t *testing.T, cfg ross.Config) (all []handledEvent) {
	out := rosstest.Run(t, cfg, ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			for i := range uint64(treeRoots) {
				ross.SendPriority(lp, lp.ID(), 1, 0.25, treeMsg{ID: i + treeRoots*uint64(lp.ID())})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *treeMsg) {
			sig := lp.Signature()
			all = append(all, handledEvent{m.ID, uint64(lp.ID()), sig})
			for _, c := range tr.children(*m, sig.Priority) {
				ross.SendPriority(lp, ross.LPID(c.dst), c.delay, c.prio, c.msg)
			}
		}),
	})
	require.Zero(t, lineageNodes(out.Simulation))
	require.NoError(t, checkPools(out.Simulation))
	return all
}

// bruteForce simulates it with a list of events: it takes the least
// each time, and lineages that are copied.
func (tr *tree) bruteForce() (all []handledEvent) {
	type pending struct {
		handledEvent
		msg treeMsg
	}
	var list []pending
	ties := make([]rng.CLCG4, 4)
	for gid := range ties {
		ties[gid] = rosstest.Core(rng.DefaultCoreSeeds, 1, 4, uint64(gid))
		for i := range uint64(treeRoots) {
			m := treeMsg{ID: i + treeRoots*uint64(gid)}
			list = append(list,
				pending{handledEvent{m.ID, uint64(gid), ross.Signature{Time: 1, Priority: 0.25, Ties: []float64{ties[gid].Unif()}}},
					m})
		}
	}
	for len(list) > 0 {
		least := 0
		for i := range list {
			a, b := list[i].sig, list[least].sig
			if cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Priority, b.Priority), slices.Compare(a.Ties, b.Ties)) < 0 {
				least = i
			}
		}
		e := list[least]
		list = slices.Delete(list, least, least+1)
		all = append(all, e.handledEvent)
		for _, c := range tr.children(e.msg, e.sig.Priority) {
			sig := ross.Signature{Time: e.sig.Time + c.delay, Priority: c.prio, Ties: []float64{ties[e.lp].Unif()}}
			if sig.Time == e.sig.Time && (c.delay == 0 || sig.Compare(e.sig) <= 0) {
				sig.Ties = append(slices.Clone(e.sig.Ties), sig.Ties...)
			}
			list = append(list, pending{handledEvent{c.msg.ID, c.dst, sig}, c.msg})
		}
	}
	return all
}

func TestRandomTreesWithoutDelayComeInTheOrderOfTheirLineages(t *testing.T) {
	for round := range testlevel.Times(8, 5) {
		tr := &tree{seed: testrand.Seed(t), depth: 3 + round}
		want := tr.bruteForce()
		for _, window := range []int{0, 1, 5} {
			got := tr.run(t, withWindow(rosstest.Small(), window))
			require.Equal(t, want, got, "seed %d, depth %d, window %d", tr.seed, tr.depth, window)
		}
	}
}
