// This file owns Servers: requests and releases.

package resource

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/stats"
)

// Order says which of the waiting customers starts next.
type Order uint8

// The orders. In each of them, customers who were interrupted are the next of their priority.
const (
	FIFO       Order = iota // first come, first served
	LIFO                    // last come, first served; it interrupts nobody
	ByPriority              // the least priority first, and first come, first served among equals
	// Preemptive is ByPriority, and a customer interrupts one with a larger priority if all servers are
	// busy: of those with the largest priority, the one who has started last.
	Preemptive
)

// Rules are how Servers work.
type Rules struct {
	Servers int   // at first, 1 or more, or NoServers until SetServers brings some
	Order   Order // FIFO by default
	Room    int   // how many may wait; 0: any number; NoRoom: nobody
	Batch   int   // how many customers a server takes at once, at most; 0 and 1: one
	// BatchMin is how many customers a server waits for, at most Batch; 0 and 1: it takes those who are there. A customer
	// who has waited too long does not wait for others (Servers.Overdue), nor does one who was interrupted. Nobody then
	// starts at a request: after each, Next has a free server take a batch that is complete. It is not for Preemptive.
	BatchMin int
}

// Servers are identical servers, and the queue of customers in front of them: doctors, machines,
// beds, tellers, lorries. C describes a customer. It holds no pointers, strings, slices or maps.
//
// Servers are a field of an LP's state, not behind a pointer and not in a container. Init of the LP
// calls Open. Servers send no events: the handler does, when a customer starts, with [ross.Send] or,
// if services can be interrupted, with [Serve]. The event brings the ticket back, and the handler
// calls Release.
//
// The exported fields are the statistics. They have what package stats says, so that handlers
// cannot read them: Len, Busy and Servers return what is so now.
type Servers[C any] struct {
	numbers serverNumbers
	order   Order
	opened  bool
	batch   uint16 // at least 1
	least   uint16 // customers of a batch: at least 1
	room    int32  // 0: any number, negative: none
	overdue uint32 // customers in the queue who wait for no others

	visits container.Slab[visit[C]]                         // all customers
	queue  container.IndexedHeap[float64, container.Handle] // those who wait, by priority
	works  container.IndexedHeap[float64, container.Handle] // those who may be interrupted, the last first

	InQueue     stats.Level   `ross:",customers"` // customers who wait
	InService   stats.Level   `ross:",customers"` // customers who are served
	Utilization stats.Level   `ross:",share"`     // part of the servers that are busy, 0 to 1
	Wait        stats.Tally   // time from request to start, of each customer who has started
	Stay        stats.Tally   // time from request to release, of each customer who has been released
	Refused     stats.Counter `ross:",customers,rare"` // for whom there was no room
	Reneged     stats.Counter `ross:",customers,rare"` // who left the queue (Renege)
	Interrupted stats.Counter `ross:",customers,rare"` // interruptions of services
}

// serverNumbers are the numbers of Servers that most calls change, and that are saved together.
type serverNumbers struct {
	number     uint32           // of customers who ever came
	started    uint32           // number of services that ever began
	servers    uint32           // now
	busy       uint32           // servers, perhaps more than there are now
	waiting    uint32           // customers in the queue
	served     uint32           // customers in service
	head, tail container.Handle // of the list of waiting customers, if they are not ordered by priority
}

// visit is a customer.
type visit[C any] struct {
	visitHead
	customer C
}

// visitHead is what Servers know of a customer.
type visitHead struct {
	came     float64    // when he came
	priority float64    // the least first
	left     float64    // in service: when it ends, or without a timer began; after an interruption: what is left
	timer    ross.Timer // of the end of service (Serve), or of patience (Patience)
	number   uint32     // of the customer
	place    place
	again    bool             // he has been interrupted
	overdue  bool             // he waits for no others
	next     container.Handle // in the list of waiting customers, or in a batch
	prev     uint32           // handle of the one before in the list; in service, the number of the start
	node     container.Handle // in queue, or in works; in the batch of another one, that one
}

// place is where a customer is.
type place uint8

// The places.
const (
	inQueue   place = iota
	inService       // or the first of a batch in service
	inBatch         // with another one, whose ticket stands for all
)

