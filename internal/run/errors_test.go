// How runs end that go wrong: mistakes of models and of the engine, and events for which there is no memory. Chains of
// events without delay may have any length, in memory that is theirs alone, but not without end.

package run_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/collect"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/pq"
)

// onAll runs a test under each parallel scheduler, on 1, 2 and 4 PEs.
func onAll(t *testing.T, do func(t *testing.T, set func(*ross.Config))) {
	for _, synch := range []int{2, 3, 5} {
		for _, pes := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				do(t, func(c *ross.Config) { c.Synch, c.PEs, c.NLP = ross.Scheduler(synch), pes, int(4/uint64(pes)) })
			})
		}
	}
}

// place is a part of a model in which LP 3 fails, and the time there.
type place struct {
	typ ross.LPType
	at  string
}

// places returns models that fail in each part of theirs that a PE's thread runs.
func places(fail func()) map[string]place {
	boom := func(lp *ross.LP) {
		if lp.ID() == 3 {
			fail()
		}
	}
	quiet := func() ross.Type[none] { return rosstest.Once(func(*ross.LP) {}) }
	inInit, inPreRun, inCommit := quiet(), quiet(), quiet()
	inInit.Init = func(_ *none, lp *ross.LP) { boom(lp) }
	inPreRun.PreRun = func(_ *none, lp *ross.LP) { boom(lp) }
	inCommit.Event = inCommit.Event.(ross.EventHandler[none, word]).Commit(
		func(_ *none, lp *ross.LP, _ *word) { boom(lp) })
	byReverse := rosstest.Once(boom)
	byReverse.Event = byReverse.Event.(ross.EventHandler[none, word]).Reverse(func(*none, *ross.LP, *word) {})
	byLog := rosstest.Once(boom)
	byLog.Saving = ross.SaveByLog
	return map[string]place{
		"Init":                     {inInit, "0"},
		"PreRun":                   {inPreRun, "0"},
		"Event, saved by deltas":   {rosstest.Once(boom), "1.5"},
		"Event, saved by a log":    {byLog, "1.5"},
		"Event, undone by Reverse": {byReverse, "1.5"},
		"Commit":                   {inCommit, "1.5"},
	}
}

// requireEnds shows that models end in each place with a panic, which is reported once.
func requireEnds(t *testing.T, in map[string]place, with string) {
	for name, c := range in {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				out := rosstest.Try(t, cfg, c.typ)
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				require.Equal(t, 1, ross.ExitCode(out.Err))
				require.True(t, strings.HasPrefix(out.Err.Error(), "ross: LP 3 (once) at time "+c.at+": panic: "+with+
					": handler panicked"), "%v", out.Err)
				require.Equal(t, 1, strings.Count(out.Err.Error(), "handler panicked"), "told once")
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}

func TestParallelRunEndsWithThePanicOfAHandler(t *testing.T) {
	in := places(func() { panic("boom") })
	inFinal := rosstest.Once(func(*ross.LP) {})
	inFinal.Final = func(_ *none, lp *ross.LP) {
		if lp.ID() == 3 {
			panic("boom")
		}
	}
	in["Final"] = place{inFinal, "1.5"}
	requireEnds(t, in, "boom")
}

func TestParallelRunEndsWhenAHandlerEndsItsGoroutine(t *testing.T) {
	requireEnds(t, places(runtime.Goexit), "runtime.Goexit was called")
}

func TestParallelRunEndsWithTheMistakeOfAModel(t *testing.T) {
	const who = "ross: LP 3 (once) at time 1.5: "
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		want error
		text string
	}{
		"delay": {func(lp *ross.LP) { ross.Send(lp, 0, -1, word{N: 1}) }, ross.ErrDelay,
			"sent LP 0 an event (rosstest.Word) with delay -1: bad delay: a delay must be finite and at least 0; likely causes: a difference of times or its rounding, a distribution with negative values"},
		"destination": {func(lp *ross.LP) { ross.Send(lp, 4, 1, word{N: 1}) }, ross.ErrDestination,
			"sent an event (rosstest.Word) to LP 4: no such LP: ids go from 0 to 3"},
		"priority": {func(lp *ross.LP) { ross.SendPriority(lp, 0, 1, 2, word{N: 1}) }, ross.ErrPriority,
			"sent LP 0 an event (rosstest.Word) with priority 2: bad priority: a priority must be in [0, 1]"},
		"message": {func(lp *ross.LP) { ross.Send(lp, 0, 1, none{}) }, ross.ErrMessageType,
			"sent LP 0 (once) an event (rosstest.None): wrong message type: send what its type's Event expects, rosstest.Word"},
		"the model's": {func(lp *ross.LP) { lp.Fail(assert.AnError) }, assert.AnError, "the model gave up: " +
			assert.AnError.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				out := rosstest.Try(t, cfg, rosstest.Once(c.do))
				require.ErrorIs(t, out.Err, c.want)
				text := c.text
				if cfg.Synch != ross.Conservative && (c.want == ross.ErrDelay || c.want == ross.ErrDestination) {
					text += "; if --synch=1 runs without this error, an event is not undone as it should be: --synch=6 finds it"
				}
				require.EqualError(t, out.Err, who+text)
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}

// TestNothingCanHaveBeenUndoneBeforeTheFirstEvent has mistakes in Init and PreRun, whose errors must not blame
// rollback.
func TestNothingCanHaveBeenUndoneBeforeTheFirstEvent(t *testing.T) {
	for name, spoil := range map[string]func(typ *ross.Type[none]){
		"Init": func(typ *ross.Type[none]) { typ.Init = func(*none, *ross.LP) { panic("no") } },
		"PreRun": func(typ *ross.Type[none]) {
			typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, 0, -1, word{}) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				typ := rosstest.Forever(rosstest.NoTick)
				spoil(&typ)
				out := rosstest.Try(t, cfg, typ)
				require.Error(t, out.Err)
				require.NotContains(t, out.Err.Error(), "--synch=6")
			})
		})
	}
}

