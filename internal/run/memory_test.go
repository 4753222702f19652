// What a run charges, lends and gives back, how much memory an event takes, and that neither events nor a log that
// nobody wants allocate any while the run goes on. And what becomes of more than all memory: an error, once it happens.

package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// atStart calls a function when a run prints that it starts, with what it prints.
type atStart func(line string)

func (f atStart) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "*** START") {
		f(string(b))
	}
	return len(b), nil
}

func TestEventsThatAModelAsksForAreThereBeforeTheRunStarts(t *testing.T) {
	const asked, lps = 3000, 4 // by and of each PE; an LP sends an event from its Init
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
	}{{ross.Sequential, 1}, {ross.Conservative, 2}, {ross.Optimistic, 1}, {ross.Optimistic, 2}, {ross.Auto, 2}} {
		for _, asks := range []bool{true, false} {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxMemory = c.synch, c.pes, lps, 5, 64<<20
			if asks {
				cfg.AskEvents(asked, 0)
			}
			var sim *ross.Simulation
			var there []uint64 // slots of each PE that need no more memory
			cfg.Output = atStart(func(string) {
				for _, pe := range runOf(sim).Locals {
					there = append(there, pe.Arena.Spare()/uint64(pe.Arena.Stride()))
				}
			})
			sim, _ = rosstest.Define(t, cfg, rosstest.Walkers())
			require.NoError(t, sim.Run(context.Background()))
			require.Len(t, there, c.pes)
			if c.synch == ross.Auto { // which begins on one PE
				there = there[:1]
			}
			for _, n := range there {
				if asks {
					require.GreaterOrEqual(t, n, uint64(asked-lps), "%v", c)
				} else {
					require.Less(t, n, uint64(asked-lps), "%v", c)
				}
			}
		}
	}
}

// requireBalanced requires that the budget of a simulation after its run is what its parts
// say that they take.
func requireBalanced(t testing.TB, s *ross.Simulation) {
	t.Helper()
	if settingsOf(s.Config()).Checks() { // whose copies are not counted here
		return
	}
	z := runOf(s).Sizes()
	want := runOf(s).Space.Bytes()
	for _, pe := range runOf(s).Locals {
		want += uint64(s.Config().NKP)*z.KP + uint64(len(pe.LPs))*runOf(s).LPBytes() + pe.CopyBytes() + pe.TreeBytes()
		if pe.Pool != nil {
			want += pe.Pool.Bytes() + pe.TagBytes()
		}
		for i := range pe.KPs {
			h := &pe.KPs[i].History
			want += 8 * uint64(len(h.Buf)-h.Lent)
		}
	}
	if n := len(runOf(s).Locals); n > 1 {
		want += uint64(n*(n-1)*runOf(s).Locals[0].Team.Room) * uint64(runOf(s).Locals[0].Arena.Stride())
	}
	require.Equal(t, int64(want), int64(runOf(s).Budget.Used()-runOf(s).QueueBytes()),
		"what is charged is not what there is")
}

// bursts are handlers whose event takes a long history, and what they do n-th.
var bursts = map[string]func(s *door, lp *ross.LP){
	"sends past the end": func(_ *door, lp *ross.LP) { ross.Send(lp, lp.ID(), 1e6, seed{}) },
	"saved fields":       func(s *door, lp *ross.LP) { ross.Save(lp, &s.Visits) },
}

// runBurst runs a model in which one LP's events do something very often, and others have
// small events that a straggler may undo.
func runBurst(t *testing.T, synch, pes int, memory uint64, n int, do func(*door, *ross.LP)) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = ross.Scheduler(synch), pes, int(
		8/pes), 2, 30, true, memory
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[door]{
		Name: "burst",
		Init: func(_ *door, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, seed{Kind: uint64(lp.ID() & 1)}) },
		Event: ross.On(func(s *door, lp *ross.LP, m *seed) {
			s.Visits++
			if m.Kind != 1 {
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)*2), lp.RNG().Exponential(1), *m)
				return
			}
			for range n {
				do(s, lp)
			}
			ross.Send(lp, lp.ID(), 10, *m)
		}).Reverse(func(s *door, _ *ross.LP, _ *seed) { s.Visits-- }),
	}))
	require.NoError(t, sim.Run(context.Background()))
	requireNoLeak(t, sim)
	return sim
}

