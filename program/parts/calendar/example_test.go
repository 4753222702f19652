// This file owns the example: a desk that opens at 9.

package calendar_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/calendar"
	"github.com/ross-go/ross/resource"
)

// Desk is the state of an LP. Time is in hours.
type Desk struct {
	Clerks resource.Servers[float64] `ross:"clerks,h"` // the customer is how long he takes
	Staff  calendar.Staff            `ross:"staff,h"`
}

// The messages of a desk.
type (
	Hours  struct{} // clerks come or go
	Comes  struct{ Takes float64 }
	Served struct{ Ticket resource.Ticket }
)

var open calendar.Calendar // a parameter of the model

func (d *Desk) Init(lp *ross.LP) {
	d.Clerks.Open(lp, resource.Rules{Servers: resource.NoServers})
	d.Hours(lp, nil)
	for i := range 3 {
		ross.Send(lp, lp.ID(), 8.25+0.25*float64(i), Comes{10})
	}
}

func (d *Desk) Hours(lp *ross.LP, _ *Hours) {
	next := calendar.Keep(lp, &d.Clerks, &d.Staff, open, calendar.Interrupt)
	for t := d.Clerks.Next(lp); t != 0; t = d.Clerks.Next(lp) {
		d.serve(lp, t)
	}
	if !math.IsInf(next, 1) {
		ross.Send(lp, lp.ID(), next, Hours{})
	}
}

func (d *Desk) serve(lp *ross.LP, t resource.Ticket) {
	takes, interrupted := d.Clerks.Left(lp, t)
	if !interrupted {
		takes = *d.Clerks.Get(lp, t)
	}
	resource.Serve(lp, &d.Clerks, t, takes, Served{t})
}

func (d *Desk) Comes(lp *ross.LP, m *Comes) {
	if t, outcome := d.Clerks.Request(lp, m.Takes); outcome == resource.Starts {
		d.serve(lp, t)
	}
}

func (d *Desk) Served(lp *ross.LP, m *Served) {
	fmt.Println("served at", lp.Now())
	if _, next := d.Clerks.Release(lp, m.Ticket); next != 0 {
		d.serve(lp, next)
	}
}

// A desk opens at 9. Customers take 10 hours each, and what is left at 17:00 goes on in the morning. The one who is
// served by the second clerk goes on with the first one on Tuesday, before those who wait.
func Example() {
	var err error
	open, err = calendar.Parse(`
		unit: h
		mon 09:00-17:00: 2
		tue-fri 09:00-17:00: 1`)
	if err != nil {
		log.Fatal(err)
	}
	sim, err := ross.Run(context.Background(), ross.Config{End: 7 * 24}, ross.Type[Desk]{LPs: 1, Init: (*Desk).Init,
		Event: ross.Events(ross.On((*Desk).Hours), ross.On((*Desk).Comes), ross.On((*Desk).Served))})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	// Output:
	// served at 35
	// served at 37
	// served at 63
}

// A machine is repaired in 10 working hours from Friday, 16:00 on.
func ExampleCalendar_End() {
	c, err := calendar.Parse("unit: h; start: mon 2026-11-30; mon-fri 08:00-17:00: 3; on 2026-12-07: closed")
	if err != nil {
		log.Fatal(err)
	}
	end := c.End(4*24+16, 10)
	fmt.Printf("at %g, after %g hours: day %g, %g:00\n", end, c.Open(4*24+16, end), math.Floor(end/24), math.Mod(end, 24))
	// Output: at 209, after 10 hours: day 8, 17:00
}