func TestConservativeRunRefusesADelayBelowTheLookahead(t *testing.T) {
	testkit.Watch(t)
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.ConsLookahead = 2, 2, 2, 0.5
	out := rosstest.Try(t, cfg, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 0, 0.25, word{N: 1}) }))
	require.ErrorIs(t, out.Err, ross.ErrLookahead)
	require.EqualError(t, out.Err,
		"ross: LP 3 (once) at time 1.5: sent LP 0 on PE 0 an event (rosstest.Word) with delay 0.25, below the lookahead of 0.5: "+
			"lookahead violated: send with at least the lookahead, or lower Config.ConsLookahead (--cons-lookahead) to the least delay between PEs")
	rosstest.Run(t, cfg, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 2, 0.25, word{N: 1}) })) // on its own PE it may
}

func TestPanicOfAHookEndsAParallelRun(t *testing.T) {
	boom := func(pe *ross.PE) {
		if pe.ID() == pe.Simulation().PE(ross.PEID(uint64(pe.Simulation().NumPEs())-1)).ID() {
			panic("boom")
		}
	}
	for name, hook := range rosstest.Hooks(boom) {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, set func(*ross.Config)) {
				cfg := rosstest.Small()
				set(&cfg)
				hook(&cfg)
				out := rosstest.Try(t, cfg, rosstest.Once(func(*ross.LP) {}))
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				require.ErrorContains(t, out.Err, "ross: panic in a hook at time ")
				require.Equal(t, 1, strings.Count(out.Err.Error(), "handler panicked"))
				rosstest.RequireWholeReport(t, out.Report)
			})
		})
	}
}

// What becomes of a run in which the engine itself panics: it ends, on all
// PEs and ranks, with an error that says whose fault it was.

// engineFaults break a PE in the middle of its run, so that a part of its loop panics, and
// does so again whenever it runs.
var engineFaults = map[string]func(pe *run.PE){
	"loop": func(*run.PE) { panic("broken") },
	"drain": func(pe *run.PE) { // a record that is shorter than an event, and stays in the channel
		r := transport.NewRing(1, 1)
		r.Push(1)
		pe.Channels.In[pe.ID-pe.Engine.Base].Store(r)
	},
	"flush":        func(pe *run.PE) { pe.Channels.Dirty = append(pe.Channels.Dirty, 1<<20) },
	"begin of GVT": func(pe *run.PE) { pe.Member = nil },
	"end of GVT":   func(pe *run.PE) { pe.Live = nil },
	"fossilCollect": func(pe *run.PE) {
		pe.Mine = []*kernel.KP{{PE: pe.Kernel(), History: kernel.History{Tail: 1, Head: 2}}}
	},
	"probe": func(pe *run.PE) { pe.Probe = &collect.Probe{Points: []float64{1}} },
}

func TestAPanicOfTheEngineEndsTheRunOnAllPEs(t *testing.T) {
	for name, fault := range engineFaults {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			requireEngineFails(t, 1, fault, nil)
		})
	}
}

