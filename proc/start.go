// This file owns how processes begin: Start, Do and Go.

package proc

import (
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/proc/internal/hook"
)

// Do calls f within a handler, Init or PreRun of lp, whose state is s, and then lets processes that f has started or
// woken go on until all wait. In f the handler does what a process does, apart from waiting.
//
//	func (b *Bank) Init(lp *ross.LP) {
//		proc.Do(lp, b, func(p *proc.Self) { proc.Go(p, (*Bank).source) })
//	}
func Do(lp *ross.LP, s Host, f func(p *Self)) {
	ps := s.processes()
	// After a panic of an event that was undone, Self still names a process.
	if r, k := ps.run, inside.LP(lp); r != nil && r.self.id != 0 && r.k == k && r.event == k.Processed {
		k.Blame(ErrWait, "call f itself", "called Do within a process")
		return
	}
	r := ps.begin(lp)
	if !r.open {
		return
	}
	r.outside()
	f(&r.self)
	r.drain()
}

// Start returns the Init of a type whose LPs each begin with one process: f, which opens what the LP has, and may start
// others.
//
//	var bank = proc.Type(ross.Type[Bank]{LPs: 1, Init: proc.Start((*Bank).source)})
func Start[S any, P interface {
	*S
	Host
}](f func(*S, *Self)) func(*S, *ross.LP) {
	return func(s *S, lp *ross.LP) { Do(lp, P(s), func(p *Self) { Go(p, f) }) }
}

// Go starts a process of the LP: f, which is a method expression such as (*Bank).customer. It begins within this
// event, after those that are ready. The result names it.
func Go[S any](p *Self, f func(*S, *Self)) PID {
	id, _ := start(p, wordOf[S](), pointerOf(f), 0)
	if id != 0 && p.run.direct(id) {
		s := (*S)(p.run.state)
		p.run.route(id, func(p *Self) { f(s, p) })
	}
	return id
}

// Go1 is Go for a process with a parameter.
func Go1[S, A any](p *Self, f func(*S, *Self, A), a A) PID {
	id, at := start(p, wordOf[S](), pointerOf(f), unsafe.Sizeof(a))
	if at != nil {
		*(*A)(at) = a
	} else if id != 0 && p.run.direct(id) {
		s := (*S)(p.run.state)
		p.run.route(id, func(p *Self) { f(s, p, a) })
	}
	return id
}

// The frame of a process begins with its parameters, as these do.
type (
	params2[A, B any] struct {
		a A
		b B
	}
	params3[A, B, C any] struct {
		a A
		b B
		c C
	}
	params4[A, B, C, D any] struct {
		a A
		b B
		c C
		d D
	}
)

// Go2 is Go for a process with two parameters.
func Go2[S, A, B any](p *Self, f func(*S, *Self, A, B), a A, b B) PID {
	id, at := start(p, wordOf[S](), pointerOf(f), unsafe.Sizeof(params2[A, B]{}))
	if at != nil {
		*(*params2[A, B])(at) = params2[A, B]{a, b}
	} else if id != 0 && p.run.direct(id) {
		s := (*S)(p.run.state)
		p.run.route(id, func(p *Self) { f(s, p, a, b) })
	}
	return id
}

// Go3 is Go for a process with three parameters.
func Go3[S, A, B, C any](p *Self, f func(*S, *Self, A, B, C), a A, b B, c C) PID {
	id, at := start(p, wordOf[S](), pointerOf(f), unsafe.Sizeof(params3[A, B, C]{}))
	if at != nil {
		*(*params3[A, B, C])(at) = params3[A, B, C]{a, b, c}
	} else if id != 0 && p.run.direct(id) {
		s := (*S)(p.run.state)
		p.run.route(id, func(p *Self) { f(s, p, a, b, c) })
	}
	return id
}

// Go4 is Go for a process with four parameters. What has more gets a struct.
func Go4[S, A, B, C, D any](p *Self, f func(*S, *Self, A, B, C, D), a A, b B, c C, d D) PID {
	id, at := start(p, wordOf[S](), pointerOf(f), unsafe.Sizeof(params4[A, B, C, D]{}))
	if at != nil {
		*(*params4[A, B, C, D])(at) = params4[A, B, C, D]{a, b, c, d}
	} else if id != 0 && p.run.direct(id) {
		s := (*S)(p.run.state)
		p.run.route(id, func(p *Self) { f(s, p, a, b, c, d) })
	}
	return id
}

// pointerOf returns where the code of a function is, by which its process is known.
func pointerOf[F any](f F) uintptr {
	if at := *(**uintptr)(unsafe.Pointer(&f)); at != nil {
		return *at
	}
	return 0
}

// start makes a process that is ready, and returns where its parameters go: nil if it was not generated.
func start(p *Self, word unsafe.Pointer, function uintptr, size uintptr) (id PID, at unsafe.Pointer) {
	r := p.run
	code := codes.of(function)
	if code == nil || r.word != word || hook.Direct.Load() {
		if code = r.mayStart(p, word, function); code == nil {
			return 0, nil
		}
	}
	h, pr := r.add(p, code)
	if h == 0 {
		return 0, nil
	}
	id = pidOf(h, pr.serial)
	if code.resume == nil {
		return id, nil
	}
	if !code.takes(p, size) {
		return 0, nil
	}
	return id, pr.frame()
}
