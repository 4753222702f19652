// This file checks the sums: over LPs to KPs, and over both to the PE.

package check

import (
	"fmt"

	"github.com/ross-go/ross/instr"
)

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
			kps.add(&p.count)
			if kp := unitOf(p); ofKP[kp] == nil {
				ofKP[kp] = &count{}
			}
		case instr.KindLP:
			someLP = true
			lps.add(&p.count)
			kp := unitOf(p)
			if ofKP[kp] == nil {
				if someKP {
					c.find(&p.at, "KP of the LP", "one that has a record in the sample", text(p.at.kp))
				}
				ofKP[kp] = &count{}
			}
			ofKP[kp].add(&p.count)
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
var fieldNames = [...]string{"events processed", "events aborted", "events rolled back", "network sends", "network reads", "rollbacks", "secondary rollbacks"}

// fields returns the counters that add up, in the order of fieldNames.
func (n *count) fields() [len(fieldNames)]uint64 {
	return [...]uint64{n.processed, n.aborted, n.rolledBack, n.sends, n.reads, n.rollbacks, n.secondary}
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
