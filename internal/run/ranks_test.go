// Runs of several ranks, as goroutines of one process: the same digest as one rank, whatever is late; and what a rank
// takes when there are very many.
//
//	ROSS_RANKS=4096 go test -v -run ManyEngines ./internal/run

package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/internal/testing/turns"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// runOnRanks runs a model on ranks, each in a goroutine, with a configuration of its own.
// With one rank there is no world around it. They are closed when the test is over.
func runOnRanks(t testing.TB, c *worldtest.Cluster, ranks int, configure func(rank int, cfg *ross.Config),
	types ...ross.LPType) (sims []*ross.Simulation, errs []error) {
	t.Helper()
	sims, errs = make([]*ross.Simulation, ranks), make([]error, ranks)
	var over sync.WaitGroup
	for rank := range ranks {
		over.Go(func() {
			cfg := ross.DefaultConfig()
			configure(rank, &cfg)
			if ranks > 1 {
				knobsOf(&cfg).World = c.Rank(rank)
			}
			sim, err := ross.New(cfg)
			if err == nil {
				err = sim.Define(types...)
			}
			if err == nil {
				err = sim.Run(context.Background())
			}
			sims[rank], errs[rank] = sim, err
		})
	}
	over.Wait()
	t.Cleanup(func() { closeAll(sims) })
	return sims, errs
}

// runRanks runs a load on n ranks, and returns what came of it on each.
func (l *load) runRanks(t testing.TB, c *worldtest.Cluster, n int, configure func(*ross.Config)) (
	sims []*ross.Simulation, errs []error) {
	t.Helper()
	return runOnRanks(t, c, n, func(_ int, cfg *ross.Config) {
		cfg.End, cfg.Digest = l.end, true
		cfg.MaxMemory = 256 << 20
		configure(cfg)
		cfg.NLP = int(loadLPs / uint64(n*cfg.PEs))
	}, l.lpType())
}

// closeAll closes the simulations of all ranks, which wait for one another.
func closeAll(sims []*ross.Simulation) {
	var over sync.WaitGroup
	for _, sim := range sims {
		if sim != nil {
			over.Go(func() { _ = sim.Close() })
		}
	}
	over.Wait()
}

func TestRanksCommitWhatOneCommits(t *testing.T) {
	for _, c := range []struct {
		load               string
		ranks, pes, synchs []int
		end                float64
	}{
		{"spread", []int{2, 4}, []int{1, 2}, []int{2, 3, 5}, 10},
		{"tied", []int{2}, []int{1}, []int{3}, 1.5}, // one time, long chains: it needs many GVTs
	} {
		for _, ranks := range c.ranks {
			for _, pes := range c.pes {
				for _, synch := range c.synchs {
					if testlevel.Is(testlevel.Some) && synch == 5 || testlevel.Is(testlevel.Few) &&
						(c.load == "tied" || ranks*pes != 4) || ranks*pes > 4 {
						continue
					}
					t.Run(fmt.Sprintf("%s/ranks=%d/pes=%d/synch=%d", c.load, ranks, pes, synch), func(t *testing.T) {
						l := loads[c.load]()
						l.end = c.end
						checkRanks(t, l, ranks,
							func(c *ross.Config) { c.PEs, c.Synch, c.NKP, c.ConsLookahead = pes, ross.Scheduler(synch), 4, 0.1 })
					})
				}
			}
		}
	}
}

// checkRanks compares a run of some ranks, whose messages are late at random, with a
// sequential one.
func checkRanks(t *testing.T, l *load, ranks int, configure func(*ross.Config)) []*ross.Simulation {
	t.Helper()
	want := l.digest(t, nil)
	seed := testrand.Seed(t)
	testkit.Watch(t)
	sims, errs := l.runRanks(t, worldtest.New(ranks, seed, 20), ranks, configure)
	for rank, err := range errs {
		require.NoError(t, err)
		require.Equal(t, want, *runOf(sims[rank]).Stats.Digest)
		require.Equal(t, runOf(sims[0]).Stats, runOf(sims[rank]).Stats, "figures are those of all ranks")
	}
	require.Positive(t, runOf(sims[0]).Stats.SendNetRemote)
	require.Equal(t, runOf(sims[0]).Stats.RemoteSends, runOf(sims[0]).Stats.RemoteRecvs)
	requireNoLeak(t, sims...)
	return sims
}

