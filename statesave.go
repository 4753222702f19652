// This file owns how the engine saves what handlers change.

package ross

import "github.com/ross-go/ross/internal/event"

// record appends a record of one word to the history of the running event.
func (lp *LP) record(tag, what uint64, flags uint32) {
	kp := lp.kp
	h := &kp.hist
	if h.head == len(h.buf) && !kp.room(1) {
		lp.pe.aborted, lp.pe.after = true, true
		return
	}
	h.push(tag<<tagShift | what)
	h.at(h.last).flags |= flags
}

func (pe *PE) handleSpecial(lp *LP, e *event.Event) {
	lp.event(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
}

func (kp *KP) undoOther(lp *LP, e *event.Event, tag, what uint64) {
	switch tag {
	case tagHook:
		kp.pe.dropCalls(e)
	}
}

func (kp *KP) commitRecords(at int) {}