// TestWhatIsLentIsGivenBackInTheEnd has events whose histories find no room: a loan, an event
// that is taken back, and in the end one that is kept.
func TestWhatIsLentIsGivenBackInTheEnd(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	for name, do := range bursts {
		for _, n := range []int{100, 5000} {
			want := *runOf(runBurst(t, 1, 1, 8<<20, n, do)).Stats.Digest
			for _, c := range []struct {
				pes    int
				memory uint64
			}{{1, settings.MinMemory}, {1, 1500 << 10}, {2, 512 << 10}} {
				t.Run(fmt.Sprintf("%s/n=%d/pes=%d/memory=%d", name, n, c.pes, c.memory), func(t *testing.T) {
					testkit.Watch(t)
					sim := runBurst(t, 3, c.pes, c.memory, n, do)
					require.Equal(t, want, *runOf(sim).Stats.Digest)
					for _, pe := range runOf(sim).Locals {
						for i := range pe.KPs {
							require.Zero(t, pe.KPs[i].History.Lent)
						}
					}
				})
			}
		}
	}
}

// TestALongHistoryIsMovedSeldom bounds the words that are copied while the history of an event
// grows to n words in memory that it has to be lent: a constant number of times n, for each time
// that the event is handled.
func TestALongHistoryIsMovedSeldom(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const n, times, words = 1 << 14, 3, 3 // bursts of the run, most words of a record
	for name, do := range bursts {
		for _, memory := range []uint64{settings.MinMemory, 1500 << 10} {
			t.Run(fmt.Sprintf("%s/memory=%d", name, memory), func(t *testing.T) {
				sim := runBurst(t, 3, 1, memory, n, do)
				c := &runOf(sim).Locals[0].Counts
				bursts := 4 * uint64(times) // LPs
				require.LessOrEqual(t, c.Moved, (bursts+c.Aborted)*n*words*6)
				require.LessOrEqual(t, c.Aborted, bursts*(timewarp.TightRounds+2), "it is tried again and again")
			})
		}
	}
}

// TestAnEmptyHistoryGivesBackWhatIsItsOwn has a history whose first events, with a loan, are
// committed, and whose later ones are undone: it is empty in the middle of what was lent.
func TestAnEmptyHistoryGivesBackWhatIsItsOwn(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.MaxMemory = 3, 4, 1<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(4, 1)))
	pe := runOf(sim).Locals[0]
	kp := &pe.KPs[0]
	h := &kp.History
	for _, n := range []int{1, 100, 612, 10_000} {
		before := runOf(sim).Budget.Used()
		require.True(t, kp.Room(50))
		h.Head = 50
		kp.Lend(n)
		h.Head = len(h.Buf)
		h.Tail = h.Head
		requireBalanced(t, sim)
		kp.Repay()
		require.Zero(t, h.Lent)
		requireBalanced(t, sim)
		pe.Tighten()
		requireBalanced(t, sim)
		require.Equal(t, before, runOf(sim).Budget.Used())
	}
}

// TestABurstThatHardlyFitsTakesFewGVTs has many events wait in memory that leaves next to nothing
// to optimism: no more than one round is to be spent in vain for each.
func TestABurstThatHardlyFitsTakesFewGVTs(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	burst := func(synch int, memory uint64) *ross.Simulation {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = ross.Scheduler(synch), 8, 4, 4, true, memory
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(ross.Type[chainState]{
			Init: func(_ *chainState, lp *ross.LP) {
				if lp.ID() == 0 {
					ross.Send(lp, 0, 1, twinMsg{1})
				}
			},
			Event: ross.On(func(s *chainState, lp *ross.LP, m *twinMsg) {
				s.N++
				for range m.Value * 4000 {
					ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), 0.5+lp.RNG().Unif(), twinMsg{})
				}
				if m.Value > 0 {
					ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 7)), 1.5, twinMsg{1})
				}
			}),
		}))
		require.NoError(t, sim.Run(t.Context()))
		return sim
	}
	want := burst(1, 1<<30)
	need := runOf(want).Budget.Peak() + runOf(want).QueueBytes()
	for _, percent := range []uint64{105, 120, 150} {
		sim := burst(3, need*percent/100)
		require.Equal(t, *runOf(want).Stats.Digest, *runOf(sim).Stats.Digest)
		require.LessOrEqual(t, runOf(sim).Locals[0].Counts.GVTs, 2*runOf(sim).Stats.NetEvents()+100, "%d %%", percent)
	}
}

// Loans: memory that a history gets beyond the ceiling, because a handler
// cannot be stopped in the middle.

