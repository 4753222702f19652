// This file owns state saving by the engine: it compares the state before and after an
// event and keeps the difference.

package timewarp

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/delta"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/sys/plain"
)

// MakeSaver prepares a PE for deltas of states, if some type needs them.
func (pe *PE) MakeSaver() error {
	if !pe.Undoes() {
		return nil
	}
	state, message := uintptr(0), uintptr(0)
	for _, t := range pe.Run.Types {
		if t.Saving == kernel.SaveByDelta {
			if t.CannotSave != nil {
				return t.CannotSave
			}
			state, message = max(state, t.StateSize), max(message, t.Room())
		}
	}
	ofState, ofMessage := delta.MaxLen(int(state))/8, delta.MaxLen(int(message))/8
	if err := pe.Budget.Charge(uint64(ofState+ofMessage) * 8); err != nil {
		return fmt.Errorf("ross: Define: copies of a state of %d bytes and a message of %d: %w: raise --max-memory", state,
			message, err)
	}
	if err := pe.makeParts(state); err != nil {
		return err
	}
	pe.Before, pe.beforeMsg = make([]uint64, ofState), make([]uint64, ofMessage)
	pe.coder = delta.New(pe.Run.Set.Tuning.LZ4Knob)
	pe.coder.Measure(&pe.Counts.LZ4s)
	return nil
}

// CopyBytes returns the memory in bytes of the copies of states and messages, and of the room for a delta.
func (pe *PE) CopyBytes() uint64 { return 8 * uint64(len(pe.Before)+len(pe.beforeMsg)+len(pe.diff)) }

// roomFor returns room for a delta of n bytes outside of histories. Most PEs need none, since their deltas
// are short.
func (pe *PE) roomFor(n int) ([]uint64, error) {
	if more := (n+7)/8 - len(pe.diff); more > 0 {
		if err := pe.Budget.Charge(uint64(more) * 8); err != nil {
			return nil, err
		}
		pe.diff = make([]uint64, len(pe.diff)+more)
	}
	return pe.diff, nil
}

// handleSpecial handles an event that takes more than calling the handler.
func (pe *PE) handleSpecial(lp *kernel.LP, e *event.Event) {
	pe.handleSaving(lp, e)
	if h := &lp.KP.History; pe.Trace.IsDue(kernel.OnHandle) && h.At(h.Last).Flags&kernel.GroupLapsed == 0 {
		pe.Leave() // Trace must not send
		pe.Show(lp)
		pe.TraceNow(lp, e, instr.ExactHandled, h.Last)
		pe.Enter(lp)
		pe.Hide()
	}
}

// handleSaving handles an event and saves what its handler may change, as its type
// requires.
func (pe *PE) handleSaving(lp *kernel.LP, e *event.Event) {
	if lp.Suspended() {
		h := &lp.KP.History
		h.At(h.Last).Flags |= kernel.GroupIdle
		lp.IgnoreEvent()
		if pe.Run.Set.KeepsSent() {
			lp.Keep(e)
		}
		return
	}
	if lp.SavesStreams() {
		lp.SaveStreams()
	}
	if lp.Type().Saving == kernel.SaveNever {
		pe.ClearReserve()
		lp.Event(lp.State, lp, event.Payload(e))
		pe.Arena.Unhold()
		pe.Wanted = pe.Reserve // less was enough for this event, but the next one may need more
		if pe.tightRounds == 0 {
			pe.SetMemoryAside()
		}
		return
	}
	if lp.Type().Saving != kernel.SaveByDelta {
		lp.Event(lp.State, lp, event.Payload(e))
		return
	}
	pe.handleDelta(lp, e)
}

// handleDelta handles an event and saves the differences that its handler made to state and
// message.
func (pe *PE) handleDelta(lp *kernel.LP, e *event.Event) {
	msg := event.Payload(e)
	part, size := pe.savedPart(lp)
	before := plain.WordsAt(pe.Before)
	pe.Accessed = pe.Accessed[:0]
	delta.Copy(plain.WordsAt(pe.beforeMsg), msg, pe.MessageOf(e).Size)
	if pe.small = 0; delta.IsSmall(size) {
		pe.beginSmall(lp, part, size)
	} else {
		plain.CopyBytes(before, part, size)
	}
	pe.InDelta = true
	lp.Event(lp.State, lp, msg)
	pe.InDelta = false
	begin := pe.Counts.Encodes.Begin()
	if len(lp.Type().Kept) != 1 {
		pe.collectParts(lp) // again, as the handler has left them
	}
	switch { // a part that has a delta is restored by it, and must not be restored twice
	case pe.small > 0:
		pe.endSmall(lp, part, size)
		pe.saveMessage(lp, e)
	case pe.saveDelta(lp, kernel.TagDelta, before, part, size):
		pe.saveMessage(lp, e)
	default:
		pe.UndoDelta(lp, e)
	}
	pe.Counts.Encodes.End(begin, meter.SampleDeltas)
}

// saveMessage saves what the handler changed in its message, which most handlers leave alone.
// If there is no memory for it, the message is restored at once.
func (pe *PE) saveMessage(lp *kernel.LP, e *event.Event) {
	before, msg, size := plain.WordsAt(pe.beforeMsg), event.Payload(e), pe.MessageOf(e).Size
	if !delta.Same(before, msg, size) && !pe.saveDelta(lp, kernel.TagMessage, before, msg, size) {
		delta.Copy(msg, before, size)
	}
}

