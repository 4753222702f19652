// This file owns sends: from a handler's Send to the event's key in the pending-event set.

package kernel

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/mem"
)

// DefaultPriority is the priority of events sent without one.
const DefaultPriority = 1

// Schedule makes an event and puts it into the pending-event set. It returns the address of
// the payload, or nil if the event will not be delivered.
func (lp *LP) Schedule(dst uint64, delay, prio float64, msg unsafe.Pointer, size uintptr) unsafe.Pointer {
	pe := lp.PE
	// Every send draws, even one that is never delivered: this gives LPs the tie-breakers
	// that they have in ROSS.
	tie := lp.Core.Unif()
	time := lp.Now + delay
	if pe.Running != lp || !(delay >= pe.least) || uint64(dst) >= pe.total {
		if pe.sighting != nil && pe.Running == lp {
			return lp.scheduleWatched(dst, delay, prio, msg, size)
		}
		if !lp.allowed(dst, delay, msg) {
			return nil
		}
	}
	typ := uint16(0)
	if msg != pe.onlyMsg {
		var ok bool
		if typ, ok = pe.typeOf(dst).find(msg); !ok {
			lp.refuseMessage(dst, msg)
			return nil
		}
	}
	if time >= pe.End && !lp.beyondEnd(dst, delay, time, typ) {
		return nil
	}
	e, i := pe.Arena.Reuse()
	if i == 0 {
		var err error
		if e, i, err = pe.Arena.Alloc(); err != nil {
			lp.OutOfMemory(err)
			return nil
		}
	}
	e.Fill(time, tie, lp.Now, lp.ID, prio)
	home, at := pe.Address, uint32(dst-pe.first)
	if dst-pe.first-uint64(pe.from) >= uint64(pe.span) {
		home, at = pe.locate(dst)
	}
	e.Address(at, typ)
	if time == lp.Now && pe.Current != nil && !lp.inherit(e, pe.Current, dst, delay, tie) {
		pe.Arena.Free(e, i)
		return nil
	}
	// Nothing of the event is read here, not even the place of its payload: its cache line
	// may be far away, and stores need not wait for it.
	payload := event.InSlot(e)
	if size > pe.Arena.Inline() {
		if err := pe.Arena.AllocBlock(e, size); err != nil {
			lp.OutOfMemory(err)
			pe.Arena.Free(e, i)
			return nil
		}
		payload = event.Payload(e)
	}
	k := event.Key{TS: math.Float64bits(time), Lo: uint64(event.Prefix(prio, e.Tie))<<32 | uint64(i)}
	if pe.Sequential() {
		pe.Queue.Push(k)
		return payload
	}
	if pe.KeepsHistory() && home == pe.Address && k.TS > pe.Front {
		// The common case of Post: the event is not a straggler, and there is room for the
		// record.
		if h := &lp.KP.History; h.Head < len(h.Buf) && pe.Current != nil {
			h.Push(TagChild<<TagShift | uint64(i))
			pe.Queue.Push(k)
			return payload
		}
	}
	if !pe.Out.Post(lp, home, k, e, delay, size) {
		pe.Arena.Free(e, i)
		return nil
	}
	return payload
}

// NoteSend records a send in the history of the KP, if it may have to be undone.
func (lp *LP) NoteSend(tag, what uint64) {
	if pe := lp.PE; !pe.KeepsHistory() || pe.Current == nil {
		return
	}
	h := &lp.KP.History
	if h.Head == len(h.Buf) {
		lp.KP.Grow(1)
	}
	h.Push(tag<<TagShift | what)
}

// beyondEnd counts an event past the end, which will not be delivered. It reports whether
// the event is kept anyway, for a checkpoint.
func (lp *LP) beyondEnd(dst uint64, delay, time float64, msg uint16) bool {
	if delay > math.MaxFloat64 {
		lp.badDelay(dst, delay, lp.PE.Run.Messages[msg].Name)
		return false
	}
	pe := lp.PE
	kind := delayKind(lp.Now, delay, pe.End)
	pe.PastEnd++
	pe.Counts.Beyond[kind]++
	if pe.KeepsHistory() && pe.Current != nil {
		lp.record(TagBeyond, kind, 0)
	}
	return pe.Run.Keeps && time <= math.MaxFloat64
}

// badDelay reports a delay that is negative, infinite or not a number.
func (lp *LP) badDelay(dst uint64, delay float64, msg string) {
	lp.BlameWith(ErrDelay, "a delay must be finite and at least 0", causesOfDelay(delay),
		"sent %s an event (%s) with delay %g", lp.NameFor(dst), msg, delay)
}

