// This file owns coming back to the records of a partition: for programs that first look at
// what is there, and then take it.

package rio

// Place is where the record of an LP is.
type Place struct {
	at int
	n  uint64 // LPs that come after it
}

// Place returns where the record is that NextLP will return next.
func (c *Contents) Place() Place { return Place{c.at, c.lps} }

// Again returns the same contents from the beginning. Several goroutines may each have
// their own.
func (c *Contents) Again() *Contents {
	return &Contents{
		file: c.file, entry: c.entry, data: c.data, firstGID: c.firstGID, jobLPs: c.jobLPs,
		types: c.types, streamsEach: c.streamsEach, lps: c.entry.LPs, events: c.entry.Events,
		orig: c.orig, sizes: c.sizes,
	}
}

// LP sets lp to the LP at a place, as NextLP does. What NextEvent returns afterwards is not
// defined: use contents of Again.
func (c *Contents) LP(at Place, lp *LP) error {
	c.at, c.lps = at.at, at.n
	_, err := c.NextLP(lp)
	return err
}

// Events moves on to the events. behind is the place after the last LP.
func (c *Contents) Events(behind Place) { c.at, c.lps = behind.at, 0 }
