// This file owns the hot loop of Time Warp (--synch=3, and 5 with GVT by the clock): events
// are handled as they come, before it is certain that nothing earlier will arrive
// (Jefferson, "Virtual time", TOPLAS 7(3), 1985).

package timewarp

import (
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/rng"
)

// mayHandle reports whether an event of a special LP may be handled. An event that cannot
// be undone has to wait until nothing earlier can arrive.
func (pe *PE) mayHandle(lp *kernel.LP, k event.Key, e *event.Event) bool {
	if lp.Type().Saving != kernel.SaveNever {
		return true
	}
	if pe.GVTIs != GVTUnsure && pe.IsReached(e) {
		if pe.hasReserve(e) {
			return true
		}
		pe.Queue.PutBack(k)
		pe.lackMemory(e)
		return false
	}
	pe.Queue.PutBack(k)
	pe.wait = WaitGVT
	pe.StopBatch()
	return false
}

// HandleOptimistic handles at most pe.Left events of the window. It is the hot loop of Time
// Warp. Package run has two loops like it that keep nothing to undo: handle of one PE, and handleWindow of all.
func (pe *PE) HandleOptimistic() {
	q, arena := pe.Queue, pe.Arena
	for pe.Left > 0 {
		k, ok := q.PopWindow()
		if !ok {
			return
		}
		i := k.Index()
		e := arena.At(i)
		if e.State != event.Pending && !pe.Survives(e, i) {
			continue
		}
		if k.TS >= pe.Horizon && !pe.Gate.Cross(k, e) {
			return
		}
		lp := pe.At(e.Dst)
		kp := lp.KP
		if kp.Special && lp.Special() && !pe.mayHandle(lp, k, e) {
			return
		}
		h := &kp.History
		start := h.Head
		if start+kernel.GroupWords > len(h.Buf) {
			if !kp.Room(kernel.GroupWords) && !pe.findRoom(kp, e) {
				q.PutBack(k)
				return
			}
			start = h.Head
		}
		pe.Left--
		if invariants.Enabled {
			pe.checkGVT(i, "is handled")
		}
		g := h.There(start)
		g.Event = i
		g.Back = uint32(start - h.Last)
		g.Flags = 0
		g.Draws, g.Ties = drawn(&lp.RNG.CLCG4), drawn(&lp.Core)
		g.Now = lp.Now
		h.Last, h.Head = start, start+kernel.GroupWords
		kp.Newest = k
		pe.Front = max(pe.Front, k.TS)
		e.State = event.Processed
		e.Bits = 0
		pe.Current = e
		pe.Running = lp
		lp.Now = e.Time
		lp.Processed++
		if lp.RNG.Keeps() {
			lp.SaveSpare()
		}
		if kp.Special && lp.Special() {
			pe.handleSpecial(lp, e)
		} else {
			lp.Event(lp.State, lp, event.Payload(e))
		}
		last := h.Last
		h.There(last).Size = uint32(h.Head - last)
		if pe.After != kernel.AfterNone {
			pe.afterEvent(lp, kp)
		}
	}
}

// drawn returns the number of draws from a generator. It is inlined into the hot loop, which Count itself is
// only in packages that import rng.
func drawn(g *rng.CLCG4) uint32 { return uint32(g.Count()) }

// findRoom is called when there is no memory for the history of event e, which has not been
// handled. It borrows some if that is little, or if undoing everything has not freed any either:
// GVT has reached the event then, so that the loan is short.
func (pe *PE) findRoom(kp *kernel.KP, e *event.Event) bool {
	if pe.mayBorrow() || pe.inVain(e) {
		kp.Lend(kernel.GroupWords)
		return true
	}
	pe.lackMemory(e)
	return false
}

// afterEvent does what a handler has left to do: undo its event, if that found no memory,
// and roll back for stragglers that it sent.
func (pe *PE) afterEvent(lp *kernel.LP, kp *kernel.KP) {
	pe.Current, pe.Running = nil, nil
	aborts := pe.After == kernel.AfterAbort
	if pe.After = kernel.AfterNone; aborts {
		pe.Abort(lp, kp)
	}
	pe.Settle()
}
