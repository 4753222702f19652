// This file owns the digest of the committed events: one number that is equal
// for runs that committed the same events, in every mode, on any number of
// PEs.

package ross

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mix"
)

// digestEvent returns the digest of an LP with one more event mixed into it. Events of one LP
// are mixed in order; Simulation.digest then adds the LPs up, so that the
// order between LPs, which has no meaning, has no effect. Of the tie-breakers of
// a chain without delay it takes the first, the event's own and their number:
// those between are the own ones of the events before it, and a chain of n
// would cost n * n else.
//
// Of the message it takes what was sent. Handlers may write to their message, and a
// Reverse need not put it back, so that after a rollback Event may leave something else
// there than without one.
func (pe *PE) digestEvent(lp *LP, e *event.Event) uint64 {
	h := mix.Word(lp.digest, math.Float64bits(e.Time))
	h = mix.Word(h, e.Src)
	h = mix.Word(h, math.Float64bits(e.Prio))
	h = mix.Word(h, math.Float64bits(e.Tie))
	if e.Lineage != 0 {
		h = mix.Word(h, math.Float64bits(pe.arena.Lines.Tie(e.Lineage)))
		h = mix.Word(h, uint64(pe.arena.Lines.Len(e.Lineage)))
	}
	msg := pe.arena.Sent(e)
	for _, s := range lp.typ.spans {
		h = mix.Bytes(h, unsafe.Slice((*byte)(unsafe.Add(msg, s.Off)), s.Size))
	}
	return h
}

// handlerOf returns what is called for the events of a type: its Event, or, if there is
// a digest, a function that looks at the message before Event does.
func (s *Simulation) handlerOf(t *lpType) handler {
	switch {
	case s.cfg.keepsSent():
		return handleKept
	case s.cfg.Digest:
		return handleDigested
	}
	return t.event
}

// keepsSent reports whether a copy of each message is kept, as it was sent: an optimistic
// scheduler commits an event long after Event has written to the message, and hands Event
// the same message again after a rollback. The check of rollback looks who writes to it.
func (c *Config) keepsSent() bool {
	return c.Synch == RollbackCheck || c.Digest && c.mode() == optimistic
}

// handleKept is the handler of LPs in a scheduler that rolls back.
func handleKept(state unsafe.Pointer, lp *LP, bits *Bits, msg unsafe.Pointer) {
	lp.pe.arena.Keep(lp.pe.cur, lp.typ.msgSize)
	lp.typ.event(state, lp, bits, msg)
}

// handleDigested is the handler of LPs in a scheduler that commits an event as soon as it
// has been handled. An event in which the model panics is none.
func handleDigested(state unsafe.Pointer, lp *LP, bits *Bits, msg unsafe.Pointer) {
	digest := lp.pe.digestEvent(lp, lp.pe.cur)
	if lp.suspended {
		ignore(state, lp, bits, msg)
	} else {
		lp.typ.event(state, lp, bits, msg)
	}
	lp.digest = digest
}

// digest combines the LPs.
func (s *Simulation) digest() uint64 {
	var sum uint64
	for _, pe := range s.pes {
		for i := range pe.lpSlab {
			lp := &pe.lpSlab[i]
			if lp.digest != 0 {
				sum += mix.Word(lp.digest, uint64(lp.id))
			}
		}
	}
	return sum
}
