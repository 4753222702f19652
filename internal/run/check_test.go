// Checks of rollback: --synch=6 accepts what is undone and commits what a sequential run does, and --synch=4 rolls
// everything back. Neither leaves anything behind. And models that write into their messages: digests and checkpoints
// have what was sent.

package run_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// till is a state with a part of every kind; job hangs on it.
type (
	till struct {
		Balance int64
		Queue   []*job
		Names   map[string]job
		Coins   ross.Block[job]
		More    ross.Block[ross.Block[job]]
	}
	job struct{ Weight int64 }
)

// TestCheckAcceptsWhatIsUndone has an event do all that can be undone, by each
// kind of saving.
func TestCheckAcceptsWhatIsUndone(t *testing.T) {
	type flat struct {
		Count int64
		Coins ross.Block[job]
		Kept  ross.Block[ross.Block[job]]
	}
	handle := func(save bool) func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
		keep := func(lp *ross.LP, p *int64) {
			if save {
				ross.Save(lp, p)
			}
		}
		return func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
			bits.Set(3)
			keep(lp, &s.Count)
			s.Count += lp.RNG().Integer(0, 9)
			lp.Stream(1).Normal01()
			if s.Coins.Len() == 0 || lp.RNG().Unif() < 0.3 {
				if save {
					ross.Save(lp, &s.Coins)
				}
				ross.Free(lp, s.Coins)
				s.Coins = ross.Alloc[job](lp, int(lp.RNG().Integer(1, 5)))
			}
			coins := s.Coins.Of(lp)
			keep(lp, &coins[0].Weight)
			coins[0].Weight++
			keep(lp, &m.N)
			m.N++
			lp.Printf("%d ", m.N)
			ross.Send(lp, rosstest.Anywhere(lp)%4, lp.RNG().Exponential(1), *m)
			if m.N%5 == 0 {
				ross.SendPriority(lp, lp.ID(), 0, 1, word{N: -5})
			}
		}
	}
	models := map[string]ross.LPType{}
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveNever} {
		event := handle(saving == ross.SaveByLog)
		models[saving.String()] = ross.Type[flat]{
			Saving: saving,
			Init:   func(_ *flat, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), word{N: 1}) },
			Event: ross.OnUndo(func(s *flat, lp *ross.LP, bits *ross.Bits, m *word) {
				if m.N >= 0 {
					event(s, lp, bits, m)
				}
			}),
		}
	}
	models["Reverse"] = ross.Type[till]{
		Init: func(s *till, lp *ross.LP) {
			s.Balance, s.Queue, s.Names = 100, []*job{{1}, {2}}, map[string]job{"a": {1}}
			s.Coins, s.More = ross.Alloc[job](lp, 3), ross.Alloc[ross.Block[job]](lp, 2)
			s.More.Of(lp)[1] = ross.Alloc[job](lp, 2)
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, word{N: 7})
			}
		},
		Event: ross.On(func(s *till, lp *ross.LP, m *word) {
			s.Balance++
			s.Queue = append(s.Queue, &job{lp.RNG().Integer(0, 5)})
			s.Names["b"] = job{2}
			lp.Printf("%d ", m.N)
			ross.Send(lp, lp.ID(), lp.Stream(1).Unif(), word{N: 7})
		}).Reverse(func(s *till, lp *ross.LP, m *word) {
			s.Balance--
			s.Queue = s.Queue[:len(s.Queue)-1]
			if len(s.Queue) == 2 {
				delete(s.Names, "b")
			}
			lp.RNG().Reverse() // by hand, as models of ROSS do; Stream(1) is the engine's
		}),
		Check: &ross.Checker[till]{Message: true},
	}
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			want := rosstest.Run(t, rosstest.Checking(1), model)
			got := rosstest.Run(t, rosstest.Checking(6), model)
			require.Greater(t, got.Net(), 100)
			require.Equal(t, want.Net(), got.Net())
			require.Equal(t, *want.Summary().Digest, *got.Summary().Digest)
			require.Equal(t, want.Summary().EventsPastEnd, got.Summary().EventsPastEnd)
			require.Equal(t, printed(want.Report), printed(got.Report))
			require.NotEmpty(t, printed(got.Report))
			require.NoError(t, checkPools(got.Simulation))
			require.Zero(t, liveEvents(got.Simulation))
			undone := uint64(got.Net())
			if name == "never" {
				undone = 0
			}
			require.Equal(t, undone, got.Summary().EventsRolledBack)
			require.Equal(t, fmt.Sprint(undone), got.Figure("Events Rolled Back and Compared"))
			require.Equal(t, want.Figure("Events Pending, Most at Once"), got.Figure("Events Pending, Most at Once"))
		})
	}
}