// TestAReportOfRanksSaysWhatTheIndexAndTheReductionsWere compares the lines with the counters.
func TestAReportOfRanksSaysWhatTheIndexAndTheReductionsWere(t *testing.T) {
	for _, shared := range []bool{false, true} {
		testkit.Watch(t)
		cluster := worldtest.New(2, testrand.Seed(t), 20)
		if shared {
			cluster.WithRings(4096, 1).WithSleep()
		}
		l := spreadLoad()
		sims, errs := l.runRanks(t, cluster, 2, func(c *ross.Config) { c.Synch, c.NKP, c.PEs = 3, 4, 2 })
		require.NoError(t, errors.Join(errs...))
		st := sims[0].Summary()
		require.Positive(t, st.AllReduceCalls)
		inMemory, byMPI, title := uint64(0), st.AllReduceCalls, "MPI AllReduce"
		if shared {
			inMemory, byMPI, title = byMPI, inMemory, "AllReduce in Shared Memory"
		}
		require.Equal(t, inMemory, st.SharedReduces)
		result := sims[0].RunInfo().Result
		require.Equal(t, [2]uint64{st.AllReduceCalls, inMemory}, [2]uint64{result.AllReduces, result.SharedReduces})
		lines := map[string]string{}
		for _, f := range st.Extra {
			lines[f.Label] = f.Value
		}
		require.Equal(t, fmt.Sprintf("%d, %d", inMemory, byMPI), lines["All-Reduces for GVT: in Shared Memory, by MPI"])
		var most, inTrees, searches, inTreesFound uint64
		for _, sim := range sims {
			for _, pe := range runOf(sim).Locals {
				c := &pe.Counts
				most, inTrees = max(most, c.Indexed), max(inTrees, c.InTrees)
				searches, inTreesFound = searches+c.Searches, inTreesFound+c.TreeSearches
			}
		}
		require.Positive(t, most)
		require.Equal(t, fmt.Sprintf("%d, %d", most, inTrees), lines["Index of Arrivals: Most Entries, in Trees"])
		require.Equal(t, fmt.Sprintf("%d, %d", searches, inTreesFound), lines["Searches in That Index, in Its Trees"])
		require.Contains(t, lines, "Time of That Index, Most on a PE (seconds)")
		var text strings.Builder
		require.NoError(t, report.WriteEnd(&text, &st))
		require.Contains(t, text.String(), "\nTW GVT Statistics: "+title+"\n")
		requireNoLeak(t, sims...)
	}
}

// TestRanksUnderAttack takes everything that ranks do to its limits.
func TestRanksUnderAttack(t *testing.T) {
	for name, configure := range map[string]func(*ross.Config){
		"messages of one event": func(c *ross.Config) { knobsOf(c).RemoteWorth = 1 },
		"GVT all the time": func(c *ross.Config) {
			c.Tuning.GVTInterval, c.Tuning.Batch,
				c.Tuning.FixedGVT = 1, 1, true
		},
		"GVT seldom":             func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.FixedGVT = 1<<20, true },
		"one KP":                 func(c *ross.Config) { c.NKP = 1 },
		"a KP for each LP":       func(c *ross.Config) { c.NKP = 1024 },
		"round robin":            func(c *ross.Config) { c.Mapping = mapping.RoundRobin },
		"small rings":            func(c *ross.Config) { c.PEs, knobsOf(c).RingSize = 2, 8 },
		"scarce memory":          func(c *ross.Config) { c.MaxMemory = 3 << 20 },
		"scarce memory, two PEs": func(c *ross.Config) { c.PEs, c.MaxMemory = 2, 4<<20 },
	} {
		if testlevel.Few.LeavesOut(name, "messages of one event", "GVT all the time", "small rings",
			"scarce memory, two PEs") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			checkRanks(t, spreadLoad(), 2, func(c *ross.Config) {
				c.Synch, c.NKP = 3, 4
				configure(c)
			})
		})
	}
}

