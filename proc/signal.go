// This file owns Signal, and Any: waiting for whatever comes first.

package proc

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
)

// Signal is an event that processes of an LP wait for, as often as it happens: a gate opens, a shift ends. It is a
// field of the state, and remembers nothing: who waits after a Fire waits for the next one.
type Signal struct {
	last container.Handle // of the ring of those who wait
	_    uint32
}

// Wait waits until the signal is fired.
func (s *Signal) Wait(p *Self) {
	if !s.BeginWait(p) {
		p.Suspend()
	}
	defer p.Continue()
	s.EndWait(p)
}

// BeginWait begins a Wait.
func (s *Signal) BeginWait(p *Self) bool {
	s.enter(p.run, waiter{ref: p.begin(forSignal, 0)})
	return false
}

// EndWait ends a Wait.
func (s *Signal) EndWait(*Self) {}

// WaitWithin is Wait for at most a time: ok is false if the signal was not fired within it.
func (s *Signal) WaitWithin(p *Self, patience float64) (ok bool) {
	if !s.BeginWaitWithin(p, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndWaitWithin(p)
}

// BeginWaitWithin begins a WaitWithin.
func (s *Signal) BeginWaitWithin(p *Self, patience float64) bool {
	ref := p.begin(forSignal, 0)
	s.enter(p.run, waiter{ref: ref})
	p.timeout(ref, patience)
	return false
}

// EndWaitWithin ends a WaitWithin.
func (s *Signal) EndWaitWithin(p *Self) (ok bool) { return p.pr.why == byOther }

// Fire lets all go on that wait now, within this event and in the order in which they came, and returns how many.
func (s *Signal) Fire(p *Self) int {
	if s.last == 0 || !s.change(p.run) {
		return 0
	}
	return p.run.wakeAll(&s.last, nil)
}

// change saves the signal, and reports whether it may change.
func (s *Signal) change(r *runner) bool {
	_, ok := r.k.BeginChange(unsafe.Pointer(s), unsafe.Sizeof(*s))
	return ok
}

// enter adds one who waits.
func (s *Signal) enter(r *runner, w waiter) {
	if s.change(r) {
		r.enter(&s.last, w)
	}
}

// Case is one of the things that Any waits for.
type Case struct {
	delay  float64
	signal *Signal
	id     PID
}

// Timeout is the case of a time: it comes after the delay.
func Timeout(delay float64) Case { return Case{delay: delay} }

// Fired is the case of a signal.
func (s *Signal) Fired() Case { return Case{signal: s, delay: math.Inf(1)} }

// Ended is the case of the end of a process of this LP. It comes at once if there is no such process.
func Ended(id PID) Case { return Case{id: id, delay: math.Inf(1)} }

// Any waits for whichever of its cases comes first, and returns its index, or -1 if the process was interrupted
// before (Self.Interrupt). The others have no effect any more.
//
//	switch p.Any(proc.Timeout(8), b.Closed.Fired()) {
//	case 0: // nobody has closed within 8 hours
//	case 1:
//	}
func (p *Self) Any(cases ...Case) int {
	if !p.BeginAny(cases...) {
		p.Suspend()
	}
	defer p.Continue()
	return p.EndAny()
}

// BeginAny begins an Any.
func (p *Self) BeginAny(cases ...Case) bool {
	if p.pending() {
		return true
	}
	for i := range cases {
		if c := &cases[i]; c.signal == nil && math.IsInf(c.delay, 1) && p.run.find(c.id) == nil {
			return p.over(uint64(i))
		}
	}
	ref, first := p.begin(forSeveral, interruptible), -1
	for i := range cases {
		switch c := &cases[i]; {
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
	if first >= 0 {
		p.pr.value = uint64(first)
		p.timeout(ref, cases[first].delay)
	}
	return false
}

// EndAny ends an Any.
func (p *Self) EndAny() int {
	if p.pr.why == byTime || p.pr.why == byOther {
		return int(p.pr.value)
	}
	return -1
}

func (s *Signal) each(k *kernel.LP, ps *Processes, f func(Ref, bool)) {
	for w := range ps.ring(faceOf(k), s.last) {
		f(w.ref, false)
	}
}
