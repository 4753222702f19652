// This file owns LP, a logical process as the engine sees it, and KP, a group of LPs that are rolled back together.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/rng"
)

// LP is a logical process (tw_lp): an id, a state, random streams and the model's handlers,
// which use it to call the engine. An LP belongs to the goroutine of its PE; only its own
// handlers may call its methods. What few events need is in arrays, see coldFields.
type LP struct {
	// First cache line: what an event's dispatch and its sends touch.
	ID    uint64         // global
	Now   float64        // virtual time of its current or last event, without events of cancelled timers
	State unsafe.Pointer // the model's
	Event Handler        // what to call for an event
	PE    *PE
	Core  rng.CLCG4 // draws the tie-breakers

	// Second line: what most handlers draw from.
	RNG       rng.Stream // stream 0
	Processed uint64     // number of events, including those undone
	KP        *KP
}

// Extra is the part of an LP that few LPs have.
type Extra struct {
	code   int64 // the reason of a suspension, as given by the model
	timers Timers
	StopAt float64 // earliest virtual time at which StopAfter ends the run; 0: none
	listed bool    // the LP is in Stops.LPs
}

// Code returns the reason of a suspension, 0 if there is none.
func (lp *LP) Code() int64 {
	if x := lp.extra(); x != nil {
		return x.code
	}
	return 0
}

// LPSize is the size of an LP in bytes, a whole number of cache lines.
const LPSize = unsafe.Sizeof(LP{})

var _ [0]struct{} = [LPSize % 64]struct{}{} // compiles only for whole cache lines

// Stream returns random stream i of the LP, or nil if it has none of that number.
func (lp *LP) Stream(i int) *rng.Stream {
	switch {
	case i == 0:
		return &lp.RNG
	case i > 0 && i <= len(lp.More()):
		return &lp.More()[i-1]
	}
	return nil
}

// Index returns which LP of this process lp is.
func (lp *LP) Index() uint32 {
	return uint32((uintptr(unsafe.Pointer(lp)) - uintptr(lp.PE.lpBase)) / LPSize)
}

// Local returns the index of lp among the LPs that the mapping gives to its PE.
func (lp *LP) Local() uintptr { return uintptr(lp.Index()) - uintptr(lp.KP.Home.Address.offset) }

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

	recorded int // words from the newest group to its last recording
}
