// This file owns a PE's part in a round of GVT, and what a new GVT makes possible.

package ross

import (
	"errors"
	"math"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
)

// Flags of a GVT report.
const (
	flagStop       = 1 << iota // the run ends at this GVT
	flagFailed                 // because of an error: states may be anything
	flagTight                  // somebody lacks memory: all uncommitted work is undone
	flagBusy                   // somebody has events left, or has handled some that are not committed
	flagUnsure                 // the event at GVT may be cancelled: its anti-message is under way
	flagFlush                  // there is enough in the instrumentation's buffers to write it
	flagCheckpoint             // a checkpoint is due
	flagWriting                // the one before is not yet on the disk
	flagUnsettled              // a PE that waits for a checkpoint has sent something
	flagEarly                  // something is under way, of Init, to a time less than the lookahead
	flagLimit                  // a rank has collected as much as it may: all stop
	flagHurried                // want of memory has brought the GVT about: it does not count for samples,
	flagInterval               // unless somebody has committed as many events as an interval has
)

// startGVT begins a round of GVT unless one is under way. It reports whether it
// did.
func (pe *PE) startGVT() bool {
	if !pe.member.Start() {
		return false
	}
	if len(pe.team.pes) > 1 {
		pe.team.rouseAll()
	}
	return true
}

// forceGVT is startGVT before the interval is over.
func (pe *PE) forceGVT() bool {
	if !pe.startGVT() {
		return false
	}
	pe.counts.Forced++
	return true
}

// pollGVT does what GVT wants of the PE now. It reports whether the run is over.
func (pe *PE) pollGVT() (over bool) {
	if pe.member.Poll() == gvt.Idle { // it waits for others
		return false
	}
	whole := pe.counts.Enter()
	defer func() { pe.counts.Leave(whole, &pe.counts.GVTSeconds) }()
	for {
		switch pe.member.Poll() {
		case gvt.Idle:
			return false
		case gvt.Cut:
			pe.cut()
		case gvt.Settle:
			pe.tell()
		case gvt.Done:
			return pe.newGVT()
		}
	}
}

// cut passes the first cut of a round: from now on the PE keeps the least of
// what it sends, beginning with what it has not been able to send yet.
func (pe *PE) cut() {
	pe.red = true
	sends, whole := pe.ch.flushes, pe.counts.Enter()
	pe.flush()
	pe.counts.Leave(whole, &pe.counts.SendSeconds)
	pe.ch.flushes = sends // it is timed: the others need not stand for it
	pe.setRedMin(gvt.Max)
	pe.redAnti = false
	for _, to := range pe.ch.dirty {
		pe.reddenUnsent(pe.ch.out[to].unsent, pe.ch.base+to)
	}
	if !pe.ch.antiMin.IsMax() {
		pe.redden(pe.ch.antiMin, true)
	}
	if pe.far != nil {
		pe.reddenFar()
		pe.far.patience = leastTest
	}
	pe.member.PassCut()
	if pe.member.Poll() != gvt.Idle {
		pe.team.rouseAll()
	}
}

func (pe *PE) setRedMin(b gvt.Bound) {
	pe.arena.Lines.Drop(pe.redMin.Node)
	pe.redMin = b
}

