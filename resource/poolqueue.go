// This file owns who of the customers of a Pool goes on, and what is asked about them.

package resource

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// Grant is what Next gives a customer.
type Grant struct {
	Ticket Ticket // of nobody: 0
	Starts bool   // he starts, with the members that Held returns; otherwise he gets one more
	Member int    // the one that he gets more, or the first of those with which he starts
}

// Next lets a customer go on: first one who has started and lost a member without which he has fewer than he needs,
// then the first in the queue for whom enough members are free, then one who has started and collects more. It returns
// ticket 0 if nobody can. Who waits in front, and finds too few members, keeps those of his groups from the others
// unless the rules say Overtake.
func (p *Pool[C, M]) Next(lp *ross.LP) (g Grant) {
	n := &p.numbers
	if !n.ready {
		return g
	}
	k := inside.LP(lp)
	saves, ok := begin(k, n)
	if !ok {
		return g
	}
	n.ready = false
	var kept set // from those who come later
	for h, v := range p.in(lp, n.serving.head) {
		if v.has.count() < int(v.least) {
			if g = p.more(lp, k, saves, h, v, &kept); g.Ticket != 0 {
				return g
			}
		}
	}
	for h, v := range p.in(lp, n.queue.head) {
		free := v.may.and(&n.free).without(&kept)
		if free.count()+v.has.count() >= int(v.least) {
			p.unqueue(lp, k, saves, h, free)
			return Grant{ticketOf(h, v.number), true, firstOf(v.has)}
		}
		if v.collects && !free.isEmpty() {
			p.take(lp, h, edit(k, saves, v), free)
			p.used(lp)
		}
		if !p.overtake {
			kept.join(&v.may)
			if left := n.free.without(&kept); left.isEmpty() {
				break
			}
		}
	}
	for h, v := range p.in(lp, n.serving.head) {
		if v.wants() {
			if g = p.more(lp, k, saves, h, v, &kept); g.Ticket != 0 {
				return g
			}
		}
	}
	return g
}

// firstOf returns the member of a set with the least number.
func firstOf(s set) int {
	for i := range s.all() {
		return i
	}
	return -1
}

// more gives a customer who has started one more member, or keeps those that fit for him.
func (p *Pool[C, M]) more(lp *ross.LP, k *kernel.LP, saves bool, h container.Handle, v *partyHead, kept *set) (
	g Grant) {
	free := v.may.and(&p.numbers.free).without(kept)
	if free.isEmpty() {
		if !p.overtake {
			kept.join(&v.may)
		}
		return g
	}
	p.numbers.ready = true
	i := p.choose(lp, h, free)
	p.assign(lp, k, h, edit(k, saves, v), i)
	p.used(lp)
	return Grant{Ticket: ticketOf(h, v.number), Member: i}
}

// unqueue has a waiting customer start, with the members that he has and some of those that are free for him.
func (p *Pool[C, M]) unqueue(lp *ross.LP, k *kernel.LP, saves bool, h container.Handle, free set) {
	n := &p.numbers
	n.ready = true
	v := edit(k, saves, &p.visits.Get(lp, h).partyHead)
	if v.timer != (ross.Timer{}) {
		v.timer.Cancel(lp)
		v.timer = ross.Timer{}
	}
	p.unlink(lp, saves, &n.queue, v)
	n.waiting--
	p.InQueue.Set(lp, float64(n.waiting))
	p.take(lp, h, v, free)
	p.starts(lp, k, saves, h, v)
	p.used(lp)
}

// starts enters a customer, whose head has been saved, among those who have started.
func (p *Pool[C, M]) starts(lp *ross.LP, k *kernel.LP, saves bool, h container.Handle, v *partyHead) {
	v.place = inService
	p.link(lp, saves, &p.numbers.serving, h, v, p.numbers.serving.tail)
	p.numbers.served++
	p.InService.Set(lp, float64(p.numbers.served))
	p.Wait.Add(lp, k.Now-v.came)
}

