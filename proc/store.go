// This file owns Store: items that processes put and get.

package proc

import (
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// Store holds items that processes put and get. It is a [resource.Store] in which processes wait: Open, Len and the
// statistics are the same.
type Store[T any] struct {
	resource.Store[T, Ref] `ross:"."`
}

// Put stores an item, and waits until there is room. ok is false if the store refuses it (Limits.RoomPut).
func (s *Store[T]) Put(p *Self, v T) (ok bool) {
	if !s.BeginPut(p, v) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPut(p)
}

// BeginPut begins a Put.
func (s *Store[T]) BeginPut(p *Self, v T) bool { return s.BeginPutPriority(p, v, 0) }

// PutPriority is Put for a process with a finite priority: of those that wait to put, the least is the first.
func (s *Store[T]) PutPriority(p *Self, v T, priority float64) (ok bool) {
	if !s.BeginPutPriority(p, v, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPutPriority(p)
}

// BeginPutPriority begins a PutPriority.
func (s *Store[T]) BeginPutPriority(p *Self, v T, priority float64) bool {
	for {
		t, o, to, handed := s.Store.PutPriority(p.run.lp, p.ref(), v, priority)
		switch {
		case handed:
			if !p.run.wake(to, byOther, give(p.run, v)) {
				continue // who waited for it leaves within this event
			}
			return p.over(1)
		case o == resource.Waits:
			return p.queue(forRoom, t)
		}
		return p.over(uint64(o)) // Refused is 0
	}
}

// EndPut ends a Put.
func (s *Store[T]) EndPut(p *Self) (ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return false
	}
	return p.pr.value != 0
}

// EndPutPriority ends a PutPriority.
func (s *Store[T]) EndPutPriority(p *Self) (ok bool) { return s.EndPut(p) }

// PutWithin is Put for at most a time: ok is false if there was no room within it.
func (s *Store[T]) PutWithin(p *Self, v T, patience float64) (ok bool) {
	if !s.BeginPutWithin(p, v, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPutWithin(p)
}

// BeginPutWithin begins a PutWithin.
func (s *Store[T]) BeginPutWithin(p *Self, v T, patience float64) bool {
	return p.within(s.BeginPut(p, v), patience)
}

// EndPutWithin ends a PutWithin.
func (s *Store[T]) EndPutWithin(p *Self) (ok bool) { return s.EndPut(p) }

// Get takes the first item out of the store, and waits for one. It is zero if the store refuses (Limits.RoomGet).
func (s *Store[T]) Get(p *Self) T {
	if !s.BeginGet(p) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGet(p)
}

// BeginGet begins a Get.
func (s *Store[T]) BeginGet(p *Self) bool { return s.BeginGetPriority(p, 0) }

// GetPriority is Get for a process with a finite priority: of those that wait to get, the least is the first.
func (s *Store[T]) GetPriority(p *Self, priority float64) T {
	if !s.BeginGetPriority(p, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetPriority(p)
}

// BeginGetPriority begins a GetPriority.
func (s *Store[T]) BeginGetPriority(p *Self, priority float64) bool {
	v, t, o, from, freed := s.Store.GetPriority(p.run.lp, p.ref(), priority)
	if freed {
		p.run.wake(from, byOther, 1)
	}
	if o == resource.Waits {
		return p.queue(forItem, t)
	}
	p.over(give(p.run, v))
	if o == resource.Refused {
		p.pr.why = byTime
	}
	return true
}

// EndGetPriority ends a GetPriority.
func (s *Store[T]) EndGetPriority(p *Self) T { return s.EndGet(p) }

// EndGet ends a Get.
func (s *Store[T]) EndGet(p *Self) T {
	v, _ := s.got(p)
	return v
}

// GetWithin is Get for at most a time: ok is false if there was no item within it.
func (s *Store[T]) GetWithin(p *Self, patience float64) (v T, ok bool) {
	if !s.BeginGetWithin(p, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetWithin(p)
}

// BeginGetWithin begins a GetWithin.
func (s *Store[T]) BeginGetWithin(p *Self, patience float64) bool {
	return p.within(s.BeginGet(p), patience)
}

// EndGetWithin ends a GetWithin.
func (s *Store[T]) EndGetWithin(p *Self) (v T, ok bool) { return s.got(p) }

// GetPriorityWithin is GetPriority for at most a time: ok is false if there was no item within it.
func (s *Store[T]) GetPriorityWithin(p *Self, priority, patience float64) (v T, ok bool) {
	if !s.BeginGetPriorityWithin(p, priority, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetPriorityWithin(p)
}

// BeginGetPriorityWithin begins a GetPriorityWithin.
func (s *Store[T]) BeginGetPriorityWithin(p *Self, priority, patience float64) bool {
	return p.within(s.BeginGetPriority(p, priority), patience)
}

// EndGetPriorityWithin ends a GetPriorityWithin.
func (s *Store[T]) EndGetPriorityWithin(p *Self) (v T, ok bool) { return s.got(p) }

// got returns the item of a Get that is over; one whose time is over leaves.
func (s *Store[T]) got(p *Self) (v T, ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return v, false
	}
	return take[T](p.run, p.pr.value), true
}

func (s *Store[T]) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	for ref := range s.Waiters(faceOf(k)) {
		f(ref, false)
	}
}
