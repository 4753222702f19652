// This file owns Self, what a process knows of itself, and what waits are made of.

package proc

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rng"
)

// Self is the process that runs. It is the first parameter of each process, and what a process waits with. It is not
// kept: it names the process that runs, whoever has it.
type Self struct {
	run     *runner
	id      PID
	pr      *process   // until the table moves
	routine *coroutine // of a process that was not generated
}

// LP returns the LP at which the process is.
func (p *Self) LP() *ross.LP { return p.run.lp }

// Now returns the virtual time.
func (p *Self) Now() float64 { return p.run.k.Now }

// RNG returns the first random stream of the LP.
func (p *Self) RNG() *rng.Stream { return &p.run.k.RNG }

// PID returns what names the process at this LP.
func (p *Self) PID() PID { return p.id }

// Cause returns the cause of the interruption that has ended the last wait, or ok is false.
func (p *Self) Cause() (cause uint64, ok bool) {
	if p.pr == nil || p.pr.why != byInterrupt {
		return 0, false
	}
	return p.pr.cause, true
}

// StateOf returns the state of the LP at which the process is. If it is not an S, that is a mistake of the model
// (ErrPlace), and the result is an S that nobody else sees.
func StateOf[S any, P interface {
	*S
	Host
}](p *Self) *S {
	if p.run.word == wordOf[S]() {
		return (*S)(p.run.state)
	}
	return misplaced[S](p)
}

// misplaced is the rest of StateOf, which is short enough then for the compiler to inline it.
func misplaced[S any](p *Self) *S {
	p.fail(ErrPlace, fmt.Sprintf("asked for a %T", *new(S)), "ask for the type of the state that this LP has")
	return new(S)
}

// Killed reports whether the process goes to its exit. Generated code asks.
func (p *Self) Killed() bool { return p.pr.flags&killed != 0 }

// Wait has the process wait for a Resume of the Ref that it returns. It is for methods BeginX that add something to
// wait for: see "What waits" of the package. A wait without a Resume has no end but Kill.
func (p *Self) Wait() Ref { return p.begin(forOther, 0) }

// WaitTill is Wait for at most a time: if nobody has resumed the process by then, it goes on, and Value returns ok
// false.
func (p *Self) WaitTill(patience float64) Ref {
	ref := p.begin(forOther, 0)
	p.timeout(ref, patience)
	return ref
}

// Resume ends the wait that ref names: the process goes on within this event, after those that are ready, with a value
// that its Value returns. It reports false if the wait is over.
func (p *Self) Resume(ref Ref, value uint64) bool { return p.run.wake(ref, byOther, value) }

// Value returns what ended the wait of a process: the value of the Resume, or ok is false if there was none: its
// time was over, it was interrupted, or killed. It is for methods EndX.
func (p *Self) Value() (value uint64, ok bool) { return p.pr.value, p.pr.why == byOther }

// begin has the process wait for w, and returns the name of the wait.
func (p *Self) begin(w wait, flags uint8) Ref {
	h := &p.pr.pause
	if h.wait != runs {
		p.refuse()
	}
	h.wait, h.flags, h.timer, h.since = w, h.flags&^interruptible|flags, 0, p.run.k.Now
	return p.ref()
}

// refuse reports a wait where none can be.
func (p *Self) refuse() {
	if p.id == 0 {
		p.fail(ErrWait, "waits in the function of Do", "start a process, which waits")
		return
	}
	p.fail(ErrWait, "began to wait for the second time", "return when a Begin has returned false")
}

// ref returns the name of the wait that goes on, or comes next.
func (p *Self) ref() Ref { return Ref{PID: p.id, Epoch: p.pr.epoch, name: uint32(p.pr.kind >> 32)} }

// queue begins a wait in the queue of a resource, and reports false.
func (p *Self) queue(w wait, t Turn) bool {
	p.begin(w, 0)
	p.pr.value = uint64(t)
	return false
}

// within ends a wait that has just begun after a time. It reports whether there was nothing to wait for.
func (p *Self) within(over bool, patience float64) bool {
	if !over && p.pr.wait != isReady {
		p.timeout(p.ref(), patience)
	}
	return over
}

// timeout ends a wait after a time, if that is finite.
func (p *Self) timeout(ref Ref, delay float64) {
	if math.IsInf(delay, 1) {
		return
	}
	if !(delay >= 0) {
		p.refuses(delay, "waits")
		return
	}
	t := ross.After(p.run.lp, delay, wake{ref.PID, ref.Epoch, uint32(byTime)})
	p.pr.timer = (*[2]uint64)(unsafe.Pointer(&t))[1]
}

// pending reports whether an interruption has waited for this wait, and begins and ends it.
func (p *Self) pending() bool {
	h := &p.pr.pause
	if h.flags&interrupted == 0 {
		return false
	}
	h.flags &^= interrupted
	h.why = byInterrupt
	return true
}

// over says that a wait was none.
func (p *Self) over(value uint64) bool {
	p.pr.why, p.pr.value = byOther, value
	return true
}

