// This file owns the trigger of the GVT hook, the calls by which handlers fire it, and what a hook does with pending
// events.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// Trigger says when the GVT hook fires. The zero value means never.
type Trigger struct {
	Kind hookKind  // which of the other fields counts
	Sig  Signature // for HookAt
	N    uint64    // for HookEvery
}

// hookKind is a kind of trigger.
type hookKind uint8

// The kinds of triggers.
const (
	HookNever   hookKind = iota // the hook does not fire
	HookAt                      // at a signature
	HookEvery                   // at every N-th GVT
	HookByModel                 // when a handler calls TriggerHook
)

// hookState is the state of a PE's GVT hook.
type hookState struct {
	Trigger
	Called bool        // a handler has fired the hook
	Caller Signature   // the calling event; in optimistic runs only with the check of rollback
	Ready  bool        // GVT is at the trigger, and all events after it are undone
	Bound  gvt.Bound   // in a parallel run: the trigger, or gvt.Max if there is none
	Calls  []gvt.Bound // in a parallel run: bounds just after the events that call the hook
	Spent  *Signature  // the trigger for which the hook runs now
	Place  gvt.Bound   // with Run.HookTakes: where in the order of events the hook runs
	Runs   bool        // the hook runs: a panic outside handlers is the user's
}

// TriggerHook fires the GVT hook when the event being handled is committed, provided that
// the trigger is HookByModel.
func (lp *LP) TriggerHook() {
	pe := lp.PE
	if pe.Hook.Kind != HookByModel || pe.Running != lp || pe.Current == nil {
		return
	}
	if pe.Undoes() {
		lp.record(TagHook, 0, GroupWork)
		lp.callHook()
		if pe.Checked {
			pe.Hook.Caller = pe.SignatureOf(pe.Current)
		}
		return
	}
	if pe.Conservative() {
		lp.callHook()
		return
	}
	pe.Hook.Caller = pe.SignatureOf(pe.Current)
	pe.Hook.Called = true
	pe.LookNow()
}

// UntriggerHook undoes TriggerHook in a sequential run.
func (lp *LP) UntriggerHook() {
	if lp.PE.Sequential() {
		lp.PE.Hook.Called = false
		lp.PE.LookNow() // the scheduler computes it before the next event
	}
}

// callHook records that the event being handled calls the hook.
func (lp *LP) callHook() {
	pe := lp.PE
	b := pe.BoundAt(pe.Current)
	b.After()
	pe.Arena.Lines.Keep(b.Node)
	pe.Hook.Calls = append(pe.Hook.Calls, b)
}

// What follows is for the hook of a run with Run.HookTakes, while it runs. All PEs of the process are in the hook then,
// nothing is uncommitted or under way, and a pending event has been sent by a committed one, so that nobody cancels it.
// Ranks must not go on before all of them have taken what they want.

// TakeEvents takes the events of the model's LPs out of the queue, the least first. An event keeps its slot until it is
// given to PutBack or FreeTaken.
func (pe *PE) TakeEvents(f func(i uint32, e *event.Event)) {
	var others []event.Key
	pe.takeAll(func(k event.Key, e *event.Event) {
		if at := e.Dst - pe.From(); at >= uint32(len(pe.LPs)) { // of an analysis LP
			others = append(others, k)
			return
		}
		f(k.Index(), e)
	})
	for _, k := range others {
		pe.Queue.Push(k)
	}
}

// PutBack puts an event that was taken into the queue of the PE that has its LP, at a time for which it is after the
// place of the hook. An event at or after the end of the run is freed if the run does not keep such events.
func (pe *PE) PutBack(i uint32, e *event.Event, time float64) {
	e.Time = time
	to := pe.At(e.Dst).PE
	if invariants.Enabled {
		b := to.BoundAt(e)
		invariants.Check(b.Compare(&to.Hook.Place, to.Arena.Lines) >= 0,
			"event %d is put back at %g, before the hook's place at %g", i, time, to.GVT)
	}
	if time >= to.End && !to.Run.Keeps {
		to.PastEnd++
		pe.FreeTaken(i, e)
		return
	}
	to.Queue.Push(event.KeyOf(e, i))
}

// FreeTaken frees an event that was taken.
func (pe *PE) FreeTaken(i uint32, e *event.Event) { pe.At(e.Dst).PE.Arena.Free(e, i) }

// ScheduleInHook is Schedule for an event that the hook sends in the name of an LP, as if an event at the place of the
// hook sent it. The goroutine of the LP's PE calls it.
func (lp *LP) ScheduleInHook(dst uint64, delay, prio float64, msg unsafe.Pointer, size uintptr) unsafe.Pointer {
	pe, now := lp.PE, lp.Now
	at := &pe.Hook.Place
	pe.Enter(lp)
	pe.Current = &event.Event{
		Time: pe.GVT, Prio: min(at.Prio, 1), Tie: min(at.Tie, 1), Lineage: at.Node, State: event.Running,
	}
	lp.Now = pe.GVT
	payload := lp.Schedule(dst, delay, prio, msg, size)
	pe.Rest()
	lp.Now = now
	return payload
}