// freeFor returns the free members that a customer may take who would wait behind another one (0: in front).
func (p *Pool[C, M]) freeFor(lp *ross.LP, v *partyHead, behind container.Handle) set {
	free := v.may.and(&p.numbers.free)
	if behind == 0 || p.overtake {
		return free
	}
	for h, w := range p.in(lp, p.numbers.queue.head) {
		if free = free.without(&w.may); h == behind || free.isEmpty() {
			break
		}
	}
	return free
}

// take gives a customer, whose head has been saved, some of the free members: as many as he still takes.
func (p *Pool[C, M]) take(lp *ross.LP, h container.Handle, v *partyHead, free set) {
	k := inside.LP(lp)
	for n := min(int(v.most)-v.has.count(), free.count()); n > 0; n-- {
		i := p.choose(lp, h, free)
		free.remove(i)
		p.assign(lp, k, h, v, i)
	}
}

// assign gives a customer a free member.
func (p *Pool[C, M]) assign(lp *ross.LP, k *kernel.LP, h container.Handle, v *partyHead, i int) {
	m := p.editMember(k, i)
	m.is.with, m.is.since = h, k.Now
	p.numbers.free.remove(i)
	p.numbers.inUse++
	v.has.add(i)
	m.Busy.Set(lp, 1)
	m.Served.Inc(lp)
}

// lose takes a member from a customer, whose head has been saved. It is free unless it is out of order.
func (p *Pool[C, M]) lose(lp *ross.LP, v *partyHead, i int) {
	k := inside.LP(lp)
	m := p.editMember(k, i)
	v.has.remove(i)
	p.numbers.ready = true
	if !m.is.down {
		m.is.worked += k.Now - m.is.since
		if !m.is.away {
			p.numbers.free.add(i)
		}
		p.numbers.inUse--
		m.Busy.Set(lp, 0)
	}
	m.is.with, m.is.since = 0, k.Now
}

// giveUp takes all members from a customer, whose head has been saved.
func (p *Pool[C, M]) giveUp(lp *ross.LP, v *partyHead) {
	for i := range v.has.all() {
		p.lose(lp, v, i)
	}
}

// used records how many members are in use.
func (p *Pool[C, M]) used(lp *ross.LP) {
	n := &p.numbers
	p.InUse.Set(lp, float64(n.inUse))
	share := 0.0
	if n.inUse > 0 {
		share = float64(n.inUse) / float64(max(n.members-n.out, n.inUse))
	}
	p.Utilization.Set(lp, share)
}

// missed reports whether Next has to be called for somebody.
func (p *Pool[C, M]) missed(lp *ross.LP) bool {
	if !p.numbers.ready {
		return false
	}
	for _, v := range p.in(lp, p.numbers.serving.head) {
		if v.wants() {
			return true
		}
	}
	return p.numbers.waiting > 0
}

// wants reports whether one who has started gets more members when they are free.
func (v *partyHead) wants() bool {
	has := v.has.count()
	return has < int(v.least) || v.collects && has < int(v.most)
}

// behind returns behind whom one with a priority waits, 0: in front of all.
func (p *Pool[C, M]) behind(lp *ross.LP, priority float64) container.Handle {
	h := p.numbers.queue.tail
	switch p.order {
	case LIFO:
		return 0
	case ByPriority:
		for h != 0 && p.visits.Get(lp, h).priority > priority {
			h = p.visits.Get(lp, h).prev
		}
	}
	return h
}

// in returns the customers of a list, from its head on. A loop that changes the list ends then.
func (p *Pool[C, M]) in(lp *ross.LP, head container.Handle) iter.Seq2[container.Handle, *partyHead] {
	return func(yield func(container.Handle, *partyHead) bool) {
		for h := head; h != 0; {
			v := p.visits.Get(lp, h)
			if v == nil || !yield(h, &v.partyHead) {
				return
			}
			h = v.next
		}
	}
}

// link enters a customer, whose head has been saved, into a list behind another one, 0: at its head.
func (p *Pool[C, M]) link(lp *ross.LP, saves bool, l *list, h container.Handle, v *partyHead, behind container.Handle) {
	k := inside.LP(lp)
	after := &l.head
	if behind != 0 {
		after = edit(k, saves, &p.visits.Get(lp, behind).next)
	}
	v.prev, v.next = behind, *after
	*after = h
	before := &l.tail
	if v.next != 0 {
		before = edit(k, saves, &p.visits.Get(lp, v.next).prev)
	}
	*before = h
}

