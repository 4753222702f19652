// Gather and Reduce: they return the same, bit for bit, on any layout of the LPs
// and on every rank, and what goes wrong on one rank is an error on all.

package run_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
)

// yield is the state of LPs whose sums depend on the order of addition; idler is that of others.
type (
	yield struct {
		Sum  float64
		Last [2]float64
	}
	idler struct{ Events int64 }
)

const resultLPs = 24

// yields are two types: every third LP is an idler.
func yields() []ross.LPType {
	event := func(lp *ross.LP) {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, resultLPs-1)), 0.5+lp.RNG().Unif(), loadMsg{})
	}
	return []ross.LPType{
		ross.Type[yield, loadMsg]{
			Name: "yield", Init: func(_ *yield, lp *ross.LP) { event(lp) },
			Event: func(s *yield, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
				s.Sum += math.Exp(20 * lp.RNG().Unif())
				s.Last[0], s.Last[1] = s.Last[1], lp.Now()
				event(lp)
			},
		},
		ross.Type[idler, loadMsg]{
			Name: "idler", Init: func(_ *idler, lp *ross.LP) { event(lp) },
			Event: func(s *idler, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
				s.Events++
				event(lp)
			},
		},
	}
}

// account is a result that holds pointers, and fields that are not exported.
type account struct {
	name  string
	times []float64
	Of    map[ross.LPID]bool
}

// figuresFound is what the functions return.
type figuresFound struct {
	Sum, Loop float64
	Order     string
	Yields    []float64
	Idlers    int64
	Accounts  []account
	Merged    account
}

func outcomeOf(t *testing.T, sim *ross.Simulation) (o figuresFound) {
	check := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	add := func(a, b float64) float64 { return a + b }
	of := func(_ *ross.LP, s *yield) float64 { return s.Sum }
	accountOf := func(lp *ross.LP, s *yield) account {
		return account{lp.TypeName(), s.Last[:], map[ross.LPID]bool{lp.ID(): s.Sum > 0}}
	}
	var err error
	o.Sum, err = ross.Reduce(sim, of, add)
	check(err)
	o.Yields, err = ross.Gather(sim, of)
	check(err)
	for _, v := range o.Yields {
		o.Loop += v
	}
	o.Idlers, err = ross.Reduce(sim, func(_ *ross.LP, s *idler) int64 { return s.Events }, func(a, b int64) int64 { return a + b })
	check(err)
	o.Order, err = ross.Reduce(sim, func(lp *ross.LP, _ *idler) string { return fmt.Sprint(lp.ID()) },
		func(a, b string) string { return "(" + a + " " + b + ")" })
	check(err)
	o.Accounts, err = ross.Gather(sim, accountOf)
	check(err)
	o.Merged, err = ross.Reduce(sim, accountOf, func(a, b account) account {
		for i := range b.times {
			a.times[i] += b.times[i] // must not change the states
		}
		for id, ok := range b.Of {
			a.Of[id] = ok
		}
		return a
	})
	check(err)
	again, err := ross.Gather(sim, accountOf)
	check(err)
	require.Equal(t, o.Accounts, again)
	return o
}

// runResults runs yields on ranks, and calls f for each rank's simulation, on all at once.
func runResults(t *testing.T, ranks int, configure func(*ross.Config), f func(rank int, sim *ross.Simulation)) {
	t.Helper()
	seed := testrand.Seed(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(_ int, c *ross.Config) {
		c.End, c.ConsLookahead, c.MaxMemory = 10, 0.5, 64<<20
		c.TypeMap = func(gid ross.LPID) int { return int(gid+1) % 3 / 2 }
		configure(c)
		c.NLP = resultLPs / uint64(ranks*c.PEs)
	}, yields()...)
	for _, err := range errs {
		require.NoError(t, err)
	}
	onEachRank(sims, f)
}

func onEachRank(sims []*ross.Simulation, f func(rank int, sim *ross.Simulation)) {
	var over sync.WaitGroup
	for rank, sim := range sims {
		over.Go(func() { f(rank, sim) })
	}
	over.Wait()
}

