// This file owns the reading of values that hold pointers.

package flat

import (
	"encoding/binary"
	"reflect"
)

// reader takes values from b until the first error.
type reader struct {
	b   []byte
	err error
}

// read sets a value that can be addressed.
func (r *reader) read(v reflect.Value) {
	if r.err != nil {
		return
	}
	v = exported(v)
	t := v.Type()
	if isPlain(t) {
		copy(bytesAt(v.Addr().UnsafePointer(), t.Size()), r.take(t.Size()))
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.read(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			r.read(v.Index(i))
		}
	case reflect.String:
		if n, ok := r.length(1); ok {
			v.SetString(string(r.take(uintptr(n))))
		}
	case reflect.Slice:
		r.readSlice(v)
	case reflect.Pointer:
		if _, ok := r.length(0); ok {
			v.Set(reflect.New(t.Elem()))
			r.read(v.Elem())
		}
	case reflect.Map:
		r.readMap(v)
	}
}

func (r *reader) readSlice(v reflect.Value) {
	t := v.Type()
	size := uintptr(1) // at least
	if isPlain(t.Elem()) {
		size = t.Elem().Size()
	}
	n, ok := r.length(size)
	if !ok {
		return
	}
	v.Set(reflect.MakeSlice(t, n, n))
	if isPlain(t.Elem()) {
		copy(bytesAt(v.UnsafePointer(), uintptr(n)*size), r.take(uintptr(n)*size))
		return
	}
	for i := range n {
		r.read(v.Index(i))
	}
}

func (r *reader) readMap(v reflect.Value) {
	t := v.Type()
	n, ok := r.length(0)
	if !ok {
		return
	}
	v.Set(reflect.MakeMap(t))
	for range n {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		r.read(key)
		r.read(elem)
		if r.err != nil {
			return
		}
		v.SetMapIndex(key, elem)
	}
}

// length takes a number of elements of at least size bytes each. ok is false for nil.
func (r *reader) length(size uintptr) (n int, ok bool) {
	coded, used := binary.Uvarint(r.b)
	if used <= 0 {
		r.err = errShort
		return 0, false
	}
	r.b = r.b[used:]
	if coded == absent {
		return 0, false
	}
	if coded--; size > 0 && coded > uint64(len(r.b))/uint64(size) {
		r.err = errShort
		return 0, false
	}
	return int(coded), true
}

// take takes n bytes; after an error it returns none.
func (r *reader) take(n uintptr) []byte {
	if uintptr(len(r.b)) < n {
		r.err = errShort
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}
