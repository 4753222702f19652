// This file is a model with large states; each event changes many words of them.

// Command heavy is a model whose states the engine saves at great cost.
package main

import (
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
)

type state struct{ Words [1024]uint64 }

type message struct{ Hops uint64 }

func main() {
	cfg := ross.DefaultConfig()
	cfg.End = 100
	os.Exit(program.Program{
		Name: "heavy", Config: cfg,
		Options: func(o *ross.Options, cfg *ross.Config) { cfg.RegisterLPs(o.Group("Heavy")) },
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[state]{
				Name: "heavy", Saving: ross.SaveByDelta,
				Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1+lp.RNG().Exponential(1), message{}) },
				Event: ross.On(func(s *state, lp *ross.LP, m *message) {
					for i := range 128 {
						s.Words[(i*8+int(m.Hops))%len(s.Words)] += m.Hops*0x9e3779b97f4a7c15 + 1
					}
					ross.Send(lp, lp.ID(), 1+lp.RNG().Exponential(1), message{m.Hops + 1})
				}),
			})
		},
	}.Main(os.Args[1:], os.Stdout, os.Stderr))
}
