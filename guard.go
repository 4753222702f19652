// This file owns what becomes of a parallel run in which the model panics, or ends
// the goroutine it runs on.

package ross

import "github.com/ross-go/ross/internal/event"

// goexit is what a model did that called runtime.Goexit, as testing.T.FailNow does.
// It ends the goroutine, which then runs nothing but deferred functions: the others
// would wait for the PE for ever, so it goes on in these.
const goexit = "runtime.Goexit was called"

// inStages calls functions one after the other, also if the model ends the goroutine
// in one of them.
func (pe *PE) inStages(stages ...func()) {
	done := 0
	defer func() {
		if done < len(stages) {
			pe.inStages(stages[done+1:]...)
		}
	}()
	for _, f := range stages {
		f()
		done++
	}
}

// guardLoop runs a scheduler's loop. After a panic the PE goes on without
// handling events until all PEs have agreed on a GVT to stop at: the others
// would wait for it for ever.
func (pe *PE) guardLoop() {
	pe.beginPace()
	pe.setHookBound()
	pe.runLoop()
}

func (pe *PE) runLoop() {
	for !pe.over {
		func() {
			ended := false
			defer func() {
				r := recover()
				exits := r == nil && !ended
				if exits {
					r = goexit
				}
				if r != nil {
					if err := pe.panicked(r); exits || !pe.contain(err) {
						pe.countBatch()
						pe.loseEvent()
						pe.fail(err)
					}
					pe.running, pe.cur = nil, nil
				}
				if exits {
					pe.runLoop()
				}
			}()
			pe.loopParallel()
			ended = true
		}()
	}
}

// guardStage runs a part of the model before the first event.
func (pe *PE) guardStage(f func()) {
	ended := false
	defer func() {
		r := recover()
		if r == nil && !ended {
			r = goexit
		}
		if r != nil {
			pe.fail(pe.panicked(r))
		}
		pe.running, pe.cur = nil, nil
	}()
	f()
	ended = true
}

// contain takes an event back in which the model panicked, if the engine has
// saved the state: the event may belong to a future that never happens. Its LP is
// suspended; the panic is reported if the event is committed.
func (pe *PE) contain(err error) bool {
	lp, e := pe.running, pe.cur
	if pe.mode != optimistic || lp == nil || e == nil || lp.typ.saving != SaveByDelta && lp.typ.saving != SaveByLog {
		return false
	}
	pe.countBatch()
	kp := lp.kp
	h := &kp.hist
	if lp.typ.saving == SaveByDelta {
		lp.undoDelta(event.Payload(e))
	}
	kp.undoRecords(lp, e)
	if pe.aborted { // it is taken back as a whole
		h.at(h.last).size = uint32(h.head - h.last)
		pe.cur, pe.running = nil, nil
		pe.abort(lp, kp)
		return true
	}
	lp.note(note{err: err})
	lp.Suspend(false, 0)
	h.at(h.last).size = uint32(h.head - h.last)
	return true
}
