// This file owns Store, Level and Mailbox: what processes put and get.

package proc

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// Store holds items that processes put and get. It is a [resource.Store] in which processes wait: Open, Len and the
// statistics are the same.
type Store[T any] struct {
	resource.Store[T, Ref] `ross:"."`
}

// Put stores an item, and waits until there is room. ok is false if the store refuses it (Limits.Room).
func (s *Store[T]) Put(p *Self, v T) (ok bool) {
	if !s.BeginPut(p, v) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndPut(p)
}

// BeginPut begins a Put.
func (s *Store[T]) BeginPut(p *Self, v T) bool {
	for {
		t, o, to, handed := s.Store.Put(p.run.lp, p.ref(), v)
		switch {
		case handed:
			if !p.run.wake(to, byOther, give(p.run, v)) {
				continue // who waited for it leaves within this event
			}
			return p.over(1)
		case o == resource.Waits:
			return p.queue(forRoom, t)
		}
		return p.over(uint64(o)) // Refused is 0
	}
}

// EndPut ends a Put.
func (s *Store[T]) EndPut(p *Self) (ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return false
	}
	return p.pr.value != 0
}

// Get takes the first item out of the store, and waits for one. It is zero if the store refuses (Limits.Room).
func (s *Store[T]) Get(p *Self) T {
	if !s.BeginGet(p) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGet(p)
}

// BeginGet begins a Get.
func (s *Store[T]) BeginGet(p *Self) bool {
	v, t, o, from, freed := s.Store.Get(p.run.lp, p.ref())
	if freed {
		p.run.wake(from, byOther, 1)
	}
	if o == resource.Waits {
		return p.queue(forItem, t)
	}
	p.over(give(p.run, v))
	if o == resource.Refused {
		p.pr.why = byTime
	}
	return true
}

// EndGet ends a Get.
func (s *Store[T]) EndGet(p *Self) T {
	v, _ := s.got(p)
	return v
}

