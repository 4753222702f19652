// This file owns the runner: which process goes on, and what becomes of those that wait, end, or are ended.

package proc

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/proc/internal/hook"
)

// maxResumptions is the number of times that processes may go on within an event. More are taken for an endless loop,
// which also impossible states can cause that an optimistic run is going to undo.
const maxResumptions = 1 << 20

// runner is what lets processes go on: those of LPs of a type that a PE handles, one LP after the other. It is scratch:
// between events it holds nothing that matters. LPs share it so that it stays in the cache.
type runner struct {
	k      *kernel.LP // whose event it is
	ps     *Processes
	state  unsafe.Pointer
	saves  bool   // what changes in blocks must be saved
	open   bool   // processes may change now
	checks bool   // the run checks rollback
	self   Self   // of generated processes
	kind   uint64 // of the process that ran last
	code   *Code  // and its code
	event  uint64 // number of the LP's event, also of those undone
	seen   func(lp uint64, now float64, pid uint64, why uint8)
	word   unsafe.Pointer // the type of the state
	pe     *kernel.PE
	lp     *ross.LP // k, as models see it
	ready  []container.Handle
	next   int // the first of them

	visiting PID      // of a process that has arrived, and has no record yet
	visitor  process  // what it has instead, apart from a long frame
	frame    []uint64 // a long one of it
	other    []uint64 // the frame of a process that begins at another LP
	given    any      // the parameters of the type
	known    []any    // those of types that somebody has asked for, by Origin
	items    []uint64 // what processes that are ready have got
	batch    []Turn   // of those whom a server takes at once
	going    departure
	old      []ross.Block[process]  // tables that were too small in this event
	nobody   process                // of what runs in Do
	ran      []trip                 // in this event, for errors of a check of rollback
	routines map[routine]*coroutine // processes that were not generated
	departed uint64                 // those that have travelled
}

// wordOf returns what identifies the type of a state.
func wordOf[S any]() unsafe.Pointer { return plain.TypeWord[S]() }

// begin returns the runner, ready for an event of lp. If that may change nothing now, the runner is not open.
func (ps *Processes) begin(lp *ross.LP) *runner {
	r, k := ps.run, inside.LP(lp)
	if r == nil || r.pe != k.PE {
		r = ps.attach(k)
	}
	saves := false
	if pe := k.PE; pe.Running == k && pe.Current != nil {
		saves = pe.KeepsHistory()
	} else {
		var ok bool
		if saves, ok = k.BeginChange(unsafe.Pointer(&ps.numbers), 0); !ok {
			return new(runner) // the event of another LP goes on
		}
	}
	r.k, r.lp, r.ps, r.state, r.saves, r.open, r.event = k, lp, ps, k.State, saves, true, k.Processed
	if len(r.ready)|len(r.items)|len(r.old)|len(r.ran) != 0 || r.visiting != 0 { // an event before has left something
		r.ready, r.next, r.items, r.old, r.visiting, r.ran = r.ready[:0], 0, r.items[:0], r.old[:0], 0, r.ran[:0]
	}
	return r
}

// awake lets the process go on that a message wakes, and then all that are ready. It is the handler of such messages.
func (ps *Processes) awake(lp *ross.LP, m *wake) {
	if m.Why == attach {
		return // for types with parameters
	}
	r := ps.begin(lp)
	if !r.open {
		return
	}
	if m.Why == overdue {
		r.outside()
		(*Servers)(unsafe.Add(r.state, m.Epoch)).startOverdue(&r.self, Turn(m.PID))
		r.drain()
		return
	}
	pr := ps.find(m.PID)
	if !pr.waits(m.Epoch) {
		return
	}
	r.save(pr)
	pr.epoch++
	pr.why = why(m.Why)
	r.resume(m.PID.handle(), pr)
	if len(r.ready)|len(r.old) != 0 {
		r.drain()
	}
}

// attach gives an LP its runner, when a run or a restart begins, and when another PE handles the LP.
func (ps *Processes) attach(k *kernel.LP) *runner {
	r := ps.shared(k)
	if r == nil {
		r = &runner{pe: k.PE, word: k.Type().StateType, checks: k.PE.Checked}
		r.self.run = r
		r.self.leave()
		if f := hook.Seen.Load(); f != nil {
			r.seen = *f
		}
		early.end()
		if k.PE.Run.Rank0 {
			noteChanges(k.PE.Run.Warn)
		}
	}
	ps.run = r
	if r.given == nil {
		r.given = r.givenTo(k, Origin(k.Type().ID))
	}
	ps.checkLoaded(k)
	return r
}

