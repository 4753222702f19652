// This file owns fossil collection: events that GVT has passed are committed, and their
// memory is used again.

package timewarp

import (
	"math"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// FossilCollect commits the events that GVT has passed, KP by KP, and returns their number.
func (pe *PE) FossilCollect() int {
	whole := pe.Counts.Enter()
	defer func() { pe.Counts.Leave(whole, &pe.Counts.FossilSeconds) }()
	pe.Rest() // Commit is not part of the event handled last
	if pe.Trace != nil {
		pe.Trace.Now()
	}
	n, lapsed := 0, 0
	for _, kp := range pe.Mine {
		if !kp.History.Empty() {
			all, not := pe.FossilCollectKP(kp)
			n, lapsed = n+all, lapsed+not
		}
	}
	pe.AddUp()
	pe.Counts.Fossils++
	pe.Counts.Committed += uint64(n - lapsed)
	pe.Uncommitted -= n
	return n
}

// FossilCollectKP commits the events of a KP that GVT has passed, oldest first, and frees
// them. It returns their number, and how many of them had lapsed, which count nowhere else.
func (pe *PE) FossilCollectKP(kp *kernel.KP) (n, lapsed int) {
	h := &kp.History
	arena, bound := pe.Arena, &pe.Bound
	quick := pe.Trace.IsPlain()
	kept := math.MaxInt // after an error the model sees no more events: they count as lost
	if pe.Err != nil {
		kept = 0
	}
	for {
		if !pe.Observe {
			plain := pe.freePlain(h)
			if n += plain; plain > 0 && pe.Err != nil {
				kept = min(kept, n-1)
			}
		}
		if h.Tail == h.Head {
			break
		}
		g := h.At(h.Tail)
		e := arena.At(g.Event)
		if ts := math.Float64bits(e.Time); ts >= bound.Key.TS &&
			(ts > bound.Key.TS || !bound.Passed(e, pe.Base(), arena.Lines)) {
			break
		}
		if invariants.Enabled {
			invariants.Check(e.State == event.Processed, "event %d committed in state %d", g.Event, e.State)
		}
		if g.Flags != 0 {
			if pe.commitEffects(kp, g.Flags, e); pe.Err != nil {
				kept = min(kept, n)
			}
		}
		if g.Flags&kernel.GroupLapsed != 0 { // nobody sees it
			lapsed++
			if kept < math.MaxInt {
				kept++
			}
		} else if pe.Observe {
			if quick {
				pe.TracePlain(e)
			} else if pe.Committed(pe.At(e.Dst), e, g.Flags&kernel.GroupIdle == 0, h.Tail); pe.Err != nil {
				kept = min(kept, n+1)
			}
		}
		h.Tail += int(g.Size)
		arena.Free(e, g.Event)
		n++
	}
	if h.Tail == h.Head {
		h.Tail, h.Last, h.Head = 0, 0, 0
		kp.Repay()
		kp.Newest = event.Key{}
	}
	pe.Counts.Lost += uint64(max(n-kept, 0))
	return n, lapsed
}

// freePlain frees the oldest events of a history that GVT has passed, and makes their recordings, up to one that takes
// more than that or fails. It returns their number. Where it is in the history is kept in a register: through memory
// each event would wait for the one before it.
func (pe *PE) freePlain(h *kernel.History) (n int) {
	arena, ts := pe.Arena, pe.Bound.Key.TS
	at, head := h.Tail, h.Head
	for at != head {
		g := h.There(at)
		i := g.Event
		e := arena.At(i)
		if math.Float64bits(e.Time) >= ts || g.Flags&kernel.GroupSpecial != 0 || !arena.IsPlain(e, i) {
			break
		}
		if g.Flags != 0 {
			pe.CommitRecordings(h, at, g.Flags, e)
		}
		arena.FreePlain(e, i)
		at += int(g.Size)
		n++
		if pe.Err != nil {
			break
		}
	}
	h.Tail = at
	return n
}

// commitEffects commits what the oldest event of a KP did, except for its sends on this PE. flags
// are those of its group.
func (pe *PE) commitEffects(kp *kernel.KP, flags uint32, e *event.Event) {
	h := &kp.History
	if flags&kernel.GroupUnlinked != 0 {
		pe.CommitUnlinkedRecordings(h, h.Tail, e)
	} else {
		pe.CommitRecordings(h, h.Tail, flags, e)
	}
	if flags&kernel.GroupWork != 0 {
		pe.commitRecords(kp, h.Tail, e)
	}
}
