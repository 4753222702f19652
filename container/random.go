// This file owns the draw of a random element.

package container

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/rng"
)

// randomTries is how often a place is drawn before the elements are counted.
const randomTries = 32

// randomOf draws one of the n places, of used ones, for which holds is true; all with the same probability. It draws
// places until there is one that holds, and, after many tries, a number, and counts. n is at least 1.
func randomOf(r *rng.Stream, n, used uint32, holds func(i uint32) bool) uint32 {
	if n == used {
		return uint32(r.Integer(0, int64(n)-1))
	}
	for range randomTries {
		if i := uint32(r.Integer(0, int64(used)-1)); holds(i) {
			return i
		}
	}
	left := r.Integer(0, int64(n)-1)
	for i := range used {
		if holds(i) {
			if left == 0 {
				return i
			}
			left--
		}
	}
	return used // not reached: n places hold
}

// Random draws a key of the map, all with the same probability, from a stream of lp such as lp.RNG(); ok is false, and
// nothing is drawn, if the map is empty. Only a map that has lost keys takes more than one draw: one for each
// place it tries, until a key is there. If most keys have been deleted, it looks at all places, after 33 draws. What
// was drawn is undone as other draws are, and the key is the same in every scheduler.
func (m *Map[K, V]) Random(lp *ross.LP, r *rng.Stream) (key K, ok bool) {
	if m.n == 0 {
		return key, false
	}
	s := open(inside.LP(lp), &m.entries)
	if s.base == nil {
		return key, false
	}
	i := randomOf(r, m.n, m.used, func(i uint32) bool { return slotAt(s, i).state == entryLive })
	if i == m.used {
		return key, false
	}
	return slotAt(s, i).key, true
}

// Random draws a key of the set, all with the same probability, see [Map.Random].
func (s *Set[K]) Random(lp *ross.LP, r *rng.Stream) (key K, ok bool) { return s.m.Random(lp, r) }

// Random draws the handle of a record, all with the same probability, from a stream of lp such as lp.RNG(). It is 0,
// and nothing is drawn, if the slab is empty. Only a slab from which records have been removed takes more than one
// draw, see
// [Map.Random]; Get and Edit reach the record.
func (s *Slab[T]) Random(lp *ross.LP, r *rng.Stream) Handle {
	if s.n == 0 {
		return 0
	}
	all := open(inside.LP(lp), &s.records)
	if all.base == nil {
		return 0
	}
	i := randomOf(r, s.n, s.used, func(i uint32) bool { return slotAt(all, i).link == inUse })
	if i == s.used {
		return 0
	}
	return Handle(i) + 1
}
