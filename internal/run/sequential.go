// This file owns the sequential scheduler (--synch=1): one PE handles all events in their
// order.

package run

import (
	"cmp"
	"context"
	"time"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/report"
)

// burst is the maximum number of events of a window that the scheduler handles between looks
// at the clock and the context.
const burst = 256

// runSequential runs the simulation from Init of the LPs to the last event.
func (pe *PE) runSequential() (err error) {
	defer pe.takeThread()()
	defer pe.Phases.Stop()
	pe.thread.own = true
	defer pe.endUse()
	pe.Catch(func() { err = pe.runAlone(pe.Engine.ctx) }, func(c kernel.Crash) {
		err = cmp.Or(pe.Err, c.Err) // the handler that panics has made a mistake before
		pe.LoseEvent()
	})
	return err
}

// runAlone is runSequential without the handling of panics.
func (pe *PE) runAlone(ctx context.Context) error {
	pe.callInits()
	pe.callPreRuns()
	pe.cp.LoadEvents()
	pe.Engine.Checkpoints.Loaded()
	pe.Probe.FirstPoints()
	pe.prepareEvents()
	if pe.Started = uint64(pe.Arena.Live()); pe.Err != nil {
		return pe.Err
	}
	pe.Engine.printStart(pe.Engine.Stats.Synch)
	if err := pe.Run.Out.Err(); err != nil {
		return err
	}
	pe.Observe = pe.Engine.observing()
	pe.progress = pe.Engine.newProgress(report.SequentialReportInterval)
	pe.progress.StartAt(pe.Run.StartTime)
	pe.setHorizon()
	pe.Phases.Start()
	pe.beginUse()
	pe.Probe.Begin()
	pe.Engine.Live.begin(pe.Engine.Created)
	switch pe.Run.Set.Synch {
	case settings.SynchDebug:
		err := pe.debug(ctx)
		pe.Engine.Live.Complete.Store(err == nil)
		return err
	case settings.SynchCheck:
		pe.check.Begin()
	}
	again, err := true, error(nil)
	for again && err == nil {
		if err := pe.loop(ctx); err != nil {
			return err
		}
		if pe.check != nil {
			pe.check.End()
		}
		again, err = pe.lastHooks(ctx)
	}
	pe.publish()
	pe.Engine.Live.Complete.Store(err == nil)
	return err
}

// loop handles events until none is left, an error occurs, or ctx ends.
func (pe *PE) loop(ctx context.Context) error {
	q := pe.Queue
	for n := 0; pe.Err == nil && !pe.WaitsFor(timewarp.WaitEnd); n++ {
		sampled := n%meter.SampleEvery == 0
		if pe.Probe != nil {
			pe.Probe.Due = sampled // such a turn is the closest equivalent of a GVT
			pe.Probe.CollectAlone()
		}
		if pe.InSerial() && pe.Engine.serialOver() {
			break
		}
		pe.sweepAlone()
		if q.Empty() {
			if pe.Refill(); q.Empty() {
				if pe.InSerial() {
					pe.Engine.left = false
				}
				break
			}
			pe.WarmCaches()
		}
		if !pe.WaitsFor(timewarp.WaitCheckpoint) && pe.Phases.Firsts.Due() {
			pe.timeOne()
		}
		if !pe.WaitsFor(timewarp.WaitCheckpoint) { // later events come after the checkpoint
			pe.handleBurst(burst)
		}
		if sampled || pe.WaitsFor(timewarp.WaitCheckpoint) {
			pe.Run.Set.Turn.At(settings.Main(pe.Engine.Cluster.Rank), "alone")
			if err := pe.betweenBursts(ctx); err != nil {
				return cmp.Or(pe.Err, err) // a mistake comes before a stop
			}
		}
	}
	if pe.Err == nil {
		return pe.QueueError() // a queue that was refused memory looks empty
	}
	return pe.Err
}

// sweepAlone frees events that are of no use, if there are too many.
func (pe *PE) sweepAlone() {
	if !pe.MustSweep() {
		return
	}
	if lapsed := pe.Sweep(); pe.check != nil {
		pe.check.Lapsed(lapsed)
	}
}

// handleBurst handles at most n events of the window.
func (pe *PE) handleBurst(n int) {
	pe.Left, pe.Unused = n, 0
	if pe.check != nil { // which counts events itself
		pe.handleChecked()
		return
	}
	if pe.InSerial() {
		pe.handleSerial()
		return
	}
	for n > 0 {
		now := pe.Arena.AheadOf(n)
		if pe.handleUpTo(now); pe.Left > 0 || pe.Err != nil || pe.Waits() {
			return
		}
		n -= now
	}
}

// handleUpTo handles at most n events of the window.
func (pe *PE) handleUpTo(n int) {
	pe.Left, pe.Unused = n, 0
	pe.handle()
	pe.AddUp()
	pe.Counts.Processed += uint64(n - pe.Left - pe.Unused)
}

// handle handles at most pe.Left events of the window. It is the hot loop: its cost is paid
// for every event of every run. There are three loops that take an event and call its handler: this one,
// handleWindow for the events of all PEs, and HandleOptimistic of package timewarp, which keeps what undoes
// the event. What an event needs before its handler stands in each of them, since sharing it costs a call.
func (pe *PE) handle() {
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
		if k.TS >= pe.Horizon && !pe.Cross(k, e) {
			return
		}
		pe.Left--
		lp := pe.At(e.Dst)
		e.State = event.Running
		e.Bits = 0
		pe.Current = e
		pe.Running = lp
		pe.Earlier = lp.Now
		lp.Now = e.Time
		lp.Processed++
		lp.Event(lp.State, lp, event.Payload(e))
		if pe.Observe {
			pe.Running = nil // Commit must not send
			pe.Committed(lp, e, !pe.Skipped, kernel.NoGroup)
			pe.Skipped = false
			pe.Running = lp
		}
		if arena.IsPlain(e, i) {
			arena.FreePlain(e, i)
		} else {
			arena.Free(e, i)
		}
	}
}

// betweenBursts checks what need not be checked for each event: the context, checkpoints, and
// the published figures.
func (pe *PE) betweenBursts(ctx context.Context) error {
	if pe.Running != nil {
		pe.GVT = pe.lastTime()
	}
	if pe.WaitsFor(timewarp.WaitCheckpoint) {
		pe.GVT = pe.Engine.Checkpoints.Running.Virtual
	}
	pe.publishSometimes()
	err := pe.stopped(ctx)
	err = cmp.Or(pe.cp.StoreAlone(err != nil), err, pe.QueueError())
	if pe.WaitsFor(timewarp.WaitCheckpoint) && err == nil {
		pe.waitForWriter()
	}
	return err
}

// timeOne handles one event and charges its time to its LP.
func (pe *PE) timeOne() {
	kind := pe.NextKind()
	begin := time.Now()
	pe.handleBurst(1)
	if pe.Running != nil && !pe.Waits() {
		pe.Running.Charge(begin, kind)
	}
}
