// This file owns the lines of those who wait at a Store or a Level.

package resource

import (
	"fmt"
	"iter"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// putting is the bit of the ticket of one who waits to put. A handle is less.
const putting Ticket = 1 << 31

// waitHead is what a Store or a Level knows of one who waits.
type waitHead struct {
	came   float64
	timer  ross.Timer // of patience (Patience)
	number uint32     // of those who ever waited
}

func (h *waitHead) head() *waitHead { return h }

// asker is one who waits to get.
type asker[W any] struct {
	waitHead
	who W
}

// waiter is the pointer to one who waits in a line: to an asker, with or without more.
type waiter[T any] interface {
	*T
	head() *waitHead
}

// wait puts one into a line, behind those of his priority, and returns his ticket, 0 if there is no memory for him.
func wait[T any, P waiter[T]](lp *ross.LP, line *container.IndexedHeap[float64, T], length *stats.Level,
	priority float64, who T) Ticket {
	h := line.Push(lp, priority, who)
	if h == 0 {
		return 0
	}
	length.Set(lp, float64(line.Len()))
	return ticketOf(h, P(line.Get(lp, h)).head().number)
}

// goesOn takes the first out of a line: ok is false if that is not possible. wait is how long he has waited.
func goesOn[T any, P waiter[T]](lp *ross.LP, line *container.IndexedHeap[float64, T], length *stats.Level) (first T,
	wait float64, ok bool) {
	p := line.Get(lp, line.First(lp))
	if p == nil {
		return first, 0, false
	}
	h := *P(p).head()
	if _, first, ok = line.Pop(lp); !ok {
		return first, 0, false
	}
	if h.timer != (ross.Timer{}) {
		h.timer.Cancel(lp)
	}
	length.Set(lp, float64(line.Len()))
	return first, lp.Now() - h.came, true
}

// find returns the one with a ticket in a line, or nil.
func find[T any, P waiter[T]](lp *ross.LP, line *container.IndexedHeap[float64, T], t Ticket) *waitHead {
	if p := line.Get(lp, t.handle()); p != nil && P(p).head().number == t.number() {
		return P(p).head()
	}
	return nil
}

// leave takes the one with a ticket out of a line; ok is false if he does not wait there.
func leave[T any, P waiter[T]](lp *ross.LP, line *container.IndexedHeap[float64, T], length *stats.Level,
	reneged *stats.Counter, t Ticket) (gone T, ok bool) {
	h := find[T, P](lp, line, t)
	if h == nil {
		return gone, false
	}
	timer := h.timer
	if _, gone, ok = line.Remove(lp, t.handle()); ok {
		if timer != (ross.Timer{}) {
			timer.Cancel(lp)
		}
		length.Set(lp, float64(line.Len()))
		reneged.Inc(lp)
	}
	return gone, ok
}

// timerOf returns the timer of the one with a ticket in a line, which has been saved, or nil if he does not wait there.
func timerOf[T any, P waiter[T]](lp *ross.LP, line *container.IndexedHeap[float64, T], t Ticket) *ross.Timer {
	if find[T, P](lp, line, t) == nil {
		return nil
	}
	if p := line.Edit(lp, t.handle()); p != nil {
		return &P(p).head().timer
	}
	return nil
}

// badRoom says what is wrong with the room for those who get and those who put, or returns "".
func badRoom(get, put int) string {
	for _, room := range [2]int{get, put} {
		if room < NoRoom || room > math.MaxInt32 {
			return fmt.Sprintf("was opened with room for %d", room)
		}
	}
	return ""
}

// Waiters returns those who wait to get an item, and then those who wait to put one, each group in no order that means
// anything. The loop changes nothing.
func (s *Store[T, W]) Waiters(lp *ross.LP) iter.Seq[W] {
	return func(yield func(W) bool) {
		for _, a := range s.getters.All(lp) {
			if !yield(a.who) {
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

// Waiters returns those who wait to get an amount, and then those who wait to put one, each group in no order that
// means anything. The loop changes nothing.
func (l *Level[W]) Waiters(lp *ross.LP) iter.Seq[W] {
	return func(yield func(W) bool) {
		for _, line := range []*container.IndexedHeap[float64, claim[W]]{&l.getters, &l.putters} {
			for _, c := range line.All(lp) {
				if !yield(c.who) {
					return
				}
			}
		}
	}
}

func (s *Store[T, W]) patience(lp *ross.LP, t Ticket) *ross.Timer {
	if t&putting != 0 {
		return timerOf(lp, &s.putters, t&^putting)
	}
	return timerOf(lp, &s.getters, t)
}

func (l *Level[W]) patience(lp *ross.LP, t Ticket) *ross.Timer {
	if t&putting != 0 {
		return timerOf(lp, &l.putters, t&^putting)
	}
	return timerOf(lp, &l.getters, t)
}
