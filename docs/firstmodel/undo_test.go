// This file owns the ways in which the model undoes its events itself, and mistakes: an event undone wrongly, sums of
// floating-point numbers, which subtracting does not undo, scratch data of a state that nobody undoes, and a variable
// that LPs share, which only parallel runs show.

package firstmodel

import (
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
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

func Example_subtract() {
	sum := 0.1
	sum += 0.2
	sum -= 0.2
	fmt.Println(sum == 0.1, sum)
	// Output: false 0.10000000000000003
}

// Meter counts the hours of the bikes that come back to its station.
type Meter struct{ Hours float64 }

// Return is the message of a bike that comes back.
type Return struct{ Hours float64 }

func (s *Meter) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()}) }

func (s *Meter) Return(lp *ross.LP, _ *ross.None, m *Return) {
	s.Hours += m.Hours
	ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()})
}

func (s *Meter) UndoReturn(_ *ross.LP, _ *ross.None, m *Return) { s.Hours -= m.Hours } // wrong

func Example_floatSum() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Synch = 1, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Meter, ross.None]{
		Name: "meter", Init: (*Meter).Init,
		On: []ross.Handler[Meter]{ross.On((*Meter).Return).Reverse((*Meter).UndoReturn)},
	})
	fmt.Println(err)
	// Output: ross: LP 0 (meter) at time 4: Reverse of the event that LP 0 sent at time 3 left Meter.Hours at 1.7471259861581172, it was 1.747125986158117 before: bad rollback: undo in Reverse all that Event did to the state and the message; likely cause: rounding, since x+d-d need not be x: keep the old value, or use ross.Save or SaveByDelta
}

// Hire is a station with statistics.
type Hire struct {
	Bikes int64

	Stock  stats.Level   `ross:"bikes in stock"`
	Lost   stats.Counter `ross:"customers lost"`
	Riding stats.Tally   `ross:"riding time,h"`
}

// Hired is the message of a bike that comes back, with the time at which it was taken.
type Hired struct{ Since float64 }

func (h *Hire) Init(lp *ross.LP) {
	h.Bikes = 2
	h.Stock.Set(lp, 2)
	nextCustomer(lp)
}

func (h *Hire) Customer(lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if h.Bikes == 0 {
		h.Lost.Inc(lp)
		return
	}
	*ross.Write(lp, &h.Bikes)--
	h.Stock.Add(lp, -1)
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Hired{Since: lp.Now()})
}

func (h *Hire) Back(lp *ross.LP, _ *ross.None, m *Hired) {
	*ross.Write(lp, &h.Bikes)++
	h.Stock.Add(lp, 1)
	h.Riding.Add(lp, lp.Now()-m.Since)
}

var hire = ross.Type[Hire, ross.None]{
	Name:   "hire",
	Saving: ross.SaveByLog,
	Init:   (*Hire).Init,
	On:     []ross.Handler[Hire]{ross.On((*Hire).Customer), ross.On((*Hire).Back)},
}

func Example_statistics() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.WarmUp = stations, 1000, 50
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	sim, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = table.WriteText(os.Stdout)
	// Output:
	// Statistics from time 50 to 1000
	// group  statistic       unit  kind     lps  count      sum      mean  stddev     least  greatest   nonzero
	// hire   bikes in stock        level     16     16  15.8569  0.991058                 0        10  0.501207
	// hire   customers lost        counter   16   7577     7577   473.562
	// hire   riding time     h     tally     16   7562  15338.4   2.02835  1.5245  0.500082   13.8986
}

// Planner adds up the greatest of three numbers that it draws.
type Planner struct {
	Sum   int64
	Draws [3]int64 `ross:"-"` // scratch: each event fills it before it reads it
}

// Plan is the message of a planner.
type Plan struct{}

func (p *Planner) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Plan{}) }

func (p *Planner) Plan(lp *ross.LP, _ *ross.None, _ *Plan) {
	for i := range p.Draws {
		p.Draws[i] = lp.RNG().Integer(0, 100)
	}
	*ross.Write(lp, &p.Sum) += max(p.Draws[0], p.Draws[1], p.Draws[2])
	ross.Send(lp, lp.ID(), 1, Plan{})
}

func Example_scratch() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Synch = 4, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Planner, ross.None]{
		Saving: ross.SaveByLog, Init: (*Planner).Init,
		On: []ross.Handler[Planner]{ross.On((*Planner).Plan)},
	})
	fmt.Println(err)
	// Output: <nil>
}

var rides int64 // wrong: handlers of all LPs change it

// Counted is a Station that counts in a Go variable.
type Counted Station

func (c *Counted) Init(lp *ross.LP) { (*Station)(c).Init(lp) }

func (c *Counted) Customer(lp *ross.LP, _ *ross.None, m *Customer) {
	(*Station)(c).Customer(lp, nil, m)
}

func (c *Counted) Bike(_ *ross.LP, _ *ross.None, _ *Bike) {
	c.Bikes++
	rides++
}

func Example_sharedVariable() {
	rides = 0
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End = stations, 100
	err := try(cfg, ross.Type[Counted, ross.None]{
		Init: (*Counted).Init,
		On:   []ross.Handler[Counted]{ross.On((*Counted).Customer), ross.On((*Counted).Bike)},
	})
	fmt.Println(rides, err)
	// Output: 786 <nil>
}
