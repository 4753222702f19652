// This file owns the ways in which the model undoes its events itself, and a mistake in one.

package firstmodel

import (
	"fmt"

	"github.com/ross-go/ross"
)

// Dock is a Station with Reverse handlers.
type Dock Station

// rented is the undo data of Customer.
type rented struct{ Bike bool }

func (d *Dock) Init(lp *ross.LP) { (*Station)(d).Init(lp) }

func (d *Dock) Customer(lp *ross.LP, undo *rented, _ *Customer) {
	nextCustomer(lp)
	if d.Bikes == 0 {
		d.Lost++
		return
	}
	undo.Bike = true
	d.Bikes--
	ride(lp)
}

func (d *Dock) UndoCustomer(_ *ross.LP, undo *rented, _ *Customer) {
	if undo.Bike {
		d.Bikes++
	} else {
		d.Lost--
	}
}

func (d *Dock) Bike(_ *ross.LP, _ *ross.None, _ *Bike)     { d.Bikes++ }
func (d *Dock) UndoBike(_ *ross.LP, _ *ross.None, _ *Bike) { d.Bikes-- }

var docks = ross.Type[Dock, ross.None]{
	Name: "dock",
	Init: (*Dock).Init,
	On: []ross.Handler[Dock]{
		ross.On((*Dock).Customer).Reverse((*Dock).UndoCustomer),
		ross.On((*Dock).Bike).Reverse((*Dock).UndoBike),
	},
}

// UndoWrongly forgets the customers who found no bike.
func (d *Dock) UndoWrongly(_ *ross.LP, undo *rented, _ *Customer) {
	if undo.Bike {
		d.Bikes++
	}
}

func Example_wrongReverse() {
	wrong := docks
	wrong.On = []ross.Handler[Dock]{
		ross.On((*Dock).Customer).Reverse((*Dock).UndoWrongly),
		ross.On((*Dock).Bike).Reverse((*Dock).UndoBike),
	}
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Synch = stations, 100, ross.RollbackCheck
	err := try(cfg, wrong)
	fmt.Println(err)
	// Output: ross: LP 5 (dock) at time 0.6386092441032325: Reverse of the event that LP 5 sent at time 0.456902339312119 left Dock.Lost at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}

// Rack is a Station whose handlers save what they change.
type Rack Station

func (r *Rack) Init(lp *ross.LP) { (*Station)(r).Init(lp) }

func (r *Rack) Customer(lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if r.Bikes == 0 {
		*ross.Write(lp, &r.Lost)++
		return
	}
	*ross.Write(lp, &r.Bikes)--
	ride(lp)
}

func (r *Rack) Bike(lp *ross.LP, _ *ross.None, _ *Bike) { *ross.Write(lp, &r.Bikes)++ }

var racks = ross.Type[Rack, ross.None]{
	Name:   "rack",
	Saving: ross.SaveByLog,
	Init:   (*Rack).Init,
	On:     []ross.Handler[Rack]{ross.On((*Rack).Customer), ross.On((*Rack).Bike)},
}

func Example_threeWays() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	for _, model := range []ross.LPType{city, docks, racks} {
		sim, err := simulate(cfg, model)
		if err != nil {
			fmt.Println(err)
			return
		}
		st := sim.Stats()
		fmt.Printf("%016x\n", *st.Digest)
		sim.Close()
	}
	// Output:
	// 1d4784cd577667a4
	// 1d4784cd577667a4
	// 1d4784cd577667a4
}
