// LPs are where their mapping says, and any number of them runs on any number of PEs.

package run_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
)

// dealtSeven is the example of ROSS's guide to mappings: exactly 7 LPs, dealt out to any
// number of PEs, one KP on each.
func dealtSeven(c *ross.Config) {
	c.LPs, c.NKP = 7, 1
	c.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{
			PE:    func(gid uint64) uint64 { return gid % s.PEs },
			Local: func(gid uint64) uint64 { return gid / s.PEs },
			KP:    func(_, _ uint64) uint64 { return 0 },
		}, nil
	})
}

// inBlocks gives each PE consecutive LPs.
func inBlocks(s mapping.Shape) (mapping.Places, error) {
	return mapping.Places{PE: func(gid uint64) uint64 { return gid * s.PEs / s.LPs }}, nil
}

type heard struct{ Hash uint64 }

// gossip is a type whose LPs send every event on to a random one of n.
func gossip(n uint64) ross.Type[heard] {
	return ross.Type[heard]{
		Name: "gossip",
		Init: func(_ *heard, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, loadMsg{}) },
		Event: ross.On(func(s *heard, lp *ross.LP, _ *loadMsg) {
			s.Hash = s.Hash*6364136223846793005 + uint64(lp.Now()*16)
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(n)-1)), 0.5+lp.RNG().Unif(), loadMsg{})
		}),
	}
}

// spread runs gossip of n LPs on ranks of pes PEs each, and returns the simulations.
func spread(t *testing.T, n uint64, ranks, pes, synch int, configure func(*ross.Config),
	typ ross.LPType) []*ross.Simulation {
	t.Helper()
	seed := testrand.Seed(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(_ int, c *ross.Config) {
		c.PEs, c.Synch, c.End, c.Digest, c.ConsLookahead, c.MaxMemory = pes, ross.Scheduler(synch), 10, true, 0.5, 64<<20
		configure(c)
	}, typ)
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, n, uint64(sims[0].TotalLPs()))
	return sims
}

// requirePlaces compares what ranks say of the places of LPs with the LPs that are there.
// Each of them knows the places of all.
func requirePlaces(t *testing.T, sims []*ross.Simulation) {
	t.Helper()
	for id := range ross.LPID(sims[0].TotalLPs()) {
		want, ok := sims[0].Place(id)
		require.True(t, ok)
		holders := 0
		for rank, sim := range sims {
			p, ok := sim.Place(id)
			require.True(t, ok)
			require.Equal(t, want, p, "rank %d, LP %d", rank, id)
			back, ok := sim.LPAt(p.PE, p.Local)
			require.True(t, ok)
			require.Equal(t, id, back)
			lp := sim.LP(id)
			if p.Rank != rank {
				require.Nil(t, lp, "rank %d, LP %d", rank, id)
				require.Nil(t, ross.StateOf[heard](lp), "a nil LP has a nil state")
				require.Nil(t, sim.PE(p.PE).LP(p.Local), "a nil PE has no LPs")
				require.Nil(t, sim.PE(p.PE).KP(0), "nor KPs")
				continue
			}
			holders++
			require.Equal(t, id, lp.ID())
			require.Equal(t, p, ross.Place{Rank: sim.Rank(), PE: lp.PE().ID(), KP: lp.KP().ID(), Local: lp.Local()})
			require.Same(t, lp, sim.PE(p.PE).LP(p.Local))
			require.NotNil(t, ross.StateOf[heard](lp))
		}
		require.Equal(t, 1, holders, "LP %d", id)
	}
	for _, sim := range sims {
		_, ok := sim.Place(ross.LPID(sim.TotalLPs()))
		require.False(t, ok)
		for pe := range ross.PEID(uint64(sim.NumPEs()) + 1) {
			n := 0
			for ; ; n++ {
				if _, ok := sim.LPAt(pe, n); !ok {
					break
				}
			}
			_, ok := sim.LPAt(pe, -1)
			require.False(t, ok)
			if here := sim.PE(pe); here != nil {
				require.Equal(t, here.NumLPs(), n)
			}
		}
	}
}

