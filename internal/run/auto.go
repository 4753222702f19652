// This file owns the choice of a scheduler while the run goes on (--synch=auto).

package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/settings"
)

// auto is the state of a run whose scheduler is chosen while it runs. The run consists of
// stretches, each under one scheduler, until one has handled the last event. After a stretch the
// other schedulers are tried, each for a short time, and the next stretch is under the fastest.
// Stretches become longer and longer, so that trying takes a small share of the time, and a choice
// that the computer has disturbed, or that suits the model no longer, is not for good.
type auto struct {
	run   *Run
	ways  []settings.Mode         // what is tried
	now   settings.Mode           // the scheduler of the stretch, or of the trial
	best  settings.Mode           // the one that was fastest when they were last compared
	rates [numModes]float64       // committed events per second, when last measured; 0: never
	spent [numModes]time.Duration // in stretches and trials
	moved time.Duration           // what it took to bring the PEs together and to part them again
	left  uint64                  // in a test, GVTs until a parallel stretch ends; 0: it ends by time
}

const numModes = int(settings.Optimistic) + 1

const (
	// firstStretch is the time for which a run is sequential before anything else is tried. Most
	// runs of tests and examples are over by then, and have not paid for threads.
	firstStretch = 200 * time.Millisecond
	// The time of a trial is a share of the time until then.
	trialShare = 64
	leastTrial = 3 * time.Millisecond
	mostTrial  = 50 * time.Millisecond
	// nextStretch is the length of a stretch in terms of the time until then.
	nextStretch = 3
	// moveShare is the least time until then for which PEs come together and part for a trial, in
	// terms of what that takes.
	moveShare = 20
	// better is how much faster a scheduler has to be to take over.
	better = 1.05
	// mostSerial is the largest number of LPs of a run that begins sequentially. More of them are
	// initialized on all PEs at once, and the run goes on from there.
	mostSerial = 1 << 17
)

// newAuto returns the state before the first stretch.
func newAuto(s *Run) *auto {
	a := &auto{run: s, ways: []settings.Mode{settings.Sequential}}
	if s.StopAhead > 0 { // otherwise there is no lookahead, or a handler may end the run sooner
		a.ways = append(a.ways, settings.Conservative)
	}
	if a.ways = append(a.ways, settings.Optimistic); s.numModelLPs() > mostSerial && s.Set.Probe == 0 {
		a.now = a.ways[1]
	}
	a.best = a.now
	return a
}

// runAuto runs the simulation under schedulers that are chosen while it runs.
func (s *Run) runAuto() (err error) {
	s.auto = newAuto(s)
	s.Locals[0].progress = s.newProgress(s.Set.ReportInterval)
	s.Locals[0].progress.StartAt(s.Clock)
	defer func() {
		for _, pe := range s.Locals {
			pe.Clock.Stop()
		}
	}()
	if s.auto.now != settings.Sequential {
		return s.runParallel()
	}
	if err := s.beginSerialRun(); err != nil {
		return err
	}
	s.auto.stretch(settings.Sequential, s.auto.length(firstStretch))
	if s.left {
		return s.runParallel()
	}
	return s.failure()
}

// length returns how long a stretch or trial is, unless a test says otherwise.
func (a *auto) length(d time.Duration) time.Duration {
	if probe := a.run.Set.Probe; probe > 0 {
		return probe
	}
	return d
}

// runParallel makes the first stretch, if it is parallel, and all others.
func (a *auto) runParallel() {
	if a.now != settings.Sequential {
		a.run.startPEs(func(pe *PE) {
			if pe.ID == a.run.Base {
				a.run.left = true
			}
		})
		for _, pe := range a.run.Locals {
			pe.Clock.Start()
		}
		if a.run.left {
			a.stretch(a.now, firstStretch)
		}
	}
	a.goOn()
}

// runFor runs the simulation in parallel for a time, or to its end.
func (a *auto) runFor(mode settings.Mode, length time.Duration) {
	t := a.run.Locals[0].Team
	t.Leave.Store(false)
	a.run.goOnParallel(mode)
	if dice := a.run.dice; dice != nil {
		a.left = 1 + dice.Uint64N(a.run.Set.Stretch)
	} else {
		defer time.AfterFunc(length, t.LetLeave).Stop()
	}
	a.run.runLoops()
	if log := a.run.Log; log != nil {
		_ = log.Flush() // which reports at the end what went wrong
	}
}

// look is called by the first PE at each GVT.
func (a *auto) look() {
	if a.left > 0 {
		if a.left--; a.left == 0 {
			a.run.Locals[0].Team.LetLeave()
		}
	}
}

