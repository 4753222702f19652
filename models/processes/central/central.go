// Package central is the central server model, a closed network of queues: terminals think, and send a job through a
// CPU and disks.
package central

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// params are the parameters of the model. Times are in seconds.
type params struct {
	terminals, disks int
	think, cpu, disk float64 // means
	leave            float64 // probability that a job is finished after the CPU
	wire             float64 // time of a way from one LP to another
}

// Terminal is the state of an LP: somebody who thinks, or waits for a job.
type Terminal struct {
	proc.Processes
	Response stats.Histogram `ross:"response time,s"`
	Done     stats.Counter   `ross:"jobs done"`
}

// Station is the state of an LP: the CPU or a disk, which serves one job at a time.
type Station struct {
	proc.Processes
	Server proc.Servers `ross:"server,s"`
}

func (s *Station) opens(p *proc.Self) { s.Server.Open(p.LP(), resource.Rules{Servers: 1}) }

// user thinks, and travels as a job until it is finished.
func (t *Terminal) user(p *proc.Self) {
	home := p.LP().ID()
	for {
		p.Sleep(p.RNG().Exponential(proc.Param[params](p).think))
		began := p.Now()
		visit(p, 0)
		for p.RNG().Unif() >= proc.Param[params](p).leave {
			visit(p, p.RNG().Integer(1, int64(proc.Param[params](p).disks)))
			visit(p, 0)
		}
		t = proc.At[Terminal](p, home, proc.Param[params](p).wire)
		t.Response.Add(p.LP(), p.Now()-began)
		t.Done.Inc(p.LP())
	}
}

// visit has a job travel to a station, wait there, and be served: 0 is the CPU, and disks follow.
func visit(p *proc.Self, station int64) {
	m := proc.Param[params](p)
	mean := m.disk
	if station == 0 {
		mean = m.cpu
	}
	s := proc.At[Station](p, ross.LPID(m.terminals)+ross.LPID(station), m.wire)
	turn := s.Server.Request(p)
	p.Sleep(p.RNG().Exponential(mean))
	s.Server.Release(p, turn)
}

func (m *params) types() []ross.LPType {
	terminals := ross.Type[Terminal]{Name: "terminal", LPs: m.terminals, Init: proc.Start((*Terminal).user)}
	cpu := ross.Type[Station]{Name: "CPU", LPs: 1, Init: proc.Start((*Station).opens)}
	terminals.Saving, terminals.Lookahead = ross.SaveByLog, m.wire
	cpu.Saving, cpu.Lookahead = ross.SaveByLog, m.wire
	disks := cpu
	disks.Name, disks.LPs = "disk", m.disks
	return []ross.LPType{
		proc.Type(terminals, proc.Given(m)), proc.Type(cpu, proc.Given(m)), proc.Type(disks, proc.Given(m)),
	}
}

func defaults() params {
	return params{terminals: 20, disks: 3, think: 5, cpu: 0.05, disk: 0.12, leave: 0.2, wire: 0.01}
}

// Program returns the model: an hour after five minutes of warm-up.
func Program() program.Program {
	m := defaults()
	return program.Program{
		Name: "central", Config: ross.Config{End: 3900, WarmUp: 300, Statistics: ross.StatisticsInReport},
		Options: m.options, Prepare: m.prepare,
		Build: func(sim *ross.Simulation) error { return sim.Define(m.types()...) },
	}
}
