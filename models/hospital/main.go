// Command hospital simulates hospitals: patients wait for nurses, doctors and beds, lose patience, and drive to the
// next hospital if a waiting room is full. It shows how short package resource makes a model.
package main

import (
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
	return hospital().Main(args, stdout, stderr)
}

// hospital returns the program, with parameters of its own.
func hospital() program.Program {
	p, cfg := defaults()
	return program.Program{
		Name: "hospital", Parts: append(parts.All(), study.Of(hospital, parquet.Tables)), Config: cfg, Options: p.options,
		Prepare: p.prepare,
		Build:   func(sim *ross.Simulation) error { return sim.Define(p.types()...) },
	}
}
