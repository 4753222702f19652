// This file owns processes that were not generated: they run as coroutines, sequentially. Those that still wait at the
// end of a run are abandoned, with some KiB each: what they have deferred must not run any more, and a coroutine that
// began on a thread of its own cannot be stopped from another.

package proc

import (
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// coroutine is a process that was not generated.
type coroutine struct {
	self       Self
	next       func() (struct{}, bool)
	yield      func(struct{}) bool
	travelling uint64      // the kind of its process, on the way
	callers    [16]uintptr // where it waits
}

// routine names a coroutine that waits.
type routine struct {
	at *Processes
	h  container.Handle
}

// unwinding is the panic that leads a process that was killed to its exit.
type unwinding struct{}

// suspend waits until the coroutine goes on.
func (c *coroutine) suspend() {
	c.callers = [len(c.callers)]uintptr{}
	runtime.Callers(3, c.callers[:]) // without this function and Suspend
	if !c.yield(struct{}{}) {
		panic(unwinding{})
	}
}

// place returns where in the source it waits, or "".
func (c *coroutine) place() string { return placeOf(c.callers[:]) }

// here returns where in the source the process is that runs, or "".
func here() string {
	var callers [16]uintptr
	runtime.Callers(2, callers[:])
	return placeOf(callers[:])
}

// placeOf returns the first place outside of this package, of what is generic in it, and of Go.
func placeOf(callers []uintptr) string {
	frames := runtime.CallersFrames(callers)
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "github.com/ross-go/ross/proc.") &&
			!strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// mayStart returns the Code of a process that was not generated, if it may start.
func (r *runner) mayStart(p *Self, word unsafe.Pointer, function uintptr) *Code {
	code := codeOf(function)
	switch {
	case r.word != word:
		r.k.Blame(ErrPlace, "start it at an LP whose state it belongs to, with GoAt", "started process %s", shortOf(code.name))
	case function == 0:
		r.k.Blame(ErrWait, "give a method expression, such as (*Bank).customer", "started no process")
	case !r.k.PE.Sequential() || r.k.PE.KeepsHistory():
		r.k.Blame(ErrGenerated, "run go generate, see package proc; or set --synch=1",
			"started process %s, for which nothing was generated", shortOf(code.name))
	default:
		if codes.of(function) == nil {
			code.once.Do(func() {
				r.k.PE.Run.Warn("process " + shortOf(code.name) + " was not generated: it runs as a coroutine, sequentially and " +
					"slower: run go generate, see package proc")
			})
		}
		return code
	}
	return nil
}

// direct reports whether a process that begins is a coroutine.
func (r *runner) direct(id PID) bool {
	return codes.find(r.find(id).kind) == nil
}

// route makes the coroutine of a process that has been started.
func (r *runner) route(id PID, f func(p *Self)) { r.keep(id.handle(), newCoroutine(r, f)) }

// keep enters a coroutine.
func (r *runner) keep(h container.Handle, c *coroutine) {
	if r.routines == nil {
		r.routines = map[routine]*coroutine{}
	}
	r.routines[routine{r.ps, h}] = c
}

// newCoroutine returns the coroutine of a process that begins to run f.
func newCoroutine(r *runner, f func(p *Self)) *coroutine {
	c := new(coroutine)
	c.self.run, c.self.routine = r, c
	c.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		defer func() {
			if caught := recover(); caught != nil {
				if _, ok := caught.(unwinding); !ok {
					runtime.Callers(3, c.callers[:]) // the stack ends with the coroutine
					panic(fmt.Sprintf("%v, in a process at %s", caught, c.place()))
				}
			}
		}()
		f(&c.self)
	})
	return c
}

// resumeRoutine is resume for a process that was not generated.
func (r *runner) resumeRoutine(h container.Handle, id PID, pr *process) {
	c := r.routines[routine{r.ps, h}]
	if c == nil {
		r.k.Blame(ErrGenerated, "run go generate, and start anew", "process %s cannot go on", nameFor(id, pr.kind))
		return
	}
	c.self.run, c.self.id, c.self.pr = r, id, pr
	r.self.id = id // Do sees that a process runs
	_, waits := c.next()
	r.self.id = 0
	if !waits {
		delete(r.routines, routine{r.ps, h})
		r.exit(h, c.self.pr)
		return
	}
	if c.self.pr.wait == inTravel {
		delete(r.routines, routine{r.ps, h})
		r.departRoutine(h, c)
	}
}

// passage is the message of a coroutine that travels: its number among those that its sender has sent.
type passage struct {
	From ross.LPID
	N    uint64
}

// travellers are coroutines on their way, by the simulation and the message.
var travellers sync.Map

type journey struct {
	sim *ross.Simulation
	passage
}

// departRoutine sends a coroutine to another LP.
func (r *runner) departRoutine(h container.Handle, c *coroutine) {
	c.travelling = c.self.pr.kind
	r.departs(c.travelling)
	r.send(c)
	r.exit(h, c.self.pr)
}

// send sends a coroutine away.
func (r *runner) send(c *coroutine) {
	r.departed++
	m := passage{r.lp.ID(), r.departed}
	travellers.Store(journey{r.lp.PE().Simulation(), m}, c)
	ross.Send(r.lp, r.going.to, r.going.delay, m)
}

// arriveRoutine receives a coroutine.
func (r *runner) arriveRoutine(m *passage) {
	at, ok := travellers.LoadAndDelete(journey{r.lp.PE().Simulation(), *m})
	if !ok {
		r.k.Blame(ErrGenerated, "run go generate", "a process that was not generated cannot arrive")
		return
	}
	c := at.(*coroutine)
	if h, pr := r.add(nil, &Code{kind: c.travelling}); h != 0 {
		pr.flags &^= fresh
		r.keep(h, c)
	}
}
