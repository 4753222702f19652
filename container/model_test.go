// This file owns the model of the tests: LPs that use every container at random, and books of plain slices and maps
// in which Commit repeats what they did; and the operations: what each does to a container, and to the slice or map
// that stands for it.

package container_test

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/stretchr/testify/require"
)

// job is a value with padding.
type job struct {
	Kind uint8
	Work uint32
}

// spot is a key with padding and a number that has two zeros.
type spot struct {
	X int8
	Y float32
}

// stock is a state with containers of every kind, and containers in containers.
type stock struct {
	Events int64
	Queue  Queue[job]
	Stack  Stack[uint16]
	Heap   Heap[float64, uint32]
	Index  IndexedHeap[float64, job]
	Map    Map[spot, uint32]
	Set    Set[uint16]
	Slab   Slab[job]
	Bits   Bitset
	Lines  [2]Queue[Stack[uint16]]
	By     Map[uint8, Queue[job]]
}

// book is what a stock has to hold.
type book struct {
	queue []job
	stack []uint16
	heap  []entryOf
	index []ticket // in the order of their coming
	given []Handle // handles of index that are free
	most  Handle   // largest handle of index
	keys  []spot
	vals  map[spot]*uint32
	set   []uint16
	slab  []*job
	free  []int
	bits  map[int]bool
	lines [2][][]uint16
	by    []line
}

type entryOf struct {
	key   float64
	value uint32
}

// ticket is a value in an IndexedHeap.
type ticket struct {
	key    float64
	job    job
	handle Handle
}

// first returns the index of the ticket that leaves first, or -1.
func (b *book) first() int {
	least := -1
	for i := range b.index {
		if least < 0 || b.index[i].key < b.index[least].key {
			least = i
		}
	}
	return least
}

// take removes ticket i; ok is false if there is no such ticket.
func (b *book) take(i int) (t ticket, ok bool) {
	if i < 0 {
		return t, false
	}
	t = b.index[i]
	b.index = slices.Delete(b.index, i, i+1)
	b.given = append(b.given, t.handle)
	return t, true
}

// find returns the index of the ticket with a handle, or -1.
func (b *book) find(h Handle) int {
	return slices.IndexFunc(b.index, func(t ticket) bool { return t.handle == h })
}

type line struct {
	key  uint8
	jobs []job
}

// ensure returns the value of a key of the map.
func (b *book) ensure(key spot) *uint32 {
	p := b.vals[key]
	if p == nil {
		p = new(uint32)
		b.keys = append(b.keys, key)
		b.vals[key] = p
	}
	return p
}

// order is the message: pairs of an operation and its argument, and what came of them.
type order struct {
	Ops    [16]byte
	Result uint64
	Left   uint64 // what Event left behind, for Reverse
}

// shop is the model.
type shop struct {
	t      testing.TB
	books  []*book // by LP
	wrong  atomic.Int64
	blind  bool                            // without books
	orders func(lp *ross.LP) (order, bool) // the next one of an LP
}

func newShop(t testing.TB, lps int, orders func(lp *ross.LP) (order, bool)) *shop {
	sh := &shop{t: t, orders: orders}
	for range lps {
		sh.books = append(sh.books, &book{vals: map[spot]*uint32{}, bits: map[int]bool{}})
	}
	return sh
}

// random returns an order that the LP draws.
func random(lp *ross.LP) (o order, ok bool) {
	for i := range o.Ops {
		o.Ops[i] = byte(lp.RNG().Integer(0, 255))
	}
	return o, true
}

// send sends the next order.
func (sh *shop) send(lp *ross.LP) {
	if o, ok := sh.orders(lp); ok {
		dst := ross.LPID(lp.RNG().Integer(0, int64(len(sh.books))-1))
		ross.Send(lp, dst, 0.01+lp.RNG().Exponential(1), o)
	}
}

// model returns the type of the LPs.
func (sh *shop) model(saving ross.Saving) ross.Type[stock] {
	typ := ross.Type[stock]{
		Name: "stock", Saving: saving,
		Init: func(s *stock, lp *ross.LP) {
			s.Queue.Push(lp, jobOf(byte(lp.ID())))
			sh.books[lp.ID()].queue = []job{jobOf(byte(lp.ID()))}
			sh.send(lp)
		},
		Event: ross.On(func(s *stock, lp *ross.LP, m *order) {
			if saving == ross.SaveByLog {
				ross.Save(lp, &s.Events)
			}
			s.Events++
			sum := uint64(0)
			for i := 0; i < len(m.Ops); i += 2 {
				o := &operations[int(m.Ops[i])%len(operations)]
				sum = hash64.Word(sum, o.do(s, lp, m.Ops[i+1]))
			}
			m.Result, m.Left = sum, look(s, lp)
			sh.send(lp)
		}).Commit(func(_ *stock, lp *ross.LP, m *order) {
			sum := uint64(0)
			for i := 0; i < len(m.Ops); i += 2 {
				o := &operations[int(m.Ops[i])%len(operations)]
				sum = hash64.Word(sum, o.note(sh.books[lp.ID()], m.Ops[i+1]))
			}
			if sum != m.Result && !sh.blind {
				sh.wrong.Add(1)
			}
		}),
		Final: sh.audit,
	}
	if saving == ross.SaveByReverse {
		typ.Event = typ.Event.(ross.EventHandler[stock, order]).Reverse(func(s *stock, lp *ross.LP, m *order) {
			if s.Events--; look(s, lp) != m.Left {
				sh.wrong.Add(1)
			}
		})
	}
	return typ
}

// look returns a number for what a stock has.
func look(s *stock, lp *ross.LP) (sum uint64) {
	for i, j := range s.Queue.All(lp) {
		sum = hash64.Word(sum, j.word()+uint64(i))
	}
	for key, v := range s.Map.All(lp) {
		sum = hash64.Word(sum, uint64(key.X)+uint64(v))
	}
	for h, j := range s.Slab.All(lp) {
		sum = hash64.Word(sum, j.word()+uint64(h))
	}
	for h, j := range s.Index.All(lp) {
		key, _ := s.Index.Key(lp, h)
		sum = hash64.Word(sum, j.word()+uint64(h)+uint64(int64(key)))
	}
	return sum
}

// audit compares all results of operations that only look with those of the book.
func (sh *shop) audit(s *stock, lp *ross.LP) {
	b := sh.books[lp.ID()]
	if sh.blind {
		return
	}
	for i := range operations {
		switch o := &operations[i]; o.name {
		case "Queue.All", "Heap.All", "Index.All", "Map.All":
			require.Equal(sh.t, o.note(b, 0), o.do(s, lp, 0), "%s of LP %d", o.name, lp.ID())
		}
	}
	for range len(b.heap) + 1 {
		require.Equal(sh.t, pop.note(b, 0), pop.do(s, lp, 0), "LP %d", lp.ID())
	}
	for range len(b.index) + 1 {
		require.Equal(sh.t, popIndex.note(b, 0), popIndex.do(s, lp, 0), "LP %d", lp.ID())
	}
}

// named returns the operation of a name.
func named(name string) operation {
	return operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == name })]
}

// pop and popIndex are the operations that take from the heaps.
var pop, popIndex = named("Heap.Pop"), named("Index.Pop")

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
