// Package port is container ports: ships wait for berths and cranes, cranes break, and trucks bring boxes to the yard
// and fetch them.
package port

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// Hours, and trucks in an hour.
const (
	repair, move, drive = 3, 0.05, 0.05 // of cranes and trucks
	rate, patience      = 118, 2        // of trucks that fetch boxes
)

var kinds = [3]struct {
	every  float64 // hours between ships
	moves  int64   // mean
	berths int
}{{12, 200, 2}, {20, 500, 2}, {48, 1200, 1}}

type params struct {
	ports, blocks, cranes, crews, trucks, lanes, room int
	lasts                                             float64 // hours
}

// Port is the state of an LP: the quay and the gate of a port.
type Port struct {
	proc.Processes
	Berths         [3]proc.Servers       `ross:"berth,h,names=feeder;panamax;mega"`
	Cranes, Trucks proc.Level            `ross:",h"`
	Crews, Lanes   proc.Servers          `ross:",h"`
	Boxes          container.Slab[int64] // of ships at berths
	Wait, Stay     [3]stats.Tally        `ross:",h,names=feeder;panamax;mega"`
	Left           stats.Counter         // without a box
}

// Block is the state of an LP: a block of the yard, with boxes by the time of their arrival.
type Block struct {
	proc.Processes
	Boxes proc.Store[float64] `ross:",h"`
	Dwell stats.Tally         `ross:",h"`
	Left  stats.Counter
}

func (s *Port) opens(p *proc.Self) {
	m := proc.Param[params](p)
	s.Cranes.Open(p.LP(), resource.LevelRules{Capacity: float64(m.cranes), Amount: float64(m.cranes)})
	s.Crews.Open(p.LP(), resource.Rules{Servers: m.crews})
	s.Trucks.Open(p.LP(), resource.LevelRules{Capacity: float64(m.trucks), Amount: float64(m.trucks)})
	s.Lanes.Open(p.LP(), resource.Rules{Servers: m.lanes})
	for i, kind := range kinds {
		s.Berths[i].Open(p.LP(), resource.Rules{Servers: kind.berths})
		proc.Go1(p, (*Port).ships, i)
	}
	proc.Go(p, (*Port).gate)
}

func (s *Port) ships(p *proc.Self, kind int) {
	for {
		p.Sleep(p.RNG().Exponential(kinds[kind].every))
		proc.Go1(p, (*Port).ship, kind)
	}
}

func (s *Port) berth(kind int) int {
	for i := kind; i < len(kinds); i++ {
		if s.Berths[i].Free() > 0 {
			return i
		}
	}
	return kind
}

func (s *Port) ship(p *proc.Self, kind int) {
	came, at, moves := p.Now(), s.berth(kind), kinds[kind].moves
	turn := s.Berths[at].Request(p)
	n := min(4, max(2, s.Cranes.Now()))
	s.Cranes.Get(p, n)
	s.Wait[kind].Add(p.LP(), p.Now()-came)
	boxes := s.Boxes.Add(p.LP(), p.RNG().Integer(moves/2, moves*3/2))
	var cranes [4]proc.PID
	for i := range int(n) {
		cranes[i] = proc.Go1(p, (*Port).crane, boxes)
	}
	for _, crane := range cranes {
		p.Join(crane)
	}
	s.Boxes.Remove(p.LP(), boxes)
	s.Berths[at].Release(p, turn)
	s.Stay[kind].Add(p.LP(), p.Now()-came)
}

func (s *Port) crane(p *proc.Self, boxes container.Handle) {
	for life := works(p); *s.Boxes.Get(p.LP(), boxes) > 0; {
		*s.Boxes.Edit(p.LP(), boxes)--
		left := p.RNG().Erlang(4, move)
		for left > life {
			p.Sleep(life)
			crew := s.Crews.Request(p)
			p.Sleep(p.RNG().Exponential(repair))
			s.Crews.Release(p, crew)
			left, life = left-life, works(p)
		}
		p.Sleep(left)
		life -= left
		proc.Go(p, (*Port).carry)
	}
	s.Cranes.Put(p, 1)
}

// works draws how long a crane works until it breaks.
func works(p *proc.Self) float64 { return p.RNG().Exponential(proc.Param[params](p).lasts) }

func (s *Port) carry(p *proc.Self) {
	home := p.LP().ID()
	s.Trucks.Get(p, 1)
	b := proc.At[Block](p, block(p), drive+p.RNG().Exponential(drive))
	b.Boxes.Put(p, p.Now())
	s = proc.At[Port](p, home, drive)
	s.Trucks.Put(p, 1)
}

// block draws a block of the port.
func block(p *proc.Self) ross.LPID {
	m := proc.Param[params](p)
	return ross.LPID(m.ports+int(p.LP().ID())*m.blocks) + ross.LPID(p.RNG().Integer(0, int64(m.blocks)-1))
}

func (s *Port) gate(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(1. / rate))
		if hour := math.Mod(p.Now(), 24); 6 <= hour && hour < 22 {
			proc.Go(p, (*Port).fetch)
		}
	}
}

func (s *Port) fetch(p *proc.Self) {
	lane, ok := s.Lanes.RequestWithin(p, p.RNG().Exponential(patience))
	if !ok {
		s.Left.Inc(p.LP())
		return
	}
	p.Sleep(p.RNG().Triangular(0.01, 0.02, 0.05))
	s.Lanes.Release(p, lane)
	b := proc.At[Block](p, block(p), drive+p.RNG().Exponential(drive))
	box, ok := b.Boxes.GetWithin(p, p.RNG().Exponential(patience))
	if !ok {
		b.Left.Inc(p.LP())
		return
	}
	b.Dwell.Add(p.LP(), p.Now()-box)
}

func (b *Block) opens(p *proc.Self) {
	b.Boxes.Open(p.LP(), resource.Limits{Capacity: proc.Param[params](p).room})
}

func (m *params) types() []ross.LPType {
	ports := ross.Type[Port]{Init: proc.Start((*Port).opens), Saving: ross.SaveByLog, Lookahead: drive}
	blocks := ross.Type[Block]{Init: proc.Start((*Block).opens), Saving: ross.SaveByLog, Lookahead: drive}
	return []ross.LPType{proc.Type(ports, proc.Given(m)), proc.Type(blocks, proc.Given(m))}
}

// Program returns the model: two months of two ports.
func Program() program.Program {
	m := params{ports: 2, blocks: 12, cranes: 8, crews: 1, trucks: 30, lanes: 5, room: 300, lasts: 40}
	return program.Program{
		Name: "port", Config: ross.Config{End: 24 * 60, Statistics: ross.StatisticsInReport},
		Options: m.options, Prepare: m.prepare,
		Build: func(sim *ross.Simulation) error { return sim.Define(m.types()...) },
	}
}
