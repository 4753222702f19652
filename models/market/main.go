// Command market is a model of exchanges and traders, whose states vary in size: order
// books that fill up and are emptied, lists of open orders. It can store a checkpoint
// after the run, and continue from one.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status, 2 for an unusable command line and 1
// for a run that failed.
func run(args []string, stdout, stderr io.Writer) int {
	p := params{rate: 4, cancel: 0.2, lookahead: 0.1, credit: 40_000, stderr: stderr}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 64, 100
	o := ross.NewOptions("market")
	p.register(o.Group("Market Model"), &cfg)
	cfg.Register(o)
	p.live.Register(o)
	if code, ok := o.Main(args, stdout, stderr); !ok {
		return code
	}
	tell := func(err error) {
		if ross.Speaks(err) {
			fmt.Fprintf(stderr, "market: %v\n", err)
		}
	}
	return ross.ExitCode(p.simulate(cfg, stdout, tell))
}

func (p *params) register(g *ross.Group, cfg *ross.Config) {
	cfg.RegisterLPs(g) // every fourth LP is an exchange, the others are traders
	g.Float64(&p.rate, "rate", "orders and cancellations of a trader per unit of time")
	g.Float64(&p.cancel, "cancel", "share of cancellations")
	g.Float64(&p.lookahead, "lookahead", "least delay to other LPs; with 0, some reports have none")
	g.Float64(&p.credit, "credit", "a trader that owes more than this suspends itself")
	g.String(&p.load, "load", "name of a checkpoint to continue from")
	g.String(&p.store, "store", "name of a checkpoint to store after the run")
	g.MayVary("load", "store")
}

// simulate runs the model under a configuration and prints to out. An error is printed
// before the simulation is closed, because under mpirun that may end the program.
func (p *params) simulate(cfg ross.Config, out io.Writer, tell func(error)) error {
	err := p.check(&cfg)
	if err == nil {
		cfg.ConsLookahead, cfg.RNGsPerLP, cfg.TypeMap = p.lookahead, 2, kindOf
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

func (p *params) check(cfg *ross.Config) error {
	switch {
	case cfg.NLP > 1<<24 || cfg.TotalLPs > 1<<24:
		return fmt.Errorf("option --nlp=%d, --lps=%d: must be at most 2^24: %w", cfg.NLP, cfg.TotalLPs, ross.ErrUsage)
	case !(p.rate > 0 && p.rate <= 1e6):
		return fmt.Errorf("option --rate=%g: must be above 0 and at most 1e6: %w", p.rate, ross.ErrUsage)
	case !(p.cancel >= 0 && p.cancel <= 1):
		return fmt.Errorf("option --cancel=%g: must be in [0, 1]: %w", p.cancel, ross.ErrUsage)
	case !(p.lookahead >= 0 && p.lookahead <= 1):
		return fmt.Errorf("option --lookahead=%g: must be in [0, 1]: %w", p.lookahead, ross.ErrUsage)
	case !(p.credit >= 0 && p.credit <= math.MaxInt64/2):
		return fmt.Errorf("option --credit=%g: must be in [0, 2^62]: %w", p.credit, ross.ErrUsage)
	}
	return nil
}

// play runs the model from checkpoint to checkpoint.
func (p *params) play(sim *ross.Simulation) error {
	if err := sim.Define(exchangeType(p), traderType(p)); err != nil {
		return err
	}
	p.exchanges = (sim.TotalLPs() + perExchange - 1) / perExchange
	if p.load != "" {
		if err := sim.LoadCheckpoint(p.load, ross.LoadInit); err != nil {
			return err
		}
	}
	if p.store != "" {
		if err := sim.InitIO(); err != nil {
			return err
		}
	}
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	if err := p.live.Run(ctx, sim, p.stderr); err != nil || p.store == "" {
		return err
	}
	return sim.StoreCheckpoint(p.store, ross.ByFormula)
}