// TestHandlerWithManyRecordsMovesThemSeldom has one event send far more events past the end
// than there is memory for records of. What is counted is words that move.
func TestHandlerWithManyRecordsMovesThemSeldom(t *testing.T) {
	const sends = 1 << 18
	moved, handled := 0, 0
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = 3, 2, 10, 512<<10
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[twinState]{
		Saving: ross.SaveByLog,
		Init:   func(_ *twinState, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, twinMsg{}) },
		Event: ross.On(func(_ *twinState, lp *ross.LP, _ *twinMsg) {
			h := &kernelOf(lp).KP.History
			handled++
			for range sends {
				was := unsafe.SliceData(h.Buf)
				ross.Send(lp, lp.ID(), 100, twinMsg{})
				if unsafe.SliceData(h.Buf) != was {
					moved += h.Head
				}
			}
		}),
	}))
	require.NoError(t, sim.Run(t.Context()))
	require.EqualValues(t, 2*sends, runOf(sim).Stats.EventsPastEnd)
	require.Less(t, moved, 8*sends*handled, "%d times", handled)
	requireNoLoan(t, sim)
}

// TestLoanIsPaidForWhenThereIsMemoryAgain has a history borrow, and then grow within the
// ceiling: all that it has is charged.
func TestLoanIsPaidForWhenThereIsMemoryAgain(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.NKP, cfg.MaxMemory = 3, 2, 1, 4<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hungry(2, 0)))
	pe, kp := runOf(sim).Locals[0], &runOf(sim).Locals[0].KPs[0]
	before := runOf(sim).Budget.Used()
	h := &kp.History
	for i := range 8 {
		all := runOf(sim).Budget.Limit() - runOf(sim).Budget.Used()
		require.NoError(t, runOf(sim).Budget.Charge(all))
		h.Head = len(h.Buf)
		require.False(t, kp.Room(100))
		kp.Lend(100 + i)
		h.Head += 100
		lent := h.Lent
		kp.Repay()
		require.Equal(t, lent, h.Lent, "the events need it")
		runOf(sim).Budget.Give(all)
		require.Equal(t, before+uint64(len(h.Buf)-h.Lent)*8, runOf(sim).Budget.Used(), "what is not lent is charged")
		switch i % 3 {
		case 0: // it grows, and so it is no loan any more
			require.True(t, kp.Room(len(h.Buf)))
			require.Zero(t, h.Lent)
		case 1: // the events are gone
			h.Head, h.Last, h.Tail = 0, 0, 0
			kp.Repay()
			require.Zero(t, h.Lent)
		}
		require.Equal(t, before+uint64(len(h.Buf)-h.Lent)*8, runOf(sim).Budget.Used())
	}
	h.Head, h.Last, h.Tail = 0, 0, 0
	pe.Tighten()
	require.Equal(t, before, runOf(sim).Budget.Used(), "nothing is left of it")
}

// requireNoLoan requires that histories have nothing that is not charged.
func requireNoLoan(t *testing.T, sim *ross.Simulation) {
	t.Helper()
	for _, pe := range runOf(sim).Locals {
		for i := range pe.KPs {
			require.Zero(t, pe.KPs[i].History.Lent)
		}
	}
}

// How much memory an event takes while it is pending.

// hold returns a model of n LPs whose number of events stays as it is. send
// sends the next event.
func hold[M any](events int, send func(lp *ross.LP, m *M)) ross.Type[none] {
	return ross.Type[none]{
		Name: "hold",
		Init: func(_ *none, lp *ross.LP) {
			var m M
			for range events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), m)
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *M) { send(lp, m) }),
	}
}

// page is a message that does not fit into an event.
type page struct {
	Hop   int64
	Bytes [1992]byte
}

var errEnough = errors.New("enough events")

// Besides its payload an event takes at most 160 bytes, all in all: slot, key,
// buckets, and what the pools hold in reserve.
func TestPendingEventTakesAtMost160BytesBesideItsPayload(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const lps, events = 1024, 1 << 20
	for _, pq := range []string{"", "go"} {
		t.Run("pq="+pq, func(t *testing.T) {
			left := 3_000_000 // some turns of the whole queue
			cfg := rosstest.Small()
			cfg.NLP, cfg.Tuning.PQ, cfg.Digest = lps, rosstest.Impl(pq), false
			cfg.MaxMemory = 1 << 30
			out := rosstest.Try(t, cfg, hold(events/lps, func(lp *ross.LP, m *word) {
				ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: m.N + 1})
				if left--; left == 0 {
					lp.Fail(errEnough)
				}
			}))
			require.ErrorIs(t, out.Err, errEnough)
			peak := peakEvents(out.Simulation)
			require.GreaterOrEqual(t, peak, uint64(events))
			require.LessOrEqual(t, float64(engineBytes(out.Simulation))/float64(peak), 160.0+8)
		})
	}
}

