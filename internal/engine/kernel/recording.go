// This file owns recordings: what a handler tells the statistics of its LP. They count when
// the event is committed, and are dropped if it is undone.

package kernel

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/num/statistic"
)

// The payload of TagRecord: the offset of the statistic in the state, the number of words from
// this recording to the next one of the event or 0, and the operation.
const (
	recordOffBits = 32 // for statistic.MaxOffset
	recordGapBits = 21
	recordOffMask = 1<<recordOffBits - 1
	recordGapMask = (1<<recordGapBits - 1) << recordOffBits
	recordOpShift = recordOffBits + recordGapBits
)

// The flags of a group have the number of words from its beginning to its first recording.
const (
	groupRecordsShift = 8
	groupRecordsMost  = 1<<(32-groupRecordsShift) - 1
)

// Record makes a recording for the statistic at p, which is in the state of lp. Unless the
// operation is OpCount, the word is that of a number, which must be finite.
func (lp *LP) Record(op statistic.Op, p unsafe.Pointer, word uint64) {
	pe, off := lp.PE, uintptr(p)-uintptr(lp.State)
	if off >= lp.Type().StateSize || op != statistic.OpCount && word&infinite == infinite {
		lp.refuseRecord(word, off < lp.Type().StateSize)
		return
	}
	if pe.KeepsHistory() && pe.Current != nil {
		if pe.Running == lp {
			kp := lp.KP
			h := &kp.History
			if h.Head+2 > len(h.Buf) {
				kp.Grow(2)
			}
			at := h.Head
			to := h.Buf[at : at+2 : len(h.Buf)]
			to[0], to[1] = word, TagRecord<<TagShift|uint64(op)<<recordOpShift|uint64(off)
			h.Head = at + 2
			if g := h.There(h.Last); g.Flags < 1<<groupRecordsShift && at-h.Last <= groupRecordsMost {
				g.Flags |= uint32(at-h.Last) << groupRecordsShift // the first one
				kp.recorded = at - h.Last
				return
			}
			kp.link(at - h.Last)
			return
		}
		if !pe.commits || pe.Shown != lp {
			lp.Blame(ErrRecord, "record in Event or Commit; what is undone is not recorded, so Reverse has nothing to do",
				"recorded outside of Event and Commit")
			return
		}
	}
	pe.sighting.noteRecording(op, off, word)
	if !pe.Figures.Apply(op, lp.State, off, word, lp.Now, &lp.Type().Figures) {
		lp.refuseRecord(word, true)
		return
	}
	pe.direct = !pe.Undoes() && pe.Current != nil && pe.Running == lp && lp.Now >= pe.Figures.From && pe.sighting == nil
	if !pe.direct {
		pe.AddUp()
	}
}

// AddUp adds what recordings have left to batches (statistic.Store). Those of Event are left until the scheduler has
// handled or committed some events. Nothing is left when another function of the model runs.
func (pe *PE) AddUp() {
	if pe.Figures != nil {
		pe.Figures.AddUp()
	}
}

// Direct reports whether an operation on the statistic at p may be made at once, in place of Record:
// it is in the state of lp, Event runs and is never undone, and the warm-up is over.
func (lp *LP) Direct(p unsafe.Pointer) bool {
	return lp.PE.direct && uintptr(p)-uintptr(lp.State) < lp.Type().StateSize
}

// RecordSlowly has Direct be false until Record finds that it may be true. LPs that are shown after
// the last event may not have reached the end of the warm-up.
func (pe *PE) RecordSlowly() { pe.direct = false }

// infinite are the bits of infinity. A number that has them all is not finite.
const infinite = 0x7ff << 52

// refuseRecord reports a recording of a number that is not finite, or that takes a Level where it is
// not; or, if it is not in the state, a recording elsewhere.
func (lp *LP) refuseRecord(word uint64, inState bool) {
	if inState && word&infinite != infinite {
		lp.Blame(ErrRecord, keepFinite, tooLarge, math.Float64frombits(word))
		return
	}
	if inState {
		lp.Blame(ErrRecord, "record finite numbers", "recorded %g", math.Float64frombits(word))
		return
	}
	lp.Blame(ErrRecord,
		"record for the LP whose handler runs, in statistics that are fields of its state or of arrays and structs in it",
		"recorded in a statistic that is not in its state")
}

// What is said about a Level whose value would not be finite.
const (
	tooLarge   = "added %g to a Level, which is then beyond the largest float64"
	keepFinite = "keep the values of levels finite"
)

// overflows reports that a committed event has added to a Level what refuseRecord would have refused.
func (lp *LP) overflows(word uint64, e *event.Event) {
	now, current := lp.Now, lp.PE.Current
	lp.Now, lp.PE.Current = e.Time, e
	m := lp.mistake(ErrRecord, keepFinite, fmt.Sprintf(tooLarge, math.Float64frombits(word)))
	lp.Now, lp.PE.Current = now, current
	lp.PE.Fail(lp.errorOf(m))
}

// link links a recording, a number of words from the beginning of its group, to the one before, so
// that commit goes from one to the next without looking at other records. If they are too far apart
// for that, commit looks at all.
func (kp *KP) link(here int) {
	h := &kp.History
	g, last := h.At(h.Last), kp.recorded
	kp.recorded = here
	switch {
	case g.Flags&GroupUnlinked != 0:
	case g.Flags>>groupRecordsShift != 0 && here-last <= recordGapMask>>recordOffBits:
		h.Buf[h.Last+last+1] |= uint64(here-last) << recordOffBits
	case g.Flags>>groupRecordsShift == 0 && here <= groupRecordsMost:
		g.Flags |= uint32(here) << groupRecordsShift
	default:
		g.Flags |= GroupUnlinked
	}
}

// CommitRecordings makes the recordings of a committed event, whose group begins at a word of the
// history, in the order in which its handler made them.
func (pe *PE) CommitRecordings(h *History, at int, flags uint32, e *event.Event) {
	lp, figures := pe.At(e.Dst), pe.Figures
	state, fields, now := lp.State, &lp.Type().Figures, e.Time
	for gap := int(flags >> groupRecordsShift); gap != 0; {
		at += gap
		r := h.Buf[at : at+2 : len(h.Buf)]
		gap = int(r[1] & recordGapMask >> recordOffBits)
		if !figures.Apply(statistic.Op(PayloadOf(r[1])>>recordOpShift), state, uintptr(r[1]&recordOffMask), r[0], now,
			fields) {
			lp.overflows(r[0], e)
		}
	}
}

// CommitUnlinkedRecordings is CommitRecordings for recordings that are not linked.
func (pe *PE) CommitUnlinkedRecordings(h *History, at int, e *event.Event) {
	var all []int
	for r := h.Group(at); r.Next(); {
		if r.Tag == TagRecord {
			all = append(all, r.At())
		}
	}
	lp := pe.At(e.Dst)
	for _, i := range slices.Backward(all) {
		r := h.Buf[i : i+2]
		if !pe.Figures.Apply(statistic.Op(PayloadOf(r[1])>>recordOpShift), lp.State, uintptr(r[1]&recordOffMask), r[0],
			e.Time, &lp.Type().Figures) {
			lp.overflows(r[0], e)
		}
	}
}

// Recorded returns the record of a recording without what says where the next one is.
func Recorded(what uint64) uint64 { return what &^ recordGapMask }
