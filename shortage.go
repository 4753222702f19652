// This file owns what an optimistic PE does when memory is short: less
// optimism, down to none, before it gives up.

package ross

import "github.com/ross-go/ross/internal/event"

// Memory is taken in pieces. Each PE has some parts of which the last piece is not
// full; all of them together are a small share of what there is.
const (
	leastPiece = 4 << 10
	mostPiece  = 64 << 10
	pieces     = 64 // of each PE
)

// piece returns how many bytes are taken at a time, a power of two.
func (c *Config) piece() uintptr {
	n := uintptr(mostPiece)
	for n > leastPiece && uint64(n)*pieces*uint64(c.PEs) > c.MaxMemory {
		n /= 2
	}
	return n
}

// lackMemory is called when there is no memory to handle event e. What may be
// uncommitted is halved, and the PE waits for GVT, which is to free some. An event
// that waits for nothing but memory has everybody undo all that is not committed.
func (pe *PE) lackMemory(e *event.Event) {
	p := &pe.pace
	p.allow = max(min(p.allow, p.window, pe.uncommitted), 0) / 2
	p.urgent = true
	pe.counts.Shortages++
	pe.held, pe.short = true, true
	pe.stopBatch()
	if pe.isReached(e) {
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
	whole := pe.counts.Enter()
	defer func() { pe.counts.Leave(whole, &pe.counts.AbortSeconds) }()
	kp.rollback(func(_ event.Key, newest *event.Event) bool { return newest == e })
	pe.aborted = false
	if pe.err == nil { // else states may lead there
		pe.takeSpares()
	}
	pe.counts.Aborted++
	if pe.perLP != nil {
		pe.perLP[lp.local()].Aborted++
	}
	pe.lackMemory(e)
}

// tightRounds is how many times everybody has undone all that was not committed
// before a PE concludes that there is not enough memory: what was sent to
// others is free only when the anti-messages have arrived.
const tightRounds = 4

// hasTried reports whether that has been often enough: once, where there is nobody that
// anything could come back from.
func (pe *PE) hasTried() bool {
	return pe.tightRounds >= tightRounds || pe.tightRounds > 0 && pe.team.alone
}

// What is left of the memory, in parts of it, when optimism has taken all it gets.
const (
	// Slots are never given back, so that they would have all memory in the end, and
	// histories and blocks none.
	marginShare = 8
	// An event that cannot be undone cannot be handled again either when its handler
	// has found no memory. So it waits, before its handler is called, until there is
	// some: optimism goes before the run does. No more than one event is at GVT.
	reserveShare = 8
)

// setReserve sets what optimism does not get. There has to be a reserve only if there
// are events that cannot be undone.
func (pe *PE) setReserve() {
	for _, t := range pe.sim.types {
		if t.saving == SaveNever {
			pe.reserve = pe.budget.Limit() / reserveShare
		}
	}
	pe.wanted = pe.reserve
	pe.margin = pe.budget.Limit() / marginShare
}

// leaveMemory limits what the PE takes to what optimism gets. Free slots count as
// part of the reserve, unless models allocate blocks.
func (pe *PE) leaveMemory() {
	reserve := pe.reserve
	if reserve > 0 && pe.pool == nil {
		reserve -= min(reserve, pe.arena.Spare())
	}
	pe.budget.Leave(reserve)
	pe.arena.Leave(reserve + pe.margin)
}

// takeAll is for the PE that has the event at GVT.
func (pe *PE) takeAll() {
	pe.budget.Leave(0)
	pe.arena.Leave(0)
}

// getsOn is called when the PE has committed events.
func (pe *PE) getsOn() {
	if pe.tightRounds > 0 || pe.reserve > 0 { // the free slots are others now
		pe.tightRounds = 0
		pe.leaveMemory()
	}
}

// hasReserve reports whether event e, which cannot be undone and which GVT has
// reached, may be handled: there is a reserve, or everything was tried. Free slots
// are as good, but for blocks.
func (pe *PE) hasReserve(e *event.Event) bool {
	tight := pe.tightRounds > 0
	need := pe.wanted
	if !tight {
		need += pe.margin
	}
	if pe.sim.budget.Spares(need) == nil || (tight || pe.pool == nil) && pe.arena.Spare() >= pe.wanted {
		return true
	}
	if !pe.inVain(e) {
		return false
	}
	pe.wanted /= 2
	return true
}

// inVain reports whether everything was tried for an event that waits for nothing but
// memory.
func (pe *PE) inVain(e *event.Event) bool {
	return pe.hasTried() && pe.isReached(e)
}

// mustKeep reports whether the running event is not to be taken back for want of
// room in the history: it cannot be, or it would be in vain.
func (pe *PE) mustKeep() bool {
	return pe.running != nil && pe.running.typ.saving == SaveNever || pe.cur != nil && pe.inVain(pe.cur)
}

// tighten gives back all memory that the PE can do without.
func (pe *PE) tighten() {
	p := &pe.pace
	p.allow = 0
	if pe.dead > 0 { // to look for them takes as long as there are events
		pe.purge()
		pe.dead = 0
	}
	pe.arena.GiveBack()
	pe.arena.Share()
	for i := range pe.kps {
		kp := &pe.kps[i]
		if h := &kp.hist; h.empty() {
			kp.repay()
			pe.budget.Give(uint64(len(h.buf)) * 8)
			*h = history{}
		}
	}
	if pe.starved {
		pe.tightRounds++
		pe.takeAll()
	}
	pe.starved = false
}