// Open gives the servers their rules. Init of the LP calls it, once. Rules without a number of servers are an
// [ErrRules]: all customers would wait for ever.
func (s *Servers[C]) Open(lp *ross.LP, r Rules) {
	switch {
	case s.opened:
		s.blame(lp, ErrRules, "call Open once, in Init", "was opened twice")
		return
	case r.Servers == 0:
		s.blame(lp, ErrRules, "give Rules.Servers, or NoServers if SetServers brings some later",
			"was opened without servers")
		return
	case r.Servers < NoServers || r.Servers > math.MaxInt32:
		s.blame(lp, ErrRules, "give NoServers, or 1 to 2^31 - 1", fmt.Sprintf("was opened with %d servers", r.Servers))
		return
	case r.Order > Preemptive:
		s.blame(lp, ErrRules, "give FIFO, LIFO, ByPriority or Preemptive", fmt.Sprintf("was opened with order %d", r.Order))
		return
	case r.Room < NoRoom || r.Room > math.MaxInt32:
		s.blame(lp, ErrRules, "give 0 for any number, NoRoom, or 1 to 2^31 - 1",
			fmt.Sprintf("was opened with room for %d", r.Room))
		return
	case r.Batch < 0 || r.Batch > math.MaxUint16:
		s.blame(lp, ErrRules, "give 0 to 65535", fmt.Sprintf("was opened with batches of %d", r.Batch))
		return
	case r.BatchMin < 0 || r.BatchMin > max(r.Batch, 1):
		s.blame(lp, ErrRules, "give 0 to Rules.Batch", fmt.Sprintf("was opened with batches of at least %d, and at most %d",
			r.BatchMin, max(r.Batch, 1)))
		return
	case r.BatchMin > 1 && r.Order == Preemptive:
		s.blame(lp, ErrRules, "give another order than Preemptive", fmt.Sprintf("was opened with batches of at least %d, "+
			"which nobody can interrupt to start alone", r.BatchMin))
		return
	case r.BatchMin > 1 && r.Room != 0 && r.Room < r.BatchMin:
		s.blame(lp, ErrRules, "give room for a batch, or 0 for any number", fmt.Sprintf("was opened with batches of at "+
			"least %d, and room for %d", r.BatchMin, max(r.Room, 0)))
		return
	}
	k := inside.LP(lp)
	if _, ok := k.BeginChange(unsafe.Pointer(s), unsafe.Offsetof(s.visits)); ok {
		s.opened, s.order, s.room = true, r.Order, int32(r.Room)
		s.batch, s.least = uint16(max(r.Batch, 1)), uint16(max(r.BatchMin, 1))
		s.numbers.servers = uint32(max(r.Servers, 0)) // NoServers is negative
	}
}

// Len returns the number of customers who wait.
func (s *Servers[C]) Len() int { return int(s.numbers.waiting) }

// Busy returns the number of servers who serve. It is larger than Servers while some of them, who
// are there no more, finish their work.
func (s *Servers[C]) Busy() int { return int(s.numbers.busy) }

// Servers returns the number of servers who are there.
func (s *Servers[C]) Servers() int { return int(s.numbers.servers) }

// Batches returns how many customers a server takes at once, at least and at most, as the rules say.
func (s *Servers[C]) Batches() (least, most int) { return int(s.least), int(s.batch) }

// Request asks for a server, with priority 0. If the outcome is Starts, the handler begins the
// service: the event at its end carries the ticket. If it is Waits, a later Release returns the
// ticket. If it is Refused, the ticket is 0.
func (s *Servers[C]) Request(lp *ross.LP, c C) (Ticket, Outcome) {
	t, o, _ := s.Preempt(lp, c, 0)
	return t, o
}

// RequestPriority is Request for a customer with a finite priority: the least is the first to start.
// It matters with ByPriority and Preemptive.
func (s *Servers[C]) RequestPriority(lp *ross.LP, c C, priority float64) (Ticket, Outcome) {
	t, o, _ := s.Preempt(lp, c, priority)
	return t, o
}

