// This file owns the lines of those who wait at a Store or a Level.

package resource

import (
	"iter"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// putting is the bit of the ticket of one who waits to put. A handle is less.
const putting Ticket = 1 << 31

// waiter is one who waits in a line: an asker, with or without more.
type waiter interface{ serial() uint32 }

// asker is one who waits to get.
type asker[W any] struct {
	came   float64
	number uint32
	who    W
}

func (a asker[W]) serial() uint32 { return a.number }

// wait puts one at the end of a line and returns his ticket, 0 if there is no memory for him.
func wait[T waiter](lp *ross.LP, line *container.IndexedHeap[float64, T], length *stats.Level, who T) Ticket {
	h := line.Push(lp, 0, who)
	if h == 0 {
		return 0
	}
	length.Set(lp, float64(line.Len()))
	return ticketOf(h, who.serial())
}

// leave takes the one with a ticket out of a line; ok is false if he does not wait there.
func leave[T waiter](lp *ross.LP, line *container.IndexedHeap[float64, T], length *stats.Level, reneged *stats.Counter,
	t Ticket) (gone T, ok bool) {
	if p := line.Get(lp, t.handle()); p == nil || (*p).serial() != t.number() {
		return gone, false
	}
	if _, gone, ok = line.Remove(lp, t.handle()); ok {
		length.Set(lp, float64(line.Len()))
		reneged.Inc(lp)
	}
	return gone, ok
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
