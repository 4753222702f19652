// Arena: where the events of a PE live. Slots are addressed by index, handed
// out last-freed first, so that a send usually writes to the cache line that
// the event before it has just left.

package event

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// MaxEvents is the most events that an arena can hold: indices are 32 bits and
// 0 is no event.
const MaxEvents = 1<<32 - 1

// Arena is one PE's share of a Space. It is not safe for concurrent use.
type Arena struct {
	base   unsafe.Pointer
	stride uintptr
	stack  unsafe.Pointer // *uint32: freed slots, the last one to be used first
	free   uint32         // how many
	room   uint32         // of the stack
	shift  uint
	mine   uint32 // number of the arena
	inline uintptr
	first  uint32 // slots [first, top) have been used
	top    uint32
	limit  uint32 // slots [top, limit) are usable memory
	region *mem.Region
	space  *Space
	away   []awayList // freed slots of other arenas
	leave  uint64     // bytes of the budget that it must not take
	blocks blocks
	Lines  *Lineages

	_       [128]byte // what follows is for other PEs
	mu      sync.Mutex
	back    []uint32     // slots that others have freed
	waiting atomic.Int32 // how many
	_       [128]byte
}

// awayList is freed slots of another arena. It fills two cache lines, so that its
// neighbours in memory, which may be another PE's, do not matter.
type awayList struct {
	ids []uint32
	_   [128 - 24]byte
}

// NewArena returns the arena of a Space of its own. See NewSpace.
func NewArena(inline uintptr, maxEvents uint64, budget *mem.Budget) (*Arena, error) {
	s, err := NewSpace(1, inline, maxEvents, budget)
	if err != nil {
		return nil, err
	}
	return s.Arena(0), nil
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

// InSlot returns the address of a payload that lies in the event's slot.
func InSlot(e *Event) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(e), Size) }

// Base returns the address of slot 0, Stride the distance of slots in bytes:
// what C needs to find an event.
func (a *Arena) Base() unsafe.Pointer { return a.base }

// Stride returns the size of a slot, bytes.
func (a *Arena) Stride() uintptr { return a.stride }

// Inline returns the size up to which payloads lie in the slot, bytes.
func (a *Arena) Inline() uintptr { return a.inline }

// Freed returns how many slots that the arena knows of wait to be used again:
// its own, and those of other arenas that it has not sent home yet.
func (a *Arena) Freed() uint32 {
	n := int(a.free) + int(a.waiting.Load())
	for i := range a.away {
		n += len(a.away[i].ids)
	}
	return uint32(n) + a.space.shares(a.mine)
}

// Live returns how many events of a Space with one arena are allocated now.
func (a *Arena) Live() uint32 { return a.Peak() - a.Freed() }

// Peak returns how many slots of the arena have been used: with one arena, the
// most events that were allocated at once.
func (a *Arena) Peak() uint32 { return a.top - a.first }

// Bytes returns the memory in use for events and lineages of the whole Space.
func (a *Arena) Bytes() uint64 { return a.space.Bytes() }

// Reuse returns the slot that was freed last, whose fields hold what its last
// use left there, but for Lineage and Class, which are 0. i is 0 when no freed
// slot is left; then Alloc opens a new one. It is small enough to be inlined.
func (a *Arena) Reuse() (e *Event, i uint32) {
	if a.free == 0 {
		return nil, 0
	}
	a.free--
	i = *(*uint32)(unsafe.Add(a.stack, uintptr(a.free)*4))
	e = a.At(i)
	if invariants.Enabled {
		invariants.Check(e.State == Free, "event %d in the free list has state %d", i, e.State)
	}
	return e, i
}

// Alloc returns a free slot and its index. It fails when the memory limit is
// reached.
func (a *Arena) Alloc() (*Event, uint32, error) {
	if e, i := a.Reuse(); i != 0 {
		return e, i, nil
	}
	if a.TakeBack() {
		e, i := a.Reuse()
		return e, i, nil
	}
	if a.top == a.limit && a.space.shared { // before there are more slots, those that are shared
		if i := a.space.borrow(); i != 0 {
			return a.At(i), i, nil
		}
	}
	return a.grow()
}

// Share lets other arenas have half of the free slots, for when memory is short:
// what one arena has opened is of no use to the others else. They go home when they
// are freed.
func (a *Arena) Share() {
	if !a.space.shared {
		return
	}
	s := a.space
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := a.free / 2; n > 0; n-- {
		_, i := a.Reuse()
		s.commons = append(s.commons, i)
	}
}

// TakeBack takes the slots that other PEs have freed. It reports whether there
// were any.
func (a *Arena) TakeBack() bool {
	if a.waiting.Load() == 0 {
		return false
	}
	a.mu.Lock()
	for _, i := range a.back {
		a.push(i)
	}
	a.back = a.back[:0]
	a.waiting.Store(0)
	a.mu.Unlock()
	return true
}

// sendHome is how many slots of another arena are sent home at a time.
const sendHome = 64

