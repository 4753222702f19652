// This file checks the samples of the engine: the places of LPs, and the sums over LPs and KPs.

package check

import (
	"fmt"
	"slices"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/counters"
)

// count has the counters of a PE, a KP or an LP that add up, in the order of fieldNames. Records have the same names
// for them. Those that a kind does not have are 0.
type count struct{ Processed, Aborted, RolledBack, NetworkSends, NetworkReads, Rollbacks, SecondaryRollbacks uint64 }

// What adds the figures of a record, and of another count.
var (
	addPE    = counters.Adding[count, instr.PEStats]()
	addKP    = counters.Adding[count, instr.KPStats]()
	addLP    = counters.Adding[count, instr.LPStats]()
	addCount = counters.Adding[count, count]()
)

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
		addPE(&p.count, s)
		p.efficiency = s.Efficiency
		p.times = []float32{s.NetRead, s.NetOther, s.GVT, s.FossilCollect, s.EventAbort, s.EventProcess, s.PQ, s.Rollback,
			s.CancelQ, s.AVL, s.Buddy, s.LZ4}
	case instr.KindKP:
		addKP(&p.count, &r.KP)
		p.efficiency, p.ahead = r.KP.Efficiency, r.KP.TimeAheadGVT
	case instr.KindLP:
		addLP(&p.count, &r.LP)
		p.efficiency = r.LP.Efficiency
	}
	return p
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

// alone checks a record by itself.
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

// places is the KP and PE of each LP.
type places map[uint64][2]uint64

func (c *checker) place(at *where) {
	here := [2]uint64{at.kp, at.pe}
	was, known := c.places[at.lp]
	if !known {
		c.places[at.lp] = here
		return
	}
	if was != here {
		c.places[at.lp] = here // otherwise it would be reported for every record
		c.find(at, "place of the LP", fmt.Sprintf("kp %d of pe %d as before", was[0], was[1]),
			fmt.Sprintf("kp %d of pe %d", here[0], here[1]))
	}
}

// known checks that the run had a PE and an LP of these numbers, if run.json has their numbers.
// Events of a trace may be those of further LPs, which take samples.
func (c *checker) known(at *where) {
	if n := c.run.pes; n > 0 && at.pe >= n {
		c.find(at, "PE", fmt.Sprintf("one of the %d of the run", n), text(at.pe))
	}
	if n := c.run.lps; n > 0 && at.lp >= n {
		c.find(at, "LP", fmt.Sprintf("one of the %d of the run", n), text(at.lp))
	}
}

// together is the state of the check that models are sampled with all LPs of their KP.
type together struct {
	when  [3]float64 // what the records of a sample have in common
	parts []where    // of the sample
	lps   map[[2]uint64][]uint64
}

// sampled notes that an LP has a record in a sample of models.
func (c *checker) sampled(at *where, when [3]float64) {
	t := &c.models.together
	if !c.run.described {
		return
	}
	if when != t.when {
		c.endSampled()
		t.when = when
	}
	t.parts = append(t.parts, *at)
}

// endSampled checks a sample of models.
func (c *checker) endSampled() {
	t := &c.models.together
	of := map[[2]uint64][]uint64{}
	for i := range t.parts {
		kp := [2]uint64{t.parts[i].pe, t.parts[i].kp}
		of[kp] = append(of[kp], t.parts[i].lp)
	}
	for i := range t.parts {
		kp := [2]uint64{t.parts[i].pe, t.parts[i].kp}
		now, first := of[kp]
		if !first {
			continue
		}
		delete(of, kp)
		if was, known := t.lps[kp]; known && !slices.Equal(was, now) {
			c.find(&t.parts[i], "LPs of the KP", fmt.Sprint(was, " as in the sample before with it"), fmt.Sprint(now))
		}
		t.lps[kp] = now
	}
	t.parts = t.parts[:0]
}

// sums checks that a sample's records agree.
func (c *checker) sums(parts []part) {
	var pe *part
	var kps, lps count
	var someKP, someLP bool
	ofKP := map[unit]*count{} // over its LPs
	unitOf := func(p *part) unit {
		if c.moving != nil {
			return unit{instr.KindKP, p.at.pe, p.at.kp}
		}
		return unit{instr.KindKP, 0, p.at.kp} // a wrong PE is found elsewhere
	}
	for i := range parts {
		p := &parts[i]
		switch p.at.kind {
		case instr.KindPE:
			pe = p
		case instr.KindKP:
			someKP = true
			addCount(&kps, &p.count)
			if kp := unitOf(p); ofKP[kp] == nil {
				ofKP[kp] = &count{}
			}
		case instr.KindLP:
			someLP = true
			addCount(&lps, &p.count)
			kp := unitOf(p)
			if ofKP[kp] == nil {
				if someKP {
					c.find(&p.at, "KP of the LP", "one that has a record in the sample", text(p.at.kp))
				}
				ofKP[kp] = &count{}
			}
			addCount(ofKP[kp], &p.count)
		}
	}
	if pe != nil && someKP {
		c.sum(pe, &kps, instr.KindKP)
	}
	if pe != nil && someLP {
		c.sum(pe, &lps, instr.KindLP)
	}
	for i := range parts {
		if p := &parts[i]; someLP && p.at.kind == instr.KindKP {
			c.sum(p, ofKP[unitOf(p)], instr.KindLP)
		}
	}
}

// fieldNames are the names of the counters that add up.
var fieldNames = [...]string{"events processed", "events aborted", "events rolled back", "network sends",
	"network reads", "rollbacks", "secondary rollbacks"}

// fields returns the counters that add up, in the order of fieldNames.
func (n *count) fields() [len(fieldNames)]uint64 {
	return [...]uint64{n.Processed, n.Aborted, n.RolledBack, n.NetworkSends, n.NetworkReads,
		n.Rollbacks, n.SecondaryRollbacks}
}

// sumsOver returns how many of the counters add up over records of a kind: LPs have no rollbacks.
func sumsOver(over instr.Kind) int {
	if over == instr.KindKP {
		return len(fieldNames)
	}
	return 5
}

// sum checks the sum over records of a kind against the record they belong to.
func (c *checker) sum(p *part, sum *count, over instr.Kind) {
	is, sums := p.fields(), sum.fields()
	for i, what := range fieldNames[:sumsOver(over)] {
		if c.moving != nil && p.at.kind == instr.KindPE {
			c.moving.hold(heldSum{at: p.at, over: over, field: i, is: is[i], sum: sums[i]})
			continue
		}
		if over == instr.KindLP && c.originals() {
			// The events of the original's sampling LPs, which have no records, count for
			// KP and PE.
			if sums[i] > is[i] {
				c.find(&p.at, what, fmt.Sprintf("%d, the sum over lp records, or more", sums[i]), text(is[i]))
			}
			continue
		}
		if sums[i] != is[i] {
			c.find(&p.at, what, fmt.Sprintf("%d, the sum over %s records", sums[i], over), text(is[i]))
		}
	}
}
