// This file owns the port made of handlers: models/processes/port, with its draws in the same order.

package processes

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// The parameters of the port, and its hours and rates.
const (
	ports, blocks, cranes, crews, trucks, lanes, room, lasts = 2, 12, 8, 1, 30, 5, 300, 40
	repair, move, drive, rate, patience                      = 3, 0.05, 0.05, 118, 2
)

var kinds = [3]struct {
	every  float64
	moves  int64
	berths int
}{{12, 200, 2}, {20, 500, 2}, {48, 1200, 1}}

// Quay is the state of an LP: the quay and the gate of a port.
type Quay struct {
	Berths     [3]resource.Servers[container.Handle] `ross:"berth,h,names=feeder;panamax;mega"`
	Cranes     resource.Level[container.Handle]      `ross:",h"`
	Trucks     resource.Level[uint32]                `ross:",h"`
	Crews      resource.Servers[crane]               `ross:",h"`
	Lanes      resource.Servers[uint32]              `ross:",h"`
	Ships      container.Slab[ship]
	Boxes      container.Slab[int64] // of ships at berths
	Wait, Stay [3]stats.Tally        `ross:",h,names=feeder;panamax;mega"`
	Left       stats.Counter
}

// Yard is the state of an LP: a block of the yard.
type Yard struct {
	Boxes  resource.Store[float64, caller] `ross:",h"`
	Timers container.Slab[ross.Timer]      // of those who wait for a box
	Dwell  stats.Tally                     `ross:",h"`
	Left   stats.Counter
}

type (
	ship struct {
		came     float64
		kind, at int32
		cranes   int64
		turn     resource.Ticket
		boxes    container.Handle
		_        uint32
	}
	crane struct {
		Left, Life  float64 // of a move; until it breaks
		Ship, Boxes container.Handle
	}
	caller struct { // at a block
		Home  ross.LPID // of a truck that brings a box
		Timer uint64    // of one that waits for a box: its handle
	}
)

// The messages.
type (
	comes    struct{ Kind int }
	moved    struct{ Crane crane }
	breaks   struct{ Crane crane }
	repaired struct{ Crew resource.Ticket }
	back     struct{}
	opens    struct{}
	passed   struct{ Lane resource.Ticket }
	leaves   struct{ Lane resource.Ticket }
	stores   struct{ Home ross.LPID }
	wants    struct{}
	tired    struct {
		Turn  resource.Ticket
		Timer uint64
	}
)

func (q *Quay) init(lp *ross.LP) {
	q.Cranes.Open(lp, resource.LevelRules{Capacity: cranes, Amount: cranes})
	q.Crews.Open(lp, resource.Rules{Servers: crews})
	q.Trucks.Open(lp, resource.LevelRules{Capacity: trucks, Amount: trucks})
	q.Lanes.Open(lp, resource.Rules{Servers: lanes})
	for i, kind := range kinds {
		q.Berths[i].Open(lp, resource.Rules{Servers: kind.berths})
		q.next(lp, i)
	}
	q.gate(lp)
}

func (q *Quay) next(lp *ross.LP, kind int) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(kinds[kind].every), comes{kind})
}

func (q *Quay) gate(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1./rate), opens{}) }

func (q *Quay) comes(lp *ross.LP, m *comes) {
	q.next(lp, m.Kind)
	at := q.berth(m.Kind)
	h := q.Ships.Add(lp, ship{came: lp.Now(), kind: int32(m.Kind), at: int32(at)})
	turn, o := q.Berths[at].Request(lp, h)
	if s := q.Ships.Edit(lp, h); s != nil {
		s.turn = turn
	}
	if o == resource.Starts {
		q.moors(lp, h)
	}
}

func (q *Quay) berth(kind int) int {
	for i := kind; i < len(kinds); i++ {
		if b := &q.Berths[i]; b.Busy() < b.Servers() {
			return i
		}
	}
	return kind
}

