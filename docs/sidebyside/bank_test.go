// This file owns the bank of docs/from-simpy.md: customers who leave when they have waited for too long.

package sidebyside

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/resource"
)

// Bank is the state of an LP. A customer is the minutes that he needs at the counter.
type Bank struct {
	Counter resource.Servers[float64] `ross:"counter,min"`
}

// The messages of a bank.
type (
	Customer struct{}
	Served   struct{ Ticket resource.Ticket }
	Gone     struct{ Ticket resource.Ticket } // his patience is over
)

func (b *Bank) Init(lp *ross.LP) {
	b.Counter.Open(lp, resource.Rules{Servers: 1})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(10), Customer{})
}

func (b *Bank) Customer(lp *ross.LP, _ *Customer) {
	r := lp.RNG()
	needs, patience := r.Exponential(12), 5+10*r.Unif()
	t, outcome := b.Counter.Request(lp, needs)
	if outcome == resource.Starts {
		b.serve(lp, t)
	}
	resource.Patience(lp, &b.Counter, t, patience, Gone{t})
	ross.Send(lp, lp.ID(), r.Exponential(10), Customer{})
}

func (b *Bank) serve(lp *ross.LP, t resource.Ticket) {
	ross.Send(lp, lp.ID(), *b.Counter.Get(lp, t), Served{t})
}

func (b *Bank) Served(lp *ross.LP, m *Served) {
	if _, next := b.Counter.Release(lp, m.Ticket); next != 0 {
		b.serve(lp, next)
	}
}

func (b *Bank) Gone(lp *ross.LP, m *Gone) { b.Counter.Renege(lp, m.Ticket) }

var bank = ross.Type[Bank]{
	LPs:  1,
	Init: (*Bank).Init,
	Event: ross.Events(
		ross.On((*Bank).Customer), ross.On((*Bank).Served), ross.On((*Bank).Gone),
	),
}

func Example_bank() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 10_000}, bank)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	c := &ross.StateOf[Bank](sim.LP(0)).Counter
	fmt.Printf("%d served after %.2f minutes, %d left\n", c.Wait.Count(), c.Wait.Mean(), c.Reneged.Count())
	// Output: 590 served after 2.85 minutes, 448 left
}