// printed returns what a model printed: numbers, on the lines between start and
// end of the run.
func printed(printed string) string {
	_, after, _ := strings.Cut(printed, "SIMULATION ***\n\n")
	before, _, _ := strings.Cut(after, report.EndLine)
	return progressLine.ReplaceAllString(before, "")
}

var progressLine = regexp.MustCompile(`(?m)GVT #.*\n.*\n`)

// TestMessageMayBeScratch has Event leave in the message what Reverse needs, and
// then something that makes a difference.
func TestMessageMayBeScratch(t *testing.T) {
	type note struct{ Amount, Old int64 }
	model := func(event func(s *job, m *note)) ross.LPType {
		return ross.Type[job]{
			Name: "scratch",
			Init: func(_ *job, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, note{Amount: 5}) },
			Event: ross.On(func(s *job, _ *ross.LP, m *note) { event(s, m) }).Reverse(
				func(s *job, _ *ross.LP, m *note) { s.Weight = m.Old }),
		}
	}
	for _, synch := range []int{4, 6} {
		rosstest.Run(t, rosstest.Checking(synch),
			model(func(s *job, m *note) { m.Old, s.Weight = s.Weight, s.Weight+m.Amount }))
	}
	cfg := rosstest.Checking(6)
	cfg.NLP = 1
	out := rosstest.Try(t, cfg,
		model(func(s *job, m *note) { m.Old, s.Weight, m.Amount = s.Weight, s.Weight+m.Amount, 6 }))
	require.ErrorContains(t, out.Err, "Event, called again after the rollback of the event that LP 0 sent at time 0, "+
		"left job.Weight at 6, it was 5 after the first call")
}

// --synch=6 commits what a sequential run does, and that
// --synch=4 takes all of it back, for loads with many ties and long chains.

func TestCheckCommitsWhatASequentialRunDoes(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, impl := range testlevel.Pick(pq.Impls(), pq.Impls(), []string{""}) {
			t.Run(name+"/pq="+impl, func(t *testing.T) {
				require.Equal(t, want, l().digest(t, func(c *ross.Config) { c.Synch, c.Tuning.PQ = 6, rosstest.Impl(impl) }))
			})
		}
	}
}

func TestDebugTakesLoadsBack(t *testing.T) {
	for name, l := range loads {
		t.Run(name, func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory = loadLPs, l().end, 4, 150<<20
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(l().lpType()))
			require.NoError(t, sim.Run(t.Context()))
			st := sim.Summary()
			require.Greater(t, st.EventsRolledBack, uint64(10000*loadStart-2000*loadStart))
			require.Zero(t, st.NetEvents())
			require.NoError(t, checkPools(sim))
			require.EqualValues(t, loadLPs*loadStart, liveEvents(sim)+st.EventsPastEnd)
		})
	}
}

// --synch=4 rolls everything back, and leaves nothing behind.

