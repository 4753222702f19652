// This file owns Mailbox: messages that processes receive.

package proc

import (
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
)

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

func (b *Mailbox[M]) each(k *kernel.LP, ps *Processes, f func(Ref, bool)) {
	for w := range ps.ring(faceOf(k), b.last) {
		f(w.ref, false)
	}
}