// moors has a ship at its berth ask for cranes.
func (q *Quay) moors(lp *ross.LP, h container.Handle) {
	n := min(4, max(2, q.Cranes.Now()))
	q.Ships.Edit(lp, h).cranes = int64(n)
	if _, o := q.Cranes.Get(lp, h, n); o == resource.Starts {
		q.unloads(lp, h)
		q.begin(lp, h)
	}
}

// unloads draws the boxes of a ship that has got its cranes.
func (q *Quay) unloads(lp *ross.LP, h container.Handle) {
	s := q.Ships.Edit(lp, h)
	q.Wait[s.kind].Add(lp, lp.Now()-s.came)
	moves := kinds[s.kind].moves
	s.boxes = q.Boxes.Add(lp, lp.RNG().Integer(moves/2, moves*3/2))
}

// begin has the cranes of a ship begin.
func (q *Quay) begin(lp *ross.LP, h container.Handle) {
	s := *q.Ships.Get(lp, h)
	for range s.cranes {
		q.takes(lp, crane{Life: lp.RNG().Exponential(lasts), Ship: h, Boxes: s.boxes})
	}
}

// takes has a crane take the next box. It reports false if there is none.
func (q *Quay) takes(lp *ross.LP, c crane) bool {
	if *q.Boxes.Get(lp, c.Boxes) == 0 {
		return false
	}
	*q.Boxes.Edit(lp, c.Boxes)--
	c.Left = lp.RNG().Erlang(4, move)
	q.works(lp, c)
	return true
}

// works has a crane move a box, or what is left of the move, until it breaks.
func (q *Quay) works(lp *ross.LP, c crane) {
	if c.Left > c.Life {
		ross.Send(lp, lp.ID(), c.Life, breaks{c})
	} else {
		ross.Send(lp, lp.ID(), c.Left, moved{c})
	}
}

func (q *Quay) breaks(lp *ross.LP, m *breaks) {
	if crew, o := q.Crews.Request(lp, m.Crane); o == resource.Starts {
		q.repairs(lp, crew)
	}
}

func (q *Quay) repairs(lp *ross.LP, crew resource.Ticket) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(repair), repaired{crew})
}

func (q *Quay) repaired(lp *ross.LP, m *repaired) {
	c, next := q.Crews.Release(lp, m.Crew)
	c.Left, c.Life = c.Left-c.Life, lp.RNG().Exponential(lasts)
	q.works(lp, c)
	if next != 0 {
		q.repairs(lp, next)
	}
}

func (q *Quay) moved(lp *ross.LP, m *moved) {
	c := m.Crane
	c.Life -= c.Left
	if q.takes(lp, c) {
		q.carry(lp)
		return
	}
	q.Cranes.Put(lp, 0, 1)
	other, _, gets := q.Cranes.Next(lp)
	s := q.Ships.Edit(lp, c.Ship)
	s.cranes--
	done := s.cranes == 0
	q.carry(lp)
	if gets {
		q.unloads(lp, other)
	}
	var moors container.Handle
	if done {
		moors = q.leaves(lp, c.Ship)
	}
	if gets {
		q.begin(lp, other)
	}
	if moors != 0 {
		q.moors(lp, moors)
	}
}

// leaves has a ship leave, and returns the one that gets its berth, or 0.
func (q *Quay) leaves(lp *ross.LP, h container.Handle) (next container.Handle) {
	s, _ := q.Ships.Remove(lp, h)
	q.Boxes.Remove(lp, s.boxes)
	berths := &q.Berths[s.at]
	if _, turn := berths.Release(lp, s.turn); turn != 0 {
		next = *berths.Get(lp, turn)
	}
	q.Stay[s.kind].Add(lp, lp.Now()-s.came)
	return next
}

// carry has a box wait for a truck.
func (q *Quay) carry(lp *ross.LP) {
	if _, o := q.Trucks.Get(lp, 0, 1); o == resource.Starts {
		q.drives(lp)
	}
}

func (q *Quay) drives(lp *ross.LP) {
	to := block(lp)
	ross.Send(lp, to, drive+lp.RNG().Exponential(drive), stores{lp.ID()})
}

