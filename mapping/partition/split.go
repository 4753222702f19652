// This file owns recursive bisection: a graph is cut in two, and each side again, until there are as many parts as
// asked for. It also owns the random numbers of the algorithm, which are the same on every rank and with every version
// of Go.

package partition

import (
	"math"
	"math/bits"
)

// splitter divides a graph into parts.
type splitter struct {
	seed    uint64
	repeats int      // cuts that are made in each bisection; the best is taken
	most    int64    // what a part should have at most
	part    []uint32 // by id of a vertex: the result
}

// worthwhile is the number of vertices of all cuts that are made to find a better one. So small graphs
// are divided better, in a few tenths of a second at most, and large ones once.
const worthwhile = 200_000

// repeats returns how many cuts to make of a graph.
func (g *csr) repeats() int { return min(max(worthwhile/max(len(g.weight), 1), 1), 8) }

// parts divides g into k parts whose weights are at most 1+tolerance of the mean, if that can be
// found, with the best of some cuts in each bisection. It returns the part of each vertex.
func (g *csr) parts(k uint64, repeats int, tolerance float64, seed uint64) []uint32 {
	order := g.nearby()
	s := splitter{seed: seed, repeats: repeats, most: g.mostOf(k, tolerance), part: make([]uint32, len(order))}
	s.split(g.induced(order, make([]uint32, len(order))), order, 0, k)
	return s.part
}

// nearby returns the vertices in breadth-first order. A graph with this order is faster to divide
// because most neighbours are near each other in memory.
func (g *csr) nearby() []uint32 {
	n := len(g.weight)
	order, seen := make([]uint32, 0, n), make([]bool, n)
	for root := range n {
		if seen[root] {
			continue
		}
		seen[root] = true
		order = append(order, uint32(root))
		for next := len(order) - 1; next < len(order); next++ {
			v := order[next]
			for _, u := range g.to[g.first[v]:g.first[v+1]] {
				if !seen[u] {
					seen[u] = true
					order = append(order, u)
				}
			}
		}
	}
	return order
}

// split divides g, whose vertices have the given ids, into k parts that are numbered from first on.
func (s *splitter) split(g *csr, ids []uint32, first, k uint64) {
	if k == 1 || len(ids) <= 1 {
		for _, id := range ids {
			s.part[id] = uint32(first)
		}
		return
	}
	r := random(s.seed)
	r += random(r.next() ^ first)
	r += random(r.next() ^ k)
	k0 := (k + 1) / 2
	start, order := grouped(s.bisected(g, k0, k, &r), 2)
	local := make([]uint32, len(ids))
	for i, n := range [2]uint64{k0, k - k0} {
		members := order[start[i]:start[i+1]]
		half := g.induced(members, local)
		for j, v := range members {
			members[j] = ids[v]
		}
		s.split(half, members, first, n)
		first += n
	}
}

// mostOf returns what each of k parts should weigh at most: 1+tolerance of the mean, rounded to what
// vertices can add up to, which is at least the mean.
func (g *csr) mostOf(k uint64, tolerance float64) int64 {
	const exact = 1e-12 // more than the error of what follows
	divisor := int64(0)
	for _, w := range g.weight {
		for ; w != 0; divisor, w = w, divisor%w { // divisor becomes their greatest common divisor
		}
	}
	if divisor == 0 {
		return 0
	}
	mean := float64(g.total()) / float64(divisor) / float64(k)
	return divisor * int64(max(math.Floor(mean*(1+tolerance)*(1+exact)), math.Ceil(mean*(1-exact))))
}

// bisected returns the side of each vertex of a cut that gives side 0 k0 of k parts of the weight, and
// no side much more than its share, if that can be found.
func (s *splitter) bisected(g *csr, k0, k uint64, r *random) []uint8 {
	share := shares(g.total(), k0, k)
	most := s.bounds(share, k0, k)
	best := multilevel(g, share, most, r)
	for range s.repeats - 1 {
		if c := multilevel(g, share, most, r); c.quality().better(best.quality()) {
			best = c
		}
	}
	return best.side
}

// shares divides a weight into k0 of k parts and the others.
func shares(total int64, k0, k uint64) [2]int64 {
	hi, lo := bits.Mul64(uint64(total), k0)
	q, _ := bits.Div64(hi, lo, k)
	return [2]int64{int64(q), total - int64(q)}
}

// bounds returns what the sides should have at most, so that in the end no part has more than s.most.
// Each of the bisections that are still to come gets an equal amount of what is left for imbalance.
func (s *splitter) bounds(share [2]int64, k0, k uint64) (most [2]int64) {
	steps := int64(bits.Len64(k - 1))
	for i, parts := range [2]uint64{k0, k - k0} {
		all := int64(math.MaxInt64)
		if hi, lo := bits.Mul64(parts, uint64(s.most)); hi == 0 && lo < math.MaxInt64 {
			all = int64(lo)
		}
		most[i] = share[i] + max(0, all-share[i])/steps
	}
	return most
}

// multilevel returns a cut of the coarsest graph, refined in each finer one.
func multilevel(g *csr, share, strict [2]int64, r *random) *cut {
	heaviest := g.total() / heaviestShare
	levels := coarsened(g, r)
	var c *cut
	for i := len(levels) - 1; i >= 0; i-- {
		l := &levels[i]
		most := strict
		if i > 0 { // the vertices are too large for exact balance
			for s := range most {
				most[s] = max(most[s], share[s]+heaviest)
			}
		}
		if i == len(levels)-1 {
			c = firstCut(l.csr, share[0], most, r)
			continue
		}
		side := make([]uint8, len(l.parent))
		for v, p := range l.parent {
			side[v] = c.side[p]
		}
		c = newCut(l.csr, side, most)
		c.refine()
	}
	return c
}

// random is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns one of 0 to n-1. Its bias, n/2^64, does not matter here.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// permutation returns 0 to n-1 in random order.
func (r *random) permutation(n int) []uint32 {
	p := make([]uint32, n)
	r.shuffle(p, 0)
	return p
}

// nearlyInOrder returns 0 to n-1 in an order that is random within blocks. It is random enough
// for matching. Numbers that are near each other stay so, which makes matching in large graphs faster.
func (r *random) nearlyInOrder(n int) []uint32 {
	const block = 4096
	p := make([]uint32, n)
	for first := 0; first < n; first += block {
		r.shuffle(p[first:min(first+block, n)], uint32(first))
	}
	return p
}

// shuffle fills p with the numbers from first on in random order.
func (r *random) shuffle(p []uint32, first uint32) {
	for i := range p {
		j := r.below(i + 1)
		p[i], p[j] = p[j], first+uint32(i)
	}
}
