// Command bad is a model that misbehaves on one rank, in one of the ways listed in
// deeds, while the other ranks behave correctly.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

func main() { os.Exit(run(os.Args[1:])) }

// place is the point of a run at which something is done.
type place int

const (
	never place = iota
	beforeDefine
	inInit
	inHandler
	inRound // of GVT
	inFinal
)

// deeds are the values of --do.
var deeds = map[string]struct {
	at  place
	do  func(lp *ross.LP)
	err error // of beforeDefine
}{
	"nothing":   {},
	"leave":     {at: beforeDefine}, // without a word
	"quit":      {at: beforeDefine, err: errors.New("not today")},
	"vanish":    {at: beforeDefine, do: func(*ross.LP) { os.Exit(0) }}, // without Close
	"initpanic": {at: inInit, do: func(*ross.LP) { panic("no such luck") }},
	"panic":     {at: inHandler, do: func(*ross.LP) { panic("no such luck") }},
	"fail":      {at: inHandler, do: func(lp *ross.LP) { lp.Fail(errors.New("out of luck")) }},
	"goexit":    {at: inHandler, do: func(*ross.LP) { runtime.Goexit() }},
	"exit":      {at: inHandler, do: func(*ross.LP) { os.Exit(3) }},

	"defwait":   {at: beforeDefine, err: errWait},
	"initwait":  {at: inInit, do: wait},
	"wait":      {at: inHandler, do: wait},
	"roundwait": {at: inRound, do: wait},
	"finalwait": {at: inFinal, do: wait},
}

// calls are the values of --here and --others.
var calls = map[string]func(sim *ross.Simulation) error{
	"nothing": func(*ross.Simulation) error { return nil },
	"load":    func(sim *ross.Simulation) error { return sim.Load("none") },
	"run":     func(sim *ross.Simulation) error { return sim.Run(context.Background()) },
	"gather": func(sim *ross.Simulation) error {
		_, err := ross.Gather(sim, func(_ *ross.LP, s *state) int64 { return s.Handled })
		return err
	},
	"collect": func(sim *ross.Simulation) error { _, err := stats.Collect(sim); return err },
	"store":   func(sim *ross.Simulation) error { return sim.Store("stored") },
}

// errWait is about a rank that waits to be killed.
var errWait = errors.New("nobody has killed it")

// wait waits to be killed.
func wait(*ross.LP) {
	fmt.Fprintln(os.Stderr, "bad: waits")
	time.Sleep(time.Hour)
}

// when is the virtual time from which handlers misbehave.
const when = 5

type state struct{ Handled int64 }

type msg struct{ _ int64 }

type params struct {
	do, here, others string
	rank             uint64
	nlp              int
	early            bool
}

func run(args []string) int {
	p := params{do: "nothing", here: "nothing", others: "nothing", rank: 1, nlp: 4}
	cfg := ross.DefaultConfig()
	o := ross.NewOptions("bad")
	g := o.Group("Bad Model")
	g.String(&p.do, "do", fmt.Sprint("what goes wrong: ", slices.Sorted(maps.Keys(deeds))))
	g.String(&p.here, "here", fmt.Sprint("what that rank calls at last, before Close: ", slices.Sorted(maps.Keys(calls))))
	g.String(&p.others, "others", "what the others call")
	g.Bool(&p.early, "early", "they call it before Run, and then Run")
	g.Uint64(&p.rank, "rank", "where it goes wrong")
	g.Count(&p.nlp, "nlp", "number of LPs per processor")
	cfg.Register(o)
	if code, ok := o.Main(args, os.Stdout, os.Stderr); !ok {
		return code
	}
	cfg.NLP, cfg.ConsLookahead, cfg.Output = p.nlp, 1, os.Stdout
	var (
		sim *ross.Simulation
		err error
	)
	if deed := deeds[p.do]; deed.at == inRound {
		cfg.HookTrigger = ross.HookEvery(3)
		cfg.GVTHook = func(*ross.PE, bool) {
			if uint64(sim.Rank()) == p.rank {
				deed.do(nil)
			}
		}
	}
	sim, err = ross.New(cfg)
	if err == nil {
		err = p.simulate(sim)
	}
	if ross.ShouldPrint(err) { // before Close: mpirun kills the ranks that exit last
		fmt.Fprintf(os.Stderr, "bad: %v\n", err)
	}
	if sim != nil {
		err = errors.Join(err, sim.Close())
	}
	return ross.ExitCode(err)
}

// simulate makes the LPs send each other events one unit of time ahead, until
// something goes wrong.
func (p *params) simulate(sim *ross.Simulation) error {
	deed := deeds[p.do]
	here := uint64(sim.Rank()) == p.rank
	if here && deed.at == beforeDefine {
		if deed.err == errWait {
			wait(nil)
		}
		if deed.do != nil {
			deed.do(nil)
		}
		return deed.err
	}
	err := sim.Define(ross.Type[state]{
		Name: "bad",
		Init: func(_ *state, lp *ross.LP) {
			if here && deed.at == inInit {
				deed.do(lp)
			}
			ross.Send(lp, lp.ID(), 1, msg{})
		},
		Event: ross.On(func(s *state, lp *ross.LP, _ *msg) {
			if here && deed.at == inHandler && lp.Now() >= when {
				deed.do(lp)
			}
			s.Handled++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(sim.TotalLPs())-1)), 1+lp.RNG().Unif(), msg{})
		}),
		Final: func(_ *state, lp *ross.LP) {
			if here && deed.at == inFinal {
				deed.do(lp)
			}
		},
	})
	if err != nil {
		return err
	}
	call := calls[p.others]
	if here {
		call = calls[p.here]
	}
	if p.early {
		if err := call(sim); err != nil {
			return err
		}
	}
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	if err := sim.Run(ctx); err != nil || p.early {
		return err
	}
	return call(sim)
}