// The limit holds a fraction of what the run would take if it gave nothing back.
func TestMemoryOfHandledEventsIsUsedAgain(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.MaxMemory = 32, 2<<20
	out := rosstest.Run(t, cfg, hold(8, func(lp *ross.LP, m *page) {
		delay := lp.RNG().Exponential(1)
		if m.Hop%2 == 0 {
			delay = 0
		}
		ross.NewEvent[page](lp, rosstest.Anywhere(lp), delay).Hop = m.Hop + 1
	}))
	require.Greater(t, uint64(out.Net())*1000, 10*cfg.MaxMemory)
}

// holdModels are those that differ in what a send has to do.
var holdModels = map[string]func(events int) ross.LPType{
	"phold": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: m.N + 1})
		})
	},
	"in place": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.NewEvent[word](lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1)).N = m.N + 1
		})
	},
	"priorities": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			ross.SendPriority(lp, rosstest.Anywhere(lp), float64(lp.RNG().Integer(1, 2)), lp.RNG().Unif(), word{N: m.N + 1})
		})
	},
	"zero delays": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *word) {
			delay := 0.0
			if m.N%4 == 3 {
				delay = lp.RNG().Exponential(4)
			}
			ross.Send(lp, rosstest.Anywhere(lp), delay, word{N: m.N + 1})
		})
	},
	"large payloads": func(events int) ross.LPType {
		return hold(events, func(lp *ross.LP, m *page) {
			ross.NewEvent[page](lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1)).Hop = m.Hop + 1
		})
	},
}

// mallocs returns how many allocations a run up to a time makes, and how many
// events it has.
func mallocs(t *testing.T, cfg ross.Config, typ ross.LPType) (n, events uint64) {
	t.Helper()
	sim, _ := rosstest.Define(t, cfg, typ)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, sim.Run(t.Context()))
	runtime.ReadMemStats(&after)
	st := sim.Summary()
	return after.Mallocs - before.Mallocs, st.NetEvents()
}

// A run of ten times the events makes the same allocations, but for a few while
// the queue's rungs find their sizes.
func TestEventsDoNotAllocate(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	testlevel.Once(t, "what memory costs")
	for name, model := range holdModels {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small() // with the digest, which sees every event
			cfg.NLP, cfg.End = 32, 20
			few, fewEvents := mallocs(t, cfg, model(8))
			cfg.End = 200
			many, manyEvents := mallocs(t, cfg, model(8))
			require.Greater(t, manyEvents, 8*fewEvents)
			require.Less(t, int64(many)-int64(few), int64(300),
				"%d allocations for %d events, %d for %d", few, fewEvents, many, manyEvents)
		})
	}
}

// Handlers do not make what they get and send escape, either.
func TestSendDoesNotAllocate(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	var perSend map[string]float64
	typ := rosstest.Once(func(lp *ross.LP) {
		perSend = map[string]float64{
			"Send":         testalloc.PerRun(100, func() { ross.Send(lp, 0, 1, word{N: 1}) }),
			"past the end": testalloc.PerRun(100, func() { ross.Send(lp, 0, 1e9, word{N: 1}) }),
			"SendPriority": testalloc.PerRun(100, func() { ross.SendPriority(lp, 0, 1, 0.5, word{N: 1}) }),
			"NewEvent":     testalloc.PerRun(100, func() { ross.NewEvent[word](lp, 0, 1).N = 1 }),
			"no delay":     testalloc.PerRun(100, func() { ross.Send(lp, 0, 0, word{N: 1}) }),
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	for name, n := range perSend {
		require.Zero(t, n, name)
	}
	require.Len(t, perSend, 5)
}

// A log that nobody wants allocates nothing.

func TestLogThatNobodyWantsAllocatesNothing(t *testing.T) {
	if invariants.Enabled || racetest.Asan {
		t.Skip("assertions and AddressSanitizer allocate on their own")
	}
	for name, set := range map[string]func(*ross.Config){
		"no handler": func(*ross.Config) {},
		"level": func(c *ross.Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError})
		},
		"LP": func(c *ross.Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, nil)
			c.ModelLogOnly = func(id ross.LPID, _ string) bool { return id == 1 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
				cfg.NLP, cfg.End = 2, 1
				set(cfg)
			}, quiet(func(*ross.LP, string) {}))
			require.NoError(t, errs[0])
			lp := sims[0].LP(0)
			n := 0
			require.Zero(t, testalloc.PerRun(100, func() {
				n++
				lp.Log().Info("nobody hears", "n", 3)
				lp.Log().LogAttrs(context.Background(), slog.LevelInfo, "nor this", slog.Int("n", n+1000),
					slog.Float64("at", lp.Now()))
			}))
		})
	}
}

