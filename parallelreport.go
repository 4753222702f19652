// This file owns the lines of the report that tell how a parallel run went.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/report"
	"strconv"
	"strings"
)

// peFigures is what the report says of a PE, of whatever rank: plain numbers, so that
// they go from rank to rank as they are.
type peFigures struct {
	totals
	id       PEID
	seconds  float64 // in the loop
	window   int
	interval int
	pending  uint64 // most at once
}

func (pe *PE) figures() peFigures {
	return peFigures{totals: pe.counts.totals, id: pe.id, seconds: pe.clock.seconds,
		window: pe.pace.window, interval: pe.pace.interval, pending: pe.maxPending()}
}

// parallelFigures returns what the report says of the PEs of a parallel run after
// ROSS's lines.
func (s *Simulation) parallelFigures(pes []peFigures) (all []report.Figure) {
	add := func(label, format string, args ...any) {
		all = append(all, report.Figure{Label: label, Value: fmt.Sprintf(format, args...)})
	}
	c, window, share := newCounts().totals, unlimited, 0.0
	for i := range pes {
		p := &pes[i]
		p.addTo(&c)
		window = min(window, p.window)
		share = max(share, p.roundSeconds()/max(p.seconds, 1e-9))
		if len(pes) <= mostListed {
			add(fmt.Sprintf("PE %d: Committed, Rolled Back, Efficiency", p.id), "%d, %d, %.2f %%",
				p.processed-p.undone, p.undone, report.Efficiency(p.processed, p.undone))
		}
	}
	isOptimistic := s.cfg.mode() == optimistic
	if isOptimistic {
		add("Rollback Lengths (events: rollbacks)", "%s", c.histogram())
		add("Rollback Length, Mean (events)", "%.2f", float64(c.rolled)/float64(max(c.primary+c.secondary, 1)))
		add("Events Cancelled, by Anti-Messages", "%d, %d", c.cancelled, c.antis)
		add("Events Uncommitted, Most on a PE", "%d", c.uncommitted)
		add("Events Ignored by Suspended LPs", "%d", c.ignored)
	}
	if c.remote > 0 {
		add("Offsets between PEs: Least, Mean, Largest", "%g, %g, %g", c.leastOffset, c.sumOffset/float64(c.remote), c.topOffset)
	}
	first := &pes[0]
	add("GVT Computations per Second", "%.0f", float64(first.gvts)/max(first.seconds, 1e-9))
	add("GVT Share of Running Time, Largest of a PE", "%.2f %%", 100*share)
	if s.cfg.Synch != 5 { // where it is by the clock
		add("GVT Interval, Adapted (events)", "%d", first.interval)
	}
	if s.cfg.GVTHook != nil {
		add("GVT Hook Time, Most on a PE (seconds)", "%.4f", c.hookSeconds)
	}
	if isOptimistic {
		add("Optimism Window: Last, Least (events)", "%s, %s", windowText(window), windowText(c.leastWindow))
		add("Optimism Window Narrowed", "%d", c.narrowed)
		add("Memory Shortages", "%d", c.shortages)
	}
	add("Idle Time, Sum over PEs (seconds)", "%.4f", c.idleSeconds)
	return all
}

// mostListed is how many PEs there may be for each to have a line.
const mostListed = 64

func windowText(w int) string {
	if w == unlimited {
		return "unlimited"
	}
	return strconv.Itoa(w)
}

// addTo adds the figures of a PE to those of all: sums, and extremes where a sum
// has no meaning.
func (p *totals) addTo(c *totals) {
	c.cancelled += p.cancelled
	c.antis += p.antis
	c.rolled += p.rolled
	c.hookSeconds = max(c.hookSeconds, p.hookSeconds)
	c.primary += p.primary
	c.secondary += p.secondary
	c.ignored += p.ignored
	c.remote += p.remote
	c.shortages += p.shortages
	c.narrowed += p.narrowed
	c.idleSeconds += p.idleSeconds
	c.sumOffset += p.sumOffset
	c.leastOffset = min(c.leastOffset, p.leastOffset)
	c.topOffset = max(c.topOffset, p.topOffset)
	c.uncommitted = max(c.uncommitted, p.uncommitted)
	c.leastWindow = min(c.leastWindow, p.leastWindow)
	for i, n := range p.lengths {
		c.lengths[i] += n
	}
}

// histogram says how many rollbacks undid 1, 2 to 3, 4 to 7, ... events.
func (c *totals) histogram() string {
	var parts []string
	for i, n := range c.lengths {
		if i == 0 || n == 0 {
			continue
		}
		from, to := uint64(1)<<(i-1), uint64(1)<<i-1
		if from == to {
			parts = append(parts, fmt.Sprintf("%d: %d", from, n))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d: %d", from, to, n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
