// This file owns state saving by models: values written to the history so that a rollback
// can restore them.

package kernel

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rng"
)

// SetSaving sets how events of a type are undone. It fails if that cannot work.
func (t *Type) SetSaving(want Saving, state reflect.Type) error {
	pointer, _ := plain.FindPointerBut(isStatistic, state, state.String())
	where, kind := plain.FindStatePointer(state, state.String())
	t.Plain, t.Kept = pointer == "", plain.KeptOf(state)
	t.Scratch = plain.ScratchOf(state, state.Name(), statistic.IsData)
	for _, part := range t.Kept {
		if (t.Plain || where == "") && part.Size > t.plainSize {
			t.plainAt, t.plainSize = part.Off, part.Size
		}
	}
	auto := want == saveAuto
	if auto {
		if want = SaveByReverse; t.reversed() == 0 {
			want = SaveByDelta
		}
	}
	t.Saving = want
	switch {
	case auto && want == SaveByReverse && t.reversed() < len(t.Messages):
		return fmt.Errorf("ross: LP type %q: some of its messages have a Reverse and some have none: %w: give one to each, "+
			"or set Saving to SaveByReverse, which leaves to Save what the others change", t.Name, ErrModel)
	case want > SaveNever:
		return fmt.Errorf("ross: LP type %q: Saving is %d: %w: give SaveAuto to SaveNever", t.Name, want, ErrModel)
	case want == SaveByReverse && t.reversed() == 0:
		return fmt.Errorf("ross: LP type %q: Saving is SaveByReverse and Reverse is nil: %w: give it a handler", t.Name,
			ErrModel)
	case want == SaveByDelta && where != "":
		t.CannotSave = fmt.Errorf("ross: LP type %q: state: %s is a %s, which the engine cannot save: %w: "+
			"%s; or give the type a Reverse handler, or set Saving to SaveNever", t.Name, where, kind, ErrModel, InsteadOf(kind))
	}
	return nil
}

// InsteadOf returns advice for a field that holds a pointer: what undoes itself, and where parameters belong.
func InsteadOf(kind string) string {
	const parameter = "if no handler changes it, it is a parameter: let handlers be methods of a value that has it (docs/first-model.md, \"Parameters\")"
	switch kind {
	case "slice":
		return "use a container.Queue, Stack, Heap or Slab, or a ross.Block; " + parameter
	case "map":
		return "use a container.Map or Set; " + parameter
	case "string":
		return "use a number or an array of bytes; " + parameter
	}
	return "use a ross.Block or a container.Slab with handles; " + parameter
}

// isStatistic reports whether a field is the data of a statistic, which nobody saves.
func isStatistic(f reflect.StructField) bool { return statistic.IsData(f.Type) }

// record appends a record of one word to the history of the running event, and adds flags
// to those of the event's group.
func (lp *LP) record(tag, what uint64, flags uint32) {
	h := lp.KP.Grow(1)
	h.Push(tag<<TagShift | what)
	h.At(h.Last).Flags |= flags
}

// MaySave reports whether the engine can restore a value of n bytes at p. If not, it
// reports a mistake. The value's type is what of returns, and word identifies it.
func (pe *PE) MaySave(lp *LP, p unsafe.Pointer, n uintptr, word unsafe.Pointer, of func() reflect.Type) bool {
	inState := uintptr(p)-uintptr(lp.State) < lp.Type().StateSize
	if !inState && uintptr(p)-uintptr(event.Payload(pe.Current)) >= pe.MessageOf(pe.Current).Size && !lp.inPool(p) {
		lp.Blame(ErrSave, "save fields of the state, of the message, or of memory of ross.Alloc", "saved %d bytes elsewhere",
			n)
		return false
	}
	if inState && !lp.Type().Plain && !pe.IsPlain(word, of) {
		lp.Blame(ErrSave, "save fields without pointers, or undo the change in Reverse", "saved a %s", of())
		return false
	}
	return true
}

// IsPlain reports whether the type that of returns holds no pointers. word identifies the
// type.
func (pe *PE) IsPlain(word unsafe.Pointer, of func() reflect.Type) bool {
	if word == pe.plainWord {
		return true
	}
	if _, known := plainTypes.Load(word); !known {
		if where, _ := plain.FindPointerBut(isStatistic, of(), "it"); where != "" {
			return false
		}
		plainTypes.Store(word, nil)
	}
	pe.plainWord = word
	return true
}

// plainTypes has the words of types that are known to hold no pointers, as keys: reflection takes
// microseconds, and models alternate between types.
var plainTypes sync.Map

