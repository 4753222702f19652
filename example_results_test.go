// This file owns the examples of results of all LPs, and of their number.

package ross_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

// A model of customers and tellers counts what happened at all LPs. Under mpirun each rank prints
// the same totals; a program writes them to Simulation.Report, so that they appear once.
func ExampleReduce() {
	type customer struct{ Visits int64 }
	type teller struct {
		Served int64
		Busy   float64
	}
	type visit struct{ Customer ross.LPID }
	const tellers = 3 // LPs 0 to 2

	atTeller := ross.Type[teller, visit]{
		Name: "teller",
		Event: func(s *teller, lp *ross.LP, _ *ross.Bits, m *visit) {
			service := 0.1 + lp.RNG().Exponential(0.4)
			s.Served++
			s.Busy += service
			ross.Send(lp, m.Customer, service, *m)
		},
	}
	atHome := ross.Type[customer, visit]{
		Name: "customer",
		Init: func(_ *customer, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), visit{}) },
		Event: func(s *customer, lp *ross.LP, _ *ross.Bits, _ *visit) {
			s.Visits++
			to := ross.LPID(lp.RNG().Integer(0, tellers-1))
			ross.Send(lp, to, 1, visit{Customer: lp.ID()})
		},
	}

	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = ross.Optimistic, 2, 8, 100
	cfg.TypeMap = func(gid ross.LPID) int {
		if gid < tellers {
			return 0
		}
		return 1
	}
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err = sim.Define(atTeller, atHome); err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	sum := func(a, b teller) teller { return teller{a.Served + b.Served, a.Busy + b.Busy} }
	total, err := ross.Reduce(sim, func(_ *ross.LP, s *teller) teller { return *s }, sum)
	fmt.Printf("%d visits, %.3f each (%v)\n", total.Served, total.Busy/float64(total.Served), err)

	visits, err := ross.Gather(sim, func(_ *ross.LP, s *customer) int64 { return s.Visits })
	fmt.Println(visits, err)
	// Output:
	// 857 visits, 0.513 each (<nil>)
	// [63 68 65 64 67 64 69 68 69 69 64 67 66] <nil>
}

// A model of 10 LPs runs on any number of PEs: the first ones have one LP more. The command line of
// the program has --lps for their number, and --nlp for a number on each PE.
func ExampleConfig_RegisterLPs() {
	type state struct{ Events int64 }
	type tick struct{}
	run := func(args ...string) error {
		cfg := ross.DefaultConfig()
		cfg.TotalLPs, cfg.End, cfg.Synch = 10, 20, ross.Optimistic
		o := ross.NewOptions("ticker")
		cfg.RegisterLPs(o.Group("Ticker Model"))
		cfg.Register(o)
		if _, err := o.Parse(args); err != nil {
			return err
		}
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		err = sim.Define(ross.Type[state, tick]{
			Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
			Event: func(s *state, lp *ross.LP, _ *ross.Bits, _ *tick) {
				s.Events++
				ross.Send(lp, lp.ID(), 1, tick{})
			},
		})
		if err != nil {
			return err
		}
		for pe := range ross.PEID(sim.NumPEs()) {
			fmt.Print(sim.PE(pe).NumLPs(), " ")
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		add := func(a, b int64) int64 { return a + b }
		events, err := ross.Reduce(sim, func(_ *ross.LP, s *state) int64 { return s.Events }, add)
		fmt.Println("LPs,", events, "events")
		return err
	}
	for _, args := range [][]string{{"--pes=3"}, {"--pes=3", "--lps=7"}, {"--pes=2", "--nlp=4"}, {"--lps=7", "--nlp=4"}} {
		if err := run(args...); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 4 3 3 LPs, 190 events
	// 3 2 2 LPs, 133 events
	// 4 4 LPs, 152 events
	// ross: options --nlp=4 and --lps=7: the first is the number of LPs on each PE, the second that on all PEs together; give one of them
}
