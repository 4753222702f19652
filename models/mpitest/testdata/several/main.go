// Command several runs two simulations in one program: one after the other on all ranks,
// or at the same time, each on half of them. For each it prints a line with what was
// committed.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

func main() { os.Exit(run(os.Args[1:])) }

type state struct{ _ int64 }

type msg struct{ _ int64 }

type params struct {
	do  string
	nlp int
}

func run(args []string) int {
	p := params{do: "series", nlp: 24}
	cfg := ross.DefaultConfig()
	cfg.End = 10
	o := ross.NewOptions("several")
	g := o.Group("Several Simulations")
	g.String(&p.do, "do", "series: one after the other; kept: the same, and MPI is kept; held: the same, and the program itself holds MPI open; halves: at the same time")
	g.Count(&p.nlp, "nlp", "number of LPs per processor")
	cfg.Register(o)
	if code, ok := o.Main(args, os.Stdout, os.Stderr); !ok {
		return code
	}
	if err := p.simulations(cfg); err != nil {
		fmt.Fprintf(os.Stderr, "several: %v\n", err)
		return 1
	}
	return 0
}

func (p *params) simulations(cfg ross.Config) error {
	switch p.do {
	case "halves":
		return p.halves(cfg)
	case "kept":
		end, err := ross.KeepMPI()
		if err != nil {
			return err
		}
		defer end()
	case "held":
		w, err := mpi.Start(mpi.Options{Threads: mpi.Multiple})
		if err != nil {
			return err
		}
		defer w.Close()
	}
	for i := range 2 {
		if err := p.simulate(cfg, i); err != nil {
			return fmt.Errorf("simulation %d: %w", i, err)
		}
	}
	return nil
}

// halves runs simulation 0 on the lower half of the ranks, and 1 on the upper half.
func (p *params) halves(cfg ross.Config) error {
	w, err := mpi.Start(mpi.Options{Threads: mpi.Multiple})
	if err != nil {
		return err
	}
	defer w.Close()
	half := 2 * w.Rank() / w.Size()
	comm, err := w.Split(half, w.Rank())
	if err != nil {
		return err
	}
	cfg.Comm = &comm
	if err := w.Barrier(); err != nil {
		return err
	}
	return p.simulate(cfg, half)
}

// simulate runs one of the simulations, which have different seeds. Its LPs send each
// other events.
func (p *params) simulate(cfg ross.Config, i int) error {
	seed := uint64(i + 1)
	cfg.Streams.Seeds, cfg.Digest, cfg.ConsLookahead = [4]uint64{seed, seed, seed, seed}, true, 0.1
	cfg.NLP = p.nlp
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	send := func(lp *ross.LP) {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(sim.TotalLPs())-1)), 0.1+lp.RNG().Exponential(1), msg{})
	}
	err = sim.Define(ross.Type[state]{
		Name:  "several",
		Init:  func(_ *state, lp *ross.LP) { send(lp) },
		Event: ross.On(func(_ *state, lp *ross.LP, _ *msg) { send(lp) }).Reverse(func(*state, *ross.LP, *msg) {}),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err == nil && sim.Rank() == 0 {
		st := sim.Summary()
		fmt.Printf("simulation %d: %d events, digest %016x\n", i, st.NetEvents(), *st.Digest)
	}
	return err
}
