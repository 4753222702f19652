// Arena: the memory of a PE's events.

package event

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/sys/mem"
)

// MaxEvents is the maximum number of events in an arena: indices have 32 bits, and 0
// means no event.
const MaxEvents = 1<<32 - 1

// Arena is one PE's share of a Space. It is not safe for concurrent use.
type Arena struct {
	_ [1536]byte
	slots
	shift  uint
	mine   uint32 // number of the arena
	keeps  bool   // see NewKeepingSpace
	large  bool   // see ReadAhead
	inline uintptr
	space  *Space
	lanes  []slots    // by receiver; see lane.go
	away   [][]uint32 // freed slots of other arenas, by owner
	loan   []uint32   // slots taken from the commons, to be used next
	rests  bool       // see Rest
	blocks blocks
	Lines  *Lineages

	_       [apart]byte // the following is for other PEs
	mu      sync.Mutex
	back    []uint32     // slots that other PEs have freed
	waiting atomic.Int32 // how many
	_       [apart]byte
}

// apart, in bytes, keeps the data of PEs in different pages: a processor prefetches
// lines behind those that it accesses in sequence, up to the end of a page, and takes
// them from the processor that works with them. Most of the padding is at the end of
// structures, because fields beyond the first 4096 bytes cost a comparison with nil.
// The padding at their beginning gives them different offsets in their pages, and so
// different sets of the cache.
const apart = 4096

// awayApart is the number of lists in away that separate those of one arena from those
// of another, which may be next to them in memory: two cache lines.
const awayApart = 128/int(unsafe.Sizeof([]uint32{})) + 1

// NewArena returns the arena of a Space of its own. See NewSpace.
func NewArena(inline uintptr, maxEvents uint64, budget *mem.Budget) (*Arena, error) {
	s, err := NewSpace(1, inline, maxEvents, budget)
	if err != nil {
		return nil, err
	}
	return s.Arena(0), nil
}

// Payload returns the address of an event's payload.
func Payload(e *Event) unsafe.Pointer {
	p := unsafe.Add(unsafe.Pointer(e), Size)
	if e.Class&^kept != 0 {
		return *(*unsafe.Pointer)(p)
	}
	return p
}

// PayloadWords returns a payload of n bytes as words. Slots and blocks have room for
// whole words.
func PayloadWords(e *Event, bytes int) []uint64 {
	return unsafe.Slice((*uint64)(Payload(e)), (bytes+7)/8)
}

// InSlot returns the address of a payload that lies in the event's slot.
func InSlot(e *Event) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(e), Size) }

// Inline returns the largest size in bytes of payloads in the slot.
func (a *Arena) Inline() uintptr { return a.inline }

// Freed returns the number of freed slots in this arena's lists: its own, and those of
// other arenas that it has not yet sent home.
func (a *Arena) Freed() uint32 {
	n := len(a.loan)
	for i := range a.away {
		n += len(a.away[i])
	}
	return uint32(n) + a.home()
}

// home returns the number of this arena's own slots that are free.
func (a *Arena) home() uint32 {
	n := a.free + uint32(a.waiting.Load())
	for i := range a.lanes {
		n += a.lanes[i].free
	}
	return n + a.space.shares(a.mine)
}

// InUse returns the number of this arena's own slots that are not free, whichever PE has them. Those that
// another PE has freed and not yet sent home count as well. Other PEs may run meanwhile.
func (a *Arena) InUse() uint32 { return a.Peak() - a.home() }

// Live returns the number of allocated events of a Space with one arena.
func (a *Arena) Live() uint32 { return a.Peak() - a.Freed() }

// Peak returns how many slots of the arena have been used: with one arena, the
// most events that were allocated at once.
func (a *Arena) Peak() uint32 {
	n := a.used()
	for i := range a.lanes {
		n += a.lanes[i].used()
	}
	return n
}

// Bytes returns the memory in use for events and lineages of the whole Space.
func (a *Arena) Bytes() uint64 { return a.space.Bytes() }

// Alloc returns a free slot and its index. It fails when the memory limit is
// reached.
func (a *Arena) Alloc() (*Event, uint32, error) {
	if e, i := a.Reuse(); i != 0 {
		return e, i, nil
	}
	if i := a.lent(); i != 0 {
		return a.At(i), i, nil
	}
	if a.TakeBack() {
		if e, i := a.Reuse(); i != 0 {
			return e, i, nil
		}
	}
	if a.top == a.limit && a.space.shared { // shared slots are used before new ones
		if a.space.lend(a) {
			i := a.lent()
			return a.At(i), i, nil
		}
	}
	e, i, err := a.grow()
	if err != nil {
		if i = a.spare(); i != 0 {
			return a.At(i), i, nil
		}
	}
	return e, i, err
}

