// This file owns state saving: what the engine notes down so that it can undo
// what a handler did to the state of its LP.

package ross

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/delta"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/rng"
)

// Saving says how the events of an LP type are undone.
type Saving uint8

const (
	// SaveAuto, the default, is SaveByReverse for a type with a Reverse handler
	// and SaveByDelta for others.
	SaveAuto Saving = iota
	// SaveByReverse: Reverse undoes what Event did (reverse computation, as in
	// ROSS). It finds the state as Event left it. After it the engine puts back what
	// Event noted with Save.
	SaveByReverse
	// SaveByLog: Event calls Save for each field before it changes it.
	SaveByLog
	// SaveByDelta: the engine compares the state after each event with a copy
	// of what it was, and keeps the difference (tw_snapshot, tw_snapshot_delta).
	// The state must hold no pointers, strings, slices, maps or interfaces.
	SaveByDelta
	// SaveNever: events of this type cannot be undone. An optimistic scheduler
	// handles them when nothing earlier can arrive any more, and when there is
	// a reserve of memory; until then the events after them wait too. A handler
	// that takes more than an eighth of Config.MaxMemory may end the run.
	SaveNever
)

var savingNames = [...]string{"automatic", "Reverse", "Save", "deltas", "never"}

func (s Saving) String() string {
	if int(s) < len(savingNames) {
		return savingNames[s]
	}
	return fmt.Sprintf("Saving(%d)", uint8(s))
}

// setSaving decides how a type is undone, and refuses what cannot work.
func (t *lpType) setSaving(want Saving, state reflect.Type) error {
	where, kind := plain.FindPointer(state, state.String())
	t.plain = where == ""
	if want == SaveAuto {
		if want = SaveByReverse; t.reverse == nil {
			want = SaveByDelta
		}
	}
	t.saving = want
	switch {
	case want > SaveNever:
		return fmt.Errorf("ross: LP type %q: Saving is %d: %w: give SaveAuto to SaveNever", t.name, want, ErrModel)
	case want == SaveByReverse && t.reverse == nil:
		return fmt.Errorf("ross: LP type %q: Saving is SaveByReverse and Reverse is nil: %w: give it a handler", t.name, ErrModel)
	case want == SaveByDelta && !t.plain:
		t.cannotSave = fmt.Errorf("ross: LP type %q: state: %s is a %s, which the engine cannot save: %w: "+
			"give the type a Reverse handler, keep what grows in memory of ross.Alloc, or set Saving to SaveNever", t.name, where, kind, ErrModel)
	}
	return nil
}

// record appends a record of one word to the history of the running event.
func (lp *LP) record(tag, what uint64, flags uint32) {
	h := lp.kp.grow(1)
	h.push(tag<<tagShift | what)
	h.at(h.last).flags |= flags
}

// Save notes down a value, before the handler of lp changes it, so that a
// rollback can put it back. It has an effect in schedulers that roll back only.
// *p lies in the state of lp, in memory of Alloc, or in the message that is
// handled, and holds no pointers. A type whose Saving is SaveByLog needs no
// other way to be undone, if it calls Save for all that it changes.
//
// A type with a Reverse handler may call Save for single fields. Reverse is called
// first, with the state as Event left it; after that the engine puts the saved values
// back, the newest first. So a field is undone either by Save, which is called before
// the event first changes it, or by Reverse.
//
// A type whose Saving is SaveByDelta need not call Save: the engine undoes all that
// Event changes, and Save notes nothing.
func Save[T any](lp *LP, p *T) {
	if pe := lp.pe; pe.mode == optimistic && pe.running == lp && pe.cur != nil && unsafe.Sizeof(*p) > 0 {
		if pe.maySave(lp, unsafe.Pointer(p), unsafe.Sizeof(*p), plain.TypeWord[T](), reflect.TypeFor[T]) && !pe.inDelta {
			lp.save(unsafe.Pointer(p), unsafe.Sizeof(*p))
		}
	}
}

