// This file owns the watch over chains of events without delay, where each sends the
// next. It reports where a model does not let time pass.

package kernel

import (
	"fmt"

	"github.com/ross-go/ross/internal/engine/event"
)

// longChain is the number of events without delay from which a chain is mentioned when a
// run is stopped or finds no memory.
const longChain = 1000

// Chain describes the longest chain of events without delay at the last time at which
// handlers of a PE have made a long one.
type Chain struct {
	Length uint32  // events; 0: there was no long chain
	lp     *LP     // that sent the last event
	Time   float64 // virtual time of the chain
}

// String describes the chain for error messages.
func (c Chain) String() string { return c.from(c.lp.Name()) }

// from describes the chain, whose LP has a name.
func (c *Chain) from(name string) string {
	return fmt.Sprintf("a chain of %d events without delay from %s at time %g", c.Length, name, c.Time)
}

// lengthen records that the event lp handles sends an event without delay to dst, which
// makes its chain this long. It reports whether a chain may be that long.
func (lp *LP) lengthen(length uint32, dst uint64, e *event.Event) bool {
	pe := lp.PE
	if length < pe.chainFrom {
		return true
	}
	if c := &pe.Chain; length >= longChain && (lp.Now != c.Time || length >= c.Length) {
		*c = Chain{length, lp, lp.Now}
	}
	if most := pe.Run.Set.MaxChain; most > 0 && uint64(length) > most {
		lp.Blame(ErrChain, "give events a delay, or raise --max-chain (0 for no limit) if the chain ends",
			"sent %s an event (%s) without delay, after a chain of %d of them", lp.NameFor(dst), pe.MessageOf(e).Name, length-1)
		return false
	}
	return true
}

// inChain returns a text about the long chain at the time of lp, or "" if there is none.
func (lp *LP) inChain() string {
	if c := &lp.PE.Chain; c.Length > 0 && c.Time == lp.Now {
		return ", in " + c.from(lp.NameFor(c.lp.ID))
	}
	return ""
}

// chainFrom returns the length from which lengthen looks at chains. most is the limit on
// their length, 0 for none.
func chainFrom(most uint64) uint32 {
	if most > 0 {
		return uint32(min(most, longChain))
	}
	return longChain
}
