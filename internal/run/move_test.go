// KPs that move between PEs: the same digest wherever they are, and a run that is loaded unevenly moves them. And
// shortages at any moment: whatever finds no memory, and whenever, a run comes to what it comes to without.

package run_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
)

// moving makes KPs move at random after every n GVTs.
func moving(n uint64) func(*ross.Config) {
	return func(c *ross.Config) { knobsOf(c).Moves, knobsOf(c).Shift = true, n }
}

// TestTheWindowHoldsWhenPEsJoinOneThatWasAlone, which had none.
func TestTheWindowHoldsWhenPEsJoinOneThatWasAlone(t *testing.T) {
	testkit.Watch(t)
	const most = 2048 // the largest window of several PEs with short GVT intervals
	var joined, wide atomic.Uint64
	for seed := uint64(0); joined.Load() == 0; seed++ { // until it comes up
		alone := false // the first PE alone writes it, while others stand still
		spreadLoad().digest(t, func(c *ross.Config) {
			onPEs(2)(c)
			c.Synch, c.End, c.Seed = ross.Optimistic, c.End/4, seed
			c.Tuning.FixedGVT, c.Tuning.GVTInterval, c.Tuning.Batch = true, 4, 4
			moving(2)(c)
			knobsOf(c).Disturb = func(pe *run.PE) {
				switch {
				case pe.Team.OnlyPE:
					alone = true
				case alone:
					joined.Add(1)
					if pe.Window > most {
						wide.Add(1)
					}
				}
			}
		})
	}
	require.Zero(t, wide.Load())
}

func TestDigestDoesNotDependOnMoves(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			if synch == ross.Conservative && name == "tied" /* it has no lookahead */ ||
				testlevel.Some.LeavesOut(name, "spread") {
				continue
			}
			for _, pes := range testlevel.Pick([]int{3, 8}, []int{3}, []int{3}) {
				for _, n := range testlevel.Pick([]uint64{2, 30}, []uint64{5}, []uint64{5}) {
					if n == 2 && pes == 8 { // it takes long
						continue
					}
					if n == 2 && name == "tied" { // it needs many GVTs
						n = 20
					}
					for _, kind := range []mapping.Kind{mapping.RoundRobin, mapping.Custom} {
						t.Run(fmt.Sprintf("%s/%v/pes=%d/every=%d/%v", name, synch, pes, n, kind), func(t *testing.T) {
							testkit.Watch(t)
							require.Equal(t, want, l().digest(t, func(c *ross.Config) {
								onPEs(pes)(c)
								if c.Mapping, c.LPs = kind, loadLPs; kind == mapping.Custom {
									c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return gid * gid % uint64(pes) }}
								}
								c.Synch, c.ConsLookahead = synch, 0.1
								moving(n)(c)
							}))
						})
					}
				}
			}
		}
	}
}

func TestDigestDoesNotDependOnMovesOnRanks(t *testing.T) {
	l := loads["spread"]()
	want := plainDigest(t, "spread")
	for _, synch := range testlevel.Pick([]ross.Scheduler{ross.Conservative, ross.Optimistic, ross.OptimisticRealTime},
		[]ross.Scheduler{ross.Optimistic}, []ross.Scheduler{ross.Optimistic}) {
		for _, ranks := range testlevel.Pick([]int{2, 4}, []int{2}, []int{2}) {
			for _, n := range testlevel.Pick([]uint64{uint64(ranks) - 1, 7}, []uint64{3}, []uint64{3}) {
				if (synch == ross.OptimisticRealTime || ranks == 4) && n == uint64(ranks)-1 { // it takes long, and worlds do so
					continue
				}
				t.Run(fmt.Sprintf("%v/ranks=%d/every=%d", synch, ranks, n), func(t *testing.T) {
					testkit.Watch(t)
					sims, errs := l.runRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(c *ross.Config) {
						c.Synch, c.PEs, c.ConsLookahead, c.Tuning.GVTInterval = synch, 2, 0.1, 8
						moving(n)(c)
					})
					for rank, err := range errs {
						require.NoError(t, err, "rank %d", rank)
					}
					require.Equal(t, want, *sims[0].Summary().Digest)
				})
			}
		}
	}
}

