// This file owns the tests of the mappings that are made, and of their measures.

package partition

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/mapping"
)

func mustMap(m *mapping.Map, err error) *mapping.Map {
	if err != nil {
		panic(err)
	}
	return m
}

func TestMappingHasEachLPOnceAndKPsInOrder(t *testing.T) {
	r := newRand(t)
	for range testlevel.Times(30, 5) {
		g := randomGraph(r, 1+r.IntN(200))
		o := Options{Seed: r.Uint64()}
		if r.IntN(4) == 0 && g.delays != nil {
			o.KeepBelow = 2
		}
		s := mapping.Shape{PEs: 1 + r.Uint64N(9), KPs: 1 + r.Uint64N(9), LPs: g.LPs()}
		m := mustMap(mapping.NewCustom(s.PEs, s.LPs, s.KPs, g.Funcs(o)))
		part, err := g.Split(s.PEs, o)
		require.NoError(t, err)
		seen := map[uint64]bool{}
		for pe := range s.PEs {
			kp, gid := uint64(0), uint64(0)
			for local := range m.NumLPs(pe) {
				lp := m.GID(pe, local)
				require.False(t, seen[lp])
				seen[lp] = true
				require.EqualValues(t, part[lp], pe)
				now := m.KP(pe, local)
				require.GreaterOrEqual(t, now, kp)
				if now == kp {
					require.GreaterOrEqual(t, lp, gid)
				}
				kp, gid = now, lp
			}
		}
		require.Len(t, seen, int(g.LPs()))
		require.Equal(t, s.PEs == 1, m.Identity(), "one PE has its LPs in order")

		// Each rank makes the graph and the mapping for itself.
		again := mustMap(mapping.NewCustom(s.PEs, s.LPs, s.KPs, g.Funcs(o)))
		require.Equal(t, m, again)
	}
}

// KPs follow the graph, too: a torus on four PEs of four KPs is cut into squares.
func TestKPsAreParts(t *testing.T) {
	g := torus(t, nil, 16, 16)
	m := mustMap(mapping.NewCustom(4, 256, 4, g.Funcs(Options{})))
	part := make([]uint32, 256)
	for lp := range part {
		pe, local := m.Locate(uint64(lp))
		part[lp] = uint32(4*pe + m.KP(pe, local))
	}
	d := g.divided(part, 16)
	require.LessOrEqual(t, d.cut, 1.1*128)
	for _, load := range d.loads {
		require.Equal(t, 16.0, load)
	}
}

func TestMistakesAreErrorsOfTheMapping(t *testing.T) {
	g := made(t, 4, nil, Link{A: 0, B: 1, Events: 1})
	for want, c := range map[string]struct {
		lps uint64
		o   Options
	}{
		"ross: partition: the run has 6 LPs, the graph 4: make the graph for the LPs of the run (TotalLPs, or NLP for each PE)": {6, Options{}},
		"ross: partition: Options.Tolerance=2: give 0 to 1; 0 stands for 0.03":                                                  {4, Options{Tolerance: 2}},
	} {
		for _, pes := range []int{1, 2} {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.Mapping, cfg.Custom = 3, pes, c.lps, mapping.Custom, g.Funcs(c.o)
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			err = sim.Define(walk{}.model())
			require.NoError(t, sim.Close())
			require.EqualError(t, err, want)
			require.ErrorIs(t, err, ross.ErrUsage)
			require.Equal(t, 2, ross.ExitCode(err))
		}
	}
	_, err := g.Quality(mustMap(mapping.NewLinear(2, 3, 1)))
	require.EqualError(t, err, "ross: partition: Quality: the mapping has 6 LPs, the graph 4: measure a mapping of the same LPs")
	_, err = g.Compare(2, Options{KeepBelow: 1})
	require.ErrorIs(t, err, ross.ErrUsage)
	_, err = g.Compare(0, Options{})
	require.ErrorIs(t, err, mapping.ErrShape)
}

func TestMeasuresAreThoseOfTheDefinition(t *testing.T) {
	g := made(t, 4, func(lp uint64) float64 { return float64(lp) },
		Link{A: 0, B: 1, Events: 1, Lookahead: 5}, Link{A: 1, B: 2, Events: 2, Lookahead: 4}, Link{A: 3, B: 0, Events: 0.5, Lookahead: 3},
		Link{A: 2, B: 3, Events: 4, Lookahead: 1}, Link{A: 2, B: 2, Events: 2.5, Lookahead: 0.1})
	q, err := g.Quality(mustMap(mapping.NewLinear(2, 2, 1)))
	require.NoError(t, err)
	require.Equal(t, Quality{Cut: 2.5, Events: 10, Load: 6, Greatest: 5, PEs: 2, Lookahead: 3}, q)
	require.Equal(t, 0.25, q.Share())
	require.InDelta(t, 2.0/3, q.Imbalance(), 1e-15)
	require.Equal(t, "cut 2.5 of 10 events (25.0 %), imbalance 66.7 %, least lookahead 3", q.String())

	q, err = g.Quality(mustMap(mapping.NewRoundRobin(2, 2, 1)))
	require.NoError(t, err)
	require.Equal(t, Quality{Cut: 7.5, Events: 10, Load: 6, Greatest: 4, PEs: 2, Lookahead: 1}, q)
	q, err = g.Quality(mustMap(mapping.NewLinear(1, 4, 1)))
	require.NoError(t, err)
	require.Equal(t, Quality{Events: 10, Load: 6, Greatest: 6, PEs: 1, Lookahead: math.Inf(1)}, q)
	require.Equal(t, "cut 0 of 10 events (0.0 %), imbalance 0.0 %, nothing crosses", q.String())
	require.Zero(t, Quality{}.Share())
	require.Zero(t, Quality{}.Imbalance())

	none := made(t, 4, nil, Link{A: 0, B: 2, Events: 1})
	q, err = none.Quality(mustMap(mapping.NewLinear(2, 2, 1)))
	require.NoError(t, err)
	require.Zero(t, q.Lookahead, "no link has any")
}

func TestComparisonIsATable(t *testing.T) {
	permuted := newRand(t).Perm(256)
	c, err := torus(t, permuted, 16, 16).Compare(2, Options{})
	require.NoError(t, err)
	require.Equal(t, 32.0, c.Partition.Cut)
	require.Equal(t, 512.0, c.Linear.Events)
	require.Greater(t, c.Linear.Cut, 150.0)
	require.Greater(t, c.RoundRobin.Cut, 150.0)
	require.Equal(t, fmt.Sprintf(`mapping               cut    share  imbalance  least lookahead
linear       %12.6g  %5.1f %%      0.0 %%  0
round robin  %12.6g  %5.1f %%      0.0 %%  0
partition              32    6.2 %%      0.0 %%  0
`, c.Linear.Cut, 100*c.Linear.Share(), c.RoundRobin.Cut, 100*c.RoundRobin.Share()), c.String())

	c, err = made(t, 4, nil, clique(0, 2)...).Compare(2, Options{})
	require.NoError(t, err)
	require.Contains(t, c.String(), "partition               0    0.0 %      0.0 %  nothing crosses\n")
}
