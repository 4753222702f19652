// This file owns what the behaviour tests see of the inside.

package ross

import (
	"testing"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/world"
)

// EngineBytes returns the memory of events, lineages and the pending-event set
// of all PEs.
func (s *Simulation) EngineBytes() (bytes uint64) {
	for _, pe := range s.r.Locals {
		bytes += pe.Arena.Bytes() + pe.Queue.Bytes()
	}
	return bytes
}

// PeakEvents returns the most events that were allocated at once.
func (s *Simulation) PeakEvents() (n uint64) {
	for _, pe := range s.r.Locals {
		n += uint64(pe.Arena.Peak())
	}
	return n
}

// LiveEvents returns how many events are allocated.
func (s *Simulation) LiveEvents() (n uint64) {
	for _, pe := range s.r.Locals {
		n += uint64(pe.Arena.Live())
	}
	return n
}

// LineageNodes returns how many tie-breakers of chains without delay are kept.
func (s *Simulation) LineageNodes() (n uint64) {
	for _, pe := range s.r.Locals {
		n += uint64(pe.Arena.Lines.Live())
	}
	return n
}

// CheckPools verifies the pools of all PEs, at a cost of O(events).
func (s *Simulation) CheckPools() error {
	for _, pe := range s.r.Locals {
		if err := pe.Arena.Check(); err != nil {
			return err
		}
	}
	return nil
}

// WithoutModel returns c without what it notes of the model's options, and of those without effect.
func (c Config) WithoutModel() Config {
	c.modelOptions, c.varying, c.ignored = nil, nil, nil
	return c
}

// InWorld returns c with other ranks, nil for none, with knobs, and with what each PE calls in each turn
// of an optimistic run.
func (c Config) InWorld(ranks world.World, knobs settings.Knobs, disturb func(pe *run.PE)) Config {
	c.knobs = testKnobs{Knobs: knobs, world: ranks, disturb: disturb}
	return c
}

// Leaks says what the ranks of a run that is over have not freed or received.
func Leaks(ranks ...*Simulation) error { return leaks(ranks...) }

// Harass returns a function for InWorld that rolls KPs of so many PEs of a rank back with a probability.
func Harass(t testing.TB, pes int, probability float64, seed uint64) func(*run.PE) {
	return harassWith(t, pes, probability, seed)
}

// WithWindow returns c with an event queue that hands over about n keys at a
// time.
func (c Config) WithWindow(n int) Config {
	c.knobs.Window = n
	return c
}

// forget drops the lineages that the PE holds for the bounds it knows of.
func forget(pe *run.PE) {
	for i, node := range pe.Published {
		pe.Arena.Lines.Drop(node)
		pe.Published[i] = 0
	}
	if pe.Remote != nil {
		for _, p := range pe.Remote.Peers.All {
			if p != nil {
				pe.Arena.Lines.Drop(p.LastSent)
				pe.Arena.Lines.Drop(p.LastCame)
				p.LastSent, p.LastCame = 0, 0
			}
		}
	}
	for _, stop := range pe.Stops.Events {
		pe.Arena.Lines.Drop(stop.Node)
	}
	pe.Stops.Events = nil
	pe.SetRedMin(gvt.Max)
	pe.Bound = gvt.Max
}