func TestAPanicOfTheEngineEndsTheRunOnAllRanks(t *testing.T) {
	for _, name := range []string{"loop", "drain", "end of GVT"} {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			requireEngineFails(t, 2, engineFaults[name], nil)
		})
	}
}

// A model that panics every time it is called must not keep the engine from telling that
// it has failed itself.
func TestAPanicOfTheEngineAfterOneOfTheModelEndsTheRun(t *testing.T) {
	testkit.Watch(t)
	requireEngineFails(t, 1, engineFaults["drain"], func(lp *ross.LP, _ uint64, _ *parcel) {
		if lp.ID() == loadLPs-1 {
			panic("the model's")
		}
	})
}

// requireEngineFails runs a load on 4 PEs of each rank, and breaks one of them.
func requireEngineFails(t *testing.T, ranks int, fault func(pe *run.PE), change func(*ross.LP, uint64, *parcel)) {
	t.Helper()
	l := spreadLoad()
	l.change = change
	var once sync.Once
	sims, errs := l.runRanks(t, worldtest.New(ranks, testrand.Seed(t), 10), ranks, func(c *ross.Config) {
		c.Synch, c.PEs, c.Tuning.GVTInterval, c.Tuning.FixedGVT, c.Output, c.End = 3, 4, 1, true, io.Discard, 1e6
		knobsOf(c).Disturb = func(pe *run.PE) {
			if pe.ID == 1 && pe.Counts.GVTs > 3 {
				once.Do(func() { fault(pe) })
			}
		}
	})
	if change == nil {
		require.ErrorIs(t, errs[0], ross.ErrEngine)
		require.ErrorContains(t, errs[0], "ross: PE 1: panic of the engine at time ")
	}
	for rank, err := range errs {
		require.Error(t, err)
		require.NotNil(t, sims[rank])
	}
}

// What becomes of chains of events without delay that do not end.

type chainState struct{ N uint64 }

// chained returns a type of four LPs: one begins a chain of the given number of events without
// delay at time 10.5, and the others are at work. In it two LPs send each other events; if more
// is not nil it is asked whether there is another.
func chained(length uint64, more func() bool) ross.Type[chainState] {
	return ross.Type[chainState]{
		Name: "chained",
		Init: func(_ *chainState, lp *ross.LP) {
			if lp.ID() == 2 {
				ross.Send(lp, 2, 10.5, twinMsg{1})
			}
			ross.Send(lp, lp.ID(), 1, twinMsg{})
		},
		Event: ross.On(func(s *chainState, lp *ross.LP, m *twinMsg) {
			s.N++
			switch {
			case m.Value == 0:
				ross.Send(lp, lp.ID(), 1, twinMsg{})
			case m.Value <= length && (more == nil || more()):
				ross.Send(lp, lp.ID()^1, 0, twinMsg{m.Value + 1})
			}
		}),
	}
}

func TestChainWithoutEndIsAnErrorThatNamesIt(t *testing.T) {
	for _, c := range []struct{ synch, pes, ranks int }{{1, 1, 1}, {2, 2, 1}, {3, 1, 1}, {3, 4, 1}, {5, 2, 1}, {6, 1, 1},
		{3, 1, 2}} {
		if testlevel.Is(testlevel.Few) && c.synch != 3 {
			continue
		}
		t.Run(fmt.Sprintf("synch=%d/pes=%d/ranks=%d", c.synch, c.pes, c.ranks), func(t *testing.T) {
			testkit.Watch(t)
			run := func(length uint64) []error {
				_, errs := runOnRanks(t, worldtest.New(c.ranks, 1, 5), c.ranks, func(_ int, cfg *ross.Config) {
					cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.MaxChain = ross.Scheduler(c.synch), c.pes, int(4/c.pes/c.ranks), 20, 2000
					cfg.ConsLookahead, cfg.MaxMemory = 0, 64<<20
				}, chained(length, nil))
				return errs
			}
			for _, err := range run(2000) {
				require.NoError(t, err)
			}
			for _, err := range run(1 << 40) {
				if c.ranks == 1 { // another rank has the text of it
					require.ErrorIs(t, err, ross.ErrChain)
				}
				require.ErrorContains(t, err,
					"LP 2 (chained) at time 10.5: sent LP 3 an event (run_test.twinMsg) without delay, after a chain of 2000 of them: "+
						"endless chain: give events a delay, or raise --max-chain (0 for no limit) if the chain ends")
			}
		})
	}
}

