// Kept payloads: copies of payloads as they were sent, beside those that handlers
// write to.

package event

import (
	"bytes"
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// kept is a bit of Event.Class: there is a copy of the payload. Free clears a Class that
// is not 0, and with it the bit.
const kept = 0x80

// besideCopy is the largest payload whose copy has room in the slot, bytes. Copies of larger ones are in
// blocks of their own, which only events take that were handled.
const besideCopy = 72

// NewKeepingSpace is NewSpace with room for a second payload, or where that is, in each slot, for Keep.
func NewKeepingSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	return newSpace(n, inline, true, maxEvents, budget)
}

// makeRoom sets the sizes of a Space that keeps payloads. Behind those in slots, inline bytes, is the room
// for the copy or the address of its block.
func (s *Space) makeRoom(inline uintptr) {
	room := inline
	if s.apart = inline > besideCopy; s.apart {
		room = unsafe.Sizeof(uintptr(0))
	}
	s.stride, s.inline = (Size+inline+room+15)&^15, inline
}

// Keep copies the payload of an event, of n bytes, unless it was copied since the event
// came to this PE. The copy stays until the slot is freed, or Unkeep drops it. Only an arena of
// NewKeepingSpace has the room. Keep fails when the memory limit is reached.
func (a *Arena) Keep(e *Event, n uintptr) error {
	if e.Class&kept != 0 {
		return nil
	}
	if invariants.Enabled {
		invariants.Check(a.keeps, "a payload is kept in an arena that has no room for it")
	}
	if class := a.copyClass(e); class != 0 {
		p, err := a.blocks.alloc(class)
		if err != nil {
			return err
		}
		storePointer(a.copyAt(e), p)
	}
	copy(unsafe.Slice((*byte)(a.copyOf(e)), n), unsafe.Slice((*byte)(Payload(e)), n))
	e.Class |= kept
	return nil
}

// Unkeep drops Keep's copy of a payload of n bytes if it takes a block and does not differ from the payload.
func (a *Arena) Unkeep(e *Event, n uintptr) {
	if e.Class&kept == 0 || a.copyClass(e) == 0 || !bytes.Equal(unsafe.Slice((*byte)(a.copyOf(e)), n), unsafe.Slice((*byte)(Payload(e)), n)) {
		return
	}
	a.freeCopy(e)
}

// Sent returns the address of Keep's copy of the payload, or of the payload itself if
// there is no copy.
func (a *Arena) Sent(e *Event) unsafe.Pointer {
	if e.Class&kept == 0 {
		return Payload(e)
	}
	return a.copyOf(e)
}

// copyClass returns the class of the block for the copy of a payload, 0 if the copy has room in the slot.
func (a *Arena) copyClass(e *Event) uint8 {
	class := e.Class &^ kept
	if class == 0 && a.space.apart {
		return classOf(a.inline)
	}
	return class
}

// copyAt returns the place in the slot of the copy of a payload, or of the address of its block.
func (a *Arena) copyAt(e *Event) unsafe.Pointer { return unsafe.Add(InSlot(e), a.inline) }

// copyOf returns the address of the copy of a payload.
func (a *Arena) copyOf(e *Event) unsafe.Pointer {
	if a.copyClass(e) != 0 {
		return *(*unsafe.Pointer)(a.copyAt(e))
	}
	return a.copyAt(e)
}

// freeCopy drops the copy of a payload.
func (a *Arena) freeCopy(e *Event) {
	if class := a.copyClass(e); class != 0 {
		a.blocks.free(a.copyOf(e), class)
	}
	e.Class &^= kept
}
