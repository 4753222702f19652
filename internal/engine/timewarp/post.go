// This file owns sends in a parallel run: to other PEs, and to the same PE outside the
// common case.

package timewarp

import (
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
)

// Post sends an event with a message of size bytes to this PE or another one, with a record
// in the history of the KP whose event sends it. It implements kernel.Outlet.
func (pe *PE) Post(lp *kernel.LP, home *kernel.Address, k event.Key, e *event.Event, delay float64, size uintptr) bool {
	if home == pe.Address {
		lp.NoteSend(kernel.TagChild, uint64(k.Index()))
		if pe.KeepsHistory() {
			pe.accept(k)
		} else {
			pe.Queue.Push(k)
		}
		return true
	}
	to := uint32(home.ID)
	pe.Counts.Offset(delay)
	if pe.PerLP != nil {
		pe.PerLP[lp.Index()].Sends++
	}
	pe.Channels.Balance++
	if local := to - pe.Channels.Base; local < uint32(len(pe.Channels.Out)) {
		o := outgoing{here: k.Index(), there: pe.Arena.Book(local, k.Index())}
		lp.NoteSend(kernel.TagRemote, uint64(to)<<32|uint64(o.there))
		pe.emit(o, e, local)
		return true
	}
	pe.postRemote(lp, k.Index(), e, pe.Remote.peer(to), size)
	return true
}

// postRemote sends event i to a PE of another rank.
func (pe *PE) postRemote(lp *kernel.LP, i uint32, e *event.Event, to *peer, size uintptr) {
	pe.Counts.NetRemote++
	o := outgoing{here: i}
	if pe.KeepsHistory() && pe.Current != nil {
		o.there = to.newID()
		lp.NoteSend(kernel.TagRemote, uint64(to.id)<<32|uint64(o.there))
	}
	e.Bits = uint32(size)
	e.Dst += to.offset
	pe.emitRemote(o, e, to)
}
