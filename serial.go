// This file owns how states of LPs become bytes of a checkpoint: by the model's
// functions, or as they lie in memory.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/internal/plain"
	"reflect"
	"unsafe"
)

// maxSerialized bounds the state of one LP in a checkpoint, bytes.
const maxSerialized = 1 << 30

// serialType is how the states of a type are stored.
type serialType struct {
	// These are SerializedSize, Serialize and Deserialize, all or none.
	size func(state unsafe.Pointer, lp *LP) int
	put  func(state unsafe.Pointer, lp *LP, buf []byte)
	get  func(state unsafe.Pointer, lp *LP, buf []byte) error
	// Without them: what is copied, and why that cannot be.
	spans  []plain.Span
	cannot error
	// What checkpoints are compared by.
	state, message string
}

// setSerial finds out how states are stored.
func (t *Type[S, M]) setSerial(lt *lpType, msg reflect.Type) error {
	state := reflect.TypeFor[S]()
	s := &lt.serial
	s.state, s.message = plain.LayoutOf(state), plain.LayoutOf(msg)
	given := 0
	for _, is := range []bool{t.SerializedSize != nil, t.Serialize != nil, t.Deserialize != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 3:
		s.size = plain.Recast[func(unsafe.Pointer, *LP) int](&t.SerializedSize)
		s.put = plain.Recast[func(unsafe.Pointer, *LP, []byte)](&t.Serialize)
		s.get = plain.Recast[func(unsafe.Pointer, *LP, []byte) error](&t.Deserialize)
		return nil
	case given > 0:
		return fmt.Errorf("ross: LP type %q: SerializedSize, Serialize and Deserialize: %w: give all three, or none", lt.name, ErrModel)
	}
	where, kind := plain.FindPointer(state, state.String())
	if where == "" {
		where, kind = findBlock(state, state.String()), "ross.Block"
	}
	if where == "" {
		s.spans = plain.SpansOf(state)
		return nil
	}
	s.cannot = fmt.Errorf("ross: checkpoint: LP type %q: state: %s is a %s: %w: give the type SerializedSize, Serialize and Deserialize",
		lt.name, where, kind, ErrModel)
	return nil
}

// findBlock returns the path of a Block in a type, "" if there is none.
func findBlock(t reflect.Type, path string) string {
	if fields := (blockPlans{}).fields(t, 0, path); len(fields) > 0 {
		return fields[0].path
	}
	return ""
}

// serializedSize returns how many bytes the state of an LP takes.
func (lp *LP) serializedSize() (int, error) {
	s := &lp.typ.serial
	if s.size == nil {
		return int(lp.typ.stateSize), nil
	}
	n := s.size(lp.state, lp)
	if n < 0 || n > maxSerialized {
		return 0, lp.ioError(fmt.Sprintf("SerializedSize is %d", n), ErrModel, fmt.Sprintf("give 0 to %d bytes", maxSerialized))
	}
	return n, nil
}

// serialize writes the state of an LP into buf, which is zeroed.
func (lp *LP) serialize(buf []byte) {
	s := &lp.typ.serial
	if s.put != nil {
		s.put(lp.state, lp, buf)
		return
	}
	for _, sp := range s.spans { // what is between them may be anything
		copy(buf[sp.Off:sp.Off+sp.Size], unsafe.Slice((*byte)(unsafe.Add(lp.state, sp.Off)), sp.Size))
	}
}

// deserialize makes the state of an LP of what serialize wrote.
func (lp *LP) deserialize(buf []byte) error {
	s := &lp.typ.serial
	if s.get != nil {
		if err := s.get(lp.state, lp, buf); err != nil {
			return lp.ioError("Deserialize", err, "")
		}
		return nil
	}
	if uintptr(len(buf)) != lp.typ.stateSize {
		return lp.ioError(fmt.Sprintf("its state has %d bytes", len(buf)), ErrModel, fmt.Sprintf("load a checkpoint whose states have %d", lp.typ.stateSize))
	}
	for _, sp := range s.spans {
		copy(unsafe.Slice((*byte)(unsafe.Add(lp.state, sp.Off)), sp.Size), buf[sp.Off:])
	}
	return nil
}

// ioError is an error about an LP in a checkpoint.
func (lp *LP) ioError(what string, err error, fix string) error {
	e := fmt.Errorf("ross: checkpoint: LP %d (%s): %s: %w", lp.id, lp.typ.name, what, err)
	if fix != "" {
		e = fmt.Errorf("%w: %s", e, fix)
	}
	return e
}
