// This file owns Pool: what a customer asks of it, gets, and gives back.

package resource

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/stats"
)

// Pool is a number of members that are known one by one: cranes, berths, beds, nurses. A customer may have several at
// once, of any of the groups that fit; members break down and are repaired; and the statistics say what each of them
// did. C describes a customer, as with [Servers], and M is [n]Member for n members at most:
//
//	Cranes resource.Pool[Ship, [6]resource.Member] `ross:"cranes,h"`
//
// A Pool is a field of an LP's state, not behind a pointer and not in a container. Init of the LP calls Open. A Pool
// sends no events. After each Release, Give, Repair, Break and Renege the handler calls Next until it returns the
// ticket of nobody, and begins what these customers do:
//
//	for g := s.Cranes.Next(lp); g.Ticket != 0; g = s.Cranes.Next(lp) {
//		s.unload(lp, g.Ticket)
//	}
type Pool[C, M any] struct {
	numbers  poolNumbers
	order    Order
	choice   Choice
	overtake bool
	keep     bool
	room     int32

	visits container.Slab[party[C]]

	InQueue     stats.Level   `ross:",customers"`    // customers who wait
	InService   stats.Level   `ross:",customers"`    // customers who have started
	InUse       stats.Level   `ross:",members"`      // members in order that customers have
	OutOfOrder  stats.Level   `ross:",members,rare"` // members that are down
	Away        stats.Level   `ross:",members,rare"` // members who are not there
	Utilization stats.Level   `ross:",share"`        // members in use, as a part of those in order and there, 0 to 1
	Wait        stats.Tally   // time from request to start, of each customer who has started
	Stay        stats.Tally   // time from request to release, of each customer who has been released
	Refused     stats.Counter `ross:",customers,rare"` // for whom there was no room
	Reneged     stats.Counter `ross:",customers,rare"` // who left the queue (Renege)
	Breakdowns  stats.Counter `ross:",breakdowns,rare"`
	Member      M             // what each of them did
}

// poolNumbers are the numbers of a Pool that most calls change, and that are saved together.
type poolNumbers struct {
	free    set    // members in order that nobody has
	number  uint32 // of customers who ever came
	waiting uint32 // customers in the queue
	served  uint32 // customers who have started
	members uint16 // of the pool, 0 before it is opened
	inUse   uint16 // members in order that customers have
	down    uint16 // members out of order
	away    uint16 // members who are not there
	out     uint16 // members out of order or not there
	ready   bool   // somebody may go on: Next has to be called
	queue   list   // of those who wait
	serving list   // of those who have started, in that order
}

// list is a list of customers.
type list struct{ head, tail container.Handle }

// party is a customer of a Pool, with his members.
type party[C any] struct {
	partyHead
	customer C
}

// partyHead is what a Pool knows of a customer.
type partyHead struct {
	came       float64
	timer      ross.Timer // of patience
	prefer     Groups
	priority   float64
	may        set // the members of the groups that fit
	has        set // the members that he has, also those out of order
	number     uint32
	least      uint16 // of the Need
	most       uint16
	place      place
	collects   bool
	next, prev container.Handle // in the queue, or among those who have started
}

// Need is what a customer asks of a Pool.
type Need struct {
	Least    int     // how many members he needs in order to start, 0: one
	Most     int     // how many he takes if they are free, at least Least; 0: Least
	Groups   Groups  // those that fit, 0: any
	Prefer   Groups  // if members of these are free, he gets them first
	Priority float64 // with ByPriority: the least is the first to start
	// Collects: he takes each member as soon as it is free, and keeps it while he waits for the others; and once he has
	// started, he gets more, one at a time, until he has Most. Without it, he waits until Least are free at once.
	Collects bool
}

// PoolRules are how a Pool works.
type PoolRules struct {
	Groups   []int  // number of members of each group, in the order of their numbers; nil: all of M are one group
	Order    Order  // FIFO by default; a Pool is not Preemptive
	Choice   Choice // which of the free members a customer gets
	Room     int    // how many may wait; 0: any number; NoRoom: nobody
	Overtake bool   // who finds enough free members starts before those who came earlier and do not
	Keep     bool   // a member that breaks down stays with its customer, and goes on when it is repaired
}

