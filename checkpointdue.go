// This file owns when checkpoints of a running simulation are due, and what is said of those
// that come late or not at all.

package ross

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ross-go/ross/internal/multiple"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// late counts checkpoints that did not come when they were due. Rank 0 keeps it.
type late struct {
	waits   bool          // one is due, and the one before is still being written
	count   uint64        // have come late for that reason
	virtual float64       // how late at most, in virtual time
	real    time.Duration // and in real time
	leftOut float64       // multiples of --io-virtual-interval that have no checkpoint of their own
	told    bool
}

// setVirtual finds the multiple of the interval that comes after a time.
func (r *storing) setVirtual(now float64) {
	r.virtual = multiple.After(now, r.sim.cfg.IOVirtualInterval)
	if pe := r.sim.pes[0]; pe.mode == sequential || pe.check != nil { // it has no GVT to wait for
		pe.storeAt = timeBits(r.virtual)
		pe.setHorizon()
	}
}

// comesToStore is called before the first event at or after the time of a checkpoint.
func (pe *PE) comesToStore() {
	pe.storeDue, pe.storeAt = true, never
	pe.setHorizon()
	pe.stopBatch()
}

// due reports whether it is time for another one.
func (r *storing) due(gvt float64) bool {
	return gvt >= r.virtual || r.interval > 0 && time.Since(r.last) >= r.interval
}

// begins reports whether another one is due and can begin. It cannot while the one before
// is being written.
func (r *storing) begins(gvt float64) bool {
	if !r.due(gvt) {
		return false
	}
	if r.stage != storedNone || r.busy.Load() {
		r.late.waits = true
		return false
	}
	return true
}

// begin gives the next one its name and its times, and finds out when the one after it is due.
func (r *storing) begin(gvt float64) {
	c, now := r.next, time.Now()
	c.info.Clock, c.info.Created, c.name = gvt, now, rio.Numbered(r.sim.cfg.IOName, r.number)
	if r.sim.rank == 0 {
		r.countLate(gvt, now.Sub(r.last))
	}
	r.last = now
	if r.sim.cfg.IOVirtualInterval > 0 {
		r.setVirtual(gvt)
	}
	r.number++
}

// countLate notes how late the next checkpoint comes, which is made so long after the one before. It
// tells the user of the first that is late; the report has the number of all.
func (r *storing) countLate(gvt float64, elapsed time.Duration) {
	l, cfg, why := &r.late, &r.sim.cfg, ""
	if gvt >= r.virtual {
		if passed := multiple.UpTo(gvt, r.virtual, cfg.IOVirtualInterval); passed > 0 {
			l.leftOut += passed
			why = fmt.Sprintf("stands for all multiples of --io-virtual-interval=%g from %g on, which GVT has passed at once", cfg.IOVirtualInterval, r.virtual)
		}
	}
	if l.waits {
		l.waits = false
		l.count++
		if gvt >= r.virtual {
			l.virtual = max(l.virtual, gvt-r.virtual)
			why = fmt.Sprintf("comes late: it was due at time %g, when the one before was still being written", r.virtual)
		}
		if by := elapsed - r.interval; r.interval > 0 && by > 0 {
			l.real = max(l.real, by)
			if gvt < r.virtual {
				why = fmt.Sprintf("comes %.3g s late: the one before was still being written when it was due", by.Seconds())
			}
		}
	}
	if why != "" && !l.told {
		l.told = true
		r.sim.remark("checkpoint %s of time %g %s; later ones are counted in the report", filepath.Clean(r.next.name), gvt, why)
	}
}

// endLate counts the one that was due when the run ended, and still waited.
func (r *storing) endLate() {
	if l := &r.late; l.waits {
		l.waits = false
		l.leftOut++
		if gvt := r.sim.pes[0].reached(); gvt >= r.virtual {
			l.leftOut += multiple.UpTo(gvt, r.virtual, r.sim.cfg.IOVirtualInterval)
		}
	}
}

// figures returns the lines of the report.
func (l *late) figures() (all []report.Figure) {
	if l.count > 0 {
		all = append(all, report.Figure{Label: "Checkpoints That Came Late", Value: strconv.FormatUint(l.count, 10)})
	}
	if l.virtual > 0 {
		all = append(all, report.Figure{Label: "Late by at Most (virtual time)", Value: strconv.FormatFloat(l.virtual, 'g', -1, 64)})
	}
	if l.real > 0 {
		all = append(all, report.Figure{Label: "Late by at Most (s)", Value: strconv.FormatFloat(l.real.Seconds(), 'f', 4, 64)})
	}
	if l.leftOut > 0 {
		all = append(all, report.Figure{Label: "Checkpoints Left Out", Value: strconv.FormatFloat(l.leftOut, 'f', 0, 64)})
	}
	return all
}
