// This file owns the conversion between states of LPs and bytes of a checkpoint: by the
// model's functions, or as in memory, followed by the contents of Blocks (blocks.go).

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
		if len(s.Shape.Blocks) == 0 {
			return int(s.Shape.Size), nil
		}
		w := blockWalk{lp: lp}
		if n := w.find(); n <= maxSerialized {
			return int(n), nil
		}
		return 0, ioError(lp, "the state is too large with its Blocks", kernel.ErrModel, fmt.Sprintf("keep up to %d bytes in an LP", maxSerialized))
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
	if len(s.Shape.Blocks) == 0 {
		s.Shape.Copy(unsafe.Pointer(unsafe.SliceData(buf)), lp.State, 1)
		return
	}
	w := blockWalk{lp: lp}
	w.find()
	w.put(buf)
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
	blocks := len(s.Shape.Blocks) > 0
	if n := uintptr(len(buf)); n < s.Shape.Size || n > s.Shape.Size && !blocks {
		return ioError(lp, fmt.Sprintf("its state has %d bytes", len(buf)), kernel.ErrModel, fmt.Sprintf("load a checkpoint whose states have %d", lp.Type.StateSize))
	}
	if !blocks {
		s.Shape.Copy(lp.State, unsafe.Pointer(unsafe.SliceData(buf)), 1)
		return nil
	}
	old := blockWalk{lp: lp}
	old.find()
	old.free()
	w := blockWalk{lp: lp}
	return w.get(buf)
}

// ioError returns an error about an LP in a checkpoint.
func ioError(lp *kernel.LP, what string, err error, fix string) error {
	e := fmt.Errorf("ross: checkpoint: %s (%s): %s: %w", lp.Name(), lp.Type.Name, what, err)
	if fix != "" {
		e = fmt.Errorf("%w: %s", e, fix)
	}
	return e
}
