// This file owns what becomes of a parallel run in which the model panics, or ends
// the goroutine it runs on, and of one in which the engine itself panics.

package ross

import (
	"errors"

	"github.com/ross-go/ross/internal/event"
)

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
	pe.guardStage(func() {
		pe.clock.Start()
		pe.beginProbe()
		pe.beginPace()
		pe.setHookBound()
	})
	if errors.Is(pe.err, ErrEngine) {
		pe.breakDown(pe.err)
	}
	pe.runLoop()
}

// breakDown ends the run after a panic of the engine. The PE cannot be relied on to take
// part in another round of GVT: it would most likely panic again in each turn of its loop,
// while the others wait for it. So all leave their loops as soon as they see it.
func (pe *PE) breakDown(err error) {
	if pe.err == nil {
		pe.fail(err)
	}
	pe.over = true
	t := pe.team
	t.broken.Store(true)
	t.stop.Store(true)
	t.rouseAll()
	if pe.sim.ranks > 1 {
		pe.sim.breakDown(err)
	}
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
					pe.afterPanic(r, exits)
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

// afterPanic has the PE go on after a panic of the model, and ends the run after one of
// the engine. exits says that the goroutine ends.
func (pe *PE) afterPanic(r any, exits bool) {
	defer func() {
		r := recover()
		pe.noModel()
		if r != nil {
			pe.breakDown(pe.panicked(r))
		}
	}()
	switch err := pe.panicked(r); {
	case errors.Is(err, ErrEngine):
		pe.breakDown(err)
	case exits || !pe.contain(err):
		pe.countBatch()
		pe.loseEvent()
		pe.fail(err)
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
		pe.noModel()
	}()
	f()
	ended = true
}

// guard runs a part of the engine after the last event. A panic there ends all ranks.
func (s *Simulation) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.pes[0].panicked(r)
			s.engineFailed(err)
		}
	}()
	return f()
}

// engineFailed ends all ranks: this one takes part in nothing any more.
func (s *Simulation) engineFailed(err error) {
	if s.ranks > 1 {
		s.breakDown(err)
	}
	s.broken = true
}

// noModel notes that no function of the model runs: the next panic may be the engine's.
func (pe *PE) noModel() {
	pe.running, pe.cur, pe.shown, pe.hook.runs = nil, nil, nil, false
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
