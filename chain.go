// This file owns the watch over chains of events without delay, each of which sends the
// next: a model that never lets time pass is told where it does so.

package ross

import (
	"fmt"
	"math"
)

// longChain is the number of events without delay from which on a chain is worth a word
// when a run is stopped, or finds no memory.
const longChain = 1000

// chain is the longest chain of events without delay that handlers of a PE have made.
type chain struct {
	length uint32 // 0: none is long
	lp     LPID
	time   float64
}

func (c chain) String() string {
	return fmt.Sprintf("a chain of %d events without delay from LP %d at time %g", c.length, c.lp, c.time)
}

// chainFrom returns the length from which on chains are looked at.
func (c *Config) chainFrom() uint32 {
	if c.MaxChain > 0 {
		return uint32(min(c.MaxChain, longChain))
	}
	return longChain
}

// lengthen notes that the event which lp handles sends one without delay, the last of a
// chain of so many. It reports whether the chain may be that long.
func (lp *LP) lengthen(length uint32, dst LPID) bool {
	pe := lp.pe
	if length < pe.chainFrom {
		return true
	}
	if c := &pe.chain; length >= longChain && (lp.now != c.time || length >= c.length) {
		*c = chain{length, lp.id, lp.now}
	}
	if most := pe.sim.cfg.MaxChain; most > 0 && uint64(length) > most {
		lp.blame(ErrChain, "give events a delay, or raise --max-chain (0 for no limit) if the chain ends",
			"sent LP %d an event without delay, after a chain of %d of them", dst, length-1)
		return false
	}
	return true
}

// inChain returns a text about the chain without delay that is under way, "" if none is.
func (pe *PE) inChain(time float64) string {
	if c := pe.chain; c.length > 0 && c.time == time {
		return ", in " + c.String()
	}
	return ""
}

// stoppedInChain adds to the error of a run that was stopped where time has not gone on.
func (s *Simulation) stoppedInChain(err error) error {
	longest, at := chain{}, math.Inf(1)
	for _, pe := range s.pes {
		if at = min(at, pe.gvt); pe.chain.length > longest.length {
			longest = pe.chain
		}
	}
	if err == nil || longest.length == 0 || longest.time != at {
		return err
	}
	return fmt.Errorf("%w: there was %v", err, longest)
}