func TestResultsDependNeitherOnLayoutNorOnScheduler(t *testing.T) {
	modeltest.Watch(t)
	var want figuresFound
	runResults(t, 1, func(c *ross.Config) { c.Synch = ross.Sequential }, func(_ int, sim *ross.Simulation) { want = outcomeOf(t, sim) })
	require.Equal(t, "(((1 (4 7)) (10 13)) ((16 19) 22))", want.Order)
	require.Len(t, want.Yields, 16)
	require.Len(t, want.Merged.Of, 16)
	require.NotEqual(t, want.Loop, want.Sum, "the order of addition matters here")
	require.InEpsilon(t, want.Loop, want.Sum, 1e-12)

	custom := func(c *ross.Config) {
		c.Mapping = mapping.Custom
		c.TotalLPs = resultLPs
		c.Custom.For = func(s mapping.Shape) mapping.CustomFuncs {
			return mapping.CustomFuncs{
				PE:    func(gid uint64) uint64 { return gid * 5 % s.PEs },
				Local: func(gid uint64) uint64 { return (s.LPs - 1 - gid) / s.PEs },
			}
		}
	}
	for _, c := range []struct {
		ranks, pes, synch int
		name              string
		set               func(*ross.Config)
	}{
		{1, 1, 3, "linear", func(*ross.Config) {}},
		{1, 1, 6, "linear", func(*ross.Config) {}},
		{1, 2, 2, "linear", func(*ross.Config) {}},
		{1, 3, 3, "round robin", func(c *ross.Config) { c.Mapping = mapping.RoundRobin }},
		{1, 4, 3, "custom", custom},
		{2, 1, 3, "linear", func(*ross.Config) {}},
		{2, 2, 2, "custom", custom},
		{3, 2, 3, "round robin", func(c *ross.Config) { c.Mapping = mapping.RoundRobin }},
	} {
		t.Run(fmt.Sprintf("ranks=%d/pes=%d/synch=%d/%s", c.ranks, c.pes, c.synch, c.name), func(t *testing.T) {
			got := make([]figuresFound, c.ranks)
			runResults(t, c.ranks, func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs = ross.Scheduler(c.synch), c.pes
				c.set(cfg)
			}, func(rank int, sim *ross.Simulation) { got[rank] = outcomeOf(t, sim) })
			for rank := range got {
				require.Equal(t, want, got[rank], "rank %d", rank)
			}
		})
	}
}

func TestWhatGoesWrongOnOneRankIsAnErrorOnAll(t *testing.T) {
	modeltest.Watch(t)
	yieldOf := func(_ *ross.LP, s *yield) float64 { return s.Sum }
	add := func(a, b float64) float64 { return a + b }
	type chain struct{ Next *chain }
	ring := &chain{}
	ring.Next = ring
	for name, c := range map[string]struct {
		call func(rank int, sim *ross.Simulation) error
		want string
		is   error
	}{
		"panic": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Gather(sim, func(lp *ross.LP, _ *yield) int {
				if lp.ID() == 20 {
					panic("no room")
				}
				return 1
			})
			return err
		}, "Gather: the function for LP 20 (yield) panicked: no room", ross.ErrPanic},
		"panic of merge": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Reduce(sim, yieldOf, func(a, b float64) float64 { panic("cannot add") })
			return err
		}, "Reduce: merge panicked: cannot add", ross.ErrPanic},
		"a value that refers to itself": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Gather(sim, func(lp *ross.LP, _ *yield) *chain {
				if lp.ID() == 20 {
					return ring
				}
				return nil
			})
			return err
		}, "Gather: value of LP 20 (yield): unusable model: a value refers to itself", ross.ErrModel},
		"different calls": {func(rank int, sim *ross.Simulation) error {
			if rank == 1 {
				_, err := ross.Gather(sim, yieldOf)
				return err
			}
			_, err := ross.Reduce(sim, yieldOf, add)
			return err
		}, "Reduce of a float64 for each run_test.yield: rank 1 calls Gather of a float64 for each run_test.yield at the same time: let all ranks make the same calls in the same order", nil},
		"no such state": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Gather(sim, func(*ross.LP, *int) int { return 0 })
			return err
		}, `Gather: no LP type has the state int: unusable model: the types of Define are "yield", "idler"; give a function of the state of one of them`, ross.ErrModel},
		"a type that cannot be sent": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Gather(sim, func(*ross.LP, *yield) (v struct{ Err error }) { return v })
			return err
		}, "Gather: result of the function: unusable model: struct { Err error }.Err is a interface, which cannot be sent to other ranks", ross.ErrModel},
		"nil": {func(_ int, sim *ross.Simulation) error {
			_, err := ross.Reduce(sim, yieldOf, nil)
			return err
		}, "Reduce: a function is nil", ross.ErrModel},
	} {
		for _, ranks := range []int{1, 3} {
			if ranks == 1 && name == "different calls" {
				continue
			}
			t.Run(fmt.Sprintf("%s/ranks=%d", name, ranks), func(t *testing.T) {
				errs := make([]error, ranks)
				runResults(t, ranks, func(c *ross.Config) { c.Synch = ross.Optimistic }, func(rank int, sim *ross.Simulation) { errs[rank] = c.call(rank, sim) })
				speakers := 0
				for rank, err := range errs {
					require.ErrorContains(t, err, c.want, "rank %d", rank)
					if ross.ShouldPrint(err) {
						speakers++
						if c.is != nil {
							require.ErrorIs(t, err, c.is)
						}
					}
				}
				require.Equal(t, 1, speakers)
			})
		}
	}
}

