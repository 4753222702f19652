// This file owns notes: what an event has to say to the user, which is said when
// it is committed, and never if it is undone.

package ross

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
)

// note is a text to be printed or an error to be reported.
type note struct {
	text string
	err  error
}

// Printf prints to Config.Output when the event that is being handled is
// committed (tw_output). What an event prints that is rolled back is not
// printed. In Init, PreRun, Commit and Final, and in schedulers that do not roll
// back, it prints at once.
func (lp *LP) Printf(format string, args ...any) {
	if pe := lp.pe; pe.mode == optimistic && pe.running == lp && pe.cur != nil {
		lp.note(note{text: fmt.Sprintf(format, args...)})
		return
	}
	lp.pe.sim.printf(format, args...)
}

// note keeps a note until the running event is committed.
func (lp *LP) note(n note) {
	h := lp.kp.grow(1)
	h.push(tagNote << tagShift)
	h.at(h.last).flags |= groupWork
	lp.kp.notes = append(lp.kp.notes, n)
}

// tell says the n oldest notes of a KP.
func (kp *KP) tell(n int) {
	for i := range kp.notes[:n] {
		switch note := &kp.notes[i]; {
		case note.err != nil:
			kp.pe.fail(note.err)
		default:
			kp.pe.sim.printf("%s", note.text)
		}
	}
	kp.notes = kp.notes[:copy(kp.notes, kp.notes[n:])]
}

// undoOther undoes a record that is no send.
func (kp *KP) undoOther(lp *LP, e *event.Event, tag, what uint64) {
	pe, h := kp.pe, &kp.hist
	switch tag {
	case tagStream:
		lp.restoreStreams(h)
	case tagSave:
		p := pointer(h.pop())
		h.head -= int(what+7) / 8
		copyBytes(p, unsafe.Pointer(unsafe.SliceData(h.buf[h.head:])), uintptr(what))
	case tagDelta:
		pe.undoDeltaRecord(h, int(what), lp.state, lp.typ.stateSize)
	case tagMessage:
		pe.undoDeltaRecord(h, int(what), event.Payload(e), lp.typ.msgSize)
	case tagBlock:
		pe.undoDeltaBlock(h, int(what), lp.state, lp.typ.stateSize)
	case tagMsgBlock:
		pe.undoDeltaBlock(h, int(what), event.Payload(e), lp.typ.msgSize)
	case tagAlloc:
		pe.pool.Free(pointer(h.pop()), uintptr(what))
	case tagFree:
		h.pop()
	case tagSuspend:
		lp.resume()
	case tagHook:
		pe.dropCalls(e)
	case tagNote:
		kp.notes = kp.notes[:len(kp.notes)-1]
	case tagBeyond:
		pe.pastEnd--
	}
}

// wordsOf returns how many words a record has before the last.
func wordsOf(tag, what uint64) int {
	switch tag {
	case tagStream:
		return int(what) * streamWords
	case tagSave:
		return int(what+7)/8 + 1
	case tagDelta, tagMessage:
		return int(what+7) / 8
	case tagBlock, tagMsgBlock, tagAlloc, tagFree:
		return 1
	}
	return 0
}

// commitRecords does what the records of a group that begins at a word have to do
// when its event is committed.
func (kp *KP) commitRecords(at int) {
	pe, h := kp.pe, &kp.hist
	g := h.at(at)
	notes := 0
	for end := at + int(g.size); end > at+groupWords; {
		word := h.buf[end-1]
		tag, what := word>>tagShift, payloadOf(word)
		switch tag {
		case tagBlock, tagMsgBlock, tagFree:
			pe.pool.Free(pointer(h.buf[end-2]), uintptr(what))
		case tagNote:
			notes++
		}
		end -= 1 + wordsOf(tag, what)
	}
	kp.tell(notes)
}
