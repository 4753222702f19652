// Arena: where the events of a PE live. Slots are addressed by index, handed
// out last-freed first, so that a send usually writes to the cache line that
// the event before it has just left.

package event

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// MaxEvents is the most events that an arena can hold: indices are 32 bits and
// 0 is no event.
const MaxEvents = 1<<32 - 1

// Arena is one PE's share of a Space: the slots it has opened or been given. It
// is not safe for concurrent use.
type Arena struct {
	base   unsafe.Pointer
	stride uintptr
	free   uint32 // head of the list of freed slots, linked through Lineage; 0: none
	top    uint32 // slots [top, limit) are new
	limit  uint32
	inline uintptr
	opened uint32 // slots that it opened, those still new included
	taken  int64  // freed slots that it took from the depot, less those it gave
	space  *Space
	blocks blocks
	Lines  *Lineages
}

// NewArena returns the arena of a Space of its own. See NewSpace.
func NewArena(inline uintptr, maxEvents uint64, budget *mem.Budget) (*Arena, error) {
	s, err := NewSpace(1, inline, maxEvents, budget)
	if err != nil {
		return nil, err
	}
	return s.NewArena(), nil
}

// At returns event i. The pointer stays good until Release.
func (a *Arena) At(i uint32) *Event {
	return (*Event)(unsafe.Add(a.base, uintptr(i)*a.stride))
}

// Payload returns the address of an event's payload.
func Payload(e *Event) unsafe.Pointer {
	p := unsafe.Add(unsafe.Pointer(e), Size)
	if e.Class != 0 {
		return *(*unsafe.Pointer)(p)
	}
	return p
}

// Base returns the address of slot 0, Stride the distance of slots in bytes:
// what C needs to find an event.
func (a *Arena) Base() unsafe.Pointer { return a.base }

// Stride returns the size of a slot, bytes.
func (a *Arena) Stride() uintptr { return a.stride }

// Inline returns the size up to which payloads lie in the slot, bytes.
func (a *Arena) Inline() uintptr { return a.inline }

// Freed returns how many slots wait to be used again. It walks the free list.
func (a *Arena) Freed() uint32 {
	n := uint32(0)
	for i := a.free; i != 0; i = a.At(i).Lineage {
		n++
	}
	return n
}

// Live returns how many events of a Space with one arena are allocated now. It
// walks the free list.
func (a *Arena) Live() uint32 { return a.Peak() - a.Freed() }

// Peak returns how many slots the arena opened: with one arena, the most events
// that were allocated at once.
func (a *Arena) Peak() uint32 { return a.opened - (a.limit - a.top) }

// Held returns how many slots the arena opened or took from the depot, less
// those it gave: with what it got from other PEs and sent them, those it has.
func (a *Arena) Held() int64 { return int64(a.Peak()) + a.taken }

// Bytes returns the memory in use for events and lineages of the whole Space.
func (a *Arena) Bytes() uint64 { return a.space.Bytes() }

// Reuse returns the slot that was freed last, whose fields hold what its last
// use left there, but for Lineage and Class, which are 0. i is 0 when no freed
// slot is left; then Alloc opens a new one. It is small enough to be inlined.
func (a *Arena) Reuse() (e *Event, i uint32) {
	i = a.free
	e = a.At(i)
	if invariants.Enabled {
		invariants.Check(i == 0 || e.State == Free, "event %d in the free list has state %d", i, e.State)
	}
	a.free = e.Lineage
	e.Lineage = 0
	return e, i
}

// Alloc returns a free slot and its index. It fails when the memory limit is
// reached.
func (a *Arena) Alloc() (*Event, uint32, error) {
	if e, i := a.Reuse(); i != 0 {
		return e, i, nil
	}
	return a.grow()
}

