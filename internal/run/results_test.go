// Results of all ranks: Gather and Reduce return the same, bit for bit, on any layout of the LPs and on every rank;
// ranks write the same files, agree on seeds and checkpoints, and what goes wrong on one is an error on all.

package run_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/rio"
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
		ross.Type[yield]{
			Name: "yield", Init: func(_ *yield, lp *ross.LP) { event(lp) },
			Event: ross.On(func(s *yield, lp *ross.LP, _ *loadMsg) {
				s.Sum += math.Exp(20 * lp.RNG().Unif())
				s.Last[0], s.Last[1] = s.Last[1], lp.Now()
				event(lp)
			}),
		},
		ross.Type[idler]{
			Name: "idler", Init: func(_ *idler, lp *ross.LP) { event(lp) },
			Event: ross.On(func(s *idler, lp *ross.LP, _ *loadMsg) {
				s.Events++
				event(lp)
			}),
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
	o.Idlers, err = ross.Reduce(sim, func(_ *ross.LP, s *idler) int64 { return s.Events },
		func(a, b int64) int64 { return a + b })
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
		c.NLP = int(resultLPs / uint64(ranks*c.PEs))
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
	testkit.Watch(t)
	var want figuresFound
	runResults(t, 1, func(c *ross.Config) { c.Synch = ross.Sequential },
		func(_ int, sim *ross.Simulation) { want = outcomeOf(t, sim) })
	require.Equal(t, "(((1 (4 7)) (10 13)) ((16 19) 22))", want.Order)
	require.Len(t, want.Yields, 16)
	require.Len(t, want.Merged.Of, 16)
	require.NotEqual(t, want.Loop, want.Sum, "the order of addition matters here")
	require.InEpsilon(t, want.Loop, want.Sum, 1e-12)

	custom := func(c *ross.Config) {
		c.LPs = resultLPs
		c.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
			return mapping.Places{
				PE:    func(gid uint64) uint64 { return gid * 5 % s.PEs },
				Local: func(gid uint64) uint64 { return (s.LPs - 1 - gid) / s.PEs },
			}, nil
		})
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
	testkit.Watch(t)
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
				runResults(t, ranks, func(c *ross.Config) { c.Synch = ross.Optimistic },
					func(rank int, sim *ross.Simulation) { errs[rank] = c.call(rank, sim) })
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
	testkit.Watch(t)
	for _, leaver := range []int{0, 1} {
		runResults(t, 2, func(c *ross.Config) { c.Synch = ross.Optimistic }, func(rank int, sim *ross.Simulation) {
			if rank != leaver {
				_, err := ross.Gather(sim, func(*ross.LP, *yield) int { return 0 })
				require.ErrorContains(t, err,
					[]string{"ross: Close: rank 1 calls Gather of a int for each run_test.yield at the same time",
						"ross: Gather of a int for each run_test.yield: rank 1 calls Close at the same time"}[leaver])
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

func TestRanksWriteTheSameFiles(t *testing.T) {
	want, _ := traced(t, int(ross.TraceCommitted), func(c *ross.Config) { c.End = 2 })
	for _, ranks := range testlevel.Pick([]int{2, 4}, []int{2, 4}, []int{2}) {
		for _, pes := range []int{1, 2} {
			for _, synch := range []int{2, 3} {
				t.Run(fmt.Sprintf("ranks=%d/pes=%d/synch=%d", ranks, pes, synch), func(t *testing.T) {
					dir := filepath.Join(t.TempDir(), "stats")
					l := spreadLoad()
					l.end = 2
					sims := checkRanks(t, l, ranks, func(c *ross.Config) {
						sampled(dir)(c)
						c.PEs, c.Synch, c.ConsLookahead, c.Instruments.VirtualInterval = pes, ross.Scheduler(synch), 0.1, 0.5
						c.Instruments.RealInterval = 20 * time.Millisecond
						c.Instruments.Trace, c.Instruments.BufferSize, c.Instruments.BufferFree = ross.TraceCommitted, 1_000_000, 1
					})
					trace, err := testkit.ReadBinary(filepath.Join(dir, "ross-stats-evtrace.bin"), nil)
					require.NoError(t, err)
					trace = slices.DeleteFunc(trace, func(r testkit.Record) bool { return r.Dest >= loadLPs }) // analysis LPs
					require.NoError(t, testkit.Compare(testkit.ByDest(trace), testkit.ByDest(want)))

					st := &runOf(sims[0]).Stats
					var sum instr.PEStats
					var order []uint32
					real, reductions := map[uint32][]float64{}, map[uint32]uint64{}
					for _, r := range testkit.Records(t, dir, instr.GVTSuffix) {
						if r.Kind == instr.KindPE {
							sum.Processed += r.PE.Processed
							sum.RolledBack += r.PE.RolledBack
							sum.NetworkSends += r.PE.NetworkSends
							sum.NetworkReads += r.PE.NetworkReads
							order = append(order, r.PE.PE)
							reductions[r.PE.PE] += uint64(r.PE.AllReduces)
							real[r.PE.PE] = append(real[r.PE.PE], r.Meta.RealTime)
						}
					}
					require.EqualValues(t, st.EventsProcessed, sum.Processed)
					require.EqualValues(t, st.EventsRolledBack, sum.RolledBack)
					require.Positive(t, sum.NetworkReads)
					require.GreaterOrEqual(t, sum.NetworkSends, sum.NetworkReads, "what is taken back before it leaves is not read")
					require.Len(t, real, ranks*pes)
					for pe, n := range reductions {
						require.Equal(t, st.AllReduceCalls, n, "PE %d", pe)
					}
					for pe, times := range real {
						require.True(t, sort.Float64sAreSorted(times), "samples of PE %d are in the order in which they were taken", pe)
					}
					flushes := 1 // at most: a PE after a later one begins a flush
					for i := 1; i < len(order); i++ {
						if order[i] < order[i-1] {
							flushes++
						}
					}
					require.Greater(t, flushes, 1)
					require.LessOrEqual(t, flushes, runOf(sims[0]).Locals[0].Probe.Handed+1, strconv.Itoa(len(order)))
				})
			}
		}
	}
}

// Ranks agree on Config.Seed and Config.Replication.

func TestSeedAndReplicationAreTheSameOnAllRanks(t *testing.T) {
	run := func(ranks int, configure func(rank int, c *ross.Config)) (digest uint64, errs []error) {
		seed := testrand.Seed(t)
		sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(rank int, c *ross.Config) {
			c.NLP, c.Synch, c.End, c.Digest, c.MaxMemory = int(8/ranks), ross.Optimistic, 10, true, 64<<20
			c.Seed, c.Replication = 7, 3
			configure(rank, c)
		}, gossip(8))
		if errs[0] == nil {
			digest = *sims[0].Summary().Digest
		}
		closeAll(sims)
		return digest, errs
	}
	one, errs := run(1, func(int, *ross.Config) {})
	require.NoError(t, errs[0])
	two, errs := run(2, func(int, *ross.Config) {})
	require.NoError(t, errs[0])
	require.Equal(t, one, two)
	other, errs := run(1, func(_ int, c *ross.Config) { c.Replication = 4 })
	require.NoError(t, errs[0])
	require.NotEqual(t, one, other)

	for want, configure := range map[string]func(*ross.Config){
		"rank 1 differs from rank 0: option --seed: 8 there, 7 on rank 0":        func(c *ross.Config) { c.Seed = 8 },
		"rank 1 differs from rank 0: option --replication: 4 there, 3 on rank 0": func(c *ross.Config) { c.Replication = 4 },
	} {
		_, errs := run(2, func(rank int, c *ross.Config) {
			if rank == 1 {
				configure(c)
			}
		})
		for _, err := range errs {
			require.ErrorContains(t, err, want)
		}
	}
}

// What ranks announce is known to rank 0 when the run begins.

func TestRank0KnowsWhatTheOthersAnnounce(t *testing.T) {
	testkit.Watch(t)
	const ranks = 3
	c := worldtest.New(ranks, 1, 0)
	var over sync.WaitGroup
	sims, seen := make([]*ross.Simulation, ranks), make([][]string, ranks)
	for rank := range ranks {
		over.Go(func() {
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.MaxMemory = 1, 3, ross.Optimistic, 256<<20
			knobsOf(&cfg).World = c.Rank(rank)
			sim, err := ross.New(cfg)
			sims[rank] = sim
			require.NoError(t, err)
			require.NoError(t, sim.Define(ross.Type[struct{}]{
				Init:   func(_ *struct{}, lp *ross.LP) { seen[rank] = sim.Announced() },
				Event:  ross.On(func(_ *struct{}, _ *ross.LP, _ *struct{}) {}),
				Saving: ross.SaveByDelta,
			}))
			if rank != 1 {
				sim.Announce(fmt.Sprintf("here is %d", rank))
			}
			require.Nil(t, sim.Announced())
			require.NoError(t, sim.Run(context.Background()))
		})
	}
	over.Wait()
	closeAll(sims)
	for rank := range ranks {
		if rank > 0 {
			require.Nil(t, seen[rank])
		} else {
			require.Equal(t, []string{"here is 0", "", "here is 2"}, seen[rank])
		}
		require.Equal(t, seen[rank], sims[rank].Announced())
	}
}

// Checkpoints of running simulations of several ranks: all do the same, and one tells.

// steps has each LP send itself an event at each whole time and a half.
func steps() ross.Type[uint64] {
	return ross.Type[uint64]{
		Name: "step",
		Init: func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5, step{}) },
		Event: ross.On(func(s *uint64, lp *ross.LP, _ *step) { *s++; ross.Send(lp, lp.ID(), 1, step{}) }).Reverse(
			func(s *uint64, _ *ross.LP, _ *step) { *s-- }),
	}
}

func stepsUpTo(end float64, lps uint64) func(*ross.Config) {
	return func(c *ross.Config) { c.NLP, c.End = int(lps), end }
}

func TestRanksGoBackToTheSameCheckpointAndOneTells(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	for n := range uint64(2) {
		runLeg(t, leg{to: rio.Numbered(prefix, n), configure: stepsUpTo(3+float64(n), 8)}, steps())
	}
	data, err := os.ReadFile(prefix + "-000001.rio-data-0")
	require.NoError(t, err)
	data[len(data)-2] ^= 1
	require.NoError(t, os.WriteFile(prefix+"-000001.rio-data-0", data, 0o644))
	var told strings.Builder
	log := cmdline.Warnings("step", &told)
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *ross.Config) {
		stepsUpTo(20, 4)(c)
		c.Synch, c.Checkpoints.Name, c.Checkpoints.Restart, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep =
			3, prefix, "latest", 5, 1
		c.Log = log
	}}, steps())
	require.Equal(t, 1, strings.Count(told.String(), "\n"), told.String())
	require.Contains(t, told.String(), "checkpoint "+prefix+"-000001 is not used, "+prefix+"-000000 is used instead: ")
	for _, sim := range sims {
		require.Equal(t, 3.0, sim.Clock())
	}
	require.Error(t, rio.Verify(prefix+"-000001"), "it stays")
}

