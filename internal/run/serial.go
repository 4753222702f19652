// This file owns sequential stretches of a parallel run: the first PE handles the events of all PEs of
// the process (kernel.Run.BeginSerial).

package run

import (
	"math"
	"runtime"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/run/adapt"
)

// beginSerialRun is everything before the first event.
func (s *Engine) beginSerialRun() error {
	stage := func(f func(pe *PE)) {
		for _, pe := range s.Locals {
			if s.failure() == nil {
				pe.guardStage(func() { f(pe) })
			}
		}
	}
	s.BeginSerial()
	stage((*PE).callInits)
	stage((*PE).callPreRuns)
	s.Locals[0].prepareEvents()
	s.endSerial() // a checkpoint gives each PE its events
	stage(func(pe *PE) { pe.cp.LoadEvents() })
	if err := s.failure(); err != nil {
		return err
	}
	s.Checkpoints.Loaded()
	observe := s.observing()
	for _, pe := range s.Locals {
		pe.Observe = observe
		pe.setHookBound()
		pe.Phases.Start()
	}
	if !s.begins() {
		return s.failure()
	}
	return nil
}

// inf is the time of the next event of a PE that has none.
var inf = math.Inf(1)

// serialLoop is the state of the sequential loop.
type serialLoop struct {
	until time.Time // when the stretch ends
	least uint64    // in a test, events after which it ends; 0: none
	burst int       // events of a turn of the loop
	look  int       // turns until it looks at the clock
	every int       // turns between such looks
	seen  time.Time // the last look
}

const (
	// A look at the clock is due after 1 to mostTurns turns of the sequential loop of 1 to burst
	// events, so that it is seldom needed but not late if handlers are slow.
	mostTurns = 64
	lateLook  = time.Millisecond
)

// serially brings the PEs together, calls f, and parts them again. It returns how long the first and the
// last took.
func (s *Engine) serially(f func()) time.Duration {
	begin := time.Now()
	s.BeginSerial()
	joined := time.Since(begin)
	f()
	begin = time.Now()
	s.endSerial()
	return joined + time.Since(begin)
}

// goOnParallel lets all PEs go on in parallel. Conservative PEs learn of the stops that LPs of other PEs have asked
// for: the scheduler before may have taken GVT to less than a lookahead before a stop, too near to announce it.
func (s *Engine) goOnParallel(mode settings.Mode) {
	var first kernel.Stopped
	for _, pe := range s.Locals {
		if stop, ok := pe.Stops.Unknown(); ok && (first.Time == 0 || stop.IsBefore(first)) {
			first = stop
		}
	}
	for _, pe := range s.Locals {
		if first.Time > 0 && mode == settings.Conservative {
			pe.Stops.Agree(first.By, first.Time)
		}
		pe.SetMode(mode)
		pe.ClearReserve()
		pe.beginPace()
	}
}

// runSerial handles the events of all PEs for a time, or to the end of the run. It sets s.left.
func (s *Engine) runSerial(length time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	j, pe := &s.serialLoop, s.Locals[0]
	j.until, j.seen = time.Now().Add(length), time.Now()
	j.burst, j.every = max(j.burst, 1), max(j.every, 1)
	if s.dice != nil {
		j.least, j.burst = s.committed()+1+s.dice.Uint64N(s.Set.Stretch), 1
	}
	s.left = false
	pe.thread.own = true
	pe.beginUse()
	defer pe.endUse()
	defer s.Live.beginSerial(s.Created)()
	pe.cross = pe.Cross
	pe.GoOn() // a parallel stretch may have come to the last events too early
	for _, other := range s.Locals {
		other.ClearReserve()
	}
	pe.Catch(func() {
		pe.setHorizon()
		err := pe.loop(s.ctx)
		if err == nil && !s.left && s.failure() == nil {
			_, err = pe.lastHooks(s.ctx)
			pe.publish()
			s.Live.Complete.Store(err == nil)
		}
		if err != nil && pe.Err == nil {
			pe.Fail(err)
		}
	}, func(c kernel.Crash) {
		pe.LoseEvent()
		pe.Fail(c.Err)
	})
}

// serialOver is called in each turn of the sequential loop. It reports whether the stretch is over.
func (s *Engine) serialOver() bool {
	j := &s.serialLoop
	if s.balance != nil && !s.fitsTurn() {
		s.left = true
		return true
	}
	if j.least > 0 {
		s.left = s.committed() >= j.least
		return s.left
	}
	if j.look--; j.look > 0 {
		return false
	}
	now := time.Now()
	switch d := now.Sub(j.seen); {
	case d > lateLook && j.every > 1:
		j.every /= 2
	case d > lateLook:
		j.burst = max(j.burst/2, 1)
	case d < lateLook/8 && j.burst < burst:
		j.burst *= 2
	case d < lateLook/8:
		j.every = min(j.every*2, mostTurns)
	}
	j.seen, j.look = now, j.every
	s.left = now.After(j.until) || s.pending() > adapt.MostPending
	return s.left
}

