// This file owns the models that this program runs itself, each in a process of its own.

package main

import (
	"fmt"
	"io"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/bench"
	"github.com/ross-go/ross/program"
)

// modelWord is the first word of a command line that runs a model.
const modelWord = "model"

// Names of workloads.
const (
	modelA = "A"
	modelB = "B"
	modelC = "C"
	modelS = "S"
)

// sizedLPs is the number of LPs of C and S. An LP has as many events as one of B.
const sizedLPs = 1024

// runModel runs a model with the words of a command line, and returns the exit status.
func runModel(args []string, stdout, stderr io.Writer) int {
	name := ""
	return program.Program{
		Name:   "machine model",
		Config: ross.DefaultConfig(),
		Options: func(o *ross.Options, cfg *ross.Config) {
			g := o.Group("Model")
			g.String(&name, "workload", "A, B, C or S")
			cfg.RegisterLPs(g)
		},
		Prepare: func(cfg *ross.Config) error {
			cfg.ConsLookahead = bench.Lookahead
			if modelOf(name, cfg.LPs) == nil {
				return fmt.Errorf("option --workload=%s: must be A, B, C or S: %w", name, ross.ErrUsage)
			}
			return nil
		},
		Build: func(sim *ross.Simulation) error { return sim.Define(modelOf(name, int(sim.TotalLPs()))) },
	}.Main(args, stdout, stderr)
}

// modelOf returns the type of the LPs of a workload, nil if there is none of that name.
func modelOf(name string, lps int) ross.LPType {
	var w bench.TimeWarp
	switch name {
	case modelA:
		w = bench.WorkloadA
	case modelB:
		w = bench.WorkloadB
	case modelC:
		return bench.Sizes{Message: 256, State: 64, How: ross.SaveByReverse}.Model(lps)
	case modelS:
		return bench.Sizes{Message: 8, State: 1024, How: ross.SaveByDelta}.Model(lps)
	default:
		return nil
	}
	w.LPs = lps
	return w.Model()
}
