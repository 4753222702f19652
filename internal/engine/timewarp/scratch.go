// This file owns the part of a state that deltas save: all of it except scratch.

package timewarp

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// makeParts makes room for a state without its scratch, if some state has scratch in its
// middle. largest is the size of the largest state in bytes.
func (pe *PE) makeParts(largest uintptr) error {
	for _, t := range pe.Run.Types {
		if t.Saving != kernel.SaveByDelta || len(t.Kept) == 1 {
			continue
		}
		words := uint64(largest+7) / 8
		if err := pe.Budget.Charge(words * 8); err != nil {
			return fmt.Errorf("ross: Define: copy of a state of %d bytes: %w: raise --max-memory", largest, err)
		}
		pe.parts = make([]uint64, words)
		return nil
	}
	return nil
}

// savedPart returns the address and the size of the part of a state that deltas save. If
// scratch divides it, it is copied together, and putPart writes it back.
func (pe *PE) savedPart(lp *kernel.LP) (unsafe.Pointer, uintptr) {
	if kept := lp.Type().Kept; len(kept) == 1 {
		return unsafe.Add(lp.State, kept[0].Off), kept[0].Size
	}
	return pe.collectParts(lp)
}

// collectParts copies the parts of a state together, and returns where they are and their size.
func (pe *PE) collectParts(lp *kernel.LP) (unsafe.Pointer, uintptr) {
	to, n := plain.WordsAt(pe.parts), uintptr(0)
	for _, s := range lp.Type().Kept {
		plain.CopyBytes(unsafe.Add(to, n), unsafe.Add(lp.State, s.Off), s.Size)
		n += s.Size
	}
	return to, n
}

// putPart writes the part of a state that savedPart has returned back to the state.
func (pe *PE) putPart(lp *kernel.LP, part unsafe.Pointer) {
	if len(lp.Type().Kept) != 1 {
		divideParts(lp, part)
	}
}

// divideParts writes the parts of a state to their places.
func divideParts(lp *kernel.LP, part unsafe.Pointer) {
	for _, s := range lp.Type().Kept {
		plain.CopyBytes(unsafe.Add(lp.State, s.Off), part, s.Size)
		part = unsafe.Add(part, s.Size)
	}
}
