// This file owns sending, as models see it.

package ross

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/plain"
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
		lp.k.Blame(ErrPriority, "a priority must be in [0, 1]", "sent %s an event (%s) with priority %g", lp.k.NameFor(uint64(dst)), reflect.TypeFor[M](), priority)
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
		*(*M)(p) = none
		return (*M)(p)
	}
	if lp.k.PE.Err != nil || lp.k.PE.Void == nil || unsafe.Sizeof(none) > uintptr(len(lp.k.PE.Void))*8 {
		return new(M) // M may be of any type, and hold pointers
	}
	m := (*M)(unsafe.Pointer(unsafe.SliceData(lp.k.PE.Void)))
	*m = none
	return m
}