// maySave reports whether a value is where the engine can put it back.
func (pe *PE) maySave(lp *LP, p unsafe.Pointer, n uintptr, word unsafe.Pointer, of func() reflect.Type) bool {
	inState := uintptr(p)-uintptr(lp.state) < lp.typ.stateSize
	if !inState && uintptr(p)-uintptr(event.Payload(pe.cur)) >= lp.typ.msgSize && (pe.pool == nil || !pe.pool.Holds(p)) {
		lp.blame(ErrSave, "save fields of the state, of the message, or of memory of ross.Alloc", "saved %d bytes elsewhere", n)
		return false
	}
	if inState && !lp.typ.plain && !pe.isPlain(word, of) {
		lp.blame(ErrSave, "save fields without pointers, or undo the change in Reverse", "saved a %s", of())
		return false
	}
	return true
}

// isPlain reports whether a type holds no pointers.
func (pe *PE) isPlain(word unsafe.Pointer, of func() reflect.Type) bool {
	if word == pe.plainWord {
		return true
	}
	if where, _ := plain.FindPointer(of(), "it"); where != "" {
		return false
	}
	pe.plainWord = word
	return true
}

// save appends n bytes at p to the history of the running event.
func (lp *LP) save(p unsafe.Pointer, n uintptr) {
	if n == 0 {
		return
	}
	words := int(n+7) / 8
	h := lp.kp.grow(words + 2)
	plain.CopyBytes(unsafe.Pointer(&h.buf[h.head]), p, n)
	h.head += words
	h.push(uint64(uintptr(p)))
	h.push(tagSave<<tagShift | uint64(n))
}

// streamWords is the size of a random stream in a history.
const streamWords = int(unsafe.Sizeof(rng.Stream{}) / 8)

// saveStreams appends all streams of lp, for LPs with more than one, and for
// those whose first one keeps a normal value.
func (lp *LP) saveStreams() {
	n := 1 + len(lp.more)
	h := lp.kp.grow(n*streamWords + 1)
	put := func(s *rng.Stream) {
		*(*rng.Stream)(unsafe.Pointer(&h.buf[h.head])) = *s
		h.head += streamWords
	}
	put(&lp.rng)
	for i := range lp.more {
		put(&lp.more[i])
	}
	h.push(tagStream<<tagShift | uint64(n))
}

// restoreStreams puts streams back that saveStreams saved.
func (lp *LP) restoreStreams(h *history) {
	get := func(s *rng.Stream) {
		h.head -= streamWords
		*s = *(*rng.Stream)(unsafe.Pointer(&h.buf[h.head]))
	}
	for i := len(lp.more) - 1; i >= 0; i-- {
		get(&lp.more[i])
	}
	get(&lp.rng)
}

// makeSaver prepares a PE for deltas of states, if there is a type that has them.
func (pe *PE) makeSaver() error {
	if pe.mode != optimistic {
		return nil
	}
	largest := uintptr(0)
	for _, t := range pe.sim.types {
		if t.saving == SaveByDelta {
			if t.cannotSave != nil {
				return t.cannotSave
			}
			largest = max(largest, t.stateSize, t.msgSize)
		}
	}
	n := delta.MaxLen(int(largest)) / 8
	if err := pe.budget.Charge(uint64(n) * 24); err != nil {
		return fmt.Errorf("ross: Define: copies of a state of %d bytes: %w: raise --max-memory", largest, err)
	}
	pe.before, pe.beforeMsg, pe.diff = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	pe.coder = delta.New(pe.sim.cfg.LZ4Knob)
	return nil
}

// handleSpecial handles an event of an LP that takes more than a call.
func (pe *PE) handleSpecial(lp *LP, e *event.Event) {
	pe.handleSaving(lp, e)
	if pe.traceAll {
		pe.running, pe.shown = nil, lp // Trace must not send
		pe.traceNow(lp, e)
		pe.running, pe.shown = lp, nil
	}
}

