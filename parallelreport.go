// This file owns the lines of the report that tell how a parallel run went.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/report"
	"strconv"
)

// peFigures is what the report says of a PE, of whatever rank: plain numbers, so that
// they go from rank to rank as they are.
type peFigures struct {
	meter.Totals
	id       PEID
	seconds  float64 // in the loop
	window   int
	interval int
	pending  uint64 // most at once
}

func (pe *PE) figures() peFigures {
	return peFigures{Totals: pe.counts.Totals, id: pe.id, seconds: pe.clock.Seconds,
		window: pe.pace.window, interval: pe.pace.interval, pending: pe.maxPending()}
}

// parallelFigures returns what the report says of the PEs of a parallel run after
// ROSS's lines.
func (s *Simulation) parallelFigures(pes []peFigures) (all []report.Figure) {
	add := func(label, format string, args ...any) {
		all = append(all, report.Figure{Label: label, Value: fmt.Sprintf(format, args...)})
	}
	c, window, share := meter.NewCounts().Totals, unlimited, 0.0
	for i := range pes {
		p := &pes[i]
		p.AddTo(&c)
		window = min(window, p.window)
		share = max(share, p.RoundSeconds()/max(p.seconds, 1e-9))
		if len(pes) <= mostListed {
			add(fmt.Sprintf("PE %d: Committed, Rolled Back, Efficiency", p.id), "%d, %d, %.2f %%",
				p.Processed-p.Undone, p.Undone, report.Efficiency(p.Processed, p.Undone))
		}
	}
	isOptimistic := s.cfg.mode() == optimistic
	if isOptimistic {
		add("Rollback Lengths (events: rollbacks)", "%s", c.Histogram())
		add("Rollback Length, Mean (events)", "%.2f", float64(c.Rolled)/float64(max(c.Primary+c.Secondary, 1)))
		add("Events Cancelled, by Anti-Messages", "%d, %d", c.Cancelled, c.Antis)
		add("Events Uncommitted, Most on a PE", "%d", c.Uncommitted)
		add("Events Ignored by Suspended LPs", "%d", c.Ignored)
	}
	if c.Remote > 0 {
		add("Offsets between PEs: Least, Mean, Largest", "%g, %g, %g", c.LeastOffset, c.SumOffset/float64(c.Remote), c.TopOffset)
	}
	first := &pes[0]
	add("GVT Computations per Second", "%.0f", float64(first.GVTs)/max(first.seconds, 1e-9))
	add("GVT Share of Running Time, Largest of a PE", "%.2f %%", 100*share)
	if s.cfg.Synch != OptimisticRealTime { // where it is by the clock
		add("GVT Interval, Adapted (events)", "%d", first.interval)
	}
	if s.cfg.GVTHook != nil {
		add("GVT Hook Time, Most on a PE (seconds)", "%.4f", c.HookSeconds)
	}
	if isOptimistic {
		add("Optimism Window: Last, Least (events)", "%s, %s", windowText(window), windowText(c.LeastWindow))
		add("Optimism Window Narrowed", "%d", c.Narrowed)
		add("Memory Shortages", "%d", c.Shortages)
	}
	add("Idle Time, Sum over PEs (seconds)", "%.4f", c.IdleSeconds)
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
