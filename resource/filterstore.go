// This file owns FilterStore: items that are put, and got by those whom they fit.

package resource

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/stats"
)

// Wants is the rule by which one gets items of a [FilterStore]: a method of what describes him, which depends on
// nothing but him and the item. It is a method since functions cannot be kept in a state.
type Wants[T any] interface{ Fits(item T) bool }

// FilterStore is a [Store] in which whoever gets takes the first item that fits him, also if others wait before him
// for something else. An item that is put goes to the first of those who wait whom it fits, also if the store is full.
//
//	type Order struct{ Customer, Size int32 }
//
//	func (o Order) Fits(shoe Shoe) bool { return shoe.Size == o.Size }
//
//	Shelf resource.FilterStore[Shoe, Order]
//
// Items that wait to be put are not looked at: a store that is full of what nobody wants has those wait who put. A call
// takes time that grows with the number of items that are looked at, or of those who wait.
//
// It sends no events. After each Get that starts, the handler calls Next until it returns false.
type FilterStore[T any, W Wants[T]] struct {
	numbers storeNumbers
	items   chain[T]
	getters chain[asker[W]]
	putters container.IndexedHeap[float64, offer[T, W]]

	Items   stats.Level   `ross:",items,held"` // in the store
	Getters stats.Level   `ross:",customers"`  // who wait
	Putters stats.Level   `ross:",customers"`  // who wait
	WaitGet stats.Tally   // time from Get to the item, of each item that was got
	WaitPut stats.Tally   // time from Put until there was room, of each item that was stored
	Reneged stats.Counter `ross:",customers,rare"` // who left instead of waiting (Leave)
	Refused stats.Counter `ross:",customers,rare"` // who could neither put nor get, nor wait (Limits)
}

// Open gives the store its limits, whose Order is FIFO. Init of the LP calls it, once.
func (s *FilterStore[T, W]) Open(lp *ross.LP, l Limits) { s.numbers.open(lp, l, FIFO, "FIFO", s.blame) }

// Len returns the number of items in the store.
func (s *FilterStore[T, W]) Len() int { return s.items.len() }

// Waiting returns how many wait to get an item, and how many to put one.
func (s *FilterStore[T, W]) Waiting() (getters, putters int) { return s.getters.len(), s.putters.Len() }

// hasRoom reports whether the store has room for one more item.
func (s *FilterStore[T, W]) hasRoom() bool {
	return s.numbers.capacity == 0 || s.items.len() < int(s.numbers.capacity)
}

// Put stores an item (Starts), or has who wait until there is room (Waits), or refuses it. If somebody waits whom it
// fits, he gets it at once: handed is true, and to is he; the handler notifies him. The ticket, 0 unless the outcome is
// Waits, is for Leave.
func (s *FilterStore[T, W]) Put(lp *ross.LP, who W, item T) (t Ticket, o Outcome, to W, handed bool) {
	return s.PutPriority(lp, who, item, 0)
}

// PutPriority is Put for one with a finite priority: of those who wait to put, the least is the first.
func (s *FilterStore[T, W]) PutPriority(lp *ross.LP, who W, item T, priority float64) (t Ticket, o Outcome, to W,
	handed bool) {
	if !s.begin(lp, priority, "put") {
		return 0, Refused, to, false
	}
	if to, handed = s.hand(lp, item); handed {
		s.WaitPut.Add(lp, 0)
		return 0, Starts, to, true
	}
	switch {
	case s.hasRoom():
		if s.items.enter(lp, 0, item) == 0 {
			return 0, Refused, to, false
		}
		s.WaitPut.Add(lp, 0)
		s.Items.Set(lp, float64(s.items.len()))
		return 0, Starts, to, false
	case !roomFor(s.numbers.roomPut, int32(s.putters.Len())):
		s.Refused.Inc(lp)
		return 0, Refused, to, false
	}
	if t = wait(lp, &s.putters, &s.Putters, priority, offer[T, W]{s.asker(lp, who), item}); t == 0 {
		return 0, Refused, to, false
	}
	return putting | t, Waits, to, false
}

// Get takes the first item that fits out of the store (Starts), or has who wait for one (Waits), or refuses. The
// ticket, 0 unless the outcome is Waits, is for Leave.
func (s *FilterStore[T, W]) Get(lp *ross.LP, who W) (item T, t Ticket, o Outcome) {
	return s.GetPriority(lp, who, 0)
}

// GetPriority is Get for one with a finite priority: of those whom an item fits, the least gets it.
func (s *FilterStore[T, W]) GetPriority(lp *ross.LP, who W, priority float64) (item T, t Ticket, o Outcome) {
	if !s.begin(lp, priority, "got") {
		return item, 0, Refused
	}
	for h := s.items.ends.head; h != 0; {
		p, next := s.items.get(lp, h)
		if p == nil {
			return item, 0, Refused
		}
		if who.Fits(*p) {
			item, _ = s.items.leave(lp, h)
			s.WaitGet.Add(lp, 0)
			s.Items.Set(lp, float64(s.items.len()))
			return item, 0, Starts
		}
		h = next
	}
	if !roomFor(s.numbers.roomGet, int32(s.getters.len())) {
		s.Refused.Inc(lp)
		return item, 0, Refused
	}
	a := s.asker(lp, who)
	h := s.getters.enter(lp, priority, a)
	if h == 0 {
		return item, 0, Refused
	}
	s.Getters.Set(lp, float64(s.getters.len()))
	return item, ticketOf(h, a.number), Waits
}