// handleSaving handles an event, and saves what its handler may change.
func (pe *PE) handleSaving(lp *LP, e *event.Event) {
	if lp.suspended {
		h := &lp.kp.hist
		h.at(h.last).flags |= groupIdle
		pe.counts.Ignored++
		if pe.sim.cfg.keepsSent() {
			pe.arena.Keep(e, lp.typ.msgSize)
		}
		return
	}
	if len(lp.more) > 0 {
		lp.saveStreams()
	}
	if lp.typ.saving == SaveNever {
		pe.takeAll()
		lp.event(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
		pe.wanted = pe.reserve // less was enough for this event; the next one may take more
		if pe.tightRounds == 0 {
			pe.leaveMemory()
		}
		return
	}
	if lp.typ.saving != SaveByDelta {
		lp.event(lp.state, lp, (*Bits)(&e.Bits), event.Payload(e))
		return
	}
	t := lp.typ
	pe.accessed = pe.accessed[:0]
	msg := event.Payload(e)
	before, beforeMsg := unsafe.Pointer(unsafe.SliceData(pe.before)), unsafe.Pointer(unsafe.SliceData(pe.beforeMsg))
	plain.CopyBytes(before, lp.state, t.stateSize)
	plain.CopyBytes(beforeMsg, msg, t.msgSize)
	pe.inDelta = true
	lp.event(lp.state, lp, (*Bits)(&e.Bits), msg)
	pe.inDelta = false
	begin := pe.counts.Encodes.Start()
	switch { // what has a delta is put back by it, and must not be put back twice
	case !lp.saveDelta(tagDelta, before, lp.state, t.stateSize):
		lp.undoDelta(msg)
	case !lp.saveDelta(tagMessage, beforeMsg, msg, t.msgSize):
		plain.CopyBytes(msg, beforeMsg, t.msgSize)
	}
	pe.counts.Encodes.Add(begin, meter.SampleDeltas)
}

// undoDelta undoes what the running event did to state and message, from the
// copies: there is no memory for deltas, or no event that they would belong to.
func (lp *LP) undoDelta(msg unsafe.Pointer) {
	pe := lp.pe
	pe.inDelta = false
	plain.CopyBytes(lp.state, unsafe.Pointer(unsafe.SliceData(pe.before)), lp.typ.stateSize)
	plain.CopyBytes(msg, unsafe.Pointer(unsafe.SliceData(pe.beforeMsg)), lp.typ.msgSize)
}

// mostInline is the length of a delta, bytes, from which on it gets a block of
// the buddy pool, so that histories stay small.
const mostInline = 512

// saveDelta appends the difference of n bytes to the history of the running
// event. It reports whether there is memory for it.
func (lp *LP) saveDelta(tag uint64, before, after unsafe.Pointer, n uintptr) bool {
	pe, kp := lp.pe, lp.kp
	if most := delta.MaxLen(int(n)); most <= mostInline {
		h := kp.grow(most/8 + 1)
		room := unsafe.Slice((*byte)(unsafe.Pointer(&h.buf[h.head])), most)
		if size := pe.coder.Encode(room, before, after, n); size > 0 {
			h.head += (size + 7) / 8
			h.push(tag<<tagShift | uint64(size))
		}
		return true
	}
	diff := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pe.diff))), len(pe.diff)*8)
	size := pe.coder.Encode(diff, before, after, n)
	switch {
	case size == 0:
		return true
	case size <= mostInline:
		h := kp.grow(size/8 + 2)
		plain.CopyBytes(unsafe.Pointer(&h.buf[h.head]), unsafe.Pointer(&diff[0]), uintptr(size))
		h.head += (size + 7) / 8
		h.push(tag<<tagShift | uint64(size))
		return true
	}
	block, err := pe.takeBlock(uintptr(size))
	if err != nil {
		pe.aborted, pe.after, pe.lack = true, true, err
		return false
	}
	h := kp.grow(2)
	plain.CopyBytes(block, unsafe.Pointer(&diff[0]), uintptr(size))
	h.push(uint64(uintptr(block)))
	h.push((tag+tagBlock-tagDelta)<<tagShift | uint64(size))
	h.at(h.last).flags |= groupWork
	return true
}

// undoDeltaRecord applies a delta of size bytes to n bytes at p.
func (pe *PE) undoDeltaRecord(h *history, size int, p unsafe.Pointer, n uintptr) {
	h.head -= (size + 7) / 8
	pe.applyDelta(unsafe.Pointer(&h.buf[h.head]), size, p, n)
}

// undoDeltaBlock is undoDeltaRecord for a delta in a block.
func (pe *PE) undoDeltaBlock(h *history, size int, p unsafe.Pointer, n uintptr) {
	block := plain.Pointer(h.pop())
	pe.applyDelta(block, size, p, n)
	pe.freeBlock(block, uintptr(size))
}

func (pe *PE) applyDelta(from unsafe.Pointer, size int, p unsafe.Pointer, n uintptr) {
	d := unsafe.Slice((*byte)(from), size)
	begin := pe.counts.Applies.Start()
	pe.coder.Apply(d, p, n)
	pe.counts.Applies.Add(begin, meter.SampleDeltas)
}
