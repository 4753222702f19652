// This file owns the digest of the committed events: a number that is equal for runs that
// committed the same events, in every mode and on any number of PEs.

package kernel

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/num/hash64"
)

// DigestEvent returns the digest of an LP with one more event mixed in. Events of one LP
// are mixed in order; the digests of the LPs are then added up, because the order between
// LPs has no meaning. Of the tie-breakers of a chain without delay it takes the first, the
// event's own and their number: those between are the own tie-breakers of earlier events of
// the chain, and taking them all would cost n*n for a chain of n events.
//
// Of the message it takes what was sent. Handlers may write to their message, and Reverse
// need not restore it, so that Event may leave something else there after a rollback.
func (pe *PE) DigestEvent(lp *LP, e *event.Event) uint64 {
	h := hash64.Word(lp.Digest(), math.Float64bits(e.Time))
	h = hash64.Word(h, e.Src)
	h = hash64.Word(h, math.Float64bits(e.Prio))
	h = hash64.Word(h, math.Float64bits(e.Tie))
	if e.Lineage != 0 {
		h = hash64.Word(h, math.Float64bits(pe.Arena.Lines.Tie(e.Lineage)))
		h = hash64.Word(h, uint64(pe.Arena.Lines.Len(e.Lineage)))
	}
	msg := pe.Arena.Sent(e)
	for _, s := range pe.MessageOf(e).Spans {
		h = hash64.Bytes(h, unsafe.Slice((*byte)(unsafe.Add(msg, s.Off)), s.Size))
	}
	return h
}

// handlerOf returns the function to call for events of a type: its Event, or, if there is a
// digest, a function that reads the message before Event can change it; or one that does what an exact trace needs.
func (r *Run) handlerOf(t *Type) Handler {
	switch {
	case r.Set.ExactTrace():
		return handleExact
	case r.Set.KeepsSent():
		return handleKept
	case r.Set.Digest:
		return handleDigested
	case !t.simple():
		return handleMessage
	}
	return t.Messages[0].Event
}

// handleKept is the handler of LPs if a copy of each message is kept (Settings.KeepsSent).
func handleKept(state unsafe.Pointer, lp *LP, msg unsafe.Pointer) {
	if !lp.Keep(lp.PE.Current) {
		if h := &lp.KP.History; lp.PE.Undoes() {
			h.At(h.Last).Flags |= GroupIdle | GroupVoid // Event was not called
		}
		return
	}
	handleMessage(state, lp, msg)
}

// Keep keeps a copy of the message of an event. It reports whether there was memory for that; without, the
// event is undone if possible.
func (lp *LP) Keep(e *event.Event) bool {
	err := lp.PE.Arena.Keep(e, lp.PE.MessageOf(e).Size)
	if err != nil {
		lp.OutOfMemory(err)
	}
	return err == nil
}

// handleDigested is the handler of LPs, with a digest, in a scheduler that commits each
// event as soon as it has been handled. Neither an event whose handler panics nor one that has lapsed counts.
func handleDigested(state unsafe.Pointer, lp *LP, msg unsafe.Pointer) {
	digest := lp.PE.DigestEvent(lp, lp.PE.Current)
	if lp.Suspended() {
		ignore(state, lp, msg)
	} else {
		handleMessage(state, lp, msg)
	}
	if !lp.PE.omit {
		lp.SetDigest(digest)
	}
}
