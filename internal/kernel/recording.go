// This file owns recordings: what a handler tells the statistics of its LP. They count when
// the event is committed, and are dropped if it is undone.

package kernel

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/statistic"
)

// The payload of TagRecord: the operation, and the offset of the statistic in the state.
const (
	recordOpShift = 48
	recordOffMask = 1<<recordOpShift - 1
)

// Record makes a recording for the statistic at p, which is in the state of lp.
func (lp *LP) Record(op statistic.Op, p unsafe.Pointer, word uint64) {
	pe, off := lp.PE, uintptr(p)-uintptr(lp.State)
	if off >= lp.Type.StateSize {
		lp.Blame(ErrRecord, "record for the LP whose handler runs, in statistics that are fields of its state or of arrays and structs in it",
			"recorded in a statistic that is not in its state")
		return
	}
	if pe.Mode == settings.Optimistic && pe.Current != nil {
		if pe.Running == lp {
			h := &lp.KP.History
			if h.Head+2 > len(h.Buf) {
				lp.KP.Grow(2)
			}
			to := h.Buf[h.Head : h.Head+2 : len(h.Buf)]
			to[0], to[1] = word, TagRecord<<TagShift|uint64(op)<<recordOpShift|uint64(off)
			h.Head += 2
			h.At(h.Last).Flags |= GroupWork
			return
		}
		if !pe.Commits || pe.Shown != lp {
			lp.Blame(ErrRecord, "record in Event or Commit; what is undone is not recorded, so Reverse has nothing to do", "recorded outside of Event and Commit")
			return
		}
	}
	pe.Figures.Apply(op, lp.State, off, word, lp.Now, lp.Type.Figures)
}

// RecordNumber makes a recording of a number, which must be finite.
func (lp *LP) RecordNumber(op statistic.Op, p unsafe.Pointer, x float64) {
	if x-x != 0 {
		lp.Blame(ErrRecord, "record finite numbers", "recorded %g", x)
		return
	}
	lp.Record(op, p, math.Float64bits(x))
}

// ApplyRecording makes the recording of a committed event at virtual time now. what is the
// payload of its record.
func (lp *LP) ApplyRecording(what, word uint64, now float64) {
	lp.PE.Figures.Apply(statistic.Op(what>>recordOpShift), lp.State, uintptr(what&recordOffMask), word, now, lp.Type.Figures)
}
