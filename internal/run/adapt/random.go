// This file owns the policies of tests, which decide at random.

package adapt

import (
	"math/rand/v2"
	"time"

	"github.com/ross-go/ross/internal/engine/settings"
)

// Random is the policy of tests: KPs move at random. Unlike [Balance] it looks at no loads.
type Random struct {
	Options
	Dice   *rand.Rand
	Every  uint64 // rounds of GVT from one move to the next
	Serial bool   // sometimes one PE handles all events instead, if the options have Free
	rounds uint64 // of GVT since KPs moved
}

// testSerial is the time for which one PE handles all events in a test.
const testSerial = 50 * time.Microsecond

// Watch implements [Policy].
func (*Random) Watch(Load) {}

// Due implements [Policy]: it counts rounds of GVT.
func (r *Random) Due(time.Time) bool {
	if r.rounds++; r.rounds < r.Every {
		return false
	}
	r.rounds = 0
	return true
}

// Decide implements [Policy]: where the KPs are is found out first.
func (*Random) Decide(Load) Decision { return Decision{Kind: CountEvents} }

// Next implements [Policy].
func (r *Random) Next(o *Outcome) Decision {
	switch {
	case o.Of == CountEvents:
		return r.choose(o)
	case o.Of == RunAlone && !o.Refused:
		return Decision{Kind: Part}
	}
	return Decision{}
}

// choose returns moves of KPs, or a stretch of one PE.
func (r *Random) choose(o *Outcome) Decision {
	if r.Free && r.Serial && r.Dice.IntN(8) == 0 {
		return Decision{Kind: RunAlone, Length: testSerial}
	}
	n := o.Active
	if r.Free && r.Dice.IntN(4) == 0 {
		n = 1 + r.Dice.IntN(r.PEs)
	}
	d := Decision{Kind: MoveKPs, Active: n}
	for pe := range r.PEs {
		to := r.Dice.IntN(n)
		for i := range r.KPs {
			kp := pe*r.KPs + i
			switch {
			case r.KeepsPEs:
			case r.Dice.IntN(2) == 0 && o.PEOf[kp] < n:
				to = o.PEOf[kp]
			default:
				to = r.Dice.IntN(n)
			}
			d.Moves = append(d.Moves, Move{KP: kp, To: to})
		}
	}
	return d
}

// RandomAuto is an Auto of tests: schedulers follow one another at random, for at most Most GVTs, or events.
type RandomAuto struct {
	*Auto
	Dice *rand.Rand
	Most uint64
}

// First implements [Chooser].
func (r *RandomAuto) First() Stretch { return r.random(r.Auto.First().Mode) }

// Next implements [Chooser].
func (r *RandomAuto) Next(uint64) Stretch { return r.random(r.ways[r.Dice.IntN(len(r.ways))]) }

// random returns a stretch under a scheduler. Of a sequential one the run chooses the length.
func (r *RandomAuto) random(mode settings.Mode) Stretch {
	if mode == settings.Sequential {
		return Stretch{Mode: mode}
	}
	return Stretch{Mode: mode, GVTs: 1 + r.Dice.Uint64N(r.Most)}
}
