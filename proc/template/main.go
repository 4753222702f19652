// Command template simulates a network of queues, whose customers are processes: a model to begin with, see README.md.
package main

import (
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/study"
)

func main() { os.Exit(queues().Main(os.Args[1:], os.Stdout, os.Stderr)) }

// queues returns the program, with parameters of its own.
func queues() program.Program {
	m := &model{stations: 16, service: 1, load: 0.7, walk: 0.5}
	return program.Program{
		Name:   "queues",
		Parts:  append(parts.All(), study.Of(queues)), // the live view, completion, studies of many runs
		Config: ross.Config{End: 2000, WarmUp: 200, Statistics: ross.StatisticsInReport},
		Options: func(o *ross.Options, _ *ross.Config) {
			g := o.Group("Queues")
			g.Int(&m.stations, "stations", "number of stations")
			g.Float64(&m.service, "service", "minutes that a service takes on average, above 0")
			g.Float64(&m.load, "load", "share of time for which servers are busy, above 0 and below 1")
			g.Float64(&m.walk, "walk", "minutes from one station to another, above 0")
		},
		Prepare: func(cfg *ross.Config) error {
			switch {
			case m.stations < 1 || m.stations > 1<<20:
				return fmt.Errorf("option --stations=%d: must be in [1, 2^20]: %w", m.stations, ross.ErrUsage)
			case !(m.service > 0 && m.service <= 1e6):
				return fmt.Errorf("option --service=%g: must be above 0 and at most 1e6: %w", m.service, ross.ErrUsage)
			case !(m.load > 0 && m.load < 1):
				return fmt.Errorf("option --load=%g: must be above 0 and below 1: %w", m.load, ross.ErrUsage)
			case !(m.walk > 0 && m.walk <= 1e6):
				return fmt.Errorf("option --walk=%g: must be above 0 and at most 1e6: %w", m.walk, ross.ErrUsage)
			}
			cfg.LPs = m.stations
			return nil
		},
		Build: func(sim *ross.Simulation) error { return sim.Define(m.types()...) },
	}
}
