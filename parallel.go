// This file owns what the parallel schedulers share: PEs as threads, the
// channels between them, and how an idle PE waits.

package ross

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/transport"
)

// ringSize is the room of a channel between two PEs, keys. With many PEs there
// are many channels, so each is smaller.
const ringSize = 1 << 12

// sampleRings is how many uses of the rings there are for each one that is timed.
const sampleRings = 16

// antiMessage marks the key of an anti-message. Times are not negative, so the
// sign of the time's bits is free.
const antiMessage = 1 << 63

// team is the PEs of a parallel run, as they see one another.
type team struct {
	group *gvt.Group
	pes   []*PE
	ctx   context.Context
	// stop is set by whoever wants the run to end at the next GVT.
	stop atomic.Bool
	// resting is how many PEs have had no event in their last turn.
	resting atomic.Int32
	spin    int // polls of an idle PE before it lets others run
}

// Flags of a GVT report.
const (
	flagStop   = 1 << iota // the run ends at this GVT
	flagFailed             // because of an error: states may be anything
	flagTight              // somebody lacks memory: all uncommitted work is undone
	flagBusy               // somebody has events left
	flagUnsure             // the event at GVT may be cancelled: its anti-message is under way
)

// channels are a PE's ends of the rings, and what found no room in them.
type channels struct {
	in  []*transport.Ring // by sender; nil for itself
	out []outbox          // by receiver
	// dirty lists the receivers that something is unsent for.
	dirty []uint32
	turns int  // since the last flush
	full  bool // there are enough keys for one receiver

	flushes, drains uint64

	sent, received uint64 // events and anti-messages
	antis          uint64 // anti-messages sent
	annihilated    uint64 // events that never left
	gave           int64  // events that left less those that came
}

// outbox is the way to another PE. It fills two cache lines, so that its neighbours
// in memory, which may be another PE's, do not matter.
type outbox struct {
	ring   *transport.Ring
	unsent []event.Key // not in the ring yet
	_      [128 - 32]byte
}

// firstUnsent is the room of lists of keys at first: whole cache lines.
const firstUnsent = 64

// makeTeam connects the PEs.
func (s *Simulation) makeTeam(ctx context.Context) *team {
	n := len(s.pes)
	t := &team{group: gvt.NewGroup(n), pes: s.pes, ctx: ctx, spin: 2000}
	if n > runtime.GOMAXPROCS(0) {
		t.spin = 1
	}
	size := s.cfg.ringSize
	if size == 0 {
		size = max(ringSize/max(n/4, 1), 64)
	}
	for i, pe := range s.pes {
		pe.team = t
		pe.member = t.group.Member(i)
		pe.ch = channels{in: make([]*transport.Ring, n), out: make([]outbox, n), dirty: make([]uint32, 0, max(n, 64))}
		pe.stragglers, pe.doomed = make([]event.Key, 0, firstUnsent), make([]uint32, 0, 4*firstUnsent)
		pe.wake = make(chan struct{}, 1)
		pe.alarm = time.NewTimer(time.Hour)
		pe.alarm.Stop()
	}
	for i, from := range s.pes {
		for j, to := range s.pes {
			if i != j {
				r := transport.NewRing(size)
				from.ch.out[j] = outbox{ring: r, unsent: make([]event.Key, 0, firstUnsent)}
				to.ch.in[i] = r
			}
		}
	}
	return t
}

// runParallel runs the simulation on all PEs, from the LPs' Init to the last
// event.
func (s *Simulation) runParallel(ctx context.Context) error {
	t := s.makeTeam(ctx)
	defer context.AfterFunc(ctx, func() { // a PE may be far from its next GVT
		t.stop.Store(true)
		t.rouseAll()
	})()
	s.pes[0].progress = NewProgress(s.cfg.End, s.cfg.ReportInterval)
	var initialised, ready, over sync.WaitGroup
	initialised.Add(len(s.pes))
	ready.Add(len(s.pes))
	observe := s.observing()
	var begin sync.Once
	runs := false
	for _, pe := range s.pes {
		over.Add(1)
		go func() {
			defer over.Done()
			// A PE has a thread of its own. Where there are fewer processors
			// than PEs it is better that Go shares the threads out: to switch
			// goroutines costs a tenth of switching threads.
			if len(s.pes) <= runtime.GOMAXPROCS(0) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			pe.guardStage(func() { pe.callInits() })
			initialised.Done()
			initialised.Wait()
			pe.guardStage(func() { pe.callPreRuns() })
			pe.observe = observe
			ready.Done()
			ready.Wait()
			// One PE decides for all: the others would see errors of those that
			// have begun already.
			begin.Do(func() { runs = s.begins() })
			pe.clock.start()
			if runs {
				pe.guardLoop()
			}
			pe.clock.stop()
			pe.endIdle()
		}()
	}
	over.Wait()
	if err := s.failure(); err != nil {
		return err
	}
	return s.out.told()
}

