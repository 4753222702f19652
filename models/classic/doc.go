// Package classic is shared by the programs of ROSS's classic models: airport, pcs, traffic, torus,
// dragonfly, raid, qhold. It writes the events of a run, and the states of the LPs at its end, as
// text, in which runs can be compared with those of the original programs, and with one another.
//
// A program has a Recorder among its parameters:
//
//	type params struct {
//		record classic.Recorder
//		...
//	}
//
//	func (p *params) options(o *ross.Options, cfg *ross.Config) { p.record.Register(o) ... }
//	func (p *params) prepare(cfg *ross.Config) error           { p.record.Prepare(cfg) ... }
//	func (p *params) build(sim *ross.Simulation) error         { p.record.Open(sim) ... }
//	func (p *params) finish(sim *ross.Simulation) error {
//		return p.record.Finish(sim, classic.States(func(lp *ross.LP, a *airport) string { ... }))
//	}
//
// and each handler begins with a call of Event:
//
//	p.record.Event(lp, arrival)
//
// Without --trace that is a call which returns at once.
//
// # Design
//
// Events are written through the log of the model (ross.LP.Log), which has the events that are
// committed, in their order, in every scheduler. So a trace of an optimistic run is equal to that
// of a sequential one. The engine's own event trace (--event-trace) is for long runs: it is binary,
// has times as 32-bit floats, as that of ROSS, and costs less.
package classic