// near is the number of LPs before and behind an LP that may have the runner that it needs.
const near = 64

// shared returns a runner that an LP near k has, or nil.
func (ps *Processes) shared(k *kernel.LP) *runner {
	off, all := uintptr(unsafe.Pointer(ps))-uintptr(k.State), k.KP.Home.LPs
	if off >= k.Type().StateSize {
		return nil
	}
	i := int(k.Local())
	for d := range near {
		for _, j := range [2]int{i - d - 1, i + d + 1} {
			if j < 0 || j >= len(all) {
				continue
			}
			if n := &all[j]; n.KP.PE == k.PE && n.Type() == k.Type() && n.State != nil {
				if r := (*Processes)(unsafe.Add(n.State, off)).run; r != nil && r.pe == k.PE {
					return r
				}
			}
		}
	}
	return nil
}

// waits returns the process whose wait ref names, or nil.
func (r *runner) waits(ref Ref) *process {
	if pr := r.find(ref.PID); pr.waits(ref.Epoch) {
		return pr
	}
	return nil
}

// waits reports whether the wait with an epoch goes on. That of no process (nil) does not.
func (pr *process) waits(epoch uint32) bool {
	return pr != nil && pr.epoch == epoch && pr.wait > isReady
}

// wake ends a wait, and reports whether that was still to do.
func (r *runner) wake(ref Ref, y why, value uint64) bool {
	pr := r.waits(ref)
	if pr == nil {
		return false
	}
	r.save(pr)
	if y == byOther {
		if pr.wait == forSeveral {
			value |= pr.value &^ math.MaxUint32
		}
		pr.value = value
	}
	r.end(ref.PID.handle(), pr, y)
	return true
}

// end ends the wait of a process whose head is saved: it is ready.
func (r *runner) end(h container.Handle, pr *process, y why) {
	if pr.timer != 0 && y != byTime {
		r.k.Disarm(pr.timer)
	}
	pr.epoch++
	pr.wait, pr.why = isReady, y
	r.ready = append(r.ready, h)
}

// interrupt does Interrupt.
func (r *runner) interrupt(id PID, cause uint64) bool {
	pr := r.find(id)
	if pr == nil {
		return false
	}
	r.save(pr)
	saveValue(r, &pr.cause)
	pr.cause = cause
	if pr.wait > isReady && pr.flags&interruptible != 0 {
		r.end(id.handle(), pr, byInterrupt)
	} else {
		pr.flags |= interrupted
	}
	return true
}

// kill does Kill.
func (r *runner) kill(id PID) bool {
	pr := r.find(id)
	if pr == nil || pr.flags&killed != 0 {
		return false
	}
	r.save(pr)
	pr.flags |= killed
	if pr.wait > isReady {
		r.end(id.handle(), pr, byKill)
	}
	return true
}

// drain lets processes go on until none is ready. It ends each event.
func (r *runner) drain() {
	for n := 0; r.next < len(r.ready); n++ {
		if n == maxResumptions {
			r.k.Blame(ErrEndless, "let one of them wait for a time", "processes go on %d times within an event", n)
			break
		}
		h := r.ready[r.next]
		if r.next++; r.next == len(r.ready) {
			r.ready, r.next = r.ready[:0], 0
		}
		r.resume(h, r.ps.record(h))
	}
	for _, table := range r.old {
		ross.Free(r.lp, table)
	}
	r.old = r.old[:0]
}

// resume lets a process, which is saved, go on until it waits again, ends, or travels.
func (r *runner) resume(h container.Handle, pr *process) {
	id := pidOf(h, pr.serial)
	if r.checks {
		r.ran = append(r.ran, trip{id, pr.kind, r.ps.placeOf(h, pr)})
	}
	if r.seen != nil {
		r.seen(r.k.ID, r.k.Now, uint64(id), uint8(pr.why))
	}
	first := pr.flags&fresh != 0
	pr.flags &^= fresh
	pr.wait = runs
	if first && pr.flags&killed != 0 {
		r.exit(h, pr)
		return
	}
	if pr.kind != r.kind && !r.turnTo(pr.kind) {
		r.resumeRoutine(h, id, pr)
		return
	}
	code := r.code
	frame := unsafe.Pointer(&pr.words)
	if code.words > inFrame {
		if frame = pr.frame(); r.saves && !first {
			r.k.Save(frame, uintptr(code.words)*8)
		}
	}
	r.self.id, r.self.pr = id, pr
	ended := code.resume(&r.self, frame)
	if clean(frame, code.inner); first {
		clean(frame, code.gaps)
	}
	now := r.self.pr
	if now != pr { // the table has moved
		now.words = pr.words
	}
	if now.wait > inTravel && !ended {
		r.self.leave()
		return
	}
	r.stop(h, now, code, frame, ended)
}

