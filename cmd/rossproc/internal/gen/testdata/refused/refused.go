// Package refused has what cannot be a process. Each line with a mistake has the beginning of its error.
package refused

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/proc"
)

type state struct {
	proc.Processes
	desks [2]proc.Servers
	queue container.Queue[int]
	n     int
}

type other struct {
	proc.Processes
}

func (s *state) pointer(p *proc.Self) {
	desk := &s.desks[1]
	p.Sleep(1) // want "desk (declared at line 22) is a pointer, and is used after this wait (p.Sleep): get it again"
	desk.Len()
}

func (s *state) slice(p *proc.Self) {
	all := s.desks[:]
	for range 2 {
		p.Sleep(1) // want "all (declared at line 28) is a slice"
		_ = all[0].Len()
	}
}

func (s *state) text(p *proc.Self) {
	name := "x"
	p.Sleep(1) // want "name (declared at line 36) is a string"
	_ = name
}

func (s *state) function(p *proc.Self) {
	f := func() {}
	p.Sleep(1) // want "f (declared at line 42) is a function"
	f()
}

func (s *state) queues(p *proc.Self) {
	var q container.Queue[int]
	p.Sleep(1) // want "q (declared at line 48) is a container.Queue, which belongs into the state"
	q.Len()
}

func (s *state) blocks(p *proc.Self) {
	b := ross.Alloc[int](p.LP(), 3)
	p.Sleep(1) // want "b (declared at line 54) is a ross.Block, whose memory belongs to the state"
	b.Len()
}

func (s *state) parameter(p *proc.Self, x []int) { // want "parameter x of process refused.state.parameter is a slice"
	p.Sleep(1)
}

func (s *state) result(p *proc.Self) *int { // want "a result of process refused.state.result is a pointer"
	p.Sleep(1)
	return nil
}

func (s *state) recurses(p *proc.Self, n int) { // want "calls itself: its frame would have no size"
	p.Sleep(1)
	s.recurses(p, n-1)
}

func (s *state) left(p *proc.Self) {
	proc.At[other](p, 3, 1) // want "s is the state of the LP that the process leaves here"
	s.n++
}

func (s *state) rangesMap(p *proc.Self) {
	for range map[int]int{} { // want "a range over map[int]int waits: count an index"
		p.Sleep(1)
	}
}

func (s *state) rangesFunc(p *proc.Self) {
	for i := range s.queue.All(p.LP()) { // want "a range over iter.Seq2[int, int] waits"
		p.Sleep(float64(i))
	}
}

func (s *state) typeSwitch(p *proc.Self, x int) {
	switch any(x).(type) { // want "a type switch waits"
	case int:
		p.Sleep(1)
	}
}

func (s *state) starts(p *proc.Self, c chan int) { // want "parameter c of process refused.state.starts is a channel"
	p.Sleep(1)
}

func (s *state) goes(p *proc.Self) {
	go s.queue.Len() // want "goroutines and channels do not roll back"
	p.Sleep(1)
}

func (s *state) closure(p *proc.Self) {
	func() {
		p.Sleep(1) // want "p.Sleep waits in a closure"
	}()
	p.Sleep(1)
}

func (s *state) loopDefers(p *proc.Self) {
	for range 2 {
		defer s.queue.Len() // want "defer in a loop"
	}
	p.Sleep(1)
}

func (s *state) defersAndTravels(p *proc.Self) {
	defer s.queue.Len() // want "what is deferred has s, which is another state from line 122 on"
	s = proc.At[state](p, 1, 1)
}

func (s *state) deferWaits(p *proc.Self) {
	defer p.Sleep(1) // want "what is deferred waits"
}

func (s *state) jumps(p *proc.Self) {
again:
	p.Sleep(1)
	goto again // want "goto leads through waits"
}

func (s *state) constants(p *proc.Self) {
	const n = 3 // want "declare constants and types outside of the process"
	p.Sleep(n)
}

func (s *state) catches(p *proc.Self) {
	defer func() { recover() }() // want "a process does not catch panics"
	p.Sleep(1)
}

func generic[T any](p *proc.Self, x T) { // want "process refused.generic is generic" // want "parameter x"
	p.Sleep(1)
}

func variadic(p *proc.Self, x ...float64) { // want "has a variable number of parameters" // want "parameter x"
	p.Sleep(1)
}

func (s state) value(p *proc.Self) { // want "is a method of"
	p.Sleep(1)
}

func (s *state) Init(lp *ross.LP) {
	proc.Do(lp, s, func(p *proc.Self) {
		p.Sleep(1) // want "p.Sleep waits, and Init is no process"
	})
}

func (s *state) others(p *proc.Self) {
	var q *proc.Self
	q.Sleep(1) // want "q.Sleep waits for q: a process waits with its own parameter p"
}

func (s *state) takesAlong(p *proc.Self) {
	here := s
	defer here.done(3) // want "what is deferred has here, which is another state from line 171 on"
	here = proc.At[state](p, 1, 1)
	here.done(4)
}

func (s *state) done(int) {}

func (s *state) handle(p *proc.Self, kept container.Handle) { // a number, and so not refused
	p.Sleep(1)
	s.n += int(kept)
}

type params struct {
	rates []float64
	n     int
}

func given(p *proc.Self) *params { return proc.Param[params](p) }

func (s *state) paramAgain(p *proc.Self) {
	m := proc.Param[params](p)
	p.Sleep(1) // want "m (declared at line 190) is a pointer, and is used after this wait (p.Sleep): get it again"
	s.n += m.n
	m = new(params)
}

func (s *state) paramRanges(p *proc.Self) {
	m := proc.Param[params](p)
	for _, m = range []*params{nil} {
	}
	p.Sleep(1) // want "m (declared at line 197) is a pointer"
	s.n += m.n
}

func (s *state) paramAddress(p *proc.Self) {
	m := proc.Param[params](p)
	at := &m
	*at = nil
	p.Sleep(1) // want "m (declared at line 205) is a pointer"
	s.n += m.n
}

func (s *state) paramPart(p *proc.Self) {
	m := proc.Param[params](p)
	rates, n := m.rates, &m.n
	p.Sleep(1) // want "rates (declared at line 214) is a slice" // want "n (declared at line 214) is a pointer"
	s.n += len(rates) + *n
}

func (s *state) paramCopied(p *proc.Self) {
	m := proc.Param[params](p)
	q := m
	p.Sleep(1) // want "q (declared at line 221) is a pointer"
	s.n += q.n + m.n
}

func (s *state) paramDeclared(p *proc.Self) {
	var m = proc.Param[params](p)
	p.Sleep(1) // want "m (declared at line 227) is a pointer"
	s.n += m.n
}

func (s *state) paramOfHelper(p *proc.Self) {
	m := given(p)
	p.Sleep(1) // want "m (declared at line 233) is a pointer"
	s.n += m.n
}

func (s *state) paramOfOther(p *proc.Self) {
	var other *proc.Self
	m := proc.Param[params](other)
	p.Sleep(1) // want "m (declared at line 240) is a pointer"
	s.n += m.n
}
