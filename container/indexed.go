// This file owns IndexedHeap, a priority queue whose values have handles.

package container

import (
	"cmp"
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// IndexedHeap is a Heap whose values have handles, by which a value is found, taken out of the
// middle, or given another key: jobs that may be interrupted or lose patience, planes that may be
// called to land earlier. The order is that of Heap. The zero IndexedHeap is empty. K and V hold no
// pointers, so K is not a string.
//
// Handles are those of a Slab: the handle of a value that has left is given out again, so forget
// it. Push, Pop, Remove and Fix move at most about log4 of the length, as those of a Heap do. Keys
// move, and values stay where they are. What moves is saved, and for each key that moves also 4
// bytes with its place; a Heap has no such bytes, and is faster.
type IndexedHeap[K cmp.Ordered, V any] struct {
	nodes  ross.Block[ref[K]]
	n      uint64 // number of values
	next   uint64 // number of values that Push has ever added
	front  int64  // minus the number of those that PushFront has added
	values Slab[placed[V]]
}

// ref stands for a value in the order of an IndexedHeap.
type ref[K cmp.Ordered] struct {
	key    K
	number int64 // of values that came before it, or below 0
	handle Handle
}

// before reports whether the value of a leaves the heap before that of b.
func (a *ref[K]) before(b *ref[K]) bool {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c < 0
	}
	return a.number < b.number
}

// placed is a value with the index of its node.
type placed[V any] struct {
	at    uint32
	value V
}

// mover moves nodes of an IndexedHeap.
type mover[K cmp.Ordered, V any] struct {
	k      *kernel.LP
	saves  bool
	nodes  slots[ref[K]]
	values slots[record[placed[V]]]
	n      uint32 // number of nodes
}

// place puts a node at an index where there was another one.
func (m *mover[K, V]) place(i uint32, node ref[K]) {
	setSlot(m.nodes, m.k, m.saves, i, node)
	at := &slotAt(m.values, uint32(node.handle)-1).value.at
	if m.saves {
		save(m.k, at)
	}
	*at = i
}

// settle puts a node at index i, where there was another one, or where it has to be instead.
func (m *mover[K, V]) settle(i uint32, node ref[K]) {
	from := i
	for i > 0 {
		parent := (i - 1) / arity
		if !node.before(slotAt(m.nodes, parent)) {
			break
		}
		m.place(i, *slotAt(m.nodes, parent))
		i = parent
	}
	if i == from {
		i = m.sink(i, &node)
	}
	m.place(i, node)
}

// sink moves up nodes below index i that come before a node, and returns where this belongs.
func (m *mover[K, V]) sink(i uint32, node *ref[K]) uint32 {
	for {
		child := arity*i + 1
		if child >= m.n {
			return i
		}
		for other := child + 1; other < min(arity*i+1+arity, m.n); other++ {
			if slotAt(m.nodes, other).before(slotAt(m.nodes, child)) {
				child = other
			}
		}
		if !slotAt(m.nodes, child).before(node) {
			return i
		}
		m.place(i, *slotAt(m.nodes, child))
		i = child
	}
}

// change prepares a change of the order. Its nodes are nil if nothing may change now.
func (h *IndexedHeap[K, V]) change(lp *ross.LP) (m mover[K, V]) {
	m.k = inside.LP(lp)
	m.nodes, m.saves = change(m.k, unsafe.Pointer(&h.n), unsafe.Sizeof(h.n), &h.nodes)
	if m.nodes.base != nil {
		m.values = open(m.k, &h.values.records)
	}
	m.n = uint32(h.n)
	return m
}

// Len returns the number of values.
func (h *IndexedHeap[K, V]) Len() int { return int(h.n) }

// Push adds a value and returns its handle, or 0 if there is no memory for it.
func (h *IndexedHeap[K, V]) Push(lp *ross.LP, key K, value V) Handle {
	handle := h.push(lp, key, value, int64(h.next))
	if handle != 0 {
		h.next++
	}
	return handle
}

// PushFront is Push for a value that leaves before all those of the same key, such as a job that has
// been interrupted.
func (h *IndexedHeap[K, V]) PushFront(lp *ross.LP, key K, value V) Handle {
	handle := h.push(lp, key, value, h.front-1)
	if handle != 0 {
		h.front--
	}
	return handle
}

