// Package delays has sends with delays that are too short, or none.
package delays

import "github.com/ross-go/ross"

type state struct{ N int64 }

type msg struct{ N int64 }

const short = 0.25

var wrong = ross.Type[state]{
	Lookahead: 0.5,
	Init: func(s *state, lp *ross.LP) {
		ross.Send(lp, 3, 0.1, msg{}) // want `a delay that may be 0.1, below the Lookahead 0.5 of the type: the conservative scheduler relies on it and ends the run \(ErrLookahead\): send with at least 0.5, or declare less`
	},
	Event: ross.On(event),
}

func event(s *state, lp *ross.LP, m *msg) {
	ross.Send(lp, lp.ID()+1, short, msg{})                          // want `a delay that may be 0.25`
	ross.Send(lp, ross.LPID(m.N), lp.RNG().Exponential(2), msg{})   // want `a delay that may be 0, below`
	ross.SendPriority(lp, 2, short+short*lp.RNG().Unif(), 1, msg{}) // want `a delay that may be 0.25`
	ross.Send(lp, lp.ID()+1, 0.25*lp.RNG().Beta(2, 3), msg{})       // want `a delay that may be 0, below`
	wait := 0.125 + lp.RNG().Exponential(1)
	ross.NewEvent[msg](lp, 7, wait).N = 1 // want `a delay that may be 0.125`
	further(lp)
	ross.Send(lp, lp.ID(), lp.Now()+1, msg{}) // want `Now\(\) is added to a delay: the engine adds it as well, so the event comes far too late: give the delay alone`
	ross.After(lp, 1+(lp.Now()+2), msg{})     // want `Now\(\) is added to a delay`
	ross.Send(lp, lp.ID(), -1, msg{})         // want `a delay of -1: an event cannot be before its cause, so the run ends \(ErrDelay\)`
	ross.After(lp, -short, msg{})             // want `a delay of -0.25`
}

func further(lp *ross.LP) {
	dst := ross.LPID(lp.RNG().Integer(0, 9))
	ross.Send(lp, dst, 0.4, msg{}) // want `a delay that may be 0.4`
}

var on = ross.Type[state]{
	Lookahead: 2,
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		ross.Send(lp, 1, 1, msg{}) // want `a delay that may be 1, below the Lookahead 2`
	}),
}

func right(ahead float64) []ross.LPType {
	return []ross.LPType{
		ross.Type[state]{
			Lookahead: 0.5,
			Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
				ross.Send(lp, lp.ID(), 0.1, msg{})
				self := lp.ID()
				ross.Send(lp, self, 0.1, msg{})
				ross.After(lp, 0.1, msg{})
				ross.Send(lp, 3, 0.5, msg{})
				ross.Send(lp, 3, 0.5+lp.RNG().Exponential(1), msg{})
				ross.Send(lp, 3, max(0.5, lp.RNG().Exponential(1)), msg{})
				ross.Send(lp, 3, ahead, msg{})
				delay := 0.1
				delay += 0.5
				ross.Send(lp, 3, delay, msg{})
				ross.Send(lp, lp.ID(), 10-lp.Now(), msg{})
				to(lp, lp.ID(), 0.1)
				ross.Send(lp, 4, 0.1, msg{}) //rossvet:ignore 4 is this LP
			}),
		},
		ross.Type[state]{
			Lookahead: ahead,
			Event:     ross.On(func(s *state, lp *ross.LP, m *msg) { ross.Send(lp, 3, 0.01, msg{}) }),
		},
		ross.Type[state]{
			Event: ross.On(func(s *state, lp *ross.LP, m *msg) { ross.Send(lp, 3, 0, msg{}) }),
		},
	}
}

func to(lp *ross.LP, dst ross.LPID, delay float64) { ross.Send(lp, dst, 0.2, msg{}) }

var _ = []any{wrong, on, right}
