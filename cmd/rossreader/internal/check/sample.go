// This file checks the samples of the engine: the records of each, and their order.

package check

import (
	"fmt"

	"github.com/ross-go/ross/instr"
)

// count has the counters of a PE, a KP or an LP; counters that a kind does not have are
// 0.
type count struct {
	processed, aborted, rolledBack, rollbacks, secondary, sends, reads uint64
}

// part is a record of a sample.
type part struct {
	at where
	count
	real       float64
	efficiency float32
	ahead      float32   // of a KP
	times      []float32 // of a PE
}

// engine is the state of the check of the engine's samples.
type engine struct {
	lead    instr.Kind // kind of the first record of each sample
	started bool
	parts   []part // of the current sample
	pes     map[uint32]*peHistory
}

// round returns the records of the last samples of all PEs.
func (e *engine) round() (n uint64) {
	for _, h := range e.pes {
		n += uint64(len(h.members))
	}
	return n
}

// part adds a record of a PE, a KP or an LP.
func (c *checker) part(r *instr.Record) {
	p := newPart(r)
	c.known(&p.at)
	if !c.engine.started {
		c.engine.started, c.engine.lead = true, r.Kind
	}
	begins := c.begins(&p)
	if begins {
		c.endSample()
	}
	if c.moving != nil {
		c.moving.add(&p, begins)
	}
	c.engine.parts = append(c.engine.parts, p)
}

// begins reports whether a record is the first of a sample. If samples begin with PEs,
// this is obvious. Otherwise it avoids the times if possible, because they are to be
// checked.
func (c *checker) begins(p *part) bool {
	parts := c.engine.parts
	if len(parts) == 0 || p.at.kind == instr.KindPE {
		return true
	}
	if c.moving != nil {
		return c.engine.lead != instr.KindPE && c.moving.begins(parts, p)
	}
	last := &parts[len(parts)-1]
	switch c.engine.lead {
	case instr.KindKP:
		return p.at.kind == instr.KindKP && (last.at.kind == instr.KindLP || p.at.kp == 0 || p.at.pe != last.at.pe)
	case instr.KindLP:
		return p.at.pe != last.at.pe || p.at.ts != last.at.ts || p.real != last.real || p.at.lp == parts[0].at.lp
	}
	return false
}

func newPart(r *instr.Record) part {
	p := part{at: *whereIs(r), real: r.Meta.RealTime}
	switch r.Kind {
	case instr.KindPE:
		s := &r.PE
		p.count = newCount(s.Processed, s.Aborted, s.RolledBack, s.Rollbacks, s.SecondaryRollbacks, s.NetworkSends, s.NetworkReads)
		p.efficiency = s.Efficiency
		p.times = []float32{s.NetRead, s.NetOther, s.GVT, s.FossilCollect, s.EventAbort, s.EventProcess, s.PQ, s.Rollback,
			s.CancelQ, s.AVL, s.Buddy, s.LZ4}
	case instr.KindKP:
		s := &r.KP
		p.count = newCount(s.Processed, s.Aborted, s.RolledBack, s.Rollbacks, s.SecondaryRollbacks, s.NetworkSends, s.NetworkReads)
		p.efficiency, p.ahead = s.Efficiency, s.TimeAheadGVT
	case instr.KindLP:
		s := &r.LP
		p.count = newCount(s.Processed, s.Aborted, s.RolledBack, 0, 0, s.NetworkSends, s.NetworkReads)
		p.efficiency = s.Efficiency
	}
	return p
}

func newCount(processed, aborted, rolledBack, rollbacks, secondary, sends, reads uint32) count {
	return count{
		uint64(processed), uint64(aborted), uint64(rolledBack), uint64(rollbacks), uint64(secondary), uint64(sends), uint64(reads),
	}
}

func (n *count) add(o *count) {
	n.processed += o.processed
	n.aborted += o.aborted
	n.rolledBack += o.rolledBack
	n.rollbacks += o.rollbacks
	n.secondary += o.secondary
	n.sends += o.sends
	n.reads += o.reads
}

// endSample checks the sample just read.
func (c *checker) endSample() {
	parts := c.engine.parts
	if len(parts) == 0 {
		return
	}
	c.engine.parts = parts[:0]
	if c.moving != nil {
		c.endMoving(parts)
		return
	}
	c.order(parts)
	h := c.history(parts) // before the sums, which miss what the sample lacks
	c.sums(parts)
	for i := range parts {
		p := &parts[i]
		c.alone(p)
		h.follow(c, p)
	}
}

// alone checks what a record says by itself.
func (c *checker) alone(p *part) {
	c.values(p)
	if p.at.kind == instr.KindLP {
		c.place(&p.at)
	}
}

// order checks that a sample is PE, KPs from 0 on, LPs, all of one PE and one time.
func (c *checker) order(parts []part) {
	first := &parts[0]
	kp := uint64(0)
	for i := range parts {
		p := &parts[i]
		if i > 0 {
			c.kinds(p, &parts[i-1])
		}
		if p.at.kind == instr.KindKP {
			if p.at.kp != kp {
				c.find(&p.at, "id of the KP", fmt.Sprint(kp), text(p.at.kp))
			}
			kp = p.at.kp + 1
		}
		if p.at.pe != first.at.pe {
			c.find(&p.at, "PE", text(first.at.pe)+" as in the sample's first record", text(p.at.pe))
		}
		c.times(p, first)
	}
}

// kinds checks that the kind of a record may follow that of the one before.
func (c *checker) kinds(p, before *part) {
	if p.at.kind < before.at.kind {
		c.find(&p.at, "order in the sample", "PE, KPs, LPs", fmt.Sprintf("%s after %s", p.at.kind, before.at.kind))
	}
}

// times checks that a record has the times of the first of its sample.
func (c *checker) times(p, first *part) {
	if !same(p.at.ts, first.at.ts) {
		c.find(&p.at, "virtual time", text(first.at.ts)+" as in the sample's first record", text(p.at.ts))
	}
	if !same(p.real, first.real) {
		c.find(&p.at, "real time", text(first.real)+" as in the sample's first record", text(p.real))
	}
}

func same(a, b float64) bool { return a == b || a != a && b != b }