// SaveKept appends records of the n bytes at p to the history of the running event, except
// of scratch in the state.
func (lp *LP) SaveKept(p unsafe.Pointer, n uintptr) {
	at := uintptr(p) - uintptr(lp.State)
	if at >= lp.Type().StateSize || len(lp.Type().Kept) == 1 && lp.Type().Kept[0].Size == lp.Type().StateSize {
		lp.Save(p, n)
		return
	}
	for _, s := range lp.Type().Kept {
		if from, end := max(s.Off, at), min(s.Off+s.Size, at+n); from < end {
			lp.Save(unsafe.Add(lp.State, from), end-from)
		}
	}
}

// InPlainState reports whether the n bytes at p are in the state of lp, which holds no pointers, and
// none of them is known to be scratch. It is what most calls of ross.Save need to know.
func (lp *LP) InPlainState(p unsafe.Pointer, n uintptr) bool {
	t := lp.Type()
	at, size := uintptr(p)-uintptr(lp.State)-t.plainAt, t.plainSize
	return at < size && n <= size-at
}

// SaveValue is Save for a value of a type whose size the compiler knows. It does nothing and returns
// false if that needs more room.
func SaveValue[T any](h *History, p *T) bool {
	words := int(unsafe.Sizeof(*p)+7) / 8
	if h.Head+words+2 > len(h.Buf) {
		return false
	}
	r := h.Buf[h.Head : h.Head+words+2]
	*(*T)(unsafe.Pointer(&r[0])) = *p
	r[words] = uint64(uintptr(unsafe.Pointer(p)))
	r[words+1] = TagSave<<TagShift | uint64(unsafe.Sizeof(*p))
	h.Head += words + 2
	h.Saved += uint64(words+2) * 8
	return true
}

// Save appends a record of the n bytes at p to the history of the running event.
func (lp *LP) Save(p unsafe.Pointer, n uintptr) {
	if n == 0 {
		return
	}
	words := int(n+7) / 8
	h := lp.KP.Grow(words + 2)
	if n == 8 { // mostly, and a copy of any length costs more
		h.Buf[h.Head] = *(*uint64)(p)
	} else {
		plain.CopyBytes(unsafe.Pointer(&h.Buf[h.Head]), p, n)
	}
	h.Head += words
	h.Push(uint64(uintptr(p)))
	h.Push(TagSave<<TagShift | uint64(n))
	h.Saved += uint64(words+2) * 8
}

// streamWords is the size of a random stream in a history, in words.
const streamWords = int(unsafe.Sizeof(rng.Stream{}) / 8)

// SaveStreams appends a record of all streams of lp. It is for LPs with more than one
// stream, for those whose handlers set it, and for those whose first stream keeps a normal value.
func (lp *LP) SaveStreams() {
	n := 1 + len(lp.More())
	h := lp.KP.Grow(n*streamWords + 1)
	put := func(s *rng.Stream) {
		*(*rng.Stream)(unsafe.Pointer(&h.Buf[h.Head])) = *s
		h.Head += streamWords
	}
	put(&lp.RNG)
	for i := range lp.More() {
		put(&lp.More()[i])
	}
	h.Push(TagStream<<TagShift | uint64(n))
}

// Begin makes the state of the first stream the one that lp begins with, even if Init has set it.
func (lp *LP) Begin() {
	if lp.RNG.WasSet() {
		lp.RNG = lp.RNG.State().Stream()
	}
}

// SavesStreams reports whether all streams of lp are saved with each of its events.
func (lp *LP) SavesStreams() bool { return len(lp.More()) > 0 || lp.Type().SetsStreams }

// SaveSpare is called before an event of an LP whose first stream has more than its Count.
func (lp *LP) SaveSpare() {
	if !lp.SavesStreams() {
		lp.SaveStreams()
		lp.RefuseSet()
	}
}

// RefuseSet ends the run if a handler has set the first stream of lp: the history has no
// older state.
func (lp *LP) RefuseSet() {
	if lp.RNG.WasSet() && !lp.SavesStreams() && lp.Type().Saving != SaveNever {
		lp.PE.Fail(
			lp.errorOf(lp.mistake(ErrModel, "set SetsStreams of the type, so that the engine saves the stream with each event",
				"set its random stream in a handler, or skipped 2^15 draws or more of it")))
	}
}

// RestoreStreams restores the streams from a record of SaveStreams.
func (lp *LP) RestoreStreams(h *History) {
	get := func(s *rng.Stream) {
		h.Head -= streamWords
		*s = *(*rng.Stream)(unsafe.Pointer(&h.Buf[h.Head]))
	}
	for i := len(lp.More()) - 1; i >= 0; i-- {
		get(&lp.More()[i])
	}
	get(&lp.RNG)
}
