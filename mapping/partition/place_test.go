// This file owns the tests of the mappings that are made, of their measures and of lookahead, and of runs: a model on
// a graph does the same with every mapping, and goes on from a checkpoint with another one.

package partition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
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
		m := mustMap(g.Mapping(o).Map(mapping.Shape{PEs: s.PEs, LPs: s.LPs, KPs: s.KPs}))
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
		again := mustMap(g.Mapping(o).Map(mapping.Shape{PEs: s.PEs, LPs: s.LPs, KPs: s.KPs}))
		require.Equal(t, m, again)
	}
}

// KPs follow the graph, too: a torus on four PEs of four KPs is cut into squares.
func TestKPsAreParts(t *testing.T) {
	g := torus(t, nil, 16, 16)
	m := mustMap(g.Mapping(Options{}).Map(mapping.Shape{PEs: 4, LPs: 256, KPs: 4}))
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
		"ross: partition: the run has 6 LPs, the graph 4: make the graph for the LPs of the run (Config.LPs, --lps, or Config.NLP, --nlp, for each PE)": {6, Options{}},
		"ross: partition: Options.Tolerance=2: give 0 to 1; 0 stands for 0.03":                                                                          {4, Options{Tolerance: 2}},
	} {
		for _, pes := range []int{1, 2} {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.Mapping = 3, pes, int(c.lps), g.Mapping(c.o)
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
	require.EqualError(t, err,
		"ross: partition: Quality: the mapping has 6 LPs, the graph 4: measure a mapping of the same LPs")
	_, err = g.Compare(2, Options{KeepBelow: 1})
	require.ErrorIs(t, err, ross.ErrUsage)
	_, err = g.Compare(0, Options{})
	require.ErrorIs(t, err, mapping.ErrShape)
}

func TestMeasuresAreThoseOfTheDefinition(t *testing.T) {
	g := made(t, 4, func(lp uint64) float64 { return float64(lp) },
		Link{A: 0, B: 1, Events: 1, Lookahead: 5}, Link{A: 1, B: 2, Events: 2, Lookahead: 4},
		Link{A: 3, B: 0, Events: 0.5, Lookahead: 3},
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

// least returns the least lookahead between parts.
func (g *Graph) least(part []uint32) float64 {
	least := math.Inf(1)
	for v := range part {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if part[v] != part[g.to[i]] {
				least = min(least, g.delays[i])
			}
		}
	}
	return least
}

// A ring is cut at two links. With equal events these are where lookahead is great.
func TestLinksOfLittleLookaheadAreCutLast(t *testing.T) {
	const n = 64
	var links []Link
	for lp := range uint64(n) {
		l := Link{A: lp, B: (lp + 1) % n, Events: 1, Lookahead: 0.5}
		if lp == 20 || lp == 20+n/2 {
			l.Lookahead = 4
		}
		links = append(links, l)
	}
	g := made(t, n, nil, links...)
	part, d := split(t, g, 2, Options{})
	require.Equal(t, 2.0, d.cut)
	require.Equal(t, 4.0, g.least(part))

	links[20].Lookahead, links[20].Events = 0, 0.9 // no lookahead at all is dearest
	part, _ = split(t, made(t, n, nil, links...), 2, Options{})
	require.Equal(t, part[20], part[21])
}

// blocks returns a grid of 16 x 16 in blocks of 4 x 4; links inside blocks have little lookahead, but
// hardly any events.
func blocks() (links []Link) {
	const n = 16
	id := func(x, y int) uint64 { return uint64(y*n + x) }
	link := func(a, b uint64, border bool) {
		l := Link{A: a, B: b, Events: 0.001, Lookahead: 1}
		if border {
			l.Events, l.Lookahead = 10, 2
		}
		links = append(links, l)
	}
	for y := range n {
		for x := range n {
			if x+1 < n {
				link(id(x, y), id(x+1, y), x%4 == 3)
			}
			if y+1 < n {
				link(id(x, y), id(x, y+1), y%4 == 3)
			}
		}
	}
	return links
}

func TestLinksBelowTheLimitAreKept(t *testing.T) {
	g := made(t, 256, nil, blocks()...)
	for _, k := range []uint64{2, 4, 8, 16} {
		part, free := split(t, g, k, Options{})
		require.Equal(t, 1.0, g.least(part), "these are cheaper")
		part, kept := split(t, g, k, Options{KeepBelow: 2})
		require.Equal(t, 2.0, g.least(part))
		require.Less(t, free.cut, kept.cut)
		for _, load := range kept.loads {
			require.Equal(t, float64(256/k), load)
		}
		bound, err := g.Bound(k, 0)
		require.NoError(t, err)
		require.Equal(t, 2.0, bound)
	}
	bound, err := g.Bound(17, 0)
	require.NoError(t, err)
	require.Equal(t, 1.0, bound, "a block is too large")
	bound, err = g.Bound(1, 0)
	require.NoError(t, err)
	require.True(t, math.IsInf(bound, 1))

	part, d := split(t, g, 2, Options{KeepBelow: 3})
	require.Zero(t, d.cut, "all links are kept")
	require.Equal(t, part, make([]uint32, 256))
}

// No division can have more lookahead than Bound returns.
func TestNoBalancedDivisionHasMoreLookaheadThanTheBound(t *testing.T) {
	r := newRand(t)
	for range 200 {
		g := randomGraph(r, 2+r.IntN(8))
		if g.delays == nil {
			continue
		}
		bound, err := g.Bound(2, 0.1)
		require.NoError(t, err)
		most, best := float64(g.total())/2*1.1, 0.0
		for set := range 1 << len(g.weight) {
			part := make([]uint32, len(g.weight))
			for v := range part {
				part[v] = uint32(set >> v & 1)
			}
			if d := g.divided(part, 2); slices.Max(d.loads) <= g.load.float(int64(most)) {
				best = max(best, g.least(part))
			}
		}
		require.LessOrEqual(t, best, bound)
	}
}

func TestLookaheadOfALoopDoesNotCount(t *testing.T) {
	g := made(t, 2, nil, Link{A: 0, B: 0, Events: 1, Lookahead: 1}, Link{A: 0, B: 1, Events: 1})
	require.Nil(t, g.delays)
	q, err := g.Quality(mustMap(mapping.NewLinear(2, 1, 1)))
	require.NoError(t, err)
	require.Equal(t, Quality{Cut: 1, Events: 2, Load: 2, Greatest: 1, PEs: 2}, q)
}

// walk is a model of walkers on a graph: each event goes on to a random neighbour.
type walk struct {
	first []int
	to    []uint32
}

// place is the state of an LP: a hash of all that came, in order. A message is a walker.
type place struct{ Hash uint64 }
type walker struct{ Steps uint64 }

// ahead is the least delay.
const ahead = 0.25

func (w walk) model() ross.Type[place] {
	return ross.Type[place]{
		Name:   "place",
		Saving: ross.SaveByDelta,
		Init: func(_ *place, lp *ross.LP) {
			for range 2 {
				w.step(lp, walker{})
			}
		},
		Event: ross.On(func(p *place, lp *ross.LP, m *walker) {
			p.Hash = p.Hash*6364136223846793005 + m.Steps + uint64(lp.Now()*4096)
			w.step(lp, walker{m.Steps + 1})
		}),
	}
}

func (w walk) step(lp *ross.LP, m walker) {
	row := w.to[w.first[lp.ID()]:w.first[lp.ID()+1]]
	to := row[lp.RNG().Integer(0, int64(len(row))-1)]
	ross.Send(lp, ross.LPID(to), ahead+lp.RNG().Exponential(1), m)
}

// mappings set the mapping of a run of the LPs of a graph.
func mappings(g *Graph) map[string]func(*ross.Config) {
	return map[string]func(*ross.Config){
		"linear":      func(c *ross.Config) { c.Mapping = mapping.Linear },
		"round robin": func(c *ross.Config) { c.Mapping = mapping.RoundRobin },
		"partition":   func(c *ross.Config) { c.Mapping = g.Mapping(Options{}) },
	}
}

func TestRunsAreTheSameWithEveryMapping(t *testing.T) {
	g := torus(t, rand.New(rand.NewPCG(1, 1)).Perm(144), 12, 12)
	model := walk{g.first, g.to}.model()
	run := func(set func(*ross.Config), synch ross.Scheduler, pes int) (string, *ross.Simulation) {
		sim := rosstest.RunLeg(t, rosstest.Leg{Configure: func(c *ross.Config) {
			c.LPs, c.End, c.Synch, c.PEs, c.NKP, c.ConsLookahead = int(g.LPs()), 40, synch, pes, 3, ahead
			c.Tuning.FixedKPs = true // otherwise events between PEs that share a processor stay on one PE
			set(c)
		}}, model)
		st := sim.Summary()
		return fmt.Sprintf("%016x %016x", *st.Digest, *st.StateDigest), sim
	}
	want, _ := run(mappings(g)["linear"], 1, 1)
	for name, set := range mappings(g) {
		got, _ := run(set, 1, 1)
		require.Equal(t, want, got, name)
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{4}, []int{2}) {
			for _, synch := range []ross.Scheduler{2, 3} {
				got, sim := run(set, synch, pes)
				require.Equal(t, want, got, "%s, --synch=%d --pes=%d", name, synch, pes)
				if name != "partition" || pes == 1 {
					continue
				}
				q, err := g.Quality(mustMap(g.Mapping(Options{}).Map(mapping.Shape{PEs: uint64(pes), LPs: g.LPs(), KPs: 3})))
				require.NoError(t, err)
				st := sim.Summary()
				share := float64(st.SendLocRemote) / float64(st.NetEvents())
				require.InDelta(t, q.Share(), share, 0.03, "the share that was promised")
			}
		}
	}
}

func TestCheckpointsGoOnWithAnotherMapping(t *testing.T) {
	g := torus(t, rand.New(rand.NewPCG(1, 1)).Perm(64), 8, 8)
	model := walk{g.first, g.to}.model()
	leg := func(from, to string, end float64, name string, synch ross.Scheduler, pes int) string {
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			c.LPs, c.End, c.Synch, c.PEs, c.NKP, c.ConsLookahead = int(g.LPs()), end, synch, pes, 3, ahead
			mappings(g)[name](c)
		}}, model)
		st := sim.Summary()
		return fmt.Sprintf("%016x %016x", *st.Digest, *st.StateDigest)
	}
	want := leg("", "", 30, "linear", 1, 1)
	for i, c := range testlevel.Pick([][2]int{{1, 2}, {4, 3}, {3, 4}, {2, 1}}, [][2]int{{4, 3}}, [][2]int{{2, 3}}) {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i))
		names := []string{"partition", "linear"}
		if i%2 == 1 {
			slices.Reverse(names)
		}
		leg("", file, 15, names[0], 3, c[0])
		require.Equal(t, want, leg(file, "", 30, names[1], 2, c[1]), "%s on %d PEs, then %s on %d", names[0], c[0], names[1],
			c[1])
		require.Equal(t, want, leg(file, "", 30, "partition", 3, c[1]))
	}
}
