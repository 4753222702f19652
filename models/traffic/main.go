// Command traffic simulates cars on a grid of intersections with three lanes on each side. It is the
// model traffic of ROSS: its events are those of the original, in the same order and with the same
// times.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/internal/classic"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// params are the parameters of the model, by flag.
type params struct {
	record           classic.Recorder
	columns, rows    ross.LPID
	blocksX, blocksY ross.LPID
	drift            bool

	cars []newCar // with which the run begins, see carsOf
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{columns: 64, rows: 64, blocksX: 16, blocksY: 16}
	cfg := ross.DefaultConfig()
	cfg.End = 200
	return program.Program{
		Name: "traffic", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Traffic Model")
	g.Uint64((*uint64)(&p.columns), "cells-x", "columns of the grid of intersections")
	g.Uint64((*uint64)(&p.rows), "cells-y", "rows of the grid of intersections")
	g.Uint64((*uint64)(&p.blocksX), "vps-x", "columns of blocks of intersections\nthey say which cars begin where")
	g.Uint64((*uint64)(&p.blocksY), "vps-y", "rows of blocks of intersections")
	g.Bool(&p.drift, "drift", "as in the original, an intersection becomes the one that its last car went to")
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if p.columns < 1 || p.rows < 1 || p.columns > 1<<14 || p.rows > 1<<14 {
		return fmt.Errorf("option --cells-x=%d, --cells-y=%d: must be 1 to 16384: %w", p.columns, p.rows, ross.ErrUsage)
	}
	if p.blocksX < 1 || p.blocksY < 1 || p.columns%p.blocksX != 0 || p.rows%p.blocksY != 0 {
		return fmt.Errorf("option --vps-x=%d, --vps-y=%d: must divide --cells-x=%d and --cells-y=%d: %w",
			p.blocksX, p.blocksY, p.columns, p.rows, ross.ErrUsage)
	}
	cfg.NLP, cfg.LPs = 0, int(p.columns*p.rows)
	cfg.ConsLookahead = 0 // delays are exponential
	p.record.Prepare(cfg)
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	p.makeCars()
	return sim.Define(p.crossing())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	type sums struct{ arrived, finished int64 }
	all, err := ross.Reduce(sim, func(_ *ross.LP, c *crossing) sums { return sums{int64(c.Arrived), int64(c.Finished)} },
		func(a, b sums) sums { return sums{a.arrived + b.arrived, a.finished + b.finished} })
	if err != nil {
		return err
	}
	fmt.Fprintf(sim.Report(), "\nNumber of Arivals: %d\nNumber of Cars reached their dest: %d\n", all.arrived,
		all.finished)
	return p.record.Finish(sim, classic.NumberedStates(func(lp *ross.LP) uint64 { return p.place(lp.ID()) },
		func(_ *ross.LP, c *crossing) string {
			text := fmt.Appendf(nil, "gid=%d %d %d", c.At, c.Arrived, c.Finished)
			for _, counts := range [][lanes]int32{c.In, c.Out} {
				for _, side := range []int{west, north, south, east} {
					for _, n := range counts[side : side+3] {
						text = fmt.Appendf(text, " %d", n)
					}
				}
			}
			return string(text)
		}))
}
