// Kept payloads: copies of payloads as they were sent, beside those that handlers
// write to.

package event

import (
	"unsafe"

	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/mem"
)

// kept is a bit of Event.Class: there is a copy of the payload. It is gone when the
// slot is freed, because Free clears a Class that is not 0.
const kept = 0x80

// NewKeepingSpace is NewSpace with room for a second payload in each slot and in each
// block, for Keep.
func NewKeepingSpace(n int, inline uintptr, maxEvents uint64, budget *mem.Budget) (*Space, error) {
	return newSpace(n, inline, true, maxEvents, budget)
}

// Keep copies the payload of an event, of so many bytes, unless that has been done since
// the event came to this PE. The copy stays until the slot is freed. Only an arena of
// NewKeepingSpace has the room.
func (a *Arena) Keep(e *Event, bytes uintptr) {
	if e.Class&kept != 0 {
		return
	}
	if invariants.Enabled {
		invariants.Check(a.keeps, "a payload is kept where there is no room for it")
	}
	copy(unsafe.Slice((*byte)(a.room(e)), bytes), unsafe.Slice((*byte)(Payload(e)), bytes))
	e.Class |= kept
}

// Sent returns the address of the payload as it was when Keep copied it, of the payload
// itself if that has not been done.
func (a *Arena) Sent(e *Event) unsafe.Pointer {
	if e.Class&kept == 0 {
		return Payload(e)
	}
	return a.room(e)
}

// room returns where the copy of a payload lies: behind it.
func (a *Arena) room(e *Event) unsafe.Pointer {
	if class := e.Class &^ kept; class != 0 {
		return unsafe.Add(Payload(e), uintptr(1)<<(class-1))
	}
	return unsafe.Add(Payload(e), a.inline)
}
