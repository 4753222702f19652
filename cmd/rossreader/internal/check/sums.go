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
	ofKP := map[uint64]*count{} // over its LPs
	for i := range parts {
		p := &parts[i]
		switch p.at.kind {
		case instr.KindPE:
			pe = p
		case instr.KindKP:
			someKP = true
			kps.add(&p.count)
			if ofKP[p.at.kp] == nil {
				ofKP[p.at.kp] = &count{}
			}
		case instr.KindLP:
			someLP = true
			lps.add(&p.count)
			if ofKP[p.at.kp] == nil {
				if someKP {
					c.find(&p.at, "KP of the LP", "one that has a record in the sample", text(p.at.kp))
				}
				ofKP[p.at.kp] = &count{}
			}
			ofKP[p.at.kp].add(&p.count)
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
			c.sum(p, ofKP[p.at.kp], instr.KindLP)
		}
	}
}

// sum checks the sum over records of a kind against the record they belong to.
func (c *checker) sum(p *part, sum *count, over instr.Kind) {
	check := func(what string, is, sum uint64) {
		if over == instr.KindLP && c.originals() {
			// The events of the original's sampling LPs, which have no records, count for
			// KP and PE.
			if sum > is {
				c.find(&p.at, what, fmt.Sprintf("%d, the sum over lp records, or more", sum), text(is))
			}
			return
		}
		if sum != is {
			c.find(&p.at, what, fmt.Sprintf("%d, the sum over %s records", sum, over), text(is))
		}
	}
	check("events processed", p.processed, sum.processed)
	check("events aborted", p.aborted, sum.aborted)
	check("events rolled back", p.rolledBack, sum.rolledBack)
	check("network sends", p.sends, sum.sends)
	check("network reads", p.reads, sum.reads)
	if over == instr.KindKP {
		check("rollbacks", p.rollbacks, sum.rollbacks)
		check("secondary rollbacks", p.secondary, sum.secondary)
	}
}
