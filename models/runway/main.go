// Command runway simulates planes that fly between airports with one runway each: a
// well-known model of parallel discrete-event simulation. It shows how a model has several messages,
// undo data, queues and statistics.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/parquet"
	"github.com/ross-go/ross/program/parts/study"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag.
type params struct {
	planes    uint64
	flight    float64
	lookahead float64
	landing   float64
	takeoff   float64
	ground    float64

	total int64 // airports on all PEs
}

// defaults returns the parameters and settings of a command line without options.
func defaults() (params, ross.Config) {
	p := params{planes: 4, flight: 60, lookahead: 10, landing: 10, takeoff: 5, ground: 30}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Statistics = 1024, 1440, ross.StatisticsInReport
	return p, cfg
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return runway().Main(args, stdout, stderr)
}

// runway returns the program, with parameters of its own.
func runway() program.Program {
	p, cfg := defaults()
	return program.Program{
		Name: "runway", Parts: append(parts.All(), study.Of(runway, parquet.Tables)), Config: cfg, Options: p.options,
		Prepare: p.prepare, Build: p.build,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Airport Model")
	cfg.RegisterLPs(g) // each is an airport
	g.Uint64(&p.planes, "planes", "planes at each airport at the beginning")
	g.Float64(&p.flight, "flight", "mean time of a flight, in minutes")
	g.Float64(&p.lookahead, "lookahead", "least time of a flight, in minutes")
	g.Float64(&p.landing, "landing", "mean time that a landing takes the runway, in minutes")
	g.Float64(&p.takeoff, "take-off", "mean time that a take-off takes the runway, in minutes")
	g.Float64(&p.ground, "ground", "mean time between landing and the wish to take off, in minutes")
}

func (p *params) build(sim *ross.Simulation) error {
	if p.total = int64(sim.TotalLPs()); p.total < 2 {
		return fmt.Errorf("there is one airport: planes fly from one to another, so use --lps of 2 or more: %w",
			ross.ErrUsage)
	}
	return sim.Define(airportType(p))
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if cfg.NLP > 1<<24 || cfg.LPs > 1<<24 || p.planes > 1<<16 {
		return fmt.Errorf("option --nlp=%d, --lps=%d, --planes=%d: there may be 2^24 airports and 2^16 planes at each: %w",
			cfg.NLP, cfg.LPs, p.planes, ross.ErrUsage)
	}
	for _, t := range []struct {
		name  string
		is    float64
		least float64
	}{{"lookahead", p.lookahead, 0}, {"flight", p.flight, p.lookahead}, {"landing", p.landing, 0},
		{"take-off", p.takeoff, 0}, {"ground", p.ground, 0}} {
		if !(t.is >= t.least && t.is <= math.MaxFloat32) {
			return fmt.Errorf("option --%s=%g: must be a number of minutes of at least %g: %w", t.name, t.is, t.least,
				ross.ErrUsage)
		}
	}
	cfg.ConsLookahead = p.lookahead
	return nil
}