// block draws a block of the port.
func block(lp *ross.LP) ross.LPID {
	return ross.LPID(ports+int(lp.ID())*blocks) + ross.LPID(lp.RNG().Integer(0, blocks-1))
}

func (q *Quay) back(lp *ross.LP, _ *back) {
	q.Trucks.Put(lp, 0, 1)
	if _, _, gets := q.Trucks.Next(lp); gets {
		q.drives(lp)
	}
}

func (q *Quay) opens(lp *ross.LP, _ *opens) {
	hour := math.Mod(lp.Now(), 24)
	q.gate(lp)
	if hour < 6 || hour >= 22 {
		return
	}
	waits := lp.RNG().Exponential(patience)
	lane, o := q.Lanes.Request(lp, 0)
	if o == resource.Starts {
		q.passes(lp, lane)
	}
	resource.Patience(lp, &q.Lanes, lane, waits, leaves{lane})
}

func (q *Quay) passes(lp *ross.LP, lane resource.Ticket) {
	ross.Send(lp, lp.ID(), lp.RNG().Triangular(0.01, 0.02, 0.05), passed{lane})
}

func (q *Quay) passed(lp *ross.LP, m *passed) {
	_, next := q.Lanes.Release(lp, m.Lane)
	to := block(lp)
	ross.Send(lp, to, drive+lp.RNG().Exponential(drive), wants{})
	if next != 0 {
		q.passes(lp, next)
	}
}

func (q *Quay) left(lp *ross.LP, m *leaves) {
	if _, ok := q.Lanes.Renege(lp, m.Lane); ok {
		q.Left.Inc(lp)
	}
}

func (y *Yard) init(lp *ross.LP) { y.Boxes.Open(lp, resource.Limits{Capacity: room}) }

func (y *Yard) stores(lp *ross.LP, m *stores) {
	_, o, to, handed := y.Boxes.Put(lp, caller{Home: m.Home}, lp.Now())
	if o == resource.Starts {
		ross.Send(lp, m.Home, drive, back{})
	}
	if handed {
		timer, _ := y.Timers.Remove(lp, container.Handle(to.Timer))
		timer.Cancel(lp)
		y.Dwell.Add(lp, 0)
	}
}

func (y *Yard) wants(lp *ross.LP, _ *wants) {
	waits := lp.RNG().Exponential(patience)
	var h container.Handle
	if y.Boxes.Len() == 0 {
		h = y.Timers.Add(lp, ross.Timer{})
	}
	box, turn, o, from, freed := y.Boxes.Get(lp, caller{Timer: uint64(h)})
	if o == resource.Waits {
		*y.Timers.Edit(lp, h) = ross.After(lp, waits, tired{turn, uint64(h)})
		return
	}
	y.Dwell.Add(lp, lp.Now()-box)
	if freed {
		ross.Send(lp, from.Home, drive, back{})
	}
}

func (y *Yard) tired(lp *ross.LP, m *tired) {
	y.Boxes.Leave(lp, m.Turn)
	y.Timers.Remove(lp, container.Handle(m.Timer))
	y.Left.Inc(lp)
}

// portByHand returns the program of the port made of handlers. Its LPs are those of the processes.
func portByHand() program.Program {
	p := port.Program()
	p.Options = nil
	p.Build = func(sim *ross.Simulation) error {
		return sim.Define(
			ross.Type[Quay]{Name: "Port", Init: (*Quay).init, Saving: ross.SaveByLog, Lookahead: drive, Event: ross.Events(
				ross.On((*Quay).comes), ross.On((*Quay).moved), ross.On((*Quay).breaks), ross.On((*Quay).repaired),
				ross.On((*Quay).back), ross.On((*Quay).opens), ross.On((*Quay).passed), ross.On((*Quay).left))},
			ross.Type[Yard]{Name: "Block", Init: (*Yard).init, Saving: ross.SaveByLog, Lookahead: drive, Event: ross.Events(
				ross.On((*Yard).stores), ross.On((*Yard).wants), ross.On((*Yard).tired))})
	}
	return p
}
