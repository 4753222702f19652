// This file owns serial mode: the PEs of a process share one queue and one arena, so that one thread handles all events
// in their order (package run, serial.go). Everything else stays where it is, so PEs come together and part at the cost
// of moving the pending events.

package kernel

import (
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/pq"
)

// serialState holds what each PE had of its own before they came together.
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

// takeAll takes all events out of the queue, and frees those that are cancelled or have lapsed. Nothing may be
// uncommitted.
func (pe *PE) takeAll(f func(k event.Key, e *event.Event)) {
	for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
		e := pe.Arena.At(k.Index())
		if !e.Waits() {
			pe.DropCancelled(e, k.Index())
			continue
		}
		if pe.HasLapsed(e) {
			pe.DropLapsed(e, k.Index())
			continue
		}
		e.State = event.Pending // the queue that it comes into may have no other with its signature
		f(k, e)
	}
	pe.Dead, pe.LapsedIn, pe.lapsedKept = 0, 0, 0
}

// InSerial reports whether the first PE handles the events of this one.
func (pe *PE) InSerial() bool { return pe.serial }