// unlink takes a customer, whose head has been saved, out of a list.
func (p *Pool[C, M]) unlink(lp *ross.LP, saves bool, l *list, v *partyHead) {
	k := inside.LP(lp)
	after, before := &l.head, &l.tail
	if v.prev != 0 {
		after = edit(k, saves, &p.visits.Get(lp, v.prev).next)
	}
	if v.next != 0 {
		before = edit(k, saves, &p.visits.Get(lp, v.next).prev)
	}
	*after, *before = v.next, v.prev
	v.next, v.prev = 0, 0
}

// Get returns the customer with a ticket, who waits or has started, or nil. It is for reading, and valid until the
// Pool changes or the handler returns.
func (p *Pool[C, M]) Get(lp *ross.LP, t Ticket) *C {
	if v := p.find(lp, t); v != nil {
		return &v.customer
	}
	return nil
}

// Edit is Get for changing the customer: it saves him first.
func (p *Pool[C, M]) Edit(lp *ross.LP, t Ticket) *C {
	v := p.find(lp, t)
	if v == nil {
		return nil
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &p.numbers)
	if !ok {
		return nil
	}
	return edit(k, saves, &v.customer)
}

// All returns the tickets of all customers, and the customers, in no order that means anything. The loop changes
// nothing.
func (p *Pool[C, M]) All(lp *ross.LP) iter.Seq2[Ticket, *C] {
	return func(yield func(Ticket, *C) bool) {
		for h, v := range p.visits.All(lp) {
			if !yield(ticketOf(h, v.number), &v.customer) {
				return
			}
		}
	}
}

// Serves reports whether the customer with a ticket has started.
func (p *Pool[C, M]) Serves(lp *ross.LP, t Ticket) bool {
	v := p.find(lp, t)
	return v != nil && v.place == inService
}

// Came returns the virtual time at which the customer with a ticket came, 0 if there is no such customer.
func (p *Pool[C, M]) Came(lp *ross.LP, t Ticket) float64 {
	if v := p.find(lp, t); v != nil {
		return v.came
	}
	return 0
}

// Worked returns for how long customers have had a member in order until now, in virtual time.
func (p *Pool[C, M]) Worked(lp *ross.LP, member int) float64 {
	if member < 0 || member >= int(p.numbers.members) {
		return 0
	}
	is := p.member(member).is
	if is.with == 0 || is.down {
		return is.worked
	}
	return is.worked + (lp.Now() - is.since)
}

func (p *Pool[C, M]) patience(lp *ross.LP, t Ticket) *ross.Timer {
	v := p.find(lp, t)
	if v == nil || v.place != inQueue {
		return nil
	}
	k := inside.LP(lp)
	if saves, ok := begin(k, &p.numbers); ok {
		return edit(k, saves, &v.timer)
	}
	return nil
}

// find returns the customer with a ticket, or nil.
func (p *Pool[C, M]) find(lp *ross.LP, t Ticket) *party[C] {
	if v := p.visits.Get(lp, t.handle()); v != nil && v.number == t.number() {
		return v
	}
	return nil
}

// blame reports a mistake of the model.
func (p *Pool[C, M]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&p.InQueue), err, fix, what)
}

// notOpened reports that Open was not called.
func (p *Pool[C, M]) notOpened(lp *ross.LP) {
	p.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
}

// stranger reports a ticket of one who has not started, with which the model did what is only done with those who have.
func (p *Pool[C, M]) stranger(lp *ross.LP, t Ticket, waits bool, did string) {
	who, where := fmt.Sprintf("customer %d", t.number()), "who is not there: perhaps he was released before"
	switch {
	case p.numbers.members == 0:
		p.notOpened(lp)
		return
	case t == 0:
		who, where = "ticket 0", "of nobody: look at the outcome of the request"
	case waits:
		where = "who waits"
	}
	p.blame(lp, ErrTicket, "use the ticket that Request or Next has returned, and once",
		fmt.Sprintf("%s %s, %s", did, who, where))
}
