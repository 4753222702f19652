// Command zerotie tests the order of simultaneous events: every event happens
// at a whole number of time units, many send others without delay, and an LP's
// state is a hash of the order in which it handled them.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int { return newProgram().Main(args, stdout, stderr) }

// newProgram returns the program, with parameters of its own.
func newProgram() program.Program {
	p := params{usePrio: 1, maxHop: 3, p: 0.6}
	return program.Program{
		Name: "zerotie", Parts: parts.All(), Config: ross.DefaultConfig(), Options: p.options, Prepare: p.prepare,
		Build: p.build,
	}
}

func (p *params) options(o *ross.Options, cfg *ross.Config) {
	g := o.Group("Zero Tie Model")
	cfg.RegisterLPs(g)
	g.Uint64(&p.usePrio, "useprio", "0: all events have priority 1; 1: priorities 0.25 and 0.75")
	g.Uint64(&p.maxHop, "maxhop", "longest chain of events without delay")
	g.Float64(&p.p, "p", "probability that an event sends one without delay")
}

func (p *params) prepare(*ross.Config) error {
	if p.maxHop > 1<<30 {
		return fmt.Errorf("option --maxhop=%d: must be at most 2^30: %w", p.maxHop, ross.ErrUsage)
	}
	if !(p.p >= 0 && p.p <= 1) {
		return fmt.Errorf("option --p=%g: must be in [0, 1]: %w", p.p, ross.ErrUsage)
	}
	return nil
}

func (p *params) build(sim *ross.Simulation) error {
	p.last = int64(sim.TotalLPs()) - 1
	return sim.Define(zerotie(p))
}

// The model: what an LP of zerotie does, and what it adds to the event trace.

// state is the state of an LP: a hash over the events it handled, in order.
type state struct{ hash uint64 }

// msg has how many events without delay led to this one, and their
// priority.
type msg struct {
	hop      int32
	priority float32
}

type params struct {
	usePrio uint64
	maxHop  uint64
	p       float64 // probability of another event without delay

	last int64 // highest global id
}

func zerotie(p *params) ross.Type[state] {
	return ross.Type[state]{
		Name: "zerotie",
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{0, 1}) },
		Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
			s.hash = s.hash*6364136223846793005 + 1442695040888963407 + uint64(lp.ID()) + uint64(m.hop)
			if m.hop == 0 {
				p.next(lp)
			}
			if uint64(m.hop) < p.maxHop && lp.RNG().Unif() <= p.p {
				dst := ross.LPID(lp.RNG().Integer(0, p.last))
				ross.SendPriority(lp, dst, 0, float64(m.priority), msg{m.hop + 1, m.priority})
			}
		}).Trace(trace),
		Final:     func(s *state, lp *ross.LP) { lp.Printf("LPHASH %d %016x\n", lp.ID(), s.hash) },
		TraceSize: 8, TraceLayout: "hop:u32,priority:f32",
	}
}

// next keeps the model going: one event of the next unit of time for each of
// this one.
func (p *params) next(lp *ross.LP) {
	dst := ross.LPID(lp.RNG().Integer(0, p.last))
	u := lp.RNG().Unif()
	priority := float32(1)
	if p.usePrio != 0 {
		priority = 0.75
		if u <= 0.5 {
			priority = 0.25
		}
	}
	ross.SendPriority(lp, dst, 1, float64(priority), msg{0, priority})
}

// What zerotie adds to the event trace.

// trace writes hop as an int32 and priority as a float32.
func trace(_ *ross.LP, _ ross.TraceKind, m *msg, buf []byte) bool {
	binary.LittleEndian.PutUint32(buf, uint32(m.hop))
	binary.LittleEndian.PutUint32(buf[4:], math.Float32bits(m.priority))
	return true
}
