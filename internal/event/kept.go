// Kept payloads: copies of payloads as they were sent, beside those that handlers
// write to.

package event

import (
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// kept is a bit of Event.Class: there is a copy of the payload. Free clears a Class that
// is not 0, and with it the bit.
const kept = 0x80

// NewKeepingSpace is NewSpace with room for a second payload in each slot and in each
// block, for Keep.
func NewKeepingSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	return newSpace(n, inline, true, maxEvents, budget)
}

// Keep copies the payload of an event, of n bytes, unless it was copied since the event
// came to this PE. The copy stays until the slot is freed. Only an arena of
// NewKeepingSpace has the room.
func (a *Arena) Keep(e *Event, bytes uintptr) {
	if e.Class&kept != 0 {
		return
	}
	if invariants.Enabled {
		invariants.Check(a.keeps, "a payload is kept in an arena that has no room for it")
	}
	copy(unsafe.Slice((*byte)(a.room(e)), bytes), unsafe.Slice((*byte)(Payload(e)), bytes))
	e.Class |= kept
}

// Sent returns the address of Keep's copy of the payload, or of the payload itself if
// there is no copy.
func (a *Arena) Sent(e *Event) unsafe.Pointer {
	if e.Class&kept == 0 {
		return Payload(e)
	}
	return a.room(e)
}

// room returns the place of the copy of a payload, which is after the payload.
func (a *Arena) room(e *Event) unsafe.Pointer {
	if class := e.Class &^ kept; class != 0 {
		return unsafe.Add(Payload(e), uintptr(1)<<(class-1))
	}
	return unsafe.Add(Payload(e), a.inline)
}
