// This file owns KP: a group of LPs that are rolled back together.

package kernel

import "github.com/ross-go/ross/internal/event"

// KP is a group of LPs with one list of processed events, along which rollback proceeds.
type KP struct {
	PE      *PE       // handles its events
	Home    *PE       // has it by the mapping
	History History   // of uncommitted events
	Notes   []Note    // of uncommitted events, oldest first
	Special bool      // one of its LPs is special
	Newest  event.Key // key of the event handled last, zero if that is committed
	ID      uint64    // index among those of Home
	LPs     uint64    // number of LPs

	Primary, Secondary uint64 // number of rollbacks

	Recorded int // words from the newest group to its last recording
}
