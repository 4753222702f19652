// Command airport simulates planes that hop between the airports of a grid. It is the model airport
// of ROSS: its events are those of the original, in the same order and with the same times.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/internal/classic"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag.
type params struct {
	record    classic.Recorder
	planes    uint64
	mean      float64
	lookahead float64
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{planes: 4, mean: 1, lookahead: 1e-8}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.LPs, cfg.End = 0, airports, 5000
	return program.Program{
		Name: "airport", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Airport Model")
	g.Uint64(&p.planes, "nplanes", "planes at each airport at the beginning")
	g.Float64(&p.mean, "mean", "mean time of a flight")
	g.Float64(&p.lookahead, "lookahead",
		"lookahead of the conservative scheduler\na shorter flight to another PE ends such a run with an error")
	classic.Memory(g)
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	switch {
	case p.planes > 1<<16:
		return fmt.Errorf("option --nplanes=%d: must be at most 65536: %w", p.planes, ross.ErrUsage)
	case !(p.mean > 0 && p.mean <= math.MaxFloat32):
		return fmt.Errorf("option --mean=%g: must be above 0, and finite: %w", p.mean, ross.ErrUsage)
	case !(p.lookahead >= 0 && p.lookahead <= math.MaxFloat32):
		return fmt.Errorf("option --lookahead=%g: must be at least 0, and finite: %w", p.lookahead, ross.ErrUsage)
	}
	cfg.ConsLookahead = p.lookahead
	p.record.Prepare(cfg)
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	return sim.Define(p.airport())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	all, err := ross.Gather(sim, func(_ *ross.LP, a *airport) airport { return *a })
	if err != nil {
		return err
	}
	average := 0.0
	for _, a := range all { // in the order of the original, since the sum depends on it
		if a.Landings > 0 {
			average += a.Waiting / float64(a.Landings) / airports
		}
	}
	w := sim.Report()
	fmt.Fprintf(w, "\nAirport Model Statistics:\n")
	fmt.Fprintf(w, "\t%-50s %11.4f\n", "Average Waiting Time", average)
	fmt.Fprintf(w, "\t%-50s %11d\n", "Number of airports", airports)
	fmt.Fprintf(w, "\t%-50s %11d\n", "Number of planes", airports*p.planes)
	return p.record.Finish(sim, classic.States(func(_ *ross.LP, a *airport) string {
		return fmt.Sprintf("landings=%d on_ground=%d waiting=%.17g furthest=%.17g", a.Landings, a.Ground, a.Waiting, a.Far)
	}))
}