func TestDebugRollsEverythingBack(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			model := rosstest.Chatter(saving)
			model.Event = model.Event.(ross.EventHandler[rosstest.Sum, word]).Commit(
				func(*rosstest.Sum, *ross.LP, *word) { t.Error("an event was committed") })
			out := rosstest.Run(t, rosstest.Checking(4), model)
			st := out.Summary()
			assert.Contains(t, out.Report, report.StartLine(4))
			assert.NotContains(t, out.Report, "not to be seen")
			assert.Greater(t, st.EventsProcessed, uint64(50))
			assert.Equal(t, st.EventsProcessed, st.EventsRolledBack)
			assert.Zero(t, st.NetEvents())
			assert.Zero(t, *st.Digest)
			assert.Zero(t, st.EventsPastEnd)
			assert.Equal(t, fmt.Sprint(st.EventsProcessed), out.Figure("Events Rolled Back and Compared"))
			assert.EqualValues(t, 4, liveEvents(out.Simulation), "the events of Init wait again")
			assert.NoError(t, checkPools(out.Simulation))
		})
	}
}

// --synch=4 undoes whole runs of a model in which all happens
// that an engine has to undo, and that it names what a wrong Reverse leaves.

// debugKitchen runs the kitchen forward and back, with a change of its types.
func debugKitchen(t *testing.T, set func(*ross.Config), change func([]ross.LPType)) (
	*kitchen, *ross.Simulation, error) {
	t.Helper()
	k := newKitchen(false)
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch, cfg.Digest, cfg.Streams.PerLP, cfg.TypeMap = kitchenLPs, 6, 4, true, 3, k.typeOf
	cfg.Output, cfg.MaxMemory = io.Discard, 100<<20
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	types := k.types()[:cookNever]
	change(types)
	require.NoError(t, sim.Define(types...))
	return k, sim, sim.Run(context.Background())
}

func TestDebugUndoesTheKitchen(t *testing.T) {
	started, before, err := debugKitchen(t, func(c *ross.Config) { c.End = 1e-9 }, func([]ross.LPType) {})
	require.NoError(t, err)
	for name, set := range map[string]func(*ross.Config){
		"as it is": func(*ross.Config) {},
		"1 KP":     func(c *ross.Config) { c.NKP = 1 },
		"64 KPs":   func(c *ross.Config) { c.NKP = 64 },
		"long":     func(c *ross.Config) { c.End = kitchenEnd },
		"LZ4":      func(c *ross.Config) { c.Tuning.LZ4Knob = 1 },
		"hook": func(c *ross.Config) {
			c.HookTrigger, c.GVTHook = ross.HookWhenModelCalls(), func(*ross.PE, bool) { t.Error("the hook ran") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			k, sim, err := debugKitchen(t, set, func([]ross.LPType) {})
			require.NoError(t, err)
			st := sim.Summary()
			require.Greater(t, st.EventsRolledBack, uint64(200))
			require.Zero(t, st.NetEvents())
			require.Zero(t, *st.Digest)
			require.Equal(t, make([][]uint64, kitchenLPs), k.commits)
			require.Equal(t, started.finals, k.finals, "states as after Init")
			require.Equal(t, liveBlocks(before), liveBlocks(sim))
			require.Equal(t, liveBlocks(sim), runOf(sim).Locals[0].Pool.Live(), "blocks")
			require.NoError(t, runOf(sim).Locals[0].Pool.Check())
			for i := range ross.LPID(kitchenLPs) {
				require.Zero(t, sim.LP(i).Now())
			}
		})
	}
}

func TestDebugNamesTheFieldThatAReverseOfTheKitchenForgets(t *testing.T) {
	for field, forget := range map[string]func(s *reverseCook, before reverseCook){
		"reverseCook.Handled": func(s *reverseCook, was reverseCook) { s.Handled = was.Handled },
		"reverseCook.Sum":     func(s *reverseCook, was reverseCook) { s.Sum = was.Sum },
		"reverseCook.Sent":    func(s *reverseCook, was reverseCook) { s.Sent = was.Sent },
	} {
		t.Run(field, func(t *testing.T) {
			testkit.Watch(t)
			_, _, err := debugKitchen(t, func(c *ross.Config) { c.End = kitchenEnd }, func(types []ross.LPType) {
				wrong := types[cookReverse].(ross.Type[reverseCook])
				wrong.Event = wrong.Event.(ross.UndoHandler[reverseCook, ross.Bits, order8]).Reverse(
					func(s *reverseCook, lp *ross.LP, bits *ross.Bits, m *order8) {
						was := *s
						unreverse(s, lp, bits, m)
						if lp.ID() == 12 {
							forget(s, was)
						}
					})
				types[cookReverse] = wrong
			})
			require.ErrorIs(t, err, ross.ErrReverse)
			require.Regexp(t,
				`^ross: LP 12 \(reverse\) at time 0: the rollback of all events \(\d+\) left (Suspended\(\) .*; )?`+field+
					` at \d+, it was 0 after Init`, err.Error())
		})
	}
}

