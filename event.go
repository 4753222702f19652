// This file owns sending: from a handler's Send to the key in the
// pending-event set.

package ross

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/plain"
)

// DefaultPriority is the priority of events sent without one, the last to be
// handled among events of one time.
const DefaultPriority = 1

// Send schedules an event: LP dst will handle msg at lp's time + delay
// (tw_event_new, tw_event_data, tw_event_send). delay is in virtual time,
// finite and at least 0. An event at or after the end of the run is counted
// and never delivered. Send may be called from Init, PreRun and Event of lp
// only. Mistakes end the run: Run returns a *ModelError.
func Send[M any](lp *LP, dst LPID, delay float64, msg M) {
	if p := lp.schedule(dst, delay, DefaultPriority, plain.TypeWord[M](), unsafe.Sizeof(msg)); p != nil {
		*(*M)(p) = msg
	}
}

// SendPriority is Send with a priority in [0, 1]: of two events of one time,
// the one of lower priority value is handled first (tw_event_new_user_prio).
// An event with delay 0 must not have a lower value than the event that sends
// it: it would come before its own cause.
func SendPriority[M any](lp *LP, dst LPID, delay, priority float64, msg M) {
	if !(priority >= 0 && priority <= 1) {
		lp.blame(ErrPriority, "a priority must be in [0, 1]", "sent LP %d an event with priority %g", dst, priority)
		return
	}
	if p := lp.schedule(dst, delay, priority, plain.TypeWord[M](), unsafe.Sizeof(msg)); p != nil {
		*(*M)(p) = msg
	}
}

// NewEvent is Send for messages that are filled in place: it returns the message of
// the scheduled event, zeroed (tw_event_new, tw_event_data). It must be filled
// before the handler returns, and not be touched after. If the event is not to
// be delivered, what is returned is a message that nobody will see.
func NewEvent[M any](lp *LP, dst LPID, delay float64) *M {
	var none M
	if p := lp.schedule(dst, delay, DefaultPriority, plain.TypeWord[M](), unsafe.Sizeof(none)); p != nil {
		*(*M)(p) = none
		return (*M)(p)
	}
	if lp.pe.err != nil || lp.pe.void == nil || unsafe.Sizeof(none) > uintptr(len(lp.pe.void))*8 {
		return new(M) // M may be of any type, and hold pointers
	}
	m := (*M)(unsafe.Pointer(unsafe.SliceData(lp.pe.void)))
	*m = none
	return m
}

// schedule makes an event and puts it into the pending-event set. It returns
// the address of the payload, or nil if the event will not be delivered.
func (lp *LP) schedule(dst LPID, delay, prio float64, msg unsafe.Pointer, size uintptr) unsafe.Pointer {
	pe := lp.pe
	// Every send draws, those that are never delivered too: the tie-breakers
	// of an LP are those of ROSS.
	tie := lp.core.Unif()
	time := lp.now + delay
	if pe.running != lp || !(delay >= 0) || uint64(dst) >= pe.total || msg != pe.onlyMsg {
		if !lp.allowed(dst, delay, msg) {
			return nil
		}
	}
	if time >= pe.end && !lp.beyondEnd(dst, delay, time) {
		return nil
	}
	e, i := pe.arena.Reuse()
	if i == 0 {
		var err error
		if e, i, err = pe.arena.Alloc(); err != nil {
			lp.outOfMemory(err)
			return nil
		}
	}
	e.Time = time
	e.Tie = tie
	e.SendTime = lp.now
	e.Src = uint64(lp.id)
	e.Prio = prio
	home := &pe.public
	if local := uint64(dst) - pe.first; local < pe.span {
		e.Dst = uint32(local)
	} else {
		home, e.Dst = pe.locate(uint64(dst))
	}
	e.Type = 0
	if home.typeOf != nil {
		e.Type = home.typeOf[e.Dst]
	}
	e.State = event.Pending
	if time == lp.now && pe.cur != nil && !lp.inherit(e, pe.cur, dst, tie) {
		pe.arena.Free(e, i)
		return nil
	}
	// Nothing of the event is read here, not even where its payload is: its line
	// may be far, and stores need not wait for it.
	payload := event.InSlot(e)
	if size > pe.arena.Inline() {
		if err := pe.arena.AllocBlock(e, size); err != nil {
			lp.outOfMemory(err)
			pe.arena.Free(e, i)
			return nil
		}
		payload = event.Payload(e)
	}
	k := event.Key{TS: math.Float64bits(time), Lo: uint64(event.Prefix(prio, e.Tie))<<32 | uint64(i)}
	if pe.mode == sequential {
		pe.q.Push(k)
		return payload
	}
	if pe.mode == optimistic && home == &pe.public && k.TS > pe.front {
		// The common case of post: no KP is late, and there is room for the note.
		if h := &lp.kp.hist; h.head < len(h.buf) && pe.cur != nil {
			h.push(tagChild<<tagShift | uint64(i))
			pe.q.Push(k)
			return payload
		}
	}
	if !pe.post(lp, home, k, e, delay, size) {
		pe.arena.Free(e, i)
		return nil
	}
	return payload
}

