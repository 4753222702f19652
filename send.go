// This file owns what handlers do with events, as models see it: sending, timers, signatures, and ends of the run.

package ross

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// DefaultPriority is the priority of events sent without one. Among events of one time they
// are handled last.
const DefaultPriority = 1

// Send schedules an event: LP dst will handle msg at lp's time + delay (tw_event_new,
// tw_event_data, tw_event_send). The delay is in virtual time, finite, and at least 0. An
// event at or after the end of the run is counted but not delivered. Call Send only from Init,
// PreRun and Event of lp. A mistake ends the run: Run returns a *ModelError.
func Send[M any](lp *LP, dst LPID, delay float64, msg M) {
	if p := lp.k.Schedule(uint64(dst), delay, DefaultPriority, plain.TypeWord[M](), unsafe.Sizeof(msg)); p != nil {
		*(*M)(p) = msg
	}
}

// SendPriority is Send with a priority in [0, 1]: of two events of one time, the one with the
// lower value is handled first (tw_event_new_user_prio). An event with delay 0 must not have a
// lower value than the event that sends it, because it would come before its own cause.
func SendPriority[M any](lp *LP, dst LPID, delay, priority float64, msg M) {
	if !(priority >= 0 && priority <= 1) {
		lp.k.Blame(ErrPriority, "a priority must be in [0, 1]", "sent %s an event (%s) with priority %g",
			lp.k.NameFor(uint64(dst)), reflect.TypeFor[M](), priority)
		return
	}
	if p := lp.k.Schedule(uint64(dst), delay, priority, plain.TypeWord[M](), unsafe.Sizeof(msg)); p != nil {
		*(*M)(p) = msg
	}
}

// NewEvent is Send for messages that are filled in place: it returns the zeroed message of the
// scheduled event (tw_event_new, tw_event_data). Fill it before the handler returns, and do
// not access it afterwards. If the event is not going to be delivered, NewEvent returns a
// message that nobody will see.
func NewEvent[M any](lp *LP, dst LPID, delay float64) *M {
	var none M
	if p := lp.k.Schedule(uint64(dst), delay, DefaultPriority, plain.TypeWord[M](), unsafe.Sizeof(none)); p != nil {
		if unsafe.Sizeof(none) > 64 { // what is sent holds no pointers; an assignment would clear and copy as much again
			clear(unsafe.Slice((*byte)(p), unsafe.Sizeof(none)))
		} else {
			*(*M)(p) = none
		}
		return (*M)(p)
	}
	if lp.k.PE.Err != nil || lp.k.PE.Void == nil || unsafe.Sizeof(none) > uintptr(len(lp.k.PE.Void))*8 {
		return new(M) // M may be of any type, and hold pointers
	}
	m := (*M)(unsafe.Pointer(unsafe.SliceData(lp.k.PE.Void)))
	*m = none
	return m
}

// Timer names an event that After has sent. It consists of numbers, so states, blocks and messages
// may hold it. The zero Timer names none.
type Timer struct {
	lp     uint64 // its id + 1
	number uint64
}

// After sends lp itself an event with a message, as Send does, which lp can cancel until the event
// happens: a timeout, a retransmission, the end of a service that may be interrupted. The type of
// lp needs a handler for M. Call After from Init, PreRun and Event of lp.
//
// A cancelled event is no event of the model, and nothing depends on it: it is neither counted nor part of the
// digest, of traces and of checkpoints, and LP.Now in Final, the end of a run without an end, averages of package
// stats, GVT hooks and checkpoints are as if it had not been sent. Its memory is free again at its time, or
// before, when more than half of the waiting events of a PE, and at least 1,024, were cancelled and their
// cancellation is committed. With --synch=4, which commits nothing, it stays to the end.
func After[M any](lp *LP, delay float64, msg M) Timer {
	return AfterPriority(lp, delay, DefaultPriority, msg)
}

// AfterPriority is After with a priority, see SendPriority.
func AfterPriority[M any](lp *LP, delay, priority float64, msg M) Timer {
	if !(priority >= 0 && priority <= 1) {
		lp.k.Blame(ErrPriority, "a priority must be in [0, 1]", "set a timer with priority %g", priority)
		return Timer{}
	}
	p, number := lp.k.Arm(delay, priority, plain.TypeWord[M]())
	if p != nil {
		*(*M)(p) = msg
	}
	if number == 0 {
		return Timer{}
	}
	return Timer{lp.k.ID + 1, number}
}

