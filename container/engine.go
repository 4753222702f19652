// This file owns the way to the engine: single values of a block, read and changed in place.

package container

import (
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// It compiles only if the layouts agree.
var _ [0]struct{} = [unsafe.Sizeof(ross.Block[byte]{}) - unsafe.Sizeof(kernel.Block{})]struct{}{}

// wordOf returns the word by which the engine knows a block.
func wordOf[T any](b *ross.Block[T]) uint64 { return (*kernel.Block)(unsafe.Pointer(b)).At }

// slots is the memory of a block of T, whose values a container reads and changes one by one. It has functions and no
// methods: a package that knows a type compiles all its methods, and only those functions that it calls.
type slots[T any] struct{ base unsafe.Pointer }

// open returns the slots of a block, which has some. They are nil if the block has been freed,
// which the engine then reports.
func open[T any](k *kernel.LP, b *ross.Block[T]) slots[T] {
	if unsafe.Sizeof(*new(T)) == 0 {
		return slots[T]{unsafe.Pointer(&nothing)}
	}
	return slots[T]{k.Memory(wordOf(b))}
}

// change returns the slots of a block that will be changed, and whether what changes must be saved
// (fillSlot, setSlot, emptySlot). It saves the n bytes of the container at p. The slots are nil if nothing
// may change now.
func change[T any](k *kernel.LP, p unsafe.Pointer, n uintptr, b *ross.Block[T]) (s slots[T], saves bool) {
	if unsafe.Sizeof(*new(T)) > 0 {
		s.base, saves = k.Change(p, n, wordOf(b))
		return s, saves
	}
	saves, ok := k.BeginChange(p, n)
	if ok {
		s.base = unsafe.Pointer(&nothing)
	}
	return s, saves
}

// nothing is where values without a size are.
var nothing byte

// slotAt returns the address of value i.
func slotAt[T any](s slots[T], i uint32) *T {
	return (*T)(unsafe.Add(s.base, uintptr(i)*unsafe.Sizeof(*new(T))))
}

// fillSlot sets slot i, which is zero.
func fillSlot[T any](s slots[T], k *kernel.LP, saves bool, i uint32, v T) {
	p := slotAt(s, i)
	if saves {
		k.SaveZeros(unsafe.Pointer(p), unsafe.Sizeof(v))
	}
	*p = v
}

// setSlot sets slot i to another value.
func setSlot[T any](s slots[T], k *kernel.LP, saves bool, i uint32, v T) {
	p := slotAt(s, i)
	if saves {
		save(k, p)
	}
	*p = v
}

// save saves the value at p.
func save[T any](k *kernel.LP, p *T) {
	if !kernel.SaveValue(&k.KP.History, p) {
		k.Save(unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
}

// emptySlot sets slot i, which is not zero, to zero. Slots without a value are zero, so that a
// state is the same whatever was in it before, and holds no Blocks that have been freed.
func emptySlot[T any](s slots[T], k *kernel.LP, saves bool, i uint32) {
	var zero T
	setSlot(s, k, saves, i, zero)
}

// edit returns the address of value i of a block, saved so that the caller may change it, or nil if
// that is not allowed now.
func edit[T any](lp *ross.LP, b *ross.Block[T], i uint32) *T {
	k := inside.LP(lp)
	s, saves := change(k, unsafe.Pointer(b), 0, b)
	if s.base == nil {
		return nil
	}
	p := slotAt(s, i)
	if saves {
		save(k, p)
	}
	return p
}

// least returns the number of values in the first block of a container: those of 64 bytes, and
// at least 4.
func least[T any]() uint32 {
	n := uint32(4)
	for size := unsafe.Sizeof(*new(T)); n < 64 && uintptr(n)*size < 64; {
		n *= 2
	}
	return n
}

// most is the largest number of values in a block.
const most = 1 << 31

// alloc returns a block of n values; ok is false if there is no memory, which the engine then
// reports.
func alloc[T any](lp *ross.LP, n uint64) (b ross.Block[T], ok bool) {
	if n > most {
		inside.LP(lp).Blame(ross.ErrMemory, "keep fewer values in one container", "grew a container beyond %d values",
			uint64(most))
		return b, false
	}
	b = ross.Alloc[T](lp, int(n))
	return b, b.Len() > 0
}

// grow moves the n values of a block to a block of twice the size, in their order from first on,
// round the end of the block. The caller has saved the Block.
func grow[T any](lp *ross.LP, b *ross.Block[T], first, n uint32) bool {
	size := uint32(b.Len())
	to, ok := alloc[T](lp, max(2*uint64(size), uint64(least[T]())))
	if !ok {
		return false
	}
	if n > 0 {
		k := inside.LP(lp)
		old, now := open(k, b), open(k, &to)
		if old.base == nil || now.base == nil {
			return false
		}
		from, into := unsafe.Slice(slotAt(old, 0), size), unsafe.Slice(slotAt(now, 0), n)
		copy(into[copy(into, from[first:min(first+n, size)]):], from[:first+n-min(first+n, size)])
	}
	if size > 0 {
		ross.Free(lp, *b)
	}
	*b = to
	return true
}

// room makes room for one more value behind the n values of a block, the first field of the size
// bytes at p, and returns the slots, which are nil if there is no memory. It saves these bytes, or, if
// the block stays, those after the Block.
func room[T any](lp *ross.LP, k *kernel.LP, p unsafe.Pointer, size uintptr, b *ross.Block[T], n uint64) (
	s slots[T], saves bool) {
	if int(n) < b.Len() {
		return change(k, unsafe.Add(p, unsafe.Sizeof(*b)), size-unsafe.Sizeof(*b), b)
	}
	saves, ok := k.BeginChange(p, size)
	if !ok || !grow(lp, b, 0, uint32(n)) {
		return s, false
	}
	return open(k, b), saves
}
