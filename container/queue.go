// This file owns Queue, a ring of values.

package container

import (
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// Queue is a queue: values leave it in the order in which they came (first in, first out). The
// zero Queue is empty. T holds no pointers.
//
// Each operation takes constant time, and saves at most one value; growing takes time linear
// in the length, which is constant per Push.
type Queue[T any] struct {
	ring ross.Block[T] // a power of two of slots
	head uint32        // slot of the first value
	n    uint32        // number of values
}

// slot returns the slot of value i.
func (q *Queue[T]) slot(i uint32) uint32 { return (q.head + i) & (uint32(q.ring.Len()) - 1) }

// Len returns the number of values.
func (q *Queue[T]) Len() int { return int(q.n) }

// Push adds a value at the end.
func (q *Queue[T]) Push(lp *ross.LP, v T) {
	k := inside.LP(lp)
	s, saves := q.room(lp, k)
	if s.base == nil {
		return
	}
	p := slotAt(s, q.slot(q.n))
	if saves {
		k.SaveZeros(unsafe.Pointer(p), unsafe.Sizeof(v))
	}
	*p = v
	q.n++
}

// PushFront adds a value at the front: it is the next to leave, such as a job that has been
// interrupted.
func (q *Queue[T]) PushFront(lp *ross.LP, v T) {
	k := inside.LP(lp)
	s, saves := q.room(lp, k)
	if s.base == nil {
		return
	}
	to := q.slot(^uint32(0))
	fillSlot(s, k, saves, to, v)
	q.head = to
	q.n++
}

// numbers is the size of head and n in bytes, which are next to each other.
const numbers = 8

// room makes room for one more value and returns the slots, which are nil if there is no memory.
func (q *Queue[T]) room(lp *ross.LP, k *kernel.LP) (s slots[T], saves bool) {
	if int(q.n) < q.ring.Len() {
		return change(k, unsafe.Pointer(&q.head), numbers, &q.ring)
	}
	saves, ok := k.BeginChange(unsafe.Pointer(q), unsafe.Sizeof(*q))
	if !ok || !grow(lp, &q.ring, q.head, q.n) {
		return s, false
	}
	q.head = 0
	return open(k, &q.ring), saves
}

// Pop removes the first value and returns it; ok is false if the queue is empty.
func (q *Queue[T]) Pop(lp *ross.LP) (v T, ok bool) {
	if q.n == 0 {
		return v, false
	}
	k := inside.LP(lp)
	s, saves := change(k, unsafe.Pointer(&q.head), numbers, &q.ring)
	if s.base == nil {
		return v, false
	}
	p := slotAt(s, q.head)
	if saves {
		save(k, p)
	}
	v, *p = *p, v
	q.head = q.slot(1)
	q.n--
	return v, true
}

// Peek returns the first value; ok is false if the queue is empty.
func (q *Queue[T]) Peek(lp *ross.LP) (v T, ok bool) {
	if p := q.At(lp, 0); p != nil {
		return *p, true
	}
	return v, false
}

// At returns value i, 0 being the first, or nil unless 0 <= i < Len(). It is for reading, and
// for calling methods of containers in the value; it is valid until the queue changes or the
// handler returns.
func (q *Queue[T]) At(lp *ross.LP, i int) *T {
	if i < 0 || i >= int(q.n) {
		return nil
	}
	s := open(inside.LP(lp), &q.ring)
	if s.base == nil {
		return nil
	}
	return slotAt(s, q.slot(uint32(i)))
}

// Edit is At for changing the value: it saves the value first.
func (q *Queue[T]) Edit(lp *ross.LP, i int) *T {
	if i < 0 || i >= int(q.n) {
		return nil
	}
	return edit(lp, &q.ring, q.slot(uint32(i)))
}

// All returns the values with their indexes, from the first to the last. The loop may change
// the queue: it then sees what At returns for the next index.
func (q *Queue[T]) All(lp *ross.LP) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; i < int(q.n); i++ {
			if p := q.At(lp, i); p == nil || !yield(i, *p) {
				return
			}
		}
	}
}

// Clear removes all values and gives the memory back. It does not clear containers in the
// values.
func (q *Queue[T]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(q), unsafe.Sizeof(*q)); ok {
		ross.Free(lp, q.ring)
		*q = Queue[T]{}
	}
}
