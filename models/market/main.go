// Command market is a model of exchanges and traders, whose states vary in size: order
// books that fill up and are emptied, lists of open orders. It can store a checkpoint
// after the run, and continue from one.
package main

import (
	"fmt"
	"io"
	"math"
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
	p := params{rate: 4, cancel: 0.2, lookahead: 0.1, credit: 40_000}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 64, 100
	return program.Program{
		Name: "market", Parts: parts.All(), Config: cfg, Options: p.options, Prepare: p.prepare, Build: p.build,
		Finish: p.finish,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Market Model")
	cfg.RegisterLPs(g) // every fourth LP is an exchange, the others are traders
	g.Float64(&p.rate, "rate", "orders and cancellations of a trader per unit of time")
	g.Float64(&p.cancel, "cancel", "share of cancellations")
	g.Float64(&p.lookahead, "lookahead", "least delay to other LPs; with 0, some reports have none")
	g.Float64(&p.credit, "credit", "a trader that owes more than this suspends itself")
	g.String(&p.load, "load", "name of a checkpoint to continue from")
	g.String(&p.store, "store", "name of a checkpoint to store after the run")
	g.MayVary("load", "store")
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	switch {
	case cfg.NLP > 1<<24 || cfg.LPs > 1<<24:
		return fmt.Errorf("option --nlp=%d, --lps=%d: must be at most 2^24: %w", cfg.NLP, cfg.LPs, ross.ErrUsage)
	case !(p.rate > 0 && p.rate <= 1e6):
		return fmt.Errorf("option --rate=%g: must be above 0 and at most 1e6: %w", p.rate, ross.ErrUsage)
	case !(p.cancel >= 0 && p.cancel <= 1):
		return fmt.Errorf("option --cancel=%g: must be in [0, 1]: %w", p.cancel, ross.ErrUsage)
	case !(p.lookahead >= 0 && p.lookahead <= 1):
		return fmt.Errorf("option --lookahead=%g: must be in [0, 1]: %w", p.lookahead, ross.ErrUsage)
	case !(p.credit >= 0 && p.credit <= math.MaxInt64/2):
		return fmt.Errorf("option --credit=%g: must be in [0, 2^62]: %w", p.credit, ross.ErrUsage)
	}
	cfg.ConsLookahead, cfg.Streams.PerLP, cfg.TypeMap, cfg.Checkpoints.AfterRun = p.lookahead, 2, kindOf, p.store != ""
	return nil
}

// build defines the LPs, and loads the checkpoint from which the run continues.
func (p *params) build(sim *ross.Simulation) error {
	if err := sim.Define(exchangeType(p), traderType(p)); err != nil {
		return err
	}
	p.exchanges = (uint64(sim.TotalLPs()) + perExchange - 1) / perExchange
	if p.load != "" {
		return sim.Load(p.load)
	}
	return nil
}

// finish stores the checkpoint.
func (p *params) finish(sim *ross.Simulation) error {
	if p.store == "" {
		return nil
	}
	return sim.Store(p.store)
}
