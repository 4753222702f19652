// This file owns the tests of divisions: against the least cuts that are known or can be found by trying all, for
// balance, for graphs of unusual shape, and under the fuzzer; and the benchmark of the time that a division takes.

package partition

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/stretchr/testify/require"
)

func TestKnownBisectionsAreFound(t *testing.T) {
	type network struct {
		name string
		net  lattice
		cut  float64
	}
	all := []network{
		{"torus 12 x 12 x 12", lattice{[]int{12, 12, 12}, true}, 2 * 12 * 12},
		{"ring of 1000", lattice{[]int{1000}, true}, 2},
		{"line of 1000", lattice{[]int{1000}, false}, 1},
		{"grid 10 x 20", lattice{[]int{10, 20}, false}, 10},
		{"grid 30 x 30", lattice{[]int{30, 30}, false}, 30},
	}
	for _, k := range testlevel.Pick([]int{4, 6, 8, 10, 16, 32, 64}, []int{4, 16}, []int{8}) {
		all = append(all, network{fmt.Sprintf("torus %d x %d", k, k), lattice{[]int{k, k}, true}, float64(2 * k)})
	}
	for d := 1; d <= 9; d++ {
		cube := lattice{slices.Repeat([]int{2}, d), false}
		all = append(all, network{fmt.Sprint("hypercube ", d), cube, float64(int(1) << (d - 1))})
	}
	for _, n := range all {
		lps := n.net.lps()
		for seed := range uint64(testlevel.Times(3, 1)) {
			var permuted []int
			if seed > 0 {
				permuted = rand.New(rand.NewPCG(seed, 0)).Perm(lps)
			}
			g, err := FromLinks(uint64(lps), nil, n.net.links(permuted))
			require.NoError(t, err)
			_, d := split(t, g, 2, Options{Seed: seed})
			require.Equal(t, n.cut, d.cut, "%s, seed %d", n.name, seed)
			require.LessOrEqual(t, max(d.loads[0], d.loads[1]), max(math.Ceil(float64(lps)/2), float64(lps)/2*1.03))
		}
	}
}

func TestTwoCliquesAreCutAtTheirBridge(t *testing.T) {
	for _, n := range []uint64{2, 3, 10, 100} {
		links := append(clique(0, n), clique(n, n)...)
		links = append(links, Link{A: n - 1, B: 2*n - 1, Events: 1})
		part, d := split(t, made(t, 2*n, nil, links...), 2, Options{})
		require.Equal(t, 1.0, d.cut)
		for lp := range 2 * n {
			require.Equal(t, part[lp/n*n], part[lp])
		}
	}
}

// Cliques in a ring: eight PEs have one each, and as many links are cut as there are bridges.
func TestEachPEGetsAClique(t *testing.T) {
	const k, n = 8, 20
	var links []Link
	for c := range uint64(k) {
		links = append(links, clique(c*n, n)...)
		links = append(links, Link{A: c * n, B: (c + 1) % k * n, Events: 1})
	}
	_, d := split(t, made(t, k*n, nil, links...), k, Options{})
	require.Equal(t, float64(k), d.cut)
	for _, load := range d.loads {
		require.EqualValues(t, n, load)
	}
}

// Trying all divisions of small graphs in two finds nothing better, but for a few graphs.
func TestSmallGraphsAreDividedAsWellAsCanBe(t *testing.T) {
	r := newRand(t)
	times, missed := testlevel.Times(400, 40), 0
	for range times {
		g := randomGraph(r, 2+r.IntN(9))
		costs := g.costs()
		k0, k := uint64(1+r.IntN(2)), uint64(2)
		if k0 == 2 {
			k = 3
		}
		random := random(r.Uint64())
		s := splitter{most: costs.mostOf(k, DefaultTolerance), repeats: costs.repeats()}
		side := s.bisected(costs, k0, k, &random)
		most := s.bounds(shares(costs.total(), k0, k), k0, k)
		got := newCut(costs, side, most).quality()

		best := quality{math.MaxInt64, 0}
		for set := range 1 << len(side) {
			tried := make([]uint8, len(side))
			for v := range tried {
				tried[v] = uint8(set >> v & 1)
			}
			if q := newCut(costs, tried, most).quality(); q.better(best) {
				best = q
			}
		}
		require.False(t, got.better(best))
		if best.better(got) {
			missed++
		}
	}
	require.LessOrEqual(t, missed, times/20+4) // 1.2 % on average, with loads that are hard to balance
}

