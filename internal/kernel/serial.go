// This file owns what lets one thread handle the events of all PEs of a process in their order, with
// one queue: the PEs share a queue and an arena.
// Everything else stays where it is, so PEs come together and part at the cost of moving the
// pending events.

package kernel

import (
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/pq"
)

// together holds what each PE had of its own before they came together.
type serialState struct {
	own []ownPlace // by PE of this process, nil while each PE has its own
}

// ownPlace is how a PE finds its events and LPs.
type ownPlace struct {
	arena      *event.Arena
	queue      *pq.EventSet
	from, span uint32
}

// BeginSerial lets the first PE handle the events of all PEs. Nothing may be uncommitted or under way.
func (r *Run) BeginSerial() {
	t, first := &r.serialState, r.PEs[0]
	t.own = make([]ownPlace, len(r.PEs))
	span := uint32(len(r.lps))
	for i, pe := range r.PEs {
		t.own[i] = ownPlace{pe.Arena, pe.Queue, pe.from, pe.span}
		if n := uint32(len(pe.LPs)); n > 0 && (pe.span != n || pe.first != first.first) {
			span = 0 // ids are not consecutive
		}
	}
	for i, pe := range r.PEs {
		if i > 0 {
			pe.takeAll(func(k event.Key, _ *event.Event) { first.Queue.Push(k) })
			pe.Queue.Shrink()
			pe.Arena.Rest() // the first arena uses its slots
		}
		pe.Arena, pe.Queue, pe.from, pe.span, pe.serial = first.Arena, first.Queue, 0, span, true
		pe.SetMode(settings.Sequential)
		pe.DropHistories()
	}
}

// EndSerial gives each PE its events back. mode is how the PEs go on.
func (r *Run) EndSerial(mode settings.Mode) {
	t, first := &r.serialState, r.PEs[0]
	if t.own == nil {
		return
	}
	for i, pe := range r.PEs {
		own := &t.own[i]
		pe.Arena, pe.Queue, pe.from, pe.span = own.arena, own.queue, own.from, own.span
		pe.serial = false
		pe.Arena.Wake()
		pe.SetMode(mode)
	}
	t.own = nil
	r.handOver(first)
}

// DropHistories gives back the memory of histories that hold nothing.
func (pe *PE) DropHistories() {
	for _, kp := range pe.Mine {
		if h := &kp.History; h.Empty() {
			kp.Repay()
			pe.Budget.Give(uint64(len(h.Buf)) * 8)
			*h = History{Saved: h.Saved}
		}
	}
}

// takeAll takes all events out of the queue, and frees those that are cancelled.
func (pe *PE) takeAll(f func(k event.Key, e *event.Event)) {
	for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
		e := pe.Arena.At(k.Index())
		if !e.Waits() {
			pe.DropCancelled(e, k.Index())
			continue
		}
		e.State = event.Pending // the queue that it comes into may have no other with its signature
		f(k, e)
	}
}

// SetMode changes the way in which the PE handles events. Nothing may be uncommitted.
func (pe *PE) SetMode(mode settings.Mode) {
	pe.FreeOld(nil)
	pe.RecordSlowly()
	pe.Mode, pe.Left, pe.Unused, pe.Horizon = mode, 0, 0, Never
	if !pe.Run.ignores.Load() {
		return
	}
	for i := range pe.LPs {
		if lp := &pe.LPs[i]; lp.Suspended() {
			lp.Event = pe.Run.handlerOf(lp.Type())
			lp.ignoreEvents(lp.Code(), mode) // the PE that handles it may not have the mode yet
		}
	}
}

// InSerial reports whether the first PE handles the events of this one.
func (pe *PE) InSerial() bool { return pe.serial }

// HandleSerial handles at most pe.Left events of the window, of all PEs of the process. cross
// decides about events at or beyond the horizon. As to the model, an event runs on the PE of its LP.
// Which one that is changes from event to event, so no branch depends on it. It reports whether an event has
// failed.
func (pe *PE) HandleSerial(cross func(k event.Key, e *event.Event) bool) (failed bool) {
	q, arena := pe.Queue, pe.Arena
	pe.Running = nil
	defer pe.takeOver()
	for pe.Left > 0 {
		k, ok := q.PopWindow()
		if !ok {
			return failed
		}
		i := k.Index()
		e := arena.At(i)
		if e.State != event.Pending && !pe.Survives(e, i) {
			continue
		}
		if k.TS >= pe.Horizon && !cross(k, e) {
			return failed
		}
		pe.Left--
		lp := pe.At(e.Dst)
		home := lp.PE
		e.State = event.Running
		e.Bits = 0
		home.Current = e
		home.Running = lp
		home.Earlier = lp.Now
		lp.Now = e.Time
		lp.Processed++
		lp.Event(lp.State, lp, &e.Bits, event.Payload(e))
		home.Running = nil
		if pe.Observe {
			home.Committed(lp, e, !home.Skipped, NoGroup)
			home.Skipped = false
		}
		arena.Free(e, i)
		pe.LastLP = lp
		pe.Horizon = min(pe.Horizon, home.Horizon)
		if home.Err != nil {
			failed = true
			pe.StopBatch()
		}
	}
	return failed
}

// takeOver makes the LP whose handler has not returned, if there is one, that of the first PE, which
// handles what went wrong. Otherwise it does so with the LP that ran last.
func (pe *PE) takeOver() {
	for _, other := range pe.Run.PEs {
		pe.Passed = max(pe.Passed, other.Passed)
	}
	for _, other := range pe.Run.PEs {
		if other.Running != nil || other.Shown != nil {
			pe.Running, pe.Current, pe.Shown = other.Running, other.Current, other.Shown
			return
		}
	}
	pe.Running = pe.LastLP
}
