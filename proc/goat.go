// This file owns GoAt: processes that begin at another LP.

package proc

import (
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc/internal/hook"
)

// GoAt starts a process at LP to, whose state has to be an S, after a delay, which is that of a message: f is a method
// expression such as (*Gate).passenger. Nobody names the process: it has its PID from when it begins.
func GoAt[S any, P interface {
	*S
	Host
}](p *Self, to ross.LPID, delay float64, f func(*S, *Self)) {
	a := away[S, P](p, to, delay, pointerOf(f), 0)
	a.leave(func(p *Self) { f(StateOf[S, P](p), p) })
}

// GoAt1 is GoAt for a process with a parameter.
func GoAt1[S any, P interface {
	*S
	Host
}, A any](p *Self, to ross.LPID, delay float64, f func(*S, *Self, A), v A) {
	a := away[S, P](p, to, delay, pointerOf(f), unsafe.Sizeof(v))
	if a.at != nil {
		*(*A)(a.at) = v
	}
	a.leave(func(p *Self) { f(StateOf[S, P](p), p, v) })
}

// GoAt2 is GoAt for a process with two parameters. What has more gets a struct.
func GoAt2[S any, P interface {
	*S
	Host
}, A, B any](p *Self, to ross.LPID, delay float64, f func(*S, *Self, A, B), v A, w B) {
	a := away[S, P](p, to, delay, pointerOf(f), unsafe.Sizeof(params2[A, B]{}))
	if a.at != nil {
		*(*params2[A, B])(a.at) = params2[A, B]{v, w}
	}
	a.leave(func(p *Self) { f(StateOf[S, P](p), p, v, w) })
}

// beginning is a process that is going to begin at another LP.
type beginning struct {
	run  *runner
	code *Code          // nil: it must not
	at   unsafe.Pointer // where its parameters go; nil: it was not generated
}

// away prepares a process that begins at another LP.
func away[S any, P interface {
	*S
	Host
}](p *Self, to ross.LPID, delay float64, function, size uintptr) beginning {
	r := p.run
	r.going = departure{to, delay, wordOf[S]()}
	p.goes("sends a process")
	a := beginning{run: r, code: codes.of(function)}
	if a.code == nil || hook.Direct.Load() {
		a.code = r.mayStart(p, r.word, function)
		return a
	}
	if !a.code.takes(p, size) {
		a.code = nil
		return a
	}
	if r.other == nil {
		r.other = make([]uint64, largest)
	}
	clear(r.other[:a.code.words])
	a.at = unsafe.Pointer(&r.other[0])
	return a
}

// leave sends the process away, or, if it was not generated, a coroutine that runs f.
func (a beginning) leave(f func(p *Self)) {
	switch {
	case a.code == nil:
	case a.at != nil:
		clean(a.at, a.code.gaps)
		a.run.post(a.code, a.at)
	default:
		c := newCoroutine(a.run, f)
		c.travelling = a.code.kind
		a.run.send(c)
	}
}
