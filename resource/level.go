// This file owns Level: a quantity that is put and got.

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

// Level is a quantity: fuel in a tank, money in an account, grain in a silo. Whoever gets more than
// there is waits, and whoever puts more than there is room for does. W describes who puts or gets:
// an id of an LP, a ticket, a number. It holds no pointers, strings, slices or maps. Those who wait
// go on in the order in which they came, the least priority first if they have some (GetPriority, PutPriority): a small
// amount does not overtake a large one of the same priority. [Patience] is for those who do not wait for ever.
//
// Sums are exact. Each amount counts as the decimal number with the fewest digits that stands for it, so ten times 0.1
// is 1, and nothing is left of it after ten times 0.1; sums of up to 38 digits lose none of them. A number such as
// 1.0/3 is not quite a third. Therefore Get takes an amount that exceeds what is there by less than 4.4e-16 of itself
// (2^-51), and Put fills the level up with one that exceeds what there is room for by less than that of the capacity.
// Shares that add up to a whole should rather be amounts in a unit in which they are whole, such as 20 minutes of an
// hour.
//
// A Level is a field of an LP's state, not behind a pointer and not in a container. It sends no
// events. After each Put and Get that starts, and after each Return and Leave, the handler calls Next until it
// returns false, and notifies those whom it returns.
type Level[W any] struct {
	numbers levelNumbers
	getters container.IndexedHeap[float64, claim[W]]
	putters container.IndexedHeap[float64, claim[W]]

	Amount  stats.Level   `ross:",,held"`     // the quantity that is there
	Getters stats.Level   `ross:",customers"` // who wait
	Putters stats.Level   `ross:",customers"` // who wait
	WaitGet stats.Tally   // time from Get to the amount
	WaitPut stats.Tally   // time from Put until there was room
	Reneged stats.Counter `ross:",customers,rare"` // who left instead of waiting (Leave)
	Refused stats.Counter `ross:",customers,rare"` // who could neither put nor get, nor wait (LevelRules)
}

// levelNumbers are the numbers of a Level that are saved together.
type levelNumbers struct {
	sum      decimal // that is there
	amount   float64 // next to it
	capacity float64
	number   uint32 // of those who ever waited
	roomGet  int32  // as in LevelRules
	roomPut  int32
	opened   bool
}

// LevelRules are those of a Level.
type LevelRules struct {
	Capacity float64 // the largest amount: above 0, perhaps math.Inf(1)
	Amount   float64 // that is there at first
	RoomGet  int     // how many may wait to get; 0: any number; NoRoom: nobody
	RoomPut  int     // how many may wait to put, likewise
}

// nearly is the part of itself by which a number may be wrong: twice what rounding changes.
const nearly = 0x1p-51

// claim is one who waits, for an amount.
type claim[W any] struct {
	asker[W]
	amount float64
}

// Open gives the level its rules. Init of the LP calls it, once.
func (l *Level[W]) Open(lp *ross.LP, r LevelRules) {
	capacity, amount := r.Capacity, r.Amount
	switch {
	case l.numbers.opened:
		l.blame(lp, ErrRules, "call Open once, in Init", "was opened twice")
	case !(capacity > 0):
		l.blame(lp, ErrAmount, "give a capacity above 0, such as math.Inf(1)",
			fmt.Sprintf("was opened with a capacity of %g", capacity))
	case !(amount >= 0 && amount <= capacity) || math.IsInf(amount, 0):
		l.blame(lp, ErrAmount, "give a finite amount from 0 to the capacity", fmt.Sprintf("was opened with %g", amount))
	case badRoom(r.RoomGet, r.RoomPut) != "":
		l.blame(lp, ErrRules, "give 0 for any number, NoRoom, or 1 to 2^31 - 1", badRoom(r.RoomGet, r.RoomPut))
	default:
		if _, ok := begin(inside.LP(lp), &l.numbers); ok {
			l.numbers.capacity, l.numbers.opened = capacity, true
			l.numbers.roomGet, l.numbers.roomPut = int32(r.RoomGet), int32(r.RoomPut)
			l.set(lp, decimalOf(amount))
		}
	}
}

// Now returns the amount that is there: the float64 next to it.
func (l *Level[W]) Now() float64 { return l.numbers.amount }

