// This file owns the times at which checkpoints of a running simulation are due, and the
// figures about late and missing ones.

package checkpoint

import (
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/num/interval"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// late counts checkpoints that were not stored when they were due. Rank 0 keeps it.
type late struct {
	waits bool          // one is due by real time, but the one before is still being written
	count uint64        // number of late checkpoints for that reason
	Real  time.Duration // maximum delay
	// number of checkpoints that were due and not stored, mostly of multiples of --io-virtual-interval
	LeftOut  float64
	told     float64 // number of those that the user has had a remark about
	reported bool    // the user has had a remark about one that was late
}

// SetVirtual sets the time of the next checkpoint of the virtual interval to its first multiple after a time. It is
// called before the PEs begin.
func (r *Storing) SetVirtual(now float64) {
	r.Virtual = r.after(now)
	for _, k := range r.Checkpoints.Keepers {
		k.storeAfter(now)
	}
}

// after returns the first multiple of the virtual interval after a time, or +Inf if that is not before the end.
func (r *Storing) after(now float64) float64 {
	if every := r.Checkpoints.Run.Set.Checkpoints.VirtualInterval; every > 0 {
		if at := interval.After(now, every); at < r.Checkpoints.Keepers[0].PE.End {
			return at
		}
	}
	return math.Inf(1)
}

// storeAfter sets from when on the PE must not handle events, until there is a checkpoint without them. All PEs
// have the same time at the same GVT.
func (k *Keeper) storeAfter(now float64) {
	k.StoreAt = kernel.Never
	if at := k.Checkpoints.Running.after(now); !math.IsInf(at, 1) {
		k.StoreAt = kernel.TimeBits(at)
	}
	k.PE.LookNow() // the scheduler computes it before the next event
}

// PauseForCheckpoint is called in a run that computes no GVT before the first event or call of a hook at or after
// the time of a checkpoint. next is the time of that.
func (k *Keeper) PauseForCheckpoint(next float64) {
	pe := k.PE
	k.StoreAt = kernel.Never
	pe.WaitFor(timewarp.WaitCheckpoint)
	pe.LookNow()
	k.next = next
	pe.StopBatch()
}

// IsDue reports whether GVT has come to the time of a checkpoint of the virtual interval. All PEs find the same.
func (k *Keeper) IsDue() bool { return kernel.TimeBits(k.PE.GVT) >= k.StoreAt }

// beforeEnd returns a time, or the last one before the end if it is not before it.
func (k *Keeper) beforeEnd(t float64) float64 { return min(t, math.Nextafter(k.PE.End, 0)) }

// due reports whether another checkpoint is due.
func (r *Storing) due(gvt float64) bool {
	return gvt >= r.Virtual || r.Interval > 0 && time.Since(r.Last) >= r.Interval
}

// writes reports whether a checkpoint is being written.
func (r *Storing) writes() bool { return r.stage != storedNone || r.Busy.Load() }

// Begins reports whether another checkpoint is due and can begin. It cannot while the one
// before is being written: the simulation waits for that at a time of the virtual interval, and else goes on.
func (r *Storing) Begins(gvt float64) bool {
	if !r.due(gvt) {
		return false
	}
	if r.writes() {
		r.Late.waits = r.Late.waits || gvt < r.Virtual
		return false
	}
	return true
}

// Begin gives the next checkpoint its name and its times, and computes when the one after it
// is due. No event before gvt is left.
func (r *Storing) Begin(gvt float64) {
	c, now := r.next, time.Now()
	c.info.Clock, c.info.Created = min(gvt, r.Virtual), now
	c.name = rio.Numbered(r.Checkpoints.Run.Set.Checkpoints.Name, r.number)
	if r.Checkpoints.cluster.Rank == 0 {
		r.countLate(gvt, now.Sub(r.Last))
	}
	if r.Last = now; gvt >= r.Virtual {
		r.Virtual = r.after(gvt)
	}
	r.number++
	if most := r.Checkpoints.Run.Set.MostStored; most > 0 && r.number >= most {
		r.Interval = 0
	}
}

// countLate records how late the next checkpoint is, and for how many multiples of the virtual interval it stands;
// elapsed is the time since the one before. It tells the user about the first of each; the report has the number of
// all.
func (r *Storing) countLate(gvt float64, elapsed time.Duration) {
	l, run, name := &r.Late, r.Checkpoints.Run, filepath.Clean(r.next.name)
	if gvt >= r.Virtual {
		every := run.Set.Checkpoints.VirtualInterval
		if more := interval.UpTo(gvt, r.Virtual, every); more > 0 {
			if l.LeftOut += more; l.told == 0 {
				l.told = more
				run.Remark(
					"checkpoint %s of time %g stands for all multiples of --io-virtual-interval=%g up to %g, because nothing happens in between", name, r.Virtual, every, gvt)
			}
		}
	}
	if !l.waits {
		return
	}
	l.waits = false
	by := elapsed - r.Interval
	if r.Interval == 0 || by <= 0 {
		return
	}
	l.count++
	if l.Real = max(l.Real, by); !l.reported {
		l.reported = true
		run.Remark(
			"checkpoint %s of time %g comes %.3g s late: the one before was still being written when it was due; later ones are counted in the report",
			name, r.next.info.Clock, by.Seconds())
	}
}

// EndLate counts the checkpoints that were due but had not begun when the run ended, and tells the user about the
// multiples of the virtual interval without a checkpoint of their own.
func (r *Storing) EndLate() {
	if r.Checkpoints.cluster.Rank != 0 {
		return
	}
	l, run, k := &r.Late, r.Checkpoints.Run, r.Checkpoints.Keepers[0]
	if l.waits {
		l.waits = false
		l.LeftOut++
		l.told++ // it is not of the virtual interval
	}
	every := run.Set.Checkpoints.VirtualInterval
	if more := l.LeftOut - l.told; more > 0 {
		run.Remark(
			"checkpoints: %.0f more multiples of --io-virtual-interval=%g have none of their own, because nothing happens between them and the one before", more, every)
	}
	if at := k.beforeEnd(k.PE.Reached()); at >= r.Virtual {
		l.LeftOut += 1 + interval.UpTo(at, r.Virtual, every)
		run.Remark(
			"checkpoints: the multiples of --io-virtual-interval=%g from %g on have none: the simulation was over before they could be stored", every, r.Virtual)
	}
}

// Figures returns the lines of the report.
func (l *late) Figures() (all []report.Figure) {
	if l.count > 0 {
		all = append(all, report.Figure{Label: "Checkpoints That Came Late", Value: strconv.FormatUint(l.count, 10)})
	}
	if l.Real > 0 {
		all = append(all, report.Figure{Label: "Late by at Most (s)", Value: strconv.FormatFloat(l.Real.Seconds(), 'f', 4,
			64)})
	}
	if l.LeftOut > 0 {
		all = append(all, report.Figure{Label: "Checkpoints Left Out", Value: strconv.FormatFloat(l.LeftOut, 'f', 0, 64)})
	}
	return all
}
