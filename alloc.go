// This file owns the memory that models allocate in handlers, which is rolled
// back with the event.

package ross

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/plain"
)

// Block is memory of Alloc: n values of T. It holds no Go pointer, so that a
// state, or another block, may have it as a field. The zero Block is empty.
type Block[T any] struct {
	at uint64 // address, and more: see blocktags.go
	n  uint64
}

// Len returns how many values there are.
func (b Block[T]) Len() int { return int(b.n) }

// Alloc returns memory for n values of T, zeroed, that belongs to lp until Free.
// If the event that is being handled is rolled back, so is the allocation. T
// holds no pointers; a Block is none. Call it from Init, PreRun and Event.
//
// To ask for more than Config.MaxMemory is an ErrMemory, and the block is empty then. In
// an optimistic run that may happen in an event which is undone later: a handler that
// writes to values by their index should compare it with Len.
func Alloc[T any](lp *LP, n int) Block[T] {
	var zero T
	size := unsafe.Sizeof(zero)
	if !lp.mayAlloc("allocated outside of its handlers") {
		return Block[T]{}
	}
	if n < 0 || !lp.pe.isPlain(plain.TypeWord[T](), reflect.TypeFor[T]) {
		lp.blame(ErrSave, "ask for 0 or more values of a type without pointers", "allocated %d of %s", n, reflect.TypeFor[T]())
		return Block[T]{}
	}
	if n == 0 || size == 0 {
		return Block[T]{n: uint64(n)}
	}
	if limit := lp.pe.budget.Limit(); uint64(n) > limit/uint64(size) {
		lp.blame(ErrMemory, "ask for less, or raise --max-memory", "allocated %d of %s, of %d bytes each, where all may take %d",
			n, reflect.TypeFor[T](), size, limit)
		return Block[T]{}
	}
	at := lp.alloc(uintptr(n) * size)
	if at == 0 {
		return Block[T]{}
	}
	return Block[T]{at: at, n: uint64(n)}
}

// Free gives a block of lp back. Its contents stay until the event that is being
// handled is over, and for Reverse. A block without values needs no Free, and may have
// one. A block that was freed before, or belongs to another LP, is an ErrSave. Call it from
// Init, PreRun and Event.
func Free[T any](lp *LP, b Block[T]) {
	var zero T
	if size := uintptr(b.n) * unsafe.Sizeof(zero); size > 0 && lp.mayAlloc("freed memory outside of its handlers") {
		lp.free(b.at, size)
	}
}

// Of returns the values of the block, for the handlers of lp, to read and to
// write. They are good until the handler returns. A block that an earlier event has freed
// is an ErrSave, and its values are none: zeros that nobody else sees.
//
// A type whose Saving is SaveByDelta gets the block saved, whole, when an event
// first asks for it. Others undo in Reverse what they write, or call Save
// before.
func (b Block[T]) Of(lp *LP) []T {
	if b.n == 0 {
		return nil
	}
	var zero T
	pe, p := lp.pe, addressOf(b.at)
	if !pe.inUse(b.at) && unsafe.Sizeof(zero) > 0 && !lp.mayLook(b.at) {
		return make([]T, b.n)
	}
	if pe.inDelta && !slices.Contains(pe.accessed, b.at) {
		pe.accessed = append(pe.accessed, b.at)
		lp.save(p, uintptr(b.n)*unsafe.Sizeof(zero))
	}
	return unsafe.Slice((*T)(p), b.n)
}

// takeBlock returns memory of the PE's buddy pool, which is made when it is first
// needed.
func (pe *PE) takeBlock(n uintptr) (unsafe.Pointer, error) {
	if pe.pool == nil {
		c := &pe.sim.cfg
		pool, err := buddy.New(c.PQ, c.BuddySize, c.MaxMemory, pe.budget)
		if err != nil {
			return nil, err
		}
		pe.pool = pool
	}
	begin := pe.counts.Takes.Start()
	p, err := pe.pool.Alloc(n)
	pe.counts.Takes.Add(begin, meter.SampleDeltas)
	return p, err
}

// freeBlock gives memory of takeBlock back.
func (pe *PE) freeBlock(p unsafe.Pointer, n uintptr) {
	begin := pe.counts.Frees.Start()
	pe.pool.Free(p, n)
	pe.counts.Frees.Add(begin, meter.SampleDeltas)
}

// alloc returns the word of a Block of n bytes.
func (lp *LP) alloc(n uintptr) uint64 {
	pe := lp.pe
	pe.freeOld(lp)
	p, err := pe.takeBlock(n)
	tag := uint8(0)
	if err == nil {
		if tag, err = pe.tag(p); err != nil {
			pe.freeBlock(p, n)
		}
	}
	if err != nil {
		lp.outOfMemory(err)
		return uint64(uintptr(pe.lendBlock(n)))
	}
	clear(unsafe.Slice((*byte)(p), n))
	at := lp.handleOf(p, tag)
	if pe.mode != optimistic || pe.cur == nil {
		pe.check.took(p)
		return at
	}
	h := lp.kp.grow(2)
	h.push(uint64(uintptr(p)))
	h.push(tagAlloc<<tagShift | uint64(n))
	return at
}

// lendBlock returns memory beyond that of the run for a handler that goes on and is undone:
// what it writes goes nowhere. It is nil if that would be more than the run may have, or than
// the system has: unlike the Go heap, a region says so.
func (pe *PE) lendBlock(n uintptr) unsafe.Pointer {
	var spare []uint64
	if limit := pe.budget.Limit(); uint64(n) > limit || pe.lentBytes > limit-uint64(n) {
		n = 0
	}
	if n <= mostSpare {
		spare = make([]uint64, (n+7)/8)
	} else if r, err := mem.Reserve(uint64(n), nil); err == nil {
		pe.lent = append(pe.lent, r)
		if r.Grow(n) == nil {
			spare = unsafe.Slice((*uint64)(r.Base()), (n+7)/8)
		}
	}
	pe.spares = append(pe.spares, spare)
	pe.lentBytes += uint64(len(spare)) * 8
	if len(spare) == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(spare))
}

// mostSpare is how large a block may be that is lent from the Go heap, bytes.
const mostSpare = 64 << 10

// takeSpares takes back what was lent.
func (pe *PE) takeSpares() {
	clear(pe.spares)
	pe.spares = pe.spares[:0]
	for _, r := range pe.lent {
		r.Release()
	}
	pe.lent, pe.lentBytes = nil, 0
}

func (lp *LP) free(at uint64, n uintptr) {
	pe, p := lp.pe, addressOf(at)
	if !lp.mayFree(at, n) {
		return
	}
	pe.markFreed(p, true)
	if pe.mode != optimistic {
		pe.freeLater(lp, p, n)
		return
	}
	if pe.cur == nil {
		pe.check.gave(p)
		pe.freeBlock(p, n)
		return
	}
	h := lp.kp.grow(2)
	h.push(uint64(uintptr(p)))
	h.push(tagFree<<tagShift | uint64(n))
	h.at(h.last).flags |= groupWork
}