// inherit gives an event without delay the lineage of the event that sends it and, after
// that, its own tie-breaker. It therefore comes after its cause and before events that do
// not descend from it. A delay so small that adding it does not change the time counts as
// none if the event's own tie-breaker would order it before its cause, as in ROSS, which loses
// such an event; otherwise the event keeps its place, which it has in ROSS, too. The result is
// false if the event must not be sent.
func (lp *LP) inherit(e, cause *event.Event, dst uint64, delay, tie float64) bool {
	if delay > 0 && (e.Prio > cause.Prio || e.Prio == cause.Prio && tie > cause.Tie) {
		return true
	}
	if e.Prio < cause.Prio {
		lp.Blame(ErrOrder, "give it at least the priority of the event that sends it, or a delay",
			"sent %s an event (%s) without delay and with priority %g, at priority %g itself", lp.NameFor(dst),
			lp.PE.MessageOf(e).Name, e.Prio, cause.Prio)
		return false
	}
	node, err := lp.PE.Arena.Lines.Extend(cause.Lineage, tie)
	if err != nil {
		lp.OutOfMemory(err)
		return false
	}
	e.Tie, e.Lineage = cause.Tie, node
	return lp.lengthen(lp.PE.Arena.Lines.Depth(node), dst, e)
}

// allowed reports what is wrong with a send, if anything is. A delay below PE.least may be allowed.
func (lp *LP) allowed(dst uint64, delay float64, msg unsafe.Pointer) bool {
	pe := lp.PE
	switch {
	case pe.Running != lp:
		lp.Blame(ErrOutsideHandler, "send from Init, PreRun or Event of the LP itself", "sent %s an event (%s)",
			lp.NameFor(dst), pe.Run.messageName(msg))
	case !(delay >= 0):
		lp.badDelay(dst, delay, pe.Run.messageName(msg))
	case uint64(dst) >= pe.total:
		lp.Blame(ErrDestination, fmt.Sprintf("ids go from 0 to %d", pe.total-1), "sent an event (%s) to %s",
			pe.Run.messageName(msg), NameOf(dst, ""))
	default:
		return lp.keepsAhead(dst, delay, msg)
	}
	return false
}

// roundedDelay is by how much a delay that is the difference of two times may be smaller than promised, relatively.
const roundedDelay = 1e-9

// keepsAhead reports a send with a delay below the lookahead that the type of lp promises for other LPs, or below that
// of the run, to an LP that the mapping gives to another PE. Only schedulers that need the lookahead, and those that
// check the model, look: PE.least is 0 in others. Where KPs are now, and under which scheduler of a changing run the
// event is handled, makes no difference: a model's mistake is one on each run, or on none. Init may send with any
// delay, since nothing is handled before all of that has arrived, and so may an LP to itself.
func (lp *LP) keepsAhead(dst uint64, delay float64, msg unsafe.Pointer) bool {
	pe := lp.PE
	if pe.Current == nil || dst == lp.ID {
		return true
	}
	promised := lp.Type().Lookahead
	least := promised
	if pe.Run.Ahead == 0 || promised < pe.Run.Ahead { // no PE relies on it
		least *= 1 - roundedDelay
	}
	if delay < least {
		lp.Blame(ErrLookahead, "send with at least that, or lower Type.Lookahead to the least delay",
			"sent %s an event (%s) with delay %g, below the lookahead of %g that its type promises for all sends to other LPs",
			lp.NameFor(dst), pe.Run.messageName(msg), delay, promised)
		return false
	}
	home, _ := pe.layout.Locate(dst)
	if delay >= pe.Run.Ahead || home == lp.KP.Home.ID {
		return true
	}
	lp.Blame(ErrLookahead,
		"send with at least the lookahead, or lower Config.ConsLookahead (--cons-lookahead) to the least delay between PEs",
		"sent %s on PE %d an event (%s) with delay %g, below the lookahead of %g",
		lp.NameFor(dst), home, pe.Run.messageName(msg), delay, pe.Run.Ahead)
	return false
}

// refuseMessage reports a message that its receiver has no handler for.
func (lp *LP) refuseMessage(dst uint64, msg unsafe.Pointer) {
	to := lp.PE.typeOf(dst)
	lp.Blame(ErrMessageType, to.receives(), "sent %s (%s) an event (%s)", lp.NameFor(dst), to.Name,
		lp.PE.Run.messageName(msg))
}

// OutOfMemory is called when a handler finds no memory. An optimistic scheduler undoes the
// event and tries again when it is less far ahead.
func (lp *LP) OutOfMemory(err error) {
	if pe := lp.PE; pe.KeepsHistory() && pe.Current != nil {
		pe.After, pe.Lack = AfterAbort, err
		return
	}
	lp.GiveUp(err)
}

// GiveUp reports that there is not enough memory for lp to send an event.
func (lp *LP) GiveUp(err error) {
	raise := "--max-memory"
	if mem.IsCut(err) {
		raise = "the limit of the address space (ulimit -v)"
	}
	lp.Blame(err, "raise "+raise+", or have fewer events pending", "sent an event, with %d pending%s", lp.PE.pending(),
		lp.inChain())
}

// The kinds of delays of sends past the end, by whether the model may have given a time
// instead: a handler that passes lp.Now()+d as the delay sends to 2*lp.Now()+d.
const (
	DelayUnclear    = iota // sent before a quarter of the run, or the delay alone is past the end
	DelayLikeTime          // the delay lies between the sender's time and the end
	DelayUnlikeTime        // the delay is not after the sender's time
)

// delayKind returns the kind of a delay.
func delayKind(now, delay, end float64) uint64 {
	switch {
	case delay <= now:
		return DelayUnlikeTime
	case now >= end/4 && delay < end:
		return DelayLikeTime
	}
	return DelayUnclear
}