// TestALongChainOnRanksIsFoundByFewGVTs which all have its tie-breakers: as many as the chain is long would take time
// in proportion to its square. The chain stays on a rank, or goes to and fro.
func TestALongChainOnRanksIsFoundByFewGVTs(t *testing.T) {
	testlevel.Once(t, "what a chain costs")
	for length, next := range map[int]func(ross.LPID) ross.LPID{
		60000: func(id ross.LPID) ross.LPID { return id },
		20000: func(id ross.LPID) ross.LPID { return (id + 1) % 4 },
	} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			testkit.Watch(t)
			sims, errs := runOnRanks(t, worldtest.New(2, 1, 0), 2, func(_ int, cfg *ross.Config) {
				cfg.Synch, cfg.NLP, cfg.End, cfg.MaxChain, cfg.MaxMemory = ross.Optimistic, 2, 20, length, 256<<20
			}, ross.Type[uint64]{
				Name: "endless", Saving: ross.SaveByDelta,
				Init: func(_ *uint64, lp *ross.LP) {
					if lp.ID() == 0 {
						ross.Send(lp, 0, 1, hop{})
					}
				},
				Event: ross.On(func(s *uint64, lp *ross.LP, m *hop) {
					*s++
					ross.Send(lp, next(lp.ID()), 0, *m)
				}),
			})
			for _, err := range errs {
				require.ErrorContains(t, err, fmt.Sprintf("after a chain of %d of them: endless chain", length))
			}
			closeAll(sims)
		})
	}
}

// TestChainThatFillsMemoryIsNamed has no limit but memory.
func TestChainThatFillsMemoryIsNamed(t *testing.T) {
	for _, synch := range []int{1, 3} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End, cfg.MaxChain, cfg.MaxMemory = ross.Scheduler(synch), 4, 20, 0, 1<<20
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(chained(1<<40, nil)))
		err = sim.Run(t.Context())
		require.ErrorIs(t, err, ross.ErrMemory)
		require.Regexp(t,
			`LP [23] \(chained\) at time 10.5: sent an event, with \d+ pending, in a chain of \d{4,} events without delay from LP [23] at time 10.5: memory limit reached`, err.Error())
	}
}

// TestStoppedRunNamesTheChainThatItIsIn has somebody lose patience.
func TestStoppedRunNamesTheChainThatItIsIn(t *testing.T) {
	for _, c := range []struct{ synch, pes int }{{1, 1}, {2, 2}, {3, 2}} {
		t.Run(fmt.Sprintf("synch=%d", c.synch), func(t *testing.T) {
			testkit.Watch(t)
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.ConsLookahead = ross.Scheduler(c.synch), c.pes, int(4/c.pes), 20, 0
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(chained(1<<40, func() bool { // LPs 2 and 3 are on one PE
				if n++; n == 5000 {
					cancel()
				}
				return true
			})))
			err = sim.Run(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.Regexp(t, `there was a chain of \d{4,} events without delay from LP [23] at time 10.5`, err.Error())
		})
	}
}

// TestChainOfTheFutureIsNoError has an event that comes too early begin an endless chain: it is
// undone.
func TestChainOfTheFutureIsNoError(t *testing.T) {
	testkit.Watch(t)
	future := newFuture()
	_, err := future.run(t, ross.SaveByDelta, func(c *ross.Config) { c.MaxChain = 3 }, func(lp *ross.LP, open bool) {
		if !open {
			ross.Send(lp, lp.ID(), 0, seed{visitDoor})
		}
	})
	require.NoError(t, err)
}

// Events for which there is no memory: neither for the events, nor for their keys in the
// pending-event set.

// breedTooMany runs a model whose events become more and more until there is no room for
// them. event is called in each of them.
func breedTooMany(t *testing.T, synch, pes int, memory uint64, event func(*ross.LP)) error {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.MaxMemory, cfg.NLP = ross.Scheduler(synch), pes, memory, 1
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[struct{}]{
		Name: "breeder", Saving: ross.SaveByLog,
		Init: func(_ *struct{}, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, loadMsg{})
			}
		},
		Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *loadMsg) {
			event(lp)
			for range 10 {
				ross.Send(lp, 0, 1, loadMsg{})
			}
		}),
	}))
	return sim.Run(context.Background())
}

func requireBredTooMany(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "ross: LP 0 (breeder) at time ")
	require.ErrorContains(t, err, "raise the limit of the address space (ulimit -v), or have fewer events pending")
}

