// This file owns the examples of results of all LPs.

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
