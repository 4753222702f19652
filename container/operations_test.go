// This file owns the operations of the tests: what each does to a container, and to the slice or
// map that stands for it.

package container_test

import (
	"math"
	"slices"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/hash64"
)

// operation is something that is done to a stock, and to its book, with the same result.
type operation struct {
	name string
	do   func(s *stock, lp *ross.LP, a byte) uint64
	note func(b *book, a byte) uint64
}

func jobOf(a byte) job     { return job{a % 7, uint32(a) * 1001} }
func (j job) word() uint64 { return uint64(j.Kind)<<32 | uint64(j.Work) }

// spotOf returns a key; some have a 0, and some a -0, which is equal.
func spotOf(a byte) spot {
	y := float32(a/5%6) - 2
	if y == 0 && a%2 == 1 {
		y = float32(math.Copysign(0, -1))
	}
	return spot{int8(a % 5), y}
}

// result returns a number for a value that may be missing.
func result(v uint64, ok bool) uint64 {
	if !ok {
		return 1<<63 + v
	}
	return v
}

// several is how many values an operation moves: mostly a few.
func several(a byte) int {
	if a >= 250 {
		return 40
	}
	return 1 + int(a%3)
}

// operations are all of them. Stored inputs of the fuzz target know them by their index.
var operations = slices.Concat(orderedOperations, indexOperations, keyedOperations)

// orderedOperations are those of queues, stacks and heaps.
var orderedOperations = []operation{
	{"Queue.Push", func(s *stock, lp *ross.LP, a byte) uint64 {
		for i := range several(a) {
			s.Queue.Push(lp, jobOf(a+byte(i)))
		}
		return uint64(s.Queue.Len())
	}, func(b *book, a byte) uint64 {
		for i := range several(a) {
			b.queue = append(b.queue, jobOf(a+byte(i)))
		}
		return uint64(len(b.queue))
	}},
	{"Queue.PushFront", func(s *stock, lp *ross.LP, a byte) uint64 {
		s.Queue.PushFront(lp, jobOf(a))
		return uint64(s.Queue.Len())
	}, func(b *book, a byte) uint64 {
		b.queue = slices.Insert(b.queue, 0, jobOf(a))
		return uint64(len(b.queue))
	}},
	{"Queue.Pop", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for range several(a) {
			p, was := s.Queue.Peek(lp)
			j, ok := s.Queue.Pop(lp)
			sum = hash64.Word(sum, result(j.word()+p.word(), ok && was))
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for range several(a) {
			var j job
			ok := len(b.queue) > 0
			if ok {
				j, b.queue = b.queue[0], b.queue[1:]
			}
			sum = hash64.Word(sum, result(2*j.word(), ok))
		}
		return sum
	}},
	{"Queue.Edit", func(s *stock, lp *ross.LP, a byte) uint64 {
		i := int(a%16) - 1
		p := s.Queue.Edit(lp, i)
		if p == nil {
			return 0
		}
		p.Work++
		return s.Queue.At(lp, i).word()
	}, func(b *book, a byte) uint64 {
		i := int(a%16) - 1
		if i < 0 || i >= len(b.queue) {
			return 0
		}
		b.queue[i].Work++
		return b.queue[i].word()
	}},
	{"Queue.All", func(s *stock, lp *ross.LP, _ byte) (sum uint64) {
		for i, j := range s.Queue.All(lp) {
			sum = hash64.Word(sum, j.word()+uint64(i))
		}
		return sum
	}, func(b *book, _ byte) (sum uint64) {
		for i, j := range b.queue {
			sum = hash64.Word(sum, j.word()+uint64(i))
		}
		return sum
	}},
	{"Queue.Clear", func(s *stock, lp *ross.LP, a byte) uint64 {
		if a < 32 {
			s.Queue.Clear(lp)
		}
		return uint64(s.Queue.Len())
	}, func(b *book, a byte) uint64 {
		if a < 32 {
			b.queue = nil
		}
		return uint64(len(b.queue))
	}},
	{"Stack.Push", func(s *stock, lp *ross.LP, a byte) uint64 {
		for i := range several(a) {
			s.Stack.Push(lp, uint16(a)+uint16(i))
		}
		return uint64(s.Stack.Len())
	}, func(b *book, a byte) uint64 {
		for i := range several(a) {
			b.stack = append(b.stack, uint16(a)+uint16(i))
		}
		return uint64(len(b.stack))
	}},
	{"Stack.Pop", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for range several(a) {
			top, _ := s.Stack.Peek(lp)
			v, ok := s.Stack.Pop(lp)
			sum = hash64.Word(sum, result(uint64(v)<<16|uint64(top), ok))
		}
		if a == 9 {
			s.Stack.Clear(lp)
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for range several(a) {
			var v uint16
			ok := len(b.stack) > 0
			if ok {
				v, b.stack = b.stack[len(b.stack)-1], b.stack[:len(b.stack)-1]
			}
			sum = hash64.Word(sum, result(uint64(v)<<16|uint64(v), ok))
		}
		if a == 9 {
			b.stack = nil
		}
		return sum
	}},
	{"Stack.Edit", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		if p := s.Stack.Edit(lp, int(a%8)); p != nil {
			*p ^= uint16(a) << 8
		}
		for i, v := range s.Stack.All(lp) {
			sum = hash64.Word(sum, uint64(v)+uint64(i))
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		if i := int(a % 8); i < len(b.stack) {
			b.stack[i] ^= uint16(a) << 8
		}
		for i, v := range b.stack {
			sum = hash64.Word(sum, uint64(v)+uint64(i))
		}
		return sum
	}},
	{"Heap.Push", func(s *stock, lp *ross.LP, a byte) uint64 {
		for i := range several(a) {
			s.Heap.Push(lp, float64(a%11)-float64(i), uint32(a)<<8|uint32(i))
		}
		return uint64(s.Heap.Len())
	}, func(b *book, a byte) uint64 {
		for i := range several(a) {
			key := float64(a%11) - float64(i)
			at, _ := slices.BinarySearchFunc(b.heap, key, func(e entryOf, k float64) int {
				if e.key <= k { // behind those of the same key
					return -1
				}
				return 1
			})
			b.heap = slices.Insert(b.heap, at, entryOf{key, uint32(a)<<8 | uint32(i)})
		}
		return uint64(len(b.heap))
	}},
	{"Heap.Pop", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for range several(a) {
			least, _, _ := s.Heap.Peek(lp)
			key, v, ok := s.Heap.Pop(lp)
			sum = hash64.Word(sum, result(uint64(v)+uint64(int64(2*key-least)), ok))
		}
		if a == 9 {
			s.Heap.Clear(lp)
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for range several(a) {
			var e entryOf
			ok := len(b.heap) > 0
			if ok {
				e, b.heap = b.heap[0], b.heap[1:]
			}
			sum = hash64.Word(sum, result(uint64(e.value)+uint64(int64(e.key)), ok))
		}
		if a == 9 {
			b.heap = nil
		}
		return sum
	}},
	{"Heap.All", func(s *stock, lp *ross.LP, _ byte) (sum uint64) {
		for key, v := range s.Heap.All(lp) {
			sum += hash64.Word(uint64(int64(key)), uint64(v))
		}
		return sum
	}, func(b *book, _ byte) (sum uint64) {
		for _, e := range b.heap {
			sum += hash64.Word(uint64(int64(e.key)), uint64(e.value))
		}
		return sum
	}},
}