// handleSerial handles some events of the window, of all PEs.
func (pe *PE) handleSerial() {
	n := pe.Engine.serialLoop.burst
	pe.Left, pe.Unused = n, 0
	if pe.handleWindow(pe.cross) {
		pe.WaitFor(timewarp.WaitEnd) // the error may be that of another PE, to which the LP belongs
	}
	pe.Counts.Processed += uint64(n - pe.Left - pe.Unused)
}

// handleWindow handles at most pe.Left events of the window, of all PEs of the process. cross
// decides about events at or beyond the horizon. As to the model, an event runs on the PE of its LP.
// Which one that is changes from event to event, so no branch depends on it. It reports whether an event has
// failed. Two loops are like it: see PE.handle.
func (pe *PE) handleWindow(cross func(k event.Key, e *event.Event) bool) (failed bool) {
	q, arena := pe.Queue, pe.Arena
	pe.Running = nil
	defer pe.takeOver()
	for pe.Left > 0 {
		k, ok := q.PopWindow()
		if !ok {
			return failed
		}
		i := k.Index()
		e := arena.At(i)
		if e.State != event.Pending && !pe.Survives(e, i) {
			continue
		}
		if k.TS >= pe.Horizon && !cross(k, e) {
			return failed
		}
		pe.Left--
		lp := pe.At(e.Dst)
		home := lp.PE
		e.State = event.Running
		e.Bits = 0
		home.Current = e
		home.Running = lp
		home.Earlier = lp.Now
		lp.Now = e.Time
		lp.Processed++
		lp.Event(lp.State, lp, event.Payload(e))
		home.Running = nil
		if pe.Observe {
			home.Committed(lp, e, !home.Skipped, kernel.NoGroup)
			home.Skipped = false
		}
		if arena.IsPlain(e, i) {
			arena.FreePlain(e, i)
		} else {
			arena.Free(e, i)
		}
		pe.LastLP = lp
		pe.Horizon = min(pe.Horizon, home.Horizon)
		if home.Err != nil {
			failed = true
			pe.StopBatch()
		}
	}
	return failed
}

// takeOver makes the LP whose handler has not returned, if there is one, that of the first PE, which
// handles what went wrong. Otherwise it does so with the LP that ran last.
func (pe *PE) takeOver() {
	for _, other := range pe.Run.PEs {
		pe.Passed = max(pe.Passed, other.Passed)
		other.AddUp()
	}
	for _, other := range pe.Run.PEs {
		if other.IsInModel() {
			pe.TakeOver(other)
			return
		}
	}
	pe.Enter(pe.LastLP)
}

// committed returns the number of events that the PEs have committed when nothing is uncommitted.
func (s *Engine) committed() (n uint64) {
	for _, pe := range s.Locals {
		n += pe.Counts.Processed - pe.Counts.Undone
	}
	return n
}

// pending returns the number of pending events of all PEs.
func (s *Engine) pending() (n uint64) {
	pes := s.Locals
	if pes[0].InSerial() {
		pes = pes[:1] // which share its queue
	}
	for _, pe := range pes {
		n += pe.Queue.Len()
	}
	return n
}

// endSerial gives each PE its events back. All of them have come to where the first is.
func (s *Engine) endSerial() {
	first := s.Locals[0]
	first.MostPending = max(first.MostPending, first.Queue.Len())
	s.EndSerial(settings.Optimistic)
	for _, pe := range s.Locals {
		pe.GVT, pe.LastLP = first.GVT, nil
		pe.Rest()
		pe.Hide()
		pe.GoOn()
		pe.Address.QueueBytes.Store(pe.Queue.Bytes())
	}
}

// inOrder reports whether the PE handles events in their order, so that none is ever undone.
func (pe *PE) inOrder() bool { return pe.InSerial() || pe.Run.Set.Sequential() }

// firstStop returns the earliest place at which the PE, or one whose events it handles, knows the
// run to end, or nil if there is none.
func (pe *PE) firstStop() *gvt.Bound {
	first := pe.FirstStop()
	if !pe.InSerial() {
		return first
	}
	for _, other := range pe.Engine.Locals {
		if stop := other.FirstStop(); stop != nil && (first == nil || stop.Compare(first, pe.Arena.Lines) < 0) {
			first = stop
		}
	}
	return first
}
