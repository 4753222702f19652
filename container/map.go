// This file owns Map, a hash table in the order of insertion, and Set.

package container

import (
	"iter"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// Map is a hash table. Unlike a Go map it can be undone, stored and iterated in a fixed order:
// that in which the keys were added. A key that is deleted and added again comes last. The zero
// Map is empty. K and V hold no pointers, so K is not a string, and K holds no Block. As in a Go
// map, 0 and -0 are the same key, and NaN is never found.
//
// Each operation takes constant time on average, and saves at most one entry. A Map moves to new
// memory when its entries are used up, deleted ones included.
//
// The entries lie one after the other, and a table with open addressing and linear probing says
// where the entry of a key is (like the dict of Python since 3.6, by Raymond Hettinger).
type Map[K comparable, V any] struct {
	entries ross.Block[entry[K, V]] // a power of two
	table   ross.Block[uint32]      // twice as many: 1 + the number of an entry, or 0
	used    uint32                  // entries that have been added, deleted ones included
	n       uint32                  // number of keys
	kind    keyKind
	_       uint32
}

// entry is a key and its value.
type entry[K comparable, V any] struct {
	hash  uint32
	state uint32 // 0 before it is used
	key   K
	value V
}

// States of an entry that has been used.
const (
	entryLive    = 1
	entryDeleted = 2 // key and value are zero
)

// Len returns the number of keys.
func (m *Map[K, V]) Len() int { return int(m.n) }

// find returns the number of the entry of a key, or ok false if the key is not there.
func (m *Map[K, V]) find(k *kernel.LP, key *K, h uint32) (s slots[entry[K, V]], i uint32, ok bool) {
	s = open(k, &m.entries)
	table := open(k, &m.table)
	if s.base == nil || table.base == nil {
		return s, 0, false
	}
	mask := uint32(m.table.Len()) - 1
	for at := h & mask; ; at = (at + 1) & mask {
		i = *slotAt(table, at)
		if i == 0 {
			return s, 0, false
		}
		i--
		if e := slotAt(s, i); e.hash == h && e.state == entryLive && e.key == *key {
			return s, i, true
		}
	}
}

// Find returns the value of a key, or nil if the key is not there. It is for reading, and for calling
// methods of containers in the value; it is valid until the map changes or the handler returns.
func (m *Map[K, V]) Find(lp *ross.LP, key K) *V {
	if m.n == 0 {
		return nil
	}
	if s, i, ok := m.find(inside.LP(lp), &key, hash(m.kind, &key)); ok {
		return &slotAt(s, i).value
	}
	return nil
}

// Get returns the value of a key; ok is false if the key is not there.
func (m *Map[K, V]) Get(lp *ross.LP, key K) (v V, ok bool) {
	if p := m.Find(lp, key); p != nil {
		return *p, true
	}
	return v, false
}

// Has reports whether there is a value for a key.
func (m *Map[K, V]) Has(lp *ross.LP, key K) bool { return m.Find(lp, key) != nil }

// Edit is Find for changing the value: it saves the value first.
func (m *Map[K, V]) Edit(lp *ross.LP, key K) *V {
	if m.n == 0 {
		return nil
	}
	k := inside.LP(lp)
	s, i, ok := m.find(k, &key, hash(m.kind, &key))
	if !ok {
		return nil
	}
	saves, ok := k.BeginChange(unsafe.Pointer(m), 0)
	if !ok {
		return nil
	}
	p := &slotAt(s, i).value
	if saves {
		save(k, p)
	}
	return p
}

// Put sets the value of a key, which it adds if it is not there.
func (m *Map[K, V]) Put(lp *ross.LP, key K, v V) {
	if p := m.Ensure(lp, key); p != nil {
		*p = v
	}
}

// Ensure is Edit for a key that may be missing: it then adds the key with a zero value, as in
// *counts.Ensure(lp, key) += 1. It returns nil only if there is no memory for it.
func (m *Map[K, V]) Ensure(lp *ross.LP, key K) *V {
	if p := m.Edit(lp, key); p != nil {
		return p
	}
	k := inside.LP(lp)
	full := int(m.used) == m.entries.Len()
	from, size := unsafe.Pointer(&m.used), unsafe.Sizeof(m.used)+unsafe.Sizeof(m.n)
	if full {
		from, size = unsafe.Pointer(m), unsafe.Sizeof(*m)
	}
	saves, ok := k.BeginChange(from, size)
	if !ok || full && !m.rebuild(lp) {
		return nil
	}
	s, table := open(k, &m.entries), open(k, &m.table)
	if s.base == nil || table.base == nil {
		return nil
	}
	h := hash(m.kind, &key)
	fillSlot(s, k, saves, m.used, entry[K, V]{hash: h, state: entryLive, key: key})
	m.used++
	m.n++
	fillSlot(table, k, saves, vacant(table, h, uint32(m.table.Len())-1), m.used)
	return &slotAt(s, m.used-1).value
}

// vacant returns the slot of a table for an entry.
func vacant(table slots[uint32], h, mask uint32) uint32 {
	at := h & mask
	for *slotAt(table, at) != 0 {
		at = (at + 1) & mask
	}
	return at
}

// rebuild moves the keys to new memory, at least half of it is free then.
func (m *Map[K, V]) rebuild(lp *ross.LP) bool {
	k := inside.LP(lp)
	if m.kind == keyUnknown {
		if m.kind = planOf[K]().kind; m.kind == keyRefused {
			m.kind = keyUnknown
			k.Blame(ross.ErrSave, "use a number for a key, such as a Handle", "added a key of type %s, which has Blocks",
				reflect.TypeFor[K]())
			return false
		}
	}
	size := uint64(1) << bits.Len64(max(2*uint64(m.n), 8)-1)
	entries, ok := alloc[entry[K, V]](lp, size)
	if !ok {
		return false
	}
	table, ok := alloc[uint32](lp, 2*size)
	if !ok {
		return false
	}
	old := *m
	to, index := open(k, &entries), open(k, &table)
	if to.base == nil || index.base == nil {
		return false
	}
	n := uint32(0)
	if old.used > 0 {
		from := open(k, &old.entries)
		if from.base == nil {
			return false
		}
		for i := range old.used {
			if e := slotAt(from, i); e.state == entryLive {
				*slotAt(to, n) = *e
				n++
				*slotAt(index, vacant(index, e.hash, uint32(2*size)-1)) = n
			}
		}
	}
	ross.Free(lp, old.entries)
	ross.Free(lp, old.table)
	m.entries, m.table, m.used = entries, table, n
	return true
}

// Delete deletes a key and reports whether it was there.
func (m *Map[K, V]) Delete(lp *ross.LP, key K) bool {
	if m.n == 0 {
		return false
	}
	k := inside.LP(lp)
	s, i, ok := m.find(k, &key, hash(m.kind, &key))
	if !ok {
		return false
	}
	saves, ok := k.BeginChange(unsafe.Pointer(&m.n), unsafe.Sizeof(m.n))
	if !ok {
		return false
	}
	setSlot(s, k, saves, i, entry[K, V]{state: entryDeleted})
	m.n--
	return true
}

// All returns the keys and values in the order in which the keys were added. The loop may change
// values and delete keys; it must not add any.
func (m *Map[K, V]) All(lp *ross.LP) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i := uint32(0); i < m.used; i++ {
			s := open(inside.LP(lp), &m.entries)
			if s.base == nil {
				return
			}
			if e := slotAt(s, i); e.state == entryLive && !yield(e.key, e.value) {
				return
			}
		}
	}
}

// Clear deletes all keys and gives the memory back. It does not clear containers in the values.
func (m *Map[K, V]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(m), unsafe.Sizeof(*m)); ok {
		ross.Free(lp, m.entries)
		ross.Free(lp, m.table)
		*m = Map[K, V]{}
	}
}

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
