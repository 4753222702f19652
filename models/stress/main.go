// Command stress is a stress test of Time Warp: LPs of all kinds that can be undone, and
// of one that cannot, send each other events of all sizes, at equal times, without delay,
// in bursts and far ahead. Every choice is drawn from the LPs' streams, so each scheduler
// must commit the same events, and the LPs check that rolled back events left no trace in
// their states.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := defaultParams()
	cfg := ross.DefaultConfig()
	cfg.End, cfg.LPs = 200, int(p.lps)
	p.lps = 0
	return p.program(cfg)
}

// program returns the program of a simulation, with the settings of a command line without options.
func (p *params) program(cfg ross.Config) program.Program {
	var md *model
	return program.Program{
		Name: "stress", Parts: parts.All(), Config: cfg, Options: p.options,
		Prepare: func(cfg *ross.Config) error {
			if err := p.check(cfg); err != nil {
				return err
			}
			md = newModel(*p, cfg.End)
			md.configure(cfg)
			return nil
		},
		Build: func(sim *ross.Simulation) error {
			md.setSize(uint64(sim.TotalLPs()))
			return sim.Define(md.types()...)
		},
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Stress Model")
	cfg.RegisterLPs(g)
	g.Float64(&p.remote, "remote", "probability that an event goes to a random LP, else to its sender")
	g.Float64(&p.zero, "zero", "probability of a zero delay")
	g.Float64(&p.grid, "grid", "share of the other delays that end at a multiple of 1/4")
	g.Uint64(&p.population, "population", "events per LP at start, and approximately from then on")
	g.Float64(&p.burst, "burst", "probability that an event sends 8 at one time")
	g.Float64(&p.suspend, "suspend", "probability that an event suspends its LP, for sleepers")
	g.Bool(&p.never, "never", "have LPs whose events cannot be undone")
	g.Float64(&p.lookahead, "lookahead", "least delay to other LPs; above 0, zero delays stay on their LP")
	g.Float64(&p.stop, "stop", "virtual time from which one event in 64 stops the run; 0: none does")
	g.Float64(&p.stopAfter, "stop-after", "how much later that event stops the run")
	g.Uint64(&p.streams, "streams", "random streams of each LP, 1 or 2")
	g.MayVary("stop", "stop-after")
}

// check refuses invalid parameters.
func (p *params) check(cfg *ross.Config) error {
	for _, o := range []struct {
		name  string
		value float64
	}{
		{"remote", p.remote}, {"zero", p.zero}, {"grid", p.grid},
		{"burst", p.burst}, {"suspend", p.suspend}, {"lookahead", p.lookahead},
	} {
		if !(o.value >= 0 && o.value <= 1) {
			return fmt.Errorf("option --%s=%g: must be in [0, 1]: %w", o.name, o.value, ross.ErrUsage)
		}
	}
	switch {
	case !(p.stop >= 0):
		return fmt.Errorf("option --stop=%g: must be a virtual time of 0 or more: %w", p.stop, ross.ErrUsage)
	case !(p.stopAfter >= 0):
		return fmt.Errorf("option --stop-after=%g: must be a delay of 0 or more: %w", p.stopAfter, ross.ErrUsage)
	case cfg.NLP > 1<<24 || cfg.LPs > 1<<24:
		return fmt.Errorf("option --nlp=%d, --lps=%d: must be at most 2^24: %w", cfg.NLP, cfg.LPs, ross.ErrUsage)
	case p.population < 1 || p.population > 1<<20:
		return fmt.Errorf("option --population=%d: must be in [1, 2^20]: %w", p.population, ross.ErrUsage)
	case p.streams < 1 || p.streams > 2:
		return fmt.Errorf("option --streams=%d: must be 1 or 2: %w", p.streams, ross.ErrUsage)
	}
	return nil
}

// configure sets what follows from the model. PEs have blocks of LPs that differ by at most
// one. A custom mapping that is already set stays.
func (md *model) configure(cfg *ross.Config) {
	if cfg.PEs == 0 {
		cfg.PEs = runtime.GOMAXPROCS(0)
	}
	if md.lps != 0 {
		cfg.LPs = int(md.lps)
	}
	if cfg.Mapping == nil {
		cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
			return mapping.Places{PE: func(gid uint64) uint64 { return gid * s.PEs / s.LPs }}, nil
		})
	}
	cfg.Streams.PerLP = int(md.streams)
	cfg.TypeMap = func(gid ross.LPID) int { return int(md.kindOf(gid)) }
	cfg.ConsLookahead = md.lookahead
}