// TestForcedRollbacksOnRanksChangeNothing cooks everything that a model can do.
func TestForcedRollbacksOnRanksChangeNothing(t *testing.T) {
	for _, never := range []bool{false, true} {
		end := float64(testlevel.Times(kitchenEnd, kitchenEnd/3))
		want, _ := cook(t, never, end, nil)
		for name, c := range map[string]struct {
			ranks, pes int
			p          float64
			set        func(*ross.Config)
		}{
			"two ranks":             {2, 1, 0.3, func(*ross.Config) {}},
			"two ranks, two PEs":    {2, 2, 0.3, func(*ross.Config) {}},
			"four ranks":            {4, 1, 0.3, func(*ross.Config) {}},
			"none forced":           {2, 1, 0, func(*ross.Config) {}},
			"real time":             {2, 1, 0.3, func(c *ross.Config) { c.Synch, c.Tuning.GVTInterval = 5, 1 }},
			"messages of one event": {2, 1, 0.3, func(c *ross.Config) { knobsOf(c).RemoteWorth = 1 }},
			"GVT all the time": {2, 1, 0.3, func(c *ross.Config) {
				c.Tuning.GVTInterval, c.Tuning.Batch,
					c.Tuning.FixedGVT = 1, 1, true
			}},
			"some optimism": {2, 1, 0.3, func(c *ross.Config) { c.Tuning.MaxOptLookahead = 2 }},
			"1 KP":          {2, 1, 0.05, func(c *ross.Config) { c.NKP = 1 }},
		} {
			if testlevel.Few.LeavesOut(name, "two ranks, two PEs", "real time", "GVT all the time", "messages of one event") ||
				never && testlevel.Few.LeavesOut(name, "two ranks, two PEs") {
				continue
			}
			t.Run(fmt.Sprintf("never=%v/%s", never, name), func(t *testing.T) {
				testkit.Watch(t)
				seed := testrand.Seed(t)
				got, sims := cookRanks(t, worldtest.New(c.ranks, seed, 20), c.ranks, never, end, func(cfg *ross.Config) {
					cfg.Synch, cfg.PEs, cfg.NLP = 3, c.pes, int(kitchenLPs/uint64(c.ranks*c.pes))
					knobsOf(cfg).Disturb = harass(t, c.pes, c.p)
					c.set(cfg)
				})
				requireSame(t, want, got)
				require.Positive(t, runOf(sims[0]).Stats.SendNetRemote)
			})
		}
	}
}

// crate is a message larger than a buffer of the network, for the LPs of one type; the
// other type has small ones. Both know what they have to hold.
type crate struct {
	Seed  uint64
	Words [8192]uint64
}

type note2 struct{ Seed uint64 }