// tilted is a model whose events are nearly all on the first PE, in KPs that may move. It runs until
// something is so, which the handlers look at.
func tilted(t *testing.T, configure func(*ross.Config), until func(*ross.Simulation) bool) *ross.Simulation {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, knobsOf(&cfg).Moves, cfg.MaxMemory, cfg.End = ross.Optimistic, 2, 256, 64, true,
		256<<20, math.Inf(1)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[struct{ N uint64 }]{
		Name: "tilted", Lookahead: 0.1,
		Init: func(_ *struct{ N uint64 }, lp *ross.LP) {
			for range 8 {
				ross.Send(lp, lp.ID(), 0.1+lp.RNG().Exponential(1), struct{}{})
			}
		},
		Event: ross.On(func(s *struct{ N uint64 }, lp *ross.LP, _ *struct{}) {
			if s.N++; s.N%16 == 0 && until(sim) {
				cancel()
			}
			to := ross.LPID(lp.RNG().Integer(0, int64(cfg.NLP)-1))
			if lp.RNG().Unif() < 0.05 {
				to += ross.LPID(cfg.NLP)
			}
			ross.Send(lp, to, 0.1+lp.RNG().Exponential(1), struct{}{})
		}).Reverse(func(s *struct{ N uint64 }, _ *ross.LP, _ *struct{}) { s.N-- }),
	}))
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
	return sim
}

// bothWork sees to it that no PE handles all events, however few processors are left: it does not where
// checkpoints are stored.
func bothWork(t *testing.T, c *ross.Config) {
	c.Checkpoints.Name, c.Checkpoints.Interval = filepath.Join(t.TempDir(), "never"), 1000000*time.Second
}

// balanced returns what the report says about balance, by label.
func balanced(sim *ross.Simulation) map[string]string {
	all := map[string]string{}
	for _, f := range sim.Summary().Extra {
		all[f.Label] = f.Value
	}
	return all
}

func TestAnUnevenRunMovesKPs(t *testing.T) {
	for name, configure := range map[string]func(*ross.Config){
		"optimistic":   func(*ross.Config) {},
		"conservative": func(c *ross.Config) { c.Synch, c.ConsLookahead = ross.Conservative, 0.1 },
		"round robin": func(c *ross.Config) {
			c.LPs, c.NLP = 512, 256
			c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return gid / 256 }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			sim := tilted(t, func(c *ross.Config) {
				configure(c)
				bothWork(t, c)
			}, func(sim *ross.Simulation) bool { return sim.Snapshot().KPsMoved > 0 })
			moved := sim.Snapshot().KPsMoved
			require.Zero(t, runOf(sim).Away(), "after the run, KPs are where the mapping puts them")
			lines := balanced(sim)
			require.Regexp(t, `^[1-9]\d*, [1-9]\d*$`, lines["KPs Moved to Other PEs, Times"])
			require.True(t, strings.HasPrefix(lines["KPs Moved to Other PEs, Times"], fmt.Sprint(moved)))
			require.Regexp(t, `^[01]\.\d{3}, [01]\.\d{3}$`, lines["Largest Share of a PE in the Work: First, Latest"])
			b := sim.RunInfo().Result.Balance
			require.Equal(t, fmt.Sprintf("%.3f, %.3f", b.Before[0], b.Before[1]), lines["Shares of the PEs in the Work, First"])
			require.Equal(t, fmt.Sprintf("%.3f, %.3f", b.After[0], b.After[1]), lines["Shares of the PEs in the Work, Latest"])
			require.Equal(t, moved, b.Moves)
			for _, shares := range [][]float64{b.Before, b.After} { // how large they are depends on what else the machine does
				require.Len(t, shares, 2)
				require.InDelta(t, 1, shares[0]+shares[1], 1e-9)
			}
			require.Regexp(t, regexp.MustCompile(`^KP \d+ of PE [01]$`), b.KP)
			require.Less(t, b.Share, 0.5)
			for _, pe := range runOf(sim).PEs {
				require.Len(t, pe.Mine, int(sim.Config().NKP))
			}
		})
	}
}

