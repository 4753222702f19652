// This file owns what a handler asks about a customer, and the events of services and patience.

package resource

import (
	"iter"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
)

// Serve begins the service of a customer who starts: it sends the LP the message after the delay,
// as [ross.After] does, and remembers the timer, so that the service can be interrupted. The
// handler of the message calls Release. A customer who is not served, or whose service has been
// begun already, is an ErrTicket.
func Serve[C, M any](lp *ross.LP, s *Servers[C], t Ticket, delay float64, msg M) {
	v := s.find(lp, t)
	if v == nil || v.place != inService || v.timer != (ross.Timer{}) {
		s.stranger(lp, t, v, "began to serve")
		return
	}
	k := inside.LP(lp)
	if saves, ok := begin(k, &s.numbers); ok {
		h := edit(k, saves, &v.visitHead)
		h.timer, h.left = ross.After(lp, delay, msg), k.Now+delay
	}
}

// Queue is where customers wait, and lose patience: Servers, a Pool, a Store or a Level.
type Queue interface {
	// patience returns the timer of a customer who waits, which has been saved, otherwise nil.
	patience(lp *ross.LP, t Ticket) *ross.Timer
}

// Patience sends the LP the message after the delay if the customer still waits then. The handler of the message
// calls Renege, or Leave at a Store or a Level; or Overdue, if he has then waited long enough for a batch
// (Rules.BatchMin). A customer has one patience, that of the last call. If he does not wait now, because he has
// started at once or was refused, it does nothing. A customer with a delay of +Inf waits for ever.
func Patience[M any](lp *ross.LP, at Queue, t Ticket, delay float64, msg M) {
	timer := at.patience(lp, t)
	if timer == nil {
		return
	}
	if *timer != (ross.Timer{}) {
		timer.Cancel(lp)
	}
	if *timer = (ross.Timer{}); !math.IsInf(delay, 1) {
		*timer = ross.After(lp, delay, msg)
	}
}

func (s *Servers[C]) patience(lp *ross.LP, t Ticket) *ross.Timer {
	v := s.find(lp, t)
	if v == nil || v.place != inQueue {
		return nil
	}
	k := inside.LP(lp)
	if saves, ok := begin(k, &s.numbers); ok {
		return &edit(k, saves, &v.visitHead).timer
	}
	return nil
}

// Get returns the customer with a ticket, who waits or is served, or nil if there is no such customer. It
// is for reading, and valid until Servers change or the handler returns.
func (s *Servers[C]) Get(lp *ross.LP, t Ticket) *C {
	if v := s.find(lp, t); v != nil {
		return &v.customer
	}
	return nil
}

// Served is Get for a customer who is served: nil if he waits, if he is in the batch of another one, and for
// ticket 0. So a handler may give what begins services the ticket of any Request, Release or Next, and need not
// ask whether somebody starts:
//
//	func (c *Clinic) treat(lp *ross.LP, t resource.Ticket) {
//		if patient := c.Doctors.Served(lp, t); patient != nil {
//			ross.Send(lp, lp.ID(), patient.Treatment, Treated{t})
//		}
//	}
//
// Call it once for each ticket that is returned, so that no service begins twice.
func (s *Servers[C]) Served(lp *ross.LP, t Ticket) *C {
	if v := s.find(lp, t); v != nil && v.place == inService {
		return &v.customer
	}
	return nil
}

// Edit is Get for changing the customer: it saves him first.
func (s *Servers[C]) Edit(lp *ross.LP, t Ticket) *C {
	if s.find(lp, t) == nil {
		return nil
	}
	if v := s.visits.Edit(lp, t.handle()); v != nil {
		return &v.customer
	}
	return nil
}

// All returns the tickets of all customers, and the customers, in no order that means anything. The loop changes
// nothing.
func (s *Servers[C]) All(lp *ross.LP) iter.Seq2[Ticket, *C] {
	return func(yield func(Ticket, *C) bool) {
		for h, v := range s.visits.All(lp) {
			if !yield(ticketOf(h, v.number), &v.customer) {
				return
			}
		}
	}
}

// Serves reports whether the customer with a ticket is served, and not in the batch of another one.
func (s *Servers[C]) Serves(lp *ross.LP, t Ticket) bool {
	v := s.find(lp, t)
	return v != nil && v.place == inService
}

// Came returns the virtual time at which the customer with a ticket came, whatever has happened to him since,
// 0 if there is no such customer.
func (s *Servers[C]) Came(lp *ross.LP, t Ticket) float64 {
	if v := s.find(lp, t); v != nil {
		return v.came
	}
	return 0
}

// Left returns what was left of the service of a customer when it was interrupted, in virtual time: as long
// as he waits, with or without Patience, and when he starts again. To resume the service, serve him for that
// time; to repeat it, serve him as long as at first. again is false if he was not interrupted, and as soon as
// Serve has begun his service again, in a batch that of the first. It is +Inf for a process (package proc) that was
// interrupted before its service had begun.
func (s *Servers[C]) Left(lp *ross.LP, t Ticket) (left float64, again bool) {
	v := s.find(lp, t)
	if v == nil || !v.again {
		return 0, false
	}
	first := v
	if v.place == inBatch {
		first = s.visits.Get(lp, v.node) // nil in a checkpoint of an earlier version
	}
	if first != nil && first.place == inService && first.timer != (ross.Timer{}) {
		return 0, false
	}
	return v.left, true
}

// Batch returns the tickets of those who are served together with a customer, and his own first. It returns
// none if he waits.
func (s *Servers[C]) Batch(lp *ross.LP, t Ticket) iter.Seq[Ticket] {
	return func(yield func(Ticket) bool) {
		v := s.find(lp, t)
		if v == nil || v.place == inQueue {
			return
		}
		h := t.handle()
		if v.place == inBatch {
			h = v.node
		}
		for more := yield(t); more; {
			m := s.visits.Get(lp, h)
			if m == nil {
				return
			}
			mate := ticketOf(h, m.number)
			if h = m.next; mate != t {
				more = yield(mate)
			}
		}
	}
}
