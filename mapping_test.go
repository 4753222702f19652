// This file pins that the mapping of LPs is no part of the model: whatever it
// is, a run commits the same events.

package ross_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/rosstest"
)

// sum is a state that depends on all that an LP received, in order.
type sum struct{ Hash uint64 }

// seven is a model for seven LPs, for which each mapping below is made: every
// event goes on to one of them, and ties abound.
func seven() ross.Type[sum, word] {
	return ross.Type[sum, word]{
		Name: "seven",
		Init: func(_ *sum, lp *ross.LP) {
			for i := range 3 {
				ross.Send(lp, (lp.ID()+ross.LPID(i))%7, 1, word{N: int64(lp.ID())})
			}
		},
		Event: func(s *sum, lp *ross.LP, _ *ross.Bits, m *word) {
			s.Hash = s.Hash*6364136223846793005 + uint64(m.N) + uint64(lp.Now())
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 6)), float64(lp.RNG().Integer(0, 2)), word{N: m.N + 1})
		},
	}
}

// oneInSeven is the custom mapping of ROSS's guide on one PE: an LP's PE is its
// id modulo the number of PEs, its local index the quotient, and all are on
// one KP.
func oneInSeven(pes uint64) mapping.CustomFuncs {
	return mapping.CustomFuncs{
		PE:    func(gid uint64) uint64 { return gid % pes },
		Local: func(gid uint64) uint64 { return gid / pes },
		KP:    func(uint64, uint64) uint64 { return 0 },
	}
}

func TestMappingDoesNotChangeTheRun(t *testing.T) {
	linear := rosstest.Small()
	linear.NLP = 7
	results := func(t *testing.T, cfg ross.Config, typ ross.LPType) (digest uint64, states []sum, out rosstest.Outcome) {
		out = rosstest.Run(t, cfg, typ)
		require.EqualValues(t, 7, out.TotalLPs())
		for gid := range ross.LPID(7) {
			require.Equal(t, gid, out.LP(gid).ID())
			states = append(states, *ross.StateOf[sum](out.LP(gid)))
		}
		st := out.Stats()
		return *st.Digest, states, out
	}
	wantDigest, wantStates, _ := results(t, linear, seven())

	byType := seven()
	byType.Map = func(ross.LPID) ross.PEID { return 0 }
	custom := func(set func(*ross.Config)) ross.Config {
		cfg := rosstest.Small()
		cfg.Mapping, cfg.TotalLPs, cfg.NKP = mapping.Custom, 7, 1
		set(&cfg)
		return cfg
	}
	for name, c := range map[string]struct {
		cfg  ross.Config
		typ  ross.LPType
		name string
	}{
		"round robin":    {func() ross.Config { c := linear; c.Mapping = mapping.RoundRobin; return c }(), seven(), "round robin"},
		"many KPs":       {func() ross.Config { c := linear; c.NKP = 16; return c }(), seven(), "linear"},
		"the type's Map": {custom(func(*ross.Config) {}), byType, "model defined"},
		"Config.Custom":  {custom(func(c *ross.Config) { c.Custom = oneInSeven(1) }), seven(), "model defined"},
		"Config.Custom before the type's Map": {custom(func(c *ross.Config) { c.Custom = oneInSeven(1) }), func() ross.LPType {
			typ := seven()
			typ.Map = func(ross.LPID) ross.PEID { panic("asked") }
			return typ
		}(), "model defined"},
		"NLP instead of TotalLPs": {custom(func(c *ross.Config) {
			c.Custom, c.TotalLPs, c.NLP = oneInSeven(1), 0, 7
		}), seven(), "model defined"},
		"local indices backwards": {custom(func(c *ross.Config) {
			c.Custom = mapping.CustomFuncs{PE: oneInSeven(1).PE, Local: func(gid uint64) uint64 { return 6 - gid }}
		}), seven(), "model defined"},
		"local indices shuffled, a KP for each": {custom(func(c *ross.Config) {
			c.NKP = 7
			c.Custom = mapping.CustomFuncs{
				PE: oneInSeven(1).PE, Local: func(gid uint64) uint64 { return gid * 3 % 7 },
				KP: func(_, local uint64) uint64 { return 6 - local },
			}
		}), seven(), "model defined"},
	} {
		t.Run(name, func(t *testing.T) {
			digest, states, out := results(t, c.cfg, c.typ)
			require.Equal(t, wantStates, states)
			require.Equal(t, wantDigest, digest)
			st := out.Stats()
			require.Equal(t, c.name, st.Mapping)
			for i := range 7 {
				lp := out.PE(0).LP(i)
				require.Same(t, lp, out.LP(lp.ID()))
			}
			if c.cfg.Custom.KP != nil {
				require.EqualValues(t, c.cfg.Custom.KP(0, 2), out.PE(0).LP(2).KP().ID())
			}
		})
	}
}

// The digest is a function of what is committed: other seeds, an event more or
// another message change it, a second run does not.
func TestDigestTellsRunsApart(t *testing.T) {
	digest := func(cfg ross.Config, typ ross.LPType) uint64 {
		st := rosstest.Run(t, cfg, typ).Stats()
		return *st.Digest
	}
	cfg := rosstest.Small()
	cfg.NLP = 7
	want := digest(cfg, seven())
	require.Equal(t, want, digest(cfg, seven()))

	seen := map[uint64]string{want: "base"}
	differs := func(what string, cfg ross.Config, typ ross.LPType) {
		d := digest(cfg, typ)
		require.NotContains(t, seen, d, what)
		seen[d] = what
	}
	seeds, cores, longer := cfg, cfg, cfg
	seeds.Seeds = [4]uint64{1, 2, 3, 4}
	cores.CoreSeeds = [4]uint64{1, 2, 3, 4}
	longer.End = 101
	differs("the models' seeds", seeds, seven())
	differs("the cores' seeds: tie-breakers", cores, seven())
	differs("one time unit more", longer, seven())
	other := seven()
	other.Init = func(_ *sum, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{N: -1}) }
	differs("other messages", cfg, other)
	single := func(delay float64) ross.LPType { // one event, without a successor
		return ross.Type[sum, word]{
			Init:  func(_ *sum, lp *ross.LP) { ross.Send(lp, lp.ID(), delay, word{}) },
			Event: func(*sum, *ross.LP, *ross.Bits, *word) {},
		}
	}
	differs("a single event", cfg, single(1))
	differs("its time", cfg, single(1.5))
	differs("its tie-breaker", cores, single(1))
	out := rosstest.Run(t, cfg, seven())
	require.Regexp(t, `(?i)digest +[0-9a-f]{16}\n`, out.Report)
}
