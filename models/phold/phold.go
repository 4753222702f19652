// The model: what an LP of PHOLD does.

package main

import (
	"github.com/ross-go/ross"
)

// state is the state of an LP, which PHOLD does not use.
type state struct{ _ int64 }

// msg is a message, which PHOLD does not use.
type msg struct{ _ int64 }

// params are the parameters of the model, by flag.
type params struct {
	remote      float64
	mean        float64
	mult        float64
	lookahead   float64
	startEvents uint64
	stagger     uint64
	memory      uint64
	run         string

	delay float64 // mean - lookahead: the mean of the random part of a delay
	total int64   // LPs on all PEs
	end   float64
}

// phold returns the type of PHOLD's LPs: each event causes one more, for the
// LP itself or, with probability remote, for a random one.
func phold(p *params) ross.Type[state] {
	return ross.Type[state]{
		Name:       "phold",
		NeverStops: true,
		Init: func(_ *state, lp *ross.LP) {
			for range p.startEvents {
				ross.Send(lp, lp.ID(), p.firstDelay(lp), msg{})
			}
		},
		Event: ross.On(func(_ *state, lp *ross.LP, _ *msg) {
			dst := lp.ID()
			if lp.RNG().Unif() <= p.remote {
				dst = ross.LPID(lp.RNG().Integer(0, p.total-1))
			}
			ross.Send(lp, dst, lp.RNG().Exponential(p.delay)+p.lookahead, msg{})
		}).Reverse(func(*state, *ross.LP, *msg) {}),
	}
}

// firstDelay is the time of a first event. With --stagger the LPs start one
// after the other, a unit of time apart, all over the run.
func (p *params) firstDelay(lp *ross.LP) float64 {
	t := lp.RNG().Exponential(p.delay) + p.lookahead
	if spread := uint64(p.end); p.stagger != 0 && spread > 0 {
		t += float64(uint64(lp.ID()) % spread)
	}
	return t
}
