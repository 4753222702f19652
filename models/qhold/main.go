// Command qhold is a hold model whose times are whole numbers of up to 32 bits, and which ends with a
// checksum of all that has happened. It is the model qhold of ROSS: its events are those of the
// original, in the same order and with the same times.
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
	record     classic.Recorder
	population uint64
	remote     float64
	lookahead  float64
	rsv        float64

	threshold uint64 // of draws that choose another LP
	total     uint64 // LPs on all PEs
}

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{population: 16, remote: 0.1, lookahead: 0.005}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1024, 1e12
	return program.Program{
		Name: "qhold", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("QHold Model")
	cfg.RegisterLPs(g)
	g.Count(&cfg.NLP, "nlp_per_pe", "the same as --nlp")
	g.Uint64(&p.population, "population", "events of each LP at the beginning")
	g.Float64(&p.lookahead, "lookahead", "least delay; the others are whole numbers more")
	g.Float64(&p.remote, "remote", "share of events for other LPs")
	g.Float64(&p.rsv, "RSV", "without effect")
	g.MayVary("RSV")
	classic.Memory(g)
	p.record.Register(o)
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	switch {
	case cfg.NLP > 1<<32 || cfg.LPs > 1<<32 || p.population > 1<<32:
		return fmt.Errorf("option --nlp=%d, --lps=%d, --population=%d: must be at most 2^32: %w", cfg.NLP, cfg.LPs,
			p.population, ross.ErrUsage)
	case !(p.remote >= 0 && p.remote <= 1):
		return fmt.Errorf("option --remote=%g: must be in [0, 1]: %w", p.remote, ross.ErrUsage)
	case !(p.lookahead >= 0 && p.lookahead <= math.MaxFloat32):
		return fmt.Errorf("option --lookahead=%g: must be at least 0, and finite: %w", p.lookahead, ross.ErrUsage)
	}
	p.threshold = uint64(p.remote*math.MaxUint32) << 32
	cfg.ConsLookahead = p.lookahead
	p.record.Prepare(cfg)
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	if p.total = uint64(sim.TotalLPs()); p.total < 2 && p.threshold > 0 {
		return fmt.Errorf("there is one LP, and no other for its events: use --lps of 2 or more, or --remote=0: %w",
			ross.ErrUsage)
	}
	if err := p.record.Open(sim); err != nil {
		return err
	}
	return sim.Define(p.ring())
}

// finish prints what the original prints, and records the states.
func (p *params) finish(sim *ross.Simulation) error {
	all, err := ross.Reduce(sim, func(_ *ross.LP, r *ring) sums { return r.sums }, sums.add)
	if err != nil {
		return err
	}
	w := sim.Report()
	fmt.Fprintf(w, "\nStatistics:\n")
	fmt.Fprintf(w, "globalHash: %d\n", all.Hash)
	fmt.Fprintf(w, "globalEvents: %d\n", all.Events)
	fmt.Fprintf(w, "globalEventsScheduled: %d\n", all.Scheduled)
	fmt.Fprintf(w, "globalTies: %d\n", all.Ties)
	fmt.Fprintf(w, "globalZeroDelays: %d\n", all.Zeros)
	return p.record.Finish(sim, classic.States(func(_ *ross.LP, r *ring) string {
		return fmt.Sprintf("state=%d last=%.17g", r.Value, r.Last)
	}))
}
