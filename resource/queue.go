// This file owns the queue of Servers: a list, or a heap if customers have priorities; and what happens between
// request and release.

package resource

import (
	"fmt"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// line puts a customer into the queue, at its end or, if front, before all others of his priority. His
// head v has been saved, or is new.
func (s *Servers[C]) line(lp *ross.LP, k *kernel.LP, saves bool, h container.Handle, v *visitHead, front bool) {
	n := &s.numbers
	n.waiting++
	v.place, v.node, v.next, v.prev = inQueue, 0, 0, 0
	switch {
	case s.order >= ByPriority && front:
		v.node = s.queue.PushFront(lp, v.priority, h)
	case s.order >= ByPriority:
		v.node = s.queue.Push(lp, v.priority, h)
	case n.head == 0:
		n.head, n.tail = h, h
	case front:
		v.next = n.head
		*edit(k, saves, &s.visits.Get(lp, n.head).prev) = uint32(h)
		n.head = h
	default:
		v.prev = uint32(n.tail)
		*edit(k, saves, &s.visits.Get(lp, n.tail).next) = h
		n.tail = h
	}
}

// unline takes a customer out of the queue. His head has been saved.
func (s *Servers[C]) unline(lp *ross.LP, k *kernel.LP, saves bool, v *visitHead) {
	n := &s.numbers
	n.waiting--
	if v.overdue {
		v.overdue = false
		s.addOverdue(k, -1)
	}
	if s.order >= ByPriority {
		s.queue.Remove(lp, v.node)
		v.node = 0
		return
	}
	if v.prev == 0 {
		n.head = v.next
	} else {
		*edit(k, saves, &s.visits.Get(lp, container.Handle(v.prev)).next) = v.next
	}
	if v.next == 0 {
		n.tail = container.Handle(v.prev)
	} else {
		*edit(k, saves, &s.visits.Get(lp, v.next).prev) = v.prev
	}
	v.next, v.prev = 0, 0
}

// addOverdue changes the number of those who wait for no others.
func (s *Servers[C]) addOverdue(k *kernel.LP, n int32) {
	if _, ok := begin(k, &s.overdue); ok {
		s.overdue += uint32(n)
	}
}

// first returns the customer who starts next, 0 if nobody waits.
func (s *Servers[C]) first(lp *ross.LP) container.Handle {
	if s.order < ByPriority {
		return s.numbers.head
	}
	if p := s.queue.Get(lp, s.queue.First(lp)); p != nil {
		return *p
	}
	return 0
}

// take has a free server take the next customer, and in a batch as many as he may. It records all
// but how many are served.
func (s *Servers[C]) take(lp *ross.LP, k *kernel.LP, saves bool) Ticket {
	n := &s.numbers
	n.busy++
	n.started++
	leader := s.first(lp)
	last, first := leader, (*visitHead)(nil)
	for taken := uint16(0); taken < s.batch && n.waiting > 0; taken++ {
		h := s.first(lp)
		if h == 0 {
			return 0 // the engine reports why
		}
		v := s.edit(lp, k, saves, h)
		s.unline(lp, k, saves, v)
		v.place, v.prev = inService, n.started
		if v.timer != (ross.Timer{}) {
			v.timer.Cancel(lp)
			v.timer = ross.Timer{}
		}
		if !v.again {
			s.Wait.Add(lp, k.Now-v.came)
			s.starts(k, v)
		}
		if h == leader {
			first = v
		} else {
			v.place, v.node = inBatch, leader
			s.visits.Get(lp, last).next = h // his head has been saved
			last = h
		}
		n.served++
	}
	if s.order == Preemptive {
		first.node = s.works.PushFront(lp, -first.priority, leader)
	}
	s.InQueue.Set(lp, float64(n.waiting))
	return ticketOf(leader, first.number)
}

// late is a customer whose service begins a while after he has started, at the same time: a process that goes on. He
// may be interrupted in between.
type late interface{ BeginsLate() }

// begins reports whether a customer in service is about to begin, since he has started at this time.
func (s *Servers[C]) begins(lp *ross.LP, h container.Handle, v *visitHead) bool {
	_, is := any(s.visits.Get(lp, h).customer).(late)
	return is && (v.again && math.IsInf(v.left, 1) || !v.again && v.left == lp.Now())
}

// starts notes when a customer starts who may be interrupted.
func (s *Servers[C]) starts(k *kernel.LP, v *visitHead) {
	if s.order == Preemptive {
		v.left = k.Now
	}
}

// interrupt stops the service of a customer, and of those who are in a batch with him: they wait
// before the others of their priority. It returns his ticket, or 0 if that is not possible.
func (s *Servers[C]) interrupt(lp *ross.LP, saves bool, h container.Handle) Ticket {
	k := inside.LP(lp)
	n := &s.numbers
	v := s.edit(lp, k, saves, h)
	begun := v.timer != (ross.Timer{})
	if !begun && !s.begins(lp, h, v) {
		s.blame(lp, ErrRules, "begin services that may be interrupted with resource.Serve",
			fmt.Sprintf("interrupted customer %d, the end of whose service is not known", v.number))
		return 0
	}
	if begun {
		v.timer.Cancel(lp)
		v.timer = ross.Timer{}
	}
	if v.node != 0 {
		s.works.Remove(lp, v.node)
		v.node = 0
	}
	left := max(v.left-k.Now, 0)
	if !begun {
		left = math.Inf(1) // all of it
	}
	n.busy--
	// The last of a batch goes first into the queue, so that the first is before him.
	before := container.Handle(0)
	for at := h; at != 0; {
		m := s.edit(lp, k, saves, at)
		next := m.next
		m.next, before, at = before, at, next
	}
	for at := before; at != 0; {
		m := &s.visits.Get(lp, at).visitHead
		next := m.next
		m.left, m.again = left, true
		s.line(lp, k, saves, at, m, true)
		if s.least > 1 {
			m.overdue = true
			s.addOverdue(k, 1)
		}
		s.Interrupted.Inc(lp)
		n.served--
		at = next
	}
	s.InQueue.Set(lp, float64(n.waiting))
	return ticketOf(h, v.number)
}

// SetServers sets the number of servers: fewer after a breakdown or at night, more after a repair.
// Servers who are there no more finish what they do, unless Evict interrupts them. If there are
// more than before, call Next until it returns 0.
func (s *Servers[C]) SetServers(lp *ross.LP, servers int) {
	switch {
	case !s.opened:
		s.notOpened(lp)
	case servers < 0 || servers > math.MaxInt32:
		s.blame(lp, ErrRules, "give 0 to 2^31 - 1", fmt.Sprintf("the number of servers was set to %d", servers))
	default:
		if _, ok := begin(inside.LP(lp), &s.numbers); ok {
			s.numbers.servers = uint32(servers)
			s.Utilization.Set(lp, s.share())
		}
	}
}

// Next has a free server take the next waiting customer and returns his ticket, so that the handler
// begins his service. It returns 0 if no server is free or nobody waits, or too few wait (Rules.BatchMin). Release does
// this by itself for the server that it frees; Next is for what SetServers and Interrupt leave, and with BatchMin for
// the requests as well.
func (s *Servers[C]) Next(lp *ross.LP) (next Ticket) {
	n := &s.numbers
	if n.waiting == 0 || n.busy >= n.servers || !s.complete() {
		return 0
	}
	k := inside.LP(lp)
	if saves, ok := begin(k, n); ok {
		next = s.take(lp, k, saves)
		s.services(lp)
	}
	return next
}

// Overdue says that a customer has waited long enough for others (Rules.BatchMin): if a server is free, it takes
// him and those who are there, and Overdue returns the ticket as Next does; otherwise the next server that becomes
// free does. If he does not wait any more, nothing happens. It is called by the handler of an event that
// [Patience] sends.
func (s *Servers[C]) Overdue(lp *ross.LP, t Ticket) (next Ticket) {
	v := s.find(lp, t)
	if v == nil || v.place != inQueue {
		return 0
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &s.numbers)
	if !ok {
		return 0
	}
	if !v.overdue {
		edit(k, saves, &v.visitHead).overdue = true
		s.addOverdue(k, 1)
	}
	return s.Next(lp)
}

// Evict interrupts a service if more servers are busy than there are: of those customers with
// the largest priority, the one who started last. It returns his ticket, 0 if nobody has to be
// interrupted. He waits as after Preempt. The search takes time linear in the number of customers
// unless the order is Preemptive.
func (s *Servers[C]) Evict(lp *ross.LP) Ticket {
	n := &s.numbers
	if n.busy <= n.servers {
		return 0
	}
	worst := container.Handle(0)
	if s.order == Preemptive {
		if p := s.works.Get(lp, s.works.First(lp)); p != nil {
			worst = *p
		}
	} else {
		var of visitHead
		for h, v := range s.visits.All(lp) {
			// The numbers of starts may have passed 2^32, so that differences count.
			if v.place == inService && (worst == 0 || v.priority > of.priority ||
				v.priority == of.priority && int32(v.prev-of.prev) > 0) {
				worst, of = h, v.visitHead
			}
		}
	}
	if worst == 0 {
		return 0
	}
	return s.stop(lp, worst)
}

// Interrupt interrupts the service of a customer, which Serve has begun. He waits before the others of
// his priority, and his server is free; call Next, if that is meant. The ticket of a customer who is not
// served is an ErrTicket.
func (s *Servers[C]) Interrupt(lp *ross.LP, t Ticket) {
	if v := s.find(lp, t); v == nil || v.place != inService {
		s.stranger(lp, t, v, "interrupted")
		return
	}
	s.stop(lp, t.handle())
}

// stop interrupts a service and records how many are left.
func (s *Servers[C]) stop(lp *ross.LP, h container.Handle) (t Ticket) {
	if saves, ok := begin(inside.LP(lp), &s.numbers); ok {
		if t = s.interrupt(lp, saves, h); t != 0 {
			s.services(lp)
		}
	}
	return t
}

// Renege has a waiting customer leave the queue, and returns him: his patience is over. If he does
// not wait, because he has started or left, ok is false and nothing happens; so an event that comes
// too late does no harm.
func (s *Servers[C]) Renege(lp *ross.LP, t Ticket) (c C, ok bool) {
	v := s.find(lp, t)
	if v == nil || v.place != inQueue {
		return c, false
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &s.numbers)
	if !ok {
		return c, false
	}
	if v.timer != (ross.Timer{}) {
		v.timer.Cancel(lp)
	}
	s.unline(lp, k, saves, edit(k, saves, &v.visitHead))
	s.Reneged.Inc(lp)
	s.InQueue.Set(lp, float64(s.numbers.waiting))
	gone, ok := s.visits.Remove(lp, t.handle())
	return gone.customer, ok
}
