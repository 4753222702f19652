// This file owns Heap, a priority queue.

package container

import (
	"cmp"
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// Heap is a priority queue: the value with the least key leaves first, and of equal keys the one
// that came first. So the order is total, and never depends on how the heap was built. Keys are
// ordered by cmp.Compare, in which NaN is the least. For the greatest first, negate the key. The
// zero Heap is empty. K and V hold no pointers, so K is not a string.
//
// Push moves on average a constant number of values, and at most log4 of the length; Pop moves
// about log4. What moves is saved. A Heap of large values is therefore better an IndexedHeap,
// whose values stay where they are, and which can also remove them from its middle.
type Heap[K cmp.Ordered, V any] struct {
	nodes ross.Block[node[K, V]]
	n     uint64 // number of values
	next  uint64 // number of values that ever came
}

// node is a value in a Heap.
type node[K cmp.Ordered, V any] struct {
	key    K
	number uint64 // of those that came before it
	value  V
}

// before reports whether a leaves the heap before b.
func (a *node[K, V]) before(b *node[K, V]) bool {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c < 0
	}
	return a.number < b.number
}

// arity is the number of children of a node. With four, a Pop saves half as many nodes as with
// two.
const arity = 4

// Len returns the number of values.
func (h *Heap[K, V]) Len() int { return int(h.n) }

// Push adds a value.
func (h *Heap[K, V]) Push(lp *ross.LP, key K, value V) {
	k := inside.LP(lp)
	s, saves := room(lp, k, unsafe.Pointer(h), unsafe.Sizeof(*h), &h.nodes, h.n)
	if s.base == nil {
		return
	}
	added := node[K, V]{key, h.next, value}
	h.next++
	i := uint32(h.n)
	h.n++
	parent := (i - 1) / arity
	if i == 0 || !added.before(slotAt(s, parent)) { // mostly
		fillSlot(s, k, saves, i, added)
		return
	}
	fillSlot(s, k, saves, i, *slotAt(s, parent))
	for i = parent; i > 0; i = parent {
		if parent = (i - 1) / arity; !added.before(slotAt(s, parent)) {
			break
		}
		setSlot(s, k, saves, i, *slotAt(s, parent))
	}
	setSlot(s, k, saves, i, added)
}

// Pop removes the value with the least key and returns both; ok is false if the heap is empty.
func (h *Heap[K, V]) Pop(lp *ross.LP) (key K, value V, ok bool) {
	if h.n == 0 {
		return key, value, false
	}
	k := inside.LP(lp)
	s, saves := change(k, unsafe.Pointer(&h.n), unsafe.Sizeof(h.n), &h.nodes)
	if s.base == nil {
		return key, value, false
	}
	first := *slotAt(s, 0)
	h.n--
	last := uint32(h.n)
	moved := *slotAt(s, last)
	emptySlot(s, k, saves, last)
	if last > 0 {
		h.sink(k, s, saves, moved)
	}
	return first.key, first.value, true
}

// sink puts a node in place of the first one, which has left.
func (h *Heap[K, V]) sink(k *kernel.LP, s slots[node[K, V]], saves bool, moved node[K, V]) {
	i, n := uint32(0), uint32(h.n)
	for {
		child := arity*i + 1
		if child >= n {
			break
		}
		for other := child + 1; other < min(arity*i+1+arity, n); other++ {
			if slotAt(s, other).before(slotAt(s, child)) {
				child = other
			}
		}
		if !slotAt(s, child).before(&moved) {
			break
		}
		setSlot(s, k, saves, i, *slotAt(s, child))
		i = child
	}
	setSlot(s, k, saves, i, moved)
}

// Peek returns the least key and its value; ok is false if the heap is empty.
func (h *Heap[K, V]) Peek(lp *ross.LP) (key K, value V, ok bool) {
	if h.n == 0 {
		return key, value, false
	}
	s := open(inside.LP(lp), &h.nodes)
	if s.base == nil {
		return key, value, false
	}
	return slotAt(s, 0).key, slotAt(s, 0).value, true
}

// All returns the keys and values in the order in which the heap keeps them: the least comes
// first, the others in no order of their keys, but the same in every run. The loop must not
// change the heap.
func (h *Heap[K, V]) All(lp *ross.LP) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i := uint32(0); uint64(i) < h.n; i++ {
			s := open(inside.LP(lp), &h.nodes)
			if s.base == nil || !yield(slotAt(s, i).key, slotAt(s, i).value) {
				return
			}
		}
	}
}

// Clear removes all values and gives the memory back. It does not clear containers in the
// values.
func (h *Heap[K, V]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(h), unsafe.Sizeof(*h)); ok {
		ross.Free(lp, h.nodes)
		*h = Heap[K, V]{}
	}
}
