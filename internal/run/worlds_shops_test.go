// What LPs of some kinds have in worlds: resources, which customers come to, wait at, and leave.

package run_test

import (
	"errors"
	"math/rand/v2"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/resource"
)

// bazaar is part of the state of an LP.
type bazaar struct {
	Desk   resource.Servers[words2]
	Parts  resource.Store[uint32, uint32]
	Tank   resource.Level[uint32]
	Recent container.Queue[resource.Ticket] // of customers of any of them
}

// addShops gives a bazaar to some of the kinds.
func (m *worldModel) addShops(r *rand.Rand) {
	for i := range m.Kinds {
		if m.Kinds[i].Shops = r.IntN(3) == 0; m.Kinds[i].Shops {
			m.Kinds[i].State = 0
		}
	}
}

// open opens the resources of an LP, with rules that follow from its id.
func (s *bazaar) open(lp *ross.LP) {
	id := int(lp.ID())
	s.Desk.Open(lp, resource.Rules{
		Servers: 1 + id%3, Order: []resource.Order{resource.Preemptive, resource.FIFO, resource.ByPriority,
			resource.LIFO}[id%4],
		Room: []int{0, 5, resource.NoRoom}[id/2%3], Batch: []int{1, 3}[id/4%2],
	})
	s.Parts.Open(lp, resource.Limits{Capacity: id % 4, RoomGet: []int{0, 3}[id/2%2], RoomPut: []int{0, 3}[id/2%2]})
	s.Tank.Open(lp, resource.LevelRules{Capacity: 12, Amount: 3})
}

// Tags of the events of customers, which send nothing. Below is the customer's ticket.
const (
	endTag   = 0xa6 << 56
	leaveTag = 0xa7 << 56
)

// isAlarm reports whether an event is that of a timer that sends nothing. Without shops no timer has the tags of
// customers, only other events have, by chance: that they send keeps the cases that failed once as they were.
func (k worldKind) isAlarm(tag uint64) bool {
	top := tag >> 56 << 56
	return top == alarmTag || k.Shops && (top == endTag || top == leaveTag)
}

// packed returns a ticket in 56 bits; worlds have neither 2^24 customers at a time nor 2^32 in all.
func packed(t resource.Ticket) uint64 { return uint64(t)>>32<<24 | uint64(t)&(1<<24-1) }

func unpacked(tag uint64) resource.Ticket {
	return resource.Ticket(tag<<8>>32<<32 | tag&(1<<24-1))
}

var errShop = errors.New("a customer waits although a server is free")

// visitor has customers come and go, in an event with a message note[P].
type visitor[P any] struct {
	*bazaar
	lp *ross.LP
}

// visit does what an event says.
func (v visitor[P]) visit(tag uint64) {
	x := mixed(tag + 13)
	switch t := unpacked(tag); tag >> 56 << 56 {
	case endTag:
		if v.Desk.Serves(v.lp, t) {
			_, next := v.Desk.Release(v.lp, t)
			v.begin(next)
		}
	case leaveTag:
		v.Desk.Renege(v.lp, t)
	default:
		for range 1 + x%2 {
			x = mixed(x*5 + 1)
			visits := []func(v visitor[P], x uint64){
				visitor[P].comes, visitor[P].comes, visitor[P].comes, visitor[P].comes, visitor[P].repairs, visitor[P].interrupts,
				visitor[P].leaves, visitor[P].trades, visitor[P].fills,
			}
			visits[x>>8%uint64(len(visits))](v, x>>16)
		}
	}
	if v.Desk.Len() > 0 && v.Desk.Busy() < v.Desk.Servers() {
		v.lp.Fail(errShop)
	}
}

// recent remembers a ticket, and returns an old one, or 0.
func (v visitor[P]) recent(t resource.Ticket) (old resource.Ticket) {
	if t != 0 {
		v.Recent.Push(v.lp, t)
	}
	if t == 0 || v.Recent.Len() > 6 {
		old, _ = v.Recent.Pop(v.lp)
	}
	return old
}

func (v visitor[P]) comes(x uint64) {
	t, _, _ := v.Desk.Preempt(v.lp, words2{x}, float64(x%4))
	v.begin(t)
	if x>>4%2 == 0 {
		resource.Patience(v.lp, &v.Desk, t, float64(x>>8%16)/4, newNote[P](leaveTag|packed(t), ross.DefaultPriority))
	}
	v.recent(t)
}

// begin begins the service of a customer, if it is his turn.
func (v visitor[P]) begin(t resource.Ticket) {
	c := v.Desk.Served(v.lp, t)
	if c == nil {
		return
	}
	takes, again := v.Desk.Left(v.lp, t)
	if !again {
		takes = float64(c[0]>>20%8) / 3
	}
	for mate := range v.Desk.Batch(v.lp, t) {
		v.Desk.Edit(v.lp, mate)[1]++
	}
	resource.Serve(v.lp, &v.Desk, t, takes, newNote[P](endTag|packed(t), ross.DefaultPriority))
}

// next has free servers take customers.
func (v visitor[P]) next() {
	for t := v.Desk.Next(v.lp); t != 0; t = v.Desk.Next(v.lp) {
		v.begin(t)
	}
}

// repairs has another number of servers.
func (v visitor[P]) repairs(x uint64) {
	v.Desk.SetServers(v.lp, int(x%4))
	if x>>4%2 == 0 {
		for v.Desk.Evict(v.lp) != 0 {
		}
	}
	v.next()
}

func (v visitor[P]) interrupts(uint64) {
	if t := v.recent(0); v.Desk.Serves(v.lp, t) {
		v.Desk.Interrupt(v.lp, t)
		v.next()
	}
}

// leaves has one who waits leave, wherever he waits.
func (v visitor[P]) leaves(uint64) {
	t := v.recent(0)
	v.Desk.Renege(v.lp, t)
	v.Parts.Leave(v.lp, t)
	v.Tank.Leave(v.lp, t)
	v.drain()
}

func (v visitor[P]) trades(x uint64) {
	var t resource.Ticket
	if x%2 == 0 {
		t, _, _, _ = v.Parts.Put(v.lp, uint32(x), uint32(x>>8))
	} else {
		_, t, _, _, _ = v.Parts.Get(v.lp, uint32(x))
	}
	v.recent(t)
}

func (v visitor[P]) fills(x uint64) {
	change := v.Tank.Get
	if x%2 == 0 {
		change = v.Tank.Put
	}
	t, _ := change(v.lp, uint32(x), float64(x>>8%12*10+x>>16%10)/10)
	v.recent(t)
	v.drain()
}

// drain has those go on who can.
func (v visitor[P]) drain() {
	for _, _, ok := v.Tank.Next(v.lp); ok; _, _, ok = v.Tank.Next(v.lp) {
	}
}