func TestDebugRunsOnOnePE(t *testing.T) {
	for pes := 2; pes <= 4; pes++ {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs = 4, pes
		_, err := ross.New(cfg)
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, fmt.Sprintf("--pes=%d: --synch=4 runs on one PE; use --pes=1", pes))
	}
}

// writer is a state; jot messages with room for scratch, of a word and more, up to what
// needs a block of its own.
type (
	writer struct{ Count, Sum uint64 }
	jot    interface {
		jot8 | jot40 | jot2000
	}
	jot8    struct{ Tag, Old uint32 }
	jot40   struct{ Tag, Old, Rest [2]uint64 }
	jot2000 struct {
		Tag uint8 // and 7 bytes of padding
		Old [249]uint64
	}
)

const (
	writerLPs = 48
	writerEnd = 12
)

// scribblers returns a type of LPs whose Event leaves something in the message now and
// then, which no rollback removes but that of deltas. All of it is right: nothing that
// Event reads is written to.
func scribblers[M jot](name string, saving ross.Saving, tag func(m *M) uint64, scribble func(m *M, s *writer),
	send func(lp *ross.LP, tag uint64)) ross.LPType {
	t := ross.Type[writer]{
		Name: name, Saving: saving,
		Init: func(_ *writer, lp *ross.LP) {
			for i := range uint64(3) {
				send(lp, i+1)
			}
		},
		Event: ross.On(func(s *writer, lp *ross.LP, m *M) {
			if saving == ross.SaveByLog {
				ross.Save(lp, s)
			}
			s.Count++
			s.Sum += tag(m)
			if s.Sum%3 == 0 { // seldom the same again after a straggler
				scribble(m, s)
			}
			if s.Count == 30 && lp.ID()%8 < 4 {
				lp.Suspend(true, 1)
				return
			}
			send(lp, s.Sum%1000)
		}).Commit(func(_ *writer, _ *ross.LP, m *M) { tag(m) }),
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[writer, M]).Reverse(func(s *writer, _ *ross.LP, m *M) {
			s.Count--
			s.Sum -= tag(m)
		})
	}
	return t
}

// scribblerTypes are all ways to be undone and all sizes.
func scribblerTypes() []ross.LPType {
	send := func(lp *ross.LP, tag uint64) {
		delay := 0.0
		if tag%9 != 0 {
			delay = 0.05 + lp.RNG().Exponential(1)
		}
		dst := ross.LPID(lp.RNG().Integer(0, writerLPs-1))
		switch {
		case dst%4 == 0:
			ross.Send(lp, dst, delay, jot8{Tag: uint32(tag)})
		case dst%4 == 1:
			ross.Send(lp, dst, delay, jot40{Tag: [2]uint64{tag, ^tag}})
		default:
			ross.NewEvent[jot2000](lp, dst, delay).Tag = uint8(tag)
		}
	}
	large := func(saving ross.Saving) ross.LPType {
		return scribblers("large "+saving.String(), saving, func(m *jot2000) uint64 { return uint64(m.Tag) },
			func(m *jot2000, s *writer) { m.Old[s.Count%249] = s.Sum }, send)
	}
	return []ross.LPType{
		scribblers("small", ross.SaveByReverse, func(m *jot8) uint64 { return uint64(m.Tag) },
			func(m *jot8, s *writer) { m.Old = uint32(s.Sum) }, send),
		scribblers("medium", ross.SaveByLog, func(m *jot40) uint64 { return m.Tag[0] },
			func(m *jot40, s *writer) { m.Old[1] = s.Sum }, send),
		large(ross.SaveByReverse), large(ross.SaveByDelta), large(ross.SaveNever),
	}
}

