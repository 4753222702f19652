// This file owns FilterStore: items that processes put, and that those get whom they fit.

package proc

import (
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// FilterStore holds items that processes put, and gets each process the first that fits what it wants. It is a
// [resource.FilterStore] in which processes wait: Open, Len and the statistics are the same.
//
//	type Size struct{ Least, Most int32 }
//
//	func (s Size) Fits(shoe Shoe) bool { return s.Least <= shoe.Size && shoe.Size <= s.Most }
//
//	Shelf proc.FilterStore[Shoe, Size]
//
//	shoe := s.Shelf.Get(p, Size{41, 42})
type FilterStore[T any, W resource.Wants[T]] struct {
	resource.FilterStore[T, Wanted[T, W]] `ross:"."`
}

// Wanted is a process at a FilterStore, and what it wants.
type Wanted[T any, W resource.Wants[T]] struct {
	ref  Ref
	want W
}

// Fits reports whether an item fits what the process wants.
func (w Wanted[T, W]) Fits(item T) bool { return w.want.Fits(item) }

// Put stores an item, and waits until there is room. ok is false if the store refuses it (Limits.RoomPut).
func (s *FilterStore[T, W]) Put(p *Self, v T) (ok bool) {
	if !s.BeginPut(p, v) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPut(p)
}

// BeginPut begins a Put.
func (s *FilterStore[T, W]) BeginPut(p *Self, v T) bool {
	for {
		t, o, to, handed := s.FilterStore.Put(p.run.lp, Wanted[T, W]{ref: p.ref()}, v)
		switch {
		case handed:
			if !p.run.wake(to.ref, byOther, give(p.run, v)) {
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
func (s *FilterStore[T, W]) EndPut(p *Self) (ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return false
	}
	return p.pr.value != 0
}

// PutWithin is Put for at most a time: ok is false if there was no room within it.
func (s *FilterStore[T, W]) PutWithin(p *Self, v T, patience float64) (ok bool) {
	if !s.BeginPutWithin(p, v, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPutWithin(p)
}

// BeginPutWithin begins a PutWithin.
func (s *FilterStore[T, W]) BeginPutWithin(p *Self, v T, patience float64) bool {
	return p.within(s.BeginPut(p, v), patience)
}

// EndPutWithin ends a PutWithin.
func (s *FilterStore[T, W]) EndPutWithin(p *Self) (ok bool) { return s.EndPut(p) }

// Get takes the first item that fits out of the store, and waits for one. It is zero if the store refuses
// (Limits.RoomGet).
func (s *FilterStore[T, W]) Get(p *Self, want W) T {
	if !s.BeginGet(p, want) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGet(p)
}

// BeginGet begins a Get.
func (s *FilterStore[T, W]) BeginGet(p *Self, want W) bool { return s.BeginGetPriority(p, want, 0) }

// EndGet ends a Get.
func (s *FilterStore[T, W]) EndGet(p *Self) T {
	v, _ := s.got(p)
	return v
}

// GetPriority is Get for a process with a finite priority: of those that an item fits, the least gets it.
func (s *FilterStore[T, W]) GetPriority(p *Self, want W, priority float64) T {
	if !s.BeginGetPriority(p, want, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetPriority(p)
}

// BeginGetPriority begins a GetPriority.
func (s *FilterStore[T, W]) BeginGetPriority(p *Self, want W, priority float64) bool {
	v, t, o := s.FilterStore.GetPriority(p.run.lp, Wanted[T, W]{p.ref(), want}, priority)
	switch o {
	case resource.Waits:
		return p.queue(forItem, t)
	case resource.Starts:
		s.others(p)
	}
	p.over(give(p.run, v))
	if o == resource.Refused {
		p.pr.why = byTime
	}
	return true
}

// EndGetPriority ends a GetPriority.
func (s *FilterStore[T, W]) EndGetPriority(p *Self) T { return s.EndGet(p) }

// GetWithin is Get for at most a time: ok is false if there was no item that fits within it.
func (s *FilterStore[T, W]) GetWithin(p *Self, want W, patience float64) (v T, ok bool) {
	if !s.BeginGetWithin(p, want, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetWithin(p)
}

// BeginGetWithin begins a GetWithin.
func (s *FilterStore[T, W]) BeginGetWithin(p *Self, want W, patience float64) bool {
	return p.within(s.BeginGet(p, want), patience)
}

// EndGetWithin ends a GetWithin.
func (s *FilterStore[T, W]) EndGetWithin(p *Self) (v T, ok bool) { return s.got(p) }

// got returns the item of a Get that is over; one whose time is over leaves.
func (s *FilterStore[T, W]) got(p *Self) (v T, ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return v, false
	}
	return take[T](p.run, p.pr.value), true
}

// others lets those go on who wait to put, and those who get what they put.
func (s *FilterStore[T, W]) others(p *Self) {
	for {
		from, v, to, handed, ok := s.Next(p.run.lp)
		if !ok {
			return
		}
		p.run.wake(from.ref, byOther, 1)
		for handed && !p.run.wake(to.ref, byOther, give(p.run, v)) { // who waited for it leaves within this event
			to, handed = s.Return(p.run.lp, v)
		}
	}
}

func (s *FilterStore[T, W]) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	for w := range s.Waiters(faceOf(k)) {
		f(w.ref, false)
	}
}
