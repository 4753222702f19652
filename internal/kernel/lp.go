// This file owns LP: a logical process as the engine sees it.

package kernel

import (
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/rng"
)

// LP is a logical process (tw_lp): an id, a state, random streams and the model's handlers,
// which use it to call the engine. An LP belongs to the goroutine of its PE; only its own
// handlers may call its methods.
type LP struct {
	// First cache line: what an event's dispatch and its sends touch.
	ID    uint64         // global
	Now   float64        // virtual time of its current or last event
	State unsafe.Pointer // the model's
	Event Handler        // what to call for an event
	PE    *PE
	Core  rng.CLCG4 // draws the tie-breakers

	// Second line: what most handlers draw from.
	RNG       rng.Stream // stream 0
	Processed uint64     // number of events, including those undone
	KP        *KP

	// Third line: rarely used.
	Type      *Type
	More      []rng.Stream // streams 1, 2, ...
	Seconds   float64      // spent in its handler by the events that were timed
	Digest    uint64       // of its committed events
	Special   bool         // its events take more than calling the handler
	Suspended bool         // its events are ignored
	Timed     uint32       // number of events that were timed
	Extra     *Extra       // what few LPs have, nil if this one has nothing of it
}

// Extra is the part of an LP that few LPs have.
type Extra struct {
	Code   int64 // the reason of a suspension, as given by the model
	Timers Timers
	StopAt float64 // earliest virtual time at which StopAfter ends the run; 0: none
	listed bool    // the LP is in Stops.LPs
}

// more returns the part of lp that few LPs have, which it makes if necessary.
func (lp *LP) more() *Extra {
	if lp.Extra == nil {
		lp.Extra = &Extra{}
	}
	return lp.Extra
}

// Code returns the reason of a suspension, 0 if there is none.
func (lp *LP) Code() int64 {
	if lp.Extra == nil {
		return 0
	}
	return lp.Extra.Code
}

// LPSize is the size of an LP in bytes, a whole number of cache lines.
const LPSize = unsafe.Sizeof(LP{})

var _ [0]struct{} = [LPSize % 64]struct{}{} // compiles only for whole cache lines

// Stream returns random stream i of the LP, or nil if it has none of that number.
func (lp *LP) Stream(i int) *rng.Stream {
	switch {
	case i == 0:
		return &lp.RNG
	case i > 0 && i <= len(lp.More):
		return &lp.More[i-1]
	}
	return nil
}

// Local returns the index of lp on its PE.
func (lp *LP) Local() uintptr {
	return (uintptr(unsafe.Pointer(lp)) - uintptr(unsafe.Pointer(unsafe.SliceData(lp.PE.LPs)))) / LPSize
}

// Charge adds the time since begin to the time that the LP spends on its events.
func (lp *LP) Charge(begin time.Time) {
	lp.Seconds += meter.Since(begin) - meter.ClockCost()
	lp.Timed++
	lp.PE.Clock.Firsts.Weigh(meter.SampleEvery)
}