// begins prints the line before the first event. It reports whether there is
// nothing against handling it.
func (s *Simulation) begins() bool {
	if s.failure() != nil {
		return false
	}
	s.printf("%s", StartLine(s.cfg.Synch))
	err := s.out.told()
	if err != nil {
		s.pes[0].fail(err)
	}
	return err == nil
}

// failure returns what ended the run: of the model's mistakes the one that is
// earliest in virtual time, which a sequential run would have met.
func (s *Simulation) failure() error {
	var errs []error
	var first *ModelError
	for _, pe := range s.pes {
		var mistake *ModelError
		switch {
		case errors.As(pe.err, &mistake):
			if first == nil || mistake.Time < first.Time {
				first = mistake
			}
		case pe.err != nil:
			errs = append(errs, pe.err)
		}
	}
	if first != nil { // the others may be its consequences
		errs = append(errs, first)
	}
	return errors.Join(errs...)
}

// guardStage runs a part of the model before the first event.
func (pe *PE) guardStage(f func()) {
	defer func() {
		if r := recover(); r != nil {
			pe.fail(pe.panicked(r))
		}
		pe.running, pe.cur = nil, nil
	}()
	f()
}

// guardLoop runs a scheduler's loop. After a panic the PE goes on without
// handling events until all PEs have agreed on a GVT to stop at: the others
// would wait for it for ever.
func (pe *PE) guardLoop() {
	for !pe.over {
		func() {
			defer func() {
				if r := recover(); r != nil {
					if err := pe.panicked(r); !pe.contain(err) {
						pe.fail(err)
					}
					pe.running, pe.cur = nil, nil
				}
			}()
			pe.loopParallel()
		}()
	}
}

// loopParallel is the loop of a PE: take in what others sent, handle a batch of
// events, send what they sent, see to GVT.
func (pe *PE) loopParallel() {
	pe.beginPace()
	pe.setHookBound()
	for {
		if len(pe.ch.in) > 1 && pe.drain() {
			pe.idled = 0
		}
		pe.settle()
		if disturb := pe.sim.cfg.disturb; disturb != nil && pe.mode == optimistic {
			disturb(pe)
		}
		done := pe.batch()
		if len(pe.ch.dirty) > 0 && pe.ch.worth(done) {
			pe.flush()
		}
		if pe.gvtDue(done) || pe.team.stop.Load() {
			pe.startGVT()
		}
		if pe.member.Begun() && pe.pollGVT() {
			return
		}
		if done == 0 {
			if pe.idleSince.IsZero() {
				pe.idleSince = time.Now()
				pe.team.resting.Add(1)
			}
			pe.rest()
		} else {
			pe.idled = 0
			pe.endIdle()
		}
	}
}

// endIdle ends a time without events.
func (pe *PE) endIdle() {
	if !pe.idleSince.IsZero() {
		pe.counts.idleSeconds += since(pe.idleSince)
		pe.idleSince = time.Time{}
		pe.team.resting.Add(-1)
	}
}

// batch handles the events of one turn and returns how many.
func (pe *PE) batch() int {
	if pe.err != nil {
		return 0
	}
	left := pe.turn()
	turn := left
	pe.held = false
	for left > 0 && pe.err == nil && !pe.held {
		if pe.q.Empty() {
			if pe.refill(pe.clock.windows%sampleEvery == 0); pe.q.Empty() {
				if err := pe.q.Err(); err != nil {
					pe.fail(err)
				}
				break
			}
			if bytes := pe.q.Bytes(); bytes != pe.queueBytes.Load() {
				pe.queueBytes.Store(bytes)
			}
			pe.approach()
			if pe.clock.windows%sampleEvery == 0 {
				left -= pe.timeFirst()
				continue
			}
		}
		left = pe.handleSome(left)
	}
	return turn - left
}

