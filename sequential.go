// This file owns the sequential scheduler (--synch=1): one PE takes one event
// after the other, the least first.

package ross

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/pq"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// burst is how many events of a window the scheduler handles at most before it
// may look at the clock and the context.
const burst = 256

// nearEvents is how many events, with their LPs, the first-level cache holds:
// with no more, none need be brought near.
const nearEvents = 256

// runSequential runs the simulation from the LPs' Init to the last event.
func (pe *PE) runSequential(ctx context.Context) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer func() {
		if r := recover(); r != nil {
			err = pe.panicked(r)
			pe.loseEvent()
		}
		pe.running, pe.cur = nil, nil
		pe.clock.Stop()
	}()
	pe.callInits()
	pe.callPreRuns()
	pe.loadEvents()
	pe.sim.loaded()
	pe.firstPoints()
	if pe.started = uint64(pe.arena.Live()); pe.err != nil {
		return pe.err
	}
	pe.sim.printf("%s", report.StartLine(pe.sim.stats.Synch))
	if err := pe.sim.out.Err(); err != nil {
		return err
	}
	pe.observe = pe.sim.observing()
	pe.progress = report.NewProgress(pe.end, report.SequentialReportInterval)
	pe.progress.StartAt(pe.sim.io.clock)
	pe.setHorizon()
	pe.clock.Start()
	pe.beginProbe()
	pe.sim.live.begin(pe.sim.created)
	switch pe.sim.cfg.Synch {
	case OptimisticDebug:
		return pe.debug(ctx)
	case RollbackCheck:
		pe.check.begin()
	}
	if err := pe.loop(ctx); err != nil {
		return err
	}
	if pe.check != nil {
		pe.check.end()
	}
	return pe.lastHooks(ctx)
}

// callInits calls Init of all LPs.
func (pe *PE) callInits() {
	begin := time.Now()
	defer func() { pe.counts.InitSeconds = meter.Since(begin) }()
	hooks := &pe.sim.cfg.PE
	if hooks.PreLPInit != nil {
		pe.call(func() { hooks.PreLPInit(pe) })
	}
	var record rio.LP
	load, clock := pe.sim.io.load, pe.sim.io.clock
	for i := range pe.lpSlab {
		if order := pe.sim.cfg.initOrder; order != nil {
			i = order(i)
		}
		lp := &pe.lpSlab[i]
		pe.running = lp
		if load != nil && load.mode != LoadPostInit && !pe.load(lp, &record) {
			break
		}
		if lp.typ.init != nil && (load == nil || load.mode != LoadInit) {
			lp.callAt(clock, lp.typ.init)
		}
		if load != nil && load.mode == LoadPostInit && !pe.load(lp, &record) {
			break
		}
	}
	pe.running = nil
	if hooks.PostLPInit != nil {
		pe.call(func() { hooks.PostLPInit(pe) })
	}
}

// callAt calls Init or PreRun of an LP at a virtual time.
func (lp *LP) callAt(time float64, f func(unsafe.Pointer, *LP)) {
	now := lp.now
	lp.now = time
	f(lp.state, lp)
	lp.now = now
}

// callPreRuns calls PreRun of all LPs.
func (pe *PE) callPreRuns() {
	if load := pe.sim.io.load; load != nil && load.mode == LoadInit && !load.asROSS {
		return // they have run before the checkpoint
	}
	for i := range pe.lpSlab {
		lp := &pe.lpSlab[i]
		if pe.running = lp; lp.typ.preRun != nil {
			lp.callAt(pe.sim.io.clock, lp.typ.preRun)
		}
	}
	pe.running = nil
}

// loop handles events until there are none, an error, or ctx's end.
func (pe *PE) loop(ctx context.Context) error {
	q := pe.q
	for n := 0; pe.err == nil && !pe.ended; n++ {
		sampled := n%meter.SampleEvery == 0
		if pe.probe != nil {
			pe.probe.due = sampled // a look at everything is what comes nearest to GVT
			pe.collectAlone()
		}
		if q.Empty() {
			if pe.refill(); q.Empty() {
				break
			}
			pe.approach()
		}
		if pe.clock.Firsts.Due() {
			pe.timeOne()
		}
		if !pe.storeDue { // the events to come are not part of the checkpoint
			pe.handleBurst(burst)
		}
		if sampled || pe.storeDue {
			if err := pe.look(ctx); err != nil {
				return err
			}
		}
	}
	if pe.err == nil {
		return pe.queueError() // a queue that was refused memory looks empty
	}
	return pe.err
}

// handleBurst handles at most n events of the window.
func (pe *PE) handleBurst(n int) {
	pe.left, pe.unused = n, 0
	if pe.check != nil { // it counts itself
		pe.handleChecked()
		return
	}
	pe.handle()
	pe.counts.Processed += uint64(n - pe.left - pe.unused)
}

// handle handles at most pe.left events of the window. It is the hot loop: what
// it does for an event, it does for every event of every run.
func (pe *PE) handle() {
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
		pe.left--
		lp := pe.at(e.Dst)
		e.State = event.Running
		e.Bits = 0
		pe.cur = e
		pe.running = lp
		lp.now = e.Time
		lp.processed++
		lp.event(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
		if pe.observe {
			pe.running = nil // Commit must not send
			pe.committed(lp, e, !pe.skipped)
			pe.skipped = false
			pe.running = lp
		}
		arena.Free(e, i)
	}
}