// Equal loads are as even as the tolerance demands, or as whole LPs can be; others to within the
// heaviest LP.
func TestPartsAreBalanced(t *testing.T) {
	r := newRand(t)
	for range testlevel.Times(100, 10) {
		lps := 1 + r.IntN(400)
		k := 1 + r.Uint64N(20)
		tolerance := []float64{0, 0.01, 0.1, 0.5}[r.IntN(4)]
		g := randomGraph(r, lps)
		_, d := split(t, g, k, Options{Tolerance: tolerance, Seed: r.Uint64()})
		if tolerance == 0 {
			tolerance = DefaultTolerance
		}
		sum, greatest, heaviest, equal := 0.0, 0.0, 0.0, true
		for _, load := range d.loads {
			sum += load
			greatest = max(greatest, load)
		}
		for _, w := range g.weight {
			heaviest = max(heaviest, g.load.float(w))
			equal = equal && w == g.weight[0]
		}
		mean := sum / float64(k)
		bound := mean*(1+tolerance) + heaviest
		if equal {
			bound = max(mean*(1+tolerance), heaviest*math.Ceil(mean/heaviest-1e-9))
		}
		require.LessOrEqual(t, greatest, bound*(1+1e-9), "%v on %d, tolerance %v, equal %v", g, k, tolerance, equal)
	}
}

func TestGreaterToleranceNeedsNoGreaterCut(t *testing.T) {
	links := append(clique(0, 60), clique(60, 40)...)
	g := made(t, 100, nil, append(links, Link{A: 0, B: 99, Events: 1})...)
	_, strict := split(t, g, 2, Options{})
	_, loose := split(t, g, 2, Options{Tolerance: 0.2})
	require.Greater(t, strict.cut, 400.0)
	require.Equal(t, divided{1, []float64{60, 40}},
		divided{loose.cut, []float64{max(loose.loads[0], loose.loads[1]), min(loose.loads[0], loose.loads[1])}})
}

func TestAHeavyHubHasAPEAlone(t *testing.T) {
	g := made(t, 1001, func(lp uint64) float64 {
		if lp == 0 {
			return 1000
		}
		return 1
	}, star(1001)...)
	part, d := split(t, g, 2, Options{})
	require.GreaterOrEqual(t, d.loads[part[0]], 1000.0)
	require.LessOrEqual(t, max(d.loads[0], d.loads[1]), 1030.0)
	require.GreaterOrEqual(t, d.cut, 970.0)
}

