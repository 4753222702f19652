// This file owns what lets one thread handle the events of all PEs of a process in their order, with
// one queue: the PEs share a queue and an arena, and an event names its LP among those of all PEs.
// Everything else stays where it is, so PEs come together and part at the cost of moving the
// pending events.

package kernel

import (
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/pq"
)

// together holds the LPs of all PEs of a process, one PE after the other, and what each PE had of
// its own before they came together.
type together struct {
	lps   []LP
	types []uint16 // of lps; nil if there is only one type
	own   []place  // by PE of this process, nil while each PE has its own
}

// place is how a PE finds its events and LPs.
type place struct {
	arena  *event.Arena
	queue  *pq.Queue
	lpBase unsafe.Pointer
	first  uint64
	span   uint64
	types  []uint16
}

// placeLPs gives the PE its n LPs among those of all PEs of this process, which the first PE makes.
func (pe *PE) placeLPs(n uint64) {
	r := pe.Run
	t := &r.together
	if pe.ID == r.Base {
		all := uint64(0)
		for i := range uint64(r.Set.PEs) {
			all += r.Layout.NumLPs(r.Base + i)
		}
		t.lps = make([]LP, all)
		mem.AdviseHuge(unsafe.Pointer(unsafe.SliceData(t.lps)), uintptr(all)*LPSize)
		if len(r.Types) > 1 {
			t.types = make([]uint16, all)
		}
	} else {
		last := r.PEs[len(r.PEs)-1]
		pe.offset = last.offset + uint64(len(last.LPs))
	}
	pe.LPs = t.lps[pe.offset : pe.offset+n : pe.offset+n]
}

// typesOf returns the types of the n LPs of a PE among those of all PEs, nil if they are not kept
// together.
func (t *together) typesOf(pe *PE, n uint64) []uint16 {
	if t.types == nil {
		return nil
	}
	return t.types[pe.offset : pe.offset+n : pe.offset+n]
}

// JoinPEs lets the first PE handle the events of all PEs. Nothing may be uncommitted or under way.
func (r *Run) JoinPEs() {
	t, first := &r.together, r.PEs[0]
	t.own = make([]place, len(r.PEs))
	span := uint64(len(t.lps))
	for i, pe := range r.PEs {
		t.own[i] = place{arena: pe.Arena, queue: pe.Queue, lpBase: pe.LPBase, first: pe.first, span: pe.Span, types: pe.types}
		if n := uint64(len(pe.LPs)); n > 0 && (pe.Span != n || pe.first != first.first+pe.offset) {
			span = 0 // ids are not consecutive
		}
	}
	base := unsafe.Pointer(unsafe.SliceData(t.lps))
	for i, pe := range r.PEs {
		if i > 0 {
			pe.takeAll(func(k event.Key, e *event.Event) {
				e.Dst += uint32(pe.offset)
				first.Queue.Push(k)
			})
		}
		pe.Arena, pe.Queue, pe.LPBase, pe.Span, pe.types = first.Arena, first.Queue, base, span, t.types
		if pe.joined = true; span > 0 {
			pe.first = first.first
		}
		pe.SetMode(settings.Sequential)
	}
}

// PartPEs gives each PE its events back. mode is how the PEs go on.
func (r *Run) PartPEs(mode settings.Mode) {
	t, first := &r.together, r.PEs[0]
	if t.own == nil {
		return
	}
	type pending struct {
		home *PE
		k    event.Key
	}
	var all []pending
	first.takeAll(func(k event.Key, e *event.Event) {
		home := t.lps[e.Dst].PE
		e.Dst -= uint32(home.offset)
		all = append(all, pending{home, k})
	})
	for i, pe := range r.PEs {
		own := &t.own[i]
		pe.Arena, pe.Queue, pe.LPBase, pe.first, pe.Span, pe.types = own.arena, own.queue, own.lpBase, own.first, own.span, own.types
		pe.joined = false
		pe.SetMode(mode)
	}
	t.own = nil
	for _, p := range all {
		p.home.Queue.Push(p.k)
	}
}

// takeAll takes all events out of the queue, and frees those that are cancelled.
func (pe *PE) takeAll(f func(k event.Key, e *event.Event)) {
	for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
		e := pe.Arena.At(k.Index())
		if e.State != event.Pending {
			pe.DropCancelled(e, k.Index())
			continue
		}
		f(k, e)
	}
}

// SetMode changes the way in which the PE handles events. Nothing may be uncommitted.
func (pe *PE) SetMode(mode settings.Mode) {
	pe.FreeOld(nil)
	pe.RecordSlowly()
	pe.Mode, pe.Left, pe.Unused, pe.Horizon = mode, 0, 0, Never
	if !pe.ignores {
		return
	}
	for i := range pe.LPs {
		if lp := &pe.LPs[i]; lp.Suspended() {
			lp.Event = pe.Run.handlerOf(lp.Type())
			lp.IgnoreEvents(lp.Code())
		}
	}
}

// Joined reports whether the first PE handles the events of this one.
func (pe *PE) Joined() bool { return pe.joined }

// HandleJoined handles at most pe.Left events of the window, of all PEs of the process. cross
// decides about events at or beyond the horizon. As to the model, an event runs on the PE of its LP.
// Which one that is changes from event to event, so no branch depends on it.
func (pe *PE) HandleJoined(cross func(k event.Key, e *event.Event) bool) {
	q, arena := pe.Queue, pe.Arena
	pe.Running = nil
	defer pe.takeOver()
	for pe.Left > 0 {
		k, ok := q.PopWindow()
		if !ok {
			return
		}
		i := k.Index()
		e := arena.At(i)
		if e.State != event.Pending {
			pe.DropCancelled(e, i)
			continue
		}
		if k.TS >= pe.Horizon && !cross(k, e) {
			return
		}
		pe.Left--
		lp := pe.At(e.Dst)
		home := lp.PE
		e.State = event.Running
		e.Bits = 0
		home.Current = e
		home.Running = lp
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
			pe.StopBatch()
		}
	}
}

// takeOver makes the LP whose handler has not returned, if there is one, that of the first PE, which
// handles what went wrong. Otherwise it does so with the LP that ran last.
func (pe *PE) takeOver() {
	for _, other := range pe.Run.PEs {
		if other.Running != nil || other.Shown != nil {
			pe.Running, pe.Current, pe.Shown = other.Running, other.Current, other.Shown
			return
		}
	}
	pe.Running = pe.LastLP
}
