// This file owns the desk of a hospital: three clerks, and patients in a queue.

package sidebyside

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/resource"
)

// Desk is the state of an LP. A patient is the minutes that a clerk needs for him.
type Desk struct {
	Clerks resource.Servers[float64] `ross:"clerks,min"`
}

// The messages of a desk.
type (
	Patient struct{}
	Done    struct{ Ticket resource.Ticket }
)

func (d *Desk) Init(lp *ross.LP) {
	d.Clerks.Open(lp, resource.Rules{Servers: 3})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Patient{})
}

func (d *Desk) Patient(lp *ross.LP, _ *Patient) {
	minutes := lp.RNG().Exponential(2.5)
	if t, outcome := d.Clerks.Request(lp, minutes); outcome == resource.Starts {
		d.serve(lp, t)
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Patient{})
}

func (d *Desk) serve(lp *ross.LP, t resource.Ticket) {
	ross.Send(lp, lp.ID(), *d.Clerks.Get(lp, t), Done{t})
}

func (d *Desk) Done(lp *ross.LP, m *Done) {
	if _, next := d.Clerks.Release(lp, m.Ticket); next != 0 {
		d.serve(lp, next)
	}
}

var desk = ross.Type[Desk]{
	LPs:   1,
	Init:  (*Desk).Init,
	Event: ross.Events(ross.On((*Desk).Patient), ross.On((*Desk).Done)),
}

func Example_desk() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 10_000}, desk)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	clerks := &ross.StateOf[Desk](sim.LP(0)).Clerks
	fmt.Printf("%d patients waited %.2f minutes on average\n", clerks.Wait.Count(), clerks.Wait.Mean())
	// Output: 10098 patients waited 3.55 minutes on average
}
