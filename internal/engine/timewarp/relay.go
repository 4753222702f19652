// This file owns relays: other ranks know only which PE the mapping gives an LP to. If another PE of this
// rank handles the LP now, the event goes on to it, and so does an anti-message.
//
// KPs move only while nothing is uncommitted, so that an event and its anti-message, if there is one, find
// the LP at the same PE.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
)

// relayed is the number of the PE among those of the rank, plus 1, in what the log has of an event that has gone
// on; its slot is below.
const relayed = 32

// relayEvent sends event i, which has come from another rank, to the PE that handles its LP if that is another one.
// It returns where the event is, for the log.
func (pe *PE) relayEvent(i uint32, e *event.Event) (at uint64, gone bool) {
	to := uint32(pe.At(e.Dst).PE.ID) - pe.Channels.Base
	if to == uint32(pe.ID)-pe.Channels.Base {
		return uint64(i), false
	}
	o := outgoing{here: i, there: pe.Arena.Book(to, i)}
	pe.Channels.Balance++
	pe.emit(o, e, to)
	return uint64(to+1)<<relayed | uint64(o.there), true
}

// relayAnti sends an anti-message on. sent is when its event was.
func (pe *PE) relayAnti(at uint64, sent float64) {
	c, b := &pe.Channels, pe.relayBound(sent)
	if b.Compare(&c.AntiMin, pe.Arena.Lines) < 0 {
		pe.setAntiMin(&c.AntiMin, b)
	}
	pe.put(outgoing{there: uint32(at)}, uint32(at>>relayed)-1)
	if pe.Red {
		pe.Redden(b, true)
	}
}

// relayBound returns a bound that is not after an event that has been sent on.
func (pe *PE) relayBound(sent float64) gvt.Bound {
	return pe.raised(gvt.Bound{Key: event.Key{TS: math.Float64bits(sent)}})
}
