// This file owns relays: other ranks know only which PE the mapping gives an LP to. If another PE of this
// rank handles the LP now, the event goes on to it, and so does an anti-message.
//
// KPs move only while nothing is uncommitted, so that an event and its anti-message, if there is one, find
// the LP at the same PE.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
)

// relay is where an event of another rank has gone.
type relay struct {
	to   uint32  // index of the PE on this rank, plus 1; 0: the event is here
	time float64 // of the event
}

// relayEvent sends event i, which has come from another rank, with an id if that is not 0, to the PE that handles its LP.
// It reports whether that is another one.
func (pe *PE) relayEvent(p *peer, id, i uint32, e *event.Event) bool {
	to := uint32(pe.At(e.Dst).PE.ID) - pe.Channels.Base
	here := to == uint32(pe.ID)-pe.Channels.Base
	for id != 0 && int(id) >= len(p.relays) {
		p.relays = append(p.relays, relay{})
	}
	if id != 0 {
		p.relays[id] = relay{}
	}
	if here {
		return false
	}
	o := outgoing{here: i, there: pe.Arena.Book(to, i)}
	if id != 0 {
		p.slots[id], p.relays[id] = o.there, relay{to + 1, e.Time}
	}
	pe.Channels.Gave++
	pe.emit(o, e, to)
	return true
}

// relayAnti sends an anti-message on if its event has been. It reports whether it has.
func (pe *PE) relayAnti(p *peer, id uint32) bool {
	if int(id) >= len(p.relays) || p.relays[id].to == 0 {
		return false
	}
	c, b := &pe.Channels, pe.relayBound(p, id)
	if b.Compare(&c.AntiMin, pe.Arena.Lines) < 0 {
		pe.setAntiMin(&c.AntiMin, b)
	}
	pe.put(outgoing{there: p.slots[id]}, p.relays[id].to-1)
	if pe.Red {
		pe.Redden(b, true)
	}
	return true
}

// relayBound returns a bound that is not after an event that has been sent on.
func (pe *PE) relayBound(p *peer, id uint32) gvt.Bound {
	return pe.raised(gvt.Bound{Key: event.Key{TS: math.Float64bits(p.relays[id].time)}})
}
