// This file owns Graph: how it is made from links or from neighbours, and how a mistake in them is
// found.

package partition

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/sys/usage"
)

// Link means that two LPs exchange events.
type Link struct {
	A, B uint64 // ids of the LPs; equal for events that an LP sends to itself
	// Events is the expected number of events in both directions together, in any unit that is
	// the same for all links: finite, at least 0.
	Events float64
	// Lookahead is the least delay of these events, in virtual time: finite, at least 0. If it is
	// 0 for all links of a graph, lookahead is not considered.
	Lookahead float64
}

// Neighbour is a link seen from one of its LPs.
type Neighbour struct {
	LP        uint64  // at the other end
	Events    float64 // as in Link: of both directions together
	Lookahead float64 // as in Link
}

// Graph holds the LPs of a model, the work of each, and the links between them. It does not change
// after it is made, so any number of goroutines may use it.
type Graph struct {
	csr              // the links, with their events as weights
	delays []float64 // the lookahead of each; nil if none has any
	self   int64     // events that LPs send to themselves
	load   scale
	events scale
}

// FromLinks returns the graph of LPs 0 to lps-1 with the given links. load returns the expected
// work of an LP, such as its number of events, in any unit: finite, at least 0. If it is nil, all
// have the same.
//
// Links may come in any order. Those between the same two LPs add up, whichever of the two is A, and
// the least of their lookaheads counts. The sequence is read once.
//
// The error matches ross.ErrUsage and names the link or the LP: an LP that does not exist, a number
// that is negative, NaN or infinite, or more than 2147483647 LPs.
func FromLinks(lps uint64, load func(lp uint64) float64, links iter.Seq[Link]) (*Graph, error) {
	b, err := newBuilder(lps, load)
	if err != nil {
		return nil, err
	}
	for l := range links {
		if err := b.check(l.A, l.B, l.Events, l.Lookahead); err != nil {
			return nil, err
		}
		b.add(l.A, l.B, l.Events, l.Lookahead)
		if l.A != l.B {
			b.add(l.B, l.A, l.Events, l.Lookahead)
		}
	}
	return b.graph()
}

// FromNeighbours is FromLinks for models in which an LP knows its neighbours. neighbours is called
// once for each LP, in ascending order.
//
// Each of two neighbours must name the other with the same Events and Lookahead. If one does not,
// the error, which matches ross.ErrUsage, names both. Where the numbers of events differ by
// direction, FromLinks adds them.
func FromNeighbours(lps uint64, load func(lp uint64) float64, neighbours func(lp uint64) iter.Seq[Neighbour]) (
	*Graph, error) {
	b, err := newBuilder(lps, load)
	if err != nil {
		return nil, err
	}
	for lp := range lps {
		for n := range neighbours(lp) {
			if err := b.check(lp, n.LP, n.Events, n.Lookahead); err != nil {
				return nil, err
			}
			b.add(lp, n.LP, n.Events, n.Lookahead)
		}
	}
	if err := b.checkSymmetry(); err != nil {
		return nil, err
	}
	return b.graph()
}

// LPs returns the number of LPs.
func (g *Graph) LPs() uint64 { return uint64(len(g.weight)) }

// builder collects the links of a graph, each from both ends.
type builder struct {
	arcs  arcs
	loads []float64
	timed bool // a link has a lookahead
}

func newBuilder(lps uint64, load func(uint64) float64) (*builder, error) {
	if lps > maxLPs {
		return nil, usage.Errorf("partition: %d LPs: a graph has at most %d", lps, uint64(maxLPs))
	}
	b := &builder{loads: make([]float64, lps)}
	for lp := range b.loads {
		b.loads[lp] = 1
		if load == nil {
			continue
		}
		x := load(uint64(lp))
		if !usable(x) {
			return nil, usage.Errorf("partition: LP %d: load %v: give a finite number, at least 0", lp, x)
		}
		b.loads[lp] = x
	}
	return b, nil
}

// maxLPs keeps ids and places in heaps in 32 bits, and tables within the address space.
const maxLPs = min(math.MaxInt32, math.MaxInt/16)

func usable(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }

func (b *builder) check(a, c uint64, events, lookahead float64) error {
	lps := uint64(len(b.loads))
	for _, lp := range [...]uint64{a, c} {
		if lp >= lps {
			return usage.Errorf(
				"partition: link between LPs %d and %d: LP %d does not exist: give ids below %d, the number of LPs", a, c, lp, lps)
		}
	}
	if !usable(events) {
		return usage.Errorf("partition: link between LPs %d and %d: %v events: give a finite number, at least 0", a, c,
			events)
	}
	if !usable(lookahead) {
		return usage.Errorf("partition: link between LPs %d and %d: lookahead %v: give a finite number, at least 0", a, c,
			lookahead)
	}
	return nil
}