// excesses are requests beyond any memory, and how the error counts them.
var excesses = map[string]func(lp *ross.LP) int{
	"2^40 words":              func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<40).Len() },
	"2^61 words, 2^64 bytes":  func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<61).Len() },
	"2^61 + 1 words, 8 bytes": func(lp *ross.LP) int { return ross.Alloc[uint64](lp, 1<<61+1).Len() },
	"all bytes":               func(lp *ross.LP) int { return ross.Alloc[byte](lp, math.MaxInt).Len() },
	"one large value":         func(lp *ross.LP) int { return ross.Alloc[[65 << 20]byte](lp, 1).Len() },
}

func TestMoreThanAllMemoryIsAnErrorThatIsUndone(t *testing.T) {
	for name, ask := range excesses {
		for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
			t.Run(name+"/"+saving.String(), func(t *testing.T) {
				testkit.Watch(t)
				visit := func(lp *ross.LP, open bool) {
					if !open {
						require.Zero(t, ask(lp))
					}
				}
				want, err := (&future{alone: true}).run(t, saving, sequentially, visit)
				require.NoError(t, err)
				f := newFuture()
				got, err := f.run(t, saving, func(*ross.Config) {}, visit)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Positive(t, f.early.Load(), "nothing was asked for too early")
			})
		}
	}
}

func TestMoreThanAllMemoryIsToldWhenItHappens(t *testing.T) {
	for name, ask := range excesses {
		for _, synch := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", name, synch), func(t *testing.T) {
				testkit.Watch(t)
				_, err := (&future{alone: true, shut: true}).run(t, ross.SaveByLog, func(c *ross.Config) {
					if c.Synch = ross.Scheduler(synch); synch == 1 {
						sequentially(c)
					}
				}, func(lp *ross.LP, open bool) { require.Zero(t, ask(lp)) })
				require.ErrorIs(t, err, ross.ErrMemory)
				require.ErrorContains(t, err, "ross: LP 0 (door) at time 5: allocated ")
				require.ErrorContains(t, err,
					"bytes each, and the limit is 67108864 bytes: memory limit reached: ask for less, or raise --max-memory")
			})
		}
	}
}

// A block that would be allowed and finds no memory is lent to a handler which is going to be
// undone, as long as all that is lent is no more than the run may have.
func TestABlockThatFindsNoMemoryIsLent(t *testing.T) {
	const limit = 64 << 20
	for _, n := range []int{10_000, 1 << 20, 40 << 20} {
		for _, synch := range []int{1, 3} {
			t.Run(fmt.Sprintf("bytes=%d/synch=%d", n, synch), func(t *testing.T) {
				testkit.Watch(t)
				taken := 0
				cfg := ross.DefaultConfig()
				cfg.Synch, cfg.NLP, cfg.End, cfg.MaxMemory = ross.Scheduler(synch), 1, 10, limit
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(ross.Type[door]{
					Name: "glutton",
					Init: func(_ *door, lp *ross.LP) { ross.Send(lp, 0, 1, seed{}) },
					Event: ross.On(func(_ *door, lp *ross.LP, _ *seed) {
						for taken = 0; taken < limit+8*n; taken += n {
							words := ross.Alloc[byte](lp, n).Of(lp)
							if len(words) == 0 {
								break
							}
							require.Zero(t, words[0]+words[n-1])
							words[0], words[n-1] = 1, 1
						}
					}).Reverse(func(*door, *ross.LP, *seed) {}),
				}))
				err = sim.Run(context.Background())
				require.ErrorIs(t, err, ross.ErrMemory)
				require.ErrorContains(t, err, "ross: LP 0 (glutton) at time 1: ")
				if n == 40<<20 { // a block is a power of two, so that none is not lent
					require.Equal(t, n, taken)
				} else {
					require.GreaterOrEqual(t, taken, limit+8*n)
				}
				require.LessOrEqual(t, runOf(sim).Locals[0].LentBytes, uint64(limit))
			})
		}
	}
}