// Preempt is RequestPriority that also returns the ticket of the customer who was interrupted, 0 if
// nobody was. He waits in front of the others of his priority, even if there is no room, and starts
// again when a Release returns him. Left says what is left of his service. To send him away, call
// Renege.
func (s *Servers[C]) Preempt(lp *ross.LP, c C, priority float64) (t Ticket, o Outcome, interrupted Ticket) {
	k := inside.LP(lp)
	if !s.opened {
		s.notOpened(lp)
		return 0, Refused, 0
	}
	if priority-priority != 0 {
		s.blame(lp, ErrAmount, "give a finite priority", fmt.Sprintf("priority is %g", priority))
		return 0, Refused, 0
	}
	n := &s.numbers
	saves, ok := begin(k, n)
	if !ok {
		return 0, Refused, 0
	}
	free := n.busy < n.servers
	switch {
	case free && n.waiting > 0 && s.complete():
		s.blame(lp, ErrRules, s.afterWhat()+" call Next until it returns 0",
			"a customer comes while others wait for free servers")
		return 0, Refused, 0
	case free:
		free = s.least == 1
	case s.order == Preemptive && n.busy == n.servers:
		if h := s.works.First(lp); h != 0 {
			if least, _ := s.works.Key(lp, h); -least > priority {
				victim := *s.works.Get(lp, h)
				if interrupted = s.interrupt(lp, saves, victim); interrupted == 0 {
					return 0, Refused, 0
				}
				free = true
			}
		}
	}
	if !free && !roomFor(s.room, int32(n.waiting)) {
		s.Refused.Inc(lp)
		return 0, Refused, interrupted
	}
	n.number++
	if n.number == 0 {
		n.number = 1
	}
	v := visit[C]{visitHead{came: k.Now, priority: priority, number: n.number}, c}
	if free {
		n.started++
		v.place, v.prev = inService, n.started
		s.starts(k, &v.visitHead)
	}
	h := s.visits.Add(lp, v)
	if h == 0 {
		return 0, Refused, interrupted // the engine reports that there is no memory
	}
	if !free {
		s.line(lp, k, saves, h, &s.visits.Get(lp, h).visitHead, s.order == LIFO)
		s.InQueue.Set(lp, float64(n.waiting))
		return ticketOf(h, v.number), Waits, interrupted
	}
	n.busy++
	n.served++
	s.Wait.Add(lp, 0)
	if s.order == Preemptive {
		node := s.works.PushFront(lp, -priority, h)
		s.visits.Get(lp, h).node = node // a new customer needs no saving
	}
	s.services(lp)
	return ticketOf(h, v.number), Starts, interrupted
}

// complete reports whether those who wait are enough for a batch.
func (s *Servers[C]) complete() bool {
	return s.numbers.waiting >= uint32(s.least) || s.overdue > 0
}

// afterWhat names what may leave customers who could start.
func (s *Servers[C]) afterWhat() string {
	if s.least > 1 {
		return "with Rules.BatchMin, after each request, SetServers and Interrupt"
	}
	return "after SetServers and Interrupt"
}

// Release ends the service of a customer, and of those who are in a batch with him, and returns him.
// If others wait, the freed server takes the next one: next is his ticket, and the handler begins
// his service. It is 0 if nobody starts. The ticket of a customer who is not served is an ErrTicket.
func (s *Servers[C]) Release(lp *ross.LP, t Ticket) (done C, next Ticket) {
	k := inside.LP(lp)
	v := s.find(lp, t)
	if v == nil || v.place != inService {
		s.stranger(lp, t, v, "released")
		return done, 0
	}
	n := &s.numbers
	saves, ok := begin(k, n)
	if !ok {
		return done, 0
	}
	if v.timer != (ross.Timer{}) {
		v.timer.Cancel(lp)
	}
	if v.node != 0 {
		s.works.Remove(lp, v.node)
	}
	busy, served := n.busy, n.served
	for mate := v.next; mate != 0; {
		m, _ := s.visits.Remove(lp, mate)
		s.Stay.Add(lp, k.Now-m.came)
		n.served--
		mate = m.next
	}
	s.Stay.Add(lp, k.Now-v.came)
	n.busy--
	n.served--
	gone, _ := s.visits.Remove(lp, t.handle())
	if n.waiting > 0 && n.busy < n.servers && s.complete() {
		next = s.take(lp, k, saves)
	}
	if n.served != served {
		s.InService.Set(lp, float64(n.served))
	}
	if n.busy != busy {
		s.Utilization.Set(lp, s.share())
	}
	return gone.customer, next
}

