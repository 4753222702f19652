// This file owns Any: waiting for whatever comes first.

package proc

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/resource"
)

// Case is one of the things that Any waits for.
type Case struct {
	delay    float64
	signal   *Signal
	id       PID
	servers  *Servers
	priority float64
}

// Timeout is the case of a time: it comes after the delay.
func Timeout(delay float64) Case { return Case{delay: delay} }

// Fired is the case of a signal.
func (s *Signal) Fired() Case { return Case{signal: s, delay: math.Inf(1)} }

// Ended is the case of the end of a process of this LP. It comes at once if there is no such process.
func Ended(id PID) Case { return Case{id: id, delay: math.Inf(1)} }

// Turn is the case of a server, for a process with a finite priority: it comes when a server is free for it. Self.Turn
// then has the turn, which the process releases. The servers are a field of the state.
func (s *Servers) Turn(priority float64) Case {
	return Case{servers: s, priority: priority, delay: math.Inf(1)}
}

// Any waits for whichever of its cases comes first, and returns its index, or -1 if the process was interrupted
// before (Self.Interrupt). The others have no effect any more: at servers, the process leaves the queue.
//
//	switch p.Any(b.Counter.Turn(0), b.Express.Turn(0), proc.Timeout(8), b.Closed.Fired()) {
//	case 0:
//		p.Sleep(needs)
//		b.Counter.Release(p, p.Turn())
//	case 2: // nobody was free within 8 minutes
//	}
func (p *Self) Any(cases ...Case) int {
	if !p.BeginAny(cases...) {
		p.Suspend()
	}
	defer p.Continue()
	return p.EndAny()
}

// Turn returns the turn that the last wait has brought, if that was Any and a server came first.
func (p *Self) Turn() Turn { return Turn(p.pr.value) }

// While a process waits for several things, the value of its wait is the index of the first time-out, and above that
// the handle of the first of its requests: records of the table of waiters, linked by next. The n of a request is the
// index of its case, PID its turn, and Epoch where in the state its servers are.
const indexBits = 32

// BeginAny begins an Any.
func (p *Self) BeginAny(cases ...Case) bool {
	p.pr.value = 0
	if p.pending() {
		return true
	}
	for i := range cases {
		switch c := &cases[i]; {
		case c.servers != nil:
			if s := c.servers; !s.gathers() && s.Busy() < s.Servers.Servers() && s.Len() == 0 && p.ask(c, i) {
				return true
			}
		case c.signal == nil && math.IsInf(c.delay, 1) && p.run.find(c.id) == nil:
			return p.over(uint64(i))
		}
	}
	for i := range cases {
		if c := &cases[i]; c.servers != nil && p.ask(c, i) {
			return true
		}
	}
	requests, first := p.pr.value, -1
	ref := p.begin(forSeveral, interruptible)
	for i := range cases {
		switch c := &cases[i]; {
		case c.servers != nil:
		case c.signal != nil:
			c.signal.enter(p.run, waiter{ref: ref, n: uint32(i)})
		case !math.IsInf(c.delay, 1):
			if first < 0 || c.delay < cases[first].delay {
				first = i
			}
		default:
			p.awaitEnd(c.id, ref, uint32(i))
		}
	}
	p.pr.value = requests
	if first >= 0 {
		p.pr.value |= uint64(first)
		p.timeout(ref, cases[first].delay)
	}
	for i := range cases {
		if s := cases[i].servers; s != nil && p.pr.wait == forSeveral {
			s.gather(p)
		}
	}
	return false
}

// ask asks for a server, and keeps the request. It reports whether there is one.
func (p *Self) ask(c *Case, i int) bool {
	lp := p.run.lp
	at, ok := p.offset(c.servers)
	if !ok {
		return false
	}
	all := p.run.waiters()
	if all == nil {
		return false // the engine reports that there is no memory
	}
	t, o := c.servers.Servers.RequestPriority(lp, p.ref(), c.priority)
	if o == resource.Refused {
		return false
	}
	if o == resource.Waits {
		c.servers.limit(p, t)
	}
	before := container.Handle(p.pr.value >> indexBits)
	h := all.Add(lp, waiter{Ref{PID: PID(t), Epoch: at}, before, uint32(i)})
	p.pr.value = uint64(h) << indexBits
	if o == resource.Starts {
		p.pr.value |= uint64(i)
		p.pr.why = byOther
	}
	return o == resource.Starts
}

// offset returns where in the state servers are.
func (p *Self) offset(s *Servers) (at uint32, ok bool) {
	off := uintptr(unsafe.Pointer(s)) - uintptr(p.run.state)
	if off >= p.run.k.Type().StateSize {
		p.fail(ErrWait, "waits for servers that are no field of the state", "keep them there")
		return 0, false
	}
	return uint32(off), true
}

// requested returns the index of the case of a request of a process that waits for several things.
func (r *runner) requested(pr *process, s *Servers, t Turn) uint64 {
	at := uint32(uintptr(unsafe.Pointer(s)) - uintptr(r.state))
	h := container.Handle(pr.value >> indexBits)
	all := r.waiters()
	for w := all.Get(r.lp, h); w != nil; w = all.Get(r.lp, w.next) {
		if Turn(w.ref.PID) == t && w.ref.Epoch == at {
			return uint64(w.n)
		}
	}
	return 0
}

// EndAny ends an Any.
func (p *Self) EndAny() int {
	i := -1
	if p.pr.why == byTime || p.pr.why == byOther {
		i = int(uint32(p.pr.value))
	}
	p.settle(i)
	return i
}

// settle leaves the queues of all requests but that of case i, if that has come, and keeps its turn.
func (p *Self) settle(i int) {
	var got Turn
	for h := container.Handle(p.pr.value >> indexBits); h != 0; {
		w, ok := p.run.waiters().Remove(p.run.lp, h)
		if !ok {
			break
		}
		h = w.next
		s, t := (*Servers)(unsafe.Add(p.run.state, w.ref.Epoch)), Turn(w.ref.PID)
		if int(w.n) == i && p.pr.why == byOther && !p.Killed() {
			got = t
		} else {
			s.Release(p, t) // also if it waits there
		}
	}
	p.pr.value = uint64(got)
}