// approach reads a word of every event of the window, of its LP, and of the LP's
// state, so that they are in the cache when their turn comes. The reads do not
// wait for one another, where those of the handlers, one event after the other,
// would. They are reads and not prefetches because processors drop a prefetch
// whose page they do not know, which is where it would matter most.
func (pe *PE) approach() {
	if pe.arena.Peak() < nearEvents {
		return
	}
	var lps [2 * pq.MaxWindow]*LP
	keys := pe.q.Window()
	keys = keys[max(0, len(keys)-len(lps)):]
	for i, k := range keys {
		lps[i] = pe.at(pe.arena.At(k.Index()).Dst)
	}
	sum := uint64(0)
	for _, lp := range lps[:len(keys)] {
		sum += uint64(lp.id) + lp.processed
	}
	for _, lp := range lps[:len(keys)] {
		sum += uint64(*(*byte)(lp.state)) // a state without a size has an address, too
	}
	pe.touched = sum // so that the compiler does not drop the reads
}

// dropCancelled frees an event that was cancelled while it was pending.
func (pe *PE) dropCancelled(e *event.Event, i uint32) {
	if invariants.Enabled {
		invariants.Check(e.State == event.Cancelled, "event %d popped in state %d", i, e.State)
	}
	pe.arena.Free(e, i)
}

// reachHorizon does what is due before event e: the GVT hook, a progress line.
func (pe *PE) reachHorizon(e *event.Event) {
	for pe.hookDue(e) {
		pe.fireHook(false)
	}
	pe.gvt = e.Time
	if pe.progress.Due(e.Time) {
		pe.reportProgress()
		if err := pe.sim.out.Err(); err != nil {
			pe.fail(err)
		}
	}
	pe.setHorizon()
}

// hookDue reports whether the GVT hook fires before event e.
func (pe *PE) hookDue(e *event.Event) bool {
	switch pe.hook.kind {
	case hookAt:
		at := &pe.hook.sig
		return at.Time < e.Time || at.Time == e.Time && at.Compare(pe.signature(e)) <= 0
	case hookByModel: // events of the signature of the one that called are not told apart
		return pe.hook.called && pe.hook.caller.Compare(pe.signature(e)) < 0
	}
	return false
}

// lastHooks fires what is still due when no event is left: triggers up to the
// end of the run, and a call from the last event. A run without an end ends
// with its last event: a hook that always asks for a next time would go on for
// ever.
func (pe *PE) lastHooks(ctx context.Context) error {
	end := pe.end
	if math.IsInf(end, 1) {
		pe.gvt = pe.lastTime()
		end = math.Inf(-1)
	} else {
		pe.gvt = end
	}
	pe.running, pe.cur = nil, nil
	for h := &pe.hook; pe.err == nil && (h.called || h.kind == hookAt && h.sig.Time <= end); {
		if err := pe.stopped(ctx); err != nil {
			return err
		}
		pe.fireHook(true)
	}
	return pe.err
}

// lastTime returns the time of the event handled last, 0 before the first.
func (pe *PE) lastTime() float64 {
	if pe.running == nil {
		return 0
	}
	return pe.running.now
}

// stopped returns the error of a run that its context stops, nil if it does
// not.
func (pe *PE) stopped(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return fmt.Errorf("ross: run stopped at time %g of %g: %w", pe.gvt, pe.end, err)
}

// look looks at what is not worth looking at for each event.
func (pe *PE) look(ctx context.Context) error {
	if pe.running != nil {
		pe.gvt = pe.running.now
	}
	if pe.storeDue {
		pe.gvt, pe.storeDue = pe.sim.io.running.virtual, false
	}
	pe.publishSometimes()
	err := pe.stopped(ctx)
	return cmp.Or(pe.storeAlone(err != nil), err, pe.queueError())
}

// panicked makes an error of a panic in a handler, or of the engine.
func (pe *PE) panicked(r any) error {
	stack := debug.Stack()
	lp := pe.running
	if lp == nil {
		lp = pe.shown
	}
	if lp == nil && pe.cur != nil { // Reverse
		lp = pe.at(pe.cur.Dst)
	}
	switch {
	case lp == nil && pe.hook.runs:
		return fmt.Errorf("ross: panic in a hook at time %g: %v: %w: see the stack:\n%s", pe.gvt, r, ErrPanic, stack)
	case lp == nil:
		return fmt.Errorf("ross: PE %d: panic of the engine at time %g: %v: %w: see the stack:\n%s", pe.id, pe.gvt, r, ErrEngine, stack)
	}
	if b, ok := r.(badBit); ok {
		return &ModelError{LP: lp.id, Type: lp.typ.name, Time: lp.now,
			What: fmt.Sprintf("Bits.%s(%d)", b.method, b.i), Err: ErrBits, Fix: "bits go from 0 to 31"}
	}
	return &ModelError{LP: lp.id, Type: lp.typ.name, Time: lp.now,
		What: fmt.Sprintf("panic: %v", r), Err: ErrPanic, Fix: "see the stack:\n" + string(stack)}
}

// refill refills the queue's window.
func (pe *PE) refill() {
	begin := pe.clock.Refills.Start()
	pe.q.Refill()
	pe.clock.Refills.Add(begin, meter.SampleEvery)
}

// timeOne handles one event and charges its LP.
func (pe *PE) timeOne() {
	begin := time.Now()
	pe.handleBurst(1)
	if pe.running != nil && !pe.ended && !pe.storeDue {
		pe.running.charge(begin)
	}
}

// charge charges the LP with an event that began at a time.
func (lp *LP) charge(begin time.Time) {
	lp.seconds += meter.Since(begin) - meter.ClockCost()
	lp.timed++
	lp.pe.clock.Firsts.Weigh(meter.SampleEvery)
}
