// Runs of several ranks, as goroutines of one process: the same digest as one rank,
// whatever is late.

package ross

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
)

// runOnRanks runs a model on ranks, each in a goroutine, with a configuration of its own.
// With one rank there is no world around it. They are closed when the test is over.
func runOnRanks(t testing.TB, c *worldtest.Cluster, ranks int, configure func(rank int, cfg *Config), types ...LPType) (sims []*Simulation, errs []error) {
	t.Helper()
	sims, errs = make([]*Simulation, ranks), make([]error, ranks)
	var over sync.WaitGroup
	for rank := range ranks {
		over.Go(func() {
			cfg := DefaultConfig()
			configure(rank, &cfg)
			if ranks > 1 {
				cfg.knobs.world = c.Rank(rank)
			}
			sim, err := New(cfg)
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
func (l *load) runRanks(t testing.TB, c *worldtest.Cluster, n int, configure func(*Config)) (sims []*Simulation, errs []error) {
	t.Helper()
	return runOnRanks(t, c, n, func(_ int, cfg *Config) {
		cfg.End, cfg.Digest = l.end, true
		cfg.MaxMemory = 256 << 20
		configure(cfg)
		cfg.NLP = loadLPs / uint64(n*cfg.PEs)
	}, l.lpType())
}

// closeAll closes the simulations of all ranks, which wait for one another.
func closeAll(sims []*Simulation) {
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
					if testlevel.Is(testlevel.Some) && synch == 5 || testlevel.Is(testlevel.Few) && (c.load == "tied" || ranks*pes != 4) || ranks*pes > 4 {
						continue
					}
					t.Run(fmt.Sprintf("%s/ranks=%d/pes=%d/synch=%d", c.load, ranks, pes, synch), func(t *testing.T) {
						l := loads[c.load]()
						l.end = c.end
						checkRanks(t, l, ranks, func(c *Config) { c.PEs, c.Synch, c.NKP, c.ConsLookahead = pes, Scheduler(synch), 4, 0.1 })
					})
				}
			}
		}
	}
}

// checkRanks compares a run of some ranks, whose messages are late at random, with a
// sequential one.
func checkRanks(t *testing.T, l *load, ranks int, configure func(*Config)) []*Simulation {
	t.Helper()
	want := l.digest(t, nil)
	seed := testrand.Seed(t)
	modeltest.Watch(t)
	sims, errs := l.runRanks(t, worldtest.New(ranks, seed, 20), ranks, configure)
	for rank, err := range errs {
		require.NoError(t, err)
		require.Equal(t, want, *sims[rank].r.Stats.Digest)
		require.Equal(t, sims[0].r.Stats, sims[rank].r.Stats, "figures are those of all ranks")
	}
	require.Positive(t, sims[0].r.Stats.SendNetRemote)
	require.Equal(t, sims[0].r.Stats.RemoteSends, sims[0].r.Stats.RemoteRecvs)
	requireNoLeak(t, sims...)
	return sims
}

