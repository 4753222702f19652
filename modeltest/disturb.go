// This file owns forced rollbacks: an optimistic PE undoes events now and then, although none has come too late. So
// handlers are undone and called again in every optimistic run, whatever the machine does, even on one PE.

package modeltest

import (
	"math/rand/v2"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/run"
)

const (
	mostForced  = 4 // rollbacks of a PE between two GVTs: what they cancel stays in the queue until its time
	longestBits = 8 // a rollback undoes up to 2^7 events
	forcedSeed  = 0x6d6f64656c
)

// disturber returns what the engine calls in each turn of an optimistic PE: with a probability it rolls one of the
// PE's KPs back by a random number of events. Each PE draws from a generator of its own.
func disturber(pes int, probability float64) func(*run.PE) {
	type state struct {
		random *rand.Rand
		gvts   uint64
		times  int
		_      [128]byte // PEs write to them all the time
	}
	all := make([]state, pes)
	for i := range all {
		all[i].random = rand.New(rand.NewPCG(forcedSeed, uint64(i)))
	}
	return func(pe *run.PE) {
		s := &all[pe.ID-pe.Engine.Base]
		if s.gvts != pe.Counts.GVTs {
			s.times, s.gvts = 0, pe.Counts.GVTs
		}
		switch {
		case s.times == mostForced || s.random.Float64() >= probability || len(pe.Mine) == 0:
			return
		case pe.Member.Busy() && (!pe.Red || pe.Remote != nil):
			return // it has reported that it undoes nothing before the next GVT
		}
		s.times++
		kp, left := pe.Mine[s.random.IntN(len(pe.Mine))], 1<<s.random.IntN(longestBits)
		pe.Rollback(kp, func(_ event.Key, e *event.Event) bool {
			left--
			return left >= 0 && !pe.IsReached(e)
		})
		pe.Settle()
	}
}