// timeFirst handles one event, if it may, and charges its LP. It returns how many it
// handled.
func (pe *PE) timeFirst() int {
	before := pe.counts.processed
	begin := time.Now()
	pe.handleSome(1)
	if pe.counts.processed == before {
		return 0
	}
	if lp := pe.lastLP; lp != nil {
		lp.seconds += since(begin)
		pe.clock.events++
	}
	return 1
}

// handleSome handles up to n events of the window and returns how many of n are
// left.
func (pe *PE) handleSome(n int) int {
	pe.left, pe.unused, pe.batchSize = n, 0, n
	if pe.mode == optimistic {
		pe.handleOptimistic()
	} else {
		pe.handle()
	}
	pe.lastLP = pe.running
	pe.running, pe.cur = nil, nil // what runs between batches is no handler
	pe.countBatch()
	return pe.left + pe.unused
}

// countBatch counts the events that have been handled of those that handleSome
// was to handle.
func (pe *PE) countBatch() {
	done := pe.batchSize - pe.left - pe.unused
	pe.counts.processed += uint64(done)
	if pe.mode == optimistic {
		pe.uncommitted += done
	}
}

// stopBatch ends the batch after the event that is being handled.
func (pe *PE) stopBatch() {
	pe.unused += pe.left
	pe.left = 0
}

// rest is for a PE that has no event it may handle. Only a new GVT, or another
// PE, can change that.
//
// A round of GVT takes time from PEs that have events, so one that is idle while
// others are not waits a little before it asks for one.
func (pe *PE) rest() {
	t := pe.team
	if (t.resting.Load() == int32(len(t.pes)) || pe.held && pe.idled == min(patience, t.spin)) && pe.startGVT() {
		pe.counts.forced++
		pe.idled++
		return
	}
	if len(pe.team.pes) > 1 {
		pe.idle()
	}
}

