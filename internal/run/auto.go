// This file owns runs whose scheduler package adapt chooses while they go on (--synch=auto).

package run

import (
	"time"

	"github.com/ross-go/ross/internal/adapt"
	"github.com/ross-go/ross/internal/settings"
)

// auto is such a run.
type auto struct {
	*adapt.Auto
	run     *Engine
	chooser adapt.Chooser // the Auto, or that of a test
	gvts    uint64        // in a test, GVTs until a parallel stretch ends; 0: it ends by time
}

// newAuto returns the state before the first stretch.
func newAuto(s *Engine) *auto {
	o := adapt.AutoOptions{NumLPs: s.NumModelLPs(), Conservative: s.StopAhead > 0, Probe: s.Set.Probe,
		PEsChosen: s.PEsChosen}
	if s.Ahead > 0 {
		o.MayStop = s.MayStop
	}
	a := &auto{run: s, Auto: adapt.NewAuto(o)}
	if a.chooser = a.Auto; s.dice != nil {
		a.chooser = &adapt.RandomAuto{Auto: a.Auto, Dice: s.dice, Most: s.Set.Stretch}
	}
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
	if s.auto.beginsParallel() {
		return s.runParallel()
	}
	if err := s.beginSerialRun(); err != nil {
		return err
	}
	if s.auto.begin(); s.auto.goesOn() {
		return s.runParallel()
	}
	return s.failure()
}

// beginsParallel reports whether the first stretch is parallel.
func (a *auto) beginsParallel() bool { return a.First().Mode != settings.Sequential }

// begin makes the first stretch.
func (a *auto) begin() { a.stretch(a.chooser.First()) }

// runParallel makes the first stretch, if it is parallel, and all others.
func (a *auto) runParallel() {
	s := a.run
	if a.beginsParallel() {
		s.startPEs(func(pe *PE) {
			if pe.ID == s.Base {
				s.left = true
			}
		})
		for _, pe := range s.Locals {
			pe.Phases.Start()
		}
		if s.left {
			a.begin()
		}
	}
	for a.goesOn() {
		a.stretch(a.chooser.Next(s.pending()))
	}
}

// stretch runs the simulation for a stretch, or to its end.
func (a *auto) stretch(st adapt.Stretch) {
	s, before, begin := a.run, a.run.committed(), time.Now()
	var r adapt.Ran
	if st.Mode == settings.Sequential {
		r.Moving = s.serially(func() { s.runSerial(st.Length) })
	} else {
		a.parallel(st)
	}
	r.Took, r.Events = time.Since(begin)-r.Moving, s.committed()-before
	a.chooser.Ended(st, r)
}

// parallel runs the simulation in parallel for a stretch, or to its end.
func (a *auto) parallel(st adapt.Stretch) {
	t := a.run.Locals[0].Team
	t.Leave.Store(false)
	a.run.goOnParallel(st.Mode)
	if a.gvts = st.GVTs; a.gvts == 0 {
		defer time.AfterFunc(st.Length, t.LetLeave).Stop()
	}
	a.run.runLoops()
	_ = a.run.FlushLogs() // the last call reports what went wrong
}

// look is called by the first PE at each GVT.
func (a *auto) look() {
	if a.gvts > 0 {
		if a.gvts--; a.gvts == 0 {
			a.run.Locals[0].Team.LetLeave()
		}
	}
}

// goesOn reports whether events are left, and the last stretch has not ended for an error.
func (a *auto) goesOn() bool { return a.run.left && a.run.failure() == nil }

// numberOf returns the number of the scheduler with a mode.
func numberOf(mode settings.Mode) settings.Scheduler {
	return [...]settings.Scheduler{settings.Sequential: settings.SynchSequential, settings.Conservative: settings.SynchConservative, settings.Optimistic: settings.SynchOptimistic}[mode]
}
