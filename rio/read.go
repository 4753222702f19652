// This file owns Contents: the records of a partition.

package rio

// Contents are the records of a partition. One goroutine at a time may use them.
type Contents struct{}

// NextLP sets lp to the next LP; false after the last. The slices of lp point into the contents
// or are used again by the next call.
func (c *Contents) NextLP(lp *LP) (bool, error) { return false, errNotYet }

// NextEvent sets e to the next event; false after the last. LPs that NextLP has not returned are
// skipped.
func (c *Contents) NextEvent(e *Event) (bool, error) { return false, errNotYet }

// Lineage returns all tie-breakers of the event that NextEvent returned last, good until the
// next call.
func (c *Contents) Lineage() []float64 { return nil }