// GetWithin is Get for at most a time: ok is false if there was no item within it.
func (s *Store[T]) GetWithin(p *Self, patience float64) (v T, ok bool) {
	if !s.BeginGetWithin(p, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndGetWithin(p)
}

// BeginGetWithin begins a GetWithin.
func (s *Store[T]) BeginGetWithin(p *Self, patience float64) bool {
	return p.within(s.BeginGet(p), patience)
}

// EndGetWithin ends a GetWithin.
func (s *Store[T]) EndGetWithin(p *Self) (v T, ok bool) { return s.got(p) }

// got returns the item of a Get that is over; one whose time is over leaves.
func (s *Store[T]) got(p *Self) (v T, ok bool) {
	if p.pr.why != byOther {
		s.Leave(p.run.lp, Turn(p.pr.value))
		return v, false
	}
	return take[T](p.run, p.pr.value), true
}

// Level is a quantity that processes put and get. It is a [resource.Level] in which processes wait: Open, Now and the
// statistics are the same. All that a process needs at once, it gets in one Get, so that no two wait for each other.
type Level struct {
	resource.Level[Ref] `ross:"."`
}

// Put adds an amount, and waits until there is room for it.
func (l *Level) Put(p *Self, amount float64) {
	if !l.BeginPut(p, amount) {
		p.Suspend()
	}
	defer p.Continue()
	l.EndPut(p)
}

// BeginPut begins a Put.
func (l *Level) BeginPut(p *Self, amount float64) bool {
	t, o := l.Level.Put(p.run.lp, p.ref(), amount)
	return l.asked(p, t, o, forRoom)
}

// EndPut ends a Put.
func (l *Level) EndPut(p *Self) { l.got(p) }

// Return gives back what the process has got. It does not wait, so it may be deferred; there has to be room for the
// amount (resource.ErrAmount).
func (l *Level) Return(p *Self, amount float64) {
	if amount > l.Capacity()-l.Now()+1e-9*l.Capacity() {
		p.fail(resource.ErrAmount, "returns more than it has got", "return what Get has taken, or Put it")
		return
	}
	l.Level.Return(p.run.lp, amount)
	l.others(p)
}

// Get takes an amount, and waits until it is there.
func (l *Level) Get(p *Self, amount float64) {
	if !l.BeginGet(p, amount) {
		p.Suspend()
	}
	defer p.Continue()
	l.EndGet(p)
}

// BeginGet begins a Get.
func (l *Level) BeginGet(p *Self, amount float64) bool {
	t, o := l.Level.Get(p.run.lp, p.ref(), amount)
	return l.asked(p, t, o, forAmount)
}

// EndGet ends a Get.
func (l *Level) EndGet(p *Self) { l.taken(p) }

// GetWithin is Get for at most a time: ok is false if the amount was not there within it.
func (l *Level) GetWithin(p *Self, amount, patience float64) (ok bool) {
	if !l.BeginGetWithin(p, amount, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndGetWithin(p)
}

// BeginGetWithin begins a GetWithin.
func (l *Level) BeginGetWithin(p *Self, amount, patience float64) bool {
	return p.within(l.BeginGet(p, amount), patience)
}

// EndGetWithin ends a GetWithin.
func (l *Level) EndGetWithin(p *Self) (ok bool) { return l.taken(p) }

// asked begins the wait of a request that waits, or lets others go on.
func (l *Level) asked(p *Self, t Turn, o resource.Outcome, w wait) bool {
	if o == resource.Waits {
		return p.queue(w, t)
	}
	l.others(p)
	return p.over(0)
}

// got ends a wait: one whose time is over leaves.
func (l *Level) got(p *Self) (ok bool) {
	if p.pr.why == byOther {
		return true
	}
	l.Leave(p.run.lp, Turn(p.pr.value))
	l.others(p)
	return false
}

// taken is got for a Get. One that is killed after it has got the amount, and before it goes on, gives it back.
func (l *Level) taken(p *Self) (ok bool) {
	ok = l.got(p)
	if amount := math.Float64frombits(p.pr.value); ok && p.Killed() && amount <= l.Capacity()-l.Now() {
		l.Return(p, amount)
	}
	return ok
}

// others lets those go on who wait and can. The value of their wait is the amount.
func (l *Level) others(p *Self) {
	for {
		who, amount, ok := l.Next(p.run.lp)
		if !ok {
			return
		}
		if !p.run.wake(who, byOther, math.Float64bits(math.Abs(amount))) && amount < 0 {
			l.Level.Return(p.run.lp, -amount) // the process that got it leaves within this event
		}
	}
}

// Mailbox holds messages of type M until processes of the LP receive them, in the order in which they came. It is a
// field of the state; Mail makes it receive what other LPs send. M holds no pointers.
type Mailbox[M any] struct {
	letters container.Queue[M]
	last    container.Handle // of the ring of those who wait
	_       uint32
}

// Mail returns the handler for messages of type M, which it puts into the mailbox of the state that f returns:
//
//	Event: proc.Mail(func(b *Bank) *proc.Mailbox[Order] { return &b.Orders }),
//
// Handlers send with ross.Send as they always do, and so do processes: ross.Send(p.LP(), ...).
func Mail[S, M any, P interface {
	*S
	Host
}](f func(s *S) *Mailbox[M]) ross.Handler[S] {
	return ross.On(func(s *S, lp *ross.LP, m *M) {
		if r := P(s).processes().begin(lp); r.open {
			r.outside()
			f(s).Deliver(&r.self, *m)
			r.drain()
		}
	})
}

// Len returns the number of messages that nobody has received.
func (b *Mailbox[M]) Len() int { return b.letters.Len() }

// Deliver puts a message into the mailbox, or gives it to the first process that waits.
func (b *Mailbox[M]) Deliver(p *Self, m M) {
	if b.last != 0 && b.change(p.run) && p.run.wakeAll(&b.last, func() uint64 { return give(p.run, m) }) > 0 {
		return
	}
	b.letters.Push(p.run.lp, m)
}

func (b *Mailbox[M]) change(r *runner) bool {
	_, ok := r.k.BeginChange(unsafe.Pointer(&b.last), 2*unsafe.Sizeof(b.last))
	return ok
}

// Receive returns the next message, and waits for one.
func (b *Mailbox[M]) Receive(p *Self) M {
	if !b.BeginReceive(p) {
		p.Suspend()
	}
	defer p.Continue()
	return b.EndReceive(p)
}

// BeginReceive begins a Receive.
func (b *Mailbox[M]) BeginReceive(p *Self) bool {
	if m, ok := b.letters.Pop(p.run.lp); ok {
		return p.over(give(p.run, m))
	}
	ref := p.begin(forMail, 0)
	if b.change(p.run) {
		p.run.enter(&b.last, waiter{ref: ref})
	}
	return false
}

// EndReceive ends a Receive.
func (b *Mailbox[M]) EndReceive(p *Self) M {
	m, _ := b.EndReceiveWithin(p)
	return m
}

// ReceiveWithin is Receive for at most a time: ok is false if no message has come within it.
func (b *Mailbox[M]) ReceiveWithin(p *Self, patience float64) (m M, ok bool) {
	if !b.BeginReceiveWithin(p, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return b.EndReceiveWithin(p)
}

// BeginReceiveWithin begins a ReceiveWithin.
func (b *Mailbox[M]) BeginReceiveWithin(p *Self, patience float64) bool {
	return p.within(b.BeginReceive(p), patience)
}

// EndReceiveWithin ends a ReceiveWithin.
func (b *Mailbox[M]) EndReceiveWithin(p *Self) (m M, ok bool) {
	if p.pr.why != byOther {
		return m, false
	}
	return take[M](p.run, p.pr.value), true
}

func (s *Store[T]) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	for ref := range s.Waiters(faceOf(k)) {
		f(ref, false)
	}
}

func (l *Level) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	for ref := range l.Waiters(faceOf(k)) {
		f(ref, false)
	}
}

func (b *Mailbox[M]) each(k *kernel.LP, ps *Processes, f func(Ref, bool)) {
	for w := range ps.ring(faceOf(k), b.last) {
		f(w.ref, false)
	}
}