// TestLargeMessagesBetweenRanks sends 64 KiB next to 8 bytes, with rollbacks.
func TestLargeMessagesBetweenRanks(t *testing.T) {
	const lps = 16
	send := func(lp *ross.LP, seed uint64) {
		dst := ross.LPID(lp.RNG().Integer(0, lps-1))
		delay := 0.1 + lp.RNG().Exponential(1)
		if dst%2 == 1 {
			ross.Send(lp, dst, delay, note2{seed})
			return
		}
		c := ross.NewEvent[crate](lp, dst, delay)
		for c.Seed = seed; seed != c.Words[8191]; {
			for i := range c.Words {
				c.Words[i] = seed + uint64(i) - 8191
			}
		}
	}
	types := []ross.LPType{
		ross.Type[uint64]{
			Name: "crate", Saving: ross.SaveByDelta,
			Init: func(_ *uint64, lp *ross.LP) { send(lp, uint64(lp.ID())+10000) },
			Event: ross.On(func(s *uint64, lp *ross.LP, c *crate) {
				for i, w := range c.Words {
					if w != c.Seed+uint64(i)-8191 {
						lp.Fail(fmt.Errorf("word %d of a crate is %d", i, w))
						return
					}
				}
				*s += c.Seed
				c.Words[17] = *s
				send(lp, c.Seed*3)
			}),
		},
		ross.Type[uint64]{
			Name: "note", Saving: ross.SaveByDelta,
			Init:  func(_ *uint64, lp *ross.LP) { send(lp, uint64(lp.ID())+10000) },
			Event: ross.On(func(s *uint64, lp *ross.LP, n *note2) { *s += n.Seed; send(lp, n.Seed*5) }),
		},
	}
	var want uint64
	for _, ranks := range testlevel.Pick([]int{1, 2, 4}, []int{1, 4}, []int{1, 2}) {
		testkit.Watch(t)
		sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(_ int, c *ross.Config) {
			c.Synch, c.NLP, c.End, c.Digest, c.MaxMemory = 3, int(lps/uint64(ranks)), float64(
				testlevel.Times(30, 8)), true, 128<<20
			c.TypeMap = func(id ross.LPID) int { return int(id % 2) }
			knobsOf(c).Disturb = harass(t, 1, 0.3)
		}, types...)
		for _, err := range errs {
			require.NoError(t, err)
		}
		requireNoLeak(t, sims...)
		if d := *runOf(sims[0]).Stats.Digest; ranks == 1 {
			want = d
		} else {
			require.Equal(t, want, d, "%d ranks", ranks)
		}
	}
}

// TestRanksEndWhenTheNetworkFails has everything between the ranks fail in the middle of
// a run.
func TestRanksEndWhenTheNetworkFails(t *testing.T) {
	for _, synch := range []int{2, 3} {
		for _, pes := range []int{1, 2} {
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				testkit.Watch(t)
				c := worldtest.New(2, testrand.Seed(t), 10)
				l := spreadLoad()
				l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
					if lp.Now() > 5 {
						_ = c.Rank(1).Abort(7)
					}
				}
				_, errs := l.runRanks(t, c, 2,
					func(cfg *ross.Config) { cfg.Synch, cfg.PEs, cfg.ConsLookahead = ross.Scheduler(synch), pes, 0.1 })
				for _, err := range errs {
					require.ErrorIs(t, err, worldtest.ErrAborted)
				}
				code, aborted := c.Aborted()
				require.True(t, aborted)
				require.Equal(t, 7, code, "the first Abort counts")
			})
		}
	}
}