// Next lets the first of those who wait to put go on, if there is room, and returns who it is and his item. If
// somebody waits whom it fits, he gets it: handed is true, and to is he. ok is false if nobody can go on.
func (s *FilterStore[T, W]) Next(lp *ross.LP) (from W, item T, to W, handed, ok bool) {
	if s.putters.Len() == 0 || !s.hasRoom() {
		return from, item, to, false, false
	}
	if _, ok = begin(inside.LP(lp), &s.numbers); !ok {
		return from, item, to, false, false
	}
	first, waited, ok := goesOn(lp, &s.putters, &s.Putters)
	if !ok {
		return from, item, to, false, false
	}
	s.WaitPut.Add(lp, waited)
	if to, handed = s.hand(lp, first.item); !handed {
		s.items.enter(lp, 0, first.item)
		s.Items.Set(lp, float64(s.items.len()))
	}
	return first.who, first.item, to, handed, true
}

// Return puts an item back that one has got who does not want it, also if others wait to put: it is the last of the
// store, or goes to the first of those who wait whom it fits. There has to be room for it, as before Next: otherwise it
// is an ErrRules.
func (s *FilterStore[T, W]) Return(lp *ross.LP, item T) (to W, handed bool) {
	if !s.numbers.opened {
		s.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
		return to, false
	}
	if _, ok := begin(inside.LP(lp), &s.numbers); !ok {
		return to, false
	}
	if to, handed = s.hand(lp, item); handed {
		return to, true
	}
	if !s.hasRoom() {
		s.blame(lp, ErrRules, "return what Get has given before others put, or Put it",
			"an item returned, without room for it")
		return to, false
	}
	s.items.enter(lp, 0, item)
	s.Items.Set(lp, float64(s.items.len()))
	return to, false
}

// hand gives an item to the first of those who wait whom it fits.
func (s *FilterStore[T, W]) hand(lp *ross.LP, item T) (to W, handed bool) {
	for h := s.getters.ends.head; h != 0; {
		p, next := s.getters.get(lp, h)
		if p == nil {
			return to, false
		}
		if p.who.Fits(item) {
			gone, ok := s.getters.leave(lp, h)
			if !ok {
				return to, false
			}
			if gone.timer != (ross.Timer{}) {
				gone.timer.Cancel(lp)
			}
			s.WaitGet.Add(lp, lp.Now()-gone.came)
			s.Getters.Set(lp, float64(s.getters.len()))
			return gone.who, true
		}
		h = next
	}
	return to, false
}

// Leave has one who waits leave, and returns who it is: his patience is over. If he does not wait any more, ok is false
// and nothing happens. An item that he wanted to put is gone with him.
func (s *FilterStore[T, W]) Leave(lp *ross.LP, t Ticket) (who W, ok bool) {
	if t&putting != 0 {
		gone, ok := leave(lp, &s.putters, &s.Putters, &s.Reneged, t&^putting)
		return gone.who, ok
	}
	p, _ := s.getters.get(lp, t.handle())
	if p == nil || p.number != t.number() {
		return who, false
	}
	timer := p.timer
	gone, ok := s.getters.leave(lp, t.handle())
	if !ok {
		return who, false
	}
	if timer != (ross.Timer{}) {
		timer.Cancel(lp)
	}
	s.Getters.Set(lp, float64(s.getters.len()))
	s.Reneged.Inc(lp)
	return gone.who, true
}

func (s *FilterStore[T, W]) patience(lp *ross.LP, t Ticket) *ross.Timer {
	if t&putting != 0 {
		return timerOf(lp, &s.putters, t&^putting)
	}
	if p, _ := s.getters.get(lp, t.handle()); p == nil || p.number != t.number() {
		return nil
	}
	if c := s.getters.cells.Edit(lp, t.handle()); c != nil {
		return &c.value.timer
	}
	return nil
}

// Waiters returns those who wait to get an item, and then those who wait to put one, each group in no order that means
// anything. The loop changes nothing.
func (s *FilterStore[T, W]) Waiters(lp *ross.LP) iter.Seq[W] {
	return func(yield func(W) bool) {
		for _, c := range s.getters.cells.All(lp) {
			if !yield(c.value.who) {
				return
			}
		}
		for _, a := range s.putters.All(lp) {
			if !yield(a.who) {
				return
			}
		}
	}
}

// begin is called first, and reports whether the store may be changed.
func (s *FilterStore[T, W]) begin(lp *ross.LP, priority float64, did string) bool {
	switch {
	case !s.numbers.opened:
		s.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
		return false
	case priority-priority != 0:
		s.blame(lp, ErrAmount, "give a finite priority", fmt.Sprintf("priority is %g", priority))
		return false
	case s.putters.Len() > 0 && s.hasRoom():
		s.blame(lp, ErrRules, "after each Get that starts call Next until it returns false",
			did+" while one who waits could go on")
		return false
	}
	_, ok := begin(inside.LP(lp), &s.numbers)
	return ok
}

// asker returns one who waits from now on.
func (s *FilterStore[T, W]) asker(lp *ross.LP, who W) asker[W] {
	s.numbers.number = max(s.numbers.number+1, 1)
	return asker[W]{waitHead{came: lp.Now(), number: s.numbers.number}, who}
}

// blame reports a mistake of the model.
func (s *FilterStore[T, W]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&s.Items), err, fix, what)
}
