// This file owns what the records of a history do: when their event is undone, and
// when it is committed. history.go says what they look like.

package ross

import (
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/plain"
)

// undoRecords undoes what the engine knows of the newest event: streams and records.
func (kp *KP) undoRecords(lp *LP, e *event.Event) {
	h := &kp.hist
	if g := h.at(h.last); g.flags&groupIdle == 0 {
		lp.rng.Rewind(g.rng) // before the records: one of them may have a normal value that was kept
		lp.core = g.core
	}
	for from := h.last + groupWords; h.head > from; {
		kp.undoRecord(lp, e, h.pop())
	}
}

// undoRecord undoes what the newest record says, of which word is the last.
func (kp *KP) undoRecord(lp *LP, e *event.Event, word uint64) {
	pe := kp.pe
	what := payloadOf(word)
	switch word >> tagShift {
	case tagChild:
		pe.counts.Cancelled++
		pe.cancel(uint32(what))
	case tagRemote:
		pe.counts.Cancelled++
		pe.counts.Unsent++
		pe.unsend(e, uint32(what), uint32(what>>32))
	default:
		kp.undoOther(lp, e, word>>tagShift, what)
	}
}

// undoOther undoes a record that is no send.
func (kp *KP) undoOther(lp *LP, e *event.Event, tag, what uint64) {
	pe, h := kp.pe, &kp.hist
	switch tag {
	case tagStream:
		lp.restoreStreams(h)
	case tagSave:
		p := plain.Pointer(h.pop())
		h.head -= int(what+7) / 8
		plain.CopyBytes(p, unsafe.Pointer(unsafe.SliceData(h.buf[h.head:])), uintptr(what))
	case tagDelta:
		pe.undoDeltaRecord(h, int(what), lp.state, lp.typ.stateSize)
	case tagMessage:
		pe.undoDeltaRecord(h, int(what), event.Payload(e), lp.typ.msgSize)
	case tagBlock:
		pe.undoDeltaBlock(h, int(what), lp.state, lp.typ.stateSize)
	case tagMsgBlock:
		pe.undoDeltaBlock(h, int(what), event.Payload(e), lp.typ.msgSize)
	case tagAlloc:
		p := plain.Pointer(h.pop())
		pe.markFreed(p, true)
		pe.freeBlock(p, uintptr(what))
	case tagFree:
		pe.markFreed(plain.Pointer(h.pop()), false)
	case tagSuspend:
		lp.resume()
	case tagHook:
		pe.undoCall(e)
	case tagNote:
		kp.notes = kp.notes[:len(kp.notes)-1]
	case tagBeyond:
		pe.pastEnd--
		pe.counts.Beyond[what]--
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
			pe.freeBlock(plain.Pointer(h.buf[end-2]), uintptr(what))
		case tagNote:
			notes++
		case tagRemote:
			pe.settled(uint32(what>>32), uint32(what))
		}
		end -= 1 + wordsOf(tag, what)
	}
	kp.tell(notes)
}

// disown counts out the events of a KP that a run which failed leaves neither
// undone nor committed, with what they sent. Nothing is undone: after an error
// states may be anything.
func (kp *KP) disown() {
	pe, h := kp.pe, &kp.hist
	for at, end := h.last, h.head; end > h.tail; at, end = at-int(h.at(at).back), at {
		pe.counts.Undone++
		if h.at(at).flags&groupIdle != 0 {
			pe.counts.Ignored--
		}
		for end > at+groupWords {
			tag, what := h.buf[end-1]>>tagShift, payloadOf(h.buf[end-1])
			switch tag {
			case tagRemote:
				pe.counts.Unsent++
				if pe.isFar(uint32(what >> 32)) {
					pe.counts.FarUnsent++
				}
			case tagBeyond:
				pe.pastEnd--
				pe.counts.Beyond[what]--
			}
			end -= 1 + wordsOf(tag, what)
		}
	}
}
