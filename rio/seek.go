// This file owns repeated access to the records of a partition, for programs that first
// examine the records and later read some of them.

package rio

// Place is where the record of an LP is.
type Place struct {
	at int
	n  uint64 // number of LPs after it
}

// Place returns the place of the record that NextLP will return next.
func (c *Contents) Place() Place { return Place{c.at, c.lps} }

// Again returns the same contents from the beginning. Several goroutines may each use their
// own.
func (c *Contents) Again() *Contents {
	return &Contents{
		file: c.file, entry: c.entry, data: c.data, firstGID: c.firstGID, jobLPs: c.jobLPs,
		types: c.types, streamsEach: c.streamsEach, lps: c.entry.LPs, events: c.entry.Events,
		orig: c.orig, sizes: c.sizes,
	}
}

// LP sets lp to the LP at a place, as NextLP does. Afterwards the result of NextEvent is
// undefined: use contents of Again.
func (c *Contents) LP(at Place, lp *LP) error {
	c.at, c.lps = at.at, at.n
	_, err := c.NextLP(lp)
	return err
}

// Events moves to the events. behind is the place after the last LP.
func (c *Contents) Events(behind Place) { c.at, c.lps = behind.at, 0 }
