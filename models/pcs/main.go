// Command pcs simulates a personal communication service: mobile telephones that call, and move
// through cells with few channels. It is the model pcs of ROSS: its events are those of the
// original, in the same order and with the same times.
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
	record        classic.Recorder
	columns, rows ross.LPID
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{columns: 64, rows: 64}
	cfg := ross.DefaultConfig()
	cfg.End = 20000
	return program.Program{
		Name: "pcs", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("PCS Model")
	g.Uint64((*uint64)(&p.columns), "cells-x", "columns of the grid of cells")
	g.Uint64((*uint64)(&p.rows), "cells-y", "rows of the grid of cells")
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if p.columns < 1 || p.rows < 1 || p.columns > 1<<16 || p.rows > 1<<16 {
		return fmt.Errorf("option --cells-x=%d, --cells-y=%d: must be 1 to 65536: %w", p.columns, p.rows, ross.ErrUsage)
	}
	cfg.NLP, cfg.LPs = 0, int(p.columns*p.rows)
	cfg.ConsLookahead = 0 // a call that moves to the next cell arrives at once
	p.record.Prepare(cfg)
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	if err := p.record.Open(sim); err != nil {
		return err
	}
	return sim.Define(p.cell())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	type sums struct{ attempts, blocks, busy, handoffs int64 }
	all, err := ross.Reduce(sim, func(_ *ross.LP, c *cell) sums {
		return sums{int64(c.Attempts), int64(c.Blocks), int64(c.Busy), int64(c.Handoffs)}
	}, func(a, b sums) sums {
		return sums{a.attempts + b.attempts, a.blocks + b.blocks, a.busy + b.busy, a.handoffs + b.handoffs}
	})
	if err != nil {
		return err
	}
	w := sim.Report()
	fmt.Fprintf(w, "\nCall Attempts......................................%d\n", all.attempts)
	fmt.Fprintf(w, "Channel Blocks.....................................%d\n", all.blocks)
	fmt.Fprintf(w, "Busy Lines.........................................%d\n", all.busy)
	fmt.Fprintf(w, "Handoff Blocks.....................................%d\n", all.handoffs)
	fmt.Fprintf(w, "Portables In.......................................%d\n", portables*p.columns*p.rows)
	fmt.Fprintf(w, "Portables Out......................................0\n")
	if calls := all.attempts - all.busy; calls > 0 {
		fmt.Fprintf(w, "Blocking Probability...............................%f\n",
			float64(all.blocks+all.handoffs)/float64(calls))
	}
	return p.record.Finish(sim, classic.States(func(_ *ross.LP, c *cell) string {
		return fmt.Sprintf("normal=%d reserve=%d attempts=%d blocks=%d busy=%d handoff=%d",
			c.Normal, c.Reserve, c.Attempts, c.Blocks, c.Busy, c.Handoffs)
	}))
}
