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
	slabSize  = 256 << 10 // least size of a slab, bytes, unless pieces are small
	slabShare = 16        // a later slab is this part of all
	mostSlab  = 64 << 20  // bytes
	minClass  = 8         // 2^8 bytes
	maxClass  = 40
)

// blocks is one PE's share of the large payloads of a Space.
type blocks struct {
	freed [maxClass + 1]bundle // linked through their first word
	room  unsafe.Pointer       // unused rest of the newest slab
	left  uintptr
	space *Space
}

// bundleSize is how many freed blocks of a class, at most 1 MiB, a PE gives to the
// depot at a time; a PE keeps at most twice as many.
func bundleSize(class uint8) int { return int(max(min(64, 1<<20>>class), 1)) }

// alloc returns a block of at least n bytes and its size class.
func (b *blocks) alloc(n uintptr) (unsafe.Pointer, uint8, error) {
	class := uint8(max(bits.Len64(uint64(n-1)), minClass))
	f := &b.freed[class]
	if f.n == 0 && b.space.shared {
		b.space.takeLarge(class, f)
	}
	if f.n > 0 {
		return f.pop(), class, nil
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

// storePointer stores the address of a block in memory of the arena. To Go it is a number:
// for a pointer the collector would look at what was there before, which may be the bytes of
// any message, and end the process if they look like a pointer into a part of Go's heap that
// is not in use.
func storePointer(at, p unsafe.Pointer) { *(*uintptr)(at) = uintptr(p) }

func (f *bundle) pop() unsafe.Pointer {
	p := f.head
	f.head = *(*unsafe.Pointer)(p)
	f.n--
	return p
}

func (f *bundle) push(p unsafe.Pointer) {
	storePointer(p, f.head)
	f.head = p
	f.n++
}

func (b *blocks) free(p unsafe.Pointer, class uint8) {
	f := &b.freed[class]
	f.push(p)
	if n := bundleSize(class); f.n >= 2*n && b.space.shared {
		var give bundle
		for range n {
			give.push(f.pop())
		}
		b.space.putLarge(class, give)
	}
}

// takeLarge moves a bundle of freed blocks from the depot to f.
func (s *Space) takeLarge(class uint8, f *bundle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.large[class]; len(list) > 0 {
		*f = list[len(list)-1]
		s.large[class] = list[:len(list)-1]
	}
}

func (s *Space) putLarge(class uint8, f bundle) {
	s.mu.Lock()
	s.large[class] = append(s.large[class], f)
	s.mu.Unlock()
}

// more opens a slab. The rest of the previous one becomes blocks of the classes that
// fit.
func (b *blocks) more(size uintptr) error {
	least := uintptr(slabSize)
	if budget := b.space.budget; budget != nil && budget.Piece != 0 {
		least = min(least, 4*budget.Piece)
	}
	least = max(size, least)
	slab := max(least, b.space.nextSlab())
	region, err := b.space.openSlab(slab)
	if err != nil && slab > least {
		slab = least
		region, err = b.space.openSlab(slab)
	}
	if err != nil {
		return err
	}
	for class := uint8(maxClass); class >= minClass; class-- {
		for b.left >= 1<<class {
			b.freed[class].push(b.room)
			b.room, b.left = unsafe.Add(b.room, 1<<class), b.left-1<<class
		}
	}
	b.space.addSlab(region)
	b.room, b.left = region.Base(), slab
	return nil
}

// nextSlab returns the size of the next slab: a part of all, because the number of
// mappings of a process is limited.
func (s *Space) nextSlab() uintptr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return min(uintptr(s.bytes/slabShare), mostSlab) / slabSize * slabSize
}

func (s *Space) openSlab(size uintptr) (*mem.Region, error) {
	region, err := mem.Reserve(uint64(size), s.budget)
	if err != nil {
		return nil, err
	}
	if err := region.Grow(size); err != nil {
		region.Release()
		return nil, err
	}
	return region, nil
}

func (s *Space) addSlab(region *mem.Region) {
	s.mu.Lock()
	s.slabs = append(s.slabs, region)
	s.bytes += uint64(region.Committed())
	s.mu.Unlock()
}