// GiveBack sends all slots of other arenas home.
func (a *Arena) GiveBack() {
	for owner := range a.away {
		if len(a.away[owner].ids) > 0 {
			a.giveBack(uint32(owner))
		}
	}
}

func (a *Arena) giveBack(owner uint32) {
	to, ids := a.space.arenas[owner], a.away[owner].ids
	to.mu.Lock()
	to.back = append(to.back, ids...)
	to.waiting.Store(int32(len(to.back)))
	to.mu.Unlock()
	a.away[owner].ids = ids[:0]
}

func (a *Arena) grow() (*Event, uint32, error) {
	if a.top == a.limit {
		if err := a.more(); err != nil {
			return nil, 0, err
		}
	}
	i := a.top
	a.top++
	return a.At(i), i, nil
}

// more makes more slots usable, and room to note them all down as free.
func (a *Arena) more() error {
	whole := uint64(a.mine) << a.shift
	need := uintptr(uint64(a.top)-whole+1) * a.stride
	if uint64(a.top) == MaxEvents || need > a.region.Reserved() {
		return &mem.LimitError{Limit: uint64(a.region.Reserved()), Used: uint64(a.region.Committed())}
	}
	if err := a.space.budget.Spares(a.leave); err != nil {
		return err
	}
	if err := a.region.Grow(need); err != nil {
		return err
	}
	limit := min(uint64(a.region.Committed()/a.stride)+whole, MaxEvents)
	if err := a.moreRoom(limit - uint64(a.first)); err != nil {
		if err = a.moreRoom(uint64(a.top-a.first) + firstOpen); err != nil {
			return err
		}
		limit = min(limit, uint64(a.first)+uint64(a.room))
	}
	a.limit = uint32(limit)
	return nil
}

// moreRoom makes room in the stack for n slots, and for a quarter more than there
// was, so that it seldom grows.
func (a *Arena) moreRoom(n uint64) error {
	if n <= uint64(a.room) {
		return nil
	}
	n = max(n, uint64(a.room)/4*5)
	if err := a.space.budget.Charge((n - uint64(a.room)) * 4); err != nil {
		return err
	}
	stack := make([]uint32, n)
	copy(stack, a.freed())
	a.stack, a.room = unsafe.Pointer(unsafe.SliceData(stack)), uint32(min(n, MaxEvents))
	return nil
}

// freed returns the stack of freed slots.
func (a *Arena) freed() []uint32 { return unsafe.Slice((*uint32)(a.stack), a.free) }

// push notes a slot down as freed. There is room for all slots of the arena.
func (a *Arena) push(i uint32) {
	*(*uint32)(unsafe.Add(a.stack, uintptr(a.free)*4)) = i
	a.free++
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
	if i>>a.shift != a.mine {
		a.freeAway(i)
		return
	}
	a.push(i)
}

// freeAway takes back a slot of another arena.
func (a *Arena) freeAway(i uint32) {
	owner := i >> a.shift
	list := &a.away[owner]
	if list.ids = append(list.ids, i); len(list.ids) >= sendHome {
		a.giveBack(owner)
	}
}

func (a *Arena) freeParts(e *Event) {
	a.Lines.Drop(e.Lineage)
	e.Lineage = 0
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
	*a = Arena{Lines: &Lineages{}, space: &Space{nodes: &mem.Region{}}}
}

// Check verifies the whole Space, see Space.Check.
func (a *Arena) Check() error { return a.space.Check() }

// Check verifies that every slot that was used is either live or free exactly
// once, and that the lineages add up. It costs O(events).
func (s *Space) Check() error {
	nodes := uint32(0)
	for _, a := range s.arenas {
		nodes += a.Lines.live
		if err := s.checkFree(a); err != nil {
			return err
		}
	}
	return s.checkNodes(nodes)
}

// checkFree verifies the free slots of an arena, wherever they are.
func (s *Space) checkFree(a *Arena) error {
	lists := [][]uint32{a.freed(), a.back}
	for k, i := range s.commons {
		if i>>s.shift == a.mine {
			lists = append(lists, s.commons[k:k+1])
		}
	}
	for _, other := range s.arenas {
		lists = append(lists, other.away[a.mine].ids)
	}
	free := make(map[uint32]bool)
	for _, list := range lists {
		for _, i := range list {
			switch {
			case i < a.first || i >= a.top:
				return fmt.Errorf("event %d in the free list of slots %d to %d", i, a.first, a.top)
			case free[i]:
				return fmt.Errorf("event %d is free twice", i)
			case a.At(i).State != Free:
				return fmt.Errorf("event %d in the free list has state %d", i, a.At(i).State)
			}
			free[i] = true
		}
	}
	n := uint32(len(free))
	for i := a.first; i < a.top; i++ {
		if a.At(i).State != Free {
			n++
		}
	}
	if n != a.Peak() {
		return fmt.Errorf("%d events accounted for of %d", n, a.Peak())
	}
	return nil
}
