// This file owns Store: items that are put and got.

package resource

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/stats"
)

// Store holds items: parts between two machines, letters in a mailbox, orders. Whoever gets an item
// from an empty store waits, and whoever puts one into a full store does. T describes an item, and W
// who puts or gets it: an id of an LP, a ticket, a number. Both hold no pointers, strings, slices or
// maps. Items leave in the order in which they came, and so do those who wait.
//
// A Store is a field of an LP's state, not behind a pointer and not in a container. It sends no
// events: Put and Get return whom the handler has to notify.
type Store[T, W any] struct {
	numbers storeNumbers
	items   container.Queue[T]
	getters container.IndexedHeap[float64, asker[W]]
	putters container.IndexedHeap[float64, offer[T, W]]

	Items   stats.Level   `ross:",items,held"` // in the store
	Getters stats.Level   `ross:",customers"`  // who wait
	Putters stats.Level   `ross:",customers"`  // who wait
	WaitGet stats.Tally   // time from Get to the item, of each item that was got
	WaitPut stats.Tally   // time from Put until there was room, of each item that was stored
	Reneged stats.Counter `ross:",customers,rare"` // who left instead of waiting (Leave)
	Refused stats.Counter `ross:",customers,rare"` // who could neither put nor get, nor wait (Limits)
}

// storeNumbers are the numbers of a Store that are saved together.
type storeNumbers struct {
	number   uint32 // of those who ever waited
	capacity int32  // 0: any number
	room     int32  // as in Rules
	opened   bool
}

// Limits are those of a Store.
type Limits struct {
	Capacity int // how many items there may be; 0: any number
	Room     int // how many may wait to put, and how many to get; 0: any number; NoRoom: nobody
}

// offer is one who waits to put.
type offer[T, W any] struct {
	asker[W]
	item T
}

// Open gives the store its limits. Init of the LP calls it, once.
func (s *Store[T, W]) Open(lp *ross.LP, l Limits) {
	switch {
	case s.numbers.opened:
		s.blame(lp, ErrRules, "call Open once, in Init", "was opened twice")
	case l.Capacity < 0 || l.Capacity > math.MaxInt32:
		s.blame(lp, ErrRules, "give 0 for any number, or 1 to 2^31 - 1",
			fmt.Sprintf("was opened with a capacity of %d", l.Capacity))
	case l.Room < NoRoom || l.Room > math.MaxInt32:
		s.blame(lp, ErrRules, "give 0 for any number, NoRoom, or 1 to 2^31 - 1",
			fmt.Sprintf("was opened with room for %d", l.Room))
	default:
		if _, ok := begin(inside.LP(lp), &s.numbers); ok {
			s.numbers.capacity, s.numbers.room, s.numbers.opened = int32(l.Capacity), int32(l.Room), true
		}
	}
}

// Len returns the number of items in the store.
func (s *Store[T, W]) Len() int { return s.items.Len() }

// Waiting returns how many wait to get an item, and how many to put one.
func (s *Store[T, W]) Waiting() (getters, putters int) { return s.getters.Len(), s.putters.Len() }

// Put stores an item (Starts), or has who wait until there is room (Waits), or refuses it. If somebody
// waits for an item, he gets it at once: handed is true, and to is he; the handler notifies him. The
// ticket, 0 unless the outcome is Waits, is for Leave.
func (s *Store[T, W]) Put(lp *ross.LP, who W, item T) (t Ticket, o Outcome, to W, handed bool) {
	if !s.begin(lp) {
		return 0, Refused, to, false
	}
	switch {
	case s.getters.Len() > 0:
		_, first, ok := s.getters.Pop(lp)
		if !ok {
			return 0, Refused, to, false
		}
		s.WaitGet.Add(lp, lp.Now()-first.came)
		s.WaitPut.Add(lp, 0)
		s.Getters.Set(lp, float64(s.getters.Len()))
		return 0, Starts, first.who, true
	case s.numbers.capacity == 0 || s.items.Len() < int(s.numbers.capacity):
		s.items.Push(lp, item)
		s.WaitPut.Add(lp, 0)
		s.Items.Set(lp, float64(s.items.Len()))
		return 0, Starts, to, false
	case !roomFor(s.numbers.room, int32(s.putters.Len())):
		s.Refused.Inc(lp)
		return 0, Refused, to, false
	}
	if t = wait(lp, &s.putters, &s.Putters, offer[T, W]{s.asker(lp, who), item}); t == 0 {
		return 0, Refused, to, false
	}
	return putting | t, Waits, to, false
}

// Get takes the first item out of the store (Starts), or has who wait for one (Waits), or refuses. If
// somebody waits to put an item, he finds room at once: freed is true, and from is he; the handler
// notifies him. The ticket, 0 unless the outcome is Waits, is for Leave.
func (s *Store[T, W]) Get(lp *ross.LP, who W) (item T, t Ticket, o Outcome, from W, freed bool) {
	if !s.begin(lp) {
		return item, 0, Refused, from, false
	}
	if item, ok := s.items.Pop(lp); ok {
		s.WaitGet.Add(lp, 0)
		if s.putters.Len() == 0 {
			s.Items.Set(lp, float64(s.items.Len()))
			return item, 0, Starts, from, false
		}
		_, first, _ := s.putters.Pop(lp)
		s.items.Push(lp, first.item)
		s.WaitPut.Add(lp, lp.Now()-first.came)
		s.Putters.Set(lp, float64(s.putters.Len()))
		return item, 0, Starts, first.who, true
	}
	if !roomFor(s.numbers.room, int32(s.getters.Len())) {
		s.Refused.Inc(lp)
		return item, 0, Refused, from, false
	}
	if t = wait(lp, &s.getters, &s.Getters, s.asker(lp, who)); t == 0 {
		return item, 0, Refused, from, false
	}
	return item, t, Waits, from, false
}

// Leave has one who waits leave, and returns who it is: his patience is over. If he does not wait
// any more, ok is false and nothing happens. An item that he wanted to put is gone with him.
func (s *Store[T, W]) Leave(lp *ross.LP, t Ticket) (who W, ok bool) {
	if t&putting == 0 {
		gone, ok := leave(lp, &s.getters, &s.Getters, &s.Reneged, t)
		return gone.who, ok
	}
	gone, ok := leave(lp, &s.putters, &s.Putters, &s.Reneged, t&^putting)
	return gone.who, ok
}

// begin is called first, and reports whether the store may be changed.
func (s *Store[T, W]) begin(lp *ross.LP) bool {
	if !s.numbers.opened {
		s.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
		return false
	}
	_, ok := begin(inside.LP(lp), &s.numbers)
	return ok
}

// asker returns one who waits from now on.
func (s *Store[T, W]) asker(lp *ross.LP, who W) asker[W] {
	s.numbers.number = max(s.numbers.number+1, 1)
	return asker[W]{lp.Now(), s.numbers.number, who}
}

// blame reports a mistake of the model.
func (s *Store[T, W]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&s.Items), err, fix, what)
}
