// This file owns Signal.

package proc

import (
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

func (s *Signal) each(k *kernel.LP, ps *Processes, f func(Ref, bool)) {
	for w := range ps.ring(faceOf(k), s.last) {
		f(w.ref, false)
	}
}