// TestSevenLPsOfTheGuideRunOnOneToSevenPEs runs the guide's example as it is meant: the
// local id is the quotient, whatever the number of PEs, and the events are the same.
func TestSevenLPsOfTheGuideRunOnOneToSevenPEs(t *testing.T) {
	want := *spread(t, 7, 1, 1, 1, dealtSeven, gossip(7))[0].Summary().Digest
	for _, c := range []struct{ ranks, pes int }{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 1}, {2, 3},
		{3, 2}, {7, 1}} {
		t.Run(fmt.Sprintf("ranks=%d/pes=%d", c.ranks, c.pes), func(t *testing.T) {
			sims := spread(t, 7, c.ranks, c.pes, 2+c.pes%2, dealtSeven, gossip(7))
			npe := ross.LPID(c.ranks * c.pes)
			for rank, sim := range sims {
				require.Equal(t, want, *sim.Summary().Digest)
				for id := range ross.LPID(7) {
					p, _ := sim.Place(id)
					require.Equal(t, ross.Place{Rank: int(id%npe) / c.pes, PE: ross.PEID(id % npe), Local: int(id / npe)}, p,
						"rank %d, LP %d", rank, id)
				}
			}
			requirePlaces(t, sims)
		})
	}
}

// dealt is a mapping with a type of its own.
type dealt struct{}

func (dealt) Map(s mapping.Shape) (*mapping.Map, error) {
	return mapping.NewEven(mapping.RoundRobin, s.PEs, s.LPs, s.KPs)
}

// TestMappingsSpreadLPsOverAllRanks has mappings that know the number of PEs from what
// they are reported alone: each rank gets its share.
func TestMappingsSpreadLPsOverAllRanks(t *testing.T) {
	const lps = 26
	plain := func(uint64) ross.LPType { return gossip(lps) }
	fixed := func(c *ross.Config) { c.LPs, c.NKP = lps, 3 }
	for name, c := range map[string]struct {
		configure func(*ross.Config)
		typ       func(pes uint64) ross.LPType
	}{
		"in blocks": {func(c *ross.Config) {
			fixed(c)
			c.Mapping = mapping.For(inBlocks)
		}, plain},
		"all functions": {func(c *ross.Config) {
			fixed(c)
			c.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
				last := func(pe uint64) uint64 { return (s.LPs - 1 - pe) / s.PEs }
				return mapping.Places{
					PE:    func(gid uint64) uint64 { return gid % s.PEs },
					Local: func(gid uint64) uint64 { return last(gid%s.PEs) - gid/s.PEs },
					KP:    func(pe, local uint64) uint64 { return (last(pe) - local) % s.KPs },
				}, nil
			})
		}, plain},
		"another type of mapping": {func(c *ross.Config) {
			fixed(c)
			c.Mapping = dealt{}
		}, plain},
	} {
		want := *spread(t, lps, 1, 1, 1, c.configure, c.typ(1))[0].Summary().Digest
		for _, on := range []struct{ ranks, pes, synch int }{{1, 4, 2}, {2, 2, 3}, {4, 1, 3}} {
			t.Run(fmt.Sprintf("%s/ranks=%d/pes=%d/synch=%d", name, on.ranks, on.pes, on.synch), func(t *testing.T) {
				sims := spread(t, lps, on.ranks, on.pes, on.synch, c.configure, c.typ(uint64(on.ranks*on.pes)))
				for _, sim := range sims {
					require.Equal(t, want, *sim.Summary().Digest)
					for i := range on.pes {
						require.GreaterOrEqual(t, sim.PE(ross.PEID(sim.Rank()*on.pes+i)).NumLPs(), lps/4)
					}
				}
				requirePlaces(t, sims)
			})
		}
	}
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		requirePlaces(t, spread(t, 24, 2, 2, 3, func(c *ross.Config) { c.Mapping, c.NLP, c.NKP = kind, 6, 4 }, gossip(24)))
	}
}