// tell takes in all that had been sent before the first cut, and reports.
func (pe *PE) tell() {
	reads, whole := pe.ch.drains, pe.counts.Enter()
	if pe.drain() {
		pe.stirred = true
	}
	for pe.far != nil && pe.drainFar() {
		pe.stirred = true
	}
	pe.counts.Leave(whole, &pe.counts.ReadSeconds)
	pe.ch.drains = reads // as in cut
	pe.settle()
	balance := int64(0)
	if pe.far != nil {
		if len(pe.far.waiting) > 0 {
			pe.reddenWaiting()
		}
		balance = pe.far.white()
	}
	pe.mostPending = max(pe.mostPending, pe.q.Len())
	b := pe.redMin
	flags := uint32(0)
	switch {
	case pe.redAnti:
		flags |= flagUnsure
	case !b.IsMax() || pe.uncommitted > 0:
		flags |= flagBusy
	}
	if pe.mode == conservative && pe.lookBehind(&b) {
		flags |= flagEarly
	}
	if k, ok := pe.q.Min(); ok && k.TS < pe.last {
		flags |= flagBusy
		if least := pe.boundAt(pe.arena.At(k.Index())); least.Compare(&b, pe.arena.Lines) < 0 {
			b = least
			flags &^= flagUnsure
		}
	}
	pe.lowerToHook(&b)
	pe.arena.Lines.Keep(b.Node)
	pe.keepNode(b.Node)
	pe.red = pe.far != nil // it may have to tell again
	if pe.team.stop.Load() {
		flags |= flagStop
	}
	if pe.err != nil {
		flags |= flagStop | flagFailed
	}
	if pe.starved {
		flags |= flagTight
	}
	if pe.probe != nil {
		flags |= pe.askSamples()
	}
	if pe.sim.io.running != nil {
		flags |= pe.askCheckpoint()
	}
	pe.member.Tell(b, flags, balance)
	if pe.member.Poll() != gvt.Idle {
		pe.team.rouseAll()
	}
}

// boundAt returns the bound of an event for an LP of this PE.
func (pe *PE) boundAt(e *event.Event) gvt.Bound { return gvt.Of(e, uint32(pe.id)) }

// isPassed reports whether GVT has passed an event of this PE, so that it is final.
func (pe *PE) isPassed(e *event.Event) bool {
	return pe.bound.Passed(e, uint32(pe.id), pe.arena.Lines)
}

// isReached reports whether nothing that is to be handled before an event of this PE can
// arrive any more.
func (pe *PE) isReached(e *event.Event) bool {
	return pe.bound.Reached(e, uint32(pe.id), pe.arena.Lines)
}

// lookBehind moves the bound of what is under way back by the lookahead, since the
// window of a conservative PE ends by so much after GVT: what is under way may have
// been sent by events from before GVT. It reports whether there is no such bound: Init
// may send with any delay. Then nothing is handled beyond GVT.
func (pe *PE) lookBehind(b *gvt.Bound) (early bool) {
	if ahead := pe.sim.cfg.ConsLookahead; ahead > 0 && !b.IsMax() {
		at := b.Key.Time()
		early = at < ahead
		*b = gvt.Bound{Key: event.Key{TS: timeBits(timeBehind(at, ahead))}}
	}
	if b.Compare(&pe.bound, pe.arena.Lines) < 0 {
		*b = pe.bound // what events sent after the last GVT lies at least the lookahead after it
	}
	return early
}

// timeBehind returns a time from which a lookahead leads to no later time than at, as
// computers add: at - ahead may have been rounded up, and so may what is added to it.
func timeBehind(at, ahead float64) float64 {
	t := at - ahead
	for t+ahead > at {
		t = math.Nextafter(t, math.Inf(-1))
	}
	return t
}

// keepNode holds on to the lineage of a bound that the PE has published, until
// nobody can look at it any more: GVT of a round is in use until the PE has the
// next one, and that is certain once the PE is in the round after.
func (pe *PE) keepNode(node uint32) {
	if pe.far != nil { // it is in use until the next Tell at most
		pe.arena.Lines.Drop(pe.published[0])
		pe.published[0] = node
		return
	}
	i := pe.rounds % uint64(len(pe.published))
	pe.arena.Lines.Drop(pe.published[i])
	pe.published[i] = node
	pe.rounds++
}

// keepBound holds on to the lineage of GVT, until there is the next.
func (pe *PE) keepBound(node uint32) {
	lines := pe.arena.Lines
	lines.Keep(node)
	lines.Drop(pe.published[2])
	pe.published[1], pe.published[2] = node, pe.published[1]
}