// beginSmall copies n bytes of a small state to the history of the running event, where the
// copy becomes its delta: that saves finding room for the delta and moving it there.
func (pe *PE) beginSmall(lp *kernel.LP, state unsafe.Pointer, n uintptr) {
	words := int(n)/8 + 1
	h := lp.KP.Grow(words + 1)
	delta.Begin(unsafe.Pointer(&h.Buf[h.Head]), state, n)
	pe.small = h.Head - h.Last // the history may move, but not within the event's group
	h.Head += words
	h.Push(kernel.TagDelta<<kernel.TagShift | uint64(words*8))
	h.Saved += uint64(words+1) * 8
}

// endSmall makes the copy of n bytes of a small state a delta.
func (pe *PE) endSmall(lp *kernel.LP, state unsafe.Pointer, n uintptr) {
	h := &lp.KP.History
	delta.End(unsafe.Pointer(&h.Buf[h.Last+pe.small]), state, n)
}

// UndoDelta restores state and message from the copies made before the running event: there
// is no memory for deltas, or no event to which they would belong. Undoing the records of the
// event restores a small state.
func (pe *PE) UndoDelta(lp *kernel.LP, e *event.Event) {
	pe.InDelta = false
	part, size := pe.savedPart(lp)
	if pe.small > 0 {
		pe.endSmall(lp, part, size)
	} else {
		plain.CopyBytes(part, plain.WordsAt(pe.Before), size)
		pe.putPart(lp, part)
	}
	delta.Copy(event.Payload(e), plain.WordsAt(pe.beforeMsg), pe.MessageOf(e).Size)
}

// mostInline is the largest delta, in bytes, that is stored in a history. Larger ones get a
// block of the buddy pool, so that histories stay small.
const mostInline = 512

// saveDelta appends the difference between two values of n bytes to the history of the
// running event. It reports whether there is memory for it.
func (pe *PE) saveDelta(lp *kernel.LP, tag uint64, before, after unsafe.Pointer, n uintptr) bool {
	kp := lp.KP
	h, most := &kp.History, delta.MaxLen(int(n))
	if most <= mostInline {
		kp.Grow(most/8 + 1)
	}
	inPlace := h.Head+most/8 < len(h.Buf)
	var room []uint64
	if inPlace {
		room = h.Buf[h.Head:]
	} else if most > 0 {
		var err error
		if room, err = pe.roomFor(most); err != nil {
			pe.After, pe.Lack = kernel.AfterAbort, err
			return false
		}
	}
	d := unsafe.Slice((*byte)(plain.WordsAt(room)), most)
	d = d[:pe.coder.Encode(d, before, after, n)]
	switch {
	case len(d) == 0:
		return true
	case len(d) > mostInline:
		return pe.saveBlock(kp, tag, d)
	case !inPlace:
		kp.Grow(len(d)/8 + 2)
		plain.CopyBytes(unsafe.Pointer(&h.Buf[h.Head]), unsafe.Pointer(&d[0]), uintptr(len(d)))
	}
	h.Head += (len(d) + 7) / 8
	h.Push(tag<<kernel.TagShift | uint64(len(d)))
	h.Saved += uint64(len(d) + 8)
	return true
}

// saveBlock stores a delta in a block. It reports whether there is memory for it.
func (pe *PE) saveBlock(kp *kernel.KP, tag uint64, d []byte) bool {
	block, err := pe.TakeBlock(uintptr(len(d)))
	if err != nil {
		pe.After, pe.Lack = kernel.AfterAbort, err
		return false
	}
	plain.CopyBytes(block, unsafe.Pointer(&d[0]), uintptr(len(d)))
	h := kp.Grow(2)
	h.Push(uint64(uintptr(block)))
	h.Push((tag+kernel.TagBlock-kernel.TagDelta)<<kernel.TagShift | uint64(len(d)))
	h.Saved += uint64(len(d) + 16)
	h.At(h.Last).Flags |= kernel.GroupWork
	return true
}

// undoDeltaRecord pops a delta of size bytes and applies it to the n bytes at p.
func (pe *PE) undoDeltaRecord(h *kernel.History, size int, p unsafe.Pointer, n uintptr) {
	h.Head -= (size + 7) / 8
	pe.applyDelta(unsafe.Pointer(&h.Buf[h.Head]), size, p, n)
}

// undoDeltaBlock is undoDeltaRecord for a delta in a block, which it frees.
func (pe *PE) undoDeltaBlock(h *kernel.History, size int, p unsafe.Pointer, n uintptr) {
	block := plain.Pointer(h.Pop())
	pe.applyDelta(block, size, p, n)
	pe.FreeBlock(block, uintptr(size))
}

// applyDelta applies a delta of size bytes to the n bytes at p.
func (pe *PE) applyDelta(from unsafe.Pointer, size int, p unsafe.Pointer, n uintptr) {
	d := unsafe.Slice((*byte)(from), size)
	begin := pe.Counts.Applies.Begin()
	pe.coder.Apply(d, p, n)
	pe.Counts.Applies.End(begin, meter.SampleDeltas)
}
