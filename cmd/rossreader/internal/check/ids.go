// This file checks the places of LPs: each must always be on the same KP
// and PE.

package check

import "fmt"

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
