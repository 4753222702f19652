// Command pholdio is PHOLD with checkpoints: one run stores it at the end, and the
// next continues from there. It takes the flags of ROSS's pholdio.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{remote: 0.25, mean: 1, mult: 4, lookahead: 1, startEvents: 1, memory: 100, run: "undefined"}
	cfg := ross.DefaultConfig()
	cfg.Checkpoints.AsROSS = true
	return program.Program{
		Name: "pholdio", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.after,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("PHOLDIO Model")
	g.Float64(&p.remote, "remote", "desired remote event rate")
	cfg.RegisterLPs(g)
	g.Float64(&p.mean, "mean", "exponential distribution mean for timestamps")
	g.Float64(&p.mult, "mult", "multiplier for event memory allocation\nwithout effect except on the report")
	g.Float64(&p.lookahead, "lookahead", "lookahead for events")
	g.Uint64(&p.startEvents, "start-events", "number of initial messages per LP")
	g.Uint64(&p.stagger, "stagger", "Set to 1 to stagger event uniformly across 0 to end time.")
	g.Uint64(&p.memory, "memory", "additional memory buffers\nwithout effect except on the report")
	g.String(&p.run, "run", "user supplied run name")
	g.Uint64(&p.ioStore, "io-store", "0: load the checkpoint before the run; 1: store it after the run; 2: neither")
	g.MayVary("mult", "memory", "run", "io-store")
}

func (p *params) build(sim *ross.Simulation) error {
	p.print(sim.Report())
	p.total = int64(sim.TotalLPs())
	if err := sim.Define(pholdio(p)); err != nil {
		return err
	}
	return p.before(sim)
}

// prepare checks the model's parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	switch {
	case !(p.lookahead >= 0 && p.lookahead <= 1):
		return fmt.Errorf("option --lookahead=%g: must be in [0, 1]: %w", p.lookahead, ross.ErrUsage)
	case !(p.mean >= p.lookahead) || math.IsInf(p.mean, 0):
		return fmt.Errorf("option --mean=%g: must be finite and at least --lookahead, which is %g: %w", p.mean, p.lookahead,
			ross.ErrUsage)
	case !(p.remote >= 0 && p.remote <= 1):
		return fmt.Errorf("option --remote=%g: must be in [0, 1]: %w", p.remote, ross.ErrUsage)
	case !(p.mult >= 0) || p.mult > 1e6:
		return fmt.Errorf("option --mult=%g: must be in [0, 1e6]: %w", p.mult, ross.ErrUsage)
	case p.startEvents > 1<<30 || cfg.NLP > 1<<30 || cfg.LPs > 1<<30:
		return fmt.Errorf("option --start-events=%d, --nlp=%d, --lps=%d: must be at most 2^30: %w", p.startEvents, cfg.NLP,
			cfg.LPs, ross.ErrUsage)
	case p.ioStore > ioNone:
		return fmt.Errorf("option --io-store=%d: must be 0, 1 or 2: %w", p.ioStore, ross.ErrUsage)
	}
	if p.ioStore == ioStore {
		if err := atomicfile.CheckFolder("."); err != nil { // that of the checkpoint
			return fmt.Errorf("option --io-store=%d: %v: run it in a folder that can be written to: %w", p.ioStore, err,
				ross.ErrUsage)
		}
	}
	perPE := uint64(cfg.NLP)
	if cfg.LPs != 0 {
		perPE = uint64(cfg.LPs) / uint64(max(cfg.PEs, 1))
	}
	cfg.ConsLookahead = p.lookahead
	buffered := uint64(0)
	if p.ioStore != ioNone {
		buffered = 4 * perPE * p.startEvents
	}
	cfg.Checkpoints.AfterRun = p.ioStore == ioStore
	cfg.AskEvents(uint64(p.mult*float64(perPE)*float64(p.startEvents))+p.memory, buffered)
	if cfg.Checkpoints.Restart != "" {
		cfg.Checkpoints.AsROSS = false // which ROSS does not have
	}
	p.delay, p.end = p.mean-p.lookahead, cfg.End
	return cfg.Validate()
}

func (p *params) print(w io.Writer) {
	const rule = "========================================\n"
	fmt.Fprint(w, rule, "PHOLDIO Model Configuration............\n")
	fmt.Fprintf(w, "   Lookahead..............%f\n", p.lookahead)
	fmt.Fprintf(w, "   Start-events...........%d\n", p.startEvents)
	fmt.Fprintf(w, "   stagger................%d\n", p.stagger)
	fmt.Fprintf(w, "   Mean...................%f\n", p.delay)
	fmt.Fprintf(w, "   Mult...................%f\n", p.mult)
	fmt.Fprintf(w, "   Memory.................%d\n", p.memory)
	fmt.Fprintf(w, "   Remote.................%f\n", p.remote)
	fmt.Fprintf(w, "   IO-store...............%d\n", p.ioStore)
	fmt.Fprint(w, rule, "\n")
}
