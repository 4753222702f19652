// This file owns the handling of panics in a parallel run: of the model, including a model
// that ends its goroutine, and of the engine; and what happens to a run on ranks that is to stop, and cannot because
// another rank does not answer.

package run

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
)

// inStages calls functions one after another, even if the model ends the goroutine in one of
// them.
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

// guardLoop runs a scheduler's loop. After a panic of the model, the PE goes on without
// handling events until all PEs have agreed on a GVT at which to stop; otherwise the others
// would wait for it for ever.
func (pe *PE) guardLoop() {
	pe.beginLoop()
	pe.runLoop()
}

// beginLoop is what a PE does before its loop.
func (pe *PE) beginLoop() {
	pe.guardStage(func() {
		pe.Phases.Start()
		pe.Probe.Begin()
		pe.beginPace()
		pe.setHookBound()
	})
	if errors.Is(pe.Err, kernel.ErrEngine) {
		pe.breakDown(pe.Err)
	}
}

// breakDown ends the run after a panic of the engine. The PE cannot take part in another round
// of GVT: it would probably panic again in each turn of its loop, while the others wait for
// it. So all PEs leave their loops as soon as they notice.
func (pe *PE) breakDown(err error) {
	if pe.Err == nil {
		pe.Fail(err)
	}
	pe.state = over
	pe.Team.Break()
	if pe.Engine.Cluster.Ranks > 1 {
		pe.Engine.Cluster.BreakDown(err)
	}
}

// runLoop runs the loop until the run is over, even if the model ends the goroutine.
func (pe *PE) runLoop() {
	pe.beginUse()
	for pe.state != over {
		pe.Catch(pe.loopParallel, func(c kernel.Crash) {
			pe.Catch(func() { pe.afterCrash(c) }, func(again kernel.Crash) { pe.breakDown(again.Err) })
			if c.Exits {
				pe.runLoop()
			}
		})
	}
}

// afterCrash lets the PE go on after a panic of the model, and ends the run after a panic of
// the engine.
func (pe *PE) afterCrash(c kernel.Crash) {
	switch {
	case errors.Is(c.Err, kernel.ErrEngine):
		pe.breakDown(c.Err)
	case c.Exits || !pe.contain(c):
		pe.countBatch()
		pe.LoseEvent()
		pe.Fail(c.Err)
	}
}

// guardStage runs a part of the model before the first event. A panic there fails the PE.
func (pe *PE) guardStage(f func()) {
	pe.Catch(f, func(c kernel.Crash) { pe.Fail(c.Err) })
}

// guardEngine runs a part of the engine after the last event. A panic there ends all ranks.
func (s *Engine) guardEngine(f func() error) (err error) {
	s.Locals[0].Catch(func() { err = f() }, func(c kernel.Crash) {
		err = c.Err
		s.engineFailed(err)
	})
	return err
}

// engineFailed ends all ranks. This rank takes part in nothing any more.
func (s *Engine) engineFailed(err error) {
	if s.Cluster.Ranks > 1 {
		s.Cluster.BreakDown(err)
	}
	s.Cluster.Broken.Store(true)
}

// contain undoes an event in which the model panicked, if the engine has saved the state: the
// event may have come too early and be rolled back. Its LP is suspended, and the panic is
// reported if the event is committed. contain reports whether it could do so.
func (pe *PE) contain(c kernel.Crash) bool {
	lp, e := pe.Running, pe.Current
	if !pe.Undoes() || lp == nil || e == nil || lp.Type().Saving != kernel.SaveByDelta &&
		lp.Type().Saving != kernel.SaveByLog {
		return false
	}
	pe.countBatch()
	kp := lp.KP
	h := &kp.History
	mistake := cmp.Or(pe.MistakeIn(e), c.Err)
	if lp.Type().Saving == kernel.SaveByDelta {
		pe.UndoDelta(lp, e)
	}
	pe.UndoRecords(kp, lp, e)
	// Its flags are about the records that are gone, such as where recordings are.
	h.At(h.Last).Flags = 0
	if pe.After == kernel.AfterAbort { // the event is undone as a whole
		h.At(h.Last).Size = uint32(h.Head - h.Last)
		pe.Rest()
		pe.Abort(lp, kp)
		return true
	}
	if lp.RNG.Keeps() || lp.SavesStreams() { // undoing the event will rewind the stream, which drops what it has kept
		lp.SaveStreams()
	}
	lp.NoteMistake(mistake)
	lp.Suspend(false, 0)
	h.At(h.Last).Size = uint32(h.Head - h.Last)
	return true
}

// silence is how long a run that is to stop waits for the next GVT: doc.go says why.
const silence = 5 * time.Second

// endInSilence has Hooks.Silent called if the context ends, and then no GVT comes for the given time.
// stop is called when the run has stopped.
func (s *Engine) endInSilence(wait time.Duration) (stop func()) {
	if s.Cluster.Ranks == 1 || s.Hooks.Silent == nil {
		return func() {}
	}
	stopped := make(chan struct{})
	gvts := &s.Locals[0].Live.GVTs
	forget := context.AfterFunc(s.ctx, func() {
		for last := gvts.Load(); ; last = gvts.Load() {
			select {
			case <-stopped:
				return
			case <-time.After(wait):
			}
			if gvts.Load() == last {
				s.Hooks.Silent(context.Cause(s.ctx), s.Cluster.Rank, wait)
				return
			}
		}
	})
	return func() {
		close(stopped)
		forget()
	}
}