// Where one LP has nearly all of the work, no move helps. The run names the LP.
func TestAHotLPIsNamed(t *testing.T) {
	testkit.Watch(t)
	sim := tilted(t, func(c *ross.Config) {
		c.NLP, c.NKP, c.ShortReport = 1, 1, true
		bothWork(t, c)
	}, func(sim *ross.Simulation) bool {
		what, share, isLP := runOf(sim).OfBalance().Limit() // which is looked for while no handler runs
		return what == "LP 0" && share > 0.5 && isLP
	})
	b := sim.RunInfo().Result.Balance
	require.Zero(t, b.LP)
	require.Greater(t, b.Share, 0.5)
}

func TestMorePEsThanProcessorsAreGathered(t *testing.T) {
	testkit.Watch(t)
	n := runtime.GOMAXPROCS(0)
	sim := tilted(t, func(c *ross.Config) { c.PEs, c.NLP, c.NKP = 4*n, 32, 8 },
		func(sim *ross.Simulation) bool { return sim.Snapshot().KPsMoved > 0 })
	require.LessOrEqual(t, sim.RunInfo().Result.Balance.Active, n)
	require.GreaterOrEqual(t, sim.Snapshot().KPsMoved, uint64(8*3*n), "all KPs of the PEs that handle nothing now")
}

func TestWithoutBalanceKPsStay(t *testing.T) {
	testkit.Watch(t)
	for name, configure := range map[string]func(*ross.Config){
		"off": func(c *ross.Config) { knobsOf(c).Shift, c.Tuning.FixedKPs = 2, true },
		"event trace": func(c *ross.Config) {
			knobsOf(c).Shift, c.Instruments.Trace, c.Instruments.Path = 2, ross.TraceAll, t.TempDir()
		},
	} {
		// ten times as many as KPs need to move
		sim := tilted(t, configure, func(sim *ross.Simulation) bool { return sim.Snapshot().NumGVT > 20 })
		require.Zero(t, sim.Snapshot().KPsMoved, name)
		require.Nil(t, sim.RunInfo().Result.Balance, name)
		require.NotContains(t, balanced(sim), "KPs Moved to Other PEs, Times", name)
	}
}

// TestWhatAMeasurementSaidIsComparedWithTheRun whose LPs all have as much to do.
func TestWhatAMeasurementSaidIsComparedWithTheRun(t *testing.T) {
	testkit.Watch(t)
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, knobsOf(&cfg).Moves = ross.Optimistic, 2, 16, 4, 50, true
	said := false
	knobsOf(&cfg).Disturb = func(pe *run.PE) {
		if b := pe.Engine.OfBalance(); pe.ID == 0 && !said && b != nil {
			said = true
			b.First, b.Latest, b.LP, b.LPShare, b.KP, b.KPPE, b.KPShare = []float64{1, 0}, []float64{1, 0}, 3, 1, 1, 0, 1
		}
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[uint64]{
		Init: func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, order8{}) },
		Event: ross.On(func(s *uint64, lp *ross.LP, _ *order8) { *s++; ross.Send(lp, lp.ID(), 1, order8{}) }).Reverse(
			func(s *uint64, _ *ross.LP, _ *order8) { *s-- }),
	}))
	require.NoError(t, sim.Run(t.Context()))
	require.True(t, said)
	b := sim.RunInfo().Result.Balance
	var all, ofLP, ofKP float64 // events handled, whatever was rolled back and handled again
	for _, pe := range runOf(sim).PEs {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			n := float64(lp.Processed)
			if all += n; lp.ID == 3 {
				ofLP += n
			}
			if pe.ID == 0 && lp.KP.ID == 1 {
				ofKP += n
			}
		}
	}
	require.InDelta(t, ofLP/all, b.Share, 1e-9, "an LP of 32")
	require.InDelta(t, ofKP/all, b.OfKP, 1e-9, "a KP of 8")
	require.Less(t, b.Share, 0.5)
	require.Less(t, b.OfKP, 0.5)
}