// Open gives the pool its rules. Init of the LP calls it, once.
func (p *Pool[C, M]) Open(lp *ross.LP, r PoolRules) {
	most := p.most()
	groups := r.Groups
	if groups == nil {
		groups = []int{most}
	}
	sum, positive := 0, true
	for _, n := range groups {
		positive = positive && n > 0 && n <= MaxMembers
		sum += n
	}
	switch {
	case p.numbers.members != 0:
		p.blame(lp, ErrRules, "call Open once, in Init", "was opened twice")
	case most == 0:
		p.blame(lp, ErrRules, fmt.Sprintf("declare it as Pool[C, [n]resource.Member], n from 1 to %d", MaxMembers),
			fmt.Sprintf("has members %v", reflect.TypeFor[M]()))
	case !positive || sum > most || len(groups) > maxGroups:
		p.blame(lp, ErrRules, fmt.Sprintf("give 1 to %d groups of 1 or more members, %d at most in all", maxGroups, most),
			fmt.Sprintf("was opened with groups of %v", groups))
	case r.Order > ByPriority:
		p.blame(lp, ErrRules, "give FIFO, LIFO or ByPriority", fmt.Sprintf("was opened with order %d", r.Order))
	case r.Choice > ByRank:
		p.blame(lp, ErrRules, "give one of FirstFree to ByRank", fmt.Sprintf("was opened with choice %d", r.Choice))
	case r.Choice == ByRank && !p.ranks():
		p.blame(lp, ErrRules, "give that type a method Rank(member int) float64", fmt.Sprintf("was opened with ByRank, "+
			"and customers of type %v do not rank members", reflect.TypeFor[C]()))
	case r.Room < NoRoom || r.Room > math.MaxInt32:
		p.blame(lp, ErrRules, "give 0 for any number, NoRoom, or 1 to 2^31 - 1",
			fmt.Sprintf("was opened with room for %d", r.Room))
	default:
		p.open(lp, groups, sum, r)
	}
}

// ranks reports whether customers choose members themselves.
func (p *Pool[C, M]) ranks() bool {
	_, is := any(new(C)).(Ranker)
	return is
}

// open is Open with rules that are right.
func (p *Pool[C, M]) open(lp *ross.LP, groups []int, members int, r PoolRules) {
	k := inside.LP(lp)
	if _, ok := k.BeginChange(unsafe.Pointer(p), unsafe.Offsetof(p.visits)); !ok {
		return
	}
	p.order, p.choice, p.overtake, p.keep, p.room = r.Order, r.Choice, r.Overtake, r.Keep, int32(r.Room)
	p.numbers.members = uint16(members)
	i := 0
	for g, n := range groups {
		for range n {
			p.editMember(k, i).is.group = uint8(g)
			p.numbers.free.add(i)
			i++
		}
	}
}

// most returns how many members M has, 0 if it is no array of Member.
func (p *Pool[C, M]) most() int {
	t := reflect.TypeFor[M]()
	if t.Kind() != reflect.Array || t.Elem() != reflect.TypeFor[Member]() || t.Len() > MaxMembers {
		return 0
	}
	return t.Len()
}

// Request asks for members. If the outcome is Starts, the customer has those that Held returns. If it is Waits, a
// later Next returns the ticket. If it is Refused, the ticket is 0. A need for more members than there are is an
// [ErrRules].
func (p *Pool[C, M]) Request(lp *ross.LP, c C, need Need) (Ticket, Outcome) {
	need.Least = max(need.Least, 1)
	need.Most = max(need.Most, need.Least)
	if !p.may(lp, need) {
		return 0, Refused
	}
	k := inside.LP(lp)
	n := &p.numbers
	saves, ok := begin(k, n)
	if !ok {
		return 0, Refused
	}
	v := partyHead{came: k.Now, prefer: need.Prefer, priority: need.Priority, may: p.of(need.Groups), place: inQueue,
		least: uint16(min(need.Least, MaxMembers+1)), most: uint16(min(need.Most, MaxMembers)), collects: need.Collects}
	if fit := v.may.count(); fit < need.Least {
		p.blame(lp, ErrRules, "ask for as many as there are", fmt.Sprintf("%d of %d members were asked for", need.Least, fit))
		return 0, Refused
	}
	behind := p.behind(lp, need.Priority)
	free := p.freeFor(lp, &v, behind)
	starts := free.count() >= need.Least
	if !starts && !roomFor(p.room, int32(n.waiting)) {
		p.Refused.Inc(lp)
		return 0, Refused
	}
	n.number = max(n.number+1, 1)
	v.number = n.number
	h := p.visits.Add(lp, party[C]{v, c})
	if h == 0 {
		return 0, Refused // the engine reports that there is no memory
	}
	head := &p.visits.Get(lp, h).partyHead // a new customer needs no saving
	switch {
	case starts:
		p.take(lp, h, head, free)
		p.starts(lp, k, saves, h, head)
	default:
		n.waiting++
		p.link(lp, saves, &n.queue, h, head, behind)
		p.InQueue.Set(lp, float64(n.waiting))
		if need.Collects {
			p.take(lp, h, head, free)
		}
		p.used(lp)
		return ticketOf(h, v.number), Waits
	}
	p.used(lp)
	return ticketOf(h, v.number), Starts
}

