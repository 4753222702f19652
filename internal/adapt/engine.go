package adapt

import "time"

// Move is a KP that moves to another PE. KPs are numbered PE by PE of the mapping, PEs from 0, both among those of the
// process.
type Move struct{ KP, To int }

// Engine is what a balance needs of a run.
type Engine interface {
	// Load returns what the PEs that handle events have published.
	Load(now time.Time) Load
	// Pausing reports whether the PEs are about to leave their loops, or hold for a checkpoint.
	Pausing() bool
	// Pause lets the PEs leave their loops at a GVT, to call [Balance.Change].
	Pause()

	// The others are called only while the PEs have left their loops, where the package says that this is possible.

	// EachLP calls f for each LP of the model, PE by PE of the mapping, with its id, its KP, and the number of events that it
	// has handled.
	EachLP(f func(id uint64, kp int, events uint64))
	// PEOf returns the PE that handles a KP.
	PEOf(kp int) int
	// Active returns how many PEs handle events, which are the first.
	Active() int
	// SetActive lets only the first n PEs handle events, which have all KPs.
	SetActive(n int)
	// Move moves KPs. It returns the moves that take that back, and false if they stay for lack of memory.
	Move(moves []Move) (undo []Move, ok bool)
	// Away returns the moves that take KPs from where the mapping puts them to where they are.
	Away() []Move
	// MoveHome moves all KPs to where the mapping puts them.
	MoveHome()
	// FitsSerial reports whether the PEs may come together: there is memory, and not too much is pending.
	FitsSerial() bool
	// Serially brings the PEs together, calls f, and parts them again.
	Serially(f func())
	// RunSerial lets one PE handle all events for a time, and returns the events per second. It is called by f of Serially.
	RunSerial(length time.Duration) float64
	// GoesOn reports whether events are left, and the last stretch has not ended for an error.
	GoesOn() bool
	// Lacked reports whether the last serial stretch has ended for lack of memory, and forgets it.
	Lacked() bool
}