func (a *Arena) grow() (*Event, uint32, error) {
	if a.top == a.limit {
		c, from, to, err := a.space.take(&a.space.slots, a.space.region, a.stride, a.opened)
		if err != nil {
			return nil, 0, err
		}
		if c.n > 0 {
			a.free = c.head
			a.taken += int64(c.n)
			e, i := a.Reuse()
			return e, i, nil
		}
		a.top, a.limit = from, to
		a.opened += to - from
	}
	i := a.top
	a.top++
	return a.At(i), i, nil
}

// Give hands freed slots over to the depot, as many whole chains as n holds.
func (a *Arena) Give(n uint32) {
	for ; n >= giveSize; n -= giveSize {
		head := a.free
		last := a.At(head)
		for range giveSize - 1 {
			last = a.At(last.Lineage)
		}
		a.free = last.Lineage
		last.Lineage = 0
		a.taken -= giveSize
		a.space.put(&a.space.slots, chain{head, giveSize})
	}
}

// AllocBlock gives event e a payload of more than Inline bytes, in a block of
// its own. It fails when the memory limit is reached.
func (a *Arena) AllocBlock(e *Event, bytes uintptr) error {
	p, class, err := a.blocks.alloc(bytes)
	if err != nil {
		return err
	}
	*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(e), Size)) = p
	e.Class = class
	return nil
}

// Free takes event i back. Its lineage and the block of its payload go with it.
func (a *Arena) Free(e *Event, i uint32) {
	if invariants.Enabled {
		invariants.Check(e.State != Free, "event %d freed twice", i)
		a.poison(e)
	}
	if e.Lineage != 0 || e.Class != 0 {
		a.freeParts(e)
	}
	e.State = Free
	e.Lineage = a.free
	a.free = i
}

func (a *Arena) freeParts(e *Event) {
	a.Lines.Drop(e.Lineage)
	if e.Class != 0 {
		a.blocks.free(Payload(e), e.Class)
		e.Class = 0
	}
}

func (a *Arena) poison(e *Event) {
	lineage, state, class, block := e.Lineage, e.State, e.Class, *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(e), Size))
	b := unsafe.Slice((*byte)(unsafe.Pointer(e)), a.stride)
	for i := range b {
		b[i] = 0xDB
	}
	e.Lineage, e.State, e.Class = lineage, state, class
	if class != 0 {
		*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(e), Size)) = block
	}
}

// Release gives all memory of the Space back.
func (a *Arena) Release() {
	a.space.Release()
	*a = Arena{Lines: &Lineages{}, space: &Space{region: &mem.Region{}, nodes: &mem.Region{}}}
}

// Check verifies that every slot of a Space with one arena is either live or
// in the free list exactly once, and that the lineages add up. It costs
// O(events).
func (a *Arena) Check() error { return a.space.Check(a) }

// Check verifies that every slot that was opened is either live or in exactly
// one free list, of the arenas, which must be all of the Space, or of the depot.
// It costs O(events).
func (s *Space) Check(arenas ...*Arena) error {
	opened := s.slots.top - 1
	n, fresh, nodes := uint32(0), uint32(0), uint32(0)
	heads := make([]uint32, 0, len(arenas)+len(s.slots.chains))
	for _, a := range arenas {
		heads = append(heads, a.free)
		fresh += a.limit - a.top
		nodes += a.Lines.live
	}
	for _, c := range s.slots.chains {
		heads = append(heads, c.head)
	}
	at := func(i uint32) *Event { return (*Event)(unsafe.Add(s.base, uintptr(i)*s.stride)) }
	for _, i := range heads {
		for ; i != 0; i = at(i).Lineage {
			if state := at(i).State; state != Free {
				return fmt.Errorf("event %d in the free list has state %d", i, state)
			}
			if n++; n > opened {
				return fmt.Errorf("the free list of events is a ring")
			}
		}
	}
	for i := uint32(1); i <= opened; i++ {
		if at(i).State != Free {
			n++
		}
	}
	if n != opened-fresh {
		return fmt.Errorf("%d events accounted for of %d", n, opened-fresh)
	}
	return s.checkNodes(arenas, nodes)
}
