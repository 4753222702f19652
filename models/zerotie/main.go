// Command zerotie tests the order of simultaneous events: every event happens
// at a whole number of time units, many send others without delay, and an LP's
// state is a hash of the order in which it handled them.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{usePrio: 1, maxHop: 3, p: 0.6}
	return program.Program{
		Name: "zerotie", Parts: parts.All(), Config: ross.DefaultConfig(), Options: p.options, Prepare: p.prepare, Build: p.build,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Zero Tie Model")
	cfg.RegisterLPs(g)
	g.Uint64(&p.usePrio, "useprio", "0: all events have priority 1; 1: priorities 0.25 and 0.75")
	g.Uint64(&p.maxHop, "maxhop", "longest chain of events without delay")
	g.Float64(&p.p, "p", "probability that an event sends one without delay")
}

func (p *params) prepare(*ross.Config) error {
	if p.maxHop > 1<<30 {
		return fmt.Errorf("option --maxhop=%d: must be at most 2^30: %w", p.maxHop, ross.ErrUsage)
	}
	if !(p.p >= 0 && p.p <= 1) {
		return fmt.Errorf("option --p=%g: must be in [0, 1]: %w", p.p, ross.ErrUsage)
	}
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	p.last = int64(sim.TotalLPs()) - 1
	return sim.Define(zerotie(p))
}
