// KPs that move between PEs: the same digest wherever they are, and a run that is loaded unevenly moves them.

package run_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
)

// moving makes KPs move at random after every n GVTs.
func moving(n uint64) func(*ross.Config) {
	return func(c *ross.Config) { c.Balance, knobsOf(c).Shift = "on", n }
}

func TestDigestDoesNotDependOnMoves(t *testing.T) {
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			if synch == ross.Conservative && name == "tied" /* it has no lookahead */ || testlevel.Some.LeavesOut(name, "spread") {
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
							modeltest.Watch(t)
							require.Equal(t, want, l().digest(t, func(c *ross.Config) {
								onPEs(pes)(c)
								if c.Mapping, c.TotalLPs = kind, loadLPs; kind == mapping.Custom {
									c.Custom.PE = func(gid uint64) uint64 { return gid * gid % uint64(pes) }
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
	for _, synch := range testlevel.Pick([]ross.Scheduler{ross.Conservative, ross.Optimistic, ross.OptimisticRealTime}, []ross.Scheduler{ross.Optimistic}, []ross.Scheduler{ross.Optimistic}) {
		for _, ranks := range testlevel.Pick([]int{2, 4}, []int{2}, []int{2}) {
			for _, n := range testlevel.Pick([]uint64{uint64(ranks) - 1, 7}, []uint64{3}, []uint64{3}) {
				if (synch == ross.OptimisticRealTime || ranks == 4) && n == uint64(ranks)-1 { // it takes long, and worlds do so
					continue
				}
				t.Run(fmt.Sprintf("%v/ranks=%d/every=%d", synch, ranks, n), func(t *testing.T) {
					modeltest.Watch(t)
					sims, errs := l.runRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(c *ross.Config) {
						c.Synch, c.PEs, c.ConsLookahead, c.GVTInterval = synch, 2, 0.1, 8
						moving(n)(c)
					})
					for rank, err := range errs {
						require.NoError(t, err, "rank %d", rank)
					}
					require.Equal(t, want, *sims[0].Stats().Digest)
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
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.Balance, cfg.MaxMemory, cfg.End = ross.Optimistic, 2, 256, 64, "on", 256<<20, math.Inf(1)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[struct{ N uint64 }, struct{}]{
		Name: "tilted", Lookahead: 0.1,
		Init: func(_ *struct{ N uint64 }, lp *ross.LP) {
			for range 8 {
				ross.Send(lp, lp.ID(), 0.1+lp.RNG().Exponential(1), struct{}{})
			}
		},
		Event: func(s *struct{ N uint64 }, lp *ross.LP, _ *ross.Bits, _ *struct{}) {
			if s.N++; s.N%16 == 0 && until(sim) {
				cancel()
			}
			to := ross.LPID(lp.RNG().Integer(0, int64(cfg.NLP)-1))
			if lp.RNG().Unif() < 0.05 {
				to += ross.LPID(cfg.NLP)
			}
			ross.Send(lp, to, 0.1+lp.RNG().Exponential(1), struct{}{})
		},
		Reverse: func(s *struct{ N uint64 }, _ *ross.LP, _ *ross.Bits, _ *struct{}) { s.N-- },
	}))
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
	return sim
}

// bothWork sees to it that no PE handles all events, however few processors are left: it does not where
// checkpoints are stored.
func bothWork(t *testing.T, c *ross.Config) {
	c.IOName, c.IOInterval = filepath.Join(t.TempDir(), "never"), 1e6
}

// balanced returns what the report says about balance, by label.
func balanced(sim *ross.Simulation) map[string]string {
	all := map[string]string{}
	for _, f := range sim.Stats().Extra {
		all[f.Label] = f.Value
	}
	return all
}

func TestAnUnevenRunMovesKPs(t *testing.T) {
	for name, configure := range map[string]func(*ross.Config){
		"optimistic":   func(*ross.Config) {},
		"conservative": func(c *ross.Config) { c.Synch, c.ConsLookahead = ross.Conservative, 0.1 },
		"round robin": func(c *ross.Config) {
			c.Mapping, c.TotalLPs, c.NLP = mapping.Custom, 512, 256
			c.Custom.PE = func(gid uint64) uint64 { return gid / 256 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
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
	modeltest.Watch(t)
	sim := tilted(t, func(c *ross.Config) {
		c.NLP, c.NKP, c.Report = 1, 1, "short"
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
	modeltest.Watch(t)
	n := runtime.GOMAXPROCS(0)
	sim := tilted(t, func(c *ross.Config) { c.PEs, c.NLP, c.NKP = 4*n, 32, 8 }, func(sim *ross.Simulation) bool { return sim.Snapshot().KPsMoved > 0 })
	require.LessOrEqual(t, sim.RunInfo().Result.Balance.Active, n)
	require.GreaterOrEqual(t, sim.Snapshot().KPsMoved, uint64(8*3*n), "all KPs of the PEs that handle nothing now")
}

func TestWithoutBalanceKPsStay(t *testing.T) {
	modeltest.Watch(t)
	for name, configure := range map[string]func(*ross.Config){
		"off":         func(c *ross.Config) { knobsOf(c).Shift, c.Balance = 2, "off" },
		"event trace": func(c *ross.Config) { knobsOf(c).Shift, c.EventTrace, c.StatsPath = 2, 1, t.TempDir() },
	} {
		sim := tilted(t, configure, func(sim *ross.Simulation) bool { return sim.Snapshot().NumGVT > 20 }) // ten times as many as KPs need to move
		require.Zero(t, sim.Snapshot().KPsMoved, name)
		require.Nil(t, sim.RunInfo().Result.Balance, name)
		require.NotContains(t, balanced(sim), "KPs Moved to Other PEs, Times", name)
	}
}

// TestWhatAMeasurementSaidIsComparedWithTheRun whose LPs all have as much to do.
func TestWhatAMeasurementSaidIsComparedWithTheRun(t *testing.T) {
	modeltest.Watch(t)
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Balance = ross.Optimistic, 2, 16, 4, 50, "on"
	said := false
	*disturbOf(&cfg) = func(pe *run.PE) {
		if b := pe.Engine.OfBalance(); pe.ID == 0 && !said && b != nil {
			said = true
			b.First, b.Latest, b.LP, b.LPShare, b.KP, b.KPPE, b.KPShare = []float64{1, 0}, []float64{1, 0}, 3, 1, 1, 0, 1
		}
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[uint64, order8]{
		Init:    func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, order8{}) },
		Event:   func(s *uint64, lp *ross.LP, _ *ross.Bits, _ *order8) { *s++; ross.Send(lp, lp.ID(), 1, order8{}) },
		Reverse: func(s *uint64, _ *ross.LP, _ *ross.Bits, _ *order8) { *s-- },
	}))
	require.NoError(t, sim.Run(t.Context()))
	require.True(t, said)
	b := sim.RunInfo().Result.Balance
	require.InDelta(t, 1.0/32, b.Share, 1e-9, "an LP of 32")
	require.InDelta(t, 1.0/8, b.OfKP, 1e-9, "a KP of 8")
}

// TestARunCanBeCancelledWhilePEsChange has the first PEs handle all events, more or fewer of them at each GVT,
// while the context ends: whoever wakes all PEs then must not miss one.
func TestARunCanBeCancelledWhilePEsChange(t *testing.T) {
	modeltest.Watch(t)
	for try := range testlevel.Times(60, 20) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.Balance = ross.Optimistic, 4, 8, 4, math.Inf(1), "on"
		cfg.GVTInterval, cfg.Batch, knobsOf(&cfg).Shift, cfg.Seed = 1, 4, 1, uint64(try)
		ctx, cancel := context.WithCancel(t.Context())
		begun := make(chan bool)
		*disturbOf(&cfg) = func(pe *run.PE) {
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
		require.NoError(t, sim.Define(ross.Type[uint64, order8]{
			Init: func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{}) },
			Event: func(s *uint64, lp *ross.LP, _ *ross.Bits, _ *order8) {
				*s++
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 31)), lp.RNG().Unif(), order8{})
			},
			Reverse: func(s *uint64, _ *ross.LP, _ *ross.Bits, _ *order8) { *s-- },
		}))
		require.ErrorIs(t, sim.Run(ctx), context.Canceled)
		require.NoError(t, sim.Close())
	}
}
