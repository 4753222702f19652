// This file owns the times at which checkpoints of a running simulation are due, and the
// figures about late and missing ones.

package checkpoint

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ross-go/ross/internal/interval"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/timewarp"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// late counts checkpoints that were not stored when they were due. Rank 0 keeps it.
type late struct {
	waits    bool          // one is due, but the one before is still being written
	count    uint64        // number of late checkpoints for that reason
	virtual  float64       // maximum delay in virtual time
	Real     time.Duration // maximum delay in real time
	LeftOut  float64       // number of multiples of --io-virtual-interval without their own checkpoint
	reported bool          // the user has had a remark about it
}

// SetVirtual sets Virtual to the first multiple of the interval after a time.
func (r *Storing) SetVirtual(now float64) {
	r.Virtual = interval.After(now, r.Checkpoints.Run.Set.IOVirtualInterval)
	if k := r.Checkpoints.Keepers[0]; k.PE.Mode == settings.Sequential || k.PE.Checked { // it computes no GVT
		k.StoreAt, k.PE.Horizon = kernel.TimeBits(r.Virtual), 0 // the scheduler recomputes the horizon before the next event
	}
}

// PauseForCheckpoint is called before the first event at or after the time of a checkpoint.
func (k *Keeper) PauseForCheckpoint() {
	pe := k.PE
	pe.Wait, k.StoreAt, pe.Horizon = timewarp.WaitCheckpoint, kernel.Never, 0
	pe.StopBatch()
}

// due reports whether another checkpoint is due.
func (r *Storing) due(gvt float64) bool {
	return gvt >= r.Virtual || r.Interval > 0 && time.Since(r.Last) >= r.Interval
}

// Begins reports whether another checkpoint is due and can begin. It cannot while the one
// before is being written.
func (r *Storing) Begins(gvt float64) bool {
	if !r.due(gvt) {
		return false
	}
	if r.stage != storedNone || r.Busy.Load() {
		r.Late.waits = true
		return false
	}
	return true
}

// Begin gives the next checkpoint its name and its times, and computes when the one after it
// is due.
func (r *Storing) Begin(gvt float64) {
	c, now := r.next, time.Now()
	c.info.Clock, c.info.Created, c.name = gvt, now, rio.Numbered(r.Checkpoints.Run.Set.IOName, r.number)
	if r.Checkpoints.cluster.Rank == 0 {
		r.countLate(gvt, now.Sub(r.Last))
	}
	r.Last = now
	if r.Checkpoints.Run.Set.IOVirtualInterval > 0 {
		r.SetVirtual(gvt)
	}
	r.number++
	if most := r.Checkpoints.Run.Set.MostStored; most > 0 && r.number >= most {
		r.Interval = 0
	}
}

// countLate records how late the next checkpoint is; elapsed is the time since the one before.
// It tells the user about the first late one; the report has the number of all.
func (r *Storing) countLate(gvt float64, elapsed time.Duration) {
	l, cfg, why := &r.Late, &r.Checkpoints.Run.Set, ""
	if gvt >= r.Virtual {
		if passed := interval.UpTo(gvt, r.Virtual, cfg.IOVirtualInterval); passed > 0 {
			l.LeftOut += passed
			why = fmt.Sprintf("stands for all multiples of --io-virtual-interval=%g from %g on, because GVT passed them together", cfg.IOVirtualInterval, r.Virtual)
		}
	}
	if l.waits {
		l.waits = false
		l.count++
		if gvt >= r.Virtual {
			l.virtual = max(l.virtual, gvt-r.Virtual)
			why = fmt.Sprintf("comes late: it was due at time %g, when the one before was still being written", r.Virtual)
		}
		if by := elapsed - r.Interval; r.Interval > 0 && by > 0 {
			l.Real = max(l.Real, by)
			if gvt < r.Virtual {
				why = fmt.Sprintf("comes %.3g s late: the one before was still being written when it was due", by.Seconds())
			}
		}
	}
	if why != "" && !l.reported {
		l.reported = true
		r.Checkpoints.Run.Remark("checkpoint %s of time %g %s; later ones are counted in the report", filepath.Clean(r.next.name), gvt, why)
	}
}

// EndLate counts the checkpoint that was due but had not begun when the run ended.
func (r *Storing) EndLate() {
	if l := &r.Late; l.waits {
		l.waits = false
		l.LeftOut++
		if gvt := r.Checkpoints.Keepers[0].PE.Reached(); gvt >= r.Virtual {
			l.LeftOut += interval.UpTo(gvt, r.Virtual, r.Checkpoints.Run.Set.IOVirtualInterval)
		}
	}
}

// Figures returns the lines of the report.
func (l *late) Figures() (all []report.Figure) {
	if l.count > 0 {
		all = append(all, report.Figure{Label: "Checkpoints That Came Late", Value: strconv.FormatUint(l.count, 10)})
	}
	if l.virtual > 0 {
		all = append(all, report.Figure{Label: "Late by at Most (virtual time)", Value: strconv.FormatFloat(l.virtual, 'g', -1, 64)})
	}
	if l.Real > 0 {
		all = append(all, report.Figure{Label: "Late by at Most (s)", Value: strconv.FormatFloat(l.Real.Seconds(), 'f', 4, 64)})
	}
	if l.LeftOut > 0 {
		all = append(all, report.Figure{Label: "Checkpoints Left Out", Value: strconv.FormatFloat(l.LeftOut, 'f', 0, 64)})
	}
	return all
}