func TestUnusualGraphs(t *testing.T) {
	for name, c := range map[string]struct {
		lps   uint64
		load  func(uint64) float64
		links []Link
		k     uint64
		cut   float64
		most  float64 // load of a part
	}{
		"no LPs":                   {0, nil, nil, 3, 0, 0},
		"one LP":                   {1, nil, []Link{{A: 0, B: 0, Events: 3}}, 3, 0, 1},
		"no links":                 {1000, nil, nil, 7, 0, 147},
		"a star":                   {1000, nil, star(1000), 2, 485, 515},
		"a star without balance":   {1000, func(uint64) float64 { return 0 }, star(1000), 2, 485, 515},
		"two graphs":               {200, nil, append(clique(0, 100), clique(100, 100)...), 2, 0, 100},
		"links without events":     {100, nil, []Link{{A: 0, B: 1}, {A: 1, B: 2}}, 4, 0, 26},
		"more PEs than LPs":        {5, nil, clique(0, 5), 12, 10, 1},
		"as many PEs as there are": {5, nil, nil, math.MaxUint32, 0, 1},
		"all load on one LP":       {50, func(lp uint64) float64 { return float64(lp / 49) }, star(50), 2, 0, 1},
		"links to itself only":     {10, nil, []Link{{A: 3, B: 3, Events: 1}}, 2, 0, 5},
		"a heavy link and a hub":   {4, nil, append(star(4), Link{A: 2, B: 3, Events: 9}), 2, 2, 2},
		"leaves of two hubs":       {2000, nil, append(star(1000), shifted(star(1000), 1000)...), 2, 0, 1000},
		"a star of 20000":          {20000, nil, star(20000), 2, 9700, 10300},
		"loads that differ by much": {64, func(lp uint64) float64 { return math.Ldexp(1, int(lp)) }, nil, 2, 0,
			math.Ldexp(1.001, 63)},
	} {
		t.Run(name, func(t *testing.T) {
			g := made(t, c.lps, c.load, c.links...)
			k := min(c.k, 1<<10)
			if c.k > k { // the loads of that number of parts would not fit into memory
				part, err := g.Split(c.k, Options{})
				require.NoError(t, err)
				seen := map[uint32]bool{}
				for _, p := range part {
					seen[p] = true
				}
				require.Len(t, seen, int(c.lps))
				return
			}
			_, d := split(t, g, k, Options{})
			require.LessOrEqual(t, d.cut, c.cut)
			for _, load := range d.loads {
				require.LessOrEqual(t, load, c.most)
			}
		})
	}
}

func shifted(links []Link, by uint64) []Link {
	for i := range links {
		links[i].A += by
		links[i].B += by
	}
	return links
}