func scribblerType(never bool) func(ross.LPID) int {
	return func(gid ross.LPID) int {
		if never && gid%16 == 15 {
			return 4
		}
		return int(gid % 4)
	}
}

// scribble runs the model on some ranks and returns the digests.
func scribble(t *testing.T, ranks int, never bool, configure func(*ross.Config)) (uint64, []*ross.Simulation) {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *ross.Config) {
		c.End, c.Digest, c.TypeMap, c.MaxMemory, c.NKP = writerEnd, true, scribblerType(never), 200<<20, 4
		configure(c)
		c.NLP = int(writerLPs / uint64(max(c.PEs, 1)*ranks))
	}, scribblerTypes()...)
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireNoLeak(t, sims...)
	return *sims[0].Summary().Digest, sims
}

func TestDigestIsThatOfWhatWasSent(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, sims := scribble(t, 1, never, func(*ross.Config) {})
		events := sims[0].Summary().NetEvents()
		require.Greater(t, events, uint64(500))
		for name, c := range map[string]struct {
			ranks, pes, synch int
			set               func(*ross.Config)
		}{
			"conservative":    {1, 2, 2, func(c *ross.Config) { c.ConsLookahead = 0 }},
			"optimistic":      {1, 1, 3, func(*ross.Config) {}},
			"two PEs":         {1, 2, 3, func(*ross.Config) {}},
			"three PEs":       {1, 3, 3, func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.FixedGVT = 1000, true }},
			"real time":       {1, 4, 5, func(c *ross.Config) { c.Tuning.GVTInterval = 1 }},
			"little memory":   {1, 3, 3, func(c *ross.Config) { c.MaxMemory = 3 << 20 }},
			"every one twice": {1, 1, 6, func(*ross.Config) {}},
			"two ranks":       {2, 2, 3, func(*ross.Config) {}},
		} {
			if testlevel.Few.LeavesOut(name, "two PEs", "two ranks") {
				continue
			}
			if never && c.pes == 2 {
				continue // those of one and of three will do: each such event takes a GVT
			}
			t.Run(fmt.Sprintf("never=%v/%s", never, name), func(t *testing.T) {
				testkit.Watch(t)
				got, sims := scribble(t, c.ranks, never, func(cfg *ross.Config) {
					cfg.Synch, cfg.PEs = ross.Scheduler(c.synch), c.pes
					if c.synch == 3 || c.synch == 5 {
						knobsOf(cfg).Disturb = harass(t, c.pes*c.ranks, 0.3)
					}
					c.set(cfg)
				})
				require.Equal(t, events, sims[0].Summary().NetEvents())
				require.Equal(t, want, got)
			})
		}
	}
}

// TestCheckpointsHoldMessagesAsTheyWereSent stores while events wait that have been handled
// and undone, and goes on.
func TestCheckpointsHoldMessagesAsTheyWereSent(t *testing.T) {
	want, _ := scribble(t, 1, false, func(*ross.Config) {})
	prefix := filepath.Join(t.TempDir(), "jots")
	on := func(c *ross.Config) {
		c.Synch, c.PEs, c.NKP, c.NLP, c.End, c.TypeMap = 3, 2, 4, writerLPs/2, writerEnd, scribblerType(false)
		knobsOf(c).Disturb = harass(t, 2, 0.3)
	}
	digest, _ := runLeg(t, leg{configure: func(c *ross.Config) {
		on(c)
		c.Checkpoints.Name, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep = prefix, 4, 100
	}}, scribblerTypes()...)
	require.Equal(t, want, digest)
	numbers, err := rio.Numbers(prefix)
	require.NoError(t, err)
	require.NotEmpty(t, numbers)
	for _, n := range numbers {
		digest, _ := runLeg(t, leg{configure: func(c *ross.Config) {
			on(c)
			c.Checkpoints.Restart = rio.Numbered(prefix, n)
		}}, scribblerTypes()...)
		require.Equal(t, want, digest, "from checkpoint %d", n)
	}
}
