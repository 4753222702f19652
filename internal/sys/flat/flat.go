// This file owns Codec: how values are checked, written and read.

package flat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/plain"
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

// What is known about types: which parts cannot be written, and which types are
// copied as a whole.

// check returns an error that names the first part of a type that cannot be written.
func check(t reflect.Type) error {
	if where, kind := refused(t, t.String(), map[reflect.Type]bool{}); where != "" {
		return fmt.Errorf(
			"%s is a %s, which cannot be sent to other ranks: use numbers, strings, slices, maps, pointers and structs of these",
			where, kind)
	}
	return nil
}

// refused returns the path to a part that cannot be written, and its kind, or "". seen holds the
// types that have been looked at.
func refused(t reflect.Type, path string, seen map[reflect.Type]bool) (where, kind string) {
	if seen[t] {
		return "", ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if where, kind = refused(f.Type, path+"."+f.Name, seen); where != "" {
				return where, kind
			}
		}
	case reflect.Array, reflect.Slice:
		return refused(t.Elem(), path+"[i]", seen)
	case reflect.Pointer:
		return refused(t.Elem(), path, seen)
	case reflect.Map:
		if where, kind = refused(t.Key(), "the key of "+path, seen); where != "" {
			return where, kind
		}
		return refused(t.Elem(), path+"[key]", seen)
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return path, t.Kind().String()
	}
	return "", ""
}

// plains holds the answers of isPlain.
var plains sync.Map // of reflect.Type to bool

// isPlain reports whether a type holds no pointers, so that its bytes are its value.
func isPlain(t reflect.Type) bool {
	if is, ok := plains.Load(t); ok {
		return is.(bool)
	}
	where, _ := plain.FindPointer(t, "value")
	plains.Store(t, where == "")
	return where == ""
}

// The writing of values that hold pointers.

// writer appends values to b until the first error.
type writer struct {
	b   []byte
	err error
}

// write appends a value that can be addressed, at the given number of levels below the top.
func (w *writer) write(v reflect.Value, deep int) {
	t := v.Type()
	switch {
	case w.err != nil:
		return
	case deep > mostDeep:
		w.err = errDeep
		return
	case isPlain(t):
		w.b = append(w.b, bytesAt(v.Addr().UnsafePointer(), t.Size())...)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			w.write(v.Field(i), deep)
		}
	case reflect.Array:
		for i := range v.Len() {
			w.write(v.Index(i), deep)
		}
	case reflect.String:
		w.b = append(putLength(w.b, false, v.Len()), v.String()...)
	case reflect.Slice:
		w.b = putLength(w.b, v.IsNil(), v.Len())
		if isPlain(t.Elem()) && v.Len() > 0 {
			w.b = append(w.b, bytesAt(v.UnsafePointer(), uintptr(v.Len())*t.Elem().Size())...)
			return
		}
		for i := range v.Len() {
			w.write(v.Index(i), deep+1)
		}
	case reflect.Pointer:
		w.b = putLength(w.b, v.IsNil(), 1)
		if !v.IsNil() {
			w.write(v.Elem(), deep+1)
		}
	case reflect.Map:
		w.writeMap(v, deep)
	}
}

// writeMap appends a map, in any order.
func (w *writer) writeMap(v reflect.Value, deep int) {
	t := v.Type()
	w.b = putLength(w.b, v.IsNil(), v.Len())
	key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
	for all := exported(v).MapRange(); all.Next(); {
		key.SetIterKey(all)
		elem.SetIterValue(all)
		w.write(key, deep+1)
		w.write(elem, deep+1)
	}
}

// exported returns a value that may be used like that of an exported field. v can be addressed.
func exported(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// bytesAt returns n bytes of memory.
func bytesAt(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }

// The reading of values that hold pointers.

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