// whole returns the time of all stretches and trials.
func (a *auto) whole() (d time.Duration) {
	for _, t := range a.spent {
		d += t
	}
	return d
}

// measure runs f, a stretch or trial under a scheduler, and notes its rate.
func (a *auto) measure(mode settings.Mode, f func()) {
	a.now, a.run.left = mode, false
	before, begin := a.run.committed(), time.Now()
	f()
	took := time.Since(begin)
	a.spent[mode] += took
	if n := a.run.committed() - before; took > 0 {
		a.rates[mode] = float64(n) / took.Seconds()
	}
}

// goOn runs stretches and trials until no event is left, after the first stretch has ended.
func (a *auto) goOn() {
	for dice := a.run.dice; dice != nil && a.run.left; {
		a.stretch(a.ways[dice.IntN(len(a.ways))], 0)
	}
	for a.run.left {
		trial := a.length(min(max(a.whole()/trialShare, leastTrial), mostTrial))
		held := a.best
		for _, way := range a.ways {
			if way == held || way == settings.Sequential && !a.maySerial() {
				continue
			}
			if a.stretch(way, trial); !a.run.left {
				return
			}
		}
		a.choose()
		a.stretch(a.best, a.length(nextStretch*a.whole()))
	}
}

// choose chooses the fastest scheduler of those that are possible.
func (a *auto) choose() {
	joins := a.run.pending() <= mostPending
	if a.best == settings.Sequential && !joins {
		a.best = a.ways[1]
	}
	for _, way := range a.ways {
		if a.rates[way] > a.rates[a.best]*better && (way != settings.Sequential || joins) {
			a.best = way
		}
	}
}

// maySerial reports whether the PEs may come together for a trial.
func (a *auto) maySerial() bool {
	return a.run.pending() <= mostPending && (a.run.Set.Probe > 0 || a.moved > 0 && a.whole() > moveShare*a.moved)
}

// stretch runs the simulation under a scheduler for a time, or to its end.
func (a *auto) stretch(mode settings.Mode, length time.Duration) {
	if mode != settings.Sequential {
		a.measure(mode, func() { a.runFor(mode, length) })
		a.run.left = a.run.left && a.run.failure() == nil
		return
	}
	a.moved = a.run.serially(func() {
		a.measure(mode, func() { a.run.runSerial(length) })
	})
	a.run.left = a.run.left && a.run.failure() == nil
}

// parallel reports whether the run has been parallel at any time.
func (a *auto) parallel() bool {
	return a.spent[settings.Conservative]+a.spent[settings.Optimistic] > 0
}

// only returns the scheduler of the whole run, if there was only one.
func (a *auto) only() (mode settings.Mode, ok bool) {
	n := 0
	for _, way := range a.ways {
		if a.spent[way] > 0 {
			mode = way
			n++
		}
	}
	return mode, n == 1
}

// numberOf returns the number of the scheduler with a mode.
func numberOf(mode settings.Mode) settings.Scheduler {
	return [...]settings.Scheduler{settings.Sequential: settings.SynchSequential, settings.Conservative: settings.SynchConservative, settings.Optimistic: settings.SynchOptimistic}[mode]
}

// String says which scheduler was chosen, and why.
func (a *auto) String() string {
	if a.run.Ahead > 0 && a.run.MayStop != "" {
		return fmt.Sprintf("%s; conservative is not tried, since LPs of type %q may end the run (Type.NeverStops)", a.chosen(), a.run.MayStop)
	}
	return a.chosen()
}

// chosen is String for the schedulers that were tried.
func (a *auto) chosen() string {
	var rates, spent []string
	for _, way := range a.ways {
		if a.spent[way] > 0 {
			rates = append(rates, fmt.Sprintf("%s %.3g", nameOf(way), a.rates[way]/1e6))
			spent = append(spent, fmt.Sprintf("%s %.3g", nameOf(way), a.spent[way].Seconds()))
		}
	}
	pes := ""
	if a.run.PEsChosen != "" {
		pes = "; " + a.run.PEsChosen
	}
	if len(rates) < 2 {
		return fmt.Sprintf("%s, since the run was over before others were tried%s", nameOf(a.best), pes)
	}
	return fmt.Sprintf("%s, the fastest when last compared (million events/s: %s; seconds: %s)%s", nameOf(a.best), strings.Join(rates, ", "), strings.Join(spent, ", "), pes)
}

// nameOf returns the name of the scheduler with a mode, as --synch accepts it.
func nameOf(mode settings.Mode) string {
	return [...]string{settings.Sequential: "sequential", settings.Conservative: "conservative", settings.Optimistic: "optimistic"}[mode]
}