// TestPlacesAreUnknownWithoutLPs asks before Define and after Close.
func TestPlacesAreUnknownWithoutLPs(t *testing.T) {
	sim, err := ross.New(ross.DefaultConfig())
	require.NoError(t, err)
	unknown := func() {
		_, ok := sim.Place(0)
		require.False(t, ok)
		_, ok = sim.LPAt(0, 0)
		require.False(t, ok)
	}
	unknown()
	require.NoError(t, sim.Define(gossip(8)))
	_, ok := sim.LPAt(0, 7)
	require.True(t, ok)
	require.NoError(t, sim.Close())
	unknown()
}

// TestTypeMapMayAskForTheNumberOfLPs has the last LP of the run be of a type of its own.
func TestTypeMapMayAskForTheNumberOfLPs(t *testing.T) {
	last := gossip(8)
	last.Name = "last"
	for _, custom := range []bool{false, true} {
		cfg := ross.DefaultConfig()
		cfg.PEs, cfg.Synch, cfg.NLP, cfg.End = 2, 3, 4, 10
		if custom {
			cfg.Mapping, cfg.LPs = mapping.For(inBlocks), 8
		}
		var sim *ross.Simulation
		cfg.TypeMap = func(gid ross.LPID) int {
			if uint64(gid) == uint64(sim.TotalLPs())-1 {
				return 1
			}
			return 0
		}
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.EqualValues(t, 8, sim.TotalLPs(), "known from New on")
		require.NoError(t, sim.Define(gossip(8), last))
		require.Equal(t, "last", sim.LP(7).TypeName())
		require.Equal(t, "gossip", sim.LP(6).TypeName())
		require.NoError(t, sim.Close())
	}
}

// The number of LPs need not be a multiple of the number of PEs: with any
// mapping, scheduler and number of ranks, a model of Config.LPs LPs commits the same events.

func TestAnyNumberOfLPsRunsOnAnyNumberOfPEs(t *testing.T) {
	testkit.Watch(t)
	for _, lps := range []uint64{1, 7, 26} {
		sized := func(kind mapping.Kind) func(*ross.Config) {
			return func(c *ross.Config) { c.LPs, c.Mapping, c.NLP, c.NKP = int(lps), kind, 0, 3 }
		}
		want := *spread(t, lps, 1, 1, 1, sized(mapping.Linear), gossip(lps))[0].Summary().Digest
		for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
			for _, on := range []struct{ ranks, pes, synch int }{{1, 1, 6}, {1, 2, 3}, {1, 3, 2}, {1, 4, 3}, {2, 1, 3},
				{2, 2, 2}, {3, 2, 3}} {
				if testlevel.Is(testlevel.Few) && on.ranks*on.pes != 4 {
					continue
				}
				t.Run(fmt.Sprintf("lps=%d/%v/ranks=%d/pes=%d/synch=%d", lps, kind, on.ranks, on.pes, on.synch), func(t *testing.T) {
					sims := spread(t, lps, on.ranks, on.pes, on.synch, sized(kind), gossip(lps))
					for _, sim := range sims {
						require.Equal(t, want, *sim.Summary().Digest)
						require.Equal(t, lps, sim.Summary().TotalLPs)
					}
					requirePlaces(t, sims)
				})
			}
		}
	}
}

// The kitchen does everything that an event can do.
func TestUnevenPEsUndoEverything(t *testing.T) {
	want, _ := cook(t, false, 4, nil)
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		got, sim := cook(t, false, 4, func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.Mapping, c.LPs = 3, 5, 2, kind, kitchenLPs
			c.Tuning.GVTInterval = 1
		})
		require.Equal(t, want, got, kind)
		require.NotEqual(t, sim.PE(0).NumLPs(), sim.PE(4).NumLPs())
	}
}

