// This file owns undoing and committing the records of a history. Package kernel,
// history.go, says what they look like.

package timewarp

import (
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
)

// UndoRecords undoes the engine's part of the newest event of a KP: streams and records.
func (pe *PE) UndoRecords(kp *kernel.KP, lp *kernel.LP, e *event.Event) {
	h := &kp.History
	if g := h.At(h.Last); g.Flags&kernel.GroupIdle == 0 {
		lp.RNG.Rewind(g.Draws) // first, because a record may restore a normal value that was kept
		lp.Core.Rewind(g.Ties)
		if lp.RNG.WasSet() {
			lp.RefuseSet()
		}
	}
	for from := h.Last + kernel.GroupWords; h.Head > from; {
		pe.undoRecord(kp, lp, e, h.Pop())
	}
}

// undoRecord undoes the newest record, whose last word is given.
func (pe *PE) undoRecord(kp *kernel.KP, lp *kernel.LP, e *event.Event, word uint64) {
	what := kernel.PayloadOf(word)
	switch word >> kernel.TagShift {
	case kernel.TagChild:
		pe.Counts.Cancelled++
		pe.cancel(uint32(what))
	case kernel.TagRemote:
		pe.Counts.Cancelled++
		pe.Counts.Unsent++
		pe.unsend(e, uint32(what), uint32(what>>32))
	default:
		pe.undoOther(kp, lp, e, word>>kernel.TagShift, what)
	}
}

// undoOther undoes a record other than that of a send.
func (pe *PE) undoOther(kp *kernel.KP, lp *kernel.LP, e *event.Event, tag, what uint64) {
	h := &kp.History
	switch tag {
	case kernel.TagStream:
		lp.RestoreStreams(h)
	case kernel.TagSave:
		p := plain.Pointer(h.Pop())
		h.Head -= int(what+7) / 8
		plain.CopyBytes(p, unsafe.Pointer(unsafe.SliceData(h.Buf[h.Head:])), uintptr(what))
	case kernel.TagDelta:
		part, size := pe.savedPart(lp)
		pe.undoDeltaRecord(h, int(what), part, size)
		pe.putPart(lp, part)
	case kernel.TagMessage:
		pe.undoDeltaRecord(h, int(what), event.Payload(e), pe.MessageOf(e).Size)
	case kernel.TagBlock:
		part, size := pe.savedPart(lp)
		pe.undoDeltaBlock(h, int(what), part, size)
		pe.putPart(lp, part)
	case kernel.TagMsgBlock:
		pe.undoDeltaBlock(h, int(what), event.Payload(e), pe.MessageOf(e).Size)
	case kernel.TagAlloc:
		p := plain.Pointer(h.Pop())
		lp.UndoAlloc(p)
		pe.FreeTo(kp.Home, p, uintptr(what))
	case kernel.TagFree:
		lp.MarkFreed(plain.Pointer(h.Pop()), false)
	case kernel.TagUndo:
		h.Head -= int(what+7) / 8
	case kernel.TagTimer:
		lp.UndoTimer(what)
	case kernel.TagSuspend:
		lp.Resume()
	case kernel.TagHook:
		pe.undoCall(e)
	case kernel.TagNote:
		last := len(kp.Notes) - 1
		if kp.Notes[last].Err != nil {
			pe.DropMistake(e)
		}
		kp.Notes = kp.Notes[:last]
	case kernel.TagRecord:
		h.Head--
	case kernel.TagBeyond:
		pe.PastEnd--
		pe.Counts.Beyond[what]--
	case kernel.TagStop:
		lp.Unstop(e)
	case kernel.TagStopAt:
		lp.UndoStopAfter(h.Pop())
	case kernel.TagZeros:
		clear(unsafe.Slice((*byte)(plain.Pointer(h.Pop())), what))
	}
}

// commitRecords commits the records of the group that begins at a word of the history, that of event e.
func (pe *PE) commitRecords(kp *kernel.KP, at int, e *event.Event) {
	h := &kp.History
	g := h.At(at)
	notes := 0
	for end := at + int(g.Size); end > at+kernel.GroupWords; {
		word := h.Buf[end-1]
		tag, what := word>>kernel.TagShift, kernel.PayloadOf(word)
		switch tag {
		case kernel.TagFree:
			pe.FreeTo(kp.Home, plain.Pointer(h.Buf[end-2]), uintptr(what))
		case kernel.TagBlock, kernel.TagMsgBlock:
			pe.FreeBlock(plain.Pointer(h.Buf[end-2]), uintptr(what))
		case kernel.TagNote:
			notes++
		}
		end -= 1 + kernel.WordsOf(tag, what)
	}
	if notes > 0 {
		kp.EmitNotes(notes, e)
	}
}

// Disown counts out the events of a KP that a failed run leaves neither undone nor
// committed, with their sends. Nothing is undone, because states may be invalid after an
// error.
func (pe *PE) Disown(kp *kernel.KP) {
	h := &kp.History
	for at, end := h.Last, h.Head; end > h.Tail; at, end = at-int(h.At(at).Back), at {
		pe.Counts.Undone++
		if h.At(at).Flags&(kernel.GroupIdle|kernel.GroupVoid) == kernel.GroupIdle {
			pe.Counts.Ignored--
		}
		for end > at+kernel.GroupWords {
			tag, what := h.Buf[end-1]>>kernel.TagShift, kernel.PayloadOf(h.Buf[end-1])
			switch tag {
			case kernel.TagRemote:
				pe.Counts.Unsent++
				if pe.isRemote(uint32(what >> 32)) {
					pe.Counts.NetUnsent++
				}
			case kernel.TagBeyond:
				pe.PastEnd--
				pe.Counts.Beyond[what]--
			}
			end -= 1 + kernel.WordsOf(tag, what)
		}
	}
}
