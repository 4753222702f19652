// This file checks the places of LPs: each must always be on the same KP
// and PE.

package check

import (
	"fmt"
	"slices"
)

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
		c.find(at, "place of the LP", fmt.Sprintf("kp %d of pe %d as before", was[0], was[1]), fmt.Sprintf("kp %d of pe %d", here[0], here[1]))
	}
}

// known checks that the run had a PE and an LP of these numbers, if run.json tells how many there were.
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
