// This file owns Block: memory that models allocate in handlers and that is rolled back with
// the event.

package ross

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/check"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/rng"
)

// Block is memory of Alloc: n values of T. It holds no Go pointer, so a state or another block
// may have it as a field. The zero Block is empty.
type Block[T any] struct {
	at uint64 // the address and more, which only the engine interprets
	n  uint64 // number of values
}

// Len returns the number of values.
func (b Block[T]) Len() int { return int(b.n) }

// Alloc returns zeroed memory for n values of T, which belongs to lp until Free. If the
// current event is rolled back, so is the allocation. T holds no pointers; a Block is not a
// pointer. Call Alloc from Init, PreRun and Event.
//
// Asking for more than Config.MaxMemory is an ErrMemory, and the block is then empty. In an
// optimistic run this may happen in an event that is undone later, so a handler that writes to
// values by index should compare the index with Len.
func Alloc[T any](lp *LP, n int) Block[T] {
	k := &lp.k
	var zero T
	size := unsafe.Sizeof(zero)
	if !k.MayAlloc("allocated outside of its handlers") {
		return Block[T]{}
	}
	if n < 0 || !k.PE.IsPlain(plain.TypeWord[T](), reflect.TypeFor[T]) {
		k.Blame(ErrSave, "ask for 0 or more values of a type without pointers", "allocated %d values of %s", n, reflect.TypeFor[T]())
		return Block[T]{}
	}
	if n == 0 || size == 0 {
		return Block[T]{n: uint64(n)}
	}
	if limit := k.PE.Budget.Limit(); uint64(n) > limit/uint64(size) {
		k.Blame(ErrMemory, "ask for less, or raise --max-memory", "allocated %d values of %s of %d bytes each, and the limit is %d bytes",
			n, reflect.TypeFor[T](), size, limit)
		return Block[T]{}
	}
	at := k.Alloc(uintptr(n) * size)
	if at == 0 {
		return Block[T]{}
	}
	return Block[T]{at: at, n: uint64(n)}
}

// Free releases a block of lp. Its contents remain until the current event is over, and for
// Reverse. Free of a block without values is allowed but not needed. Free of a block that was
// freed before, or that belongs to another LP, is an ErrSave. Call Free from Init, PreRun and
// Event.
//
// A state may keep the Block, but better sets it to its zero value: a Block that is kept cannot be
// told from another one of the LP once its memory has been used again 63 times.
func Free[T any](lp *LP, b Block[T]) {
	k := &lp.k
	var zero T
	if size := uintptr(b.n) * unsafe.Sizeof(zero); size > 0 && k.MayAlloc("freed memory outside of its handlers") {
		k.Free(b.at, size)
	}
}

// Of returns the values of the block, which handlers of lp may read and write. They are valid
// until the handler returns. For a block that an earlier event has freed, Of reports an
// ErrSave and returns zeros that nobody else sees.
//
// If the Saving of the LP's type is SaveByDelta, the engine saves the whole block when an
// event first calls Of; the containers of package container save single values. Other types
// must undo in Reverse what they write, or call Save before.
func (b Block[T]) Of(lp *LP) []T {
	k := &lp.k
	if b.n == 0 {
		return nil
	}
	var zero T
	pe, p := k.PE, kernel.AddressOf(b.at)
	if !k.InUse(b.at) && unsafe.Sizeof(zero) > 0 && !k.MayRead(b.at) {
		return make([]T, b.n)
	}
	if pe.InDelta && !slices.Contains(pe.Accessed, b.at) {
		pe.Accessed = append(pe.Accessed, b.at)
		k.Save(p, uintptr(b.n)*unsafe.Sizeof(zero))
	}
	return unsafe.Slice((*T)(p), b.n)
}

// engineTypes returns the types of the engine, which states may refer to but do not contain.
func engineTypes() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[LP](), reflect.TypeFor[PE](), reflect.TypeFor[KP](),
		reflect.TypeFor[Simulation](), reflect.TypeFor[rng.Stream]()}
}

// blockElemOf returns the type of the values of t and true if t is a Block type.
func blockElemOf(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	if b, ok := reflect.Zero(t).Interface().(interface {
		types() (self, elem reflect.Type)
	}); ok { // a struct that embeds a Block has its methods
		if self, elem := b.types(); self == t {
			return elem, true
		}
	}
	return nil, false
}

// types returns the types of the block and of its values.
func (b Block[T]) types() (self, elem reflect.Type) {
	return reflect.TypeFor[Block[T]](), reflect.TypeFor[T]()
}

// findBlock returns the path of a Block within a type, or "" if it contains none.
func findBlock(t reflect.Type, path string) string { return check.PathOfBlock(t, path, blockElemOf) }
