// This file owns the writing of values that hold pointers.

package flat

import (
	"reflect"
	"unsafe"
)

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