const (
	// patience is how many times a PE whose events wait for GVT looks around before
	// it asks for one while others are at work: some microseconds.
	patience = 256
	// nap is how long it sleeps before it asks again.
	nap = 250 * time.Microsecond
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

// contain takes an event back in which the model panicked, if the engine has
// saved the state: the event may belong to a future that never happens. Its LP is
// suspended; the panic is reported if the event is committed.
func (pe *PE) contain(err error) bool {
	lp, e := pe.running, pe.cur
	if pe.mode != optimistic || lp == nil || e == nil || lp.typ.saving != SaveByDelta && lp.typ.saving != SaveByLog {
		return false
	}
	pe.countBatch()
	kp := lp.kp
	h := &kp.hist
	if lp.typ.saving == SaveByDelta {
		lp.undoDelta(event.Payload(e))
	}
	g := h.at(h.last)
	lp.rng.Rewind(g.rng)
	lp.core = g.core
	for from := h.last + groupWords; h.head > from; {
		kp.undoRecord(lp, e, h.pop())
	}
	if pe.aborted { // it is taken back as a whole
		h.at(h.last).size = uint32(h.head - h.last)
		pe.cur, pe.running = nil, nil
		pe.abort(lp, kp)
		return true
	}
	lp.note(note{err: err})
	lp.Suspend(false, 0)
	h.at(h.last).size = uint32(h.head - h.last)
	return true
}

// emit sends the key of an event or an anti-message to another PE.
func (pe *PE) emit(k event.Key, e *event.Event, to uint32) {
	c := &pe.ch
	box := &c.out[to]
	if len(box.unsent) == 0 {
		c.dirty = append(c.dirty, to)
	}
	box.unsent = append(box.unsent, k)
	if len(box.unsent) >= fullFlush {
		c.full = true
	}
	if pe.red {
		pe.redden(e, k.TS&antiMessage != 0)
	}
}

// redden takes an event or an anti-message that is under way into the bound of
// this round.
func (pe *PE) redden(e *event.Event, anti bool) {
	b := gvt.Of(e)
	switch c := b.Compare(&pe.redMin, pe.arena.Lines); {
	case c < 0:
		pe.arena.Lines.Keep(b.Node)
		pe.setRedMin(b)
		pe.redAnti = anti
	case c == 0:
		pe.redAnti = pe.redAnti || anti
	}
}

// Keys are sent several at a time: a flush costs some cache misses on both
// sides, whether it sends one key or a cache line full of them.
const (
	fullFlush = 8 // keys for one PE that are worth a flush
	lateFlush = 8 // turns of the loop after which one is
)

// worth reports whether it is time for a flush, after a turn of n events.
func (c *channels) worth(n int) bool {
	c.turns++
	if n == 0 || c.turns >= lateFlush || c.full {
		c.turns, c.full = 0, false
		return true
	}
	return false
}

// flush puts what is unsent into the channels, as far as there is room.
func (pe *PE) flush() {
	c := &pe.ch
	if c.flushes++; c.flushes%sampleRings == 0 {
		begin := time.Now()
		defer func() { pe.counts.sendSeconds += sampleRings * since(begin) }()
	}
	kept := c.dirty[:0]
	for _, to := range c.dirty {
		box := &c.out[to]
		keys := box.unsent
		n := box.ring.Push(keys)
		if n > 0 {
			c.sent += uint64(n)
			pe.team.pes[to].rouse()
		}
		if n == len(keys) {
			box.unsent = keys[:0]
			continue
		}
		box.unsent = keys[:copy(keys, keys[n:])]
		kept = append(kept, to)
	}
	c.dirty = kept
}

// drain takes in what waits in the channels. It runs between events only.
func (pe *PE) drain() bool {
	any := false
	var begin time.Time
	for _, r := range pe.ch.in {
		if r == nil {
			continue
		}
		for keys := r.Next(); len(keys) > 0; keys = r.Next() {
			if pe.ch.drains++; !any && pe.ch.drains%sampleRings == 0 {
				begin = time.Now()
			}
			for _, k := range keys {
				pe.arrive(k)
			}
			pe.ch.received += uint64(len(keys))
			r.Take(len(keys))
			any = true
		}
	}
	if !begin.IsZero() {
		pe.counts.readSeconds += sampleRings * since(begin)
	}
	return any
}

// arrive takes in an event or an anti-message from another PE.
func (pe *PE) arrive(k event.Key) {
	if k.TS&antiMessage != 0 {
		pe.cancel(k.Index())
		return
	}
	if k.Index() == 0 {
		return // it was cancelled before it left
	}
	pe.ch.gave--
	if pe.mode == optimistic {
		pe.accept(k)
		return
	}
	pe.q.Push(k)
}

// rouse wakes the PE if it is asleep. Others call it.
func (pe *PE) rouse() {
	if pe.asleep.Load() && pe.asleep.CompareAndSwap(true, false) {
		pe.wake <- struct{}{}
	}
}

// rouseAll wakes all PEs that sleep.
func (t *team) rouseAll() {
	for _, pe := range t.pes {
		pe.rouse()
	}
}

// idle is called when the PE has nothing to do. It burns some time, then lets
// others have the processor, then sleeps until somebody has something for it.
func (pe *PE) idle() {
	pe.idled++
	switch {
	case pe.idled < pe.team.spin:
		if pe.idled&63 == 63 {
			yield()
		}
		return
	case pe.idled < pe.team.spin+16:
		runtime.Gosched()
		return
	}
	pe.asleep.Store(true)
	if pe.hasWork() {
		if !pe.asleep.CompareAndSwap(true, false) {
			<-pe.wake // somebody has seen to it already
		}
		return
	}
	if !pe.held {
		<-pe.wake
		pe.idled = 0
		return
	}
	pe.alarm.Reset(nap)
	select {
	case <-pe.wake:
		pe.idled = 0
	case <-pe.alarm.C:
		if !pe.asleep.CompareAndSwap(true, false) {
			<-pe.wake
		}
		pe.startGVT()
		pe.idled = pe.team.spin // half awake
	}
	pe.alarm.Stop()
}

// hasWork reports whether a PE that is about to sleep has something to do after
// all.
func (pe *PE) hasWork() bool {
	if pe.member.Poll() != gvt.Idle || len(pe.ch.dirty) > 0 || pe.team.stop.Load() {
		return true
	}
	for _, r := range pe.ch.in {
		if r != nil && len(r.Next()) > 0 {
			return true
		}
	}
	return false
}

// pollGVT does what GVT wants of the PE now. It reports whether the run is over.
func (pe *PE) pollGVT() (over bool) {
	if pe.member.Poll() == gvt.Idle { // it waits for others
		return false
	}
	begin, fossils := time.Now(), pe.counts.fossilSeconds
	defer func() { pe.counts.gvtSeconds += since(begin) - (pe.counts.fossilSeconds - fossils) }()
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
	pe.flush()
	pe.setRedMin(gvt.Max)
	pe.redAnti = false
	for _, to := range pe.ch.dirty {
		for _, k := range pe.ch.out[to].unsent {
			if k.Index() != 0 {
				pe.redden(pe.arena.At(k.Index()), k.TS&antiMessage != 0)
			}
		}
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
	pe.drain()
	pe.settle()
	pe.mostPending = max(pe.mostPending, pe.q.Len())
	b := pe.redMin
	flags := uint32(0)
	if pe.redAnti {
		flags |= flagUnsure
	}
	if k, ok := pe.q.Min(); ok {
		if least := gvt.Of(pe.arena.At(k.Index())); least.Compare(&b, pe.arena.Lines) < 0 {
			b = least
			flags &^= flagUnsure
		}
	}
	if !b.IsMax() {
		flags |= flagBusy
	}
	pe.lowerToHook(&b)
	pe.arena.Lines.Keep(b.Node)
	pe.keepNode(b.Node)
	pe.red = false
	if pe.team.stop.Load() {
		flags |= flagStop
	}
	if pe.err != nil {
		flags |= flagStop | flagFailed
	}
	if pe.starved {
		flags |= flagTight
	}
	pe.member.Tell(b, flags)
	if pe.member.Poll() != gvt.Idle {
		pe.team.rouseAll()
	}
}

// keepNode holds on to the lineage of a bound that the PE has published, until
// nobody can look at it any more: GVT of a round is in use until the PE has the
// next one, and that is certain once the PE is in the round after.
func (pe *PE) keepNode(node uint32) {
	i := pe.rounds % uint64(len(pe.published))
	pe.arena.Lines.Drop(pe.published[i])
	pe.published[i] = node
	pe.rounds++
}

// forget drops the lineages that the PE holds for the bounds it knows of.
func (pe *PE) forget() {
	for i, node := range pe.published {
		pe.arena.Lines.Drop(node)
		pe.published[i] = 0
	}
	pe.setRedMin(gvt.Max)
	pe.bound = gvt.Max
}

// newGVT adopts the GVT of a round.
func (pe *PE) newGVT() (over bool) {
	r := pe.member.Result(pe.arena.Lines)
	if r.Bound.Compare(&pe.bound, pe.arena.Lines) < 0 && pe.err == nil {
		pe.fail(errors.New("ross: GVT went back: this is a bug of the engine: report it with the model"))
	}
	pe.bound = r.Bound
	pe.unsure = r.Flags&flagUnsure != 0
	pe.gvt = min(r.Time(), math.MaxFloat64)
	pe.counts.gvts++
	pe.over = r.Flags&flagStop != 0 || pe.bound.IsMax() // the others end here, whatever becomes of this one
	if r.Flags&flagStop != 0 {
		pe.stopAt(r.Flags)
		return pe.over
	}
	pe.advance(r.Flags)
	if pe.id == 0 {
		pe.team.look(pe)
	}
	return pe.over
}

// advance does what a new GVT makes possible.
func (pe *PE) advance(flags uint32) {
	begin := time.Now()
	pe.counts.uncommitted = max(pe.counts.uncommitted, pe.uncommitted)
	fires := pe.hookFires()
	if pe.mode == optimistic {
		if fires || flags&flagTight != 0 {
			pe.rollbackTo(&pe.bound)
		}
		if n := pe.fossilCollect(); n > 0 {
			pe.tightRounds = 0
		}
	}
	if pe.trace != nil {
		pe.trace.flush()
	}
	pe.counts.fossilSeconds += since(begin)
	if fires {
		pe.fireHook(flags&flagBusy == 0)
	}
	if pe.dead > leastPurge && pe.dead > pe.q.Len()/2 {
		pe.q.Purge()
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
	if pe.mode == optimistic && flags&flagFailed == 0 {
		pe.rollbackTo(&pe.bound)
		pe.fossilCollect()
	}
	pe.counts.undone += uint64(max(pe.uncommitted, 0)) // after an error: they are given up
	pe.uncommitted = 0
	if pe.err == nil && pe.id == 0 {
		if err := pe.stopped(pe.team.ctx); err != nil {
			pe.fail(err)
		}
	}
}

// look is what PE 0 does for all at each GVT: a progress line.
func (t *team) look(pe *PE) {
	if at := pe.gvt; pe.progress.Due(at) && !pe.bound.IsMax() {
		pe.reportProgress()
		if err := pe.sim.out.told(); err != nil {
			pe.fail(err)
		}
	}
}
