// This file owns the conversion between states of LPs and bytes of a checkpoint: by the
// model's functions, or byte by byte as in memory.

package checkpoint

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
)

// maxSerialized is the maximum size in bytes of the state of an LP in a checkpoint.
const maxSerialized = 1 << 30

// serializedSize returns the number of bytes that the state of an LP takes.
func serializedSize(lp *kernel.LP) (int, error) {
	s := &lp.Type.Serial
	if s.Size == nil {
		return int(lp.Type.StateSize), nil
	}
	n := s.Size(lp.State, lp)
	if n < 0 || n > maxSerialized {
		return 0, ioError(lp, fmt.Sprintf("SerializedSize is %d", n), kernel.ErrModel, fmt.Sprintf("give 0 to %d bytes", maxSerialized))
	}
	return n, nil
}

// serialize writes the state of an LP to buf, which is zeroed.
func serialize(lp *kernel.LP, buf []byte) {
	s := &lp.Type.Serial
	if s.Put != nil {
		s.Put(lp.State, lp, buf)
		return
	}
	for _, sp := range s.Spans { // without padding, which may have any value
		copy(buf[sp.Off:sp.Off+sp.Size], unsafe.Slice((*byte)(unsafe.Add(lp.State, sp.Off)), sp.Size))
	}
}

// deserialize restores the state of an LP from the bytes that serialize wrote.
func deserialize(lp *kernel.LP, buf []byte) error {
	s := &lp.Type.Serial
	if s.Get != nil {
		if err := s.Get(lp.State, lp, buf); err != nil {
			return ioError(lp, "Deserialize", err, "")
		}
		return nil
	}
	if uintptr(len(buf)) != lp.Type.StateSize {
		return ioError(lp, fmt.Sprintf("its state has %d bytes", len(buf)), kernel.ErrModel, fmt.Sprintf("load a checkpoint whose states have %d", lp.Type.StateSize))
	}
	for _, sp := range s.Spans {
		copy(unsafe.Slice((*byte)(unsafe.Add(lp.State, sp.Off)), sp.Size), buf[sp.Off:])
	}
	return nil
}

// ioError returns an error about an LP in a checkpoint.
func ioError(lp *kernel.LP, what string, err error, fix string) error {
	e := fmt.Errorf("ross: checkpoint: %s (%s): %s: %w", lp.Name(), lp.Type.Name, what, err)
	if fix != "" {
		e = fmt.Errorf("%w: %s", e, fix)
	}
	return e
}