func TestRankZeroAloneTellsOfLateCheckpoints(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	_, sims := runLeg(t, leg{ranks: 2, configure: func(c *ross.Config) {
		stepsUpTo(200, 4)(c)
		c.Synch, c.Checkpoints.VirtualInterval, c.Checkpoints.Name, c.End = 3, 1e-3, prefix, 20
		c.Tuning.GVTInterval, c.Tuning.FixedGVT, c.Tuning.MaxOptLookahead = 1, true, 0
	}}, steps())
	require.NotZero(t, runOf(sims[0]).Checkpoints.Running.Late.LeftOut)
	require.Zero(t, runOf(sims[1]).Checkpoints.Running.Late)
}

// TestRankZeroTellsOfScratchOfOthers has LPs of the other rank alone set a pointer in their scratch.
func TestRankZeroTellsOfScratchOfOthers(t *testing.T) {
	type kept struct {
		N uint64
		P *uint64 `ross:"-"`
	}
	var told strings.Builder
	log := cmdline.Warnings("kept", &told)
	runLeg(t, leg{ranks: 2, to: filepath.Join(t.TempDir(), "cp"), configure: func(c *ross.Config) {
		stepsUpTo(5, 4)(c)
		c.Synch, c.Log = 3, log
	}}, ross.Type[kept]{
		Name: "kept",
		Init: func(s *kept, lp *ross.LP) {
			if lp.ID() >= 4 {
				s.P = &s.N
			}
			ross.Send(lp, lp.ID(), 0.5, step{})
		},
		Event: ross.On(func(s *kept, lp *ross.LP, _ *step) { ross.Send(lp, lp.ID(), 1, step{}) }),
	})
	require.Equal(t, 1, strings.Count(told.String(), "kept.P is scratch"), told.String())
}