// turnTo finds the code of a process. It reports false if that was not generated.
func (r *runner) turnTo(kind uint64) bool {
	code := codes.find(kind)
	if code == nil {
		return false
	}
	r.kind, r.code = kind, code
	return true
}

// stop does what becomes of a process that has run, and has a record: it has ended, travels, or waits.
func (r *runner) stop(h container.Handle, pr *process, code *Code, frame unsafe.Pointer, ended bool) {
	switch {
	case ended:
		r.exit(h, pr)
	case pr.wait == inTravel:
		if r.post(code, frame) {
			r.departs(code.kind)
			r.exit(h, pr)
		}
	case pr.wait == runs:
		r.self.fail(ErrWait, "returned without waiting", "run go generate again")
	}
	r.self.leave()
}

// outside has Self be what a handler has, which does not wait.
func (r *runner) outside() {
	r.self.leave()
	r.nobody.pause = pause{wait: isReady}
}

// leave has Self name nobody.
func (p *Self) leave() { p.id, p.pr = 0, &p.run.nobody }

// enter adds a waiter to the ring whose last is at last, which the caller has saved.
func (r *runner) enter(last *container.Handle, w waiter) {
	all := r.waiters()
	if all == nil {
		return // the engine reports that there is no memory
	}
	for n := 0; n < 2 && *last != 0; n++ { // those whose wait is over, so that the ring does not grow without a Fire
		if first := all.Get(r.lp, *last).next; r.waits(all.Get(r.lp, first).ref) != nil {
			break
		}
		r.removeFirst(last)
	}
	if *last != 0 {
		w.next = all.Get(r.lp, *last).next
	}
	h := all.Add(r.lp, w)
	if h == 0 {
		return // the engine reports that there is no memory
	}
	if *last == 0 {
		all.Get(r.lp, h).next = h // a new one needs no saving
	} else {
		all.Edit(r.lp, *last).next = h
	}
	*last = h
}

// waiters returns those who wait for signals and for the ends of processes, or nil if there is no memory.
func (r *runner) waiters() *container.Slab[waiter] {
	all := &r.ps.waiters
	if all.Len() == 0 {
		if _, ok := r.k.BeginChange(unsafe.Pointer(all), unsafe.Sizeof(*all)); !ok {
			return nil
		}
		if *all = ross.Alloc[container.Slab[waiter]](r.lp, 1); all.Len() == 0 {
			return nil
		}
	}
	return (*container.Slab[waiter])(memoryOf(all))
}

// removeFirst removes the first waiter of a ring. It reports false if the event may not change it.
func (r *runner) removeFirst(last *container.Handle) (w waiter, ok bool) {
	all := r.waiters()
	h := all.Get(r.lp, *last).next
	if w, ok = all.Remove(r.lp, h); !ok {
		return w, false
	}
	if h == *last {
		*last = 0
	} else {
		all.Edit(r.lp, *last).next = w.next
	}
	return w, true
}

// wakeAll empties a ring of waiters, the first one first: all if one is nil, otherwise the first who still waits, for
// whom one returns the value of his wait. It reports how many went on.
func (r *runner) wakeAll(last *container.Handle, one func() uint64) (n int) {
	for *last != 0 {
		w, ok := r.removeFirst(last)
		if !ok {
			return n
		}
		if r.waits(w.ref) == nil {
			continue
		}
		value := uint64(w.n)
		if one != nil {
			value = one()
		}
		r.wake(w.ref, byOther, value)
		if n++; one != nil {
			return n
		}
	}
	return n
}

// give keeps an item for a process that goes on within this event, and returns what takes it.
func give[T any](r *runner, v T) (at uint64) {
	at = uint64(len(r.items))
	words := int(unsafe.Sizeof(v)+7) / 8
	for range words {
		r.items = append(r.items, 0)
	}
	if words > 0 {
		*(*T)(unsafe.Pointer(&r.items[at])) = v
	}
	return at
}

// take returns what give has kept.
func take[T any](r *runner, at uint64) (v T) {
	if unsafe.Sizeof(v) > 0 && at+uint64(unsafe.Sizeof(v)+7)/8 <= uint64(len(r.items)) {
		v = *(*T)(unsafe.Pointer(&r.items[at]))
	}
	return v
}

// nameFor names a process for errors.
func nameFor(id PID, kind uint64) string {
	return fmt.Sprintf("%s #%d", nameOf(kind), id.serial())
}