// TestARunCanBeCancelledWhilePEsChange has the first PEs handle all events, more or fewer of them at each GVT,
// while the context ends: whoever wakes all PEs then must not miss one.
func TestARunCanBeCancelledWhilePEsChange(t *testing.T) {
	testkit.Watch(t)
	for try := range testlevel.Times(60, 20) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, knobsOf(&cfg).Moves = ross.Optimistic, 4, 8, 4, math.Inf(1), true
		cfg.Tuning.GVTInterval, cfg.Tuning.Batch, knobsOf(&cfg).Shift, cfg.Seed = 1, 4, 1, uint64(try)
		ctx, cancel := context.WithCancel(t.Context())
		begun := make(chan bool)
		knobsOf(&cfg).Disturb = func(pe *run.PE) {
			if pe.ID == 0 && pe.Counts.GVTs > uint64(try) && begun != nil {
				close(begun)
				begun = nil
			}
		}
		go func(begun chan bool) {
			<-begun
			cancel()
		}(begun)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(ross.Type[uint64]{
			Init: func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{}) },
			Event: ross.On(func(s *uint64, lp *ross.LP, _ *order8) {
				*s++
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 31)), lp.RNG().Unif(), order8{})
			}).Reverse(func(s *uint64, _ *ross.LP, _ *order8) { *s-- }),
		}))
		require.ErrorIs(t, sim.Run(ctx), context.Canceled)
		require.NoError(t, sim.Close())
	}
}

// squeeze leaves the optimism of a PE no more memory than it has, for some turns of its loop, with a
// probability in each turn. What needs memory at GVT still gets it, so that no run fails.
func squeeze(t testing.TB, pes int, probability float64) func(*run.PE) {
	t.Helper()
	seed := testrand.Seed(t)
	dice := testrand.Several(seed, pes)
	left := make([]int, pes)
	return func(pe *run.PE) {
		i := pe.ID - pe.Engine.Base
		switch {
		case left[i] > 0:
			if left[i]--; left[i] == 0 {
				pe.SetMemoryAside()
			}
		case dice[i].Float64() < probability:
			all := pe.Budget.Limit()
			pe.Budget.SetAside(all)
			pe.Arena.SetAside(all)
			left[i] = 1 + dice[i].IntN(8)
		}
	}
}

// starve takes all memory of a rank for a turn of its only PE's loop, whenever events have committed.
// That leaves nothing to long messages either, which may take what slots leave aside. free gives back
// what the end of the run has found taken.
func starve() (disturb, free func(*run.PE)) {
	taken, committed := uint64(0), uint64(0)
	free = func(pe *run.PE) {
		pe.Run.Budget.Give(taken)
		taken = 0
	}
	return func(pe *run.PE) {
		free(pe)
		if pe.Counts.Committed == committed {
			return // else the run would fail if it got on in none of several rounds
		}
		committed = pe.Counts.Committed
		for size := pe.Run.Budget.Limit(); size > 0; size /= 2 {
			if pe.Run.Budget.Charge(size) == nil {
				taken += size
			}
		}
	}, free
}

// both has each turn disturbed in two ways.
func both(a, b func(*run.PE)) func(*run.PE) {
	return func(pe *run.PE) {
		a(pe)
		b(pe)
	}
}

