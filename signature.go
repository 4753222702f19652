// This file owns Signature, by which events are ordered, as models see it.

package ross

import "github.com/ross-go/ross/internal/kernel"

// Signature orders the events of a simulation (tw_event_sig): by time, then by priority, then
// by one tie-breaker after another. Tie-breakers are random numbers of the engine. An event
// sent without delay has those of the event that sent it, and one more.
type Signature struct {
	Time     float64   // virtual time
	Priority float64   // 0 to 1, the lower value first
	Ties     []float64 // tie-breakers, each 0 to 1
}

// Compare returns a negative number, 0 or a positive number if s is before, equal to or after
// o (tw_event_sig_compare). If one signature begins with the other, the shorter one is first.
func (s Signature) Compare(o Signature) int { return kernel.Signature(s).Compare(kernel.Signature(o)) }