// TestAnErrorOfOneRankIsThatOfAll has a mistake of an LP, at whatever stage, end all ranks.
func TestAnErrorOfOneRankIsThatOfAll(t *testing.T) {
	mistake := func(lp *ross.LP) { lp.Fail(fmt.Errorf("LP %d gives up", lp.ID())) }
	send := func(_ *uint64, lp *ross.LP) { ross.Send(lp, lp.ID()^1, 0.5, note2{}) }
	for name, typ := range map[string]ross.Type[uint64]{
		"Init":   {Init: func(_ *uint64, lp *ross.LP) { mistake(lp) }},
		"PreRun": {PreRun: func(_ *uint64, lp *ross.LP) { mistake(lp) }},
		"Event":  {Init: send, Event: ross.On(func(s *uint64, lp *ross.LP, _ *note2) { mistake(lp); send(s, lp) })},
		"Final":  {Final: func(_ *uint64, lp *ross.LP) { mistake(lp) }},
	} {
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", name, synch), func(t *testing.T) {
				testkit.Watch(t)
				typ.Name, typ.Saving = "wrong", ross.SaveByDelta
				if typ.Event == nil {
					typ.Event = ross.On(func(*uint64, *ross.LP, *note2) {})
				}
				all := typ
				only := func(f func(*uint64, *ross.LP)) func(*uint64, *ross.LP) { // of an LP on rank 1
					return func(s *uint64, lp *ross.LP) {
						if f != nil && lp.ID() == 5 {
							f(s, lp)
						}
					}
				}
				all.Init, all.PreRun, all.Final = only(typ.Init), only(typ.PreRun), only(typ.Final)
				_, errs := runOnRanks(t, worldtest.New(3, testrand.Seed(t), 10), 3, func(_ int, c *ross.Config) {
					c.Synch, c.NLP, c.End, c.ConsLookahead, c.MaxMemory = ross.Scheduler(synch), 4, 20, 0.1, 16<<20
				}, all)
				for rank, err := range errs {
					require.ErrorContains(t, err, "gives up", "rank %d", rank)
					require.Equal(t, 1, ross.ExitCode(err))
				}
				speakers := 0
				for _, err := range errs {
					if ross.ShouldPrint(err) {
						speakers++
					}
				}
				require.Equal(t, 1, speakers)
			})
		}
	}
}

// Runs of several ranks of one machine, which exchange their messages through rings: the
// same digest, also where rings are so small that most messages go around them.

func TestRanksWithRingsCommitWhatOneCommits(t *testing.T) {
	want := loads["spread"]().digest(t, nil)
	for _, c := range []struct{ ranks, pes, words, machines, synch int }{
		{2, 1, 8192, 1, 3}, {2, 2, 64, 1, 3}, {4, 1, 512, 2, 3}, {2, 1, 256, 1, 2}, {4, 1, 8192, 1, 2}, {2, 1, 4, 1, 5},
	} {
		t.Run(fmt.Sprintf("ranks=%d/pes=%d/words=%d/machines=%d/synch=%d", c.ranks, c.pes, c.words, c.machines, c.synch),
			func(t *testing.T) {
				seed := testrand.Seed(t)
				testkit.Watch(t)
				cluster := worldtest.New(c.ranks, seed, 30).WithRings(c.words, c.machines)
				sims, errs := loads["spread"]().runRanks(t, cluster, c.ranks, func(cfg *ross.Config) {
					cfg.PEs, cfg.Synch, cfg.NKP, cfg.ConsLookahead = c.pes, ross.Scheduler(c.synch), 4, 0.1
				})
				near := uint64(0)
				for rank, err := range errs {
					require.NoError(t, err)
					require.Equal(t, want, *runOf(sims[rank]).Stats.Digest)
					for _, pe := range runOf(sims[rank]).Locals {
						near += pe.Remote.Box.Counts().Near
					}
				}
				if c.words > 4 { // where messages of three words fit there are none
					require.NotZero(t, near)
				}
				requireNoLeak(t, sims...)
			})
	}
}

