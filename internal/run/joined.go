// This file owns the sequential stretches of a run whose scheduler is chosen while it runs: the
// first PE handles the events of all PEs of the process (kernel.Run.JoinPEs).

package run

import (
	"runtime"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/timewarp"
)

// beginJoined is everything before the first event.
func (s *Run) beginJoined() error {
	stage := func(f func(pe *PE)) {
		for _, pe := range s.Locals {
			if s.failure() == nil {
				pe.guardStage(func() { f(pe) })
			}
		}
	}
	s.JoinPEs()
	stage((*PE).callInits)
	stage((*PE).callPreRuns)
	s.part() // a checkpoint gives each PE its events
	stage(func(pe *PE) { pe.cp.LoadEvents() })
	if err := s.failure(); err != nil {
		return err
	}
	s.Checkpoints.Loaded()
	observe := s.observing()
	for _, pe := range s.Locals {
		pe.Observe = observe
		pe.setHookBound()
		pe.Clock.Start()
	}
	if !s.begins() {
		return s.failure()
	}
	return nil
}

// goOnJoined handles the events of all PEs for a time, or to the end of the run.
func (pe *PE) goOnJoined() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := pe.Simulation
	pe.cross = pe.Cross
	pe.Wait = timewarp.WaitNone // a parallel stretch may have come to the last events too early
	for _, other := range s.Locals {
		other.LiftAside()
	}
	pe.Catch(func() {
		pe.setHorizon()
		err := pe.loop(s.ctx)
		if err == nil && !s.auto.left {
			err = pe.lastHooks(s.ctx)
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

// handleJoined handles some events of the window, of all PEs.
func (pe *PE) handleJoined() {
	n := pe.Simulation.auto.burst
	pe.Left, pe.Unused = n, 0
	pe.HandleJoined(pe.cross)
	pe.Counts.Processed += uint64(n - pe.Left - pe.Unused)
}

// part gives each PE its events back. All of them have come as far as the first.
func (s *Run) part() {
	first := s.Locals[0]
	first.MostPending = max(first.MostPending, first.Queue.Len())
	s.PartPEs(settings.Optimistic)
	for _, pe := range s.Locals {
		pe.GVT, pe.Running, pe.Current, pe.LastLP, pe.Shown = first.GVT, nil, nil, nil, nil
		pe.Wait, pe.Dead = timewarp.WaitNone, 0
		pe.Face.QueueBytes.Store(pe.Queue.Bytes())
	}
}

// inOrder reports whether the PE handles events in their order, so that none is ever undone.
func (pe *PE) inOrder() bool { return pe.Joined() || pe.Run.Set.Sequential() }

// firstStop returns the earliest place at which the PE, or one whose events it handles, knows the
// run to end, or nil if there is none.
func (pe *PE) firstStop() *gvt.Bound {
	first := pe.FirstStop()
	if !pe.Joined() {
		return first
	}
	for _, other := range pe.Simulation.Locals {
		if stop := other.FirstStop(); stop != nil && (first == nil || stop.Compare(first, pe.Arena.Lines) < 0) {
			first = stop
		}
	}
	return first
}
