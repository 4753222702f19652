package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Airport is the parameters of gates and planes.
type Airport struct {
	Gates, Planes int
	Walk          float64 // the least time from one to another
}

// Gate is where passengers wait for a plane.
type Gate struct {
	proc.Processes
	Desk    proc.Servers `ross:"desk"`
	Arrived uint64
	Sum     float64
}

// Plane is where they sit.
type Plane struct {
	proc.Processes
	Seats  proc.Level
	Orders proc.Mailbox[Order]
	Meals  uint64
}

// Order is what a gate sends to a plane.
type Order struct{ Dish, From uint32 }

func (g *Gate) init(lp *ross.LP) {
	g.Desk.Open(lp, resource.Rules{Servers: 2})
	proc.Do(lp, g, func(p *proc.Self) { proc.Go(p, (*Gate).source) })
}

func (g *Gate) source(p *proc.Self) {
	a := *proc.Param[Airport](p)
	for i := range 12 {
		p.Sleep(p.RNG().Exponential(2))
		proc.Go2(p, (*Gate).passenger, p.LP().ID(), int32(i))
		to := ross.LPID(a.Gates) + ross.LPID(i%a.Planes)
		ross.Send(p.LP(), to, a.Walk, Order{uint32(i), uint32(p.LP().ID())})
	}
}

// passenger goes from gate to plane, and from plane to gate.
func (g *Gate) passenger(p *proc.Self, home ross.LPID, number int32) {
	legs, miles := 1+int(number)%3, 0.0
	at := g
	for leg := range legs {
		turn, ok := at.Desk.RequestWithin(p, 3)
		if !ok {
			at.Sum += 0.5
			return
		}
		p.Sleep(0.5 + p.RNG().Unif())
		at.Desk.Release(p, turn)
		a := proc.Param[Airport](p)
		walk, next := a.Walk, ross.LPID((int(home)+leg+1)%a.Gates)
		miles += ride(p, ross.LPID(a.Gates)+ross.LPID(p.RNG().Integer(0, int64(a.Planes)-1)), walk)
		at = proc.At[Gate](p, next, walk)
	}
	at.Arrived++
	at.Sum += miles
}

// ride takes a seat of a plane for a while, and returns how long it was.
func ride(p *proc.Self, plane ross.LPID, walk float64) float64 {
	at := proc.At[Plane](p, plane, walk)
	at.Seats.Get(p, 1)
	defer at.Seats.Return(p, 1)
	long := 1 + p.RNG().Unif()
	p.Sleep(long)
	at.Meals++
	return long
}

func (a *Plane) init(lp *ross.LP) {
	a.Seats.Open(lp, resource.LevelRules{Capacity: 5, Amount: 5})
	proc.Do(lp, a, func(p *proc.Self) { proc.Go(p, (*Plane).cook) })
}

func (a *Plane) cook(p *proc.Self) {
	for {
		order, ok := a.Orders.ReceiveWithin(p, 1.5)
		if ok {
			p.Sleep(0.25 * float64(order.Dish%4))
			a.Meals += uint64(order.From)
		}
	}
}

// Airports returns the types of an airport.
func (a *Airport) Airports() []ross.LPType {
	return []ross.LPType{
		proc.Type(ross.Type[Gate]{LPs: a.Gates, Init: (*Gate).init, Lookahead: a.Walk, NeverStops: true}, proc.Given(a)),
		proc.Type(ross.Type[Plane]{LPs: a.Planes, Init: (*Plane).init, Lookahead: a.Walk, NeverStops: true,
			Event: proc.Mail(func(a *Plane) *proc.Mailbox[Order] { return &a.Orders })}, proc.Given(a)),
	}
}