// TestRanksUnderAttack takes everything that ranks do to its limits.
func TestRanksUnderAttack(t *testing.T) {
	for name, configure := range map[string]func(*Config){
		"messages of one event":  func(c *Config) { c.knobs.RemoteWorth = 1 },
		"GVT all the time":       func(c *Config) { c.GVTInterval, c.Batch, c.FixedGVT = 1, 1, true },
		"GVT seldom":             func(c *Config) { c.GVTInterval, c.FixedGVT = 1<<20, true },
		"one KP":                 func(c *Config) { c.NKP = 1 },
		"a KP for each LP":       func(c *Config) { c.NKP = 1024 },
		"round robin":            func(c *Config) { c.Mapping = mapping.RoundRobin },
		"small rings":            func(c *Config) { c.PEs, c.knobs.RingSize = 2, 8 },
		"scarce memory":          func(c *Config) { c.MaxMemory = 3 << 20 },
		"scarce memory, two PEs": func(c *Config) { c.PEs, c.MaxMemory = 2, 4<<20 },
	} {
		if testlevel.Few.LeavesOut(name, "messages of one event", "GVT all the time", "small rings", "scarce memory, two PEs") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			checkRanks(t, spreadLoad(), 2, func(c *Config) {
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
			set        func(*Config)
		}{
			"two ranks":             {2, 1, 0.3, func(*Config) {}},
			"two ranks, two PEs":    {2, 2, 0.3, func(*Config) {}},
			"four ranks":            {4, 1, 0.3, func(*Config) {}},
			"none forced":           {2, 1, 0, func(*Config) {}},
			"real time":             {2, 1, 0.3, func(c *Config) { c.Synch, c.GVTInterval = 5, 1 }},
			"messages of one event": {2, 1, 0.3, func(c *Config) { c.knobs.RemoteWorth = 1 }},
			"GVT all the time":      {2, 1, 0.3, func(c *Config) { c.GVTInterval, c.Batch, c.FixedGVT = 1, 1, true }},
			"some optimism":         {2, 1, 0.3, func(c *Config) { c.MaxOptLookahead = 2 }},
			"1 KP":                  {2, 1, 0.05, func(c *Config) { c.NKP = 1 }},
		} {
			if testlevel.Few.LeavesOut(name, "two ranks, two PEs", "real time", "GVT all the time", "messages of one event") ||
				never && testlevel.Few.LeavesOut(name, "two ranks, two PEs") {
				continue
			}
			t.Run(fmt.Sprintf("never=%v/%s", never, name), func(t *testing.T) {
				modeltest.Watch(t)
				seed := testrand.Seed(t)
				got, sims := cookRanks(t, worldtest.New(c.ranks, seed, 20), c.ranks, never, end, func(cfg *Config) {
					cfg.Synch, cfg.PEs, cfg.NLP = 3, c.pes, kitchenLPs/uint64(c.ranks*c.pes)
					cfg.knobs.disturb = harass(t, c.pes, c.p)
					c.set(cfg)
				})
				requireSame(t, want, got)
				require.Positive(t, sims[0].r.Stats.SendNetRemote)
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

// TestLargeMessagesBetweenRanks sends 64 KiB beside 8 bytes, with rollbacks.
func TestLargeMessagesBetweenRanks(t *testing.T) {
	const lps = 16
	send := func(lp *LP, seed uint64) {
		dst := LPID(lp.RNG().Integer(0, lps-1))
		delay := 0.1 + lp.RNG().Exponential(1)
		if dst%2 == 1 {
			Send(lp, dst, delay, note2{seed})
			return
		}
		c := NewEvent[crate](lp, dst, delay)
		for c.Seed = seed; seed != c.Words[8191]; {
			for i := range c.Words {
				c.Words[i] = seed + uint64(i) - 8191
			}
		}
	}
	types := []LPType{
		Type[uint64, crate]{
			Name: "crate", Saving: SaveByDelta,
			Init: func(_ *uint64, lp *LP) { send(lp, uint64(lp.ID())+10000) },
			Event: func(s *uint64, lp *LP, _ *Bits, c *crate) {
				for i, w := range c.Words {
					if w != c.Seed+uint64(i)-8191 {
						lp.Fail(fmt.Errorf("word %d of a crate is %d", i, w))
						return
					}
				}
				*s += c.Seed
				c.Words[17] = *s
				send(lp, c.Seed*3)
			},
		},
		Type[uint64, note2]{
			Name: "note", Saving: SaveByDelta,
			Init:  func(_ *uint64, lp *LP) { send(lp, uint64(lp.ID())+10000) },
			Event: func(s *uint64, lp *LP, _ *Bits, n *note2) { *s += n.Seed; send(lp, n.Seed*5) },
		},
	}
	var want uint64
	for _, ranks := range []int{1, 2, 4} {
		modeltest.Watch(t)
		sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(_ int, c *Config) {
			c.Synch, c.NLP, c.End, c.Digest, c.MaxMemory = 3, lps/uint64(ranks), 30, true, 128<<20
			c.TypeMap = func(id LPID) int { return int(id % 2) }
			c.knobs.disturb = harass(t, 1, 0.3)
		}, types...)
		for _, err := range errs {
			require.NoError(t, err)
		}
		requireNoLeak(t, sims...)
		if d := *sims[0].r.Stats.Digest; ranks == 1 {
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
				modeltest.Watch(t)
				c := worldtest.New(2, testrand.Seed(t), 10)
				l := spreadLoad()
				l.commit = func(_ *loadState, lp *LP, _ *Bits, _ *loadMsg) {
					if lp.Now() > 5 {
						_ = c.Rank(1).Abort(7)
					}
				}
				_, errs := l.runRanks(t, c, 2, func(cfg *Config) { cfg.Synch, cfg.PEs, cfg.ConsLookahead = Scheduler(synch), pes, 0.1 })
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
	mistake := func(lp *LP) { lp.Fail(fmt.Errorf("LP %d gives up", lp.ID())) }
	send := func(_ *uint64, lp *LP) { Send(lp, lp.ID()^1, 0.5, note2{}) }
	for name, typ := range map[string]Type[uint64, note2]{
		"Init":   {Init: func(_ *uint64, lp *LP) { mistake(lp) }},
		"PreRun": {PreRun: func(_ *uint64, lp *LP) { mistake(lp) }},
		"Event":  {Init: send, Event: func(s *uint64, lp *LP, _ *Bits, _ *note2) { mistake(lp); send(s, lp) }},
		"Final":  {Final: func(_ *uint64, lp *LP) { mistake(lp) }},
	} {
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", name, synch), func(t *testing.T) {
				modeltest.Watch(t)
				typ.Name, typ.Saving = "wrong", SaveByDelta
				if typ.Event == nil {
					typ.Event = func(*uint64, *LP, *Bits, *note2) {}
				}
				all := typ
				only := func(f func(*uint64, *LP)) func(*uint64, *LP) { // of an LP on rank 1
					return func(s *uint64, lp *LP) {
						if f != nil && lp.ID() == 5 {
							f(s, lp)
						}
					}
				}
				all.Init, all.PreRun, all.Final = only(typ.Init), only(typ.PreRun), only(typ.Final)
				_, errs := runOnRanks(t, worldtest.New(3, testrand.Seed(t), 10), 3, func(_ int, c *Config) {
					c.Synch, c.NLP, c.End, c.ConsLookahead, c.MaxMemory = Scheduler(synch), 4, 20, 0.1, 16<<20
				}, all)
				for rank, err := range errs {
					require.ErrorContains(t, err, "gives up", "rank %d", rank)
					require.Equal(t, 1, ExitCode(err))
				}
				speakers := 0
				for _, err := range errs {
					if ShouldPrint(err) {
						speakers++
					}
				}
				require.Equal(t, 1, speakers)
			})
		}
	}
}
