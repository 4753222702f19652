// This file owns Bitset.

package container

import (
	"iter"
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
)

// Bitset is a set of small numbers from 0 on, one bit each. The zero Bitset is empty. Its memory
// is that of the greatest number that was ever in it, rounded up to a power of two.
//
// Set, Unset and Has take constant time, apart from growing, and save 8 bytes of the set.
type Bitset struct {
	words ross.Block[uint64]
	n     uint64 // number of bits that are set
}

// Len returns the number of bits that are set.
func (b *Bitset) Len() int { return int(b.n) }

// Has reports whether bit i is set; i may have any value.
func (b *Bitset) Has(lp *ross.LP, i int) bool {
	if i < 0 || i>>6 >= b.words.Len() {
		return false
	}
	s := open(inside.LP(lp), &b.words)
	return s.base != nil && *slotAt(s, uint32(i>>6))>>(i&63)&1 != 0
}

// Set sets bit i, which is 0 or more. A negative i is an ErrSave.
func (b *Bitset) Set(lp *ross.LP, i int) {
	k := inside.LP(lp)
	switch {
	case i < 0:
		k.Blame(ross.ErrSave, "give 0 or more", "set bit %d of a Bitset", i)
		return
	case b.Has(lp, i):
		return
	case i>>6 >= b.words.Len():
		if _, ok := k.BeginChange(unsafe.Pointer(b), unsafe.Sizeof(*b)); !ok || !b.grow(lp, i) {
			return
		}
	}
	b.flip(lp, i, 1)
}

// Unset unsets bit i. It does nothing if the bit is not set; i may have any value.
func (b *Bitset) Unset(lp *ross.LP, i int) {
	if b.Has(lp, i) {
		b.flip(lp, i, -1)
	}
}

// flip flips a bit and adds to the number of those that are set.
func (b *Bitset) flip(lp *ross.LP, i int, more int64) {
	k := inside.LP(lp)
	s, saves := change(k, unsafe.Pointer(&b.n), unsafe.Sizeof(b.n), &b.words)
	if s.base == nil {
		return
	}
	setSlot(s, k, saves, uint32(i>>6), *slotAt(s, uint32(i>>6))^1<<(i&63))
	b.n += uint64(more)
}

// grow makes room for bit i.
func (b *Bitset) grow(lp *ross.LP, i int) bool {
	n := uint64(i>>6) + 1
	if n > most {
		inside.LP(lp).Blame(ross.ErrMemory, "keep smaller numbers in a Bitset", "set bit %d of a Bitset", i)
		return false
	}
	to, ok := alloc[uint64](lp, 1<<bits.Len64(max(n, 4)-1))
	if !ok {
		return false
	}
	if n := b.words.Len(); n > 0 {
		k := inside.LP(lp)
		old, now := open(k, &b.words), open(k, &to)
		if old.base == nil || now.base == nil {
			return false
		}
		copy(unsafe.Slice(slotAt(now, 0), n), unsafe.Slice(slotAt(old, 0), n))
		ross.Free(lp, b.words)
	}
	b.words = to
	return true
}

// Next returns the first bit from i on that is set; ok is false if no such bit is set.
func (b *Bitset) Next(lp *ross.LP, i int) (next int, ok bool) {
	i = max(i, 0)
	w, n := i>>6, b.words.Len()
	if w >= n {
		return 0, false
	}
	s := open(inside.LP(lp), &b.words)
	if s.base == nil {
		return 0, false
	}
	for word := *slotAt(s, uint32(w)) >> (i & 63) << (i & 63); ; word = *slotAt(s, uint32(w)) {
		if word != 0 {
			return w<<6 + bits.TrailingZeros64(word), true
		}
		if w++; w >= n {
			return 0, false
		}
	}
}

// All returns the bits that are set, in ascending order. The loop may set and unset bits.
func (b *Bitset) All(lp *ross.LP) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, ok := b.Next(lp, 0); ok; i, ok = b.Next(lp, i+1) {
			if !yield(i) {
				return
			}
		}
	}
}

// Clear unsets all bits and gives the memory back.
func (b *Bitset) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(b), unsafe.Sizeof(*b)); ok {
		ross.Free(lp, b.words)
		*b = Bitset{}
	}
}
