// This file owns the timers of an LP in a checkpoint.

package checkpoint

import (
	"encoding/binary"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/rio"
)

// timersSize returns the number of bytes that timers add to the record of an LP.
func timersSize(lp *kernel.LP) int {
	if n := len(lp.Timers().Slots); n > 0 {
		return 8 + 4 + 8*n
	}
	return 0
}

// appendTimers appends the timers of lp: the first free slot, and number and next free slot of
// each slot.
func appendTimers(b []byte, lp *kernel.LP) []byte {
	t := lp.Timers()
	if len(t.Slots) == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint32(b, t.Free)
	for _, s := range t.Slots {
		b = binary.LittleEndian.AppendUint32(b, s.Number)
		b = binary.LittleEndian.AppendUint32(b, s.Next)
	}
	return b
}

// restoreTimers restores the timers of lp.
func restoreTimers(lp *kernel.LP, b []byte) error {
	var t kernel.Timers
	if len(b) > 0 {
		if len(b)%8 != 4 {
			return ioError(lp, "its timers", rio.ErrDamaged, "")
		}
		t.Free = binary.LittleEndian.Uint32(b)
		for b = b[4:]; len(b) > 0; b = b[8:] {
			t.Slots = append(t.Slots, kernel.TimerSlot{Number: binary.LittleEndian.Uint32(b), Next: binary.LittleEndian.Uint32(b[4:])})
		}
		if !t.Valid() {
			return ioError(lp, "its timers", rio.ErrDamaged, "")
		}
	}
	lp.SetTimers(t)
	return nil
}