// push adds a value with a number.
func (h *IndexedHeap[K, V]) push(lp *ross.LP, key K, value V, number int64) Handle {
	k := inside.LP(lp)
	s, saves := room(lp, k, unsafe.Pointer(h), unsafe.Offsetof(h.values), &h.nodes, h.n)
	if s.base == nil {
		return 0
	}
	i := uint32(h.n)
	handle := h.values.Add(lp, placed[V]{i, value})
	if handle == 0 {
		return 0
	}
	added := ref[K]{key, number, handle}
	h.n++
	fillSlot(s, k, saves, i, added)
	if i > 0 && added.before(slotAt(s, (i-1)/arity)) {
		m := mover[K, V]{k, saves, s, open(k, &h.values.records), i + 1}
		m.settle(i, added)
	}
	return handle
}

// Pop removes the value with the least key and returns both; ok is false if the heap is empty.
func (h *IndexedHeap[K, V]) Pop(lp *ross.LP) (key K, value V, ok bool) {
	return h.Remove(lp, h.First(lp))
}

// First returns the handle of the value with the least key, which Pop would remove, or 0 if the
// heap is empty.
func (h *IndexedHeap[K, V]) First(lp *ross.LP) Handle {
	if h.n == 0 {
		return 0
	}
	s := open(inside.LP(lp), &h.nodes)
	if s.base == nil {
		return 0
	}
	return slotAt(s, 0).handle
}

// Peek returns the least key and its value; ok is false if the heap is empty.
func (h *IndexedHeap[K, V]) Peek(lp *ross.LP) (key K, value V, ok bool) {
	first := h.First(lp)
	if p := h.Get(lp, first); p != nil {
		key, ok = h.Key(lp, first)
		return key, *p, ok
	}
	return key, value, false
}

// Remove removes the value of a handle and returns it with its key; ok is false if there is no such value.
func (h *IndexedHeap[K, V]) Remove(lp *ross.LP, handle Handle) (key K, value V, ok bool) {
	p := h.values.find(lp, handle)
	if p == nil {
		return key, value, false
	}
	i := p.value.at
	m := h.change(lp)
	if m.nodes.base == nil {
		return key, value, false
	}
	v, _ := h.values.Remove(lp, handle)
	key = slotAt(m.nodes, i).key
	h.n--
	m.n--
	moved := *slotAt(m.nodes, m.n)
	emptySlot(m.nodes, m.k, m.saves, m.n)
	if i < m.n {
		m.settle(i, moved)
	}
	return key, v.value, true
}

// Fix gives the value of a handle another key, and reports whether there is such a value. Among
// equal keys the value stays where it was when it came.
func (h *IndexedHeap[K, V]) Fix(lp *ross.LP, handle Handle, key K) bool {
	p := h.values.find(lp, handle)
	if p == nil {
		return false
	}
	i := p.value.at
	m := h.change(lp)
	if m.nodes.base == nil {
		return false
	}
	node := *slotAt(m.nodes, i)
	node.key = key
	m.settle(i, node)
	return true
}

// Key returns the key of a handle; ok is false if there is no such value.
func (h *IndexedHeap[K, V]) Key(lp *ross.LP, handle Handle) (key K, ok bool) {
	p := h.values.find(lp, handle)
	if p == nil {
		return key, false
	}
	s := open(inside.LP(lp), &h.nodes)
	if s.base == nil {
		return key, false
	}
	return slotAt(s, p.value.at).key, true
}

// Get returns the value of a handle, or nil if there is no such value. It is for reading, and for calling
// methods of containers in the value; it is valid until the heap changes or the handler returns.
func (h *IndexedHeap[K, V]) Get(lp *ross.LP, handle Handle) *V {
	if p := h.values.Get(lp, handle); p != nil {
		return &p.value
	}
	return nil
}

// Edit is Get for changing the value: it saves the value first. Keys are changed by Fix.
func (h *IndexedHeap[K, V]) Edit(lp *ross.LP, handle Handle) *V {
	if p := h.values.Edit(lp, handle); p != nil {
		return &p.value
	}
	return nil
}

// All returns the handles and their values in the order of handles. The loop may remove values,
// and sees those that it adds at the end.
func (h *IndexedHeap[K, V]) All(lp *ross.LP) iter.Seq2[Handle, *V] {
	return func(yield func(Handle, *V) bool) {
		for handle, p := range h.values.All(lp) {
			if !yield(handle, &p.value) {
				return
			}
		}
	}
}

// Clear removes all values and gives the memory back. It does not clear containers in the
// values.
func (h *IndexedHeap[K, V]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(h), unsafe.Offsetof(h.values)); ok {
		h.values.Clear(lp)
		ross.Free(lp, h.nodes)
		h.nodes, h.n, h.next, h.front = ross.Block[ref[K]]{}, 0, 0, 0
	}
}