func TestSamplesAndStatsOfUnevenPEs(t *testing.T) {
	dir := t.TempDir()
	const lps = 7
	spread(t, lps, 1, 3, 3, func(c *ross.Config) {
		c.LPs, c.Instruments.Engine, c.Instruments.LPs, c.Instruments.EveryGVTs, c.Instruments.Path, c.Dir =
			lps, ross.SampleByGVT, true, 1, filepath.Join(dir, "stats"), dir
	}, gossip(lps))
	seen := map[uint64]bool{}
	for _, r := range testkit.Records(t, filepath.Join(dir, "stats"), instr.GVTSuffix) {
		if r.Kind == instr.KindLP {
			seen[uint64(r.LP.LP)] = true
		}
	}
	require.Len(t, seen, lps)
	for pe, n := range []int{3, 2, 2} {
		require.Regexp(t, fmt.Sprintf(`^([^\n]+\n){%d,%d}$`, n, n+2),
			testkit.Content(t, dir, "ross_all_lp_stats", fmt.Sprintf("pe_%d.txt", pe)))
	}
}

func TestPEsThatTheSizeLeavesEmptyAreHinted(t *testing.T) {
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		hints, _ := hinted(t, 1, func(c *ross.Config) {
			c.Synch, c.PEs, c.End, c.LPs, c.Mapping = 3, 4, 10, 2, kind
		}, gossip(2))
		require.Equal(t, []string{"PEs 2 to 3 have no LPs: the run has 2 LPs for 4 PEs; use fewer PEs"}, hints)
	}
}

func TestNumberOfLPsOnTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		args     []string
		standard uint64 // Config.LPs before the options
		total    uint64 // on 3 PEs
		err      string
	}{
		{nil, 0, 24, ""},
		{nil, 10, 10, ""},
		{[]string{"--nlp=5"}, 0, 15, ""},
		{[]string{"--nlp=5"}, 10, 15, ""},
		{[]string{"--lps=5"}, 0, 5, ""},
		{[]string{"--lps=5"}, 10, 5, ""},
		{[]string{"--lps=0"}, 10, 24, ""},
		{[]string{"--lps=0", "--nlp=2"}, 10, 6, ""},
		{[]string{"--nlp=2", "--lps=5", "--lps=7"}, 0, 0,
			"ross: options --nlp=2 and --lps=7: the first is the number of LPs on each PE, the second that on all PEs together; give one of them"},
		{[]string{"--lps=6", "--nlp=2"}, 0, 0,
			"ross: options --nlp=2 and --lps=6: the first is the number of LPs on each PE, the second that on all PEs together; give one of them"},
		{[]string{"--nlp=0"}, 10, 0, "ross: option --nlp=0: out of range; give 1 or more"},
	} {
		t.Run(fmt.Sprint(c.args, c.standard), func(t *testing.T) {
			cfg := ross.DefaultConfig()
			cfg.PEs, cfg.Synch, cfg.LPs = 3, 3, int(c.standard)
			o := ross.NewOptions("sizes")
			cfg.RegisterLPs(o.Group("Sizes"))
			cfg.Register(o)
			_, err := o.Parse(c.args)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				require.ErrorIs(t, err, ross.ErrUsage)
				return
			}
			require.NoError(t, err)
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.Equal(t, c.total, uint64(sim.TotalLPs()))
			require.NoError(t, sim.Define(gossip(c.total)))
			require.Equal(t, c.total, uint64(sim.TotalLPs()))
		})
	}
	cfg := ross.DefaultConfig()
	cfg.LPs = 1 << 40
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.EqualError(t, sim.Define(gossip(8)),
		"ross: mapping shape: --lps=1099511627776: give 1 to 4294967295 LPs on all PEs together")
}
