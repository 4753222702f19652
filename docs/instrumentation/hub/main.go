// Command hub is a model with a KP that thrashes, for docs/instrumentation.md: workers that keep
// to themselves, but sometimes report to LP 0, which therefore receives events from every PE.
package main

import (
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

const (
	jobs    = 8    // events that each worker holds
	reports = 0.01 // part of a worker's events that it reports to the hub
	soonest = 0.01 // shortest offset of an event
	mean    = 1    // of the random part of the time until the next event of a job
	rounds  = 500  // rounds of arithmetic for an event
)

// state is that of an LP.
type state struct{ Sum, Events uint64 }

// job is the message: work, or the report of some.
type job struct{ Report bool }

func start(_ *state, lp *ross.LP) {
	for range jobs {
		ross.Send(lp, lp.ID(), delay(lp), job{})
	}
}

func event(s *state, lp *ross.LP, j *job) {
	s.Events++
	for i := range uint64(rounds) {
		s.Sum ^= s.Sum<<13 ^ s.Sum>>7 ^ i
	}
	if j.Report {
		return
	}
	if lp.RNG().Unif() < reports {
		ross.Send(lp, 0, soonest, job{Report: true})
	}
	ross.Send(lp, lp.ID(), delay(lp), job{})
}

func delay(lp *ross.LP) float64 { return soonest + lp.RNG().Exponential(mean) }

func main() {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.ConsLookahead = 256, soonest
	os.Exit(program.Program{
		Name: "hub", Parts: parts.All(), Config: cfg,
		Options: func(o *ross.Options, cfg *ross.Config) {
			o.Group("Hub Model").Count(&cfg.NLP, "nlp", "number of LPs on each PE")
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[state]{Name: "lp", Init: start, Event: ross.On(event)})
		},
	}.Main(os.Args[1:], os.Stdout, os.Stderr))
}
