// This file owns what the behaviour tests see of the inside.

package ross

import "github.com/ross-go/ross/gvt"

// EngineBytes returns the memory of events, lineages and the pending-event set
// of all PEs.
func (s *Simulation) EngineBytes() (bytes uint64) {
	for _, pe := range s.pes {
		bytes += pe.arena.Bytes() + pe.q.Bytes()
	}
	return bytes
}

// PeakEvents returns the most events that were allocated at once.
func (s *Simulation) PeakEvents() (n uint64) {
	for _, pe := range s.pes {
		n += uint64(pe.arena.Peak())
	}
	return n
}

// LiveEvents returns how many events are allocated.
func (s *Simulation) LiveEvents() (n uint64) {
	for _, pe := range s.pes {
		n += uint64(pe.arena.Live())
	}
	return n
}

// LineageNodes returns how many tie-breakers of chains without delay are kept.
func (s *Simulation) LineageNodes() (n uint64) {
	for _, pe := range s.pes {
		n += uint64(pe.arena.Lines.Live())
	}
	return n
}

// CheckPools verifies the pools of all PEs, at a cost of O(events).
func (s *Simulation) CheckPools() error {
	for _, pe := range s.pes {
		if err := pe.arena.Check(); err != nil {
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

// WithWindow returns c with an event queue that hands over about n keys at a
// time.
func (c Config) WithWindow(n int) Config {
	c.window = n
	return c
}

// forget drops the lineages that the PE holds for the bounds it knows of.
func (pe *PE) forget() {
	for i, node := range pe.published {
		pe.arena.Lines.Drop(node)
		pe.published[i] = 0
	}
	if pe.far != nil {
		for _, p := range pe.far.peers {
			if p != nil {
				pe.arena.Lines.Drop(p.lastSent)
				pe.arena.Lines.Drop(p.lastCame)
				p.lastSent, p.lastCame = 0, 0
			}
		}
	}
	pe.setRedMin(gvt.Max)
	pe.bound = gvt.Max
}