// spare returns a free slot of a lane, 0 if no slot is free.
func (a *Arena) spare() uint32 {
	for i := range a.lanes {
		if _, i := a.lanes[i].Reuse(); i != 0 {
			return i
		}
	}
	return 0
}

// TakeBack collects the slots that other PEs have freed. It reports whether there were
// any.
func (a *Arena) TakeBack() bool {
	if a.waiting.Load() == 0 {
		return false
	}
	a.mu.Lock()
	for _, i := range a.back {
		a.restock(i)
	}
	a.back = a.back[:0]
	a.waiting.Store(0)
	a.mu.Unlock()
	return true
}

// sendHome is the number of slots of another arena that are sent home together.
const sendHome = 64

// GiveBack sends all slots of other arenas home.
func (a *Arena) GiveBack() {
	for owner := range a.away {
		if len(a.away[owner]) > 0 {
			a.giveBack(uint32(owner))
		}
	}
}

func (a *Arena) giveBack(owner uint32) {
	to, ids := a.space.arenas[owner], a.away[owner]
	a.away[owner] = ids[:0]
	if to.rests {
		a.space.putCommons(ids)
		return
	}
	to.mu.Lock()
	to.back = append(to.back, ids...)
	to.waiting.Store(int32(len(to.back)))
	to.mu.Unlock()
}

// AllocBlock gives event e a payload of more than Inline bytes, in a separate block.
// It fails when the memory limit is reached.
func (a *Arena) AllocBlock(e *Event, bytes uintptr) error {
	class := classOf(bytes)
	p, err := a.blocks.alloc(class)
	if err != nil {
		return err
	}
	storePointer(InSlot(e), p)
	e.Class = class
	return nil
}

// Free frees event i, with its lineage and the block of its payload.
func (a *Arena) Free(e *Event, i uint32) {
	if invariants.Enabled {
		invariants.Check(e.State != Free, "event %d freed twice", i)
		a.poison(e)
	}
	if e.Lineage != 0 || e.Class != 0 {
		a.freeParts(e)
	}
	e.State = Free
	if i>>a.shift != a.mine {
		a.freeAway(i)
		return
	}
	a.push(i)
}

// IsPlain reports whether event i has a slot of the arena's own range, and neither lineage nor block. FreePlain
// frees such an event. Both are small enough to be inlined into the hot loops.
func (a *Arena) IsPlain(e *Event, i uint32) bool {
	return !invariants.Enabled && e.Lineage|uint32(e.Class) == 0 && i>>a.shift == a.mine
}

// FreePlain is Free of an event that IsPlain.
func (a *Arena) FreePlain(e *Event, i uint32) {
	e.State = Free
	a.push(i)
}

// restock records a slot of the arena, or of one of its lanes, as freed.
func (a *Arena) restock(i uint32) {
	if to, ok := a.space.laneOf(i); ok {
		a.lanes[to].push(i)
		return
	}
	a.push(i)
}

// freeAway frees a slot that is not in the arena's own range.
func (a *Arena) freeAway(i uint32) {
	owner := a.space.owner(i)
	if owner == a.mine {
		a.restock(i)
		return
	}
	list := &a.away[owner]
	if *list = append(*list, i); len(*list) >= sendHome {
		a.giveBack(owner)
	}
}

func (a *Arena) freeParts(e *Event) {
	a.Lines.Drop(e.Lineage)
	e.Lineage = 0
	if e.Class&kept != 0 {
		a.freeCopy(e)
	}
	if e.Class != 0 {
		a.blocks.free(Payload(e), e.Class)
	}
	e.Class = 0
}

func (a *Arena) poison(e *Event) {
	lineage, state, class, block := e.Lineage, e.State, e.Class, *(*unsafe.Pointer)(InSlot(e))
	copied := uintptr(0)
	if class&kept != 0 {
		copied = *(*uintptr)(a.copyAt(e))
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(e)), a.stride)
	for i := range b {
		b[i] = 0xDB
	}
	e.Lineage, e.State, e.Class = lineage, state, class
	if class&^kept != 0 {
		storePointer(InSlot(e), block)
	}
	if class&kept != 0 && a.copyClass(e) != 0 {
		*(*uintptr)(a.copyAt(e)) = copied
	}
}

// Release releases all memory of the Space.
func (a *Arena) Release() {
	a.space.Release()
	*a = Arena{Lines: &Lineages{}, space: &Space{nodes: &mem.Region{}}}
}
