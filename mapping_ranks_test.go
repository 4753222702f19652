// This file pins that LPs are where their mapping says, on any number of PEs and of
// ranks, that each rank knows the places of all, and that the events are the same.

package ross

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
)

// dealtSeven is the example of ROSS's guide to mappings: exactly 7 LPs, dealt out to any
// number of PEs, one KP on each.
func dealtSeven(c *Config) {
	c.Mapping, c.TotalLPs, c.NKP = mapping.Custom, 7, 1
	c.Custom.For = func(s mapping.Shape) mapping.CustomFuncs {
		return mapping.CustomFuncs{
			PE:    func(gid uint64) uint64 { return gid % s.PEs },
			Local: func(gid uint64) uint64 { return gid / s.PEs },
			KP:    func(_, _ uint64) uint64 { return 0 },
		}
	}
}

// inBlocks gives each PE consecutive LPs.
func inBlocks(s mapping.Shape) mapping.CustomFuncs {
	return mapping.CustomFuncs{PE: func(gid uint64) uint64 { return gid * s.PEs / s.LPs }}
}

type heard struct{ Hash uint64 }

// gossip is a type whose LPs send every event on to a random one of n.
func gossip(n uint64) Type[heard, loadMsg] {
	return Type[heard, loadMsg]{
		Name: "gossip",
		Init: func(_ *heard, lp *LP) { Send(lp, lp.ID(), 1, loadMsg{}) },
		Event: func(s *heard, lp *LP, _ *Bits, _ *loadMsg) {
			s.Hash = s.Hash*6364136223846793005 + uint64(lp.Now()*16)
			Send(lp, LPID(lp.RNG().Integer(0, int64(n)-1)), 0.5+lp.RNG().Unif(), loadMsg{})
		},
	}
}

// spread runs gossip of n LPs on ranks of pes PEs each, and returns the simulations.
func spread(t *testing.T, n uint64, ranks, pes, synch int, configure func(*Config), typ LPType) []*Simulation {
	t.Helper()
	seed := testrand.Seed(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 20), ranks, func(_ int, c *Config) {
		c.PEs, c.Synch, c.End, c.Digest, c.ConsLookahead, c.MaxMemory = pes, Scheduler(synch), 10, true, 0.5, 64<<20
		configure(c)
	}, typ)
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, n, sims[0].TotalLPs())
	return sims
}

// requirePlaces compares what ranks say of the places of LPs with the LPs that are there.
// Each of them knows the places of all.
func requirePlaces(t *testing.T, sims []*Simulation) {
	t.Helper()
	for id := range LPID(sims[0].TotalLPs()) {
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
				require.Nil(t, StateOf[heard](lp), "a nil LP has a nil state")
				require.Nil(t, sim.PE(p.PE).LP(p.Local), "a nil PE has no LPs")
				require.Nil(t, sim.PE(p.PE).KP(0), "nor KPs")
				continue
			}
			holders++
			require.Equal(t, id, lp.ID())
			require.Equal(t, p, Place{Rank: sim.Rank(), PE: lp.PE().ID(), KP: lp.KP().ID(), Local: lp.Local()})
			require.Same(t, lp, sim.PE(p.PE).LP(p.Local))
			require.NotNil(t, StateOf[heard](lp))
		}
		require.Equal(t, 1, holders, "LP %d", id)
	}
	for _, sim := range sims {
		_, ok := sim.Place(LPID(sim.TotalLPs()))
		require.False(t, ok)
		for pe := range PEID(sim.NumPEs() + 1) {
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
	want := *spread(t, 7, 1, 1, 1, dealtSeven, gossip(7))[0].Stats().Digest
	for _, c := range []struct{ ranks, pes int }{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 1}, {2, 3}, {3, 2}, {7, 1}} {
		t.Run(fmt.Sprintf("ranks=%d/pes=%d", c.ranks, c.pes), func(t *testing.T) {
			sims := spread(t, 7, c.ranks, c.pes, 2+c.pes%2, dealtSeven, gossip(7))
			npe := LPID(c.ranks * c.pes)
			for rank, sim := range sims {
				require.Equal(t, want, *sim.Stats().Digest)
				for id := range LPID(7) {
					p, _ := sim.Place(id)
					require.Equal(t, Place{Rank: int(id%npe) / c.pes, PE: PEID(id % npe), Local: int(id / npe)}, p, "rank %d, LP %d", rank, id)
				}
			}
			requirePlaces(t, sims)
		})
	}
}

