// This file owns the findings: their order, what they share, and when there is enough to judge.

package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
)

// Thresholds of the findings, beside those of package trouble. docs/findings.md says why they are what they are.
const (
	leastUndone    = 5    // percent of events rolled back, for the remark on secondary rollbacks
	muchNetwork    = 30   // percent of the time of all PEs
	muchSaving     = 25   // percent of the time of all PEs
	kpFactor       = 4    // events rolled back by a KP, to the mean of the others
	kpLeast        = 100  // events rolled back by such a KP
	kpShare        = 5    // percent of the events handled that such a KP rolled back
	slowFactor     = 3    // time for an event, to the median of the other PEs
	leastProcessed = 100  // events of a PE, for findings on speed and balance
	leastSeconds   = 0.05 // run time, for findings on times
	fewPerGVT      = 10   // net events of a PE for each computation of GVT
	manyPerGVT     = 200  // net events of a PE for each: the lookahead is not what the PEs wait for
	narrowWindow   = 128  // events: 1/16 of the window with which a run begins
)

// finding is a trouble that the figures of a run show.
type finding struct {
	Rule   string // the row of docs/findings.md
	What   string // stands out
	Figure string // that says so
	Advice string // the option to change
	Gain   string // what is to be expected of it, "" if that is not known
}

// findings returns what stands out: first what costs the run most, as a rule.
func (f *figures) findings() (found []finding) {
	for _, rule := range []func(*figures) []finding{
		(*figures).cores, (*figures).memory, (*figures).lookahead, (*figures).window, (*figures).lowEfficiency, (*figures).storms,
		(*figures).slow, (*figures).hot, (*figures).uneven, (*figures).idle, (*figures).often, (*figures).secondary, (*figures).saving,
		(*figures).manyRemote, (*figures).network,
	} {
		found = append(found, rule(f)...)
	}
	return found
}

// original reports whether the original ROSS wrote the files: its options differ, and the parts of
// the time overlap.
func (f *figures) original() bool {
	return f.run.Info == nil && !f.run.FromStart && f.source.PE+f.source.KP > 0
}

// Numbers of schedulers, as in --synch.
const (
	synchSequential   = 1
	synchConservative = 2
	synchOptimistic   = 3
	synchRealTime     = 5
	synchAuto         = 100
)

// conservative reports whether the run was conservative. known is false if the files do not say.
func (f *figures) conservative() (is, known bool) {
	if info := f.run.Info; info != nil {
		return info.Synch == synchConservative, true
	}
	return false, f.total.rolledBack > 0
}

// option returns the value of an option of the run, "" if it is not known.
func (f *figures) option(name string) string {
	if f.run.Info == nil {
		return ""
	}
	return f.run.Info.Options[name]
}

// pes returns the number of PEs of the run.
func (f *figures) numPEs() int {
	if info := f.run.Info; info != nil && info.PEs > 0 {
		return int(min(info.PEs, math.MaxInt32))
	}
	return len(f.run.PEs)
}

// times are the shares of the time of all PEs, in percent.
type times struct {
	parts        [survey.NumParts]float64
	saving, idle float64
}

// times returns how the PEs spent their time. ok is false if that is not known, or the run was too
// short.
func (f *figures) times() (t times, ok bool) {
	all := 0.0
	for i := range f.perPE {
		pe := &f.perPE[i]
		all += pe.time()
		t.saving += pe.saving
		t.idle += pe.rest
		for part, seconds := range pe.parts {
			t.parts[part] += seconds
		}
	}
	if !(all > 0) || f.span() < leastSeconds || f.total.net() < leastProcessed*int64(len(f.perPE)) {
		return times{}, false
	}
	for part := range t.parts {
		t.parts[part] *= 100 / all
	}
	t.saving *= 100 / all
	t.idle *= 100 / all
	if r := f.result(); r != nil && r.Runtime > 0 {
		whole := r.Runtime * float64(f.numPEs())
		if r.IdleSeconds > 0 { // without the time of samples and hooks
			t.idle = min(100*r.IdleSeconds/whole, 100)
		}
		if r.SavingSeconds > 0 { // in samples the deltas are in the time of events
			t.saving = min(100*r.SavingSeconds/whole, 100)
		}
	}
	return t, true
}

// speedup says what becomes of the speed if a share of the time, in percent, is no longer needed.
func speedup(percent float64) string { return faster(1 / (1 - min(percent, 99)/100)) }

// faster says by which factor a run becomes faster at most.
func faster(factor float64) string {
	if !(factor >= 1.05) {
		return ""
	}
	return fmt.Sprintf("at most %s times the speed", strconv.FormatFloat(factor, 'g', 2, 64))
}

// perGVT returns the net events of a PE for each computation of GVT. ok is false if that is not
// known.
func (f *figures) perGVT() (events float64, ok bool) {
	t := &f.total // of all PEs, as are its computations of GVT
	if len(f.perPE) < 2 || t.gvts == 0 || t.net() < leastProcessed*int64(len(f.perPE)) {
		return 0, false
	}
	return float64(t.net()) / float64(t.gvts), true
}