// ReleaseOne ends the service of one customer, and not of those in a batch with him: their server is free, and
// takes the next ones, when the last of them is released. If he was the first of the batch, the next of them is
// now the first, and the end of their service that Serve has set is cancelled. With Preemptive the batch keeps the
// priority that it had.
func (s *Servers[C]) ReleaseOne(lp *ross.LP, t Ticket) (done C, next Ticket) {
	k := inside.LP(lp)
	v := s.find(lp, t)
	if v == nil || v.place == inQueue || v.place == inService && v.next == 0 {
		return s.Release(lp, t)
	}
	n := &s.numbers
	saves, ok := begin(k, n)
	if !ok {
		return done, 0
	}
	if v.place == inBatch {
		before := &s.visits.Get(lp, v.node).visitHead
		for before.next != t.handle() {
			before = &s.visits.Get(lp, before.next).visitHead
		}
		edit(k, saves, before).next = v.next
	} else {
		s.promote(lp, k, saves, v.visitHead)
	}
	n.served--
	s.Stay.Add(lp, k.Now-v.came)
	s.InService.Set(lp, float64(n.served))
	gone, _ := s.visits.Remove(lp, t.handle())
	return gone.customer, 0
}

// promote has the second of a batch be the first. leader was that.
func (s *Servers[C]) promote(lp *ross.LP, k *kernel.LP, saves bool, leader visitHead) {
	if leader.timer != (ross.Timer{}) {
		leader.timer.Cancel(lp)
	}
	heir := s.edit(lp, k, saves, leader.next)
	heir.place, heir.node = inService, leader.node
	if leader.node != 0 {
		if p := s.works.Edit(lp, leader.node); p != nil {
			*p = leader.next
		}
	}
	for mate := heir.next; mate != 0; {
		m := s.edit(lp, k, saves, mate)
		m.node, mate = leader.next, m.next
	}
}

// services records how many are served, and how many servers are busy.
func (s *Servers[C]) services(lp *ross.LP) {
	s.InService.Set(lp, float64(s.numbers.served))
	s.Utilization.Set(lp, s.share())
}

// share returns the part of the servers that are busy, at most 1.
func (s *Servers[C]) share() float64 {
	busy, servers := s.numbers.busy, s.numbers.servers
	if busy >= servers {
		return float64(min(busy, 1))
	}
	return float64(busy) / float64(servers)
}

// find returns the customer with a ticket, or nil.
func (s *Servers[C]) find(lp *ross.LP, t Ticket) *visit[C] {
	if v := s.visits.Get(lp, t.handle()); v != nil && v.number == t.number() {
		return v
	}
	return nil
}

// blame reports a mistake of the model.
func (s *Servers[C]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&s.InQueue), err, fix, what)
}

// notOpened reports that Open was not called.
func (s *Servers[C]) notOpened(lp *ross.LP) {
	s.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
}

// stranger reports a ticket with which the model did what is only done with customers in service.
func (s *Servers[C]) stranger(lp *ross.LP, t Ticket, v *visit[C], did string) {
	who, where := fmt.Sprintf("customer %d", t.number()), "who is not there: perhaps he was released before"
	switch {
	case !s.opened:
		s.notOpened(lp)
		return
	case t == 0:
		who, where = "ticket 0", "of nobody: look at the outcome of the request"
	case v != nil && v.place == inQueue:
		where = "who waits"
	case v != nil && v.place == inBatch:
		where = "who is in the batch of another one"
	case v != nil:
		where = "whose service has an end already"
	}
	s.blame(lp, ErrTicket, "use the ticket that Request, Release or Next has returned, and once for each service",
		fmt.Sprintf("%s %s, %s", did, who, where))
}

// edit saves the head of a customer and returns it.
func (s *Servers[C]) edit(lp *ross.LP, k *kernel.LP, saves bool, h container.Handle) *visitHead {
	return edit(k, saves, &s.visits.Get(lp, h).visitHead)
}
