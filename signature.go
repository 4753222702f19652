// This file owns Signature: what orders events, as models see it.

package ross

import (
	"math"
	"slices"

	"github.com/ross-go/ross/internal/event"
)

// Signature orders the events of a simulation (tw_event_sig): by time, then by
// priority, then by tie-breakers, one after the other. The tie-breakers are
// random numbers of the engine; an event sent without delay has those of its
// cause and one more.
type Signature struct {
	Time     float64
	Priority float64
	Ties     []float64
}

// Compare returns a number below, equal to or above 0 as s is before, equal to
// or after o (tw_event_sig_compare). Of two signatures of which one begins with
// the other, the shorter is first.
func (s Signature) Compare(o Signature) int {
	if s.Time != o.Time {
		return less(s.Time < o.Time)
	}
	if s.Priority != o.Priority {
		return less(s.Priority < o.Priority)
	}
	return slices.Compare(s.Ties, o.Ties)
}

// notANumber returns which part of s is NaN, "" if none is.
func (s *Signature) notANumber() string {
	switch {
	case math.IsNaN(s.Time):
		return "time"
	case math.IsNaN(s.Priority):
		return "priority"
	case slices.ContainsFunc(s.Ties, math.IsNaN):
		return "tie-breaker"
	}
	return ""
}

func less(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// Signature returns the signature of the event that is being handled
// (tw_now_sig), the zero one in Init and PreRun.
func (lp *LP) Signature() Signature {
	if e := lp.pe.cur; e != nil {
		return lp.pe.signature(e)
	}
	return Signature{}
}

func (pe *PE) signature(e *event.Event) Signature {
	return Signature{e.Time, e.Prio, pe.arena.Lines.Append([]float64{e.Tie}, e.Lineage)}
}