// Cancel takes the event of the timer back. It reports whether it was still to come: for an
// event that has happened, the one that is happening, one that was cancelled before, and the zero
// Timer, Cancel returns false and has no effect. If the event that cancels is undone, the timer
// waits again. An LP cancels only its own timers, in Init, PreRun and Event; anything else is an
// ErrTimer.
func (t Timer) Cancel(lp *LP) bool {
	if t.number == 0 {
		return false
	}
	k := &lp.k
	switch {
	case t.lp != k.ID+1:
		k.Blame(ErrTimer, "send that LP an event, and let it cancel the timer", "cancelled a timer of %s", k.NameFor(t.lp-1))
	case k.PE.Running != k:
		k.Blame(ErrTimer, "cancel timers in Init, PreRun or Event", "cancelled a timer outside of its handlers")
	default:
		return k.Disarm(t.number)
	}
	return false
}

// Pending reports whether the timer, one of lp, waits for its time.
func (t Timer) Pending(lp *LP) bool { return t.lp == lp.k.ID+1 && lp.k.Armed(t.number) }

// Signature orders the events of a simulation (tw_event_sig): by time, then by priority, then
// by one tie-breaker after another. Tie-breakers are random numbers of the engine. An event
// sent without delay has those of the event that sent it, and one more.
type Signature struct {
	Time     float64   // virtual time
	Priority float64   // 0 to 1, the lower value first
	Ties     []float64 // tie-breakers, each 0 to 1
}

// Compare returns a negative number, 0 or a positive number if s is before, equal to or after
// o (tw_event_sig_compare). If one signature begins with the other, the shorter one is first.
func (s Signature) Compare(o Signature) int { return kernel.Signature(s).Compare(kernel.Signature(o)) }

// Stop ends the run at the event that is being handled, when the model has what it wants. Run
// returns nil, and Simulation.Stopped says who stopped it and when. The run ends at the same
// place under every scheduler: all events up to the current one are committed, and so are
// others of the same signature, but none after it. An event that the current one sends
// without delay is after it. Stop is undone with its event, so it takes effect when that event
// is committed; the handler goes on. If several LPs stop the run, the earliest one counts.
//
// Events that are left stay in the queue, and Simulation.Store stores them: a run
// from that checkpoint goes on as if Stop had not been called. --io-on-exit is about runs that
// a signal stops, and stores nothing here.
//
// Stop may be called only in Event: anywhere else it is an ErrOutsideHandler. A conservative
// run of several PEs has already committed later events, up to its lookahead, so there Stop
// is an ErrLookahead, unless Config.ConsLookahead is 0; StopAfter ends such runs. Under Auto it is
// one if all types say NeverStops and there is a lookahead, on any number of PEs.
func (lp *LP) Stop() { lp.k.Stop() }

// StopAfter ends the run at a virtual time, a delay after the current event, as if that time were
// Config.End: all events before it are committed, and none at it or after it, under every
// scheduler. A time at or after Config.End has no effect. A delay of 0, or one too small to change
// the time, is Stop. If LPs call it several times, the earliest end counts. Where Stop is about
// its event, StopAfter is about that time: Simulation.Stopped returns it, calls of the GVT hook
// up to it still come, and a run from a checkpoint stored in between ends at it, too. In all else
// StopAfter is like Stop.
//
// A conservative run of several PEs needs a delay of at least Config.ConsLookahead to tell all of
// them, or StopAfter is an ErrLookahead; so does Auto where Stop is one. A delay that is negative, NaN or infinite is
// an ErrDelay.
func (lp *LP) StopAfter(delay float64) { lp.k.StopAfter(delay) }

// Stopped returns the LP that stopped the run, and the virtual time at which the run ended: that
// of the event which called LP.Stop, or the one that LP.StopAfter chose. ok is false if no LP
// stopped it, or if Run has returned an error. If several LPs stopped the run at the same
// signature, or with StopAfter at the same time, by is the lowest of their ids. All ranks return
// the same.
func (s *Simulation) Stopped() (by LPID, at float64, ok bool) {
	if stop := s.r.Stopped; stop != nil {
		return LPID(stop.By), stop.Time, true
	}
	return 0, 0, false
}
