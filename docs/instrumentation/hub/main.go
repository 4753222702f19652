// Command hub is a model with a KP that thrashes, for docs/instrumentation.md: workers that keep
// to themselves, but sometimes report to LP 0, which therefore hears from every PE.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
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

func event(s *state, lp *ross.LP, _ *ross.Bits, j *job) {
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
	cfg.NLP = 256
	o := ross.NewOptions("hub")
	o.Group("Hub Model").Uint64(&cfg.NLP, "nlp", "number of LPs on each PE")
	cfg.Register(o)
	if code, ok := o.Main(os.Args[1:], os.Stdout, os.Stderr); !ok {
		os.Exit(code)
	}
	err := simulate(cfg)
	if err != nil && ross.Speaks(err) {
		fmt.Fprintln(os.Stderr, "hub:", err)
	}
	os.Exit(ross.ExitCode(err))
}

func simulate(cfg ross.Config) error {
	cfg.ConsLookahead = soonest
	cfg.Output, cfg.Dir = os.Stdout, "."
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[state, job]{Name: "lp", Init: start, Event: event}); err != nil {
		return err
	}
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	return sim.Run(ctx)
}
