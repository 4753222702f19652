// This file owns Signature: the order of events, as models see it.

package kernel

import (
	"math"
	"slices"

	"github.com/ross-go/ross/internal/engine/event"
)

// Signature orders events by time, priority and tie-breakers.
type Signature struct {
	Time     float64 // virtual time
	Priority float64
	Ties     []float64 // tie-breakers, in order of comparison
}

// Compare returns a number below, equal to or above 0 if s is before, equal to or after o.
// If one signature is a prefix of the other, the shorter one is first.
func (s Signature) Compare(o Signature) int {
	if s.Time != o.Time {
		return less(s.Time < o.Time)
	}
	if s.Priority != o.Priority {
		return less(s.Priority < o.Priority)
	}
	return slices.Compare(s.Ties, o.Ties)
}

// NotANumber returns which part of s is NaN, or "" if none is.
func (s *Signature) NotANumber() string {
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

// Signature returns the signature of the event being handled, or the zero value in Init and
// PreRun.
func (lp *LP) Signature() Signature {
	if e := lp.PE.Current; e != nil {
		return lp.PE.SignatureOf(e)
	}
	return Signature{}
}

// Sender returns the id of the LP that sent the event being handled, or that of the LP in Init and
// PreRun.
func (lp *LP) Sender() uint64 {
	if e := lp.PE.Current; e != nil {
		return e.Src
	}
	return lp.ID
}

// SentAt returns when the event being handled was sent, or 0 in Init and PreRun.
func (lp *LP) SentAt() float64 {
	if e := lp.PE.Current; e != nil {
		return e.SendTime
	}
	return 0
}

// SignatureOf returns the signature of an event.
func (pe *PE) SignatureOf(e *event.Event) Signature {
	return Signature{e.Time, e.Prio, pe.Arena.Lines.Append([]float64{e.Tie}, e.Lineage)}
}