// TestRanksSleepUntilSomebodyWakesThem has PEs without work sleep for as long as it takes, so that a wake-up that is
// lost hangs. They share rings for a message or two, and go around them otherwise.
func TestRanksSleepUntilSomebodyWakesThem(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // each PE has a thread, in which it can sleep
	want := loads["spread"]().digest(t, nil)
	const fails, aborts = "LP 3 gives up", "aborted"
	folder := t.TempDir()
	for name, c := range map[string]struct {
		ranks, pes, words, synch int
		ends                     string // how the run ends early
		configure                func(*ross.Config)
	}{
		"conservative":          {4, 1, 16, 2, "", nil},
		"optimistic":            {4, 1, 16, 3, "", nil},
		"two PEs, conservative": {2, 2, 64, 2, "", nil},
		"two PEs, optimistic":   {4, 2, 64, 3, "", nil},
		"a round after each event": {2, 2, 16, 3, "", func(c *ross.Config) {
			c.Tuning.GVTInterval, c.Tuning.Batch,
				c.Tuning.FixedGVT = 1, 1, true
		}},
		"KPs move": {2, 2, 256, 3, "", moving(9)},
		"checkpoints": {2, 2, 64, 3, "",
			func(c *ross.Config) { c.Checkpoints.Name, c.Checkpoints.VirtualInterval = folder+"/io", 2 }},
		"a mistake":               {2, 2, 64, 3, fails, nil},
		"a mistake, conservative": {4, 1, 64, 2, fails, nil},
		"the network fails":       {2, 2, 64, 3, aborts, nil},
	} {
		if testlevel.Few.LeavesOut(name, "optimistic", "two PEs, conservative", "KPs move", "a mistake",
			"the network fails") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			cluster := worldtest.New(c.ranks, testrand.Seed(t), 0).WithRings(c.words, 1).WithSleep()
			l := loads["spread"]()
			switch c.ends {
			case fails:
				l.change = func(lp *ross.LP, _ uint64, _ *parcel) {
					if lp.ID() == 3 && lp.Now() > 5 {
						lp.Fail(errors.New(fails))
					}
				}
			case aborts:
				l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
					if lp.Now() > 5 {
						_ = cluster.Rank(1).Abort(7)
					}
				}
			}
			sims, errs := l.runRanks(t, cluster, c.ranks, func(cfg *ross.Config) {
				cfg.PEs, cfg.Synch, cfg.NKP, cfg.ConsLookahead = c.pes, ross.Scheduler(c.synch), 4, 0.1
				if c.configure != nil {
					c.configure(cfg)
				}
			})
			for rank, err := range errs {
				if c.ends != "" {
					require.ErrorContains(t, err, c.ends)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, want, *runOf(sims[rank]).Stats.Digest)
			}
		})
	}
}

// What ranks do that look on, or that leave before they run.

func TestSnapshotsOfRanksAreOfTheirOwnPEs(t *testing.T) {
	testkit.Watch(t)
	l := spreadLoad()
	l.end = 3
	sims, errs := l.runRanks(t, worldtest.New(2, testrand.Seed(t), 10), 2, func(c *ross.Config) { c.PEs, c.Synch = 2, 3 })
	sum := ross.Snapshot{}
	for rank, sim := range sims {
		require.NoError(t, errs[rank])
		s := sim.Snapshot()
		require.Equal(t, []int{rank, 2}, []int{s.Rank, s.Ranks})
		require.Equal(t, l.end, s.GVT)
		require.Equal(t, sim.Summary().NumGVT, s.NumGVT)
		require.Len(t, s.PEs, 2)
		for i := range s.PEs {
			require.EqualValues(t, 2*rank+i, s.PEs[i].ID)
			sum.Add(&s.PEs[i].Counters)
		}
	}
	st := sims[0].Summary()
	require.Equal(t, st.EventsProcessed, sum.EventsProcessed)
	require.Equal(t, st.EventsRolledBack, sum.EventsRolledBack)
	require.Equal(t, st.NetEvents(), sum.EventsCommitted)
	require.Equal(t, st.SendLocRemote+st.SendNetRemote, sum.EventsRemote)
	require.NotZero(t, st.SendNetRemote)
}

func TestARankThatClosesBetweenDefineAndRunEndsTheOthers(t *testing.T) {
	for leaves := range 2 {
		testkit.Watch(t)
		cluster := worldtest.New(2, testrand.Seed(t), 10)
		errs := make([]error, 2)
		var over sync.WaitGroup
		for rank := range 2 {
			over.Go(func() {
				cfg := ross.DefaultConfig()
				cfg.Synch, knobsOf(&cfg).World = 3, cluster.Rank(rank)
				sim, err := ross.New(cfg)
				if err == nil {
					err = sim.Define(spreadLoad().lpType())
				}
				if err == nil && rank != leaves {
					err = sim.Run(context.Background())
				}
				errs[rank] = err
				_ = sim.Close()
			})
		}
		over.Wait()
		require.NoError(t, errs[leaves])
		require.ErrorContains(t, errs[1-leaves], []string{"ross: Close: rank 1 calls Run at the same time",
			"ross: Run: rank 1 calls Close at the same time"}[leaves])
	}
}

