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

// Arena holds events of one PE: fixed slots of Stride bytes. It is not safe
// for concurrent use.
type Arena struct {
	base   unsafe.Pointer
	stride uintptr
	free   uint32 // head of the list of freed slots, linked through Lineage; 0: none
	top    uint32 // slots below top have been handed out before
	limit  uint32 // slots below limit are usable memory
	inline uintptr
	region *mem.Region
	blocks blocks
	Lines  *Lineages
}

// NewArena reserves room for events. Payloads of at most inline bytes lie in the
// event's slot, larger ones in a block of their own. maxEvents bounds the
// address space reserved (0: as many as an index can name). Memory is charged
// to budget as it is used.
func NewArena(inline uintptr, maxEvents uint64, budget *mem.Budget) (*Arena, error) {
	if maxEvents == 0 || maxEvents > MaxEvents {
		maxEvents = MaxEvents
	}
	inline = max(inline, unsafe.Sizeof(uintptr(0)))
	// A payload of up to 8 bytes makes the slot one cache line; beyond that
	// slots are packed to 16 bytes: a line saved counts for more than a slot
	// that straddles two.
	stride := (Size + inline + 15) &^ 15
	region, err := mem.Reserve(maxEvents*uint64(stride)+uint64(stride), budget)
	if err != nil {
		return nil, fmt.Errorf("event arena: %w", err)
	}
	lines, err := newLineages(maxEvents, budget)
	if err != nil {
		region.Release()
		return nil, fmt.Errorf("event arena: %w", err)
	}
	if err := region.Grow(2 * stride); err != nil { // slot 0 stands for no event
		region.Release()
		lines.region.Release()
		return nil, fmt.Errorf("event arena: %w", err)
	}
	return &Arena{base: region.Base(), stride: stride, top: 1, inline: stride - Size, region: region,
		blocks: blocks{budget: budget}, Lines: lines}, nil
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

// Live returns how many events are allocated now. It walks the free list.
func (a *Arena) Live() uint32 {
	n := a.top - 1
	for i := a.free; i != 0; i = a.At(i).Lineage {
		n--
	}
	return n
}

// Peak returns the most events that were allocated at once.
func (a *Arena) Peak() uint32 { return a.top - 1 }

// Bytes returns the memory in use for events and lineages.
func (a *Arena) Bytes() uint64 {
	return uint64(a.region.Committed()) + uint64(a.Lines.region.Committed()) + a.blocks.bytes
}

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
	if a.top >= a.limit {
		if err := a.more(); err != nil {
			return nil, 0, err
		}
	}
	i := a.top
	a.top++
	return a.At(i), i, nil
}

func (a *Arena) more() error {
	if a.top == MaxEvents {
		return &mem.LimitError{Limit: uint64(a.region.Reserved()), Used: uint64(a.region.Committed())}
	}
	if err := a.region.Grow((uintptr(a.top) + 1) * a.stride); err != nil {
		return err
	}
	a.limit = uint32(min(a.region.Committed()/a.stride, MaxEvents))
	return nil
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

// Release gives all memory back.
func (a *Arena) Release() {
	a.region.Release()
	a.Lines.region.Release()
	a.blocks.release()
	*a = Arena{Lines: &Lineages{}, region: &mem.Region{}}
}

// Check verifies that every slot handed out is either live or in the free list
// exactly once, and that the lineages add up. It costs O(events).
func (a *Arena) Check() error {
	n := uint32(0)
	for i := a.free; i != 0; i = a.At(i).Lineage {
		if s := a.At(i).State; s != Free {
			return fmt.Errorf("event %d in the free list has state %d", i, s)
		}
		if n++; n > a.top {
			return fmt.Errorf("the free list of events is a ring")
		}
	}
	for i := uint32(1); i < a.top; i++ {
		if a.At(i).State != Free {
			n++
		}
	}
	if n != a.top-1 {
		return fmt.Errorf("%d events accounted for of %d", n, a.top-1)
	}
	return a.Lines.check()
}
