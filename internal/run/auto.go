// This file owns runs whose scheduler package adapt chooses while they go on (--synch=auto).

package run

import (
	"time"

	"github.com/ross-go/ross/internal/adapt"
	"github.com/ross-go/ross/internal/settings"
)

// auto is such a run. It is the adapt.Schedulers of its Auto.
type auto struct {
	*adapt.Auto
	run *Engine
}

// newAuto returns the state before the first stretch.
func newAuto(s *Engine) *auto {
	a := &auto{run: s}
	o := adapt.AutoOptions{NumLPs: s.NumModelLPs(), Conservative: s.StopAhead > 0, Probe: s.Set.Probe, Dice: s.dice, Stretch: s.Set.Stretch,
		PEsChosen: s.PEsChosen}
	if s.Ahead > 0 {
		o.MayStop = s.MayStop
	}
	a.Auto = adapt.NewAuto(a, o)
	return a
}

// runAuto runs the simulation under schedulers that are chosen while it runs.
func (s *Engine) runAuto() (err error) {
	s.auto = newAuto(s)
	s.Locals[0].progress = s.newProgress(s.Set.ReportInterval)
	s.Locals[0].progress.StartAt(s.StartTime)
	defer func() {
		for _, pe := range s.Locals {
			pe.Phases.Stop()
		}
	}()
	if s.auto.First() != settings.Sequential {
		return s.runParallel()
	}
	if err := s.beginSerialRun(); err != nil {
		return err
	}
	if s.auto.Begin(); s.auto.GoesOn() {
		return s.runParallel()
	}
	return s.failure()
}

// runParallel makes the first stretch, if it is parallel, and all others.
func (a *auto) runParallel() {
	s := a.run
	if a.First() != settings.Sequential {
		s.startPEs(func(pe *PE) {
			if pe.ID == s.Base {
				s.left = true
			}
		})
		for _, pe := range s.Locals {
			pe.Phases.Start()
		}
		if s.left {
			a.Begin()
		}
	}
	a.GoOn()
}

// RunSerially brings the PEs together for a stretch, and returns what that takes.
func (a *auto) RunSerially(length time.Duration) time.Duration {
	return a.run.serially(func() { a.run.runSerial(length) })
}

// RunParallel runs the simulation in parallel for a time, or to its end.
func (a *auto) RunParallel(mode settings.Mode, length time.Duration) {
	t := a.run.Locals[0].Team
	t.Leave.Store(false)
	a.run.goOnParallel(mode)
	if a.run.dice == nil {
		defer time.AfterFunc(length, t.LetLeave).Stop()
	}
	a.run.runLoops()
	_ = a.run.FlushLogs() // the last call reports what went wrong
}

// Pause lets the PEs leave their loops at a GVT.
func (a *auto) Pause() { a.run.Locals[0].Team.LetLeave() }

// GoesOn reports whether events are left, and the last stretch has not ended for an error.
func (a *auto) GoesOn() bool { return a.run.left && a.run.failure() == nil }

// Committed returns the number of events that the PEs have committed.
func (a *auto) Committed() uint64 { return a.run.committed() }

// Pending returns the number of pending events of all PEs.
func (a *auto) Pending() uint64 { return a.run.pending() }

// numberOf returns the number of the scheduler with a mode.
func numberOf(mode settings.Mode) settings.Scheduler {
	return [...]settings.Scheduler{settings.Sequential: settings.SynchSequential, settings.Conservative: settings.SynchConservative, settings.Optimistic: settings.SynchOptimistic}[mode]
}
