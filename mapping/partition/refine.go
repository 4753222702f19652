// This file owns refinement: vertices move from side to side as long as that improves the cut
// (Fiduccia and Mattheyses, "A linear-time heuristic for improving network partitions", DAC 1982).

package partition

const (
	morePasses = 12   // at most, over a graph
	allMovable = 2048 // vertices up to which all may move, not only those at the cut
)

// refiner has what the passes over a graph need.
type refiner struct {
	*cut
	heaps  [2]heap // of the vertices of each side that may still move
	stamp  int64
	moved  []uint32 // in this pass, in order
	fixed  []uint8  // by vertex: whether it has moved in this pass
	losing int      // moves after the best, after which a pass ends
}

// refine improves a cut until a pass over the graph finds nothing better.
func (c *cut) refine() {
	n := len(c.side)
	r := &refiner{cut: c, fixed: make([]uint8, n), losing: min(max(n/20, 64), 1024)}
	place := make([]int32, n)
	for v := range place {
		place[v] = -1
	}
	for s := range r.heaps {
		r.heaps[s] = heap{place: place, stamp: &r.stamp}
	}
	for range morePasses {
		if !r.pass() {
			return
		}
	}
}

// pass moves each vertex at most once, the one that gains most first, also where that makes the cut
// worse for a while. Then it takes back the moves after the best cut. It reports whether that is
// better than the cut at the beginning.
func (r *refiner) pass() bool {
	all := len(r.side) <= allMovable || r.excess() > 0
	for v, s := range r.side {
		if all || r.out[v] > 0 {
			r.heaps[s].set(uint32(v), r.gain(uint32(v)))
		}
	}
	best, at := r.quality(), 0
	for {
		s, ok := r.next()
		if !ok || len(r.moved)-at >= r.losing {
			break
		}
		v := r.heaps[s].pop()
		r.move(v)
		r.moved = append(r.moved, v)
		r.fixed[v] = 1
		r.update(v)
		if q := r.quality(); q.better(best) {
			best, at = q, len(r.moved)
		}
	}
	for i := len(r.moved) - 1; i >= at; i-- {
		r.move(r.moved[i])
	}
	for _, v := range r.moved {
		r.fixed[v] = 0
	}
	r.moved = r.moved[:0]
	for s := range r.heaps {
		r.heaps[s].clear()
	}
	return at > 0
}

// next chooses the side from which the next vertex moves: one that is too heavy, else the one whose
// best vertex gains more, else the heavier one.
func (r *refiner) next() (side int, ok bool) {
	for s := range r.heaps {
		if r.load[s] > r.most[s] {
			return s, len(r.heaps[s].items) > 0
		}
	}
	a, b := r.heaps[0].items, r.heaps[1].items
	switch {
	case len(a) == 0:
		return 1, len(b) > 0
	case len(b) == 0:
		return 0, true
	case a[0].gain != b[0].gain:
		if a[0].gain > b[0].gain {
			return 0, true
		}
		return 1, true
	case r.most[0]-r.load[0] <= r.most[1]-r.load[1]:
		return 0, true
	}
	return 1, true
}

// update gives the neighbours of a vertex that has moved their new gains.
func (r *refiner) update(v uint32) {
	for i := r.first[v]; i < r.first[v+1]; i++ {
		u := r.to[i]
		if r.fixed[u] == 0 {
			r.heaps[r.side[u]].set(u, r.gain(u))
		}
	}
}
