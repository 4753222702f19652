// This file owns the records of the processes of an LP: where they are, and who gets one.

package proc

import (
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
)

// memoryOf returns the address of a block that is not empty. Only this package frees the blocks of Processes, so nobody
// has to look whether one is in use, and what changes in them is saved value by value.
func memoryOf[T any](b *ross.Block[T]) unsafe.Pointer {
	return kernel.AddressOf((*kernel.Block)(unsafe.Pointer(b)).At)
}

// record returns the record with a handle of the table.
func (ps *Processes) record(h container.Handle) *process {
	return (*process)(unsafe.Add(memoryOf(&ps.table), uintptr(h-1)*unsafe.Sizeof(process{})))
}

// frame returns where the frame of a process is.
func (pr *process) frame() unsafe.Pointer {
	if pr.size == 0 && pr.more.Len() > 0 {
		return memoryOf(&pr.more)
	}
	return unsafe.Pointer(&pr.words)
}

// find returns a process that lives and has a record, or nil.
func (ps *Processes) find(id PID) *process {
	if h := id.handle(); uint(h)-1 < uint(ps.table.Len()) {
		if pr := ps.record(h); pr.serial == id.serial() && pr.serial != 0 {
			return pr
		}
	}
	return nil
}

// all returns the processes that have records, in the order of their handles.
func (ps *Processes) all() iter.Seq2[container.Handle, *process] {
	return func(yield func(container.Handle, *process) bool) {
		for i := range ps.table.Len() {
			h := container.Handle(i + 1)
			if pr := ps.record(h); pr.serial != 0 && !yield(h, pr) {
				return
			}
		}
	}
}

// find returns a process that lives, or nil.
func (r *runner) find(id PID) *process {
	if pr := r.ps.find(id); pr != nil {
		return pr
	}
	if id != 0 && id == r.visiting {
		r.admit()
		return r.self.pr
	}
	return nil
}

// save saves what changes with a wait of a process, and its frame, before they do.
func (r *runner) save(pr *process) {
	if !r.saves {
		return
	}
	const least = int(unsafe.Sizeof(pause{}) / 8)
	n := least + int(pr.size)
	h := &r.k.KP.History
	if h.Head+n+2 > len(h.Buf) {
		r.k.KP.Grow(n + 2)
	}
	to := h.Buf[h.Head : h.Head+n+2]
	*(*pause)(unsafe.Pointer(&to[0])) = pr.pause
	for i := range int(pr.size) {
		to[least+i] = pr.words[i]
	}
	to[n] = uint64(uintptr(unsafe.Pointer(&pr.pause)))
	to[n+1] = kernel.TagSave<<kernel.TagShift | uint64(n)*8
	h.Head += n + 2
	h.Saved += uint64(n+2) * 8
}

// saveValue saves a value in a block before it changes.
func saveValue[T any](r *runner, at *T) {
	if r.saves && !kernel.SaveValue(&r.k.KP.History, at) {
		r.k.Save(unsafe.Pointer(at), unsafe.Sizeof(*at))
	}
}

// saveNumbers saves the numbers before they change, if the engine does not save the state.
func (r *runner) saveNumbers() {
	if r.saves && !r.k.PE.InDelta {
		saveValue(r, &r.ps.numbers)
	}
}

// take takes a free record for a process that begins or arrives, and returns its handle, 0 if there is no memory. The
// record is not touched, so that the process may give it back.
func (r *runner) take() container.Handle {
	n := &r.ps.numbers
	if n.free == 0 && !r.grow() {
		return 0
	}
	r.saveNumbers()
	h := n.free
	n.free = r.ps.record(h).waiting
	n.living++
	n.serial = max(n.serial+1, 1)
	return h
}

// giveBack is the end of take for a record that is free.
func (r *runner) giveBack(h container.Handle) {
	r.saveNumbers()
	n := &r.ps.numbers
	if pr := r.ps.record(h); pr.waiting != n.free {
		saveValue(r, &pr.waiting)
		pr.waiting = n.free
	}
	n.free = h
	n.living--
}

