// This file owns Codec, and the values that are copied as a whole.

package flat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/ross-go/ross/internal/plain"
)

// Codec writes and reads values of a type. Make one with For.
type Codec[T any] struct {
	plain bool // a T is copied as a whole
}

// For returns the codec of a type, or an error that names the first part of the type that cannot
// be written.
func For[T any]() (Codec[T], error) {
	t := reflect.TypeFor[T]()
	return Codec[T]{plain: isPlain(t)}, check(t)
}

// Plain reports whether a T holds no pointers, so that copies of it share no memory.
func (c Codec[T]) Plain() bool { return c.plain }

// Append appends the bytes of a value to b. It returns an error if the value refers to itself.
func (c Codec[T]) Append(b []byte, v *T) ([]byte, error) {
	if c.plain {
		return append(b, plain.BytesOf(v, 1)...), nil
	}
	w := writer{b: b}
	w.write(reflect.ValueOf(v).Elem(), 0)
	return w.b, w.err
}

// Read sets *v, a zero value, to the value at the beginning of b, and returns the bytes after it.
func (c Codec[T]) Read(b []byte, v *T) (rest []byte, err error) {
	if c.plain {
		own := plain.BytesOf(v, 1)
		if len(b) < len(own) {
			return b, errShort
		}
		copy(own, b)
		return b[len(own):], nil
	}
	r := reader{b: b}
	r.read(reflect.ValueOf(v).Elem())
	return r.b, r.err
}

// mostDeep is the maximum number of pointers, slices and maps inside each other. A value that
// refers to itself exceeds it.
const mostDeep = 10000

var (
	errShort = errors.New("the bytes end within a value")
	errDeep  = fmt.Errorf("a value refers to itself, or is nested more than %d levels deep", mostDeep)
)

// absent is the code of nil. A length n has the code n + 1.
const absent = 0

// putLength appends the code of a length, or of nil.
func putLength(b []byte, isNil bool, n int) []byte {
	if isNil {
		return binary.AppendUvarint(b, absent)
	}
	return binary.AppendUvarint(b, uint64(n)+1)
}
