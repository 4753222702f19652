// This file owns Set.

package container

import (
	"iter"

	"github.com/ross-go/ross"
)

// Set is a set of keys, in the order in which they were added. The zero Set is empty. K is as
// for a Map; for small numbers, a Bitset takes less memory.
type Set[K comparable] struct{ m Map[K, struct{}] }

// Len returns the number of keys.
func (s *Set[K]) Len() int { return s.m.Len() }

// Has reports whether a key is in the set.
func (s *Set[K]) Has(lp *ross.LP, key K) bool { return s.m.Has(lp, key) }

// Add adds a key and reports whether it is new.
func (s *Set[K]) Add(lp *ross.LP, key K) bool {
	n := s.m.n
	s.m.Ensure(lp, key)
	return s.m.n > n
}

// Delete deletes a key and reports whether it was there.
func (s *Set[K]) Delete(lp *ross.LP, key K) bool { return s.m.Delete(lp, key) }

// All returns the keys in the order in which they were added. The loop may delete keys; it must
// not add any.
func (s *Set[K]) All(lp *ross.LP) iter.Seq[K] {
	return func(yield func(K) bool) {
		for key := range s.m.All(lp) {
			if !yield(key) {
				return
			}
		}
	}
}

// Clear deletes all keys and gives the memory back.
func (s *Set[K]) Clear(lp *ross.LP) { s.m.Clear(lp) }
