// This file owns what undoing and committing the records of a history means, in one table. Package kernel,
// record.go, has their tags and lengths.

package timewarp

import (
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
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
	switch tag := word >> kernel.TagShift; tag {
	case kernel.TagChild:
		pe.Counts.Cancelled++
		pe.cancel(uint32(what))
	case kernel.TagRemote:
		pe.Counts.Cancelled++
		pe.Counts.Unsent++
		pe.unsend(e, uint32(what), uint32(what>>32))
	default:
		records[tag].undo(pe, undoing{kp, lp, e, &kp.History, what})
	}
}

// undoing is a record that is being undone: its event, the history that ends with it, without its last word, and
// what that word has besides the tag.
type undoing struct {
	kp   *kernel.KP
	lp   *kernel.LP
	e    *event.Event
	h    *kernel.History
	what uint64
}

// record says what becomes of records with a tag.
type record struct {
	undo   func(pe *PE, r undoing)                      // takes the record out of the history, and its effect back
	commit func(pe *PE, kp *kernel.KP, r kernel.Cursor) // when the event is committed; nil: nothing
	disown func(pe *PE, r kernel.Cursor)                // when a failed run leaves the event; nil: nothing
}

// records has the records by their tags. init fills it, since undoing leads back here.
var records [kernel.NumTags]record

func init() {
	records = [kernel.NumTags]record{
		kernel.TagRemote:   {disown: disownRemote}, // undoRecord undoes sends
		kernel.TagStream:   {undo: func(_ *PE, r undoing) { r.lp.RestoreStreams(r.h) }},
		kernel.TagSave:     {undo: undoSave},
		kernel.TagDelta:    {undo: func(pe *PE, r undoing) { pe.undoPart(r, pe.undoDeltaRecord) }},
		kernel.TagMessage:  {undo: func(pe *PE, r undoing) { pe.undoMessage(r, pe.undoDeltaRecord) }},
		kernel.TagBlock:    {undo: func(pe *PE, r undoing) { pe.undoPart(r, pe.undoDeltaBlock) }, commit: commitBlock},
		kernel.TagMsgBlock: {undo: func(pe *PE, r undoing) { pe.undoMessage(r, pe.undoDeltaBlock) }, commit: commitBlock},
		kernel.TagAlloc:    {undo: undoAlloc},
		kernel.TagFree: {undo: func(_ *PE, r undoing) { r.lp.MarkFreed(plain.Pointer(r.h.Pop()), false) },
			commit: commitFree},
		kernel.TagSuspend: {undo: func(_ *PE, r undoing) { r.lp.Resume() }},
		kernel.TagHook:    {undo: func(pe *PE, r undoing) { pe.undoCall(r.e) }},
		kernel.TagNote:    {undo: undoNote},
		kernel.TagBeyond: {undo: func(pe *PE, r undoing) { pe.forgetBeyond(r.what) },
			disown: func(pe *PE, r kernel.Cursor) { pe.forgetBeyond(r.What) }},
		kernel.TagUndo:   {undo: func(_ *PE, r undoing) { r.h.Head -= int(r.what+7) / 8 }},
		kernel.TagTimer:  {undo: func(_ *PE, r undoing) { r.lp.UndoTimer(r.what) }},
		kernel.TagStop:   {undo: func(_ *PE, r undoing) { r.lp.Unstop(r.e) }},
		kernel.TagZeros:  {undo: func(_ *PE, r undoing) { clear(unsafe.Slice((*byte)(plain.Pointer(r.h.Pop())), r.what)) }},
		kernel.TagRecord: {undo: func(_ *PE, r undoing) { r.h.Head-- }},
		kernel.TagDraws:  {undo: func(*PE, undoing) {}},
		kernel.TagStopAt: {undo: func(_ *PE, r undoing) { r.lp.UndoStopAfter(r.h.Pop()) }},
	}
}

func undoSave(_ *PE, r undoing) {
	p := plain.Pointer(r.h.Pop())
	r.h.Head -= int(r.what+7) / 8
	plain.CopyBytes(p, unsafe.Pointer(unsafe.SliceData(r.h.Buf[r.h.Head:])), uintptr(r.what))
}

// undoPart undoes a delta of the state.
func (pe *PE) undoPart(r undoing, undo func(h *kernel.History, n int, part unsafe.Pointer, size uintptr)) {
	part, size := pe.savedPart(r.lp)
	undo(r.h, int(r.what), part, size)
	pe.putPart(r.lp, part)
}

// undoMessage undoes a delta of the message.
func (pe *PE) undoMessage(r undoing, undo func(h *kernel.History, n int, part unsafe.Pointer, size uintptr)) {
	undo(r.h, int(r.what), event.Payload(r.e), pe.MessageOf(r.e).Size)
}

func undoAlloc(pe *PE, r undoing) {
	p := plain.Pointer(r.h.Pop())
	r.lp.UndoAlloc(p)
	pe.FreeTo(r.kp.Home, p, uintptr(r.what))
}

func undoNote(pe *PE, r undoing) {
	last := len(r.kp.Notes) - 1
	if r.kp.Notes[last].Err != nil {
		pe.DropMistake(r.e)
	}
	r.kp.Notes = r.kp.Notes[:last]
}

// forgetBeyond counts out a send past the end of the run.
func (pe *PE) forgetBeyond(kind uint64) {
	pe.PastEnd--
	pe.Counts.Beyond[kind]--
}

func commitFree(pe *PE, kp *kernel.KP, r kernel.Cursor) {
	pe.FreeTo(kp.Home, plain.Pointer(r.Address()), uintptr(r.What))
}

func commitBlock(pe *PE, _ *kernel.KP, r kernel.Cursor) {
	pe.FreeBlock(plain.Pointer(r.Address()), uintptr(r.What))
}

func disownRemote(pe *PE, r kernel.Cursor) {
	pe.Counts.Unsent++
	if pe.isRemote(uint32(r.What >> 32)) {
		pe.Counts.NetUnsent++
	}
}

// commitRecords commits the records of the group that begins at a word of the history, that of event e.
func (pe *PE) commitRecords(kp *kernel.KP, at int, e *event.Event) {
	notes := 0
	for r := kp.History.Group(at); r.Next(); {
		if commit := records[r.Tag].commit; commit != nil {
			commit(pe, kp, r)
		} else if r.Tag == kernel.TagNote {
			notes++
		}
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
		flags := h.At(at).Flags
		if flags&kernel.GroupLapsed == 0 {
			pe.Counts.Undone++
		}
		if flags&(kernel.GroupIdle|kernel.GroupVoid) == kernel.GroupIdle {
			pe.Counts.Ignored--
		}
		for r := h.Records(at, end); r.Next(); {
			if disown := records[r.Tag].disown; disown != nil {
				disown(pe, r)
			}
		}
	}
}
