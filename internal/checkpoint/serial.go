// This file owns the conversion between states of LPs and bytes of a checkpoint: by the
// model's functions, or as in memory, followed by the contents of Blocks (blocks.go).

package checkpoint

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
)

// maxSerialized is the maximum size in bytes of the state of an LP in a checkpoint.
const maxSerialized = 1 << 30

// serializedSize returns the number of bytes that the state of an LP takes.
func serializedSize(lp *kernel.LP) (int, error) {
	s := &lp.Type().Serial
	more := 0
	if fields := lp.Type().Figures; len(fields) > 0 {
		more = len(lp.PE.Figures.Bytes(lp.State, fields)) + tailSize
	}
	if s.Size == nil {
		if len(s.Shape.Blocks) == 0 {
			return int(s.Shape.Size) + more, nil
		}
		w := blockWalk{lp: lp}
		if n := w.find(); n <= maxSerialized {
			return int(n) + more, nil
		}
		return 0, ioError(lp, "the state is too large with its Blocks", kernel.ErrModel, fmt.Sprintf("keep up to %d bytes in an LP", maxSerialized))
	}
	n := s.Size(lp.State, lp)
	if n < 0 || n > maxSerialized {
		return 0, ioError(lp, fmt.Sprintf("SerializedSize is %d", n), kernel.ErrModel, fmt.Sprintf("give 0 to %d bytes", maxSerialized))
	}
	return n + more, nil
}

// tailSize is the size of the word behind the statistics of an LP, which says how many bytes
// they take. They follow the state.
const tailSize = 8

// putStatistics writes the statistics of an LP to the end of buf and returns the rest.
func putStatistics(lp *kernel.LP, buf []byte) []byte {
	fields := lp.Type().Figures
	if len(fields) == 0 {
		return buf
	}
	b := lp.PE.Figures.Bytes(lp.State, fields)
	at := len(buf) - tailSize
	binary.LittleEndian.PutUint64(buf[at:], uint64(len(b)))
	copy(buf[at-len(b):at], b)
	return buf[:at-len(b)]
}

// cutStatistics divides the bytes of an LP of a type into its state and its statistics, if it can.
func cutStatistics(t *kernel.Type, buf []byte) (state, statistics []byte, ok bool) {
	if len(t.Figures) == 0 {
		return buf, nil, true
	}
	at := len(buf) - tailSize
	if at < 0 || binary.LittleEndian.Uint64(buf[at:]) > uint64(at) {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint64(buf[at:]))
	return buf[:at-n], buf[at-n : at], true
}

// serialize writes the state of an LP to buf, which is zeroed.
func serialize(lp *kernel.LP, buf []byte) {
	s := &lp.Type().Serial
	buf = putStatistics(lp, buf)
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
	s := &lp.Type().Serial
	if s.Get != nil {
		if err := s.Get(lp.State, lp, buf); err != nil {
			return ioError(lp, "Deserialize", err, "")
		}
		return nil
	}
	blocks := len(s.Shape.Blocks) > 0
	if n := uintptr(len(buf)); n < s.Shape.Size || n > s.Shape.Size && !blocks {
		return ioError(lp, fmt.Sprintf("its state has %d bytes", len(buf)), kernel.ErrModel, fmt.Sprintf("load a checkpoint whose states have %d", lp.Type().StateSize))
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
	e := fmt.Errorf("ross: checkpoint: %s (%s): %s: %w", lp.Name(), lp.Type().Name, what, err)
	if fix != "" {
		e = fmt.Errorf("%w: %s", e, fix)
	}
	return e
}
