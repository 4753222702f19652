// This file owns what an optimistic PE does when memory is short: less
// optimism, down to none, before it gives up.

package ross

import "github.com/ross-go/ross/internal/event"

// lackMemory is called when there is no memory to handle event e. What may be
// uncommitted is halved, and GVT is to free some. An event that waits for
// nothing but memory has everybody undo all that is not committed.
func (pe *PE) lackMemory(e *event.Event) {
	p := &pe.pace
	p.allow = max(min(p.allow, p.window, pe.uncommitted), 0) / 2
	p.urgent = true
	pe.counts.shortages++
	pe.held = true
	pe.stopBatch()
	if pe.bound.Reached(e, pe.arena.Lines) {
		pe.starved = true
	}
}

// abort takes an event back whose handler found no memory for what it sent (the
// abort event of ROSS): it is handled again when there may be some. One that cannot
// be undone can be neither kept nor handled again.
func (pe *PE) abort(lp *LP, kp *KP) {
	e := pe.arena.At(kp.hist.at(kp.hist.last).event)
	if lp.typ.saving == SaveNever || pe.inVain(e) {
		lp.now = e.Time
		lp.giveUp(pe.lack)
	}
	whole := pe.counts.enter()
	defer func() { pe.counts.leave(whole, &pe.counts.abortSeconds) }()
	kp.rollback(func(_ event.Key, newest *event.Event) bool { return newest == e })
	pe.aborted = false
	pe.spares = pe.spares[:0]
	pe.counts.aborted++
	pe.lackMemory(e)
}

// tightRounds is how many times everybody has undone all that was not committed
// before a PE concludes that there is not enough memory: what was sent to
// others is free only when the anti-messages have arrived.
const tightRounds = 4

// inVain reports whether everything was tried for an event that waits for nothing but
// memory.
func (pe *PE) inVain(e *event.Event) bool {
	return pe.tightRounds >= tightRounds && pe.bound.Reached(e, pe.arena.Lines)
}

// tighten gives back all memory that the PE can do without.
func (pe *PE) tighten() {
	p := &pe.pace
	p.allow = 0
	pe.purge()
	pe.arena.GiveBack()
	pe.arena.Share()
	for i := range pe.kps {
		if h := &pe.kps[i].hist; h.empty() && h.lent == 0 {
			pe.budget.Give(uint64(len(h.buf)) * 8)
			*h = history{}
		}
	}
	if pe.starved {
		pe.tightRounds++
	}
	pe.starved = false
}