// Suspend is what code that was not generated does between a BeginX that has returned false and its EndX.
func (p *Self) Suspend() {
	if p.routine == nil {
		if p.id == 0 {
			return // begin has reported it
		}
		p.fail(ErrWait, "waits in code that was not generated",
			"run go generate; only processes of the package wait, and no closures and functions of other packages")
		return
	}
	p.routine.suspend()
}

// Continue is what code that was not generated defers before EndX: a process that was killed goes to its exit.
func (p *Self) Continue() {
	if p.routine != nil && p.Killed() {
		panic(unwinding{})
	}
}

// fail reports a mistake of the model.
func (p *Self) fail(err error, what, fix string) {
	who := "a handler"
	if p.id != 0 {
		who = "process " + nameFor(p.id, p.pr.kind) + places(here())
	}
	p.run.k.Blame(err, fix, "%s: %s", who, what)
}

// Sleep waits for a delay, in virtual time: finite, and at least 0. Nothing but Kill ends it before.
func (p *Self) Sleep(delay float64) {
	if !p.BeginSleep(delay) {
		p.Suspend()
	}
	defer p.Continue()
	p.EndSleep()
}

// refuses reports a wrong delay, which the engine would report without the process.
func (p *Self) refuses(delay float64, what string) {
	p.fail(ross.ErrDelay, fmt.Sprintf("%s for %g", what, delay), "give a finite delay of 0 or more")
}

// BeginSleep begins a Sleep.
func (p *Self) BeginSleep(delay float64) bool {
	p.begin(forTime, 0)
	if !(delay >= 0) {
		p.refuses(delay, "sleeps")
		return false
	}
	k := p.run.k
	if m := k.Schedule(k.ID, delay, kernel.DefaultPriority, plain.TypeWord[wake](), unsafe.Sizeof(wake{})); m != nil {
		*(*wake)(m) = wake{p.id, p.pr.epoch, uint32(byTime)}
	}
	return false
}

// EndSleep ends a Sleep.
func (p *Self) EndSleep() {}

// Work waits for a delay, as Sleep does, and is ended before by an interruption. It returns what is left of the delay,
// 0 if it was not interrupted. So a process works until it has done all:
//
//	for left := needs; left > 0; {
//		left = p.Work(left)
//	}
//
// An interruption that came before, while the process could not be interrupted, ends it at once.
func (p *Self) Work(delay float64) (left float64) {
	if !p.BeginWork(delay) {
		p.Suspend()
	}
	defer p.Continue()
	return p.EndWork()
}

// BeginWork begins a Work.
func (p *Self) BeginWork(delay float64) bool {
	p.pr.value = math.Float64bits(p.run.k.Now + delay)
	if p.pending() {
		p.pr.value = math.Float64bits(delay)
		p.pr.timer = 0
		return true
	}
	p.timeout(p.begin(forWork, interruptible), delay)
	return false
}

// EndWork ends a Work.
func (p *Self) EndWork() (left float64) {
	h := &p.pr.pause
	switch {
	case h.why == byTime:
		return 0
	case h.timer == 0:
		return math.Float64frombits(h.value) // it has not begun
	}
	return max(math.Float64frombits(h.value)-p.run.k.Now, 0)
}

// Interrupt ends the wait of a process, if it can be interrupted, such as Work: it goes on within this event. If
// not, the interruption waits for such a wait; of several, the last counts. The process finds the cause, any number
// that the model chooses, in Cause. Interrupt reports false if there is no such process at this LP.
func (p *Self) Interrupt(id PID, cause uint64) bool { return p.run.interrupt(id, cause) }

// Kill ends a process: it runs what it has deferred, and nothing else. It leaves what it waits for. Kill reports false
// if there is no such process at this LP. A process does not kill itself: it returns.
func (p *Self) Kill(id PID) bool {
	if id == p.id {
		p.fail(ErrWait, "kills itself", "return instead")
		return false
	}
	return p.run.kill(id)
}

// Alive reports whether a process lives at this LP.
func (p *Self) Alive(id PID) bool { return p.run.find(id) != nil }

// Join waits until a process of this LP has ended. It returns at once if no process has that PID.
func (p *Self) Join(id PID) {
	if !p.BeginJoin(id) {
		p.Suspend()
	}
	defer p.Continue()
	p.EndJoin()
}

// BeginJoin begins a Join.
func (p *Self) BeginJoin(id PID) bool {
	if id == p.id {
		p.fail(ErrWait, "joins itself", "join another process")
		return true
	}
	if p.run.find(id) == nil {
		return true
	}
	p.awaitEnd(id, p.begin(forEnd, 0), 0)
	return false
}

// EndJoin ends a Join.
func (p *Self) EndJoin() {}

// awaitEnd enters a wait into those that the end of a process ends.
func (p *Self) awaitEnd(id PID, ref Ref, n uint32) {
	pr := p.run.find(id)
	saveValue(p.run, &pr.waiting)
	p.run.enter(&pr.waiting, waiter{ref: ref, n: n})
}
