// Command epidemic simulates an epidemic on a grid of cells: people meet in their cells, fall ill and recover (SEIR),
// and walk from cell to cell. It shows a model without a Reverse handler: people in a container, timers, and Write.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/parquet"
	"github.com/ross-go/ross/program/parts/study"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return epidemic().Main(args, stdout, stderr)
}

// epidemic returns the program, with parameters of its own.
func epidemic() program.Program {
	p, cfg := defaults()
	return program.Program{
		Name: "epidemic", Parts: append(parts.All(), study.Of(epidemic, parquet.Tables)), Config: cfg, Options: p.options,
		Prepare: p.prepare,
		Build:   func(sim *ross.Simulation) error { return sim.Define(p.cells()) },
		Finish:  p.print,
		Results: func(sim *ross.Simulation) (map[string]float64, error) {
			n, err := census(sim)
			return map[string]float64{"susceptible": float64(n[susceptible]), "recovered": float64(n[recovered])}, err
		},
	}
}

// census returns how many people are in the cells at the end, by health.
func census(sim *ross.Simulation) (counts, error) {
	return ross.Reduce(sim, func(_ *ross.LP, c *cell) counts { return c.Count }, counts.plus)
}

// print prints the census.
func (p *params) print(sim *ross.Simulation) error {
	n, err := census(sim)
	if err != nil {
		return err
	}
	walking := int64(p.side*p.side*p.people) - n[susceptible] - n[exposed] - n[infectious] - n[recovered]
	_, err = fmt.Fprintf(sim.Report(),
		"\nPeople at the end: %d susceptible, %d exposed, %d infectious, %d recovered, %d on their way\n",
		n[susceptible], n[exposed], n[infectious], n[recovered], walking)
	return err
}
