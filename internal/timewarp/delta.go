// This file owns state saving by the engine: it compares the state before and after an
// event and keeps the difference.

package timewarp

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/delta"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/settings"
)

// MakeSaver prepares a PE for deltas of states, if some type needs them.
func (pe *PE) MakeSaver() error {
	if pe.Mode != settings.Optimistic {
		return nil
	}
	largest := uintptr(0)
	for _, t := range pe.Run.Types {
		if t.Saving == kernel.SaveByDelta {
			if t.CannotSave != nil {
				return t.CannotSave
			}
			largest = max(largest, t.StateSize, pe.Run.Room())
		}
	}
	n := delta.MaxLen(int(largest)) / 8
	if err := pe.Budget.Charge(uint64(n) * 24); err != nil {
		return fmt.Errorf("ross: Define: copies of a state of %d bytes: %w: raise --max-memory", largest, err)
	}
	if err := pe.makeParts(largest); err != nil {
		return err
	}
	pe.Before, pe.beforeMsg, pe.diff = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	pe.coder = delta.New(pe.Run.Set.LZ4Knob)
	return nil
}

// handleSpecial handles an event that takes more than calling the handler.
func (pe *PE) handleSpecial(lp *kernel.LP, e *event.Event) {
	pe.handleSaving(lp, e)
	if pe.Trace != nil && pe.Trace.AtOnce {
		pe.Running, pe.Shown = nil, lp // Trace must not send
		pe.TraceNow(lp, e)
		pe.Running, pe.Shown = lp, nil
	}
}

// handleSaving handles an event and saves what its handler may change, as its type
// requires.
func (pe *PE) handleSaving(lp *kernel.LP, e *event.Event) {
	if lp.Suspended {
		h := &lp.KP.History
		h.At(h.Last).Flags |= kernel.GroupIdle
		pe.Counts.Ignored++
		if pe.Run.Set.KeepsSent() {
			pe.Arena.Keep(e, pe.MessageOf(e).Size)
		}
		return
	}
	if len(lp.More) > 0 {
		lp.SaveStreams()
	}
	if lp.Type.Saving == kernel.SaveNever {
		pe.takeAll()
		lp.Event(lp.State, lp, &e.Bits, event.Payload(e))
		pe.Wanted = pe.Reserve // less was enough for this event, but the next one may need more
		if pe.tightRounds == 0 {
			pe.SetMemoryAside()
		}
		return
	}
	if lp.Type.Saving != kernel.SaveByDelta {
		lp.Event(lp.State, lp, &e.Bits, event.Payload(e))
		return
	}
	t, m := lp.Type, pe.MessageOf(e)
	pe.Accessed = pe.Accessed[:0]
	msg := event.Payload(e)
	before, beforeMsg := unsafe.Pointer(unsafe.SliceData(pe.Before)), unsafe.Pointer(unsafe.SliceData(pe.beforeMsg))
	part, size := pe.savedPart(lp)
	plain.CopyBytes(before, part, size)
	plain.CopyBytes(beforeMsg, msg, m.Size)
	pe.InDelta = true
	lp.Event(lp.State, lp, &e.Bits, msg)
	pe.InDelta = false
	begin := pe.Counts.Encodes.Start()
	if len(t.Kept) != 1 {
		pe.collectParts(lp) // again, as the handler has left them
	}
	switch { // a part that has a delta is restored by it, and must not be restored twice
	case !pe.saveDelta(lp, kernel.TagDelta, before, part, size):
		pe.UndoDelta(lp, e)
	case !pe.saveDelta(lp, kernel.TagMessage, beforeMsg, msg, m.Size):
		plain.CopyBytes(msg, beforeMsg, m.Size)
	}
	pe.Counts.Encodes.Add(begin, meter.SampleDeltas)
}

// UndoDelta restores state and message from the copies made before the running event: there
// is no memory for deltas, or no event to which they would belong.
func (pe *PE) UndoDelta(lp *kernel.LP, e *event.Event) {
	pe.InDelta = false
	part, size := pe.savedPart(lp)
	plain.CopyBytes(part, unsafe.Pointer(unsafe.SliceData(pe.Before)), size)
	pe.putPart(lp, part)
	plain.CopyBytes(event.Payload(e), unsafe.Pointer(unsafe.SliceData(pe.beforeMsg)), pe.MessageOf(e).Size)
}

// mostInline is the largest delta, in bytes, that is stored in a history. Larger ones get a
// block of the buddy pool, so that histories stay small.
const mostInline = 512

// saveDelta appends the difference between two values of n bytes to the history of the
// running event. It reports whether there is memory for it.
func (pe *PE) saveDelta(lp *kernel.LP, tag uint64, before, after unsafe.Pointer, n uintptr) bool {
	kp := lp.KP
	if most := delta.MaxLen(int(n)); most <= mostInline {
		h := kp.Grow(most/8 + 1)
		room := unsafe.Slice((*byte)(unsafe.Pointer(&h.Buf[h.Head])), most)
		if size := pe.coder.Encode(room, before, after, n); size > 0 {
			h.Head += (size + 7) / 8
			h.Push(tag<<kernel.TagShift | uint64(size))
		}
		return true
	}
	diff := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pe.diff))), len(pe.diff)*8)
	size := pe.coder.Encode(diff, before, after, n)
	switch {
	case size == 0:
		return true
	case size <= mostInline:
		h := kp.Grow(size/8 + 2)
		plain.CopyBytes(unsafe.Pointer(&h.Buf[h.Head]), unsafe.Pointer(&diff[0]), uintptr(size))
		h.Head += (size + 7) / 8
		h.Push(tag<<kernel.TagShift | uint64(size))
		return true
	}
	block, err := pe.TakeBlock(uintptr(size))
	if err != nil {
		pe.After, pe.Lack = kernel.AfterAbort, err
		return false
	}
	h := kp.Grow(2)
	plain.CopyBytes(block, unsafe.Pointer(&diff[0]), uintptr(size))
	h.Push(uint64(uintptr(block)))
	h.Push((tag+kernel.TagBlock-kernel.TagDelta)<<kernel.TagShift | uint64(size))
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
	begin := pe.Counts.Applies.Start()
	pe.coder.Apply(d, p, n)
	pe.Counts.Applies.Add(begin, meter.SampleDeltas)
}
