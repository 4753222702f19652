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

// runner is what lets the processes of an LP go on. It is scratch: between events it holds nothing that matters.
type runner struct {
	lp     *ross.LP
	k      *kernel.LP
	ps     *Processes
	state  unsafe.Pointer
	word   unsafe.Pointer // the type of the state
	given  any            // the parameters of the type
	saves  bool           // what changes in blocks must be saved
	open   bool           // processes may change now
	checks bool           // the run checks rollback

	self   Self     // of generated processes
	nobody process  // of what runs in Do
	frame  []uint64 // of the process that runs
	event  uint64   // number of the LP's event, also of those undone
	kind   uint64   // of the process that ran last
	code   *Code    // and its code
	ready  []container.Handle
	next   int      // the first of them
	items  []uint64 // what processes that are ready have got
	going  departure
	other  []uint64 // the frame of a process that begins at another LP
	ran    []trip   // in this event, for errors of a check of rollback

	routines map[container.Handle]*coroutine // of processes that were not generated
	departed uint64                          // those that have travelled
	seen     func(lp uint64, now float64, pid uint64, why uint8)
}

// wordOf returns what identifies the type of a state.
func wordOf[S any]() unsafe.Pointer { return plain.TypeWord[S]() }

// begin returns the runner, ready for an event of lp.
func (ps *Processes) begin(lp *ross.LP) *runner {
	r := ps.run
	if r == nil {
		r = ps.attach(lp)
	}
	if r.k.PE.Running == r.k && r.k.PE.Current != nil {
		r.saves, r.open = r.k.PE.KeepsHistory(), true
	} else {
		r.saves, r.open = r.k.BeginChange(unsafe.Pointer(&ps.numbers), 0)
	}
	r.ready, r.next, r.items, r.event = r.ready[:0], 0, r.items[:0], r.k.Processed
	r.ran = r.ran[:0]
	return r
}

// awake lets the process go on that a message wakes, and then all that are ready.
func (r *runner) awake(m *wake) {
	pr := r.waits(Ref{PID: m.PID, Epoch: m.Epoch})
	if pr == nil {
		return
	}
	r.save(pr)
	pr.epoch++
	pr.wait, pr.why = isReady, why(m.Why)
	r.resume(m.PID.handle(), pr)
	r.drain()
}

// attach makes the runner, when a run or a restart begins.
func (ps *Processes) attach(lp *ross.LP) *runner {
	k := inside.LP(lp)
	r := &runner{k: k, lp: lp, ps: ps, state: k.State, word: k.Type().StateType, frame: make([]uint64, largest)}
	r.self.run, r.checks = r, k.PE.Checked
	if f := hook.Seen.Load(); f != nil {
		r.seen = *f
	}
	ps.run = r
	early.end()
	for _, m := range k.Type().Messages {
		if m.Word == plain.TypeWord[wake]() {
			m.Event(k.State, k, unsafe.Pointer(&wake{Why: attach}))
		}
	}
	r.checkLoaded()
	return r
}

// save saves what changes with a wait of a process, before it does.
func (r *runner) save(pr *process) { saveValue(r, &pr.pause) }

// saveValue saves a value in a block before it changes.
func saveValue[T any](r *runner, at *T) {
	if r.saves && !kernel.SaveValue(&r.k.KP.History, at) {
		r.k.Save(unsafe.Pointer(at), unsafe.Sizeof(*at))
	}
}

// find returns a process that lives, or nil.
func (r *runner) find(id PID) *process { return r.ps.find(r.lp, id) }

// waits returns the process whose wait ref names, or nil.
func (r *runner) waits(ref Ref) *process {
	if pr := r.find(ref.PID); pr != nil && pr.epoch == ref.Epoch && pr.wait > isReady {
		return pr
	}
	return nil
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
		if pr := r.ps.table.Get(r.lp, h); pr != nil { // otherwise the memory of the event was refused
			r.resume(h, pr)
		}
	}
}

// resume lets a process go on until it waits again, ends, or travels.
func (r *runner) resume(h container.Handle, pr *process) {
	id := pidOf(h, pr.serial)
	if r.checks {
		r.ran = append(r.ran, trip{pr.kind, pr.serial, r.ps.placeOf(r.lp, h, pr)})
	}
	if r.seen != nil {
		r.seen(r.k.ID, r.k.Now, uint64(id), uint8(pr.why))
	}
	first := pr.flags&fresh != 0
	pr.flags &^= fresh
	pr.wait = runs
	if first && pr.flags&killed != 0 {
		r.exit(h)
		return
	}
	code := r.code
	if pr.kind != r.kind {
		if code = codes.find(pr.kind); code == nil || code.resume == nil {
			r.resumeRoutine(h, id, pr)
			return
		}
		r.kind, r.code = pr.kind, code
	}
	small := code.words <= inFrame
	if small {
		if r.saves && !first {
			r.k.Save(unsafe.Pointer(&pr.words), uintptr(code.words)*8)
		}
		*(*[inFrame]uint64)(r.frame) = pr.words
	} else {
		at := pr.frameAt(r.lp)
		if r.saves && !first {
			r.k.Save(at, uintptr(code.words)*8)
		}
		copy(r.frame, unsafe.Slice((*uint64)(at), code.words))
	}
	p := &r.self
	p.id, p.pr = id, pr
	if code.resume(p, unsafe.Pointer(&r.frame[0])) {
		p.leave()
		r.exit(h)
		return
	}
	if pr = p.pr; pr.wait == inTravel {
		p.leave()
		r.depart(h, pr, code)
		return
	}
	for _, gap := range code.gaps {
		clear(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&r.frame[0]), gap.Off)), gap.Size))
	}
	if small {
		pr.words = *(*[inFrame]uint64)(r.frame)
	} else {
		copy(unsafe.Slice((*uint64)(pr.frameAt(r.lp)), code.words), r.frame)
	}
	if pr.wait == runs {
		p.fail(ErrWait, "returned without waiting", "run go generate again")
	}
	p.leave()
}

// leave has Self name nobody.
func (p *Self) leave() {
	p.id, p.pr = 0, &p.run.nobody
	p.pr.head = head{}
}

// exit removes a process that has ended, and lets go on those who wait for its end.
func (r *runner) exit(h container.Handle) {
	pr := r.ps.table.Get(r.lp, h)
	if _, ok := r.k.BeginChange(unsafe.Pointer(&r.ps.numbers), unsafe.Sizeof(r.ps.numbers)); pr == nil || !ok {
		return
	}
	saveValue(r, &pr.identity)
	if pr.waiting != 0 {
		r.wakeAll(&pr.waiting, nil)
	}
	if pr.more.Len() > 0 {
		saveValue(r, &pr.more)
		ross.Free(r.lp, pr.more)
		pr.more = ross.Block[uint64]{}
	}
	pr.head, pr.words = head{identity: identity{waiting: r.ps.free}}, [inFrame]uint64{}
	r.ps.free = h
	r.ps.living--
}

// enter adds a waiter to the ring whose last is at last, which the caller has saved.
func (r *runner) enter(last *container.Handle, w waiter) {
	all := &r.ps.waiters
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

// removeFirst removes the first waiter of a ring. It reports false if the event may not change it.
func (r *runner) removeFirst(last *container.Handle) (w waiter, ok bool) {
	all := &r.ps.waiters
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
func (r *runner) nameFor(id PID, kind uint64) string {
	return fmt.Sprintf("%s #%d", nameOf(kind), id.serial())
}