// Capacity returns the largest amount that may be there.
func (l *Level[W]) Capacity() float64 { return l.numbers.capacity }

// Waiting returns how many wait to get, and how many to put.
func (l *Level[W]) Waiting() (getters, putters int) { return l.getters.Len(), l.putters.Len() }

// Put adds an amount (Starts), or has who wait until there is room for it (Waits): also if others
// wait who came before. If there is no room to wait (LevelRules), it is Refused. The amount is 0 or more, and not
// larger than the capacity. The ticket, 0 unless the outcome is Waits, is for Leave.
func (l *Level[W]) Put(lp *ross.LP, who W, amount float64) (Ticket, Outcome) {
	return l.PutPriority(lp, who, amount, 0)
}

// PutPriority is Put for one with a finite priority: he goes before those who wait to put and have a larger one.
func (l *Level[W]) PutPriority(lp *ross.LP, who W, amount, priority float64) (Ticket, Outcome) {
	if !l.begin(lp, amount, priority, "put") {
		return 0, Refused
	}
	if sum, fits := l.with(amount); fits && before(lp, &l.putters, priority) {
		l.set(lp, sum)
		l.WaitPut.Add(lp, 0)
		return 0, Starts
	}
	if !roomFor(l.numbers.roomPut, int32(l.putters.Len())) {
		l.Refused.Inc(lp)
		return 0, Refused
	}
	t := wait(lp, &l.putters, &l.Putters, priority, l.claim(lp, who, amount))
	if t == 0 {
		return 0, Refused
	}
	return putting | t, Waits
}

// Get takes an amount (Starts), or has who wait until it is there (Waits): also if others wait who
// came before. If there is no room to wait (LevelRules), it is Refused. The amount is 0 or more, and not larger than
// the capacity. The ticket, 0 unless the outcome is Waits, is for Leave.
func (l *Level[W]) Get(lp *ross.LP, who W, amount float64) (Ticket, Outcome) {
	return l.GetPriority(lp, who, amount, 0)
}

// GetPriority is Get for one with a finite priority: he goes before those who wait to get and have a larger one.
func (l *Level[W]) GetPriority(lp *ross.LP, who W, amount, priority float64) (Ticket, Outcome) {
	if !l.begin(lp, amount, priority, "got") {
		return 0, Refused
	}
	if l.has(amount) && before(lp, &l.getters, priority) {
		l.take(lp, amount)
		l.WaitGet.Add(lp, 0)
		return 0, Starts
	}
	if !roomFor(l.numbers.roomGet, int32(l.getters.Len())) {
		l.Refused.Inc(lp)
		return 0, Refused
	}
	t := wait(lp, &l.getters, &l.Getters, priority, l.claim(lp, who, amount))
	if t == 0 {
		return 0, Refused
	}
	return t, Waits
}

// Return puts an amount back that a Get has taken, also if others wait to put. There has to be room for it: otherwise
// it is an ErrAmount.
func (l *Level[W]) Return(lp *ross.LP, amount float64) {
	if !l.opens(lp, amount, "returned") {
		return
	}
	sum, fits := l.with(amount)
	if !fits {
		l.blame(lp, ErrAmount, "return what Get has taken, or Put it", fmt.Sprintf("returned %g, without room for it", amount))
		return
	}
	l.set(lp, sum)
}

// Next lets the first of those who wait go on, if he can: first those who get, then those who put.
// It returns who it is, and his amount, which is negative if he has got it; ok is false if nobody can.
func (l *Level[W]) Next(lp *ross.LP) (who W, amount float64, ok bool) {
	if l.getters.Len()|l.putters.Len() == 0 { // mostly, and copying nobody costs more than all that follows
		return who, 0, false
	}
	if c, can := l.getter(lp); can {
		if _, ok := begin(inside.LP(lp), &l.numbers); !ok {
			return who, 0, false
		}
		goesOn(lp, &l.getters, &l.Getters)
		l.take(lp, c.amount)
		l.WaitGet.Add(lp, lp.Now()-c.came)
		return c.who, -c.amount, true
	}
	if c, sum, can := l.putter(lp); can {
		if _, ok := begin(inside.LP(lp), &l.numbers); !ok {
			return who, 0, false
		}
		goesOn(lp, &l.putters, &l.Putters)
		l.set(lp, sum)
		l.WaitPut.Add(lp, lp.Now()-c.came)
		return c.who, c.amount, true
	}
	return who, 0, false
}

