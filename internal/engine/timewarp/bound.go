// This file owns what a PE reports to GVT: RedMin, the bound of what is under way, and flags, by which PEs agree on
// what happens at the next GVT.

package timewarp

import (
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
)

// reddenNew lowers RedMin to what is being sent to a process whose first PE is to: an event, or, for
// an anti-message, the event of this PE whose send is undone.
func (pe *PE) reddenNew(o outgoing, bound *event.Event, to uint32) {
	if o.here == 0 {
		to = pe.Base()
	}
	pe.Redden(gvt.Of(bound, to), o.here == 0)
}

// Redden lowers RedMin to the bound of an event or an anti-message that is under way.
func (pe *PE) Redden(b gvt.Bound, anti bool) {
	switch c := b.Compare(&pe.RedMin, pe.Arena.Lines); {
	case c < 0:
		pe.Arena.Lines.Keep(b.Node)
		pe.SetRedMin(b)
		pe.RedAnti = anti
	case c == 0:
		pe.RedAnti = pe.RedAnti || anti
	}
}

// setAntiMin replaces a bound of unsent anti-messages.
func (pe *PE) setAntiMin(of *gvt.Bound, b gvt.Bound) {
	pe.Arena.Lines.Keep(b.Node)
	pe.Arena.Lines.Drop(of.Node)
	*of = b
}

// ReddenAntis lowers RedMin to the unsent anti-messages for PEs of this rank. The bound of one that was
// relayed may be before GVT by now (relayBound), but what it cancels is not.
func (pe *PE) ReddenAntis() {
	if b := pe.Channels.AntiMin; !b.IsMax() {
		pe.Redden(pe.raised(b), true)
	}
}

// raised returns a bound of something that is not before GVT: b, or GVT if that is later.
func (pe *PE) raised(b gvt.Bound) gvt.Bound {
	if b.Compare(&pe.Bound, pe.Arena.Lines) < 0 {
		return pe.Bound
	}
	return b
}

// ReddenUnsent lowers RedMin to the unsent events for a PE of the process whose first PE is to.
// Anti-messages have a bound of their own.
func (pe *PE) ReddenUnsent(unsent []outgoing, to uint32) {
	for _, o := range unsent {
		if o.here != 0 {
			pe.Redden(gvt.Of(pe.Arena.At(o.here), to), false)
		}
	}
}

// ReddenRemote lowers RedMin to all that is unsent for other ranks. Messages sent from now on
// count for the next round.
func (pe *PE) ReddenRemote() {
	r := pe.Remote
	for _, id := range r.dirty {
		p := r.Peers.At(id)
		pe.ReddenUnsent(p.unsent, p.base)
		if !p.antiMin.IsMax() {
			pe.Redden(p.antiMin, true)
		}
	}
	r.round++
}

// ReddenWaiting lowers RedMin to messages that have come and found no memory.
func (pe *PE) ReddenWaiting() {
	type name struct {
		p  *peer
		id uint32
	}
	wait := map[name]bool{}
	for _, words := range pe.Remote.Waiting {
		p := pe.Remote.peer(wireFrom(words[0]))
		for at := 1; at < len(words); {
			next := entry(words[at:])
			if id, ok := next.anti(); ok {
				at++
				if !wait[name{p, id}] { // the event to cancel has been taken in
					if at, sent := pe.arrived(p, id); at>>relayed != 0 {
						pe.Redden(pe.relayBound(sent), true)
					} else {
						pe.Redden(pe.BoundAt(pe.Arena.At(uint32(at))), true)
					}
				}
				continue
			}
			e := next.signature()
			wait[name{p, next.id()}] = true
			at += pe.length(next)
			pe.Redden(pe.raised(pe.BoundAt(&e)), true) // without the lineage: not after the event
		}
	}
}

// SetRedMin replaces RedMin.
func (pe *PE) SetRedMin(b gvt.Bound) {
	pe.Arena.Lines.Drop(pe.RedMin.Node)
	pe.RedMin = b
}

// IsUnderWay reports whether the PE, when it reports to a round, knows of a message that has
// not arrived.
func (pe *PE) IsUnderWay() bool {
	return !pe.RedMin.IsMax() || pe.Remote != nil && len(pe.Remote.Waiting) > 0
}

// isPassed reports whether GVT has passed an event of this PE, which makes it final.
func (pe *PE) isPassed(e *event.Event) bool {
	return pe.Bound.Passed(e, pe.Base(), pe.Arena.Lines)
}

// IsReached reports whether nothing can arrive any more that must be handled before an
// event of this PE.
func (pe *PE) IsReached(e *event.Event) bool {
	return pe.Bound.Reached(e, pe.Base(), pe.Arena.Lines)
}

// Flags of a GVT report. Each is set if some PE sets it.
const (
	FlagStop       = 1 << iota // the run ends at this GVT
	FlagFailed                 // the run ends because of an error: states may be invalid
	FlagTight                  // a PE lacks memory: all uncommitted work is undone
	FlagBusy                   // a PE has events left, or uncommitted ones
	FlagUnsure                 // the event at GVT may be cancelled: its anti-message is under way
	FlagFlush                  // a PE has collected enough instrumentation data to write it
	FlagCheckpoint             // a checkpoint is due
	FlagWriting                // the previous checkpoint is not on the disk yet
	FlagUnderWay               // of a PE that stands still, something is still under way
	FlagEarly                  // an event of Init, for a time below the lookahead, is under way
	FlagLimit                  // a rank has collected as much data as it may: all ranks stop
	FlagHurried                // GVT is early for lack of memory or buffers
	FlagInterval               // a PE has done a whole interval: samples despite FlagHurried
	FlagLeave                  // the PEs leave their loops, with events left
	FlagAway                   // KPs are not where the mapping puts them
	FlagLeft                   // a PE has events left, perhaps beyond the end
)