// may reports whether a request is allowed.
func (p *Pool[C, M]) may(lp *ross.LP, need Need) bool {
	switch {
	case p.numbers.members == 0:
		p.notOpened(lp)
	case need.Priority-need.Priority != 0:
		p.blame(lp, ErrAmount, "give a finite priority", fmt.Sprintf("priority is %g", need.Priority))
	case need.Collects && need.Least > 1 && (p.order != FIFO || p.overtake):
		p.blame(lp, ErrRules, "leave Collects out, or open the pool with FIFO and without Overtake",
			"two who collect and overtake each other may wait for ever")
	case p.missed(lp):
		p.blame(lp, ErrRules, "after Release, Give, Break, Repair and Renege call Next until it returns ticket 0",
			"members were asked for while others may go on")
	default:
		return true
	}
	return false
}

// Release ends what a customer does, and returns him. His members are free, or out of order.
func (p *Pool[C, M]) Release(lp *ross.LP, t Ticket) (done C) {
	v := p.find(lp, t)
	if v == nil || v.place != inService {
		p.stranger(lp, t, v != nil, "released")
		return done
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &p.numbers)
	if !ok {
		return done
	}
	h := edit(k, saves, &v.partyHead)
	p.giveUp(lp, h)
	p.unlink(lp, saves, &p.numbers.serving, h)
	p.numbers.served--
	p.InService.Set(lp, float64(p.numbers.served))
	p.Stay.Add(lp, k.Now-h.came)
	gone, _ := p.visits.Remove(lp, t.handle())
	p.used(lp)
	return gone.customer
}

// Give gives one of the members of a customer back before the others. He gets no other one for it: his need is less by
// one from now on.
func (p *Pool[C, M]) Give(lp *ross.LP, t Ticket, member int) {
	v := p.find(lp, t)
	if v == nil || v.place != inService {
		p.stranger(lp, t, v != nil, "asked to give a member back")
		return
	}
	if member < 0 || member >= MaxMembers || !v.has.has(member) {
		p.blame(lp, ErrRules, "give one of those that Held returns",
			fmt.Sprintf("customer %d has no member %d", t.number(), member))
		return
	}
	k := inside.LP(lp)
	if saves, ok := begin(k, &p.numbers); ok {
		h := edit(k, saves, &v.partyHead)
		h.most = uint16(max(h.has.count()-1, 0))
		h.least = min(h.least, h.most)
		p.lose(lp, h, member)
		p.used(lp)
	}
}

// Renege has a waiting customer leave the queue, and returns him: his patience is over. If he does not wait, ok is
// false and nothing happens.
func (p *Pool[C, M]) Renege(lp *ross.LP, t Ticket) (c C, ok bool) {
	v := p.find(lp, t)
	if v == nil || v.place != inQueue {
		return c, false
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &p.numbers)
	if !ok {
		return c, false
	}
	h := edit(k, saves, &v.partyHead)
	if h.timer != (ross.Timer{}) {
		h.timer.Cancel(lp)
	}
	p.giveUp(lp, h)
	p.unlink(lp, saves, &p.numbers.queue, h)
	p.numbers.waiting--
	p.numbers.ready = true
	p.Reneged.Inc(lp)
	p.InQueue.Set(lp, float64(p.numbers.waiting))
	gone, ok := p.visits.Remove(lp, t.handle())
	p.used(lp)
	return gone.customer, ok
}

// Break puts a member out of order. A customer who has it loses it, unless he has started and the rules say Keep; if he
// has started, his ticket is returned, otherwise 0. One who has fewer than he needs then is the first to get another
// one. A member that is out of order stays so.
func (p *Pool[C, M]) Break(lp *ross.LP, member int) (t Ticket) {
	if !p.known(lp, member, "broken") || p.member(member).is.down {
		return 0
	}
	k := inside.LP(lp)
	saves, ok := begin(k, &p.numbers)
	if !ok {
		return 0
	}
	n, m := &p.numbers, p.editMember(k, member)
	m.is.down = true
	m.Down.Set(lp, 1)
	n.down++
	if !m.is.away {
		n.out++
	}
	p.Breakdowns.Inc(lp)
	p.OutOfOrder.Set(lp, float64(n.down))
	if h := m.is.with; h != 0 {
		v := &p.visits.Get(lp, h).partyHead
		n.inUse--
		m.Busy.Set(lp, 0)
		m.is.worked += k.Now - m.is.since
		if v.place == inService {
			t = ticketOf(h, v.number)
		}
		if !p.keep || v.place == inQueue {
			p.lose(lp, edit(k, saves, v), member)
		}
	}
	n.free.remove(member)
	p.used(lp)
	return t
}

