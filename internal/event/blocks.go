// Blocks: payloads too large for an event's slot. Size classes are powers of
// two, each with a list of its freed blocks, so that one type of large
// messages does not make every event large.

package event

import (
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross/internal/mem"
)

const (
	slabSize = 256 << 10 // least memory taken at a time, bytes
	minClass = 8         // 2^8 bytes
	maxClass = 40
)

// blocks is the pool of large payloads of a PE.
type blocks struct {
	freed  [maxClass + 1]unsafe.Pointer // linked through their first word
	slabs  []*mem.Region
	room   unsafe.Pointer // unused rest of the newest slab
	left   uintptr
	bytes  uint64
	budget *mem.Budget
}

// alloc returns a block of at least n bytes and its size class.
func (b *blocks) alloc(n uintptr) (unsafe.Pointer, uint8, error) {
	class := uint8(max(bits.Len64(uint64(n-1)), minClass))
	if p := b.freed[class]; p != nil {
		b.freed[class] = *(*unsafe.Pointer)(p)
		return p, class, nil
	}
	size := uintptr(1) << class
	if b.left < size {
		if err := b.more(size); err != nil {
			return nil, 0, err
		}
	}
	p := b.room
	b.room, b.left = unsafe.Add(p, size), b.left-size
	return p, class, nil
}

func (b *blocks) free(p unsafe.Pointer, class uint8) {
	*(*unsafe.Pointer)(p) = b.freed[class]
	b.freed[class] = p
}

// more opens a slab. What is left of the one before becomes blocks of the
// classes it still holds.
func (b *blocks) more(size uintptr) error {
	slab := max(size, slabSize)
	region, err := mem.Reserve(uint64(slab), b.budget)
	if err != nil {
		return err
	}
	if err := region.Grow(slab); err != nil {
		region.Release()
		return err
	}
	for class := uint8(maxClass); class >= minClass; class-- {
		for b.left >= 1<<class {
			b.free(b.room, class)
			b.room, b.left = unsafe.Add(b.room, 1<<class), b.left-1<<class
		}
	}
	b.slabs = append(b.slabs, region)
	b.bytes += uint64(region.Committed())
	b.room, b.left = region.Base(), slab
	return nil
}

func (b *blocks) release() {
	for _, r := range b.slabs {
		r.Release()
	}
	*b = blocks{}
}