func (b *builder) add(from, to uint64, events, lookahead float64) {
	a := &b.arcs
	if lookahead != 0 && !b.timed {
		b.timed = true
		a.delay = make([]float64, len(a.to), cap(a.to))
	}
	a.from = append(a.from, uint32(from))
	a.to = append(a.to, uint32(to))
	a.events = append(a.events, events)
	if b.timed {
		a.delay = append(a.delay, lookahead)
	}
}

// checkSymmetry compares the links that LPs name with those by which they are named. Sorted by
// counting, the two are lists of equal length and order.
func (b *builder) checkSymmetry() error {
	n := len(b.loads)
	in := b.arcs.transposed(n)
	out := in.transposed(n)
	scale, err := newScale("events", out.events)
	if err != nil {
		return err
	}
	there, back := out.merged(n, scale), in.merged(n, scale)
	for v := range n {
		i, j := there.first[v], back.first[v]
		for i < there.first[v+1] || j < back.first[v+1] {
			named, by := rest(there.to, i, there.first[v+1]), rest(back.to, j, back.first[v+1])
			switch {
			case named < by:
				return oneSided(uint64(v), named)
			case by < named:
				return oneSided(by, uint64(v))
			case there.edge[i] != back.edge[j]:
				return usage.Errorf(
					"partition: LP %d has %.6g events with LP %d, which has %.6g with it: give the same number on both sides, or use FromLinks, which adds the directions",
					v, scale.float(there.edge[i]), named, scale.float(back.edge[j]))
			case there.delays != nil && there.delays[i] != back.delays[j]:
				return usage.Errorf(
					"partition: LP %d has lookahead %v with LP %d, which has %v with it: give the same on both sides",
					v, there.delays[i], named, back.delays[j])
			}
			i, j = i+1, j+1
		}
	}
	return nil
}

// rest returns element i of a row that ends before end, and what is greater than all ids after it.
func rest(to []uint32, i, end int) uint64 {
	if i == end {
		return math.MaxUint64
	}
	return uint64(to[i])
}

func oneSided(lp, other uint64) error {
	return usage.Errorf(
		"partition: LP %d names LP %d as its neighbour, which does not name it: let both name each other, or use FromLinks",
		lp, other)
}

// graph makes the graph, for which it takes the arcs.
func (b *builder) graph() (*Graph, error) {
	n := len(b.loads)
	total := 0.0
	for _, x := range b.loads {
		total += x
	}
	if total == 0 { // all are equal then, too
		for v := range b.loads {
			b.loads[v] = 1
		}
	}
	load, err := newScale("load", b.loads)
	if err != nil {
		return nil, err
	}
	rows := b.arcs.transposed(n)
	b.arcs = arcs{}
	rows = rows.transposed(n) // sorted, so that the order of the links does not matter
	events, err := newScale("events", rows.events)
	if err != nil {
		return nil, err
	}
	g := rows.merged(n, events)
	g.load, g.events = load, events
	g.weight = make([]int64, n)
	for v, x := range b.loads {
		g.weight[v] = load.units(x)
	}
	g.dropLoops()
	return g, nil
}

// dropLoops counts what LPs send to themselves, which no placement changes, and forgets the links.
func (g *Graph) dropLoops() {
	k, begin := 0, 0
	for v := range g.weight {
		end := g.first[v+1]
		for i := begin; i < end; i++ {
			if g.to[i] == uint32(v) {
				g.self += g.edge[i]
				continue
			}
			g.to[k], g.edge[k] = g.to[i], g.edge[i]
			if g.delays != nil {
				g.delays[k] = g.delays[i]
			}
			k++
		}
		begin, g.first[v+1] = end, k
	}
	g.to, g.edge = g.to[:k], g.edge[:k]
	if g.delays != nil {
		g.delays = g.delays[:k]
	}
	if k == 0 || g.delays != nil && slices.Max(g.delays) == 0 { // only links that were dropped had any
		g.delays = nil
	}
}

// String returns how large the graph is, in words.
func (g *Graph) String() string {
	return fmt.Sprintf("%d LPs, %d links", g.LPs(), len(g.to)/2)
}
