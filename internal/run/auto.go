// This file owns runs whose scheduler package adapt chooses (--synch=auto): what is decided before the run, which is
// the number of PEs, and the scheduler of a run that cannot change it; and the stretches while it goes on.

package run

import (
	"fmt"
	"math"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run/adapt"
	"github.com/ross-go/ross/mapping"
)

// memoryOfPE is the least share of --max-memory, in bytes, for each PE that Auto chooses.
const memoryOfPE = 16 << 20

// choosePEs sets the number of PEs for Auto, if the settings leave it open and the model is the same for any
// number: one for each processor that Go may use. There is one if the scheduler could not change anyway: it is
// sequential then.
func (s *Engine) choosePEs() {
	set := &s.Set
	if set.Synch != settings.SynchAuto || set.PEs != 1 || s.Cluster.Ranks > 1 {
		return
	}
	_, forOne := s.mapping.(mapping.Places)
	switch fixed := s.fixedScheduler(); {
	case set.LPs == 0:
		s.PEsChosen =
			"the model grows with the PEs: give its whole size (--lps in place of --nlp, Config.LPs), and auto chooses their number, or give --pes"
	case forOne:
		s.PEsChosen =
			"the mapping is for so many: let Config.Mapping be a mapping.For, and auto chooses their number, or give --pes"
	case fixed != "":
		s.PEsChosen = fixed + " auto chooses no other number: give --pes"
	default:
		n := min(uint64(s.Threads), set.LPs, max(set.MaxMemory/memoryOfPE, 1))
		if set.PEs = int(n); n > 1 {
			s.PEsChosen = fmt.Sprintf("%d PEs, chosen too (--pes)", n)
		} else {
			s.PEsChosen = "there is one processor, one LP, or memory for one (--max-memory)"
		}
	}
}

// fixedScheduler says why the scheduler cannot change while the run goes on, or "" if it can.
func (s *Engine) fixedScheduler() string {
	switch {
	case s.Cluster.Ranks > 1:
		return "with several ranks"
	case s.Hooks.any():
		return "with a GVT hook"
	case s.Set.Collects():
		return "with instrumentation"
	case s.Set.StoresRunning():
		return "with checkpoints while it runs"
	}
	return ""
}

// any reports whether there is a GVT hook.
func (h *Hooks) any() bool { return h.GVT != nil || h.Trigger.Kind != kernel.HookNever }

// declaredLookahead returns the least lookahead that the LP types declare; ok is false unless each
// of them does.
func (s *Engine) declaredLookahead() (least float64, ok bool) {
	least = math.Inf(1)
	for _, t := range s.Types {
		if t.Lookahead <= 0 {
			return 0, false
		}
		least = min(least, t.Lookahead)
	}
	return least, true
}

// mayStop returns the name of a type whose LPs may end the run sooner than with the lookahead, or "".
func (s *Engine) mayStop() string {
	for _, t := range s.Types {
		if !t.NeverStops {
			return t.Name
		}
	}
	return ""
}

// ChooseScheduler sets the lookahead, and, for Auto, the scheduler of a run that cannot change it. The
// types of the LPs are known.
func (s *Engine) ChooseScheduler() {
	set := &s.Set
	ahead, ok := s.declaredLookahead()
	if ok {
		set.ConsLookahead = max(ahead, set.ConsLookahead)
	}
	auto := set.Synch == settings.SynchAuto
	if auto && !ok && set.ConsLookahead == settings.DefaultLookahead {
		set.ConsLookahead = 0 // no LP has promised that
	}
	stops := s.mayStop()
	if auto || set.Synch == settings.SynchConservative {
		s.Ahead = set.ConsLookahead
		if auto && stops == "" || !auto && s.AllPEs() > 1 { // Auto's number of PEs depends on the machine
			s.StopAhead = set.ConsLookahead
		}
	}
	if !auto {
		return
	}
	s.MayStop = stops
	if s.AllPEs() == 1 {
		set.Synch, s.Chosen = settings.SynchSequential, "sequential, since there is one PE"
		if why := s.PEsChosen; why != "" {
			s.Chosen += ": " + why
		}
		return
	}
	why := s.fixedScheduler()
	if why == "" {
		return
	}
	why += " the scheduler does not change, and "
	hook := s.Hooks.any()
	switch {
	case set.ConsLookahead > 0 && !hook && stops == "":
		set.Synch, s.Chosen = settings.SynchConservative, "conservative: "+why+"there is a lookahead"
	case set.ConsLookahead > 0 && !hook:
		set.Synch, s.Chosen = settings.SynchOptimistic, fmt.Sprintf(
			"optimistic: %sLPs of type %q may end the run (Type.NeverStops)", why, stops)
	default:
		set.Synch, s.Chosen = settings.SynchOptimistic, "optimistic: "+why+"conservative needs a lookahead and no hook"
	}
}

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
	return [...]settings.Scheduler{settings.Sequential: settings.SynchSequential,
		settings.Conservative: settings.SynchConservative, settings.Optimistic: settings.SynchOptimistic}[mode]
}
