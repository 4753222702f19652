// This file owns how a conservative PE comes to a place at which PEs may leave their loops, or be copied.
//
// A conservative PE commits events up to its horizon, which is beyond GVT by the lookahead. So GVT alone does not
// tell what has been committed, and whoever goes on from there in another way (KPs on other PEs, one PE alone, another
// scheduler, a checkpoint) would handle events that are before others that have been committed. Therefore the PEs close
// first: the horizon stays where it was, at the line, and they go on until GVT has come to it. Then all events
// before the line are committed, and no others.

package run

import (
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/timewarp"
)

// closes reports whether the PE is to leave its loop or to be copied, and handles the events before the line
// until then.
func (pe *PE) closes() bool {
	return pe.Conservative() && (pe.state == leaving || pe.cp.Closes())
}

// closed reports whether GVT has come to the line, so that all that is committed is before all that is not.
// In an optimistic run, which has undone what is not before GVT, it always has.
func (pe *PE) closed() bool {
	return !pe.Conservative() || pe.Bound.Key.TS >= pe.line
}

// setLine notes up to where conservative PEs may handle events from now on: to the lookahead, but not beyond the time of
// the next checkpoint. All PEs of all ranks have the same line, since they have the same GVT.
func (pe *PE) setLine() {
	if pe.line = pe.Bound.Key.TS; pe.GVTIs != timewarp.GVTEarly {
		pe.line = min(kernel.TimeBits(pe.Bound.Key.Time()+pe.Run.Set.ConsLookahead), pe.cp.StoreAt)
	}
}