// Repair puts a member in order again. It returns the ticket of the customer who has kept it, otherwise 0. A member
// that is in order stays so.
func (p *Pool[C, M]) Repair(lp *ross.LP, member int) (t Ticket) {
	if !p.known(lp, member, "repaired") || !p.member(member).is.down {
		return 0
	}
	k := inside.LP(lp)
	if _, ok := begin(k, &p.numbers); !ok {
		return 0
	}
	n, m := &p.numbers, p.editMember(k, member)
	m.is.down = false
	m.Down.Set(lp, 0)
	n.down--
	if !m.is.away {
		n.out--
	}
	p.OutOfOrder.Set(lp, float64(n.down))
	if h := m.is.with; h != 0 {
		t = ticketOf(h, p.visits.Get(lp, h).number)
		n.inUse++
		m.is.since = k.Now
		m.Busy.Set(lp, 1)
	} else if !m.is.away {
		n.free.add(member)
		n.ready = true
	}
	p.used(lp)
	return t
}

// SetThere says whether a member is there, such as a nurse whose shift begins or ends. One who has a customer
// stays with him, and leaves when he gives the member back; to send the member away at once, call Give with the
// ticket that With returns. A member may be out of order and away. All are there when the pool is opened.
func (p *Pool[C, M]) SetThere(lp *ross.LP, member int, there bool) {
	if !p.known(lp, member, "sent away or called") || p.member(member).is.away != there {
		return
	}
	k := inside.LP(lp)
	if _, ok := begin(k, &p.numbers); !ok {
		return
	}
	n, m := &p.numbers, p.editMember(k, member)
	m.is.away = !there
	change := uint16(1)
	if there {
		change = ^uint16(0) // -1
	}
	n.away += change
	if !m.is.down {
		n.out += change
		if m.is.with == 0 && there {
			n.free.add(member)
			n.ready = true
		}
	}
	if !there {
		n.free.remove(member)
	}
	p.Away.Set(lp, float64(n.away))
	p.used(lp)
}

// IsThere reports whether a member is there (SetThere).
func (p *Pool[C, M]) IsThere(member int) bool {
	return member >= 0 && member < int(p.numbers.members) && !p.member(member).is.away
}

// known reports whether there is such a member.
func (p *Pool[C, M]) known(lp *ross.LP, member int, did string) bool {
	switch {
	case p.numbers.members == 0:
		p.notOpened(lp)
	case member < 0 || member >= int(p.numbers.members):
		p.blame(lp, ErrRules, fmt.Sprintf("give 0 to %d", p.numbers.members-1),
			fmt.Sprintf("member %d was %s", member, did))
	default:
		return true
	}
	return false
}

// Len returns the number of customers who wait.
func (p *Pool[C, M]) Len() int { return int(p.numbers.waiting) }

// Members returns the number of members.
func (p *Pool[C, M]) Members() int { return int(p.numbers.members) }

// Free returns how many members of the groups are in order and with nobody.
func (p *Pool[C, M]) Free(g Groups) int {
	s := p.of(g)
	s = s.and(&p.numbers.free)
	return s.count()
}

// Down returns how many members are out of order.
func (p *Pool[C, M]) Down() int { return int(p.numbers.down) }

// IsDown reports whether a member is out of order.
func (p *Pool[C, M]) IsDown(member int) bool {
	return member >= 0 && member < int(p.numbers.members) && p.member(member).is.down
}

// Group returns the group of a member, 0 to 63.
func (p *Pool[C, M]) Group(member int) int {
	if member < 0 || member >= int(p.numbers.members) {
		return 0
	}
	return int(p.member(member).is.group)
}

// With returns the ticket of the customer who has a member, 0 if nobody has it.
func (p *Pool[C, M]) With(lp *ross.LP, member int) Ticket {
	if member < 0 || member >= int(p.numbers.members) {
		return 0
	}
	h := p.member(member).is.with
	if v := p.visits.Get(lp, h); h != 0 && v != nil {
		return ticketOf(h, v.number)
	}
	return 0
}

// Held returns the members of a customer, by their numbers: also those that he collects while he waits, and those that
// he keeps although they are out of order. The loop has those of its beginning, and may give them back.
func (p *Pool[C, M]) Held(lp *ross.LP, t Ticket) iter.Seq[int] {
	if v := p.find(lp, t); v != nil {
		return v.has.all()
	}
	return set{}.all()
}

// First returns the least number of the members that Held has, -1 without any: of a customer of one member, which
// it is.
func (p *Pool[C, M]) First(lp *ross.LP, t Ticket) int {
	for i := range p.Held(lp, t) {
		return i
	}
	return -1
}

// Has returns how many members in order a customer has.
func (p *Pool[C, M]) Has(lp *ross.LP, t Ticket) (n int) {
	for i := range p.Held(lp, t) {
		if !p.member(i).is.down {
			n++
		}
	}
	return n
}