// newGVT adopts the GVT of a round.
func (pe *PE) newGVT() (over bool) {
	r := pe.member.Result(pe.arena.Lines)
	if pe.far != nil {
		pe.red = false
		pe.idled = 0 // where there is GVT there is work: the next one is not to wait for this PE
		pe.keepBound(r.Node)
		if pe.brokenFar(pe.member.Err()) {
			return true
		}
	}
	if r.Bound.Compare(&pe.bound, pe.arena.Lines) < 0 && pe.err == nil {
		pe.fail(errors.New("ross: GVT went back: this is a bug of the engine: report it with the model"))
	}
	pe.bound = r.Bound
	pe.early = r.Flags&flagEarly != 0
	pe.unsure = r.Flags&flagUnsure != 0
	pe.gvt = min(r.Time(), math.MaxFloat64)
	if pe.last != never {
		pe.gvt = min(pe.gvt, pe.end) // events that are kept do not move it
	}
	pe.counts.GVTs++
	if pe.far != nil && pe.id == pe.sim.base {
		pe.team.reductions.Store(pe.team.ranks.Reductions)
	}
	pe.over = r.Flags&flagStop != 0 || pe.bound.IsMax() // the others end here, whatever becomes of this one
	if pe.sim.io.running != nil {
		pe.beginHold(r.Flags)
	}
	if r.Flags&flagStop != 0 && pe.over {
		pe.stopAt(r.Flags)
		return pe.over
	}
	pe.advance(r.Flags)
	if pe.hold != holdNone && pe.meetCheckpoint(r.Flags) {
		return true
	}
	pe.publish()
	if pe.id == 0 {
		pe.team.look(pe)
	}
	return pe.over
}

// advance does what a new GVT makes possible.
func (pe *PE) advance(flags uint32) {
	pe.counts.Uncommitted = max(pe.counts.Uncommitted, pe.uncommitted)
	pe.short = false
	fires := pe.hookFires()
	if pe.mode == optimistic && pe.err == nil {
		if fires || flags&flagTight != 0 || pe.hold != holdNone {
			pe.rollbackTo(&pe.bound)
		}
		if n := pe.fossilCollect(); n > 0 {
			pe.getsOn()
		}
	}
	if pe.probe != nil {
		pe.probe.due = true
		if flags&flagLimit != 0 {
			pe.probe.stop()
		}
		pe.probe.counts = flags&flagHurried == 0 || flags&flagInterval != 0
		pe.probe.flush = flags&flagFlush != 0
	}
	if fires {
		whole := pe.counts.Enter()
		pe.meetHook(flags)
		pe.counts.Leave(whole, &pe.counts.HookSeconds)
	}
	if pe.dead > leastPurge && pe.dead > pe.q.Len()/2 {
		pe.purge()
		pe.dead = 0
	}
	pe.newPace()
	if flags&flagTight != 0 {
		pe.tighten()
	}
	pe.arena.GiveBack()
}

// leastPurge is how many events have to be cancelled before it may be worth it to
// look for them in the queue, where they would else wait for their time.
const leastPurge = 4096

// stopAt ends the run of this PE at a GVT: what is before it is committed, the rest
// has not happened.
func (pe *PE) stopAt(flags uint32) {
	pe.counts.Uncommitted = max(pe.counts.Uncommitted, pe.uncommitted)
	if pe.mode == optimistic && flags&flagFailed == 0 {
		pe.rollbackTo(&pe.bound)
		pe.fossilCollect()
	}
	if pe.err == nil && pe.id == pe.sim.base {
		if err := pe.stopped(pe.team.ctx); err != nil {
			pe.fail(err)
		}
	}
}

// purge drops the cancelled events of the queue.
func (pe *PE) purge() {
	whole := pe.counts.Enter()
	pe.q.Purge()
	pe.counts.Leave(whole, &pe.counts.PurgeSeconds)
}

// look is what PE 0 does for all at each GVT: a progress line.
func (t *team) look(pe *PE) {
	if at := pe.gvt; pe.progress.Due(at) && !pe.bound.IsMax() {
		pe.reportProgress()
		if err := pe.sim.out.Err(); err != nil {
			pe.fail(err)
		}
	}
}