// TestMappingsSpreadLPsOverAllRanks has mappings that know the number of PEs from what
// they are told alone: each rank gets its share.
func TestMappingsSpreadLPsOverAllRanks(t *testing.T) {
	const lps = 26
	byType := func(pes uint64) LPType {
		typ := gossip(lps)
		typ.Map = func(gid LPID) PEID { return PEID(uint64(gid) * pes / lps) } // NumPEs, in a model
		return typ
	}
	plain := func(uint64) LPType { return gossip(lps) }
	fixed := func(c *Config) { c.Mapping, c.TotalLPs, c.NKP = mapping.Custom, lps, 3 }
	for name, c := range map[string]struct {
		configure func(*Config)
		typ       func(pes uint64) LPType
	}{
		"in blocks": {func(c *Config) {
			fixed(c)
			c.Custom.For = inBlocks
		}, plain},
		"all functions": {func(c *Config) {
			fixed(c)
			c.Custom.For = func(s mapping.Shape) mapping.CustomFuncs {
				last := func(pe uint64) uint64 { return (s.LPs - 1 - pe) / s.PEs }
				return mapping.CustomFuncs{
					PE:    func(gid uint64) uint64 { return gid % s.PEs },
					Local: func(gid uint64) uint64 { return last(gid%s.PEs) - gid/s.PEs },
					KP:    func(pe, local uint64) uint64 { return (last(pe) - local) % s.KPs },
				}
			}
		}, plain},
		"the type's Map": {fixed, byType},
	} {
		want := *spread(t, lps, 1, 1, 1, c.configure, c.typ(1))[0].Stats().Digest
		for _, on := range []struct{ ranks, pes, synch int }{{1, 4, 2}, {2, 2, 3}, {4, 1, 3}} {
			t.Run(fmt.Sprintf("%s/ranks=%d/pes=%d/synch=%d", name, on.ranks, on.pes, on.synch), func(t *testing.T) {
				sims := spread(t, lps, on.ranks, on.pes, on.synch, c.configure, c.typ(uint64(on.ranks*on.pes)))
				for _, sim := range sims {
					require.Equal(t, want, *sim.Stats().Digest)
					for i := range on.pes {
						require.GreaterOrEqual(t, sim.PE(PEID(sim.Rank()*on.pes+i)).NumLPs(), lps/4)
					}
				}
				requirePlaces(t, sims)
			})
		}
	}
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		requirePlaces(t, spread(t, 24, 2, 2, 3, func(c *Config) { c.Mapping, c.NLP, c.NKP = kind, 6, 4 }, gossip(24)))
	}
}

// TestPlacesAreUnknownWithoutLPs asks before Define and after Close.
func TestPlacesAreUnknownWithoutLPs(t *testing.T) {
	sim, err := New(DefaultConfig())
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
		cfg := DefaultConfig()
		cfg.PEs, cfg.Synch, cfg.NLP, cfg.End = 2, 3, 4, 10
		if custom {
			cfg.Mapping, cfg.TotalLPs = mapping.Custom, 8
			cfg.Custom.For = inBlocks
		}
		var sim *Simulation
		cfg.TypeMap = func(gid LPID) int {
			if uint64(gid) == sim.TotalLPs()-1 {
				return 1
			}
			return 0
		}
		sim, err := New(cfg)
		require.NoError(t, err)
		require.EqualValues(t, 8, sim.TotalLPs(), "known from New on")
		require.NoError(t, sim.Define(gossip(8), last))
		require.Equal(t, "last", sim.LP(7).TypeName())
		require.Equal(t, "gossip", sim.LP(6).TypeName())
		require.NoError(t, sim.Close())
	}
}