// refusesKeys skips a test where keys are in Go's heap, whose end no program survives.
func refusesKeys(t *testing.T) {
	t.Helper()
	if !slices.Contains(pq.Impls(), "c") {
		t.Skip("the Go twin of the queue has its keys in Go's heap")
	}
}

// refuseKeys leaves the pending-event set of a PE as it is when the system has refused memory
// for keys.
func refuseKeys(pe *ross.PE) {
	window := reflect.ValueOf(engineOf(pe).Queue).Elem().FieldByName("w")
	failed, ok := window.Type().Elem().FieldByName("failed")
	if !ok {
		panic("the window of a queue has no field failed")
	}
	*(*uint32)(unsafe.Add(window.UnsafePointer(), failed.Offset)) = 1
}

func TestErrorsOfTheQueueNameTheLP(t *testing.T) {
	refusesKeys(t)
	for synch := 1; synch <= 6; synch++ {
		for pes := 1; pes <= 3; pes += 2 {
			if pes > 1 && synch != 2 && synch != 3 && synch != 5 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				n := 0
				requireBredTooMany(t, breedTooMany(t, synch, pes, 256<<20, func(lp *ross.LP) {
					if n++; n == 1000 {
						refuseKeys(lp.PE())
					}
				}))
			})
		}
	}
}

// chain returns a model of one chain without delay, of some hops, from time 1
// on. at is called in each of its events.
func chain(hops int64, next func(lp *ross.LP) ross.LPID, at func(lp *ross.LP, hop int64)) ross.Type[none] {
	return ross.Type[none]{
		Name: "chain",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, word{})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
			at(lp, m.N)
			if m.N < hops {
				ross.Send(lp, next(lp), 0, word{N: m.N + 1})
			}
		}),
	}
}

func itself(lp *ross.LP) ross.LPID { return lp.ID() }

const longChain = 100_000

func TestChainWithoutDelayHasNoLimit(t *testing.T) {
	for name, next := range map[string]func(lp *ross.LP) ross.LPID{
		"on one LP":  itself,
		"across LPs": func(lp *ross.LP) ross.LPID { return (lp.ID() + 3) % 4 },
	} {
		t.Run(name, func(t *testing.T) {
			handled := int64(0)
			sim, _ := rosstest.Define(t, rosstest.Small(), chain(longChain, next, func(lp *ross.LP, hop int64) {
				require.EqualValues(t, 1, lp.Now())
				if hop != handled {
					t.Fatalf("hop %d comes as number %d", hop, handled)
				}
				handled++
				if hop == longChain {
					require.Len(t, lp.Signature().Ties, longChain+1)
				}
			}))
			before := engineBytes(sim)
			require.NoError(t, sim.Run(t.Context()))
			require.EqualValues(t, longChain+1, handled)
			require.Zero(t, lineageNodes(sim))
			require.Zero(t, liveEvents(sim))
			require.NoError(t, checkPools(sim))
			require.LessOrEqual(t, peakEvents(sim), uint64(2))
			require.LessOrEqual(t, engineBytes(sim)-before, uint64(64*longChain), "bytes: 24 for a hop, and room to grow")
		})
	}
}

func TestChainHoldsOneNodeForAHopAndNoneWhenItIsOver(t *testing.T) {
	var nodes []uint64
	typ := chain(100, itself, func(lp *ross.LP, hop int64) {
		nodes = append(nodes, lineageNodes(lp.PE().Simulation()))
		if hop == 100 {
			ross.Send(lp, lp.ID(), 1, word{N: 101}) // when all is over
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	require.Len(t, nodes, 102)
	for hop := range 101 {
		require.EqualValues(t, hop, nodes[hop])
	}
	require.Zero(t, nodes[101])
}

// Children of one parent share its lineage, however long.
func TestFanAtTheEndOfALongChainSharesIt(t *testing.T) {
	const length, width = 2000, 500
	var most uint64
	var ties []float64
	typ := chain(length, itself, func(lp *ross.LP, hop int64) {
		switch hop {
		case length:
			for range width {
				ross.Send(lp, lp.ID(), 0, word{N: length + 1})
			}
			most = lineageNodes(lp.PE().Simulation())
		case length + 1:
			s := lp.Signature()
			ties = append(ties, s.Ties[length+1])
		}
	})
	out := rosstest.Run(t, rosstest.Small(), typ)
	require.EqualValues(t, length+width, most)
	require.Len(t, ties, width)
	require.IsNonDecreasing(t, ties)
	require.Zero(t, lineageNodes(out.Simulation))
}
