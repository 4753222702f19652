// This file owns the optimistic scheduler (--synch=3, and 5 with GVT by the
// clock): events are handled as they come, before it is certain that nothing
// earlier will arrive (Jefferson, "Virtual time", TOPLAS 7(3), 1985).

package ross

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/rng"
)

// handleOptimistic handles at most pe.left events of the window. It is the hot
// loop of Time Warp.
func (pe *PE) handleOptimistic() {
	q, arena := pe.q, pe.arena
	for pe.left > 0 {
		k, ok := q.PopWindow()
		if !ok {
			return
		}
		i := k.Index()
		e := arena.At(i)
		if e.State != event.Pending {
			pe.dropCancelled(e, i)
			continue
		}
		if k.TS >= pe.horizon && !pe.cross(k, e) {
			return
		}
		lp := pe.at(e.Dst)
		kp := lp.kp
		if kp.special && lp.special && !pe.mayHandle(lp, k, e) {
			return
		}
		h := &kp.hist
		start := h.head
		if start+groupWords > len(h.buf) {
			if !kp.room(groupWords) && !pe.findRoom(kp, e) {
				q.PutBack(k)
				return
			}
			start = h.head
		}
		pe.left--
		if invariants.Enabled {
			pe.checkGVT(i, "is handled")
		}
		g := h.at(start)
		g.event, g.back, g.flags = i, uint32(start-h.last), 0
		// Word by word: assigning the structs goes through overlapping moves,
		// which processors cannot forward from store to load.
		copyGenerator(&g.rng, &lp.rng.CLCG4)
		copyGenerator(&g.core, &lp.core)
		g.now = lp.now
		h.last, h.head = start, start+groupWords
		kp.newest = k
		pe.front = max(pe.front, k.TS)
		e.State = event.Processed
		e.Bits = 0
		pe.cur = e
		pe.running = lp
		lp.now = e.Time
		lp.processed++
		if lp.rng.Keeps() && len(lp.more) == 0 {
			lp.saveStreams()
		}
		if kp.special && lp.special {
			pe.handleSpecial(lp, e)
		} else {
			lp.event(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
		}
		h.at(h.last).size = uint32(h.head - h.last)
		if pe.after {
			pe.afterEvent(lp, kp)
		}
	}
}

// copyGenerator copies a generator in three words.
func copyGenerator(to, from *rng.CLCG4) {
	t, f := (*[3]uint64)(unsafe.Pointer(to)), (*[3]uint64)(unsafe.Pointer(from))
	a, b, c := f[0], f[1], f[2]
	t[0], t[1], t[2] = a, b, c
}

var _ [0]struct{} = [unsafe.Sizeof(rng.CLCG4{}) - 24]struct{}{}

// findRoom is called when there is no memory for the history of event e, which has
// not been handled. If even undoing everything has not given any, some is lent: GVT
// has reached the event, so it is not for long.
func (pe *PE) findRoom(kp *KP, e *event.Event) bool {
	if pe.inVain(e) {
		kp.lend(groupWords)
		return true
	}
	pe.lackMemory(e)
	return false
}

// afterEvent does what a handler has left to do: stragglers that it sent, an
// event that found no memory.
func (pe *PE) afterEvent(lp *LP, kp *KP) {
	pe.after = false
	pe.cur, pe.running = nil, nil
	if pe.aborted {
		pe.abort(lp, kp)
	}
	pe.settle()
}

// fossilCollect commits what GVT has passed, KP by KP, and returns how many
// events that was.
func (pe *PE) fossilCollect() int {
	whole := pe.counts.Enter()
	defer func() { pe.counts.Leave(whole, &pe.counts.FossilSeconds) }()
	pe.cur, pe.running = nil, nil // what Commit does is no part of the event handled last
	if pe.trace != nil {
		pe.trace.real = pe.probe.seconds()
	}
	n := 0
	for i := range pe.kps {
		if kp := &pe.kps[i]; !kp.hist.empty() {
			n += kp.fossilCollect()
		}
	}
	pe.counts.Fossils++
	pe.counts.Committed += uint64(n)
	pe.uncommitted -= n
	return n
}

// fossilCollect commits the events of a KP that GVT has passed, the oldest
// first, and frees them.
func (kp *KP) fossilCollect() int {
	pe, h := kp.pe, &kp.hist
	arena, bound := pe.arena, &pe.bound
	quick := pe.trace
	if quick != nil && !quick.plain {
		quick = nil
	}
	n, kept := 0, math.MaxInt // an error is told: the model sees no more of what follows
	if pe.err != nil {
		kept = 0
	}
	for h.tail != h.head {
		g := h.at(h.tail)
		e := arena.At(g.event)
		if ts := math.Float64bits(e.Time); ts >= bound.Key.TS && (ts > bound.Key.TS || !bound.Passed(e, uint32(pe.id), arena.Lines)) {
			break
		}
		if invariants.Enabled {
			invariants.Check(e.State == event.Processed, "event %d committed in state %d", g.event, e.State)
		}
		if g.flags != 0 {
			if kp.commitRecords(h.tail); pe.err != nil {
				kept = min(kept, n)
			}
		}
		if pe.observe {
			if quick != nil {
				pe.tracePlain(e)
			} else if pe.committed(pe.at(e.Dst), e, g.flags&groupIdle == 0); pe.err != nil {
				kept = min(kept, n+1)
			}
		}
		h.tail += int(g.size)
		arena.Free(e, g.event)
		n++
	}
	if h.tail == h.head {
		h.tail, h.last, h.head = 0, 0, 0
		kp.repay()
		kp.newest = event.Key{}
	}
	pe.counts.Lost += uint64(max(n-kept, 0))
	return n
}
