// Command zerotie tests the order of simultaneous events: every event happens
// at a whole number of time units, many send others without delay, and an LP's
// state is a hash of the order in which it handled them.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status, 2 for an unusable command line and 1
// for a run that failed.
func run(args []string, stdout, stderr io.Writer) int {
	p := params{usePrio: 1, maxHop: 3, p: 0.6, stderr: stderr}
	cfg := ross.DefaultConfig()
	o := ross.NewOptions("zerotie")
	g := o.Group("Zero Tie Model")
	cfg.RegisterLPs(g)
	g.Uint64(&p.usePrio, "useprio", "0: all events have priority 1; 1: priorities 0.25 and 0.75")
	g.Uint64(&p.maxHop, "maxhop", "longest chain of events without delay")
	g.Float64(&p.p, "p", "probability that an event sends one without delay")
	cfg.Register(o)
	p.live.Register(o)
	if code, ok := o.Main(args, stdout, stderr); !ok {
		return code
	}
	tell := func(err error) {
		if ross.Speaks(err) {
			fmt.Fprintf(stderr, "zerotie: %v\n", err)
		}
	}
	return ross.ExitCode(p.simulate(cfg, stdout, tell))
}

// simulate runs zerotie under a configuration and prints to out. An error is printed
// before the simulation is closed, because under mpirun that may end the program.
func (p *params) simulate(cfg ross.Config, out io.Writer, tell func(error)) error {
	err := p.check()
	if err == nil {
		cfg.Output, cfg.Dir = out, "."
		var sim *ross.Simulation
		if sim, err = ross.New(cfg); err == nil {
			defer sim.Close()
			err = p.play(sim)
		}
	}
	tell(err)
	return err
}

func (p *params) check() error {
	if p.maxHop > 1<<30 {
		return fmt.Errorf("option --maxhop=%d: must be at most 2^30: %w", p.maxHop, ross.ErrUsage)
	}
	if !(p.p >= 0 && p.p <= 1) {
		return fmt.Errorf("option --p=%g: must be in [0, 1]: %w", p.p, ross.ErrUsage)
	}
	return nil
}

func (p *params) play(sim *ross.Simulation) error {
	if err := sim.Define(zerotie(p)); err != nil {
		return err
	}
	p.last = int64(sim.TotalLPs()) - 1
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	return p.live.Run(ctx, sim, p.stderr)
}
