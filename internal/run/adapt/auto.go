// This file owns Auto: the choice of a scheduler while the run goes on (--synch=auto).

package adapt

import (
	"fmt"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/engine/settings"
)

// Chooser chooses the stretches of a run.
type Chooser interface {
	// First returns the first stretch.
	First() Stretch
	// Next returns the stretch that follows, when there are pending events, of all PEs.
	Next(pending uint64) Stretch
	// Ended notes what came of a stretch.
	Ended(s Stretch, r Ran)
}

// Stretch is a part of a run under one scheduler.
type Stretch struct {
	Mode   settings.Mode
	Length time.Duration // the stretch is over sooner if no event is left
	GVTs   uint64        // GVTs after which a parallel stretch ends instead; 0: it ends by time
}

// Ran is what came of a stretch.
type Ran struct {
	Events uint64        // committed by all PEs
	Took   time.Duration // without Moving
	Moving time.Duration // what it took to bring the PEs together for a sequential stretch, and to part them again
}

// AutoOptions are what Auto has to know of the run.
type AutoOptions struct {
	NumLPs       uint64        // of the process
	Conservative bool          // there is a lookahead, and no handler may end the run sooner
	Probe        time.Duration // a test has stretches and trials of this length; 0: as long as is good
	// Unless they are "", the report has how the number of PEs was chosen, and a type whose LPs may end the run, for
	// which there is no conservative stretch.
	PEsChosen, MayStop string
}

// Auto is the state of a run whose scheduler is chosen while it runs. The run consists of
// stretches, each under one scheduler, until one has handled the last event. After a stretch the
// other schedulers are tried, each for a short time, and the next stretch is under the fastest.
// Stretches become longer and longer, so that trying takes a small share of the time, and a choice
// that the computer has disturbed, or that suits the model no longer, is not for good.
type Auto struct {
	opts  AutoOptions
	ways  []settings.Mode         // what is tried
	first settings.Mode           // the scheduler under which the run begins
	best  settings.Mode           // the one that was fastest when they were last compared
	rates [numModes]float64       // committed events per second, when last measured; 0: never
	spent [numModes]time.Duration // in stretches and trials
	moved time.Duration           // what it took to bring the PEs together and to part them again
	// Trials of the other schedulers, which go on until untried is empty: whether they have begun, how long each of
	// them is, and the scheduler before them.
	tries   bool
	trial   time.Duration
	held    settings.Mode
	untried []settings.Mode
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
	// MostPending is the largest number of pending events with which the PEs come or stay together:
	// more take long to move. And all of them are in the memory of one PE.
	MostPending = 1 << 22
	// mostSerial is the largest number of LPs of a run that begins sequentially. More of them are
	// initialized on all PEs at once, and the run goes on from there.
	mostSerial = 1 << 17
)

// NewAuto returns the state before the first stretch.
func NewAuto(o AutoOptions) *Auto {
	a := &Auto{opts: o, ways: []settings.Mode{settings.Sequential}}
	if o.Conservative {
		a.ways = append(a.ways, settings.Conservative)
	}
	if a.ways = append(a.ways, settings.Optimistic); o.NumLPs > mostSerial && o.Probe == 0 {
		a.first = a.ways[1]
	}
	a.best = a.first
	return a
}

// First implements [Chooser].
func (a *Auto) First() Stretch { return Stretch{Mode: a.first, Length: a.length(firstStretch)} }

// length returns how long a stretch or trial is, unless a test says otherwise.
func (a *Auto) length(d time.Duration) time.Duration {
	if a.opts.Probe > 0 {
		return a.opts.Probe
	}
	return d
}

// whole returns the time of all stretches and trials.
func (a *Auto) whole() (d time.Duration) {
	for _, t := range a.spent {
		d += t
	}
	return d
}

// Next implements [Chooser]: after trials of the other schedulers follows a long stretch under the fastest.
func (a *Auto) Next(pending uint64) Stretch {
	if !a.tries {
		a.tries, a.untried, a.held = true, a.ways, a.best
		a.trial = a.length(min(max(a.whole()/trialShare, leastTrial), mostTrial))
	}
	for len(a.untried) > 0 {
		way := a.untried[0]
		a.untried = a.untried[1:]
		if way != a.held && (way != settings.Sequential || a.maySerial(pending)) {
			return Stretch{Mode: way, Length: a.trial}
		}
	}
	a.tries = false
	a.choose(pending)
	return Stretch{Mode: a.best, Length: a.length(nextStretch * a.whole())}
}

// choose chooses the fastest scheduler of those that are possible.
func (a *Auto) choose(pending uint64) {
	joins := pending <= MostPending
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
func (a *Auto) maySerial(pending uint64) bool {
	return pending <= MostPending && (a.opts.Probe > 0 || a.moved > 0 && a.whole() > moveShare*a.moved)
}

// Ended implements [Chooser]: it notes the rate of the scheduler.
func (a *Auto) Ended(s Stretch, r Ran) {
	if s.Mode == settings.Sequential {
		a.moved = r.Moving
	}
	a.spent[s.Mode] += r.Took
	if r.Took > 0 {
		a.rates[s.Mode] = float64(r.Events) / r.Took.Seconds()
	}
}

// Parallel reports whether the run has been parallel at any time.
func (a *Auto) Parallel() bool {
	return a.spent[settings.Conservative]+a.spent[settings.Optimistic] > 0
}

// Only returns the scheduler of the whole run, if there was only one.
func (a *Auto) Only() (mode settings.Mode, ok bool) {
	n := 0
	for _, way := range a.ways {
		if a.spent[way] > 0 {
			mode = way
			n++
		}
	}
	return mode, n == 1
}

// String says which scheduler was chosen, and why.
func (a *Auto) String() string {
	if a.opts.MayStop != "" {
		return fmt.Sprintf("%s; conservative is not tried, since LPs of type %q may end the run (Type.NeverStops)",
			a.chosen(), a.opts.MayStop)
	}
	return a.chosen()
}

// chosen is String for the schedulers that were tried.
func (a *Auto) chosen() string {
	var rates, spent []string
	for _, way := range a.ways {
		if a.spent[way] > 0 {
			rates = append(rates, fmt.Sprintf("%s %.3g", nameOf(way), a.rates[way]/1e6))
			spent = append(spent, fmt.Sprintf("%s %.3g", nameOf(way), a.spent[way].Seconds()))
		}
	}
	pes := ""
	if a.opts.PEsChosen != "" {
		pes = "; " + a.opts.PEsChosen
	}
	if len(rates) < 2 {
		return fmt.Sprintf("%s, since the run was over before others were tried%s", nameOf(a.best), pes)
	}
	return fmt.Sprintf("%s, the fastest when last compared (million events/s: %s; seconds: %s)%s", nameOf(a.best),
		strings.Join(rates, ", "), strings.Join(spent, ", "), pes)
}

// nameOf returns the name of the scheduler with a mode, as --synch accepts it.
func nameOf(mode settings.Mode) string {
	return [...]string{settings.Sequential: "sequential", settings.Conservative: "conservative",
		settings.Optimistic: "optimistic"}[mode]
}