const (
	manyLPs   = 4 // of each rank
	manyReach = 8 // an event goes to one of as many LPs

	manyMemory = 8 << 20 // bytes of each rank at most; it reserves address space for them

	restOfProcess = 256 << 10 // bytes by which the heap of the process may differ besides
)

// TestManyEnginesTakeTheSameMemoryEach has a model in which LPs send to their neighbours.
func TestManyEnginesTakeTheSameMemoryEach(t *testing.T) {
	worldsSeeClocks()
	few, many := largestWorld/4, testlevel.Times(largestWorld, largestWorld/2)
	if text, ok := os.LookupEnv("ROSS_RANKS"); ok {
		var err error
		many, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	least, _ := runMany(t, few)
	bytes, w := runMany(t, many)
	t.Logf("%d ranks: %d bytes of Go's heap each, and with %d: %d, %d turns", few, least, many, bytes, w.Turns())
	// A page of peers is 512 bytes, and 64 peers have one. The rest of the process, such as what
	// tests before this one left, weighs the more in the measure the fewer the ranks are.
	require.Less(t, bytes, least+least/50+uint64(many-few)/4+restOfProcess/uint64(few))
}

// runMany returns the bytes of Go's heap for each rank at the end of the run, when all ranks still have everything.
func runMany(t *testing.T, ranks int) (each uint64, w *turns.World) {
	t.Helper()
	before, during := liveHeap(), uint64(0)
	digests := map[uint64]int{}
	w = turns.Play(t, 1, func(tw *turns.World) {
		tw.Most = 1 << 40
		cluster := worldtest.New(ranks, 1, 0).WithTurns(tw)
		over := make(chan struct{})
		left := ranks
		for rank := range ranks {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.NLP, cfg.NKP, cfg.End, cfg.Digest, cfg.MaxMemory = ross.Optimistic, manyLPs, 2, 10, true, manyMemory
			cfg = inWorld(cfg, cluster.Rank(rank), settings.Knobs{Turn: tw.Turn}, nil)
			tw.Go(settings.Main(rank), func() {
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				require.NoError(t, sim.Define(neighbours(uint64(ranks*manyLPs))))
				require.NoError(t, sim.Run(context.Background()))
				digests[*sim.Summary().Digest]++
				if left--; left == 0 {
					during = liveHeap()
					close(over)
				} else {
					<-over
					tw.Turn(settings.Main(rank), "over")
				}
				require.NoError(t, sim.Close())
			})
		}
	})
	require.Empty(t, w.Fault)
	require.Len(t, digests, 1)
	return (during - before) / uint64(ranks), w
}

func neighbours(lps uint64) ross.LPType {
	type state struct{ Events uint64 }
	send := func(lp *ross.LP, to uint64) { ross.Send(lp, ross.LPID(to%lps), 1+lp.RNG().Unif(), hop{}) }
	return ross.Type[state]{
		Name: "neighbour", Saving: ross.SaveByDelta,
		Init: func(_ *state, lp *ross.LP) { send(lp, uint64(lp.ID())) },
		Event: ross.On(func(s *state, lp *ross.LP, _ *hop) {
			ross.Save(lp, &s.Events)
			s.Events++
			send(lp, uint64(lp.ID())+uint64(lp.RNG().Integer(0, manyReach)))
		}),
	}
}

// liveHeap returns the bytes of Go's heap that are in use.
func liveHeap() uint64 {
	for range 3 { // what a pool or a finalizer holds outlives the first
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
