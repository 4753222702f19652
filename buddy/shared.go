// The structs that Go and C share, and the state of blocks. All of them lie
// outside the Go heap. The C side is csrc/buddy.h; a test compares the layouts.

package buddy

import (
	"math"
	"unsafe"
)

const (
	minOrder    = 5  // of the smallest block: 32 bytes
	orders      = 48 // orders are below it
	magazines   = 8  // orders minOrder to minOrder+7
	magazineCap = 32 // blocks that a magazine has room for

	magazineMax   = 1 << (minOrder + magazines - 1) // largest block of a magazine, bytes
	magazineBytes = 16 << 10                        // most bytes that wait in a magazine
)

// Values of a byte of state: 0 inside a block; at its start the order, and where
// the block is. Blocks are marked as handed out under invariants only.
const (
	orderBits = 0x3f
	listed    = 0x40
	taken     = 0x80
	handed    = 0xc0
	where     = 0xc0
)

// none is no block's offset.
const none = math.MaxUint64

// magazine is a stack of blocks of one order.
type magazine struct {
	n, cap uint32
	block  [magazineCap]uint64 // offsets from base
}

// shared is all of a pool but its memory.
type shared struct {
	base     unsafe.Pointer
	state    unsafe.Pointer // a byte for each 32 bytes
	top      uint64         // the pool is base[0, top)
	free     uint64         // bytes in lists
	taken    uint64         // blocks not in lists
	peak     uint64         // most bytes ever neither in lists nor shed
	shed     uint64         // bytes of taken blocks without memory, see Pool.Shed
	orders   uint64         // bit k: the list of order k has a block
	list     [orders]uint64
	magazine [magazines]magazine
}

const sharedSize = (unsafe.Sizeof(shared{}) + 63) &^ 63

// sideSize returns the memory for shared and the state of top bytes.
func sideSize(top uintptr) uintptr { return sharedSize + top>>minOrder }

func newShared(base, side unsafe.Pointer) *shared {
	s := (*shared)(side)
	*s = shared{base: base, state: unsafe.Add(side, sharedSize)}
	for m := range s.magazine {
		s.magazine[m].cap = uint32(min(magazineCap, magazineBytes>>(minOrder+m)))
	}
	return s
}

func (s *shared) stateAt(off uint64) *uint8 { return (*uint8)(unsafe.Add(s.state, off>>minOrder)) }

// handedOut counts the blocks that are marked as handed out.
func (s *shared) handedOut() (n uint64) {
	for _, b := range unsafe.Slice((*uint8)(s.state), s.top>>minOrder) {
		if b&where == handed {
			n++
		}
	}
	return n
}