// Leave has one who waits leave, and returns who it is: his patience is over. If he does not wait
// any more, ok is false and nothing happens. Others may go on then: see Next.
func (l *Level[W]) Leave(lp *ross.LP, t Ticket) (who W, ok bool) {
	line, length := &l.getters, &l.Getters
	if t&putting != 0 {
		line, length = &l.putters, &l.Putters
	}
	gone, ok := leave(lp, line, length, &l.Reneged, t&^putting)
	return gone.who, ok
}

// getter returns the first who waits to get, and whether he can.
func (l *Level[W]) getter(lp *ross.LP) (c claim[W], can bool) {
	_, c, ok := l.getters.Peek(lp)
	return c, ok && l.has(c.amount)
}

// putter returns the first who waits to put, whether he can, and what is there then.
func (l *Level[W]) putter(lp *ross.LP) (c claim[W], sum decimal, can bool) {
	_, c, ok := l.putters.Peek(lp)
	if ok {
		sum, can = l.with(c.amount)
	}
	return c, sum, can
}

// before reports whether one with a priority goes before all who wait in a line.
func before[T any](lp *ross.LP, line *container.IndexedHeap[float64, T], priority float64) bool {
	if line.Len() == 0 {
		return true
	}
	least, ok := line.Key(lp, line.First(lp))
	return ok && priority < least
}

// has reports whether an amount is there.
func (l *Level[W]) has(amount float64) bool {
	return amount <= l.numbers.amount || amount-l.numbers.amount < amount*nearly
}

// take takes an amount that is there.
func (l *Level[W]) take(lp *ross.LP, amount float64) {
	sum := decimal{}
	if amount < l.numbers.amount {
		sum = l.numbers.sum.minus(decimalOf(amount))
	}
	l.set(lp, sum)
}

// with returns what is there with an amount more, and whether there is room for it.
func (l *Level[W]) with(amount float64) (sum decimal, fits bool) {
	sum = l.numbers.sum.plus(decimalOf(amount))
	x, most := sum.float(), l.numbers.capacity
	switch {
	case x < most:
		return sum, true
	case math.IsInf(most, 1):
		return sum, false
	}
	return decimalOf(most), x-most <= most*nearly
}

// set sets the amount.
func (l *Level[W]) set(lp *ross.LP, sum decimal) {
	l.numbers.sum, l.numbers.amount = sum, sum.float()
	l.Amount.Set(lp, l.numbers.amount)
}

// begin is called before a Put or Get, and reports whether the level may be changed.
func (l *Level[W]) begin(lp *ross.LP, amount, priority float64, did string) bool {
	if priority-priority != 0 {
		l.blame(lp, ErrAmount, "give a finite priority", fmt.Sprintf("priority is %g", priority))
		return false
	}
	_, get := l.getter(lp)
	_, _, put := l.putter(lp)
	if get || put {
		l.blame(lp, ErrRules, "after Put, Get, Return and Leave call Next until it returns false",
			did+" while one who waits could go on")
		return false
	}
	return l.opens(lp, amount, did)
}

// opens is begin for what does not wait.
func (l *Level[W]) opens(lp *ross.LP, amount float64, did string) bool {
	switch {
	case !l.numbers.opened:
		l.blame(lp, ErrRules, "call Open in Init", "was used before it was opened")
		return false
	case !(amount >= 0 && amount <= l.numbers.capacity) || math.IsInf(amount, 0):
		l.blame(lp, ErrAmount, "give a finite amount from 0 to the capacity", fmt.Sprintf("%s %g, with a capacity of %g", did,
			amount, l.numbers.capacity))
		return false
	}
	_, ok := begin(inside.LP(lp), &l.numbers)
	return ok
}

// claim returns one who waits from now on.
func (l *Level[W]) claim(lp *ross.LP, who W, amount float64) claim[W] {
	l.numbers.number = max(l.numbers.number+1, 1)
	return claim[W]{asker[W]{waitHead{came: lp.Now(), number: l.numbers.number}, who}, amount}
}

// blame reports a mistake of the model.
func (l *Level[W]) blame(lp *ross.LP, err error, fix, what string) {
	blame(lp, unsafe.Pointer(&l.Amount), err, fix, what)
}