// shortages returns how often the PEs lacked memory.
func shortages(sims []*ross.Simulation) (n uint64) {
	for _, sim := range sims {
		for _, pe := range runOf(sim).Locals {
			n += pe.Counts.Shortages
		}
	}
	return n
}

func TestShortagesAtAnyMomentChangeNothing(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, _ := cook(t, never, kitchenEnd, nil)
		for _, pes := range []int{1, 2} {
			t.Run(fmt.Sprintf("never=%v/pes=%d", never, pes), func(t *testing.T) {
				testkit.Watch(t)
				testkit.Until(t, "memory was short", func() bool { // it is in most
					got, sim := cook(t, never, kitchenEnd, func(c *ross.Config) {
						kitchenOn(pes)(c)
						c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 64, 4, true
						knobsOf(c).Disturb = both(squeeze(t, pes, 0.5), harass(t, pes, 0.1))
					})
					requireSame(t, want, got)
					return shortages([]*ross.Simulation{sim}) > 0
				})
			})
		}
	}
}

const (
	weedLPs = 16
	weedEnd = 9
)

// weeds is a model whose events become more and more up to half of the run, with messages in the slot
// and in blocks. So memory is needed all the time.
func weeds() []ross.LPType {
	grow := func(lp *ross.LP, n int64) {
		for range 1 + n%2 {
			dst := ross.LPID(lp.RNG().Integer(0, weedLPs-1))
			delay := 0.1 + lp.RNG().Exponential(0.8)
			next := n
			if lp.Now() > weedEnd/2 {
				next = 0
			}
			if dst%2 == 0 {
				ross.Send(lp, dst, delay, order24{Tag: uint64(next)})
				continue
			}
			m := ross.NewEvent[order1000](lp, dst, delay)
			m.Words[0], m.Words[124] = uint64(next), ^uint64(next)
		}
	}
	return []ross.LPType{
		ross.Type[uint64]{
			Name: "short", Saving: ross.SaveByDelta,
			Init:  func(_ *uint64, lp *ross.LP) { grow(lp, 1) },
			Event: ross.On(func(s *uint64, lp *ross.LP, m *order24) { *s++; grow(lp, int64(m.Tag)) }),
		},
		ross.Type[uint64]{
			Name: "long", Saving: ross.SaveByDelta,
			Init: func(_ *uint64, lp *ross.LP) { grow(lp, 1) },
			Event: ross.On(func(s *uint64, lp *ross.LP, m *order1000) {
				n := m.Words[0]
				if m.Words[124] != ^n {
					lp.Fail(fmt.Errorf("a message is not what was sent"))
				}
				*s += n
				for i := range 100 { // a delta that takes a block
					if m.Words[2+i] != 0 {
						lp.Fail(fmt.Errorf("a message is what an undone event left"))
					}
					m.Words[2+i] = (*s + 1) * uint64(i+1) * 0x9e3779b97f4a7c15
				}
				grow(lp, int64(n))
			}),
		},
	}
}

// TestMessagesFindNoMemoryOnRanks has events of this rank and of others find no memory, with long and
// short payloads. Whether messages of others do depends on the threads: it takes one run in twenty again.
func TestMessagesFindNoMemoryOnRanks(t *testing.T) {
	weed := func(t *testing.T, ranks int, configure func(*ross.Config)) (uint64, []*ross.Simulation) {
		sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest, c.MaxMemory = int(weedLPs/uint64(ranks)), 4, weedEnd, true, 128<<20
			c.TypeMap = func(id ross.LPID) int { return int(id % 2) }
			configure(c)
		}, weeds()...)
		for _, err := range errs {
			require.NoError(t, err)
		}
		requireNoLeak(t, sims...)
		return *runOf(sims[0]).Stats.Digest, sims
	}
	want, _ := weed(t, 1, func(*ross.Config) {})
	for _, ranks := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
		for _, worth := range []int{1, 0} {
			t.Run(fmt.Sprintf("ranks=%d/worth=%d", ranks, worth), func(t *testing.T) {
				testkit.Watch(t)
				for { // until a message has found no memory
					waited := make([]int, ranks)
					got, sims := weed(t, ranks, func(c *ross.Config) {
						c.Synch, knobsOf(c).RemoteWorth = 3, worth
						c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 64, 4, true
						press := squeeze(t, 1, 0.5)
						knobsOf(c).Disturb = func(pe *run.PE) {
							if press(pe); pe.Remote != nil {
								waited[pe.ID] += len(pe.Remote.Waiting)
							}
						}
					})
					require.Equal(t, want, got)
					require.Positive(t, shortages(sims))
					if ranks == 1 || waited[0]+waited[1] > 0 {
						break
					}
				}
			})
		}
	}
}

