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
// maps. Items leave in the order of the Limits, and those who wait go on in the order in which they came: the least
// priority first, if they have some (GetPriority, PutPriority).
//
// A Store is a field of an LP's state, not behind a pointer and not in a container. It sends no
// events: Put and Get return whom the handler has to notify. [Patience] is for those who do not wait for ever.
type Store[T, W any] struct {
	numbers storeNumbers
	items   container.Queue[T]
	ranked  container.Heap[float64, T] // the items, if they leave by priority
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
	roomGet  int32  // as in Limits
	roomPut  int32
	order    Order
	opened   bool
}

// Limits are those of a Store.
type Limits struct {
	Order    Order // FIFO by default; LIFO; ByPriority: of PutPriority, the least first; equal ones as they came
	Capacity int   // how many items there may be; 0: any number
	RoomGet  int   // how many may wait to get; 0: any number; NoRoom: nobody
	RoomPut  int   // how many may wait to put, likewise
}

// offer is one who waits to put.
type offer[T, W any] struct {
	asker[W]
	item T
}

// Open gives the store its limits. Init of the LP calls it, once.
func (s *Store[T, W]) Open(lp *ross.LP, l Limits) {
	s.numbers.open(lp, l, ByPriority, "FIFO, LIFO or ByPriority", s.blame)
}

// open is Open of a store whose order is at most one, with the names of those that it may have.
func (n *storeNumbers) open(lp *ross.LP, l Limits, most Order, orders string,
	blame func(lp *ross.LP, err error, fix, what string)) {
	switch {
	case n.opened:
		blame(lp, ErrRules, "call Open once, in Init", "was opened twice")
	case l.Capacity < 0 || l.Capacity > math.MaxInt32:
		blame(lp, ErrRules, "give 0 for any number, or 1 to 2^31 - 1",
			fmt.Sprintf("was opened with a capacity of %d", l.Capacity))
	case l.Order > most:
		blame(lp, ErrRules, "give "+orders, fmt.Sprintf("was opened with order %d", l.Order))
	case badRoom(l.RoomGet, l.RoomPut) != "":
		blame(lp, ErrRules, "give 0 for any number, NoRoom, or 1 to 2^31 - 1", badRoom(l.RoomGet, l.RoomPut))
	default:
		if _, ok := begin(inside.LP(lp), n); ok {
			n.order, n.capacity, n.opened = l.Order, int32(l.Capacity), true
			n.roomGet, n.roomPut = int32(l.RoomGet), int32(l.RoomPut)
		}
	}
}

// Len returns the number of items in the store.
func (s *Store[T, W]) Len() int { return s.items.Len() + s.ranked.Len() }

// push adds an item.
func (s *Store[T, W]) push(lp *ross.LP, item T, priority float64) {
	switch s.numbers.order {
	case ByPriority:
		s.ranked.Push(lp, priority, item)
	case LIFO:
		s.items.PushFront(lp, item)
	default:
		s.items.Push(lp, item)
	}
}

// pop removes the item that leaves next; ok is false if there is none.
func (s *Store[T, W]) pop(lp *ross.LP) (item T, ok bool) {
	if s.numbers.order == ByPriority {
		_, item, ok = s.ranked.Pop(lp)
		return item, ok
	}
	return s.items.Pop(lp)
}

// Waiting returns how many wait to get an item, and how many to put one.
func (s *Store[T, W]) Waiting() (getters, putters int) { return s.getters.Len(), s.putters.Len() }

// Put stores an item (Starts), or has who wait until there is room (Waits), or refuses it. If somebody
// waits for an item, he gets it at once: handed is true, and to is he; the handler notifies him. The
// ticket, 0 unless the outcome is Waits, is for Leave.
func (s *Store[T, W]) Put(lp *ross.LP, who W, item T) (t Ticket, o Outcome, to W, handed bool) {
	return s.PutPriority(lp, who, item, 0)
}

// PutPriority is Put for one with a finite priority: of those who wait to put, the least is the first, and so it is of
// the items of a store by priority.
func (s *Store[T, W]) PutPriority(lp *ross.LP, who W, item T, priority float64) (t Ticket, o Outcome, to W,
	handed bool) {
	if !s.begin(lp, priority) {
		return 0, Refused, to, false
	}
	switch {
	case s.getters.Len() > 0:
		first, waited, ok := goesOn(lp, &s.getters, &s.Getters)
		if !ok {
			return 0, Refused, to, false
		}
		s.WaitGet.Add(lp, waited)
		s.WaitPut.Add(lp, 0)
		return 0, Starts, first.who, true
	case s.numbers.capacity == 0 || s.Len() < int(s.numbers.capacity):
		s.push(lp, item, priority)
		s.WaitPut.Add(lp, 0)
		s.Items.Set(lp, float64(s.Len()))
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

// Get takes the first item out of the store (Starts), or has who wait for one (Waits), or refuses. If
// somebody waits to put an item, he finds room at once: freed is true, and from is he; the handler
// notifies him. The ticket, 0 unless the outcome is Waits, is for Leave.
func (s *Store[T, W]) Get(lp *ross.LP, who W) (item T, t Ticket, o Outcome, from W, freed bool) {
	return s.GetPriority(lp, who, 0)
}

// GetPriority is Get for one with a finite priority: of those who wait to get, the least is the first.
func (s *Store[T, W]) GetPriority(lp *ross.LP, who W, priority float64) (item T, t Ticket, o Outcome, from W,
	freed bool) {
	if !s.begin(lp, priority) {
		return item, 0, Refused, from, false
	}
	if item, ok := s.pop(lp); ok {
		s.WaitGet.Add(lp, 0)
		if s.putters.Len() == 0 {
			s.Items.Set(lp, float64(s.Len()))
			return item, 0, Starts, from, false
		}
		priority, _ := s.putters.Key(lp, s.putters.First(lp))
		first, waited, _ := goesOn(lp, &s.putters, &s.Putters)
		s.push(lp, first.item, priority)
		s.WaitPut.Add(lp, waited)
		return item, 0, Starts, first.who, true
	}
	if !roomFor(s.numbers.roomGet, int32(s.getters.Len())) {
		s.Refused.Inc(lp)
		return item, 0, Refused, from, false
	}
	if t = wait(lp, &s.getters, &s.Getters, priority, s.asker(lp, who)); t == 0 {
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
func (s *Store[T, W]) begin(lp *ross.LP, priority float64) bool {
	switch {
	case !s.numbers.opened:
		s.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
		return false
	case priority-priority != 0:
		s.blame(lp, ErrAmount, "give a finite priority", fmt.Sprintf("priority is %g", priority))
		return false
	}
	_, ok := begin(inside.LP(lp), &s.numbers)
	return ok
}

// asker returns one who waits from now on.
func (s *Store[T, W]) asker(lp *ross.LP, who W) asker[W] {
	s.numbers.number = max(s.numbers.number+1, 1)
	return asker[W]{waitHead{came: lp.Now(), number: s.numbers.number}, who}
}

// blame reports a mistake of the model.
func (s *Store[T, W]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&s.Items), err, fix, what)
}