// fingerprint is a hash of parts.
func fingerprint(part []uint32) string {
	h := fnv.New64a()
	for _, p := range part {
		h.Write([]byte{byte(p), byte(p >> 8), byte(p >> 16), byte(p >> 24)})
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// The parts are a function of graph, number and seed, on all processors.
func TestDivisionIsReproducible(t *testing.T) {
	load := func(lp uint64) float64 { return 1 + float64(lp%7)/3 }
	var links []Link
	for l := range (lattice{[]int{30, 40}, true}).links(nil) {
		l.Events, l.Lookahead = 0.1+float64(l.A%5), 0.3*float64(1+l.B%3)
		links = append(links, l)
	}
	part, _ := split(t, made(t, 1200, load, links...), 5, Options{Seed: 9})
	require.Equal(t, "175ca4d659681a75", fingerprint(part))

	again, _ := split(t, made(t, 1200, load, links...), 5, Options{Seed: 9})
	require.Equal(t, part, again)
	backwards := append([]Link(nil), links...)
	for i, j := 0, len(backwards)-1; i < j; i, j = i+1, j-1 {
		backwards[i], backwards[j] = backwards[j], backwards[i]
	}
	again, _ = split(t, made(t, 1200, load, backwards...), 5, Options{Seed: 9})
	require.Equal(t, part, again, "links in another order")
	other, _ := split(t, made(t, 1200, load, links...), 5, Options{Seed: 10})
	require.NotEqual(t, part, other)
}

// Bounds are at least the shares, also where the parts together may have more than an integer can hold.
func TestBoundsOfVeryManyPartsDoNotOverflow(t *testing.T) {
	g := made(t, 5, nil, clique(0, 5)...)
	k := uint64(math.MaxUint32)
	s := splitter{most: g.mostOf(k, DefaultTolerance)}
	share := shares(g.total(), (k+1)/2, k)
	most := s.bounds(share, (k+1)/2, k)
	require.Greater(t, most[0], g.total())
	require.Greater(t, most[1], g.total())
}

// FuzzPartition: any links give an error about them or a graph, which is divided into any number of
// parts, with each LP on one PE. Each seven bytes are a link.
func FuzzPartition(f *testing.F) {
	f.Add(uint16(4), uint16(2), uint8(3), []byte("\x00\x01\x40\x00\x00\x40\x00\x01\x02\x40\x00\x00\x40\x00"))
	f.Add(uint16(0), uint16(9), uint8(0), []byte{})
	f.Add(uint16(300), uint16(7), uint8(100),
		[]byte("a graph of seven bytes a link, whose numbers are the upper half of a float32"))
	f.Add(uint16(9), uint16(500), uint8(255), []byte("\x00\x01\x7f\x7f\x00\x00\x00\x00\x01\x7f\x7f\x00\x00\x00"))
	f.Add(uint16(9), uint16(3), uint8(1), []byte("\x00\x01\x7f\xc0\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, lps, parts uint16, x uint8, data []byte) {
		number := func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(binary.BigEndian.Uint16(b)) << 16))
		}
		var links []Link
		for b := range slices.Chunk(data, 7) {
			if len(b) == 7 {
				links = append(links, Link{uint64(b[0]), uint64(b[1]), number(b[2:]), number(b[4:])})
			}
		}
		lps %= 1 << 8
		load := func(lp uint64) float64 { return math.Ldexp(float64(x%4), int(lp)*int(x)%64) }
		g, err := FromLinks(uint64(lps), load, slices.Values(links))
		if err != nil {
			require.ErrorIs(t, err, usage.Err)
			return
		}
		k := 1 + uint64(parts)%300
		o := Options{Tolerance: float64(x) / 255, Seed: uint64(x)}
		part, d := split(t, g, k, o)
		require.Len(t, part, int(lps))
		sum := 0.0
		for _, load := range d.loads {
			sum += load
		}
		require.InEpsilon(t, 1+g.load.float(g.total()), 1+sum, 1e-9)
		if g.delays != nil {
			bound, err := g.Bound(k, o.Tolerance)
			require.NoError(t, err)
			o.KeepBelow = min(bound, 1e30)
			part, _ = split(t, g, k, o)
			require.GreaterOrEqual(t, g.least(part), o.KeepBelow)
		}
		if lps > 0 {
			m, err := g.Mapping(o).Map(mapping.Shape{PEs: k, LPs: uint64(lps), KPs: 1 + uint64(x)})
			require.NoError(t, err)
			q, err := g.Quality(m)
			require.NoError(t, err)
			require.InDelta(t, g.divided(part, k).cut, q.Cut, 1e-9*q.Events)
		}
	})
}

// BenchmarkPartition divides a torus of three dimensions, that is three links for each LP, among 2
// PEs with 1 or 16 KPs. The time to make the graph from its links is measured apart.
func BenchmarkPartition(b *testing.B) {
	for _, side := range []int{10, 32, 100} {
		lps := side * side * side
		for _, order := range []string{"natural", "random"} {
			var permuted []int
			if order == "random" {
				permuted = rand.New(rand.NewPCG(1, 2)).Perm(lps)
			}
			name := fmt.Sprintf("lps=%d/ids=%s/", lps, order)
			b.Run(name+"step=graph", func(b *testing.B) {
				for b.Loop() {
					torus(b, permuted, side, side, side)
				}
			})
			for _, kps := range []uint64{1, 16} {
				b.Run(fmt.Sprintf("%sstep=map/kps=%d", name, kps), func(b *testing.B) {
					g := torus(b, permuted, side, side, side)
					b.ReportAllocs()
					var m *mapping.Map
					for b.Loop() {
						m = mustMap(g.Mapping(Options{}).Map(mapping.Shape{PEs: 2, LPs: uint64(lps), KPs: kps}))
					}
					q, err := g.Quality(m)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(q.Cut, "cut")
				})
			}
		}
	}
}