func TestARankThatLeavesIsAnErrorOfTheOthers(t *testing.T) {
	modeltest.Watch(t)
	for _, leaver := range []int{0, 1} {
		runResults(t, 2, func(c *ross.Config) { c.Synch = ross.Optimistic }, func(rank int, sim *ross.Simulation) {
			if rank != leaver {
				_, err := ross.Gather(sim, func(*ross.LP, *yield) int { return 0 })
				require.ErrorContains(t, err, []string{"ross: Close: rank 1 calls Gather of a int for each run_test.yield at the same time", "ross: Gather of a int for each run_test.yield: rank 1 calls Close at the same time"}[leaver])
				require.True(t, ross.ShouldPrint(err))
			}
			require.NoError(t, sim.Close())
		})
	}
}

func TestResultsAreThoseOfARunThatSucceeded(t *testing.T) {
	all := func(sim *ross.Simulation) error {
		_, err := ross.Gather(sim, func(*ross.LP, *yield) int { return 0 })
		return err
	}
	const want = "ross: Gather: call it after Run, which must not have failed, and before Close"
	cfg := ross.DefaultConfig()
	cfg.End, cfg.NLP, cfg.TypeMap = 2, resultLPs, func(ross.LPID) int { return 1 }
	during := error(nil)
	var sim *ross.Simulation
	cfg.PE.PreLPInit = func(*ross.PE) { during = all(sim) }
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.EqualError(t, all(sim), want)
	require.NoError(t, sim.Define(yields()...))
	require.EqualError(t, all(sim), want)
	require.NoError(t, sim.Run(context.Background()))
	require.EqualError(t, during, want)

	none, err := ross.Reduce(sim, func(*ross.LP, *yield) float64 { return 1 }, func(a, b float64) float64 { return a + b })
	require.NoError(t, err)
	require.Zero(t, none, "no LP has the type")
	got, err := ross.Gather(sim, func(*ross.LP, *yield) int { return 0 })
	require.NoError(t, err)
	require.Empty(t, got)
	require.NoError(t, sim.Close())
	require.EqualError(t, all(sim), want)

	sim, err = ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(yields()...))
	ended, end := context.WithCancel(context.Background())
	end()
	require.Error(t, sim.Run(ended))
	require.EqualError(t, all(sim), want)
}

func TestANilLPHasNothing(t *testing.T) {
	var lp *ross.LP
	require.Nil(t, ross.StateOf[yield](lp))
	require.Nil(t, lp.PE())
	require.Nil(t, lp.KP())
	require.Equal(t, "", lp.TypeName())
	require.Equal(t, -1, lp.Local())
	_, suspended := lp.Suspended()
	require.False(t, suspended)
	var pe *ross.PE
	require.Zero(t, pe.NumLPs())
	require.Zero(t, pe.NumKPs())
}