// post sends an event with a message of so many bytes in a parallel run: to this PE or
// to another, with a note in the history of the KP whose event sends it.
func (pe *PE) post(lp *LP, home *public, k event.Key, e *event.Event, delay float64, size uintptr) bool {
	if home == &pe.public {
		lp.noteSend(tagChild, uint64(k.Index()))
		if pe.mode == optimistic {
			pe.accept(k)
		} else {
			pe.q.Push(k)
		}
		return true
	}
	if pe.mode == conservative && delay < pe.sim.cfg.ConsLookahead && pe.cur != nil {
		lp.blame(ErrLookahead, "send with at least the lookahead, or lower --cons-lookahead to the least delay between PEs",
			"sent LP %d on PE %d an event with delay %g, below the lookahead of %g",
			pe.layout.GID(uint64(home.id), uint64(e.Dst)), home.id, delay, pe.sim.cfg.ConsLookahead)
		return false
	}
	to := uint32(home.id)
	pe.counts.Offset(delay)
	if pe.perLP != nil {
		pe.perLP[lp.local()].Sends++
	}
	pe.ch.gave++
	if local := to - pe.ch.base; local < uint32(len(pe.ch.out)) {
		o := outgoing{here: k.Index(), there: pe.arena.Book(local, k.Index())}
		lp.noteSend(tagRemote, uint64(to)<<32|uint64(o.there))
		pe.emit(o, e, local)
		return true
	}
	pe.postFar(lp, k.Index(), e, pe.far.peer(to), size)
	return true
}

// postFar sends event i to a PE of another rank.
func (pe *PE) postFar(lp *LP, i uint32, e *event.Event, to *peer, size uintptr) {
	pe.counts.FarEvents++
	o := outgoing{here: i}
	if pe.mode == optimistic && pe.cur != nil {
		o.there = to.newID()
		lp.noteSend(tagRemote, uint64(to.id)<<32|uint64(o.there))
		h := &lp.kp.hist
		h.at(h.last).flags |= groupWork // the id is free when the event is committed
	}
	e.Bits = uint32(size)
	pe.emitFar(o, e, to)
}

// noteSend notes a send in the history of the KP, if it may have to be undone.
func (lp *LP) noteSend(tag, what uint64) {
	if pe := lp.pe; pe.mode != optimistic || pe.cur == nil {
		return
	}
	h := &lp.kp.hist
	if h.head == len(h.buf) {
		lp.kp.grow(1)
	}
	h.push(tag<<tagShift | what)
}

// beyondEnd counts an event that will not be delivered. It reports whether the event is
// kept all the same, for a checkpoint.
func (lp *LP) beyondEnd(dst LPID, delay, time float64) bool {
	if delay > math.MaxFloat64 {
		lp.badDelay(dst, delay)
		return false
	}
	pe := lp.pe
	kind := delayKind(lp.now, delay, pe.end)
	pe.pastEnd++
	pe.counts.Beyond[kind]++
	if pe.mode == optimistic && pe.cur != nil {
		lp.record(tagBeyond, kind, 0)
	}
	return pe.sim.io.keeps && time <= math.MaxFloat64
}

func (lp *LP) badDelay(dst LPID, delay float64) {
	lp.blame(ErrDelay, "a delay must be finite and at least 0", "sent LP %d an event with delay %g", dst, delay)
}

// inherit gives an event without delay the lineage of the event that sends it
// and its own tie-breaker after that, so that it comes after its cause and
// before what does not descend from it. A delay so small that adding it leaves
// the time as it is counts as none: the event would otherwise be ordered
// against its cause by chance.
func (lp *LP) inherit(e, cause *event.Event, dst LPID, tie float64) bool {
	if e.Prio < cause.Prio {
		lp.blame(ErrOrder, "give it at least the priority of the event that sends it, or a delay",
			"sent LP %d an event without delay and with priority %g, at priority %g itself", dst, e.Prio, cause.Prio)
		return false
	}
	node, err := lp.pe.arena.Lines.Extend(cause.Lineage, tie)
	if err != nil {
		lp.outOfMemory(err)
		return false
	}
	e.Tie, e.Lineage = cause.Tie, node
	return lp.lengthen(lp.pe.arena.Lines.Depth(node), dst)
}

// allowed looks closer at a send that is not of the common kind. It reports
// whether the send is a proper one all the same.
func (lp *LP) allowed(dst LPID, delay float64, msg unsafe.Pointer) bool {
	pe := lp.pe
	switch {
	case pe.running != lp:
		lp.blame(ErrOutsideHandler, "send from Init, PreRun or Event of the LP itself", "sent LP %d an event", dst)
	case !(delay >= 0):
		lp.badDelay(dst, delay)
	case uint64(dst) >= pe.total:
		lp.blame(ErrDestination, fmt.Sprintf("ids go from 0 to %d", pe.total-1), "sent an event to LP %d", dst)
	default:
		to := pe.sim.typeAt(dst)
		if to.msg == msg {
			return true
		}
		lp.blame(ErrMessageType, "send what its type's Event expects, "+to.msgName,
			"sent LP %d (%s) an event with another message", dst, to.name)
	}
	return false
}

// typeAt returns the type of an LP, without touching the LP.
func (s *Simulation) typeAt(gid LPID) *lpType {
	id, local := s.layout.Locate(uint64(gid))
	if pe := s.PE(PEID(id)); pe != nil {
		return pe.typeAt(uint32(local))
	}
	t, err := s.typeOf(uint64(gid))
	if err != nil {
		return s.types[0] // the LP's own rank has said so
	}
	return t
}

// outOfMemory is called when a send finds no memory. An optimistic scheduler
// takes the event back and tries again when it is less ahead.
func (lp *LP) outOfMemory(err error) {
	if pe := lp.pe; pe.mode == optimistic && pe.cur != nil {
		pe.aborted, pe.after, pe.lack = true, true, err
		return
	}
	lp.giveUp(err)
}

func (lp *LP) giveUp(err error) {
	raise := "--max-memory"
	if mem.IsCut(err) {
		raise = "the limit of the address space (ulimit -v)"
	}
	lp.blame(err, "raise "+raise+", or have fewer events pending", "sent an event, with %d pending%s", lp.pe.pending(), lp.pe.inChain(lp.now))
}