// grow makes room for more processes, and reports whether there is memory. The old table is freed at the end of the
// event: a process that runs has its frame there.
func (r *runner) grow() bool {
	ps := r.ps
	if _, ok := r.k.BeginChange(unsafe.Pointer(&ps.table), unsafe.Sizeof(ps.table)); !ok {
		return false
	}
	n := ps.table.Len()
	table := ross.Alloc[process](r.lp, max(2*n, 4))
	if table.Len() == 0 {
		return false // the engine reports that there is no memory
	}
	all := unsafe.Slice((*process)(memoryOf(&table)), table.Len())
	if n > 0 {
		copy(all, unsafe.Slice((*process)(memoryOf(&ps.table)), n))
		r.old = append(r.old, ps.table)
	}
	r.saveNumbers()
	for h := len(all); h > n; h-- {
		all[h-1].waiting = ps.free
		ps.free = container.Handle(h)
	}
	ps.table = table
	return true
}

// fill begins to save what a free record becomes.
func (r *runner) fill(pr *process, size uint8) {
	if pr.waiting != 0 {
		saveValue(r, &pr.waiting)
	}
	if r.saves { // saved last, and so undone first
		r.k.SaveZeros(unsafe.Pointer(pr), unsafe.Offsetof(pr.words)+uintptr(size)*8)
	}
}

// add adds a process that is ready.
func (r *runner) add(p *Self, code *Code) (container.Handle, *process) {
	h := r.take()
	if h == 0 {
		return 0, nil
	}
	if len(r.old) > 0 && p != nil && p.id != 0 && p.id != r.visiting {
		p.pr = r.ps.record(p.id.handle()) // the table may have moved
	}
	pr := r.ps.record(h)
	r.fill(pr, code.size)
	pr.identity = identity{kind: code.kind, serial: r.ps.serial}
	pr.pause = pause{wait: isReady, flags: fresh, size: code.size}
	if code.words > inFrame && !r.extend(pr, code) {
		return 0, nil
	}
	r.ready = append(r.ready, h)
	return h, pr
}

// extend gives a process a block for its frame: the one that the last process with this record has left, if it is long
// enough. It reports false if there is no memory.
func (r *runner) extend(pr *process, code *Code) bool {
	if pr.more.Len() >= code.words {
		if r.saves {
			r.k.SaveZeros(memoryOf(&pr.more), uintptr(code.words)*8)
		}
		return true
	}
	saveValue(r, &pr.more)
	if pr.more.Len() > 0 {
		ross.Free(r.lp, pr.more)
	}
	pr.more = ross.Alloc[uint64](r.lp, code.words)
	return pr.more.Len() > 0
}

// admit gives a process that has arrived its record, and has Self name it there.
func (r *runner) admit() {
	from, code := &r.visitor, r.code
	h := r.visiting.handle()
	pr := r.ps.record(h)
	r.visiting = 0
	r.self.pr = pr
	r.fill(pr, from.size)
	pr.identity = from.identity
	// Field by field: a copy of all would have to wait for what was just written.
	pr.epoch, pr.wait, pr.why, pr.flags, pr.size = from.epoch, from.wait, from.why, from.flags, from.size
	pr.value, pr.timer, pr.since = from.value, from.timer, from.since
	if code.words > inFrame && !r.extend(pr, code) {
		return // the event is undone
	}
}

// exit removes a process that has ended, and lets those go on who wait for its end.
func (r *runner) exit(h container.Handle, pr *process) {
	r.saveNumbers()
	saveValue(r, &pr.identity)
	if pr.waiting != 0 {
		r.wakeAll(&pr.waiting, nil)
	}
	if pr.size == 0 && pr.more.Len() > 0 { // the next process with this record has it
		clear(unsafe.Slice((*uint64)(memoryOf(&pr.more)), pr.more.Len()))
	}
	if pr.cause != 0 {
		saveValue(r, &pr.cause)
		pr.cause = 0
	}
	for i := range pr.size {
		pr.words[i] = 0
	}
	n := &r.ps.numbers
	pr.identity, pr.pause = identity{waiting: n.free}, pause{}
	n.free = h
	n.living--
}