// TestLongMessagesFindNoMemory has them find none although there are slots for their events.
func TestLongMessagesFindNoMemory(t *testing.T) {
	testkit.Watch(t)
	var digests []uint64
	for _, starved := range []bool{false, true} {
		free := func(*run.PE) {}
		sims, errs := runOnRanks(t, nil, 1, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest, c.MaxMemory = weedLPs, 4, weedEnd, true, 64<<20
			c.TypeMap = func(id ross.LPID) int { return int(id % 2) }
			c.Synch, c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 3, 1, 4, true
			if starved {
				knobsOf(c).Disturb, free = starve()
			}
		}, weeds()...)
		require.NoError(t, errs[0])
		free(runOf(sims[0]).Locals[0])
		requireNoLeak(t, sims...)
		require.Equal(t, starved, shortages(sims) > 0)
		digests = append(digests, *runOf(sims[0]).Stats.Digest)
	}
	require.Equal(t, digests[0], digests[1])
}

// TestHistoriesThatFindNoMemoryDoNotCostAGVTForEachEvent: the slots have all memory, and a part of them
// is free. One PE makes it the same in each run.
func TestHistoriesThatFindNoMemoryDoNotCostAGVTForEachEvent(t *testing.T) {
	testkit.Watch(t)
	model := ross.Type[uint64]{
		Name: "counter",
		Init: func(_ *uint64, lp *ross.LP) {
			for range 16 {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), loadMsg{})
			}
		},
		Event: ross.On(func(s *uint64, lp *ross.LP, m *loadMsg) {
			*s++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 15)), lp.RNG().Exponential(1), loadMsg{})
		}).Reverse(func(s *uint64, _ *ross.LP, _ *loadMsg) { *s-- }),
	}
	var digests []uint64
	for _, full := range []bool{false, true} {
		turns, refused := 0, 0
		sims, errs := runOnRanks(t, nil, 1, func(_ int, c *ross.Config) {
			c.NLP, c.NKP, c.End, c.Digest = 16, 4, 100, true
			c.Synch, c.Tuning.GVTInterval, c.Tuning.Batch, c.Tuning.FixedGVT = 3, 256, 4, true
			if full {
				knobsOf(c).Disturb = func(*run.PE) { turns++ }
				knobsOf(c).Refuse = func(uint64) bool {
					if turns > 0 {
						refused++
					}
					return turns > 0
				}
			}
		}, model)
		require.NoError(t, errs[0])
		requireNoLeak(t, sims...)
		require.Equal(t, full, refused > 0)
		require.Less(t, runOf(sims[0]).Stats.NumGVT, sims[0].Summary().NetEvents()/20)
		digests = append(digests, *runOf(sims[0]).Stats.Digest)
	}
	require.Equal(t, digests[0], digests[1])
}

func TestRanksUseIDsAgain(t *testing.T) {
	checkRanks(t, spreadLoad(), 2, func(c *ross.Config) {
		c.Synch, c.NKP, c.Tuning.GVTInterval = 3, 4, 4
		knobsOf(c).Disturb = harass(t, 1, 0.1)
	})
}
