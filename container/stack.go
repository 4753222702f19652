// This file owns Stack.

package container

import (
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
)

// Stack is a stack: the value that came last leaves first. It also serves as a list that grows
// at its end. The zero Stack is empty. T holds no pointers.
//
// Time and saved bytes are those of a Queue.
type Stack[T any] struct {
	values ross.Block[T]
	n      uint64 // number of values
}

// Len returns the number of values.
func (s *Stack[T]) Len() int { return int(s.n) }

// Push puts a value on top.
func (s *Stack[T]) Push(lp *ross.LP, v T) {
	k := inside.LP(lp)
	all, saves := room(lp, k, unsafe.Pointer(s), unsafe.Sizeof(*s), &s.values, s.n)
	if all.base == nil {
		return
	}
	fillSlot(all, k, saves, uint32(s.n), v)
	s.n++
}

// Pop removes the value on top and returns it; ok is false if the stack is empty.
func (s *Stack[T]) Pop(lp *ross.LP) (v T, ok bool) {
	if s.n == 0 {
		return v, false
	}
	k := inside.LP(lp)
	all, saves := change(k, unsafe.Pointer(&s.n), unsafe.Sizeof(s.n), &s.values)
	if all.base == nil {
		return v, false
	}
	top := uint32(s.n) - 1
	v = *slotAt(all, top)
	emptySlot(all, k, saves, top)
	s.n--
	return v, true
}

// Peek returns the value on top; ok is false if the stack is empty.
func (s *Stack[T]) Peek(lp *ross.LP) (v T, ok bool) {
	if p := s.At(lp, int(s.n)-1); p != nil {
		return *p, true
	}
	return v, false
}

// At returns value i, 0 being the one at the bottom, or nil unless 0 <= i < Len(). It is for
// reading, and for calling methods of containers in the value; it is valid until the stack
// changes or the handler returns.
func (s *Stack[T]) At(lp *ross.LP, i int) *T {
	if i < 0 || i >= int(s.n) {
		return nil
	}
	all := open(inside.LP(lp), &s.values)
	if all.base == nil {
		return nil
	}
	return slotAt(all, uint32(i))
}

// Edit is At for changing the value: it saves the value first.
func (s *Stack[T]) Edit(lp *ross.LP, i int) *T {
	if i < 0 || i >= int(s.n) {
		return nil
	}
	return edit(lp, &s.values, uint32(i))
}

// All returns the values with their indexes, from the bottom to the top. The loop may change
// the stack: it then sees what At returns for the next index.
func (s *Stack[T]) All(lp *ross.LP) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; i < int(s.n); i++ {
			if p := s.At(lp, i); p == nil || !yield(i, *p) {
				return
			}
		}
	}
}

// Clear removes all values and gives the memory back. It does not clear containers in the
// values.
func (s *Stack[T]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(s), unsafe.Sizeof(*s)); ok {
		ross.Free(lp, s.values)
		*s = Stack[T]{}
	}
}
